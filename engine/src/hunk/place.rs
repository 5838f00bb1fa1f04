//! Which of the places of a hunk is meant.
//!
//! # Algorithm
//!
//! 1. A hunk whose old lines stand in the original once, below the headers it names, is placed.
//! 2. One whose old lines stand nowhere, while its new lines stand there once, has been applied before, if more than one
//!    line says so.
//! 3. Of several places those drop out that contradict what is placed: in a diff hunks follow each other; a heading
//!    stands above its hunk; numbers that are right for every placed hunk are right for those above the last of them;
//!    as many equal hunks as there are places take one each.
//! 4. A number that fits another place exactly than the one they leave is a doubt, and so is a hunk that repeats another
//!    at its place.
//! 5. If several are left, none is taken, unless a number says which to try: that is a doubt.
//! 6. A hunk that stands nowhere is looked for more loosely ([`super::near`]): that is a doubt, too.
//!
//! # Cost
//!
//! That of the searches, and the rows of the file for each header; all of it is counted.

use hashbrown::{HashMap, HashSet};

use super::find::{Finder, Likeness, Place};
use super::near;
use super::{Hint, Hunk};
use crate::anchor::{dice, tokens};
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
    // A number that is exactly right for a place speaks for it, whatever speaks for another.
    let numbered: Vec<Option<usize>> = hunks.iter().zip(&open).map(|(hunk, places)| exact(hunk, places)).collect();
    by_order(finder, &mut fates, &mut open);
    by_heading(finder, &mut fates, &mut open);
    by_number(finder, &mut fates, &open);
    by_order(finder, &mut fates, &mut open);
    by_turn(finder, &mut fates, &open);
    let mut settled = Vec::with_capacity(hunks.len());
    for (((fate, candidates), hunk), numbered) in fates.into_iter().zip(open).zip(hunks).zip(numbered) {
        let fate = fate.unwrap_or_else(|| {
            doubts.push(several(finder.original, hunk, &candidates));
            guess(hunk, candidates)
        });
        if let Fate::At(place) = &fate {
            if let Some(row) = numbered.filter(|&row| row != place.span().start) {
                let message = "its heading or its order speaks for this place, its line number for another";
                let mut reason = doubt(ReasonKind::AmbiguousLocation, message, hunk).at_original(place.span());
                reason.candidates = vec![candidate(finder.original, row)];
                doubts.push(reason);
            }
            check(finder, hunk, place, &mut doubts);
        }
        settled.push(fate);
    }
    drop_repeated(finder, &mut settled, &mut doubts);
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

/// Gives the row of the place that a hunk's number points to exactly.
fn exact(hunk: &Hunk, places: &[Place]) -> Option<usize> {
    let Hint::Row(row) = hunk.hint else { return None };
    places.iter().any(|place| place.span().start == row).then_some(row)
}

/// Leaves out what an equal hunk at the same place says already.
fn drop_repeated(finder: &Finder<'_>, fates: &mut [Fate], doubts: &mut Vec<NeedsVerifyReason>) {
    let hunks = &finder.snippet.hunks;
    let text = |line: usize| &*finder.snippet.lines[line].text;
    let mut seen: HashSet<(LineRange, Vec<&str>)> = HashSet::new();
    for (fate, hunk) in fates.iter_mut().zip(hunks) {
        let Fate::At(place) = fate else { continue };
        if !seen.insert((place.span(), hunk.new_lines().map(text).collect())) {
            let message = "this part of the edit says the same of the same place as another, so it may be meant for another place";
            doubts.push(doubt(ReasonKind::CodeDuplicated, message, hunk).at_original(place.span()));
            *fate = Fate::Nowhere;
        }
    }
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
        let last = finder.index.relief.last_code(LineRange::new(0, finder.original.n_lines()));
        places.retain(|place| last.is_some_and(|last| place.span().end > last));
    }
    let places = below_headers(finder, hunk, places, doubts);
    match places.len() {
        0 => {}
        1 => return (places.into_iter().next().map(Fate::At), Vec::new()),
        _ => return (None, places),
    }
    if finder.was_cut_short() {
        return (Some(Fate::Nowhere), Vec::new());
    }
    if is_telling(finder, hunk)
        && let [only] = &finder.new_places(hunk, Likeness::Lines)[..]
    {
        return (Some(Fate::Applied(only.span().start)), Vec::new());
    }
    (Some(near::place(finder, hunk, doubts)), Vec::new())
}

