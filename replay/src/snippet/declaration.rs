//! The whole changed declaration, with its comments and decorators, and nothing else but references.

use super::plan::{Item, Plan, View, hides_at_edge};
use super::{Line, render_plain};
use crate::rng::Rng;

/// Larger declarations are not repeated whole by a model that was told to be brief.
const MAX_LINES: usize = 80;

pub(super) fn write(view: &View<'_>, rng: &mut Rng) -> Option<Vec<Line>> {
    Some(render_plain(view, &items(view, rng)?))
}

/// Lists the parts; `None` where no change is inside a declaration.
pub(super) fn items(view: &View<'_>, rng: &mut Rng) -> Option<Vec<Item>> {
    if hides_at_edge(view) {
        return None;
    }
    let outermost = rng.one_in(2);
    let mut plan = Plan::new(view);
    let mut inside = false;
    for hunk in &view.change.hunks {
        let fits = |&head: &usize| view.blocks.end(head) - head < MAX_LINES;
        let mut heads: Vec<usize> = view.blocks.around(&hunk.before).into_iter().filter(fits).collect();
        // A branch or loop is no declaration: the innermost one wanted is a block at the margin or in one that is.
        if !outermost && heads.len() > 1 {
            let depth = |head: usize| view.blocks.around(&(head..head)).len();
            heads.retain(|&head| depth(head) <= 1);
            heads.truncate(1);
        }
        if let Some(&head) = heads.last() {
            inside = true;
            plan.show(view.blocks.start(head)..=view.blocks.end(head));
        }
    }
    let items = plan.settle(view)?;
    (inside && items.iter().any(|item| matches!(item, Item::Gap(_)))).then_some(items)
}
