//! An outline from indentation and brackets, for texts that no grammar reads.
//!
//! # Algorithm
//!
//! A line that is followed by deeper lines opens a section; the section ends with the first line that is not
//! deeper, and that line closes it if it begins with a closer. Lines between two parts of one statement
//! (`} else {`) keep the section open. Comments and preprocessor lines are looked through: they often stand
//! at another indent than what they belong to.
//!
//! A section that begins as declarations do in most languages has a name: behind a word such as `def` or `class`, or
//! before the parameters in `int area(Shape s) {`. All others are known by their first line.
//!
//! # Cost
//!
//! Linear; depth costs no stack.

use super::{Block, DEEPEST_ITEM, Item, ItemKind, Outline};
use crate::range::LineRange;
use crate::source::{Source, indent_of, is_blank};
use crate::treesitter::language::CommentSigns;

/// Columns of a tab. Only texts that mix tabs and blanks depend on it.
const TAB: usize = 4;

/// Words that close a block in languages without brackets.
const CLOSING_WORDS: [&str; 8] = ["end", "fi", "done", "esac", "endif", "endfor", "endwhile", "END"];

/// Words before a declaration's own.
const MODIFIERS: [&str; 20] = [
    "pub",
    "public",
    "private",
    "protected",
    "internal",
    "export",
    "default",
    "static",
    "async",
    "abstract",
    "final",
    "override",
    "virtual",
    "inline",
    "local",
    "open",
    "sealed",
    "data",
    "unsafe",
    "extern",
];

const TYPE_WORDS: [&str; 14] = [
    "class",
    "struct",
    "interface",
    "trait",
    "module",
    "object",
    "enum",
    "record",
    "union",
    "namespace",
    "defmodule",
    "defprotocol",
    "defimpl",
    "protocol",
];

const VALUE_WORDS: [&str; 14] = [
    "def",
    "defp",
    "defmacro",
    "defmacrop",
    "func",
    "fun",
    "fn",
    "function",
    "sub",
    "proc",
    "procedure",
    "method",
    "macro",
    "task",
];

/// Words that look like a type before a name and parentheses.
const CONTROL_WORDS: [&str; 20] = [
    "if", "else", "for", "foreach", "while", "until", "unless", "switch", "match", "case", "when", "catch", "return",
    "new", "throw", "await", "yield", "do", "with", "using",
];

/// What begins a preprocessor line after `#`.
const PREPROCESSOR: [&str; 10] =
    ["if", "ifdef", "ifndef", "else", "elif", "endif", "define", "undef", "include", "pragma"];

/// A line that counts.
#[derive(Clone, Copy)]
struct Line<'a> {
    row: usize,
    /// In half columns.
    indent: usize,
    text: &'a str,
}

/// Outlines a text by its indentation.
pub(super) fn outline(source: &Source<'_>, signs: CommentSigns) -> Outline {
    let mut outline = Outline { comments: comments(source, signs), ..Outline::default() };
    let lines = lines_that_count(source, &outline.comments);
    outline.blocks = blocks(&lines);
    let mut open: Vec<(usize, Item)> = Vec::new();
    for (at, &line) in lines.iter().enumerate() {
        let opens = lines.get(at + 1).is_some_and(|next| next.indent > line.indent);
        let closes = begins_with_closer(line.text);
        while let Some((indent, _)) = open.last()
            && *indent >= line.indent
        {
            if *indent == line.indent && closes && opens {
                break;
            }
            let Some((indent, mut item)) = open.pop() else { break };
            if indent == line.indent && closes {
                item.closer = Some(line.row);
                item.rows.end = line.row + 1;
            }
            siblings(&mut open, &mut outline.items).push(item);
        }
        for (_, around) in &mut open {
            around.rows.end = line.row + 1;
        }
        if !opens || closes || open.len() >= DEEPEST_ITEM {
            continue;
        }
        let first = first_line_of_header(&lines, at);
        let start = match outline.comments.binary_search_by(|comment| comment.end.cmp(&first.row)) {
            Ok(above) => outline.comments[above].start,
            Err(_) => first.row,
        };
        let has_brace = first.row < line.row || first.text.ends_with('{');
        let (kind, name) = declared(first.text, has_brace)
            .unwrap_or_else(|| (ItemKind::Section, first.text.trim_end_matches(['{', '(', '[', ':', ' ', '\t'])));
        let parameters = if kind == ItemKind::Section { String::new() } else { parameters(first.text) };
        let item = Item {
            kind,
            name: name.to_owned(),
            rows: LineRange::new(start, line.row + 1),
            name_row: first.row,
            header: LineRange::new(first.row, line.row + 1),
            closer: None,
            parameters,
            has_error: false,
            children: Vec::new(),
        };
        open.push((line.indent, item));
    }
    while let Some((_, item)) = open.pop() {
        siblings(&mut open, &mut outline.items).push(item);
    }
    outline
}

