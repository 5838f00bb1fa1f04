//! Putting a snippet's declarations into the file's order.
//!
//! Models show a helper before what it helps, or two functions the other way round. Aligned as they stand, one of
//! them would be deleted and written again. If everything between the references is whole declarations that
//! the file has once each, they can be put in its order without a guess; the verdict says that it was done.
//!
//! # Cost
//!
//! O(snippet + declarations log declarations), those of the top level of both texts.

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
    let says_nothing = |line: usize| matches!(snippet.lines[line].kind, LineKind::Blank | LineKind::Reference);
    let sorted = sorted(&blocks, snippet.lines.len(), says_nothing)?;

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

/// Puts blocks of lines into the order of their rows; `None` if they are in it, if they overlap or share a row, or if there
/// are lines beside them that say something.
fn sorted<R: Ord>(
    blocks: &[(LineRange, R)],
    n_lines: usize,
    says_nothing: impl Fn(usize) -> bool,
) -> Option<Vec<LineRange>> {
    let mut at = 0;
    for (lines, _) in blocks {
        if lines.start < at || !(at..lines.start).all(&says_nothing) {
            return None;
        }
        at = lines.end;
    }
    if !(at..n_lines).all(says_nothing) {
        return None;
    }
    let mut sorted: Vec<&(LineRange, R)> = blocks.iter().collect();
    sorted.sort_by(|(_, row), (_, other)| row.cmp(other));
    let is_apart = sorted.windows(2).all(|pair| pair[0].1 < pair[1].1);
    let is_moved = sorted.iter().zip(blocks).any(|((lines, _), (slot, _))| lines != slot);
    (is_apart && is_moved).then(|| sorted.into_iter().map(|&(lines, _)| lines).collect())
}

/// Gives the lines of a declaration that is surely shown as a whole.
fn block(snippet: &Snippet<'_>, item: &Item) -> Option<LineRange> {
    let reference = |line: &usize| snippet.lines.get(*line).is_some_and(|line| line.kind == LineKind::Reference);
    let start = (item.rows.start..item.header.start).rev().find(reference).map_or(item.rows.start, |line| line + 1);
    let lines = LineRange::new(start, item.rows.end);
    let closes = item.closer.is_some() || lines.len() == 1;
    (!item.has_error && closes && lines.end <= snippet.lines.len()).then_some(lines)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::anchor::counted::{Counted, n_compared};

    /// The same by looking at everything for everything.
    fn naive(
        blocks: &[(LineRange, usize)],
        n_lines: usize,
        says_nothing: impl Fn(usize) -> bool,
    ) -> Option<Vec<LineRange>> {
        let is_whole = blocks.windows(2).all(|pair| pair[0].0.end <= pair[1].0.start)
            && blocks.iter().enumerate().all(|(n, (_, row))| blocks[..n].iter().all(|(_, other)| other != row));
        let is_filler = |line: usize| says_nothing(line) || blocks.iter().any(|(lines, _)| lines.contains(line));
        if !is_whole || blocks.is_sorted_by_key(|&(_, row)| row) || !(0..n_lines).all(is_filler) {
            return None;
        }
        let mut sorted: Vec<LineRange> = blocks.iter().map(|&(lines, _)| lines).collect();
        sorted.sort_by_key(|lines| blocks.iter().find(|(block, _)| block == lines).map(|&(_, row)| row));
        Some(sorted)
    }

    #[test]
    fn blocks_are_sorted_as_a_look_at_everything_does() {
        let mut n_sorted = 0;
        for seed in 0_usize..3_000 {
            let roll = |n: usize, most: usize| (seed * 7_919 + n * 104_729 + n * n * (seed + 1)) / 7 % most;
            let mut start = 0;
            let blocks: Vec<(LineRange, usize)> = (0..seed % 6)
                .map(|n| {
                    let from = start + roll(n, 2);
                    start = from + 1 + roll(n + 50, 3);
                    // Now and then two overlap.
                    (LineRange::new(from, start + usize::from(roll(n + 70, 20) == 0)), roll(n + 90, 9))
                })
                .collect();
            let n_lines = blocks.last().map_or(3, |(last, _)| last.end + 2);
            let says_nothing = |line: usize| roll(line + 130, 25) != 0;
            let wanted = naive(&blocks, n_lines, says_nothing);
            assert_eq!(sorted(&blocks, n_lines, says_nothing), wanted, "{blocks:?}");
            n_sorted += usize::from(wanted.is_some());
        }
        assert!(n_sorted > 500, "{n_sorted}");
    }

    #[test]
    fn many_crossing_blocks_take_few_steps() {
        let steps = |n: usize| {
            let blocks: Vec<_> =
                (0..n).map(|at| (LineRange::new(3 * at, 3 * at + 2), Counted((n - at) * 7_919 % n))).collect();
            let looked_at = Cell::new(0);
            let says_nothing = |_: usize| {
                looked_at.set(looked_at.get() + 1);
                true
            };
            let before = n_compared();
            assert_eq!(sorted(&blocks, 3 * n, says_nothing).map(|sorted| sorted.len()), Some(n));
            n_compared() - before + looked_at.get()
        };
        // Rows are apart as long as `n` and the prime are.
        let (few, many) = (steps(2_000), steps(8_000));
        assert!(many * 100 <= few * 550, "{few} and {many} steps");
        assert!(many < 8_000 * 30, "{many} steps");
    }
}
