//! Which of the places of a hunk is meant.
//!
//! # Algorithm
//!
//! 1. A hunk whose old lines stand in the original once, below the headers it names, is placed.
//! 2. One whose old lines stand nowhere, while its new lines stand there once, has been applied before.
//! 3. Of several places those drop out that contradict what is placed: in a diff hunks follow each other; a heading
//!    stands above its hunk; numbers that are right for every placed hunk are right for the others; as many equal
//!    hunks as there are places take one each.
//! 4. If several are left, none is taken, unless a number says which to try: that is a doubt.
//! 5. A hunk that stands nowhere is looked for more loosely ([`super::near`]): that is a doubt, too.
//!
//! # Cost
//!
//! That of the searches, and O(hunks²) for those with several places.

use super::find::{Finder, Likeness, Place, block_end};
use super::near;
use super::{Hint, Hunk};
use crate::classify::LineKind;
use crate::outcome::Shape;
use crate::range::LineRange;
use crate::source::{Source, is_blank};
use crate::verdict::{Candidate, NeedsVerifyReason, ReasonKind};

/// Longest preview of a candidate place, in characters.
const PREVIEW: usize = 80;

/// How many candidate places are listed.
const MOST_CANDIDATES: usize = 20;

/// What becomes of a hunk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Fate {
    /// It stands here.
    At(Place),
    /// Its new lines begin at this row already.
    Applied(usize),
    /// It is left out.
    Nowhere,
}

/// The fate of each hunk, and what is in doubt about it. Lines are those of the snippet.
#[derive(Debug, Default)]
pub(super) struct Placed {
    pub(super) fates: Vec<Fate>,
    pub(super) doubts: Vec<NeedsVerifyReason>,
}

/// Finds the place of each hunk of the finder's snippet.
pub(super) fn place(finder: &mut Finder<'_>) -> Placed {
    let hunks = &finder.snippet.hunks;
    let mut doubts = Vec::new();
    let mut open: Vec<Vec<Place>> = Vec::with_capacity(hunks.len());
    let mut fates: Vec<Option<Fate>> = Vec::with_capacity(hunks.len());
    for hunk in hunks {
        let (fate, candidates) = alone(finder, hunk, &mut doubts);
        fates.push(fate);
        open.push(candidates);
    }
    by_order(finder, &mut fates, &mut open);
    by_heading(finder, &mut fates, &mut open);
    by_number(finder, &mut fates, &open);
    by_order(finder, &mut fates, &mut open);
    by_turn(finder, &mut fates, &open);
    let mut settled = Vec::with_capacity(hunks.len());
    for ((fate, candidates), hunk) in fates.into_iter().zip(open).zip(hunks) {
        let fate = fate.unwrap_or_else(|| {
            doubts.push(several(finder.original, hunk, &candidates));
            guess(hunk, candidates)
        });
        if let Fate::At(place) = &fate {
            check(finder, hunk, place, &mut doubts);
        }
        settled.push(fate);
    }
    // What has been applied before may have been so in all its parts, and their old lines be others' new ones.
    if settled.iter().any(|fate| matches!(fate, Fate::Applied(_))) {
        let rest = settled.iter().zip(hunks).filter(|(fate, _)| matches!(fate, Fate::At(_)));
        doubts.extend(rest.map(|(_, hunk)| {
            let message = "another part of this edit is in the file already, so this one may have been applied as well";
            doubt(ReasonKind::CodeDuplicated, message, hunk)
        }));
    }
    if finder.was_cut_short() {
        doubts.push(NeedsVerifyReason::new(
            ReasonKind::CutShort,
            "too many lines are alike to look at all places of what is to be replaced",
        ));
    }
    Placed { fates: settled, doubts }
}

/// Places a hunk by itself, or gives the places it may have.
fn alone(finder: &mut Finder<'_>, hunk: &Hunk, doubts: &mut Vec<NeedsVerifyReason>) -> (Option<Fate>, Vec<Place>) {
    if !shows_old_code(finder, hunk) {
        return (Some(without_old_lines(finder, hunk, doubts)), Vec::new());
    }
    let mut places = finder.places(hunk, Likeness::Lines);
    if let Hint::Known(row) = hunk.hint {
        places.retain(|place| place.span().start == row);
    }
    if places.len() > 1 && hunk.hint == Hint::End {
        let last = (0..finder.original.n_lines()).rev().find(|&row| !is_blank(finder.original.line(row)));
        places.retain(|place| last.is_some_and(|last| place.span().end > last));
    }
    let places = below_headers(finder, hunk, places, doubts);
    match places.len() {
        0 => {}
        1 => return (places.into_iter().next().map(Fate::At), Vec::new()),
        _ => return (None, places),
    }
    let applied = finder.new_places(hunk, Likeness::Lines);
    if let [only] = &applied[..] {
        return (Some(Fate::Applied(only.span().start)), Vec::new());
    }
    (Some(near::place(finder, hunk, doubts)), Vec::new())
}

