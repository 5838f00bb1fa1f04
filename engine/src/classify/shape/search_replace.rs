//! Blocks of an old and a new text.
//!
//! ```text
//! <<<<<<< SEARCH
//! the lines that are there
//! =======
//! the lines that take their place
//! >>>>>>> REPLACE
//! ```
//!
//! Also with `------- SEARCH` and `+++++++ REPLACE`. `...`, or a reference, alone on a line of both texts leaves out the
//! same lines of both.
//!
//! # What looks like a sign inside
//!
//! Blocks nest: a whole block inside of a block is its text. Of several dividers the one counts whose old text stands
//! in the original; if there are several of those the longest old text, and that is a doubt.
//!
//! A file may be about such blocks, as a document or a prompt is: where lines of the file stand beside the blocks, and no
//! block's old text stands in it, the blocks are text that a lazy snippet or a whole file shows.

use super::{Draft, DraftLine, Reader, compare, partition};
use crate::classify::marker::{self, Certainty, Marker};
use crate::classify::wrapping::is_same_file;
use crate::error::Error;
use crate::hunk::{Hint, Hunk, Op};
use crate::outcome::Shape;
use crate::range::LineRange;
use crate::source::is_blank;
use crate::treesitter::Language;
use crate::verdict::{NeedsVerifyReason, ReasonKind};

/// How many dividers of one block are tried.
const MOST_DIVIDERS: usize = 16;

const PLAIN_DIVIDER: &str = "=======";

/// Where a block's signs are.
#[derive(Debug)]
struct Block {
    start: usize,
    divider: usize,
    end: usize,
    /// More than one divider would do.
    is_open: bool,
}

/// Reads a text as search/replace blocks; `None` if no line begins one, or, unless it `is_forced`, if they are text of
/// the file.
pub(super) fn read<'a>(
    reader: &Reader<'_, '_>,
    lines: &[&'a str],
    is_forced: bool,
) -> Result<Option<Draft<'a>>, Error> {
    if !lines.iter().any(|line| opening(line).is_some()) {
        return Ok(None);
    }
    let may_be_text = !is_forced
        && (reader.language == Some(Language::Markdown)
            || lines.iter().all(|line| opening(line).is_none() || reader.known.has(line)));
    let (mut shows_file, mut changes_file) = (false, false);
    let mut draft = Draft { lines: lines.iter().map(|line| DraftLine::sign(line)).collect(), ..Draft::default() };
    let mut at = 0;
    while at < lines.len() {
        if opening(lines[at]).is_some() {
            let block = block(reader, lines, at)?;
            at = block.end + 1;
            changes_file |= may_be_text && reader.known.has_run(&lines[block.start + 1..block.divider]);
            add(reader, &mut draft, lines, &block)?;
        } else {
            if is_ending(lines[at]) {
                let message = "this sign ends a block that was never begun";
                return Err(reader.malformed(Shape::SearchReplace, at, message));
            }
            if let Some(doubt) = beside(reader, lines[at], at) {
                draft.doubts.push(doubt);
                let says = lines[at].contains(char::is_alphanumeric);
                shows_file |= may_be_text && (marker::read(lines[at]).is_some() || says && reader.known.has(lines[at]));
            }
            at += 1;
        }
    }
    if shows_file && !changes_file {
        return Ok(None);
    }
    partition(&mut draft.hunks, lines.len());
    Ok(Some(draft))
}

/// Says whether some line that begins a block stands in the original.
pub(super) fn is_in_file(reader: &Reader<'_, '_>, lines: &[&str]) -> bool {
    lines.iter().any(|line| opening(line).is_some() && reader.known.has(line))
}

/// Reads `<<<<<<< SEARCH`: how long the sign is.
fn opening(line: &str) -> Option<usize> {
    let line = line.trim();
    let sign = line.chars().next().filter(|sign| matches!(sign, '<' | '-'))?;
    let rest = line.trim_start_matches(sign);
    let word = rest.trim().trim_end_matches(':');
    let is_word = word == "SEARCH" || (sign == '<' && matches!(word, "ORIGINAL" | "SEARCH>"));
    (line.len() - rest.len() >= 5 && is_word).then_some(line.len() - rest.len())
}

