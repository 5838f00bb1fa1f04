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
//! says which first two and last four bytes (white space taken out) any snippet line has, another one which of
//! them with which length. What passes both is hashed and compared.
//!
//! An original that is kept from edit to edit has [`Digests`]; then the snippet's texts are looked up in those of each
//! block, and only as many lines are compared as there are blocks that have one.
//!
//! # Cost
//!
//! O(bytes of both texts); with digests O(blocks x texts of the snippet) and the lines found. One byte a line, and twelve
//! for each original line that the snippet has; no allocation per line.

use std::sync::Arc;

use hashbrown::HashTable;

use super::gap::UNFOLDED;
use crate::digest::{Digests, Hasher};
use crate::range::LineRange;
use crate::relief::Relief;
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

    fn name(self) -> usize {
        (self.class.0 - Class::FIRST_NAMED) as usize
    }
}

/// Rows that a long run of lines makes: both its ends and one that stands for all between.
const LONGEST_RUN: usize = 2 * UNFOLDED + 1;

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
    /// For each hit how many rows it and what is above make, with long runs of other lines folded.
    folded: Vec<u32>,
    /// Blank lines and indents.
    pub(crate) relief: Arc<Relief>,
    n_lines: usize,
}

impl Index {
    /// Classes `texts` (the snippet's lines) and looks every original line up. Gives the classes of `texts` too.
    pub(crate) fn new<'t>(original: &Source<'_>, texts: impl Iterator<Item = &'t str>) -> (Self, Vec<Class>) {
        let digests = original.digests();
        let mut names = Names::new(digests.map_or_else(Hasher::default, |digests| digests.hasher().clone()));
        let classes = texts.map(|text| names.add(text)).collect();
        let n_lines = original.n_lines();
        let (hits, relief) = match digests {
            Some(digests) => (names.find_in_blocks(original, digests), Arc::clone(digests.relief())),
            None => names.find_in_lines(original),
        };

        // How many rows each class has, and how many the file has up to each hit.
        let mut starts = vec![0_u32; names.texts.len() + 1];
        let mut above = (0, 0);
        let count = |hit: &Hit| {
            starts[hit.name()] += 1;
            above = (hit.row() + 1, above.1 + (hit.row() - above.0).min(LONGEST_RUN) + 1);
            above.1 as u32
        };
        let folded = hits.iter().map(count).collect();
        let mut end = 0;
        for start in &mut starts {
            end += *start;
            *start = end;
        }
        // Backwards, so that each class's rows rise and each start comes down to where it belongs.
        let mut rows = vec![0; hits.len()];
        for hit in hits.iter().rev() {
            let at = &mut starts[hit.name()];
            *at -= 1;
            rows[*at as usize] = hit.row;
        }
        (Self { hits, rows, starts, folded, relief, n_lines }, classes)
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

    /// Counts the rows that a range of lines makes where each line of a named class is a row, and of a long run of other
    /// lines only both ends and one row between.
    pub(crate) fn n_folded(&self, rows: LineRange) -> usize {
        let start = self.hits.partition_point(|hit| hit.row() < rows.start);
        let len = self.hits[start..].partition_point(|hit| hit.row() < rows.end);
        let Some(last) = len.checked_sub(1).map(|n| start + n) else { return rows.len().min(LONGEST_RUN) };
        let head = (self.hits[start].row() - rows.start).min(LONGEST_RUN) + 1;
        let tail = (rows.end - self.hits[last].row() - 1).min(LONGEST_RUN);
        head + (self.folded[last] - self.folded[start]) as usize + tail
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
    /// Nothing depends on the order of the table.
    table: HashTable<(u64, u32)>,
    hasher: Hasher,
    texts: Vec<&'t str>,
    /// What the texts have in digests.
    hashes: Vec<u32>,
    edges: Vec<u64>,
    lengths: Vec<u64>,
}

impl<'t> Names<'t> {
    fn new(hasher: Hasher) -> Self {
        Self {
            table: HashTable::new(),
            hasher,
            texts: Vec::new(),
            hashes: Vec::new(),
            edges: vec![0; FILTER_BITS / 64],
            lengths: vec![0; FILTER_BITS / 64],
        }
    }

    /// Looks every line of a text up, and says which are blank and how far the others are indented.
    fn find_in_lines(&mut self, original: &Source<'_>) -> (Vec<Hit>, Arc<Relief>) {
        let n_lines = original.n_lines();
        let (mut hits, mut relief) = (Vec::new(), Relief::with_capacity(n_lines));
        let text = original.text().as_bytes();
        for row in 0..n_lines {
            let bytes = original.bytes_of(LineRange::new(row, row + 1));
            let line = &text[bytes.start..bytes.end];
            if relief.push(line)
                && let Some(class) = self.find(line)
            {
                hits.push(Hit { row: row as u32, class });
            }
        }
        (hits, Arc::new(relief))
    }

