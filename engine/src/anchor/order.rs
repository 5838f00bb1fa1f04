//! Putting a snippet's declarations into the file's order.
//!
//! Models show a helper before what it helps, or two functions the other way round. Aligned as they stand, one of
//! them would be deleted and written again. If everything between the references is whole declarations that
//! the file has once each, they can be put in its order without a guess; the verdict says that it was done.
//!
//! # Cost
//!
//! O(snippet + top-level declarations of both texts).

use std::collections::BTreeMap;

use super::{Plan, Problem};
use crate::classify::{LineKind, Snippet};
use crate::range::LineRange;
use crate::treesitter::{Item, ItemKind};

/// Gives the snippet with its top-level declarations in the original's order, if they aren't and can be put so.
pub(crate) fn in_file_order<'s>(problem: &Problem<'_>, plan: &Plan, snippet: &Snippet<'s>) -> Option<Snippet<'s>> {
    if plan.crossed.is_empty() {
        return None;
    }
    let mut rows: BTreeMap<(ItemKind, &str), Vec<usize>> = BTreeMap::new();
    for item in &problem.chart.named().items {
        rows.entry((item.kind, &item.name)).or_default().push(item.rows.start);
    }
    let items = &problem.snippet_outline.items;
    let only_row = |item: &Item| match rows.get(&(item.kind, item.name.as_str()))?.as_slice() {
        [only] => Some(*only),
        _ => None,
    };
    let blocks: Vec<(LineRange, usize)> =
        items.iter().map(|item| Some((block(snippet, item)?, only_row(item)?))).collect::<Option<_>>()?;
    let is_whole = blocks.windows(2).all(|pair| pair[0].0.end <= pair[1].0.start)
        && blocks.iter().enumerate().all(|(n, (_, row))| blocks[..n].iter().all(|(_, other)| other != row));
    let is_filler = |line: usize| {
        matches!(snippet.lines[line].kind, LineKind::Blank | LineKind::Reference)
            || blocks.iter().any(|(lines, _)| lines.contains(line))
    };
    if !is_whole || blocks.is_sorted_by_key(|&(_, row)| row) || !(0..snippet.lines.len()).all(is_filler) {
        return None;
    }

    let mut sorted: Vec<LineRange> = blocks.iter().map(|&(lines, _)| lines).collect();
    sorted.sort_by_key(|lines| blocks.iter().find(|(block, _)| block == lines).map(|&(_, row)| row));
    let mut ordered = Snippet { lines: Vec::with_capacity(snippet.lines.len()), reordered: true, ..snippet.clone() };
    let (mut at, mut shown) = (0, false);
    for ((slot, _), block) in blocks.iter().zip(sorted) {
        let between = &snippet.lines[at..slot.start];
        // What lay between two declarations in the snippet says nothing of what lies between them now.
        if shown && !between.iter().any(|line| line.kind == LineKind::Reference) {
            ordered.implied.push(ordered.lines.len());
        }
        ordered.lines.extend_from_slice(between);
        ordered.lines.extend_from_slice(&snippet.lines[block.iter()]);
        (at, shown) = (slot.end, true);
    }
    ordered.lines.extend_from_slice(&snippet.lines[at..]);
    ordered.implied.sort_unstable();
    ordered.implied.dedup();
    Some(ordered)
}

/// Gives the lines of a declaration that is surely shown as a whole.
fn block(snippet: &Snippet<'_>, item: &Item) -> Option<LineRange> {
    let reference = |line: &usize| snippet.lines.get(*line).is_some_and(|line| line.kind == LineKind::Reference);
    let start = (item.rows.start..item.header.start).rev().find(reference).map_or(item.rows.start, |line| line + 1);
    let lines = LineRange::new(start, item.rows.end);
    let closes = item.closer.is_some() || lines.len() == 1;
    (!item.has_error && closes && lines.end <= snippet.lines.len()).then_some(lines)
}
