//! Where a text may declare some names, found without a parse.
//!
//! The name of a declaration is made of words that stand in its header. So each place that declares a name is among
//! the places where one word of the name, its *needle*, stands as a whole word. Most of those only use the
//! name; what a line begins with tells many of them apart, since a declaration begins its row. A place that is
//! left out here is never looked at, so in doubt a line may declare.

use aho_corasick::{AhoCorasick, MatchKind};
use memchr::memmem;

use crate::digest::is_word_byte;
use crate::range::{ByteRange, LineRange};
use crate::source::Source;
use crate::treesitter::Language;
use crate::treesitter::outline::{Item, ItemKind};

/// Words that begin a statement which declares nothing, whatever follows.
const STATEMENTS: &[&str] = &[
    "return", "if", "else", "while", "switch", "case", "do", "try", "catch", "throw", "raise", "assert", "break",
    "continue", "goto", "elif", "except", "finally", "new", "delete", "defer",
];

/// A name to look for.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Name {
    /// `None`: any.
    kind: Option<ItemKind>,
    whole: String,
    /// A word of the name.
    needle: String,
    /// Where in the name it begins.
    at: usize,
}

impl Name {
    /// Makes the name of an item of `text`; `None` if no word of it is sure to stand in every text that declares it.
    ///
    /// A name has lost the white space that its text may have, so two words may have become one: only a word that the
    /// item's own text has counts.
    pub(super) fn of(item: &Item, text: &Source<'_>, language: Language) -> Option<Self> {
        let rows = LineRange::new(item.rows.start, item.header.end.max(item.name_row + 1).min(text.n_lines()));
        let text = text.slice(rows);
        let mut known = words(&item.name).into_iter().filter(|&(_, word)| has_word(text, word));
        // Of a Go method the receiver is a name that stands in many lines.
        let best = match language {
            Language::Go => known.next_back(),
            _ => known.max_by_key(|&(at, word)| (word.len(), at)),
        };
        let (at, needle) = best?;
        Some(Self { kind: Some(item.kind), whole: item.name.clone(), needle: needle.to_owned(), at })
    }

    /// Gives the same name for items of any kind.
    pub(super) fn of_any_kind(self) -> Self {
        Self { kind: None, ..self }
    }

    /// Says whether the row that holds the needle at byte `at` of its line may be one that declares the name.
    fn may_stand(&self, language: Language, line: &str, at: usize, above: &str) -> bool {
        let (before, after) = (line[..at].trim_start(), &line[at + self.needle.len()..]);
        if !ends_a_line(above, language) || before.contains("/*") {
            return true;
        }
        match self.kind {
            Some(kind) => self.may_stand_as(kind, language, line, before, after),
            None => [ItemKind::Import, ItemKind::Call, ItemKind::Value]
                .into_iter()
                .any(|kind| self.may_stand_as(kind, language, line, before, after)),
        }
    }

    /// The same for a name of one kind, on a row that begins anew.
    fn may_stand_as(&self, kind: ItemKind, language: Language, line: &str, before: &str, after: &str) -> bool {
        if kind == ItemKind::Import {
            let quoted = |text: &str| text.contains(['"', '\'', '`']);
            return match language {
                Language::Go | Language::JavaScript | Language::TypeScript | Language::Tsx => {
                    quoted(before) && quoted(after)
                }
                _ => true,
            };
        }
        match language {
            // A key may stand anywhere.
            Language::Json | Language::Yaml => return true,
            Language::C | Language::Cpp => return self.may_stand_in_c(language, line, before, after),
            _ => {}
        }
        let begins = line.trim_start();
        if begins.starts_with(['}', ')', ']']) {
            return false;
        }
        let first = first_word(begins);
        let own = first_word(&self.whole);
        if kind == ItemKind::Call {
            return first == own || first == "await";
        }
        if first != self.needle && STATEMENTS.contains(&first) {
            return false;
        }
        if self.needle.len() < self.whole.len() {
            self.may_hold(language, first, before, after)
        } else {
            Self::may_be(language, first, before, after)
        }
    }

    /// The same for C, where the type of what is declared may be any text: only what is surely used is passed over.
    fn may_stand_in_c(&self, language: Language, line: &str, before: &str, after: &str) -> bool {
        let first = first_word(line.trim_start());
        let is_use = before.ends_with("->")
            || before.ends_with('.') && !before.trim_start().starts_with('.')
            || first != self.needle && STATEMENTS.contains(&first)
            || before.contains('"');
        // A statement that calls it or sets it. At the left edge it may be a declaration without a type, and in C++ a
        // constructor.
        let is_statement = language == Language::C
            && before.is_empty()
            && line.starts_with([' ', '\t'])
            && (after.starts_with("->")
                || after.starts_with('.')
                || after.starts_with('(') && after.trim_end().ends_with(");"));
        !is_use && !is_statement
    }

