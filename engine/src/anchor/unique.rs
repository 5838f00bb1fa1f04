//! Lines that can only be one line: the sure anchors of a gap.
//!
//! # Algorithm
//!
//! A text that stands once in the gap's rows and once in its columns ties the two, provided it is long enough to
//! mean something and a neighbour agrees. Where such ties cross, the gap gets none: the cost model decides. With
//! the ties as new borders, each part is searched again, since a text may be unique there.
//!
//! # Source
//!
//! Patience diff (Bram Cohen), with the longest rising chain replaced by "none if they cross", because a snippet
//! whose parts stand in another order is a doubt and not a majority.
//!
//! # Cost
//!
//! O(rows that a column's text has + columns) a level, at most [`LEVELS`] levels.

use hashbrown::HashMap;

use crate::classify::LineKind;
use crate::ledger::Equality;
use crate::range::LineRange;
use crate::source::Source;

use super::gap::{Column, equality};
use super::index::{Class, Index};

/// How often a part is searched again. More finds next to nothing.
pub(super) const LEVELS: usize = 3;

/// Shortest text that ties, in bytes without indentation. Shorter: `return nil` ties by accident.
pub(super) const SHORTEST: usize = 8;

/// How much a tie must show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Demand {
    /// A neighbour of both lines agrees.
    Neighbour,
    /// Nothing more: for gaps that are too large to be searched otherwise.
    Nothing,
}

/// A row and the column that is its line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Anchor {
    pub(crate) row: usize,
    /// Position among the columns.
    pub(crate) column: usize,
}

/// Finds the anchors between original `rows` and `columns[range]`, rising.
pub(crate) fn anchors(
    original: &Source<'_>,
    index: &Index,
    columns: &[Column<'_>],
    rows: LineRange,
    range: LineRange,
    demand: Demand,
) -> Vec<Anchor> {
    let mut found = Vec::new();
    let mut open = vec![(rows, range)];
    for _ in 0..LEVELS {
        let mut next = Vec::new();
        for (rows, range) in open {
            let anchors = level(original, index, columns, rows, range, demand);
            let mut from = (rows.start, range.start);
            for &Anchor { row, column } in &anchors {
                next.push((LineRange::new(from.0, row), LineRange::new(from.1, column)));
                from = (row + 1, column + 1);
            }
            if !anchors.is_empty() {
                next.push((LineRange::new(from.0, rows.end), LineRange::new(from.1, range.end)));
            }
            found.extend(anchors);
        }
        open = next;
    }
    found.sort_unstable_by_key(|anchor| anchor.row);
    found
}

fn level(
    original: &Source<'_>,
    index: &Index,
    columns: &[Column<'_>],
    rows: LineRange,
    range: LineRange,
    demand: Demand,
) -> Vec<Anchor> {
    // Class -> (column, how often in the columns).
    let mut seen: HashMap<Class, (usize, usize)> = HashMap::new();
    for at in range {
        let column = &columns[at];
        if column.kind == LineKind::Code && !column.forced_new && !column.gone && !column.dropped {
            let entry = seen.entry(column.class).or_insert((at, 0));
            entry.1 += 1;
        }
    }
    if seen.is_empty() {
        return Vec::new();
    }
    // In the order of the columns, not of the table.
    let mut anchors = Vec::new();
    for at in range {
        if let Some(&(column, 1)) = seen.get(&columns[at].class)
            && column == at
            && let &[row] = index.rows_in(columns[at].class, rows)
            && let row = row as usize
            && row >= columns[at].first_row
            && columns[at].text.trim().len() >= SHORTEST
            && equality(original.line(row), columns[at].text)
                .is_some_and(|equality| equality <= Equality::TrailingBlanks)
            && (demand == Demand::Nothing || has_equal_neighbour(index, columns, rows, range, row, at))
        {
            anchors.push(Anchor { row, column });
        }
    }
    if anchors.is_sorted_by(|a, b| a.row < b.row) { anchors } else { Vec::new() }
}

fn has_equal_neighbour(
    index: &Index,
    columns: &[Column<'_>],
    rows: LineRange,
    range: LineRange,
    row: usize,
    at: usize,
) -> bool {
    let text = |at: &usize| columns[*at].kind != LineKind::Blank;
    let agree = |row: Option<usize>, at: Option<usize>| match (row, at) {
        (Some(row), Some(at)) => columns[at].kind == LineKind::Code && columns[at].class == index.class(row),
        (None, None) => true,
        _ => false,
    };
    agree(index.relief.first_code(LineRange::new(row + 1, rows.end)), (at + 1..range.end).find(text))
        || agree(index.relief.last_code(LineRange::new(rows.start, row)), (range.start..at).rev().find(text))
}
