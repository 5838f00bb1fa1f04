//! Which lines of a text are blank, and how far the others are indented, in little memory.
//!
//! Stretches of the original that nobody touches still have to be weighed: a reference that covers them covers so
//! many lines of code, indented at least so far. One bit a line and one number for each [`LINES_A_BLOCK`] lines
//! answer that without a look at the lines.
//!
//! # Cost
//!
//! A question about *n* lines takes *n* / 64 steps, and a look at up to 126 lines at its ends.

use crate::range::LineRange;
use crate::source::{Source, is_blank};

/// Lines that are summed up together: as many as a word has bits.
const LINES_A_BLOCK: usize = 64;

/// The outline of a text's left edge.
#[derive(Debug, Clone, Default)]
pub(crate) struct Relief {
    /// One bit a line: set where it is blank.
    blank: Vec<u64>,
    /// The least indent among the lines of a block that aren't blank; the largest number where all are.
    lowest: Vec<u32>,
    n_lines: usize,
}

impl Relief {
    /// Makes room for `n_lines` lines.
    pub(crate) fn with_capacity(n_lines: usize) -> Self {
        let n_blocks = n_lines.div_ceil(LINES_A_BLOCK);
        Self { blank: Vec::with_capacity(n_blocks), lowest: Vec::with_capacity(n_blocks), n_lines: 0 }
    }

    /// Adds the next line: the width of its indent, or `None` if it is blank.
    pub(crate) fn push(&mut self, indent: Option<u32>) {
        let bit = self.n_lines % LINES_A_BLOCK;
        if bit == 0 {
            self.blank.push(0);
            self.lowest.push(u32::MAX);
        }
        let block = self.n_lines / LINES_A_BLOCK;
        match indent {
            Some(width) => self.lowest[block] = self.lowest[block].min(width),
            None => self.blank[block] |= 1 << bit,
        }
        self.n_lines += 1;
    }

    /// Says whether a line is blank. Beyond the last line none is.
    pub(crate) fn is_blank(&self, line: usize) -> bool {
        self.blank.get(line / LINES_A_BLOCK).is_some_and(|word| word >> (line % LINES_A_BLOCK) & 1 == 1)
    }

    /// Counts the lines that aren't blank.
    pub(crate) fn n_code(&self, lines: LineRange) -> usize {
        let mut n_blank = 0;
        let mut at = lines.start;
        while at < lines.end {
            let bit = at % LINES_A_BLOCK;
            let n = (LINES_A_BLOCK - bit).min(lines.end - at);
            let mask = (u64::MAX >> (LINES_A_BLOCK - n)) << bit;
            n_blank += (self.blank[at / LINES_A_BLOCK] & mask).count_ones() as usize;
            at += n;
        }
        lines.len() - n_blank
    }

    /// Finds the first line in a range that isn't blank.
    pub(crate) fn first_code(&self, lines: LineRange) -> Option<usize> {
        let mut at = lines.start;
        while at < lines.end {
            let open = !self.blank[at / LINES_A_BLOCK] >> (at % LINES_A_BLOCK);
            if open != 0 {
                return Some(at + open.trailing_zeros() as usize).filter(|&line| line < lines.end);
            }
            at = (at / LINES_A_BLOCK + 1) * LINES_A_BLOCK;
        }
        None
    }

    /// Finds the last line in a range that isn't blank.
    pub(crate) fn last_code(&self, lines: LineRange) -> Option<usize> {
        let mut end = lines.end;
        while end > lines.start {
            let last = end - 1;
            let open = !self.blank[last / LINES_A_BLOCK] << (LINES_A_BLOCK - 1 - last % LINES_A_BLOCK);
            if open != 0 {
                return last.checked_sub(open.leading_zeros() as usize).filter(|&line| line >= lines.start);
            }
            end = last / LINES_A_BLOCK * LINES_A_BLOCK;
        }
        None
    }

    /// Finds the first line in a range that isn't blank and is indented by `width` at most. Also gives how many bytes were
    /// looked at, a byte for each line of those that were passed over together.
    pub(crate) fn first_at_most(&self, source: &Source<'_>, lines: LineRange, width: usize) -> (Option<usize>, usize) {
        let mut n_seen = 0;
        let mut at = lines.start;
        while at < lines.end {
            let block = at / LINES_A_BLOCK;
            let end = (block + 1) * LINES_A_BLOCK;
            if at.is_multiple_of(LINES_A_BLOCK) && end <= lines.end && self.lowest[block] as usize > width {
                n_seen += LINES_A_BLOCK;
                at = end;
                continue;
            }
            if !self.is_blank(at) {
                let (indent, n_bytes) = measure_indent(source.line(at).as_bytes());
                n_seen += n_bytes + 1;
                if indent <= width {
                    return (Some(at), n_seen);
                }
            }
            at += 1;
        }
        (None, n_seen)
    }

    /// Gives the width of the least indent among the lines that aren't blank; `None` if all are.
    pub(crate) fn lowest(&self, source: &Source<'_>, lines: LineRange) -> Option<usize> {
        let mut lowest: Option<usize> = None;
        let mut take = |width: usize| lowest = Some(lowest.map_or(width, |lowest| lowest.min(width)));
        let mut at = lines.start;
        while at < lines.end {
            let block = at / LINES_A_BLOCK;
            let end = (block + 1) * LINES_A_BLOCK;
            if at.is_multiple_of(LINES_A_BLOCK) && end <= lines.end {
                if self.lowest[block] != u32::MAX {
                    take(self.lowest[block] as usize);
                }
                at = end;
            } else {
                if !self.is_blank(at) {
                    take(indent_width(source.line(at)));
                }
                at += 1;
            }
        }
        lowest
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
                n => format!("{}x", " ".repeat(n * (at % 9))),
            };
            let text: String = (0..n).map(|at| line(at) + "\n").collect();
            let source = Source::new(&text);
            let mut relief = Relief::with_capacity(n);
            for line in source.lines() {
                relief.push((!is_blank(line)).then(|| indent_width(line) as u32));
            }
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
