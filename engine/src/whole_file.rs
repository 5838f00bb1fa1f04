//! The ledger of a snippet that is the whole new file: a line diff.
//!
//! What such a snippet doesn't show is gone on purpose, or forgotten. An announced overwrite is believed. Without
//! one, old lines that new ones take the place of are rewritten; old lines that vanish without anything in their
//! place stay unexplained, because a file must not shrink silently.
//!
//! # Cost
//!
//! A histogram diff of both texts.

use imara_diff::{Algorithm, Diff, InternedInput};

use crate::account;
use crate::anchor::{Alignment, dice, tokens};
use crate::classify::{Force, Line, Snippet};
use crate::ledger::{Equality, Ledger, RemovalCause, Step};
use crate::merge::Merged;
use crate::range::LineRange;
use crate::source::{Source, is_blank};
use crate::stitch;

/// How many lines may vanish for each that takes their place, beyond which the loss isn't a rewriting.
const REWRITTEN_RATIO: usize = 3;

/// Merges a whole new file, which is said to be one or only looks like one. The alignment stays empty: nothing is in doubt but losses.
pub(crate) fn merge(original: &Source<'_>, snippet: &Snippet<'_>, is_announced: bool) -> Merged {
    let mut input: InternedInput<&str> = InternedInput::default();
    input.update_before(original.lines().map(str::trim_end));
    // What is around the text is at its ends.
    let is_text = |line: &Line<'_>| line.force != Force::Drop;
    let first = snippet.lines.iter().position(is_text).unwrap_or(snippet.lines.len());
    let end = snippet.lines.iter().rposition(is_text).map_or(first, |last| last + 1);
    input.update_after(snippet.lines[first..end].iter().map(|line| line.text.trim_end()));
    let mut diff = Diff::compute(Algorithm::Histogram, &input);
    diff.postprocess_lines(&input);
    let mut steps = Vec::new();
    let drop = |steps: &mut Vec<Step>, lines: LineRange| {
        if !lines.is_empty() {
            steps.push(Step::Drop { snippet: lines });
        }
    };
    drop(&mut steps, LineRange::new(0, first));
    let (mut row, mut line) = (0, first);
    let anchors = |steps: &mut Vec<Step>, row: &mut usize, line: &mut usize, until: usize| {
        while *row < until {
            let exact = original.line(*row) == snippet.lines[*line].text;
            let equality = if exact { Equality::Exact } else { Equality::TrailingBlanks };
            steps.push(Step::Anchor { original: *row, snippet: *line, equality });
            *row += 1;
            *line += 1;
        }
    };
    for hunk in diff.hunks() {
        let before = LineRange::new(hunk.before.start as usize, hunk.before.end as usize);
        let after = LineRange::new(first + hunk.after.start as usize, first + hunk.after.end as usize);
        anchors(&mut steps, &mut row, &mut line, before.start);
        if !before.is_empty() {
            steps.push(Step::Remove { original: before, cause: cause(original, snippet, is_announced, before, after) });
        }
        // Lines that are no text of the file are in no file, so they are all here.
        let is_dropped = |line: usize| snippet.lines[line].force == Force::Drop;
        let mut start = after.start;
        while start < after.end {
            let dropped = is_dropped(start);
            let end = (start..after.end).find(|&line| is_dropped(line) != dropped).unwrap_or(after.end);
            let snippet = LineRange::new(start, end);
            steps.push(if dropped { Step::Drop { snippet } } else { Step::New { snippet } });
            start = end;
        }
        (row, line) = (before.end, after.end);
    }
    anchors(&mut steps, &mut row, &mut line, original.n_lines());
    drop(&mut steps, LineRange::new(end, snippet.lines.len()));
    let mut alignment = Alignment::default();
    let ledger = Ledger::new(steps, original.n_lines(), snippet.lines.len()).unwrap_or_else(|_| {
        alignment.cut_short = Some(LineRange::new(0, original.n_lines()));
        account::fallback(original.n_lines(), snippet.lines.len())
    });
    let segments = stitch::stitch(&ledger, original, snippet);
    Merged { alignment, ledger, segments, disputed: None, doubts: Vec::new() }
}

/// Says whether the file's last line has a new version among the lines that take its place: else the snippet may just
/// have stopped before it.
fn is_like_the_end(original: &Source<'_>, snippet: &Snippet<'_>, before: LineRange, after: LineRange) -> bool {
    let last = before.iter().rev().map(|row| original.line(row)).find(|line| !is_blank(line)).unwrap_or_default();
    let last = tokens(last);
    after.iter().any(|line| dice(&tokens(&snippet.lines[line].text), &last) >= LIKE)
}

/// Share of words that make a line the new version of another, in ten-thousandths.
const LIKE: u32 = 6_000;

fn cause(
    original: &Source<'_>,
    snippet: &Snippet<'_>,
    is_announced: bool,
    before: LineRange,
    after: LineRange,
) -> RemovalCause {
    let n_old = before.iter().filter(|&row| !is_blank(original.line(row))).count();
    let n_new = after.iter().filter(|&line| !is_blank(&snippet.lines[line].text)).count();
    if is_announced {
        RemovalCause::WholeFile
    } else if n_old == 0 {
        RemovalCause::BlankLine
    } else if before.end == original.n_lines() && !is_like_the_end(original, snippet, before, after) {
        RemovalCause::Unexplained
    } else if n_old <= n_new * REWRITTEN_RATIO {
        RemovalCause::Rewritten
    } else {
        RemovalCause::Unexplained
    }
}
