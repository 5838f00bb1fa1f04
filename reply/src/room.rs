//! What a reply can be inside of.
//!
//! Every form of block is the same machine: it reads one line at a time and says what comes next ([`Step`]). Only the parser moves from
//! one to the other.

mod block;
mod change;
mod diff;
mod fenced;
mod patch;
mod search;
mod section;

pub(crate) use block::Block;
pub(crate) use diff::Diff;
pub(crate) use fenced::Fenced;
pub(crate) use patch::Patch;
pub(crate) use search::Search;
pub(crate) use section::Section;

use crate::lines::{Held, Line};
use crate::out::Out;
use crate::prose::Prose;

/// A block or section that is open.
#[derive(Debug)]
pub(crate) enum Room {
    Block(Block),
    Fenced(Fenced),
    Search(Search),
    Patch(Patch),
    Diff(Diff),
    Section(Section),
}

/// What comes after a line that was read in a room.
#[derive(Debug)]
pub(crate) enum Step {
    /// The room goes on.
    Stay,
    /// The line was its last.
    Leave,
    /// It ended before the line, which is prose or begins something else.
    Reread,
    /// It ended some lines ago: these lines, and then the line, are prose or begin something else. Of the first of them only what
    /// stands from a byte of its text on.
    Rewind(Held, usize),
}

impl Room {
    /// Reads a line.
    pub(crate) fn read(&mut self, line: &Line<'_>, prose: &mut Prose, out: &mut Out) -> Step {
        match self {
            Self::Block(block) => block.read(line, prose, out),
            Self::Fenced(fenced) => fenced.read(line, prose, out),
            Self::Search(search) => search.read(line, prose, out),
            Self::Patch(patch) => patch.read(line, prose, out),
            Self::Diff(diff) => diff.read(line, prose, out),
            Self::Section(section) => section.read(line, prose, out),
        }
    }

    /// Ends the reply in the room, behind `last`. May give [`Step::Rewind`].
    pub(crate) fn finish(self, last: Last, prose: &mut Prose, out: &mut Out) -> Step {
        match self {
            Self::Block(block) => return block.finish(last, prose, out),
            Self::Fenced(fenced) => fenced.finish(last, prose, out),
            Self::Search(search) => search.finish(last, out),
            Self::Patch(patch) => patch.finish(last, out),
            Self::Diff(diff) => diff.finish(last, out),
            Self::Section(section) => section.finish(last, out),
        }
        Step::Leave
    }

    /// Gives the path of the open block; `None` in a section, and in a block that names no file.
    pub(crate) fn path(&self) -> Option<&str> {
        let path = match self {
            Self::Block(block) => block.path(),
            Self::Fenced(fenced) => fenced.path(),
            Self::Search(search) => search.path(),
            Self::Patch(patch) => patch.path()?,
            Self::Diff(diff) => diff.path()?,
            Self::Section(_) => return None,
        };
        Some(path).filter(|path| !path.is_empty())
    }
}

/// The last line of a reply.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Last {
    /// Where it ends: the length of the reply.
    pub(crate) end: usize,
    /// One-based; zero for an empty reply.
    pub(crate) number: usize,
}
