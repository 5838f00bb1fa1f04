//! A hunk that doesn't stand in the original as it is written: where it nearly does, and what differs there.
//!
//! Models misquote: they drop a blank line, write another indentation, quote from memory. Such a hunk is carried over
//! as a three-way merge would: its old lines are matched with the file's, what it keeps stays as the file has it, what
//! it removes goes, what it adds is added. The verdict always says so, with the first difference.
//!
//! # Algorithm
//!
//! 1. The run without blank lines; the run without white space. Either must have one place.
//! 2. Else windows around the rows of the hunk's lines, each the best rising match of its lines; the best window must
//!    hold [`SHARE`] of the lines and no other as much as all but [`MARGIN`] of that. Lines left over between matched
//!    ones are tied to as many rows left over there if each is like its row.
//!
//! # Cost
//!
//! At most [`MOST_WINDOWS`] windows of twice the hunk's length each, O(lines²) in a window, lines capped at
//! [`MOST_LINES`].

use std::borrow::Cow;

use super::find::{Finder, Likeness, Place};
use super::place::{Fate, candidate, doubt};
use super::{Hunk, Op};
use crate::anchor::{dice, tokens};
use crate::classify::LineKind;
use crate::range::LineRange;
use crate::source::is_blank;
use crate::verdict::{NeedsVerifyReason, ReasonKind};

/// Share of a hunk's old lines that must stand in a window, in percent. Larger: a misquoted line in three is too many;
/// smaller: a window that has only brackets in common is taken.
const SHARE: usize = 60;

/// How many lines the best window must be ahead of any other, in percent of the hunk's.
const MARGIN: usize = 20;

/// How like a row must be to a line that is a misquotation of it, in ten-thousandths.
const LIKE: u32 = 5_000;

/// How many comparisons of lines take as long as the comparison of two lines' words, beside one for each byte.
const WORDS_STEPS: usize = 32;

/// How many rows are looked through for one like a line that stands nowhere. Larger: a bad quotation from a large file
/// takes long; smaller: the place is not shown.
const MOST_ROWS: usize = 20_000;

/// How many times as long as a line a row like it may be.
const LONGEST_LIKE: usize = 4;

const MOST_WINDOWS: usize = 200;
const MOST_LINES: usize = 400;

/// Places a hunk whose old lines stand nowhere as they are, or says where they nearly stand.
pub(super) fn place(finder: &mut Finder<'_>, hunk: &Hunk, doubts: &mut Vec<NeedsVerifyReason>) -> Fate {
    for (likeness, message) in [
        (Likeness::Dense, "the lines to be changed stand in the file with other blank lines between them"),
        (Likeness::Squeezed, "the lines to be changed stand in the file with other white space"),
    ] {
        let mut places = finder.places(hunk, likeness);
        match places.len() {
            0 => {}
            1 => {
                let place = places.swap_remove(0);
                doubts.push(doubt(ReasonKind::InexactMatch, message, hunk).at_original(place.span()));
                return Fate::At(place);
            }
            n => {
                let message = format!("{message}, at {n} places");
                let mut reason = doubt(ReasonKind::AmbiguousLocation, message, hunk);
                let shown = places.iter().take(MOST_WINDOWS);
                reason.candidates = shown.map(|place| candidate(finder.original, place.span().start)).collect();
                doubts.push(reason);
                return Fate::Nowhere;
            }
        }
    }
    let lines: Vec<usize> =
        hunk.old_lines().filter(|&line| finder.snippet.lines[line].kind == LineKind::Code).take(MOST_LINES).collect();
    let windows = windows(finder, &lines);
    if finder.was_cut_short() {
        return Fate::Nowhere;
    }
    let Some(best) = windows.first() else {
        let reason = |message: &str| doubt(ReasonKind::PlaceNotFound, message, hunk);
        doubts.push(match most_like(finder, &lines) {
            Some((line, row)) => {
                let (theirs, ours) = (quote(finder.original.line(row)), quote(&finder.snippet.lines[line].text));
                let message = format!(
                    "no line of what is to be changed is in the file; the closest is this one, where {theirs} stands in place of {ours}"
                );
                reason(&message).at_original(LineRange::new(row, row + 1))
            }
            None => reason("no line of what is to be changed is in the file"),
        });
        return Fate::Nowhere;
    };
    let difference = difference(finder, &lines, best);
    let n_needed = (lines.len() * SHARE).div_ceil(100);
    let rival = windows.get(1).map_or(0, |other| other.n_matched);
    let is_complete = hunk.ops.iter().all(|op| !matches!(op, Op::Elided { .. }));
    if best.n_matched >= n_needed && best.n_matched * 100 >= rival * 100 + lines.len() * MARGIN && is_complete {
        let message = format!("the lines to be changed are not in the file as they are written: {difference}");
        doubts.push(doubt(ReasonKind::InexactMatch, message, hunk).at_original(best.rows));
        return Fate::At(carried_over(hunk, &lines, best));
    }
    let message = format!("the lines to be changed are not in the file; the closest are these, where {difference}");
    let mut reason = doubt(ReasonKind::PlaceNotFound, message, hunk).at_original(best.rows);
    reason.candidates = windows.iter().take(3).map(|window| candidate(finder.original, window.rows.start)).collect();
    reason.candidates.sort_by_key(|place| place.original_line);
    doubts.push(reason);
    Fate::Nowhere
}

