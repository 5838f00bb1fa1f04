//! What the grammars know: languages, parsing within a budget, and outlines.

mod chart;
mod errors;
mod guard;
mod language;
mod outline;
mod parse;
mod roles;
mod rules;
mod trees;
mod view;
mod window;

pub(crate) use chart::Chart;
pub(crate) use errors::{Fault, FaultKind, faults};
pub use language::Language;
pub(crate) use language::{ANY_COMMENT_SIGNS, CommentSigns, comment_signs};
pub(crate) use outline::{Block, Item, ItemKind, Outline, Region};
pub(crate) use parse::{Parsed, parse, parse_best};
pub(crate) use trees::{Read, Trees};
pub(crate) use view::View;
pub(crate) use window::Delimiters;
#[cfg(test)]
pub(crate) use window::Window;
