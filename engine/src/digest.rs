//! What stands in the blocks of a text that is kept from edit to edit, so that an edit passes over few of them.
//!
//! A text without digests is passed over from end to end: for the lines of the snippet, for the words of names, for
//! what opens strings before a window. A digest answers the same for a block of some hundred lines without a look at
//! the text, or says that the block has to be looked at. So digests decide what an edit costs, never what comes of it.
//!
//! # Algorithm
//!
//! Of a block are kept: the hashes of its lines without white space, sorted, with the rows of each; a filter of bits for
//! these hashes and for those of all words; how many delimiters it opens; and its [`Trait`]s. Rows of one group are
//! known to be equal, so one comparison of text tells for all of them.
//!
//! # Cost
//!
//! About 40 ns a line to make. A search looks at every block, a tenth of a nanosecond to some nanoseconds a line. About
//! 9 bytes a line and an eighth of the text.

use std::hash::BuildHasher;
use std::sync::Arc;

use foldhash::fast::RandomState;

use crate::anchor::equal_squeezed;
use crate::range::LineRange;
use crate::relief::Relief;
use crate::source::{Source, is_blank};
use crate::traits::Trait;
use crate::treesitter::{Delimiters, Language};

/// Lines of a block. Larger: an edit makes more anew; smaller: each search looks at more blocks.
const MOST_LINES: usize = 512;

/// Lines below which a block is joined with the next one. Larger: more is made anew; smaller: edits leave crumbs.
const FEWEST_LINES: usize = 128;

/// Bits of a block's filter, one for each byte of its text within these bounds. More let fewer blocks through.
const FEWEST_BITS: usize = 256;
const MOST_BITS: usize = 1 << 16;

/// Hashes lines without their white space, and words. Keyed at random, since the texts are a stranger's: a hash is
/// compared first, and then the text.
#[derive(Debug, Clone, Default)]
pub(crate) struct Hasher {
    state: RandomState,
    squeezed: Vec<u8>,
}

impl Hasher {
    /// Hashes the text of a line without its white space.
    pub(crate) fn line(&mut self, line: &[u8]) -> u64 {
        self.squeezed.clear();
        self.squeezed.extend(line.iter().filter(|byte| !byte.is_ascii_whitespace()));
        self.state.hash_one(self.squeezed.as_slice())
    }

    fn word(&self, word: &[u8]) -> u32 {
        self.state.hash_one(word) as u32
    }
}

/// The digests of a text's blocks, which follow each other from the first line to the last.
#[derive(Debug, Clone)]
pub(crate) struct Digests {
    language: Option<Language>,
    hasher: Hasher,
    blocks: Vec<Block>,
    /// Shared with the index of an edit that goes on.
    relief: Arc<Relief>,
}

impl Digests {
    /// Digests a whole text, whose delimiters are those of `language`.
    pub(crate) fn new(source: &Source<'_>, language: Option<Language>) -> Self {
        let all = LineRange::new(0, source.n_lines());
        let relief = Arc::new(Relief::of(source, all));
        let mut digests = Self { language, hasher: Hasher::default(), blocks: Vec::new(), relief };
        digests.blocks = digests.made(source, all, all.len().div_ceil(MOST_LINES));
        digests
    }

    /// Follows a text from which `old` lines went and in which `new` lines took their place; `source` has them.
    ///
    /// # Cost
    ///
    /// Linear in the blocks that held the old lines, and an addition for each block behind them.
    pub(crate) fn replace(&mut self, source: &Source<'_>, old: LineRange, new: LineRange) {
        Arc::make_mut(&mut self.relief).replace(old, &Relief::of(source, new));
        let shift = |line: usize| line - old.end + new.end;
        let n = self.blocks.len();
        let mut first = self.blocks.partition_point(|block| block.lines.end <= old.start);
        let mut end = self.blocks.partition_point(|block| block.lines.start < old.end).max(first);
        loop {
            let start = self.blocks.get(first).map_or(old.start, |block| block.lines.start.min(old.start));
            let stop = end.checked_sub(1).map_or(old.end, |last| self.blocks[last].lines.end.max(old.end));
            let lines = LineRange::new(start, shift(stop));
            if lines.len() >= FEWEST_LINES || (first == 0 && end == n) {
                // What changes once changes again: there blocks are short.
                let n_blocks = match lines.len() {
                    len @ ..=MOST_LINES => (len / FEWEST_LINES).max(1).min(len),
                    len => len.div_ceil(MOST_LINES),
                };
                let made = self.made(source, lines, n_blocks);
                for block in &mut self.blocks[end..] {
                    block.lines = LineRange::new(shift(block.lines.start), shift(block.lines.end));
                }
                self.blocks.splice(first..end, made);
                return;
            }
            if end < n {
                end += 1;
            } else {
                first -= 1;
            }
        }
    }

