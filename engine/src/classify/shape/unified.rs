//! Unified diffs, and patches in a `*** Begin Patch` envelope.
//!
//! Numbers and counts in `@@` lines are hints: models count badly. What follows the numbers is the heading of the block
//! around the hunk; a `@@` line without numbers names a header that the hunk stands below, and several of them one
//! after the other name one inside of the other.
//!
//! A line without a sign is context whose column was left out. Blank lines at the ends of a hunk are layout.

use super::{Draft, DraftLine, Reader, compare, partition};
use crate::classify::marker::{self, Marker};
use crate::classify::wrapping::is_same_file;
use crate::error::Error;
use crate::hunk::{Hint, Hunk, Op};
use crate::outcome::Shape;
use crate::range::LineRange;
use crate::source::is_blank;
use crate::verdict::{NeedsVerifyReason, ReasonKind};

/// Reads a text as a unified diff; `None` if it isn't one.
pub(super) fn read<'a>(
    reader: &Reader<'_, '_>,
    lines: &[&'a str],
    is_forced: bool,
) -> Result<Option<Draft<'a>>, Error> {
    let has = |test: &dyn Fn(&str) -> bool| lines.iter().any(|line| test(line));
    let has_change = (0..lines.len()).any(|at| lines[at].starts_with(['+', '-']) && !is_name(lines, at));
    let is_reference = |line: &str| {
        let text = line.strip_prefix(' ').unwrap_or(line);
        !line.starts_with(['+', '-', '@'])
            && matches!(marker::read(text), Some(Marker::Reference(_) | Marker::Removal(_)))
            && !reader.known.has(text)
    };
    let is_header = |line: &str| is_header(line) && !reader.known.has(line);
    let head = lines.iter().take_while(|line| is_blank(line) || is_git_line(line)).count();
    let begins = has(&is_header) || names(lines, head).is_some();
    if is_forced {
        if !has_change && !has(&is_header) {
            return Ok(None);
        }
    } else if !begins || !has_change || has(&is_reference) {
        return Ok(None);
    }
    let mut parser = Parser::new(reader, lines, Shape::Unified);
    let mut files: Vec<&str> = Vec::new();
    let mut in_head = true;
    let mut at = 0;
    while at < lines.len() {
        let line = lines[at];
        // Within a hunk these may be a line that goes and one that comes.
        let may_be_names = in_head || lines.get(at + 2).is_some_and(|line| is_header(line));
        if let Some((old, new)) = names(lines, at).filter(|_| may_be_names) {
            if new == "/dev/null" {
                return Err(reader.of_reply(Shape::Unified, at, "it deletes the file"));
            }
            // `a/` and `b/` are git's.
            let name = if new.is_empty() { old } else { new };
            let name = name.strip_prefix("b/").unwrap_or(name);
            if !files.contains(&name) {
                files.push(name);
            }
            parser.end_hunk();
            at += 2;
            continue;
        }
        if is_header(line) {
            in_head = false;
            parser.header(at);
        } else if in_head && (is_git_line(line) || is_blank(line)) || line.starts_with("\\ ") {
        } else {
            in_head = false;
            parser.body(at);
        }
        at += 1;
    }
    parser.check_files(&files, 0)?;
    Ok(Some(parser.finish()))
}

