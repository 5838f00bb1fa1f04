//! An original with CRLF line ends and a snippet with LF, as nearly every model writes it.

use super::{Draft, context, declaration, structure};
use crate::rng::Rng;

pub(super) fn write(view: &super::View<'_>, rng: &mut Rng) -> Option<Draft> {
    let lines = match rng.below(3) {
        0 => context::write(view, rng)?,
        1 => structure::write(view, rng).or_else(|| context::write(view, rng))?,
        _ => declaration::write(view, rng).or_else(|| context::write(view, rng))?,
    };
    let mut change = view.change.clone();
    change.old.crlf = true;
    change.new.crlf = true;
    Some(Draft { lines, change: Some(change), pairs: Vec::new() })
}
