//! A removal marker where lines vanish and nothing takes their place.

use super::plan::{Item, View};
use super::{Line, Role, context, reference};
use crate::change::{indent_of, is_blank};
use crate::rng::Rng;

const PHRASES: &[&str] = &[
    "Plandex: removed code",
    "Plandex: removed code",
    "Plandex: removed",
    "Plandex: removed old code",
    "Plandex: removed unused code",
    "plandex: removed the lines that are no longer needed",
];

pub(super) fn write(view: &View<'_>, rng: &mut Rng) -> Option<Vec<Line>> {
    let items = context::visible(view, rng)?;
    if super::plan::hides_at_edge(view) {
        // Only a marker makes a removal at the edge visible, and it stands for whole removals.
        let marked = view.change.hunks.iter().all(|hunk| hunk.after.is_empty() || !hunk.before.is_empty());
        if !marked {
            return None;
        }
    }
    let mut lines = Vec::new();
    let mut marked = false;
    for (n, item) in items.iter().enumerate() {
        match item {
            Item::Cut(range) if !matches!(items.get(n + 1), Some(Item::Add(_))) => {
                let first = view.old[range.clone()].iter().find(|line| !is_blank(line));
                if let Some(first) = first {
                    marked = true;
                    let phrase = rng.pick(PHRASES);
                    lines.push(Line::new(Role::Marker, reference::worded(view, indent_of(first), phrase)));
                }
            }
            item => lines.extend(super::render_plain(view, std::slice::from_ref(item))),
        }
    }
    (marked && items.iter().any(|item| matches!(item, Item::Gap(_)))).then_some(lines)
}
