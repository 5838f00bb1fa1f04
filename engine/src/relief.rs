//! Which lines of a text are blank, and how far the others are indented, in a byte a line.
//!
//! Stretches of the original that nobody touches still have to be weighed: a reference that covers them covers so
//! many lines of code, indented at least so far. A byte a line answers that without a look at the lines.
//!
//! # Cost
//!
//! A question about *n* lines looks at *n* bytes, some tens of them at a time.

use crate::range::LineRange;
use crate::source::{Source, is_blank};

/// Stands for a blank line.
const BLANK: u8 = u8::MAX;

/// Stands for an indent of so much or more, which is measured anew where it matters.
const DEEP: u8 = BLANK - 1;

/// The outline of a text's left edge.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Relief {
    indents: Vec<u8>,
}

impl Relief {
    /// Makes room for `n_lines` lines.
    pub(crate) fn with_capacity(n_lines: usize) -> Self {
        Self { indents: Vec::with_capacity(n_lines) }
    }

    /// Looks at some lines of a text.
    pub(crate) fn of(source: &Source<'_>, lines: LineRange) -> Self {
        let mut relief = Self::with_capacity(lines.len());
        for at in lines {
            relief.push(source.slice(LineRange::new(at, at + 1)).as_bytes());
        }
        relief
    }

    /// Adds the next line, with its terminator or without; says whether it isn't blank.
    pub(crate) fn push(&mut self, line: &[u8]) -> bool {
        let (width, start) = measure_indent(line);
        // Before a letter, digit or sign there is no white space but that which is measured, in any script.
        let is_code = line.get(start).is_some_and(u8::is_ascii_graphic) || !str::from_utf8(line).is_ok_and(is_blank);
        self.indents.push(if is_code { width.min(usize::from(DEEP)) as u8 } else { BLANK });
        is_code
    }

    /// Puts what is known of other lines in the place of some.
    pub(crate) fn replace(&mut self, old: LineRange, new: &Self) {
        self.indents.splice(old.iter(), new.indents.iter().copied());
    }

    /// Counts the bytes that are held.
    pub(crate) fn n_bytes(&self) -> usize {
        self.indents.capacity()
    }

    /// Says whether a line is blank. Beyond the last line none is.
    pub(crate) fn is_blank(&self, line: usize) -> bool {
        self.indents.get(line) == Some(&BLANK)
    }

    /// Counts the lines that aren't blank.
    pub(crate) fn n_code(&self, lines: LineRange) -> usize {
        self.indents[lines.iter()].iter().filter(|&&indent| indent != BLANK).count()
    }

    /// Finds the first line in a range that isn't blank.
    pub(crate) fn first_code(&self, lines: LineRange) -> Option<usize> {
        self.indents[lines.iter()].iter().position(|&indent| indent != BLANK).map(|at| lines.start + at)
    }

    /// Finds the last line in a range that isn't blank.
    pub(crate) fn last_code(&self, lines: LineRange) -> Option<usize> {
        self.indents[lines.iter()].iter().rposition(|&indent| indent != BLANK).map(|at| lines.start + at)
    }

    /// Finds the first line in a range that isn't blank and is indented by `width` at most. Also gives how many bytes were
    /// looked at: one for each line, and the indents of lines so deep that they had to be measured.
    pub(crate) fn first_at_most(&self, source: &Source<'_>, lines: LineRange, width: usize) -> (Option<usize>, usize) {
        let mut n_measured = 0;
        let mut is_at_most = |line: usize, indent: u8| match indent {
            BLANK => false,
            DEEP if width >= usize::from(DEEP) => {
                let (indent, n_bytes) = measure_indent(source.line(line).as_bytes());
                n_measured += n_bytes;
                indent <= width
            }
            indent => usize::from(indent) <= width,
        };
        let found = lines.iter().zip(&self.indents[lines.iter()]).find(|&(line, &indent)| is_at_most(line, indent));
        let found = found.map(|(line, _)| line);
        (found, found.map_or(lines.len(), |line| line + 1 - lines.start) + n_measured)
    }

    /// Gives the width of the least indent among the lines that aren't blank; `None` if all are.
    pub(crate) fn lowest(&self, source: &Source<'_>, lines: LineRange) -> Option<usize> {
        match self.indents[lines.iter()].iter().copied().min() {
            None | Some(BLANK) => None,
            Some(DEEP) => {
                let code = lines.iter().filter(|&line| !self.is_blank(line));
                code.map(|line| indent_width(source.line(line))).min()
            }
            Some(width) => Some(usize::from(width)),
        }
    }
}

/// Measures the white space in front of a line, a tab as one stop of eight.
pub(crate) fn indent_width(line: &str) -> usize {
    measure_indent(line.as_bytes()).0
}

/// Measures the white space in front of a line: its width, and its length in bytes.
pub(crate) fn measure_indent(line: &[u8]) -> (usize, usize) {
    let mut width = 0;
    for (at, byte) in line.iter().enumerate() {
        match byte {
            b' ' => width += 1,
            b'\t' => width = (width / 8 + 1) * 8,
            _ => return (width, at),
        }
    }
    (width, line.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_those_of_the_lines() {
        for seed in 0_usize..60 {
            let n = seed * 7 % 300;
            let line = |at: usize| match (at * at + seed * 31 + at / 5) % (2 + seed % 7) {
                0 => String::from("  \t"),
                1 => String::new(),
                n => format!("{}x", " ".repeat(n * (at % 9) + if seed % 5 == 0 { 250 } else { 0 })),
            };
            let text: String = (0..n).map(|at| line(at) + "\n").collect();
            let source = Source::new(&text);
            let relief = Relief::of(&source, LineRange::new(0, n));
            for (start, end) in
                [(0, n), (n / 3, n), (n / 2, n / 2), (n / 4, n / 4 + n / 2), (n.min(64), n.max(64).min(n))]
            {
                let lines = LineRange::new(start, end);
                let code = || lines.iter().filter(|&at| !is_blank(source.line(at)));
                assert_eq!(relief.n_code(lines), code().count());
                assert_eq!(relief.first_code(lines), code().next());
                assert_eq!(relief.last_code(lines), code().next_back());
                assert_eq!(relief.lowest(&source, lines), code().map(|at| indent_width(source.line(at))).min());
                for width in [0, 1, 3, 8] {
                    let wanted = code().find(|&at| indent_width(source.line(at)) <= width);
                    assert_eq!(relief.first_at_most(&source, lines, width).0, wanted);
                }
            }
        }
    }
}
