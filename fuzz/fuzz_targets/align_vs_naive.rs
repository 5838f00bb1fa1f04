//! The alignment of two short texts is the cheapest of all there are.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| treegraft_oracles::hold("align_vs_naive", bytes));
