//! Known edits with their bytes changed: line ends, marks, blanks, characters that look alike, much text around.
//!
//! Each [`Mutator`] changes file, snippet and right result alike, so what is right stays known: the mutated result, or
//! a doubt. Never anything else that is trusted.

use std::fmt::Write as _;

use similar::{DiffTag, TextDiff};
use treegraft::{Edit, Engine, Outcome};

use crate::{Given, invariants, judge, naive};

/// Lines put before a file, and as many behind it.
const FAR: usize = 25_000;

/// A way of changing bytes.
pub struct Mutator {
    /// Its name.
    pub name: &'static str,
    /// Whether a trusted result must be right byte for byte, and not only but for blank lines and trailing blanks.
    is_exact: bool,
    /// Gives the mutated edit; `None` where it makes none.
    mutate: fn(&Given) -> Option<Given>,
}

/// All ways, by what they are about.
pub const MUTATORS: [Mutator; 24] = [
    Mutator { name: "crlf in all texts", is_exact: true, mutate: |given| on_all(given, crlf) },
    Mutator { name: "crlf in the file", is_exact: true, mutate: |given| on_file(given, crlf) },
    Mutator { name: "crlf in the snippet", is_exact: true, mutate: |given| on_snippet(given, crlf) },
    Mutator { name: "lone CR in the file", is_exact: true, mutate: |given| on_file(given, cr) },
    Mutator { name: "lone CR in all texts", is_exact: true, mutate: |given| on_all(given, cr) },
    Mutator { name: "mixed line ends in the file", is_exact: false, mutate: |given| on_original(given, mixed) },
    Mutator { name: "mixed line ends in the snippet", is_exact: true, mutate: |given| on_snippet(given, mixed) },
    Mutator { name: "byte order mark in the file", is_exact: true, mutate: |given| on_file(given, marked) },
    Mutator { name: "byte order mark in the snippet", is_exact: true, mutate: |given| on_snippet(given, marked) },
    Mutator { name: "byte order mark in all texts", is_exact: true, mutate: |given| on_all(given, marked) },
    Mutator { name: "no final newline in the file", is_exact: false, mutate: |given| on_file(given, bare) },
    Mutator { name: "no final newline in the snippet", is_exact: true, mutate: |given| on_snippet(given, bare) },
    Mutator { name: "no final newline in all texts", is_exact: false, mutate: |given| on_all(given, bare) },
    Mutator { name: "tabs in all texts", is_exact: true, mutate: |given| on_all(given, tabs) },
    Mutator { name: "trailing blanks in the file", is_exact: false, mutate: |given| on_original(given, trailing) },
    Mutator { name: "trailing blanks in the snippet", is_exact: false, mutate: |given| on_snippet(given, trailing) },
    Mutator { name: "form feeds", is_exact: false, mutate: |given| on_file(given, form_feeds) },
    Mutator { name: "right-to-left override", is_exact: false, mutate: |given| word(given, "\u{202e}abc\u{202c}") },
    Mutator { name: "zero-width blank", is_exact: false, mutate: |given| word(given, "wo\u{200b}rd\u{2060}x") },
    Mutator { name: "emoji", is_exact: false, mutate: |given| word(given, "\u{1f469}\u{200d}\u{1f4bb}\u{fe0f}") },
    Mutator { name: "lone surrogate escape", is_exact: false, mutate: |given| word(given, "\\ud83d") },
    Mutator { name: "composed in the file, decomposed in the snippet", is_exact: false, mutate: twins },
    Mutator { name: "marker text in a string", is_exact: false, mutate: marker_in_string },
    // A blank line beside a marker is layout: among many lines another one may be kept.
    Mutator { name: "50,000 lines around", is_exact: false, mutate: far_from_all },
];

/// How a mutated edit came out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fate {
    /// The mutated right result, trusted.
    Right,
    /// Doubted or refused.
    Flagged,
    /// Trusted and wrong, or not sound in another way: what.
    Broken(String),
}

impl Mutator {
    /// Gives a known edit with its bytes changed; `None` where the mutator makes nothing of it.
    #[must_use]
    pub fn mutated(&self, known: &Given) -> Option<Given> {
        (self.mutate)(known)
    }

