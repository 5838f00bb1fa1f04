//! What each move of an alignment costs.
//!
//! The unit is a ten-thousandth; a line of new text costs 10,000. All figures come from an experiment on 1,753
//! snippets cut from real commits; most may move widely without effect. Those that may not are marked, with
//! what goes wrong on either side.

/// A cost in ten-thousandths.
pub(crate) type Cost = u32;

/// More than any path; adding two of them does not overflow.
pub(crate) const FORBIDDEN: Cost = Cost::MAX / 4;

/// The most that one row may cost, whatever it stands for. Larger: a few such rows add up to [`FORBIDDEN`]; smaller:
/// losing a thousand lines costs no more than losing some.
pub(crate) const MOST: Cost = FORBIDDEN / 64;

/// A line differs in indentation alone.
pub(crate) const MATCH_INDENTATION: Cost = 3_000;
/// A line differs in inner white space.
pub(crate) const MATCH_WHITESPACE: Cost = 6_000;
/// Bare punctuation at another indent: it says nothing by itself, unless the line before moved as well.
pub(crate) const MATCH_PUNCTUATION: Cost = 30_000;
/// An announced line is matched all the same.
pub(crate) const MATCH_ANNOUNCED: Cost = 500;

/// The whole of what similarities are shares of.
pub(crate) const WHOLE: Cost = 10_000;
/// A similar line supersedes one: this, and [`SIMILAR_PER_DISTANCE`] times what the similarity lacks of [`WHOLE`].
pub(crate) const SIMILAR: Cost = 500;
pub(crate) const SIMILAR_PER_DISTANCE: Cost = 3;
/// Lowest token similarity (Dice) at which a line may supersede another as its new version.
pub(crate) const SIMILAR_FROM: Cost = 6_000;
/// The similar line lies outside the announced ranges.
pub(crate) const SIMILAR_OUTSIDE: Cost = 15_000;
/// A reference stands on one side of the similar line and shown text on the other: new text is likelier there, and
/// the similar line covered by the reference. Between two references there is no other place to tell.
pub(crate) const SIMILAR_BESIDE_REFERENCE: Cost = 15_000;

/// New text.
pub(crate) const INSERT: Cost = 10_000;
/// A run of insertions opens. Sensitive: at 30,000 new code replaces old code next to it.
pub(crate) const INSERT_OPEN: Cost = 10_000;
/// A run of insertions opens right after a deletion.
pub(crate) const INSERT_OPEN_REPLACING: Cost = 6_000;
/// Text that stands in the original is inserted once more: this ...
pub(crate) const INSERT_KNOWN: Cost = 16_000;
/// ... or this if it is one or two characters long ...
pub(crate) const INSERT_KNOWN_SHORT: Cost = 12_000;
/// ... and this, divided by how often it stands there.
pub(crate) const INSERT_KNOWN_RARE: Cost = 30_000;
/// ... and this if it stands beside a marker: what a model shows there is mostly what is there. At 15,000 half as many cases
/// come out right by it; from 45,000 on no more.
pub(crate) const INSERT_KNOWN_EDGE: Cost = 45_000;
/// A blank line is inserted.
pub(crate) const INSERT_BLANK: Cost = 6_000;
/// A blank line beside a reference is dropped where the original has one there, else inserted; or the reverse.
pub(crate) const BLANK_AS_IT_SHOULD: Cost = 400;
pub(crate) const BLANK_AS_IT_SHOULD_NOT: Cost = 500;

/// A reference skips one line.
pub(crate) const SKIP: Cost = 1;
/// A reference goes on to a line that is indented less than itself.
pub(crate) const SKIP_OUTDENT: Cost = 5_000;
/// A reference skips a line that is announced to change.
pub(crate) const SKIP_ANNOUNCED: Cost = 4_000;

/// New text at the edge of a snippet is followed (or preceded) by an implied reference that takes lines. Above
/// [`MARGIN`]: new text after a reference goes to the end of the file, unless something says otherwise.
pub(crate) const IMPLIED_BESIDE_NEW: Cost = 10_000;

/// A run of deletions opens. Sensitive: at 30,000 old code stays beside the new.
pub(crate) const DELETE_OPEN: Cost = 15_000;
/// A line is deleted. Sensitive: at 4,500 or 500 three points are lost.
pub(crate) const DELETE: Cost = 1_500;
pub(crate) const DELETE_BLANK: Cost = 500;
/// A blank line between two shown lines is deleted.
pub(crate) const DELETE_LONE_BLANK: Cost = 3_000;
/// A run of deletions opens right behind a reference, or with nothing but new text before the next one: the
/// reference would cover what isn't shown.
pub(crate) const DELETE_BESIDE_REFERENCE: Cost = 10_000;
/// Deleting outside the announced ranges, or where only insertions are announced, costs this many times more.
pub(crate) const DELETE_OUTSIDE_FACTOR: Cost = 4;
/// An announced run opens, an announced line is deleted.
pub(crate) const DELETE_ANNOUNCED_OPEN: Cost = 2_000;
pub(crate) const DELETE_ANNOUNCED: Cost = 200;

/// Lines stay that the snippet passes over without a reference. Sensitive: below 60,000 deletions are undone.
pub(crate) const KEEP_OPEN: Cost = 60_000;
/// The same where only insertions are announced, beside new text. Without new text there is nothing that would make a
/// model pass over lines: they cost what they cost elsewhere.
pub(crate) const KEEP_OPEN_INSERTING: Cost = 22_000;
pub(crate) const KEEP: Cost = 200;

/// A removal line removes one line; removes nothing.
pub(crate) const MARKER_TAKE: Cost = 500;
/// The same for a line outside of the announced ranges, or indented less than the marker.
pub(crate) const MARKER_TAKE_OUTSIDE: Cost = 10_000;
pub(crate) const MARKER_EMPTY: Cost = 20_000;

/// A `-` line is nowhere.
pub(crate) const GONE_MISSING: Cost = 100_000;

/// How much dearer the cheapest path with another result must be for a result to count as unambiguous.
pub(crate) const MARGIN: Cost = 8_000;
