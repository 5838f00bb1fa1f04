//! References and removals: the lines a model writes for what it doesn't show.
//!
//! A marker is a line that holds nothing but a comment, in the comment sign of *any* language (models mix them
//! up), whose words say "unchanged code here" or "code was removed here". How much it takes to be believed is
//! graded, because file text may read alike:
//!
//! | form | example | reference when |
//! |---|---|---|
//! | canonical | `// ... existing code ...` | always, also without a comment sign |
//! | dots at both ends | `# ... imports as before ...` | the file has no such line |
//! | dots before a key word | `// ... rest of the class` | the file has no such line |
//! | key word, then dots | `// existing helpers...` | it begins with the key word and the file has no such line |
//! | dots alone | `// ...` | the file has no such line; without a comment sign it is code |
//! | a whole phrase | `// (the rest is unchanged)` | the file has no such line |
//! | a thing by name | `// existing methods` | the file has no such line; a doubt if it stands for nothing |
//!
//! # Cost
//!
//! One look at the start of a line decides for nearly all; the words of a comment are matched in one pass.

use aho_corasick::{AhoCorasick, MatchKind};
use std::sync::LazyLock;

/// What a line says about lines that aren't shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Marker {
    /// Unchanged code here.
    Reference(Certainty),
    /// Code was removed here.
    Removal(Certainty),
}

/// Whether a marker's wording alone decides, or a line of the file with the same text overrules it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Certainty {
    /// Nobody writes this in a file.
    Certain,
    /// A file may hold this text; then it is code.
    UnlessInFile,
}

/// Comment signs that begin a line and run to its end, longest first where one begins another.
const LINE_SIGNS: &[&str] = &["///", "//", "##", "#", "--", ";;", ";", "%", "\"\"\"", "'''", "REM "];

/// Comment signs with an end.
const BLOCK_SIGNS: &[(&str, &str)] = &[
    ("{/*", "*/}"),
    ("/*", "*/"),
    ("<!--", "-->"),
    ("{#", "#}"),
    ("{{!--", "--}}"),
    ("<%#", "%>"),
    ("(*", "*)"),
    ("{-", "-}"),
    ("--[[", "]]"),
    ("@*", "*@"),
];

/// Words that make a dotted comment a reference wherever they stand in it.
const KEY_PHRASES: &[&str] = &[
    "existing",
    "rest of",
    "remaining",
    "remainder",
    "unchanged",
    "as before",
    "as is",
    "previous code",
    "previous implementation",
    "same as",
    "other methods",
    "other functions",
    "other code",
    "other fields",
    "other imports",
    "other cases",
    "other tests",
    "remains the same",
    "remain the same",
    "stays the same",
    "stay the same",
    "not shown",
    "omitted",
    "no changes",
    "start of",
    "end of",
    "keep",
    "more code",
    "code before",
    "code after",
    "original code",
];

/// Words that make a comment with dots only at its end a reference, if it begins with them, `the` apart.
const OPENING_PHRASES: &[&str] = &[
    "existing ",
    "rest of ",
    "remaining ",
    "other ",
    "all other ",
    "unchanged ",
    "previous code",
    "same as before",
    "keep existing",
    "keep the ",
    "start of ",
    "end of ",
    "more code",
    "code before",
    "code after",
    "original code",
];

/// Beginnings and ends of a comment without dots that is a reference as a whole.
const WHOLE_OPENINGS: &[&str] = &[
    "the rest",
    "rest",
    "remaining",
    "the remaining",
    "remainder",
    "other",
    "all other",
    "everything else",
    "existing",
    "the existing",
    "previous",
    "code above",
    "code below",
    "keep",
];
const WHOLE_ENDINGS: &[&str] = &[
    "is unchanged",
    "are unchanged",
    "remains unchanged",
    "remain unchanged",
    "stays unchanged",
    "stay unchanged",
    "unchanged",
    "remains the same",
    "remain the same",
    "stays the same",
    "stay the same",
    "is the same",
    "are the same",
    "same as before",
    "as before",
    "as is",
    "not shown",
    "omitted",
    "omitted for brevity",
    "goes here",
    "continues here",
];
const WHOLE_PHRASES: &[&str] = &[
    "existing code",
    "existing code here",
    "existing code unchanged",
    "existing code above",
    "existing code below",
    "existing code continues",
    "rest of code",
    "rest of code here",
    "rest of the code",
    "rest of the code here",
    "rest of file",
    "rest of the file",
    "rest of the class",
    "rest of the function",
    "rest of the method",
    "rest of the component",
    "rest of the implementation",
    "remaining code",
    "other code",
    "unchanged code",
    "unchanged code here",
    "unchanged code above",
    "unchanged code below",
    "no changes",
    "no changes here",
    "no changes above",
    "no changes above this line",
    "no changes below",
    "no changes below this line",
    "no change",
    "no other changes",
    "same as before",
    "same as original",
    "same as the original",
    "as before",
    "keep existing code",
    "keep the other methods",
    "keep other methods",
    "keep the rest",
    "everything else unchanged",
];