fn is_divider(line: &str) -> bool {
    let line = line.trim();
    (5..=9).contains(&line.len()) && line.bytes().all(|byte| byte == b'=')
}

fn is_ending(line: &str) -> bool {
    let line = line.trim();
    let Some(sign) = line.chars().next().filter(|sign| matches!(sign, '>' | '+')) else { return false };
    let rest = line.trim_start_matches(sign);
    line.len() - rest.len() >= 5 && matches!(rest.trim().trim_end_matches(':'), "REPLACE" | "UPDATED")
}

/// Finds a line that only a block has, in a text that is read as the file's: its divider, or what ends it.
pub(super) fn find_sign(reader: &Reader<'_, '_>, lines: &[&str]) -> Option<usize> {
    // Seven of the sign underline a heading of as many characters at most.
    let is_heading = |at: usize| {
        let above = at.checked_sub(1).and_then(|above| lines.get(above)).map_or(0, |line| line.trim().chars().count());
        let rules = |other: Option<&&str>| other.is_some_and(|line| line.trim_end() == PLAIN_DIVIDER);
        (1..=PLAIN_DIVIDER.len()).contains(&above) || rules(lines.get(at + 2))
    };
    let is_sign = |&at: &usize| {
        let line = lines[at];
        let is_plain_divider = line.trim_end() == PLAIN_DIVIDER && !is_heading(at);
        (is_plain_divider || is_ending(line)) && !reader.known.has(line)
    };
    (0..lines.len()).find(is_sign)
}

/// Finds the signs of the block that begins at `start`.
fn block(reader: &Reader<'_, '_>, lines: &[&str], start: usize) -> Result<Block, Error> {
    let (mut depth, mut dividers, mut end) = (0, Vec::new(), None);
    for (at, line) in lines.iter().enumerate().skip(start + 1) {
        if opening(line).is_some() {
            depth += 1;
        } else if is_ending(line) {
            if depth == 0 {
                end = Some(at);
                break;
            }
            depth -= 1;
        } else if depth == 0 && is_divider(line) {
            dividers.push(at);
        }
    }
    let sign = lines[start].trim();
    let Some(end) = end else {
        let what = if dividers.is_empty() { "neither a `=======` nor a" } else { "no" };
        let message = format!("the block that `{sign}` begins has {what} `>>>>>>> REPLACE`");
        return Err(reader.malformed(Shape::SearchReplace, start, message));
    };
    // As long as the sign that begins the block, if there is such a one.
    let len = opening(lines[start]);
    if dividers.iter().any(|&at| Some(lines[at].trim().len()) == len) {
        dividers.retain(|&at| Some(lines[at].trim().len()) == len);
    }
    let divider = match dividers[..] {
        [] => {
            let message = format!("the block that `{sign}` begins has no `=======`");
            return Err(reader.malformed(Shape::SearchReplace, start, message));
        }
        [only] => return Ok(Block { start, divider: only, end, is_open: false }),
        [first, ..] => first,
    };
    let stands = |&&at: &&usize| reader.known.has_run(&lines[start + 1..at]) && at > start + 1;
    let fitting: Vec<usize> = dividers.iter().take(MOST_DIVIDERS).filter(stands).copied().collect();
    let is_open = fitting.len() != 1 || reader.known.was_cut_short();
    Ok(Block { start, divider: fitting.last().copied().unwrap_or(divider), end, is_open })
}

