//! What no engine gets below: reading a text once.

use std::hash::BuildHasher;

use foldhash::fast::FixedState;
use memchr::memchr_iter;

/// Finds the line ends and counts them.
#[must_use]
pub fn count_lines(text: &str) -> usize {
    memchr_iter(b'\n', text.as_bytes()).count()
}

/// Finds the line ends and hashes every line: the least that looking lines up costs.
#[must_use]
pub fn hash_lines(text: &str) -> u64 {
    let state = FixedState::default();
    let mut start = 0;
    memchr_iter(b'\n', text.as_bytes()).fold(0, |all, end| {
        let hash = state.hash_one(&text.as_bytes()[start..end]);
        start = end + 1;
        all ^ hash
    })
}