/// A stretch of the original, and for each of the hunk's lines its row.
struct Window {
    rows: LineRange,
    ties: Vec<Option<usize>>,
    /// How many lines stand in it, but for white space.
    n_matched: usize,
}

/// Finds windows that hold some of the lines, the best first. They don't overlap.
fn windows(finder: &mut Finder<'_>, lines: &[usize]) -> Vec<Window> {
    // From the line with the fewest rows on.
    let mut order: Vec<usize> = (0..lines.len()).filter(|&n| finder.rows_like(lines[n]).len() > 0).collect();
    order.sort_by_key(|&n| finder.rows_like(lines[n]).len());
    let mut found: Vec<Window> = Vec::new();
    let mut tried = 0;
    for n in order {
        for row in finder.rows_like(lines[n]) {
            if tried == MOST_WINDOWS || finder.was_cut_short() {
                break;
            }
            if found.iter().any(|window| window.ties[n] == Some(row)) {
                continue;
            }
            tried += 1;
            // Where the hunk would lie, with some room.
            let room = 2 + lines.len() / 4;
            let first = dense_rows(finder, row, n + room, false).last().copied().unwrap_or(row);
            let last = dense_rows(finder, row, lines.len() - n - 1 + room, true).last().copied().unwrap_or(row);
            found.extend(window(finder, lines, LineRange::new(first, last + 1)));
        }
    }
    found.sort_by_key(|window| (lines.len() - window.n_matched, window.rows.start));
    let mut apart: Vec<Window> = Vec::new();
    for window in found {
        if apart.iter().all(|other| !other.rows.overlaps(window.rows)) {
            apart.push(window);
        }
    }
    apart
}

/// Gives up to `n` rows that aren't blank below or above a row.
fn dense_rows(finder: &mut Finder<'_>, row: usize, n: usize, down: bool) -> Vec<usize> {
    let original = finder.original;
    let mut n_seen = 0;
    let is_code = |row: &usize| {
        n_seen += 1;
        !is_blank(original.line(*row))
    };
    let rows = if down {
        (row + 1..original.n_lines()).filter(is_code).take(n).collect()
    } else {
        (0..row).rev().filter(is_code).take(n).collect()
    };
    finder.spend(n_seen);
    rows
}

/// Ties as many lines as can be tied in order, then what is like its row between two of them.
fn window(finder: &mut Finder<'_>, lines: &[usize], within: LineRange) -> Option<Window> {
    let rows: Vec<usize> = within.iter().filter(|&row| !is_blank(finder.original.line(row))).collect();
    if !finder.spend(within.len() + lines.len() * rows.len()) {
        return None;
    }
    let (index, snippet) = (finder.index, finder.snippet);
    let same = |n: usize, m: usize| index.class(rows[m]) == snippet.lines[lines[n]].class;
    // best[n][m]: most ties of lines from n on with rows from m on.
    let (n_lines, n_rows) = (lines.len(), rows.len());
    let mut best = vec![0_u32; (n_lines + 1) * (n_rows + 1)];
    let at = |n: usize, m: usize| n * (n_rows + 1) + m;
    for n in (0..n_lines).rev() {
        for m in (0..n_rows).rev() {
            let tied = if same(n, m) { 1 + best[at(n + 1, m + 1)] } else { 0 };
            best[at(n, m)] = tied.max(best[at(n + 1, m)]).max(best[at(n, m + 1)]);
        }
    }
    let mut ties = vec![None; n_lines];
    let (mut n, mut m) = (0, 0);
    while n < n_lines && m < n_rows {
        if same(n, m) && best[at(n, m)] == 1 + best[at(n + 1, m + 1)] {
            ties[n] = Some(rows[m]);
            (n, m) = (n + 1, m + 1);
        } else if best[at(n, m)] == best[at(n, m + 1)] {
            m += 1;
        } else {
            n += 1;
        }
    }
    let n_matched = ties.iter().flatten().count();
    tie_like(finder, lines, &rows, &mut ties);
    let first = ties.iter().flatten().next().copied()?;
    let last = ties.iter().flatten().next_back().copied()?;
    Some(Window { rows: LineRange::new(first, last + 1), ties, n_matched })
}

