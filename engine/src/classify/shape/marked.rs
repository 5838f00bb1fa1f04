//! Lines marked `+` and `-` in a lazy snippet, with references or context between.

use super::unified::{is_git_line, is_header};
use crate::anchor::{Class, Index};
use crate::classify::known::Known;
use crate::classify::{Force, marker};
use crate::source::{Source, is_blank};

/// A line of a `+`/`-` shaped snippet.
pub(in crate::classify) struct Marked<'a> {
    pub(in crate::classify) text: &'a str,
    pub(in crate::classify) class: Class,
    pub(in crate::classify) force: Force,
    /// Whether the line is a `@@` header, which stands for unshown lines.
    pub(in crate::classify) hunk: bool,
    /// Whether the line is taken for text although it may as well be marked to go: the file has it with and without its
    /// sign.
    pub(in crate::classify) is_unclear: bool,
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
/// `-` lines stand in the original once the `-` is taken off. Without `-` lines, at least one `+` line.
///
/// A line that begins with such a sign and stands in the original as it is, is text: lists and comments begin so. Only
/// in a strict diff, which has a column in front of each line, it can't be.
///
/// `raw_classes` are those of the lines as they stand, `classes` those of the stripped lines, in order, for
/// lines that have a column.
pub(in crate::classify) fn as_diff<'a>(
    raw: &[&'a str],
    (raw_classes, classes): (&[Class], &[Class]),
    original: &Source<'_>,
    index: &Index,
    known: &Known<'_>,
) -> Option<Vec<Marked<'a>>> {
    if classes.is_empty() {
        return None;
    }
    let mut classes = classes.iter().copied();
    let columns = raw.iter().zip(raw_classes).map(|(&line, &raw_class)| match column(line) {
        Some((sign, rest)) => Column { sign, line, rest, raw_class, class: classes.next().unwrap_or(raw_class) },
        None => Column { sign: 0, line, rest: line, raw_class, class: raw_class },
    });
    let columns: Vec<Column<'a>> = columns.collect();
    let furniture = furniture(raw);
    // A context line has a blank in front in a strict diff and none in a loose one; the file decides which, and in a
    // strict one no line of the file begins in the first column.
    let count = |test: &dyn Fn(&Column<'a>) -> bool| columns.iter().filter(|column| test(column)).count();
    let n_strict = count(&|at| at.sign == b' ' && index.has_exactly(at.class, at.rest, original));
    let n_loose = count(&|at| matches!(at.sign, 0 | b' ') && at.stands_as_it_is(index, original));
    let is_strict = n_strict > n_loose;
    let is_marked = |column: &Column<'a>| {
        matches!(column.sign, b'+' | b'-') && (is_strict || !column.stands_as_it_is(index, original))
    };
    let marked: Vec<bool> =
        columns.iter().zip(&furniture).map(|(column, furniture)| furniture.is_none() && is_marked(column)).collect();
    let with = |sign: u8| {
        let lines = columns.iter().zip(&marked);
        lines.filter(move |(column, marked)| **marked && column.sign == sign).map(|(column, _)| column)
    };
    let is_known = |column: &&Column<'a>| column.rest.trim().is_empty() || index.count(column.class) > 0;
    let (n_minus, n_plus) = (with(b'-').count(), with(b'+').count());
    let n_known = with(b'-').filter(is_known).count();
    // What goes is gone and what comes is there: the change is in the file already.
    let mut gone = with(b'-').filter(|column| !column.rest.trim().is_empty()).peekable();
    let applied =
        n_plus > 0 && gone.peek().is_some() && !gone.any(|c| is_known(&c)) && with(b'+').all(|c| is_known(&c))
            || stands_as_wanted(&columns, &furniture, &marked, is_strict, known);
    // A list in Markdown or YAML has `-` lines as well; as `-` lines they are nowhere, as they stand they may be.
    // Indented code behind the signs is no list, even if it is misquoted.
    let is_indented = |column: &Column<'a>| column.rest.starts_with("  ") || column.rest.starts_with('\t');
    let is_code = n_minus > 0
        && n_plus > 0
        && with(b'-').chain(with(b'+')).all(|column| column.rest.is_empty() || is_indented(column))
        && !original.lines().any(|line| line.starts_with(['+', '-']));
    let is_diff = n_known * 2 >= n_minus || applied || is_strict || is_code;
    if n_minus + n_plus < 2 || !is_diff {
        return None;
    }
    if n_minus == 0 && raw.iter().any(|line| line.starts_with('+') && line[1..].trim().is_empty() && line.len() > 2) {
        return None;
    }
    let lines = columns.into_iter().zip(furniture).zip(marked);
    let read = |((column, furniture), marked): ((Column<'a>, Option<Furniture>), bool)| {
        let Column { sign, line, rest, raw_class, class } = column;
        let as_it_is = Marked { text: line, class: raw_class, force: Force::Free, hunk: false, is_unclear: false };
        let stripped = |force| Marked { text: rest, class, force, ..as_it_is };
        match (furniture, sign) {
            (Some(Furniture::Hunk), _) => Marked { hunk: true, ..as_it_is },
            (Some(Furniture::Note), _) => Marked { force: Force::Drop, ..as_it_is },
            (None, b'+') if marked => stripped(if applied { Force::Free } else { Force::New }),
            (None, b'-') if marked => stripped(if applied { Force::Drop } else { Force::Gone }),
            (None, b' ') if is_strict => stripped(Force::Free),
            (None, b'-') => Marked { is_unclear: index.has_exactly(class, rest, original), ..as_it_is },
            _ => as_it_is,
        }
    };
    Some(lines.map(read).collect())
}

