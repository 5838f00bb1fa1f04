//! The tables of the languages of the Java machine.

use super::{Body, Inside, Naming, Rules, container, function, import, member, rule, value};
use crate::treesitter::outline::ItemKind;
use crate::treesitter::outline::naming::jvm::initializer_block;

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
        rule("block", ItemKind::Value, Naming::With(initializer_block), Body::None, Inside::Locals),
    ],
    wrappers: &["field_declaration", "constant_declaration", "local_variable_declaration"],
    attributes: &["annotation", "marker_annotation"],
    modifiers: &["modifiers"],
    locals: &["lambda_expression"],
    comments: &["line_comment", "block_comment"],
    literals: &["string_literal"],
    ..Rules::NONE
};
