//! The trees of windows that were read, kept for the next edit of the same place.
//!
//! What an edit of a document checked is the window of its result: if the next edit needs the same lines, they need not be
//! read again. A change elsewhere moves a tree; a change inside of its lines, or right beside them, ends it.
//!
//! # Cost
//!
//! Looking and moving take a step for each tree that is kept.

use tree_sitter::{InputEdit, Point, Tree};

use super::Language;
use crate::range::{ByteRange, LineRange};

/// Bytes that a tree takes for each byte of its text, at the most what was measured (36 to 53 on dense files).
const BYTES_A_BYTE: usize = 53;

/// What one parse read.
#[derive(Debug, Clone)]
pub(crate) struct Read {
    /// The lines it read, rising and apart from each other.
    lines: Vec<LineRange>,
    language: Language,
    tree: Tree,
    n_bytes: usize,
}

impl Read {
    /// Keeps the tree of some lines, which have `n_bytes` bytes.
    pub(crate) fn new(lines: Vec<LineRange>, language: Language, tree: Tree, n_bytes: usize) -> Self {
        Self { lines, language, tree, n_bytes: n_bytes * BYTES_A_BYTE }
    }
}

/// The trees that are kept of a text, the one that was read last behind.
#[derive(Debug, Clone, Default)]
pub(crate) struct Trees {
    reads: Vec<Read>,
}

impl Trees {
    /// Finds what a grammar read of exactly some lines.
    pub(crate) fn find(&self, lines: &[LineRange], language: Language) -> Option<Tree> {
        let is_it = |read: &&Read| read.language == language && read.lines == lines;
        self.reads.iter().rev().find(is_it).map(|read| read.tree.clone())
    }

    /// Keeps some more, and lets the oldest go as long as all take more than `most` bytes.
    pub(crate) fn keep(&mut self, reads: Vec<Read>, most: usize) {
        for read in reads {
            self.reads.retain(|other| other.language != read.language || other.lines != read.lines);
            self.reads.push(read);
        }
        let mut left = self.n_bytes();
        let is_over = |read: &&Read| {
            let is_over = left > most;
            left -= read.n_bytes;
            is_over
        };
        let n_over = self.reads.iter().take_while(is_over).count();
        self.reads.drain(..n_over);
    }

    /// Follows a text in which `new` lines took the place of `old` ones; `bytes` says which bytes the old lines had, and how
    /// many the new ones have.
    pub(crate) fn replace(&mut self, (old, new): (LineRange, LineRange), (bytes, n_new): (ByteRange, usize)) {
        let left_edge = |row| Point { row, column: 0 };
        self.reads.retain_mut(|read| {
            if read.lines.iter().any(|lines| lines.start <= old.end && old.start <= lines.end) {
                return false;
            }
            if read.lines.last().is_some_and(|last| last.end < old.start) {
                return true;
            }
            read.tree.edit(&InputEdit {
                start_byte: bytes.start,
                old_end_byte: bytes.end,
                new_end_byte: bytes.start + n_new,
                start_position: left_edge(old.start),
                old_end_position: left_edge(old.end),
                new_end_position: left_edge(new.end),
            });
            for lines in &mut read.lines {
                if lines.start > old.end {
                    *lines = LineRange::new(lines.start - old.end + new.end, lines.end - old.end + new.end);
                }
            }
            true
        });
    }

    /// Counts the bytes that all take, about.
    pub(crate) fn n_bytes(&self) -> usize {
        self.reads.iter().map(|read| read.n_bytes).sum()
    }
}
