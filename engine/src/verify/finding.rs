//! What is wrong with a merge, place by place.

use std::fmt;

use super::compare::{Comparison, Origin, Place, difference, ends_otherwise, tied};
use super::target::Target;
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
    /// A line stands elsewhere than it should.
    Moved,
    /// A placeholder was written into the file.
    ReferenceLeft,
    /// A line that the snippet writes is missing, or one that it takes out is still there.
    NotApplied,
    /// The white space before the text of a line.
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
            Self::Moved => "moved",
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
    target: &'f Target<'s>,
    merged: &'f Source<'f>,
    /// Pairs of a target line that is written and its snippet line; rising.
    written: Vec<(usize, usize)>,
    found: Vec<Finding>,
}

impl Findings<'_, '_> {
    /// Adds a finding about lines of the target and lines of the merge.
    fn push(
        &mut self,
        kind: FindingKind,
        message: impl Into<String>,
        target: Option<LineRange>,
        merged: Option<LineRange>,
    ) {
        let rows = |at: usize| self.target.rows[at];
        let original =
            target.and_then(|lines| if lines.is_empty() { Some(lines) } else { span(lines.iter().filter_map(rows)) });
        let snippet_line = |&(_, line): &(usize, usize)| line;
        let snippet = target.and_then(|lines| {
            let first = self.written.partition_point(|&(at, _)| at < lines.start);
            span(self.written[first..].iter().take_while(|&&(at, _)| at < lines.end).map(snippet_line))
        });
        self.found.push(Finding {
            kind,
            message: message.into(),
            original_lines: original,
            original_bytes: original.map(|lines| self.target.original.bytes_of(lines)),
            merged_lines: merged,
            merged_bytes: merged.map(|lines| self.merged.bytes_of(lines)),
            snippet_lines: snippet,
        });
    }
}

/// Lists what is wrong, in the order of the merge.
pub(super) fn findings(target: &Target<'_>, comparison: &Comparison, merged: &Source<'_>) -> Vec<Finding> {
    let written: Vec<usize> = (0..target.rows.len()).filter(|&at| target.rows[at].is_none()).collect();
    let new_text = |line: usize| target.snippet.line(line).trim();
    let written = tied(&written, &target.new, |at| target.text.line(at).trim(), new_text);
    let mut findings = Findings { target, merged, written, found: Vec::new() };
    for place in &comparison.places {
        judge_place(&mut findings, place);
    }
    judge_pairs(&mut findings, comparison);
    judge_edges(&mut findings);
    findings.found.sort_by_key(|finding| finding.merged_lines.map_or(0, |lines| lines.start));
    findings.found
}

/// Judges a place where both texts differ.
fn judge_place(findings: &mut Findings<'_, '_>, place: &Place) {
    let (target, merged) = (findings.target, findings.merged);
    let is = |lines: LineRange, origins: &[Origin], origin: Origin| {
        runs(lines.iter().zip(origins).filter(|(_, is)| **is == origin).map(|(line, _)| line))
    };
    let lost = |origin: Origin| is(place.lost, &place.lost_are, origin);
    let there = |origin: Origin| is(place.lines, &place.lines_are, origin);
    if !place.is_judged {
        for lines in there(Origin::Marker) {
            findings.push(FindingKind::ReferenceLeft, "a placeholder stands in the file", None, Some(lines));
        }
        for lines in runs(place.lines.iter().filter(|&line| ends_otherwise(target, merged, line))) {
            findings.push(FindingKind::LineEnding, "the line ends are not those of the file", None, Some(lines));
        }
        return;
    }
    let before = LineRange::new(place.lines.start, place.lines.start);
    let (kept, nowhere) = (lost(Origin::Kept), there(Origin::Nowhere));
    if let (Some(rows), Some(altered)) = (hull(&kept), hull(&nowhere)) {
        let message = format!("{} outside of the edit {} written otherwise", lines(rows), verb(rows));
        findings.push(FindingKind::Altered, message, Some(rows), Some(altered));
    } else {
        for rows in kept {
            let message = format!("{} outside of the edit {} gone", lines(rows), verb(rows));
            findings.push(FindingKind::Lost, message, Some(rows), Some(before));
        }
        for added in nowhere {
            let text = |line: usize| merged.line(line).trim();
            let message = if added.iter().all(|line| text(line).is_empty()) {
                format!("{} blank, and not the original's or the snippet's", is_or_are(added))
            } else if added.iter().all(|line| text(line).is_empty() || target.has(text(line))) {
                format!("{} there once too often", is_or_are(added))
            } else {
                format!("{} neither in the original nor in the snippet", is_or_are(added))
            };
            findings.push(FindingKind::Added, message, None, Some(added));
        }
    }
    for lines in lost(Origin::Elsewhere) {
        findings.push(FindingKind::Moved, "what the merge has elsewhere belongs here", Some(lines), Some(before));
    }
    for lines in there(Origin::Elsewhere) {
        findings.push(FindingKind::Moved, "this belongs elsewhere", None, Some(lines));
    }
    for lines in lost(Origin::Written) {
        findings.push(FindingKind::NotApplied, "what the snippet writes here is missing", Some(lines), Some(before));
    }
    for lines in there(Origin::Gone) {
        findings.push(FindingKind::NotApplied, "the snippet takes this out", None, Some(lines));
    }
    for lines in there(Origin::Marker) {
        findings.push(FindingKind::ReferenceLeft, "a placeholder stands in the file", None, Some(lines));
    }
}