/// Beginnings of a comment that stands for what it names, with one of [`THINGS`] behind: `// existing methods`.
const LOOSE_OPENINGS: &[&str] =
    &["existing ", "the existing ", "remaining ", "the remaining ", "rest of ", "the rest of "];
const THINGS: &[&str] = &[
    "body",
    "class",
    "classes",
    "code",
    "components",
    "content",
    "elements",
    "fields",
    "function",
    "functions",
    "handlers",
    "implementation",
    "imports",
    "logic",
    "markup",
    "method",
    "methods",
    "properties",
    "props",
    "routes",
    "rules",
    "setup",
    "state",
    "statements",
    "styles",
    "test",
    "tests",
    "the class",
    "the component",
    "the file",
    "the function",
    "the method",
];

/// Comments that stand for removed code as a whole, once dots and a `plandex:` in front are taken off.
const REMOVAL_PHRASES: &[&str] = &[
    "removed",
    "removed code",
    "code removed",
    "removed lines",
    "lines removed",
    "removed line",
    "line removed",
    "deleted",
    "deleted code",
    "code deleted",
    "remove this",
    "delete this",
    "removed this",
    "code was removed here",
    "code removed here",
    "removed block",
    "block removed",
];

static KEYS: LazyLock<AhoCorasick> = LazyLock::new(|| {
    AhoCorasick::builder()
        .match_kind(MatchKind::LeftmostFirst)
        .build(KEY_PHRASES)
        .expect("a short constant list of words always builds")
});

/// Longest line that can be a marker, in bytes. Larger: a minified line is searched for words in vain; smaller:
/// a described placeholder may be cut.
const LONGEST_MARKER: usize = 200;

/// Longest line that is searched for a marker behind its code, in bytes. Larger: a minified line costs its square; smaller:
/// a marker behind long code is missed.
const LONGEST_LINE: usize = 1_000;

/// Reads a line as a marker; `None` for code.
pub(crate) fn read(line: &str) -> Option<Marker> {
    let line = line.trim();
    if line.is_empty() || line.len() > LONGEST_MARKER {
        return None;
    }
    let (body, is_comment) = comment_body(line);
    let lower = body.to_lowercase().replace(['…', '⋮'], "...");
    let text = lower.trim();
    // `[...]`, `(...)`: brackets around nothing but dots.
    let text = if text.contains("..") && text.trim_matches(is_decoration).is_empty() { "..." } else { text };
    let leading = text.starts_with("..");
    let trailing = text.ends_with("..");
    let words = text.trim_matches(|c: char| c == '.' || c.is_whitespace());

    if is_comment && words.starts_with("plandex: removed") {
        return Some(Marker::Removal(Certainty::Certain));
    }
    if leading
        && trailing
        && matches!(
            words.trim_matches(['(', ')', '[', ']']),
            "existing code" | "rest of code" | "rest of the code" | "existing"
        )
    {
        return Some(Marker::Reference(Certainty::Certain));
    }
    if !is_comment {
        // Bare text needs both: dots around and words that no program has.
        let plain = leading
            && trailing
            && KEYS.is_match(words)
            && words.chars().all(|c| c.is_alphanumeric() || " ,'-()".contains(c));
        return plain.then_some(Marker::Reference(Certainty::UnlessInFile));
    }
    if REMOVAL_PHRASES.contains(&words.trim_matches(['(', ')', '[', ']', ':'])) {
        return Some(Marker::Removal(Certainty::UnlessInFile));
    }
    let reference = if words.is_empty() {
        leading
    } else if leading && trailing {
        words.len() <= 60
    } else if leading {
        KEYS.is_match(words) || words == "rest"
    } else if trailing {
        let words = words.strip_prefix("the ").unwrap_or(words);
        OPENING_PHRASES.iter().any(|phrase| words.starts_with(phrase) || words == phrase.trim_end())
    } else {
        is_whole_phrase(words) || is_loose(line)
    };
    reference.then_some(Marker::Reference(Certainty::UnlessInFile))
}

