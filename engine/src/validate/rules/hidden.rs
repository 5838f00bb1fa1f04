//! Declarations that a syntax error may hide from the outline of the original.

use std::collections::BTreeMap;

use aho_corasick::{AhoCorasick, MatchKind};

use crate::anchor::Pair;
use crate::digest::{is_word_byte, words};
use crate::range::LineRange;
use crate::source::Source;

/// Longest beginning of a declaration that is looked for, in bytes. Longer ones count as having no twin.
const LONGEST: usize = 1_000;

/// The rows of the original that begin as tied declarations do, up to their name and white space apart: each may
/// declare the same name, though no outline says so.
#[derive(Debug, Default)]
pub(super) struct Heads {
    /// For each pair its head, if it has one.
    heads: Vec<Option<String>>,
    /// For each head the rows that begin with it, rising.
    rows: BTreeMap<String, Vec<usize>>,
}

impl Heads {
    /// Looks for the heads of tied declarations.
    ///
    /// # Cost
    ///
    /// One search of the text for all names at once.
    pub(super) fn of(pairs: &[Pair], original: &Source<'_>) -> Self {
        let mut found = Self::default();
        let mut needles = Vec::new();
        for pair in pairs {
            let line = if pair.name_row < original.n_lines() { original.line(pair.name_row) } else { "" };
            // Of a method with its receiver the method's own name.
            let word = words(pair.name.as_bytes()).last().unwrap_or_default();
            let at = memchr::memmem::find_iter(line.as_bytes(), word).find(|&at| is_whole(line.as_bytes(), at, word));
            let head = at.and_then(|at| head(line, at + word.len())).filter(|_| !word.is_empty());
            if let Some(head) = &head {
                needles.push(word);
                found.rows.entry(head.clone()).or_default();
            }
            found.heads.push(head);
        }
        needles.sort_unstable();
        needles.dedup();
        let search = AhoCorasick::builder().match_kind(MatchKind::LeftmostLongest).build(&needles);
        let Ok(search) = search else { return found };
        for one in search.find_iter(original.text()) {
            let row = original.line_at(one.start());
            let (line, start) = (original.line(row), original.line_start(row));
            let in_line = one.start() >= start && one.end() - start <= line.len();
            if !in_line || !is_whole(original.text().as_bytes(), one.start(), &original.text().as_bytes()[one.range()])
            {
                continue;
            }
            if let Some(rows) = head(line, one.end() - start).and_then(|head| found.rows.get_mut(&head)) {
                rows.push(row);
            }
        }
        found
    }

    /// Says whether a row among `around` begins as the pair at position `at` does, besides its own.
    pub(super) fn has_twin(&self, at: usize, around: LineRange) -> bool {
        let head = self.heads.get(at).and_then(Option::as_ref);
        let rows = head.and_then(|head| self.rows.get(head)).map_or(&[][..], Vec::as_slice);
        let first = rows.partition_point(|&row| row < around.start);
        rows.get(first + 1).is_some_and(|&row| row < around.end)
    }
}

/// Gives what a line has before a byte, without white space; `None` if that is too long.
fn head(line: &str, end: usize) -> Option<String> {
    (end <= LONGEST).then(|| line[..end].chars().filter(|c| !c.is_whitespace()).collect())
}

/// Says whether a word of a text isn't part of a longer one.
fn is_whole(text: &[u8], at: usize, word: &[u8]) -> bool {
    let is_word = |byte: Option<&u8>| byte.is_some_and(|&byte| is_word_byte(byte));
    !is_word(at.checked_sub(1).and_then(|at| text.get(at))) && !is_word(text.get(at + word.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::treesitter::ItemKind;

    fn pair(name: &str, name_row: usize) -> Pair {
        let rows = LineRange::new(name_row, name_row + 1);
        Pair {
            name: name.to_owned(),
            snippet: rows,
            original: rows,
            name_row,
            name_line: 0,
            is_closed: false,
            end_tied: false,
            in_full: true,
            kind: ItemKind::Value,
        }
    }

    #[test]
    fn a_twin_begins_alike_up_to_its_name() {
        let text = "def get(a)\n  get(a)\n def  get(a, b)\ndef get_all(a)\nx = def get\n";
        let heads = Heads::of(&[pair("get", 0), pair("get_all", 3)], &Source::new(text));
        assert!(heads.has_twin(0, LineRange::new(0, 5)));
        assert!(!heads.has_twin(0, LineRange::new(0, 2)));
        assert!(!heads.has_twin(1, LineRange::new(0, 5)));
    }

    #[test]
    fn a_method_is_known_by_its_receiver_and_name() {
        let text = "func (a *A) Get() {}\nfunc (b *B) Get() {}\nfunc (a *A) Get(n int) {}\n";
        let heads = Heads::of(&[pair("A.Get", 0), pair("B.Get", 1)], &Source::new(text));
        assert!(heads.has_twin(0, LineRange::new(0, 3)));
        assert!(!heads.has_twin(1, LineRange::new(0, 3)));
    }

    #[test]
    fn what_has_no_name_or_too_long_a_head_has_no_twin() {
        let long = format!("{}f(\n{0}f(\n", " ".repeat(LONGEST));
        assert!(!Heads::of(&[pair("f", 0)], &Source::new(&long)).has_twin(0, LineRange::new(0, 2)));
        assert!(!Heads::of(&[pair("", 0), pair("g", 9)], &Source::new("(\n(\n")).has_twin(0, LineRange::new(0, 2)));
    }
}
