//! What is wrong with a merge, place by place.

use std::fmt;

use super::compare::{Comparison, Origin, Place};
use super::script::Script;
use crate::range::{ByteRange, LineRange};
use crate::source::Source;

/// What a merge did to bytes that were none of the edit's business, or failed to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum FindingKind {
    /// Original lines outside of the edit are gone.
    Lost,
    /// Other text stands in place of original lines outside of the edit.
    Altered,
    /// Text that neither the original nor the snippet has, or that is there once too often.
    Added,
    /// A placeholder was written into the file.
    ReferenceLeft,
    /// A line that the snippet writes is missing, or one that it takes out is still there.
    NotApplied,
    /// The white space before the text of an original line.
    Indentation,
    /// The white space behind it.
    TrailingBlanks,
    /// How lines end.
    LineEnding,
    /// Whether the last line ends with a line end.
    FinalNewline,
    /// The byte order mark.
    ByteOrderMark,
}

impl FindingKind {
    /// Gives the stable name used in reports, such as `final_newline`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Lost => "lost",
            Self::Altered => "altered",
            Self::Added => "added",
            Self::ReferenceLeft => "reference_left",
            Self::NotApplied => "not_applied",
            Self::Indentation => "indentation",
            Self::TrailingBlanks => "trailing_blanks",
            Self::LineEnding => "line_ending",
            Self::FinalNewline => "final_newline",
            Self::ByteOrderMark => "byte_order_mark",
        }
    }
}

impl fmt::Display for FindingKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One thing that is wrong with a merge, with the lines and bytes it is about.
///
/// # Examples
///
/// ```
/// use treegraft::{Edit, Engine, FindingKind};
///
/// let edit = Edit::new("a.txt", "one\r\ntwo\r\n", "one\n2\n");
/// let verification = Engine::default().verify(&edit, "one\n2\r\n")?;
/// let [only] = verification.findings() else { panic!("one line end") };
/// assert_eq!(only.kind, FindingKind::LineEnding);
/// assert_eq!(only.original_lines.map(|lines| lines.one_based()), Some((1, 1)));
/// assert_eq!(only.original_bytes.map(|bytes| (bytes.start, bytes.end)), Some((0, 5)));
/// # Ok::<(), treegraft::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// What kind it is.
    pub kind: FindingKind,
    /// One sentence for a person.
    pub message: String,
    /// Original lines it is about, zero-based; an empty range is a place between two lines.
    pub original_lines: Option<LineRange>,
    /// The bytes of those lines.
    pub original_bytes: Option<ByteRange>,
    /// Lines of the merge it is about, zero-based; an empty range is a place between two lines.
    pub merged_lines: Option<LineRange>,
    /// The bytes of those lines.
    pub merged_bytes: Option<ByteRange>,
    /// Lines of the snippet it is about, zero-based.
    pub snippet_lines: Option<LineRange>,
}

/// Collects findings with the bytes of their lines.
struct Findings<'f, 's> {
    script: &'f Script<'s>,
    merged: &'f Source<'s>,
    found: Vec<Finding>,
}

impl Findings<'_, '_> {
    fn push(
        &mut self,
        kind: FindingKind,
        message: impl Into<String>,
        (original, merged, snippet): (Option<LineRange>, Option<LineRange>, Option<LineRange>),
    ) {
        self.found.push(Finding {
            kind,
            message: message.into(),
            original_lines: original,
            original_bytes: original.map(|lines| self.script.original.bytes_of(lines)),
            merged_lines: merged,
            merged_bytes: merged.map(|lines| self.merged.bytes_of(lines)),
            snippet_lines: snippet,
        });
    }
}

/// Lists what is wrong, in the order of the merge.
pub(super) fn findings<'s>(script: &Script<'s>, comparison: &Comparison, merged: &Source<'s>) -> Vec<Finding> {
    let mut findings = Findings { script, merged, found: Vec::new() };
    for place in &comparison.places {
        judge_place(&mut findings, place);
    }
    judge_missing(&mut findings, &comparison.missing);
    judge_pairs(&mut findings, comparison);
    judge_written(&mut findings, comparison);
    judge_edges(&mut findings);
    findings.found.sort_by_key(|finding| finding.merged_lines.map_or(0, |lines| lines.start));
    findings.found
}

/// Judges a place where script and merge differ.
fn judge_place(findings: &mut Findings<'_, '_>, place: &Place) {
    let script = findings.script;
    let lines_from = |origin: Origin| {
        runs(place.lines.iter().zip(&place.origins).filter(|(_, from)| **from == origin).map(|(line, _)| line))
    };
    let lost = place.lost.iter().filter(|_| !place.is_edit).map(|kept| script.kept[kept]);
    let lost = runs(lost);
    let is_silent = place.origins.iter().all(|origin| *origin == Origin::Blank);
    let foreign = if is_silent && !place.is_edit { Origin::Blank } else { Origin::Nowhere };
    let nowhere = lines_from(foreign);
    if nowhere.is_empty() || lost.is_empty() {
        for &rows in &lost {
            let message = format!("{} outside of the edit {} gone", lines(rows), verb(rows));
            let before = LineRange::new(place.lines.start, place.lines.start);
            findings.push(FindingKind::Lost, message, (Some(rows), Some(before), None));
        }
        for &added in &nowhere {
            let message = format!("{} neither in the original nor in the snippet", is_or_are(added));
            findings.push(FindingKind::Added, message, (None, Some(added), None));
        }
    } else {
        let (rows, altered) = (span(&lost), span(&nowhere));
        let message = format!("{} outside of the edit {} written otherwise", lines(rows), verb(rows));
        findings.push(FindingKind::Altered, message, (Some(rows), Some(altered), None));
    }
    for left in lines_from(Origin::Marker) {
        findings.push(FindingKind::ReferenceLeft, "a placeholder stands in the file", (None, Some(left), None));
    }
    if script.is_certain {
        for kept in lines_from(Origin::Gone) {
            findings.push(FindingKind::NotApplied, "the snippet takes this out", (None, Some(kept), None));
        }
    }
}

