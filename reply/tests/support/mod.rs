//! What the tests share: the format of the cases, and results as text.
#![allow(dead_code, reason = "each test takes what it needs")]

pub(crate) mod case_file;
pub(crate) mod chunks;
pub(crate) mod render;
