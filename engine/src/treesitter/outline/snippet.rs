//! An outline of a piece of a file.

use std::time::Duration;

use tree_sitter::Node;

use super::{Item, Outline, tree};
use crate::budget::Budget;
use crate::range::LineRange;
use crate::source::{Source, indent_of, is_blank};
use crate::treesitter::Language;
use crate::treesitter::errors::{Fault, FaultKind, faults};
use crate::treesitter::parse::{MOST_FAULTS_COUNTED, Reading, parse_best};
use crate::treesitter::view::View;

/// Closers that are written at a piece's end. More are missing only where the piece is no code.
const MOST_CLOSERS: usize = 16;

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
        Language::Python => &[("a = {\n", "}\n")],
        Language::Java => &[("class A {\n", "}\n"), ("enum A {\n", "}\n")],
        Language::C => &[("struct a {\n", "};\n"), ("enum a {\n", "};\n"), ("int a[] = {\n", "};\n")],
        Language::Cpp => &[("class A {\n", "};\n"), ("enum A {\n", "};\n"), ("A a = {\n", "};\n")],
    }
}

/// Outlines a piece; see [`Outline::of_snippet`].
pub(super) fn outline(source: &Source<'_>, language: Language, budget: Duration) -> Outline {
    let mut budget = Budget::new(budget);
    let dedented = language.is_offside().then(|| dedent(source)).flatten();
    let dedented = dedented.as_deref().map(Source::new);
    let plain = dedented.as_ref().unwrap_or(source);
    let Some(bare) = read(plain, language, &mut budget) else {
        return Outline::of(source, Some(language), Duration::ZERO);
    };
    let mut lowest = bare.doubt(language);
    let closers = missing_closers(&bare.faults);
    let mut best = bare.outline;
    let shells = shells(language).iter().map(|&(before, after)| (before, after.to_owned()));
    for (before, after) in shells.chain((!closers.is_empty()).then_some(("", closers))) {
        if lowest == 0 {
            break;
        }
        let newline = if plain.has_final_newline() { "" } else { "\n" };
        let text = format!("{before}{}{newline}{after}", View::whole(plain).text());
        let Some(inside) = read(&Source::new(&text), language, &mut budget) else { break };
        if inside.doubt(language) < lowest {
            lowest = inside.doubt(language);
            best = out_of_shell(inside.outline, before.lines().count(), source.n_lines());
        }
    }
    best
}

struct Read {
    outline: Outline,
    faults: Vec<Fault>,
    /// The grammar that read it.
    language: Language,
    /// Whether a key with its value was read as a label with its statement, `name: value`.
    has_label: bool,
}

impl Read {
    /// Ranks readings: the fewest faults first, then the file's own grammar. A label counts as a fault, since
    /// outside of a function it can only be a key.
    fn doubt(&self, language: Language) -> usize {
        2 * (self.faults.len() + usize::from(self.has_label)) + usize::from(self.language != language)
    }
}

/// Parses and outlines a text.
fn read(source: &Source<'_>, language: Language, budget: &mut Budget) -> Option<Read> {
    let view = View::whole(source);
    let Reading { tree, language, .. } =
        parse_best(&view, language, budget.remaining().unwrap_or(Duration::MAX)).ok()?;
    let faults = faults(&tree, language, MOST_FAULTS_COUNTED);
    let has_label = has_label(tree.root_node());
    Some(Read { outline: tree::outline(&tree, source, view.text(), language, budget)?, faults, language, has_label })
}

/// Says whether a label stands at top level before anything but a loop or a block of statements.
fn has_label(root: Node<'_>) -> bool {
    let mut cursor = root.walk();
    root.named_children(&mut cursor)
        .filter(|child| child.kind() == "labeled_statement")
        .any(|labelled| labelled.child_by_field_name("body").is_some_and(|body| body.kind() == "expression_statement"))
}

/// Writes the closers that a piece lacks at its end: where it breaks off inside of a function, the function
/// is known all the same.
fn missing_closers(faults: &[Fault]) -> String {
    let missing = faults.iter().filter_map(|fault| match &fault.kind {
        FaultKind::Missing(token) if matches!(token.as_str(), ")" | "]" | "}") => token.chars().next(),
        _ => None,
    });
    let mut brackets: Vec<_> = faults.iter().flat_map(|fault| &fault.brackets).collect();
    brackets.sort_unstable();
    let unclosed = brackets.iter().rev().filter_map(|(_, bracket)| match bracket {
        '(' => Some(')'),
        '[' => Some(']'),
        '{' => Some('}'),
        _ => None,
    });
    missing.chain(unclosed).take(MOST_CLOSERS).flat_map(|closer| [closer, '\n']).collect()
}

/// Takes the lines of a shell away from an outline and shifts all rows to those of the text inside: `n_before`
/// lines stand before its `n_lines`. What ends beyond them has no end that can be relied on.
fn out_of_shell(outline: Outline, n_before: usize, n_lines: usize) -> Outline {
    let row = |row: usize| row.saturating_sub(n_before).min(n_lines.saturating_sub(1));
    let range = |rows: LineRange| {
        LineRange::new(rows.start.saturating_sub(n_before), rows.end.saturating_sub(n_before).min(n_lines))
    };
    let is_inside = |row: usize| n_before <= row && row < n_before + n_lines;
    let Outline { items, mut blocks, mut literals, parsed, has_errors, cut_short, mut comments } = outline;
    let mut items: Vec<Item> = items
        .into_iter()
        .flat_map(|item| if item.rows.start < n_before { item.children } else { vec![item] })
        .filter(|item| is_inside(item.rows.start))
        .collect();
    let mut stack: Vec<&mut Item> = items.iter_mut().collect();
    while let Some(item) = stack.pop() {
        item.has_error |= item.rows.end > n_before + n_lines;
        item.closer = item.closer.filter(|&closer| is_inside(closer)).map(row);
        item.rows = range(item.rows);
        item.header = range(item.header);
        item.name_row = row(item.name_row);
        stack.extend(item.children.iter_mut());
    }
    blocks.retain(|block| is_inside(block.open) && is_inside(block.close));
    for block in &mut blocks {
        block.open = row(block.open);
        block.close = row(block.close);
    }
    for ranges in [&mut literals, &mut comments] {
        for rows in ranges.iter_mut() {
            *rows = range(*rows);
        }
        ranges.retain(|rows| !rows.is_empty());
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
    while !rest.is_empty() {
        if let Some(open) = quote {
            let Some((_, after)) = rest.split_once(open) else { return quote };
            rest = after;
            quote = None;
        } else {
            let open = ["\"\"\"", "'''"].into_iter().filter_map(|open| Some((rest.find(open)?, open))).min();
            let (at, open) = open.filter(|&(at, _)| !rest[..at].contains('#'))?;
            rest = &rest[at + open.len()..];
            quote = Some(open);
        }
    }
    quote
}
