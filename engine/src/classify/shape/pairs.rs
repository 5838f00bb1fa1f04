//! Old texts and their new versions, handed in as such.
//!
//! An old text may be a part of a line. All are looked for in the original as it is; then each stretch of lines that they
//! touch becomes one hunk, whose old lines are the file's. An old text that isn't found is read as a search/replace
//! block, so that the verdict can say where it nearly stands.
//!
//! # Cost
//!
//! One search for each pair; the texts of the lines that are touched.

use std::borrow::Cow;

use super::{Draft, DraftLine, compare};
use crate::engine::Pair;
use crate::error::Error;
use crate::hunk::{Hint, Hunk, Op};
use crate::outcome::Shape;
use crate::range::{ByteRange, LineRange};
use crate::source::{Source, is_blank};
use crate::verdict::{Candidate, NeedsVerifyReason, ReasonKind};

/// Longest preview of a candidate place, in characters.
const PREVIEW: usize = 80;

const BYTE_ORDER_MARK: char = '\u{feff}';

/// How many candidate places are listed.
const MOST_CANDIDATES: usize = 20;

/// One place of an old text.
struct Place {
    bytes: ByteRange,
    /// Which pair it is of.
    pair: usize,
}

/// Reads pairs as hunks over lines of their own.
///
/// # Errors
///
/// [`Error::Malformed`] for a pair that says nothing.
pub(in crate::classify) fn read(pairs: &[Pair<'_>], original: &Source<'_>) -> Result<Draft<'static>, Error> {
    let mut draft = Draft::default();
    let mut places: Vec<Place> = Vec::new();
    let pairs: Vec<Pair<'_>> = pairs.iter().map(|pair| without_mark(pair, original)).collect();
    for (at, pair) in pairs.iter().enumerate() {
        let wrong = |message: &str| {
            let message = format!("{message} (pair {} of {})", at + 1, pairs.len());
            Error::Malformed { shape: Shape::Pairs, line: None, is_reply: false, message }
        };
        if pair.count == 0 {
            return Err(wrong("a count of 0 changes nothing"));
        }
        if pair.old.is_empty() && !original.lines().all(is_blank) {
            return Err(wrong("an empty old text stands everywhere"));
        }
        if pair.old == pair.new {
            return Err(wrong("old and new text are the same"));
        }
        let found = find(pair.old, original);
        let kept = places.len();
        places.extend(found.iter().map(|&bytes| Place { bytes, pair: at }));
        let overlap = overlap(&found, original);
        if found.len() == pair.count && overlap.is_none() {
            continue;
        }
        places.truncate(kept);
        if let Some(row) = overlap {
            let message = format!("the old text of pair {} stands at places that overlap, so none is replaced", at + 1);
            let reason = NeedsVerifyReason::new(ReasonKind::AmbiguousLocation, message);
            draft.doubts.push(reason.at_original(LineRange::new(row, row + 1)));
            continue;
        }
        match found.len() {
            0 => draft.add_unfound(at, pair),
            n => draft.doubts.push(miscounted(at, pair, n, &found, original)),
        }
    }
    places.sort_by_key(|place| (place.bytes.start, place.bytes.end));
    for overlapping in places.windows(2).filter(|two| two[1].bytes.start < two[0].bytes.end) {
        let [first, second] = [&overlapping[0], &overlapping[1]].map(|place| place.pair + 1);
        let message =
            format!("the old texts of pair {first} and pair {second} share some text, so only one can be put in");
        let row = original.line_at(overlapping[1].bytes.start);
        let reason = NeedsVerifyReason::new(ReasonKind::AmbiguousLocation, message);
        draft.doubts.push(reason.at_original(LineRange::new(row, row + 1)));
    }
    let mut end = 0;
    places.retain(|place| {
        let is_free = place.bytes.start >= end;
        end = if is_free { place.bytes.end } else { end };
        is_free
    });
    let rows = |place: &Place| {
        let first = original.line_at(place.bytes.start);
        let last = original.line_at(place.bytes.end.saturating_sub(1).max(place.bytes.start));
        LineRange::new(first, last + 1)
    };
    let mut rest = &places[..];
    while let Some(first) = rest.first() {
        let mut lines = rows(first);
        let mut n = 1;
        // A text that ends with its line is followed by another line's beginning.
        while let Some(next) = rest.get(n).filter(|next| rows(next).start < lines.end) {
            lines.end = lines.end.max(rows(next).end);
            n += 1;
        }
        draft.add_found(&pairs, &rest[..n], lines, original);
        rest = &rest[n..];
    }
    draft.partition();
    Ok(draft)
}

