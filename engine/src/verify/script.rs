//! The ledger as a script: what the merge should hold, line by line, and what should be gone.

use std::cell::OnceCell;

use hashbrown::HashSet;

use crate::classify::reads_like_marker;
use crate::ledger::Step;
use crate::outcome::Outcome;
use crate::range::LineRange;
use crate::source::{Source, is_blank};

/// Texts that are looked up, never walked.
type Texts<T> = HashSet<T, foldhash::fast::RandomState>;

/// What the edit says about both texts, in order.
pub(super) struct Script<'s> {
    pub(super) original: &'s Source<'s>,
    pub(super) snippet: &'s Source<'s>,
    /// Original lines that stay, rising.
    pub(super) kept: Vec<usize>,
    /// Original lines that go, each with the number of kept lines before it; rising.
    gone: Vec<(usize, usize)>,
    /// Snippet lines that are written, each with the number of kept lines before it; rising.
    new: Vec<(usize, usize)>,
    /// Whether our own merge is trusted.
    pub(super) is_certain: bool,
    /// Whether the file ends with a line terminator after the edit.
    pub(super) final_newline: bool,
    /// The terminator of all original lines, if it is one.
    pub(super) terminator: Option<&'static str>,
    /// The lines that the snippet shows, as they are and with blanks at their ends taken off.
    shown: Texts<&'s str>,
    /// Those that it shows one right after the other, blank lines apart.
    meeting: Texts<(&'s str, &'s str)>,
    /// The snippet's lines that stand for others.
    markers: Texts<&'s str>,
    /// Lines of the original that read like markers; made when asked for.
    look_alikes: OnceCell<Texts<&'s str>>,
}

impl<'s> Script<'s> {
    /// Reads an outcome's ledger. `snippet` is the text of [`Outcome::snippet`].
    pub(super) fn of(original: &'s Source<'s>, snippet: &'s Source<'s>, outcome: &Outcome) -> Self {
        let mut script = Self {
            original,
            snippet,
            kept: Vec::with_capacity(original.n_lines()),
            gone: Vec::new(),
            new: Vec::new(),
            is_certain: outcome.verdict().is_trusted(),
            final_newline: Source::new(outcome.text()).has_final_newline(),
            terminator: uniform_terminator(original),
            shown: Texts::default(),
            meeting: Texts::default(),
            markers: Texts::default(),
            look_alikes: OnceCell::new(),
        };
        let mut last = None;
        for step in outcome.ledger().steps() {
            let written = match *step {
                Step::Anchor { snippet, .. } => LineRange::new(snippet, snippet + 1),
                Step::New { snippet } => snippet,
                _ => LineRange::default(),
            };
            for line in written.iter().map(|line| snippet.line(line)).filter(|line| !is_blank(line)) {
                let text = line.trim();
                script.shown.extend([line, text]);
                script.meeting.extend(last.replace(text).map(|last| (last, text)));
            }
            let at = script.kept.len();
            match *step {
                Step::Anchor { original, .. } => script.kept.push(original),
                Step::Keep { original, .. } => script.kept.extend(original),
                Step::New { snippet } => script.new.extend(snippet.iter().map(|line| (at, line))),
                Step::Remove { original, .. } => script.gone.extend(original.iter().map(|row| (at, row))),
                Step::Fill { original, snippet: line } => {
                    script.kept.extend(original);
                    script.markers.insert(snippet.line(line).trim());
                    last = None;
                }
                Step::Marker { snippet: line } => {
                    script.markers.insert(snippet.line(line).trim());
                    last = None;
                }
                Step::Drop { .. } => {}
            }
        }
        script
    }

    /// Gives the text of a kept line, by its position among those.
    pub(super) fn text(&self, kept: usize) -> &'s str {
        self.original.line(self.kept[kept])
    }

    /// Gives the original lines that go with at least `places.start` and at most `places.end` kept lines before them.
    pub(super) fn gone(&self, places: LineRange) -> impl Iterator<Item = usize> + '_ {
        between(&self.gone, places)
    }

    /// Gives the snippet lines that are written with at least `places.start` and at most `places.end` kept lines
    /// before them.
    pub(super) fn new_lines(&self, places: LineRange) -> impl Iterator<Item = usize> + '_ {
        between(&self.new, places)
    }

    /// Gives all snippet lines that are written, each with the number of kept lines before it.
    pub(super) fn all_new_lines(&self) -> &[(usize, usize)] {
        &self.new
    }

    /// Says whether the snippet shows this line; given without the blanks at its ends, those don't count.
    pub(super) fn shows(&self, text: &str) -> bool {
        self.shown.contains(text)
    }

    /// Says whether the snippet shows these lines one right after the other, blanks at their ends and blank lines apart.
    pub(super) fn shows_together(&self, above: &str, below: &str) -> bool {
        self.meeting.contains(&(above.trim(), below.trim()))
    }

    /// Says whether a line is one of the snippet's markers, or reads like one that the original doesn't have.
    pub(super) fn is_marker(&self, text: &str) -> bool {
        let text = text.trim();
        let look_alikes = || {
            let lines = self.original.lines().map(str::trim);
            lines.filter(|line| reads_like_marker(line)).collect()
        };
        self.markers.contains(text)
            || (reads_like_marker(text) && !self.look_alikes.get_or_init(look_alikes).contains(text))
    }
}

/// Gives the terminator of all lines but perhaps the last, if it is one and the same.
fn uniform_terminator(source: &Source<'_>) -> Option<&'static str> {
    let dominant = source.dominant_terminator();
    let n_ended = source.n_lines() - usize::from(!source.has_final_newline());
    (n_ended > 0 && (0..n_ended).all(|line| source.terminator(line) == dominant)).then_some(dominant)
}

/// Gives the lines whose places lie in a range, both ends included.
fn between(lines: &[(usize, usize)], places: LineRange) -> impl Iterator<Item = usize> + '_ {
    let first = lines.partition_point(|&(at, _)| at < places.start);
    lines[first..].iter().take_while(move |&&(at, _)| at <= places.end).map(|&(_, line)| line)
}
