//! Names of declarations of the Java machine's languages.

use tree_sitter::Node;

use super::{Described, named};
use crate::treesitter::rules::Rule;

/// Names a block that stands among the members of a class: an initialiser of each object.
pub(in crate::treesitter) fn initializer_block(node: Node<'_>, rule: &Rule, _: &str) -> Option<Described> {
    let around = node.parent()?;
    matches!(around.kind(), "class_body" | "enum_body_declarations")
        .then(|| Described { name: "init".to_owned(), ..named(rule.kind, &[node], "") })
}
