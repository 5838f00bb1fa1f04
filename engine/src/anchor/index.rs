//! Which original lines have the text of some snippet line.
//!
//! The snippet's lines are put in a table by their text without white space: that is the loosest equality an
//! anchor may have, so lines of different *classes* never match at any level. Then one pass over the original
//! looks each line up. Only the lines that are found are kept, so what the index holds grows with the snippet and
//! not with the file.
//!
//! # Algorithm
//!
//! Nearly all lines of a file are foreign to a snippet, and most can be told by their edges: a small table of bits
//! says which first and last two letters (white space taken out) any snippet line has, another one which of
//! them with which length. What passes both is hashed and compared.
//!
//! # Cost
//!
//! O(bytes of both texts); one bit a line, and twelve bytes for each original line that the snippet has; no
//! allocation per line.

use foldhash::fast::RandomState;
use hashbrown::HashTable;
use std::hash::BuildHasher;

use crate::range::LineRange;
use crate::relief::{Relief, is_blank_after, measure_indent};
use crate::source::{Source, is_blank};

/// The text of a line without its white space, as a small number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Class(u32);

impl Class {
    /// A line without any text.
    pub(crate) const BLANK: Self = Self(0);
    /// An original line whose text no snippet line has. Such lines are not equal to each other.
    pub(crate) const FOREIGN: Self = Self(1);
    const FIRST_NAMED: u32 = 2;

    fn named(self) -> Option<usize> {
        self.0.checked_sub(Self::FIRST_NAMED).map(|n| n as usize)
    }
}

/// An original line whose text some snippet line has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Hit {
    row: u32,
    pub(crate) class: Class,
}

impl Hit {
    pub(crate) fn row(self) -> usize {
        self.row as usize
    }
}

/// How many original lines of one class are compared with a line. Larger: a closing bracket in a large file takes long;
/// smaller: an indentation that comes late is not seen.
const MOST_COMPARED: usize = 1_000;

/// Which original lines have which class.
#[derive(Debug, Clone)]
pub(crate) struct Index {
    /// The lines of a named class, rising.
    hits: Vec<Hit>,
    /// The rows of all hits, by class and rising within one.
    rows: Vec<u32>,
    /// Where the rows of each class begin, and where the last ones end.
    starts: Vec<u32>,
    /// Blank lines and indents.
    pub(crate) relief: Relief,
    n_lines: usize,
}

impl Index {
    /// Classes `texts` (the snippet's lines) and looks every original line up. Gives the classes of `texts` too.
    pub(crate) fn new<'t>(original: &Source<'_>, texts: impl Iterator<Item = &'t str>) -> (Self, Vec<Class>) {
        let mut names = Names::default();
        let classes = texts.map(|text| names.add(text)).collect();

        let mut hits: Vec<Hit> = Vec::new();
        let n_lines = original.n_lines();
        let mut relief = Relief::with_capacity(n_lines);
        for row in 0..n_lines {
            let line = original.slice(LineRange::new(row, row + 1));
            let (width, start) = measure_indent(line.as_bytes());
            if is_blank_after(line, line.as_bytes().get(start).copied()) {
                relief.push(None);
                continue;
            }
            relief.push(Some(width as u32));
            if let Some(class) = names.find(line) {
                hits.push(Hit { row: row as u32, class });
            }
        }

