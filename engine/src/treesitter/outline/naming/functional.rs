//! Names in OCaml and Haskell.

use tree_sitter::Node;

use super::{Described, LONGEST_LIST, named, squeezed, words_between};
use crate::treesitter::rules::Rule;

/// Names a `let`; one without parameters is a variable.
pub(in crate::treesitter) fn let_binding(node: Node<'_>, rule: &Rule, text: &str) -> Option<Described> {
    let mut described = named(rule.kind, &[node.child_by_field_name("pattern")?], text);
    let mut cursor = node.walk();
    let parameters: Vec<_> =
        node.named_children(&mut cursor).take(LONGEST_LIST).filter(|child| child.kind() == "parameter").collect();
    described.is_assignment = parameters.is_empty();
    described.parameters = parameters.iter().map(|&one| squeezed(one, text)).collect::<Vec<_>>().join(" ");
    Some(described)
}

/// Names an OCaml exception by its constructor.
pub(in crate::treesitter) fn exception(node: Node<'_>, rule: &Rule, text: &str) -> Option<Described> {
    Some(named(rule.kind, &[node.named_child(0)?.named_child(0)?], text))
}

/// Names a Haskell instance by its class and its types.
pub(in crate::treesitter) fn instance(node: Node<'_>, rule: &Rule, text: &str) -> Option<Described> {
    let name = node.child_by_field_name("name")?;
    let end = node.child_by_field_name("patterns").unwrap_or(name).end_byte();
    Some(Described { name: words_between(text, name.start_byte(), end), ..named(rule.kind, &[name], text) })
}

/// Names the type of a Haskell function with a `::`, since it stands beside the function.
pub(in crate::treesitter) fn signature(node: Node<'_>, rule: &Rule, text: &str) -> Option<Described> {
    let name = node.child_by_field_name("name").or_else(|| node.named_child(0))?;
    let mut described = named(rule.kind, &[name], text);
    described.name.push_str("::");
    Some(described)
}

/// Names a clause of a Haskell function; its patterns tell it from the others.
pub(in crate::treesitter) fn clause(node: Node<'_>, rule: &Rule, text: &str) -> Option<Described> {
    let mut described = named(rule.kind, &[node.child_by_field_name("name")?], text);
    described.parameters =
        node.child_by_field_name("patterns").map(|patterns| squeezed(patterns, text)).unwrap_or_default();
    Some(described)
}

/// Names a Haskell value.
pub(in crate::treesitter) fn bind(node: Node<'_>, rule: &Rule, text: &str) -> Option<Described> {
    let name = node.child_by_field_name("name").or_else(|| node.child_by_field_name("pattern"))?;
    Some(Described { is_assignment: true, ..named(rule.kind, &[name], text) })
}
