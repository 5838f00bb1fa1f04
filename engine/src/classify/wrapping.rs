//! What models put around a text: a code fence, a line with the file's path, the line numbers of a view.
//!
//! Each is taken off only where it is surely not the file's: a fence or path line that stands in the file stays, and
//! numbers go only if more lines are the file's without them than with them. They place nothing, since views go stale;
//! but where most agree with the file, one that doesn't is a doubt.
//!
//! # Cost
//!
//! One look at the edges; one pass over both texts where lines begin with numbers.

use super::known::Known;
use super::marker;
use crate::outcome::Wrapping;
use crate::range::LineRange;
use crate::source::is_blank;
use crate::treesitter::Language;
use crate::verdict::{NeedsVerifyReason, ReasonKind};

/// Share of lines that must bear a number for it to be an echo of a numbered view, in percent.
const NUMBERED_PERCENT: usize = 80;

/// A text without what is around it.
#[derive(Debug)]
pub(super) struct Unwrapped<'a> {
    /// All lines handed in, without their numbers.
    pub(super) lines: Vec<&'a str>,
    /// The lines that are text; those before and behind are not.
    pub(super) text: LineRange,
    pub(super) wrapping: Vec<Wrapping>,
    /// The number that each line bore, if any did.
    pub(super) numbers: Vec<Option<usize>>,
    pub(super) doubts: Vec<NeedsVerifyReason>,
    /// The path line is a comment, as a file may begin with.
    pub(super) path_is_comment: bool,
}

/// Takes off what is around a text written for the file `path`.
pub(super) fn unwrap<'a>(
    lines: Vec<&'a str>,
    path: &str,
    language: Option<Language>,
    known: &Known<'_>,
) -> Unwrapped<'a> {
    let text = LineRange::new(0, lines.len());
    let mut unwrapped = Unwrapped {
        lines,
        text,
        wrapping: Vec::new(),
        numbers: Vec::new(),
        doubts: Vec::new(),
        path_is_comment: false,
    };
    // The path may stand before the fence or in it.
    unwrapped.take_path_line(path, known);
    unwrapped.take_fence(language, path, known);
    unwrapped.take_path_line(path, known);
    unwrapped.take_numbers(known);
    unwrapped
}

