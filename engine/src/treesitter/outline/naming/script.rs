//! Names in Ruby, Elixir, Lua, shell scripts and PHP.

use tree_sitter::Node;

use super::{Described, LONGEST_LIST, first_child, last_child, named, slice, squeezed, unquoted};
use crate::treesitter::outline::ItemKind;
use crate::treesitter::rules::Rule;

/// Names `def self.name` as Ruby people do.
pub(in crate::treesitter) fn singleton_method(node: Node<'_>, rule: &Rule, text: &str) -> Option<Described> {
    let object = node.child_by_field_name("object")?;
    let mut described = named(rule.kind, &[node.child_by_field_name("name")?], text);
    described.name = format!("{}.{}", squeezed(object, text), described.name);
    described.parameters =
        node.child_by_field_name("parameters").map(|parameters| squeezed(parameters, text)).unwrap_or_default();
    Some(described)
}

/// Names a key of a Ruby hash; keyword arguments declare nothing.
pub(in crate::treesitter) fn ruby_pair(node: Node<'_>, rule: &Rule, text: &str) -> Option<Described> {
    node.parent().filter(|around| around.kind() == "hash")?;
    let mut described = named(rule.kind, &[node.child_by_field_name("key")?], text);
    described.hold(node.child_by_field_name("value"), text);
    Some(described)
}

/// Names a Ruby `require`, a call with a block, or what a class says about one of its parts: `has_many :users`.
pub(in crate::treesitter) fn ruby_call(node: Node<'_>, rule: &Rule, text: &str) -> Option<Described> {
    let method = node.child_by_field_name("method")?;
    let first = node.child_by_field_name("arguments").and_then(|arguments| arguments.named_child(0));
    let first = first.map(|first| first.child_by_field_name("key").filter(|_| first.kind() == "pair").unwrap_or(first));
    let is_plain = |first: &Node<'_>| {
        matches!(first.kind(), "string" | "simple_symbol" | "constant" | "scope_resolution" | "hash_key_symbol")
            && first.start_position().row == method.start_position().row
    };
    let first = first.filter(is_plain);
    let receiver = node.child_by_field_name("receiver");
    if receiver.is_none() && matches!(slice(method, text), "require" | "require_relative" | "load") {
        return Some(named(ItemKind::Import, &[first?], text));
    }
    if node.start_position().row != method.start_position().row {
        return None;
    }
    let mut described = named(rule.kind, &[method], text);
    if let Some(receiver) = receiver {
        described.name = format!("{}.{}", squeezed(receiver, text), described.name);
    }
    if let Some(first) = first {
        described.name = format!("{} {}", described.name, unquoted(slice(first, text)));
    }
    if let Some(block) = node.child_by_field_name("block") {
        let is_long = block.end_position().row > block.start_position().row;
        described.parameters =
            block.child_by_field_name("parameters").map(|parameters| squeezed(parameters, text)).unwrap_or_default();
        described.header_row = Some(block.start_position().row);
        return (is_long || first.is_some()).then_some(described);
    }
    let in_class = node.parent().and_then(|body| body.parent()).is_some_and(|class| class.kind() == "class");
    described.kind = ItemKind::Value;
    (in_class && receiver.is_none() && first.is_some()).then_some(described)
}

/// Names what Elixir declares by calls: modules, functions, imports, tests.
pub(in crate::treesitter) fn elixir_call(node: Node<'_>, _: &Rule, text: &str) -> Option<Described> {
    let target = node.child_by_field_name("target")?;
    let word = slice(target, text);
    let child = |kind: &str| {
        let mut cursor = node.walk();
        node.named_children(&mut cursor).take(LONGEST_LIST).find(|child| child.kind() == kind)
    };
    let block = child("do_block");
    let first = child("arguments").and_then(|arguments| arguments.named_child(0));
    let mut described = match word {
        "defmodule" | "defprotocol" | "defimpl" => named(ItemKind::Module, &[first?], text),
        "def" | "defp" | "defmacro" | "defmacrop" | "defguard" | "defguardp" | "defdelegate" | "defn" => {
            let mut head = first?;
            if head.kind() == "binary_operator" {
                head = head.child_by_field_name("left")?;
            }
            let name = head.child_by_field_name("target").filter(|_| head.kind() == "call").unwrap_or(head);
            let mut described = named(ItemKind::Value, &[name], text);
            described.parameters = last_child(head)
                .filter(|arguments| arguments.kind() == "arguments")
                .map(|arguments| squeezed(arguments, text))
                .unwrap_or_default();
            described
        }
        "import" | "alias" | "use" | "require" => named(ItemKind::Import, &[first?], text),
        "defstruct" | "defexception" => named(ItemKind::Value, &[target], text),
        _ => {
            let block = block?;
            if block.end_position().row == block.start_position().row || target.kind() != "identifier" {
                return None;
            }
            let mut described = named(ItemKind::Call, &[target], text);
            if let Some(first) = first.filter(|first| matches!(first.kind(), "string" | "atom" | "alias")) {
                described.name = format!("{word} {}", unquoted(slice(first, text)));
            }
            described
        }
    };
    described.header_row = block.map(|block| block.start_position().row);
    Some(described)
}

/// Names an Elixir module attribute that is a constant.
pub(in crate::treesitter) fn elixir_attribute(node: Node<'_>, rule: &Rule, text: &str) -> Option<Described> {
    let name = attribute_name(node)?;
    let mut described = named(rule.kind, &[name], text);
    described.name.insert(0, '@');
    Some(described)
}

/// Says whether an Elixir attribute describes the declaration after it.
pub(in crate::treesitter) fn is_elixir_annotation(node: Node<'_>, text: &str) -> bool {
    let annotations = ["doc", "spec", "impl", "deprecated", "since", "typedoc", "tag", "describetag", "dialyzer"];
    attribute_name(node).is_some_and(|name| annotations.contains(&slice(name, text)))
}

fn attribute_name(node: Node<'_>) -> Option<Node<'_>> {
    node.child_by_field_name("operator").filter(|operator| operator.kind() == "@")?;
    let operand = node.child_by_field_name("operand")?;
    operand.child_by_field_name("target")
}

/// Names a Lua assignment by all that it assigns to.
pub(in crate::treesitter) fn lua_assignment(node: Node<'_>, rule: &Rule, text: &str) -> Option<Described> {
    let described = first_child(node, rule, text)?;
    // `M.x = …` is no local, wherever it stands.
    let is_local = node.parent().is_some_and(|around| around.kind() == "variable_declaration");
    Some(Described { is_assignment: is_local, ..described })
}

/// Names a branch of a shell `case` as it is written.
pub(in crate::treesitter) fn case_item(node: Node<'_>, rule: &Rule, text: &str) -> Option<Described> {
    let mut described = named(rule.kind, &[node.child_by_field_name("value")?], text);
    described.name.push(')');
    described.header_row = Some(node.start_position().row);
    Some(described)
}

/// Names a key of a PHP array.
pub(in crate::treesitter) fn php_pair(node: Node<'_>, rule: &Rule, text: &str) -> Option<Described> {
    node.child(1).filter(|sign| sign.kind() == "=>")?;
    let mut described = named(rule.kind, &[node.named_child(0)?], text);
    described.hold(last_child(node), text);
    Some(described)
}
