//! The alignment of the lines that stay with a merge, and what each place where they differ amounts to.

use hashbrown::{HashMap, HashSet};
use imara_diff::{Algorithm, Diff, InternedInput};

use super::script::Script;
use crate::range::LineRange;
use crate::source::{Source, is_blank};

/// What a line of the merge that is no kept line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    /// The snippet's.
    Snippet,
    /// The original's: it should be gone.
    Gone,
    /// Blank, so that it says nothing.
    Blank,
    /// A line that stands for others.
    Marker,
    /// Neither the original's nor the snippet's, or once too often.
    Nowhere,
}

/// A place where lines that stay are missing from the merge, or where it holds others.
#[derive(Debug, Clone)]
pub(super) struct Place {
    /// Positions of the missing ones among the lines that stay.
    pub(super) lost: LineRange,
    /// Lines of the merge.
    pub(super) lines: LineRange,
    /// Where each of those lines is from.
    pub(super) origins: Vec<Origin>,
    /// Whether the place belongs to the edit, so that original lines may go here.
    pub(super) is_edit: bool,
    /// Whether a line that the snippet writes here is missing from the merge.
    pub(super) lacks_new: bool,
}

impl Place {
    /// Says whether any line of the merge here is from there.
    pub(super) fn has(&self, origin: Origin) -> bool {
        self.origins.contains(&origin)
    }
}

/// The lines that stay and a merge side by side.
pub(super) struct Comparison {
    /// Pairs of a position among the lines that stay and a merged line of the same text, blanks at the ends apart;
    /// rising.
    pub(super) pairs: Vec<(usize, usize)>,
    /// Where they differ; rising.
    pub(super) places: Vec<Place>,
    /// Snippet lines that should be written and are nowhere, with the merged line they belong before; rising.
    pub(super) missing: Vec<(usize, usize)>,
}

impl Comparison {
    /// Aligns a merge with the lines that stay.
    pub(super) fn new(script: &Script<'_>, merged: &Source<'_>) -> Self {
        let pairs = pairs(script, merged);
        let places = places(&pairs, script.kept.len(), merged.n_lines());
        let mut comparison = Self { pairs, places, missing: Vec::new() };
        comparison.find_missing(script, merged);
        comparison.find_origins(script, merged);
        comparison.find_edits(script, merged);
        comparison
    }

    /// Finds the lines that should be written and are nowhere in the merge.
    fn find_missing(&mut self, script: &Script<'_>, merged: &Source<'_>) {
        let mut is_begun = false;
        let mut there = counts(self.places.iter().flat_map(|place| place.lines).map(|line| merged.line(line)));
        for &(at, line) in script.all_new_lines() {
            let text = script.snippet.line(line).trim();
            if text.is_empty() {
                continue;
            }
            if take(&mut there, text) {
                is_begun = true;
                continue;
            }
            let next = self.pairs.partition_point(|&(kept, _)| kept < at);
            self.missing.push((self.pairs.get(next).map_or(merged.n_lines(), |&(_, line)| line), line));
            let place = self.places.partition_point(|place| place.lost.end < at);
            if let Some(place) = self.places.get_mut(place).filter(|place| place.lost.start <= at) {
                place.lacks_new = true;
            }
        }
        if is_begun && !script.is_certain {
            // The other engine may have known better which lines are new.
            self.missing.clear();
        }
    }

    /// Tells where the lines of each place are from. What the snippet writes may stand anywhere, each line once.
    fn find_origins(&mut self, script: &Script<'_>, merged: &Source<'_>) {
        let mut written = counts(script.all_new_lines().iter().map(|&(_, line)| script.snippet.line(line)));
        for place in &mut self.places {
            let mut gone = counts(script.gone(place.lost).map(|row| script.original.line(row)));
            for line in place.lines {
                let text = merged.line(line).trim();
                let origin = if text.is_empty() {
                    Origin::Blank
                } else if take(&mut written, text) {
                    Origin::Snippet
                } else if take(&mut gone, text) {
                    Origin::Gone
                } else if script.is_marker(text) {
                    Origin::Marker
                } else if !script.is_certain && script.shows(text) {
                    Origin::Snippet
                } else {
                    Origin::Nowhere
                };
                place.origins.push(origin);
            }
        }
    }

    /// Tells which places belong to the edit: blank lines beside what goes or is written are free. Where our own merge is not
    /// trusted, so is everything where either engine takes lines out for the edit.
    fn find_edits(&mut self, script: &Script<'_>, merged: &Source<'_>) {
        let says = |kept: usize| !is_blank(script.text(kept));
        let kept = Saying::new(script.kept.len(), says);
        let lines = Saying::new(merged.n_lines(), |line| !is_blank(merged.line(line)));
        for place in &mut self.places {
            let above = kept.above(place.lost.start).map_or(0, |kept| kept + 1);
            let around = LineRange::new(above, kept.below(place.lost.end).unwrap_or(script.kept.len()));
            let loses = script.gone(around).next().is_some();
            let writes = place.has(Origin::Snippet);
            let says_nothing = place.origins.iter().all(|origin| *origin == Origin::Blank);
            place.is_edit = if !place.lost.iter().any(says) && (says_nothing || writes) {
                loses || writes || script.new_lines(around).next().is_some()
            } else {
                let comes_together = || {
                    // Shown one right after the other, lines have nothing between them.
                    let (above, below) = (lines.above(place.lines.start), lines.below(place.lines.end));
                    let meet = |(above, below)| script.shows_together(merged.line(above), merged.line(below));
                    says_nothing && above.zip(below).is_some_and(meet)
                };
                !script.is_certain && (loses || writes || comes_together())
            };
        }
    }
}

