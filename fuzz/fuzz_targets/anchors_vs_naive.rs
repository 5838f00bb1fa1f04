//! The ties of unique lines are those that counting each line anew finds.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| treegraft_oracles::hold("anchors_vs_naive", bytes));
