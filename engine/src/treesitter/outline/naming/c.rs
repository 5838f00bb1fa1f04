//! Names in C and C++, which stand inside of declarators.

use tree_sitter::Node;

use super::{
    Described, LONGEST_LIST, first_child, last_child, named, slice, squeezed, unquoted, without_generics, words_between,
};
use crate::treesitter::outline::ItemKind;
use crate::treesitter::rules::Rule;

/// How many declarators around a name are looked through.
const DEEPEST_DECLARATOR: usize = 32;

/// What a declarator declares.
#[derive(Default)]
struct Declared<'t> {
    name: Option<Node<'t>>,
    /// The function declarator next to the name, if the name is a function's and not that of a pointer to one.
    function: Option<Node<'t>>,
    value: Option<Node<'t>>,
}

/// Names a function, a prototype, a variable, a field or a type. A prototype is named with a `;`, since it stands
/// beside the function of its name.
pub(in crate::treesitter) fn declaration(node: Node<'_>, rule: &Rule, text: &str) -> Option<Described> {
    let mut cursor = node.walk();
    let all = node.children_by_field_name("declarator", &mut cursor).take(LONGEST_LIST).map(declared);
    let mut all = all.filter(|declared| declared.name.is_some());
    let first = all.next()?;
    if is_macro_with_block(node) {
        return None;
    }
    let others: Vec<Node<'_>> = all.filter_map(|declared| declared.name).collect();
    let name = first.name?;
    let mut described = named(rule.kind, &[&[name], &*others].concat(), text);
    described.name = without_generics(&described.name);
    match first.function {
        _ if rule.kind == ItemKind::Type => {}
        Some(function) if node.kind() == "function_definition" => {
            described.parameters = parameters(function, text);
            if node.child_by_field_name("type").is_none() && is_macro_name(&described.name) {
                let given = described.parameters.trim_matches(['(', ')']).replace(',', " ");
                described.name = format!("{} {given}", described.name);
                described.kind = ItemKind::Call;
            }
        }
        Some(function) => {
            described.parameters = parameters(function, text);
            described.name.push(';');
        }
        // `class EXPORT_MACRO Name {` is read as a function without parameters.
        None if node.kind() == "function_definition" => {
            let of = node.child_by_field_name("type")?;
            if matches!(of.kind(), "class_specifier" | "struct_specifier" | "union_specifier" | "enum_specifier") {
                described.kind = ItemKind::Type;
                described.holds_things = true;
            } else if name.kind() != "operator_cast" {
                return None;
            }
        }
        None => described.hold(first.value, text),
    }
    Some(described)
}

/// Names a struct, a union, a class or an enum by its name, if it is defined here and not only mentioned.
pub(in crate::treesitter) fn defined_type(node: Node<'_>, rule: &Rule, text: &str) -> Option<Described> {
    node.child_by_field_name("body")?;
    let Some(name) = node.child_by_field_name("name") else {
        // What is declared as such a type has the members.
        let is_type_of_something =
            node.parent().is_some_and(|parent| parent.child_by_field_name("declarator").is_some());
        return (!is_type_of_something).then_some(named(rule.kind, &[node.child(0)?], text));
    };
    let mut described = named(rule.kind, &[name], text);
    // `Name<int>` specialises `Name`.
    described.parameters = described.name.clone();
    described.name = without_generics(&described.name);
    if described.name == described.parameters {
        described.parameters.clear();
    }
    Some(described)
}

/// Names a namespace; one without a name goes by that.
pub(in crate::treesitter) fn namespace(node: Node<'_>, rule: &Rule, text: &str) -> Option<Described> {
    let name = node.child_by_field_name("name").or_else(|| node.child(0))?;
    Some(named(rule.kind, &[name], text))
}

/// Names `using namespace a` and `using a::b` by what they bring.
pub(in crate::treesitter) fn using(node: Node<'_>, rule: &Rule, text: &str) -> Option<Described> {
    Some(named(rule.kind, &[node.named_child(0)?], text))
}