        let mut starts = vec![0_u32; names.texts.len() + 1];
        for hit in &hits {
            starts[hit.class.0 as usize - Class::FIRST_NAMED as usize] += 1;
        }
        let mut end = 0;
        for start in &mut starts {
            end += *start;
            *start = end;
        }
        // Backwards, so that each class's rows rise and each start comes down to where it belongs.
        let mut rows = vec![0; hits.len()];
        for hit in hits.iter().rev() {
            let at = &mut starts[hit.class.0 as usize - Class::FIRST_NAMED as usize];
            *at -= 1;
            rows[*at as usize] = hit.row;
        }
        (Self { hits, rows, starts, relief, n_lines }, classes)
    }

    /// Counts the original's lines.
    pub(crate) fn n_lines(&self) -> usize {
        self.n_lines
    }

    /// Gives the class of an original line; `FOREIGN` beyond the last one.
    ///
    /// # Cost
    ///
    /// A binary search among the hits.
    pub(crate) fn class(&self, row: usize) -> Class {
        if self.relief.is_blank(row) {
            return Class::BLANK;
        }
        self.hits.binary_search_by_key(&row, |hit| hit.row()).map_or(Class::FOREIGN, |at| self.hits[at].class)
    }

    /// Gives the lines of named classes in a range, rising.
    pub(crate) fn hits(&self, rows: LineRange) -> &[Hit] {
        let start = self.hits.partition_point(|hit| hit.row() < rows.start);
        let len = self.hits[start..].partition_point(|hit| hit.row() < rows.end);
        &self.hits[start..start + len]
    }

    /// Gives the original lines of a class, rising; none for blank and foreign lines.
    pub(crate) fn rows(&self, class: Class) -> &[u32] {
        class.named().map_or(&[], |name| &self.rows[self.starts[name] as usize..self.starts[name + 1] as usize])
    }

    /// Gives the original lines of a class in a range, rising.
    pub(crate) fn rows_in(&self, class: Class, rows: LineRange) -> &[u32] {
        let all = self.rows(class);
        let start = all.partition_point(|&row| (row as usize) < rows.start);
        let len = all[start..].partition_point(|&row| (row as usize) < rows.end);
        &all[start..start + len]
    }

    /// Counts the original lines of a class; zero for blank and foreign lines.
    pub(crate) fn count(&self, class: Class) -> usize {
        self.rows(class).len()
    }

    /// Says whether a line stands in the original as it is written, but for trailing blanks. Of a class that stands there
    /// very often the first [`MOST_COMPARED`] lines are looked at.
    pub(crate) fn has_exactly(&self, class: Class, line: &str, original: &Source<'_>) -> bool {
        let rows = self.rows(class).iter().take(MOST_COMPARED);
        rows.into_iter().any(|&row| original.line(row as usize).trim_end() == line.trim_end())
    }

    /// Gives the first original line of a class.
    pub(crate) fn first(&self, class: Class) -> Option<usize> {
        self.rows(class).first().map(|&row| row as usize)
    }

    /// Gives the only original line of a class.
    pub(crate) fn only(&self, class: Class) -> Option<usize> {
        match self.rows(class) {
            [row] => Some(*row as usize),
            _ => None,
        }
    }
}

/// Bits of a filter: 8 KiB, which a cache holds beside the text. Fewer let more foreign lines through.
const FILTER_BITS: usize = 1 << 16;

/// The distinct texts of a snippet, without their white space.
struct Names<'t> {
    /// Keyed at random, since the texts are a stranger's. Nothing depends on the order of the table.
    state: RandomState,
    table: HashTable<(u64, u32)>,
    texts: Vec<&'t str>,
    squeezed: Vec<u8>,
    edges: Vec<u64>,
    lengths: Vec<u64>,
}

impl Default for Names<'_> {
    fn default() -> Self {
        Self {
            state: RandomState::default(),
            table: HashTable::new(),
            texts: Vec::new(),
            squeezed: Vec::new(),
            edges: vec![0; FILTER_BITS / 64],
            lengths: vec![0; FILTER_BITS / 64],
        }
    }
}

impl<'t> Names<'t> {
    fn add(&mut self, text: &'t str) -> Class {
        if is_blank(text) {
            return Class::BLANK;
        }
        let hash = self.hash(text);
        if let Some(class) = self.look_up(hash, text) {
            return class;
        }
        let name = self.texts.len() as u32;
        self.texts.push(text);
        self.table.insert_unique(hash, (hash, name), |&(hash, _)| hash);
        let edges = edges(text.as_bytes());
        for (filter, key) in [(&mut self.edges, edges), (&mut self.lengths, with_length(edges, text))] {
            let bit = bit(key);
            filter[bit / 64] |= 1 << (bit % 64);
        }
        Class(name + Class::FIRST_NAMED)
    }

    /// Gives the class of a line that isn't blank; `None` for a foreign one.
    fn find(&mut self, line: &str) -> Option<Class> {
        let edges = edges(line.as_bytes());
        if !has(&self.edges, edges) || !has(&self.lengths, with_length(edges, line)) {
            return None;
        }
        let hash = self.hash(line);
        self.look_up(hash, line)
    }

    fn look_up(&self, hash: u64, line: &str) -> Option<Class> {
        let same = |&(other, name): &(u64, u32)| other == hash && equal_squeezed(self.texts[name as usize], line);
        self.table.find(hash, same).map(|&(_, name)| Class(name + Class::FIRST_NAMED))
    }

