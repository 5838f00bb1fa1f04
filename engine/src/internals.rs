//! A door for fuzz targets and tests to what the public API hides; behind the feature `internals`.
//!
//! No part of the API: nothing here is stable, and nothing but a check is to be had. Each function compares a stage
//! with its naive twin, or gives what a stage made of its input in public types.

use crate::anchor::{self, Problem, naive};
use crate::budget::Budget;
use crate::classify::{self, Description};
use crate::source::Source;
use crate::treesitter::{Chart, Outline, comment_signs};
use crate::{Edit, Language, LineRange};

/// Lists where the line lookup and the ties of unique lines differ from what their naive twins find; empty if nowhere.
#[must_use]
pub fn anchors_vs_naive(original: &str, snippet: &str) -> Vec<String> {
    with_problem(original, snippet, "", true, |problem| {
        let mut found = naive::wrong_classes(problem);
        found.extend(naive::wrong_anchors(problem));
        found
    })
}

/// Lists where the alignment of two short texts differs from what an exhaustive search finds; empty if nowhere, or if
/// the search would take too long.
#[must_use]
pub fn align_vs_naive(original: &str, snippet: &str, description: &str, add_missing_edges: bool) -> Vec<String> {
    with_problem(original, snippet, description, add_missing_edges, naive::wrong_alignment)
}

/// Gives what a description announces for a file of `n_lines` lines: the names of its kinds, and its ranges.
#[must_use]
pub fn announced(description: &str, n_lines: usize) -> (Vec<String>, Vec<LineRange>) {
    let description = Description::parse(description, n_lines);
    (description.kinds.iter().map(|kind| format!("{kind:?}")).collect(), description.ranges)
}

/// Lists what a built-in grammar has as tokens of a fixed text, in the grammar's order; none without one.
#[must_use]
pub fn tokens(language: Language) -> Vec<String> {
    let Some(grammar) = language.grammar() else { return Vec::new() };
    let mut tokens = Vec::new();
    for id in (0..grammar.node_kind_count()).filter_map(|id| u16::try_from(id).ok()) {
        if !grammar.node_kind_is_named(id) && grammar.node_kind_is_visible(id) {
            tokens.extend(grammar.node_kind_for_id(id).filter(|token| !token.is_empty()).map(str::to_owned));
        }
    }
    tokens
}

/// Runs the stages before anchoring, without a grammar.
fn with_problem(
    original: &str,
    snippet: &str,
    description: &str,
    add_missing_edges: bool,
    check: impl Fn(&Problem<'_>) -> Vec<String>,
) -> Vec<String> {
    let edit = Edit::new("", original, snippet).add_missing_edges(add_missing_edges);
    let (original, snippet) = (Source::new(original), Source::new(snippet));
    let description = Description::parse(description, original.n_lines());
    let given = classify::Given {
        edit: &edit,
        snippet: &snippet,
        original: &original,
        description: &description,
        budget: Budget::NONE,
    };
    // What is refused, and what names its places itself, is not aligned.
    let Ok((snippet, index)) = classify::classify(&given) else { return Vec::new() };
    if snippet.has_hunks() {
        return Vec::new();
    }
    let text = snippet.parsable_text("", None);
    let text = Source::new(&text);
    let snippet_outline = Outline::by_indent(&text, comment_signs("", None));
    let chart = Chart::for_names(&original, "", None, (&snippet_outline, &text), false, Budget::NONE);
    check(&anchor::Problem {
        original: &original,
        snippet: &snippet,
        index: &index,
        description: &description,
        chart: &chart,
        snippet_outline: &snippet_outline,
    })
}
