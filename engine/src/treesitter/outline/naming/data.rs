//! Names in YAML, TOML, HCL, SQL and Dockerfiles.

use tree_sitter::Node;

use super::{Described, LONGEST_LIST, in_words, named, slice, squeezed, unquoted, words_between};
use crate::treesitter::outline::ItemKind;
use crate::treesitter::rules::Rule;

/// Keys that tell one entry of a list from the others.
const IDENTITIES: [&str; 5] = ["name", "id", "key", "title", "alias"];

/// Names an entry of a YAML list by its first key, if that tells it from the others: `- name: Build`.
pub(in crate::treesitter) fn yaml_item(node: Node<'_>, rule: &Rule, text: &str) -> Option<Described> {
    let mut at = node.named_child(0)?;
    while matches!(at.kind(), "block_node" | "block_mapping") {
        let mut cursor = at.walk();
        at = at.named_children(&mut cursor).take(LONGEST_LIST).find(|child| child.kind().starts_with("block_"))?;
    }
    let key = at.child_by_field_name("key").filter(|_| at.kind() == "block_mapping_pair")?;
    let is_one_row = at.start_position().row == at.end_position().row;
    if !is_one_row || !IDENTITIES.contains(&unquoted(slice(key, text).trim())) {
        return None;
    }
    let mut described = named(rule.kind, &[key], text);
    described.name = format!("- {}", in_words(slice(at, text)));
    described.header_row = Some(at.end_position().row);
    Some(described)
}

/// Names a TOML table; one of a list with its first key, if that tells it from the others.
pub(in crate::treesitter) fn toml_table(node: Node<'_>, rule: &Rule, text: &str) -> Option<Described> {
    let key = node.named_child(0)?;
    let mut described = named(rule.kind, &[key], text);
    described.header_row = Some(key.end_position().row);
    let first = node.named_child(1).filter(|first| node.kind() == "table_array_element" && first.kind() == "pair");
    if let Some(first) = first
        && let (Some(name), Some(value)) = (first.named_child(0), first.named_child(1))
        && IDENTITIES.contains(&slice(name, text))
    {
        described.name = format!("{} {}", described.name, unquoted(slice(value, text)));
    }
    Some(described)
}

/// Names an HCL block by its words: `resource aws_instance web`.
pub(in crate::treesitter) fn hcl_block(node: Node<'_>, rule: &Rule, text: &str) -> Option<Described> {
    let mut cursor = node.walk();
    let words: Vec<_> =
        node.named_children(&mut cursor).take_while(|child| child.kind() != "block_start").take(LONGEST_LIST).collect();
    let mut described = named(rule.kind, &[*words.first()?], text);
    described.name = words.iter().map(|&word| unquoted(slice(word, text))).collect::<Vec<_>>().join(" ");
    Some(described)
}

/// Names an SQL statement that makes something: `table users`.
pub(in crate::treesitter) fn sql_statement(node: Node<'_>, rule: &Rule, text: &str) -> Option<Described> {
    let made = node.named_child(0)?;
    let what = made.kind().strip_prefix("create_")?;
    let mut cursor = made.walk();
    let name = made.child_by_field_name("column").or_else(|| {
        made.named_children(&mut cursor)
            .take(LONGEST_LIST)
            .find(|child| matches!(child.kind(), "object_reference" | "identifier"))
    })?;
    let mut described = named(rule.kind, &[name], text);
    described.kind =
        if matches!(what, "table" | "view" | "materialized_view" | "type") { ItemKind::Type } else { rule.kind };
    described.name = format!("{} {}", what.replace('_', " "), described.name);
    let mut cursor = made.walk();
    let parameters = made.named_children(&mut cursor).find(|child| child.kind() == "function_arguments");
    described.parameters = parameters.map(|parameters| squeezed(parameters, text)).unwrap_or_default();
    let mut cursor = made.walk();
    let body = made
        .named_children(&mut cursor)
        .find(|child| matches!(child.kind(), "column_definitions" | "function_body" | "create_query"));
    described.header_row = body.map(|body| match body.kind() {
        "create_query" => body.start_position().row.saturating_sub(1).max(node.start_position().row),
        _ => body.start_position().row,
    });
    Some(described)
}

/// Names a stage of a Dockerfile: `FROM build` after its alias, else after its image.
pub(in crate::treesitter) fn docker_stage(node: Node<'_>, rule: &Rule, text: &str) -> Option<Described> {
    let image = || node.named_child(0)?.child_by_field_name("name");
    let name = node.child_by_field_name("as").or_else(image).or_else(|| node.named_child(0))?;
    let mut described = named(rule.kind, &[name], text);
    described.name.insert_str(0, "FROM ");
    Some(described)
}

/// Names `ARG`, `ENV` and `LABEL` by what they set.
pub(in crate::treesitter) fn docker_setting(node: Node<'_>, rule: &Rule, text: &str) -> Option<Described> {
    let mut cursor = node.walk();
    let pairs: Vec<_> =
        node.named_children(&mut cursor).filter(|child| child.kind().ends_with("_pair")).take(LONGEST_LIST).collect();
    let first = *pairs.first()?;
    let mut described = named(rule.kind, &[first], text);
    let names = pairs.iter().map(|pair| {
        let name = pair.child_by_field_name("name").or_else(|| pair.child_by_field_name("key"));
        squeezed(name.unwrap_or(*pair), text)
    });
    let word = words_between(text, node.start_byte(), first.start_byte());
    described.name = format!("{word} {}", names.collect::<Vec<_>>().join(","));
    Some(described)
}
