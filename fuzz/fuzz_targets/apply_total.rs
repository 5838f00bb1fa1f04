//! Any edit is answered: no panic, and what the engine promises of an answer holds.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| treegraft_oracles::hold("apply_total", bytes));