/// How many new lines that stand together are no coincidence.
const TELLING: usize = 4;

/// How like an old line a new one must be to be a version of it, in ten-thousandths.
const LIKE: u32 = 5_000;

/// Says whether the new lines of a hunk, found in the original, would show that it has been applied: there is one that
/// the old lines don't have, and it stands beside a kept line, or beside others of which there are enough or which are
/// new versions of old ones. One or two lines alone may well stand there for something else.
fn is_telling(finder: &Finder<'_>, hunk: &Hunk) -> bool {
    let text = |line: usize| finder.snippet.lines[line].text.trim();
    let says = |line: usize| text(line).contains(char::is_alphanumeric);
    let old: HashSet<&str> = hunk.old_lines().map(text).collect();
    let own: Vec<&str> = hunk
        .ops
        .iter()
        .filter_map(|op| match *op {
            super::Op::New { new } if says(new) && !old.contains(text(new)) => Some(text(new)),
            _ => None,
        })
        .collect();
    let is_kept = hunk.ops.iter().any(|op| matches!(*op, super::Op::Keep { new, .. } if says(new)));
    let is_version = |new: &&&str| {
        let words = tokens(new);
        hunk.old_lines().take(LONGEST_LIKE).any(|line| dice(&tokens(text(line)), &words) >= LIKE)
    };
    match own.len() {
        0 => false,
        _ if is_kept => true,
        n => n >= TELLING || n > 1 && own.iter().filter(is_version).count() * 2 >= n,
    }
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
    let is_empty = finder.index.relief.n_code(LineRange::new(0, n_lines)) == 0;
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
    finder: &mut Finder<'_>,
    hunk: &Hunk,
    places: Vec<Place>,
    doubts: &mut Vec<NeedsVerifyReason>,
) -> Vec<Place> {
    let mut bounds = vec![LineRange::new(0, finder.original.n_lines())];
    for (line, header) in &hunk.scopes {
        let within = blocks(finder, header, &bounds);
        if finder.was_cut_short() {
            return places;
        }
        if within.is_empty() {
            let message = format!("the header `{header}` is not in the file, so it bounds nothing");
            let reason = NeedsVerifyReason::new(ReasonKind::PlaceNotFound, message);
            doubts.push(reason.at_snippet(LineRange::new(*line, line + 1)));
            return places;
        }
        bounds = within;
    }
    let (inside, outside): (Vec<Place>, Vec<Place>) = places.into_iter().partition(|place| is_within(place, &bounds));
    if inside.is_empty() && !outside.is_empty() {
        let message = "these lines stand in the file, but not below the header they are shown under";
        let mut reason = doubt(ReasonKind::AmbiguousLocation, message, hunk);
        reason.candidates = candidates(finder.original, &outside);
        doubts.push(reason);
        return outside;
    }
    inside
}

/// Finds the blocks that a header opens within `within`; what opens no block bounds what follows it. Those within one
/// another are one, so they are apart and in order, as they must be in `within`.
pub(super) fn blocks(finder: &mut Finder<'_>, header: &str, within: &[LineRange]) -> Vec<LineRange> {
    let mut found: Vec<LineRange> = Vec::new();
    for rows in within {
        for row in finder.rows_headed(header.trim(), *rows) {
            let last = found.last_mut().filter(|last| row < last.end);
            // What opens inside of a block ends inside of it; only its last line may head another.
            let is_nested = last.as_ref().is_some_and(|last| row + 1 < last.end);
            let end = match finder.opens_block(row) {
                true if is_nested => continue,
                true => finder.block_end(row).min(rows.end),
                false => rows.end,
            };
            match last {
                Some(last) => last.end = last.end.max(end),
                None => found.push(LineRange::new(row, end)),
            }
        }
    }
    found
}