    /// The same for a name of which the needle is a part.
    fn may_hold(&self, language: Language, first: &str, before: &str, after: &str) -> bool {
        match language {
            Language::Go if first == "func" => return before.trim_end().ends_with(')'),
            Language::Rust if self.whole.contains(" for ") => {
                return matches!(first, "impl" | "unsafe" | "default");
            }
            _ => {}
        }
        // The signs of the name around the needle, if they are signs of the text.
        let sign_before = self.whole[..self.at].chars().next_back().filter(|sign| ",.".contains(*sign));
        let sign_after = self.whole[self.at + self.needle.len()..].chars().next().filter(|sign| ",.".contains(*sign));
        let fits_before = sign_before.is_none_or(|sign| before.is_empty() || before.trim_end().ends_with(sign));
        let fits_after = sign_after.is_none_or(|sign| after.trim().is_empty() || after.trim_start().starts_with(sign));
        fits_before && fits_after
    }

    /// The same for a name that the needle is all of.
    fn may_be(language: Language, first: &str, before: &str, after: &str) -> bool {
        let is_attributed = before.starts_with(['@', '#']);
        if before.ends_with('.') || before.ends_with("::") || after.trim_start().starts_with('.') {
            return false;
        }
        match language {
            Language::Go => matches!(before.trim_end(), "" | "*" | "func" | "type" | "var" | "const"),
            Language::Python => !before.contains(['(', ')', '[', ']', '{', '}', '=', ':', '@', '+', '-', '*']),
            Language::Rust => {
                let before =
                    before.strip_prefix("pub(").and_then(|rest| rest.split_once(')')).map_or(before, |(_, rest)| rest);
                is_attributed
                    || matches!(first, "impl" | "unsafe" | "default" | "macro_rules")
                    || !before
                        .replace("::", "")
                        .contains(['(', ')', '[', '{', '=', '+', '-', '/', '|', '!', ';', '<', '>', ':', '.'])
            }
            Language::JavaScript | Language::TypeScript | Language::Tsx => {
                is_attributed
                    || !before.contains([
                        '(', ')', '[', ']', '{', '}', '=', '+', '-', '/', '<', '>', '&', '|', '!', '?', ':', ',', ';',
                        '.',
                    ])
            }
            _ => is_attributed || !before.contains(['(', ')', '{', '=', '+', '-', '/', '|', '!', ';']),
        }
    }
}

/// Finds the rows of a text that may declare one of some names, as ranges of one row; `None` if there are more than
/// `most`.
///
/// # Cost
///
/// One search of the text for all needles at once; of a text with digests only of the blocks that may hold one.
pub(super) fn rows(text: &Source<'_>, language: Language, names: &[Name], most: usize) -> Option<Vec<LineRange>> {
    let mut names: Vec<&Name> = names.iter().collect();
    names.sort_by_key(|name| &name.needle);
    let by_needle: Vec<&[&Name]> = names.chunk_by(|a, b| a.needle == b.needle).collect();
    let needles: Vec<&str> = by_needle.iter().map(|names| names[0].needle.as_str()).collect();
    let bytes = text.text().as_bytes();
    let mut found: Vec<LineRange> = Vec::new();
    let mut see = |needle: usize, start: usize| {
        let end = start + needles[needle].len();
        let is_word = |byte: Option<&u8>| byte.is_some_and(|&byte| is_word_byte(byte));
        if is_word(start.checked_sub(1).and_then(|at| bytes.get(at))) || is_word(bytes.get(end)) {
            return true;
        }
        let row = text.line_at(start);
        if found.last().is_some_and(|last| last.start == row) {
            return true;
        }
        let (line, line_start) = (text.line(row), text.line_start(row));
        // A needle in a byte order mark's line, or in its terminator, there is none.
        let Some(at) = start.checked_sub(line_start).filter(|&at| at + needles[needle].len() <= line.len()) else {
            return true;
        };
        let above = row.checked_sub(1).map_or("", |row| text.line(row));
        if by_needle[needle].iter().any(|name| name.may_stand(language, line, at, above)) {
            found.push(LineRange::new(row, row + 1));
        }
        found.len() <= most
    };
    let parts = match text.digests() {
        Some(digests) => digests.with_any_word(&needles).into_iter().map(|lines| text.bytes_of(lines)).collect(),
        None => vec![ByteRange::new(0, bytes.len())],
    };
    // No needle goes beyond its line, so none lies across the edge of a part.
    let in_bounds = match needles.as_slice() {
        [] => true,
        [only] => {
            let search = memmem::Finder::new(only);
            parts
                .iter()
                .all(|part| search.find_iter(&bytes[part.start..part.end]).all(|start| see(0, part.start + start)))
        }
        many => {
            let search = AhoCorasick::builder().match_kind(MatchKind::LeftmostLongest).build(many).ok()?;
            parts.iter().all(|part| {
                let found = search.find_iter(&bytes[part.start..part.end]);
                found.into_iter().all(|one| see(one.pattern().as_usize(), part.start + one.start()))
            })
        }
    };
    in_bounds.then_some(found)
}

