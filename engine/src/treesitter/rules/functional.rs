//! The tables of OCaml and Haskell.

use super::{Body, Inside, Naming, Rules, import, rule};
use crate::treesitter::outline::ItemKind;
use crate::treesitter::outline::naming::{first_child, functional};

pub(super) static OCAML: Rules = Rules {
    declarations: &[
        rule("open_module", ItemKind::Import, Naming::Field("module"), Body::None, Inside::Same),
        rule("include_module", ItemKind::Import, Naming::With(first_child), Body::None, Inside::Same),
        rule(
            "let_binding",
            ItemKind::Value,
            Naming::With(functional::let_binding),
            Body::Field("body"),
            Inside::Locals,
        ),
        rule("value_specification", ItemKind::Value, Naming::With(first_child), Body::None, Inside::Same),
        rule("external", ItemKind::Value, Naming::With(first_child), Body::None, Inside::Same),
        rule("type_binding", ItemKind::Type, Naming::Field("name"), Body::Field("body"), Inside::Members),
        rule("field_declaration", ItemKind::Value, Naming::Child("field_name"), Body::None, Inside::Same),
        rule("exception_definition", ItemKind::Type, Naming::With(functional::exception), Body::None, Inside::Same),
        rule("module_binding", ItemKind::Module, Naming::Child("module_name"), Body::None, Inside::Members),
        rule(
            "module_type_definition",
            ItemKind::Module,
            Naming::Child("module_type_name"),
            Body::None,
            Inside::Members,
        ),
        rule("class_binding", ItemKind::Type, Naming::Child("class_name"), Body::None, Inside::Members),
        rule("method_definition", ItemKind::Value, Naming::Child("method_name"), Body::Field("body"), Inside::Locals),
    ],
    wrappers: &["value_definition", "type_definition", "module_definition", "class_definition"],
    locals: &["let_expression"],
    literals: &["string", "quoted_string"],
    pairs: &[("struct", "end"), ("sig", "end"), ("object", "end"), ("begin", "end"), ("do", "done")],
    closers: &["end", "done"],
    ..Rules::NONE
};

pub(super) static HASKELL: Rules = Rules {
    declarations: &[
        rule("header", ItemKind::Module, Naming::Fixed("module"), Body::None, Inside::Same),
        import("import", "module"),
        rule("data_type", ItemKind::Type, Naming::Field("name"), Body::Field("constructors"), Inside::Same),
        rule("newtype", ItemKind::Type, Naming::Field("name"), Body::Field("constructor"), Inside::Same),
        rule("type_synomym", ItemKind::Type, Naming::Field("name"), Body::None, Inside::Same),
        rule("type_synonym", ItemKind::Type, Naming::Field("name"), Body::None, Inside::Same),
        rule("type_family", ItemKind::Type, Naming::Field("name"), Body::None, Inside::Same),
        rule("class", ItemKind::Type, Naming::Field("name"), Body::Field("declarations"), Inside::Members),
        rule(
            "instance",
            ItemKind::Type,
            Naming::With(functional::instance),
            Body::Field("declarations"),
            Inside::Members,
        ),
        rule("signature", ItemKind::Value, Naming::With(functional::signature), Body::None, Inside::Same),
        rule("function", ItemKind::Value, Naming::With(functional::clause), Body::Field("match"), Inside::Locals),
        rule("bind", ItemKind::Value, Naming::With(functional::bind), Body::Field("match"), Inside::Locals),
    ],
    locals: &["local_binds", "do", "lambda"],
    comments: &["comment", "haddock"],
    ..Rules::NONE
};
