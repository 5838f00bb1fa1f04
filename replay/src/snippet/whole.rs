//! The whole new file, without a reference.

use super::plan::View;
use super::{Line, Role};

/// Longer files aren't repeated whole.
const MAX_LINES: usize = 400;

pub(super) fn write(view: &View<'_>) -> Option<Vec<Line>> {
    let new = &view.change.new.lines;
    (new.len() <= MAX_LINES).then(|| new.iter().map(|line| Line::new(Role::Add, line.as_str())).collect())
}