/// Lists what begins an import at the left edge of a file, or the names of what the file is part of.
fn import_starts(language: Language) -> &'static [&'static str] {
    match language {
        Language::Go => &["\nimport "],
        Language::Python => &["\nimport ", "\nfrom "],
        Language::JavaScript | Language::TypeScript | Language::Tsx => &[
            "\nimport ",
            "\nimport{",
            "\nimport\"",
            "\nimport'",
            "\nexport {",
            "\nexport{",
            "\nexport *",
            "\nexport type {",
        ],
        Language::Rust => &["\nuse ", "\nextern crate ", "\npub use ", "\npub(crate) use ", "\npub(super) use "],
        Language::Java => &["\nimport ", "\npackage "],
        Language::C => &["\n#include", "\n# include", "\n#  include", "\n#\tinclude"],
        Language::Cpp => &["\n#include", "\n# include", "\n#  include", "\n#\tinclude", "\nusing "],
        _ => &[],
    }
}

/// Finds the rows of a text that begin an import, as ranges of one row; `None` if there are more than `most`.
///
/// # Cost
///
/// One search of the text for each way to begin an import; of a text with digests only of the blocks that may hold its
/// words.
pub(super) fn import_rows(text: &Source<'_>, language: Language, most: usize) -> Option<Vec<LineRange>> {
    let mut found = Vec::new();
    let first = if text.is_empty() { "" } else { text.line(0) };
    if import_starts(language).iter().any(|start| first.starts_with(&start[1..])) {
        found.push(LineRange::new(0, 1));
    }
    let bytes = text.text().as_bytes();
    for start in import_starts(language) {
        let parts = match text.digests() {
            Some(digests) => {
                let words: Vec<&str> = words(start).into_iter().map(|(_, word)| word).collect();
                // The line end before the first line of a part belongs to the line above.
                let part = |lines| {
                    let bytes = text.bytes_of(lines);
                    ByteRange::new(bytes.start.saturating_sub(1), bytes.end)
                };
                digests.with_words(&words).into_iter().map(part).collect()
            }
            None => vec![ByteRange::new(0, bytes.len())],
        };
        let search = memmem::Finder::new(start);
        for part in parts {
            for at in search.find_iter(&bytes[part.start..part.end]) {
                let row = text.line_at(part.start + at + 1);
                found.push(LineRange::new(row, row + 1));
                if found.len() > most {
                    return None;
                }
            }
        }
    }
    Some(found)
}

/// Says whether what follows a line begins anew: with a declaration, a member, a statement.
fn ends_a_line(line: &str, language: Language) -> bool {
    let line = line.trim();
    match language {
        // The end of a line ends a statement, but for these.
        Language::Go | Language::Python => !line.ends_with('\\'),
        _ => {
            line.is_empty()
                || line.ends_with([';', '{', '}', ',', '(', '[', ':'])
                || line.ends_with("*/")
                || line.starts_with("//")
                || line.starts_with(['@', '#'])
        }
    }
}

/// Lists the words of a name with where they begin.
fn words(name: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut at = 0;
    for piece in name.split(|letter: char| !is_word(letter)) {
        if !piece.is_empty() {
            found.push((at, piece));
        }
        at += piece.len();
        at += name[at..].chars().next().map_or(0, char::len_utf8);
    }
    found
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_' || !letter.is_ascii()
}

fn first_word(text: &str) -> &str {
    &text[..text.find(|letter| !is_word(letter)).unwrap_or(text.len())]
}

fn has_word(text: &str, word: &str) -> bool {
    let bytes = text.as_bytes();
    memmem::find_iter(bytes, word).any(|start| {
        let is_word = |byte: Option<&u8>| byte.is_some_and(|&byte| is_word_byte(byte));
        !is_word(start.checked_sub(1).and_then(|at| bytes.get(at))) && !is_word(bytes.get(start + word.len()))
    })
}