    /// Makes so many blocks of some lines, all about as long.
    fn made(&mut self, source: &Source<'_>, lines: LineRange, n_blocks: usize) -> Vec<Block> {
        let start = |n: usize| lines.start + lines.len() * n / n_blocks;
        (0..n_blocks)
            .map(|n| Block::new(source, LineRange::new(start(n), start(n + 1)), self.language, &mut self.hasher))
            .collect()
    }

    /// Gives the hasher that made the digests.
    pub(crate) fn hasher(&self) -> &Hasher {
        &self.hasher
    }

    /// Gives the outline of the text's left edge.
    pub(crate) fn relief(&self) -> &Arc<Relief> {
        &self.relief
    }

    pub(crate) fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// Counts the bytes that are held.
    pub(crate) fn n_bytes(&self) -> usize {
        let of = |block: &Block| {
            size_of::<Block>()
                + size_of_val::<[u32]>(&block.hashes)
                + size_of_val::<[u16]>(&block.ends)
                + size_of_val::<[u16]>(&block.rows)
                + size_of_val::<[u64]>(&block.filter)
        };
        self.relief.n_bytes() + self.blocks.iter().map(of).sum::<usize>()
    }

    /// Says whether a line of any block has a trait.
    pub(crate) fn have(&self, wanted: Trait) -> bool {
        self.blocks.iter().any(|block| block.traits[wanted as usize])
    }

    /// Finds the lines that may hold all of some words, each a run of bytes between bytes that no word has; rising, and
    /// apart from each other.
    pub(crate) fn with_words(&self, words: &[&str]) -> Vec<LineRange> {
        let hashes: Vec<u32> = words.iter().map(|word| self.hasher.word(word.as_bytes())).collect();
        let blocks = self.blocks.iter().filter(|block| hashes.iter().all(|&hash| block.may_hold(hash)));
        joined(blocks.map(|block| block.lines))
    }

    /// Finds the lines that may hold one of some words.
    pub(crate) fn with_any_word(&self, words: &[&str]) -> Vec<LineRange> {
        let hashes: Vec<u32> = words.iter().map(|word| self.hasher.word(word.as_bytes())).collect();
        let blocks = self.blocks.iter().filter(|block| hashes.iter().any(|&hash| block.may_hold(hash)));
        joined(blocks.map(|block| block.lines))
    }

    /// Counts the delimiters of some lines; `None` for another language than that of the text.
    pub(crate) fn delimiters(&self, source: &Source<'_>, lines: LineRange, language: Language) -> Option<Delimiters> {
        if self.language != Some(language) {
            return None;
        }
        let mut count = Delimiters::default();
        let mut at = lines.start;
        let first = self.blocks.partition_point(|block| block.lines.end <= lines.start);
        for block in &self.blocks[first..] {
            let part = LineRange::new(at, block.lines.end.min(lines.end));
            if part.start >= lines.end {
                break;
            }
            if part == block.lines {
                count.join(&block.delimiters, language);
            } else {
                count.add(source.slice(part), language);
            }
            at = part.end;
        }
        Some(count)
    }
}

/// Joins neighbours.
fn joined(rising: impl Iterator<Item = LineRange>) -> Vec<LineRange> {
    let mut joined: Vec<LineRange> = Vec::new();
    for lines in rising {
        match joined.last_mut() {
            Some(last) if last.end == lines.start => last.end = lines.end,
            _ => joined.push(lines),
        }
    }
    joined
}