/// Ties lines between two tied ones to as many rows between those, if each is like its row.
fn tie_like(finder: &mut Finder<'_>, lines: &[usize], rows: &[usize], ties: &mut [Option<usize>]) {
    let mut n = 0;
    while n < lines.len() {
        if ties[n].is_some() {
            n += 1;
            continue;
        }
        let end = (n..lines.len()).find(|&n| ties[n].is_some()).unwrap_or(lines.len());
        let position = |row: usize| rows.binary_search(&row).unwrap_or(0);
        let from = n.checked_sub(1).and_then(|above| ties[above]).map(|row| position(row) + 1);
        let to = ties.get(end).copied().flatten().map(position);
        let between = match (from, to) {
            (Some(from), Some(to)) => from..to,
            (Some(from), None) => from..(from + end - n).min(rows.len()),
            (None, Some(to)) => to.saturating_sub(end - n)..to,
            (None, None) => 0..0,
        };
        let between = rows.get(between).unwrap_or_default();
        let like = |(&line, &row): (&usize, &usize)| {
            let (ours, theirs) = (&*finder.snippet.lines[line].text, finder.original.line(row));
            finder.spend(WORDS_STEPS + ours.len() + theirs.len()) && dice(&tokens(ours), &tokens(theirs)) >= LIKE
        };
        if between.len() == end - n && lines[n..end].iter().zip(between).all(like) {
            for (tie, &row) in ties[n..end].iter_mut().zip(between) {
                *tie = Some(row);
            }
        }
        n = end;
    }
}

/// Finds the line and the row that are most alike, where no line stands in the file: of the longest line, and of the first
/// rows.
fn most_like(finder: &mut Finder<'_>, lines: &[usize]) -> Option<(usize, usize)> {
    let line = lines.iter().copied().max_by_key(|&line| finder.snippet.lines[line].text.trim().len())?;
    let ours = &*finder.snippet.lines[line].text;
    let words = tokens(ours);
    let mut best: Option<(u32, usize)> = None;
    for row in 0..finder.original.n_lines().min(MOST_ROWS) {
        let theirs = finder.original.line(row);
        if is_blank(theirs) || theirs.len() > LONGEST_LIKE * ours.len() {
            continue;
        }
        if !finder.spend(WORDS_STEPS + ours.len() + theirs.len()) {
            break;
        }
        let likeness = dice(&words, &tokens(theirs));
        if likeness >= LIKE && best.is_none_or(|(other, _)| likeness > other) {
            best = Some((likeness, row));
        }
    }
    best.map(|(_, row)| (line, row))
}

/// Quotes the beginning of a line.
fn quote(text: &str) -> String {
    let text = text.trim();
    let short: Cow<'_, str> = match text.char_indices().nth(60) {
        Some((end, _)) => format!("{}\u{2026}", &text[..end]).into(),
        None => text.into(),
    };
    format!("`{short}`")
}

/// Says in what the first line that isn't in the window differs.
fn difference(finder: &mut Finder<'_>, lines: &[usize], window: &Window) -> String {
    let (index, snippet) = (finder.index, finder.snippet);
    let same = |line: usize, row: usize| index.class(row) == snippet.lines[line].class;
    let differs = (0..lines.len()).find(|&n| window.ties[n].is_none_or(|row| !same(lines[n], row)));
    let Some(n) = differs else { return "more stands between them".to_owned() };
    let ours = quote(&finder.snippet.lines[lines[n]].text);
    let last = window.ties[..n].iter().rev().flatten().next().copied();
    let theirs = window.ties[n].or_else(|| {
        let next = dense_rows(finder, last?, 1, true).first().copied();
        next.filter(|row| !window.ties.contains(&Some(*row)))
    });
    match theirs {
        Some(row) => format!("{} stands in place of {ours}", quote(finder.original.line(row))),
        None => format!("{ours} is missing"),
    }
}

/// Gives the place of a hunk in a window: lines that aren't there have no row.
fn carried_over(hunk: &Hunk, lines: &[usize], window: &Window) -> Place {
    let row = |line: usize| {
        let n = lines.iter().position(|&other| other == line)?;
        window.ties[n].map(|row| LineRange::new(row, row + 1))
    };
    Place { rows: hunk.old_lines().map(row).collect(), is_elastic: false }
}
