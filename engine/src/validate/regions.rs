//! Syntax of a result whose language holds others: scripts and styles in a page, fences in Markdown.
//!
//! # Algorithm
//!
//! 1. The text as a whole is checked by its own grammar, to which the code in it is text.
//! 2. Each region that an edit touches is checked by its own grammar, as a difference to the region of the original
//!    that begins on the same line. What a new script or style gets wrong is new. A new fence is not checked, nor is
//!    one whose old version had errors: an example need not be a program.
//!
//! # Cost
//!
//! One more parse of both texts, and of each region that is touched, within the same budget.

use super::syntax::{self, row_in_result};
use super::{SyntaxStatus, Validation};
use crate::budget::{Budget, Meter};
use crate::range::LineRange;
use crate::replacement::Replacement;
use crate::source::Source;
use crate::treesitter::{Chart, Language, Parsed, Region, View, parse};

/// Checks a result against its original, regions and all. The arguments are those of [`syntax::delta`].
pub(crate) fn delta(
    before: &Source<'_>,
    result: &str,
    replacements: &[Replacement],
    chart: &Chart<'_>,
    language: Option<Language>,
    budget: Budget,
) -> Validation {
    let meter = &Meter::start(budget);
    let mut validation = syntax::delta(before, result, replacements, chart, language, meter);
    let holds = language.filter(|language| language.holds_regions());
    let is_done = !matches!(validation.status, SyntaxStatus::Valid | SyntaxStatus::Invalid);
    let Some(language) = holds.filter(|_| !is_done && !replacements.is_empty()) else { return validation };
    let edits = &syntax::edits(replacements);
    let after = Source::new(result);
    let (Some(old), Some(new)) = (regions(before, language, meter), regions(&after, language, meter)) else {
        return timed_out(validation, meter);
    };
    for region in new {
        // An edit without lines in the result took some out right there.
        let is_near = |&&(_, to): &&(LineRange, LineRange)| to.start < region.rows.end && region.rows.start <= to.end;
        let touched: Vec<_> = edits.iter().filter(is_near).copied().collect();
        if touched.is_empty() {
            continue;
        }
        let starts_alike = |old: &&Region| {
            let row = old.rows.start.checked_sub(1).and_then(|row| row_in_result(edits, row));
            old.language == region.language && row.is_some_and(|row| row + 1 == region.rows.start)
        };
        let partner = old.iter().find(starts_alike);
        if region.is_example && partner.is_none() {
            continue;
        }
        let rows = partner.map_or(LineRange::default(), |partner| partner.rows);
        let within = |lines: LineRange, rows: LineRange| {
            let clip = |line: usize| line.clamp(rows.start, rows.end) - rows.start;
            LineRange::new(clip(lines.start), clip(lines.end))
        };
        let inside: Vec<_> = touched.iter().map(|&(from, to)| (within(from, rows), within(to, region.rows))).collect();
        let (old_text, new_text) = (before.slice(rows), after.slice(region.rows));
        let found = syntax::of_whole(&Source::new(old_text), new_text, &inside, region.language, meter);
        match found.status {
            SyntaxStatus::TimedOut => return timed_out(validation, meter),
            SyntaxStatus::Invalid if !(region.is_example && found.original_errors > 0) => {
                validation.status = SyntaxStatus::Invalid;
                validation.original_errors += found.original_errors;
                validation.new_errors.extend(found.new_errors.into_iter().map(|mut error| {
                    let start = region.rows.start;
                    error.lines = LineRange::new(error.lines.start + start, error.lines.end + start);
                    error
                }));
            }
            _ => validation.original_errors += if region.is_example { 0 } else { found.original_errors },
        }
    }
    validation
}

/// Finds the regions of a text; `None` if it can't be read in time.
fn regions(source: &Source<'_>, language: Language, meter: &Meter) -> Option<Vec<Region>> {
    let view = View::whole(source);
    match parse(&view, language, meter) {
        Parsed::Tree(tree) => Some(Region::all(&tree, view.text())),
        Parsed::CutShort(_) => None,
        Parsed::Unsupported => Some(Vec::new()),
    }
}

/// What is known is no answer as long as a region is unread, unless it is an error already.
fn timed_out(mut validation: Validation, meter: &Meter) -> Validation {
    if validation.status == SyntaxStatus::Valid {
        validation.status = SyntaxStatus::TimedOut;
        validation.cut_by = meter.cut_by();
    }
    validation
}
