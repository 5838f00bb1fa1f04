//! Runs the `treegraft` command as a user would.
#![allow(clippy::unwrap_used, reason = "a test ends at the first surprise, and helpers are tests too")]

mod apply;
mod batch;
mod check;
mod explain;
mod land;
mod refusals;
mod replay;
mod support;
mod terminal;
mod verify;
mod write;