/// How often each text occurs. Looked up, never walked.
type Counts<'t> = HashMap<&'t str, usize, foldhash::fast::RandomState>;

/// Counts lines by their text, blanks at the ends apart.
fn counts<'t>(lines: impl Iterator<Item = &'t str>) -> Counts<'t> {
    let mut counts = Counts::default();
    for line in lines {
        *counts.entry(line.trim()).or_default() += 1;
    }
    counts
}

/// Takes one of a text, if there is one left.
fn take(counts: &mut Counts<'_>, text: &str) -> bool {
    counts.get_mut(text).filter(|n| **n > 0).map(|n| *n -= 1).is_some()
}

/// Ties the lines that stay to lines of the merge: those that are equal, then between them those that are equal but for
/// white space at their ends.
fn pairs(script: &Script<'_>, merged: &Source<'_>) -> Vec<(usize, usize)> {
    let (n_kept, n_lines) = (script.kept.len(), merged.n_lines());
    let mut pairs = Vec::with_capacity(n_kept);
    let kept: Vec<usize> = (0..n_kept).collect();
    let lines: Vec<usize> = (0..n_lines).collect();
    tie(&mut pairs, &kept, &lines, |kept| script.text(kept), |line| merged.line(line));
    // What is written just as the snippet has it is no kept line at another indentation.
    let written = script.all_new_lines().iter().map(|&(_, line)| script.snippet.line(line));
    let written: HashSet<&str, foldhash::fast::RandomState> = written.collect();
    for place in places(&pairs, n_kept, n_lines) {
        let kept: Vec<usize> = place.lost.iter().collect();
        let lines: Vec<usize> = place.lines.iter().filter(|&line| !written.contains(merged.line(line))).collect();
        if !kept.is_empty() && !lines.is_empty() {
            tie(&mut pairs, &kept, &lines, |kept| script.text(kept).trim(), |line| merged.line(line).trim());
        }
    }
    pairs.sort_unstable();
    pairs
}

/// Adds the pairs of a line diff between two lists of lines.
fn tie<'t>(
    pairs: &mut Vec<(usize, usize)>,
    kept: &[usize],
    lines: &[usize],
    kept_text: impl Fn(usize) -> &'t str,
    text: impl Fn(usize) -> &'t str,
) {
    let mut input: InternedInput<&str> = InternedInput::default();
    input.update_before(kept.iter().map(|&kept| kept_text(kept)));
    input.update_after(lines.iter().map(|&line| text(line)));
    // Myers leaves few lines without partner, and each of those may be a finding.
    let diff = Diff::compute(Algorithm::Myers, &input);
    let (mut at_kept, mut at_line) = (0, 0);
    for hunk in diff.hunks() {
        let (before, after) = (hunk.before.start as usize, hunk.after.start as usize);
        pairs.extend(kept[at_kept..before].iter().copied().zip(lines[at_line..after].iter().copied()));
        (at_kept, at_line) = (hunk.before.end as usize, hunk.after.end as usize);
    }
    pairs.extend(kept[at_kept..].iter().copied().zip(lines[at_line..].iter().copied()));
}

/// Finds the places between pairs.
fn places(pairs: &[(usize, usize)], n_kept: usize, n_lines: usize) -> Vec<Place> {
    let (mut kept, mut line) = (0, 0);
    let mut places = Vec::new();
    for &(next_kept, next_line) in pairs.iter().chain([&(n_kept, n_lines)]) {
        let (lost, lines) = (LineRange::new(kept, next_kept), LineRange::new(line, next_line));
        if !lost.is_empty() || !lines.is_empty() {
            places.push(Place { lost, lines, origins: Vec::new(), is_edit: false, lacks_new: false });
        }
        (kept, line) = (next_kept + 1, next_line + 1);
    }
    places
}

/// The nearest lines that aren't blank above and below each line.
struct Saying {
    above: Vec<Option<usize>>,
    below: Vec<Option<usize>>,
}

impl Saying {
    fn new(n_lines: usize, says: impl Fn(usize) -> bool) -> Self {
        let (mut above, mut below) = (vec![None; n_lines + 1], vec![None; n_lines + 1]);
        for line in 0..n_lines {
            above[line + 1] = if says(line) { Some(line) } else { above[line] };
        }
        for line in (0..n_lines).rev() {
            below[line] = if says(line) { Some(line) } else { below[line + 1] };
        }
        Self { above, below }
    }

    /// Gives the last one before `line`.
    fn above(&self, line: usize) -> Option<usize> {
        self.above[line]
    }

    /// Gives the first one at or after `line`.
    fn below(&self, line: usize) -> Option<usize> {
        self.below[line]
    }
}