fn shows_old_code(finder: &Finder<'_>, hunk: &Hunk) -> bool {
    hunk.old_lines().any(|line| finder.snippet.lines[line].kind == LineKind::Code)
}

/// Places a hunk that shows no old line: only an empty file and the end of one are sure.
fn without_old_lines(finder: &Finder<'_>, hunk: &Hunk, doubts: &mut Vec<NeedsVerifyReason>) -> Fate {
    let n_lines = finder.original.n_lines();
    let at = |row: usize| {
        let rows = hunk.old_lines().map(|_| None).chain([Some(LineRange::new(row, row))]).collect();
        Fate::At(Place { rows, is_elastic: false })
    };
    if hunk.new_lines().all(|line| finder.snippet.lines[line].kind == LineKind::Blank) {
        let message = "nothing is to be found and nothing is to be written";
        doubts.push(doubt(ReasonKind::SnippetSuspicious, message, hunk));
        return Fate::Nowhere;
    }
    let is_empty = finder.original.lines().all(is_blank);
    match hunk.hint {
        _ if is_empty && hunk.old_lines().next().is_none() => at(0),
        Hint::End if hunk.scopes.is_empty() => at(n_lines),
        Hint::Known(row) => at(row.min(n_lines)),
        Hint::Row(row) if row <= n_lines => {
            let message = "no line of the file is shown, so only a line number says where this goes";
            let mut reason = doubt(ReasonKind::AmbiguousLocation, message, hunk);
            reason.candidates = vec![candidate(finder.original, row)];
            doubts.push(reason);
            at(row)
        }
        _ => {
            let message = "no line of the file is shown, so nothing says where this goes";
            doubts.push(doubt(ReasonKind::AmbiguousLocation, message, hunk));
            Fate::Nowhere
        }
    }
}

/// Doubts a place that isn't the whole truth.
fn check(finder: &mut Finder<'_>, hunk: &Hunk, place: &Place, doubts: &mut Vec<NeedsVerifyReason>) {
    if place.is_elastic {
        let message = "what the `...` leaves out may end at more than one place";
        doubts.push(doubt(ReasonKind::AmbiguousLocation, message, hunk).at_original(place.span()));
    }
    if adds_what_is_there(finder, hunk, place) {
        let message = "the lines to be added stand right there already, so this may have been applied before";
        doubts.push(doubt(ReasonKind::CodeDuplicated, message, hunk).at_original(place.span()));
    }
    if removes_one_of_several(finder, hunk, place) {
        let message =
            "what is left there reads the same as what is to be changed, so this may have been applied before";
        doubts.push(doubt(ReasonKind::CodeRemoved, message, hunk).at_original(place.span()));
    }
}

/// Longest hunk that is looked at for its like in what it leaves, in lines; what is longer is hardly ever like itself.
const LONGEST_LIKE: usize = 64;

/// Says whether the old lines stand there again once the hunk is applied: one of some equal lines goes, and nothing
/// says that it hasn't gone before.
fn removes_one_of_several(finder: &Finder<'_>, hunk: &Hunk, place: &Place) -> bool {
    let is_gone = |op: &super::Op| matches!(op, super::Op::Gone { .. });
    let is_plain = hunk.ops.iter().all(|op| !matches!(op, super::Op::Elided { .. }));
    if !hunk.ops.iter().any(is_gone) || !is_plain || hunk.ops.len() > LONGEST_LIKE {
        return false;
    }
    let text = |line: usize| finder.snippet.lines[line].text.trim_end();
    let row = |row: usize| finder.original.line(row).trim_end();
    let old: Vec<&str> = hunk.old_lines().map(text).collect();
    let span = place.span();
    let mut left: Vec<&str> = (span.start.saturating_sub(old.len())..span.start).map(row).collect();
    left.extend(hunk.new_lines().map(text));
    left.extend((span.end..(span.end + old.len()).min(finder.original.n_lines())).map(row));
    left.windows(old.len()).any(|lines| lines == old)
}

