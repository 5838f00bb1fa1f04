//! A text cut into lines without losing a byte.
//!
//! A line is its *content* and its *terminator* (`\n`, `\r\n`, or nothing at the end of a text without a
//! final newline). Where a text has no `\n` at all, a lone `\r` ends a line; elsewhere it is content. A byte
//! order mark belongs to no line: it lies before the first one.
//!
//! # Cost
//!
//! Two `memchr` passes and four bytes a line.

use std::borrow::Cow;

use crate::digest::Digests;
use crate::range::{ByteRange, LineRange};
use crate::treesitter::Trees;

/// The UTF-8 form of the byte order mark.
pub(crate) const BYTE_ORDER_MARK: &str = "\u{feff}";

/// A borrowed text and the table of its lines.
///
/// # Examples
///
/// ```
/// use treegraft::{LineRange, Source};
///
/// let source = Source::new("one\r\ntwo");
/// assert_eq!((source.line(0), source.terminator(0)), ("one", "\r\n"));
/// assert_eq!(source.slice(LineRange::new(1, 2)), "two");
/// assert!(!source.has_final_newline());
/// ```
#[derive(Debug, Clone)]
pub struct Source<'a> {
    text: &'a str,
    lines: Cow<'a, LineTable>,
    /// What is known of the text's blocks, if it is kept from edit to edit.
    digests: Option<&'a Digests>,
    /// The trees of windows that were read before.
    trees: Option<&'a Trees>,
}

impl<'a> Source<'a> {
    /// Cuts `text` into lines.
    ///
    /// Offsets are kept in 32 bits. Of a text of 4 GiB or more only what they reach is cut into lines; the engine refuses
    /// such texts before.
    #[must_use]
    pub fn new(text: &'a str) -> Self {
        Self { text, lines: Cow::Owned(LineTable::new(text)), digests: None, trees: None }
    }

    /// Takes a text whose lines are known.
    pub(crate) fn of_lines(text: &'a str, lines: &'a LineTable) -> Self {
        Self { text, lines: Cow::Borrowed(lines), digests: None, trees: None }
    }

    /// Takes what a document keeps.
    pub(crate) fn kept(text: &'a str, lines: &'a LineTable, digests: &'a Digests, trees: &'a Trees) -> Self {
        Self { digests: Some(digests), trees: Some(trees), ..Self::of_lines(text, lines) }
    }

