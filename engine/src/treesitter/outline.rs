//! The declarations and blocks of a text, as rows.

use crate::range::LineRange;
use crate::source::Source;
use crate::treesitter::Language;
use std::time::Duration;

/// What kind of thing an item is. A function may become a method or a variable that holds a closure when it
/// is edited, so pairing compares classes, not grammar node kinds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum ItemKind {
    /// Functions, methods, variables, constants, fields, properties, keys.
    Value,
    /// Classes, structs, enums, interfaces, traits, type aliases, impl blocks.
    Type,
    /// Modules and namespaces.
    Module,
    /// Imports, by what they import from.
    Import,
    /// A call that holds a body, such as `describe("x", () => {`.
    Call,
    /// A block known by its first line only: no grammar, or none that names it.
    Section,
}

/// One declaration: all rows are zero-based lines of the outlined text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Item {
    pub(crate) kind: ItemKind,
    /// The declared name, with what distinguishes it from others of the name: `Type.method` for a Go method
    /// with a receiver, `Trait for Type` for a Rust impl, call and string for a test.
    pub(crate) name: String,
    /// From the first row of doc comments, decorators or attributes to the last row of the node.
    pub(crate) rows: LineRange,
    /// The row of the name itself.
    pub(crate) name_row: usize,
    /// From the first row of the node proper (after doc comments and decorators) to the row the body opens on,
    /// inclusive; for an item without a body all its rows.
    pub(crate) header: LineRange,
    /// The row of the closing token, if there is one and it lies below the header.
    pub(crate) closer: Option<usize>,
    /// The parameters' text without white space, to tell overloads apart; empty where there are none.
    pub(crate) parameters: String,
    /// Whether the node holds a syntax error or a missing token.
    pub(crate) has_error: bool,
    /// Declarations inside, in order.
    pub(crate) children: Vec<Item>,
}

/// A multi-line node with an opening and a closing row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Block {
    /// Row where the node starts (for a bracket: the row of the bracket).
    pub(crate) open: usize,
    /// Row of the closing token.
    pub(crate) close: usize,
}

/// Declarations, blocks and multi-line literals of a text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Outline {
    /// Top-level declarations in order.
    pub(crate) items: Vec<Item>,
    /// Multi-line bracketed blocks, by opening row, outer before inner.
    pub(crate) blocks: Vec<Block>,
    /// Rows that begin inside a multi-line string or template: re-indenting would change their value.
    pub(crate) literals: Vec<LineRange>,
    /// Whether a grammar made it; else indentation and brackets did.
    pub(crate) parsed: bool,
    /// Whether the parse ran out of time or size, so that less is known than could be.
    pub(crate) cut_short: bool,
    /// Rows that hold nothing but comment, for finding what belongs to a declaration.
    pub(crate) comments: Vec<LineRange>,
}

impl Outline {
    /// Outlines a text.
    pub(crate) fn of(_source: &Source<'_>, _language: Option<Language>, _budget: Duration) -> Self {
        Self::default()
    }

    pub(crate) fn of_snippet(source: &Source<'_>, language: Option<Language>, budget: Duration) -> Self {
        Self::of(source, language, budget)
    }
}
