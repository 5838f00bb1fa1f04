//! The tables of configuration and data languages.

use super::{Body, Inside, Naming, Rules, member, rule};
use crate::treesitter::outline::ItemKind;
use crate::treesitter::outline::naming::{data, first_child};

pub(super) static YAML: Rules = Rules {
    declarations: &[
        rule("block_mapping_pair", ItemKind::Value, Naming::Field("key"), Body::Field("value"), Inside::Same),
        rule("flow_pair", ItemKind::Value, Naming::Field("key"), Body::Field("value"), Inside::Same),
        rule("block_sequence_item", ItemKind::Value, Naming::With(data::yaml_item), Body::None, Inside::Same),
    ],
    ..Rules::NONE
};

pub(super) static TOML: Rules = Rules {
    declarations: &[
        rule("table", ItemKind::Type, Naming::With(data::toml_table), Body::None, Inside::Members),
        rule("table_array_element", ItemKind::Type, Naming::With(data::toml_table), Body::None, Inside::Members),
        rule("pair", ItemKind::Value, Naming::With(first_child), Body::Value("value"), Inside::Same),
    ],
    literals: &["string"],
    has_open_sections: true,
    ..Rules::NONE
};

pub(super) static HCL: Rules = Rules {
    declarations: &[
        rule("block", ItemKind::Type, Naming::With(data::hcl_block), Body::None, Inside::Members),
        rule("attribute", ItemKind::Value, Naming::With(first_child), Body::Value("value"), Inside::Same),
        rule("object_elem", ItemKind::Value, Naming::Field("key"), Body::Value("val"), Inside::Same),
    ],
    literals: &["heredoc_template"],
    pairs: &[("block_start", "block_end"), ("object_start", "object_end"), ("tuple_start", "tuple_end")],
    ..Rules::NONE
};

pub(super) static SQL: Rules = Rules {
    declarations: &[
        rule("statement", ItemKind::Value, Naming::With(data::sql_statement), Body::None, Inside::Members),
        member("column_definition"),
    ],
    comments: &["comment", "marginalia"],
    ..Rules::NONE
};

pub(super) static DOCKERFILE: Rules = Rules {
    declarations: &[
        rule("from_instruction", ItemKind::Module, Naming::With(data::docker_stage), Body::None, Inside::Same),
        rule("arg_instruction", ItemKind::Value, Naming::With(data::docker_setting), Body::None, Inside::Same),
        rule("env_instruction", ItemKind::Value, Naming::With(data::docker_setting), Body::None, Inside::Same),
        rule("label_instruction", ItemKind::Value, Naming::With(data::docker_setting), Body::None, Inside::Same),
        rule("cmd_instruction", ItemKind::Value, Naming::Fixed("CMD"), Body::None, Inside::Same),
        rule("entrypoint_instruction", ItemKind::Value, Naming::Fixed("ENTRYPOINT"), Body::None, Inside::Same),
        rule("healthcheck_instruction", ItemKind::Value, Naming::Fixed("HEALTHCHECK"), Body::None, Inside::Same),
        rule("workdir_instruction", ItemKind::Value, Naming::Fixed("WORKDIR"), Body::None, Inside::Same),
        rule("user_instruction", ItemKind::Value, Naming::Fixed("USER"), Body::None, Inside::Same),
        rule("expose_instruction", ItemKind::Value, Naming::Fixed("EXPOSE"), Body::None, Inside::Same),
    ],
    literals: &["heredoc_block"],
    ..Rules::NONE
};
