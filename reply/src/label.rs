//! Lines of prose that name the file of the block below them.

use crate::Span;
use std::borrow::Cow;

use crate::lines::Line;
use crate::path;
use crate::tag::strip_ignoring_case;

/// A line that may name the file of a block that follows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Label {
    pub(crate) path: String,
    pub(crate) kind: LabelKind,
    /// One-based.
    pub(crate) line: usize,
    /// The line in the reply, with its line feed.
    pub(crate) span: Span,
    /// Where the line begins in the prose that was collected, in bytes.
    pub(crate) at: usize,
    /// Whether the block must follow without a blank line to belong to it.
    pub(crate) touches: bool,
}

/// How a label is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LabelKind {
    /// As the reply format wants it: a dash, bold, or a heading with a colon.
    Marked {
        /// Bold, a heading, or with a colon: no mere item of a list.
        strong: bool,
    },
    /// A path and nothing else on the line.
    Bare {
        /// A heading, with a colon, or behind a word like `File:`: it announces what follows, also behind a blank line.
        strong: bool,
    },
}

/// The words that may stand before a path.
const PREFIXES: [&str; 5] = ["file:", "file path:", "filepath:", "File path:", "File Path:"];

impl Label {
    /// Reads a line of prose; `at` is where it begins in the prose that was collected.
    pub(crate) fn of(line: &Line<'_>, at: usize) -> Option<Self> {
        let text = line.trimmed();
        let found = if let Some(path) = marked(text) {
            let strong = !text.starts_with('-') || text.ends_with(':') || text.to_ascii_lowercase().contains("file:");
            (path, LabelKind::Marked { strong })
        } else {
            let path = bare(text)?;
            let behind = text.rsplit(path).next().unwrap_or_default();
            let before = text.split(path).next().unwrap_or_default();
            let strong = text.starts_with('#') || behind.contains(':') || before.contains(':');
            (path.to_owned(), LabelKind::Bare { strong })
        };
        let (path, kind) = found;
        Some(Self { path, kind, line: line.number, span: line.span, at, touches: true })
    }
}

/// Gives the path of a label as the reply format wants labels.
pub(crate) fn marked(text: &str) -> Option<String> {
    let candidate = text.starts_with('-')
        || text.len() > 4 && text.starts_with("**") && text.ends_with("**")
        || text.starts_with('#') && text.ends_with(':');
    if !candidate {
        return None;
    }
    let path = clean(text);
    let sentence = path.contains(' ') && !path::has_extension(&path) && !path::has_separator(&path);
    (!path.is_empty() && !sentence).then_some(path)
}

/// Takes everything off a label that is not its path.
fn clean(text: &str) -> String {
    let plain = if text.contains(['*', '`', '\'', '"']) {
        Cow::Owned(text.replace("**", "").replace(['`', '\'', '"'], ""))
    } else {
        Cow::Borrowed(text)
    };
    let mut rest = strip(&plain, "-");
    for hashes in ["####", "###", "##", "#"] {
        rest = strip(rest, hashes);
    }
    rest = rest.trim();
    for prefix in PREFIXES {
        rest = strip(rest, prefix);
    }
    rest = strip_end(rest, ":").trim();
    // A note behind the path, in brackets or behind a colon, must not take its place.
    if let Some((head, _)) = rest.split_once(" (")
        && let head = strip_end(head, ":")
        && path::is_file_like(head)
    {
        return head.to_owned();
    }
    if rest.contains(": ") {
        let last = rest.rsplit(": ").next().unwrap_or(rest);
        rest = rest.rsplit(": ").map(str::trim).find(|piece| path::is_file_like(piece)).unwrap_or(last);
    }
    rest.split_once(" (").map_or(rest, |(head, _)| head).trim().to_owned()
}

fn strip_end<'a>(text: &'a str, suffix: &str) -> &'a str {
    text.strip_suffix(suffix).unwrap_or(text)
}

fn strip<'a>(text: &'a str, prefix: &str) -> &'a str {
    text.strip_prefix(prefix).unwrap_or(text)
}

/// Gives the path of a line that is a path and nothing else, but for what usually stands around one: quotes, bold, hashes, a word
/// like `File:`, a colon, a note in brackets.
fn bare(text: &str) -> Option<&str> {
    const AROUND: &[char] = &['*', '`', '"', '\''];
    if text.len() > MOST_BARE {
        return None;
    }
    let mut rest = text.trim_start_matches('#').trim().trim_matches(AROUND);
    for word in ["file path:", "filepath:", "filename:", "file:", "path:"] {
        rest = strip_ignoring_case(rest, word).unwrap_or(rest);
    }
    rest = rest.trim();
    if let Some((head, note)) = rest.split_once(" (")
        && note.ends_with([')', ':'])
    {
        rest = head;
    }
    let rest = rest.trim_matches(AROUND);
    let rest = strip_end(rest, ":").trim_end().trim_matches(AROUND);
    path::is_file_like(rest).then_some(rest)
}

/// Takes quotes, backticks or stars off that stand around a path.
pub(crate) fn unquote(text: &str) -> &str {
    let pair = |text: &'_ str, sign: char| text.len() > 1 && text.starts_with(sign) && text.ends_with(sign);
    let mut text = text;
    while ['`', '"', '\'', '*'].into_iter().any(|sign| pair(text, sign)) {
        text = text[1..text.len() - 1].trim();
    }
    text
}

/// The longest line that is looked at as a bare path, in bytes; beyond it a line is prose.
const MOST_BARE: usize = 4096;

#[cfg(test)]
mod tests {
    use super::*;

    /// The specification's table: what is a label, and of which path.
    #[test]
    fn table() {
        for (line, path) in [
            ("- file: cmd/x.go", "cmd/x.go"),
            ("-file:foo.go", "foo.go"),
            ("**cmd/x.go**", "cmd/x.go"),
            ("### cmd/x.go:", "cmd/x.go"),
            ("#### `a b.txt`:", "a b.txt"),
            ("- File Path: cmd/x.go", "cmd/x.go"),
            ("- cmd/x.go (update)", "cmd/x.go"),
            ("- 'q.go'", "q.go"),
            ("- Makefile:", "Makefile"),
            ("- C:\\x\\y.go", "C:\\x\\y.go"),
            ("- a: b.go", "b.go"),
            ("- Add a /health route.", "Add a /health route."),
            ("- http://x.y/z", "http://x.y/z"),
            ("--- a/b", "-- a/b"),
            ("- `cmd/x.go`: (new file)", "cmd/x.go"),
            ("- cmd/x.go (note: small)", "cmd/x.go"),
            ("- cmd/x.go: new: small", "cmd/x.go"),
        ] {
            assert_eq!(marked(line).as_deref(), Some(path), "{line}");
        }
        for line in
            ["- update things", "- [ ] todo item", "- **Bold** text here", "1. a.go", "* a.go", "-", "****", "- ``"]
        {
            assert_eq!(marked(line), None, "{line}");
        }
    }

    #[test]
    fn bare_paths() {
        for line in [
            "src/a.rs",
            "`src/a.rs`",
            "`src/a.rs`:",
            "**`src/a.rs`:**",
            "## src/a.rs",
            "File: src/a.rs",
            "src/a.rs (new)",
            "### `src/a.rs`:",
        ] {
            assert_eq!(bare(line), Some("src/a.rs"), "{line}");
        }
        for line in ["", "See src/a.rs", "Example:", "e.g.", "Use `src/a.rs`:", "a/b c/d", "https://x.y/z"] {
            assert_eq!(bare(line), None, "{line}");
        }
    }
}
