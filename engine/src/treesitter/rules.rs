//! What each grammar's node kinds mean for an outline, as tables.
//!
//! A kind that stands in no table is walked through: its children may be declarations all the same.

use super::Language;
use super::outline::ItemKind;

/// How a declaration gets its name. Field names are those of the grammar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Naming {
    /// The text of a field, without quotes.
    Field(&'static str),
    /// The texts of all children that bear a field, or of the second field where none does.
    Fields(&'static str, &'static str),
    /// The whole node's text.
    Text,
    /// Always this text.
    Fixed(&'static str),
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
    /// A list whose bare names are members, and the kind of those names.
    pub(super) bare_members: Option<(&'static str, &'static str)>,
    /// Further nodes whose variables are locals.
    pub(super) locals: &'static [&'static str],
    pub(super) comments: &'static [&'static str],
    /// Nodes that hold text which isn't code; what begins inside may not be re-indented.
    pub(super) literals: &'static [&'static str],
    /// Openers and closers beside the bracket tokens.
    pub(super) pairs: &'static [(&'static str, &'static str)],
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

/// A member without a body.
const fn member(node: &'static str) -> Rule {
    rule(node, ItemKind::Value, Naming::Field("name"), Body::None, Inside::Same)
}

static GO: Rules = Rules {
    declarations: &[
        function("function_declaration"),
        rule("method_declaration", ItemKind::Value, Naming::GoMethod, Body::Field("body"), Inside::Locals),
        rule("type_spec", ItemKind::Type, Naming::Field("name"), Body::Value("type"), Inside::Members),
        rule("type_alias", ItemKind::Type, Naming::Field("name"), Body::Value("type"), Inside::Members),
        rule("const_spec", ItemKind::Value, Naming::Fields("name", "name"), Body::Value("value"), Inside::Same),
        rule("var_spec", ItemKind::Value, Naming::Fields("name", "name"), Body::Value("value"), Inside::Same),
        value("short_var_declaration", "left", "right"),
        rule("import_spec", ItemKind::Import, Naming::Field("path"), Body::None, Inside::Same),
        rule("field_declaration", ItemKind::Value, Naming::Fields("name", "type"), Body::Value("type"), Inside::Same),
        member("method_elem"),
        rule("expression_statement", ItemKind::Call, Naming::Statement, Body::None, Inside::Same),
    ],
    wrappers: &["const_declaration", "var_declaration", "type_declaration", "import_declaration"],
    attributes: &[],
    bare_members: None,
    locals: &["func_literal"],
    comments: &["comment"],
    literals: &["raw_string_literal", "interpreted_string_literal"],
    pairs: &[],
};

static PYTHON: Rules = Rules {
    declarations: &[
        function("function_definition"),
        container("class_definition"),
        rule("import_statement", ItemKind::Import, Naming::PythonImport, Body::None, Inside::Same),
        rule("import_from_statement", ItemKind::Import, Naming::Field("module_name"), Body::None, Inside::Same),
        rule("future_import_statement", ItemKind::Import, Naming::Fixed("__future__"), Body::None, Inside::Same),
        value("assignment", "left", "right"),
        value("augmented_assignment", "left", "right"),
        rule("type_alias_statement", ItemKind::Type, Naming::Field("left"), Body::None, Inside::Same),
        rule("pair", ItemKind::Value, Naming::Field("key"), Body::Value("value"), Inside::Same),
    ],
    wrappers: &["decorated_definition", "expression_statement"],
    attributes: &["decorator"],
    bare_members: None,
    locals: &["lambda"],
    comments: &["comment"],
    literals: &["string"],
    pairs: &[],
};

