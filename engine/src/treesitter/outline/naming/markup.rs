//! Names in HTML and its kin, in Markdown and in CSS.

use tree_sitter::Node;

use super::{Described, LONGEST_LIST, named, slice, unquoted, words_between};
use crate::treesitter::rules::Rule;

/// Elements that stand once in a page or in a part of it, so that their tag names them.
const LANDMARKS: [&str; 16] = [
    "html", "head", "body", "title", "main", "header", "footer", "nav", "aside", "form", "table", "thead", "tbody",
    "template", "script", "style",
];

/// Names an element by its tag with its `id`, `name` or `src`; one without is an item only as a landmark.
pub(in crate::treesitter) fn element(node: Node<'_>, rule: &Rule, text: &str) -> Option<Described> {
    let tag = node.named_child(0).filter(|tag| matches!(tag.kind(), "start_tag" | "self_closing_tag"))?;
    let mut cursor = tag.walk();
    let mut children = tag.named_children(&mut cursor).take(LONGEST_LIST);
    let name = children.next().filter(|name| name.kind() == "tag_name")?;
    let mut described = named(rule.kind, &[name], text);
    let mut best: Option<(usize, String)> = None;
    for attribute in children.filter(|attribute| attribute.kind() == "attribute") {
        let key = attribute.named_child(0).map_or("", |key| slice(key, text));
        let value = attribute.named_child(1).map_or("", |value| unquoted(slice(value, text)));
        let Some(rank) = ["id", "name", "src"].iter().position(|&other| other == key) else { continue };
        if !value.is_empty() && best.as_ref().is_none_or(|(other, _)| rank < *other) {
            best = Some((rank, value.to_owned()));
        }
    }
    match best {
        Some((0, id)) => described.name = format!("{}#{id}", described.name),
        Some((_, value)) => described.name = format!("{} {value}", described.name),
        None if LANDMARKS.contains(&&*described.name) => {}
        None => return None,
    }
    described.header_row = Some(tag.end_position().row);
    Some(described)
}

/// Names a section of a Markdown text by its heading.
pub(in crate::treesitter) fn section(node: Node<'_>, rule: &Rule, text: &str) -> Option<Described> {
    let heading = node.named_child(0).filter(|heading| heading.kind().ends_with("_heading"))?;
    let content = heading.child_by_field_name("heading_content")?;
    let mut described = named(rule.kind, &[content], text);
    described.name = words_between(text, content.start_byte(), content.end_byte());
    let end = heading.end_position();
    described.header_row = Some(if end.column == 0 { end.row.saturating_sub(1) } else { end.row });
    Some(described)
}

/// Names a CSS rule by what stands before its block.
pub(in crate::treesitter) fn css_block(node: Node<'_>, rule: &Rule, text: &str) -> Option<Described> {
    let mut cursor = node.walk();
    let block =
        node.named_children(&mut cursor).find(|child| matches!(child.kind(), "block" | "keyframe_block_list"))?;
    let name = words_between(text, node.start_byte(), block.start_byte());
    let name_row = node.start_position().row;
    Some(Described { name, name_row, ..named(rule.kind, &[node], "") })
}

/// Says whether a block of HTML in a Markdown text is a comment and nothing else.
pub(in crate::treesitter) fn is_comment(node: Node<'_>, text: &str) -> bool {
    let block = slice(node, text).trim();
    block.starts_with("<!--") && block.find("-->").is_some_and(|at| at + 3 == block.len())
}
