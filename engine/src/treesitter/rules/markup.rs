//! The tables of markup languages.

use super::{Body, Inside, Naming, Rule, Rules, rule};
use crate::treesitter::outline::ItemKind;
use crate::treesitter::outline::naming::markup;

/// An element; only one that is named, or stands once in a page, is an item.
const fn element(node: &'static str) -> Rule {
    rule(node, ItemKind::Value, Naming::With(markup::element), Body::None, Inside::Same)
}

const PAGE: Rules = Rules {
    declarations: &[element("element"), element("script_element"), element("style_element")],
    pairs: &[("start_tag", "end_tag")],
    closers: &["</"],
    holds_code: true,
    ..Rules::NONE
};

pub(super) static HTML: Rules = PAGE;

pub(super) static VUE: Rules = Rules {
    declarations: &[
        element("element"),
        element("script_element"),
        element("style_element"),
        element("template_element"),
        element("component"),
    ],
    ..PAGE
};

pub(super) static SVELTE: Rules = Rules {
    declarations: &[element("element"), element("script_element"), element("style_element")],
    pairs: &[
        ("start_tag", "end_tag"),
        ("if_start", "if_end"),
        ("each_start", "each_end"),
        ("await_start", "await_end"),
        ("key_start", "key_end"),
        ("snippet_start", "snippet_end"),
    ],
    ..PAGE
};

pub(super) static MARKDOWN: Rules = Rules {
    declarations: &[rule("section", ItemKind::Module, Naming::With(markup::section), Body::None, Inside::Same)],
    comments: &["html_block"],
    is_comment: Some(markup::is_comment),
    has_open_sections: true,
    holds_code: true,
    literals: &["code_fence_content", "indented_code_block", "minus_metadata", "plus_metadata"],
    ..Rules::NONE
};
