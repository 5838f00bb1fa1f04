//! New text that repeats what is still there: a doubled function, a doubled block.

use super::verdict::Findings;
use crate::classify::LineKind;
use crate::ledger::Step;
use crate::range::LineRange;
use crate::verdict::{NeedsVerifyReason, ReasonKind};

/// How far from an insertion its text is looked for, in original lines.
const NEAR: usize = 15;

/// Shortest line that counts as repeated, in bytes without indentation, by how often it stands in the original.
/// A line that stands there once is quoted on purpose; one of several may be new by chance; more say nothing.
const SHORTEST: [usize; 3] = [usize::MAX, 3, 8];

/// Finds declarations and lines that the result holds twice since the edit.
pub(super) fn duplicates(findings: &Findings<'_>) -> Vec<NeedsVerifyReason> {
    let is_new = new_lines(findings);
    let is_gone = |row: usize| findings.ledger.removals().any(|(lines, _)| lines.contains(row));
    let mut reasons = Vec::new();
    for twin in &findings.plan.twins {
        if is_new.get(twin.name_row).is_some_and(|new| new.is_some()) && !is_gone(twin.original_row) {
            reasons.push(
                NeedsVerifyReason::new(
                    ReasonKind::CodeDuplicated,
                    format!("`{}` is added although the original has one that stays", twin.name),
                )
                .at_snippet(LineRange::new(twin.name_row, twin.name_row + 1))
                .at_original(LineRange::new(twin.original_row, twin.original_row + 1)),
            );
        }
    }
    if !reasons.is_empty() {
        return reasons;
    }
    for (line, place) in is_new.iter().enumerate() {
        let (Some(row), at) = (*place, &findings.snippet.lines[line]) else { continue };
        let n = findings.index.count(at.class);
        let telling = SHORTEST.get(n).is_some_and(|&shortest| at.text.trim().len() >= shortest);
        if at.kind != LineKind::Code || !telling || !at.text.contains(char::is_alphanumeric) {
            continue;
        }
        let near = row.saturating_sub(NEAR)..(row + NEAR).min(findings.original.n_lines());
        if let Some(twin) = near.clone().find(|&row| findings.index.original[row] == at.class && !is_gone(row)) {
            reasons.push(
                NeedsVerifyReason::new(ReasonKind::CodeDuplicated, "this line is added although it stays close by")
                    .at_snippet(LineRange::new(line, line + 1))
                    .at_original(LineRange::new(twin, twin + 1)),
            );
        }
    }
    reasons
}

/// For each snippet line that is written, the original row it is written before.
fn new_lines(findings: &Findings<'_>) -> Vec<Option<usize>> {
    let mut rows = vec![None; findings.snippet.lines.len()];
    let mut next = 0;
    for step in findings.ledger.steps() {
        if let Some(lines) = step.original() {
            next = lines.end;
        }
        if let Step::New { snippet } = step {
            for line in *snippet {
                rows[line] = Some(next);
            }
        }
    }
    rows
}
