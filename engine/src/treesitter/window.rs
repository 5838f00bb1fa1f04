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
//!    *seam* (where something is left out) lies inside of a token, a string or a comment; and no branch of a preprocessor
//!    is parted ([`context`]). Else more items are kept,
//!    [`WIDENINGS`] at a time; in the end there is no window, and the whole has to be read.
//! 3. Many places are read part by part, with a parse for each [`RANGES_A_PARSE`] ranges or some more. Parts are cut
//!    between items of the file's own level and widened by themselves.
//! 4. A result's window has the same lines and the edit's in the place of those that it replaces. It speaks for the
//!    result if it has no error, all seams lie in the same kinds of nodes as before, and the text opens as many
//!    comments and long strings as before. Parts without an edit aren't read again, and what stayed in the others isn't
//!    either: their parse gets the original's tree, to which the edits are told.
//!
//! # Limits
//!
//! Windows say that all is well, never that something is wrong: a window with an error may only have been cut badly.
//! Languages without rules for [`starts`] have none. Of C++ they don't always show what a declaration lies in
//! ([`Window::shows_scopes`]).
//!
//! # Cost
//!
//! Cutting is linear in the touched items, and takes one pass over the text before them to count what opens strings and
//! comments (several GB/s). Parsing reads 5 to 6 MB a second, and a window has 1 to 3 KB for each place touched.
//!
//! # Source
//!
//! The rule was found on 3,735 real commits in eleven languages and 88,920 real and mutated pairs, with the full parse
//! as the oracle. `validate/syntax/proof.rs` holds it against the full parse, `chart/tests.rs` against the outline of the whole.

mod context;
mod cut;
mod delimiters;
mod seams;
mod starts;

use std::ops::Range;

use memchr::memrchr2;
use tree_sitter::{InputEdit, Point, Tree};

use super::Language;
use super::parse::{Parsed, parse, parse_after};
use super::trees::Read;
use super::view::View;
use crate::budget::Meter;
use crate::range::{ByteRange, LineRange};
use crate::replacement::Replacement;
use crate::source::Source;
pub(crate) use delimiters::Delimiters;
use seams::Seam;
use starts::Text;

/// How many more items are kept on each side, try by try. More tries than three settle next to nothing.
const WIDENINGS: [usize; 3] = [0, 1, 5];

/// Largest window, in bytes. Larger: the parse of a hostile text costs more than that of most files; smaller: a snippet
/// with a thousand places is read by parsing the whole.
const LARGEST: usize = 4 << 20;

/// Bytes up to which a text is read as a whole. Smaller files gain nothing (a parse of 2 KB takes 0.4 ms).
const SMALLEST_TEXT: usize = 2 * 1024;

/// Ranges that are kept for one parse. Larger: at each token the parser looks through all of them; smaller: items that lie
/// side by side are read by more parsers than need be. Eight places of usual items are few enough to be read in place.
const RANGES_A_PARSE: usize = 8;

/// A part of an original that was read.
#[derive(Debug)]
pub(crate) struct Window {
    /// Rising and disjoint.
    kept: Vec<LineRange>,
    /// What the parses read, one behind the other.
    parts: Vec<Part>,
}

/// What one parse read.
#[derive(Debug)]
pub(crate) struct Part {
    /// Which of the window's ranges.
    kept: Range<usize>,
    pub(crate) tree: Tree,
    /// The grammar that read it.
    pub(crate) language: Language,
    seams: Vec<Seam>,
    delimiters: Delimiters,
}

impl Window {
    /// Reads the window of some lines of an original, which must rise and be disjoint; an empty range is a place
    /// between two lines. `None` where no window can be relied on.
    pub(crate) fn of(source: &Source<'_>, language: Language, touched: &[LineRange], meter: &Meter) -> Option<Self> {
        if touched.is_empty() || !Self::has_rules(source, language) {
            return None;
        }
        let cut = cut::cut(Text { source, language }, touched, 0);
        let mut window = Self { kept: Vec::new(), parts: Vec::new() };
        let reader = Reader { source, language, meter };
        // Where the parts that were read begin, in touched and in kept ranges.
        let mut begun: Vec<(usize, usize)> = Vec::new();
        let mut start = (0, 0);
        for end in cut.parts(RANGES_A_PARSE) {
            let mut from = start;
            loop {
                let first = cut.kept[from.1..end.1].to_vec();
                let (kept, part) = reader.read(&window, &touched[from.0..end.0], first)?;
                // Kept wider, two parts may meet: then they are one.
                let meets = |last: &LineRange| kept.first().is_some_and(|first| first.start <= last.end);
                if !window.kept.last().is_some_and(meets) {
                    window.kept.extend(kept);
                    window.parts.push(part);
                    begun.push(from);
                    break;
                }
                window.kept.truncate(window.parts.pop()?.kept.start);
                from = begun.pop()?;
            }
            start = end;
        }
        Some(window)
    }

