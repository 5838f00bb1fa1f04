//! Names in Java, Kotlin and Scala.

use tree_sitter::Node;

use super::{Described, LONGEST_LIST, named, slice, squeezed, words_between};
use crate::treesitter::rules::Rule;

/// How deep the lambda of a call is looked for.
const DEEPEST_LAMBDA: usize = 4;

/// Names a block that stands among the members of a class: an initialiser of each object.
pub(in crate::treesitter) fn initializer_block(node: Node<'_>, rule: &Rule, _: &str) -> Option<Described> {
    let around = node.parent()?;
    matches!(around.kind(), "class_body" | "enum_body_declarations")
        .then(|| Described { name: "init".to_owned(), ..named(rule.kind, &[node], "") })
}

/// Names a Kotlin class, object, function or constructor: the grammar has no fields for parameters and body. An
/// extension function is named with its receiver.
#[allow(clippy::unnecessary_wraps, reason = "the tables take this type")]
pub(in crate::treesitter) fn kotlin(node: Node<'_>, rule: &Rule, text: &str) -> Option<Described> {
    let mut cursor = node.walk();
    let children: Vec<_> = node.named_children(&mut cursor).take(LONGEST_LIST).collect();
    let child = |kinds: &[&str]| children.iter().copied().find(|child| kinds.contains(&child.kind()));
    let name = node.child_by_field_name("name");
    let mut described = named(rule.kind, &[name.unwrap_or(node)], if name.is_some() { text } else { "" });
    if let Some(name) = name {
        let receiver = child(&["user_type", "nullable_type"]).filter(|of| of.end_byte() < name.start_byte());
        if let Some(receiver) = receiver {
            described.name = format!("{}.{}", squeezed(receiver, text), described.name);
        }
    } else {
        "constructor".clone_into(&mut described.name);
    }
    let parameters = child(&["function_value_parameters", "primary_constructor"]);
    described.parameters = parameters.map(|parameters| squeezed(parameters, text)).unwrap_or_default();
    described.header_row =
        child(&["function_body", "class_body", "enum_class_body", "block"]).map(|body| body.start_position().row);
    Some(described)
}

/// Names a Kotlin property; one with a getter or a setter has those as its body.
pub(in crate::treesitter) fn kotlin_property(node: Node<'_>, rule: &Rule, text: &str) -> Option<Described> {
    let mut cursor = node.walk();
    let children: Vec<_> = node.named_children(&mut cursor).take(LONGEST_LIST).collect();
    let declared = children.iter().position(|child| child.kind().ends_with("variable_declaration"))?;
    let name = children[declared].named_child(0).unwrap_or(children[declared]);
    let mut described = named(rule.kind, &[name], text);
    let accessor = children.iter().position(|child| matches!(child.kind(), "getter" | "setter"));
    if let Some(before) = accessor.and_then(|at| at.checked_sub(1)) {
        described.header_row = Some(children[before].end_position().row);
        described.holds_function = true;
    }
    Some(described)
}

/// Names a call that ends with a lambda over several lines, `describe("x") {`, by what is called and a string.
pub(in crate::treesitter) fn call_with_lambda(node: Node<'_>, rule: &Rule, text: &str) -> Option<Described> {
    let mut lambda = node;
    for _ in 0..DEEPEST_LAMBDA {
        lambda = super::last_child(lambda)?;
        if lambda.kind() == "lambda_literal" {
            return call_with_block(node, lambda, rule, text);
        }
    }
    None
}

/// The same for Scala, where the last argument list is a block.
pub(in crate::treesitter) fn scala_call(node: Node<'_>, rule: &Rule, text: &str) -> Option<Described> {
    let block = node.child_by_field_name("arguments")?;
    matches!(block.kind(), "block" | "case_block" | "colon_argument" | "indented_block")
        .then(|| call_with_block(node, block, rule, text))
        .flatten()
}

/// Names a call by the text before its block, which must stand on the block's row.
fn call_with_block(node: Node<'_>, block: Node<'_>, rule: &Rule, text: &str) -> Option<Described> {
    let (first, last) = (node.start_position().row, block.end_position().row);
    if block.start_position().row != first || last == first {
        return None;
    }
    let before = words_between(text, node.start_byte(), block.start_byte());
    let (callee, arguments) = before.split_once('(').unwrap_or((&before, ""));
    let mut name = callee.trim().to_owned();
    if let Some(string) = arguments.split('"').nth(1) {
        name = format!("{name} {string}");
    }
    Some(Described {
        name,
        name_row: first,
        header_row: Some(block.start_position().row),
        ..named(rule.kind, &[node], "")
    })
}

/// Names a Scala import by its path, without what is taken from there in braces.
pub(in crate::treesitter) fn scala_import(node: Node<'_>, rule: &Rule, text: &str) -> Option<Described> {
    let mut cursor = node.walk();
    let path: Vec<_> = node.children_by_field_name("path", &mut cursor).take(LONGEST_LIST).collect();
    let name = path.iter().map(|&part| slice(part, text)).collect::<String>();
    Some(Described { name, ..named(rule.kind, &[*path.first()?], "") })
}

/// Names a Scala object, which often stands beside the class of its name.
pub(in crate::treesitter) fn scala_object(node: Node<'_>, rule: &Rule, text: &str) -> Option<Described> {
    let mut described = named(rule.kind, &[node.child_by_field_name("name")?], text);
    described.name.insert_str(0, "object ");
    Some(described)
}
