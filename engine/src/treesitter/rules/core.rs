//! The tables of the languages that every build has by default.

use super::{Body, Inside, Naming, Rules, container, function, member, rule, value};
use crate::treesitter::outline::ItemKind;

pub(super) static GO: Rules = Rules {
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
    locals: &["func_literal"],
    literals: &["raw_string_literal", "interpreted_string_literal"],
    ..Rules::NONE
};

pub(super) static PYTHON: Rules = Rules {
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
    locals: &["lambda"],
    literals: &["string"],
    ..Rules::NONE
};

/// Both JavaScript and TypeScript: kinds that a grammar doesn't have are never met.
pub(super) static JAVASCRIPT: Rules = Rules {
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
    ..Rules::NONE
};

pub(super) static RUST: Rules = Rules {
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
    locals: &["closure_expression", "block"],
    comments: &["line_comment", "block_comment"],
    literals: &["string_literal", "raw_string_literal"],
    ..Rules::NONE
};

pub(super) static JSON: Rules = Rules {
    declarations: &[rule("pair", ItemKind::Value, Naming::Field("key"), Body::Value("value"), Inside::Same)],
    ..Rules::NONE
};
