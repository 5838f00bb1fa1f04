//! No reference at the start, at the end, or at both: the engine has to imply them.

use super::{Line, Role, context, declaration};
use crate::change::is_blank;
use crate::rng::Rng;

pub(super) fn write(view: &super::View<'_>, rng: &mut Rng) -> Option<Vec<Line>> {
    let mut lines = if rng.one_in(3) { declaration::write(view, rng)? } else { context::write(view, rng)? };
    let (start, end) = rng.pick(&[(true, true), (true, true), (true, false), (false, true)]);
    let before = lines.len();
    if end {
        trim_end(&mut lines);
    }
    if start {
        lines.reverse();
        trim_end(&mut lines);
        lines.reverse();
    }
    (lines.len() < before && !lines.is_empty()).then_some(lines)
}

/// Takes references and blank lines off the end, if there is a reference.
fn trim_end(lines: &mut Vec<Line>) {
    let kept =
        lines.iter().rposition(|line| line.role != Role::Reference && !is_blank(&line.text)).map_or(0, |n| n + 1);
    if lines[kept..].iter().any(|line| line.role == Role::Reference) {
        lines.truncate(kept);
    }
}
