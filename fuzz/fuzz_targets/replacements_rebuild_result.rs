//! The original with its replacements is the result, also by way of a unified diff.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| treegraft_oracles::hold("replacements_rebuild_result", bytes));
