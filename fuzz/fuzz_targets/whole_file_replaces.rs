//! An announced overwrite gives the new file, or says why not.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| treegraft_oracles::hold("whole_file_replaces", bytes));
