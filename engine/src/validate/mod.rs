//! Whether the result may be trusted: syntax, duplicates, removals, and the verdict drawn from them.

mod duplicate;
pub(crate) mod regions;
mod rules;
pub(crate) mod syntax;
mod verdict;

pub(crate) use verdict::{Findings, verdict};

use crate::budget::Limit;
use crate::range::LineRange;

/// What the syntax check found.
///
/// # Examples
///
/// ```
/// use treegraft::{Engine, Language, SyntaxStatus};
///
/// let found = Engine::default().check("[1, 2\n", Some(Language::Json))?;
/// assert_eq!(found.status, SyntaxStatus::Invalid);
/// assert_eq!(found.new_errors.len(), 1);
/// # Ok::<(), treegraft::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Validation {
    /// How the check ended.
    pub status: SyntaxStatus,
    /// Errors of the result that the original didn't have.
    pub new_errors: Vec<SyntaxError>,
    /// How many errors the original has. Zero also where it needed no parse, since the result is clean.
    pub original_errors: usize,
    /// The limit that ended the check, where it is [`SyntaxStatus::TimedOut`].
    pub cut_by: Option<Limit>,
}

/// How a syntax check ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SyntaxStatus {
    /// No new error.
    Valid,
    /// At least one new error.
    Invalid,
    /// The budget was spent before the answer ([`Validation::cut_by`]). Not an error.
    TimedOut,
    /// No grammar for this file.
    Unsupported,
    /// Nothing to check.
    Skipped,
}

impl SyntaxStatus {
    /// Gives the stable name used in reports, such as `timed_out`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Valid => "valid",
            Self::Invalid => "invalid",
            Self::TimedOut => "timed_out",
            Self::Unsupported => "unsupported",
            Self::Skipped => "skipped",
        }
    }
}

/// One place that the grammar rejects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyntaxError {
    /// Lines of the result, zero-based.
    pub lines: LineRange,
    /// One phrase: what is unexpected or missing.
    pub message: String,
}
