//! What the test binaries share: the case file format, the judge, and the invariants of every outcome.
#![allow(dead_code, reason = "each test binary uses a part of it")]

pub(crate) mod case_file;
pub(crate) mod invariants;
pub(crate) mod judge;
