//! What must hold for treegraft whatever it is given, in one place: fuzz targets, property tests and the finds in
//! `corpus/fuzz/` all ask here.
//!
//! ```text
//! fuzzer's bytes ──► text, lines: Given ──► targets: oracle ──► what is broken
//! corpus/fuzz/*.json ─────────────┘               │
//! corpus cases ──► bytes: mutated ────────────────┘
//! ```
//!
//! A [`Given`] is an edit, and where it is known what a trusted result of it must be. A [`Target`] is a property: it
//! makes an edit from a fuzzer's bytes and says what its answer breaks. [`invariants`] hold for every edit; [`naive`]
//! is what a plain reader can prove.

pub mod bytes;
pub mod case_file;
pub mod corpus;
mod given;
pub mod invariants;
pub mod judge;
mod lines;
pub mod naive;
pub mod shrink;
mod targets;
mod text;

pub use given::Given;
pub use targets::{TARGETS, Target, hold};
