//! Whether the result may be trusted: a pure function of ledger, margin and syntax.
//!
//! Each rule looks at one thing and gives reasons with lines; the verdict is what they give together. A rule
//! that would flag most right results is worse than none: what it costs in trust stands beside it.

use hashbrown::HashMap;

use super::{SyntaxStatus, Validation, duplicate};
use crate::account::is_blank_anchor;
use crate::anchor::{Alignment, Alternative, Class, Index, Plan, Tie, extends, indent_width, key, tokens};
use crate::classify::{
    Description, Force, LineKind, Snippet, hints_at_unshown, is_no_code, reads_like_marker, suspicion,
};
use crate::indent::Conversion;
use crate::ledger::{Equality, Hunk, KeepRule, Ledger, RemovalCause, Step, hunks};
use crate::merge::{Disputed, announced_are_shown};
use crate::outcome::Shape;
use crate::range::LineRange;
use crate::source::{Source, is_blank};
use crate::treesitter::{ItemKind, Outline};
use crate::verdict::{Candidate, NeedsVerifyReason, ReasonKind, Verdict};

/// Longest preview of a candidate place, in characters.
const PREVIEW: usize = 80;

/// Everything a rule may look at.
pub(crate) struct Findings<'f> {
    pub(crate) original: &'f Source<'f>,
    pub(crate) snippet: &'f Snippet<'f>,
    pub(crate) index: &'f Index,
    pub(crate) description: &'f Description,
    pub(crate) plan: &'f Plan,
    pub(crate) original_outline: &'f Outline,
    /// The clock ended an outline, so another machine might know more.
    pub(crate) outlines_cut_short: bool,
    pub(crate) alignment: &'f Alignment,
    pub(crate) ledger: &'f Ledger,
    pub(crate) disputed: Option<Disputed>,
    pub(crate) conversion: Option<Conversion>,
    pub(crate) validation: &'f Validation,
}

