//! The alignment of a merge with the text it should be, and what each line that differs is.

use hashbrown::HashMap;
use imara_diff::{Algorithm, Diff, InternedInput};

use super::finding::FindingKind;
use super::target::Target;
use crate::range::LineRange;
use crate::source::{Source, is_blank};

/// What a line is that only one of both texts has at its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    /// The other text has it elsewhere.
    Elsewhere,
    /// The edit writes it, and the merge doesn't have it.
    Written,
    /// The original's: it should stay, and the merge doesn't have it.
    Kept,
    /// The original's: it should be gone, and the merge has it.
    Gone,
    /// A placeholder.
    Marker,
    /// Neither the original's nor the snippet's, or once too often.
    Nowhere,
}

/// A place where both texts differ.
#[derive(Debug, Clone)]
pub(super) struct Place {
    /// Lines of the target that are missing from the merge.
    pub(super) lost: LineRange,
    /// What each of those is.
    pub(super) lost_are: Vec<Origin>,
    /// Lines of the merge.
    pub(super) lines: LineRange,
    /// What each of those is.
    pub(super) lines_are: Vec<Origin>,
    /// Whether it is judged.
    pub(super) is_judged: bool,
}

/// A merge beside its target.
pub(super) struct Comparison {
    /// Pairs of a target line and a merged line of the same text, blanks at the ends apart; rising.
    pub(super) pairs: Vec<(usize, usize)>,
    /// Where they differ; rising.
    pub(super) places: Vec<Place>,
}

impl Comparison {
    /// Aligns a merge with its target.
    pub(super) fn new(target: &Target<'_>, merged: &Source<'_>) -> Self {
        let pairs = pairs(target.text, merged);
        let mut places = places(&pairs, target.text.n_lines(), merged.n_lines());
        name_lines(target, merged, &mut places);
        for place in &mut places {
            place.is_judged = is_judged(target, merged, place);
        }
        Self { pairs, places }
    }
}

/// Tells how a line of the merge differs from the target's line that it is.
pub(super) fn difference(target: &Target<'_>, merged: &Source<'_>, at: usize, line: usize) -> Option<FindingKind> {
    let (ours, theirs) = (target.text.line(at), merged.line(line));
    if ours != theirs {
        let lines = LineRange::new(at, at + 1);
        // Elsewhere white space may be what the snippet is about.
        let is_judged = target.is_certain || target.is_outside(lines, [theirs].into_iter());
        let kind =
            if ours.trim_end() == theirs.trim_end() { FindingKind::TrailingBlanks } else { FindingKind::Indentation };
        return is_judged.then_some(kind);
    }
    let (ours, theirs) = (target.text.terminator(at), merged.terminator(line));
    (ours != theirs && !ours.is_empty() && !theirs.is_empty()).then_some(FindingKind::LineEnding)
}

/// Says whether a merged line ends otherwise than all lines of the original.
pub(super) fn ends_otherwise(target: &Target<'_>, merged: &Source<'_>, line: usize) -> bool {
    let theirs = merged.terminator(line);
    !theirs.is_empty() && target.terminator.is_some_and(|ours| ours != theirs)
}

/// Says whether a place is judged. Blank lines at the edge of a trusted edit are free; so is all that any reading of
/// another edit may touch.
fn is_judged(target: &Target<'_>, merged: &Source<'_>, place: &Place) -> bool {
    if target.is_certain {
        let is_silent = place.lost.iter().all(|at| is_blank(target.text.line(at)))
            && place.lines.iter().all(|line| merged.line(line).is_empty());
        return !(is_silent && target.is_at_edge(place.lost));
    }
    let is_moved = place.lost_are.iter().chain(&place.lines_are).any(|origin| *origin == Origin::Elsewhere);
    !is_moved && target.is_outside(place.lost, place.lines.iter().map(|line| merged.line(line)))
}

/// Tells what each line is that has no partner.
fn name_lines(target: &Target<'_>, merged: &Source<'_>, places: &mut [Place]) {
    let mut lost = counts(places.iter().flat_map(|place| place.lost).map(|at| target.text.line(at)));
    let mut there = counts(places.iter().flat_map(|place| place.lines).map(|line| merged.line(line)));
    let mut gone = counts(target.gone.iter().map(|&row| target.original.line(row)));
    for place in places {
        let name_lost = |at: usize| match target.rows[at] {
            _ if take(&mut there, target.text.line(at)) => Origin::Elsewhere,
            Some(_) => Origin::Kept,
            None => Origin::Written,
        };
        place.lost_are = named(place.lost, |at| target.text.line(at), name_lost);
        let name_line = |line: usize| match merged.line(line) {
            text if take(&mut lost, text) => Origin::Elsewhere,
            text if take(&mut gone, text) => Origin::Gone,
            text if target.is_marker(text) => Origin::Marker,
            _ => Origin::Nowhere,
        };
        place.lines_are = named(place.lines, |line| merged.line(line), name_line);
    }
}

