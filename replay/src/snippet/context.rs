//! Each changed run with three, two or one lines around it, references between.

use super::plan::{Item, Plan, View, hides_at_edge};
use super::{Line, render_plain};
use crate::rng::Rng;

pub(super) fn write(view: &View<'_>, rng: &mut Rng) -> Option<Vec<Line>> {
    Some(render_plain(view, &items(view, rng)?))
}

/// Lists the parts; other styles write them down in their own way.
pub(super) fn items(view: &View<'_>, rng: &mut Rng) -> Option<Vec<Item>> {
    if hides_at_edge(view) {
        return None;
    }
    let items = visible(view, rng)?;
    // Without a gap this is the whole file.
    items.iter().any(|item| matches!(item, Item::Gap(_))).then_some(items)
}

/// Lists the parts although a removal may lie at an end of the file: for styles that show removals.
pub(super) fn visible(view: &View<'_>, rng: &mut Rng) -> Option<Vec<Item>> {
    let mut plan = Plan::new(view);
    plan.show_context(view, 1 + rng.below(3));
    plan.settle(view)
}
