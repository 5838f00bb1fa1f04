//! Declarations that are shown without a word on where they belong.
//!
//! One whose name the file has replaces it: the alignment does that, under the tie of the names; here it only gets the
//! indentation of the one it replaces. One whose name the file doesn't have is added behind the last of its kind, if
//! there is only one scope that it can be of. That it is new, and not another one renamed, is known only if the
//! description announces nothing but insertions.
//!
//! # Cost
//!
//! O(snippet + top-level declarations of the original); a parse of the whole where a declaration is added.

use std::borrow::Cow;

use crate::anchor::{Class, Plan, indent_width};
use crate::classify::{Description, Force, Line, LineKind, Snippet};
use crate::hunk::{Hint, Hunk, Op};
use crate::indent::Conversion;
use crate::outcome::Shape;
use crate::range::LineRange;
use crate::source::{Source, indent_of, is_blank};
use crate::treesitter::{Chart, Item, ItemKind, Outline};
use crate::verdict::{NeedsVerifyReason, ReasonKind};

/// How many blank lines are put between an added declaration and its neighbours, at most.
const MOST_BLANKS: usize = 2;

/// Gives each tied declaration the indentation that its partner has. Says whether any was changed.
pub(crate) fn indent_like_partner(
    snippet: &mut Snippet<'_>,
    original: &Source<'_>,
    plan: &Plan,
    literals: &[LineRange],
) -> Option<Conversion> {
    if snippet.shape != Shape::Bare {
        return None;
    }
    let mut converted = None;
    let mut end = 0;
    // Outer pairs come before inner ones.
    for pair in &plan.pairs {
        if pair.snippet.start < end {
            continue;
        }
        end = pair.snippet.end;
        let ours = indent_of(&snippet.lines[pair.name_line].text).to_owned();
        let theirs = indent_of(original.line(pair.name_row));
        if ours != theirs && shift(snippet, pair.snippet, literals, &ours, theirs) {
            converted = Some(Conversion { unanimous: true });
        }
    }
    converted
}

/// Puts `theirs` in place of `ours` in front of lines, if all have it.
fn shift(snippet: &mut Snippet<'_>, lines: LineRange, literals: &[LineRange], ours: &str, theirs: &str) -> bool {
    let may_move = |line: &usize| {
        snippet.lines[*line].kind != LineKind::Blank && !literals.iter().any(|literal| literal.contains(*line))
    };
    let moved: Vec<usize> = lines.iter().filter(may_move).collect();
    let same_kind = ours.is_empty() || theirs.is_empty() || ours.starts_with('\t') == theirs.starts_with('\t');
    if !same_kind || !moved.iter().all(|&line| snippet.lines[line].text.starts_with(ours)) {
        return false;
    }
    for line in moved {
        let text = theirs.to_owned() + &snippet.lines[line].text[ours.len()..];
        snippet.lines[line].text = Cow::Owned(text);
    }
    true
}

/// Where declarations that the file doesn't have go.
struct Slot<'o> {
    /// The row they are put before.
    row: usize,
    /// The declaration above.
    above: &'o Item,
    /// The indentation they have there.
    indent: String,
}

