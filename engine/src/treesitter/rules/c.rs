//! The tables of C and of languages that write blocks as it does.

use super::{Body, Inside, Naming, Rule, Rules, container, function, import, member, rule, scope};
use crate::treesitter::outline::ItemKind;
use crate::treesitter::outline::naming::{c, first_child, jvm};

/// A struct, union, class or enum that is defined, not only mentioned.
const fn defined(node: &'static str) -> Rule {
    rule(node, ItemKind::Type, Naming::With(c::defined_type), Body::Field("body"), Inside::Members)
}

/// What has its name in a declarator.
const fn declared(node: &'static str, kind: ItemKind, body: Body, inside: Inside) -> Rule {
    rule(node, kind, Naming::With(c::declaration), body, inside)
}

/// Both C and C++. What `#if` and `extern "C"` hold stands where they stand.
pub(super) static C: Rules = Rules {
    declarations: &[
        declared("function_definition", ItemKind::Value, Body::Field("body"), Inside::Locals),
        declared("declaration", ItemKind::Value, Body::Value("value"), Inside::Same),
        declared("field_declaration", ItemKind::Value, Body::None, Inside::Members),
        declared("type_definition", ItemKind::Type, Body::None, Inside::Members),
        defined("struct_specifier"),
        defined("union_specifier"),
        defined("class_specifier"),
        defined("enum_specifier"),
        member("enumerator"),
        rule("initializer_pair", ItemKind::Value, Naming::Field("designator"), Body::Value("value"), Inside::Same),
        rule("preproc_include", ItemKind::Import, Naming::Field("path"), Body::None, Inside::Same),
        member("preproc_def"),
        member("preproc_function_def"),
        rule(
            "namespace_definition",
            ItemKind::Module,
            Naming::With(c::namespace),
            Body::Field("body"),
            Inside::Members,
        ),
        rule("namespace_alias_definition", ItemKind::Module, Naming::Field("name"), Body::None, Inside::Same),
        rule("alias_declaration", ItemKind::Type, Naming::Field("name"), Body::None, Inside::Same),
        rule("concept_definition", ItemKind::Type, Naming::Field("name"), Body::None, Inside::Same),
        rule("using_declaration", ItemKind::Import, Naming::With(c::using), Body::None, Inside::Same),
    ],
    wrappers: &["template_declaration", "linkage_specification", "friend_declaration"],
    attributes: &["attribute_declaration"],
    locals: &["lambda_expression"],
    literals: &["string_literal", "raw_string_literal"],
    ..Rules::NONE
};

pub(super) static C_SHARP: Rules = Rules {
    declarations: &[
        rule("using_directive", ItemKind::Import, Naming::With(first_child), Body::None, Inside::Same),
        scope("namespace_declaration", ItemKind::Module),
        rule("file_scoped_namespace_declaration", ItemKind::Module, Naming::Field("name"), Body::None, Inside::Same),
        container("class_declaration"),
        container("struct_declaration"),
        container("interface_declaration"),
        container("enum_declaration"),
        container("record_declaration"),
        member("delegate_declaration"),
        function("method_declaration"),
        function("constructor_declaration"),
        rule("destructor_declaration", ItemKind::Value, Naming::Fixed("~"), Body::Field("body"), Inside::Locals),
        function("local_function_statement"),
        rule("operator_declaration", ItemKind::Value, Naming::Field("operator"), Body::Field("body"), Inside::Locals),
        rule(
            "conversion_operator_declaration",
            ItemKind::Value,
            Naming::Field("type"),
            Body::Field("body"),
            Inside::Locals,
        ),
        rule("indexer_declaration", ItemKind::Value, Naming::Fixed("this"), Body::Field("accessors"), Inside::Locals),
        rule("property_declaration", ItemKind::Value, Naming::Field("name"), Body::Field("accessors"), Inside::Locals),
        rule("event_declaration", ItemKind::Value, Naming::Field("name"), Body::Field("accessors"), Inside::Locals),
        function("accessor_declaration"),
        rule("variable_declarator", ItemKind::Value, Naming::With(first_child), Body::Value("value"), Inside::Same),
        member("enum_member_declaration"),
        rule("expression_statement", ItemKind::Call, Naming::Statement, Body::None, Inside::Same),
    ],
    wrappers: &[
        "field_declaration",
        "event_field_declaration",
        "variable_declaration",
        "local_declaration_statement",
        "global_statement",
    ],
    attributes: &["attribute_list"],
    locals: &["lambda_expression", "anonymous_method_expression"],
    literals: &["string_literal", "verbatim_string_literal", "raw_string_literal", "interpolated_string_expression"],
    ..Rules::NONE
};

pub(super) static SWIFT: Rules = Rules {
    declarations: &[
        import("import_declaration", "identifier"),
        rule("class_declaration", ItemKind::Type, Naming::With(c::swift_type), Body::Field("body"), Inside::Members),
        container("protocol_declaration"),
        rule(
            "function_declaration",
            ItemKind::Value,
            Naming::With(c::swift_function),
            Body::Field("body"),
            Inside::Locals,
        ),
        rule(
            "protocol_function_declaration",
            ItemKind::Value,
            Naming::With(c::swift_function),
            Body::None,
            Inside::Same,
        ),
        rule("init_declaration", ItemKind::Value, Naming::With(c::swift_function), Body::Field("body"), Inside::Locals),
        rule("deinit_declaration", ItemKind::Value, Naming::Fixed("deinit"), Body::Field("body"), Inside::Locals),
        rule("subscript_declaration", ItemKind::Value, Naming::Fixed("subscript"), Body::None, Inside::Locals),
        rule(
            "property_declaration",
            ItemKind::Value,
            Naming::With(c::swift_property),
            Body::Value("value"),
            Inside::Locals,
        ),
        rule(
            "protocol_property_declaration",
            ItemKind::Value,
            Naming::With(c::swift_property),
            Body::None,
            Inside::Same,
        ),
        rule("enum_entry", ItemKind::Value, Naming::Fields("name", "name"), Body::None, Inside::Same),
        rule("typealias_declaration", ItemKind::Type, Naming::Field("name"), Body::None, Inside::Same),
        rule("associatedtype_declaration", ItemKind::Type, Naming::Field("name"), Body::None, Inside::Same),
        rule("call_expression", ItemKind::Call, Naming::With(jvm::call_with_lambda), Body::None, Inside::Locals),
    ],
    attributes: &["attribute"],
    modifiers: &["modifiers"],
    locals: &["lambda_literal"],
    comments: &["comment", "multiline_comment"],
    literals: &["line_string_literal", "multi_line_string_literal", "raw_string_literal"],
    ..Rules::NONE
};

pub(super) static ZIG: Rules = Rules {
    declarations: &[
        rule(
            "variable_declaration",
            ItemKind::Value,
            Naming::With(c::zig_variable),
            Body::Value("value"),
            Inside::Same,
        ),
        function("function_declaration"),
        rule("test_declaration", ItemKind::Call, Naming::With(c::zig_test), Body::None, Inside::Locals),
        rule("container_field", ItemKind::Value, Naming::Field("name"), Body::None, Inside::Same),
    ],
    locals: &["block"],
    literals: &["string", "multiline_string"],
    ..Rules::NONE
};
