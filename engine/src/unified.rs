//! A unified diff, made from the replacements alone.
//!
//! # Algorithm
//!
//! 1. Each replacement is widened to lines as `git apply` and `patch` count them: only `\n` ends one. In a
//!    text with lone `\r` ends, or where a replacement touches a last line without terminator, that takes in
//!    the whole line; replacements that then share a line become one change.
//! 2. Changes whose distance is at most twice the context share a hunk.
//! 3. Context lines are cut from the original around the hunk.
//!
//! # Cost
//!
//! Linear: one count of `\n` up to the last replacement, and the text that is written. Nothing is compared.

use std::borrow::Cow;
use std::fmt::Write as _;

use crate::range::ByteRange;
use crate::replacement::Replacement;

/// Writes `replacements` of `original` as a unified diff with `context` lines around each hunk.
///
/// `replacements` are taken as [`crate::Outcome::replacements`] gives them: rising and disjoint. Terminators
/// are copied, so the diff of a CRLF file holds CRLF; `git apply` and `patch` take it as it is. Without
/// replacements the diff is empty.
///
/// # Examples
///
/// ```
/// use treegraft::{ByteRange, LineRange, Replacement, unified};
///
/// let change = Replacement {
///     id: String::new(),
///     bytes: ByteRange::new(2, 4),
///     old_lines: LineRange::new(1, 2),
///     new_lines: LineRange::new(1, 2),
///     old: "b\n".into(),
///     new: "B\n".into(),
///     summary: String::new(),
/// };
/// assert_eq!(
///     unified("a\nb\nc\n", &[change], "a/x", "b/x", 3),
///     "--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n"
/// );
/// ```
#[must_use]
pub fn unified(original: &str, replacements: &[Replacement], old_name: &str, new_name: &str, context: usize) -> String {
    let changes = changes(original, replacements);
    let mut out = String::new();
    if changes.is_empty() {
        return out;
    }
    push_name(&mut out, "---", old_name);
    push_name(&mut out, "+++", new_name);
    let mut growth = 0_isize;
    for hunk in changes.chunk_by(|before, after| after.line - before.line_after() <= context.saturating_mul(2)) {
        growth += push_hunk(&mut out, original, hunk, context, growth);
    }
    out
}

/// A replacement widened to whole `\n` lines.
#[derive(Debug)]
struct Change<'a> {
    bytes: ByteRange,
    /// Zero-based number of the first line, counting `\n`.
    line: usize,
    n_old: usize,
    new: Cow<'a, str>,
}

impl Change<'_> {
    fn line_after(&self) -> usize {
        self.line + self.n_old
    }
}

