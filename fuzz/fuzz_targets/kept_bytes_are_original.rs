//! Every line that stays does so with its own bytes.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| treegraft_oracles::hold("kept_bytes_are_original", bytes));
