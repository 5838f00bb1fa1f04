//! Which original lines have the text of some snippet line.
//!
//! The snippet's lines are put in a table by their text without white space: that is the loosest equality an
//! anchor may have, so lines of different *classes* never match at any level. Then one pass over the original
//! looks each line up.
//!
//! # Cost
//!
//! O(bytes of both texts); four bytes a line; no allocation per line.

use foldhash::fast::RandomState;
use hashbrown::HashTable;
use std::hash::BuildHasher;

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

/// Classes of original and snippet lines.
#[derive(Debug, Clone)]
pub(crate) struct Index {
    /// One class for every original line.
    pub(crate) original: Vec<Class>,
    /// How often each named class occurs in the original, by class.
    counts: Vec<u32>,
    /// Where each named class occurs first in the original, by class.
    firsts: Vec<u32>,
}

impl Index {
    /// Classes `texts` (the snippet's lines) and looks every original line up. Gives the classes of `texts` too.
    pub(crate) fn new<'t>(original: &Source<'_>, texts: impl Iterator<Item = &'t str>) -> (Self, Vec<Class>) {
        // Keyed at random, since the texts are a stranger's. Nothing depends on the order of the table.
        let state = RandomState::default();
        let mut squeezed = Vec::new();
        let mut table: HashTable<(u64, u32)> = HashTable::new();
        let mut names: Vec<&str> = Vec::new();
        let mut classes = Vec::new();
        for text in texts {
            if is_blank(text) {
                classes.push(Class::BLANK);
                continue;
            }
            let hash = hash(&state, text, &mut squeezed);
            let same = |&(other, name): &(u64, u32)| other == hash && equal_squeezed(names[name as usize], text);
            let name = if let Some(&(_, name)) = table.find(hash, same) {
                name
            } else {
                let name = names.len() as u32;
                names.push(text);
                table.insert_unique(hash, (hash, name), |&(hash, _)| hash);
                name
            };
            classes.push(Class(name + Class::FIRST_NAMED));
        }

        let mut counts = vec![0; names.len()];
        let mut firsts = vec![u32::MAX; names.len()];
        let mut looked_up = Vec::with_capacity(original.n_lines());
        for (row, line) in original.lines().enumerate() {
            if is_blank(line) {
                looked_up.push(Class::BLANK);
                continue;
            }
            let hash = hash(&state, line, &mut squeezed);
            let same = |&(other, name): &(u64, u32)| other == hash && equal_squeezed(names[name as usize], line);
            looked_up.push(table.find(hash, same).map_or(Class::FOREIGN, |&(_, name)| {
                counts[name as usize] += 1;
                firsts[name as usize] = firsts[name as usize].min(row as u32);
                Class(name + Class::FIRST_NAMED)
            }));
        }
        (Self { original: looked_up, counts, firsts }, classes)
    }

    /// Counts the original lines of a class; zero for blank and foreign lines.
    pub(crate) fn count(&self, class: Class) -> usize {
        class.named().map_or(0, |name| self.counts[name] as usize)
    }

    /// Gives the first original line of a class.
    pub(crate) fn first(&self, class: Class) -> Option<usize> {
        class.named().filter(|&name| self.counts[name] > 0).map(|name| self.firsts[name] as usize)
    }

    /// Gives the only original line of a class.
    pub(crate) fn only(&self, class: Class) -> Option<usize> {
        self.first(class).filter(|_| self.count(class) == 1)
    }
}

fn hash(state: &RandomState, line: &str, squeezed: &mut Vec<u8>) -> u64 {
    squeezed.clear();
    squeezed.extend(line.bytes().filter(|byte| !byte.is_ascii_whitespace()));
    state.hash_one(squeezed.as_slice())
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
        assert_eq!(index.original, [ab, Class::BLANK, brace, Class::FOREIGN, brace]);
        assert_eq!(blank, Class::BLANK);
        assert_eq!([index.count(ab), index.count(brace), index.count(new), index.count(blank)], [1, 2, 0, 0]);
        assert_eq!((index.only(ab), index.only(brace), index.only(new)), (Some(0), None, None));
    }
}