    /// Says whether windows of a text may be read at all.
    pub(crate) fn has_rules(source: &Source<'_>, language: Language) -> bool {
        let is_known = match language {
            Language::Go
            | Language::Python
            | Language::JavaScript
            | Language::TypeScript
            | Language::Tsx
            | Language::Rust
            | Language::Java
            | Language::C
            | Language::Cpp
            | Language::Json => true,
            Language::Yaml => !context::has_documents(source.text()),
            _ => false,
        };
        is_known && language.is_built_in() && source.text().len() > SMALLEST_TEXT
    }

    /// Says whether windows of a text that has rules show what each declaration lies in.
    pub(crate) fn shows_scopes(source: &Source<'_>, language: Language) -> bool {
        // A `.h` file may be one of C++.
        !matches!(language, Language::C | Language::Cpp) || !context::has_flat_namespace(source.text())
    }

    /// Gives what each parse read, from the start of the text to its end.
    pub(crate) fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// Shows what one parse read.
    pub(crate) fn view<'a>(&self, source: &Source<'a>, part: &Part) -> View<'a> {
        View::lines(source, &self.kept[part.kept.clone()])
    }

    /// Lists the lines that the window of `touched` needs at least.
    pub(crate) fn needs(source: &Source<'_>, language: Language, touched: &[LineRange]) -> Vec<LineRange> {
        cut::cut(Text { source, language }, touched, 0).kept
    }

    /// Says whether all of some ranges of lines was read.
    pub(crate) fn covers(&self, ranges: &[LineRange]) -> bool {
        ranges.iter().all(|&lines| {
            let after = self.kept.partition_point(|kept| kept.start <= lines.start);
            after > 0 && self.kept[after - 1].covers(lines)
        })
    }

    /// Reads the result of replacements inside of this window. Gives what was read if it has no error that its original
    /// hasn't; `None` also where the window can't tell.
    pub(crate) fn stays_clean(
        &self,
        source: &Source<'_>,
        result: &str,
        replacements: &[Replacement],
        meter: &Meter,
    ) -> Option<Vec<Read>> {
        let kept = self.in_result(source, replacements)?;
        let view = View::parts(result, kept);
        let mut next = 0;
        let mut reads = Vec::new();
        for part in &self.parts {
            let (first, last) = (self.kept[part.kept.start], self.kept[part.kept.end - 1]);
            let changed = &replacements[next..];
            let changed = &changed[..changed.partition_point(|one| one.old_lines.start <= last.end)];
            next += changed.len();
            // What isn't changed is as clean as it was.
            if !changed.is_empty() {
                let view = view.only(part.kept.clone());
                let start = (source.line_start(first.start), first.start);
                reads.push(part.stays_clean(start, &view, changed, meter)?);
            }
        }
        Some(reads)
    }

    /// Compares the trees of a result that were read with the help of the original's with those that are read anew: both are
    /// the same or have errors.
    #[cfg(test)]
    pub(crate) fn reads_again_as_anew(&self, source: &Source<'_>, result: &str, replacements: &[Replacement]) -> bool {
        let Some(kept) = self.in_result(source, replacements) else { return true };
        let view = View::parts(result, kept);
        let meter = || Meter::start(std::time::Duration::MAX.into());
        let nodes = |tree: &Tree| {
            let mut nodes = Vec::new();
            let mut cursor = tree.walk();
            'walk: loop {
                let node = cursor.node();
                nodes.push((node.kind_id(), node.range(), node.has_error(), node.is_missing()));
                if cursor.goto_first_child() {
                    continue;
                }
                while !cursor.goto_next_sibling() {
                    if !cursor.goto_parent() {
                        break 'walk;
                    }
                }
            }
            nodes
        };
        self.parts.iter().all(|part| {
            let (first, last) = (self.kept[part.kept.start], self.kept[part.kept.end - 1]);
            let is_inside = |one: &&Replacement| first.start <= one.old_lines.start && one.old_lines.end <= last.end;
            let changed: Vec<Replacement> = replacements.iter().filter(is_inside).cloned().collect();
            let view = view.only(part.kept.clone());
            let old = part.edited((source.line_start(first.start), first.start), &view, &changed);
            match (parse_after(&view, part.language, Some(&old), &meter()), parse(&view, part.language, &meter())) {
                (Parsed::Tree(again), Parsed::Tree(anew)) => {
                    let both_err = again.root_node().has_error() && anew.root_node().has_error();
                    both_err || nodes(&again) == nodes(&anew)
                }
                (again, anew) => matches!(again, Parsed::CutShort(_)) == matches!(anew, Parsed::CutShort(_)),
            }
        })
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

