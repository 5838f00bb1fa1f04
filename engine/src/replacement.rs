//! The difference between original and result as byte ranges and new text.

use crate::range::{ByteRange, LineRange};

/// An original byte range and the text that supersedes it. Always whole lines.
///
/// # Examples
///
/// ```
/// let outcome = treegraft::apply("a.txt", "one\ntwo\nthree\n", "one\n2\nthree\n")?;
/// let [only] = outcome.replacements() else { panic!("one line changes") };
/// assert_eq!((only.bytes.start, only.bytes.end), (4, 8));
/// assert_eq!((only.old_lines.one_based(), only.new_lines.one_based()), ((2, 2), (2, 2)));
/// assert_eq!((only.old.as_str(), only.new.as_str()), ("two\n", "2\n"));
/// # Ok::<(), treegraft::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replacement {
    /// Derived from position and content: equal edits have equal ids.
    pub id: String,
    /// Bytes of the original that are superseded; empty for an insertion.
    pub bytes: ByteRange,
    /// The same range in original lines, zero-based.
    pub old_lines: LineRange,
    /// Where the new text lies in the result, in zero-based lines.
    pub new_lines: LineRange,
    /// The original's text in the range.
    pub old: String,
    /// The text in its place.
    pub new: String,
    /// The description's summary, or what kind of change it is.
    pub summary: String,
}
