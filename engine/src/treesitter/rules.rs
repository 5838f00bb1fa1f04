//! What each grammar's node kinds mean for an outline, as tables.
//!
//! A kind that stands in no table is walked through: its children may be declarations all the same.

mod c;
mod core;
mod data;
mod functional;
mod jvm;
mod markup;
mod script;
mod web;

use tree_sitter::Node;

use super::Language;
use super::outline::{Described, ItemKind};

/// How a declaration gets its name. Field names are those of the grammar.
#[derive(Debug, Clone, Copy)]
pub(super) enum Naming {
    /// The text of a field, without quotes.
    Field(&'static str),
    /// The texts of all children that bear a field, or of the second field where none does.
    Fields(&'static str, &'static str),
    /// The whole node's text.
    Text,
    /// Always this text.
    Fixed(&'static str),
    /// The text of the first child of a kind.
    Child(&'static str),
    /// What a function of the language's own makes of the node.
    With(fn(Node<'_>, &Rule, &str) -> Option<Described>),
    /// `Type.method` from a Go receiver.
    GoMethod,
    /// `Type` or `Trait for Type`, generics left out.
    RustImpl,
    /// The path that a Rust `use` takes from.
    RustUse,
    /// The modules of a Python `import`.
    PythonImport,
    /// The macro's name with its `!`.
    RustMacro,
    /// A JavaScript `export … from` or an anonymous `export default`; any other export is a wrapper.
    Export,
    /// A call with a function among its arguments, or an assignment; any other statement is none.
    Statement,
}

/// Where the body of a declaration is, the part that isn't its header. Where no field tells, the header ends
/// on the row of the bracket that closes on the declaration's last row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Body {
    /// No field tells.
    None,
    /// The field that holds the body.
    Field(&'static str),
    /// The field that holds a value. As a local it is no item, unless it holds a function or an object.
    Value(&'static str),
}

/// What variables are inside a declaration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Inside {
    /// What they are outside.
    Same,
    /// Locals: no items unless they hold a function or an object over several lines.
    Locals,
    /// Members: always items.
    Members,
}

/// One kind of declaration.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rule {
    pub(super) node: &'static str,
    pub(super) kind: ItemKind,
    pub(super) name: Naming,
    pub(super) body: Body,
    pub(super) inside: Inside,
}

/// The node kinds of one grammar that an outline needs.
#[derive(Debug)]
pub(super) struct Rules {
    pub(super) declarations: &'static [Rule],
    /// Nodes around a declaration that belong to it, such as `export` or a list of decorators.
    pub(super) wrappers: &'static [&'static str],
    /// Siblings before a declaration that belong to it.
    pub(super) attributes: &'static [&'static str],
    /// Says of the nodes of an attribute's kind which are none; without it all are.
    pub(super) is_attribute: Option<fn(Node<'_>, &str) -> bool>,
    /// Nodes that hold attributes and keywords in front of a declaration.
    pub(super) modifiers: &'static [&'static str],
    /// A list whose bare names are members, and the kind of those names.
    pub(super) bare_members: Option<(&'static str, &'static str)>,
    /// Further nodes whose variables are locals.
    pub(super) locals: &'static [&'static str],
    pub(super) comments: &'static [&'static str],
    /// Says of the nodes of a comment's kind which are none; without it all are.
    pub(super) is_comment: Option<fn(Node<'_>, &str) -> bool>,
    /// Whether a section ends only where the next one begins, so that nothing tells what a comment at its end
    /// belongs to.
    pub(super) has_open_sections: bool,
    /// Nodes that hold text which isn't code; what begins inside may not be re-indented.
    pub(super) literals: &'static [&'static str],
    /// Openers and closers beside the bracket tokens.
    pub(super) pairs: &'static [(&'static str, &'static str)],
    /// What else than a bracket begins the row that closes a declaration.
    pub(super) closers: &'static [&'static str],
}

impl Rules {
    /// Nothing; tables name only what they have.
    const NONE: Self = Self {
        declarations: &[],
        wrappers: &[],
        attributes: &[],
        is_attribute: None,
        modifiers: &[],
        bare_members: None,
        locals: &[],
        comments: &["comment"],
        is_comment: None,
        has_open_sections: false,
        literals: &[],
        pairs: &[],
        closers: &[],
    };
}

const fn rule(node: &'static str, kind: ItemKind, name: Naming, body: Body, inside: Inside) -> Rule {
    Rule { node, kind, name, body, inside }
}