/// Longest stretch between references that is looked for, in lines: of a longer one only a part would be compared.
const LONGEST_STRETCH: usize = 200;

/// Says whether every changed stretch stands in the original as it shall be, and none as it is said to be now.
fn stands_as_wanted(
    columns: &[Column<'_>],
    furniture: &[Option<Furniture>],
    marked: &[bool],
    is_strict: bool,
    known: &Known<'_>,
) -> bool {
    let text = |at: usize| if marked[at] || is_strict { columns[at].rest } else { columns[at].line };
    let parts = |&at: &usize| {
        furniture[at].is_some() || !marked[at] && marker::read(text(at)).is_some() && !known.has(text(at))
    };
    let all: Vec<usize> = (0..columns.len()).collect();
    let mut changed = all.split(|at| parts(at)).filter(|stretch| stretch.iter().any(|&at| marked[at])).peekable();
    let side = |stretch: &[usize], without: u8| -> Vec<&str> {
        let lines = stretch.iter().filter(|&&at| !marked[at] || columns[at].sign != without).map(|&at| text(at));
        let mut lines: Vec<&str> = lines.skip_while(|line| is_blank(line)).collect();
        // Blank lines at the ends are layout.
        lines.truncate(lines.iter().rposition(|line| !is_blank(line)).map_or(0, |last| last + 1));
        lines
    };
    let is_applied = |stretch: &[usize]| {
        let (old, new) = (side(stretch, b'+'), side(stretch, b'-'));
        // One line alone may well stand there for something else.
        let n_saying = new.iter().filter(|line| line.contains(char::is_alphanumeric)).count();
        n_saying > 1 && new.len() <= LONGEST_STRETCH && known.has_run(&new) && !known.has_run(&old)
    };
    changed.peek().is_some() && changed.all(is_applied) && !known.was_cut_short()
}

/// A line as it stands and without its first column; a sign of 0 says that it has none.
struct Column<'a> {
    sign: u8,
    line: &'a str,
    rest: &'a str,
    raw_class: Class,
    class: Class,
}

impl Column<'_> {
    fn stands_as_it_is(&self, index: &Index, original: &Source<'_>) -> bool {
        index.has_exactly(self.raw_class, self.line, original)
    }
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
