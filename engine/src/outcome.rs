//! What comes of an edit.

use std::sync::Arc;
use std::time::Duration;

use crate::ledger::Ledger;
use crate::replacement::Replacement;
use crate::treesitter::Read;
use crate::validate::Validation;
use crate::verdict::Verdict;

/// The form a snippet was recognised to have.
///
/// # Examples
///
/// ```
/// use treegraft::Shape;
///
/// let block = "<<<<<<< SEARCH\ntwo\n=======\n2\n>>>>>>> REPLACE\n";
/// let outcome = treegraft::apply("a.txt", "one\ntwo\nthree\n", block)?;
/// assert_eq!((outcome.shape(), outcome.text()), (Shape::SearchReplace, "one\n2\nthree\n"));
/// assert_eq!(Shape::from_name("search_replace"), Some(Shape::SearchReplace));
/// # Ok::<(), treegraft::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Shape {
    /// Changed lines, known lines around them, references for the rest.
    Lazy,
    /// Declarations and nothing else: no reference says where they belong, their names do.
    Bare,
    /// The whole new file.
    WholeFile,
    /// Lines marked `+` and `-`, references or context between.
    Diff,
    /// A unified diff: hunks behind `@@` lines. Its numbers and counts may be wrong or missing.
    Unified,
    /// A `*** Begin Patch` envelope, whose `@@` lines name scopes.
    Patch,
    /// Blocks of `<<<<<<< SEARCH`, `=======`, `>>>>>>> REPLACE`.
    SearchReplace,
    /// Exact old and new texts, see [`Edit::pairs`](crate::Edit::pairs).
    Pairs,
}

impl Shape {
    /// All shapes.
    pub const ALL: &'static [Self] = &[
        Self::Lazy,
        Self::Bare,
        Self::WholeFile,
        Self::Diff,
        Self::Unified,
        Self::Patch,
        Self::SearchReplace,
        Self::Pairs,
    ];

    /// Gives the stable name used in reports, such as `whole_file`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Lazy => "lazy",
            Self::Bare => "bare",
            Self::WholeFile => "whole_file",
            Self::Diff => "diff",
            Self::Unified => "unified",
            Self::Patch => "patch",
            Self::SearchReplace => "search_replace",
            Self::Pairs => "pairs",
        }
    }

    /// Finds a shape by its stable name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|shape| shape.as_str() == name)
    }

    /// Says whether the text names what it changes line by line, so that nothing else can be meant.
    pub(crate) fn has_hunks(self) -> bool {
        matches!(self, Self::Unified | Self::Patch | Self::SearchReplace | Self::Pairs)
    }

    /// Names the shape in a sentence.
    pub(crate) fn in_words(self) -> &'static str {
        match self {
            Self::Lazy => "a lazy snippet",
            Self::Bare => "bare declarations",
            Self::WholeFile => "a whole file",
            Self::Diff => "lines marked `+` and `-`",
            Self::Unified => "a unified diff",
            Self::Patch => "a patch",
            Self::SearchReplace => "search/replace blocks",
            Self::Pairs => "old and new texts",
        }
    }
}

/// What was around the text and is no part of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Wrapping {
    /// A code fence.
    Fence,
    /// A line with the file's path.
    PathLine,
    /// The line numbers of a view in front of the lines.
    LineNumbers,
}

impl Wrapping {
    /// Gives the stable name used in reports, such as `line_numbers`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Fence => "fence",
            Self::PathLine => "path_line",
            Self::LineNumbers => "line_numbers",
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
    pub(crate) wrapping: Vec<Wrapping>,
    pub(crate) verdict: Verdict,
    pub(crate) validation: Validation,
    pub(crate) replacements: Vec<Replacement>,
    pub(crate) ledger: Ledger,
    pub(crate) snippet: String,
    pub(crate) already_applied: bool,
    pub(crate) elapsed: Elapsed,
    /// Of an edit of a document: what was read of the result, and which state of the document it was made from.
    pub(crate) reads: Option<(Arc<()>, Vec<Read>)>,
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

    /// Gives what was taken off around the snippet before it was read.
    #[must_use]
    pub fn wrapping(&self) -> &[Wrapping] {
        &self.wrapping
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

    /// Gives the snippet as the ledger counts it: with white space converted, and `+`/`-` columns and line numbers
    /// taken off where that was needed, its parts in the file's order. It has the lines of the snippet handed in, one
    /// for one. Of [`Shape::Pairs`] it has the old and the new version of each changed place.
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
