//! Which lines start an item: a declaration, a statement, a member, an entry.
//!
//! Only the text decides, since there is no tree yet. A start that is missed makes a window larger; one that is none
//! cuts an item apart, which the checks on the window's tree have to notice. So in doubt a line starts nothing.

use crate::relief::measure_indent;
use crate::source::{Source, is_blank};
use crate::treesitter::Language;

/// How far up the line is looked for that a line follows, in blank lines. More blank lines are as good as a fresh start.
const FARTHEST_LINE_ABOVE: usize = 64;

/// What begins an item of a Go file.
const GO: &[&str] = &["func", "type", "var", "const", "import", "package"];

/// What begins an item of a Rust file or module.
const RUST: &[&str] = &[
    "pub",
    "fn",
    "struct",
    "enum",
    "union",
    "trait",
    "impl",
    "mod",
    "use",
    "extern",
    "const",
    "static",
    "type",
    "unsafe",
    "async",
    "macro_rules",
    "default",
    "auto",
];

/// What begins an item of a Java file.
const JAVA: &[&str] = &[
    "package",
    "import",
    "public",
    "protected",
    "private",
    "abstract",
    "static",
    "final",
    "sealed",
    "non",
    "strictfp",
    "class",
    "interface",
    "enum",
    "record",
];

/// What begins a statement or a declaration of JavaScript or TypeScript, whatever stands above.
const SCRIPT: &[&str] = &[
    "function",
    "class",
    "const",
    "let",
    "var",
    "import",
    "export",
    "async",
    "interface",
    "type",
    "enum",
    "declare",
    "namespace",
    "abstract",
    "if",
    "for",
    "while",
    "switch",
    "try",
    "return",
    "throw",
];

/// What begins a statement of Python with a block.
const PYTHON_BLOCKS: &[&str] = &["def", "class", "async", "if", "for", "while", "with", "try", "match"];

/// What begins another statement of Python.
const PYTHON: &[&str] = &[
    "import", "from", "return", "raise", "assert", "del", "global", "nonlocal", "pass", "type", "print", "yield",
    "await",
];

/// What goes on with what stands above, in languages with braces.
const CONTINUING_WORDS: &[&str] =
    &["else", "catch", "finally", "where", "extends", "implements", "throws", "instanceof"];

/// What goes on with a statement of Python.
const CONTINUING_CLAUSES: &[&str] = &["else", "elif", "except", "finally", "case"];

/// Directives of C that take text out or put it in, of which a window must not hold one without the others.
const CONDITIONALS: &[&str] = &["if", "ifdef", "ifndef", "else", "elif", "elifdef", "elifndef", "endif"];

/// A text that is cut into items, and how its language tells them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Text<'s> {
    pub(super) source: &'s Source<'s>,
    pub(super) language: Language,
}

/// Where a level of items stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Level {
    /// Width of the indent of its items.
    pub(super) indent: usize,
    /// Whether it is the file's own, not one inside of an item.
    pub(super) is_top: bool,
    /// Whether its items are those of a YAML sequence, each with a dash in front.
    pub(super) is_list: bool,
}

impl<'s> Text<'s> {
    /// Gives the width of a line's indent and its text without white space around; `None` for a blank line.
    pub(super) fn line(self, row: usize) -> Option<(usize, &'s str)> {
        let line = self.source.line(row);
        let (width, at) = measure_indent(line.as_bytes());
        let text = line.get(at..).unwrap_or_default();
        (!is_blank(text)).then(|| (width, text.trim_end()))
    }

    /// Says whether a line starts an item of a level. `first` is the first line of the level.
    pub(super) fn starts_item(self, row: usize, level: Level, first: usize) -> bool {
        let Some((indent, text)) = self.line(row) else { return false };
        if indent != level.indent || text.starts_with(['}', ')', ']']) {
            return false;
        }
        match self.language {
            Language::Json => return true,
            Language::Yaml => return self.starts_yaml(row, text, level, first),
            Language::C | Language::Cpp if text.starts_with('#') => {
                return level.is_top && self.is_between_items(row, first);
            }
            Language::C | Language::Cpp if self.goes_on_from_above(row) || is_label(text) => return false,
            _ => {}
        }
        let above = self.above(row, first);
        match self.language {
            Language::Python => self.starts_python(text, level, above),
            _ => self.starts_in_braces(text, level, above),
        }
    }

