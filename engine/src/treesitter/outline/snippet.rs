//! An outline of a piece of a file.

use std::time::Duration;

use super::{Item, Outline, tree};
use crate::budget::Budget;
use crate::range::LineRange;
use crate::source::{Source, indent_of, is_blank};
use crate::treesitter::Language;
use crate::treesitter::parse::{Reading, parse_best};
use crate::treesitter::view::View;

/// Lines to put before and after a piece so that members parse, each ended by `\n`. The first that leaves the
/// fewest errors counts.
fn shells(language: Language) -> &'static [(&'static str, &'static str)] {
    match language {
        Language::JavaScript => &[("class A {\n", "}\n"), ("const a = {\n", "}\n")],
        Language::TypeScript | Language::Tsx => {
            &[("class A {\n", "}\n"), ("const a = {\n", "}\n"), ("interface A {\n", "}\n")]
        }
        Language::Json => &[("{\n", "}\n")],
        Language::Go => &[("type a struct {\n", "}\n"), ("type a interface {\n", "}\n")],
        Language::Rust => &[("struct A {\n", "}\n"), ("enum A {\n", "}\n")],
        Language::Python => &[],
    }
}

/// Outlines a piece; see [`Outline::of_snippet`].
pub(super) fn outline(source: &Source<'_>, language: Language, budget: Duration) -> Outline {
    let mut budget = Budget::new(budget);
    let dedented = language.is_offside().then(|| dedent(source)).flatten();
    let dedented = dedented.as_deref().map(Source::new);
    let plain = dedented.as_ref().unwrap_or(source);
    let Some((mut best, mut n_faults)) = read(plain, language, &mut budget) else {
        return Outline::of(source, Some(language), Duration::ZERO);
    };
    for (before, after) in shells(language) {
        if n_faults == 0 {
            break;
        }
        let newline = if source.has_final_newline() { "" } else { "\n" };
        let text = format!("{before}{}{newline}{after}", View::whole(source).text());
        let Some((inside, n_inside)) = read(&Source::new(&text), language, &mut budget) else { break };
        if n_inside < n_faults {
            n_faults = n_inside;
            best = out_of_shell(inside, source.n_lines());
        }
    }
    best
}

/// Parses and outlines a text; gives the number of faults too.
fn read(source: &Source<'_>, language: Language, budget: &mut Budget) -> Option<(Outline, usize)> {
    let view = View::whole(source);
    let Reading { tree, language, n_faults } =
        parse_best(&view, language, budget.remaining().unwrap_or_default()).ok()?;
    Some((tree::outline(&tree, source, view.text(), language, budget)?, n_faults))
}

/// Takes the shell's line away from an outline and shifts all rows to those of the text inside.
fn out_of_shell(outline: Outline, n_lines: usize) -> Outline {
    let row = |row: usize| row.saturating_sub(1).min(n_lines.saturating_sub(1));
    let range = |rows: LineRange| LineRange::new(rows.start.max(1) - 1, (rows.end.max(1) - 1).min(n_lines));
    let Outline { items, mut blocks, mut literals, parsed, has_errors, cut_short, mut comments } = outline;
    let mut items: Vec<Item> = items
        .into_iter()
        .flat_map(|item| if item.rows.start == 0 { item.children } else { vec![item] })
        .filter(|item| item.rows.start <= n_lines)
        .collect();
    let mut stack: Vec<&mut Item> = items.iter_mut().collect();
    while let Some(item) = stack.pop() {
        item.rows = range(item.rows);
        item.header = range(item.header);
        item.name_row = row(item.name_row);
        item.closer = item.closer.filter(|&closer| closer <= n_lines).map(row);
        stack.extend(item.children.iter_mut());
    }
    blocks.retain(|block| block.open > 0 && block.close <= n_lines);
    for block in &mut blocks {
        block.open = row(block.open);
        block.close = row(block.close);
    }
    for rows in literals.iter_mut().chain(&mut comments) {
        *rows = range(*rows);
    }
    Outline { items, blocks, literals, parsed, has_errors, cut_short, comments }
}

/// Takes the indentation that all lines share from each line; `None` if they share none.
///
/// Comments don't count, since references may stand anywhere, and neither does what begins inside a
/// triple-quoted string. Both lose what blanks they have, up to the shared number: only rows come out of the
/// outline, no text.
fn dedent(source: &Source<'_>) -> Option<String> {
    let mut quote = None;
    let mut shared = usize::MAX;
    for line in source.lines() {
        if quote.is_none() && !is_blank(line) && !line.trim_start().starts_with('#') {
            shared = shared.min(indent_of(line).len());
        }
        quote = quote_after(line, quote);
    }
    if shared == 0 || shared == usize::MAX {
        return None;
    }
    let mut text = String::with_capacity(source.text().len());
    for row in 0..source.n_lines() {
        let line = source.slice(LineRange::new(row, row + 1));
        text.push_str(line.get(shared.min(indent_of(line).len())..).unwrap_or_default());
    }
    Some(text)
}

/// Says which triple quote is open after a line, given which was open before it.
fn quote_after(line: &str, mut quote: Option<&'static str>) -> Option<&'static str> {
    let mut rest = line;
    loop {
        match quote {
            Some(open) => {
                rest = rest.split_once(open)?.1;
                quote = None;
            }
            None => {
                let open = ["\"\"\"", "'''"].into_iter().filter_map(|open| Some((rest.find(open)?, open))).min();
                let Some((at, open)) = open.filter(|&(at, _)| !rest[..at].contains('#')) else { return None };
                rest = &rest[at + open.len()..];
                quote = Some(open);
            }
        }
        if rest.is_empty() {
            return quote;
        }
    }
}
