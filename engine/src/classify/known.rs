//! Which lines stand in the original, asked for one at a time.

use std::cell::OnceCell;

use foldhash::fast::RandomState;
use hashbrown::HashSet;

use crate::source::Source;

/// How many lines of a run are compared. Larger: hostile texts take long; smaller: runs that part late look alike.
const LONGEST_RUN: usize = 200;

/// The lines of a text, looked up only if someone asks.
pub(super) struct Known<'o> {
    original: &'o Source<'o>,
    trimmed: OnceCell<HashSet<&'o str, RandomState>>,
    exact: OnceCell<HashSet<&'o str, RandomState>>,
}

impl<'o> Known<'o> {
    pub(super) fn new(original: &'o Source<'o>) -> Self {
        Self { original, trimmed: OnceCell::new(), exact: OnceCell::new() }
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
    pub(super) fn has_run(&self, lines: &[&str]) -> bool {
        let lines = &lines[..lines.len().min(LONGEST_RUN)];
        let n = self.original.n_lines();
        let is_at = |row: usize| {
            lines.iter().enumerate().all(|(at, line)| self.original.line(row + at).trim_end() == line.trim_end())
        };
        lines.len() <= n && (0..=n - lines.len()).any(is_at)
    }
}
