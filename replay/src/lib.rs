//! Measures treegraft on real histories: how often is a result right, and how often is it wrong and trusted?
//!
//! Each real change of a file (one commit, or a step between two releases) is a right answer that nobody here invented: old file,
//! new file. From it a snippet is written as a model would have written it, applied to the old file, and the result compared with
//! the new one.
//!
//! ```text
//! source ──► change ──► snippet ──► case ──► measure ──► report ──► tables, misses, JSON
//! (git, pairs) (hunks)   (a style)           (the engine)
//! ```
//!
//! Everything depends on the seed alone: the same source, seed and options give the same cases, in the same order, on every machine.

mod change;
mod error;
mod language;
mod measure;
mod misses;
pub mod packages;
mod report;
mod rng;
mod run;
mod snippet;
mod source;
mod table;

pub use error::Error;
pub use language::language_of;
pub use measure::{Measured, Status};
pub use misses::Only;
pub use report::{Counts, Report};
pub use run::{Options, Source, Split, run};
pub use snippet::{Case, DescriptionKind, Group, Style};
