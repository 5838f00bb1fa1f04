//! The fate of every original line and of every snippet line.
//!
//! The ledger is a script read from top to bottom: each step takes the next original lines, the next snippet
//! lines, or both. That nothing is in two places and nothing in none is not checked afterwards: a script that
//! takes both texts in order can't say otherwise, and [`Ledger::new`] refuses one that leaves a line out.

use std::ops::Range;

use crate::range::LineRange;

/// How closely an anchor's two lines agree. Ordered from strict to loose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Equality {
    /// The same bytes, terminators apart.
    Exact,
    /// The same but for trailing blanks.
    TrailingBlanks,
    /// The same but for indentation.
    Indentation,
    /// The same once all white space is taken out.
    Whitespace,
}

/// Why original lines that the snippet doesn't show stay.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum KeepRule {
    /// The snippet starts or ends without a reference; one is implied there.
    ImpliedEdge,
    /// They stand above the name of a declaration that the snippet shows without them: decorators below a doc comment.
    Attached,
    /// They import a package that is still used: a list of imports shown in part is added to and not cut.
    StillUsed,
    /// The description announces an insertion, which removes nothing.
    PureInsert,
    /// The description names other lines than these.
    OutsideRanges,
    /// Losing so much without a word is less likely than forgetting a reference.
    Unmentioned,
    /// The edit names what it changes, and these aren't among it.
    OutsideHunks,
}

/// What explains that original lines are gone, strongest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum RemovalCause {
    /// A removal line in the snippet stands where they were.
    Marker,
    /// A `-` line names them, or an old text whose new version doesn't have them.
    MinusLine,
    /// The description's `Replace:` or `Remove:` field covers them.
    Announced,
    /// The snippet is the whole new file.
    WholeFile,
    /// The snippet shows a new version of the line in its place.
    Rewritten,
    /// The declaration they were in is shown in full, with both ends tied.
    ShownInFull,
    /// Only blank lines.
    BlankLine,
    /// Nothing explains it.
    Unexplained,
}

/// One step of the ledger.
///
/// # Examples
///
/// ```
/// use treegraft::{LineRange, Step};
///
/// let fill = Step::Fill { original: LineRange::new(3, 9), snippet: 1 };
/// assert!(fill.keeps());
/// assert_eq!((fill.original(), fill.snippet()), (Some(LineRange::new(3, 9)), Some(LineRange::new(1, 2))));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(tag = "step", rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Step {
    /// One original line is one snippet line; the original's bytes stay.
    Anchor {
        /// Original line.
        original: usize,
        /// Snippet line.
        snippet: usize,
        /// How closely they agree.
        equality: Equality,
    },
    /// A reference stands for original lines, possibly none.
    Fill {
        /// Original lines that stay.
        original: LineRange,
        /// Snippet line that holds the reference.
        snippet: usize,
    },
    /// Original lines stay although the snippet doesn't mention them.
    Keep {
        /// Original lines that stay.
        original: LineRange,
        /// Why.
        rule: KeepRule,
    },
    /// Original lines go. Lines that take their place follow as [`Step::New`].
    Remove {
        /// Original lines that go.
        original: LineRange,
        /// What explains it.
        cause: RemovalCause,
    },
    /// A removal line of the snippet; the lines it stands for follow as [`Step::Remove`].
    Marker {
        /// Snippet line that holds the marker.
        snippet: usize,
    },
    /// Snippet lines are written.
    New {
        /// Snippet lines that enter the result.
        snippet: LineRange,
    },
    /// Snippet lines are not written: blank lines beside a reference, comments to the reader.
    Drop {
        /// Snippet lines that do not enter the result.
        snippet: LineRange,
    },
}

impl Step {
    /// Gives the original lines the step takes, if any.
    #[must_use]
    pub fn original(&self) -> Option<LineRange> {
        match *self {
            Self::Anchor { original, .. } => Some(LineRange::new(original, original + 1)),
            Self::Fill { original, .. } | Self::Keep { original, .. } | Self::Remove { original, .. } => Some(original),
            Self::Marker { .. } | Self::New { .. } | Self::Drop { .. } => None,
        }
    }

    /// Gives the snippet lines the step takes, if any.
    #[must_use]
    pub fn snippet(&self) -> Option<LineRange> {
        match *self {
            Self::Anchor { snippet, .. } | Self::Fill { snippet, .. } | Self::Marker { snippet } => {
                Some(LineRange::new(snippet, snippet + 1))
            }
            Self::New { snippet } | Self::Drop { snippet } => Some(snippet),
            Self::Keep { .. } | Self::Remove { .. } => None,
        }
    }

    /// Says whether the step's original lines are in the result.
    #[must_use]
    pub fn keeps(&self) -> bool {
        matches!(self, Self::Anchor { .. } | Self::Fill { .. } | Self::Keep { .. })
    }
}