/// Looks through a declarator for the name.
fn declared(declarator: Node<'_>) -> Declared<'_> {
    let mut found = Declared::default();
    let mut at = declarator;
    for _ in 0..DEEPEST_DECLARATOR {
        match at.kind() {
            "function_declarator" => found.function = Some(at),
            // The parentheses of `(*callback)(int)`; those of `(max)(a, b)` change nothing.
            "parenthesized_declarator"
                if at.named_child(0).is_some_and(|inner| inner.kind().ends_with("pointer_declarator")) =>
            {
                found.function = None;
            }
            "init_declarator" => found.value = at.child_by_field_name("value"),
            "operator_cast" => {
                found.name = Some(at);
                break;
            }
            // Where the grammar puts in the `::`, what stands before is a macro.
            "qualified_identifier" if at.child(1).is_some_and(|sign| sign.is_missing()) => {
                found.name = at.child_by_field_name("name");
                break;
            }
            _ => {}
        }
        let next = at.child_by_field_name("declarator").or_else(|| {
            let holds_declarator = at.kind().ends_with("_declarator");
            holds_declarator.then(|| last_child(at)).flatten()
        });
        if let Some(next) = next {
            at = next;
        } else {
            found.name = (!at.kind().ends_with("_declarator")).then_some(at);
            break;
        }
    }
    found
}

/// Says whether a function without a type stands among statements: it is a macro such as `for_each(x, list) {`.
/// Only in what was meant as a class it may be a constructor.
fn is_macro_with_block(node: Node<'_>) -> bool {
    let is_untyped = node.kind() == "function_definition" && node.child_by_field_name("type").is_none();
    let Some(around) = node.parent().filter(|around| is_untyped && around.kind() == "compound_statement") else {
        return false;
    };
    let of = around.parent().and_then(|function| function.child_by_field_name("type"));
    !of.is_some_and(|of| of.kind() == "class_specifier" || of.kind() == "struct_specifier")
}

/// The parameters of a function, and whether it is `const` or made for `&&`.
fn parameters(function: Node<'_>, text: &str) -> String {
    let parameters = function.child_by_field_name("parameters");
    let mut found = parameters.map(|parameters| squeezed(parameters, text)).unwrap_or_default();
    let mut cursor = function.walk();
    let qualifiers = function.children(&mut cursor).filter(|child| {
        matches!(child.kind(), "type_qualifier" | "ref_qualifier")
            && parameters.is_some_and(|p| p.end_byte() <= child.start_byte())
    });
    for qualifier in qualifiers {
        found.push_str(slice(qualifier, text));
    }
    found
}

/// Says whether a name is written as those of macros are: `TEST_F`.
fn is_macro_name(name: &str) -> bool {
    name.len() > 1 && name.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
}

/// Names a Swift class, struct or enum, or an extension, which stands beside the type that it extends.
pub(in crate::treesitter) fn swift_type(node: Node<'_>, rule: &Rule, text: &str) -> Option<Described> {
    let mut described = named(rule.kind, &[node.child_by_field_name("name")?], text);
    if node.child_by_field_name("declaration_kind").is_some_and(|word| word.kind() == "extension") {
        let body = node.child_by_field_name("body")?;
        described.name = format!("extension {}", described.name);
        described.parameters = words_between(text, node.start_byte(), body.start_byte());
    }
    Some(described)
}

/// Names a Swift function; its parameters are children of its own.
pub(in crate::treesitter) fn swift_function(node: Node<'_>, rule: &Rule, text: &str) -> Option<Described> {
    let mut described = named(rule.kind, &[node.child_by_field_name("name")?], text);
    let mut cursor = node.walk();
    let parameters: Vec<_> =
        node.named_children(&mut cursor).take(LONGEST_LIST).filter(|child| child.kind() == "parameter").collect();
    described.parameters =
        format!("({})", parameters.iter().map(|&one| squeezed(one, text)).collect::<Vec<_>>().join(","));
    Some(described)
}

/// Names a Swift property by what its pattern binds.
pub(in crate::treesitter) fn swift_property(node: Node<'_>, rule: &Rule, text: &str) -> Option<Described> {
    let pattern = node.child_by_field_name("name")?;
    let mut described = named(rule.kind, &[pattern.child_by_field_name("bound_identifier").unwrap_or(pattern)], text);
    described.hold(node.child_by_field_name("value"), text);
    // A computed property is a function in all but name.
    described.holds_function |= node.child_by_field_name("computed_value").is_some();
    Some(described)
}

/// Names a Zig constant or variable; one that holds a struct or the like is a type.
pub(in crate::treesitter) fn zig_variable(node: Node<'_>, rule: &Rule, text: &str) -> Option<Described> {
    let mut described = first_child(node, rule, text)?;
    if described.holds_things {
        described.kind = ItemKind::Type;
    }
    Some(described)
}

/// Names a Zig test.
pub(in crate::treesitter) fn zig_test(node: Node<'_>, rule: &Rule, text: &str) -> Option<Described> {
    let name = node.named_child(0).filter(|name| name.kind() != "block")?;
    let mut described = named(rule.kind, &[name], text);
    described.name = format!("test {}", unquoted(slice(name, text)));
    Some(described)
}
