//! Markers that only their neighbours tell.
//!
//! A reference may be the body of a comment that spans lines: what opens and closes the comment goes with it. And a line
//! of bare dots is a reference where the language has no such line, or, in Python, where it can't be the body of
//! anything.

use super::marker::{self, Certainty, Marker};
use super::{Force, Line, LineKind};
use crate::anchor::Index;
use crate::source::indent_of;
use crate::treesitter::Language;

/// What opens a comment on a line of its own, and what closes it.
const FRAMES: &[(&str, &str)] = &[
    ("/*", "*/"),
    ("/**", "*/"),
    ("{/*", "*/}"),
    ("<!--", "-->"),
    ("\"\"\"", "\"\"\""),
    ("'''", "'''"),
    ("=begin", "=end"),
];

/// Settles what the lines themselves leave open.
pub(super) fn settle(lines: &mut [Line<'_>], language: Option<Language>, index: &Index) {
    let bare: Vec<usize> = (0..lines.len()).filter(|&at| is_bare_reference(lines, at, language, index)).collect();
    for at in bare {
        lines[at].kind = LineKind::Reference;
    }
    let says = |line: &Line<'_>| line.kind != LineKind::Blank;
    let mut at = 0;
    while let Some(open) = (at..lines.len()).find(|&line| opens_frame(&lines[line])) {
        at = open + 1;
        let mut next = (open + 1..lines.len()).filter(|&line| says(&lines[line]));
        let (Some(body), Some(close)) = (next.next(), next.next()) else { continue };
        let pair = (lines[open].text.trim(), lines[close].text.trim());
        let is_known = |line: usize| index.count(lines[line].class) > 0;
        let Some(kind) = FRAMES.contains(&pair).then(|| kind_in_frame(&lines[body], is_known(body))).flatten() else {
            continue;
        };
        lines[body].kind = kind;
        for frame in [open, close] {
            (lines[frame].kind, lines[frame].force) = (LineKind::Blank, Force::Drop);
        }
        at = close + 1;
    }
}

fn opens_frame(line: &Line<'_>) -> bool {
    let text = line.text.trim();
    line.kind == LineKind::Code && line.force == Force::Free && FRAMES.iter().any(|&(open, _)| open == text)
}

/// Reads a line as the only one of a comment that spans lines.
fn kind_in_frame(line: &Line<'_>, is_in_file: bool) -> Option<LineKind> {
    if line.kind.is_marker() {
        return Some(line.kind);
    }
    if line.force != Force::Free {
        return None;
    }
    let text = line.text.trim();
    let words = text.strip_prefix('*').unwrap_or(text);
    match marker::read(&format!("// {}", words.trim()))? {
        Marker::Reference(Certainty::UnlessInFile) | Marker::Removal(Certainty::UnlessInFile) if is_in_file => None,
        Marker::Reference(_) => Some(LineKind::Reference),
        Marker::Removal(_) => Some(LineKind::Removal),
    }
}

/// Says whether a line of nothing but dots stands for lines that aren't shown.
fn is_bare_reference(lines: &[Line<'_>], at: usize, language: Option<Language>, index: &Index) -> bool {
    let line = &lines[at];
    let text = line.text.trim();
    let is_jsx = matches!(language, Some(Language::JavaScript | Language::Tsx));
    let is_bare = matches!(text, "..." | "…") || is_jsx && matches!(text, "{...}" | "{…}");
    if !is_bare || line.kind != LineKind::Code || line.force != Force::Free || index.count(line.class) > 0 {
        return false;
    }
    match language {
        Some(Language::Python) => !may_be_body(lines, at),
        Some(Language::C | Language::Cpp | Language::Lua | Language::Markdown | Language::Php | Language::Yaml)
        | None => false,
        Some(_) => true,
    }
}

/// Says whether a line of nothing but dots is no body, so that it can only be meant to stand for something.
pub(crate) fn is_stray_dots(lines: &[Line<'_>], at: usize) -> bool {
    matches!(lines[at].text.trim(), "..." | "…") && !may_be_body(lines, at)
}

/// Says whether a line may be the whole body of a Python block: it follows a header, a docstring or a comment, and
/// nothing at its depth follows it.
fn may_be_body(lines: &[Line<'_>], at: usize) -> bool {
    let indent = indent_of(&lines[at].text);
    let mut others = lines[..at].iter().rev().filter(|line| line.kind != LineKind::Blank);
    let Some(above) = others.next() else { return false };
    let text = above.text.trim();
    let opens = text.ends_with(':') && indent_of(&above.text).len() < indent.len();
    let is_note = text.ends_with("\"\"\"") || text.ends_with("'''") || text.starts_with('#');
    let below = lines[at + 1..].iter().find(|line| line.kind != LineKind::Blank);
    (opens || is_note) && below.is_none_or(|below| indent_of(&below.text).len() < indent.len())
}
