//! From segments to minimal replacements.
//!
//! What changed is known from the segments; a line diff inside each changed region only takes out the lines that
//! are written as they were. Equal lines at both ends are stripped first, so that the diff sees as little as
//! possible.
//!
//! # Cost
//!
//! O(changed text) and the diff of each region; nothing depends on the file.

use imara_diff::{Algorithm, Diff, InternedInput};

use crate::fingerprint::fingerprint;
use crate::range::{ByteRange, LineRange};
use crate::replacement::Replacement;
use crate::source::Source;
use crate::stitch::{Segment, Segments};

/// Makes the replacements that turn `original` into the segments' text: rising, disjoint, whole lines.
pub(crate) fn replacements(segments: &Segments, original: &Source<'_>, summary: &str) -> Vec<Replacement> {
    let mut found = Vec::new();
    let mut at = Position::default();
    for segment in segments.iter() {
        match segment {
            Segment::Keep(lines) => {
                at.close(original, lines.start, summary, &mut found);
                at.original = lines.end;
                at.result += lines.len();
            }
            Segment::Insert(text) => at.pending.push_str(text),
        }
    }
    at.close(original, original.n_lines(), summary, &mut found);
    found
}

/// Makes the replacements that turn one text into another.
#[cfg(test)]
pub(crate) fn between(original: &Source<'_>, result: &str) -> Vec<Replacement> {
    let mut found = Vec::new();
    let all = LineRange::new(0, original.n_lines());
    narrow(original, all, &split_like(result, original), 0, "", &mut found);
    found
}

/// How far both texts are read, and the new text not yet compared.
#[derive(Default)]
struct Position {
    original: usize,
    result: usize,
    pending: String,
}

impl Position {
    /// Ends a changed region at original line `until`.
    fn close(&mut self, original: &Source<'_>, until: usize, summary: &str, found: &mut Vec<Replacement>) {
        let new = std::mem::take(&mut self.pending);
        let new_lines = split_like(&new, original);
        let old = LineRange::new(self.original, until);
        narrow(original, old, &new_lines, self.result, summary, found);
        self.original = until;
        self.result += new_lines.len();
    }
}

/// Cuts new text into lines with their terminators, by the original's kind of line end.
fn split_like<'t>(text: &'t str, original: &Source<'_>) -> Vec<&'t str> {
    text.split_inclusive(char::from(original.newline())).collect()
}

/// Puts each replacement's text in place of its range.
pub(crate) fn rebuild(original: &Source<'_>, replacements: &[Replacement]) -> String {
    let mut text = String::with_capacity(original.text().len());
    let mut at = 0;
    for replacement in replacements {
        text.push_str(&original.text()[at..replacement.bytes.start]);
        text.push_str(&replacement.new);
        at = replacement.bytes.end;
    }
    text.push_str(&original.text()[at..]);
    text
}

fn narrow(
    original: &Source<'_>,
    old: LineRange,
    new: &[&str],
    result_line: usize,
    summary: &str,
    found: &mut Vec<Replacement>,
) {
    let old_line = |line: usize| original.slice(LineRange::new(line, line + 1));
    let most = old.len().min(new.len());
    let head = (0..most).take_while(|&n| old_line(old.start + n) == new[n]).count();
    let tail = (0..most - head).take_while(|&n| old_line(old.end - 1 - n) == new[new.len() - 1 - n]).count();
    let old = LineRange::new(old.start + head, old.end - tail);
    let new = &new[head..new.len() - tail];
    let result_line = result_line + head;
    if old.is_empty() && new.is_empty() {
        return;
    }
    let mut push = |before: LineRange, after: LineRange| {
        let bytes = original.bytes_of(before);
        let old = original.slice(before).to_owned();
        let new = new[after.iter()].concat();
        found.push(Replacement {
            id: id(bytes, &old, &new),
            bytes,
            old_lines: before,
            new_lines: LineRange::new(result_line + after.start, result_line + after.end),
            old,
            new,
            summary: summary.to_owned(),
        });
    };
    if old.is_empty() || new.is_empty() {
        push(old, LineRange::new(0, new.len()));
        return;
    }
    let mut input: InternedInput<&str> = InternedInput::default();
    input.update_before(old.iter().map(old_line));
    input.update_after(new.iter().copied());
    for hunk in Diff::compute(Algorithm::Histogram, &input).hunks() {
        push(
            LineRange::new(old.start + hunk.before.start as usize, old.start + hunk.before.end as usize),
            LineRange::new(hunk.after.start as usize, hunk.after.end as usize),
        );
    }
}

/// Derives a replacement's id from its place and content.
fn id(bytes: ByteRange, old: &str, new: &str) -> String {
    fingerprint(&[&bytes.start.to_le_bytes(), old.as_bytes(), &[0], new.as_bytes()])
}
