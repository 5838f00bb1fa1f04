//! From the ledger to the result: original bytes that stay and text that is written.
//!
//! New lines end as the line before them does; in an empty file as those of the snippet do. A last line without terminator that gets a successor is written
//! anew with one, and the new last line goes without: the file's final newline stays as it was.
//!
//! # Cost
//!
//! O(steps + new text); the result is one copy.

use crate::classify::Snippet;
use crate::ledger::{Ledger, Step};
use crate::outcome::Shape;
use crate::range::LineRange;
use crate::source::Source;

/// A piece of the result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Segment {
    /// Original lines with their own bytes.
    Keep(LineRange),
    /// Text that is written: whole lines.
    Insert(String),
}

/// The result as pieces, in order. Original lines between two kept pieces are gone.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Segments(Vec<Segment>);

impl Segments {
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Segment> {
        self.0.iter()
    }

    /// Copies the pieces together, the byte order mark first.
    pub(crate) fn text(&self, original: &Source<'_>) -> String {
        let mut text = String::with_capacity(original.text().len());
        text.push_str(&original.text()[..original.line_start(0)]);
        for segment in &self.0 {
            text.push_str(match segment {
                Segment::Keep(lines) => original.slice(*lines),
                Segment::Insert(new) => new,
            });
        }
        text
    }

    /// Says whether two ways to cut and write give the same text.
    ///
    /// # Cost
    ///
    /// Pieces that keep the same original lines are passed over; only where the texts are apart are bytes compared,
    /// up to the first that differs.
    pub(crate) fn give_same_text(&self, other: &Self, original: &Source<'_>) -> bool {
        let mut ours = Reader::new(self, original);
        let mut theirs = Reader::new(other, original);
        loop {
            match (ours.rest(), theirs.rest()) {
                ([], []) => return true,
                ([], _) | (_, []) => return false,
                (a, b) => {
                    let n = a.len().min(b.len());
                    let is_same_place = std::ptr::eq(a.as_ptr(), b.as_ptr());
                    if !is_same_place && a[..n] != b[..n] {
                        return false;
                    }
                    ours.at += n;
                    theirs.at += n;
                }
            }
        }
    }

    fn keep(&mut self, lines: LineRange) {
        match self.0.last_mut() {
            _ if lines.is_empty() => {}
            Some(Segment::Keep(last)) if last.end == lines.start => last.end = lines.end,
            _ => self.0.push(Segment::Keep(lines)),
        }
    }

    fn insert(&mut self, line: &str, terminator: &str) {
        if !matches!(self.0.last(), Some(Segment::Insert(_))) {
            self.0.push(Segment::Insert(String::new()));
        }
        if let Some(Segment::Insert(text)) = self.0.last_mut() {
            text.push_str(line);
            text.push_str(terminator);
        }
    }

    /// Writes the last kept line anew with a terminator, if it has none.
    fn complete_last_line(&mut self, original: &Source<'_>, terminator: &str) {
        let Some(Segment::Keep(lines)) = self.0.last_mut() else { return };
        let last = lines.end - 1;
        if !original.terminator(last).is_empty() {
            return;
        }
        lines.end = last;
        if lines.is_empty() {
            self.0.pop();
        }
        self.insert(original.line(last), terminator);
    }
}

/// Reads the pieces of a result one after the other.
struct Reader<'s> {
    pieces: std::slice::Iter<'s, Segment>,
    original: &'s Source<'s>,
    piece: &'s str,
    /// How many bytes of the piece are read.
    at: usize,
}

impl<'s> Reader<'s> {
    fn new(segments: &'s Segments, original: &'s Source<'s>) -> Self {
        Self { pieces: segments.0.iter(), original, piece: "", at: 0 }
    }

    /// Gives what isn't read of the current piece; nothing at the end of all.
    fn rest(&mut self) -> &'s [u8] {
        while self.at == self.piece.len() {
            self.at = 0;
            self.piece = match self.pieces.next() {
                Some(Segment::Keep(lines)) => self.original.slice(*lines),
                Some(Segment::Insert(new)) => new,
                None => {
                    self.piece = "";
                    return &[];
                }
            };
        }
        &self.piece.as_bytes()[self.at..]
    }
}

/// Writes the result that a ledger describes.
pub(crate) fn stitch(ledger: &Ledger, original: &Source<'_>, snippet: &Snippet<'_>) -> Segments {
    // Where no line of the file says how lines end, the snippet does.
    let dominant = if snippet.crlf && original.n_lines() == 0 { "\r\n" } else { original.dominant_terminator() };
    let mut segments = Segments::default();
    // The terminator of the line above, which new lines take over.
    let mut terminator = first_terminator(ledger, original).unwrap_or(dominant);
    let mut writes_last = false;
    for step in ledger.steps() {
        match *step {
            Step::Anchor { .. } | Step::Fill { .. } | Step::Keep { .. } => {
                let lines = step.original().unwrap_or_default();
                segments.keep(lines);
                if let Some(last) = lines.end.checked_sub(1).filter(|_| !lines.is_empty()) {
                    let own = original.terminator(last);
                    terminator = if own.is_empty() { terminator } else { own };
                    writes_last = false;
                }
            }
            Step::New { snippet: lines } => {
                segments.complete_last_line(original, terminator);
                for line in lines {
                    segments.insert(&snippet.lines[line].text, terminator);
                    writes_last = true;
                }
            }
            Step::Remove { .. } | Step::Marker { .. } | Step::Drop { .. } => {}
        }
    }
    let keeps_newline = if original.is_empty() {
        snippet.final_newline
    } else {
        original.has_final_newline() || (snippet.shape == Shape::WholeFile && snippet.final_newline)
    };
    if writes_last
        && !keeps_newline
        && let Some(Segment::Insert(text)) = segments.0.last_mut()
    {
        let end = text.strip_suffix(terminator).map_or(text.len(), str::len);
        text.truncate(end);
    }
    segments
}

/// Gives the terminator of the first line that stays.
fn first_terminator<'a>(ledger: &Ledger, original: &Source<'a>) -> Option<&'a str> {
    let first = ledger.steps().iter().filter(|step| step.keeps()).filter_map(Step::original).find(|r| !r.is_empty())?;
    Some(original.terminator(first.start)).filter(|terminator| !terminator.is_empty())
}
