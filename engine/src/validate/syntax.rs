//! Syntax errors of a result as a delta to the original's.

use std::time::Duration;

use super::{SyntaxStatus, Validation};
use crate::treesitter::Language;

/// Checks a text on its own.
pub(crate) fn check(_text: &str, _language: Option<Language>, _budget: Duration) -> Validation {
    Validation { status: SyntaxStatus::Unsupported, new_errors: Vec::new(), original_errors: 0 }
}

/// Checks a result against its original. `edits` are the changed line ranges `(original, result)`, rising.
pub(crate) fn delta(
    _original: &str,
    _result: &str,
    _edits: &[(crate::LineRange, crate::LineRange)],
    _language: Option<Language>,
    _budget: Duration,
) -> Validation {
    Validation { status: SyntaxStatus::Unsupported, new_errors: Vec::new(), original_errors: 0 }
}
