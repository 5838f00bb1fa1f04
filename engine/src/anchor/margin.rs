//! How far the next best result is.
//!
//! The cheapest path is one answer; what makes it trustworthy is that every path to *another text* is clearly
//! dearer. With the costs from both ends the cheapest path through any edge is known at once; for each row that
//! could be kept instead of removed (or the reverse) and each column that could stand elsewhere, the cheapest few
//! such paths are traced, cheapest first, until one gives another text.
//!
//! # Cost
//!
//! One more pass over the lattice, and at most [`MOST_TRACES`] traces.

use std::collections::HashMap;

use super::align::{Edge, Found, Lattice, Move, Node, Steps};
use super::cost::{Cost, FORBIDDEN, MARGIN};
use super::gap::Gap;
use crate::classify::LineKind;
use crate::ledger::Equality;

/// How many paths are looked at before the search gives up; giving up counts as ambiguous.
const MOST_TRACES: usize = 400;

/// How many paths are kept for each row and column, since one of equal text can hide a dearer one that differs.
const KEPT_EACH: usize = 5;

/// A path that gives another text at nearly the same cost.
#[derive(Debug, Clone)]
pub(crate) struct RunnerUp {
    /// The first row at which the results part.
    pub(crate) row: usize,
    /// The column that stands elsewhere, if it is one.
    pub(crate) column: Option<usize>,
}

/// Finds the paths below the margin that give other texts than `path`, cheapest first; empty if `path` stands
/// alone.
pub(crate) fn runners_up(
    gap: &Gap<'_>,
    lattice: &Lattice<'_>,
    found: &Found,
    path: &[Move],
    steps: &mut Steps,
) -> Vec<RunnerUp> {
    let Found { forward, backward } = found;
    let best = lattice.cost(backward, Lattice::START);
    if best >= FORBIDDEN {
        return Vec::new();
    }
    let fates = Fates::of(gap, path);
    // (row or column, what it does) -> the cheapest detours.
    let mut detours: Vec<Vec<(Cost, Node, Edge)>> = vec![Vec::new(); 2 * (gap.rows.len() + gap.columns.len())];
    for node in lattice.nodes() {
        let so_far = lattice.cost(forward, node);
        // Every way on from here is at least as dear.
        if so_far.saturating_add(lattice.cost(backward, node)) >= best + MARGIN {
            continue;
        }
        lattice.edges(node, |edge| {
            let total = so_far.saturating_add(edge.cost).saturating_add(lattice.cost(backward, edge.to));
            if total >= best + MARGIN {
                return;
            }
            if let Some(slot) = fates.differs(gap, node, edge.by) {
                let kept = &mut detours[slot];
                let at = kept.partition_point(|&(cost, ..)| cost <= total);
                if at < KEPT_EACH {
                    kept.insert(at, (total, node, edge));
                    kept.truncate(KEPT_EACH);
                }
            }
        });
    }
    let mut detours: Vec<_> = detours.into_iter().flatten().collect();
    detours.sort_by_key(|&(total, node, _)| (total, node.column, node.row));

    let texts = Texts::new(gap);
    let wanted = texts.of(path);
    let mut seen = Vec::new();
    let mut found: Vec<RunnerUp> = Vec::new();
    for (n, (_, node, edge)) in detours.into_iter().enumerate() {
        if n >= MOST_TRACES || !steps.spend(path.len()) {
            if found.is_empty() {
                found.push(RunnerUp { row: node.row, column: edge.by.column() });
            }
            break;
        }
        let mut other = lattice.trace_from_start(forward, node);
        other.push(edge.by);
        other.extend(lattice.trace_to_end(backward, edge.to));
        let text = texts.of(&other);
        if text != wanted && !seen.contains(&text) {
            seen.push(text);
            let row = edge.by.row().unwrap_or(node.row);
            found.push(RunnerUp { row, column: edge.by.column() });
        }
        if found.len() >= 8 {
            break;
        }
    }
    found
}