    /// Applies a known edit with its bytes changed; `None` where the mutator makes nothing of it, or where even the
    /// unchanged edit isn't trusted and right.
    #[must_use]
    pub fn fate(&self, known: &Given) -> Option<Fate> {
        let engine = Engine::default();
        let right = |given: &Given, outcome: &Outcome, exact: bool| {
            let wanted = given.wanted.as_deref().unwrap_or_default();
            if exact { wanted == outcome.text() } else { naive::is_right(&composed(wanted), &composed(outcome.text())) }
        };
        let plain = engine.apply(&known.edit()).ok()?;
        let is_exact = self.is_exact && right(known, &plain, true);
        if !plain.verdict().is_trusted() || !right(known, &plain, false) {
            return None;
        }
        let given = (self.mutate)(known)?;
        let Ok(outcome) = engine.apply(&given.edit()) else { return Some(Fate::Flagged) };
        let mut broken = invariants::in_one_run(&Given { wanted: None, ..given.clone() }, &outcome);
        if outcome.verdict().is_trusted() && !right(&given, &outcome, is_exact) {
            let wanted = given.wanted.as_deref().unwrap_or_default();
            broken.push(format!("trusted and wrong\n{}", judge::diff("wanted", wanted, "got", outcome.text())));
        }
        Some(match broken.first() {
            None if outcome.verdict().is_trusted() => Fate::Right,
            None => Fate::Flagged,
            Some(what) => Fate::Broken(format!("{}: {what}\n{}", self.name, given.to_json())),
        })
    }
}

/// Says what a NUL byte anywhere in a known edit does; it must be refused as no text.
#[must_use]
pub fn is_refused_with_nul(known: &Given) -> bool {
    let with_nul = |text: &str| {
        let mut at = text.len() / 2;
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        format!("{}\0{}", &text[..at], &text[at..])
    };
    let (original, snippet) = (with_nul(&known.original), with_nul(&known.snippet));
    [Edit::new(&known.path, &original, &known.snippet), Edit::new(&known.path, &known.original, &snippet)]
        .iter()
        .all(|edit| Engine::default().apply(edit).is_err_and(|error| error.code() == "not_text"))
}

/// Changes the file and the right result; not where the file has no line whose end could tell.
fn on_file(given: &Given, change: fn(&str) -> Option<String>) -> Option<Given> {
    if !given.original.contains('\n') {
        return None;
    }
    let wanted = change(given.wanted.as_deref()?)?;
    Some(Given { original: change(&given.original)?, wanted: Some(wanted), ..given.clone() })
}

/// Changes the file alone, in what doesn't count.
fn on_original(given: &Given, change: fn(&str) -> Option<String>) -> Option<Given> {
    Some(Given { original: change(&given.original)?, ..given.clone() })
}

fn on_snippet(given: &Given, change: fn(&str) -> Option<String>) -> Option<Given> {
    // Of an empty or blank file the snippet is all there is: its line ends count.
    if given.original.trim().is_empty() || !given.original.contains('\n') {
        return None;
    }
    Some(Given { snippet: change(&given.snippet)?, ..given.clone() })
}

fn on_all(given: &Given, change: fn(&str) -> Option<String>) -> Option<Given> {
    let mut given = on_file(given, change)?;
    given.snippet = change(&given.snippet)?;
    Some(given)
}

fn crlf(text: &str) -> Option<String> {
    (!text.contains('\r')).then(|| text.replace('\n', "\r\n"))
}

fn cr(text: &str) -> Option<String> {
    (!text.contains('\r')).then(|| text.replace('\n', "\r"))
}

/// `\n` and `\r\n` in turns of one, two and three lines.
fn mixed(text: &str) -> Option<String> {
    let change = |(n, line): (usize, &str)| if n % 5 < 2 { line.replace('\n', "\r\n") } else { line.to_owned() };
    (!text.contains('\r')).then(|| text.split_inclusive('\n').enumerate().map(change).collect())
}

fn marked(text: &str) -> Option<String> {
    (!text.starts_with('\u{feff}') && !text.is_empty()).then(|| format!("\u{feff}{text}"))
}

/// Without the final newline; not where a blank last line would take its place.
fn bare(text: &str) -> Option<String> {
    let bare = text.strip_suffix('\n')?;
    (!bare.ends_with(['\n', '\r']) && !bare.trim().is_empty()).then(|| bare.to_owned())
}