/// Widens the replacements and joins those that share a line.
fn changes<'a>(original: &'a str, replacements: &'a [Replacement]) -> Vec<Change<'a>> {
    let mut widened: Vec<(ByteRange, Cow<'a, str>)> = Vec::with_capacity(replacements.len());
    for replacement in replacements {
        let ByteRange { start, end } = replacement.bytes;
        let first = line_start(original, start);
        match widened.last_mut() {
            Some((bytes, new)) if end_of_change(original, bytes.end, new) > first => {
                let new = new.to_mut();
                new.push_str(&original[bytes.end..start]);
                new.push_str(&replacement.new);
                bytes.end = end;
            }
            _ => {
                let new = match &original[first..start] {
                    "" => Cow::Borrowed(replacement.new.as_str()),
                    before => Cow::Owned([before, &replacement.new].concat()),
                };
                widened.push((ByteRange::new(first, end), new));
            }
        }
    }
    let (mut counted, mut line) = (0, 0);
    widened
        .into_iter()
        .map(|(mut bytes, mut new)| {
            let end = end_of_change(original, bytes.end, &new);
            if end > bytes.end {
                new.to_mut().push_str(&original[bytes.end..end]);
                bytes.end = end;
            }
            line += memchr::memchr_iter(b'\n', &original.as_bytes()[counted..bytes.start]).count();
            counted = bytes.start;
            Change { bytes, line, n_old: count_lines(&original[bytes.start..bytes.end]), new }
        })
        .collect()
}

/// Gives the byte offset at which the line of byte `at` starts.
fn line_start(text: &str, at: usize) -> usize {
    memchr::memrchr(b'\n', &text.as_bytes()[..at]).map_or(0, |newline| newline + 1)
}

/// Gives the byte offset after the line that holds byte `at`.
fn line_end(text: &str, at: usize) -> usize {
    memchr::memchr(b'\n', &text.as_bytes()[at..]).map_or(text.len(), |newline| at + newline + 1)
}

/// Gives where a change must end that supersedes the original up to `end` by `new`: there, if both sides are
/// whole lines, else after the line that `end` lies in or that `new` runs on into.
fn end_of_change(original: &str, end: usize, new: &str) -> usize {
    let whole_old = line_start(original, end) == end;
    let whole_new = new.is_empty() || new.ends_with('\n');
    if whole_old && whole_new { end } else { line_end(original, end) }
}

fn count_lines(text: &str) -> usize {
    memchr::memchr_iter(b'\n', text.as_bytes()).count() + usize::from(!text.is_empty() && !text.ends_with('\n'))
}

/// Writes one hunk and gives by how many lines it makes the file longer. `growth` is that of all hunks before.
fn push_hunk(out: &mut String, original: &str, hunk: &[Change<'_>], context: usize, growth: isize) -> isize {
    let (Some(first), Some(last)) = (hunk.first(), hunk.last()) else { return 0 };
    let (mut start, mut n_before) = (first.bytes.start, 0);
    while n_before < context && start > 0 {
        start = line_start(original, start - 1);
        n_before += 1;
    }
    let (mut end, mut n_after) = (last.bytes.end, 0);
    while n_after < context && end < original.len() {
        end = line_end(original, end);
        n_after += 1;
    }

    let n_old = n_before + (last.line_after() - first.line) + n_after;
    let grown: isize = hunk.iter().map(|change| signed(count_lines(&change.new)) - signed(change.n_old)).sum();
    let old_line = first.line - n_before;
    out.push_str("@@ -");
    push_span(out, old_line, n_old);
    out.push_str(" +");
    push_span(out, old_line.saturating_add_signed(growth), n_old.saturating_add_signed(grown));
    out.push_str(" @@\n");

    let mut at = start;
    for change in hunk {
        push_lines(out, ' ', &original[at..change.bytes.start]);
        push_lines(out, '-', &original[change.bytes.start..change.bytes.end]);
        push_lines(out, '+', &change.new);
        at = change.bytes.end;
    }
    push_lines(out, ' ', &original[at..end]);
    grown
}

/// Line counts stay below 2^32, see [`crate::Options::max_bytes`].
fn signed(n_lines: usize) -> isize {
    isize::try_from(n_lines).unwrap_or(isize::MAX)
}

/// Writes `first,count` as the format wants it: one-based, and for no lines the number of the line before.
fn push_span(out: &mut String, line: usize, n_lines: usize) {
    let first = if n_lines == 0 { line } else { line + 1 };
    let _ = match n_lines {
        1 => write!(out, "{first}"),
        _ => write!(out, "{first},{n_lines}"),
    };
}

fn push_lines(out: &mut String, sign: char, text: &str) {
    for line in text.split_inclusive('\n') {
        out.push(sign);
        out.push_str(line);
        if !line.ends_with('\n') {
            out.push_str("\n\\ No newline at end of file\n");
        }
    }
}

/// Writes a file's name as git does: quoted where it holds what would end or change the line, and followed by
/// a tab where it holds a blank, since `patch` would cut it there.
fn push_name(out: &mut String, sign: &str, name: &str) {
    out.push_str(sign);
    out.push(' ');
    if name.contains(|c: char| c.is_control() || c == '"' || c == '\\') {
        out.push('"');
        for c in name.chars() {
            match c {
                '"' | '\\' => out.extend(['\\', c]),
                '\n' => out.push_str("\\n"),
                '\t' => out.push_str("\\t"),
                '\r' => out.push_str("\\r"),
                c if c.is_control() => {
                    for byte in c.encode_utf8(&mut [0; 4]).bytes() {
                        let _ = write!(out, "\\{byte:03o}");
                    }
                }
                c => out.push(c),
            }
        }
        out.push('"');
    } else {
        out.push_str(name);
        if name.contains(' ') {
            out.push('\t');
        }
    }
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::LineRange;

    /// Makes replacements of byte ranges; line ranges are left out, since the diff doesn't use them.
    fn replacements(original: &str, edits: &[(usize, usize, &str)]) -> Vec<Replacement> {
        edits
            .iter()
            .map(|&(start, end, new)| Replacement {
                id: String::new(),
                bytes: ByteRange::new(start, end),
                old_lines: LineRange::default(),
                new_lines: LineRange::default(),
                old: original[start..end].to_owned(),
                new: new.to_owned(),
                summary: String::new(),
            })
            .collect()
    }

    fn result(original: &str, edits: &[(usize, usize, &str)]) -> String {
        let (mut text, mut at) = (String::new(), 0);
        for &(start, end, new) in edits {
            text.push_str(&original[at..start]);
            text.push_str(new);
            at = end;
        }
        text + &original[at..]
    }

    /// Applies a diff as strictly as can be: every count, number and context line must agree.
    fn patched(original: &str, diff: &str) -> String {
        let old: Vec<&str> = original.split_inclusive('\n').collect();
        let mut new: Vec<String> = Vec::new();
        let mut at = 0;
        let mut lines = diff.split_inclusive('\n').skip(2).peekable();
        while let Some(header) = lines.next() {
            let spans: Vec<(usize, usize)> = header
                .split(' ')
                .skip(1)
                .take(2)
                .map(|span| {
                    let (first, count) = span[1..].split_once(',').unwrap_or((&span[1..], "1"));
                    let (first, count): (usize, usize) = (first.parse().unwrap(), count.parse().unwrap());
                    (if count == 0 { first } else { first - 1 }, count)
                })
                .collect();
            new.extend(old[at..spans[0].0].iter().map(|&line| line.to_owned()));
            at = spans[0].0;
            assert_eq!(new.len(), spans[1].0, "the hunk starts where it says\n{diff}");
            let (mut n_old, mut n_new) = (0, 0);
            while n_old < spans[0].1 || n_new < spans[1].1 {
                let line = lines.next().expect("the hunk is as long as it says");
                let bare = lines.next_if(|next| next.starts_with("\\ No newline")).is_some();
                let text = &line[1..line.len() - usize::from(bare)];
                if matches!(&line[..1], " " | "-") {
                    assert_eq!(old[at], text, "{diff}");
                    (at, n_old) = (at + 1, n_old + 1);
                }
                if matches!(&line[..1], " " | "+") {
                    new.push(text.to_owned());
                    n_new += 1;
                }
            }
        }
        new.extend(old[at..].iter().map(|&line| line.to_owned()));
        new.concat()
    }

    fn check(original: &str, edits: &[(usize, usize, &str)], wanted: &str) {
        let diff = unified(original, &replacements(original, edits), "a", "b", 1);
        assert_eq!(diff.strip_prefix("--- a\n+++ b\n").unwrap_or(&diff), wanted);
        if !diff.is_empty() {
            assert_eq!(patched(original, &diff), result(original, edits));
        }
    }

    #[test]
    fn hunks_are_counted_as_git_counts() {
        check("", &[], "");
        check("", &[(0, 0, "a\n")], "@@ -0,0 +1 @@\n+a\n");
        check("a\n", &[(0, 2, "")], "@@ -1 +0,0 @@\n-a\n");
        check("a\nb\nc\n", &[(2, 4, "")], "@@ -1,3 +1,2 @@\n a\n-b\n c\n");
        check("a\nb\nc\n", &[(2, 2, "x\ny\n")], "@@ -1,2 +1,4 @@\n a\n+x\n+y\n b\n");
        check("a\nb\n", &[(4, 4, "c\n")], "@@ -2 +2,2 @@\n b\n+c\n");
    }

    #[test]
    fn near_hunks_are_one() {
        let near = "@@ -1,4 +1,4 @@\n-a\n+A\n b\n c\n-d\n+D\n";
        check("a\nb\nc\nd\n", &[(0, 2, "A\n"), (6, 8, "D\n")], near);
        let far = "@@ -1,2 +1,3 @@\n-a\n+A\n+A\n b\n@@ -4,2 +5,2 @@\n d\n-e\n+E\n";
        check("a\nb\nc\nd\ne\n", &[(0, 2, "A\nA\n"), (8, 10, "E\n")], far);
    }

    #[test]
    fn a_missing_final_newline_is_marked_on_its_side() {
        let bare = "\\ No newline at end of file\n";
        check("a\nb", &[(2, 3, "c")], &format!("@@ -1,2 +1,2 @@\n a\n-b\n{bare}+c\n{bare}"));
        check("a\nb", &[(0, 2, "x\n")], &format!("@@ -1,2 +1,2 @@\n-a\n+x\n b\n{bare}"));
        check("a", &[(1, 1, "\nb")], &format!("@@ -1 +1,2 @@\n-a\n{bare}+a\n+b\n{bare}"));
        check("a\nb", &[(1, 3, "")], &format!("@@ -1,2 +1 @@\n-a\n-b\n{bare}+a\n{bare}"));
    }

    #[test]
    fn carriage_returns_are_content() {
        check("a\r\nb\r\n", &[(3, 6, "c\r\n")], "@@ -1,2 +1,2 @@\n a\r\n-b\r\n+c\r\n");
        let bare = "\\ No newline at end of file\n";
        let whole = format!("@@ -1 +1 @@\n-a\rb\rc\r\n{bare}+A\rb\rC\r\n{bare}");
        check("a\rb\rc\r", &[(0, 2, "A\r"), (4, 6, "C\r")], &whole);
    }

    #[test]
    fn names_are_quoted_as_git_quotes() {
        let name = |name| unified("", &replacements("", &[(0, 0, "a\n")]), name, "b", 3);
        assert!(name("a/x y").starts_with("--- a/x y\t\n"));
        assert!(name("a/x\ny\u{1b}\"").starts_with("--- \"a/x\\ny\\033\\\"\"\n"));
        assert!(name("a/é").starts_with("--- a/é\n"));
    }

    #[test]
    fn one_change_looks_as_another_differ_writes_it() {
        let original = "a\nb\nc\nd\ne\nf\ng\nh\n";
        let edits = [(8, 10, "x\ny\n")];
        let ours = unified(original, &replacements(original, &edits), "a", "b", 3);
        let new = result(original, &edits);
        let theirs = similar::TextDiff::from_lines(original, &new);
        assert_eq!(ours, theirs.unified_diff().context_radius(3).header("a", "b").to_string());
    }

    proptest! {
        #[test]
        fn the_diff_makes_the_result(
            original in "[ab\r\n]{0,40}",
            cuts in proptest::collection::vec((0_usize..=40, "[xa\r\n]{0,5}"), 0..6),
            context in 0_usize..4,
        ) {
            let mut at: Vec<usize> = cuts.iter().map(|(at, _)| (*at).min(original.len())).collect();
            at.sort_unstable();
            let edits: Vec<(usize, usize, &str)> =
                at.chunks_exact(2).zip(&cuts).map(|(range, (_, new))| (range[0], range[1], new.as_str())).collect();
            let diff = unified(&original, &replacements(&original, &edits), "a", "b", context);
            prop_assert_eq!(patched(&original, &diff), result(&original, &edits));
        }
    }
}