/// Turns declarations that the file doesn't have into one hunk, if one scope alone can hold them.
pub(crate) fn add(
    snippet: &mut Snippet<'_>,
    original: &Source<'_>,
    description: &Description,
    plan: &Plan,
    (chart, snippet_outline): (&Chart<'_>, &Outline),
) {
    let is_absent = |item: &Item| plan.new_items.iter().any(|rows| rows.overlaps(item.rows));
    if snippet.shape != Shape::Bare
        || !plan.pairs.is_empty()
        || !description.ranges.is_empty()
        || !snippet_outline.items.iter().all(is_absent)
    {
        return;
    }
    let whole = chart.all();
    if whole.outline.cut_by.is_some() {
        return;
    }
    let Some(slot) = slot(snippet, original, &whole.outline, snippet_outline) else { return };
    let all = LineRange::new(0, snippet.lines.len());
    let Some(first) = snippet.lines.iter().position(|line| line.kind == LineKind::Code) else { return };
    let last = snippet.lines.iter().rposition(|line| line.kind == LineKind::Code).unwrap_or(first);
    let ours = indent_of(&snippet.lines[first].text).to_owned();
    if ours != slot.indent && !shift(snippet, all, &snippet_outline.literals, &ours, &slot.indent) {
        return;
    }
    // Behind a syntax error it can't be told what ends where.
    if !description.only_inserts() || whole.outline.has_errors {
        let name = snippet_outline.items.first().map_or("", |item| &item.name);
        let message = format!(
            "`{name}` is not in the file; it is added behind `{}`, but may be meant elsewhere, or as a new name",
            slot.above.name
        );
        let row = LineRange::new(slot.row, slot.row);
        let lines = snippet.handed_in(LineRange::new(first, last + 1));
        let reason = NeedsVerifyReason::new(ReasonKind::AmbiguousLocation, message);
        snippet.doubts.push(reason.at_original(row).at_snippet(lines));
    }
    // As many blank lines as there are above the declaration that it follows.
    let above = (0..slot.above.rows.start).rev().take_while(|&row| is_blank(original.line(row))).count();
    let n_above = above.clamp(1, MOST_BLANKS);
    let follows = |row: usize| row < original.n_lines() && !is_blank(original.line(row));
    let closes = follows(slot.row) && original.line(slot.row).trim_start().starts_with(['}', ')', ']']);
    let n_below = if follows(slot.row) && !closes { n_above } else { 0 };
    let blank = |number: usize| Line {
        text: Cow::Borrowed(""),
        kind: LineKind::Blank,
        class: Class::BLANK,
        force: Force::Free,
        number,
    };
    let (at_first, at_last) = (snippet.lines[first].number, snippet.lines[last].number);
    let behind = snippet.lines.split_off(last + 1);
    snippet.lines.extend(std::iter::repeat_n(blank(at_last), n_below));
    snippet.lines.extend(behind);
    snippet.lines.splice(first..first, std::iter::repeat_n(blank(at_first), n_above));
    let ops = (first..last + 1 + n_above + n_below).map(|new| Op::New { new }).collect();
    let lines = LineRange::new(0, snippet.lines.len());
    snippet.hunks = vec![Hunk { lines, ops, hint: Hint::Known(slot.row), ..Hunk::default() }];
}

/// Finds the one place that declarations without a partner can have.
fn slot<'o>(
    snippet: &Snippet<'_>,
    original: &Source<'_>,
    original_outline: &'o Outline,
    snippet_outline: &Outline,
) -> Option<Slot<'o>> {
    let first = snippet_outline.items.first()?;
    let indent = indent_width(&snippet.lines.get(first.header.start)?.text);
    let has_body = |item: &&Item| item.header.end < item.rows.end && item.kind != ItemKind::Section;
    let top: Vec<&Item> = original_outline.items.iter().filter(has_body).collect();
    let behind = |above: &'o Item| Slot {
        row: above.rows.end,
        above,
        indent: indent_of(original.line(above.header.start)).to_owned(),
    };
    let is_type = |item: &Item| item.kind == ItemKind::Type;
    // A function among functions, a type among types: the file is the scope.
    let like = top.iter().rev().find(|item| is_type(item) == is_type(first));
    let is_method =
        ["(self", "(&self", "(mutself", "(&mutself", "(cls"].iter().any(|own| first.parameters.starts_with(own));
    if indent == 0
        && !is_method
        && let Some(like) = like
        && indent_width(original.line(like.header.start)) == 0
    {
        return Some(behind(top.last().copied().unwrap_or(like)));
    }
    if is_type(first) {
        return None;
    }
    // A method: there must be one type that has any.
    let last_method = |item: &'o Item| item.children.iter().rfind(|child| has_body(child));
    let mut methods = top.iter().filter(|item| is_type(item)).filter_map(|item| last_method(item));
    let (last, None) = (methods.next()?, methods.next()) else { return None };
    let fits = indent == 0 || indent == indent_width(original.line(last.header.start));
    fits.then(|| behind(last))
}