/// The complete account of one edit: every line of both texts once, in order.
///
/// # Examples
///
/// ```
/// use treegraft::{RemovalCause, Step};
///
/// let outcome = treegraft::apply("a.txt", "one\ntwo\nthree\n", "one\n// removed\nthree\n")?;
/// let removals: Vec<_> = outcome.ledger().removals().map(|(lines, cause)| (lines.one_based(), cause)).collect();
/// assert_eq!(removals, [((2, 2), RemovalCause::Marker)]);
/// assert!(matches!(outcome.ledger().steps()[0], Step::Anchor { original: 0, snippet: 0, .. }));
/// # Ok::<(), treegraft::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(transparent))]
pub struct Ledger {
    steps: Vec<Step>,
}

impl Ledger {
    /// Makes a ledger of `steps` if they take all `n_original` and all `n_snippet` lines in order; gives the
    /// steps back otherwise.
    ///
    /// # Errors
    ///
    /// The steps, if a line is left out, taken twice or out of order.
    pub fn new(steps: Vec<Step>, n_original: usize, n_snippet: usize) -> Result<Self, Vec<Step>> {
        let (mut original, mut snippet) = (0, 0);
        for step in &steps {
            for (taken, next) in [(step.original(), &mut original), (step.snippet(), &mut snippet)] {
                if let Some(range) = taken {
                    if range.start != *next {
                        return Err(steps);
                    }
                    *next = range.end;
                }
            }
        }
        if (original, snippet) == (n_original, n_snippet) { Ok(Self { steps }) } else { Err(steps) }
    }

    /// Gives the steps in order.
    #[must_use]
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Gives the removed original lines with their causes.
    pub fn removals(&self) -> impl Iterator<Item = (LineRange, RemovalCause)> + '_ {
        self.steps.iter().filter_map(|step| match *step {
            Step::Remove { original, cause } => Some((original, cause)),
            _ => None,
        })
    }

    /// Gives the original lines that are not in the result, rising.
    pub(crate) fn gone(&self) -> Vec<LineRange> {
        self.removals().map(|(lines, _)| lines).filter(|lines| !lines.is_empty()).collect()
    }

    /// Counts the original lines that are not in the result.
    #[must_use]
    pub fn n_removed(&self) -> usize {
        self.removals().map(|(lines, _)| lines.len()).sum()
    }
}

/// A maximal run of steps that change something, and what stands beside it.
#[derive(Debug, Clone)]
pub(crate) struct Hunk {
    /// Positions of the steps.
    pub(crate) steps: Range<usize>,
    pub(crate) before: Beside,
    pub(crate) after: Beside,
}

/// What stands beside a hunk, blank lines apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Beside {
    /// A line that is shown and stays.
    Shown,
    /// The edge of the file, or of the snippet where nothing is implied.
    Edge,
    /// A reference, or lines kept by a rule.
    Unshown,
}

impl Hunk {
    /// Says whether no reference is on either side, and a shown line on one at least.
    pub(crate) fn is_tied(&self) -> bool {
        let sides = [self.before, self.after];
        sides.contains(&Beside::Shown) && !sides.contains(&Beside::Unshown)
    }

    /// Says whether a shown line is on one side at least.
    pub(crate) fn is_held(&self) -> bool {
        self.before == Beside::Shown || self.after == Beside::Shown
    }
}

/// Finds the hunks of a script. `is_blank` says of a step whether it anchors a blank line, which ties nothing.
pub(crate) fn hunks(steps: &[Step], is_blank: impl Fn(&Step) -> bool) -> Vec<Hunk> {
    let is_change =
        |step: &Step| matches!(step, Step::Remove { .. } | Step::New { .. } | Step::Drop { .. } | Step::Marker { .. });
    let beside = |step: Option<&Step>| match step {
        None => Beside::Edge,
        Some(Step::Anchor { .. }) => Beside::Shown,
        Some(_) => Beside::Unshown,
    };
    let mut hunks = Vec::new();
    let mut start = 0;
    while start < steps.len() {
        if !is_change(&steps[start]) {
            start += 1;
            continue;
        }
        let end = (start..steps.len()).find(|&at| !is_change(&steps[at])).unwrap_or(steps.len());
        hunks.push(Hunk {
            steps: start..end,
            before: beside(steps[..start].iter().rfind(|step| !is_blank(step))),
            after: beside(steps[end..].iter().find(|step| !is_blank(step))),
        });
        start = end;
    }
    hunks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ledger_takes_every_line_once_and_in_order() {
        let steps = vec![
            Step::Keep { original: LineRange::new(0, 2), rule: KeepRule::ImpliedEdge },
            Step::Anchor { original: 2, snippet: 0, equality: Equality::Exact },
            Step::New { snippet: LineRange::new(1, 3) },
        ];
        assert!(Ledger::new(steps.clone(), 3, 3).is_ok());
        assert!(Ledger::new(steps.clone(), 4, 3).is_err(), "an original line is left out");
        assert!(Ledger::new(steps.clone(), 3, 4).is_err(), "a snippet line is left out");
        let mut twice = steps;
        twice.push(Step::Anchor { original: 2, snippet: 3, equality: Equality::Exact });
        assert!(Ledger::new(twice, 3, 4).is_err(), "an original line is taken twice");
    }
}