    /// Gives the level of the items that begin at line `first`, indented by `indent`.
    pub(super) fn level(self, first: usize, indent: usize, is_top: bool) -> Level {
        let is_list = self.language == Language::Yaml
            && (first..self.source.n_lines())
                .filter_map(|row| self.line(row))
                .find(|(_, text)| !text.starts_with('#') && !text.starts_with("---"))
                .is_some_and(|(_, text)| is_dashed(text));
        Level { indent, is_top, is_list }
    }

    /// Says whether a line says nothing of the level that it stands at: directives and labels of C stand at the left
    /// edge wherever they are.
    pub(super) fn is_transparent(self, row: usize, text: &str) -> bool {
        self.has_directives() && (text.starts_with('#') || is_label(text) || self.goes_on_from_above(row))
    }

    /// Says whether a line is a directive that must not be kept without those that belong to it.
    pub(super) fn is_conditional(self, row: usize) -> bool {
        self.has_directives()
            && row < self.source.n_lines()
            && self.line(row).is_some_and(|(_, text)| conditional(text).is_some())
    }

    pub(super) fn has_directives(self) -> bool {
        matches!(self.language, Language::C | Language::Cpp)
    }

    /// Says whether a line of C is a part of the one above, as in a macro of several lines.
    fn goes_on_from_above(self, row: usize) -> bool {
        row.checked_sub(1).is_some_and(|above| self.source.line(above).trim_end().ends_with('\\'))
    }

    /// Says whether a directive stands between two items of a C file: both what is above and what is below it stand at the
    /// left edge, and what is above has ended.
    fn is_between_items(self, row: usize, first: usize) -> bool {
        let says =
            |&at: &usize| self.line(at).is_some_and(|(_, text)| !text.starts_with('#') && !self.goes_on_from_above(at));
        let lowest = first.max(row.saturating_sub(FARTHEST_LINE_ABOVE));
        let above = (lowest..row).rev().find(says).and_then(|at| self.line(at));
        let highest = (row + FARTHEST_LINE_ABOVE).min(self.source.n_lines());
        let below = (row + 1..highest).find(says).and_then(|at| self.line(at));
        let has_ended = |(indent, text): (usize, &'s str)| {
            let end = self.without_comment(text);
            self.is_comment(text) || indent == 0 && (end.ends_with(';') || end.starts_with('}') || end.ends_with('}'))
        };
        let is_far = lowest > first && above.is_none();
        !is_far && above.is_none_or(has_ended) && below.is_none_or(|(indent, _)| indent == 0)
    }