/// What stands in some lines.
#[derive(Debug, Clone)]
pub(crate) struct Block {
    pub(crate) lines: LineRange,
    /// The hashes of the lines that aren't blank, rising; equal ones only where texts differ all the same.
    hashes: Box<[u32]>,
    /// Where the rows of each hash end.
    ends: Box<[u16]>,
    /// The rows of each hash one after the other, rising within it, counted from the block's first line.
    rows: Box<[u16]>,
    filter: Box<[u64]>,
    traits: [bool; Trait::ALL.len()],
    delimiters: Delimiters,
}

impl Block {
    fn new(source: &Source<'_>, lines: LineRange, language: Option<Language>, hasher: &mut Hasher) -> Self {
        let text = source.slice(lines);
        let n_bits = text.len().next_power_of_two().clamp(FEWEST_BITS, MOST_BITS);
        let mut filter = vec![0_u64; n_bits / 64].into_boxed_slice();
        for word in words(text.as_bytes()) {
            set(&mut filter, hasher.word(word));
        }
        let line = |row: u16| source.line(lines.start + usize::from(row));
        let mut found: Vec<(u32, u16)> = Vec::with_capacity(lines.len());
        for row in 0..lines.len() as u16 {
            if !is_blank(line(row)) {
                let hash = hasher.line(line(row).as_bytes()) as u32;
                set(&mut filter, hash);
                found.push((hash, row));
            }
        }
        found.sort_unstable();
        let (mut texts, mut ends, mut rows) = (Vec::new(), Vec::new(), Vec::with_capacity(found.len()));
        for mut same in found.chunk_by_mut(|a, b| a.0 == b.0) {
            while let Some(&(hash, first)) = same.first() {
                // Texts that share a hash by chance are told apart.
                let differs = |&(_, row): &(u32, u16)| !equal_squeezed(line(row), line(first));
                same.sort_by_key(differs);
                let (equal, other) = same.split_at_mut(same.partition_point(|row| !differs(row)));
                rows.extend(equal.iter().map(|&(_, row)| row));
                texts.push(hash);
                ends.push(rows.len() as u16);
                same = other;
            }
        }
        let mut delimiters = Delimiters::default();
        if let Some(language) = language {
            delimiters.add(text, language);
        }
        let traits = Trait::ALL.map(|one| one.is_in(source, lines));
        Self { lines, hashes: texts.into(), ends: ends.into(), rows: rows.into(), filter, traits, delimiters }
    }

    /// Counts the different texts of the lines.
    pub(crate) fn n_texts(&self) -> usize {
        self.hashes.len()
    }

    /// Gives each text's hash and its rows, which rise and count from the block's first line.
    pub(crate) fn texts(&self) -> impl Iterator<Item = (u32, &[u16])> {
        (0..self.hashes.len()).map(|at| (self.hashes[at], self.rows_at(at)))
    }

    /// Gives the rows of each text that has a hash.
    pub(crate) fn texts_of(&self, hash: u32) -> impl Iterator<Item = &[u16]> {
        let first =
            if self.may_hold(hash) { self.hashes.partition_point(|&other| other < hash) } else { self.hashes.len() };
        (first..self.hashes.len()).take_while(move |&at| self.hashes[at] == hash).map(|at| self.rows_at(at))
    }

    /// Hands the rows of some texts to `visit`, rising and counted from the text's first line, each with what stands beside
    /// it; takes the texts out.
    pub(crate) fn in_order<T: Copy>(&self, texts: &mut Vec<(&[u16], T)>, mut visit: impl FnMut(usize, T)) {
        // Which text has each row: a bit for each row, and a number for those that are set.
        let (mut is_set, mut of) = ([0_u64; MOST_LINES / 64], [0_u16; MOST_LINES]);
        for (n, (rows, _)) in texts.iter().enumerate() {
            for &row in *rows {
                is_set[usize::from(row) / 64] |= 1 << (row % 64);
                of[usize::from(row)] = n as u16;
            }
        }
        for (n, mut word) in is_set.into_iter().enumerate() {
            while word != 0 {
                let row = n * 64 + word.trailing_zeros() as usize;
                visit(self.lines.start + row, texts[usize::from(of[row])].1);
                word &= word - 1;
            }
        }
        texts.clear();
    }

    fn rows_at(&self, at: usize) -> &[u16] {
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.rows[usize::from(start)..usize::from(self.ends[at])]
    }