/// Indents with a tab for every four blanks, if that loses nothing.
fn tabs(text: &str) -> Option<String> {
    let mut out = String::new();
    for line in text.split_inclusive('\n') {
        let indent = line.len() - line.trim_start_matches(' ').len();
        if line.starts_with(['\t', '+', '-']) || indent % 4 != 0 && !line.trim().is_empty() {
            return None;
        }
        out.push_str(&"\t".repeat(if line.trim().is_empty() { 0 } else { indent / 4 }));
        out.push_str(&line[indent..]);
    }
    Some(out)
}

fn trailing(text: &str) -> Option<String> {
    let change = |line: &str| match line.strip_suffix('\n') {
        Some(line) if !line.trim().is_empty() => format!("{line} \t\n"),
        _ => line.to_owned(),
    };
    (!text.contains('\r')).then(|| text.split_inclusive('\n').map(change).collect())
}

/// Blank lines hold a form feed.
fn form_feeds(text: &str) -> Option<String> {
    let change = |line: &str| if line == "\n" { "\u{c}\n".to_owned() } else { line.to_owned() };
    text.contains("\n\n").then(|| text.split_inclusive('\n').map(change).collect())
}

/// Replaces a name that all texts have by another word.
fn word(given: &Given, by: &str) -> Option<Given> {
    let name = name(given)?;
    let change = |text: &str| replace_word(text, &name, by);
    Some(Given {
        original: change(&given.original),
        snippet: change(&given.snippet),
        wanted: given.wanted.as_deref().map(change),
        ..given.clone()
    })
}

/// The file and the right result have a composed letter in a name, the snippet the same letter decomposed: to the eye
/// they are one.
fn twins(given: &Given) -> Option<Given> {
    let name = name(given)?;
    let file = |text: &str| replace_word(text, &name, "caf\u{e9}");
    Some(Given {
        original: file(&given.original),
        snippet: replace_word(&given.snippet, &name, "cafe\u{301}"),
        wanted: given.wanted.as_deref().map(file),
        ..given.clone()
    })
}

/// Composes the one letter that is decomposed here.
fn composed(text: &str) -> String {
    text.replace("e\u{301}", "\u{e9}")
}

/// Finds the longest word that file and snippet share, no key word, and in no marker or comment: there words have a
/// meaning of their own.
fn name(given: &Given) -> Option<String> {
    const NEVER: [&str; 12] = [
        "function",
        "return",
        "import",
        "export",
        "interface",
        "package",
        "existing",
        "struct",
        "continue",
        "default",
        "package",
        "include",
    ];
    let words = |text: &str| -> Vec<String> {
        text.split(|c: char| !c.is_alphanumeric() && c != '_')
            .filter(|word| word.len() >= 5)
            .map(str::to_owned)
            .collect()
    };
    let is_marker = |line: &&str| {
        let comment = ["//", "#", "/*", "*", "--", "\"\"\""].iter().any(|sign| line.contains(sign));
        comment || line.contains("...") || line.to_lowercase().contains("remove")
    };
    let marked: Vec<String> = given.snippet.lines().filter(is_marker).flat_map(words).collect();
    let shown = words(&given.snippet);
    let mut both: Vec<String> = words(&given.original);
    both.retain(|word| shown.contains(word) && !marked.contains(word) && !NEVER.contains(&word.as_str()));
    both.into_iter().max_by(|a, b| a.len().cmp(&b.len()).then_with(|| b.cmp(a)))
}

fn replace_word(text: &str, word: &str, by: &str) -> String {
    let is_part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(word) {
        let end = at + word.len();
        let before = rest[..at].chars().next_back().or(out.chars().next_back().filter(|_| at == 0));
        let whole = !is_part(before) && !is_part(rest[end..].chars().next());
        out.push_str(&rest[..at]);
        out.push_str(if whole { by } else { word });
        rest = &rest[end..];
    }
    out.push_str(rest);
    out
}

