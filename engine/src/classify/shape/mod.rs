//! Telling shapes apart, and reading those that name what they change line by line.
//!
//! | shape | recognised by | read by |
//! |---|---|---|
//! | search/replace | a `<<<<<<< SEARCH` line | [`search_replace`] |
//! | patch | `*** Begin Patch` or `*** Update File:` as its first line | [`unified`] |
//! | unified diff | `@@` lines, or file names behind `---` and `+++`, and no reference | [`unified`] |
//! | pairs | handed in as such | [`pairs`] |
//! | marked lines | `+` and `-` lines that the original bears out | [`unified`] where they follow each other there, else [`marked`] |
//! | whole file | no marker, and most of the original's lines | [`whole`] |
//! | bare | no marker, and nothing but declarations | the outline, later |
//! | lazy | everything else | |
//!
//! A line that stands in the original is no sign of a shape: the file may be about such texts.

pub(super) mod marked;
pub(super) mod pairs;
mod search_replace;
mod unified;
pub(super) mod whole;

use std::borrow::Cow;

use imara_diff::{Algorithm, Diff, InternedInput};

use super::known::Known;
use crate::error::Error;
use crate::hunk::{Hunk, Op};
use crate::outcome::Shape;
use crate::range::LineRange;
use crate::treesitter::Language;
use crate::verdict::{NeedsVerifyReason, ReasonKind};

/// A text read as hunks. Lines are those of the text.
#[derive(Debug, Default)]
pub(super) struct Draft<'a> {
    pub(super) lines: Vec<DraftLine<'a>>,
    pub(super) hunks: Vec<Hunk>,
    pub(super) doubts: Vec<NeedsVerifyReason>,
}

/// One line of a draft.
#[derive(Debug, Clone)]
pub(super) struct DraftLine<'a> {
    pub(super) text: Cow<'a, str>,
    /// The line as it stands, where its first blank may be a column or a part of it.
    pub(super) with_column: Option<&'a str>,
    /// A sign, a header, or what stands around the hunks: no text of the file.
    pub(super) is_sign: bool,
}

impl<'a> DraftLine<'a> {
    fn text(text: &'a str) -> Self {
        Self { text: Cow::Borrowed(text), with_column: None, is_sign: false }
    }

    fn sign(text: &'a str) -> Self {
        Self { is_sign: true, ..Self::text(text) }
    }
}

/// What a text is read with.
pub(super) struct Reader<'r, 'o> {
    pub(super) known: &'r Known<'o>,
    /// The name of the file.
    pub(super) path: &'r str,
    pub(super) language: Option<Language>,
    /// Lines handed in before the text's first.
    pub(super) offset: usize,
}

impl Reader<'_, '_> {
    /// Says that a text breaks the rules of a shape; `line` is one of the text.
    fn malformed(&self, shape: Shape, line: usize, message: impl Into<String>) -> Error {
        Error::Malformed { shape, line: Some(line + self.offset), is_reply: false, message: message.into() }
    }

    /// Says that a text is about more than the content of one file.
    fn of_reply(&self, shape: Shape, line: usize, message: impl Into<String>) -> Error {
        Error::Malformed { shape, line: Some(line + self.offset), is_reply: true, message: message.into() }
    }

    /// Reads a text as hunks, if that is what it is, or what it is `forced` to be.
    ///
    /// # Errors
    ///
    /// [`Error::Malformed`] for a text that begins as a shape and breaks its rules; [`Error::OtherShape`] for one that
    /// is forced to be a shape and doesn't begin as one.
    pub(super) fn hunks<'a>(
        &self,
        lines: &[&'a str],
        forced: Option<Shape>,
    ) -> Result<Option<(Shape, Draft<'a>)>, Error> {
        let is_forced = |shape| forced == Some(shape);
        let may_be = |shape| forced.is_none() || is_forced(shape);
        if may_be(Shape::SearchReplace) {
            // A file may be about such blocks: then what can't be read as one may be its text.
            match search_replace::read(self, lines, is_forced(Shape::SearchReplace)) {
                Ok(Some(draft)) => return Ok(Some((Shape::SearchReplace, draft))),
                Err(error) if is_forced(Shape::SearchReplace) || !search_replace::is_in_file(self, lines) => {
                    return Err(error);
                }
                _ => {}
            }
        }
        if may_be(Shape::Patch)
            && let Some(draft) = unified::read_patch(self, lines)?
        {
            return Ok(Some((Shape::Patch, draft)));
        }
        if may_be(Shape::Unified)
            && let Some(draft) = unified::read(self, lines, is_forced(Shape::Unified))?
        {
            return Ok(Some((Shape::Unified, draft)));
        }
        if may_be(Shape::Diff)
            && let Some(draft) = unified::read_contiguous(self, lines)
        {
            return Ok(Some((Shape::Diff, draft)));
        }
        let missing = match forced {
            Some(Shape::SearchReplace) => "it has no `<<<<<<< SEARCH` line",
            Some(Shape::Patch) => "its first line is neither `*** Begin Patch` nor `*** Update File:`",
            Some(Shape::Unified) => "it has no line that begins with `+`, `-` or `@@`",
            Some(Shape::Pairs) => "old and new texts are handed in as such, not as one text",
            _ => return Ok(None),
        };
        Err(Error::OtherShape { shape: forced.unwrap_or(Shape::Lazy), line: None, message: missing.to_owned() })
    }
}

