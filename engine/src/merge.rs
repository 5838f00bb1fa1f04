//! Choosing between readings of one snippet.
//!
//! Scopes and announced ranges are strong hints, and both can be wrong: a snippet shows lines in the wrong
//! function, a description counts lines from another version. So the alignment is found with them and, where
//! that may matter, again without; what both readings agree on needs no doubt, and where they part the verdict
//! says so.
//!
//! # Cost
//!
//! Up to four alignments.

use crate::account;
use crate::anchor::{self, Alignment, Plan, Problem, Steps};
use crate::budget::Budget;
use crate::classify::{Description, Snippet};
use crate::diff;
use crate::ledger::{Ledger, RemovalCause, Step, hunks};
use crate::range::{LineRange, is_within};
use crate::source::{Source, is_blank};
use crate::stitch::{self, Segments};
use crate::verdict::NeedsVerifyReason;

/// How much cheaper the alignment must be without scopes to be believed instead, in ten-thousandths of an
/// inserted line. Larger: a wrong pairing of declarations is kept; smaller: text overrules names. From the
/// experiment.
const SCOPES_GIVEN_UP: u64 = 25_000;

/// Steps that all alignments of an edit may take together. Larger: a hostile snippet takes longer (about 0.1 us a step);
/// smaller: honest repetitive files are settled from the outside in.
const MOST_STEPS: usize = 10_000_000;

/// One reading of the snippet, carried through to the result.
pub(crate) struct Merged {
    pub(crate) alignment: Alignment,
    pub(crate) ledger: Ledger,
    pub(crate) segments: Segments,
    /// What the readings disagree on.
    pub(crate) disputed: Option<Disputed>,
    /// What was in doubt on the way; lines are those of the text handed in.
    pub(crate) doubts: Vec<NeedsVerifyReason>,
}

/// A hint without which the result would be another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Disputed {
    /// The text fits much better where the declarations' names don't.
    Scopes,
    /// The announced lines and the snippet's lines don't say the same.
    Ranges,
}

/// Merges under all hints and checks them against the readings without.
pub(crate) fn merge(problem: &Problem<'_>, plan: &Plan, budget: Budget) -> Merged {
    let allowed = budget.steps.and_then(|steps| usize::try_from(steps).ok());
    let steps = &mut Steps::new(allowed.map_or(MOST_STEPS, |steps| steps.min(MOST_STEPS)));
    let merged = with_scopes_or_without(problem, plan, steps);
    if problem.description.ranges.is_empty() {
        return merged;
    }
    let unannounced = problem.description.without_ranges();
    let doubting = Problem { description: &unannounced, ..*problem };
    let other = with_scopes_or_without(&doubting, plan, steps);
    match (ranges_hold(problem, &merged), same_text(problem, &merged, &other)) {
        // What the description counts and what the text says agree: the declarations' names are outvoted.
        (true, true) => Merged { disputed: None, ..merged },
        (true, false) if n_doubled(problem, &merged) > n_doubled(problem, &other) => {
            Merged { disputed: Some(Disputed::Ranges), ..other }
        }
        (true, false) if announced_are_shown(&merged.ledger, problem.original, problem.snippet) => merged,
        (false, true) => Merged { disputed: Some(Disputed::Ranges), ..merged },
        (_, false) => Merged { disputed: Some(Disputed::Ranges), ..other },
    }
}

fn with_scopes_or_without(problem: &Problem<'_>, plan: &Plan, steps: &mut Steps) -> Merged {
    let mut scoped = read(problem, plan, steps);
    if plan.waypoints.is_empty() {
        return scoped;
    }
    let Some(stretches) = anchor::disputed(problem, plan, &scoped.alignment, SCOPES_GIVEN_UP, steps) else {
        scoped.alignment.cut_short.get_or_insert(LineRange::new(0, problem.original.n_lines()));
        return scoped;
    };
    if stretches.is_empty() {
        return scoped;
    }
    let free = read(problem, &anchor::without_scopes(problem, plan, &stretches), steps);
    if free.alignment.cost + SCOPES_GIVEN_UP >= scoped.alignment.cost || same_text(problem, &scoped, &free) {
        return scoped;
    }
    Merged { disputed: Some(Disputed::Scopes), ..free }
}

fn read(problem: &Problem<'_>, plan: &Plan, steps: &mut Steps) -> Merged {
    let mut alignment = anchor::align(problem, plan, steps);
    let (ledger, adds_up) = account::account(&alignment, problem.original, problem.snippet, problem.description, plan);
    if !adds_up {
        alignment.cut_short.get_or_insert(LineRange::new(0, problem.original.n_lines()));
    }
    let segments = stitch::stitch(&ledger, problem.original, problem.snippet);
    Merged { alignment, ledger, segments, disputed: None, doubts: Vec::new() }
}

/// Says whether two readings give the same result.
fn same_text(problem: &Problem<'_>, a: &Merged, b: &Merged) -> bool {
    a.segments.give_same_text(&b.segments, problem.original)
}

/// Counts the written lines that stand once in the original, where they stay.
fn n_doubled(problem: &Problem<'_>, merged: &Merged) -> usize {
    let gone = merged.ledger.gone();
    let is_doubled =
        |line: usize| problem.index.only(problem.snippet.lines[line].class).is_some_and(|row| !is_within(&gone, row));
    let written = merged.ledger.steps().iter().filter_map(|step| match step {
        Step::New { snippet } => Some(snippet.iter()),
        _ => None,
    });
    written.flatten().filter(|&line| is_doubled(line)).count()
}

/// Says whether all announced losses are borne out by what the snippet shows on the spot: new text or a marker
/// right behind or before a shown line, or shown lines on both sides. A range that is off by a line or two falls
/// beside a reference instead.
pub(crate) fn announced_are_shown(ledger: &Ledger, original: &Source<'_>, snippet: &Snippet<'_>) -> bool {
    let steps = ledger.steps();
    hunks(steps, |step| account::is_blank_anchor(step, original)).iter().all(|hunk| {
        let steps = &steps[hunk.steps.clone()];
        let announced = steps.iter().any(|step| match step {
            Step::Remove { original: rows, cause: RemovalCause::Announced } => {
                rows.iter().any(|row| !is_blank(original.line(row)))
            }
            _ => false,
        });
        let says = account::writes_code(steps, snippet) || steps.iter().any(|step| matches!(step, Step::Marker { .. }));
        !announced || hunk.is_tied() || (says && hunk.is_held())
    })
}

/// Says whether the result bears the announced ranges out: nothing is lost outside of them, and no reference keeps
/// any of their lines.
fn ranges_hold(problem: &Problem<'_>, merged: &Merged) -> bool {
    let Description { ranges, .. } = problem.description;
    // What really changes: lines that are written as they were are not lost.
    let replacements = diff::replacements(&merged.segments, problem.original, "");
    let is_lost = |row: usize| !is_blank(problem.original.line(row)) && !problem.description.covers(row);
    let is_said = |rows: LineRange| {
        let says = |&(removed, cause): &(LineRange, RemovalCause)| {
            matches!(cause, RemovalCause::Marker | RemovalCause::MinusLine) && removed.overlaps(rows)
        };
        merged.ledger.removals().any(|removal| says(&removal))
    };
    let lost_outside = replacements.iter().any(|one| one.old_lines.iter().any(is_lost) && !is_said(one.old_lines));
    let kept_inside = merged.ledger.steps().iter().any(|step| match step {
        Step::Fill { original, .. } | Step::Keep { original, .. } => {
            ranges.iter().any(|range| range.overlaps(*original))
        }
        _ => false,
    });
    !lost_outside && !kept_inside
}