impl Draft<'static> {
    /// Adds the hunk of places that share lines.
    fn add_found(&mut self, pairs: &[Pair<'_>], places: &[Place], mut rows: LineRange, original: &Source<'_>) {
        let is_empty = original.is_empty();
        let mut text = String::new();
        let mut at = if is_empty { 0 } else { original.line_start(rows.start) };
        for place in places {
            text.push_str(&original.text()[at..place.bytes.start]);
            text.push_str(pairs[place.pair].new);
            at = place.bytes.end;
        }
        if is_empty {
            rows = LineRange::default();
        } else {
            // What took a line's end with it, and doesn't give it back, joins the next line.
            let ends_line = |text: &str| text.is_empty() || text.ends_with('\n') || text.ends_with('\r');
            if at == original.line_start(rows.end) && !ends_line(&text) && rows.end < original.n_lines() {
                rows.end += 1;
            }
            text.push_str(&original.text()[at..original.line_start(rows.end)]);
        }
        let new = Source::new(&text);
        let start = self.lines.len();
        let owned = |text: &str| DraftLine { text: Cow::Owned(text.to_owned()), with_column: None, is_sign: false };
        self.lines.extend(rows.iter().map(|row| owned(original.line(row))));
        let middle = self.lines.len();
        self.lines.extend(new.lines().map(owned));
        let end = self.lines.len();
        let ops = self.compare(start, middle, end);
        // An inserted line that repeats one beside it may have been put in before.
        let hint = Hint::Known(rows.start);
        self.hunks.push(Hunk { lines: LineRange::new(start, end), ops, hint, ..Hunk::default() });
        let repeats = places.iter().filter(|place| {
            let pair = &pairs[place.pair];
            let Some(before) = pair.new.find(pair.old).filter(|_| !pair.old.is_empty()) else { return false };
            let from = place.bytes.start.checked_sub(before);
            from.is_some_and(|from| original.text().get(from..from + pair.new.len()) == Some(pair.new))
        });
        self.doubts.extend(repeats.map(|place| {
            let row = original.line_at(place.bytes.start);
            let message = format!("the new text of pair {} stands there already", place.pair + 1);
            NeedsVerifyReason::new(ReasonKind::CodeDuplicated, message).at_original(LineRange::new(row, row + 1))
        }));
    }

    /// Adds a pair whose old text is nowhere, to be looked for by its lines.
    fn add_unfound(&mut self, at: usize, pair: &Pair<'_>) {
        let start = self.lines.len();
        let mut add = |text: &str| {
            let owned = |text: &str| DraftLine { text: Cow::Owned(text.to_owned()), with_column: None, is_sign: false };
            self.lines.extend(Source::new(text).lines().map(owned));
            self.lines.len()
        };
        let (middle, end) = (add(pair.old), add(pair.new));
        let ops = self.compare(start, middle, end);
        self.hunks.push(Hunk { lines: LineRange::new(start, end), ops, pair: Some(at), ..Hunk::default() });
    }

    /// Compares the old lines, which begin at `start`, with the new ones, from `middle` on.
    fn compare(&self, start: usize, middle: usize, end: usize) -> Vec<Op> {
        let (old, new): (Vec<usize>, Vec<usize>) = ((start..middle).collect(), (middle..end).collect());
        compare(&old, &new, |at| self.lines[at].text.clone().into_owned())
    }

    fn partition(&mut self) {
        let n = self.lines.len();
        super::partition(&mut self.hunks, n);
    }
}

/// Takes the byte order mark off a pair whose old text is quoted with the one that the original begins with.
fn without_mark<'a>(pair: &Pair<'a>, original: &Source<'_>) -> Pair<'a> {
    let has_mark = original.text().starts_with(BYTE_ORDER_MARK);
    match pair.old.strip_prefix(BYTE_ORDER_MARK).filter(|_| has_mark) {
        Some(old) if !old.is_empty() && original.text()[BYTE_ORDER_MARK.len_utf8()..].starts_with(old) => {
            Pair { old, new: pair.new.strip_prefix(BYTE_ORDER_MARK).unwrap_or(pair.new), ..*pair }
        }
        _ => *pair,
    }
}

/// Finds the places of a text from top to bottom, line ends apart; they don't overlap.
fn find(old: &str, original: &Source<'_>) -> Vec<ByteRange> {
    let text = original.text();
    // A byte order mark is no text: nothing is found in it or before it.
    let first = if text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len_utf8() } else { 0 };
    if old.is_empty() {
        return vec![ByteRange::new(first, first)];
    }
    let unix;
    let dos;
    let old = match (text.contains("\r\n"), old.contains("\r\n")) {
        (true, false) => {
            dos = old.replace('\n', "\r\n");
            &dos
        }
        (false, true) => {
            unix = old.replace("\r\n", "\n");
            &unix
        }
        _ => old,
    };
    memchr::memmem::find_iter(text.as_bytes(), old.as_bytes())
        .map(|at| ByteRange::new(at, at + old.len()))
        .filter(|bytes| bytes.start >= first && text.get(bytes.start..bytes.end).is_some())
        .collect()
}

/// Finds the line of a place that begins inside of another one.
fn overlap(found: &[ByteRange], original: &Source<'_>) -> Option<usize> {
    let text = original.text().as_bytes();
    let begins_inside = |place: &&ByteRange| {
        let end = (place.end + place.len()).saturating_sub(1).min(text.len());
        place.len() > 1
            && memchr::memmem::find(&text[place.start + 1..end.max(place.start + 1)], &text[place.start..place.end])
                .is_some()
    };
    found.iter().find(begins_inside).map(|place| original.line_at(place.start))
}

fn miscounted(at: usize, pair: &Pair<'_>, n: usize, found: &[ByteRange], original: &Source<'_>) -> NeedsVerifyReason {
    let message = format!(
        "the old text of pair {} is expected {} and stands {}, so none is replaced",
        at + 1,
        times(pair.count),
        times(n)
    );
    let mut reason = NeedsVerifyReason::new(ReasonKind::AmbiguousLocation, message);
    let mut rows: Vec<usize> = found.iter().map(|bytes| original.line_at(bytes.start)).collect();
    rows.dedup();
    reason.candidates = rows
        .into_iter()
        .take(MOST_CANDIDATES)
        .map(|row| Candidate { original_line: row, preview: original.line(row).trim().chars().take(PREVIEW).collect() })
        .collect();
    reason
}

fn times(n: usize) -> String {
    if n == 1 { "once".to_owned() } else { format!("{n} times") }
}
