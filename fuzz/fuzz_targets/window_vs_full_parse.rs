//! What windows say of a large file is what a parse of the whole says.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| treegraft_oracles::hold("window_vs_full_parse", bytes));