impl Unwrapped<'_> {
    fn edges(&self) -> Option<(usize, usize)> {
        let mut code = self.text.iter().filter(|&at| !is_blank(self.lines[at]));
        let first = code.next()?;
        Some((first, code.next_back().unwrap_or(first)))
    }

    fn take_path_line(&mut self, path: &str, known: &Known<'_>) {
        let Some((first, last)) = self.edges() else { return };
        let Some((named, is_comment)) = named_path(self.lines[first]) else { return };
        if self.wrapping.contains(&Wrapping::PathLine) || first == last || known.has(self.lines[first]) {
            return;
        }
        if !is_same_file(named, path) {
            // A folder and an extension: nobody writes that for anything else.
            let lines = LineRange::new(first, first + 1);
            let is_told = self.doubts.iter().any(|doubt| doubt.snippet_lines == Some(lines));
            if named.rsplit_once('/').is_some_and(|(_, name)| name.contains('.')) && !is_told {
                let message = format!("the text is said to be for `{named}`, which is another file");
                self.doubts.push(NeedsVerifyReason::new(ReasonKind::SnippetSuspicious, message).at_snippet(lines));
            }
            return;
        }
        self.text.start = first + 1;
        self.path_is_comment = is_comment;
        self.wrapping.push(Wrapping::PathLine);
    }

    fn take_fence(&mut self, language: Option<Language>, path: &str, known: &Known<'_>) {
        let Some((first, last)) = self.edges() else { return };
        let Some((sign, len, info)) = fence(self.lines[first]) else { return };
        // A block of a Markdown file is fenced as well.
        let is_text = language == Some(Language::Markdown) && !matches!(info, "md" | "markdown");
        // A docstring may hold fences, but no snippet of it begins with what no file has.
        let begins_snippet = |line: &str| {
            !known.has(line)
                && (marker::read(line).is_some()
                    || named_path(line).is_some_and(|(named, _)| is_same_file(named, path)))
        };
        let begins_snippet =
            self.lines[first + 1..=last].iter().find(|line| !is_blank(line)).is_some_and(|line| begins_snippet(line));
        if is_text || known.has(self.lines[first]) && known.has(self.lines[last]) && !begins_snippet {
            return;
        }
        // A fence with a word behind it opens another one in the text.
        let mut is_open = false;
        let ends_fence = |&at: &usize| match fence(self.lines[at].trim()) {
            Some((other, n, info)) if other == sign && n >= len => {
                let closes = info.is_empty() && !is_open;
                is_open = !info.is_empty();
                closes
            }
            _ => false,
        };
        let closers: Vec<usize> = (first + 1..self.text.end).filter(ends_fence).collect();
        match closers[..] {
            [only] if only == last => self.text = LineRange::new(first + 1, last),
            [] => {
                self.text.start = first + 1;
                let message = "a code fence is opened and not closed, so the end of the text may be missing";
                self.doubts.push(
                    NeedsVerifyReason::new(ReasonKind::SnippetSuspicious, message)
                        .at_snippet(LineRange::new(first, first + 1)),
                );
            }
            // Fences in the text, or text behind the fence.
            _ => return,
        }
        self.wrapping.push(Wrapping::Fence);
    }

    fn take_numbers(&mut self, known: &Known<'_>) {
        let is_text = |&at: &usize| {
            let line = self.lines[at];
            !is_blank(line) && marker::read(line).is_none() && !is_sign(line)
        };
        let text: Vec<usize> = self.text.iter().filter(is_text).collect();
        let numbered: Vec<(usize, usize, &str)> =
            text.iter().filter_map(|&at| numbered(self.lines[at]).map(|(number, rest)| (at, number, rest))).collect();
        if numbered.len() < 2 || numbered.len() * 100 < text.len() * NUMBERED_PERCENT {
            return;
        }
        let rising = numbered.windows(2).filter(|pair| pair[1].1 == pair[0].1 + 1).count();
        if rising * 2 < numbered.len() - 1 {
            return;
        }
        let short = |rest: &'_ str| -> usize { rest.len() - rest.strip_prefix(' ').unwrap_or(rest).len() };
        let says = |text: &str| text.contains(char::is_alphanumeric);
        let count =
            |text: &dyn Fn(usize, &str) -> bool| numbered.iter().filter(|&&(at, _, rest)| text(at, rest)).count();
        let as_is = count(&|at, _| known.has(self.lines[at]));
        let without = count(&|_, rest| says(rest) && known.has_exactly(rest));
        let without_blank = count(&|_, rest| says(rest) && known.has_exactly(&rest[short(rest)..]));
        if without.max(without_blank) <= as_is {
            return;
        }
        let lines: Vec<(usize, usize, usize)> = numbered
            .iter()
            .map(|&(at, number, rest)| {
                let cut = if without_blank > without { short(rest) } else { 0 };
                (at, number, self.lines[at].len() - rest.len() + cut)
            })
            .collect();
        self.numbers = vec![None; self.lines.len()];
        for (at, number, from) in lines {
            self.lines[at] = &self.lines[at][from..];
            self.numbers[at] = Some(number);
        }
        self.wrapping.push(Wrapping::LineNumbers);
        let shown = &self.lines[text.first().copied().unwrap_or(0)..text.last().map_or(0, |last| last + 1)];
        let is_all_known =
            || shown.iter().all(|line| is_blank(line) || known.has_exactly(line)) && known.has_run(shown);
        if numbered.len() == text.len() && is_all_known() {
            let message =
                "each line bears a number and is the file's without it, so the numbers may be what is to be added";
            let lines = LineRange::new(text[0], text[0] + shown.len());
            self.doubts.push(NeedsVerifyReason::new(ReasonKind::SnippetSuspicious, message).at_snippet(lines));
        }
    }
}

/// Says whether a line is a sign of a search/replace block or a header of a diff, which bears no number.
fn is_sign(line: &str) -> bool {
    let line = line.trim_start();
    ["<<<<<", "=====", ">>>>>", "@@", "*** ", "+++++", "-----"].iter().any(|sign| line.starts_with(sign))
}

/// Reads ```` ```rust ````: the sign, how many there are, and what follows.
fn fence(line: &str) -> Option<(char, usize, &str)> {
    let line = line.trim();
    let sign = line.chars().next().filter(|sign| matches!(sign, '`' | '~'))?;
    let len = line.len() - line.trim_start_matches(sign).len();
    let info = line[len..].trim();
    (len >= 3 && !info.contains(sign)).then_some((sign, len, info))
}

