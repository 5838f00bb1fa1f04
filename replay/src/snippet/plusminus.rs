//! Lines marked `+` and `-` inside a snippet with references.

use super::plan::{Item, View};
use super::{Line, Role, context, reference};
use crate::rng::Rng;

pub(super) fn write(view: &View<'_>, rng: &mut Rng) -> Option<Vec<Line>> {
    let items = context::visible(view, rng)?;
    items.iter().any(|item| matches!(item, Item::Gap(_))).then_some(())?;
    // Some models keep the column of marks in front of unchanged lines, some don't.
    let column = if rng.one_in(2) { " " } else { "" };
    let mut lines = Vec::new();
    let mut marked = 0;
    for item in &items {
        match item {
            Item::Keep(n) => {
                // Such a line can't be told from a marked one where unmarked lines have no column.
                if view.old[*n].starts_with(['+', '-']) {
                    return None;
                }
                lines.push(Line::new(Role::Keep, format!("{column}{}", view.old[*n])));
            }
            Item::Add(n) => {
                marked += 1;
                lines.push(Line::new(Role::Add, format!("+{}", view.change.new.lines[*n])));
            }
            Item::Cut(range) => {
                marked += range.len();
                lines.extend(range.clone().map(|n| Line::new(Role::Minus, format!("-{}", view.old[n]))));
            }
            Item::Gap(gap) => {
                lines.push(Line::new(Role::Reference, format!("{column}{}", reference::usual(view, gap))));
            }
        }
    }
    // A single marked line may as well be an operator at the start of a line.
    (marked >= 2).then_some(lines)
}
