//! The ledger of an edit made of hunks: what isn't in a hunk stays.
//!
//! Hunks are put in the file's order, whatever order they are shown in. Two hunks may show the same line as long as
//! only one of them changes it.
//!
//! # Cost
//!
//! O(original + snippet), after the places are found.

use std::borrow::Cow;

use super::find::{Finder, Place};
use super::place::{Fate, Placed, doubt, place};
use super::{Hunk, Op};
use crate::account;
use crate::anchor::{Alignment, Index, equality};
use crate::classify::{LineKind, Snippet};
use crate::ledger::{Equality, KeepRule, Ledger, RemovalCause, Step};
use crate::merge::Merged;
use crate::outcome::Shape;
use crate::range::LineRange;
use crate::source::{Source, indent_of, is_blank};
use crate::stitch;
use crate::verdict::ReasonKind;

/// Merges a snippet's hunks; gives it with its hunks in the original's order, as the ledger counts it.
pub(crate) fn merge<'a>(original: &Source<'_>, mut snippet: Snippet<'a>, index: &Index) -> (Merged, Snippet<'a>) {
    let Placed { mut fates, mut doubts } = place(&mut Finder::new(original, &snippet, index));
    let mut order: Vec<usize> = (0..fates.len()).collect();
    order.sort_by_key(|&at| match &fates[at] {
        Fate::At(place) => (0, place.span().start, place.span().end),
        Fate::Applied(row) => (0, *row, *row),
        Fate::Nowhere => (1, 0, 0),
    });
    for at in disagreeing(&snippet, &fates, &order) {
        let message = "this part changes lines that another part of the edit changes as well";
        doubts.push(doubt(ReasonKind::AmbiguousLocation, message, &snippet.hunks[at]));
        fates[at] = Fate::Nowhere;
    }
    for doubt in &mut doubts {
        doubt.snippet_lines = doubt.snippet_lines.map(|lines| snippet.handed_in(lines));
        if snippet.shape == Shape::Pairs {
            doubt.snippet_lines = None;
        }
    }
    for (hunk, fate) in snippet.hunks.clone().iter().zip(&fates) {
        if let Fate::At(place) = fate {
            indent_like_place(&mut snippet, original, hunk, place);
        }
    }

    let mut lines = Vec::with_capacity(snippet.lines.len());
    let mut writer = Writer { original, snippet: &snippet, steps: Vec::new(), row: 0, line: 0, shift: 0, gone: false };
    for &at in &order {
        let hunk = &snippet.hunks[at];
        writer.shift = lines.len().cast_signed() - hunk.lines.start.cast_signed();
        lines.extend_from_slice(&snippet.lines[hunk.lines.iter()]);
        match &fates[at] {
            Fate::At(place) => writer.write(hunk, place),
            Fate::Applied(row) => writer.tie(hunk, *row),
            Fate::Nowhere => {}
        }
        writer.drop_until(lines.len());
    }
    if snippet.hunks.is_empty() {
        lines.clone_from(&snippet.lines);
        writer.drop_until(lines.len());
    }
    writer.keep_until(original.n_lines());
    let mut alignment = Alignment::default();
    let ledger = Ledger::new(writer.steps, original.n_lines(), lines.len()).unwrap_or_else(|_| {
        alignment.cut_short = Some(LineRange::new(0, original.n_lines()));
        account::fallback(original.n_lines(), lines.len())
    });
    snippet.lines = lines;
    let segments = stitch::stitch(&ledger, original, &snippet);
    (Merged { alignment, ledger, segments, disputed: None, doubts }, snippet)
}

/// Finds hunks that change what one before them changes, shows otherwise, or has changed before.
fn disagreeing(snippet: &Snippet<'_>, fates: &[Fate], order: &[usize]) -> Vec<usize> {
    let mut found = Vec::new();
    // All rows below are taken; those of `gone` don't stay.
    let mut taken = 0;
    let mut gone: Vec<usize> = Vec::new();
    for &at in order {
        let place = match &fates[at] {
            Fate::At(place) => place,
            Fate::Applied(row) => {
                taken = taken.max(row + snippet.hunks[at].new_lines().count());
                continue;
            }
            Fate::Nowhere => continue,
        };
        let mut rows = place.rows.iter();
        // New lines go behind the row before them, or before the one behind them.
        let mut next = place.span().start;
        let mut removes = Vec::new();
        let agrees = snippet.hunks[at].ops.iter().all(|op| match op {
            Op::New { .. } => next >= taken,
            Op::Gone { .. } => match rows.next().copied().flatten() {
                Some(row) => {
                    next = row.end;
                    removes.extend(row.iter());
                    row.start >= taken
                }
                None => true,
            },
            Op::Keep { .. } | Op::Elided { .. } => match rows.next().copied().flatten() {
                Some(row) => {
                    next = row.end.max(next);
                    row.iter().all(|row| gone.binary_search(&row).is_err())
                }
                None => true,
            },
        });
        if agrees {
            gone.extend(removes);
            gone.sort_unstable();
            taken = taken.max(place.span().end);
        } else {
            found.push(at);
        }
    }
    found
}

