//! Where a run of lines stands in the original.
//!
//! # Algorithm
//!
//! 1. The line with the fewest rows is the pivot: around each of its rows the whole run is compared.
//! 2. A run with parts left out is found part by part: behind each place of the first part the nearest of the next.
//!
//! # Cost
//!
//! The rows of each pivot × the lines that agree around them. All that is looked at for an edit is counted: at
//! [`MOST_STEPS`] steps or [`MOST_ROWS`] rows of further places the search ends, and the verdict says so.

use std::cmp::Ordering;

use memchr::memmem;

use super::{Hunk, Op};
use crate::anchor::{Index, indent_width};
use crate::classify::{LineKind, Snippet};
use crate::range::LineRange;
use crate::source::{Source, is_blank};

/// How many lines are compared for one edit. Larger: a hostile edit takes seconds; smaller: a large edit of a
/// repetitive file isn't placed.
pub(super) const MOST_STEPS: usize = 50_000_000;

/// Bytes of a text that are looked through for a header, or for the end of its block, in a step. Larger: a hostile edit takes
/// longer; smaller: headers of a large file aren't looked for.
const BYTES_A_STEP: usize = 32;

/// How many places of one run are told apart.
const MOST_PLACES: usize = 10_000;

/// How many rows are kept for one edit, of places beyond the first of each run. Larger: many hunks that stand at many
/// places take all memory; smaller: a number or a heading can't tell which of many is meant.
const MOST_ROWS: usize = 2_000_000;

/// How closely a run must agree. Ordered from strict to loose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Likeness {
    /// Line by line, but for trailing blanks.
    Lines,
    /// The same without blank lines on either side.
    Dense,
    /// The same without blank lines and white space.
    Squeezed,
}

/// For each old line of a hunk the rows it stands for; `None` for one that the original doesn't have there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) rows: Vec<Option<LineRange>>,
    /// What is left out may end elsewhere as well.
    pub(super) is_elastic: bool,
}

impl Place {
    /// Gives the rows from the first to the last.
    pub(super) fn span(&self) -> LineRange {
        let known = || self.rows.iter().flatten();
        match (known().next(), known().next_back()) {
            (Some(first), Some(last)) => LineRange::new(first.start, last.end),
            _ => LineRange::default(),
        }
    }
}

/// What a line of a run stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Taken {
    Row(usize),
    /// A blank line that the original doesn't have there.
    Nothing,
}

impl Taken {
    fn row(self) -> Option<usize> {
        match self {
            Self::Row(row) => Some(row),
            Self::Nothing => None,
        }
    }
}

/// Finds runs of snippet lines in one original.
pub(super) struct Finder<'f> {
    pub(super) original: &'f Source<'f>,
    pub(super) snippet: &'f Snippet<'f>,
    pub(super) index: &'f Index,
    steps_left: usize,
    rows_left: usize,
}

impl<'f> Finder<'f> {
    pub(super) fn new(original: &'f Source<'f>, snippet: &'f Snippet<'f>, index: &'f Index) -> Self {
        Self { original, snippet, index, steps_left: MOST_STEPS, rows_left: MOST_ROWS }
    }

    /// Says whether a search ended before its time.
    pub(super) fn was_cut_short(&self) -> bool {
        self.steps_left == 0
    }

    /// Counts `n` lines that are looked at; says whether there is any step left.
    pub(super) fn spend(&mut self, n: usize) -> bool {
        self.steps_left = self.steps_left.saturating_sub(n);
        self.steps_left > 0
    }

    /// Counts the steps taken; tests pin the growth of the work with it.
    #[cfg(test)]
    pub(super) fn spent(&self) -> usize {
        MOST_STEPS - self.steps_left
    }

