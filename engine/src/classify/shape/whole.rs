//! The whole new file, told from a part of it.

use crate::anchor::{Class, Index};
use crate::classify::{Description, LineKind, Snippet};
use crate::range::LineRange;

/// Share of the original's lines that a snippet without markers must have to be taken for the whole file, in
/// percent. Larger: a rewritten file is merged as if something were left out; smaller: a long fragment
/// replaces the file.
const WHOLE_FILE_PERCENT: usize = 60;

/// Says whether a snippet is the whole new file.
///
/// An announced overwrite without markers is; without announcement a text without markers that holds most of
/// the original's amount of lines and begins or ends as the original does. A description that names lines, or
/// only insertions, speaks of a part.
pub(in crate::classify) fn is_whole_file(snippet: &Snippet<'_>, index: &Index, description: &Description) -> bool {
    if snippet.has_markers() {
        return false;
    }
    if description.overwrites() || index.n_lines() == 0 {
        return true;
    }
    if description.only_inserts() || !description.ranges.is_empty() {
        return false;
    }
    let code: Vec<Class> =
        snippet.lines.iter().filter(|line| line.kind == LineKind::Code).map(|line| line.class).collect();
    let all = LineRange::new(0, index.n_lines());
    let n_original = index.relief.n_code(all);
    let same_start = index.relief.first_code(all).map(|row| index.class(row)) == code.first().copied();
    let same_end = index.relief.last_code(all).map(|row| index.class(row)) == code.last().copied();
    (same_start || same_end) && code.len() * 100 > n_original * WHOLE_FILE_PERCENT
}
