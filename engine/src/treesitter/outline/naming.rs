//! What a declaration is called, and what its value holds.

pub(in crate::treesitter) mod c;
pub(in crate::treesitter) mod data;
pub(in crate::treesitter) mod functional;
pub(in crate::treesitter) mod jvm;
pub(in crate::treesitter) mod markup;
pub(in crate::treesitter) mod script;

use tree_sitter::Node;

use super::ItemKind;
use crate::treesitter::rules::{Body, CALLS, FUNCTION_VALUES, Naming, OBJECT_VALUES, Rule, VALUE_WRAPPERS};

/// How many nodes around a value are looked through: parentheses, `await`, calls around a function.
const DEEPEST_VALUE: usize = 16;

/// Children of a list that are looked at. Longer lists are data, not declarations.
const LONGEST_LIST: usize = 64;

/// What a declaring node says about itself.
#[derive(Debug)]
pub(in crate::treesitter) struct Described {
    pub(super) kind: ItemKind,
    pub(super) name: String,
    pub(super) name_row: usize,
    pub(super) parameters: String,
    /// Whether its value is a function, or a call that is given one.
    pub(super) holds_function: bool,
    /// Whether its value is an object, a class or a list.
    pub(super) holds_things: bool,
    pub(super) is_assignment: bool,
    /// The last row of the header, where neither brackets nor a field of the grammar tell it.
    pub(super) header_row: Option<usize>,
}

/// Describes a node by its rule; `None` if it declares nothing after all.
pub(super) fn describe(node: Node<'_>, rule: &Rule, text: &str) -> Option<Described> {
    let field = |name: &str| node.child_by_field_name(name);
    let mut described = match rule.name {
        Naming::Field(name) => named(rule.kind, &[field(name)?], text),
        Naming::Fields(name, other) => {
            let mut cursor = node.walk();
            let names: Vec<_> =
                node.children_by_field_name(name, &mut cursor).filter(Node::is_named).take(LONGEST_LIST).collect();
            if names.is_empty() { named(rule.kind, &[field(other)?], text) } else { named(rule.kind, &names, text) }
        }
        Naming::Text => named(rule.kind, &[node], text),
        Naming::Fixed(name) => Described { name: name.to_owned(), ..named(rule.kind, &[node], "") },
        Naming::Child(kind) => {
            let mut cursor = node.walk();
            let child = node.named_children(&mut cursor).take(LONGEST_LIST).find(|child| child.kind() == kind)?;
            named(rule.kind, &[child], text)
        }
        Naming::With(describe) => return describe(node, rule, text).filter(|described| !described.name.is_empty()),
        Naming::GoMethod => {
            let mut described = named(rule.kind, &[field("name")?], text);
            let receiver = field("receiver")?.named_child(0)?.child_by_field_name("type")?;
            let receiver = squeezed(receiver, text);
            let receiver = receiver.trim_start_matches(['*', '(']).split(['[', ')']).next().unwrap_or_default();
            described.name = format!("{receiver}.{}", described.name);
            described
        }
        Naming::RustImpl => {
            let of = field("type")?;
            let mut described = named(rule.kind, &[field("trait").unwrap_or(of)], text);
            let of = squeezed(of, text);
            if field("trait").is_some() {
                described.parameters = format!("{}for{of}", described.name);
                described.name = format!("{} for {}", without_generics(&described.name), without_generics(&of));
            } else {
                described.parameters.clone_from(&of);
                described.name = without_generics(&of);
            }
            return Some(described);
        }
        Naming::RustUse => {
            let taken = field("argument")?;
            let path = taken.child_by_field_name("path").unwrap_or(taken);
            let mut described = named(rule.kind, &[path], text);
            described.name = described.name.trim_end_matches("::*").to_owned();
            described
        }
        Naming::PythonImport => {
            let mut cursor = node.walk();
            let names: Vec<_> = node.named_children(&mut cursor).take(LONGEST_LIST).collect();
            let names: Vec<_> = names.iter().map(|name| name.child_by_field_name("name").unwrap_or(*name)).collect();
            if names.is_empty() {
                return None;
            }
            named(rule.kind, &names, text)
        }
        Naming::RustMacro => {
            let mut described = named(rule.kind, &[field("macro")?], text);
            described.name.push('!');
            described
        }
        Naming::Export => return export(node, text),
        Naming::Statement => return statement(node, text),
    };
    if described.name.is_empty() {
        return None;
    }
    match rule.body {
        Body::Value(name) => described.hold(field(name), text),
        Body::None | Body::Field(_) => {
            let parameters =
                field("parameters").or_else(|| field("superclasses")).or_else(|| field("class_parameters"));
            described.parameters = parameters.map(|parameters| squeezed(parameters, text)).unwrap_or_default();
        }
    }
    Some(described)
}

