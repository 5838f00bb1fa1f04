//! Chunks to lines: the one place that knows where a chunk ends.
//!
//! A line is looked at when its line feed has come in. A line feed is never part of a longer UTF-8 sequence, so whole lines decode
//! the same however the reply is cut. A line that lies in one chunk is not copied.
//!
//! # Cost
//!
//! One search for line feeds over every chunk. What is kept is the start of the line that is not complete.

use std::borrow::Cow;

use memchr::memchr;

use crate::Span;
use crate::room::Last;

/// One line of the reply.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line<'a> {
    /// The text without its line feed; a carriage return before it is still there.
    pub(crate) text: &'a str,
    /// Its bytes in the reply, with the line feed.
    pub(crate) span: Span,
    /// One-based.
    pub(crate) number: usize,
    /// Whether a line feed ends it; only the last line of a reply may have none.
    pub(crate) ended: bool,
    /// Whether some of its bytes were not UTF-8 and stand in `text` as U+FFFD.
    pub(crate) lossy: bool,
}

impl<'a> Line<'a> {
    /// Gives the text without white space around it, and without a byte order mark at the start of the reply.
    pub(crate) fn trimmed(&self) -> &'a str {
        let text = self.text[self.mark_len()..].trim_ascii();
        // White space beyond ASCII is rare, and looking for it is slow.
        let odd = |byte: Option<&u8>| byte.is_some_and(|&byte| byte >= 0x80 || byte == VERTICAL_TAB);
        if odd(text.as_bytes().first()) || odd(text.as_bytes().last()) { text.trim() } else { text }
    }

    /// Gives where the trimmed text begins in the text, in bytes.
    pub(crate) fn lead(&self) -> usize {
        let text = &self.text[self.mark_len()..];
        self.text.len() - text.trim_start().len()
    }

    /// Gives the length of the byte order mark, in bytes.
    fn mark_len(&self) -> usize {
        if self.span.start == 0 && self.text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 }
    }

    /// Gives the line from byte `at` of its text on, as a line of its own.
    pub(crate) fn rest(&self, at: usize) -> Self {
        let text = self.text.get(at..).unwrap_or_default();
        // Of a line that was not UTF-8 the bytes can't be counted in its text; the whole line is the best there is.
        let start = if self.lossy { self.span.start } else { self.span.start + at };
        Self { text, span: Span::new(start, self.span.end), ..*self }
    }

    /// Gives the bytes of the line without its line feed.
    pub(crate) fn bytes(&self) -> Span {
        Span::new(self.span.start, self.span.end - usize::from(self.ended))
    }
}

/// Cuts chunks into lines.
#[derive(Debug, Default)]
pub(crate) struct Lines {
    /// The start of the line that is not complete.
    open: Vec<u8>,
    /// Where that line starts in the reply.
    start: usize,
    /// How many lines are complete.
    number: usize,
}

impl Lines {
    /// Takes a chunk if it is short and completes no line; says whether it did. It is what most tokens of a model are.
    #[inline]
    pub(crate) fn hold(&mut self, chunk: &[u8]) -> bool {
        if chunk.len() > SHORT || chunk.contains(&b'\n') {
            return false;
        }
        if let [byte] = chunk {
            self.open.push(*byte);
        } else {
            self.open.extend_from_slice(chunk);
        }
        true
    }

    /// Takes a chunk, and hands every line that it completes to `each`.
    pub(crate) fn push(&mut self, mut chunk: &[u8], mut each: impl FnMut(Line<'_>)) {
        while let Some(at) = memchr(b'\n', chunk) {
            let (head, tail) = (&chunk[..at], &chunk[at + 1..]);
            if self.open.is_empty() {
                self.complete(head, true, &mut each);
            } else {
                let mut line = std::mem::take(&mut self.open);
                line.extend_from_slice(head);
                self.complete(&line, true, &mut each);
                line.clear();
                self.open = line;
            }
            chunk = tail;
        }
        self.open.extend_from_slice(chunk);
    }

    /// Ends the reply: a last line without a line feed is a line too.
    pub(crate) fn finish(&mut self, mut each: impl FnMut(Line<'_>)) {
        let line = std::mem::take(&mut self.open);
        if !line.is_empty() {
            self.complete(&line, false, &mut each);
        }
    }

    fn complete(&mut self, bytes: &[u8], ended: bool, each: &mut impl FnMut(Line<'_>)) {
        let text = match std::str::from_utf8(bytes) {
            Ok(text) => Cow::Borrowed(text),
            Err(_) => String::from_utf8_lossy(bytes),
        };
        let end = self.start + bytes.len() + usize::from(ended);
        self.number += 1;
        each(Line {
            text: &text,
            span: Span::new(self.start, end),
            number: self.number,
            ended,
            lossy: matches!(text, Cow::Owned(_)),
        });
        self.start = end;
    }

    /// Gives the end of the reply so far.
    pub(crate) fn last(&self) -> Last {
        Last { end: self.start, number: self.number }
    }
}

/// White space that `trim_ascii` leaves.
const VERTICAL_TAB: u8 = 0x0b;

/// Up to how many bytes a chunk is looked through byte by byte, which for so few is faster than a search.
const SHORT: usize = 8;

/// Lines that were read and may have to be read again. They take no more memory than their text, however short they are.
#[derive(Debug, Default)]
pub(crate) struct Held {
    /// The text, each line with a line feed.
    text: String,
    /// How many lines there are.
    len: usize,
    /// Where the first begins in the reply, and its number, one-based.
    first: (usize, usize),
    /// The lines that were not UTF-8, by their index here, and how many bytes they had.
    lossy: Vec<(usize, usize)>,
    /// Whether a line feed ended the last.
    ended: bool,
}

impl Held {
    /// Adds the next line of the reply.
    pub(crate) fn push(&mut self, line: &Line<'_>) {
        if self.len == 0 {
            self.first = (line.span.start, line.number);
        }
        if line.lossy {
            self.lossy.push((self.len, line.bytes().len()));
        }
        self.text.push_str(line.text);
        self.text.push('\n');
        self.len += 1;
        self.ended = line.ended;
    }

    /// Gives the lines in their order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Line<'_>> {
        let (mut start, first) = self.first;
        let mut lossy = self.lossy.iter().peekable();
        self.text.split_terminator('\n').enumerate().map(move |(index, text)| {
            let odd = lossy.next_if(|(at, _)| *at == index);
            let len = odd.map_or(text.len(), |&(_, len)| len);
            let ended = self.ended || index + 1 < self.len;
            let span = Span::new(start, start + len + usize::from(ended));
            start = span.end;
            Line { text, span, number: first + index, ended, lossy: odd.is_some() }
        })
    }

    /// Counts the lines.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Forgets all lines.
    pub(crate) fn clear(&mut self) {
        self.text.clear();
        self.lossy.clear();
        self.len = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn held_lines_are_the_lines() {
        for text in [&b"a\n\n\xff\xff b\r\n\xc3\xa9\nend"[..], b"\n\n", b"\xff", b"a"] {
            let mut held = Held::default();
            let mut wanted = Vec::new();
            let mut lines = Lines::default();
            let mut take = |line: Line<'_>| {
                held.push(&line);
                wanted.push(format!("{line:?}"));
            };
            lines.push(text, &mut take);
            lines.finish(&mut take);
            assert_eq!(held.iter().map(|line| format!("{line:?}")).collect::<Vec<_>>(), wanted);
            assert_eq!(held.len(), wanted.len());
        }
    }
}
