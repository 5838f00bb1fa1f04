//! What of the old text a snippet shows, and the proof that a reader can find where it belongs.
//!
//! A [`Plan`] marks kept old lines as shown. Whatever a style marks, [`Plan::items`] shows every new line, no removed one, and a gap for
//! each run of hidden lines. [`Plan::settle`] makes the truth derivable:
//!
//! 1. Each hunk has at least one shown line that isn't blank on both sides (none at an end of the file), so that no removal
//!    and no insertion touches a gap.
//! 2. A removal has a telling line on both sides, not just a bracket.
//! 3. Between two gaps, at least one run of shown lines stands only once in the old text (or only once in its
//!    block, if the block's head is shown and unique), and from there every other run is the nearest that fits. A stretch that isn't
//!    unique is extended line by line.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use super::blocks::Blocks;
use crate::change::{Change, is_blank};

/// Lines a stretch is extended by until it is unique. A reader of more context than this would be given the whole function.
const MAX_EXTENSION: usize = 12;

/// A line with fewer letters and digits tells nothing of where it stands. More would ask for context beside lines like `end`.
const TELLING_CHARS: usize = 3;

/// A part of a snippet before it becomes text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Item {
    /// A shown old line.
    Keep(usize),
    /// A new line.
    Add(usize),
    /// Old lines that vanish; new ones may follow.
    Cut(Range<usize>),
    /// Hidden old lines.
    Gap(Range<usize>),
}

/// The lines to show.
#[derive(Debug, Clone)]
pub(super) struct Plan {
    shown: Vec<bool>,
    /// Gaps end before these lines: one reference a block.
    breaks: BTreeSet<usize>,
}

/// The old text, prepared for questions.
#[derive(Debug)]
pub(super) struct View<'a> {
    pub(super) change: &'a Change,
    pub(super) old: &'a [String],
    /// Whether the old line is in the new text.
    kept: Vec<bool>,
    /// Old lines that aren't blank.
    dense: Vec<usize>,
    /// For each text, its places in `dense`.
    places: HashMap<&'a str, Vec<usize>>,
    pub(super) blocks: Blocks<'a>,
}

impl<'a> View<'a> {
    pub(super) fn new(change: &'a Change) -> Self {
        let old = &change.old.lines;
        let mut kept = vec![true; old.len()];
        for hunk in &change.hunks {
            kept[hunk.before.clone()].fill(false);
        }
        let dense: Vec<usize> = (0..old.len()).filter(|&n| !is_blank(&old[n])).collect();
        let mut places: HashMap<&str, Vec<usize>> = HashMap::new();
        for (place, &n) in dense.iter().enumerate() {
            places.entry(old[n].trim_end()).or_default().push(place);
        }
        Self { change, old, kept, dense, places, blocks: Blocks::new(old) }
    }

    /// Gives the nearest kept lines that aren't blank above `before`, nearest first.
    pub(super) fn above(&self, before: usize) -> impl Iterator<Item = usize> + '_ {
        (0..before).rev().filter(|&n| self.kept[n] && !is_blank(&self.old[n]))
    }

    /// Gives the nearest kept lines that aren't blank from `from` on, nearest first.
    pub(super) fn below(&self, from: usize) -> impl Iterator<Item = usize> + '_ {
        (from..self.old.len()).filter(|&n| self.kept[n] && !is_blank(&self.old[n]))
    }

    /// Finds where the lines `run` (old lines, none blank) stand within `scope`, as the old line of their first.
    pub(super) fn occurrences(&self, run: &[usize], scope: &Range<usize>) -> Vec<usize> {
        let Some(&first) = run.first() else { return Vec::new() };
        let text = |n: usize| self.old[n].trim_end();
        self.places
            .get(text(first))
            .into_iter()
            .flatten()
            .filter(|&&place| {
                run.iter().enumerate().all(|(k, &n)| {
                    self.dense.get(place + k).is_some_and(|&at| scope.contains(&at) && text(at) == text(n))
                })
            })
            .map(|&place| self.dense[place])
            .collect()
    }
}

impl Plan {
    /// Hides everything.
    pub(super) fn new(view: &View<'_>) -> Self {
        Self { shown: vec![false; view.old.len()], breaks: BTreeSet::new() }
    }

    pub(super) fn show(&mut self, lines: impl IntoIterator<Item = usize>) {
        for line in lines {
            self.shown[line] = true;
        }
    }

    pub(super) fn break_before(&mut self, line: usize) {
        self.breaks.insert(line);
    }

    /// Shows `n` kept lines that aren't blank on both sides of every hunk, and the blank ones between.
    pub(super) fn show_context(&mut self, view: &View<'_>, n: usize) {
        for hunk in &view.change.hunks {
            if let Some(first) = view.above(hunk.before.start).take(n).last() {
                self.show(first..hunk.before.start);
            }
            if let Some(last) = view.below(hunk.before.end).take(n).last() {
                self.show(hunk.before.end..=last);
            }
        }
    }