/// Reads marked lines without a header as one hunk, if what they show stands in the original as it is; `None` otherwise.
pub(super) fn read_contiguous<'a>(reader: &Reader<'_, '_>, lines: &[&'a str]) -> Option<Draft<'a>> {
    let is_marked = |line: &&&str| line.starts_with(['+', '-']);
    // Without two marks, or with marks that are the file's, it may as well be text.
    if lines.iter().filter(is_marked).count() < 2 || lines.iter().filter(is_marked).any(|line| reader.known.has(line)) {
        return None;
    }
    let is_other = |line: &str| is_header(line) || line.starts_with("*** ") || line.starts_with("\\ ");
    if lines.iter().any(|line| is_other(line)) || names(lines, 0).is_some() {
        return None;
    }
    let mut parser = Parser::new(reader, lines, Shape::Diff);
    for at in 0..lines.len() {
        parser.body(at);
    }
    let draft = parser.finish();
    let [hunk] = &draft.hunks[..] else { return None };
    let old = |with_column: bool| -> Vec<&str> {
        let line = |at: usize| &draft.lines[at];
        let column = |at: usize| line(at).with_column.filter(|_| with_column);
        hunk.old_lines().map(|at| column(at).unwrap_or(&line(at).text)).collect()
    };
    let says = |lines: &[&str]| lines.iter().any(|line| line.contains(char::is_alphanumeric));
    let stands = [false, true].into_iter().map(old).any(|old| says(&old) && reader.known.has_run(&old));
    let is_reference = |line: &str| {
        let text = line.trim_start_matches(['+', '-', ' ']);
        marker::read(text).is_some() && !reader.known.has(text)
    };
    (stands && !lines.iter().any(|line| is_reference(line))).then_some(draft)
}

/// Reads a text as a patch; `None` if it doesn't begin as one.
pub(super) fn read_patch<'a>(reader: &Reader<'_, '_>, lines: &[&'a str]) -> Result<Option<Draft<'a>>, Error> {
    let first = lines.iter().position(|line| !is_blank(line)).unwrap_or(0);
    let begins = |line: &str| {
        let sign = line.trim_end();
        sign == "*** Begin Patch" || sign.starts_with("*** Update File:") || sign.starts_with("*** Add File:")
    };
    let Some(line) = lines.get(first).filter(|line| begins(line) && !reader.known.has(line)) else { return Ok(None) };
    let has_envelope = line.trim_end() == "*** Begin Patch";
    let mut parser = Parser::new(reader, lines, Shape::Patch);
    let mut files: Vec<&str> = Vec::new();
    let mut is_closed = !has_envelope;
    for (at, line) in lines.iter().enumerate().skip(first) {
        let sign = line.trim_end();
        let name = ["*** Update File:", "*** Add File:"].iter().find_map(|word| sign.strip_prefix(word));
        if let Some(name) = name {
            if !files.contains(&name.trim()) {
                files.push(name.trim());
            }
            parser.end_hunk();
        } else if sign.starts_with("*** Delete File:") {
            return Err(reader.of_reply(Shape::Patch, at, "it deletes a file"));
        } else if sign.starts_with("*** Move to:") {
            return Err(reader.of_reply(Shape::Patch, at, "it moves the file"));
        } else if sign == "*** End of File" {
            parser.hunk.hint = Hint::End;
            parser.end_hunk();
        } else if sign == "*** Begin Patch" || sign == "*** End Patch" {
            parser.end_hunk();
            is_closed |= sign == "*** End Patch";
        } else if is_header(line) {
            parser.header(at);
        } else if is_closed && has_envelope && is_blank(line) {
        } else {
            parser.body(at);
        }
    }
    if !is_closed {
        let message = "the patch has no `*** End Patch`, so its end may be missing";
        let reason = NeedsVerifyReason::new(ReasonKind::SnippetSuspicious, message);
        parser.draft.doubts.push(reason.at_snippet(LineRange::new(first, first + 1)));
    }
    parser.check_files(&files, first)?;
    if parser.draft.hunks.is_empty() && parser.hunk.ops.is_empty() {
        return Err(reader.malformed(Shape::Patch, first, "it has no line that begins with `+` or `-`"));
    }
    Ok(Some(parser.finish()))
}

/// Says whether a line is `@@`, alone or with something behind it. `@@name` is a variable of Ruby's.
pub(super) fn is_header(line: &str) -> bool {
    line.trim_end() == "@@" || line.starts_with("@@ ")
}

/// Says whether a line names a file: `--- ` alone may be the removal of a comment.
fn is_name(lines: &[&str], at: usize) -> bool {
    names(lines, at).is_some() || at.checked_sub(1).is_some_and(|above| names(lines, above).is_some())
}

