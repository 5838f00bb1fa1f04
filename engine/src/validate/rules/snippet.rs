//! Doubts about the snippet itself and about what is written of it.

use std::borrow::Cow;

use crate::anchor::Tie;
use crate::classify::{Force, Line, LineKind, holds_marker, is_loose, is_stray_dots, reads_like_marker, suspicion};
use crate::indent::foreign_indent;
use crate::ledger::{Equality, RemovalCause, Step};
use crate::outcome::Shape;
use crate::range::LineRange;
use crate::source::is_blank;
use crate::traits::{Trait, is_composed, is_mark};
use crate::validate::SyntaxStatus;
use crate::validate::verdict::Findings;
use crate::verdict::{NeedsVerifyReason, ReasonKind};

pub(in crate::validate) fn snippet_is_sound(findings: &Findings<'_>, reasons: &mut Vec<NeedsVerifyReason>) {
    if findings.description.overwrites() && findings.snippet.has_markers() {
        reasons.push(NeedsVerifyReason::new(
            ReasonKind::OverwriteWithReference,
            "the description says the snippet is the whole file, but it leaves parts out",
        ));
    }
    if let Some((lines, message)) = suspicion(findings.snippet, findings.index) {
        reasons.push(NeedsVerifyReason::new(ReasonKind::SnippetSuspicious, message).at_snippet(lines));
    }
    if let Some(line) = written(findings).find(|&line| findings.snippet.lines[line].text.contains('\r')) {
        reasons.push(
            NeedsVerifyReason::new(
                ReasonKind::SnippetSuspicious,
                "a new line holds a carriage return, which may have been meant to end it",
            )
            .at_snippet(LineRange::new(line, line + 1)),
        );
    }
    if let Some(line) = other_normal_form(findings) {
        reasons.push(
            NeedsVerifyReason::new(
                ReasonKind::SnippetSuspicious,
                "a new line writes accents in another Unicode form than the file, so that equal words look equal and aren't",
            )
            .at_snippet(LineRange::new(line, line + 1)),
        );
    }
}

/// Finds a written line with combining marks in a file whose accented letters are all composed, or the other way
/// round.
fn other_normal_form(findings: &Findings<'_>) -> Option<usize> {
    let lines = &findings.snippet.lines;
    let other = |line: &usize| {
        let text = &*lines[*line].text;
        let file = |wanted: Trait| wanted.holds(findings.original);
        !text.is_ascii()
            && (text.contains(is_mark) && !file(Trait::Marks) && file(Trait::Composed)
                || text.contains(is_composed) && !file(Trait::Composed) && file(Trait::Marks))
    };
    written(findings).find(other)
}

/// Gives the snippet lines that are written, in order.
fn written<'f>(findings: &Findings<'f>) -> impl Iterator<Item = usize> + use<'f> {
    let lines = findings.ledger.steps().iter().filter_map(|step| match step {
        Step::New { snippet } => Some(snippet.iter()),
        _ => None,
    });
    lines.flatten()
}

/// How many rows around a written line may say that it is indented as it should be.
const NEAR: usize = 3;

/// Indentation that was converted may have been what was to change, where the lines don't agree on it. A line that is
/// still indented with tabs in a file of blanks, or the other way round, looks right and isn't, unless the lines around it
/// or in its place are indented so as well.
pub(in crate::validate) fn indentation_is_the_files(findings: &Findings<'_>, reasons: &mut Vec<NeedsVerifyReason>) {
    let original = findings.original;
    let is_whole = findings.snippet.shape == Shape::WholeFile;
    if findings.conversion.is_some_and(|conversion| is_whole || !conversion.unanimous) {
        reasons.push(NeedsVerifyReason::new(
            ReasonKind::WhitespaceConverted,
            "the snippet's indentation was converted to the file's, which may have been meant to change",
        ));
    }
    if is_whole {
        return;
    }
    let Some(foreign) = foreign_indent(original) else { return };
    let steps = findings.ledger.steps();
    let is_foreign = |line: &usize| {
        let line = &findings.snippet.lines[*line];
        line.kind == LineKind::Code && line.text.starts_with(foreign)
    };
    let mut next = 0;
    for (at, step) in steps.iter().enumerate() {
        next = step.original().map_or(next, |rows| rows.end);
        let Step::New { snippet: lines } = *step else { continue };
        let Some(line) = lines.iter().find(is_foreign) else { continue };
        let gone = |at: Option<usize>| match at.and_then(|at| steps.get(at)) {
            Some(Step::Remove { original, .. }) => original.len(),
            _ => 0,
        };
        let first = next.saturating_sub(gone(at.checked_sub(1)) + NEAR);
        let last = (next + gone(Some(at + 1)) + NEAR).min(original.n_lines());
        if (first..last).any(|row| original.line(row).starts_with(foreign)) {
            continue;
        }
        let message = "a new line is indented with blanks or tabs of which the file has none here, and nothing says how to convert it";
        let reason = NeedsVerifyReason::new(ReasonKind::WhitespaceConverted, message);
        reasons.push(reason.at_original(LineRange::new(next, next)).at_snippet(LineRange::new(line, line + 1)));
        return;
    }
}