    fn hash(&mut self, line: &str) -> u64 {
        self.squeezed.clear();
        self.squeezed.extend(line.bytes().filter(|byte| !byte.is_ascii_whitespace()));
        self.state.hash_one(self.squeezed.as_slice())
    }
}

/// Gives the first two and the last two bytes of a line as one number, white space taken out.
fn edges(line: &[u8]) -> u32 {
    let is_text = |byte: &&u8| !byte.is_ascii_whitespace();
    let number = |byte: Option<&u8>| byte.copied().map_or(0, u32::from);
    let mut from_start = line.iter().filter(is_text);
    let (first, second) = (number(from_start.next()), number(from_start.next()));
    let mut from_end = line.iter().rev().filter(is_text);
    let (last, last_but_one) = (number(from_end.next()), number(from_end.next()));
    first | second << 8 | last << 16 | last_but_one << 24
}

fn with_length(edges: u32, line: &str) -> u32 {
    let length = line.bytes().filter(|byte| !byte.is_ascii_whitespace()).count();
    edges ^ (length as u32).wrapping_mul(0x9e37_79b9)
}

/// Spreads a key over the bits of a filter.
///
/// # Source
///
/// Multiplicative hashing (Knuth, The Art of Computer Programming, volume 3, 6.4). A text that is made to collide only
/// gets hashed.
fn bit(key: u32) -> usize {
    (key.wrapping_mul(0x9e37_79b1) >> 16) as usize
}

fn has(filter: &[u64], key: u32) -> bool {
    let bit = bit(key);
    filter[bit / 64] >> (bit % 64) & 1 == 1
}

/// Says whether two lines have the same text once white space is taken out.
pub(crate) fn equal_squeezed(a: &str, b: &str) -> bool {
    a.bytes().filter(|byte| !byte.is_ascii_whitespace()).eq(b.bytes().filter(|byte| !byte.is_ascii_whitespace()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_equal_text_share_a_class() {
        let original = Source::new("a b\n\n}\nx\n  }\n");
        let (index, classes) = Index::new(&original, ["  ab", "}", "new", ""].into_iter());
        let [ab, brace, new, blank] = classes[..] else { panic!("four classes") };
        let all: Vec<_> = (0..6).map(|row| index.class(row)).collect();
        assert_eq!(all, [ab, Class::BLANK, brace, Class::FOREIGN, brace, Class::FOREIGN]);
        assert_eq!(blank, Class::BLANK);
        assert_eq!([index.count(ab), index.count(brace), index.count(new), index.count(blank)], [1, 2, 0, 0]);
        assert_eq!((index.only(ab), index.only(brace), index.only(new)), (Some(0), None, None));
        assert_eq!(index.rows(brace), [2, 4]);
        assert_eq!(index.rows_in(brace, LineRange::new(3, 5)), [4]);
        let hits: Vec<_> = index.hits(LineRange::new(1, 4)).iter().map(|hit| hit.row()).collect();
        assert_eq!(hits, [2]);
    }

    /// The same by comparing every line with every text.
    #[test]
    fn every_line_is_found_that_a_search_of_all_finds() {
        let parts = ["", "x", " ", "\t", "if", "}", "ä", "\u{a0}", "\r", "\u{b}", "( )", "ab"];
        for seed in 0_usize..200 {
            let line = |at: usize| -> String {
                let pick = |n: usize| parts[(seed * 131 + at * 17 + n * (at + seed) + n * n) % parts.len()];
                (0..(seed + at) % 6).map(pick).collect()
            };
            let text: String = (0..20).map(|at| line(at) + "\n").collect();
            let original = Source::new(&text);
            let texts: Vec<String> = (20..30).map(line).collect();
            let (index, classes) = Index::new(&original, texts.iter().map(String::as_str));
            for row in 0..original.n_lines() {
                let line = original.line(row);
                let wanted = texts.iter().zip(&classes).find(|(text, _)| equal_squeezed(text, line));
                let wanted = match wanted {
                    _ if is_blank(line) => Class::BLANK,
                    Some((_, class)) => *class,
                    None => Class::FOREIGN,
                };
                assert_eq!(index.class(row), wanted, "{line:?} among {texts:?}");
            }
        }
    }
}
