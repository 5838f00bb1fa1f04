//! What each snippet line is, what shape the snippet has, and what its description announces.

mod context;
mod cut_comments;
mod description;
mod known;
mod marker;
mod notes;
mod shape;
mod suspicion;
mod wrapping;

pub(crate) use marker::{hints_at_unshown, holds_marker, is_loose, is_no_code};

pub(crate) use context::is_stray_dots;
pub(crate) use description::{ChangeKind, Description};
pub(crate) use suspicion::suspicion;

use std::borrow::Cow;

use crate::anchor::{Class, Index, indent_width, is_bare_closer};
use crate::budget::Budget;
use crate::engine::Edit;
use crate::error::Error;
use crate::hunk::Hunk;
use crate::outcome::{Shape, Wrapping};
use crate::range::{LineRange, covered, is_within};
use crate::source::{Source, indent_of, is_blank};
use crate::treesitter::{Item, ItemKind, Language, Outline, comment_signs};
use crate::verdict::{NeedsVerifyReason, ReasonKind};
use cut_comments::CutComments;
use known::Known;
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
    /// For a shape that names what it changes: its parts.
    pub(crate) hunks: Vec<Hunk>,
    /// What is in doubt about the text itself; lines are those handed in.
    pub(crate) doubts: Vec<NeedsVerifyReason>,
    /// What was around the text.
    pub(crate) wrapping: Vec<Wrapping>,
    /// For each line handed in the one-based number that a view gave it, or nothing at all.
    pub(crate) numbers: Vec<Option<usize>>,
    /// Lines before which a reference is implied, rising; the number of lines for one at the end.
    pub(crate) implied: Vec<usize>,
    /// Parts were put into the file's order.
    pub(crate) reordered: bool,
    /// Whether the text ends with a line terminator.
    pub(crate) final_newline: bool,
    /// Whether most lines end in `\r\n`.
    pub(crate) crlf: bool,
}

impl<'a> Snippet<'a> {
    /// Puts lines around that are no text.
    fn wrap(&mut self, before: Vec<Line<'a>>, after: Vec<Line<'a>>) {
        let n = before.len();
        for hunk in &mut self.hunks {
            hunk.shift(n);
        }
        for at in &mut self.implied {
            *at += n;
        }
        self.final_newline |= !after.is_empty();
        self.lines.splice(0..0, before);
        self.lines.extend(after);
        // What is around goes with the hunks at the ends.
        if let Some(first) = self.hunks.first_mut() {
            first.lines.start = 0;
        }
        if let Some(last) = self.hunks.last_mut() {
            last.lines.end = self.lines.len();
        }
    }
}

