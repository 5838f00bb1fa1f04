//! The tables of languages whose blocks end with a word.

use super::{Body, Inside, Naming, Rules, container, function, rule, scope, value};
use crate::treesitter::outline::ItemKind;
use crate::treesitter::outline::naming::{call_with_function, script};

pub(super) static RUBY: Rules = Rules {
    declarations: &[
        container("class"),
        scope("module", ItemKind::Module),
        rule("singleton_class", ItemKind::Type, Naming::Field("value"), Body::Field("body"), Inside::Members),
        function("method"),
        rule(
            "singleton_method",
            ItemKind::Value,
            Naming::With(script::singleton_method),
            Body::Field("body"),
            Inside::Locals,
        ),
        value("assignment", "left", "right"),
        rule("pair", ItemKind::Value, Naming::With(script::ruby_pair), Body::Value("value"), Inside::Same),
        rule("call", ItemKind::Call, Naming::With(script::ruby_call), Body::None, Inside::Same),
    ],
    wrappers: &["call", "argument_list"],
    locals: &["do_block", "block", "lambda"],
    literals: &["string", "heredoc_body", "string_array", "symbol_array", "regex", "subshell"],
    pairs: &[
        ("def", "end"),
        ("class", "end"),
        ("module", "end"),
        ("do", "end"),
        ("if", "end"),
        ("unless", "end"),
        ("case", "end"),
        ("begin", "end"),
        ("while", "end"),
        ("until", "end"),
        ("for", "end"),
    ],
    closers: &["end"],
    ..Rules::NONE
};

pub(super) static ELIXIR: Rules = Rules {
    declarations: &[
        rule("call", ItemKind::Call, Naming::With(script::elixir_call), Body::None, Inside::Same),
        rule("unary_operator", ItemKind::Value, Naming::With(script::elixir_attribute), Body::None, Inside::Same),
    ],
    attributes: &["unary_operator"],
    is_attribute: Some(script::is_elixir_annotation),
    literals: &["string", "charlist", "sigil"],
    pairs: &[("do", "end"), ("fn", "end")],
    closers: &["end"],
    ..Rules::NONE
};

pub(super) static LUA: Rules = Rules {
    declarations: &[
        function("function_declaration"),
        rule(
            "assignment_statement",
            ItemKind::Value,
            Naming::With(script::lua_assignment),
            Body::Value("value"),
            Inside::Same,
        ),
        value("field", "name", "value"),
        rule("function_call", ItemKind::Call, Naming::With(call_with_function), Body::None, Inside::Same),
    ],
    wrappers: &["variable_declaration"],
    locals: &["function_definition"],
    literals: &["string"],
    pairs: &[("function", "end"), ("do", "end"), ("if", "end"), ("for", "end"), ("while", "end"), ("repeat", "until")],
    closers: &["end"],
    ..Rules::NONE
};

pub(super) static BASH: Rules = Rules {
    declarations: &[
        function("function_definition"),
        value("variable_assignment", "name", "value"),
        rule("case_item", ItemKind::Value, Naming::With(script::case_item), Body::None, Inside::Same),
    ],
    wrappers: &["declaration_command"],
    locals: &["subshell"],
    literals: &["string", "raw_string", "ansi_c_string", "heredoc_body"],
    pairs: &[("if", "fi"), ("case", "esac"), ("do", "done")],
    closers: &[";;", "fi", "done", "esac"],
    ..Rules::NONE
};
