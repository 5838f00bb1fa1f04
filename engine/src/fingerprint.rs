//! A short name for some bytes, the same on every machine and in every version.
//!
//! It tells runs apart that differ by accident. It is no proof against somebody who wants two texts to have one name.
//!
//! # Source
//!
//! FNV-1a, 64 bits (Fowler, Noll, Vo); no hasher of the standard library promises to stay as it is.

/// Gives the name of `parts`, one after the other, as 16 hexadecimal digits.
pub(crate) fn fingerprint(parts: &[&[u8]]) -> String {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for byte in parts.iter().copied().flatten() {
        hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    }
    format!("{hash:016x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_published_test_vectors() {
        assert_eq!(fingerprint(&[]), "cbf29ce484222325");
        assert_eq!(fingerprint(&[b"a"]), "af63dc4c8601ec8c");
        assert_eq!(fingerprint(&[b"foo", b"bar"]), "85944171f73967e8");
    }
}