impl Described {
    /// Takes over what a value tells.
    fn hold(&mut self, value: Option<Node<'_>>, text: &str) {
        let Some(value) = value else { return };
        let (function, holds_things) = look_into(value);
        self.holds_things = holds_things;
        if let Some(function) = function {
            self.holds_function = true;
            let parameters =
                function.child_by_field_name("parameters").or_else(|| function.child_by_field_name("parameter"));
            self.parameters = parameters.map(|parameters| squeezed(parameters, text)).unwrap_or_default();
        }
    }
}

/// Names a declaration after some nodes of it, without quotes.
fn named(kind: ItemKind, names: &[Node<'_>], text: &str) -> Described {
    let name = names.iter().map(|&name| squeezed(name, text)).collect::<Vec<_>>().join(",");
    let name = unquoted(&name).to_owned();
    Described {
        kind,
        name,
        name_row: names.first().map_or(0, |name| name.start_position().row),
        parameters: String::new(),
        holds_function: false,
        holds_things: false,
        is_assignment: false,
        header_row: None,
    }
}

/// Names a declaration by its first child with a node kind of its own that is no comment.
pub(in crate::treesitter) fn first_child(node: Node<'_>, rule: &Rule, text: &str) -> Option<Described> {
    let mut cursor = node.walk();
    let child = node.named_children(&mut cursor).take(LONGEST_LIST).find(|child| !child.is_extra())?;
    let mut described = named(rule.kind, &[child], text);
    if let Body::Value(value) = rule.body {
        let value = node.child_by_field_name(value).or_else(|| last_child(node)).filter(|value| *value != child);
        described.hold(value, text);
    }
    Some(described)
}

/// The last child with a node kind of its own.
fn last_child(node: Node<'_>) -> Option<Node<'_>> {
    node.named_child(u32::try_from(node.named_child_count()).ok()?.checked_sub(1)?)
}

/// Gives the text of a part of a node in one line, with single blanks.
fn in_words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Gives the text from one byte to another in one line; nothing where it is not text.
fn words_between(text: &str, start: usize, end: usize) -> String {
    text.get(start..end).map(in_words).unwrap_or_default()
}

/// `export … from "x"` is an import, and `export default` of something without a name goes by that.
fn export(node: Node<'_>, text: &str) -> Option<Described> {
    if let Some(source) = node.child_by_field_name("source") {
        return Some(named(ItemKind::Import, &[source], text));
    }
    let value = node.child_by_field_name("value")?;
    let mut described = named(ItemKind::Value, &[node], "");
    "default".clone_into(&mut described.name);
    described.name_row = value.start_position().row;
    described.hold(Some(value), text);
    Some(described)
}

/// A call that is given a function, or an assignment.
fn statement(node: Node<'_>, text: &str) -> Option<Described> {
    let mut expression = node.named_child(0)?;
    if matches!(expression.kind(), "await_expression") {
        expression = expression.named_child(0)?;
    }
    if matches!(expression.kind(), "assignment_expression" | "augmented_assignment_expression") {
        let mut described = named(ItemKind::Value, &[expression.child_by_field_name("left")?], text);
        described.is_assignment = true;
        described.hold(expression.child_by_field_name("right"), text);
        return Some(described);
    }
    call(expression, ItemKind::Call, text)
}

/// Names a call that is given a function over several lines, by what is called and a string before the function.
pub(in crate::treesitter) fn call_with_function(node: Node<'_>, rule: &Rule, text: &str) -> Option<Described> {
    call(node, rule.kind, text)
}

fn call(expression: Node<'_>, kind: ItemKind, text: &str) -> Option<Described> {
    if !CALLS.contains(&expression.kind()) {
        return None;
    }
    let field = |name: &str| expression.child_by_field_name(name);
    let callee = field("function").or_else(|| field("constructor")).or_else(|| field("name"))?;
    let arguments = field("arguments")?;
    // The callee of a chain over several lines is itself a list of calls: no name.
    if expression.start_position().row != arguments.start_position().row || FUNCTION_VALUES.contains(&callee.kind()) {
        return None;
    }
    let (function, _) = look_into(expression);
    let function = function?;
    if function.start_position().row == function.end_position().row {
        return None;
    }
    let mut described = named(kind, &[callee], text);
    if callee.start_byte() > expression.start_byte() && expression.kind() != "new_expression" {
        described.name = words_between(text, expression.start_byte(), arguments.start_byte()).replace(' ', "");
    }
    if let Some(first) = arguments.named_child(0).map(argument)
        && first.start_position().row == first.end_position().row
        && first.kind().contains("string")
    {
        described.name = format!("{} {}", described.name, unquoted(slice(first, text)));
    }
    described.hold(Some(expression), text);
    Some(described)
}

/// Takes the node off around an argument that some grammars have.
fn argument(node: Node<'_>) -> Node<'_> {
    if node.kind() == "argument" { last_child(node).unwrap_or(node) } else { node }
}

/// Looks through a value: the function it is, or the one that the call is given, and whether it is an object,
/// a class or a list.
pub(super) fn look_into(value: Node<'_>) -> (Option<Node<'_>>, bool) {
    let mut value = value;
    for _ in 0..DEEPEST_VALUE {
        let kind = value.kind();
        if FUNCTION_VALUES.contains(&kind) {
            return (Some(value), false);
        }
        if OBJECT_VALUES.contains(&kind) {
            return (None, true);
        }
        let next = if VALUE_WRAPPERS.contains(&kind) {
            value.named_child(0)
        } else if CALLS.contains(&kind) {
            value.child_by_field_name("arguments").and_then(given_function)
        } else {
            None
        };
        match next {
            Some(next) => value = next,
            None => break,
        }
    }
    (None, false)
}

/// The first argument over several lines that is a function, or a call that may be given one.
fn given_function(arguments: Node<'_>) -> Option<Node<'_>> {
    let mut cursor = arguments.walk();
    arguments
        .named_children(&mut cursor)
        .take(LONGEST_LIST)
        .map(argument)
        .filter(|argument| argument.start_position().row < argument.end_position().row)
        .find(|argument| FUNCTION_VALUES.contains(&argument.kind()) || CALLS.contains(&argument.kind()))
}

fn slice<'t>(node: Node<'_>, text: &'t str) -> &'t str {
    text.get(node.byte_range()).unwrap_or_default()
}

/// The text of a node without white space.
fn squeezed(node: Node<'_>, text: &str) -> String {
    slice(node, text).split_whitespace().collect()
}

/// Takes quotes off that stand at both ends.
fn unquoted(text: &str) -> &str {
    let quoted = |quote: char| text.strip_prefix(quote)?.strip_suffix(quote);
    ['"', '\'', '`'].into_iter().find_map(quoted).unwrap_or(text)
}

/// Leaves out everything in angle brackets.
fn without_generics(path: &str) -> String {
    let mut depth = 0_usize;
    let mut last = ' ';
    let mut kept = String::with_capacity(path.len());
    for letter in path.chars() {
        match letter {
            '<' => depth += 1,
            // The `>` of an arrow closes nothing.
            '>' if last != '-' => depth = depth.saturating_sub(1),
            _ if depth == 0 => kept.push(letter),
            _ => {}
        }
        last = letter;
    }
    kept
}
