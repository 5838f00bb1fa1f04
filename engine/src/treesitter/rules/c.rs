//! The tables of C and C++.

use super::{Body, Inside, Naming, Rule, Rules, member, rule};
use crate::treesitter::outline::ItemKind;
use crate::treesitter::outline::naming::c;

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
