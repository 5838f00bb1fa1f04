//! Doubts about where something goes: each change needs a place that is the only one.

use super::hidden::Heads;
use super::losses::keeps_only_key;
use crate::anchor::{Alternative, Class, Pair, indent_width};
use crate::classify::{ChangeKind, LineKind};
use crate::ledger::{KeepRule, RemovalCause, Step, hunks};
use crate::merge::Disputed;
use crate::outcome::Shape;
use crate::range::{LineRange, covered};
use crate::source::{Source, is_blank};
use crate::validate::verdict::Findings;
use crate::verdict::{Candidate, NeedsVerifyReason, ReasonKind};

/// Longest preview of a candidate place, in characters.
const PREVIEW: usize = 80;

/// Lines that are rewritten in a chunk beside a reference must be held by a line of their own block that stands only
/// once in the original, or by its header: where the block's lines are like another's, they may be a new block.
pub(in crate::validate) fn rewritten_lines_are_held(findings: &Findings<'_>, reasons: &mut Vec<NeedsVerifyReason>) {
    let steps = findings.ledger.steps();
    let shown_in_full =
        findings.plan.pairs.iter().filter(|pair| pair.in_full && pair.end_tied && pair.snippet.len() > 1);
    let in_full = covered(shown_in_full.map(|pair| pair.snippet), findings.snippet.lines.len());
    let is_border = |step: &Step| matches!(step, Step::Fill { .. } | Step::Keep { .. });
    if !steps.iter().any(is_border) {
        return;
    }
    let mut steps_left = MOST_RUN_STEPS;
    let scopes = Scopes::new(findings);
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
        let named = |line: usize| scopes.names[line];
        let n_old: usize = changed.iter().filter_map(Step::original).map(LineRange::len).sum();
        let keeps_key = || {
            let mut rows = changed.iter().filter_map(Step::original).flat_map(LineRange::iter);
            n_old == 1
                && rows.any(|row| {
                    keeps_only_key(findings.original, findings.original.line(row), &findings.snippet.lines[line].text)
                })
        };
        if in_full[line] || named(line) || keeps_key() {
            continue;
        }
        let indent = indent_width(&findings.snippet.lines[line].text);
        let holds = |step: &Step| match *step {
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
        let side = |steps: &mut dyn Iterator<Item = &Step>| {
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
        let mut is_run = |rows: &[usize]| stands_once(findings, rows, &mut steps_left);
        if !above && !below && !is_run(&rows_above) && !is_run(&rows_below) {
            let reason = NeedsVerifyReason::new(
                ReasonKind::AmbiguousLocation,
                "these lines replace similar ones, but nothing shown says that they aren't meant beside them",
            );
            reasons.push(reason.at_snippet(LineRange::new(line, line + 1)));
        }
    }
}

pub(in crate::validate) fn places_are_clear(findings: &Findings<'_>, reasons: &mut Vec<NeedsVerifyReason>) {
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
pub(in crate::validate) fn chunks_are_pinned(findings: &Findings<'_>, reasons: &mut Vec<NeedsVerifyReason>) {
    if findings.snippet.shape == Shape::WholeFile {
        return;
    }
    let mut steps_left = MOST_RUN_STEPS;
    let scopes = Scopes::new(findings);
    let mut chunk = Chunk::default();
    let is_border = |step: &Step| matches!(step, Step::Fill { .. } | Step::Keep { .. });
    for step in findings.ledger.steps() {
        if is_border(step) {
            reasons.extend(std::mem::take(&mut chunk).doubt(findings, &mut steps_left));
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
            Step::Remove { original, cause } => {
                chunk.changes = true;
                chunk.pinned |= cause == RemovalCause::Announced;
                // A line that is said to go is shown as well.
                let is_only = |row: usize| findings.index.only(findings.index.class(row)) == Some(row);
                chunk.pinned |= cause == RemovalCause::MinusLine && original.iter().any(is_only);
            }
            Step::New { snippet } => {
                chunk.changes |= snippet.iter().any(|line| findings.snippet.lines[line].kind == LineKind::Code);
                chunk.pinned |= snippet.iter().any(|line| scopes.ties(line));
                snippet.iter().for_each(|line| chunk.touch(line));
            }
            _ => {}
        }
    }
    reasons.extend(chunk.doubt(findings, &mut steps_left));
}

/// An entry of a list, beside a reference, that is tied by what all entries begin with and has a name that none has: it may
/// be a new version of the one it is tied to, or one more.
pub(in crate::validate) fn entries_are_known(findings: &Findings<'_>, reasons: &mut Vec<NeedsVerifyReason>) {
    if findings.plan.unknown_entries.is_empty() {
        return;
    }
    let lines = &findings.snippet.lines;
    let says = |line: &usize| lines[*line].kind != LineKind::Blank;
    let is_reference = |line: Option<usize>| line.is_none_or(|line| lines[line].kind == LineKind::Reference);
    let steps = || findings.ledger.steps().iter();
    let new = steps().filter_map(|step| if let Step::New { snippet } = *step { Some(snippet) } else { None });
    let is_new = covered(new, lines.len());
    let tied = steps().filter_map(|step| if let Step::Anchor { snippet, .. } = *step { Some(snippet) } else { None });
    let is_tied = covered(tied.map(|line| LineRange::new(line, line + 1)), lines.len());
    for &rows in &findings.plan.unknown_entries {
        let is_beside_reference =
            is_reference((0..rows.start).rfind(says)) || is_reference((rows.end..lines.len()).find(says));
        let rewrites = rows.iter().any(|line| is_new.get(line) == Some(&true));
        if is_beside_reference && is_tied.get(rows.start) == Some(&true) && rewrites {
            let message = "no entry has this name: the one that is changed here may be meant to stay";
            reasons.push(NeedsVerifyReason::new(ReasonKind::AmbiguousLocation, message).at_snippet(rows));
        }
    }
}

/// Lines that bear the numbers of a view: where one chunk stands where its numbers say, no other may stand elsewhere, but
/// for what is added and removed above it.
pub(in crate::validate) fn numbers_agree(findings: &Findings<'_>, reasons: &mut Vec<NeedsVerifyReason>) {
    let snippet = findings.snippet;
    if snippet.numbers.is_empty() {
        return;
    }
    // Of each chunk the first tied line, by how much it is off, and by how much the result is longer up to there.
    let mut off: Vec<(usize, isize, isize)> = Vec::new();
    let (mut is_open, mut grown) = (true, 0);
    for step in findings.ledger.steps() {
        match *step {
            Step::Anchor { original, snippet: line, .. } if is_open => {
                if let Some(&Some(number)) = snippet.numbers.get(snippet.lines[line].number) {
                    off.push((line, number.cast_signed() - (original + 1).cast_signed(), grown));
                    is_open = false;
                }
            }
            Step::Fill { .. } | Step::Keep { .. } => is_open = true,
            Step::Remove { original, .. } => grown -= original.len().cast_signed(),
            Step::New { snippet } => grown += snippet.len().cast_signed(),
            _ => {}
        }
    }
    if !off.iter().any(|&(_, off, _)| off == 0) {
        return;
    }
    for (line, off, grown) in off {
        if off != 0 && off != grown {
            let message = "the line number shown here is another than that of the line it is taken for";
            let reason = NeedsVerifyReason::new(ReasonKind::AmbiguousLocation, message);
            reasons.push(reason.at_snippet(LineRange::new(line, line + 1)));
        }
    }
}

/// Which tied declaration each snippet line lies in.
struct Scopes {
    /// Lines that tie a declaration: its name, its closer, or all of it where all is shown.
    ties: Vec<bool>,
    /// For each line the smallest tied declaration around it, as a position among the pairs.
    innermost: Vec<Option<usize>>,
    /// Lines that name a tied declaration.
    names: Vec<bool>,
}

impl Scopes {
    fn new(findings: &Findings<'_>) -> Self {
        let n = findings.snippet.lines.len();
        let mut scopes = Self { ties: vec![false; n], innermost: vec![None; n], names: vec![false; n] };
        // A syntax error may hide a twin of a declaration: then its head stands once more in what is around it.
        let may_hide = findings.chart.named().has_errors;
        let heads = may_hide.then(|| Heads::of(&findings.plan.pairs, findings.original));
        let all = LineRange::new(0, findings.original.n_lines());
        // Outer pairs come before inner ones.
        for (at, pair) in findings.plan.pairs.iter().enumerate() {
            let lines = pair.snippet.start.min(n)..pair.snippet.end.min(n);
            if let Some(heads) = &heads {
                let outer = scopes.innermost.get(pair.name_line).copied().flatten();
                let around = outer.map_or(all, |outer| findings.plan.pairs[outer].original);
                if heads.has_twin(at, around) {
                    continue;
                }
            }
            scopes.innermost[lines.clone()].fill(Some(at));
            if pair.in_full {
                scopes.ties[lines].fill(true);
            }
            if let Some(names) = scopes.names.get_mut(pair.name_line) {
                *names = true;
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
    fn has_once(&self, findings: &Findings<'_>, line: usize, row: usize) -> bool {
        let class = findings.snippet.lines[line].class;
        if findings.index.only(class) == Some(row) {
            return true;
        }
        let Some(at) = self.innermost[line].filter(|&at| findings.plan.pairs[at].end_tied) else { return false };
        let rows = findings.plan.pairs[at].original;
        findings.index.rows_in(class, rows).len() < 2
    }
}

/// Gives the original row after `row` that isn't blank.
fn next_code(findings: &Findings<'_>, row: usize) -> Option<usize> {
    findings.index.relief.first_code(LineRange::new(row + 1, findings.original.n_lines()))
}

/// Says whether a run of at least two original rows, one of which says something, stands only once among the rows that
/// aren't blank. Each row that is compared takes one of the steps left; without any the answer is no.
fn stands_once(findings: &Findings<'_>, run: &[usize], steps_left: &mut usize) -> bool {
    let says = || run.iter().any(|&row| findings.original.line(row).contains(char::is_alphanumeric));
    if run.len() < 2 || !says() {
        return false;
    }
    let wanted: Vec<Class> = run.iter().map(|&row| findings.index.class(row)).collect();
    let mut n_found = 0;
    for &start in findings.index.rows(wanted[0]) {
        let mut row = Some(start as usize);
        let is_here = wanted.iter().all(|&class| {
            *steps_left = steps_left.saturating_sub(1);
            let agrees = row.is_some_and(|row| findings.index.class(row) == class);
            row = row.and_then(|row| next_code(findings, row));
            agrees
        });
        n_found += usize::from(is_here);
        if *steps_left == 0 || n_found > 1 {
            return false;
        }
    }
    true
}

/// How many rows are compared in search of runs of lines that stand once. Larger: a hostile snippet takes longer (ten
/// nanoseconds a row); smaller: in a file of a few texts more chunks are in doubt.
const MOST_RUN_STEPS: usize = 4_000_000;

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
    fn has_only_run(&self, findings: &Findings<'_>, steps_left: &mut usize) -> bool {
        let runs = self.anchors.chunk_by(|&a, &b| next_code(findings, a) == Some(b));
        runs.into_iter().any(|run| stands_once(findings, run, steps_left))
    }

    fn touch(&mut self, line: usize) {
        let start = self.lines.map_or(line, |lines| lines.start);
        self.lines = Some(LineRange::new(start, line + 1));
    }

    fn doubt(self, findings: &Findings<'_>, steps_left: &mut usize) -> Option<NeedsVerifyReason> {
        let lines = self.lines.filter(|_| self.changes && !self.pinned && !self.anchors.is_empty())?;
        if self.has_only_run(findings, steps_left) {
            return None;
        }
        let message = "every line shown here stands several times in the original";
        Some(NeedsVerifyReason::new(ReasonKind::AmbiguousLocation, message).at_snippet(lines))
    }
}

/// New imports between references go behind the others, and may as well belong among them.
pub(in crate::validate) fn imports_have_a_place(findings: &Findings<'_>, reasons: &mut Vec<NeedsVerifyReason>) {
    reasons.extend(findings.plan.unplaced_imports.iter().map(|&rows| {
        let message = "nothing shown says where among the imports these belong; they were put behind them";
        NeedsVerifyReason::new(ReasonKind::AmbiguousLocation, message).at_snippet(rows)
    }));
}

/// New text that a snippet begins with, and a reference to all of the file behind it: that it belongs at the top, above
/// headers and imports, is not shown.
pub(in crate::validate) fn no_top_is_guessed(findings: &Findings<'_>, reasons: &mut Vec<NeedsVerifyReason>) {
    let steps = findings.ledger.steps().iter().filter(|step| !matches!(step, Step::Drop { .. }));
    let mut steps = steps
        .skip_while(|step| matches!(step, Step::Anchor { original, .. } if findings.index.relief.is_blank(*original)));
    let (Some(Step::New { snippet }), Some(Step::Fill { original, .. })) = (steps.next(), steps.next()) else { return };
    let writes = snippet.iter().any(|line| findings.snippet.lines[line].kind == LineKind::Code);
    let hides = findings.index.relief.first_code(*original).is_some();
    if writes && hides && !findings.description.announces(ChangeKind::Prepend) {
        let message = "nothing shown says that these lines belong at the top of the file";
        reasons.push(NeedsVerifyReason::new(ReasonKind::AmbiguousLocation, message).at_snippet(*snippet));
    }
}

/// New text above a reference that stands further left, as if the block ended in between: what the reference stands for
/// first must not lie deeper than itself, else the new text may be meant in its place.
pub(in crate::validate) fn no_block_goes_on_unseen(findings: &Findings<'_>, reasons: &mut Vec<NeedsVerifyReason>) {
    let lines = &findings.snippet.lines;
    let is_dropped = |step: &&Step| match step {
        Step::Drop { .. } => true,
        Step::Anchor { original, .. } => findings.index.relief.is_blank(*original),
        _ => false,
    };
    let steps: Vec<&Step> = findings.ledger.steps().iter().filter(|step| !is_dropped(step)).collect();
    for beside in steps.windows(2) {
        let (Step::New { snippet: new }, Step::Fill { original, snippet: reference }) = (beside[0], beside[1]) else {
            continue;
        };
        let indent = |line: usize| indent_width(&lines[line].text);
        let Some(last) = new.iter().rev().find(|&line| lines[line].kind == LineKind::Code) else { continue };
        let Some(row) = findings.index.relief.first_code(*original) else { continue };
        let goes_on = indent_width(findings.original.line(row)) > indent(*reference);
        if indent(last) > indent(*reference) && goes_on {
            let reason = NeedsVerifyReason::new(
                ReasonKind::AmbiguousLocation,
                "the reference stands further left than the old lines it stands for first, which the new lines above it may replace",
            );
            let reason = reason.at_snippet(LineRange::new(*reference, reference + 1));
            reasons.push(reason.at_original(LineRange::new(row, row + 1)));
        }
    }
}

/// A declaration that is shown from its name on without a reference, but breaks off in the middle of the original's: at
/// the snippet's end, or, where a syntax error hides the original's end, at a reference behind it. The rest may be meant
/// to stay or to go.
pub(in crate::validate) fn no_end_is_guessed(findings: &Findings<'_>, reasons: &mut Vec<NeedsVerifyReason>) {
    for pair in findings.plan.pairs.iter().filter(|pair| pair.in_full && !pair.end_tied) {
        let in_middle = |rows: LineRange| pair.original.start < rows.start && rows.start < pair.original.end;
        let has_code = |rows: LineRange| {
            (rows.start..rows.end.min(pair.original.end)).any(|row| !is_blank(findings.original.line(row)))
        };
        let is_rest = |step: &Step| match *step {
            Step::Keep { original, rule: KeepRule::ImpliedEdge } => !pair.is_closed && in_middle(original),
            Step::Fill { original, snippet } => {
                let hidden = || findings.chart.around(&[pair.original]).outline.has_errors;
                snippet >= pair.snippet.end && in_middle(original) && has_code(original) && hidden()
            }
            _ => false,
        };
        if pair.snippet.len() > 1 && findings.ledger.steps().iter().any(is_rest) {
            reasons.push(
                NeedsVerifyReason::new(
                    ReasonKind::AmbiguousLocation,
                    "what is shown ends in the middle of this declaration, whose rest may be meant to stay or to go",
                )
                .at_snippet(pair.snippet)
                .at_original(pair.original),
            );
        }
    }
}

/// Most lines that an edge of the file may have for it to be doubtful whether they were left out on purpose.
const FEW_AT_EDGE: usize = 5;

/// Lines at the edge of the file that stay since a reference is implied there, right beside a change: the snippet may as
/// well have begun with the file if they are few. Where it ends with new text, it ends in the middle of something.
pub(in crate::validate) fn no_edge_is_guessed(findings: &Findings<'_>, reasons: &mut Vec<NeedsVerifyReason>) {
    let steps = findings.ledger.steps();
    let is_change = |step: Option<&Step>| {
        matches!(step, Some(Step::New { .. } | Step::Remove { cause: RemovalCause::Rewritten, .. }))
    };
    // A snippet that is one tied declaration, or whose lines are announced, says for itself what it replaces.
    let code = || findings.snippet.lines.iter().enumerate().filter(|(_, line)| line.kind == LineKind::Code);
    let is_one = |pair: &Pair| pair.in_full && pair.end_tied && code().all(|(line, _)| pair.snippet.contains(line));
    if !findings.description.ranges.is_empty() || findings.plan.pairs.iter().any(is_one) {
        return;
    }
    let last = findings.snippet.lines.iter().rposition(|line| line.kind != LineKind::Blank);
    let ends_in_new =
        steps.iter().any(|step| matches!(step, Step::New { snippet } if last.is_some_and(|l| snippet.contains(l))));
    for (at, step) in steps.iter().enumerate() {
        let Step::Keep { original, rule: KeepRule::ImpliedEdge } = *step else { continue };
        let n_code = original.iter().filter(|&line| !is_blank(findings.original.line(line))).count();
        let before = at.checked_sub(1).and_then(|at| steps.get(at));
        let beside = is_change(before) || is_change(steps.get(at + 1));
        let few = beside && !findings.description.only_inserts() && n_code <= FEW_AT_EDGE;
        if n_code > 0 && (few || (ends_in_new && at + 1 == steps.len())) {
            let reason = NeedsVerifyReason::new(
                ReasonKind::AmbiguousLocation,
                "these lines at the edge of the file stay although the snippet begins, or ends, right beside them with new text",
            );
            reasons.push(reason.at_original(original));
        }
    }
}

fn candidate(original: &Source<'_>, row: usize) -> Candidate {
    let preview = if row < original.n_lines() {
        original.line(row).trim().chars().take(PREVIEW).collect()
    } else {
        String::new()
    };
    Candidate { original_line: row, preview }
}
