//! Half-open byte ranges of a reply.

use std::fmt;
use std::ops::Range;

/// A half-open range of bytes `start..end` of the reply as it came in.
///
/// # Examples
///
/// ```
/// let reply = "- a.txt:\n<PlandexBlock lang=\"text\" path=\"a.txt\">\nHi\n</PlandexBlock>\n";
/// let parsed = treegraft_reply::parse(reply);
/// let block = parsed.operations[0].as_file().ok_or("no file block")?;
/// assert_eq!(&reply[block.parts.body.range()], "Hi\n");
/// # Ok::<(), &str>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
pub struct Span {
    /// First byte, zero-based.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// Makes the range `start..end`; an end before the start is raised to it.
    #[must_use]
    pub const fn new(start: usize, end: usize) -> Self {
        Self { start, end: if end < start { start } else { end } }
    }

    /// Counts the bytes.
    #[must_use]
    pub const fn len(self) -> usize {
        self.end - self.start
    }

    /// Says whether the range covers nothing.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// Gives the range as an index into the bytes of the reply.
    #[must_use]
    pub const fn range(self) -> Range<usize> {
        self.start..self.end
    }
}

impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.start, self.end)
    }
}