    /// Lists the snippet's parts from top to bottom.
    pub(super) fn items(&self, view: &View<'_>) -> Vec<Item> {
        let mut items = Vec::new();
        let mut gap = 0..0;
        let mut at = 0;
        let mut hunks = view.change.hunks.iter().peekable();
        loop {
            if let Some(hunk) = hunks.next_if(|hunk| hunk.before.start == at) {
                flush(&mut items, &mut gap, view.old);
                if !hunk.before.is_empty() {
                    items.push(Item::Cut(hunk.before.clone()));
                }
                items.extend(hunk.after.clone().map(Item::Add));
                at = hunk.before.end;
            } else if at == view.old.len() {
                flush(&mut items, &mut gap, view.old);
                return items;
            } else {
                if self.shown[at] || self.breaks.contains(&at) {
                    flush(&mut items, &mut gap, view.old);
                }
                if self.shown[at] {
                    items.push(Item::Keep(at));
                } else {
                    gap = if gap.is_empty() { at..at + 1 } else { gap.start..at + 1 };
                }
                at += 1;
            }
        }
    }

    /// Makes the truth derivable (see the module) and gives the parts; `None` where that takes too much context.
    pub(super) fn settle(mut self, view: &View<'_>) -> Option<Vec<Item>> {
        self.show_context(view, 1);
        for _ in 0..=MAX_EXTENSION {
            let items = self.items(view);
            let mut settled = true;
            for stretch in items.split(|item| matches!(item, Item::Gap(_))) {
                let changes = stretch.iter().any(|item| matches!(item, Item::Add(_) | Item::Cut(_)));
                if changes && !self.is_found(view, stretch) {
                    settled = false;
                    if !self.extend(view, stretch) {
                        return None;
                    }
                }
            }
            if settled {
                return Some(items);
            }
        }
        None
    }

    /// Shows one more line on both sides of a stretch; says whether there was one.
    fn extend(&mut self, view: &View<'_>, stretch: &[Item]) -> bool {
        let (Some(start), Some(end)) = (stretch.iter().find_map(first_line), stretch.iter().rev().find_map(last_line))
        else {
            return false;
        };
        let above = view.above(start).next();
        let below = view.below(end).next();
        if let Some(above) = above {
            self.show(above..start);
        }
        if let Some(below) = below {
            self.show(end..=below);
        }
        above.is_some() || below.is_some()
    }

    /// Says whether a stretch between two gaps has one place in the old text.
    fn is_found(&self, view: &View<'_>, stretch: &[Item]) -> bool {
        let runs = runs(view, stretch);
        if runs.is_empty() {
            return false;
        }
        if !shows_ends(view, stretch) {
            return false;
        }
        let scope = self.scope(view, stretch);
        (0..runs.len()).any(|known| {
            let unique = |scope| view.occurrences(&runs[known], &scope).len() == 1;
            if !unique(0..view.old.len()) && !scope.clone().is_some_and(unique) {
                return false;
            }
            // From a known run outwards the nearest fitting place must be the true one.
            let all = 0..view.old.len();
            let downwards = runs[known..].windows(2).all(|pair| {
                let from = pair[0].last().map_or(0, |last| last + 1);
                view.occurrences(&pair[1], &(from..all.end)).first() == pair[1].first()
            });
            let upwards = runs[..=known].windows(2).all(|pair| {
                let to = pair[1].first().copied().unwrap_or(all.end);
                view.occurrences(&pair[0], &(0..to)).last() == pair[0].first()
            });
            downwards && upwards
        })
    }

    /// Gives the body of the innermost block around a stretch whose heads are all shown and lead there in one way.
    fn scope(&self, view: &View<'_>, stretch: &[Item]) -> Option<Range<usize>> {
        let (start, end) = (stretch.iter().find_map(first_line)?, stretch.iter().rev().find_map(last_line)?);
        let mut scope = 0..view.old.len();
        let mut found = None;
        for head in view.blocks.around(&(start..end)).into_iter().rev() {
            let kept = view.kept[head] && self.shown[head];
            if !kept || view.occurrences(&[head], &scope).len() != 1 {
                break;
            }
            scope = head + 1..view.blocks.end(head) + 1;
            found = Some(scope.clone());
        }
        found
    }
}

/// Ends a gap. Blank lines at its ends are shown, and so is a gap of a single line: no one writes a reference for that.
fn flush(items: &mut Vec<Item>, gap: &mut Range<usize>, old: &[String]) {
    let hidden = std::mem::take(gap);
    let mut dense = hidden.clone().filter(|&n| !is_blank(&old[n]));
    match (dense.next(), dense.next_back()) {
        (Some(first), Some(last)) => {
            items.extend((hidden.start..first).map(Item::Keep));
            items.push(Item::Gap(first..last + 1));
            items.extend((last + 1..hidden.end).map(Item::Keep));
        }
        _ => items.extend(hidden.map(Item::Keep)),
    }
}

