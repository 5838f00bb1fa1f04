//! The text that a merge is held against, and what may differ from it.

use std::cell::OnceCell;

use hashbrown::HashSet;

use crate::classify::reads_like_marker;
use crate::engine::Edit;
use crate::ledger::Step;
use crate::outcome::{Outcome, Shape};
use crate::range::LineRange;
use crate::replacement::Replacement;
use crate::source::{Source, is_blank};

/// Texts that are looked up, never walked.
type Texts<'s> = HashSet<&'s str, foldhash::fast::RandomState>;

/// What a merge should be, line by line: our own result where it is trusted, else the original.
pub(super) struct Target<'s> {
    pub(super) text: &'s Source<'s>,
    pub(super) original: &'s Source<'s>,
    /// The snippet as [`Outcome::snippet`] has it.
    pub(super) snippet: &'s Source<'s>,
    /// The original row that each line is; `None`: the edit writes it.
    pub(super) rows: Vec<Option<usize>>,
    /// Snippet lines that are written; rising.
    pub(super) new: Vec<usize>,
    /// Original rows that go; rising.
    pub(super) gone: Vec<usize>,
    /// Before each place between two lines the nearest line that isn't blank.
    above: Vec<Option<usize>>,
    /// The same behind it.
    below: Vec<Option<usize>>,
    /// Lines that our own merge writes, or takes lines out before; rising.
    edits: Vec<LineRange>,
    /// For each edit whether how many blank lines are beside it is a matter of taste: it adds or takes out lines as a whole, or
    /// has blank lines at its ends.
    are_spaced: Vec<bool>,
    /// Whether our own merge is trusted.
    pub(super) is_certain: bool,
    /// Whether the text ends with a line end; `None` where that may belong to the edit.
    pub(super) final_newline: Option<bool>,
    /// The terminator of all lines of the original, if it is one.
    pub(super) terminator: Option<&'static str>,
    /// Every line of the snippet, without blanks at its ends and without a mark in front.
    held: Texts<'s>,
    /// Whether any reading of the edit may take out lines that the snippet doesn't show.
    may_lose: bool,
    /// Whether the edit may touch every line.
    is_everywhere: bool,
    /// Every line of the text, without blanks at its ends; made when asked for.
    texts: OnceCell<Texts<'s>>,
    /// Lines of the original that read like markers; made when asked for.
    look_alikes: OnceCell<Texts<'s>>,
}

/// The texts that a target is made of.
#[derive(Clone, Copy)]
pub(super) struct Parts<'s> {
    pub(super) original: &'s Source<'s>,
    pub(super) snippet: &'s Source<'s>,
    pub(super) result: &'s Source<'s>,
}

