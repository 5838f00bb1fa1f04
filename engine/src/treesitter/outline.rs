//! The declarations and blocks of a text, as rows.

mod embedded;
mod indent;
pub(super) mod naming;
mod snippet;
mod tree;

pub(crate) use embedded::Region;
pub(super) use naming::Described;

use super::language::{ANY_COMMENT_SIGNS, CommentSigns, comment_signs};
use super::parse::parse_best;
use super::view::View;
use super::window::Window;
use crate::budget::{Limit, Meter};
use crate::range::LineRange;
use crate::source::Source;
use crate::treesitter::Language;

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
    /// Whether the grammar found errors, so that some declarations may be missing.
    pub(crate) has_errors: bool,
    /// The limit that cut the parse short, so that less is known than could be.
    pub(crate) cut_by: Option<Limit>,
    /// Rows that hold nothing but comment, for finding what belongs to a declaration.
    pub(crate) comments: Vec<LineRange>,
}

/// How deep items may lie in items. Deeper ones are left out: nested vectors are dropped by recursion, and no
/// person writes declarations so deep.
const DEEPEST_ITEM: usize = 64;

impl Outline {
    /// Outlines a text. Where the grammar finds errors, its fallbacks are tried, and the tree with the fewest
    /// counts. Without a grammar, or when the budget is spent, indentation and brackets must do.
    pub(crate) fn of(source: &Source<'_>, language: Option<Language>, meter: &Meter) -> Self {
        let Some(language) = language else { return Self::by_indent(source, ANY_COMMENT_SIGNS) };
        let view = View::whole(source);
        let outline = match parse_best(&view, language, meter) {
            Ok(reading) => tree::outline(&reading.tree, source, view.text(), reading.language, meter),
            Err(_) => None,
        };
        outline.unwrap_or_else(|| Self {
            cut_by: meter.cut_by(),
            ..Self::by_indent(source, comment_signs("", Some(language)))
        })
    }

    /// Outlines what a window shows; `None` once the budget is spent.
    pub(crate) fn of_window(source: &Source<'_>, window: &Window, meter: &Meter) -> Option<Self> {
        let mut all = Self { parsed: true, ..Self::default() };
        for part in window.parts() {
            let view = window.view(source, part);
            all.append(tree::outline(&part.tree, source, view.text(), part.language, meter)?);
        }
        Some(all)
    }

    /// Adds the outline of a part that lies behind all that was added before.
    fn append(&mut self, part: Self) {
        let Self { items, blocks, literals, parsed, has_errors, cut_by, comments } = part;
        self.items.extend(items);
        self.blocks.extend(blocks);
        self.literals.extend(literals);
        self.comments.extend(comments);
        self.parsed &= parsed;
        self.has_errors |= has_errors;
        self.cut_by = self.cut_by.or(cut_by);
    }

    /// Finds the items whose name stands in `lines`, outer before inner.
    pub(crate) fn named_in(&self, lines: LineRange) -> Vec<&Item> {
        let mut found = Vec::new();
        let mut stack: Vec<&Item> = self.items.iter().rev().collect();
        while let Some(item) = stack.pop() {
            if lines.contains(item.name_row) {
                found.push(item);
            }
            if item.rows.overlaps(lines) {
                stack.extend(item.children.iter().rev());
            }
        }
        found
    }

    /// Says whether all of `lines` hold nothing but comment.
    pub(crate) fn is_comment(&self, lines: LineRange) -> bool {
        let at = self.comments.partition_point(|comment| comment.end <= lines.start);
        self.comments.get(at).is_some_and(|comment| comment.covers(lines))
    }

    /// Counts the items of a name at all levels.
    pub(crate) fn count_named(&self, name: &str) -> usize {
        let mut stack: Vec<&Item> = self.items.iter().collect();
        let mut count = 0;
        while let Some(item) = stack.pop() {
            count += usize::from(item.name == name);
            stack.extend(&item.children);
        }
        count
    }

    /// Outlines a text by its indentation and brackets alone.
    pub(crate) fn by_indent(source: &Source<'_>, comments: CommentSigns) -> Self {
        indent::outline(source, comments)
    }

    /// Outlines a piece of a file in which references were turned to comments before.
    ///
    /// A piece may stand deeper than a file starts, and members may stand without their class: where the text
    /// as it is has errors, it is also tried dedented (Python) or inside of a class or an object (JavaScript,
    /// TypeScript, JSON), and the tree with the fewest errors counts. Rows are always those of `source`.
    pub(crate) fn of_snippet(source: &Source<'_>, language: Option<Language>, meter: &Meter) -> Self {
        match language {
            Some(language) if language.is_built_in() => snippet::outline(source, language, meter),
            language => Self::of(source, language, meter),
        }
    }
}

#[cfg(all(test, feature = "default"))]
mod tests;