/// A snippet that ends in a new line that opens something, with no reference after it, was cut off.
pub(in crate::validate) fn snippet_is_whole(findings: &Findings<'_>, reasons: &mut Vec<NeedsVerifyReason>) {
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
pub(in crate::validate) fn brackets_balance(findings: &Findings<'_>, reasons: &mut Vec<NeedsVerifyReason>) {
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

pub(in crate::validate) fn minus_lines_are_found(findings: &Findings<'_>, reasons: &mut Vec<NeedsVerifyReason>) {
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

/// White space inside of a string that spans lines is its content. A snippet that shows no more of the string than a few
/// lines can't tell whether it moves them, and trailing blanks are never written where the text is known. A blank line beside
/// a marker says nothing of white space: it sets the marker off.
pub(in crate::validate) fn strings_keep_white_space(findings: &Findings<'_>, reasons: &mut Vec<NeedsVerifyReason>) {
    let steps = findings.ledger.steps();
    let changes = steps.iter().any(|step| matches!(step, Step::New { .. } | Step::Remove { .. }));
    let differs = steps.iter().filter_map(|step| match *step {
        Step::Anchor { original, snippet, equality } => {
            let is_moved = matches!(findings.snippet.lines[snippet].text, Cow::Owned(_));
            let is_padded = !changes && equality == Equality::TrailingBlanks;
            ((is_moved || is_padded) && !sets_marker_off(findings, snippet)).then_some((original, snippet))
        }
        _ => None,
    });
    let differs: Vec<(usize, usize)> = differs.collect();
    if differs.is_empty() {
        return;
    }
    let rows: Vec<LineRange> = differs.iter().map(|&(row, _)| LineRange::new(row, row + 1)).collect();
    let around = findings.chart.around(&rows);
    let literals = &around.outline.literals;
    let is_in_string = |row: usize| {
        let at = literals.partition_point(|literal| literal.end <= row);
        literals.get(at).is_some_and(|literal| literal.contains(row))
    };
    let doubt = differs.iter().find(|&&(row, _)| is_in_string(row)).map(|&(_, line)| line);
    reasons.extend(doubt.map(|line| {
        let message = "white space inside of a string differs here, and the file's was kept";
        let reason = NeedsVerifyReason::new(ReasonKind::WhitespaceConverted, message);
        reason.at_snippet(LineRange::new(line, line + 1))
    }));
}

/// Says whether a snippet line is blank, and nothing but blank lines is between it and a marker.
fn sets_marker_off(findings: &Findings<'_>, line: usize) -> bool {
    let (before, after) = findings.snippet.lines.split_at(line);
    let is_shown = |kind: &LineKind| *kind != LineKind::Blank;
    let above = before.iter().rev().map(|line| line.kind).find(is_shown);
    let below = after.iter().map(|line| line.kind).find(is_shown);
    after[0].kind == LineKind::Blank && [above, below].into_iter().flatten().any(LineKind::is_marker)
}

/// Where most known lines of a chunk differ in indentation, the snippet as a whole may be moved rather than the code.
pub(in crate::validate) fn white_space_is_kept(findings: &Findings<'_>, reasons: &mut Vec<NeedsVerifyReason>) {
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

pub(in crate::validate) fn references_have_a_source(findings: &Findings<'_>, reasons: &mut Vec<NeedsVerifyReason>) {
    for orphan in &findings.plan.orphans {
        let message = format!("the reference stands for a part of `{}`, which is not in the original", orphan.name);
        reasons.push(
            NeedsVerifyReason::new(ReasonKind::ReferenceWithoutSource, message)
                .at_snippet(LineRange::new(orphan.reference, orphan.reference + 1)),
        );
    }
}

pub(in crate::validate) fn order_is_kept(findings: &Findings<'_>, reasons: &mut Vec<NeedsVerifyReason>) {
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

pub(in crate::validate) fn no_marker_is_left(findings: &Findings<'_>, reasons: &mut Vec<NeedsVerifyReason>) {
    for step in findings.ledger.steps() {
        let Step::New { snippet: lines } = *step else { continue };
        for line in lines {
            let at = &findings.snippet.lines[line];
            let is_like_one = reads_like_marker(&at.text) || holds_marker(&at.text);
            let is_code = at.kind == LineKind::Code;
            // A declaration that is added as it is shown may hold one that was read.
            if at.kind.is_marker() || is_code && (is_like_one || is_stray_dots(&findings.snippet.lines, line)) {
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

/// A line that begins as one of a diff and would be written with its sign, where no line of the file begins so. A list,
/// a rule of dashes and `--i` begin otherwise. And the edge of a block that could not be read.
pub(in crate::validate) fn no_sign_is_left(findings: &Findings<'_>, reasons: &mut Vec<NeedsVerifyReason>) {
    let lines = &findings.snippet.lines;
    let looks_marked = |line: &usize| {
        let text = &*lines[*line].text;
        let is_code = lines[*line].kind == LineKind::Code && lines[*line].force == Force::Free;
        let begins_so = match text.as_bytes() {
            [b'+', rest @ ..] if rest.trim_ascii().is_empty() => true,
            [b'+' | b'-', b' ', rest @ ..] => rest.starts_with(b" "),
            [b'+' | b'-', b'\t', ..] => true,
            [sign @ (b'+' | b'-'), next, ..] => next != sign && !next.is_ascii_digit(),
            _ => false,
        };
        is_code && begins_so
    };
    let is_edge = |line: &Line<'_>| ["<<<<<<<", ">>>>>>>"].iter().any(|sign| line.text.starts_with(sign));
    let begins_so = lines.iter().find(|line| line.kind == LineKind::Code).is_some_and(is_edge);
    if let Some(line) = written(findings).find(|&line| begins_so && is_edge(&lines[line])) {
        let message = "the snippet begins as a search/replace block, whose edge would be written to the file";
        let reason = NeedsVerifyReason::new(ReasonKind::SnippetSuspicious, message);
        reasons.push(reason.at_snippet(LineRange::new(line, line + 1)));
    }
    let Some(line) = written(findings).find(looks_marked) else { return };
    let sign = &lines[line].text[..1];
    if !findings.original.lines().any(|line| line.starts_with(sign)) {
        let message = format!("this line begins with `{sign}` as in a diff, but would be written with it");
        let reason = NeedsVerifyReason::new(ReasonKind::SnippetSuspicious, message);
        reasons.push(reason.at_snippet(LineRange::new(line, line + 1)));
    }
}

/// A comment such as `// existing methods` is a reference only if it stands for something; else it may be meant as it is.
pub(in crate::validate) fn loose_references_stand(findings: &Findings<'_>, reasons: &mut Vec<NeedsVerifyReason>) {
    for step in findings.ledger.steps() {
        let Step::Fill { original, snippet } = *step else { continue };
        let is_empty = original.iter().all(|row| is_blank(findings.original.line(row)));
        if is_empty && is_loose(&findings.snippet.lines[snippet].text) {
            let message = "this comment is taken for a reference, but it stands for nothing and may be meant as it is";
            let reason = NeedsVerifyReason::new(ReasonKind::ReferenceLeft, message);
            reasons.push(reason.at_snippet(LineRange::new(snippet, snippet + 1)));
        }
    }
}

pub(in crate::validate) fn nothing_was_cut_short(findings: &Findings<'_>, reasons: &mut Vec<NeedsVerifyReason>) {
    for (what, cut_by) in [("file", findings.chart.cut_by()), ("snippet", findings.snippet_cut_by)] {
        if let Some(limit) = cut_by {
            let how = limit.said();
            reasons.push(NeedsVerifyReason::new(
                ReasonKind::CutShort,
                format!("the {what} could not be parsed {how}, so its declarations are known by indentation alone"),
            ));
        }
    }
    if let Some(limit) = findings.validation.cut_by {
        let message = format!("the syntax of the result could not be checked {}", limit.said());
        reasons.push(NeedsVerifyReason::new(ReasonKind::CutShort, message));
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

pub(in crate::validate) fn syntax_is_valid(findings: &Findings<'_>, reasons: &mut Vec<NeedsVerifyReason>) {
    for error in &findings.validation.new_errors {
        let (first, last) = error.lines.one_based();
        let place = if first >= last { format!("line {first}") } else { format!("lines {first}-{last}") };
        reasons.push(NeedsVerifyReason::new(
            ReasonKind::SyntaxError,
            format!("the result has a new syntax error in its {place}: {}", error.message),
        ));
    }
}