/// Judges the bytes of lines that are there.
fn judge_pairs(findings: &mut Findings<'_, '_>, comparison: &Comparison) {
    let (target, merged) = (findings.target, findings.merged);
    // What is wrong with neighbouring lines in the same way is one finding.
    let mut found: Vec<(FindingKind, LineRange, LineRange)> = Vec::new();
    for &(at, line) in &comparison.pairs {
        let Some(kind) = difference(target, merged, at, line) else { continue };
        let is_written = |at: usize| target.rows[at].is_none();
        match found.last_mut() {
            Some((same, ours, theirs))
                if *same == kind && (ours.end, theirs.end) == (at, line) && is_written(at - 1) == is_written(at) =>
            {
                ours.end += 1;
                theirs.end += 1;
            }
            _ => found.push((kind, LineRange::new(at, at + 1), LineRange::new(line, line + 1))),
        }
    }
    for (kind, ours, theirs) in found {
        let message = match (kind, target.rows[ours.start]) {
            (FindingKind::Indentation, Some(_)) => "the indentation is not the original's",
            (FindingKind::Indentation, None) => "the indentation is not the snippet's",
            (FindingKind::TrailingBlanks, Some(_)) => "the blanks at the end are not the original's",
            (FindingKind::TrailingBlanks, None) => "the blanks at the end are not the snippet's",
            (_, Some(_)) => "the line ends are not the original's",
            (_, None) => "the line ends are not those of the file",
        };
        findings.push(kind, message, Some(ours), Some(theirs));
    }
}

/// Judges both ends of the text.
fn judge_edges(findings: &mut Findings<'_, '_>) {
    let (target, merged) = (findings.target, findings.merged);
    let has_mark = |source: &Source<'_>| source.line_start(0) > 0;
    let message = match (has_mark(target.original), has_mark(merged)) {
        (true, false) => Some("the byte order mark is gone"),
        (false, true) => Some("a byte order mark is added"),
        _ => None,
    };
    if let Some(message) = message {
        let start = Some(LineRange::default());
        findings.push(FindingKind::ByteOrderMark, message, start, start);
    }
    let Some(last) = merged.n_lines().checked_sub(1) else { return };
    let message = match (target.final_newline, merged.has_final_newline()) {
        (Some(true), false) => "the final newline is gone",
        (Some(false), true) => "a final newline is added",
        _ => return,
    };
    findings.push(FindingKind::FinalNewline, message, None, Some(LineRange::new(last, last + 1)));
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

/// Gives the range from the first to the last of rising numbers.
fn span(numbers: impl Iterator<Item = usize>) -> Option<LineRange> {
    hull(&runs(numbers))
}

/// Gives the range from the first to the last of rising ranges.
fn hull(runs: &[LineRange]) -> Option<LineRange> {
    Some(LineRange::new(runs.first()?.start, runs.last()?.end))
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
