//! Lands random and hostile replies on stores that fail, die and are raced.
#![allow(clippy::unwrap_used, reason = "a test ends at the first surprise, and helpers are tests too")]

mod crash;
mod disk;
mod escape;
mod hostile;
mod kill;
mod machine;
mod plan;
mod support;
