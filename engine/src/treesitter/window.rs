//! Windows: what an edit touches, read without the rest of the file.
//!
//! A window is the file with whole items left out: the touched declarations, statements or members, a neighbour on
//! each side, and of long items around them the header and the closer. It is cut from the text alone; what the
//! parser gets are ranges of the file itself, so all offsets and rows are true.
//!
//! # Algorithm
//!
//! 1. The lines to keep are found by indentation and by what a line begins with ([`starts`], [`cut`]).
//! 2. A window counts only if what is left out opens nothing that it doesn't close, the tree has no error, and no
//!    *seam* (where something is left out) lies inside of a token, a string or a comment. Else more items are kept,
//!    [`WIDENINGS`] at a time; in the end there is no window, and the whole has to be read.
//! 3. A result's window has the same lines and the edit's in the place of those that it replaces. It speaks for the
//!    result if it has no error, all seams lie in the same kinds of nodes as before, and the text opens as many
//!    comments and long strings as before.
//!
//! # Limits
//!
//! Windows say that all is well, never that something is wrong: a window with an error may only have been cut badly.
//! Languages without rules for [`starts`] have none.
//!
//! # Cost
//!
//! Cutting is linear in the touched items, and takes one pass over the text before them to count what opens strings and
//! comments (several GB/s). Parsing reads 5 to 6 MB a second, and a window has 1 to 3 KB for each place touched.
//!
//! # Source
//!
//! The rule was found on 3,735 real commits in eleven languages and 88,920 real and mutated pairs, with the full parse
//! as the oracle. `tests/windows.rs` holds it against the full parse.

mod cut;
mod delimiters;
mod seams;
mod starts;

use tree_sitter::Tree;

use super::Language;
use super::parse::{Parsed, parse};
use super::view::View;
use crate::budget::Meter;
use crate::range::{ByteRange, LineRange};
use crate::replacement::Replacement;
use crate::source::Source;
use seams::Seam;
use starts::Text;

/// How many more items are kept on each side, try by try. More tries than three settle next to nothing.
const WIDENINGS: [usize; 3] = [0, 1, 5];

/// Largest window, in bytes. Larger: the parse of a hostile text costs more than that of most files; smaller: a snippet
/// with a thousand places is read by parsing the whole.
const LARGEST: usize = 4 << 20;

/// Bytes up to which a text is read as a whole. Smaller files gain nothing (a parse of 2 KB takes 0.4 ms).
const SMALLEST_TEXT: usize = 2 * 1024;

/// A part of an original that was read.
#[derive(Debug)]
pub(crate) struct Window {
    /// Rising and disjoint.
    kept: Vec<LineRange>,
    pub(crate) tree: Tree,
    /// The grammar that read it.
    pub(crate) language: Language,
    seams: Vec<Seam>,
    delimiters: delimiters::Count,
}

impl Window {
    /// Reads the window of some lines of an original, which must rise and be disjoint; an empty range is a place
    /// between two lines. `None` where no window can be relied on.
    pub(crate) fn of(source: &Source<'_>, language: Language, touched: &[LineRange], meter: &Meter) -> Option<Self> {
        if touched.is_empty() || !Self::has_rules(source, language) {
            return None;
        }
        let text = Text { source, language };
        let mut last = Vec::new();
        for widen in WIDENINGS {
            let kept = cut::cut(text, touched, widen);
            let n_bytes: usize = kept.iter().map(|&lines| source.bytes_of(lines).len()).sum();
            if kept.is_empty() || n_bytes > LARGEST || n_bytes * 2 > source.text().len() {
                return None;
            }
            if kept == last || !delimiters::are_paired_between(source, &kept, language) {
                continue;
            }
            let view = View::lines(source, &kept);
            for &grammar in std::iter::once(&language).chain(language.fallbacks()) {
                let tree = match parse(&view, grammar, meter) {
                    Parsed::Tree(tree) => tree,
                    Parsed::CutShort(_) => return None,
                    Parsed::Unsupported => continue,
                };
                if tree.root_node().has_error() {
                    continue;
                }
                if let Some(seams) = seams::of(&tree, &view) {
                    let delimiters = delimiters::Count::of(&view, language);
                    return Some(Self { kept, tree, language: grammar, seams, delimiters });
                }
                break;
            }
            last = kept;
        }
        None
    }