/// Reads the name that the first line of a section declares, if it begins as declarations do in most languages.
fn declared(text: &str, has_brace: bool) -> Option<(ItemKind, &str)> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let name_at = |text: &'_ str| -> usize {
        text.find(|c: char| !is_word(c) && !matches!(c, '.' | ':' | '?' | '!')).unwrap_or(text.len())
    };
    let mut rest = text.trim_start();
    loop {
        let (word, after) = rest.split_once([' ', '\t'])?;
        let after = after.trim_start();
        let kind = match word {
            _ if MODIFIERS.contains(&word) => {
                rest = after;
                continue;
            }
            _ if TYPE_WORDS.contains(&word) => ItemKind::Type,
            _ if VALUE_WORDS.contains(&word) => ItemKind::Value,
            _ => break,
        };
        let name = after[..name_at(after)].trim_end_matches(':');
        return name.starts_with(|c: char| c.is_alphabetic() || c == '_').then_some((kind, name));
    }
    // `int area(Shape s) {`: a type, a name and parameters.
    let (before, after) = rest.split_once('(').filter(|_| has_brace)?;
    let start =
        before.rfind(|c: char| !is_word(c)).map_or(0, |at| at + before[at..].chars().next().map_or(1, char::len_utf8));
    let (of_type, name) = before.split_at(start);
    let first = of_type.split(|c: char| !is_word(c)).next().unwrap_or_default();
    let is_type =
        !of_type.trim().is_empty() && !of_type.contains(['=', '(', '"', '\'']) && !CONTROL_WORDS.contains(&first);
    (is_type && after.contains(')') && name.starts_with(|c: char| c.is_alphabetic() || c == '_'))
        .then_some((ItemKind::Value, name))
}

/// Gives what a line has from its first to its last parenthesis, without white space.
fn parameters(text: &str) -> String {
    let rows = text.find('(').and_then(|open| Some(open..=text.rfind(')').filter(|&close| close > open)?));
    rows.map_or("", |rows| &text[rows]).split_whitespace().collect()
}

fn siblings<'i>(open: &'i mut [(usize, Item)], items: &'i mut Vec<Item>) -> &'i mut Vec<Item> {
    match open.last_mut() {
        Some((_, item)) => &mut item.children,
        None => items,
    }
}

/// Where a bracket stands on a line of its own, the header begins on the line before.
fn first_line_of_header<'a>(lines: &[Line<'a>], at: usize) -> Line<'a> {
    let line = lines[at];
    let Some(before) = at.checked_sub(1).map(|before| lines[before]) else { return line };
    let alone = matches!(line.text, "{" | "(" | "[");
    if alone
        && before.row + 1 == line.row
        && before.indent == line.indent
        && !before.text.ends_with([';', '{', '}', ','])
        && !begins_with_closer(before.text)
    {
        before
    } else {
        line
    }
}