/// Says whether a hunk that only adds would add what stands at its place already.
fn adds_what_is_there(finder: &mut Finder<'_>, hunk: &Hunk, place: &Place) -> bool {
    let adds = hunk.ops.iter().any(|op| matches!(op, super::Op::New { .. }));
    if !adds || hunk.ops.iter().any(|op| matches!(op, super::Op::Gone { .. })) {
        return false;
    }
    // Blank lines around the new ones are layout.
    let span = place.span();
    let places = finder.new_places(hunk, Likeness::Lines);
    places.iter().any(|there| there.span().covers(span) || (span.is_empty() && is_blank_between(finder, there, span)))
}

/// Says whether nothing but blank lines lies between a place and a point.
fn is_blank_between(finder: &Finder<'_>, there: &Place, point: LineRange) -> bool {
    let span = there.span();
    let between = if span.end <= point.start {
        LineRange::new(span.end, point.start)
    } else {
        LineRange::new(point.start, span.start)
    };
    between.iter().all(|row| is_blank(finder.original.line(row)))
}

/// Keeps the places below the headers that the hunk names.
fn below_headers(
    finder: &Finder<'_>,
    hunk: &Hunk,
    places: Vec<Place>,
    doubts: &mut Vec<NeedsVerifyReason>,
) -> Vec<Place> {
    let mut bounds = vec![LineRange::new(0, finder.original.n_lines())];
    for (line, header) in &hunk.scopes {
        let within: Vec<LineRange> = bounds.iter().flat_map(|&rows| blocks(finder.original, header, rows)).collect();
        if within.is_empty() {
            let message = format!("the header `{header}` is not in the file, so it bounds nothing");
            let reason = NeedsVerifyReason::new(ReasonKind::PlaceNotFound, message);
            doubts.push(reason.at_snippet(LineRange::new(*line, line + 1)));
            return places;
        }
        bounds = within;
    }
    let (inside, outside): (Vec<Place>, Vec<Place>) =
        places.into_iter().partition(|place| bounds.iter().any(|rows| rows.covers(place.span())));
    if inside.is_empty() && !outside.is_empty() {
        let message = "these lines stand in the file, but not below the header they are shown under";
        let mut reason = doubt(ReasonKind::AmbiguousLocation, message, hunk);
        reason.candidates = candidates(finder.original, &outside);
        doubts.push(reason);
        return outside;
    }
    inside
}

/// Finds the blocks that a header opens within `rows`; what opens no block bounds what follows it.
fn blocks(original: &Source<'_>, header: &str, rows: LineRange) -> Vec<LineRange> {
    let is_header = |row: &usize| {
        original.line(*row).trim().strip_prefix(header.trim()).is_some_and(|rest| {
            // `def f` heads `def f(x):` and not `def first():`.
            !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_')
        })
    };
    let block = |row: usize| match block_end(original, row) {
        end if end > row + 1 => LineRange::new(row, end.min(rows.end)),
        _ => LineRange::new(row, rows.end),
    };
    rows.iter().filter(is_header).map(block).collect()
}

/// Drops places that would put hunks of a diff in another order than they are shown in.
fn by_order(finder: &Finder<'_>, fates: &mut [Option<Fate>], open: &mut [Vec<Place>]) {
    if !matches!(finder.snippet.shape, Shape::Unified | Shape::Patch) {
        return;
    }
    let span = |fate: &Option<Fate>| match fate {
        Some(Fate::At(place)) => Some(place.span()),
        _ => None,
    };
    let known: Vec<LineRange> = fates.iter().filter_map(span).collect();
    if known.windows(2).any(|pair| pair[0].start > pair[1].start) {
        return;
    }
    for at in 0..fates.len() {
        if fates[at].is_some() {
            continue;
        }
        let after = fates[..at].iter().rev().find_map(span).map_or(0, |span| span.start + 1);
        let before = fates[at + 1..].iter().find_map(span).map_or(usize::MAX, |span| span.end);
        open[at].retain(|place| place.span().start >= after && place.span().end < before);
        settle(fates, open, at);
    }
}