/// Finds a line that only a diff has: the names of its files, or a `@@` line.
pub(super) fn find_sign(reader: &Reader<'_, '_>, lines: &[&str]) -> Option<usize> {
    (0..lines.len()).find(|&at| (names(lines, at).is_some() || is_header(lines[at])) && !reader.known.has(lines[at]))
}

/// Reads the names of the old and the new file from the two lines at `at`.
fn names<'a>(lines: &[&'a str], at: usize) -> Option<(&'a str, &'a str)> {
    let name = |text: &'a str| text.split('\t').next().unwrap_or(text).trim();
    match lines.get(at..)? {
        [old, new, ..] => {
            let (old, new) = (old.strip_prefix("--- ")?, new.strip_prefix("+++ ")?);
            Some((name(old), name(new)))
        }
        _ => None,
    }
}

/// Lines of git's before the names of the files.
pub(super) fn is_git_line(line: &str) -> bool {
    const STARTS: &[&str] = &[
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
    STARTS.iter().any(|start| line.starts_with(start))
}

/// What a `@@` line says.
#[derive(Debug, PartialEq, Eq)]
enum Header<'a> {
    Nothing,
    /// The first old row, and the heading.
    Numbers(usize, &'a str),
    Scope(&'a str),
}

fn read_header(line: &str) -> Header<'_> {
    let rest = line.trim().trim_start_matches("@@");
    let (inside, heading) = rest.split_once("@@").unwrap_or((rest, ""));
    let (inside, heading) = (inside.trim(), heading.trim());
    let mut words = inside.split_whitespace();
    let range = words.next().and_then(|word| word.strip_prefix('-')).and_then(|word| {
        let (first, count) = word.split_once(',').unwrap_or((word, "1"));
        Some((number(first)?, number(count)?))
    });
    match range {
        // An insertion is said to be behind its line.
        Some((first, 0)) => Header::Numbers(first, heading),
        Some((first, _)) => Header::Numbers(first.saturating_sub(1), heading),
        None if inside.is_empty() || inside == "..." => match heading {
            "" => Header::Nothing,
            heading => Header::Scope(heading),
        },
        None => Header::Scope(inside),
    }
}

/// Reads a number; one that is too large is larger than any row.
fn number(text: &str) -> Option<usize> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().unwrap_or(usize::MAX))
}

/// Builds the hunks of a diff.
struct Parser<'p, 'r, 'o, 'a> {
    reader: &'p Reader<'r, 'o>,
    lines: &'p [&'a str],
    shape: Shape,
    draft: Draft<'a>,
    hunk: Hunk,
}

