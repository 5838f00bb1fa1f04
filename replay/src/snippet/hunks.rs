//! Shapes that name what they change: search/replace blocks, unified diffs, patches, old and new texts.
//!
//! Each shows the changed stretches of the old text, and every stretch stands there once: the truth is what the shape
//! says, however badly it counts.

use std::ops::Range;

use super::plan::{Item, View};
use super::{Draft, Line, Role, context};
use crate::change::is_blank;
use crate::rng::Rng;

/// A changed stretch: shown old lines, those that go, and new ones.
struct Stretch<'v> {
    items: Vec<Item>,
    /// The old lines it stands for.
    old: Range<usize>,
    view: &'v View<'v>,
}

impl Stretch<'_> {
    /// Gives the lines of one side: what is there, or what shall be there.
    fn side(&self, old: bool) -> Vec<&str> {
        let mut lines = Vec::new();
        for item in &self.items {
            match item {
                Item::Keep(n) => lines.push(self.view.old[*n].as_str()),
                Item::Cut(range) if old => lines.extend(self.view.old[range.clone()].iter().map(String::as_str)),
                Item::Add(n) if !old => lines.push(self.view.change.new.lines[*n].as_str()),
                _ => {}
            }
        }
        lines
    }

    /// Gives the lines with their signs; `bare_blanks` leaves the column of blank ones out, as models do.
    fn marked(&self, bare_blanks: bool) -> Vec<Line> {
        let mut lines = Vec::new();
        for item in &self.items {
            match item {
                Item::Keep(n) if bare_blanks && self.view.old[*n].is_empty() => lines.push(Line::new(Role::Keep, "")),
                Item::Keep(n) => lines.push(Line::new(Role::Keep, format!(" {}", self.view.old[*n]))),
                Item::Add(n) => lines.push(Line::new(Role::Add, format!("+{}", self.view.change.new.lines[*n]))),
                Item::Cut(range) => {
                    lines.extend(range.clone().map(|n| Line::new(Role::Minus, format!("-{}", self.view.old[n]))));
                }
                Item::Gap(_) => {}
            }
        }
        lines
    }
}

/// Cuts the change into stretches; `None` if one of them stands more than once, or nowhere to speak of.
fn stretches<'v>(view: &'v View<'v>, rng: &mut Rng) -> Option<Vec<Stretch<'v>>> {
    let items = context::visible(view, rng)?;
    let mut stretches = Vec::new();
    for items in items.split(|item| matches!(item, Item::Gap(_))) {
        if !items.iter().any(|item| matches!(item, Item::Add(_) | Item::Cut(_))) {
            continue;
        }
        let mut lines = items.iter().filter_map(|item| match item {
            Item::Keep(n) => Some(*n..*n + 1),
            Item::Cut(range) => Some(range.clone()),
            _ => None,
        });
        let first = lines.next()?;
        let last = lines.next_back().unwrap_or_else(|| first.clone());
        let (first, last) = (first.start, last.end);
        let stretch = Stretch { items: items.to_vec(), old: first..last, view };
        if n_places(view.old, &stretch.side(true)) != 1 {
            return None;
        }
        stretches.push(stretch);
    }
    (!stretches.is_empty()).then_some(stretches)
}

/// Counts where lines follow each other in the old text, trailing blanks apart; lines that say nothing stand everywhere.
fn n_places(old: &[String], lines: &[&str]) -> usize {
    if lines.iter().all(|line| is_blank(line)) {
        return usize::MAX;
    }
    old.windows(lines.len()).filter(|place| place.iter().zip(lines).all(|(a, b)| a.trim_end() == b.trim_end())).count()
}

fn text(role: Role, lines: &[&str]) -> impl Iterator<Item = Line> {
    lines.iter().map(|line| Line::new(role, *line)).collect::<Vec<_>>().into_iter()
}

/// One block a stretch, at times in another order, with the path above and a fence around.
pub(super) fn search_replace(view: &View<'_>, rng: &mut Rng) -> Option<Vec<Line>> {
    let mut stretches = stretches(view, rng)?;
    if rng.one_in(3) {
        stretches.reverse();
    }
    let (open, close) = rng.pick(&[("<<<<<<< SEARCH", ">>>>>>> REPLACE"), ("------- SEARCH", "+++++++ REPLACE")]);
    let (has_path, has_fence) = (rng.one_in(3), rng.one_in(4));
    let mut lines = Vec::new();
    for stretch in &stretches {
        let (old, new) = (stretch.side(true), stretch.side(false));
        let sign = |line: &str| Line::new(Role::Marker, line);
        if has_path {
            lines.push(sign(&view.change.origin.path));
        }
        if has_fence {
            lines.push(sign("```"));
        }
        lines.push(sign(open));
        lines.extend(text(Role::Minus, &old));
        lines.push(sign("======="));
        lines.extend(text(Role::Add, &new));
        lines.push(sign(close));
        if has_fence {
            lines.push(sign("```"));
        }
        lines.push(sign(""));
    }
    // Signs in the text would need a reader who counts them.
    let is_sign =
        |line: &&Line| line.role != Role::Marker && (line.text.contains("=====") || line.text.contains("<<<<<"));
    lines.iter().find(is_sign).is_none().then_some(lines)
}

