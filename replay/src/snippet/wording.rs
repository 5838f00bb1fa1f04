//! Other phrases and other comment signs than the usual ones, and placeholders that describe what they stand for.

use std::ops::Range;

use super::plan::View;
use super::{Line, context, declaration, reference, render, structure};
use crate::language::comment_sign;
use crate::rng::Rng;

const PHRASES: &[&str] = &[
    "... rest of the code ...",
    "... rest of code remains the same ...",
    "... rest of the file remains unchanged ...",
    "... existing code remains unchanged ...",
    "... keep existing code ...",
    "... keep the existing code here ...",
    "... unchanged code ...",
    "... other code ...",
    "... existing implementation ...",
    "... remaining code unchanged ...",
    "... (existing code) ...",
    "... previous code ...",
    "existing code ...",
    "rest of the existing code...",
    "\u{2026} existing code \u{2026}",
];

/// Signs a model uses by mistake, whatever the language.
const SIGNS: &[(&str, &str)] = &[("// ", ""), ("# ", ""), ("-- ", ""), ("/* ", " */"), ("<!-- ", " -->"), ("", "")];

pub(super) fn write(view: &View<'_>, rng: &mut Rng) -> Option<Vec<Line>> {
    let items = match rng.below(3) {
        0 => context::items(view, rng)?,
        1 => structure::items(view, rng).or_else(|| context::items(view, rng))?,
        _ => declaration::items(view, rng).or_else(|| context::items(view, rng))?,
    };
    let language = view.change.origin.language;
    // A model is true to one sign within a snippet.
    let sign = if rng.one_in(2) { comment_sign(language) } else { rng.pick(SIGNS) };
    let mut described = false;
    let lines = render(view, &items, |gap| {
        let indent = reference::indent(view, gap);
        let (phrase, is_described) = phrase(view, gap, rng);
        described |= is_described;
        if is_markup(view, gap) {
            return match language {
                "html" | "svelte" | "vue" => format!("{indent}<!-- {phrase} -->"),
                _ => format!("{indent}{{/* {phrase} */}}"),
            };
        }
        // Without a sign and without an ellipsis on both sides nothing tells a phrase from code.
        let phrase = if sign.0.is_empty() && !phrase.starts_with("... ") { "... existing code ..." } else { phrase };
        format!("{indent}{}{phrase}{}", sign.0, sign.1)
    });
    let usual = reference::worded(view, "", "... existing code ...");
    let differs = lines.iter().any(|line| line.role == super::Role::Reference && line.text.trim() != usual);
    (differs || described).then_some(lines)
}

/// Picks a phrase; where all hidden lines are of one kind it may name that.
fn phrase(view: &View<'_>, gap: &Range<usize>, rng: &mut Rng) -> (&'static str, bool) {
    let lines = || view.old[gap.clone()].iter().map(|line| line.trim()).filter(|line| !line.is_empty());
    let starts = |words: &[&str]| lines().next().is_some_and(|line| words.iter().any(|word| line.starts_with(word)));
    let all = |words: &[&str]| lines().all(|line| words.iter().any(|word| line.starts_with(word)));
    if !rng.one_in(3) {
        return (rng.pick(PHRASES), false);
    }
    if all(&["import ", "from ", "use ", "#include", "\"", "const ", "package "]) {
        ("... existing imports ...", true)
    } else if starts(&["def ", "async def ", "fn ", "pub fn ", "func ", "function ", "public ", "private ", "@"]) {
        (rng.pick(&["... existing methods ...", "... other methods ...", "... rest of the functions ..."]), true)
    } else {
        (
            rng.pick(&["... rest of the function ...", "... existing logic ...", "... rest of the implementation ..."]),
            true,
        )
    }
}

/// Says whether the hidden lines are markup, where only a markup comment is one.
fn is_markup(view: &View<'_>, gap: &Range<usize>) -> bool {
    let markup = matches!(view.change.origin.language, "tsx" | "javascript" | "html" | "svelte" | "vue");
    let first = view.old[gap.clone()].iter().map(|line| line.trim_start()).find(|line| !line.is_empty());
    markup && first.is_some_and(|line| line.starts_with('<') && line.ends_with('>'))
}