/// Names lines. A blank one is what the line above it is, or else the first one below.
fn named<'t>(lines: LineRange, text: impl Fn(usize) -> &'t str, mut name: impl FnMut(usize) -> Origin) -> Vec<Origin> {
    let first = lines.iter().find(|&line| !is_blank(text(line)));
    let Some(first) = first else {
        // Blank lines are no text that could have been moved.
        return lines.iter().map(&mut name).collect();
    };
    let mut origin = name(first);
    let mut origins = vec![origin; first + 1 - lines.start];
    for line in first + 1..lines.end {
        if !is_blank(text(line)) {
            origin = name(line);
        }
        origins.push(origin);
    }
    origins
}

/// How often each text occurs. Looked up, never walked.
type Counts<'t> = HashMap<&'t str, usize, foldhash::fast::RandomState>;

/// Counts lines by their text, blanks at the ends apart; blank lines aren't counted.
fn counts<'t>(lines: impl Iterator<Item = &'t str>) -> Counts<'t> {
    let mut counts = Counts::default();
    for line in lines.filter(|line| !is_blank(line)) {
        *counts.entry(line.trim()).or_default() += 1;
    }
    counts
}

/// Takes one of a text, if there is one left.
fn take(counts: &mut Counts<'_>, text: &str) -> bool {
    counts.get_mut(text.trim()).filter(|n| **n > 0).map(|n| *n -= 1).is_some()
}

/// Ties lines that are equal, then between them those that are equal but for white space at their ends.
fn pairs(target: &Source<'_>, merged: &Source<'_>) -> Vec<(usize, usize)> {
    let (n_target, n_lines) = (target.n_lines(), merged.n_lines());
    let all = |n: usize| (0..n).collect::<Vec<_>>();
    let mut pairs = tied(&all(n_target), &all(n_lines), |at| target.line(at), |line| merged.line(line));
    for place in places(&pairs, n_target, n_lines) {
        let (lost, lines): (Vec<_>, Vec<_>) = (place.lost.iter().collect(), place.lines.iter().collect());
        if !lost.is_empty() && !lines.is_empty() {
            pairs.extend(tied(&lost, &lines, |at| target.line(at).trim(), |line| merged.line(line).trim()));
        }
    }
    pairs.sort_unstable();
    pairs
}

/// Gives the pairs of a line diff between two lists of lines.
pub(super) fn tied<'t>(
    before: &[usize],
    after: &[usize],
    before_text: impl Fn(usize) -> &'t str,
    after_text: impl Fn(usize) -> &'t str,
) -> Vec<(usize, usize)> {
    let mut input: InternedInput<&str> = InternedInput::default();
    input.update_before(before.iter().map(|&line| before_text(line)));
    input.update_after(after.iter().map(|&line| after_text(line)));
    // Myers leaves few lines without partner, and each of those may be a finding.
    let diff = Diff::compute(Algorithm::Myers, &input);
    let (mut pairs, mut at_before, mut at_after) = (Vec::with_capacity(before.len()), 0, 0);
    for hunk in diff.hunks() {
        let (start, other) = (hunk.before.start as usize, hunk.after.start as usize);
        pairs.extend(before[at_before..start].iter().copied().zip(after[at_after..other].iter().copied()));
        (at_before, at_after) = (hunk.before.end as usize, hunk.after.end as usize);
    }
    pairs.extend(before[at_before..].iter().copied().zip(after[at_after..].iter().copied()));
    pairs
}

/// Finds the places between pairs.
fn places(pairs: &[(usize, usize)], n_target: usize, n_lines: usize) -> Vec<Place> {
    let (mut at, mut line) = (0, 0);
    let mut places = Vec::new();
    for &(next, next_line) in pairs.iter().chain([&(n_target, n_lines)]) {
        let (lost, lines) = (LineRange::new(at, next), LineRange::new(line, next_line));
        if !lost.is_empty() || !lines.is_empty() {
            places.push(Place { lost, lost_are: Vec::new(), lines, lines_are: Vec::new(), is_judged: true });
        }
        (at, line) = (next + 1, next_line + 1);
    }
    places
}
