//! Which lines stand in the original, asked for one at a time.

use std::cell::{Cell, OnceCell};

use foldhash::fast::RandomState;
use hashbrown::HashSet;

use crate::source::Source;

/// How many lines of a run are compared. Larger: hostile texts take long; smaller: runs that part late look alike.
const LONGEST_RUN: usize = 200;

/// How many lines are compared for all runs of one edit. Larger: many blocks with many dividers take long; smaller: of
/// a large file's blocks the divider isn't found.
const MOST_STEPS: usize = 50_000_000;

/// The lines of a text, looked up only if someone asks.
pub(super) struct Known<'o> {
    original: &'o Source<'o>,
    trimmed: OnceCell<HashSet<&'o str, RandomState>>,
    exact: OnceCell<HashSet<&'o str, RandomState>>,
    steps_left: Cell<usize>,
}

impl<'o> Known<'o> {
    pub(super) fn new(original: &'o Source<'o>) -> Self {
        Self { original, trimmed: OnceCell::new(), exact: OnceCell::new(), steps_left: Cell::new(MOST_STEPS) }
    }

    /// Says whether a line stands in the original, but for white space around it.
    pub(super) fn has(&self, line: &str) -> bool {
        self.trimmed.get_or_init(|| self.original.lines().map(str::trim).collect()).contains(line.trim())
    }

    /// Says whether a line stands in the original, but for trailing blanks.
    pub(super) fn has_exactly(&self, line: &str) -> bool {
        self.exact.get_or_init(|| self.original.lines().map(str::trim_end).collect()).contains(line.trim_end())
    }

    /// Says whether lines follow each other somewhere in the original, but for trailing blanks.
    ///
    /// Costs one pass, and what lines agree at each place; of a long run the first [`LONGEST_RUN`] lines count.
    /// Once [`MOST_STEPS`] lines are compared none does.
    pub(super) fn has_run(&self, lines: &[&str]) -> bool {
        let lines = &lines[..lines.len().min(LONGEST_RUN)];
        let n = self.original.n_lines();
        let is_at = |row: usize| {
            lines.iter().enumerate().all(|(at, line)| {
                self.steps_left.set(self.steps_left.get().saturating_sub(1));
                self.original.line(row + at).trim_end() == line.trim_end()
            })
        };
        lines.len() <= n && (0..=n - lines.len()).take_while(|_| !self.was_cut_short()).any(is_at)
    }

    /// Says whether a search for a run ended before its time.
    pub(super) fn was_cut_short(&self) -> bool {
        self.steps_left.get() == 0
    }
}