impl Part {
    /// Does the same with the replacements inside of this part, which begins at `start` (byte and row). `view` shows it in
    /// the result.
    fn stays_clean(
        &self,
        start: (usize, usize),
        view: &View<'_>,
        changed: &[Replacement],
        meter: &Meter,
    ) -> Option<Read> {
        let old = self.edited(start, view, changed);
        let Parsed::Tree(tree) = parse_after(view, self.language, Some(&old), meter) else { return None };
        let is_clean = !tree.root_node().has_error()
            && context::are_conditionals_whole(view, self.language)
            && seams::of(&tree, view, self.language).is_some_and(|seams| seams == self.seams)
            && Delimiters::of(view, self.language) == self.delimiters;
        let lines = || view.kept().iter().map(|&(_, lines)| lines).collect();
        is_clean.then(|| Read::new(lines(), self.language, tree, view.n_bytes()))
    }

    /// Tells the tree what changes.
    fn edited(&self, start: (usize, usize), view: &View<'_>, changed: &[Replacement]) -> Tree {
        let mut tree = self.tree.clone();
        // From the last to the first, so that what lies before each is as it was.
        for one in changed.iter().rev() {
            let row = one.old_lines.start;
            tree.edit(&InputEdit {
                start_byte: one.bytes.start,
                old_end_byte: one.bytes.end,
                new_end_byte: one.bytes.start + one.new.len(),
                start_position: Point { row, column: 0 },
                old_end_position: end_point(row, one.old_lines.len(), &one.old),
                new_end_position: end_point(row, one.new_lines.len(), &one.new),
            });
        }
        // How far it moves all together.
        if let Some((bytes, rows)) = view.kept().first() {
            let left_edge = |row| Point { row, column: 0 };
            tree.edit(&InputEdit {
                start_byte: 0,
                old_end_byte: start.0,
                new_end_byte: bytes.start,
                start_position: left_edge(0),
                old_end_position: left_edge(start.1),
                new_end_position: left_edge(rows.start),
            });
        }
        tree
    }
}

/// Gives the point behind `n_lines` lines that begin with row `start`.
fn end_point(start: usize, n_lines: usize, text: &str) -> Point {
    if n_lines == 0 || text.ends_with(['\n', '\r']) {
        return Point { row: start + n_lines, column: 0 };
    }
    let last = memrchr2(b'\n', b'\r', text.as_bytes()).map_or(0, |at| at + 1);
    Point { row: start + n_lines - 1, column: text.len() - last }
}

/// Reads one part after the other.
struct Reader<'s> {
    source: &'s Source<'s>,
    language: Language,
    meter: &'s Meter,
}

impl Reader<'_> {
    /// Reads the part of some touched lines, which belongs behind what `window` has. `first` are the lines to keep at the
    /// first try.
    fn read(&self, window: &Window, touched: &[LineRange], first: Vec<LineRange>) -> Option<(Vec<LineRange>, Part)> {
        let Self { source, language, .. } = *self;
        let n_bytes = |kept: &[LineRange]| kept.iter().map(|&lines| source.bytes_of(lines).len()).sum::<usize>();
        let n_before = n_bytes(&window.kept);
        let before = window.kept.last().map_or(0, |last| last.end);
        let mut first = Some(first);
        let mut last = Vec::new();
        for widen in WIDENINGS {
            let kept = first.take().unwrap_or_else(|| cut::cut(Text { source, language }, touched, widen).kept);
            let n_bytes = n_before + n_bytes(&kept);
            if kept.is_empty() || n_bytes > LARGEST || n_bytes * 2 > source.text().len() {
                return None;
            }
            if kept == last || !delimiters::are_paired_between(source, before, &kept, language) {
                continue;
            }
            let view = View::lines(source, &kept);
            if !context::are_conditionals_whole(&view, language) {
                last = kept;
                continue;
            }
            for &grammar in std::iter::once(&language).chain(language.fallbacks()) {
                let known = source.trees().and_then(|trees| trees.find(&kept, grammar)).map(Parsed::Tree);
                let read = || parse(&view, grammar, self.meter);
                let tree = match known.unwrap_or_else(read) {
                    Parsed::Tree(tree) => tree,
                    Parsed::CutShort(_) => return None,
                    Parsed::Unsupported => continue,
                };
                if tree.root_node().has_error() {
                    continue;
                }
                if let Some(seams) = seams::of(&tree, &view, language) {
                    let delimiters = Delimiters::of(&view, language);
                    let at = window.kept.len();
                    let part = Part { kept: at..at + kept.len(), tree, language: grammar, seams, delimiters };
                    return Some((kept, part));
                }
                break;
            }
            last = kept;
        }
        None
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

#[cfg(all(test, feature = "default"))]
mod tests;
