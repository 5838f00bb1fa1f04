//! Edits that name what they change line by line: the hunks of a diff, search/replace blocks, old and new texts.
//!
//! A decoder ([`crate::classify`]) turns each such text into [`Hunk`]s over the snippet's lines. A hunk says which
//! lines it expects in the original, in order, and what becomes of each. [`place::place`] finds the one place where they
//! stand; [`merge`] writes the ledger from that. Nothing is aligned by cost: the lines are there, or the verdict says
//! that they aren't.
//!
//! # Cost
//!
//! O(original + snippet) where lines are told apart by their neighbours; searches are counted and end at
//! [`find::MOST_STEPS`].

mod find;
mod merge;
mod near;
mod place;
#[cfg(test)]
mod tests;

pub(crate) use merge::merge;

use crate::range::LineRange;

/// What becomes of one line of a hunk. Lines are those of the snippet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Op {
    /// The original's line stays. Where old and new text are shown apart it is shown in both.
    Keep {
        old: usize,
        new: usize,
    },
    /// The original's line goes.
    Gone {
        old: usize,
    },
    New {
        new: usize,
    },
    /// Lines stay that the hunk leaves out on both sides.
    Elided {
        old: usize,
        new: usize,
    },
}

impl Op {
    /// Gives the line that shows what the original should hold.
    pub(crate) fn old_line(self) -> Option<usize> {
        match self {
            Self::Keep { old, .. } | Self::Gone { old } | Self::Elided { old, .. } => Some(old),
            Self::New { .. } => None,
        }
    }

    /// Gives the line that shows what the result should hold.
    pub(crate) fn new_line(self) -> Option<usize> {
        match self {
            Self::Keep { new, .. } | Self::New { new } | Self::Elided { new, .. } => Some(new),
            Self::Gone { .. } => None,
        }
    }
}

/// What a hunk says of its place beside its lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Hint {
    #[default]
    Nothing,
    /// The original row it claims to begin at. Models count badly.
    Row(usize),
    /// The original row it begins at, found by whoever made the hunk.
    Known(usize),
    /// The end of the original.
    End,
}

/// A part of an edit with one place in the original.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Hunk {
    /// All snippet lines that are its own: signs, headers and what precedes them as well. The hunks of a snippet
    /// follow each other without a gap.
    pub(crate) lines: LineRange,
    /// What it says, old lines before new ones where both change.
    pub(crate) ops: Vec<Op>,
    /// Headers it must lie below, outer before inner: the snippet line and the header's text.
    pub(crate) scopes: Vec<(usize, String)>,
    /// A line that is said to stand somewhere above it, as the heading of the block it is in.
    pub(crate) heading: Option<String>,
    /// Which of the pairs handed in it says all of, zero-based.
    pub(crate) pair: Option<usize>,
    pub(crate) hint: Hint,
}

impl Hunk {
    /// Gives the snippet lines that show the original's lines, in order.
    pub(crate) fn old_lines(&self) -> impl Iterator<Item = usize> + '_ {
        self.ops.iter().filter_map(|op| op.old_line())
    }

    /// Gives the snippet lines that show the result's lines, in order.
    pub(crate) fn new_lines(&self) -> impl Iterator<Item = usize> + '_ {
        self.ops.iter().filter_map(|op| op.new_line())
    }

    /// Moves all it says `n` lines down.
    pub(crate) fn shift(&mut self, n: usize) {
        self.lines = LineRange::new(self.lines.start + n, self.lines.end + n);
        for (line, _) in &mut self.scopes {
            *line += n;
        }
        for op in &mut self.ops {
            match op {
                Op::Keep { old, new } | Op::Elided { old, new } => (*old, *new) = (*old + n, *new + n),
                Op::Gone { old: line } | Op::New { new: line } => *line += n,
            }
        }
    }

    /// Gives the lines that say something: from the first to the last of its ops, or all if there is none.
    pub(crate) fn shown(&self) -> LineRange {
        let lines = || self.old_lines().chain(self.new_lines());
        match (lines().min(), lines().max()) {
            (Some(first), Some(last)) => LineRange::new(first, last + 1),
            _ => self.lines,
        }
    }
}