/// Words by which a comment may say that it stands for something, short of being a reference.
const HINTS: &[&str] = &[
    "unchanged",
    "not changed",
    "same",
    "as above",
    "as before",
    "existing",
    "previous",
    "original",
    "omitted",
    "etc",
    "snip",
    "remain",
    "rest of",
    "the rest",
    "other code",
    "stays",
    "keep",
    "untouched",
    "⋮",
];

/// Says whether a line is a comment and nothing else, in the sign of any language, or a bare `...` or `pass`.
pub(crate) fn is_no_code(line: &str) -> bool {
    let line = line.trim();
    let bare = line.trim_matches(|c: char| "[](){}<>*_>\"'. ".contains(c) || c == '…');
    comment_body(line).1 || bare.is_empty() && line.contains(['.', '…']) || bare == "pass" || bare == "pass;"
}

/// Says whether a comment, or a line of dots, hints that it stands for lines that aren't shown.
pub(crate) fn hints_at_unshown(line: &str) -> bool {
    let line = line.trim();
    let lower = line.to_lowercase();
    let text = lower.trim_matches(|c: char| "[](){}<>*_>\"' ".contains(c));
    let dots = (text.starts_with("...") || text.starts_with('…')) && (text.ends_with("...") || text.ends_with('…'));
    let is_short = line.split_whitespace().count() <= 10;
    dots || (is_short && is_no_code(line) && HINTS.iter().any(|hint| lower.contains(hint)))
}

/// Says whether a line has dots at both ends as a reference has, whatever its words: nobody writes so in a file.
pub(crate) fn has_dots_around(line: &str) -> bool {
    let (body, is_comment) = comment_body(line.trim());
    let text = body.trim();
    let dots = |text: &str| text.starts_with("...") || text.starts_with('…');
    let ends = text.ends_with("...") || text.ends_with('…');
    let words = text.trim_matches(|c: char| c == '.' || c == '…' || c.is_whitespace());
    let is_prose = is_comment || KEYS.is_match(&words.to_lowercase());
    dots(text) && ends && is_prose && words.contains(char::is_alphabetic)
}

/// Takes the comment signs off a line; the flag says whether there were any.
fn comment_body(line: &str) -> (&str, bool) {
    for (open, close) in BLOCK_SIGNS {
        if let Some(body) = line.strip_prefix(open).and_then(|rest| rest.trim_end().strip_suffix(close)) {
            return (body.trim_matches(['*', '!', ' ']), true);
        }
    }
    for sign in LINE_SIGNS {
        if let Some(body) = line.strip_prefix(sign) {
            return (body.strip_suffix(sign).unwrap_or(body), true);
        }
    }
    (line, false)
}

/// Says whether a comment is a reference by the thing it names alone, such as `// existing methods`: so loose that it has
/// to stand for something to be believed.
pub(crate) fn is_loose(line: &str) -> bool {
    let (body, is_comment) = comment_body(line.trim());
    let lower = body.to_lowercase();
    let words = lower.trim_matches(is_decoration);
    let words = words.strip_suffix(" here").unwrap_or(words);
    let names = |opening: &str| words.strip_prefix(opening).is_some_and(|thing| THINGS.contains(&thing));
    is_comment && !body.contains("..") && !body.contains('…') && LOOSE_OPENINGS.iter().any(|opening| names(opening))
}

/// Says whether a line holds a reference beside other text: code before it, as in `fn area() { /* ... existing code ... */ }`,
/// words before it in its comment, or a body of dots alone.
pub(crate) fn holds_marker(line: &str) -> bool {
    let line = line.trim();
    if line.len() > LONGEST_LINE {
        return false;
    }
    let is_in_string = |at: usize| ['"', '\'', '`'].iter().any(|quote| line[..at].matches(*quote).count() % 2 == 1);
    let is_marker = |body: &str| {
        let comment = format!("// {}", body.trim());
        has_dots_around(&comment) || read(&comment).is_some()
    };
    let is_behind = |sign: &str, close: &str| {
        line.match_indices(sign).filter(|&(at, _)| at > 0 && !is_in_string(at)).any(|(at, _)| {
            let body = &line[at + sign.len()..];
            let body = if close.is_empty() { body } else { body.split_once(close).map_or(body, |(body, _)| body) };
            is_marker(body) || is_marker(body.trim_end_matches(['}', ')', ']', ' ', '\t', ';', ',']))
        })
    };
    // The comment may not end on the line, and other words may stand before, or behind bare dots.
    let signs = BLOCK_SIGNS.iter().map(|(open, _)| open).chain(LINE_SIGNS);
    let opens = signs.chain(&["..."]).any(|sign| line.starts_with(sign));
    let body = line.split_once('{').and_then(|(_, rest)| rest.rsplit_once('}'));
    opens && line.to_lowercase().contains("... existing code ...")
        || body.is_some_and(|(body, _)| matches!(body.trim(), "..." | "…"))
        || LINE_SIGNS.iter().filter(|sign| sign.len() < 3).any(|sign| is_behind(sign, ""))
        || BLOCK_SIGNS.iter().any(|(open, close)| is_behind(open, close))
}