/// Tells which lines of the snippet are nowhere in the merge.
fn judge_missing(findings: &mut Findings<'_, '_>, missing: &[(usize, usize)]) {
    for run in missing.chunk_by(|(_, line), (_, next)| *next == line + 1) {
        let at = LineRange::new(run[0].0, run[0].0);
        let lines = LineRange::new(run[0].1, run[0].1 + run.len());
        let message = "what the snippet writes here is missing";
        findings.push(FindingKind::NotApplied, message, (None, Some(at), Some(lines)));
    }
}

/// Judges the bytes of original lines that are there.
fn judge_pairs(findings: &mut Findings<'_, '_>, comparison: &Comparison) {
    let (script, merged) = (findings.script, findings.merged);
    // What is wrong with neighbouring lines in the same way is one finding.
    let mut found: Vec<(FindingKind, LineRange, LineRange)> = Vec::new();
    for &(kept, line) in &comparison.pairs {
        let row = script.kept[kept];
        let Some(kind) = difference(script, merged, row, line) else { continue };
        match found.last_mut() {
            Some((same, rows, lines)) if *same == kind && (rows.end, lines.end) == (row, line) => {
                rows.end += 1;
                lines.end += 1;
            }
            _ => found.push((kind, LineRange::new(row, row + 1), LineRange::new(line, line + 1))),
        }
    }
    for (kind, rows, lines) in found {
        let message = match kind {
            FindingKind::Indentation => "the indentation is not the original's",
            FindingKind::TrailingBlanks => "the blanks at the end are not the original's",
            _ => "the line ends are not the original's",
        };
        findings.push(kind, message, (Some(rows), Some(lines), None));
    }
}

/// Tells how a line of the merge differs from the original line it is.
pub(super) fn difference(script: &Script<'_>, merged: &Source<'_>, row: usize, line: usize) -> Option<FindingKind> {
    let (ours, theirs) = (script.original.line(row), merged.line(line));
    if ours != theirs {
        // Where our own merge isn't trusted, white space that the snippet shows may be meant.
        return match ours.trim_end() == theirs.trim_end() {
            _ if !script.is_certain && script.shows(theirs) => None,
            true => Some(FindingKind::TrailingBlanks),
            false => Some(FindingKind::Indentation),
        };
    }
    let (ours, theirs) = (script.original.terminator(row), merged.terminator(line));
    (ours != theirs && !ours.is_empty() && !theirs.is_empty()).then_some(FindingKind::LineEnding)
}

/// Finds written lines that end otherwise than all lines of the original.
fn judge_written(findings: &mut Findings<'_, '_>, comparison: &Comparison) {
    let Some(ours) = findings.script.terminator else { return };
    let merged = findings.merged;
    let is_foreign = |line: &usize| !merged.terminator(*line).is_empty() && merged.terminator(*line) != ours;
    let written = comparison.places.iter().flat_map(|place| place.lines.iter().zip(&place.origins));
    let written = written.filter(|(_, origin)| matches!(origin, Origin::Snippet | Origin::Gone)).map(|(line, _)| line);
    for lines in runs(written.filter(is_foreign)) {
        findings.push(FindingKind::LineEnding, "the line ends are not those of the file", (None, Some(lines), None));
    }
}

/// Judges both ends of the text.
fn judge_edges(findings: &mut Findings<'_, '_>) {
    let (script, merged) = (findings.script, findings.merged);
    let has_mark = |source: &Source<'_>| source.line_start(0) > 0;
    match (has_mark(script.original), has_mark(merged)) {
        (true, false) => {
            let start = LineRange::new(0, 0);
            findings.push(FindingKind::ByteOrderMark, "the byte order mark is gone", (Some(start), Some(start), None));
        }
        (false, true) => {
            let start = LineRange::new(0, 0);
            findings.push(FindingKind::ByteOrderMark, "a byte order mark is added", (Some(start), Some(start), None));
        }
        _ => {}
    }
    let Some(last) = merged.n_lines().checked_sub(1) else { return };
    let message = match (script.final_newline, merged.has_final_newline()) {
        (true, false) => "the final newline is gone",
        (false, true) => "a final newline is added",
        _ => return,
    };
    findings.push(FindingKind::FinalNewline, message, (None, Some(LineRange::new(last, last + 1)), None));
}

/// Joins rising numbers to ranges.
fn runs(numbers: impl Iterator<Item = usize>) -> Vec<LineRange> {
    let mut runs: Vec<LineRange> = Vec::new();
    for number in numbers {
        match runs.last_mut() {
            Some(run) if run.end == number => run.end += 1,
            _ => runs.push(LineRange::new(number, number + 1)),
        }
    }
    runs
}

fn span(runs: &[LineRange]) -> LineRange {
    let start = runs.first().map_or(0, |run| run.start);
    LineRange::new(start, runs.last().map_or(start, |run| run.end))
}

fn lines(rows: LineRange) -> String {
    if rows.len() == 1 { "1 original line".to_owned() } else { format!("{} original lines", rows.len()) }
}

fn verb(rows: LineRange) -> &'static str {
    if rows.len() == 1 { "is" } else { "are" }
}

fn is_or_are(rows: LineRange) -> String {
    if rows.len() == 1 { "this line is".to_owned() } else { format!("these {} lines are", rows.len()) }
}