impl Reader<'_, '_> {
    /// Sees to it that a text that is read as the file's holds no sign of a diff or a block. Those of a diff are fine in
    /// one that is read `as_diff`. A Markdown file quotes such texts: there a sign outside of a fence is a doubt.
    ///
    /// # Errors
    ///
    /// [`Error::Malformed`] for the first sign.
    pub(super) fn check_signs(&self, lines: &[&str], as_diff: bool) -> Result<Option<NeedsVerifyReason>, Error> {
        let quoted;
        let is_markdown = self.language == Some(Language::Markdown);
        let lines = if is_markdown {
            quoted = without_fences(lines);
            &quoted[..]
        } else {
            lines
        };
        let (shape, at, message) = if let Some(at) = search_replace::find_sign(self, lines) {
            (Shape::SearchReplace, at, format!("`{}` is a part of a block, and no line begins one", lines[at].trim()))
        } else if let Some(at) = unified::find_sign(self, lines).filter(|_| !as_diff) {
            (Shape::Unified, at, "this line is one of a diff, and the text can't be read as one".to_owned())
        } else {
            return Ok(None);
        };
        if is_markdown {
            let lines = LineRange::new(at + self.offset, at + self.offset + 1);
            return Ok(Some(NeedsVerifyReason::new(ReasonKind::SnippetSuspicious, message).at_snippet(lines)));
        }
        Err(self.malformed(shape, at, message))
    }
}

/// Leaves blank what code fences quote.
fn without_fences<'a>(lines: &[&'a str]) -> Vec<&'a str> {
    let mut open: Option<(char, usize)> = None;
    let outside = |line: &&'a str| {
        let text = line.trim_start();
        let sign = text.chars().next().filter(|sign| matches!(sign, '`' | '~'));
        let len = sign.map_or(0, |sign| text.len() - text.trim_start_matches(sign).len());
        match (open, sign) {
            (None, Some(sign)) if len >= 3 => open = Some((sign, len)),
            (Some((begun, n)), Some(sign)) if sign == begun && len >= n && text.trim_end().len() == len => open = None,
            (Some(_), _) => return "",
            (None, _) => {}
        }
        line
    };
    lines.iter().map(outside).collect()
}

/// Gives each hunk all lines from behind the one before it to its own last, and the last hunk all that follow.
fn partition(hunks: &mut [Hunk], n_lines: usize) {
    let mut start = 0;
    let n = hunks.len();
    for (at, hunk) in hunks.iter_mut().enumerate() {
        let end = if at + 1 == n { n_lines } else { hunk.lines.end };
        hunk.lines = LineRange::new(start, end);
        start = end;
    }
}

/// Compares old with new lines: which stay, which go, which are new.
fn compare(old: &[usize], new: &[usize], text: impl Fn(usize) -> String) -> Vec<Op> {
    let mut input: InternedInput<String> = InternedInput::default();
    input.update_before(old.iter().map(|&line| text(line)));
    input.update_after(new.iter().map(|&line| text(line)));
    let mut diff = Diff::compute(Algorithm::Histogram, &input);
    diff.postprocess_no_heuristic(&input);
    let mut ops = Vec::with_capacity(old.len() + new.len());
    let (mut at_old, mut at_new) = (0, 0);
    let keep = |ops: &mut Vec<Op>, at_old: &mut usize, at_new: &mut usize, until: usize| {
        while *at_old < until {
            ops.push(Op::Keep { old: old[*at_old], new: new[*at_new] });
            (*at_old, *at_new) = (*at_old + 1, *at_new + 1);
        }
    };
    for hunk in diff.hunks() {
        keep(&mut ops, &mut at_old, &mut at_new, hunk.before.start as usize);
        ops.extend(hunk.before.clone().map(|n| Op::Gone { old: old[n as usize] }));
        ops.extend(hunk.after.clone().map(|n| Op::New { new: new[n as usize] }));
        (at_old, at_new) = (hunk.before.end as usize, hunk.after.end as usize);
    }
    keep(&mut ops, &mut at_old, &mut at_new, old.len());
    ops
}
