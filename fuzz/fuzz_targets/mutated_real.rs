//! No real edit with its lines moved about is trusted and provably wrong.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| treegraft_oracles::hold("mutated_real", bytes));
