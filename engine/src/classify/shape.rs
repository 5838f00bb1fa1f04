//! Telling shapes apart: a lazy snippet, a whole new file, lines marked `+` and `-`.

use super::{Description, Force, LineKind, Snippet};
use crate::anchor::{Class, Index};
use crate::range::LineRange;
use crate::source::Source;

/// Share of the original's lines that a snippet without markers must have to be taken for the whole file, in
/// percent. Larger: a rewritten file is merged as if something were left out; smaller: a long fragment
/// replaces the file.
const WHOLE_FILE_PERCENT: usize = 60;

/// A line of a `+`/`-` shaped snippet.
pub(super) struct Marked<'a> {
    pub(super) text: &'a str,
    pub(super) class: Class,
    pub(super) force: Force,
    /// Whether the line is a `@@` header, which stands for unshown lines.
    pub(super) hunk: bool,
}

/// What the first column of a line says in a `+`/`-` shaped text.
fn column(line: &str) -> Option<(u8, &str)> {
    match line.as_bytes() {
        [b'+' | b'-' | b' ', ..] => Some((line.as_bytes()[0], &line[1..])),
        _ => None,
    }
}

/// Gives each line without its `+`, `-` or blank, if the text may be `+`/`-` shaped at all.
pub(super) fn stripped_lines<'a>(raw: &[&'a str]) -> Vec<Option<&'a str>> {
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
pub(super) fn as_diff<'a>(
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

/// Lines of git's before the names of the files.
const GIT_LINES: &[&str] = &[
    "diff --git ",
    "index ",
    "new file mode ",
    "deleted file mode ",
    "old mode ",
    "new mode ",
    "similarity index ",
    "rename from ",
    "rename to ",
];

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
            if line.starts_with("@@") {
                in_head = false;
                Some(Furniture::Hunk)
            } else if line.starts_with("\\ ")
                || line.starts_with("*** ")
                || names(at)
                || at.checked_sub(1).is_some_and(names)
                || (in_head && GIT_LINES.iter().any(|start| line.starts_with(start)))
            {
                Some(Furniture::Note)
            } else {
                in_head &= line.trim().is_empty();
                None
            }
        })
        .collect()
}

/// Says whether a snippet is the whole new file.
///
/// An announced overwrite without markers is; without announcement a text without markers that holds most of
/// the original's amount of lines and begins or ends as the original does. A description that names lines, or
/// only insertions, speaks of a part.
pub(super) fn is_whole_file(snippet: &Snippet<'_>, index: &Index, description: &Description) -> bool {
    if snippet.has_markers() {
        return false;
    }
    if description.overwrites() || index.n_lines() == 0 {
        return true;
    }
    if description.only_inserts() || !description.ranges.is_empty() {
        return false;
    }
    let code: Vec<Class> =
        snippet.lines.iter().filter(|line| line.kind == LineKind::Code).map(|line| line.class).collect();
    let all = LineRange::new(0, index.n_lines());
    let n_original = index.relief.n_code(all);
    let same_start = index.relief.first_code(all).map(|row| index.class(row)) == code.first().copied();
    let same_end = index.relief.last_code(all).map(|row| index.class(row)) == code.last().copied();
    (same_start || same_end) && code.len() * 100 > n_original * WHOLE_FILE_PERCENT
}
