//! Lands AI-written edits on real files, without a model.
//!
//! A model answers with a *snippet*: a few changed lines, a few known lines around them, and
//! `// ... existing code ...` for the rest. An [`Engine`] works out which original line each snippet line
//! stands for and what each reference stands for, and gives an [`Outcome`]: the whole new file, minimal
//! [`Replacement`]s, a [`Ledger`] with the fate of every line, and a [`Verdict`] that is
//! [`Verdict::Trusted`] only where nothing is in doubt.
//!
//! ```text
//! original ─┐                                            ┌─► result text
//! snippet ──┼─► classify ─► outline ─► anchor ─► fill ─► ledger ─► stitch ─► replacements
//! desc ─────┘   (lines)     (tree)     (lines   (lines   (fates)     │
//!                                      in scopes) in nodes)         └─► validate ─► verdict
//! ```
//!
//! # Example
//!
//! ```
//! let original = "def area(r):\n    return 3 * r ** 2\n\ndef rim(r):\n    return 6 * r\n";
//! let snippet = "# ... existing code ...\n\ndef rim(r):\n    return 6.28 * r\n";
//! let outcome = treegraft::apply("shapes.py", original, snippet)?;
//! assert_eq!(outcome.text(), "def area(r):\n    return 3 * r ** 2\n\ndef rim(r):\n    return 6.28 * r\n");
//! assert!(outcome.verdict().is_trusted());
//! assert_eq!(outcome.replacements().len(), 1);
//! # Ok::<(), treegraft::Error>(())
//! ```

mod account;
mod anchor;
mod apply;
mod bare;
mod budget;
mod classify;
mod diff;
mod digest;
mod document;
mod engine;
mod error;
mod fingerprint;
mod hunk;
mod imports;
mod indent;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod internals;
mod ledger;
mod merge;
mod outcome;
mod range;
mod relief;
mod replacement;
#[cfg(feature = "serde")]
mod report;
mod source;
mod stitch;
mod traits;
mod treesitter;
mod unified;
mod validate;
mod verdict;
mod verify;
mod whole_file;

pub use budget::{Budget, Limit};
pub use document::{Document, Documents};
pub use engine::{Edit, Engine, Options, Pair};
pub use error::{Error, Input};
pub use ledger::{Equality, KeepRule, Ledger, RemovalCause, Step};
pub use outcome::{Elapsed, Outcome, Shape, Wrapping};
pub use range::{ByteRange, LineRange};
pub use replacement::Replacement;
#[cfg(feature = "serde")]
pub use report::{Report, Request, RequestPair, Status};
pub use source::Source;
pub use treesitter::Language;
pub use unified::unified;
pub use validate::{SyntaxError, SyntaxStatus, Validation};
pub use verdict::{Candidate, NeedsVerifyReason, ReasonKind, Verdict};
#[cfg(feature = "serde")]
pub use verify::VerifyReport;
pub use verify::{Finding, FindingKind, Verification};

/// Merges a snippet into the file `path` with default options: the call for the common case.
///
/// # Errors
///
/// Only what can't be worked on at all; see [`Error`].
pub fn apply(path: &str, original: &str, snippet: &str) -> Result<Outcome, Error> {
    Engine::default().apply(&Edit::new(path, original, snippet))
}
