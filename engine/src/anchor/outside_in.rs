//! The coarse way through a gap that is too large for the cost model: equal lines from both ends, then what lies
//! between as one block.
//!
//! # Cost
//!
//! O(rows + columns).

use super::align::Move;
use super::gap::Gap;
use crate::classify::LineKind;
use crate::ledger::Equality;

/// Finds a path: the k-th line from the start with the k-th from the start while they are equal, the same from
/// the end, and between them the first reference takes all rows; without one the columns supersede the rows.
pub(crate) fn path(gap: &Gap<'_>) -> Vec<Move> {
    let (n_rows, n_columns) = (gap.rows.len(), gap.columns.len());
    let equal = |row: usize, column: usize| {
        let (r, c) = (&gap.rows[row], &gap.columns[column]);
        match c.kind {
            LineKind::Blank if r.n_code == 0 => Some(Equality::Exact),
            LineKind::Code if r.class == c.class && !c.forced_new && !c.gone && !c.dropped => {
                gap.equality(r, c).filter(|&equality| equality <= Equality::TrailingBlanks)
            }
            _ => None,
        }
    };
    let mut head = Vec::new();
    while head.len() < n_rows.min(n_columns)
        && let Some(equality) = equal(head.len(), head.len())
    {
        head.push(Move::Match { row: head.len(), column: head.len(), equality });
    }
    let mut tail = Vec::new();
    while tail.len() < (n_rows - head.len()).min(n_columns - head.len())
        && let (row, column) = (n_rows - tail.len() - 1, n_columns - tail.len() - 1)
        && let Some(equality) = equal(row, column)
    {
        tail.push(Move::Match { row, column, equality });
    }
    let rows = head.len()..n_rows - tail.len();
    let columns = head.len()..n_columns - tail.len();
    let reference = columns.clone().find(|&column| gap.columns[column].kind == LineKind::Reference);

    let mut path = head;
    if reference.is_none() {
        path.extend(rows.clone().map(|row| Move::Delete { row }));
    }
    for column in columns {
        path.push(match gap.columns[column].kind {
            LineKind::Reference => Move::Reference { column },
            LineKind::Removal => Move::Marker { column },
            LineKind::Code if gap.columns[column].gone || gap.columns[column].dropped => Move::Drop { column },
            LineKind::Code | LineKind::Blank => Move::Insert { column },
        });
        if reference == Some(column) {
            path.extend(rows.clone().map(|row| Move::Fill { row }));
        }
    }
    path.extend(tail.into_iter().rev());
    path
}
