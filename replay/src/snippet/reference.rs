//! The wording of references.

use std::ops::Range;

use super::plan::View;
use crate::change::{indent_of, indent_width, is_blank};
use crate::language::comment_sign;

/// Gives the indentation a reference for `gap` has: that of the shallowest line it stands for.
pub(super) fn indent<'a>(view: &View<'a>, gap: &Range<usize>) -> &'a str {
    let lines = view.old[gap.clone()].iter().filter(|line| !is_blank(line));
    lines.min_by_key(|line| indent_width(line)).map_or("", |line| indent_of(line))
}

/// Words a reference as nearly all models do.
pub(super) fn usual(view: &View<'_>, gap: &Range<usize>) -> String {
    worded(view, indent(view, gap), "... existing code ...")
}

/// Puts the language's comment sign around a phrase.
pub(super) fn worded(view: &View<'_>, indent: &str, phrase: &str) -> String {
    let (open, close) = comment_sign(view.change.origin.language);
    format!("{indent}{open}{phrase}{close}")
}
