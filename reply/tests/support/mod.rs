//! What the tests share: the format of the cases, and results as text.
#![allow(dead_code, reason = "each test takes what it needs")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

pub(crate) mod case_file;
pub(crate) mod chunks;
pub(crate) mod generate;
pub(crate) mod render;