/// What the best path does with each row and column.
struct Fates {
    row_kept: Vec<bool>,
    /// For each column the row it is tied to, or the row before which it is inserted.
    column_at: Vec<(bool, usize)>,
    /// For each row, and the end, the first row from there on that isn't blank: blank lines make no other place.
    next_code: Vec<usize>,
}

impl Fates {
    fn of(gap: &Gap<'_>, path: &[Move]) -> Self {
        let n_rows = gap.rows.len();
        let mut next_code = vec![n_rows; n_rows + 1];
        for row in (0..n_rows).rev() {
            next_code[row] = if gap.rows[row].n_code > 0 { row } else { next_code[row + 1] };
        }
        let column_at = vec![(false, 0); gap.columns.len()];
        let mut fates = Self { row_kept: vec![true; n_rows], column_at, next_code };
        let mut next_row = 0;
        for step in path {
            if let Some(row) = step.row() {
                fates.row_kept[row] = keeps(*step);
                next_row = row + 1;
            }
            if let Some(column) = step.column() {
                fates.column_at[column] = match step.row() {
                    Some(row) => (true, row),
                    None => (false, fates.next_code[next_row]),
                };
            }
        }
        fates
    }

    /// Gives the slot of the row or column that a move treats in another way than the best path.
    fn differs(&self, gap: &Gap<'_>, from: Node, by: Move) -> Option<usize> {
        let n_rows = gap.rows.len();
        if let Some(column) = by.column() {
            let is_text = matches!(gap.columns[column].kind, LineKind::Code);
            let at = by.row().map_or((false, self.next_code[from.row]), |row| (true, row));
            if is_text && at != self.column_at[column] {
                return Some(2 * (n_rows + column) + usize::from(at.0));
            }
        }
        let row = by.row()?;
        (gap.rows[row].n_code > 0 && keeps(by) != self.row_kept[row]).then_some(2 * row + usize::from(keeps(by)))
    }
}

/// Says whether the row that a move takes is in the result with its own bytes.
fn keeps(by: Move) -> bool {
    match by {
        Move::Match { equality, .. } => equality <= Equality::TrailingBlanks,
        Move::Fill { .. } | Move::Keep { .. } => true,
        _ => false,
    }
}

/// Turns paths into texts that can be compared: one number for each distinct line, blank lines left out.
struct Texts {
    rows: Vec<Option<u32>>,
    columns: Vec<Option<u32>>,
}

impl Texts {
    fn new(gap: &Gap<'_>) -> Self {
        let mut names: HashMap<&str, u32> = HashMap::new();
        let mut rows = Vec::with_capacity(gap.rows.len());
        for row in &gap.rows {
            rows.push(match (row.n_code, row.lines.len()) {
                (0, _) => None,
                (_, 1) => {
                    let fresh = names.len() as u32;
                    Some(*names.entry(gap.text(row).trim_end()).or_insert(fresh))
                }
                // A folded run is unlike anything else.
                _ => Some(u32::MAX - row.lines.start as u32),
            });
        }
        let mut columns = Vec::with_capacity(gap.columns.len());
        for column in gap.columns {
            columns.push((column.kind == LineKind::Code).then(|| {
                let fresh = names.len() as u32;
                *names.entry(column.text.trim_end()).or_insert(fresh)
            }));
        }
        Self { rows, columns }
    }

    fn of(&self, path: &[Move]) -> Vec<u32> {
        path.iter()
            .filter_map(|step| match *step {
                Move::Match { row, column, equality } => {
                    if equality <= Equality::TrailingBlanks {
                        self.rows[row]
                    } else {
                        self.columns[column]
                    }
                }
                Move::Supersede { column, .. } | Move::Insert { column } => self.columns[column],
                Move::Fill { row } | Move::Keep { row } => self.rows[row],
                Move::Gone { .. }
                | Move::Drop { .. }
                | Move::Reference { .. }
                | Move::Marker { .. }
                | Move::MarkerTake { .. }
                | Move::Delete { .. } => None,
            })
            .collect()
    }
}