    /// Says whether the block may hold a word or a line of a hash; if not, it doesn't.
    fn may_hold(&self, hash: u32) -> bool {
        let bit = bit(hash, self.filter.len());
        self.filter[bit / 64] >> (bit % 64) & 1 == 1
    }
}

fn set(filter: &mut [u64], hash: u32) {
    let bit = bit(hash, filter.len());
    filter[bit / 64] |= 1 << (bit % 64);
}

/// Spreads a hash over the bits of a filter of so many words.
fn bit(hash: u32, n_words: usize) -> usize {
    ((u64::from(hash) * (n_words as u64 * 64)) >> 32) as usize
}

/// Says whether a byte is part of a word: a letter, a digit, an underscore, or not ASCII.
pub(crate) fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii()
}

/// Cuts a text into its words.
pub(crate) fn words(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(|&byte| !is_word_byte(byte)).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(n: usize) -> String {
        (0..n).map(|at| if at % 3 == 0 { "}\n".to_owned() } else { format!("    call_{at}(`{at}`)\n") }).collect()
    }

    /// Blocks follow each other, none is too long, and each says of its lines what a look at them says.
    fn check(digests: &Digests, source: &Source<'_>) {
        let mut at = 0;
        for block in digests.blocks() {
            assert_eq!(block.lines.start, at);
            assert!(!block.lines.is_empty() && block.lines.len() <= MOST_LINES, "{:?}", block.lines);
            at = block.lines.end;
            let fresh = Block::new(source, block.lines, digests.language, &mut digests.hasher.clone());
            assert_eq!((&block.hashes, &block.ends, &block.rows), (&fresh.hashes, &fresh.ends, &fresh.rows));
            assert_eq!((&block.filter, block.traits), (&fresh.filter, fresh.traits));
            assert_eq!(block.delimiters, fresh.delimiters);
        }
        assert_eq!(at, source.n_lines());
        assert_eq!(**digests.relief(), Relief::of(source, LineRange::new(0, source.n_lines())));
    }

    #[test]
    fn a_change_leaves_the_digests_that_a_new_text_has() {
        let text = lines(3_000);
        let all: Vec<&str> = text.split_inclusive('\n').collect();
        for (old, n_new) in
            [(0..0, 1), (700..701, 1), (511..513, 0), (0..3_000, 0), (100..2_900, 5), (2_999..3_000, 900)]
        {
            let new =
                [&all[..old.start].concat(), &lines(n_new), &all[old.end..].concat()].map(String::as_str).concat();
            let mut digests = Digests::new(&Source::new(&text), Some(Language::Go));
            check(&digests, &Source::new(&text));
            let source = Source::new(&new);
            digests.replace(&source, LineRange::new(old.start, old.end), LineRange::new(old.start, old.start + n_new));
            check(&digests, &source);
        }
    }

    /// What a search looks at, without a clock.
    #[test]
    fn a_word_is_looked_for_in_few_blocks() {
        for n in [50_000, 200_000] {
            let text = lines(n);
            let digests = Digests::new(&Source::new(&text), Some(Language::Go));
            let count = |found: Vec<LineRange>| found.iter().map(|lines| lines.len()).sum::<usize>();
            let n_looked_at = count(digests.with_any_word(&["call_5000"]));
            // A filter lets about one block in eight through that has no such word, by chance.
            assert!((1..=n / 3).contains(&n_looked_at), "{n_looked_at} of {n} lines");
            assert!(count(digests.with_words(&["call_5000", "no_word"])) <= n_looked_at);
        }
    }

    #[test]
    fn texts_that_share_a_hash_are_told_apart() {
        // As if the hash had told nothing: all lines in one group.
        let block = Block {
            lines: LineRange::new(0, 2),
            hashes: Box::new([7, 7]),
            ends: Box::new([1, 2]),
            rows: Box::new([0, 1]),
            filter: vec![u64::MAX; FEWEST_BITS / 64].into(),
            traits: [false; Trait::ALL.len()],
            delimiters: Delimiters::default(),
        };
        assert_eq!(block.texts_of(7).collect::<Vec<_>>(), [[0], [1]]);
        assert_eq!(block.texts_of(8).count(), 0);
    }
}