    /// Gives what is known of the text's blocks; `None` where nothing is, so that the text has to be passed over.
    pub(crate) fn digests(&self) -> Option<&'a Digests> {
        self.digests
    }

    /// Gives the trees of windows that were read before; `None` where none are kept.
    pub(crate) fn trees(&self) -> Option<&'a Trees> {
        self.trees
    }

    /// Gives the whole text, byte order mark included.
    #[must_use]
    pub fn text(&self) -> &'a str {
        self.text
    }

    /// Counts the lines; an empty text has none, and a final newline starts no further line.
    #[must_use]
    pub fn n_lines(&self) -> usize {
        self.lines.starts.len() - 1
    }

    /// Says whether the text holds no line.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.n_lines() == 0
    }

    /// Gives the byte offset at which line `line` starts; for `line == n_lines()` the text's end.
    ///
    /// # Panics
    ///
    /// If `line` is beyond `n_lines()`.
    #[must_use]
    pub fn line_start(&self, line: usize) -> usize {
        self.lines.starts[line] as usize
    }

    /// Gives the line that holds byte `offset`; the last line for offsets past the end.
    #[must_use]
    pub fn line_at(&self, offset: usize) -> usize {
        let after = self.lines.starts[..self.n_lines()].partition_point(|&start| start as usize <= offset);
        after.saturating_sub(1)
    }

    /// Gives the bytes of `lines`, terminators included.
    #[must_use]
    pub fn bytes_of(&self, lines: LineRange) -> ByteRange {
        ByteRange::new(self.line_start(lines.start), self.line_start(lines.end))
    }

    /// Gives the text of `lines`, terminators included.
    #[must_use]
    pub fn slice(&self, lines: LineRange) -> &'a str {
        let bytes = self.bytes_of(lines);
        &self.text[bytes.start..bytes.end]
    }

    /// Gives the content of one line, without its terminator.
    #[must_use]
    pub fn line(&self, line: usize) -> &'a str {
        let full = self.slice(LineRange::new(line, line + 1));
        &full[..full.len() - self.terminator_of(full).len()]
    }

    /// Gives the terminator of one line: `"\n"`, `"\r\n"`, `"\r"` or `""`.
    #[must_use]
    pub fn terminator(&self, line: usize) -> &'a str {
        self.terminator_of(self.slice(LineRange::new(line, line + 1)))
    }

    fn terminator_of(&self, full: &'a str) -> &'a str {
        let bytes = full.as_bytes();
        let len = match bytes {
            [.., b'\r', b'\n'] => 2,
            [.., last] if *last == self.lines.newline => 1,
            _ => 0,
        };
        &full[full.len() - len..]
    }

    /// Gives the contents of all lines in order.
    #[must_use]
    pub fn lines(&self) -> impl ExactSizeIterator<Item = &'a str> + Clone + '_ {
        (0..self.n_lines()).map(|line| self.line(line))
    }

    /// Gives the terminator most lines have; on a tie the one that comes first; `"\n"` if no line has one.
    ///
    /// Looks at the first 1,000 lines: a file that changes its mind later is mixed anyway.
    #[must_use]
    pub fn dominant_terminator(&self) -> &'static str {
        let (mut n_single, mut n_double) = (0, 0);
        for line in 0..self.n_lines().min(1_000) {
            match self.terminator(line).len() {
                1 => n_single += 1,
                2 => n_double += 1,
                _ => {}
            }
        }
        match self.newline() {
            _ if n_double > n_single => "\r\n",
            b'\r' => "\r",
            _ => "\n",
        }
    }

    /// Gives the byte that ends lines in this text: a line feed, or a carriage return where there is no line feed.
    pub(crate) fn newline(&self) -> u8 {
        self.lines.newline
    }

    /// Says whether the last line ends with a terminator. True for an empty text.
    #[must_use]
    pub fn has_final_newline(&self) -> bool {
        self.n_lines().checked_sub(1).is_none_or(|last| !self.terminator(last).is_empty())
    }
}

/// Where the lines of a text begin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LineTable {
    /// Byte offset of each line's start, then the text's length. Never empty.
    starts: Vec<u32>,
    /// The byte that ends a line in this text.
    newline: u8,
}

impl LineTable {
    /// Cuts `text` into lines.
    pub(crate) fn new(text: &str) -> Self {
        let bytes = text.as_bytes();
        let newline = if memchr::memchr(b'\n', bytes).is_none() && memchr::memchr(b'\r', bytes).is_some() {
            b'\r'
        } else {
            b'\n'
        };
        let first = if text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
        let limit = bytes.len().min(u32::MAX as usize - 1);
        let content = &bytes[first.min(limit)..limit];
        // Counting is quick, and a table of the right size is neither copied nor too large.
        let mut starts = Vec::with_capacity(memchr::memchr_iter(newline, content).count() + 2);
        if bytes.len() > first {
            starts.push(first as u32);
        }
        for at in memchr::memchr_iter(newline, content) {
            starts.push((first + at + 1) as u32);
        }
        if starts.last() == Some(&(limit as u32)) {
            starts.pop();
        }
        starts.push(limit as u32);
        Self { starts, newline }
    }

    /// Counts the lines.
    pub(crate) fn n_lines(&self) -> usize {
        self.starts.len() - 1
    }

    /// Gives the byte offset at which a line starts, or at which the text ends.
    pub(crate) fn start(&self, line: usize) -> usize {
        self.starts[line] as usize
    }

    /// Counts the bytes that are held.
    pub(crate) fn n_bytes(&self) -> usize {
        self.starts.capacity() * size_of::<u32>()
    }