/// Before an untouched line stands a string that holds the text of a marker, as deep as that line; not among imports,
/// whose order means something, nor between a decorator and what it decorates.
fn marker_in_string(given: &Given) -> Option<Given> {
    let wanted = given.wanted.as_deref()?;
    let diff = TextDiff::from_lines(given.original.as_str(), wanted);
    let shown: Vec<&str> = given.snippet.lines().map(str::trim).collect();
    let lines: Vec<&str> = given.original.split_inclusive('\n').collect();
    let count = |line: &str| lines.iter().filter(|other| other.trim() == line.trim()).count();
    let is_unshown = |row: usize| {
        let line = lines.get(row).copied().unwrap_or_default();
        let is_import = ["import", "from ", "use ", "#include", "package", "@", "#["];
        let is_import = is_import.iter().any(|word| line.trim_start().starts_with(word));
        line.ends_with('\n')
            && !line.trim().is_empty()
            && !is_import
            // A line of a view has its number in front.
            && !shown.iter().any(|other| other.ends_with(line.trim()))
            && count(line) == 1
    };
    let (row, line) = diff
        .ops()
        .iter()
        .filter(|op| op.tag() == DiffTag::Equal)
        .flat_map(|op| op.old_range().zip(op.new_range()))
        .find(|&(row, _)| row > 0 && is_unshown(row - 1) && is_unshown(row) && is_unshown(row + 1))?;
    let indent = lines[row].len() - lines[row].trim_start().len();
    let string = format!("{}marker = \"// ... existing code ...\"\n", &lines[row][..indent]);
    let put = |text: &str, at: usize| -> String {
        let lines = text.split_inclusive('\n').enumerate();
        lines.flat_map(|(n, line)| [if n == at { string.as_str() } else { "" }, line]).collect()
    };
    Some(Given { original: put(&given.original, row), wanted: Some(put(wanted, line)), ..without_lines(given) })
}

/// Puts comments before and behind the file; only where the snippet leaves out both of the file's ends.
fn far_from_all(given: &Given) -> Option<Given> {
    let sign = match given.path.rsplit_once('.').map(|(_, extension)| extension) {
        Some("go" | "rs" | "js" | "ts" | "tsx" | "java" | "c" | "cpp" | "kt" | "swift" | "cs" | "mjs") => "//",
        Some("py" | "rb" | "sh" | "toml" | "yaml" | "yml") => "#",
        _ => return None,
    };
    let mut code = given.snippet.lines().filter(|line| !line.trim().is_empty());
    let is_reference = |line: &str| line.contains("... existing code ...");
    if !is_reference(code.next()?) || !is_reference(code.next_back()?) || !given.original.ends_with('\n') {
        return None;
    }
    let mut filler = String::new();
    for n in 0..FAR {
        let _ = writeln!(filler, "{sign} line {n} of a long preface");
    }
    let around = |text: &str| format!("{filler}\n{text}\n{}", filler.replace("preface", "epilogue"));
    let wanted = around(given.wanted.as_deref()?);
    Some(Given { original: around(&given.original), wanted: Some(wanted), ..without_lines(given) })
}

/// Takes line numbers out of the description: they would point elsewhere.
fn without_lines(given: &Given) -> Given {
    let is_range = |line: &&str| {
        let line = line.to_ascii_lowercase();
        ["replace:", "replaces:", "remove:", "removes:"].iter().any(|field| line.contains(field))
    };
    let kept: Vec<&str> = given.description.lines().filter(|line| !is_range(line)).collect();
    Given { description: kept.join("\n"), ..given.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_change_as_the_name_says() {
        assert_eq!(mixed("a\nb\nc\nd").as_deref(), Some("a\r\nb\r\nc\nd"));
        assert_eq!(tabs("    a\n        b\n  \n").as_deref(), Some("\ta\n\t\tb\n\n"));
        assert_eq!(tabs("   a\n"), None);
        assert_eq!(trailing("a\n\nb").as_deref(), Some("a \t\n\nb"));
        assert_eq!(form_feeds("a\n\nb\n").as_deref(), Some("a\n\u{c}\nb\n"));
        assert_eq!(bare("a\n").as_deref(), Some("a"));
        assert_eq!((bare("a\n\n"), bare("a")), (None, None));
        assert_eq!(replace_word("total(totals, total)", "total", "x"), "x(totals, x)");
    }

    #[test]
    fn a_planted_silent_error_is_found() {
        let plant = Mutator {
            name: "planted",
            is_exact: true,
            mutate: |given| Some(Given { wanted: Some("else\n".to_owned()), ..given.clone() }),
        };
        let mut given = Given::new("a.txt", "one\ntwo\nthree\n", "one\n2\nthree\n");
        given.wanted = Some("one\n2\nthree\n".to_owned());
        assert!(matches!(plant.fate(&given), Some(Fate::Broken(what)) if what.contains("trusted and wrong")));
    }
}
