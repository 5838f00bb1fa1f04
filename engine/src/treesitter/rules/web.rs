//! The tables of PHP and CSS.

use super::{Body, Inside, Naming, Rules, container, function, member, rule, scope, value};
use crate::treesitter::outline::ItemKind;
use crate::treesitter::outline::naming::{first_child, markup, script};

pub(super) static PHP: Rules = Rules {
    declarations: &[
        scope("namespace_definition", ItemKind::Module),
        rule("namespace_use_declaration", ItemKind::Import, Naming::With(first_child), Body::None, Inside::Same),
        rule("use_declaration", ItemKind::Import, Naming::With(first_child), Body::None, Inside::Same),
        container("class_declaration"),
        container("interface_declaration"),
        container("trait_declaration"),
        container("enum_declaration"),
        member("enum_case"),
        function("function_definition"),
        function("method_declaration"),
        value("property_element", "name", "default_value"),
        rule("const_element", ItemKind::Value, Naming::With(first_child), Body::Value("value"), Inside::Same),
        rule(
            "array_element_initializer",
            ItemKind::Value,
            Naming::With(script::php_pair),
            Body::Value("value"),
            Inside::Same,
        ),
        rule("expression_statement", ItemKind::Call, Naming::Statement, Body::None, Inside::Same),
    ],
    wrappers: &["property_declaration", "const_declaration"],
    attributes: &["attribute_list"],
    locals: &["anonymous_function", "arrow_function"],
    literals: &["string", "encapsed_string", "heredoc", "nowdoc"],
    ..Rules::NONE
};

pub(super) static CSS: Rules = Rules {
    declarations: &[
        rule("rule_set", ItemKind::Type, Naming::With(markup::css_block), Body::None, Inside::Members),
        rule("media_statement", ItemKind::Module, Naming::With(markup::css_block), Body::None, Inside::Members),
        rule("supports_statement", ItemKind::Module, Naming::With(markup::css_block), Body::None, Inside::Members),
        rule("at_rule", ItemKind::Module, Naming::With(markup::css_block), Body::None, Inside::Members),
        rule("keyframes_statement", ItemKind::Module, Naming::With(markup::css_block), Body::None, Inside::Members),
        rule("keyframe_block", ItemKind::Type, Naming::With(markup::css_block), Body::None, Inside::Members),
        rule("declaration", ItemKind::Value, Naming::Child("property_name"), Body::None, Inside::Same),
        rule("import_statement", ItemKind::Import, Naming::With(first_child), Body::None, Inside::Same),
    ],
    comments: &["comment", "js_comment"],
    ..Rules::NONE
};
