//! The whole changed declaration and not a word beside it.

use super::plan::View;
use super::{Line, Role};
use crate::rng::Rng;

/// Larger declarations are not repeated whole by a model that was told to be brief.
const MAX_LINES: usize = 80;

/// Writes the innermost declaration around all changes, with what belongs above it; `None` where there is none, where its
/// first line changes or stands more than once, or where it is most of the file.
pub(super) fn write(view: &View<'_>, rng: &mut Rng) -> Option<Vec<Line>> {
    let hunks = &view.change.hunks;
    let (first, last) = (hunks.first()?, hunks.last()?);
    let heads = view.blocks.around(&(first.before.start..last.before.end));
    // A branch or a loop is no declaration: a block at the margin, or one in that, may be.
    let depth = |head: usize| view.blocks.around(&(head..head)).len();
    let mut heads: Vec<usize> = heads.into_iter().filter(|&head| depth(head) <= 1).collect();
    if rng.one_in(2) {
        heads.reverse();
    }
    let all = 0..view.old.len();
    let fits = |&head: &usize| {
        let rows = view.blocks.start(head)..view.blocks.end(head) + 1;
        rows.len() <= MAX_LINES
            && rows.len() * 2 < view.old.len()
            && view.above(head + 1).next() == Some(head)
            && view.occurrences(&[head], &all).len() == 1
            && view.above(rows.end).next() == Some(rows.end - 1)
            && hunks.iter().all(|hunk| hunk.before.start > head && hunk.before.end < rows.end)
    };
    let head = heads.into_iter().find(fits)?;
    let moved = |old: usize| -> usize {
        // Where an old line that stays is in the new text.
        let before = hunks.iter().filter(|hunk| hunk.before.end <= old);
        before.fold(old, |at, hunk| at + hunk.after.len() - hunk.before.len())
    };
    let rows = moved(view.blocks.start(head))..moved(view.blocks.end(head)) + 1;
    Some(view.change.new.lines.get(rows)?.iter().map(|line| Line::new(Role::Add, line.as_str())).collect())
}