/// Says whether one of some ranges, apart and in order, covers a place.
fn is_within(place: &Place, bounds: &[LineRange]) -> bool {
    let span = place.span();
    let next = bounds.partition_point(|rows| rows.start <= span.start);
    next.checked_sub(1).is_some_and(|at| bounds[at].covers(span))
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
    // For each hunk the end of the next placed one.
    let mut before = vec![usize::MAX; fates.len()];
    for at in (1..fates.len()).rev() {
        before[at - 1] = span(&fates[at]).map_or(before[at], |span| span.end);
    }
    let mut after = 0;
    for at in 0..fates.len() {
        if fates[at].is_none() {
            open[at].retain(|place| place.span().start >= after && place.span().end < before[at]);
            settle(fates, open, at);
        }
        after = span(&fates[at]).map_or(after, |span| span.start + 1);
    }
}

/// Takes the only place that is left. Where none is left, all are as good as before.
fn settle(fates: &mut [Option<Fate>], open: &mut [Vec<Place>], at: usize) {
    if open[at].len() == 1 {
        fates[at] = open[at].pop().map(Fate::At);
    }
}

/// Drops places that the heading isn't above.
fn by_heading(finder: &mut Finder<'_>, fates: &mut [Option<Fate>], open: &mut [Vec<Place>]) {
    for (at, hunk) in finder.snippet.hunks.iter().enumerate() {
        let (None, Some(heading)) = (&fates[at], &hunk.heading) else { continue };
        let all = LineRange::new(0, finder.original.n_lines());
        let blocks = blocks(finder, heading, &[all]);
        let fits = |place: &Place| is_within(place, &blocks);
        if open[at].iter().any(fits) {
            open[at].retain(fits);
            settle(fates, open, at);
        }
    }
}

/// Believes the numbers above the last placed hunk, where all placed hunks stand where their numbers say.
///
/// What was put into a file or taken out of it moves all that follows: a hunk that stands where its number says proves the
/// numbers above it. Those below may be another version's, and then fit a twin of what is meant.
fn by_number(finder: &Finder<'_>, fates: &mut [Option<Fate>], open: &[Vec<Place>]) {
    let mut proven = 0;
    for (fate, hunk) in fates.iter().zip(&finder.snippet.hunks) {
        if let (Some(Fate::At(place)), Hint::Row(row)) = (fate, hunk.hint) {
            if place.span().start != row {
                return;
            }
            proven = proven.max(row);
        }
    }
    for (at, hunk) in finder.snippet.hunks.iter().enumerate() {
        if let (None, Hint::Row(row)) = (&fates[at], hunk.hint)
            && row < proven
        {
            fates[at] = open[at].iter().find(|place| place.span().start == row).cloned().map(Fate::At);
        }
    }
}

/// Gives equal hunks a place each, where there are as many of one as of the other.
fn by_turn(finder: &Finder<'_>, fates: &mut [Option<Fate>], open: &[Vec<Place>]) {
    let hunks = &finder.snippet.hunks;
    let text = |line: usize| &*finder.snippet.lines[line].text;
    let says = |hunk: &'_ Hunk| -> (Vec<&str>, Vec<&str>) {
        (hunk.old_lines().map(text).collect(), hunk.new_lines().map(text).collect())
    };
    let scopes = |hunk: &Hunk| hunk.scopes.iter().map(|(_, header)| header.clone()).collect::<Vec<_>>();
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut group_of = HashMap::new();
    for (at, hunk) in hunks.iter().enumerate().filter(|&(at, _)| fates[at].is_none()) {
        let group = *group_of.entry((says(hunk), scopes(hunk))).or_insert(groups.len());
        if group == groups.len() {
            groups.push(Vec::new());
        }
        groups[group].push(at);
    }
    for equal in groups {
        let Some(&at) = equal.first() else { continue };
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
    let message = match hunk.pair {
        Some(pair) => format!("pair {}: {}", pair + 1, message.into()),
        None => message.into(),
    };
    NeedsVerifyReason::new(kind, message).at_snippet(hunk.shown())
}