/// Gives new lines the indentation that the lines around them have in the file, where the hunk shows those with
/// another.
fn indent_like_place(snippet: &mut Snippet<'_>, original: &Source<'_>, hunk: &Hunk, place: &Place) {
    let pairs: Vec<(String, &str)> = hunk
        .old_lines()
        .zip(&place.rows)
        .filter(|&(line, _)| snippet.lines[line].kind == LineKind::Code)
        .filter_map(|(line, rows)| {
            let row = rows.filter(|rows| rows.len() == 1)?.start;
            let is_same = snippet.lines[line].text.trim() == original.line(row).trim();
            is_same.then(|| (indent_of(&snippet.lines[line].text).to_owned(), indent_of(original.line(row))))
        })
        .collect();
    if pairs.iter().all(|(ours, theirs)| ours == theirs) {
        return;
    }
    for op in &hunk.ops {
        let Op::New { new } = *op else { continue };
        if is_blank(&snippet.lines[new].text) {
            continue;
        }
        let ours = indent_of(&snippet.lines[new].text);
        // What is deeper than anything shown keeps what it is deeper by.
        let nearest = pairs.iter().filter(|(shown, _)| ours.starts_with(shown.as_str()));
        let longer = |&(shown, theirs): &&(String, &str)| {
            let same_kind = theirs.strip_suffix(shown.as_str());
            same_kind.map(|more| more.to_owned() + ours)
        };
        let nearest = nearest.max_by_key(|(shown, _)| shown.len());
        let indent = match nearest {
            Some((shown, theirs)) => Some((*theirs).to_owned() + &ours[shown.len()..]),
            // Shallower than all that is shown: moved as much as the first is.
            None => pairs.first().as_ref().and_then(longer),
        };
        if let Some(indent) = indent {
            let text = indent + &snippet.lines[new].text[ours.len()..];
            snippet.lines[new].text = Cow::Owned(text);
        }
    }
}

/// Writes the steps of one hunk after the other.
struct Writer<'w> {
    original: &'w Source<'w>,
    /// The snippet with its hunks in the order they are shown in.
    snippet: &'w Snippet<'w>,
    steps: Vec<Step>,
    /// The next original row.
    row: usize,
    /// The next snippet line, as the ledger counts.
    line: usize,
    /// From a line as it is shown to the line as the ledger counts.
    shift: isize,
    /// The last row went.
    gone: bool,
}

impl Writer<'_> {
    fn write(&mut self, hunk: &Hunk, place: &Place) {
        let mut rows = place.rows.iter().copied();
        if let Some(first) = hunk.ops.first().filter(|op| op.old_line().is_none()) {
            debug_assert!(first.new_line().is_some(), "each op shows a line");
            self.keep_until(place.span().start);
        }
        self.gone = false;
        for op in &hunk.ops {
            let taken = if op.old_line().is_some() { rows.next().flatten() } else { None };
            match (*op, taken) {
                (Op::New { new }, _) => {
                    let new = self.drop_to(new);
                    self.steps.push(Step::New { snippet: LineRange::new(new, new + 1) });
                    self.line = new + 1;
                }
                (Op::Keep { new, .. }, Some(row)) if row.start >= self.row => self.keep(row.start, new),
                (Op::Elided { new, .. }, Some(rows)) if rows.end >= self.row => {
                    self.keep_until(rows.start);
                    let new = self.drop_to(new);
                    self.steps.push(Step::Fill { original: LineRange::new(self.row, rows.end), snippet: new });
                    (self.row, self.line, self.gone) = (rows.end, new + 1, false);
                }
                (Op::Gone { old }, row) => {
                    if let Some(row) = row {
                        self.remove(row.start);
                    }
                    let after = old.checked_add_signed(self.shift).map_or(0, |line| line + 1);
                    self.drop_until(after.max(self.line));
                }
                // Not there, or shown by another hunk already.
                (Op::Keep { new, .. } | Op::Elided { new, .. }, _) => {
                    let after = self.drop_to(new) + 1;
                    self.drop_until(after);
                }
            }
        }
    }

    /// Ties the new lines of a hunk to the rows from `row` on.
    fn tie(&mut self, hunk: &Hunk, row: usize) {
        for (new, row) in hunk.new_lines().zip(row..) {
            if row >= self.row && row < self.original.n_lines() {
                self.keep(row, new);
            }
        }
    }

    /// Ties a line to the next row or one behind it.
    fn keep(&mut self, row: usize, line: usize) {
        self.keep_until(row);
        let text = &self.snippet.lines[line].text;
        let line = self.drop_to(line);
        let equality = match equality(self.original.line(row), text) {
            _ if is_blank(text) && is_blank(self.original.line(row)) => Some(Equality::TrailingBlanks),
            equality => equality,
        };
        if let Some(equality) = equality {
            self.steps.push(Step::Anchor { original: row, snippet: line, equality });
            self.line = line + 1;
        } else {
            self.steps.push(Step::Keep { original: LineRange::new(row, row + 1), rule: KeepRule::OutsideHunks });
            self.drop_until(line + 1);
        }
        (self.row, self.gone) = (row + 1, false);
    }

    /// Removes a row, and the blank ones between it and a removed one above.
    fn remove(&mut self, row: usize) {
        let between = LineRange::new(self.row.min(row), row);
        if self.gone && between.iter().all(|row| is_blank(self.original.line(row))) {
            if !between.is_empty() {
                self.steps.push(Step::Remove { original: between, cause: RemovalCause::BlankLine });
                self.row = row;
            }
        } else {
            self.keep_until(row);
        }
        self.steps.push(Step::Remove { original: LineRange::new(row, row + 1), cause: RemovalCause::MinusLine });
        (self.row, self.gone) = (row + 1, true);
    }

    fn keep_until(&mut self, row: usize) {
        if row > self.row {
            self.steps.push(Step::Keep { original: LineRange::new(self.row, row), rule: KeepRule::OutsideHunks });
            (self.row, self.gone) = (row, false);
        }
    }

    /// Drops the lines before one; gives it as the ledger counts.
    fn drop_to(&mut self, line: usize) -> usize {
        let line = line.checked_add_signed(self.shift).unwrap_or(self.line);
        self.drop_until(line);
        line
    }

    fn drop_until(&mut self, line: usize) {
        if line > self.line {
            self.steps.push(Step::Drop { snippet: LineRange::new(self.line, line) });
            self.line = line;
        }
    }
}
