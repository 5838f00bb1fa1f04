//! What comes of an edit.

use std::time::Duration;

use crate::ledger::Ledger;
use crate::replacement::Replacement;
use crate::validate::Validation;
use crate::verdict::Verdict;

/// The form a snippet was recognised to have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Shape {
    /// Changed lines, known lines around them, references for the rest.
    Lazy,
    /// The whole new file.
    WholeFile,
    /// Lines marked `+` and `-`, references or context between.
    Diff,
}

impl Shape {
    /// Gives the stable name used in reports, such as `whole_file`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Lazy => "lazy",
            Self::WholeFile => "whole_file",
            Self::Diff => "diff",
        }
    }
}

/// How long the stages took.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Elapsed {
    /// The whole edit.
    pub total: Duration,
    /// Classify, outline, anchor and fill.
    pub anchor: Duration,
    /// Syntax check and verdict.
    pub validate: Duration,
    /// Replacements.
    pub diff: Duration,
}

/// The result of an edit: the new text, how it came about, and whether it may be trusted.
///
/// # Examples
///
/// ```
/// let outcome = treegraft::apply("a.txt", "one\ntwo\nthree\n", "one\ntwo\n2.5\nthree\n")?;
/// assert_eq!(outcome.text(), "one\ntwo\n2.5\nthree\n");
/// let [only] = outcome.replacements() else { panic!("one insertion") };
/// assert_eq!((only.bytes.start, only.bytes.end, only.new.as_str()), (8, 8, "2.5\n"));
/// assert_eq!(outcome.shape().as_str(), "whole_file");
/// assert_eq!(outcome.ledger().n_removed(), 0);
/// # Ok::<(), treegraft::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Outcome {
    pub(crate) text: String,
    pub(crate) shape: Shape,
    pub(crate) verdict: Verdict,
    pub(crate) validation: Validation,
    pub(crate) replacements: Vec<Replacement>,
    pub(crate) ledger: Ledger,
    pub(crate) snippet: String,
    pub(crate) already_applied: bool,
    pub(crate) elapsed: Elapsed,
}

impl Outcome {
    /// Gives the whole new file: the best result there is, whatever the verdict.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Takes the whole new file out.
    #[must_use]
    pub fn into_text(self) -> String {
        self.text
    }

    /// Says whether the result may be used as it is, and if not, why.
    pub fn verdict(&self) -> &Verdict {
        &self.verdict
    }

    /// Gives the form the snippet was taken for.
    #[must_use]
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Gives the minimal replacements that turn the original into the result: rising, disjoint, whole lines.
    #[must_use]
    pub fn replacements(&self) -> &[Replacement] {
        &self.replacements
    }

    /// Gives what the syntax check found.
    #[must_use]
    pub fn validation(&self) -> &Validation {
        &self.validation
    }

    /// Gives the fate of every original line and of every line of [`Outcome::snippet`].
    #[must_use]
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// Gives the snippet as the ledger counts it: with white space converted and `+`/`-` columns taken off
    /// where that was needed. It has the lines of the snippet handed in, one for one.
    #[must_use]
    pub fn snippet(&self) -> &str {
        &self.snippet
    }

    /// Says whether the file already holds what the snippet asks for. Only of a trusted outcome: where something is in
    /// doubt, so is that.
    #[must_use]
    pub fn already_applied(&self) -> bool {
        self.already_applied
    }

    /// Says how long the stages took.
    #[must_use]
    pub fn elapsed(&self) -> Elapsed {
        self.elapsed
    }
}
