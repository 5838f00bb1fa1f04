//! A trusted edit, applied once more to its result, changes nothing or is flagged.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| treegraft_oracles::hold("second_apply_is_idle", bytes));