/// Says what is wrong with a line outside of the blocks, if anything is.
fn beside(reader: &Reader<'_, '_>, line: &str, at: usize) -> Option<NeedsVerifyReason> {
    let text = line.trim().trim_matches(['*', '#', '`', ':', ' ', '/']);
    let is_word = !text.is_empty() && !text.contains(char::is_whitespace);
    let message = if is_blank(line) || line.trim().starts_with("```") {
        return None;
    } else if is_word && text.contains(['.', '/']) {
        if is_same_file(text, reader.path) {
            return None;
        }
        format!("a block is said to be for `{text}`, which is another file")
    } else {
        "this line stands outside of the blocks and is left out".to_owned()
    };
    let reason = NeedsVerifyReason::new(ReasonKind::SnippetSuspicious, message);
    Some(reason.at_snippet(LineRange::new(at, at + 1)))
}

/// Adds the hunk of a block.
fn add<'a>(reader: &Reader<'_, '_>, draft: &mut Draft<'a>, lines: &[&'a str], block: &Block) -> Result<(), Error> {
    let mut hint = Hint::Nothing;
    let mut old = LineRange::new(block.start + 1, block.divider);
    // Some models say where the lines stand: `:start_line:12`, then a rule.
    while old.start < old.end && lines[old.start].starts_with(':') && lines[old.start].contains("_line:") {
        let number = lines[old.start].strip_prefix(":start_line:").and_then(|number| number.trim().parse().ok());
        hint = number.map_or(hint, |number: usize| Hint::Row(number.saturating_sub(1)));
        old.start += 1;
    }
    if hint != Hint::Nothing && old.start < old.end && lines[old.start].trim() == "-------" {
        old.start += 1;
    }
    let new = LineRange::new(block.divider + 1, block.end);
    for at in old.iter().chain(new.iter()) {
        draft.lines[at].is_sign = false;
    }
    let ops = ops(reader, lines, old, new, &mut draft.doubts)?;
    let lines = LineRange::new(block.start, block.end + 1);
    if block.is_open {
        let message = "more than one `=======` of this block may part its old from its new text";
        draft.doubts.push(NeedsVerifyReason::new(ReasonKind::SnippetSuspicious, message).at_snippet(lines));
    }
    draft.hunks.push(Hunk { lines, ops, hint, ..Hunk::default() });
    Ok(())
}

fn ops(
    reader: &Reader<'_, '_>,
    lines: &[&str],
    old: LineRange,
    new: LineRange,
    doubts: &mut Vec<NeedsVerifyReason>,
) -> Result<Vec<Op>, Error> {
    let is_elision = |at: usize| is_elision(reader, lines[at]);
    let text = |at: usize| if is_elision(at) { "\0".to_owned() } else { lines[at].to_owned() };
    let lines_of = |range: LineRange| range.iter().collect::<Vec<_>>();
    let mut ops = compare(&lines_of(old), &lines_of(new), text);
    for op in &mut ops {
        match *op {
            Op::Keep { old, new } if is_elision(old) => *op = Op::Elided { old, new },
            Op::Gone { old } if is_elision(old) => {
                let message =
                    "this line leaves lines out that the new text doesn't leave out, so nothing says whether they go";
                return Err(reader.malformed(Shape::SearchReplace, old, message));
            }
            Op::New { new } if is_elision(new) => {
                let message = "this line stands for lines that the old text doesn't leave out";
                let reason = NeedsVerifyReason::new(ReasonKind::ReferenceLeft, message);
                doubts.push(reason.at_snippet(LineRange::new(new, new + 1)));
            }
            _ => {}
        }
    }
    // What is left out at an end says nothing.
    let is_edge = |op: &Op| matches!(op, Op::Elided { .. });
    while ops.last().is_some_and(is_edge) {
        ops.pop();
    }
    let n_edge = ops.iter().take_while(|op| is_edge(op)).count();
    ops.drain(..n_edge);
    Ok(ops)
}

/// Says whether a line leaves others out: a reference, or dots alone, that the file doesn't hold.
fn is_elision(reader: &Reader<'_, '_>, line: &str) -> bool {
    match marker::read(line) {
        Some(Marker::Reference(Certainty::Certain)) => true,
        Some(Marker::Reference(Certainty::UnlessInFile)) => !reader.known.has(line),
        _ => matches!(line.trim(), "..." | "\u{2026}") && !reader.known.has(line),
    }
}