/// Takes the only place that is left. Where none is left, all are as good as before.
fn settle(fates: &mut [Option<Fate>], open: &mut [Vec<Place>], at: usize) {
    if open[at].len() == 1 {
        fates[at] = open[at].pop().map(Fate::At);
    }
}

/// Drops places that the heading isn't above.
fn by_heading(finder: &Finder<'_>, fates: &mut [Option<Fate>], open: &mut [Vec<Place>]) {
    for (at, hunk) in finder.snippet.hunks.iter().enumerate() {
        let (None, Some(heading)) = (&fates[at], &hunk.heading) else { continue };
        let all = LineRange::new(0, finder.original.n_lines());
        let blocks = blocks(finder.original, heading, all);
        let fits = |place: &Place| blocks.iter().any(|rows| rows.covers(place.span()));
        if open[at].iter().any(fits) {
            open[at].retain(fits);
            settle(fates, open, at);
        }
    }
}

/// Believes the numbers of an edit whose placed hunks all stand where their numbers say.
fn by_number(finder: &Finder<'_>, fates: &mut [Option<Fate>], open: &[Vec<Place>]) {
    let mut checked = fates.iter().zip(&finder.snippet.hunks).filter_map(|(fate, hunk)| match (fate, hunk.hint) {
        (Some(Fate::At(place)), Hint::Row(row)) => Some(place.span().start == row),
        _ => None,
    });
    if checked.next() != Some(true) || !checked.all(|is_right| is_right) {
        return;
    }
    for (at, hunk) in finder.snippet.hunks.iter().enumerate() {
        if let (None, Hint::Row(row)) = (&fates[at], hunk.hint) {
            fates[at] = open[at].iter().find(|place| place.span().start == row).cloned().map(Fate::At);
        }
    }
}

/// Gives equal hunks a place each, where there are as many of one as of the other.
fn by_turn(finder: &Finder<'_>, fates: &mut [Option<Fate>], open: &[Vec<Place>]) {
    let hunks = &finder.snippet.hunks;
    let text = |line: usize| &*finder.snippet.lines[line].text;
    let is_same = |a: &Hunk, b: &Hunk| {
        a.old_lines().map(text).eq(b.old_lines().map(text))
            && a.new_lines().map(text).eq(b.new_lines().map(text))
            && a.scopes == b.scopes
    };
    for at in 0..hunks.len() {
        if fates[at].is_some() {
            continue;
        }
        let equal: Vec<usize> =
            (at..hunks.len()).filter(|&n| fates[n].is_none() && is_same(&hunks[at], &hunks[n])).collect();
        let places = &open[at];
        let are_apart = places.windows(2).all(|pair| pair[0].span().end <= pair[1].span().start);
        if equal.len() == places.len() && are_apart && places.iter().all(|place| !place.is_elastic) {
            for (n, place) in equal.into_iter().zip(places) {
                fates[n] = Some(Fate::At(place.clone()));
            }
        }
    }
}

/// Takes the place that a number points to, if that is one.
fn guess(hunk: &Hunk, places: Vec<Place>) -> Fate {
    let Hint::Row(row) = hunk.hint else { return Fate::Nowhere };
    places.into_iter().min_by_key(|place| place.span().start.abs_diff(row)).map_or(Fate::Nowhere, Fate::At)
}

fn several(original: &Source<'_>, hunk: &Hunk, places: &[Place]) -> NeedsVerifyReason {
    let message = format!("the lines to be changed stand at {} places", places.len());
    let mut reason = doubt(ReasonKind::AmbiguousLocation, message, hunk);
    reason.candidates = candidates(original, places);
    reason
}

fn candidates(original: &Source<'_>, places: &[Place]) -> Vec<Candidate> {
    places.iter().take(MOST_CANDIDATES).map(|place| candidate(original, place.span().start)).collect()
}

pub(super) fn candidate(original: &Source<'_>, row: usize) -> Candidate {
    let preview = if row < original.n_lines() {
        original.line(row).trim().chars().take(PREVIEW).collect()
    } else {
        String::new()
    };
    Candidate { original_line: row, preview }
}

/// Makes a reason that is about a hunk.
pub(super) fn doubt(kind: ReasonKind, message: impl Into<String>, hunk: &Hunk) -> NeedsVerifyReason {
    NeedsVerifyReason::new(kind, message).at_snippet(hunk.shown())
}
