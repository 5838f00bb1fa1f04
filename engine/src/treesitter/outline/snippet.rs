//! An outline of a piece of a file.

use tree_sitter::Node;

use super::{Item, Outline, tree};
use crate::budget::Meter;
use crate::range::LineRange;
use crate::source::{Source, indent_of, is_blank};
use crate::treesitter::Language;
use crate::treesitter::errors::{Fault, FaultKind, faults};
use crate::treesitter::language::comment_signs;
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
        Language::Java | Language::CSharp => &[("class A {\n", "}\n"), ("enum A {\n", "}\n")],
        Language::Kotlin => &[("class A {\n", "}\n"), ("enum class A {\n", "}\n")],
        Language::Swift => &[("class A {\n", "}\n"), ("enum A {\n", "}\n"), ("let a = [\n", "]\n")],
        Language::Scala => &[("class A {\n", "}\n")],
        Language::C => &[("struct a {\n", "};\n"), ("enum a {\n", "};\n"), ("int a[] = {\n", "};\n")],
        Language::Cpp => &[("class A {\n", "};\n"), ("enum A {\n", "};\n"), ("A a = {\n", "};\n")],
        Language::Zig => &[("const A = struct {\n", "};\n")],
        Language::Php => &[("<?php\n", ""), ("<?php\nclass A {\n", "}\n"), ("<?php\nreturn [\n", "];\n")],
        Language::Python | Language::Ruby | Language::Lua | Language::Hcl => &[("a = {\n", "}\n")],
        Language::Css => &[("a {\n", "}\n")],
        Language::Sql => &[("CREATE TABLE a (\n", ");\n")],
        Language::OCaml => &[("type t = {\n", "}\n")],
        _ => &[],
    }
}

/// Gives what may stand for an expression where a language has no function without one.
fn placeholder(language: Language) -> Option<&'static str> {
    match language {
        Language::OCaml => Some("()"),
        Language::Haskell => Some("undefined"),
        _ => None,
    }
}

/// Writes an expression in the place of each comment that is all there is of a body, so that the next declaration
/// is not taken for the body. Rows stay what they are.
fn with_bodies(source: &Source<'_>, language: Language, placeholder: &str) -> Option<String> {
    const OPENERS: [&str; 6] = ["=", "->", "do", "then", "else", "in"];
    let signs = comment_signs("", Some(language));
    let is_comment = |line: &str| {
        let line = line.trim();
        signs.line.iter().any(|sign| line.starts_with(sign))
            || signs.block.iter().any(|(open, close)| line.starts_with(open) && line.ends_with(close))
    };
    let mut text = String::with_capacity(source.text().len());
    let mut is_changed = false;
    let mut wants_body = false;
    let mut rows = source.lines().enumerate().peekable();
    while let Some((row, line)) = rows.next() {
        let next_is_deeper =
            rows.peek().is_some_and(|(_, next)| !is_blank(next) && indent_of(next).len() >= indent_of(line).len());
        if wants_body && is_comment(line) && !next_is_deeper {
            let whole = source.slice(LineRange::new(row, row + 1));
            text.push_str(indent_of(line));
            text.push_str(placeholder);
            text.push_str(whole.get(line.len()..).unwrap_or_default());
            is_changed = true;
            wants_body = false;
            continue;
        }
        text.push_str(source.slice(LineRange::new(row, row + 1)));
        if !is_blank(line) && !is_comment(line) {
            wants_body = line.split_whitespace().next_back().is_some_and(|word| OPENERS.contains(&word));
        }
    }
    is_changed.then_some(text)
}

/// Outlines a piece; see [`Outline::of_snippet`].
pub(super) fn outline(source: &Source<'_>, language: Language, meter: &Meter) -> Outline {
    let dedented = language.is_offside().then(|| dedent(source, language)).flatten();
    let dedented = dedented.as_deref().map(Source::new);
    let plain = dedented.as_ref().unwrap_or(source);
    let filled = placeholder(language).and_then(|placeholder| with_bodies(plain, language, placeholder));
    let filled = filled.as_deref().map(Source::new);
    let plain = filled.as_ref().unwrap_or(plain);
    let Some(bare) = read(plain, language, meter) else {
        // The meter is spent, and nothing is parsed.
        return Outline::of(source, Some(language), meter);
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
        let Some(inside) = read(&Source::new(&text), language, meter) else {
            best.cut_by = meter.cut_by();
            break;
        };
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
    /// Whether a key with its value was read as a label with its statement, `name: value`, or code as text.
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
fn read(source: &Source<'_>, language: Language, meter: &Meter) -> Option<Read> {
    let view = View::whole(source);
    let Reading { tree, language, .. } = parse_best(&view, language, meter).ok()?;
    let faults = faults(&tree, language, MOST_FAULTS_COUNTED);
    let has_label = match language {
        Language::Php => is_text_only(tree.root_node()),
        _ => has_label(tree.root_node()),
    };
    Some(Read { outline: tree::outline(&tree, source, view.text(), language, meter)?, faults, language, has_label })
}

/// Says whether a label stands at top level before anything but a loop or a block of statements.
fn has_label(root: Node<'_>) -> bool {
    let mut cursor = root.walk();
    root.named_children(&mut cursor)
        .filter(|child| child.kind() == "labeled_statement")
        .any(|labelled| labelled.child_by_field_name("body").is_some_and(|body| body.kind() == "expression_statement"))
}

/// Says whether a PHP text has no `<?php`, so that it was read as text to print.
fn is_text_only(root: Node<'_>) -> bool {
    let mut cursor = root.walk();
    !root.named_children(&mut cursor).any(|child| child.kind() == "php_tag")
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
    let Outline { items, mut blocks, mut literals, parsed, has_errors, cut_by, mut comments } = outline;
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
    Outline { items, blocks, literals, parsed, has_errors, cut_by, comments }
}

/// Takes the indentation that all lines share from each line; `None` if they share none.
///
/// Comments don't count, since references may stand anywhere, and neither does what begins inside a
/// triple-quoted string. Both lose what blanks they have, up to the shared number: only rows come out of the
/// outline, no text.
fn dedent(source: &Source<'_>, language: Language) -> Option<String> {
    let signs = comment_signs("", Some(language)).line;
    let is_comment = |line: &str| signs.iter().any(|sign| line.trim_start().starts_with(sign));
    let mut quote = None;
    let mut shared = usize::MAX;
    for line in source.lines() {
        if quote.is_none() && !is_blank(line) && !is_comment(line) {
            shared = shared.min(indent_of(line).len());
        }
        if language == Language::Python {
            quote = quote_after(line, quote);
        }
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
