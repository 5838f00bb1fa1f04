//! What the grammars know: languages, parsing within a budget, and outlines.

mod language;
mod outline;

pub use language::Language;
pub(crate) use outline::{Block, Item, ItemKind, Outline};
