//! Half-open ranges of bytes and of lines that are small enough to copy.

use std::fmt;
use std::ops::Range;

/// A half-open range of bytes `start..end` in a text.
///
/// # Examples
///
/// ```
/// use treegraft::ByteRange;
///
/// let range = ByteRange::new(2, 5);
/// assert_eq!((range.len(), range.contains(5)), (3, false));
/// assert!(range.covers(ByteRange::new(3, 3)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ByteRange {
    /// First byte of the range, zero-based.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

/// A half-open range of zero-based lines `start..end`.
///
/// An empty range names a place between two lines: `3..3` lies before the fourth line.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct LineRange {
    /// First line of the range, zero-based.
    pub start: usize,
    /// One past the last line.
    pub end: usize,
}

macro_rules! range_methods {
    ($name:ident, $what:literal) => {
        impl $name {
            #[doc = concat!("Makes the range `start..end` of ", $what, "; an end before the start is raised to it.")]
            #[must_use]
            pub const fn new(start: usize, end: usize) -> Self {
                Self { start, end: if end < start { start } else { end } }
            }

            #[doc = concat!("Counts the ", $what, " in the range.")]
            #[must_use]
            pub const fn len(self) -> usize {
                self.end - self.start
            }

            /// Says whether the range covers nothing.
            #[must_use]
            pub const fn is_empty(self) -> bool {
                self.start == self.end
            }

            /// Says whether `at` lies in the range.
            #[must_use]
            pub const fn contains(self, at: usize) -> bool {
                self.start <= at && at < self.end
            }

            /// Says whether both ranges cover a common element; empty ranges never do.
            #[must_use]
            pub const fn overlaps(self, other: Self) -> bool {
                self.start < other.end && other.start < self.end && self.start < self.end && other.start < other.end
            }

            /// Says whether all of `other` lies in the range.
            #[must_use]
            pub const fn covers(self, other: Self) -> bool {
                self.start <= other.start && other.end <= self.end
            }

            /// Gives the elements in rising order.
            #[must_use]
            pub fn iter(self) -> Range<usize> {
                self.start..self.end
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}..{}", self.start, self.end)
            }
        }

        impl From<Range<usize>> for $name {
            fn from(range: Range<usize>) -> Self {
                Self::new(range.start, range.end)
            }
        }

        impl From<$name> for Range<usize> {
            fn from(range: $name) -> Self {
                range.start..range.end
            }
        }

        impl IntoIterator for $name {
            type Item = usize;
            type IntoIter = Range<usize>;

            fn into_iter(self) -> Self::IntoIter {
                self.iter()
            }
        }
    };
}

range_methods!(ByteRange, "bytes");
range_methods!(LineRange, "lines");

impl LineRange {
    /// Gives the range as people count: one-based, both ends included; an empty range is `(n, n - 1)`.
    ///
    /// ```
    /// use treegraft::LineRange;
    /// assert_eq!(LineRange::new(2, 4).one_based(), (3, 4));
    /// assert_eq!(LineRange::new(2, 2).one_based(), (3, 2));
    /// ```
    #[must_use]
    pub const fn one_based(self) -> (usize, usize) {
        (self.start + 1, self.end)
    }
}

/// Says of each of `n` elements whether any of the ranges covers it.
pub(crate) fn covered(ranges: impl Iterator<Item = LineRange>, n: usize) -> Vec<bool> {
    let mut covered = vec![false; n];
    for range in ranges {
        covered[range.start.min(n)..range.end.min(n)].fill(true);
    }
    covered
}

/// Says whether one of some rising, disjoint ranges holds `at`.
pub(crate) fn is_within(rising: &[LineRange], at: usize) -> bool {
    let after = rising.partition_point(|range| range.start <= at);
    after > 0 && rising[after - 1].contains(at)
}

/// Writes `line 3`, `lines 3-7` or, for an empty range, `before line 3`.
impl fmt::Display for LineRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.one_based() {
            (first, last) if first == last => write!(f, "line {first}"),
            (first, last) if first < last => write!(f, "lines {first}-{last}"),
            (first, _) => write!(f, "before line {first}"),
        }
    }
}
