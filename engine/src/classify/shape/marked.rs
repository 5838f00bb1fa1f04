//! Lines marked `+` and `-` in a lazy snippet, with references or context between.

use super::unified::{is_git_line, is_header};
use crate::anchor::{Class, Index};
use crate::classify::Force;
use crate::source::Source;

/// A line of a `+`/`-` shaped snippet.
pub(in crate::classify) struct Marked<'a> {
    pub(in crate::classify) text: &'a str,
    pub(in crate::classify) class: Class,
    pub(in crate::classify) force: Force,
    /// Whether the line is a `@@` header, which stands for unshown lines.
    pub(in crate::classify) hunk: bool,
}

/// What the first column of a line says in a `+`/`-` shaped text.
fn column(line: &str) -> Option<(u8, &str)> {
    match line.as_bytes() {
        [b'+' | b'-' | b' ', ..] => Some((line.as_bytes()[0], &line[1..])),
        _ => None,
    }
}

/// Gives each line without its `+`, `-` or blank, if the text may be `+`/`-` shaped at all.
pub(in crate::classify) fn stripped_lines<'a>(raw: &[&'a str]) -> Vec<Option<&'a str>> {
    let n_marked = raw.iter().filter(|line| line.starts_with(['+', '-'])).count();
    if n_marked < 2 {
        return Vec::new();
    }
    raw.iter().map(|line| column(line).map(|(_, rest)| rest)).collect()
}

/// Reads a text as `+`/`-` shaped, if that is what it is: at least two marked lines, and at least half of the
/// `-` lines stand in the original once the `-` is taken off. Without `-` lines, at least one `+` line, most of
/// which must not stand in the original with the `+`.
///
/// `raw_classes` are those of the lines as they stand, `classes` those of the stripped lines, in order, for
/// lines that have a column.
pub(in crate::classify) fn as_diff<'a>(
    raw: &[&'a str],
    raw_classes: &[Class],
    classes: &[Class],
    original: &Source<'_>,
    index: &Index,
) -> Option<Vec<Marked<'a>>> {
    if classes.is_empty() {
        return None;
    }
    let mut classes = classes.iter().copied();
    let columns: Vec<(u8, &'a str, Class)> = raw
        .iter()
        .zip(raw_classes)
        .map(|(line, &raw_class)| match column(line) {
            Some((sign, rest)) => (sign, rest, classes.next().unwrap_or(raw_class)),
            None => (0, *line, raw_class),
        })
        .collect();
    let furniture = furniture(raw);
    let text = || columns.iter().zip(&furniture).filter(|(_, furniture)| furniture.is_none()).map(|(column, _)| column);
    let minus: Vec<_> = text().filter(|(sign, ..)| *sign == b'-').collect();
    let n_known = minus.iter().filter(|(_, rest, class)| rest.trim().is_empty() || index.count(*class) > 0).count();
    let n_plus = text().filter(|(sign, ..)| *sign == b'+').count();
    // A list in Markdown or YAML has `-` lines as well; as `-` lines they are nowhere, as they stand they may be.
    // What goes is gone and what comes is there: the change is in the file already.
    let is_known = |(_, rest, class): &&(u8, &str, Class)| rest.trim().is_empty() || index.count(*class) > 0;
    let mut gone = minus.iter().filter(|(_, rest, _)| !rest.trim().is_empty()).peekable();
    let applied = n_plus > 0
        && gone.peek().is_some()
        && !gone.any(is_known)
        && text().filter(|c| c.0 == b'+').all(|c| is_known(&c));
    let is_diff = n_known * 2 >= minus.len() || applied;
    if minus.len() + n_plus < 2 || !is_diff || (minus.is_empty() && n_plus == 0) {
        return None;
    }
    if minus.is_empty() && raw.iter().any(|line| line.starts_with('+') && line[1..].trim().is_empty() && line.len() > 2)
    {
        return None;
    }
    // A context line has a blank in front in a strict diff and none in a loose one; the file decides which.
    let votes = |text: fn(&'a str) -> &'a str| {
        let agrees = |(line, (sign, _, class)): (&&'a str, &(u8, &'a str, Class))| {
            *sign == b' '
                && index.first(*class).is_some_and(|row| original.line(row).trim_end() == text(line).trim_end())
        };
        raw.iter().zip(&columns).filter(|pair| agrees(*pair)).count()
    };
    let drop_blank = votes(|line| &line[1..]) > votes(|line| line);
    Some(
        raw.iter()
            .zip(columns)
            .zip(furniture)
            .map(|((&line, (sign, rest, class)), furniture)| {
                let plain = |text| Marked { text, class, force: Force::Free, hunk: false };
                match sign {
                    _ if furniture == Some(Furniture::Hunk) => Marked { hunk: true, ..plain(line) },
                    _ if furniture == Some(Furniture::Note) => Marked { force: Force::Drop, ..plain(line) },
                    b'+' if applied => plain(rest),
                    b'-' if applied => Marked { force: Force::Drop, ..plain(rest) },
                    b'+' => Marked { force: Force::New, ..plain(rest) },
                    b'-' => Marked { force: Force::Gone, ..plain(rest) },
                    b' ' if drop_blank => plain(rest),
                    _ => plain(line),
                }
            })
            .collect(),
    )
}

/// What a diff holds beside the file's lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Furniture {
    /// A `@@` header: unshown lines.
    Hunk,
    /// File names, modes, `\ No newline at end of file`.
    Note,
}

/// Finds what is no text of the file. `--- ` alone may be the removal of a comment.
fn furniture(raw: &[&str]) -> Vec<Option<Furniture>> {
    let mut in_head = true;
    (0..raw.len())
        .map(|at| {
            let names = |at: usize| {
                raw.get(at).is_some_and(|line| line.starts_with("--- "))
                    && raw.get(at + 1).is_some_and(|line| line.starts_with("+++ "))
            };
            let line = raw[at];
            if is_header(line) {
                in_head = false;
                Some(Furniture::Hunk)
            } else if line.starts_with("\\ ")
                || line.starts_with("*** ")
                || names(at)
                || at.checked_sub(1).is_some_and(names)
                || (in_head && is_git_line(line))
            {
                Some(Furniture::Note)
            } else {
                in_head &= line.trim().is_empty();
                None
            }
        })
        .collect()
}
