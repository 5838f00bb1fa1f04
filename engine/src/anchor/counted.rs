//! Keys that count how often they are compared, so that tests pin the growth of sorting and grouping without a clock.

use std::cell::Cell;
use std::cmp::Ordering;

thread_local! {
    static COMPARED: Cell<usize> = const { Cell::new(0) };
}

/// A key that counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Counted(pub(super) usize);

/// Says how many comparisons there were on this thread.
pub(super) fn n_compared() -> usize {
    COMPARED.get()
}

impl Ord for Counted {
    fn cmp(&self, other: &Self) -> Ordering {
        COMPARED.set(COMPARED.get() + 1);
        self.0.cmp(&other.0)
    }
}

impl PartialOrd for Counted {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