/// Both JavaScript and TypeScript: kinds that a grammar doesn't have are never met.
static JAVASCRIPT: Rules = Rules {
    declarations: &[
        function("function_declaration"),
        function("generator_function_declaration"),
        function("method_definition"),
        member("function_signature"),
        member("method_signature"),
        member("abstract_method_signature"),
        container("class_declaration"),
        container("abstract_class_declaration"),
        container("interface_declaration"),
        container("enum_declaration"),
        rule("type_alias_declaration", ItemKind::Type, Naming::Field("name"), Body::Value("value"), Inside::Members),
        rule("internal_module", ItemKind::Module, Naming::Field("name"), Body::Field("body"), Inside::Members),
        rule("module", ItemKind::Module, Naming::Field("name"), Body::Field("body"), Inside::Members),
        value("public_field_definition", "name", "value"),
        value("field_definition", "property", "value"),
        rule("property_signature", ItemKind::Value, Naming::Field("name"), Body::Value("type"), Inside::Same),
        rule("index_signature", ItemKind::Value, Naming::Fixed("[]"), Body::None, Inside::Same),
        rule("call_signature", ItemKind::Value, Naming::Fixed("()"), Body::None, Inside::Same),
        rule("construct_signature", ItemKind::Value, Naming::Fixed("new"), Body::None, Inside::Same),
        rule("class_static_block", ItemKind::Value, Naming::Fixed("static"), Body::Field("body"), Inside::Locals),
        value("enum_assignment", "name", "value"),
        value("variable_declarator", "name", "value"),
        rule("pair", ItemKind::Value, Naming::Field("key"), Body::Value("value"), Inside::Same),
        rule("import_statement", ItemKind::Import, Naming::Field("source"), Body::None, Inside::Same),
        rule("export_statement", ItemKind::Value, Naming::Export, Body::Value("value"), Inside::Same),
        rule("expression_statement", ItemKind::Call, Naming::Statement, Body::None, Inside::Same),
    ],
    wrappers: &["lexical_declaration", "variable_declaration", "using_declaration", "ambient_declaration"],
    attributes: &["decorator"],
    bare_members: Some(("enum_body", "property_identifier")),
    locals: &[
        "arrow_function",
        "function_expression",
        "generator_function",
        "if_statement",
        "for_statement",
        "for_in_statement",
        "while_statement",
        "do_statement",
        "try_statement",
        "switch_statement",
        "with_statement",
    ],
    comments: &["comment", "html_comment"],
    literals: &["template_string", "string"],
    pairs: &[("jsx_opening_element", "jsx_closing_element"), ("<", "/>")],
};

static RUST: Rules = Rules {
    declarations: &[
        function("function_item"),
        function("function_signature_item"),
        container("struct_item"),
        container("union_item"),
        container("enum_item"),
        container("trait_item"),
        rule("impl_item", ItemKind::Type, Naming::RustImpl, Body::Field("body"), Inside::Members),
        rule("mod_item", ItemKind::Module, Naming::Field("name"), Body::Field("body"), Inside::Members),
        rule("foreign_mod_item", ItemKind::Module, Naming::Fixed("extern"), Body::Field("body"), Inside::Members),
        value("const_item", "name", "value"),
        value("static_item", "name", "value"),
        rule("type_item", ItemKind::Type, Naming::Field("name"), Body::None, Inside::Same),
        rule("associated_type", ItemKind::Type, Naming::Field("name"), Body::None, Inside::Same),
        rule("macro_definition", ItemKind::Value, Naming::Field("name"), Body::None, Inside::Same),
        rule("macro_invocation", ItemKind::Call, Naming::RustMacro, Body::Value("macro"), Inside::Same),
        rule("use_declaration", ItemKind::Import, Naming::RustUse, Body::None, Inside::Same),
        rule("extern_crate_declaration", ItemKind::Import, Naming::Field("name"), Body::None, Inside::Same),
        rule("enum_variant", ItemKind::Value, Naming::Field("name"), Body::Field("body"), Inside::Members),
        member("field_declaration"),
        value("let_declaration", "pattern", "value"),
    ],
    wrappers: &["expression_statement"],
    attributes: &["attribute_item"],
    bare_members: None,
    locals: &["closure_expression", "block"],
    comments: &["line_comment", "block_comment"],
    literals: &["string_literal", "raw_string_literal"],
    pairs: &[],
};

static JSON: Rules = Rules {
    declarations: &[rule("pair", ItemKind::Value, Naming::Field("key"), Body::Value("value"), Inside::Same)],
    wrappers: &[],
    attributes: &[],
    bare_members: None,
    locals: &[],
    comments: &["comment"],
    literals: &[],
    pairs: &[],
};

impl Rules {
    /// Gives the tables of a language.
    pub(super) fn of(language: Language) -> &'static Self {
        match language {
            Language::Go => &GO,
            Language::Python => &PYTHON,
            Language::JavaScript | Language::TypeScript | Language::Tsx => &JAVASCRIPT,
            Language::Rust => &RUST,
            Language::Json => &JSON,
        }
    }
}

/// Node kinds of values that hold a function, over all grammars.
pub(super) const FUNCTION_VALUES: &[&str] =
    &["arrow_function", "function_expression", "generator_function", "func_literal", "lambda", "closure_expression"];

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
pub(super) const CALLS: &[&str] = &["call_expression", "new_expression", "call"];
