//! What each snippet line is, what shape the snippet has, and what its description announces.

mod context;
mod description;
mod marker;
mod notes;
mod shape;
mod suspicion;

pub(crate) use marker::{hints_at_unshown, holds_marker, is_loose, is_no_code};

pub(crate) use description::{ChangeKind, Description};
pub(crate) use suspicion::suspicion;

use std::borrow::Cow;

use crate::anchor::{Class, Index, indent_width, is_bare_closer};
use crate::outcome::Shape;
use crate::range::{LineRange, covered};
use crate::source::{Source, indent_of, is_blank};
use crate::treesitter::{Language, comment_signs};
use marker::{Certainty, Marker};

/// What a snippet line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LineKind {
    Code,
    Blank,
    /// Stands for unchanged lines.
    Reference,
    /// Stands for removed lines.
    Removal,
}

impl LineKind {
    /// Says whether the line stands for lines that aren't shown.
    pub(crate) fn is_marker(self) -> bool {
        matches!(self, Self::Reference | Self::Removal)
    }
}

/// What a `+` or `-` in front of a line demands of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Force {
    /// Nothing: the line may match or be new.
    Free,
    /// `+`: the line is new, whatever the original holds.
    New,
    /// `-`: the line matches and goes.
    Gone,
    /// The line is no text of the file.
    Drop,
}

/// One classified snippet line.
#[derive(Debug, Clone)]
pub(crate) struct Line<'a> {
    /// The content without terminator, `+`/`-` column taken off.
    pub(crate) text: Cow<'a, str>,
    pub(crate) kind: LineKind,
    pub(crate) class: Class,
    pub(crate) force: Force,
    /// Which line of the snippet handed in it is, zero-based.
    pub(crate) number: usize,
}

/// A classified snippet: one [`Line`] for every line handed in.
#[derive(Debug, Clone)]
pub(crate) struct Snippet<'a> {
    pub(crate) lines: Vec<Line<'a>>,
    pub(crate) shape: Shape,
    /// Lines before which a reference is implied, rising; the number of lines for one at the end.
    pub(crate) implied: Vec<usize>,
    /// Parts were put into the file's order.
    pub(crate) reordered: bool,
    /// Whether the text ends with a line terminator.
    pub(crate) final_newline: bool,
    /// Whether most lines end in `\r\n`.
    pub(crate) crlf: bool,
}

impl Snippet<'_> {
    /// Gives the lines as they were handed in: those that `lines` came from, first to last.
    pub(crate) fn handed_in(&self, lines: LineRange) -> LineRange {
        let numbers =
            || self.lines[lines.start.min(self.lines.len())..lines.end.min(self.lines.len())].iter().map(|l| l.number);
        match (numbers().min(), numbers().max()) {
            (Some(first), Some(last)) => LineRange::new(first, last + 1),
            _ => lines,
        }
    }

    /// Says whether any line stands for lines that aren't shown.
    pub(crate) fn has_markers(&self) -> bool {
        self.lines.iter().any(|line| line.kind.is_marker())
    }

    /// Finds lines that only close what isn't shown to be opened: the opener is behind a reference, or above the
    /// snippet. To a parser they would close what is open around them.
    fn closers_of_elided(&self) -> impl Iterator<Item = usize> {
        // The indents of the lines whose brackets are open, and whether a reference has followed.
        let mut open: Vec<(usize, bool)> = Vec::new();
        let mut elided = Vec::new();
        for (at, line) in self.lines.iter().enumerate() {
            match line.kind {
                LineKind::Reference => open.iter_mut().for_each(|(_, hides)| *hides = true),
                LineKind::Code if !matches!(line.force, Force::Gone | Force::Drop) => {
                    let text = line.text.trim();
                    let indent = indent_width(&line.text);
                    let closes = text.starts_with([')', ']', '}']) && is_bare_closer(text);
                    if closes && open.last().is_none_or(|&(outer, hides)| hides && indent > outer) {
                        elided.push(at);
                        continue;
                    }
                    let mut quote = None;
                    for byte in text.bytes() {
                        match (byte, quote) {
                            (b'"' | b'\'' | b'`', None) => quote = Some(byte),
                            (_, Some(end)) if byte == end => quote = None,
                            (b'(' | b'[' | b'{', None) => open.push((indent, false)),
                            (b')' | b']' | b'}', None) => drop(open.pop()),
                            _ => {}
                        }
                    }
                }
                _ => {}
            }
        }
        elided.into_iter()
    }

    /// Gives the lines as a text that a parser may read: markers become plain comments at their indent, and lines that
    /// go are left blank, as are closers of what a reference hides.
    pub(crate) fn parsable_text(&self, path: &str, language: Option<Language>) -> String {
        let signs = comment_signs(path, language);
        let mut text = String::new();
        let elided = covered(self.closers_of_elided().map(|line| LineRange::new(line, line + 1)), self.lines.len());
        for (at, line) in self.lines.iter().enumerate() {
            match line.kind {
                _ if elided[at] => {}
                LineKind::Reference | LineKind::Removal => {
                    text.push_str(indent_of(&line.text));
                    match (signs.line, signs.block) {
                        ([sign, ..], _) => text.push_str(sign),
                        (_, [(open, close), ..]) => {
                            text.push_str(open);
                            text.push_str(close);
                        }
                        _ => {}
                    }
                }
                LineKind::Code | LineKind::Blank => {
                    if !matches!(line.force, Force::Gone | Force::Drop) {
                        text.push_str(&line.text);
                    }
                }
            }
            text.push('\n');
        }
        text
    }

    /// Gives the lines as one text with `\n` ends.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        for line in &self.lines {
            text.push_str(&line.text);
            text.push('\n');
        }
        text
    }
}