    /// Puts `new` in the place of some bytes: gives the old lines that may have changed, and those that stand for them now.
    /// `ended` says whether the old text ends with a line end. `None` where only the whole new text tells its lines:
    /// where there were or are no two, or they end with `\r`; then the table is of no use any more.
    ///
    /// The text has to begin with a byte order mark as before, or without as before.
    ///
    /// # Cost
    ///
    /// Linear in the new text, and an addition for each line behind it.
    pub(crate) fn replace(&mut self, old: ByteRange, new: &str, ended: bool) -> Option<(LineRange, LineRange)> {
        let n_old = self.n_lines();
        let len = self.starts[n_old] as usize;
        let new_len = (len - old.len()).checked_add(new.len()).filter(|&len| len < u32::MAX as usize)?;
        if self.newline != b'\n' || n_old < 2 {
            return None;
        }
        // Behind each line end a line begins: those in the old bytes go, those in the new ones come, the others move. Behind
        // the last one a line may come to begin.
        if ended {
            self.starts.push(len as u32);
        }
        let begun = &self.starts[..self.starts.len() - 1];
        let first_gone = begun.partition_point(|&start| start as usize <= old.start);
        let first_moved = begun.partition_point(|&start| start as usize <= old.end);
        for start in &mut self.starts[first_moved..] {
            *start = (*start as usize - old.len() + new.len()) as u32;
        }
        let added = memchr::memchr_iter(b'\n', new.as_bytes()).map(|at| (old.start + at + 1) as u32);
        self.starts.splice(first_gone..first_moved, added);
        let last = self.starts.len() - 1;
        if self.starts[last - 1] as usize == new_len {
            self.starts.pop();
        }
        let n_new = self.n_lines();
        if n_new < 2 {
            return None;
        }
        let touched = LineRange::new((first_gone - 1).min(n_old), first_moved.min(n_old));
        Some((touched, LineRange::new(touched.start, n_new - (n_old - touched.end))))
    }
}

/// Says whether a line holds nothing but white space.
#[must_use]
pub(crate) fn is_blank(line: &str) -> bool {
    line.trim().is_empty()
}

/// Gives the leading blanks and tabs of a line.
#[must_use]
pub(crate) fn indent_of(line: &str) -> &str {
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, wanted: &[(&str, &str)]) {
        let source = Source::new(text);
        let got: Vec<_> = (0..source.n_lines()).map(|n| (source.line(n), source.terminator(n))).collect();
        assert_eq!(got, wanted, "{text:?}");
        let rebuilt = source.slice(LineRange::new(0, source.n_lines()));
        assert!(text.ends_with(rebuilt), "{text:?}: lines cover the text but for a byte order mark");
    }

    #[test]
    fn every_kind_of_line_end_is_kept() {
        check("", &[]);
        check("\n", &[("", "\n")]);
        check("a", &[("a", "")]);
        check("a\nb\n", &[("a", "\n"), ("b", "\n")]);
        check("a\r\nb\n\n", &[("a", "\r\n"), ("b", "\n"), ("", "\n")]);
        check("a\rb\r", &[("a", "\r"), ("b", "\r")]);
        check("a\rb\nc", &[("a\rb", "\n"), ("c", "")]);
        check("\u{feff}a\n", &[("a", "\n")]);
        check("\u{feff}", &[]);
    }

    #[test]
    fn line_at_finds_the_line_of_an_offset() {
        let source = Source::new("ab\n\nc");
        let lines: Vec<_> = (0..6).map(|offset| source.line_at(offset)).collect();
        assert_eq!(lines, [0, 0, 0, 1, 2, 2]);
    }

    #[test]
    fn the_more_frequent_terminator_dominates() {
        assert_eq!(Source::new("a\r\nb\nc\r\n").dominant_terminator(), "\r\n");
        assert_eq!(Source::new("a\r\nb\n").dominant_terminator(), "\n");
        assert_eq!(Source::new("a").dominant_terminator(), "\n");
    }
}