/// Says whether a character is put around words to set them off.
fn is_decoration(c: char) -> bool {
    c.is_whitespace() || "()[]<>!-*=~_.".contains(c)
}

fn is_whole_phrase(words: &str) -> bool {
    let bare = words.trim_matches(is_decoration);
    (bare == "unchanged" && words.starts_with(['(', '[', '<']))
        || WHOLE_PHRASES.contains(&bare)
        || (bare.split_whitespace().count() <= 8
            && WHOLE_ENDINGS.iter().any(|ending| bare.ends_with(ending))
            && WHOLE_OPENINGS
                .iter()
                .any(|opening| bare.strip_prefix(opening).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(lines: &[&str], wanted: Option<Marker>) {
        for line in lines {
            assert_eq!(read(line), wanted, "{line:?}");
        }
    }

    #[test]
    fn canonical_references_are_certain() {
        check(
            &[
                "// ... existing code ...",
                "    # ... existing code ...",
                "-- ... existing code ...",
                "<!-- ... existing code ... -->",
                "{/* ... existing code ... */}",
                "/* ... existing code ... */",
                "// ...existing code...",
                "// … existing code …",
                "... existing code ...",
                "// ... Existing Code ...",
                "\"\"\"... existing code ...\"\"\"",
            ],
            Some(Marker::Reference(Certainty::Certain)),
        );
    }

    #[test]
    fn looser_wordings_yield_to_the_file() {
        check(
            &[
                "// ... rest of the class",
                "// ... imports as before ...",
                "# existing helpers...",
                "// rest of the code remains the same",
                "// (the rest is unchanged)",
                "// [unchanged]",
                "// [...]",
                "// (...)",
                "// ⋮",
                "// --- existing code ---",
                "// *** existing code ***",
                "// ...rest",
                "// same as original",
                "// Rest of code here",
                "// existing methods",
                "# remaining tests",
                "{/* existing content */}",
                "// The existing code...",
                "// keep the other methods",
                "// ... existing imports ...",
                "{/* ... rest of the fields ... */}",
                "/* ... rest of the file ... */",
                "// ...",
                "# ...",
                "// Rest of the file...",
                "// other methods remain unchanged",
                "... rest of the function ...",
            ],
            Some(Marker::Reference(Certainty::UnlessInFile)),
        );
    }

    #[test]
    fn removals_are_told_from_references() {
        check(&["// Plandex: removed code", "# plandex: removed"], Some(Marker::Removal(Certainty::Certain)));
        check(
            &["// removed", "// ... removed ...", "<!-- code removed -->", "# deleted code"],
            Some(Marker::Removal(Certainty::UnlessInFile)),
        );
    }

    #[test]
    fn code_and_ordinary_comments_are_no_markers() {
        check(
            &[
                "",
                "...",
                "    ...",
                "...rest",
                "...rest of args",
                "// Checking for existing users...",
                "// unchanged",
                "// the existing user is loaded first",
                "const MARKER = \"// ... existing code ...\";",
                "export const x = [...existing, ...other];",
                "# loading...",
                "// removed users are skipped",
                "print(\"... existing code ...\")",
                "// keep going",
                "/// The rest of the arguments.",
            ],
            None,
        );
    }

    #[test]
    fn markers_behind_code_are_seen() {
        for line in [
            "<!--prin... existing code ...",
            "fn area() { /* ... existing code ... */ }",
            "fn area() { // ... existing code ...",
            "fn area() { ... }",
            "def area(self): # ... rest of the function ...",
            "<p>{/* ... existing text ... */}</p>",
            "step() /* existing code */",
        ] {
            assert!(holds_marker(line), "{line:?}");
        }
        for line in [
            "let text = \"// ... existing code ...\";",
            "call(...args)",
            "func Sum(n ...int) int {",
            "catch (...) {",
            "x = y // the existing users come first",
            "const { a, ...rest } = b;",
        ] {
            assert!(!holds_marker(line), "{line:?}");
        }
    }
}
