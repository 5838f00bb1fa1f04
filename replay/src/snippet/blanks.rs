//! Trailing blanks on shown lines, and blank lines beside references that are doubled, dropped or put in.

use super::{Line, Role, context, declaration, structure};
use crate::change::is_blank;
use crate::rng::Rng;

pub(super) fn write(view: &super::View<'_>, rng: &mut Rng) -> Option<Vec<Line>> {
    let lines = match rng.below(3) {
        0 => context::write(view, rng)?,
        1 => structure::write(view, rng).or_else(|| context::write(view, rng))?,
        _ => declaration::write(view, rng).or_else(|| context::write(view, rng))?,
    };
    let before = lines.clone();
    let mut out: Vec<Line> = Vec::with_capacity(lines.len());
    let mode = rng.below(3);
    let trailing = rng.one_in(2);
    let beside = |n: usize| {
        let is_reference = |n: usize| lines.get(n).is_some_and(|line| line.role == Role::Reference);
        is_reference(n + 1) || n.checked_sub(1).is_some_and(is_reference)
    };
    for (n, line) in lines.iter().enumerate() {
        let blank = is_blank(&line.text) && line.role == Role::Keep;
        if mode == 0 && blank && beside(n) {
            continue;
        }
        if mode == 1 && blank && beside(n) {
            out.push(line.clone());
        }
        if mode == 2 && line.role == Role::Reference && n > 0 && !is_blank(&lines[n - 1].text) {
            out.push(Line::new(Role::Keep, ""));
        }
        out.push(line.clone());
        let follows = lines.get(n + 1).is_some_and(|next| !is_blank(&next.text));
        if mode == 2 && line.role == Role::Reference && follows {
            out.push(Line::new(Role::Keep, ""));
        }
    }
    if trailing {
        for line in out.iter_mut().filter(|line| line.role == Role::Keep && !is_blank(&line.text)) {
            if rng.one_in(3) {
                line.text.push_str(rng.pick(&[" ", "  ", "\t"]));
            }
        }
    }
    (out != before).then_some(out)
}
