//! With enclosing headers and closing lines; a reference stands at the depth of what it elides.

use super::plan::{Item, Plan, View, hides_at_edge};
use super::{Line, render_plain};
use crate::rng::Rng;

pub(super) fn write(view: &View<'_>, rng: &mut Rng) -> Option<Vec<Line>> {
    Some(render_plain(view, &items(view, rng)?))
}

/// Lists the parts; `None` where no change is inside a block.
pub(super) fn items(view: &View<'_>, rng: &mut Rng) -> Option<Vec<Item>> {
    if hides_at_edge(view) {
        return None;
    }
    let mut plan = Plan::new(view);
    plan.show_context(view, 1 + rng.below(2));
    let mut nested = false;
    for hunk in &view.change.hunks {
        for head in view.blocks.around(&hunk.before) {
            nested = true;
            plan.show(view.blocks.frame(head, hunk.before.start));
            // What follows the block is another reference's.
            plan.break_before((view.blocks.end(head) + 1).min(view.old.len()));
        }
    }
    let items = plan.settle(view)?;
    (nested && items.iter().any(|item| matches!(item, Item::Gap(_)))).then_some(items)
}
