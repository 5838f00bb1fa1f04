//! What a parser gets to see of a text: all of it, or the lines that an edit touches.

use std::borrow::Cow;
use std::ops::Range;

use crate::range::{ByteRange, LineRange};
use crate::source::Source;

/// A text and the parts of it that count.
///
/// The grammars know `\n` and `\r\n` only, so a text with lone `\r` is shown with `\n` in their place: byte
/// offsets and rows are the same.
#[derive(Debug, Clone)]
pub(crate) struct View<'a> {
    text: Cow<'a, str>,
    /// Kept bytes with the rows they start and end on; empty where the whole text is kept.
    kept: Vec<(ByteRange, LineRange)>,
}

impl<'a> View<'a> {
    /// Shows the whole text.
    pub(crate) fn whole(source: &Source<'a>) -> Self {
        Self { text: normal_line_ends(source.text()), kept: Vec::new() }
    }

    /// Shows only some lines; `lines` must rise and not overlap. Offsets and rows stay those of the text.
    pub(crate) fn lines(source: &Source<'a>, lines: &[LineRange]) -> Self {
        Self::parts(source.text(), lines.iter().map(|&lines| (source.bytes_of(lines), lines)).collect())
    }

    /// Shows only some parts of a text, which must be whole lines, rise and not overlap.
    pub(crate) fn parts(text: &'a str, kept: Vec<(ByteRange, LineRange)>) -> Self {
        Self { text: normal_line_ends(text), kept }
    }

    /// Shows only some of the kept parts, by their positions.
    pub(crate) fn only(&self, parts: Range<usize>) -> View<'_> {
        View { text: Cow::Borrowed(&self.text), kept: self.kept[parts].to_vec() }
    }

    /// Gives the kept parts: bytes, and the rows they start and end on. None means all.
    pub(crate) fn kept(&self) -> &[(ByteRange, LineRange)] {
        &self.kept
    }

    /// Gives the text of a part.
    pub(crate) fn slice(&self, bytes: ByteRange) -> &str {
        self.text.get(bytes.start..bytes.end).unwrap_or_default()
    }

    /// Gives the text, kept or not.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Gives the text that a parser reads.
    pub(crate) fn read_text(&self) -> Cow<'_, str> {
        if self.kept.is_empty() {
            return Cow::Borrowed(&self.text);
        }
        Cow::Owned(self.kept.iter().map(|&(bytes, _)| self.slice(bytes)).collect())
    }

    /// Counts the bytes that a parser reads.
    pub(crate) fn n_bytes(&self) -> usize {
        if self.kept.is_empty() { self.text.len() } else { self.kept.iter().map(|(bytes, _)| bytes.len()).sum() }
    }

    /// Gives the kept parts as the parser wants them; none means all.
    pub(crate) fn included_ranges(&self) -> Vec<tree_sitter::Range> {
        self.kept
            .iter()
            .map(|&(bytes, lines)| tree_sitter::Range {
                start_byte: bytes.start,
                end_byte: bytes.end,
                start_point: tree_sitter::Point { row: lines.start, column: 0 },
                end_point: self.end_point(bytes, lines),
            })
            .collect()
    }

    /// Gives the point one past the part: the start of the next line, or the end of a last line that has no
    /// terminator.
    fn end_point(&self, bytes: ByteRange, lines: LineRange) -> tree_sitter::Point {
        let part = self.slice(bytes);
        if lines.is_empty() || part.ends_with('\n') {
            return tree_sitter::Point { row: lines.end, column: 0 };
        }
        let column = part.len() - part.rfind('\n').map_or(0, |at| at + 1);
        tree_sitter::Point { row: lines.end - 1, column }
    }
}

/// Gives a text with every line ended by `\n` or `\r\n`, byte for byte as long.
fn normal_line_ends(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    if memchr::memchr(b'\n', bytes).is_none() && memchr::memchr(b'\r', bytes).is_some() {
        Cow::Owned(text.replace('\r', "\n"))
    } else {
        Cow::Borrowed(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kept_lines_become_ranges() {
        let source = Source::new("a\nbc\nd\nef");
        let view = View::lines(&source, &[(0..1).into(), (1..1).into(), (2..4).into()]);
        let got: Vec<_> = view
            .included_ranges()
            .iter()
            .map(|range| (range.start_byte, range.end_byte, range.start_point.row, range.end_point.row))
            .collect();
        assert_eq!(got, [(0, 2, 0, 1), (2, 2, 1, 1), (5, 9, 2, 3)]);
        assert_eq!(view.included_ranges()[2].end_point.column, 2);
        assert_eq!(view.n_bytes(), 6);
    }

    #[test]
    fn lone_carriage_returns_are_shown_as_newlines() {
        assert_eq!(View::whole(&Source::new("a\rb")).text(), "a\nb");
        assert_eq!(View::whole(&Source::new("a\r\nb\rc")).text(), "a\r\nb\rc");
    }
}
