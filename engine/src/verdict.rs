//! What a user is told of a result: whether it may be written as it is, and if not, why.

use std::fmt;

use crate::range::LineRange;

/// Whether a result may be used without a further look.
///
/// # Examples
///
/// ```
/// use treegraft::{ReasonKind, Verdict};
///
/// let cut = "# ... existing code ...\ndef b():\n    if new():\n";
/// match treegraft::apply("a.py", "def a():\n    pass\n\n\ndef b():\n    pass\n", cut)?.verdict() {
///     Verdict::Trusted => panic!("the snippet breaks off"),
///     Verdict::NeedsVerify(reasons) => assert!(reasons.iter().any(|reason| reason.kind == ReasonKind::SnippetSuspicious)),
/// }
/// # Ok::<(), treegraft::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub enum Verdict {
    /// Every removed line is explained, every new line has one place, no new syntax error.
    Trusted,
    /// The best result there is, and why someone has to look at it. Never empty.
    NeedsVerify(Vec<NeedsVerifyReason>),
}

impl Verdict {
    /// Makes the verdict from the reasons found: trusted exactly when there are none.
    pub fn from_reasons(reasons: Vec<NeedsVerifyReason>) -> Self {
        if reasons.is_empty() { Self::Trusted } else { Self::NeedsVerify(reasons) }
    }

    /// Says whether the result may be used as it is.
    #[must_use]
    pub fn is_trusted(&self) -> bool {
        matches!(self, Self::Trusted)
    }

    /// Gives the reasons; empty when trusted.
    #[must_use]
    pub fn reasons(&self) -> &[NeedsVerifyReason] {
        match self {
            Self::Trusted => &[],
            Self::NeedsVerify(reasons) => reasons,
        }
    }
}

/// The kind of a doubt. [`ReasonKind::as_str`] is its name in reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum ReasonKind {
    /// Original lines are gone and nothing explains it.
    CodeRemoved,
    /// The result holds the same declaration or block twice.
    CodeDuplicated,
    /// More than one place fits, or none does.
    AmbiguousLocation,
    /// What the edit says it changes is not in the original.
    PlaceNotFound,
    /// What the edit says it changes stands in the original a little differently.
    InexactMatch,
    /// The result has a syntax error that the original didn't have.
    SyntaxError,
    /// A line that reads like a reference or removal would be written.
    ReferenceLeft,
    /// A reference stands for the body of something that isn't in the file.
    ReferenceWithoutSource,
    /// Original lines stay that the snippet passes over without a word.
    CodeUnmentioned,
    /// The description announces a change of lines that didn't change.
    RangeNotApplied,
    /// The snippet shows parts in another order than the file.
    OrderChanged,
    /// White space had to be converted to find the place.
    WhitespaceConverted,
    /// The description says `overwrite`, the snippet holds references.
    OverwriteWithReference,
    /// The snippet looks damaged: cut off, wrapped, or with line numbers.
    SnippetSuspicious,
    /// A limit was reached, so less was examined than usual.
    CutShort,
}

impl ReasonKind {
    /// Gives the stable name used in reports, such as `code_removed`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::CodeRemoved => "code_removed",
            Self::CodeDuplicated => "code_duplicated",
            Self::AmbiguousLocation => "ambiguous_location",
            Self::PlaceNotFound => "place_not_found",
            Self::InexactMatch => "inexact_match",
            Self::SyntaxError => "syntax_error",
            Self::ReferenceLeft => "reference_left",
            Self::ReferenceWithoutSource => "reference_without_source",
            Self::CodeUnmentioned => "code_unmentioned",
            Self::RangeNotApplied => "range_not_applied",
            Self::OrderChanged => "order_changed",
            Self::WhitespaceConverted => "whitespace_converted",
            Self::OverwriteWithReference => "overwrite_with_reference",
            Self::SnippetSuspicious => "snippet_suspicious",
            Self::CutShort => "cut_short",
        }
    }
}

impl fmt::Display for ReasonKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One doubt: its kind, one sentence, and the lines it is about.
///
/// # Examples
///
/// ```
/// use treegraft::{LineRange, NeedsVerifyReason, ReasonKind};
///
/// let reason = NeedsVerifyReason::new(ReasonKind::CodeRemoved, "a line is lost").at_original(LineRange::new(4, 5));
/// assert_eq!(reason.kind.as_str(), "code_removed");
/// assert_eq!(reason.original_lines.map(LineRange::one_based), Some((5, 5)));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NeedsVerifyReason {
    /// What kind of doubt it is.
    pub kind: ReasonKind,
    /// One sentence for a person, without line numbers it could repeat from the fields below.
    pub message: String,
    /// Original lines it is about, zero-based.
    pub original_lines: Option<LineRange>,
    /// Snippet lines it is about, zero-based.
    pub snippet_lines: Option<LineRange>,
    /// Places that fit, in the order of the original. For [`ReasonKind::AmbiguousLocation`].
    pub candidates: Vec<Candidate>,
}

impl NeedsVerifyReason {
    /// Makes a reason without lines or candidates.
    #[must_use]
    pub fn new(kind: ReasonKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), original_lines: None, snippet_lines: None, candidates: Vec::new() }
    }

    /// Names the original lines it is about, zero-based.
    #[must_use]
    pub fn at_original(mut self, lines: LineRange) -> Self {
        self.original_lines = Some(lines);
        self
    }

    /// Names the snippet lines it is about, zero-based.
    #[must_use]
    pub fn at_snippet(mut self, lines: LineRange) -> Self {
        self.snippet_lines = Some(lines);
        self
    }
}

/// A place in the original where a part of the snippet may belong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// The original line before which, or at which, it would go; zero-based.
    pub original_line: usize,
    /// That line's text, shortened.
    pub preview: String,
}
