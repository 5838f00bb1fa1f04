//! Whether the result may be trusted: a pure function of ledger, margin and syntax.
//!
//! Each rule looks at one thing and gives reasons with lines; the verdict is what they give together. A rule
//! that would flag most right results is worse than none: what it costs in trust stands beside it.

use super::rules::{losses, places, snippet};
use super::{Validation, duplicate};
use crate::anchor::{Alignment, Index, Plan};
use crate::budget::Limit;
use crate::classify::{Description, Snippet};
use crate::indent::Conversion;
use crate::ledger::Ledger;
use crate::merge::Disputed;
use crate::outcome::Shape;
use crate::source::Source;
use crate::treesitter::Chart;
use crate::verdict::{NeedsVerifyReason, Verdict};

/// Everything a rule may look at.
pub(crate) struct Findings<'f> {
    pub(crate) original: &'f Source<'f>,
    pub(crate) snippet: &'f Snippet<'f>,
    pub(crate) index: &'f Index,
    pub(crate) description: &'f Description,
    pub(crate) plan: &'f Plan,
    pub(crate) chart: &'f Chart<'f>,
    /// The clock ended the snippet's outline, so another machine might know more.
    pub(crate) snippet_cut_by: Option<Limit>,
    pub(crate) alignment: &'f Alignment,
    pub(crate) ledger: &'f Ledger,
    pub(crate) disputed: Option<Disputed>,
    /// What was in doubt before; snippet lines are those handed in.
    pub(crate) doubts: Vec<NeedsVerifyReason>,
    pub(crate) conversion: Option<Conversion>,
    pub(crate) validation: &'f Validation,
}

/// Looks at one thing and adds its reasons.
type Rule = fn(&Findings<'_>, &mut Vec<NeedsVerifyReason>);

/// What may be in doubt where a snippet's lines were aligned.
const OF_ALIGNED: &[Rule] = &[
    snippet::snippet_is_sound,
    snippet::indentation_is_the_files,
    snippet::snippet_is_whole,
    snippet::brackets_balance,
    losses::removals_are_explained,
    losses::markers_are_tied,
    losses::references_stand_for_something,
    losses::what_goes_is_not_shown,
    losses::bodies_are_not_emptied,
    losses::insertions_only_insert,
    losses::used_imports_stay,
    places::rewritten_lines_are_held,
    losses::announced_removals_are_shown,
    losses::nothing_is_unmentioned,
    places::places_are_clear,
    places::chunks_are_pinned,
    places::entries_are_known,
    places::numbers_agree,
    losses::nothing_similar_is_lost,
    losses::no_declaration_is_lost,
    losses::no_member_is_lost,
    places::imports_have_a_place,
    places::no_top_is_guessed,
    places::no_block_goes_on_unseen,
    places::no_end_is_guessed,
    places::no_edge_is_guessed,
    snippet::minus_lines_are_found,
    snippet::white_space_is_kept,
    snippet::strings_keep_white_space,
    snippet::references_have_a_source,
    snippet::order_is_kept,
    losses::no_decorator_is_lost,
    losses::ranges_are_applied,
    snippet::no_marker_is_left,
    snippet::no_sign_is_left,
    snippet::loose_references_stand,
    nothing_is_doubled,
    snippet::nothing_was_cut_short,
    snippet::syntax_is_valid,
];

/// What may be in doubt where an edit names what it changes: its places are settled before.
const OF_HUNKS: &[Rule] = &[
    snippet::indentation_is_the_files,
    snippet::brackets_balance,
    losses::removals_are_explained,
    losses::insertions_only_insert,
    losses::ranges_are_applied,
    snippet::no_marker_is_left,
    snippet::nothing_was_cut_short,
    snippet::syntax_is_valid,
];

/// Draws the verdict.
pub(crate) fn verdict(findings: &Findings<'_>) -> Verdict {
    let rules = if findings.snippet.has_hunks() { OF_HUNKS } else { OF_ALIGNED };
    let mut reasons = Vec::new();
    for rule in rules {
        rule(findings, &mut reasons);
    }
    for reason in &mut reasons {
        reason.snippet_lines = reason.snippet_lines.map(|lines| findings.snippet.handed_in(lines));
        if findings.snippet.shape == Shape::Pairs {
            reason.snippet_lines = None;
        }
    }
    reasons.splice(0..0, findings.doubts.iter().cloned());
    Verdict::from_reasons(reasons)
}

fn nothing_is_doubled(findings: &Findings<'_>, reasons: &mut Vec<NeedsVerifyReason>) {
    reasons.extend(duplicate::duplicates(findings));
}