/// A function: named by `name`, its body in `body`.
const fn function(node: &'static str) -> Rule {
    rule(node, ItemKind::Value, Naming::Field("name"), Body::Field("body"), Inside::Locals)
}

/// A type with members: named by `name`, its body in `body`.
const fn container(node: &'static str) -> Rule {
    rule(node, ItemKind::Type, Naming::Field("name"), Body::Field("body"), Inside::Members)
}

/// A name with a value, both optional fields.
const fn value(node: &'static str, name: &'static str, value: &'static str) -> Rule {
    rule(node, ItemKind::Value, Naming::Field(name), Body::Value(value), Inside::Same)
}

/// A namespace or whatever else holds declarations.
const fn scope(node: &'static str, kind: ItemKind) -> Rule {
    rule(node, kind, Naming::Field("name"), Body::Field("body"), Inside::Members)
}

/// An import that is named by a child.
const fn import(node: &'static str, child: &'static str) -> Rule {
    rule(node, ItemKind::Import, Naming::Child(child), Body::None, Inside::Same)
}

/// A member without a body.
const fn member(node: &'static str) -> Rule {
    rule(node, ItemKind::Value, Naming::Field("name"), Body::None, Inside::Same)
}

impl Rules {
    /// Gives the tables of a language.
    pub(super) fn of(language: Language) -> &'static Self {
        match language {
            Language::Go => &core::GO,
            Language::Python => &core::PYTHON,
            Language::JavaScript | Language::TypeScript | Language::Tsx => &core::JAVASCRIPT,
            Language::Rust => &core::RUST,
            Language::Json => &core::JSON,
            Language::Java => &jvm::JAVA,
            Language::C | Language::Cpp => &c::C,
            Language::CSharp => &c::C_SHARP,
            Language::Php => &web::PHP,
            Language::Ruby => &script::RUBY,
            Language::Kotlin => &jvm::KOTLIN,
            Language::Swift => &c::SWIFT,
            Language::Scala => &jvm::SCALA,
            Language::Bash => &script::BASH,
            Language::Lua => &script::LUA,
            Language::Html => &markup::HTML,
            Language::Vue => &markup::VUE,
            Language::Svelte => &markup::SVELTE,
            Language::Css => &web::CSS,
            Language::Markdown => &markup::MARKDOWN,
            Language::Yaml => &data::YAML,
            Language::Toml => &data::TOML,
            Language::Sql => &data::SQL,
            Language::Hcl => &data::HCL,
            Language::Dockerfile => &data::DOCKERFILE,
            Language::Elixir => &script::ELIXIR,
            Language::OCaml | Language::OCamlInterface => &functional::OCAML,
            Language::Haskell => &functional::HASKELL,
            Language::Zig => &c::ZIG,
        }
    }
}

/// Node kinds of values that hold a function, over all grammars.
pub(super) const FUNCTION_VALUES: &[&str] = &[
    "arrow_function",
    "function_expression",
    "generator_function",
    "func_literal",
    "lambda",
    "closure_expression",
    "lambda_expression",
    "anonymous_function",
    "anonymous_method_expression",
    "function_definition",
    "do_block",
];

/// Node kinds of values that hold named or listed things, over all grammars.
pub(super) const OBJECT_VALUES: &[&str] = &[
    "object",
    "array",
    "dictionary",
    "list",
    "set",
    "tuple",
    "composite_literal",
    "struct_expression",
    "array_expression",
    "object_type",
    "class",
    "struct_type",
    "interface_type",
    "initializer_list",
    "array_initializer",
    "array_creation_expression",
    "anonymous_object_creation_expression",
    "hash",
    "table_constructor",
    "inline_table",
    "struct_declaration",
    "enum_declaration",
    "union_declaration",
    "opaque_declaration",
    "error_set_declaration",
    "dictionary_literal",
    "collection_value",
    "record_declaration",
];

/// Node kinds around a value that change nothing about it, over all grammars.
pub(super) const VALUE_WRAPPERS: &[&str] = &[
    "parenthesized_expression",
    "await_expression",
    "await",
    "as_expression",
    "satisfies_expression",
    "non_null_expression",
    "expression_list",
    "type_annotation",
    "unary_expression",
    "reference_expression",
    "pointer_type",
];

/// Node kinds of calls, over all grammars.
pub(super) const CALLS: &[&str] = &[
    "call_expression",
    "new_expression",
    "call",
    "invocation_expression",
    "function_call",
    "function_call_expression",
    "scoped_call_expression",
    "member_call_expression",
];