/// Says whether both ends of each removal in a stretch can be seen: the runs around it hold more than `}`, `*/` or `*`, which fit
/// anywhere.
fn shows_ends(view: &View<'_>, stretch: &[Item]) -> bool {
    let says = |item: &Item| match item {
        Item::Keep(n) => view.old[*n].chars().filter(|c| c.is_alphanumeric()).count() >= TELLING_CHARS,
        _ => false,
    };
    let is_kept = |item: &&Item| matches!(item, Item::Keep(_));
    stretch.iter().enumerate().filter(|(_, item)| matches!(item, Item::Cut(_))).all(|(n, _)| {
        let new = stretch[n + 1..].iter().take_while(|item| matches!(item, Item::Add(_))).count();
        let above: Vec<&Item> = stretch[..n].iter().rev().take_while(is_kept).collect();
        let below: Vec<&Item> = stretch[n + 1 + new..].iter().take_while(is_kept).collect();
        // At an end of the file there is nothing to show.
        [above, below].iter().all(|run| run.is_empty() || run.iter().any(|item| says(item)))
    })
}

/// Splits a stretch into runs of shown lines that stand together in the old text; blank lines don't count.
fn runs(view: &View<'_>, stretch: &[Item]) -> Vec<Vec<usize>> {
    stretch
        .split(|item| matches!(item, Item::Add(_) | Item::Cut(_)))
        .map(|run| {
            run.iter()
                .filter_map(|item| match item {
                    Item::Keep(n) if !is_blank(&view.old[*n]) => Some(*n),
                    _ => None,
                })
                .collect::<Vec<_>>()
        })
        .filter(|run| !run.is_empty())
        .collect()
}

fn first_line(item: &Item) -> Option<usize> {
    match item {
        Item::Keep(n) => Some(*n),
        Item::Cut(range) | Item::Gap(range) => Some(range.start),
        Item::Add(_) => None,
    }
}

fn last_line(item: &Item) -> Option<usize> {
    match item {
        Item::Keep(n) => Some(n + 1),
        Item::Cut(range) | Item::Gap(range) => Some(range.end),
        Item::Add(_) => None,
    }
}

/// Says whether a removal at an end of the file could hide behind a reference that is only implied: nothing stands between the
/// vanished lines and the file's end, and the new lines don't look like them.
pub(super) fn hides_at_edge(view: &View<'_>) -> bool {
    view.change.hunks.iter().any(|hunk| {
        let edge = view.above(hunk.before.start).next().is_none() || view.below(hunk.before.end).next().is_none();
        let lines =
            |lines: &[String]| -> String { lines.iter().map(|line| line.trim()).collect::<Vec<_>>().join("\n") };
        let (old, new) = (lines(&view.old[hunk.before.clone()]), lines(&view.change.new.lines[hunk.after.clone()]));
        edge && !old.trim().is_empty() && (new.trim().is_empty() || similarity(&old, &new) < 0.5)
    })
}

/// Measures how much of two texts is equal, from 0 to 1. Long texts are cut: only likeness at a glance counts.
fn similarity(a: &str, b: &str) -> f32 {
    let cut = |text: &str| text.chars().take(400).collect::<String>();
    similar::TextDiff::from_words(cut(a), cut(b)).ratio()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::change::tests::change;

    #[test]
    fn context_grows_until_it_stands_once() {
        let old = "a\nif x:\n    y\nb\nif x:\n    y\nc\nd\n".to_owned() + &"z\n".repeat(3);
        let change = change("a.py", &old, &old.replacen("    y\nc", "    y\n    new\nc", 1));
        let view = View::new(&change);
        let items = Plan::new(&view).settle(&view).unwrap();
        assert_eq!(items, [Item::Gap(0..5), Item::Keep(5), Item::Add(6), Item::Keep(6), Item::Gap(7..11)]);

        // Here the lines around the change stand twice until `b` and `e` come in.
        let old = "a\nif x:\n    y\nc\nd\nb\nif x:\n    y\nc\ne\nf\n";
        let change = super::tests::change("a.py", old, &old.replacen("    y\nc\ne", "    y\n    new\nc\ne", 1));
        let view = View::new(&change);
        let items = Plan::new(&view).settle(&view).unwrap();
        assert_eq!(items.first(), Some(&Item::Gap(0..6)));
        assert!(items.contains(&Item::Keep(9)));
    }

    #[test]
    fn no_gap_touches_a_change() {
        let old = (0..30).map(|n| format!("line {n}\n")).collect::<Vec<_>>().concat();
        let change = change("a.py", &old, &old.replace("line 7\nline 8\n", "").replace("line 20\n", "line 20\nx\n"));
        let view = View::new(&change);
        let items = Plan::new(&view).settle(&view).unwrap();
        for pair in items.windows(2) {
            let touches = matches!(
                pair,
                [Item::Gap(_), Item::Add(_) | Item::Cut(_)] | [Item::Add(_) | Item::Cut(_), Item::Gap(_)]
            );
            assert!(!touches, "{items:?}");
        }
    }
}
