//! From the alignment to the ledger: what became of each line, and what explains each loss.
//!
//! # What explains a removal
//!
//! | cause | when |
//! |---|---|
//! | marker, minus line | the snippet says so on the spot |
//! | announced | the description's ranges cover the line; or it announces a removal, and both neighbours are shown |
//! | rewritten | new text stands between two lines that are both shown, in place of the old; or a similar line does |
//! | shown in full | the declaration around it is tied at both ends and shown without a reference |
//! | blank line | it was blank |
//!
//! Everything else is unexplained, most of all a loss beside a reference: the reference should have covered it.
//!
//! # Cost
//!
//! O(steps).

use crate::anchor::{Alignment, Pair, Plan, Tie};
use crate::classify::{ChangeKind, Description, LineKind, Snippet};
use crate::imports;
use crate::ledger::{Equality, KeepRule, Ledger, RemovalCause, Step, hunks};
use crate::range::LineRange;
use crate::source::{Source, is_blank};

/// Writes the ledger of an alignment; the flag says whether the alignment adds up.
pub(crate) fn account(
    alignment: &Alignment,
    original: &Source<'_>,
    snippet: &Snippet<'_>,
    description: &Description,
    plan: &Plan,
) -> (Ledger, bool) {
    let mut steps = merge(raw_steps(alignment, original, description, plan));
    keep_blank_lines(&mut steps, original);
    explain(&mut steps, original, snippet, description, plan);
    let steps = merge(imports::keep_used(steps, original, snippet, plan));
    match Ledger::new(steps, original.n_lines(), snippet.lines.len()) {
        Ok(ledger) => (ledger, true),
        Err(_) => (fallback(original.n_lines(), snippet.lines.len()), false),
    }
}

/// The ledger for an alignment that doesn't add up, which no input should reach: everything old stays and nothing
/// new is written.
pub(crate) fn fallback(n_original: usize, n_snippet: usize) -> Ledger {
    debug_assert!(false, "an alignment takes every line once");
    let steps = vec![
        Step::Keep { original: LineRange::new(0, n_original), rule: KeepRule::Unmentioned },
        Step::Drop { snippet: LineRange::new(0, n_snippet) },
    ];
    Ledger::new(steps, n_original, n_snippet).unwrap_or_default()
}

fn raw_steps(alignment: &Alignment, original: &Source<'_>, description: &Description, plan: &Plan) -> Vec<Step> {
    let mut steps = Vec::with_capacity(alignment.ties.len());
    // An open reference, and the blank lines dropped while it is open: they follow its fill.
    let mut open: Option<Option<usize>> = None;
    let mut dropped: Vec<Step> = Vec::new();
    for tie in &alignment.ties {
        let one = |line: usize| LineRange::new(line, line + 1);
        match *tie {
            Tie::Fill { rows } => {
                let fill = match open {
                    Some(Some(snippet)) => Step::Fill { original: rows, snippet },
                    _ if plan.is_attached(rows.start) => Step::Keep { original: rows, rule: KeepRule::Attached },
                    _ => Step::Keep { original: rows, rule: KeepRule::ImpliedEdge },
                };
                extend_fill(&mut steps, fill);
                continue;
            }
            Tie::Drop { line } if open.is_some() => {
                dropped.push(Step::Drop { snippet: one(line) });
                continue;
            }
            _ => {}
        }
        open = None;
        steps.append(&mut dropped);
        match *tie {
            Tie::Match { row, line, equality } if equality <= Equality::TrailingBlanks => {
                steps.push(Step::Anchor { original: row, snippet: line, equality });
            }
            Tie::Match { row, line, .. } | Tie::Supersede { row, line } => {
                steps.push(Step::Remove { original: one(row), cause: RemovalCause::Rewritten });
                steps.push(Step::New { snippet: one(line) });
            }
            Tie::Gone { row, line } => {
                steps.push(Step::Remove { original: one(row), cause: RemovalCause::MinusLine });
                steps.push(Step::Drop { snippet: one(line) });
            }
            Tie::Insert { line } => steps.push(Step::New { snippet: one(line) }),
            Tie::Drop { line } => steps.push(Step::Drop { snippet: one(line) }),
            Tie::Reference { line } => {
                open = Some(line);
                if let Some(snippet) = line {
                    let at = next_row(&steps);
                    steps.push(Step::Fill { original: LineRange::new(at, at), snippet });
                }
            }
            Tie::Fill { .. } => {}
            Tie::Marker { line } => steps.push(Step::Marker { snippet: line }),
            Tie::MarkerTake { rows } => steps.push(Step::Remove { original: rows, cause: RemovalCause::Marker }),
            Tie::Delete { rows } => {
                let code = || rows.iter().filter(|&row| !is_blank(original.line(row)));
                let cause = if code().next().is_none() {
                    RemovalCause::BlankLine
                } else if code().all(|row| description.covers(row)) {
                    RemovalCause::Announced
                } else if code().all(|row| plan.is_free(row)) {
                    RemovalCause::Rewritten
                } else {
                    RemovalCause::Unexplained
                };
                steps.push(Step::Remove { original: rows, cause });
            }
            Tie::Keep { rows } => {
                let rule = if description.only_inserts() {
                    KeepRule::PureInsert
                } else if !description.ranges.is_empty() {
                    KeepRule::OutsideRanges
                } else {
                    KeepRule::Unmentioned
                };
                steps.push(Step::Keep { original: rows, rule });
            }
        }
    }
    steps.append(&mut dropped);
    steps
}

