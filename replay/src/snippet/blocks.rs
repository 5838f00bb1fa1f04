//! Blocks by indentation: which line heads which, and where a block ends. No grammar is asked, so that the truth doesn't
//! depend on the parser that is measured.
//!
//! # Limits
//!
//! A multi-line string or a label at the margin ends a block too early. That makes a snippet less tidy, never wrong: what is shown
//! is checked for uniqueness afterwards, whatever chose it.

use std::ops::Range;

use crate::change::{indent_width, is_blank};

/// A declaration's signature may be spread over this many lines and still be shown in full.
const MAX_SIGNATURE_LINES: usize = 8;

/// The blocks of a text.
#[derive(Debug)]
pub(super) struct Blocks<'a> {
    lines: &'a [String],
    indent: Vec<usize>,
    parent: Vec<Option<usize>>,
}

impl<'a> Blocks<'a> {
    pub(super) fn new(lines: &'a [String]) -> Self {
        let indent: Vec<usize> = lines.iter().map(|line| indent_width(line)).collect();
        let mut parent = vec![None; lines.len()];
        let mut stack: Vec<usize> = Vec::new();
        for (n, line) in lines.iter().enumerate() {
            if is_blank(line) || is_transparent(line) {
                continue;
            }
            while stack.last().is_some_and(|&top| indent[top] >= indent[n]) {
                stack.pop();
            }
            parent[n] = stack.last().copied();
            stack.push(n);
        }
        Self { lines, indent, parent }
    }

    /// Gives the line that opens the statement which `line` continues: itself, unless it starts with a closing bracket
    /// or is an opening brace alone.
    pub(super) fn opener(&self, line: usize) -> usize {
        let mut at = line;
        while is_continuation(&self.lines[at]) {
            let found = (0..at)
                .rev()
                .filter(|&n| !is_blank(&self.lines[n]) && !is_transparent(&self.lines[n]))
                .take_while(|&n| self.indent[n] >= self.indent[line])
                .find(|&n| self.indent[n] == self.indent[line]);
            match found {
                Some(n) => at = n,
                None => return line,
            }
        }
        at
    }

    /// Gives the last line of the block that `head` opens; `head` itself if it opens none.
    pub(super) fn end(&self, head: usize) -> usize {
        let mut end = head;
        for n in head + 1..self.lines.len() {
            let line = &self.lines[n];
            if is_blank(line) || is_transparent(line) {
                continue;
            }
            if self.indent[n] > self.indent[head] {
                end = n;
            } else if self.indent[n] == self.indent[head] && is_continuation(line) {
                end = n;
                if !line.trim_end().ends_with(['{', '(', '[', ':']) {
                    break;
                }
            } else {
                break;
            }
        }
        end
    }

    /// Gives the first line of the declaration at `head`: its decorators, attributes and comments belong to it.
    pub(super) fn start(&self, head: usize) -> usize {
        let mut start = head;
        while let Some(above) = start.checked_sub(1) {
            let text = self.lines[above].trim_start();
            let belongs = ["@", "#[", "//", "/*", "*", "# ", "#:", "\"\"\""].iter().any(|sign| text.starts_with(sign));
            // The body of a block comment is indented by one more.
            if !belongs || self.indent[above] > self.indent[head] + 1 || self.indent[above] < self.indent[head] {
                break;
            }
            start = above;
        }
        start
    }

    /// Gives the heads of the blocks around the old lines `range` (empty for an insertion), innermost first. A block holds the range if it starts above it and ends at or below
    /// its end.
    pub(super) fn around(&self, range: &Range<usize>) -> Vec<usize> {
        let Some(mut at) =
            (0..range.start).rev().find(|&n| !is_blank(&self.lines[n]) && !is_transparent(&self.lines[n]))
        else {
            return Vec::new();
        };
        let last = if range.is_empty() { range.start } else { range.end - 1 };
        let mut heads = Vec::new();
        loop {
            let opener = self.opener(at);
            if self.end(opener) >= last && self.end(opener) > opener && !is_comment(&self.lines[opener]) {
                heads.push(opener);
            }
            match self.parent[opener] {
                Some(parent) => at = parent,
                None => return heads,
            }
        }
    }

    /// Gives the lines that show the block at `head` without its body: the signature and the closing line.
    pub(super) fn frame(&self, head: usize, at: usize) -> Vec<usize> {
        let end = self.end(head);
        let mut lines = vec![head];
        let mut last = head;
        for n in head + 1..=end {
            let line = &self.lines[n];
            if self.indent[n] == self.indent[head] && !is_blank(line) && is_continuation(line) {
                // `} else {` above the change, or the closing line; not the branches below the change.
                if n <= at || n == end {
                    // Only a signature is shown whole; the body of another branch isn't.
                    if line.trim_start().starts_with(')') && n - last <= MAX_SIGNATURE_LINES {
                        lines.extend(last + 1..n);
                    }
                    lines.push(n);
                }
                last = n;
            }
        }
        lines
    }

    pub(super) fn indent(&self, line: usize) -> usize {
        self.indent[line]
    }
}

/// Says whether a line goes on with a statement begun above at its indentation.
pub(super) fn is_continuation(line: &str) -> bool {
    let text = line.trim();
    text == "{" || text.starts_with(['}', ')', ']'])
}

/// Says whether a line is a comment, which heads no block although its text may be indented below it.
pub(super) fn is_comment(line: &str) -> bool {
    let text = line.trim_start();
    ["//", "/*", "*", "# ", "<!--"].iter().any(|sign| text.starts_with(sign))
}

/// Says whether a line stands at the margin whatever block it is in: a preprocessor line or a label.
fn is_transparent(line: &str) -> bool {
    ["#if", "#el", "#endif", "#define", "#undef", "#pragma"].iter().any(|sign| line.starts_with(sign))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<String> {
        text.lines().map(str::to_owned).collect()
    }

    #[test]
    fn blocks_are_found_by_indentation() {
        let text = lines(
            "class A {\n  // b\n  b(\n    x,\n  ) {\n    if (x) {\n      y()\n    } else {\n      z()\n    }\n  }\n}\nfoo()",
        );
        let blocks = Blocks::new(&text);
        assert_eq!(blocks.around(&(8..9)), [5, 2, 0]);
        assert_eq!(blocks.end(2), 10);
        assert_eq!(blocks.start(2), 1);
        assert_eq!(blocks.frame(2, 8), [2, 3, 4, 10]);
        assert_eq!(blocks.frame(5, 8), [5, 7, 9]);
        assert!(blocks.around(&(12..12)).is_empty());
        let text = lines("def a():\n    x\n\n    y\n\ndef b():\n    z\n");
        let blocks = Blocks::new(&text);
        assert_eq!((blocks.end(0), blocks.around(&(3..4))), (3, vec![0]));
        assert!(blocks.around(&(4..4)).is_empty(), "after the last line of a block nothing says it is inside");
    }
}