    /// Finds the line above that isn't blank, and whether blank lines lie between.
    fn above(self, row: usize, first: usize) -> Option<Above<'s>> {
        let lowest = first.max(row.saturating_sub(FARTHEST_LINE_ABOVE));
        // What directives of C stand between, nothing stands between.
        let says = |&at: &usize| {
            self.line(at).is_some_and(|(_, text)| {
                !self.has_directives() || !text.starts_with('#') && !self.goes_on_from_above(at)
            })
        };
        let at = (lowest..row).rev().find(says)?;
        let (_, text) = self.line(at)?;
        let is_adjacent = !(at + 1..row).any(|between| self.line(between).is_none());
        Some(Above { text, is_adjacent })
    }

    /// Says whether a line is a comment by itself.
    pub(super) fn is_line_comment(self, text: &str) -> bool {
        text.starts_with(self.comment_sign())
    }

    fn comment_sign(self) -> &'static str {
        if matches!(self.language, Language::Python | Language::Yaml) { "#" } else { "//" }
    }

    fn is_comment(self, text: &str) -> bool {
        match self.language {
            Language::Python | Language::Yaml => text.starts_with('#'),
            _ => text.starts_with("//") || text.starts_with("/*") || text.starts_with('*') || text.ends_with("*/"),
        }
    }

    /// Takes a comment off that ends a line. A sign inside of a string is taken for one, too: what is left then ends
    /// in the middle of a line, which starts nothing.
    pub(super) fn without_comment(self, text: &'s str) -> &'s str {
        let sign = self.comment_sign();
        let mut from = 0;
        while let Some(at) = text.get(from..).and_then(|rest| rest.find(sign)).map(|at| from + at) {
            if text[..at].ends_with([' ', '\t']) {
                return text[..at].trim_end();
            }
            from = at + sign.len();
        }
        text
    }

    fn starts_in_braces(self, text: &str, level: Level, above: Option<Above<'s>>) -> bool {
        let is_comment = self.is_comment(text);
        let word = first_word(text);
        if !is_comment {
            let continues =
                text.starts_with(['{', '.', '?', ':', '&', '|', '+', '-', '=', ',', '>', '%', '^', '<', '\\']);
            if continues || CONTINUING_WORDS.contains(&word) {
                return false;
            }
            let is_item = match self.language {
                _ if !level.is_top => true,
                Language::Go => GO.contains(&word),
                Language::Rust => RUST.contains(&word) || text.starts_with('#') || text[word.len()..].starts_with('!'),
                Language::Java => JAVA.contains(&word) || text.starts_with('@'),
                _ => true,
            };
            if !is_item {
                return false;
            }
        }
        let Some(above) = above else { return true };
        if above.is_adjacent && (self.is_comment(above.text) || is_attribute(above.text)) {
            return false;
        }
        let end = self.without_comment(above.text);
        if end.ends_with(['(', '[', '=', '+', '-', '|', '&', '?', '\\']) || end.ends_with("=>") {
            return false;
        }
        if !level.is_top && end.ends_with([',', ':']) || end.ends_with([';', '}', '{']) || self.is_comment(above.text) {
            return true;
        }
        if level.is_top && end.ends_with([',', ':']) {
            return false;
        }
        // What begins with a closer ends an annotation or an argument list, or a statement without a semicolon.
        if above.is_adjacent && above.text.starts_with([')', ']']) {
            return false;
        }
        let has_keyword = match self.language {
            Language::Go | Language::Rust => level.is_top,
            Language::JavaScript | Language::TypeScript | Language::Tsx => SCRIPT.contains(&word),
            _ => false,
        };
        // Members of Java may follow a blank line in the middle of a statement.
        let blank_suffices = match self.language {
            Language::Java => level.is_top,
            // A macro that stands for a declaration has no semicolon.
            Language::C | Language::Cpp => end.ends_with(')'),
            _ => true,
        };
        has_keyword || (!above.is_adjacent && blank_suffices) || self.ends_without_semicolon(level, above)
    }

    /// Says whether a line at the indent of a level of YAML starts an entry. A comment belongs to the entry below it, if that
    /// stands at the same indent; one that stands anywhere else says nothing.
    fn starts_yaml(self, row: usize, text: &str, level: Level, first: usize) -> bool {
        let is_comment = |&(indent, text): &(usize, &str)| indent == level.indent && text.starts_with('#');
        let above = row.checked_sub(1).filter(|&above| above >= first).and_then(|above| self.line(above));
        if above.as_ref().is_some_and(is_comment) {
            return false;
        }
        if !text.starts_with('#') {
            return is_entry(text, level);
        }
        let last = (row + FARTHEST_LINE_ABOVE).min(self.source.n_lines());
        let below = (row + 1..last).filter_map(|at| self.line(at)).find(|(_, text)| !text.starts_with('#'));
        below.is_some_and(|(indent, text)| indent == level.indent && is_entry(text, level))
    }

    /// Says whether each line of a level ends a statement by itself.
    fn ends_without_semicolon(self, level: Level, above: Above<'_>) -> bool {
        // A line of Go ends a statement unless it ends in an operator or an opener.
        let ends = |text: &str| text.ends_with(|last: char| last.is_alphanumeric() || "_)]}\"'`".contains(last));
        self.language == Language::Go && !level.is_top && ends(self.without_comment(above.text))
    }

    fn starts_python(self, text: &str, level: Level, above: Option<Above<'s>>) -> bool {
        let word = first_word(text);
        let is_comment = self.is_comment(text);
        if !is_comment {
            if text.starts_with(['"', '\'']) || CONTINUING_CLAUSES.contains(&word) {
                return false;
            }
            let rest = text[word.len()..].trim_start();
            let end = without_comment_of_python(text);
            let opens_block = end.ends_with([':', '(', '[', '{', ',', '\\']);
            let is_item = text.starts_with('@')
                || (PYTHON_BLOCKS.contains(&word) && opens_block)
                || (PYTHON.contains(&word)
                    && rest.chars().next().is_none_or(|next| !"(.[:=".contains(next) || word == "print"))
                || (!word.is_empty() && !PYTHON_BLOCKS.contains(&word) && rest.starts_with(['(', '.', '[', ':', '=']))
                || (!level.is_top && !word.is_empty() && !PYTHON_BLOCKS.contains(&word));
            if !is_item {
                return false;
            }
        }
        let Some(above) = above else { return true };
        if above.is_adjacent && (self.is_comment(above.text) || is_attribute(above.text)) {
            return false;
        }
        if self.without_comment(above.text).ends_with(['\\', ',', '(', '[', '{', '=']) {
            return false;
        }
        // The end of a decorator over several lines.
        !(above.is_adjacent && above.text.starts_with([')', ']', '}']) && matches!(word, "def" | "class" | "async"))
    }
}

