//! Any description is read, and only its fields count.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| treegraft_oracles::hold("description_total", bytes));
