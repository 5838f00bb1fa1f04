//! Ways to cut a text into chunks.

/// Cuts into pieces of `size` bytes.
pub(crate) fn of_size(text: &[u8], size: usize) -> impl Iterator<Item = &[u8]> {
    text.chunks(size)
}

/// Cuts at the given places, which are taken modulo the length.
pub(crate) fn at<'a>(text: &'a [u8], places: &[usize]) -> Vec<&'a [u8]> {
    let mut places: Vec<usize> = places.iter().map(|place| place % (text.len() + 1)).collect();
    places.extend([0, text.len()]);
    places.sort_unstable();
    places.windows(2).map(|pair| &text[pair[0]..pair[1]]).collect()
}

/// The sizes that every case is read in.
pub(crate) const SIZES: std::ops::RangeInclusive<usize> = 1..=64;