/// One hunk a stretch, with numbers that are right, wrong, or left out.
pub(super) fn unified(view: &View<'_>, rng: &mut Rng) -> Option<Vec<Line>> {
    let stretches = stretches(view, rng)?;
    let (has_names, bare_blanks, has_heading) = (rng.one_in(2), rng.one_in(2), rng.one_in(3));
    let numbers = rng.below(4);
    let mut lines = Vec::new();
    let path = &view.change.origin.path;
    if has_names {
        lines.push(Line::new(Role::Marker, format!("--- a/{path}")));
        lines.push(Line::new(Role::Marker, format!("+++ b/{path}")));
    }
    for stretch in &stretches {
        let heading = view.blocks.around(&stretch.old).last().map_or("", |&head| view.old[head].trim());
        let heading =
            if has_heading && numbers < 3 && !heading.is_empty() { format!(" {heading}") } else { String::new() };
        let (first, n_old, n_new) = (stretch.old.start + 1, stretch.side(true).len(), stretch.side(false).len());
        let header = match numbers {
            0 => format!("@@ -{first},{n_old} +{first},{n_new} @@{heading}"),
            1 => format!("@@ -{},{n_old} +{first},{} @@{heading}", first + 1 + rng.below(40), n_new + rng.below(3)),
            2 => format!("@@ -1,{} +1,{n_new} @@{heading}", n_old + 1 + rng.below(5)),
            _ => rng.pick(&["@@", "@@ ... @@", "@@ @@"]).to_owned(),
        };
        lines.push(Line::new(Role::Marker, header));
        lines.extend(stretch.marked(bare_blanks));
    }
    // A line of the file that reads like a header can't be told from one.
    let reads_like_sign = |line: &Line| {
        line.role != Role::Marker && line.text.get(1..).is_some_and(|t| t.starts_with("-- ") || t.starts_with("++ "))
    };
    (!lines.iter().any(reads_like_sign)).then_some(lines)
}

/// One hunk a stretch, under the header of a block around it.
pub(super) fn patch(view: &View<'_>, rng: &mut Rng) -> Option<Vec<Line>> {
    let stretches = stretches(view, rng)?;
    let scopes = rng.below(3);
    let mut lines = vec![
        Line::new(Role::Marker, "*** Begin Patch"),
        Line::new(Role::Marker, format!("*** Update File: {}", view.change.origin.path)),
    ];
    for stretch in &stretches {
        let mut heads: Vec<usize> = view.blocks.around(&stretch.old).into_iter().rev().collect();
        // A header is a line above the hunk that still stands there.
        heads.retain(|&head| head < stretch.old.start && view.above(head + 1).next() == Some(head));
        heads.truncate(scopes);
        if heads.is_empty() {
            lines.push(Line::new(Role::Marker, "@@"));
        }
        lines.extend(heads.iter().map(|&head| Line::new(Role::Marker, format!("@@ {}", view.old[head].trim()))));
        lines.extend(stretch.marked(false));
    }
    lines.push(Line::new(Role::Marker, "*** End Patch"));
    Some(lines)
}

/// One pair a stretch; a single changed line only by the part of it that stands once.
pub(super) fn pairs(view: &View<'_>, rng: &mut Rng) -> Option<Draft> {
    let all = view.old.join("\n");
    let by_part = rng.one_in(2);
    let mut pairs = Vec::new();
    for stretch in &stretches(view, rng)? {
        let is_kept = |item: &Item| matches!(item, Item::Keep(_));
        let part = match stretch.items.split(is_kept).filter(|run| !run.is_empty()).collect::<Vec<_>>()[..] {
            // One run: a line that is put in further down doesn't take the place of the one that goes.
            [[Item::Cut(range), Item::Add(n)]] if by_part && range.len() == 1 => {
                let (old, new) = (view.old[range.start].trim(), view.change.new.lines[*n].trim());
                let indents = (
                    view.old[range.start].len() - view.old[range.start].trim_start().len(),
                    view.change.new.lines[*n].len() - view.change.new.lines[*n].trim_start().len(),
                );
                let same = indents.0 == indents.1 && view.old[range.start].trim_end() == view.old[range.start];
                (same && old != new && all.matches(old).count() == 1).then(|| (old.to_owned(), new.to_owned()))
            }
            _ => None,
        };
        let whole = || (stretch.side(true).join("\n"), stretch.side(false).join("\n"));
        let pair = part.unwrap_or_else(whole);
        // A part of a longer text stands elsewhere as well.
        if all.matches(&pair.0).count() != 1 || pair.0 == pair.1 {
            return None;
        }
        pairs.push(pair);
    }
    let shown = |role: Role, title: &str, text: &str| {
        std::iter::once(Line::new(Role::Marker, title))
            .chain(text.lines().map(move |line| Line::new(role, line)))
            .collect::<Vec<_>>()
    };
    let lines = pairs
        .iter()
        .flat_map(|(old, new)| [shown(Role::Minus, "old:", old), shown(Role::Add, "new:", new)].concat())
        .collect();
    Some(Draft { lines, change: None, pairs })
}