impl<'p, 'r, 'o, 'a> Parser<'p, 'r, 'o, 'a> {
    fn new(reader: &'p Reader<'r, 'o>, lines: &'p [&'a str], shape: Shape) -> Self {
        let signs = lines.iter().map(|line| DraftLine::sign(line)).collect();
        Self { reader, lines, shape, draft: Draft { lines: signs, ..Draft::default() }, hunk: Hunk::default() }
    }

    fn header(&mut self, at: usize) {
        if !self.hunk.ops.is_empty() {
            self.end_hunk();
        }
        match read_header(self.lines[at]) {
            Header::Nothing => {}
            Header::Numbers(row, heading) => {
                self.hunk.hint = Hint::Row(row);
                self.hunk.heading = Some(heading.to_owned()).filter(|heading| !heading.is_empty());
            }
            Header::Scope(header) => self.hunk.scopes.push((at, header.to_owned())),
        }
    }

    fn body(&mut self, at: usize) {
        let line = self.lines[at];
        let text = |text: &'a str| DraftLine::text(text);
        let (draft, op) = match line.as_bytes().first() {
            Some(b'+') => (text(&line[1..]), Op::New { new: at }),
            Some(b'-') => (text(&line[1..]), Op::Gone { old: at }),
            Some(b' ') => (DraftLine { with_column: Some(line), ..text(&line[1..]) }, Op::Keep { old: at, new: at }),
            _ => (text(line), Op::Keep { old: at, new: at }),
        };
        self.draft.lines[at] = draft;
        self.hunk.ops.push(op);
        self.hunk.lines.end = at + 1;
    }

    fn end_hunk(&mut self) {
        let mut hunk = std::mem::take(&mut self.hunk);
        let lines = self.lines;
        let is_layout = |op: &Op| matches!(op, Op::Keep { old, .. } if lines[*old].is_empty());
        while hunk.ops.last().is_some_and(is_layout) {
            hunk.ops.pop();
        }
        let n_layout = hunk.ops.iter().take_while(|op| is_layout(op)).count();
        hunk.ops.drain(..n_layout);
        hunk.ops = self.without_idle_changes(&hunk.ops);
        if hunk.ops.iter().any(|op| !matches!(op, Op::Keep { .. })) {
            self.draft.hunks.push(hunk);
        }
    }

    /// Ties what goes to what comes where it is the same line, so that only what differs counts as a change.
    fn without_idle_changes(&self, ops: &[Op]) -> Vec<Op> {
        let text = |line: usize| self.draft.lines[line].text.clone().into_owned();
        let mut out = Vec::with_capacity(ops.len());
        for run in ops.chunk_by(|a, b| is_change(*a) && is_change(*b)) {
            let (old, new): (Vec<usize>, Vec<usize>) = (
                run.iter().filter_map(|op| op.old_line()).collect(),
                run.iter().filter_map(|op| op.new_line()).collect(),
            );
            let is_idle =
                run.iter().copied().all(is_change) && old.iter().any(|&a| new.iter().any(|&b| text(a) == text(b)));
            // Lines are tied in the order they are shown in: first what goes, then what comes.
            if is_idle && old.last() < new.first() {
                out.extend(compare(&old, &new, text));
            } else {
                out.extend_from_slice(run);
            }
        }
        out
    }

    /// Sees to it that one file is edited, and the right one.
    fn check_files(&mut self, files: &[&str], at: usize) -> Result<(), Error> {
        match files {
            [] => {}
            [only] if is_same_file(only, self.reader.path) => {}
            [only] => {
                let message = format!("the {} is for `{only}`, which is another file", noun(self.shape));
                let reason = NeedsVerifyReason::new(ReasonKind::SnippetSuspicious, message);
                self.draft.doubts.push(reason.at_snippet(LineRange::new(at, at + 1)));
            }
            several => {
                let message = format!("it changes {} files, and one can be edited at a time", several.len());
                return Err(self.reader.of_reply(self.shape, at, message));
            }
        }
        Ok(())
    }

    fn finish(mut self) -> Draft<'a> {
        self.end_hunk();
        partition(&mut self.draft.hunks, self.lines.len());
        self.draft
    }
}

fn is_change(op: Op) -> bool {
    matches!(op, Op::Gone { .. } | Op::New { .. })
}

fn noun(shape: Shape) -> &'static str {
    if shape == Shape::Patch { "patch" } else { "diff" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_say_rows_headings_and_scopes() {
        assert_eq!(read_header("@@ -12,3 +14,4 @@ fn a() {"), Header::Numbers(11, "fn a() {"));
        assert_eq!(read_header("@@ -3,0 +4 @@"), Header::Numbers(3, ""));
        assert_eq!(read_header("@@ -99999999999999999999,4 +4,4 @@"), Header::Numbers(usize::MAX - 1, ""));
        assert_eq!(read_header("@@"), Header::Nothing);
        assert_eq!(read_header("@@ ... @@"), Header::Nothing);
        assert_eq!(read_header("@@ class A:"), Header::Scope("class A:"));
        assert_eq!(read_header("@@ def f() @@"), Header::Scope("def f()"));
        assert!(is_header("@@ x") && is_header("@@") && !is_header("@@count = 1"));
    }
}
