//! The tables of the languages of the Java machine.

use super::{Body, Inside, Naming, Rules, container, function, import, member, rule, value};
use crate::treesitter::outline::ItemKind;
use crate::treesitter::outline::naming::jvm;

pub(super) static JAVA: Rules = Rules {
    declarations: &[
        rule("package_declaration", ItemKind::Module, Naming::Fixed("package"), Body::None, Inside::Same),
        import("import_declaration", "scoped_identifier"),
        container("class_declaration"),
        container("interface_declaration"),
        container("enum_declaration"),
        container("record_declaration"),
        container("annotation_type_declaration"),
        function("method_declaration"),
        function("constructor_declaration"),
        function("compact_constructor_declaration"),
        value("variable_declarator", "name", "value"),
        member("annotation_type_element_declaration"),
        rule("enum_constant", ItemKind::Value, Naming::Field("name"), Body::Field("body"), Inside::Members),
        rule("static_initializer", ItemKind::Value, Naming::Fixed("static"), Body::None, Inside::Locals),
        rule("block", ItemKind::Value, Naming::With(jvm::initializer_block), Body::None, Inside::Locals),
    ],
    wrappers: &["field_declaration", "constant_declaration", "local_variable_declaration"],
    attributes: &["annotation", "marker_annotation"],
    modifiers: &["modifiers"],
    locals: &["lambda_expression"],
    comments: &["line_comment", "block_comment"],
    literals: &["string_literal"],
    ..Rules::NONE
};

pub(super) static KOTLIN: Rules = Rules {
    declarations: &[
        rule("package_header", ItemKind::Module, Naming::Fixed("package"), Body::None, Inside::Same),
        import("import", "qualified_identifier"),
        rule("class_declaration", ItemKind::Type, Naming::With(jvm::kotlin), Body::None, Inside::Members),
        rule("object_declaration", ItemKind::Type, Naming::With(jvm::kotlin), Body::None, Inside::Members),
        rule("companion_object", ItemKind::Type, Naming::Fixed("companion"), Body::None, Inside::Members),
        rule("type_alias", ItemKind::Type, Naming::Field("type"), Body::None, Inside::Same),
        rule("function_declaration", ItemKind::Value, Naming::With(jvm::kotlin), Body::None, Inside::Locals),
        rule("secondary_constructor", ItemKind::Value, Naming::With(jvm::kotlin), Body::None, Inside::Locals),
        rule("anonymous_initializer", ItemKind::Value, Naming::Fixed("init"), Body::None, Inside::Locals),
        rule(
            "property_declaration",
            ItemKind::Value,
            Naming::With(jvm::kotlin_property),
            Body::Value("value"),
            Inside::Same,
        ),
        rule("enum_entry", ItemKind::Value, Naming::Child("identifier"), Body::None, Inside::Members),
        rule("class_parameter", ItemKind::Value, Naming::Child("identifier"), Body::None, Inside::Same),
        rule("call_expression", ItemKind::Call, Naming::With(jvm::call_with_lambda), Body::None, Inside::Locals),
    ],
    attributes: &["annotation"],
    modifiers: &["modifiers"],
    locals: &["lambda_literal", "anonymous_function", "getter", "setter"],
    comments: &["line_comment", "block_comment"],
    literals: &["string_literal", "multiline_string_literal"],
    ..Rules::NONE
};

pub(super) static SCALA: Rules = Rules {
    declarations: &[
        rule("package_clause", ItemKind::Module, Naming::Fixed("package"), Body::Field("body"), Inside::Members),
        rule("import_declaration", ItemKind::Import, Naming::With(jvm::scala_import), Body::None, Inside::Same),
        container("class_definition"),
        container("trait_definition"),
        rule(
            "object_definition",
            ItemKind::Type,
            Naming::With(jvm::scala_object),
            Body::Field("body"),
            Inside::Members,
        ),
        rule("package_object", ItemKind::Type, Naming::Field("name"), Body::Field("body"), Inside::Members),
        container("enum_definition"),
        member("simple_enum_case"),
        member("full_enum_case"),
        function("function_definition"),
        member("function_declaration"),
        value("val_definition", "pattern", "value"),
        value("var_definition", "pattern", "value"),
        rule("val_declaration", ItemKind::Value, Naming::Fields("name", "name"), Body::None, Inside::Same),
        rule("var_declaration", ItemKind::Value, Naming::Fields("name", "name"), Body::None, Inside::Same),
        rule("type_definition", ItemKind::Type, Naming::Field("name"), Body::None, Inside::Same),
        rule(
            "given_definition",
            ItemKind::Value,
            Naming::Fields("name", "return_type"),
            Body::Field("body"),
            Inside::Members,
        ),
        rule("extension_definition", ItemKind::Type, Naming::Fixed("extension"), Body::Field("body"), Inside::Members),
        rule("call_expression", ItemKind::Call, Naming::With(jvm::scala_call), Body::None, Inside::Locals),
    ],
    wrappers: &["enum_case_definitions"],
    attributes: &["annotation"],
    modifiers: &["modifiers"],
    locals: &["lambda_expression", "block", "indented_block"],
    comments: &["comment", "block_comment"],
    literals: &["string", "interpolated_string_expression"],
    closers: &["end"],
    ..Rules::NONE
};