    /// Gives the rows whose text is the line's but for white space; none for a blank line.
    pub(super) fn rows_like(&self, line: usize) -> impl ExactSizeIterator<Item = usize> + use<'f> {
        self.index.rows(self.snippet.lines[line].class).iter().map(|&row| row as usize)
    }

    /// Finds the places of a hunk's old lines, in the order of the original.
    pub(super) fn places(&mut self, hunk: &Hunk, likeness: Likeness) -> Vec<Place> {
        let mut parts: Vec<Vec<usize>> = vec![Vec::new()];
        for op in &hunk.ops {
            match (*op, parts.last_mut()) {
                (Op::Elided { .. }, _) => parts.push(Vec::new()),
                (Op::Keep { old, .. } | Op::Gone { old }, Some(part)) => part.push(old),
                _ => {}
            }
        }
        self.chains(&parts, likeness)
    }

    /// Finds the places of a hunk's new lines, if none is left out.
    pub(super) fn new_places(&mut self, hunk: &Hunk, likeness: Likeness) -> Vec<Place> {
        if hunk.ops.iter().any(|op| matches!(op, Op::Elided { .. })) {
            return Vec::new();
        }
        self.chains(&[hunk.new_lines().collect()], likeness)
    }

    /// Finds the rows that run from the one to the other place of each part.
    fn chains(&mut self, parts: &[Vec<usize>], likeness: Likeness) -> Vec<Place> {
        let found: Vec<Vec<Vec<Option<usize>>>> = parts.iter().map(|part| self.runs(part, likeness)).collect();
        let Some((first, rest)) = found.split_first() else { return Vec::new() };
        let start = |run: &[Option<usize>]| run.iter().flatten().next().copied();
        let end = |run: &[Option<usize>]| run.iter().flatten().next_back().map(|row| row + 1);
        let row = |row: &Option<usize>| row.map(|row| LineRange::new(row, row + 1));
        let mut places: Vec<Place> = Vec::new();
        for run in first {
            let mut place = Place { rows: run.iter().map(row).collect(), is_elastic: false };
            let Some(mut at) = end(run) else { continue };
            let own_end = start(run).map_or(self.original.n_lines(), |row| self.block_end(row));
            let mut is_whole = true;
            for part in rest {
                let next = part.partition_point(|run| start(run) < Some(at));
                let Some(run) = part.get(next) else {
                    is_whole = false;
                    break;
                };
                let from = start(run).unwrap_or(at);
                let other = part.get(next + 1).and_then(|run| start(run));
                place.is_elastic |= other.is_some_and(|other| other < own_end || from >= own_end);
                place.rows.push(Some(LineRange::new(at, from)));
                place.rows.extend(run.iter().map(row));
                at = end(run).unwrap_or(from);
            }
            if !is_whole {
                break;
            }
            // What ends at the same place began too early before, if it can't reach over this one: only what leaves the
            // block around surely can't.
            if !rest.is_empty()
                && let Some(last) = places.pop_if(|last| last.span().end == place.span().end)
            {
                place.is_elastic |= !self.leaves_block(last.span().start, place.span().start);
            }
            places.push(place);
        }
        places
    }

    /// Lists the rows of a range that begin with a header, white space apart: `def f` heads `def f(x):` and not `def
    /// first():`.
    pub(super) fn rows_headed(&mut self, header: &str, rows: LineRange) -> Vec<usize> {
        let (original, bytes) = (self.original, self.original.bytes_of(rows));
        if header.is_empty() || !self.spend(1 + bytes.len() / BYTES_A_STEP) {
            return Vec::new();
        }
        let mut found = Vec::new();
        for at in memmem::find_iter(original.slice(rows).as_bytes(), header) {
            if !self.spend(1) {
                break;
            }
            let row = original.line_at(bytes.start + at);
            let (before, rest) = original.line(row).split_at(bytes.start + at - original.line_start(row));
            let rest = rest.get(header.len()..).unwrap_or_default();
            if is_blank(before) && !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_') {
                found.push(row);
            }
        }
        found
    }

    /// Says whether `row` heads a block by indentation.
    pub(super) fn opens_block(&mut self, row: usize) -> bool {
        let (original, first) =
            (self.original, self.index.relief.first_code(LineRange::new(row + 1, self.original.n_lines())));
        first.is_some_and(|first| in_block(original.line(first), indent_width(original.line(row))) != InBlock::No)
    }

    /// Gives the row after the block that `row` heads by indentation: its deeper lines and its closing line.
    pub(super) fn block_end(&mut self, row: usize) -> usize {
        let (original, relief) = (self.original, &self.index.relief);
        let indent = indent_width(original.line(row));
        let mut at = row + 1;
        while !self.was_cut_short() {
            let rest = LineRange::new(at, original.n_lines());
            let (next, n_bytes) = relief.first_at_most(original, rest, indent);
            self.spend(1 + n_bytes / BYTES_A_STEP);
            match next.map(|next| (next, in_block(original.line(next), indent))) {
                Some((next, InBlock::Yes)) => at = next + 1,
                Some((next, InBlock::Last)) => return next + 1,
                // What lies between the last line that belongs to it and the next is blank or deeper.
                next => {
                    let end = next.map_or(original.n_lines(), |(next, _)| next);
                    return relief.last_code(LineRange::new(row, end)).map_or(row, |last| last) + 1;
                }
            }
        }
        row + 1
    }

    /// Says whether some row between two is further left than the first.
    fn leaves_block(&mut self, first: usize, second: usize) -> bool {
        let indent = indent_width(self.original.line(first));
        let Some(less) = indent.checked_sub(1) else { return false };
        let (outside, n_bytes) =
            self.index.relief.first_at_most(self.original, LineRange::new(first, second.max(first)), less);
        self.spend(1 + n_bytes / BYTES_A_STEP);
        outside.is_some()
    }

    /// Finds all places of lines that follow each other: for each line its row.
    fn runs(&mut self, lines: &[usize], likeness: Likeness) -> Vec<Vec<Option<usize>>> {
        let is_code = |&&line: &&usize| self.snippet.lines[line].kind != LineKind::Blank;
        let pivot = lines.iter().enumerate().filter(|(_, line)| is_code(line));
        let pivot = pivot.min_by_key(|&(_, &line)| self.index.count(self.snippet.lines[line].class));
        let Some((pivot, _)) = pivot else { return Vec::new() };
        let rows = self.rows_like(lines[pivot]);
        let mut found = Vec::new();
        for row in rows {
            if self.was_cut_short() {
                break;
            }
            let Some(run) = self.run_at(lines, pivot, row, likeness) else { continue };
            if !found.is_empty() {
                self.rows_left = self.rows_left.saturating_sub(lines.len());
            }
            if found.len() == MOST_PLACES || self.rows_left == 0 {
                // What isn't kept may be what is meant.
                self.steps_left = 0;
                break;
            }
            found.push(run);
        }
        found
    }

    /// Compares a run of lines whose `pivot` stands at `row`.
    fn run_at(&mut self, lines: &[usize], pivot: usize, row: usize, likeness: Likeness) -> Option<Vec<Option<usize>>> {
        let mut rows: Vec<Option<usize>> = vec![None; lines.len()];
        let mut at = Some(row);
        for n in pivot..lines.len() {
            rows[n] = self.take(lines[n], &mut at, likeness, true)?.row();
        }
        let mut at = row.checked_sub(1);
        for n in (0..pivot).rev() {
            rows[n] = self.take(lines[n], &mut at, likeness, false)?.row();
        }
        Some(rows)
    }

    /// Takes the row that a line stands for from `at` on, downwards or upwards. A blank line may need no row.
    fn take(&mut self, line: usize, at: &mut Option<usize>, likeness: Likeness, down: bool) -> Option<Taken> {
        self.steps_left = self.steps_left.checked_sub(1)?;
        let next = |row: usize| if down { Some(row + 1) } else { row.checked_sub(1) };
        let text = &*self.snippet.lines[line].text;
        let here = |row: Option<usize>| row.filter(|&row| row < self.original.n_lines());
        if likeness > Likeness::Lines {
            if is_blank(text) {
                let row = here(*at).filter(|&row| is_blank(self.original.line(row)));
                if let Some(row) = row {
                    *at = next(row);
                }
                return Some(row.map_or(Taken::Nothing, Taken::Row));
            }
            while let Some(row) = here(*at).filter(|&row| is_blank(self.original.line(row))) {
                self.steps_left = self.steps_left.checked_sub(1)?;
                *at = next(row);
            }
        }
        let row = here(*at)?;
        let same = match likeness {
            Likeness::Squeezed => self.index.class(row) == self.snippet.lines[line].class,
            _ => self.original.line(row).trim_end() == text.trim_end(),
        };
        *at = next(row);
        same.then_some(Taken::Row(row))
    }
}

/// Whether a line belongs to the block of a header above.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum InBlock {
    Yes,
    /// It closes the block.
    Last,
    No,
}

/// Says so of a line that isn't blank. `indent` is that of the header.
fn in_block(line: &str, indent: usize) -> InBlock {
    let text = line.trim();
    let is_closer = text.starts_with(['}', ')', ']']) || text.starts_with("end") || text.starts_with("</");
    match indent_width(line).cmp(&indent) {
        Ordering::Greater => InBlock::Yes,
        Ordering::Equal if text == "{" || is_closer && text.ends_with(['{', '(', '[', ':']) => InBlock::Yes,
        Ordering::Equal if is_closer => InBlock::Last,
        _ => InBlock::No,
    }
}
