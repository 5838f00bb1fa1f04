//! The rules a verdict is made of. Each looks at one thing and adds its reasons.

mod hidden;
pub(super) mod losses;
pub(super) mod places;
pub(super) mod snippet;