/// Says whether a line at the indent of a level of YAML is the first of an entry.
fn is_entry(text: &str, level: Level) -> bool {
    if level.is_list || is_dashed(text) {
        return level.is_list && is_dashed(text);
    }
    // A key, plain or quoted. Anything else may be a part of what is above.
    let end = match text.chars().next() {
        Some(quote @ ('"' | '\'')) => text[1..].find(quote).map_or(text.len(), |at| at + 2),
        Some(first) if first.is_alphanumeric() || "_/.<*$".contains(first) => text.find(": ").unwrap_or(text.len() - 1),
        _ => return false,
    };
    text.get(end..).is_some_and(|rest| rest == ":" || rest.starts_with(": "))
}

/// Says whether a line begins with the dash of a YAML sequence.
fn is_dashed(text: &str) -> bool {
    text == "-" || text.starts_with("- ")
}

/// Says whether a line of C is nothing but a label or says who may see the members below it.
fn is_label(text: &str) -> bool {
    let name = text.strip_suffix(':').map(str::trim_end);
    let is_word = |name: &str| !name.is_empty() && first_word(name).len() == name.len();
    name.is_some_and(is_word) || matches!(first_word(text), "case" | "default")
}

/// Gives the word of a directive that is conditional.
pub(super) fn conditional(text: &str) -> Option<&str> {
    let word = first_word(text.trim_start().strip_prefix('#')?.trim_start());
    CONDITIONALS.contains(&word).then_some(word)
}

/// The line that a line follows.
#[derive(Debug, Clone, Copy)]
struct Above<'s> {
    text: &'s str,
    /// Whether no blank line lies between.
    is_adjacent: bool,
}

/// Says whether a line is a decorator or an attribute, which belongs to what follows.
fn is_attribute(text: &str) -> bool {
    text.starts_with('@') && !text.ends_with(['{', ';', '}']) || text.starts_with("#[")
}

/// Gives the word that a line begins with, or nothing.
pub(super) fn first_word(text: &str) -> &str {
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    &text[..text.find(|letter| !is_word(letter)).unwrap_or(text.len())]
}

/// Takes a comment off that ends a line of Python.
fn without_comment_of_python(text: &str) -> &str {
    text.rfind(" #").map_or(text, |at| text[..at].trim_end())
}