fn extend_fill(steps: &mut Vec<Step>, fill: Step) {
    match (steps.last_mut(), fill) {
        (Some(Step::Fill { original, snippet }), Step::Fill { original: more, snippet: same }) if *snippet == same => {
            original.end = more.end;
        }
        _ => steps.push(fill),
    }
}

fn next_row(steps: &[Step]) -> usize {
    steps.iter().rev().find_map(Step::original).map_or(0, |rows| rows.end)
}

/// Keeps blank lines that a marker would take alone: what it speaks of is gone already.
fn keep_blank_lines(steps: &mut [Step], original: &Source<'_>) {
    for at in 1..steps.len() {
        if let (Step::Marker { .. }, Step::Remove { original: rows, cause: RemovalCause::Marker }) =
            (steps[at - 1], steps[at])
            && rows.iter().all(|row| is_blank(original.line(row)))
        {
            steps[at] = steps[at - 1];
            steps[at - 1] = Step::Keep { original: rows, rule: KeepRule::Unmentioned };
        }
    }
}

/// Joins neighbouring steps of one kind.
fn merge(steps: Vec<Step>) -> Vec<Step> {
    let mut merged: Vec<Step> = Vec::with_capacity(steps.len());
    for step in steps {
        let joined = match (merged.last_mut(), step) {
            (Some(Step::Keep { original, rule }), Step::Keep { original: more, rule: same }) if *rule == same => {
                original.end = more.end;
                true
            }
            (Some(Step::Remove { original, cause }), Step::Remove { original: more, cause: same })
                if *cause == same =>
            {
                original.end = more.end;
                true
            }
            (Some(Step::New { snippet }), Step::New { snippet: more })
            | (Some(Step::Drop { snippet }), Step::Drop { snippet: more }) => {
                snippet.end = more.end;
                true
            }
            _ => false,
        };
        if !joined {
            merged.push(step);
        }
    }
    merged
}

/// Finds causes for the removals that have none yet.
fn explain(steps: &mut [Step], original: &Source<'_>, snippet: &Snippet<'_>, description: &Description, plan: &Plan) {
    for hunk in hunks(steps, |step| is_blank_anchor(step, original)) {
        let writes = writes_code(&steps[hunk.steps.clone()], snippet);
        let removal_is_announced = description.ranges.is_empty() && description.announces(ChangeKind::Remove);
        let untied = !hunk.is_tied();
        for step in &mut steps[hunk.steps.clone()] {
            if let Step::Remove { original: rows, cause: cause @ RemovalCause::Unexplained } = step {
                let inside = |pair: &Pair| pair.in_full && pair.end_tied && pair.original.covers(*rows);
                *cause = if plan.pairs.iter().any(inside) {
                    RemovalCause::ShownInFull
                } else if untied {
                    RemovalCause::Unexplained
                } else if writes {
                    RemovalCause::Rewritten
                } else if removal_is_announced {
                    RemovalCause::Announced
                } else {
                    RemovalCause::Unexplained
                };
            }
        }
    }
}

/// Says whether a step ties a blank line, or keeps nothing but blank lines that are not mentioned.
pub(crate) fn is_blank_anchor(step: &Step, original: &Source<'_>) -> bool {
    match step {
        Step::Anchor { original: row, .. } => is_blank(original.line(*row)),
        Step::Keep { original: rows, rule: KeepRule::Unmentioned } => {
            rows.iter().all(|row| is_blank(original.line(row)))
        }
        _ => false,
    }
}

/// Says whether any of the steps writes a line that isn't blank.
pub(crate) fn writes_code(steps: &[Step], snippet: &Snippet<'_>) -> bool {
    steps.iter().any(|step| match step {
        Step::New { snippet: lines } => lines.iter().any(|line| snippet.lines[line].kind == LineKind::Code),
        _ => false,
    })
}