/// Classifies a snippet's lines and looks the original's lines up.
///
/// # Cost
///
/// One pass over both texts, plus the words of comment lines.
pub(crate) fn classify<'a>(
    snippet: &Source<'a>,
    original: &Source<'_>,
    description: &Description,
    add_missing_edges: bool,
    (path, language): (&str, Option<Language>),
) -> (Snippet<'a>, Index) {
    // A lone CR at a line's end would make another line end of the one behind it.
    let raw: Vec<&'a str> = snippet.lines().map(|line| line.trim_end_matches('\r')).collect();
    let noted = notes::take_off(&raw, original, comment_signs(path, language));
    let raw = &noted.lines;
    let stripped = shape::stripped_lines(raw);
    let (index, classes) = Index::new(original, raw.iter().copied().chain(stripped.iter().flatten().copied()));
    let (raw_classes, stripped_classes) = classes.split_at(raw.len());

    let diff = shape::as_diff(raw, raw_classes, stripped_classes, original, &index);
    let shape_is_diff = diff.is_some();
    let mut lines: Vec<Line<'a>> = match diff {
        Some(marked) => marked
            .into_iter()
            .enumerate()
            .map(|(number, shape::Marked { text, class, force, hunk })| {
                let kind = if hunk { LineKind::Reference } else { kind_of(text, class, &index) };
                Line { text: Cow::Borrowed(text), kind, class, force, number }
            })
            .collect(),
        None => raw
            .iter()
            .zip(raw_classes)
            .enumerate()
            .map(|(number, (&text, &class))| {
                let kind = kind_of(text, class, &index);
                Line { text: Cow::Borrowed(text), kind, class, force: Force::Free, number }
            })
            .collect(),
    };

    noted.drop_notes(&mut lines);
    context::settle(&mut lines, language, &index);
    let mut classified = Snippet {
        lines,
        shape: if shape_is_diff { Shape::Diff } else { Shape::Lazy },
        implied: Vec::new(),
        reordered: false,
        final_newline: snippet.has_final_newline(),
        crlf: snippet.dominant_terminator() == "\r\n",
    };
    if !shape_is_diff && shape::is_whole_file(&classified, &index, description) {
        classified.shape = Shape::WholeFile;
    } else if add_missing_edges {
        let significant = || classified.lines.iter().filter(|line| line.kind != LineKind::Blank);
        let marker = |line: &Line<'_>| line.kind.is_marker();
        let (start, end) = (!significant().next().is_some_and(marker), !significant().next_back().is_some_and(marker));
        // Nothing can follow what is announced to be the end, or precede what is announced to be the start.
        let only = |kind| description.only_inserts() && description.kinds.iter().all(|&other| other == kind);
        let n_lines = classified.lines.len();
        classified.implied.extend((start && !only(ChangeKind::Prepend)).then_some(0));
        classified.implied.extend((end && !only(ChangeKind::Append)).then_some(n_lines));
    }
    (classified, index)
}

fn kind_of(text: &str, class: Class, index: &Index) -> LineKind {
    if is_blank(text) {
        return LineKind::Blank;
    }
    let in_file = index.count(class) > 0;
    match marker::read(text) {
        Some(Marker::Reference(Certainty::Certain)) => LineKind::Reference,
        Some(Marker::Removal(Certainty::Certain)) => LineKind::Removal,
        Some(Marker::Reference(Certainty::UnlessInFile)) if !in_file => LineKind::Reference,
        Some(Marker::Removal(Certainty::UnlessInFile)) if !in_file => LineKind::Removal,
        _ => LineKind::Code,
    }
}

/// Says whether a line of a result reads like a marker that nobody would write in a file.
pub(crate) fn reads_like_marker(line: &str) -> bool {
    matches!(marker::read(line), Some(Marker::Reference(Certainty::Certain) | Marker::Removal(Certainty::Certain)))
        || marker::has_dots_around(line)
}