/// Finds the rows that hold only comment.
fn comments(source: &Source<'_>, signs: CommentSigns) -> Vec<LineRange> {
    let mut found: Vec<LineRange> = Vec::new();
    let mut until: Option<&str> = None;
    for (row, line) in source.lines().enumerate() {
        let line = line.trim();
        let is_comment = if let Some(close) = until {
            if line.contains(close) {
                until = None;
            }
            true
        } else if let Some((open, close)) = signs.block.iter().find(|(open, _)| line.starts_with(open)) {
            let after = line[open.len()..].split_once(close).map(|(_, after)| after);
            if after.is_none() {
                until = Some(close);
            }
            after.is_none_or(is_blank)
        } else {
            !is_preprocessor(line) && signs.line.iter().any(|sign| is_line_comment(line, sign))
        };
        if !is_comment {
            continue;
        }
        match found.last_mut() {
            Some(last) if last.end == row => last.end = row + 1,
            _ => found.push(LineRange::new(row, row + 1)),
        }
    }
    found
}

/// A sign that other languages give another meaning must be followed by a blank, as in `# note`, or by
/// itself: `#main {` is a selector and `--count` an operator.
fn is_line_comment(line: &str, sign: &str) -> bool {
    let Some(rest) = line.strip_prefix(sign) else { return false };
    sign == "//" || rest.is_empty() || rest.starts_with([' ', '\t', '!']) || rest.starts_with(sign)
}

fn is_preprocessor(line: &str) -> bool {
    let Some(rest) = line.strip_prefix('#') else { return false };
    let word = rest.trim_start().split(|letter: char| !letter.is_alphanumeric()).next().unwrap_or_default();
    // `# if this, then that` is prose.
    PREPROCESSOR.contains(&word) && (!rest.starts_with(' ') || line.len() < 40 && word != "if" && word != "else")
}

fn lines_that_count<'a>(source: &Source<'a>, comments: &[LineRange]) -> Vec<Line<'a>> {
    let mut comments = comments.iter().copied().peekable();
    let mut lines: Vec<Line<'a>> = Vec::with_capacity(source.n_lines());
    // Indents at which a list stands right under its key, from the outermost in.
    let mut lists: Vec<usize> = Vec::new();
    for (row, line) in source.lines().enumerate() {
        while comments.peek().is_some_and(|comment| comment.end <= row) {
            comments.next();
        }
        let text = line.trim();
        let is_comment = comments.peek().is_some_and(|comment| comment.contains(row));
        if is_blank(line) || is_comment || is_preprocessor(text) {
            continue;
        }
        let columns = indent_of(line)
            .bytes()
            .fold(0, |columns, blank| if blank == b'\t' { columns / TAB * TAB + TAB } else { columns + 1 });
        // YAML lets a list stand at its key's indent; half a column puts it below the key.
        let is_entry = text == "-" || text.starts_with("- ");
        while lists.last().is_some_and(|&list| list > columns || list == columns && !is_entry) {
            lists.pop();
        }
        let is_under_key = lines.last().is_some_and(|key| key.indent == 2 * columns && key.text.ends_with(':'));
        if is_entry && is_under_key {
            lists.push(columns);
        }
        let indent = 2 * columns + usize::from(is_entry && lists.last() == Some(&columns));
        lines.push(Line { row, indent, text });
    }
    lines
}

/// Pairs openers at line ends with closers at line starts of the same indent.
fn blocks(lines: &[Line<'_>]) -> Vec<Block> {
    let mut found = Vec::new();
    let mut open: Vec<(usize, usize)> = Vec::new();
    for line in lines {
        while open.last().is_some_and(|&(indent, _)| indent > line.indent) {
            open.pop();
        }
        if begins_with_closer(line.text)
            && let Some(&(indent, row)) = open.last()
            && indent == line.indent
        {
            open.pop();
            found.push(Block { open: row, close: line.row });
        }
        if line.text.ends_with(['{', '(', '[']) {
            open.push((line.indent, line.row));
        }
    }
    found.sort_unstable_by(|a, b| a.open.cmp(&b.open).then(b.close.cmp(&a.close)));
    found
}

fn begins_with_closer(text: &str) -> bool {
    text.starts_with(['}', ')', ']'])
        || text.starts_with("</")
        || CLOSING_WORDS.iter().any(|word| {
            text.strip_prefix(word).is_some_and(|rest| {
                !rest.starts_with(|letter: char| letter.is_alphanumeric() || matches!(letter, '_' | ':' | '=' | '-'))
            })
        })
}