/// Reads a line that holds nothing but a path, with Markdown or comment signs around it; the flag says whether it is a
/// comment.
fn named_path(line: &str) -> Option<(&str, bool)> {
    let line = line.trim();
    if ["--- ", "+++ ", "*** "].iter().any(|sign| line.starts_with(sign)) {
        return None;
    }
    let is_comment = ["//", "/*", "--", "<!--", ";", "%"].iter().any(|sign| line.starts_with(sign))
        || (line.starts_with("# ") && line.ends_with(|c: char| c.is_alphanumeric()));
    let bare = |text: &'_ str| -> usize {
        text.len() - text.trim_start_matches(['#', '/', '*', '-', '<', '!', ';', '%', ' ', '`']).len()
    };
    let mut text = &line[bare(line)..];
    for word in ["File:", "file:", "FILE:", "Path:", "path:", "Filename:", "filename:"] {
        text = text.strip_prefix(word).unwrap_or(text).trim_start_matches([' ', '*', '`']);
    }
    let text = text.trim_end_matches(['*', '/', '-', '>', ' ', '`', ':']);
    let is_path = !text.is_empty()
        && !text.contains("://")
        && text.contains(['.', '/'])
        && !text.contains(|c: char| c.is_whitespace() || "()[]{}<>\"';,=".contains(c));
    is_path.then_some((text, is_comment))
}

/// Says whether two paths may name one file: one ends as the other.
pub(super) fn is_same_file(named: &str, path: &str) -> bool {
    let parts = |path: &'_ str| -> Vec<String> {
        path.split(['/', '\\']).filter(|part| !part.is_empty() && *part != ".").map(str::to_owned).collect()
    };
    let (named, path) = (parts(named), parts(path));
    let n = named.len().min(path.len());
    n > 0 && named[named.len() - n..] == path[path.len() - n..]
}

/// Reads `12| text`, `12: text` or `pdx-12: text`: the number and what follows the sign.
fn numbered(line: &str) -> Option<(usize, &str)> {
    let text = line.trim_start();
    let text = text.strip_prefix("pdx-").unwrap_or(text);
    let len = text.bytes().take_while(u8::is_ascii_digit).count();
    let number = text[..len].parse().ok()?;
    let rest = text[len..].trim_start_matches(' ');
    let sign = rest.chars().next()?;
    let rest = &rest[sign.len_utf8()..];
    let is_sign = match sign {
        '|' | '\u{2502}' | '\u{2192}' | '\t' => true,
        ':' => rest.is_empty() || rest.starts_with(' '),
        _ => false,
    };
    is_sign.then_some((number, rest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Source;

    #[track_caller]
    fn check(original: &str, text: &str, wanted: &[&str], wrapping: &[Wrapping]) {
        let source = Source::new(original);
        let known = Known::new(&source);
        let unwrapped = unwrap(text.lines().collect(), "src/a.go", None, &known);
        assert_eq!(&unwrapped.lines[unwrapped.text.iter()], wanted, "{text}");
        assert_eq!(unwrapped.wrapping, wrapping, "{text}");
    }

    #[test]
    fn what_is_around_goes() {
        use Wrapping::{Fence, LineNumbers, PathLine};
        let original = "one\n  two\nthree\n";
        check(original, "```go\none\n```\n", &["one"], &[Fence]);
        check(original, "src/a.go\n```go\none\n```\n", &["one"], &[PathLine, Fence]);
        check(original, "```go\n// src/a.go\none\n```\n", &["one"], &[Fence, PathLine]);
        check(original, "**`a.go`**:\none\n", &["one"], &[PathLine]);
        check(original, "### File: src/a.go\none\n", &["one"], &[PathLine]);
        check(original, "12| one\n13|   two\n14| 3\n", &["one", "  two", "3"], &[LineNumbers]);
        check(original, "12|one\n13|  two\n14|3\n", &["one", "  two", "3"], &[LineNumbers]);
        check(original, "pdx-1: one\npdx-2: new\n// ...\n", &["one", "new", "// ..."], &[LineNumbers]);
        check(original, " 1\u{2192}one\n 2\u{2192}  two\n", &["one", "  two"], &[LineNumbers]);
    }

    #[test]
    fn what_the_file_has_stays() {
        check("1: one\n2: two\n", "1: one\n2: 2\n3: three\n", &["1: one", "2: 2", "3: three"], &[]);
        check("```go\nx\n```\n", "```go\ny\n```\n", &["```go", "y", "```"], &[]);
        check("// a.go\nx\n", "// a.go\ny\n", &["// a.go", "y"], &[]);
        check("x\n", "other.go\ny\n", &["other.go", "y"], &[]);
        check("x\n", "--- src/a.go\n+++ src/a.go\n", &["--- src/a.go", "+++ src/a.go"], &[]);
        check("x\n", "1: a\n2: b\n", &["1: a", "2: b"], &[]);
    }
}