impl<'s> Target<'s> {
    pub(super) fn new(texts: Parts<'s>, edit: &Edit<'s>, outcome: &Outcome) -> Self {
        let Parts { original, snippet, result } = texts;
        let is_certain = outcome.verdict().is_trusted();
        let text = if is_certain { result } else { original };
        let (mut rows, mut edits, mut gone) = (Vec::with_capacity(text.n_lines()), Vec::new(), Vec::new());
        let is_ended = |source: &Source<'_>, lines: LineRange| {
            let (first, last) = (lines.iter().next(), lines.iter().next_back());
            first.into_iter().chain(last).any(|line| is_blank(source.line(line))) || lines.is_empty()
        };
        let is_spaced = |one: &Replacement| is_ended(original, one.old_lines) || is_ended(result, one.new_lines);
        let are_spaced = outcome.replacements().iter().map(is_spaced).collect();
        let mut next = 0;
        for one in outcome.replacements() {
            if is_certain {
                rows.extend((next..one.old_lines.start).map(Some));
                rows.extend(one.new_lines.iter().map(|_| None));
                gone.extend(one.old_lines);
                edits.push(one.new_lines);
                next = one.old_lines.end;
            } else {
                edits.push(one.old_lines);
            }
        }
        rows.extend((next..original.n_lines()).map(Some));
        rows.resize(text.n_lines(), None);
        let new = outcome.ledger().steps().iter().filter_map(|step| match step {
            Step::New { snippet } => Some(snippet.iter()),
            _ => None,
        });
        let ends = [original, result].map(Source::has_final_newline);
        let mut target = Self {
            text,
            original,
            snippet,
            rows,
            new: if is_certain { new.flatten().collect() } else { Vec::new() },
            gone,
            above: nearest(0..text.n_lines(), text, |line| line + 1),
            below: nearest((0..text.n_lines()).rev(), text, |line| line),
            edits,
            are_spaced,
            is_certain,
            final_newline: (is_certain || ends[0] == ends[1]).then_some(ends[1]),
            terminator: uniform_terminator(original),
            held: Texts::default(),
            may_lose: !edit.description.trim().is_empty()
                || outcome.ledger().steps().iter().any(|step| matches!(step, Step::Marker { .. })),
            is_everywhere: matches!(outcome.shape(), Shape::WholeFile | Shape::Pairs),
            texts: OnceCell::new(),
            look_alikes: OnceCell::new(),
        };
        for line in edit.snippet.lines().chain(snippet.lines()) {
            let unmarked = line.strip_prefix(['+', '-', ' ']).unwrap_or(line);
            target.held.extend([line.trim(), unmarked.trim()]);
        }
        target
    }

    /// Says whether the text has this line, blanks at its ends apart.
    pub(super) fn has(&self, line: &str) -> bool {
        self.texts.get_or_init(|| self.text.lines().map(str::trim).collect()).contains(line)
    }

    /// Says whether the snippet holds this text, blanks at its ends apart.
    pub(super) fn holds(&self, text: &str) -> bool {
        self.held.contains(text.trim())
    }

    /// Says whether a place lies at the edge of an edit beside which blank lines are free: nothing but such lines is between
    /// them.
    pub(super) fn is_at_edge(&self, lines: LineRange) -> bool {
        let (above, below) = self.around(lines);
        // Blank lines inside of what is written are part of it.
        let holds = |edit: &LineRange, line: Option<usize>| line.is_some_and(|line| edit.contains(line));
        self.edits_at(lines).any(|(edit, is_spaced)| is_spaced && !(holds(edit, above) && holds(edit, below)))
    }

    /// Says whether no reading of the edit touches a place where the merge has these lines instead.
    pub(super) fn is_outside<'m>(&self, lines: LineRange, instead: impl Iterator<Item = &'m str>) -> bool {
        let (above, below) = self.around(lines);
        let is_held = |line: usize| !is_blank(self.text.line(line)) && self.holds(self.text.line(line));
        let is_lost = lines.iter().any(|line| !is_blank(self.text.line(line)));
        let mut is_silent = true;
        for line in instead.filter(|line| !is_blank(line)) {
            if self.holds(line) {
                return false;
            }
            is_silent = false;
        }
        // What our own reading only writes beside is no reason for a loss.
        let touches = |edit: &LineRange| !(is_lost && is_silent && edit.is_empty());
        let may_be_meant = self.is_everywhere
            || (is_lost && self.may_lose)
            || self.edits_at(lines).any(|(edit, _)| touches(edit))
            || lines.iter().chain(above).chain(below).any(is_held);
        !may_be_meant
    }

    /// Gives the edits between the nearest lines above and below that aren't blank, and whether blank lines are free beside
    /// them.
    fn edits_at(&self, lines: LineRange) -> impl Iterator<Item = (&LineRange, bool)> {
        let (above, below) = self.around(lines);
        let (start, end) = (above.map_or(0, |line| line + 1), below.unwrap_or(self.rows.len()));
        let first = self.edits.partition_point(|edit| edit.end < start);
        let edits = self.edits[first..].iter().zip(self.are_spaced[first..].iter().copied());
        edits.take_while(move |(edit, _)| edit.start <= end)
    }

    /// Gives the nearest lines above and below that aren't blank.
    fn around(&self, lines: LineRange) -> (Option<usize>, Option<usize>) {
        (self.above[lines.start], self.below[lines.end])
    }

    /// Says whether a line reads like a marker that the original doesn't have.
    pub(super) fn is_marker(&self, text: &str) -> bool {
        let look_alikes = || self.original.lines().map(str::trim).filter(|line| reads_like_marker(line)).collect();
        reads_like_marker(text) && !self.look_alikes.get_or_init(look_alikes).contains(text.trim())
    }
}

/// Gives for each place between lines the last line in walking order that isn't blank; `place` is the one behind a line.
fn nearest(
    lines: impl Iterator<Item = usize>,
    text: &Source<'_>,
    place: impl Fn(usize) -> usize,
) -> Vec<Option<usize>> {
    let mut nearest = vec![None; text.n_lines() + 1];
    let mut last = None;
    for line in lines {
        last = if is_blank(text.line(line)) { last } else { Some(line) };
        nearest[place(line)] = last;
    }
    nearest
}

/// Gives the terminator of all lines but perhaps the last, if it is one and the same.
fn uniform_terminator(source: &Source<'_>) -> Option<&'static str> {
    let dominant = source.dominant_terminator();
    let n_ended = source.n_lines() - usize::from(!source.has_final_newline());
    (n_ended > 0 && (0..n_ended).all(|line| source.terminator(line) == dominant)).then_some(dominant)
}