/// Draws the verdict.
pub(crate) fn verdict(findings: &Findings<'_>) -> Verdict {
    let rules: [fn(&Findings<'_>, &mut Vec<NeedsVerifyReason>); 26] = [
        snippet_is_sound,
        snippet_is_whole,
        brackets_balance,
        removals_are_explained,
        markers_are_tied,
        references_cover_what_goes,
        bodies_are_not_emptied,
        insertions_only_insert,
        rewritten_lines_are_held,
        announced_removals_are_shown,
        nothing_is_unmentioned,
        places_are_clear,
        chunks_are_pinned,
        nothing_similar_is_lost,
        no_declaration_is_lost,
        no_end_is_guessed,
        no_edge_is_guessed,
        minus_lines_are_found,
        white_space_is_kept,
        references_have_a_source,
        order_is_kept,
        ranges_are_applied,
        no_marker_is_left,
        nothing_is_doubled,
        nothing_was_cut_short,
        syntax_is_valid,
    ];
    let mut reasons = Vec::new();
    for rule in rules {
        rule(findings, &mut reasons);
    }
    for reason in &mut reasons {
        reason.snippet_lines = reason.snippet_lines.map(|lines| findings.snippet.handed_in(lines));
    }
    Verdict::from_reasons(reasons)
}

fn snippet_is_sound(findings: &Findings<'_>, reasons: &mut Vec<NeedsVerifyReason>) {
    if findings.description.overwrites() && findings.snippet.has_markers() {
        reasons.push(NeedsVerifyReason::new(
            ReasonKind::OverwriteWithReference,
            "the description says the snippet is the whole file, but it leaves parts out",
        ));
    }
    if let Some((lines, message)) = suspicion(findings.snippet) {
        reasons.push(NeedsVerifyReason::new(ReasonKind::SnippetSuspicious, message).at_snippet(lines));
    }
    let whole = findings.snippet.shape == Shape::WholeFile;
    if findings.conversion.is_some_and(|conversion| whole || !conversion.unanimous) {
        reasons.push(NeedsVerifyReason::new(
            ReasonKind::WhitespaceConverted,
            "the snippet's indentation was converted to the file's, which may have been meant to change",
        ));
    }
}

/// A snippet that ends in a new line that opens something, with no reference after it, was cut off.
fn snippet_is_whole(findings: &Findings<'_>, reasons: &mut Vec<NeedsVerifyReason>) {
    let lines = &findings.snippet.lines;
    let Some(last) = lines.iter().rposition(|line| line.kind != LineKind::Blank) else { return };
    let is_written = |step: &Step| matches!(step, Step::New { snippet } if snippet.contains(last));
    let opens = lines[last].kind == LineKind::Code && lines[last].text.trim_end().ends_with(['{', '(', '[', ':']);
    // A snippet that begins with a reference would end with one.
    let begins = lines.iter().find(|line| line.kind != LineKind::Blank).is_some_and(|l| l.kind == LineKind::Reference);
    if opens && (begins || findings.ledger.steps().iter().rev().any(is_written)) {
        reasons.push(
            NeedsVerifyReason::new(
                ReasonKind::SnippetSuspicious,
                "the snippet ends where something just begins, as if it were cut off",
            )
            .at_snippet(LineRange::new(last, last + 1)),
        );
    }
}

/// Where no grammar can tell, brackets must: what is written opens and closes as much as what it replaces.
fn brackets_balance(findings: &Findings<'_>, reasons: &mut Vec<NeedsVerifyReason>) {
    if matches!(findings.validation.status, SyntaxStatus::Valid | SyntaxStatus::Invalid)
        && findings.validation.original_errors == 0
    {
        return;
    }
    let (mut old, mut new) = (Brackets::default(), Brackets::default());
    for step in findings.ledger.steps() {
        match *step {
            Step::Remove { original, .. } => original.iter().for_each(|line| old.count(findings.original.line(line))),
            Step::New { snippet } => snippet.iter().for_each(|line| new.count(&findings.snippet.lines[line].text)),
            _ => {}
        }
    }
    if old != new {
        reasons.push(NeedsVerifyReason::new(
            ReasonKind::SyntaxError,
            "the new lines open other brackets than they close, unlike those they replace",
        ));
    }
}

/// How many more brackets of each kind are opened than closed.
#[derive(Debug, Default, PartialEq, Eq)]
struct Brackets([i64; 3]);

impl Brackets {
    fn count(&mut self, line: &str) {
        for byte in line.bytes() {
            if let Some(at) = b"([{".iter().position(|&open| open == byte) {
                self.0[at] += 1;
            } else if let Some(at) = b")]}".iter().position(|&close| close == byte) {
                self.0[at] -= 1;
            }
        }
    }
}

fn removals_are_explained(findings: &Findings<'_>, reasons: &mut Vec<NeedsVerifyReason>) {
    for (lines, cause) in findings.ledger.removals() {
        let n_code = lines.iter().filter(|&line| !is_blank(findings.original.line(line))).count();
        if cause == RemovalCause::Unexplained && n_code > 0 {
            let message = format!(
                "{n_code} original {} lost and nothing explains it",
                if n_code == 1 { "line is" } else { "lines are" }
            );
            reasons.push(NeedsVerifyReason::new(ReasonKind::CodeRemoved, message).at_original(lines));
        }
    }
}

/// A removal marker stands between two lines that are shown, or between one and the edge of the file; else it is
/// open how much it removes.
fn markers_are_tied(findings: &Findings<'_>, reasons: &mut Vec<NeedsVerifyReason>) {
    let steps = findings.ledger.steps();
    for hunk in hunks(steps, |step| is_blank_anchor(step, findings.original)) {
        for at in hunk.steps.clone() {
            let Step::Marker { snippet } = steps[at] else { continue };
            let next = steps.get(at + 1);
            let removes = matches!(next, Some(Step::Remove { cause: RemovalCause::Marker, .. }));
            let leaves = match next {
                Some(Step::Remove { original, .. }) => leaves_block(findings, snippet, *original),
                _ => false,
            };
            let message = match (removes, hunk.is_tied()) {
                _ if leaves => "the removal marker removes lines from outside of the block it stands in",
                (false, _) => "the removal marker stands where there is nothing to remove",
                (true, false) => "how much the removal marker removes is open, since no shown line ends it",
                (true, true) => continue,
            };
            let reason = NeedsVerifyReason::new(ReasonKind::AmbiguousLocation, message);
            reasons.push(reason.at_snippet(LineRange::new(snippet, snippet + 1)));
        }
    }
}

/// A reference that stands for nothing while old lines go right beside it: it should have covered them.
fn references_cover_what_goes(findings: &Findings<'_>, reasons: &mut Vec<NeedsVerifyReason>) {
    let steps = findings.ledger.steps();
    let all = hunks(steps, |step| is_blank_anchor(step, findings.original));
    let loses = |hunk: &Hunk| {
        steps[hunk.steps.clone()].iter().any(|step| match *step {
            Step::Remove { original, cause } => {
                !matches!(cause, RemovalCause::Announced | RemovalCause::Marker | RemovalCause::MinusLine)
                    && original.iter().any(|line| !is_blank(findings.original.line(line)))
            }
            _ => false,
        })
    };
    for (at, step) in steps.iter().enumerate() {
        let Step::Fill { original, snippet } = *step else { continue };
        if original.iter().any(|line| !is_blank(findings.original.line(line))) {
            continue;
        }
        let is_blank_step = |step: &Step| is_blank_anchor(step, findings.original);
        let before = steps[..at].iter().rposition(|step| !is_blank_step(step));
        let after = steps[at + 1..].iter().position(|step| !is_blank_step(step)).map(|n| at + 1 + n);
        let touches = |hunk: &&Hunk| [before, after].into_iter().flatten().any(|at| hunk.steps.contains(&at));
        if all.iter().filter(touches).any(loses) {
            let reason = NeedsVerifyReason::new(
                ReasonKind::CodeRemoved,
                "this reference stands for nothing while old lines are lost right beside it",
            );
            reasons.push(reason.at_snippet(LineRange::new(snippet, snippet + 1)));
        }
    }
}

/// Old code that makes way for nothing but comments, `...` or `pass` may be meant to stay; so may what a comment hints
/// at.
fn bodies_are_not_emptied(findings: &Findings<'_>, reasons: &mut Vec<NeedsVerifyReason>) {
    let steps = findings.ledger.steps();
    for hunk in hunks(steps, |_| false) {
        let steps = &steps[hunk.steps];
        let loses = steps.iter().any(|step| match *step {
            Step::Remove { original, cause: RemovalCause::Rewritten | RemovalCause::ShownInFull } => original
                .iter()
                .any(|line| !is_blank(findings.original.line(line)) && !is_no_code(findings.original.line(line))),
            _ => false,
        });
        let written = || {
            let lines = steps.iter().filter_map(|step| match step {
                Step::New { snippet } => Some(snippet.iter()),
                _ => None,
            });
            lines.flatten().filter(|&line| findings.snippet.lines[line].kind == LineKind::Code)
        };
        let text = |line: usize| &*findings.snippet.lines[line].text;
        let is_empty = written().next().is_some() && written().all(|line| is_no_code(text(line)));
        let hint = written().find(|&line| hints_at_unshown(text(line)));
        if loses && (is_empty || hint.is_some()) {
            let line = hint.or_else(|| written().next()).unwrap_or_default();
            let reason = NeedsVerifyReason::new(
                ReasonKind::ReferenceLeft,
                "old code makes way for a line that may only stand for it",
            );
            reasons.push(reason.at_snippet(LineRange::new(line, line + 1)));
        }
    }
}

fn insertions_only_insert(findings: &Findings<'_>, reasons: &mut Vec<NeedsVerifyReason>) {
    if !findings.description.only_inserts() {
        return;
    }
    for replaced in findings.ledger.removals().map(|(lines, _)| lines) {
        if replaced.iter().any(|line| !is_blank(findings.original.line(line))) {
            let reason = NeedsVerifyReason::new(
                ReasonKind::CodeRemoved,
                "the description announces insertions only, but this is replaced",
            );
            reasons.push(reason.at_original(replaced));
        }
    }
}

/// Lines that are rewritten in a chunk beside a reference must be held by a line of their own block that stands only
/// once in the original, or by its header: where the block's lines are like another's, they may be a new block.
fn rewritten_lines_are_held(findings: &Findings<'_>, reasons: &mut Vec<NeedsVerifyReason>) {
    let steps = findings.ledger.steps();
    let mut in_full = vec![false; findings.snippet.lines.len()];
    for pair in findings.plan.pairs.iter().filter(|pair| pair.in_full && pair.end_tied && pair.snippet.len() > 1) {
        let n = in_full.len();
        in_full[pair.snippet.start.min(n)..pair.snippet.end.min(n)].fill(true);
    }
    let is_border = |step: &Step| matches!(step, Step::Fill { .. } | Step::Keep { .. });
    if !steps.iter().any(is_border) {
        return;
    }
    let code = code_rows(findings);
    let mut searches = MOST_RUN_SEARCHES;
    let mut scopes = Scopes::new(findings);
    for hunk in hunks(steps, |_| false) {
        let changed = &steps[hunk.steps.clone()];
        let rewritten = changed.iter().any(|step| match *step {
            Step::Remove { original, cause: RemovalCause::Rewritten } => original
                .iter()
                .any(|line| !is_blank(findings.original.line(line)) && !findings.description.covers(line)),
            _ => false,
        });
        let new = changed.iter().find_map(|step| match step {
            Step::New { snippet } => snippet.iter().find(|&line| findings.snippet.lines[line].kind == LineKind::Code),
            _ => None,
        });
        let (true, Some(line)) = (rewritten, new) else { continue };
        let named = |line: usize| findings.plan.pairs.iter().any(|pair| pair.name_line == line);
        let n_old: usize = changed.iter().filter_map(Step::original).map(LineRange::len).sum();
        let keeps_key = n_old == 1
            && changed.iter().filter_map(Step::original).any(|rows| {
                rows.iter().any(|row| {
                    keeps_only_key(findings.original, findings.original.line(row), &findings.snippet.lines[line].text)
                })
            });
        if in_full[line] || named(line) || keeps_key {
            continue;
        }
        let indent = indent_width(&findings.snippet.lines[line].text);
        let mut holds = |step: &Step| match *step {
            Step::Anchor { original, snippet, .. } => {
                let says = findings.snippet.lines[snippet].text.contains(char::is_alphanumeric);
                named(snippet) || (says && scopes.has_once(findings, snippet, original))
            }
            _ => false,
        };
        let is_shallower = |step: &Step| match *step {
            Step::Anchor { snippet, .. } => {
                let text = &findings.snippet.lines[snippet].text;
                !is_blank(text) && indent_width(text) < indent
            }
            _ => false,
        };
        let mut side = |steps: &mut dyn Iterator<Item = &Step>| {
            let mut rows = Vec::new();
            for step in steps {
                if is_border(step) || is_shallower(step) && !holds(step) {
                    break;
                }
                if holds(step) {
                    return (true, rows);
                }
                match step {
                    Step::Anchor { original, .. } if !is_blank(findings.original.line(*original)) => {
                        rows.push(*original);
                    }
                    Step::Anchor { .. } => {}
                    _ => break,
                }
            }
            rows.sort_unstable();
            (false, rows)
        };
        let (above, rows_above) = side(&mut steps[..hunk.steps.start].iter().rev());
        let (below, rows_below) = side(&mut steps[hunk.steps.end..].iter());
        let mut is_run = |rows: &[usize]| {
            let may = searches > 0 && rows.len() > 1;
            searches -= usize::from(may);
            may && stands_once(findings, &code, rows)
        };
        if !above && !below && !is_run(&rows_above) && !is_run(&rows_below) {
            let reason = NeedsVerifyReason::new(
                ReasonKind::AmbiguousLocation,
                "these lines replace similar ones, but nothing shown says that they aren't meant beside them",
            );
            reasons.push(reason.at_snippet(LineRange::new(line, line + 1)));
        }
    }
}

/// Says whether any of the lines is indented less than the marker that removes them.
fn leaves_block(findings: &Findings<'_>, marker: usize, lines: LineRange) -> bool {
    let indent = |line: &str| if is_blank(line) { usize::MAX } else { indent_width(line) };
    let own = indent(&findings.snippet.lines[marker].text);
    lines.iter().any(|line| indent(findings.original.line(line)) < own)
}

fn announced_removals_are_shown(findings: &Findings<'_>, reasons: &mut Vec<NeedsVerifyReason>) {
    if findings.snippet.shape != Shape::WholeFile
        && !announced_are_shown(findings.ledger, findings.original, findings.snippet)
    {
        reasons.push(NeedsVerifyReason::new(
            ReasonKind::CodeRemoved,
            "lines are lost because the description announces it, but the snippet doesn't show them gone",
        ));
    }
}

fn nothing_is_unmentioned(findings: &Findings<'_>, reasons: &mut Vec<NeedsVerifyReason>) {
    for step in findings.ledger.steps() {
        if let Step::Keep { original, rule: KeepRule::Unmentioned | KeepRule::OutsideRanges } = *step
            && original.iter().any(|line| !is_blank(findings.original.line(line)))
        {
            reasons.push(
                NeedsVerifyReason::new(
                    ReasonKind::CodeUnmentioned,
                    "lines stay that the snippet passes over without a reference",
                )
                .at_original(original),
            );
        }
    }
}

fn places_are_clear(findings: &Findings<'_>, reasons: &mut Vec<NeedsVerifyReason>) {
    let message = match findings.disputed {
        Some(Disputed::Scopes) => Some("the snippet's lines fit better outside of the declarations it shows them in"),
        Some(Disputed::Ranges) => Some("the announced lines and the snippet's lines lead to different results"),
        None => None,
    };
    reasons.extend(message.map(|message| NeedsVerifyReason::new(ReasonKind::AmbiguousLocation, message)));
    for alternatives in &findings.alignment.alternatives {
        reasons.push(ambiguous(findings, alternatives));
    }
}

fn ambiguous(findings: &Findings<'_>, alternatives: &[Alternative]) -> NeedsVerifyReason {
    let lines: Vec<usize> = alternatives.iter().filter_map(|alternative| alternative.line).collect();
    let mut reason =
        NeedsVerifyReason::new(ReasonKind::AmbiguousLocation, "more than one place fits this part of the snippet");
    if let (Some(first), Some(last)) = (lines.iter().min(), lines.iter().max()) {
        reason = reason.at_snippet(LineRange::new(*first, *last + 1));
    }
    let mut rows: Vec<usize> = alternatives.iter().map(|alternative| alternative.row).collect();
    if let (Some(first), Some(last)) = (rows.iter().min(), rows.iter().max()) {
        reason = reason.at_original(LineRange::new(*first, (*last + 1).min(findings.original.n_lines())));
    }
    rows.sort_unstable();
    rows.dedup();
    reason.candidates = rows.into_iter().map(|row| candidate(findings.original, row)).collect();
    reason
}

/// Each chunk of shown lines between references that changes something must hold on to something: a line that
/// stands only once in the original, or a tied declaration. Else it fits elsewhere as well, though worse.
fn chunks_are_pinned(findings: &Findings<'_>, reasons: &mut Vec<NeedsVerifyReason>) {
    if findings.snippet.shape == Shape::WholeFile {
        return;
    }
    let code = code_rows(findings);
    let mut searches = MOST_RUN_SEARCHES;
    let mut scopes = Scopes::new(findings);
    let mut chunk = Chunk::default();
    let is_border = |step: &Step| matches!(step, Step::Fill { .. } | Step::Keep { .. });
    for step in findings.ledger.steps() {
        if is_border(step) {
            reasons.extend(std::mem::take(&mut chunk).doubt(findings, &code, &mut searches));
            continue;
        }
        match *step {
            Step::Anchor { original, snippet, .. } => {
                let line = &findings.snippet.lines[snippet];
                let says = line.text.contains(char::is_alphanumeric);
                chunk.pinned |= scopes.ties(snippet);
                chunk.pinned |= !chunk.pinned && says && scopes.has_once(findings, snippet, original);
                if !is_blank(findings.original.line(original)) {
                    chunk.anchors.push(original);
                }
                chunk.touch(snippet);
            }
            Step::Remove { cause, .. } => {
                chunk.changes = true;
                chunk.pinned |= cause == RemovalCause::Announced;
            }
            Step::New { snippet } => {
                chunk.changes |= snippet.iter().any(|line| findings.snippet.lines[line].kind == LineKind::Code);
                chunk.pinned |= snippet.iter().any(|line| scopes.ties(line));
                snippet.iter().for_each(|line| chunk.touch(line));
            }
            _ => {}
        }
    }
    reasons.extend(chunk.doubt(findings, &code, &mut searches));
}

/// Gives the original's rows that aren't blank.
fn code_rows(findings: &Findings<'_>) -> Vec<usize> {
    (0..findings.original.n_lines()).filter(|&row| findings.index.original[row] != Class::BLANK).collect()
}

/// Which tied declaration each snippet line lies in.
struct Scopes {
    /// Lines that tie a declaration: its name, its closer, or all of it where all is shown.
    ties: Vec<bool>,
    /// For each line the smallest tied declaration around it, as a position among the pairs.
    innermost: Vec<Option<usize>>,
    /// Whether a text stands once in a declaration.
    once: HashMap<(usize, Class), bool>,
}

impl Scopes {
    fn new(findings: &Findings<'_>) -> Self {
        let n = findings.snippet.lines.len();
        let mut scopes = Self { ties: vec![false; n], innermost: vec![None; n], once: HashMap::new() };
        // Outer pairs come before inner ones.
        for (at, pair) in findings.plan.pairs.iter().enumerate() {
            let lines = pair.snippet.start.min(n)..pair.snippet.end.min(n);
            scopes.innermost[lines.clone()].fill(Some(at));
            if pair.in_full {
                scopes.ties[lines].fill(true);
            }
            let closer = pair.snippet.end.checked_sub(1).filter(|_| pair.end_tied && pair.is_closed);
            for line in [Some(pair.name_line), closer].into_iter().flatten().filter(|&line| line < n) {
                scopes.ties[line] = true;
            }
        }
        scopes
    }

    fn ties(&self, line: usize) -> bool {
        self.ties[line]
    }

    /// Says whether the text of a tied line stands only once in the original, or in the declaration around it.
    fn has_once(&mut self, findings: &Findings<'_>, line: usize, row: usize) -> bool {
        let class = findings.snippet.lines[line].class;
        if findings.index.only(class) == Some(row) {
            return true;
        }
        let Some(at) = self.innermost[line].filter(|&at| findings.plan.pairs[at].end_tied) else { return false };
        let rows = findings.plan.pairs[at].original;
        let count = || rows.iter().filter(|&row| findings.index.original[row] == class).nth(1).is_none();
        *self.once.entry((at, class)).or_insert_with(count)
    }
}

/// Says whether a run of at least two original rows, one of which says something, stands only once among the rows that
/// aren't blank.
fn stands_once(findings: &Findings<'_>, code: &[usize], run: &[usize]) -> bool {
    let wanted = run.iter().map(|&row| findings.index.original[row]);
    let says = run.iter().any(|&row| findings.original.line(row).contains(char::is_alphanumeric));
    let is_here = |place: &&[usize]| place.iter().map(|&row| findings.index.original[row]).eq(wanted.clone());
    run.len() > 1 && says && code.windows(run.len()).filter(is_here).nth(1).is_none()
}

/// How many chunks are searched for a run of lines that stands once; each search passes over the original. What is left
/// out counts as a doubt.
const MOST_RUN_SEARCHES: usize = 32;

/// What is known of a chunk of shown lines.
#[derive(Default)]
struct Chunk {
    lines: Option<LineRange>,
    /// Original rows of the tied lines that aren't blank, rising.
    anchors: Vec<usize>,
    changes: bool,
    pinned: bool,
}

impl Chunk {
    /// Says whether tied lines that follow each other in the original do so only there, blank lines apart.
    fn has_only_run(&self, findings: &Findings<'_>, code: &[usize]) -> bool {
        let at = |row: &usize| code.binary_search(row).unwrap_or(0);
        self.anchors.chunk_by(|a, b| at(a) + 1 == at(b)).any(|run| stands_once(findings, code, run))
    }

    fn touch(&mut self, line: usize) {
        let start = self.lines.map_or(line, |lines| lines.start);
        self.lines = Some(LineRange::new(start, line + 1));
    }

    fn doubt(self, findings: &Findings<'_>, code: &[usize], searches: &mut usize) -> Option<NeedsVerifyReason> {
        let lines = self.lines.filter(|_| self.changes && !self.pinned && !self.anchors.is_empty())?;
        if *searches > 0 {
            *searches -= 1;
            if self.has_only_run(findings, code) {
                return None;
            }
        }
        let message = "every line shown here stands several times in the original";
        Some(NeedsVerifyReason::new(ReasonKind::AmbiguousLocation, message).at_snippet(lines))
    }
}

/// A line that is taken for the new version of a similar one must be tied on both sides; beside a reference it may
/// as well be new, and the similar one meant to stay.
fn nothing_similar_is_lost(findings: &Findings<'_>, reasons: &mut Vec<NeedsVerifyReason>) {
    for row in findings.alignment.similar_beside_reference(|line| findings.snippet.lines[line].kind == LineKind::Blank)
    {
        let Some(line) = findings.alignment.superseding(row) else { continue };
        let (old, new) = (findings.original.line(row), &*findings.snippet.lines[line].text);
        let is_tied = findings
            .plan
            .pairs
            .iter()
            .any(|pair| pair.name_row == row || (pair.in_full && pair.end_tied && pair.original.contains(row)));
        if is_tied || findings.description.covers(row) || sets_same_key(old, new) || extends(&tokens(old), &tokens(new))
        {
            continue;
        }
        reasons.push(
            NeedsVerifyReason::new(
                ReasonKind::CodeRemoved,
                "this line is taken for the old version of a similar new one, but a reference beside it may cover it",
            )
            .at_original(LineRange::new(row, row + 1)),
        );
    }
}

/// Says whether both lines set the same key and no other line of the original does.
fn keeps_only_key(original: &Source<'_>, old: &str, new: &str) -> bool {
    sets_same_key(old, new) && original.lines().filter(|line| key(line) == key(old)).nth(1).is_none()
}

/// Says whether both lines set the same key, such as `height: 480` and `height: 400`.
fn sets_same_key(old: &str, new: &str) -> bool {
    key(old).is_some() && key(old) == key(new)
}

/// A declaration that is shown from its name on without a reference, but breaks off at the snippet's end in the middle
/// of the original's: the rest may be meant to stay or to go.
fn no_end_is_guessed(findings: &Findings<'_>, reasons: &mut Vec<NeedsVerifyReason>) {
    for pair in findings.plan.pairs.iter().filter(|pair| pair.in_full && !pair.end_tied && !pair.is_closed) {
        let is_rest = |step: &Step| match *step {
            Step::Keep { original, rule: KeepRule::ImpliedEdge } => {
                pair.original.start < original.start && original.start < pair.original.end
            }
            _ => false,
        };
        if pair.snippet.len() > 1 && findings.ledger.steps().iter().any(is_rest) {
            reasons.push(
                NeedsVerifyReason::new(
                    ReasonKind::AmbiguousLocation,
                    "the snippet ends in the middle of this declaration, whose rest may be meant to stay or to go",
                )
                .at_snippet(pair.snippet)
                .at_original(pair.original),
            );
        }
    }
}

/// A declaration of several lines whose name is gone, although no declaration of the snippet is its new version and
/// the name isn't written anew. It may be renamed; where its neighbours look alike it is as often lost.
fn no_declaration_is_lost(findings: &Findings<'_>, reasons: &mut Vec<NeedsVerifyReason>) {
    let steps = findings.ledger.steps();
    for hunk in hunks(steps, |_| false) {
        let steps = &steps[hunk.steps];
        for step in steps {
            let Step::Remove { original: lines, cause: RemovalCause::Rewritten | RemovalCause::ShownInFull } = *step
            else {
                continue;
            };
            for item in findings.original_outline.named_in(lines) {
                let is_tied = findings.plan.pairs.iter().any(|pair| pair.name_row == item.name_row);
                let body = LineRange::new(item.header.start, item.rows.end);
                if item.kind == ItemKind::Section || is_tied || body.len() == 1 {
                    continue;
                }
                let word = item.name.rsplit(['.', ':', ' ']).next().unwrap_or(&item.name);
                let is_written = steps.iter().any(|step| match step {
                    Step::New { snippet } => {
                        snippet.iter().any(|line| findings.snippet.lines[line].text.contains(word))
                    }
                    _ => false,
                });
                let n_old = findings.original_outline.count_named(&item.name);
                let n_new = (0..findings.snippet.lines.len())
                    .filter(|&line| findings.plan.names(line) && findings.snippet.lines[line].text.contains(word))
                    .count();
                if is_written && (n_old == 1 || n_new > 1) {
                    continue;
                }
                reasons.push(
                    NeedsVerifyReason::new(
                        ReasonKind::CodeRemoved,
                        format!("`{}` is lost, and nothing in the snippet is its new version by name", item.name),
                    )
                    .at_original(LineRange::new(item.name_row, item.name_row + 1)),
                );
            }
        }
    }
}

/// Most lines that an edge of the file may have for it to be doubtful whether they were left out on purpose.
const FEW_AT_EDGE: usize = 5;

/// A few lines at the edge of the file that stay since a reference is implied there, right beside a change: the
/// snippet may as well have begun, or ended, with the file.
fn no_edge_is_guessed(findings: &Findings<'_>, reasons: &mut Vec<NeedsVerifyReason>) {
    let steps = findings.ledger.steps();
    let is_change = |step: Option<&Step>| {
        matches!(step, Some(Step::New { .. } | Step::Remove { cause: RemovalCause::Rewritten, .. }))
    };
    for (at, step) in steps.iter().enumerate() {
        let Step::Keep { original, rule: KeepRule::ImpliedEdge } = *step else { continue };
        let n_code = original.iter().filter(|&line| !is_blank(findings.original.line(line))).count();
        let before = at.checked_sub(1).and_then(|at| steps.get(at));
        let beside = is_change(before) || is_change(steps.get(at + 1));
        let only_inserts = findings.description.only_inserts();
        if beside && !only_inserts && (1..=FEW_AT_EDGE).contains(&n_code) {
            let reason = NeedsVerifyReason::new(
                ReasonKind::AmbiguousLocation,
                "these lines at the edge of the file stay although the snippet begins, or ends, right beside them with new text",
            );
            reasons.push(reason.at_original(original));
        }
    }
}

fn minus_lines_are_found(findings: &Findings<'_>, reasons: &mut Vec<NeedsVerifyReason>) {
    let steps = findings.ledger.steps();
    for (at, step) in steps.iter().enumerate() {
        let Step::Drop { snippet: lines } = *step else { continue };
        let found = match at.checked_sub(1).map(|at| steps[at]) {
            Some(Step::Remove { original, cause: RemovalCause::MinusLine }) => original.len(),
            _ => 0,
        };
        let n_gone = lines.iter().filter(|&line| findings.snippet.lines[line].force == Force::Gone).count();
        if n_gone > found {
            let reason = NeedsVerifyReason::new(
                ReasonKind::AmbiguousLocation,
                "a `-` line is not in the original where the lines around it are",
            );
            reasons.push(reason.at_snippet(lines));
        }
    }
}

/// Where most known lines of a chunk differ in indentation, the snippet as a whole may be moved rather than the code.
fn white_space_is_kept(findings: &Findings<'_>, reasons: &mut Vec<NeedsVerifyReason>) {
    let mut chunk: Vec<(usize, bool)> = Vec::new();
    let mut close = |chunk: &mut Vec<(usize, bool)>| {
        let n_loose = chunk.iter().filter(|(_, loose)| *loose).count();
        if n_loose * 2 > chunk.len() {
            let lines = LineRange::new(chunk[0].0, chunk[chunk.len() - 1].0 + 1);
            reasons.push(
                NeedsVerifyReason::new(
                    ReasonKind::WhitespaceConverted,
                    "most lines here are those of the original but for their indentation, which is changed",
                )
                .at_snippet(lines),
            );
        }
        chunk.clear();
    };
    for tie in &findings.alignment.ties {
        match *tie {
            Tie::Match { line, equality, .. } if findings.snippet.lines[line].kind == LineKind::Code => {
                chunk.push((line, equality > Equality::TrailingBlanks));
            }
            Tie::Reference { .. } => close(&mut chunk),
            _ => {}
        }
    }
    close(&mut chunk);
}

fn candidate(original: &Source<'_>, row: usize) -> Candidate {
    let preview = if row < original.n_lines() {
        original.line(row).trim().chars().take(PREVIEW).collect()
    } else {
        String::new()
    };
    Candidate { original_line: row, preview }
}

fn references_have_a_source(findings: &Findings<'_>, reasons: &mut Vec<NeedsVerifyReason>) {
    for orphan in &findings.plan.orphans {
        let message = format!("the reference stands for a part of `{}`, which is not in the original", orphan.name);
        reasons.push(
            NeedsVerifyReason::new(ReasonKind::ReferenceWithoutSource, message)
                .at_snippet(LineRange::new(orphan.reference, orphan.reference + 1)),
        );
    }
}

fn order_is_kept(findings: &Findings<'_>, reasons: &mut Vec<NeedsVerifyReason>) {
    if findings.snippet.reordered {
        reasons.push(NeedsVerifyReason::new(
            ReasonKind::OrderChanged,
            "the snippet shows declarations in another order than the original; they were put where they are",
        ));
    }
    for &lines in &findings.plan.crossed {
        reasons.push(
            NeedsVerifyReason::new(
                ReasonKind::OrderChanged,
                "the snippet shows this part in another order than the original",
            )
            .at_snippet(lines),
        );
    }
}

fn ranges_are_applied(findings: &Findings<'_>, reasons: &mut Vec<NeedsVerifyReason>) {
    if findings.snippet.shape == Shape::WholeFile {
        return;
    }
    for &range in &findings.description.ranges {
        let touched = findings.ledger.removals().any(|(lines, _)| lines.overlaps(range));
        if !touched && range.iter().any(|line| !is_blank(findings.original.line(line))) {
            reasons.push(
                NeedsVerifyReason::new(
                    ReasonKind::RangeNotApplied,
                    "the description announces a change of these lines, but they stay as they are",
                )
                .at_original(range),
            );
        }
    }
}

fn no_marker_is_left(findings: &Findings<'_>, reasons: &mut Vec<NeedsVerifyReason>) {
    for step in findings.ledger.steps() {
        let Step::New { snippet: lines } = *step else { continue };
        for line in lines {
            let at = &findings.snippet.lines[line];
            if at.kind == LineKind::Code && reads_like_marker(&at.text) {
                reasons.push(
                    NeedsVerifyReason::new(
                        ReasonKind::ReferenceLeft,
                        "this line reads like a placeholder but would be written to the file",
                    )
                    .at_snippet(LineRange::new(line, line + 1)),
                );
            }
        }
    }
}

fn nothing_is_doubled(findings: &Findings<'_>, reasons: &mut Vec<NeedsVerifyReason>) {
    reasons.extend(duplicate::duplicates(findings));
}

fn nothing_was_cut_short(findings: &Findings<'_>, reasons: &mut Vec<NeedsVerifyReason>) {
    if findings.outlines_cut_short {
        reasons.push(NeedsVerifyReason::new(
            ReasonKind::CutShort,
            "the file could not be parsed in time, so its declarations are known by indentation alone",
        ));
    }
    if findings.validation.status == SyntaxStatus::TimedOut {
        reasons.push(NeedsVerifyReason::new(
            ReasonKind::CutShort,
            "the syntax of the result could not be checked in time",
        ));
    }
    if let Some(lines) = findings.alignment.cut_short {
        reasons.push(
            NeedsVerifyReason::new(
                ReasonKind::CutShort,
                "too many lines are alike here to compare all ways to place the snippet",
            )
            .at_original(lines),
        );
    }
}

fn syntax_is_valid(findings: &Findings<'_>, reasons: &mut Vec<NeedsVerifyReason>) {
    for error in &findings.validation.new_errors {
        let (first, last) = error.lines.one_based();
        let place = if first >= last { format!("line {first}") } else { format!("lines {first}-{last}") };
        reasons.push(NeedsVerifyReason::new(
            ReasonKind::SyntaxError,
            format!("the result has a new syntax error in its {place}: {}", error.message),
        ));
    }
}