impl Snippet<'_> {
    /// Puts references before lines that imply one.
    pub(crate) fn imply(&mut self, before: &[usize]) {
        self.implied.extend_from_slice(before);
        self.implied.sort_unstable();
        self.implied.dedup();
    }

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

    /// Says whether the snippet names what it changes line by line.
    pub(crate) fn has_hunks(&self) -> bool {
        self.shape.has_hunks() || !self.hunks.is_empty()
    }

    /// Finds a line that is part of no declaration the grammar knows, as a line handed in; `None` if all are.
    pub(crate) fn beside_declarations(&self, outline: &Outline) -> Option<usize> {
        let is_named = |item: &Item| item.kind != ItemKind::Section && item.header.end < item.rows.end;
        let declared =
            covered(outline.items.iter().filter(|item| is_named(item)).map(|item| item.rows), self.lines.len());
        let line = self.lines.iter().zip(declared).find(|(line, declared)| line.kind != LineKind::Blank && !declared);
        line.map(|(line, _)| line.number)
    }

    /// Gives the lines as a text that a parser may read: markers become plain comments at their indent, and lines that
    /// go are left blank, as are closers of what a reference hides.
    pub(crate) fn parsable_text(&self, path: &str, language: Option<Language>) -> String {
        let signs = comment_signs(path, language);
        let mut text = String::new();
        let elided = covered(self.closers_of_elided().map(|line| LineRange::new(line, line + 1)), self.lines.len());
        let (open, close) = *signs.block.iter().find(|(open, _)| *open == "/*").unwrap_or(&("", ""));
        let cut = if open.is_empty() { CutComments::default() } else { CutComments::of(&self.lines, (open, close)) };
        for (at, line) in self.lines.iter().enumerate() {
            let ends = cut.ends.binary_search(&at).is_ok();
            match line.kind {
                _ if elided[at] || is_within(&cut.tails, at) => {}
                LineKind::Reference | LineKind::Removal if ends => text.push_str(close),
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

/// What a text is classified with.
pub(crate) struct Given<'g, 'a> {
    pub(crate) edit: &'g Edit<'a>,
    pub(crate) snippet: &'g Source<'a>,
    pub(crate) original: &'g Source<'a>,
    pub(crate) description: &'g Description,
    /// Time that a parse may take.
    pub(crate) budget: Budget,
}

/// Classifies a snippet's lines and looks the original's lines up.
///
/// # Errors
///
/// [`Error::Malformed`] and [`Error::OtherShape`].
///
/// # Cost
///
/// One pass over both texts, plus the words of comment lines.
pub(crate) fn classify<'a>(given: &Given<'_, 'a>) -> Result<(Snippet<'a>, Index), Error> {
    let Given { edit, snippet, original, .. } = *given;
    if !edit.pairs.is_empty() {
        let draft = shape::pairs::read(&edit.pairs, original)?;
        return Ok(of_hunks(Shape::Pairs, draft, 0, original));
    }
    let known = Known::new(original);
    // A lone CR at a line's end would make another line end of the one behind it.
    let lines = snippet.lines().map(|line| line.trim_end_matches('\r')).collect();
    let mut unwrapped = wrapping::unwrap(lines, edit.path, edit.language, &known);
    let text = &unwrapped.lines[unwrapped.text.iter()];
    if !unwrapped.wrapping.is_empty() && !original.is_empty() && text.iter().all(|line| is_blank(line)) {
        return Err(Error::EmptySnippet);
    }
    let reader =
        shape::Reader { known: &known, path: edit.path, language: edit.language, offset: unwrapped.text.start };
    let (mut classified, index) = if let Some((shape, draft)) = reader.hunks(text, edit.shape)? {
        of_hunks(shape, draft, unwrapped.text.start, original)
    } else {
        let (mut classified, index) = of_lines(given, text, unwrapped.text.start, &known)?;
        if edit.shape.is_none() {
            classified.doubts.extend(reader.check_signs(text, classified.shape == Shape::Diff)?);
        }
        (classified, index)
    };
    let around = |line: usize| Line {
        text: Cow::Borrowed(unwrapped.lines[line]),
        kind: LineKind::Blank,
        class: Class::BLANK,
        force: Force::Drop,
        number: line,
    };
    let (before, after) = (0..unwrapped.text.start, unwrapped.text.end..unwrapped.lines.len());
    classified.wrap(before.map(around).collect(), after.map(around).collect());
    if classified.shape == Shape::WholeFile && unwrapped.path_is_comment {
        let message =
            "the first line is taken for a note on the file's path, but the file may be meant to begin with it";
        unwrapped.doubts.push(
            NeedsVerifyReason::new(ReasonKind::SnippetSuspicious, message)
                .at_snippet(LineRange::new(unwrapped.text.start - 1, unwrapped.text.start)),
        );
    }
    classified.wrapping = unwrapped.wrapping;
    classified.numbers = unwrapped.numbers;
    // What the shape's own reader said of a line needs no second word.
    unwrapped.doubts.retain(|doubt| classified.doubts.iter().all(|other| other.snippet_lines != doubt.snippet_lines));
    classified.doubts.append(&mut unwrapped.doubts);
    Ok((classified, index))
}

/// Classifies a text that is read as hunks. `offset` lines were handed in before it.
fn of_hunks<'a>(
    shape: Shape,
    mut draft: shape::Draft<'a>,
    offset: usize,
    original: &Source<'_>,
) -> (Snippet<'a>, Index) {
    let texts = draft.lines.iter().map(|line| &*line.text);
    let with_column = draft.lines.iter().filter_map(|line| line.with_column);
    let (index, mut classes) = Index::new(original, texts.chain(with_column));
    let column_classes = classes.split_off(draft.lines.len());
    // A context line has a blank in front in a strict diff and none in a loose one; the file decides which.
    let is_there = |text: &str, class: Class| index.has_exactly(class, text, original);
    let columns: Vec<(usize, &'a str, Class)> = {
        let lines = draft.lines.iter().enumerate().filter_map(|(at, line)| Some((at, line.with_column?)));
        lines.zip(column_classes).map(|((at, text), class)| (at, text, class)).collect()
    };
    let n_with = columns.iter().filter(|&&(_, text, class)| is_there(text, class)).count();
    let n_without = columns.iter().filter(|&&(at, ..)| is_there(&draft.lines[at].text, classes[at])).count();
    if n_with > n_without {
        for (at, text, class) in columns {
            draft.lines[at].text = Cow::Borrowed(text);
            classes[at] = class;
        }
    }
    let lines = draft.lines.into_iter().zip(classes).enumerate().map(|(at, (line, class))| {
        let (kind, force) = match line.is_sign {
            true => (LineKind::Blank, Force::Drop),
            false if is_blank(&line.text) => (LineKind::Blank, Force::Free),
            false => (LineKind::Code, Force::Free),
        };
        Line { text: line.text, kind, class, force, number: at + offset }
    });
    let mut doubts = draft.doubts;
    for doubt in &mut doubts {
        doubt.snippet_lines = doubt.snippet_lines.map(|lines| LineRange::new(lines.start + offset, lines.end + offset));
    }
    let snippet = Snippet {
        lines: lines.collect(),
        shape,
        hunks: draft.hunks,
        doubts,
        implied: Vec::new(),
        wrapping: Vec::new(),
        numbers: Vec::new(),
        reordered: false,
        final_newline: true,
        crlf: false,
    };
    (snippet, index)
}

/// Classifies a text line by line. `offset` lines were handed in before it.
fn of_lines<'a>(
    given: &Given<'_, 'a>,
    raw: &[&'a str],
    offset: usize,
    known: &Known<'_>,
) -> Result<(Snippet<'a>, Index), Error> {
    let Given { edit, snippet, original, description, budget } = *given;
    let literals = || notes::literals(raw, edit.language, budget);
    let noted = notes::take_off(raw, original, comment_signs(edit.path, edit.language), literals);
    let doubts = noted.doubtful.iter().map(|&line| {
        let message = "this comment reads like a note to the reader, but it may be text of the file";
        NeedsVerifyReason::new(ReasonKind::ReferenceLeft, message)
            .at_snippet(LineRange::new(line + offset, line + offset + 1))
    });
    let mut doubts: Vec<NeedsVerifyReason> = doubts.collect();
    let raw = &noted.lines[..];
    let stripped =
        if matches!(edit.shape, None | Some(Shape::Diff)) { shape::marked::stripped_lines(raw) } else { Vec::new() };
    let (index, classes) = Index::new(original, raw.iter().copied().chain(stripped.iter().flatten().copied()));
    let (raw_classes, stripped_classes) = classes.split_at(raw.len());

    let diff = shape::marked::as_diff(raw, (raw_classes, stripped_classes), original, &index, known);
    let shape_is_diff = diff.is_some();
    let unclear = diff.iter().flatten().position(|line| line.is_unclear && !is_blank(line.text));
    doubts.extend(unclear.map(|line| {
        let message = "the file has this line with and without its `-`, so it may be shown, or marked to go";
        NeedsVerifyReason::new(ReasonKind::AmbiguousLocation, message)
            .at_snippet(LineRange::new(line + offset, line + offset + 1))
    }));
    let mut lines: Vec<Line<'a>> = match diff {
        Some(marked) => marked
            .into_iter()
            .enumerate()
            .map(|(at, shape::marked::Marked { text, class, force, hunk, .. })| {
                let kind = match force {
                    Force::Drop => LineKind::Blank,
                    _ if hunk => LineKind::Reference,
                    _ => kind_of(text, class, &index),
                };
                Line { text: Cow::Borrowed(text), kind, class, force, number: at + offset }
            })
            .collect(),
        None => raw
            .iter()
            .zip(raw_classes)
            .enumerate()
            .map(|(at, (&text, &class))| {
                let kind = kind_of(text, class, &index);
                Line { text: Cow::Borrowed(text), kind, class, force: Force::Free, number: at + offset }
            })
            .collect(),
    };

    noted.drop_notes(&mut lines);
    context::settle(&mut lines, edit.language, &index);
    let mut classified = Snippet {
        lines,
        shape: if shape_is_diff { Shape::Diff } else { Shape::Lazy },
        hunks: Vec::new(),
        doubts,
        implied: Vec::new(),
        wrapping: Vec::new(),
        numbers: Vec::new(),
        reordered: false,
        final_newline: snippet.has_final_newline(),
        crlf: snippet.dominant_terminator() == "\r\n",
    };
    let is_whole = match edit.shape {
        None => !shape_is_diff && shape::whole::is_whole_file(&classified, &index, description),
        shape => shape == Some(Shape::WholeFile),
    };
    check_forced(&classified, edit.shape)?;
    if is_whole {
        classified.shape = Shape::WholeFile;
    } else if edit.add_missing_edges {
        let significant = || classified.lines.iter().filter(|line| line.kind != LineKind::Blank);
        let marker = |line: &Line<'_>| line.kind.is_marker();
        let (start, end) = (!significant().next().is_some_and(marker), !significant().next_back().is_some_and(marker));
        // Nothing can follow what is announced to be the end, or precede what is announced to be the start.
        let only = |kind| description.only_inserts() && description.kinds.iter().all(|&other| other == kind);
        let n_lines = classified.lines.len();
        classified.implied.extend((start && !only(ChangeKind::Prepend)).then_some(0));
        classified.implied.extend((end && !only(ChangeKind::Append)).then_some(n_lines));
    }
    Ok((classified, index))
}

/// Refuses a text that can't be what it is said to be.
fn check_forced(snippet: &Snippet<'_>, forced: Option<Shape>) -> Result<(), Error> {
    let first_marker = || snippet.lines.iter().find(|line| line.kind.is_marker()).map(|line| line.number);
    let (line, message) = match forced {
        Some(Shape::Diff) if snippet.shape != Shape::Diff => {
            (None, "too few lines begin with `+` or `-`, or the lines that begin with `-` are not in the original")
        }
        Some(Shape::WholeFile | Shape::Bare) if snippet.has_markers() => {
            (first_marker(), "this line leaves a part of the file out")
        }
        _ => return Ok(()),
    };
    Err(Error::OtherShape { shape: forced.unwrap_or(Shape::Lazy), line, message: message.to_owned() })
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
