//! Code in a text of another language: the scripts and styles of HTML, Vue and Svelte, the fences of Markdown.
//!
//! Each such part is a *region*: whole rows between the tags or fences, read by the grammar of its own language. Its
//! declarations become children of the element or section around, its blocks, literals and comments join the others. A
//! part that shares a row with a tag, or whose language has no grammar here, stays text. What a fence shows is often a
//! piece of a program, so errors in it say nothing about the page.

use tree_sitter::{Node, Tree};

use super::{Item, Outline, tree};
use crate::budget::Meter;
use crate::range::LineRange;
use crate::source::{Source, is_blank};
use crate::treesitter::Language;
use crate::treesitter::parse::{Parsed, parse_best};
use crate::treesitter::view::View;

/// A part of a text in another language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Region {
    pub(crate) rows: LineRange,
    pub(crate) language: Language,
    /// Whether it is an example, which need not be a whole program.
    pub(crate) is_example: bool,
}

impl Region {
    /// Finds the region of an element or a fence; `None` if it holds no code of a known language.
    pub(super) fn of(element: Node<'_>, text: &str) -> Option<Self> {
        match element.kind() {
            "script_element" => Self::of_element(element, text, script_language),
            "style_element" => Self::of_element(element, text, style_language),
            "fenced_code_block" => Self::of_fence(element, text),
            _ => None,
        }
    }

    /// Finds all regions of a text.
    pub(crate) fn all(tree: &Tree, text: &str) -> Vec<Self> {
        let mut regions = Vec::new();
        let mut cursor = tree.walk();
        loop {
            let region = Self::of(cursor.node(), text);
            regions.extend(region);
            if region.is_none() && cursor.goto_first_child() {
                continue;
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return regions;
                }
            }
        }
    }

    fn of_element(element: Node<'_>, text: &str, language: fn(Node<'_>, &str) -> Option<Language>) -> Option<Self> {
        let tag = element.named_child(0)?;
        let body = element.named_child(1).filter(|body| body.kind() == "raw_text")?;
        let (first, end) = (body.start_position().row + 1, body.end_position().row);
        let code = text.get(body.byte_range())?;
        let is_alone = is_blank(code.split('\n').next()?) && is_blank(code.rsplit('\n').next()?);
        let language = language(tag, text)?;
        (is_alone && first < end).then(|| Self { rows: LineRange::new(first, end), language, is_example: false })
    }

    fn of_fence(fence: Node<'_>, text: &str) -> Option<Self> {
        let mut cursor = fence.walk();
        let children: Vec<_> = fence.named_children(&mut cursor).collect();
        let info = children.iter().find(|child| child.kind() == "info_string")?;
        let close = children.last().filter(|last| last.kind() == "fenced_code_block_delimiter")?;
        let name = text.get(info.byte_range())?.split([' ', ',', '{']).next()?;
        let language = Language::from_name(name)?;
        let rows = LineRange::new(fence.start_position().row + 1, close.start_position().row);
        (!rows.is_empty()).then_some(Self { rows, language, is_example: true })
    }
}

/// Reads the regions of a text and adds what they declare; `None` once the budget is spent.
pub(super) fn add(outline: &mut Outline, regions: &[Region], source: &Source<'_>, meter: &Meter) -> Option<()> {
    for region in regions {
        let part = Source::new(source.slice(region.rows));
        let view = View::whole(&part);
        let reading = match parse_best(&view, region.language, meter) {
            Ok(reading) => reading,
            Err(Parsed::Unsupported) => continue,
            Err(_) => return None,
        };
        let mut inside = tree::outline(&reading.tree, &part, view.text(), reading.language, meter)?;
        inside.has_errors &= !region.is_example;
        merge(outline, inside, region.rows);
    }
    Some(())
}

/// Adds the outline of a region that stands in `rows`.
fn merge(outline: &mut Outline, inside: Outline, rows: LineRange) {
    let shifted = |range: LineRange| LineRange::new(range.start + rows.start, range.end + rows.start);
    let Outline { mut items, blocks, literals, comments, has_errors, .. } = inside;
    let mut stack: Vec<&mut Item> = items.iter_mut().collect();
    while let Some(item) = stack.pop() {
        item.rows = shifted(item.rows);
        item.header = shifted(item.header);
        item.name_row += rows.start;
        item.closer = item.closer.map(|closer| closer + rows.start);
        stack.extend(item.children.iter_mut());
    }
    outline.has_errors |= has_errors;
    outline.blocks.extend(blocks.into_iter().map(|mut block| {
        block.open += rows.start;
        block.close += rows.start;
        block
    }));
    outline.literals.extend(literals.into_iter().map(shifted));
    outline.literals.sort_unstable_by_key(|literal| literal.start);
    outline.comments.extend(comments.into_iter().map(shifted));
    outline.comments.sort_unstable_by_key(|comment| comment.start);
    outline.comments.dedup_by(|next, last| {
        let touch = last.end >= next.start;
        if touch {
            last.end = last.end.max(next.end);
        }
        touch
    });
    let mut siblings = &mut outline.items;
    while let Some(at) = siblings.iter().position(|item| item.rows.start < rows.start && rows.end <= item.rows.end) {
        siblings = &mut siblings[at].children;
    }
    let at = siblings.partition_point(|item| item.rows.start < rows.start);
    siblings.splice(at..at, items);
}

/// The value of the first attribute of a tag that has one of these names.
fn attribute<'t>(tag: Node<'_>, text: &'t str, names: &[&str]) -> Option<&'t str> {
    let mut cursor = tag.walk();
    let attributes: Vec<_> = tag.named_children(&mut cursor).filter(|child| child.kind() == "attribute").collect();
    let slice = |node: Node<'_>| text.get(node.byte_range()).unwrap_or_default();
    let value_of = |name: &&str| {
        let attribute = attributes.iter().find(|one| one.named_child(0).is_some_and(|key| slice(key) == *name))?;
        Some(attribute.named_child(1).map_or("", slice).trim_matches(['"', '\'']))
    };
    names.iter().find_map(value_of)
}

fn script_language(tag: Node<'_>, text: &str) -> Option<Language> {
    match attribute(tag, text, &["lang", "type"]) {
        None | Some("" | "js" | "jsx" | "javascript" | "module" | "text/javascript" | "application/javascript") => {
            Some(Language::JavaScript)
        }
        Some("ts" | "typescript" | "text/typescript") => Some(Language::TypeScript),
        Some("tsx") => Some(Language::Tsx),
        Some("application/json" | "application/ld+json" | "importmap" | "speculationrules") => Some(Language::Json),
        Some(_) => None,
    }
}

fn style_language(tag: Node<'_>, text: &str) -> Option<Language> {
    match attribute(tag, text, &["lang", "type"]) {
        None | Some("" | "css" | "postcss" | "text/css") => Some(Language::Css),
        Some(_) => None,
    }
}
