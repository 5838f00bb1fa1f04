//! Code in a text of another language: the scripts and styles of HTML, Vue and Svelte.
//!
//! Each such part is a *region*: whole rows between the tags, read by the grammar of its own language. Its
//! declarations become children of the element around, its blocks, literals and comments join the others. A part
//! that shares a row with a tag, or whose language has no grammar here, stays text. The fences of Markdown are
//! left alone: what they show is an example far oftener than it is code to be edited by name.

use tree_sitter::Node;

use super::{Item, Outline, tree};
use crate::budget::Budget;
use crate::range::LineRange;
use crate::source::{Source, is_blank};
use crate::treesitter::Language;
use crate::treesitter::parse::{Parsed, parse_best};
use crate::treesitter::view::View;

use std::time::Duration;

/// A part of a text in another language.
#[derive(Debug, Clone, Copy)]
pub(super) struct Region {
    rows: LineRange,
    language: Language,
}

impl Region {
    /// Finds the region of an element; `None` if it holds no code of a known language.
    pub(super) fn of(element: Node<'_>, text: &str) -> Option<Self> {
        let is_script = match element.kind() {
            "script_element" => true,
            "style_element" => false,
            _ => return None,
        };
        let tag = element.named_child(0)?;
        let body = element.named_child(1).filter(|body| body.kind() == "raw_text")?;
        let (first, end) = (body.start_position().row + 1, body.end_position().row);
        let code = text.get(body.byte_range())?;
        let is_alone = is_blank(code.split('\n').next()?) && is_blank(code.rsplit('\n').next()?);
        let language = if is_script { script_language(tag, text)? } else { style_language(tag, text)? };
        (is_alone && first < end).then(|| Self { rows: LineRange::new(first, end), language })
    }
}

/// Reads the regions of a text and adds what they declare; `None` once the budget is spent.
pub(super) fn add(outline: &mut Outline, regions: &[Region], source: &Source<'_>, budget: &mut Budget) -> Option<()> {
    for region in regions {
        let part = Source::new(source.slice(region.rows));
        let view = View::whole(&part);
        let reading = match parse_best(&view, region.language, budget.remaining().unwrap_or(Duration::MAX)) {
            Ok(reading) => reading,
            Err(Parsed::Unsupported) => continue,
            Err(_) => return None,
        };
        let inside = tree::outline(&reading.tree, &part, view.text(), reading.language, budget)?;
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
