//! What the grammars know: languages, parsing within a budget, and outlines.

mod language;
mod outline;

pub use language::Language;

pub(crate) struct CommentSigns {
    pub(crate) line: &'static [&'static str],
    pub(crate) block: &'static [(&'static str, &'static str)],
}

pub(crate) fn comment_signs(_: &str, _: Option<Language>) -> CommentSigns {
    CommentSigns { line: &["//"], block: &[] }
}

pub(crate) use outline::{Block, Item, ItemKind, Outline};