    /// Says whether windows of a text may be read at all.
    pub(crate) fn has_rules(source: &Source<'_>, language: Language) -> bool {
        let is_known = matches!(
            language,
            Language::Go
                | Language::Python
                | Language::JavaScript
                | Language::TypeScript
                | Language::Tsx
                | Language::Rust
                | Language::Java
        );
        is_known && language.is_built_in() && source.text().len() > SMALLEST_TEXT
    }

    /// Shows what was read.
    pub(crate) fn view<'a>(&self, source: &Source<'a>) -> View<'a> {
        View::lines(source, &self.kept)
    }

    /// Lists the lines that the window of `touched` needs at least.
    pub(crate) fn needs(source: &Source<'_>, language: Language, touched: &[LineRange]) -> Vec<LineRange> {
        cut::cut(Text { source, language }, touched, 0)
    }

    /// Says whether all of some ranges of lines was read.
    pub(crate) fn covers(&self, ranges: &[LineRange]) -> bool {
        ranges.iter().all(|&lines| {
            let after = self.kept.partition_point(|kept| kept.start <= lines.start);
            after > 0 && self.kept[after - 1].covers(lines)
        })
    }

    /// Says whether the result of replacements inside of this window has no error that its original hasn't; `false`
    /// where the window can't tell.
    pub(crate) fn stays_clean(
        &self,
        source: &Source<'_>,
        result: &str,
        replacements: &[Replacement],
        meter: &Meter,
    ) -> bool {
        let Some(kept) = self.in_result(source, replacements) else { return false };
        let view = View::parts(result, kept);
        let Parsed::Tree(tree) = parse(&view, self.language, meter) else { return false };
        !tree.root_node().has_error()
            && seams::of(&tree, &view).is_some_and(|seams| seams == self.seams)
            && delimiters::Count::of(&view, self.language) == self.delimiters
    }

    /// Finds the window's lines in the result; `None` if a replacement reaches out of them.
    fn in_result(&self, source: &Source<'_>, replacements: &[Replacement]) -> Option<Vec<(ByteRange, LineRange)>> {
        let mut shift = Shift::default();
        let mut next = 0;
        let mut found = Vec::with_capacity(self.kept.len());
        for &kept in &self.kept {
            let bytes = source.bytes_of(kept);
            let (start, row) = (shift.byte(bytes.start)?, shift.row(kept.start)?);
            while let Some(one) = replacements.get(next).filter(|one| one.old_lines.start <= kept.end) {
                if !kept.covers(one.old_lines) {
                    return None;
                }
                shift.pass(one);
                next += 1;
            }
            found.push((ByteRange::new(start, shift.byte(bytes.end)?), LineRange::new(row, shift.row(kept.end)?)));
        }
        (next == replacements.len()).then_some(found)
    }
}

/// How far what follows some replacements has moved.
#[derive(Debug, Default)]
struct Shift {
    bytes: isize,
    rows: isize,
}

impl Shift {
    fn pass(&mut self, replacement: &Replacement) {
        self.bytes += replacement.new.len().cast_signed() - replacement.bytes.len().cast_signed();
        self.rows += replacement.new_lines.len().cast_signed() - replacement.old_lines.len().cast_signed();
    }

    fn byte(&self, byte: usize) -> Option<usize> {
        byte.checked_add_signed(self.bytes)
    }

    fn row(&self, row: usize) -> Option<usize> {
        row.checked_add_signed(self.rows)
    }
}