    /// Looks the names up in the digests of a text's blocks.
    fn find_in_blocks(&self, original: &Source<'_>, digests: &Digests) -> Vec<Hit> {
        let mut wanted: Vec<(u32, u32)> = self.hashes.iter().copied().zip(0..).collect();
        wanted.sort_unstable();
        let mut hits = Vec::new();
        let mut found: Vec<(&[u16], Class)> = Vec::new();
        for block in digests.blocks() {
            let see = |rows: &'_ [u16], name: u32| {
                let is_it = |&row: &u16| {
                    equal_squeezed(self.texts[name as usize], original.line(block.lines.start + usize::from(row)))
                };
                rows.first().is_some_and(is_it)
            };
            // The shorter list is looked up in the longer one.
            if wanted.len() < block.n_texts() {
                for &(hash, name) in &wanted {
                    let rows = block.texts_of(hash).find(|rows| see(rows, name));
                    found.extend(rows.map(|rows| (rows, Class(name + Class::FIRST_NAMED))));
                }
            } else {
                for (hash, rows) in block.texts() {
                    let first = wanted.partition_point(|&(other, _)| other < hash);
                    let like = wanted[first..].iter().take_while(|&&(other, _)| other == hash);
                    let name = like.map(|&(_, name)| name).find(|&name| see(rows, name));
                    found.extend(name.map(|name| (rows, Class(name + Class::FIRST_NAMED))));
                }
            }
            block.in_order(&mut found, |row, class| hits.push(Hit { row: row as u32, class }));
        }
        hits
    }

    fn add(&mut self, text: &'t str) -> Class {
        if is_blank(text) {
            return Class::BLANK;
        }
        let hash = self.hasher.line(text.as_bytes());
        if let Some(class) = self.look_up(hash, text.as_bytes()) {
            return class;
        }
        let name = self.texts.len() as u32;
        self.texts.push(text);
        self.hashes.push(hash as u32);
        self.table.insert_unique(hash, (hash, name), |&(hash, _)| hash);
        let edges = edges(text.as_bytes());
        for (filter, key) in [(&mut self.edges, edges), (&mut self.lengths, with_length(edges, text.as_bytes()))] {
            let bit = bit(key);
            filter[bit / 64] |= 1 << (bit % 64);
        }
        Class(name + Class::FIRST_NAMED)
    }

    /// Gives the class of a line that isn't blank; `None` for a foreign one.
    fn find(&mut self, line: &[u8]) -> Option<Class> {
        let edges = edges(line);
        if !has(&self.edges, edges) || !has(&self.lengths, with_length(edges, line)) {
            return None;
        }
        let hash = self.hasher.line(line);
        self.look_up(hash, line)
    }

    fn look_up(&self, hash: u64, line: &[u8]) -> Option<Class> {
        let same = |&(other, name): &(u64, u32)| {
            other == hash && squeezed(self.texts[name as usize].as_bytes()).eq(squeezed(line))
        };
        self.table.find(hash, same).map(|&(_, name)| Class(name + Class::FIRST_NAMED))
    }
}

/// Gives the first two and the last four bytes of a line as one number, white space taken out.
fn edges(line: &[u8]) -> u64 {
    let line = line.trim_ascii();
    if let ([first, second, ..], Some(last)) = (line, line.last_chunk::<4>())
        && ![second, &last[0], &last[1], &last[2]].into_iter().any(u8::is_ascii_whitespace)
    {
        return joined([*first, *second], *last);
    }
    let (mut from_start, mut from_end) = (squeezed(line), squeezed(line).rev());
    let mut first = [0; 2];
    first.fill_with(|| from_start.next().copied().unwrap_or_default());
    let mut last = [0; 4];
    last.iter_mut().rev().for_each(|byte| *byte = from_end.next().copied().unwrap_or_default());
    joined(first, last)
}

fn joined(first: [u8; 2], last: [u8; 4]) -> u64 {
    u64::from(u16::from_le_bytes(first)) | u64::from(u32::from_le_bytes(last)) << 16
}

fn with_length(edges: u64, line: &[u8]) -> u64 {
    edges | (squeezed(line).count() as u64) << 48
}

/// Spreads a key over the bits of a filter.
///
/// # Source
///
/// Multiplicative hashing (Knuth, The Art of Computer Programming, volume 3, 6.4). A text that is made to collide only
/// gets hashed.
fn bit(key: u64) -> usize {
    (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 48) as usize
}

fn has(filter: &[u64], key: u64) -> bool {
    let bit = bit(key);
    filter[bit / 64] >> (bit % 64) & 1 == 1
}

/// Says whether two lines have the same text once white space is taken out.
pub(crate) fn equal_squeezed(a: &str, b: &str) -> bool {
    squeezed(a.as_bytes()).eq(squeezed(b.as_bytes()))
}

/// Gives the bytes of a line that aren't white space.
fn squeezed(line: &[u8]) -> impl DoubleEndedIterator<Item = &u8> + Clone {
    line.iter().filter(|byte| !byte.is_ascii_whitespace())
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

    #[test]
    fn long_runs_are_folded() {
        let text = "x\n".repeat(40) + "a\n" + &"x\n".repeat(3) + "a\na\n" + &"x\n".repeat(20);
        let (index, _) = Index::new(&Source::new(&text), ["a"].into_iter());
        let n_folded = |start, end| index.n_folded(LineRange::new(start, end));
        assert_eq!(n_folded(0, 66), LONGEST_RUN + 1 + 3 + 1 + 1 + LONGEST_RUN);
        assert_eq!([n_folded(0, 40), n_folded(30, 40), n_folded(35, 42), n_folded(40, 41)], [LONGEST_RUN, 10, 7, 1]);
        assert_eq!([n_folded(41, 45), n_folded(46, 60), n_folded(46, 66), n_folded(7, 7)], [4, 14, LONGEST_RUN, 0]);
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
