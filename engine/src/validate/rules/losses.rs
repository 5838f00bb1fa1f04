//! Doubts about what is gone: each loss needs a cause that holds.

use crate::account::{is_blank_anchor, writes_code};
use crate::anchor::{Pair, dice, extends, indent_width, key, tokens};
use crate::classify::{LineKind, hints_at_unshown, is_no_code};
use crate::imports;
use crate::ledger::{Hunk, KeepRule, RemovalCause, Step, hunks};
use crate::merge::announced_are_shown;
use crate::outcome::Shape;
use crate::range::{LineRange, is_within};
use crate::source::{Source, is_blank};
use crate::treesitter::ItemKind;
use crate::validate::verdict::Findings;
use crate::verdict::{NeedsVerifyReason, ReasonKind};

pub(in crate::validate) fn removals_are_explained(findings: &Findings<'_>, reasons: &mut Vec<NeedsVerifyReason>) {
    for (lines, cause) in findings.ledger.removals() {
        let n_code = lines.iter().filter(|&line| !is_blank(findings.original.line(line))).count();
        if cause == RemovalCause::Unexplained && n_code > 0 {
            let message = format!(
                "{n_code} original {} lost and nothing explains it",
                if n_code == 1 { "line is" } else { "lines are" }
            );
            reasons.push(NeedsVerifyReason::new(ReasonKind::CodeRemoved, message).at_original(lines));
        }
    }
}

/// A removal marker stands between two lines that are shown, or between one and the edge of the file; else it is
/// open how much it removes.
pub(in crate::validate) fn markers_are_tied(findings: &Findings<'_>, reasons: &mut Vec<NeedsVerifyReason>) {
    let steps = findings.ledger.steps();
    let is_unchanged = !steps.iter().any(|step| matches!(step, Step::New { .. } | Step::Remove { .. }));
    for hunk in hunks(steps, |step| is_blank_anchor(step, findings.original)) {
        for at in hunk.steps.clone() {
            let Step::Marker { snippet } = steps[at] else { continue };
            let next = steps.get(at + 1);
            let removes = matches!(next, Some(Step::Remove { cause: RemovalCause::Marker, .. }));
            let leaves = match next {
                Some(Step::Remove { original, .. }) => leaves_block(findings, snippet, *original),
                _ => false,
            };
            let message = match (removes, hunk.is_tied()) {
                // The lines around are shown, and nothing is between them nor changes elsewhere: it was done before.
                (false, true) if is_unchanged => continue,
                _ if leaves => "the removal marker removes lines from outside of the block it stands in",
                (false, _) => "the removal marker stands where there is nothing to remove",
                (true, false) => "how much the removal marker removes is open, since no shown line ends it",
                (true, true) => continue,
            };
            let reason = NeedsVerifyReason::new(ReasonKind::AmbiguousLocation, message);
            reasons.push(reason.at_snippet(LineRange::new(snippet, snippet + 1)));
        }
    }
}

/// A reference that stands for nothing while old lines go right beside it should have covered them; while new lines are
/// written right beside it, they may belong where there is something to stand for. At the end of a block it says no
/// more than that the block goes on, or ends.
pub(in crate::validate) fn references_stand_for_something(
    findings: &Findings<'_>,
    reasons: &mut Vec<NeedsVerifyReason>,
) {
    let steps = findings.ledger.steps();
    let all = hunks(steps, |step| is_blank_anchor(step, findings.original));
    let loses = |hunk: &Hunk| {
        steps[hunk.steps.clone()].iter().any(|step| match *step {
            Step::Remove { original, cause } => {
                !matches!(cause, RemovalCause::Announced | RemovalCause::Marker | RemovalCause::MinusLine)
                    && original.iter().any(|line| !is_blank(findings.original.line(line)))
            }
            _ => false,
        })
    };
    for (at, step) in steps.iter().enumerate() {
        let Step::Fill { original, snippet } = *step else { continue };
        if original.iter().any(|line| !is_blank(findings.original.line(line))) {
            continue;
        }
        let is_blank_step = |step: &Step| is_blank_anchor(step, findings.original);
        let before = steps[..at].iter().rposition(|step| !is_blank_step(step));
        let after = steps[at + 1..].iter().position(|step| !is_blank_step(step)).map(|n| at + 1 + n);
        let touches = |hunk: &&Hunk| [before, after].into_iter().flatten().any(|at| hunk.steps.contains(&at));
        let beside: Vec<&Hunk> = all.iter().filter(touches).collect();
        let ends_block = after.is_none_or(|at| match steps[at] {
            Step::Anchor { original, .. } => {
                indent_width(findings.original.line(original)) < indent_width(&findings.snippet.lines[snippet].text)
            }
            _ => false,
        });
        let (kind, message) = if beside.iter().any(|hunk| loses(hunk)) {
            (ReasonKind::CodeRemoved, "this reference stands for nothing while old lines are lost right beside it")
        } else if !ends_block && beside.iter().any(|hunk| writes_code(&steps[hunk.steps.clone()], findings.snippet)) {
            (
                ReasonKind::AmbiguousLocation,
                "this reference stands for nothing, so the new lines right beside it may belong elsewhere",
            )
        } else {
            continue;
        };
        reasons.push(NeedsVerifyReason::new(kind, message).at_snippet(LineRange::new(snippet, snippet + 1)));
    }
}

/// Shown lines may stand for their like among the lines that go right beside them: then the reference before or after
/// them reaches further, and less is lost.
pub(in crate::validate) fn what_goes_is_not_shown(findings: &Findings<'_>, reasons: &mut Vec<NeedsVerifyReason>) {
    let steps = findings.ledger.steps();
    let index = findings.index;
    let rest = |row: usize| LineRange::new(row + 1, index.n_lines());
    let says = |rows: [usize; 2]| rows.iter().any(|&row| findings.original.line(row).contains(char::is_alphanumeric));
    for hunk in hunks(steps, |_| false) {
        let shown = |steps: &mut dyn Iterator<Item = &Step>| -> Vec<usize> {
            let rows = steps.map_while(|step| match *step {
                Step::Anchor { original, .. } => Some(original),
                _ => None,
            });
            rows.filter(|&row| !index.relief.is_blank(row)).collect()
        };
        let above = shown(&mut steps[..hunk.steps.start].iter().rev());
        let below = shown(&mut steps[hunk.steps.end..].iter());
        let head = above.len().checked_sub(2).map(|n| [above[n + 1], above[n]]);
        let tail = below.len().checked_sub(2).map(|n| [below[n], below[n + 1]]);
        let like = |gone: LineRange, [first, second]: [usize; 2]| {
            let rows = index.rows_in(index.class(first), gone).iter().map(|&row| row as usize);
            rows.filter(|&row| !findings.description.covers(row)).find(|&row| {
                index.relief.first_code(rest(row)).is_some_and(|next| index.class(next) == index.class(second))
            })
        };
        let place = steps[hunk.steps.clone()].iter().find_map(|step| match *step {
            Step::Remove { original, cause: RemovalCause::Rewritten | RemovalCause::ShownInFull } => {
                [head, tail].into_iter().flatten().filter(|&rows| says(rows)).find_map(|rows| like(original, rows))
            }
            _ => None,
        });
        if let Some(row) = place {
            let message = "lines are lost that are like those shown beside them, so another place may be meant";
            let reason = NeedsVerifyReason::new(ReasonKind::AmbiguousLocation, message);
            reasons.push(reason.at_original(LineRange::new(row, row + 1)));
        }
    }
}

/// Old code that makes way for nothing but comments, `...` or `pass` may be meant to stay; so may what a comment hints
/// at.
pub(in crate::validate) fn bodies_are_not_emptied(findings: &Findings<'_>, reasons: &mut Vec<NeedsVerifyReason>) {
    let steps = findings.ledger.steps();
    for hunk in hunks(steps, |_| false) {
        let steps = &steps[hunk.steps];
        let loses = steps.iter().any(|step| match *step {
            Step::Remove { original, cause: RemovalCause::Rewritten | RemovalCause::ShownInFull } => {
                original
                    .iter()
                    .any(|line| !is_blank(findings.original.line(line)) && !is_no_code(findings.original.line(line)))
                    && !findings.chart.around(&[original]).outline.is_comment(original)
            }
            _ => false,
        });
        let written = || {
            let lines = steps.iter().filter_map(|step| match step {
                Step::New { snippet } => Some(snippet.iter()),
                _ => None,
            });
            lines.flatten().filter(|&line| findings.snippet.lines[line].kind == LineKind::Code)
        };
        let text = |line: usize| &*findings.snippet.lines[line].text;
        let is_empty = written().next().is_some() && written().all(|line| is_no_code(text(line)));
        let hint = written().find(|&line| hints_at_unshown(text(line)));
        if loses && (is_empty || hint.is_some()) {
            let line = hint.or_else(|| written().next()).unwrap_or_default();
            let reason = NeedsVerifyReason::new(
                ReasonKind::ReferenceLeft,
                "old code makes way for a line that may only stand for it",
            );
            reasons.push(reason.at_snippet(LineRange::new(line, line + 1)));
        }
    }
}

pub(in crate::validate) fn insertions_only_insert(findings: &Findings<'_>, reasons: &mut Vec<NeedsVerifyReason>) {
    if !findings.description.only_inserts() {
        return;
    }
    for replaced in findings.ledger.removals().map(|(lines, _)| lines) {
        if replaced.iter().any(|line| !is_blank(findings.original.line(line))) {
            let reason = NeedsVerifyReason::new(
                ReasonKind::CodeRemoved,
                "the description announces insertions only, but this is replaced",
            );
            reasons.push(reason.at_original(replaced));
        }
    }
}

/// Says whether any of the lines is indented less than the marker that removes them.
fn leaves_block(findings: &Findings<'_>, marker: usize, lines: LineRange) -> bool {
    let indent = |line: &str| if is_blank(line) { usize::MAX } else { indent_width(line) };
    let own = indent(&findings.snippet.lines[marker].text);
    lines.iter().any(|line| indent(findings.original.line(line)) < own)
}

/// Imports that make way for others while a name of theirs is used, or for fewer where nothing tells, may only not be
/// shown.
pub(in crate::validate) fn used_imports_stay(findings: &Findings<'_>, reasons: &mut Vec<NeedsVerifyReason>) {
    let lost = imports::lost(findings.ledger.steps(), findings.original, findings.snippet, findings.plan);
    reasons.extend(lost.map(|(rows, name)| {
        let message = match name {
            Some(name) => format!("`{name}` is still used, and the import that brings it is gone"),
            None => "these imports make way for fewer new ones, and may only not be shown".to_owned(),
        };
        NeedsVerifyReason::new(ReasonKind::CodeRemoved, message).at_original(rows)
    }));
}

pub(in crate::validate) fn announced_removals_are_shown(findings: &Findings<'_>, reasons: &mut Vec<NeedsVerifyReason>) {
    if findings.snippet.shape != Shape::WholeFile
        && !announced_are_shown(findings.ledger, findings.original, findings.snippet)
    {
        reasons.push(NeedsVerifyReason::new(
            ReasonKind::CodeRemoved,
            "lines are lost because the description announces it, but the snippet doesn't show them gone",
        ));
    }
}

pub(in crate::validate) fn nothing_is_unmentioned(findings: &Findings<'_>, reasons: &mut Vec<NeedsVerifyReason>) {
    for step in findings.ledger.steps() {
        if let Step::Keep { original, rule: KeepRule::Unmentioned | KeepRule::OutsideRanges | KeepRule::StillUsed } =
            *step
            && original.iter().any(|line| !is_blank(findings.original.line(line)))
        {
            reasons.push(
                NeedsVerifyReason::new(
                    ReasonKind::CodeUnmentioned,
                    "lines stay that the snippet passes over without a reference",
                )
                .at_original(original),
            );
        }
    }
}

/// A line that is taken for the new version of a similar one must be tied on both sides; beside a reference it may
/// as well be new, and the similar one meant to stay.
pub(in crate::validate) fn nothing_similar_is_lost(findings: &Findings<'_>, reasons: &mut Vec<NeedsVerifyReason>) {
    for (row, line) in
        findings.alignment.similar_beside_reference(|line| findings.snippet.lines[line].kind == LineKind::Blank)
    {
        let (old, new) = (findings.original.line(row), &*findings.snippet.lines[line].text);
        let is_tied = findings
            .plan
            .pairs
            .iter()
            .any(|pair| pair.name_row == row || (pair.in_full && pair.end_tied && pair.original.contains(row)));
        if is_tied || findings.description.covers(row) || sets_same_key(old, new) || extends(&tokens(old), &tokens(new))
        {
            continue;
        }
        reasons.push(
            NeedsVerifyReason::new(
                ReasonKind::CodeRemoved,
                "this line is taken for the old version of a similar new one, but a reference beside it may cover it",
            )
            .at_original(LineRange::new(row, row + 1)),
        );
    }
}

/// Says whether both lines set the same key and no other line of the original does.
///
/// # Cost
///
/// One search of the original for the key, where both lines set it.
pub(super) fn keeps_only_key(original: &Source<'_>, old: &str, new: &str) -> bool {
    let Some(wanted) = key(old).filter(|_| sets_same_key(old, new)) else { return false };
    let mut lines: Vec<usize> = Vec::new();
    for offset in memchr::memmem::find_iter(original.text().as_bytes(), wanted) {
        let line = original.line_at(offset);
        if lines.last() != Some(&line) && key(original.line(line)) == Some(wanted) {
            lines.push(line);
        }
        if lines.len() > 1 {
            return false;
        }
    }
    true
}

/// Says whether both lines set the same key, such as `height: 480` and `height: 400`.
fn sets_same_key(old: &str, new: &str) -> bool {
    key(old).is_some() && key(old) == key(new)
}

/// A type or a section that is shown again without a reference, but without some of its members: whoever writes no
/// reference may have shown a part.
pub(in crate::validate) fn no_member_is_lost(findings: &Findings<'_>, reasons: &mut Vec<NeedsVerifyReason>) {
    if findings.snippet.has_markers() || findings.snippet.has_hunks() || findings.snippet.shape == Shape::WholeFile {
        return;
    }
    let steps = findings.ledger.steps();
    let written: Vec<Vec<&str>> = steps
        .iter()
        .filter_map(|step| if let Step::New { snippet } = step { Some(snippet.iter()) } else { None })
        .flatten()
        .map(|line| tokens(&findings.snippet.lines[line].text))
        .collect();
    let holds_members = |pair: &&Pair| matches!(pair.kind, ItemKind::Type | ItemKind::Section);
    let holders = findings.plan.pairs.iter().filter(|pair| pair.in_full).filter(holds_members);
    for pair in holders {
        let lost = findings.ledger.removals().filter(|(_, cause)| *cause != RemovalCause::Announced);
        let mut lost =
            lost.flat_map(|(rows, _)| rows).filter(|row| pair.original.contains(*row) && *row != pair.name_row);
        let is_member = |row: &usize| {
            let line = findings.original.line(*row);
            let old = tokens(line);
            !findings.description.covers(*row)
                && line.contains(char::is_alphanumeric)
                && written.iter().all(|new| dice(&old, new) < SAME_MEMBER)
        };
        if let Some(row) = lost.find(is_member) {
            let reason = NeedsVerifyReason::new(
                ReasonKind::CodeRemoved,
                "this declaration is shown again without some of its members, and nothing says that they shall go",
            );
            reasons.push(reason.at_original(LineRange::new(row, row + 1)));
        }
    }
}

/// How similar a member's new version is at least, in ten-thousandths of token similarity.
const SAME_MEMBER: u32 = 6_000;

/// A declaration of several lines whose name is gone unannounced, although no declaration of the snippet is its new version and
/// the name isn't written anew. It may be renamed; where its neighbours look alike it is as often lost.
pub(in crate::validate) fn no_declaration_is_lost(findings: &Findings<'_>, reasons: &mut Vec<NeedsVerifyReason>) {
    let steps = findings.ledger.steps();
    for hunk in hunks(steps, |_| false) {
        let steps = &steps[hunk.steps];
        for step in steps {
            let Step::Remove { original: lines, cause: RemovalCause::Rewritten | RemovalCause::ShownInFull } = *step
            else {
                continue;
            };
            let around = findings.chart.around(&[lines]);
            for item in around.outline.named_in(lines) {
                let is_tied = findings.plan.pairs.iter().any(|pair| pair.name_row == item.name_row);
                let body = LineRange::new(item.header.start, item.rows.end);
                let is_announced = findings.description.covers(item.name_row);
                if item.kind == ItemKind::Section || is_tied || is_announced || body.len() == 1 {
                    continue;
                }
                let word = item.name.rsplit(['.', ':', ' ']).next().unwrap_or(&item.name);
                let is_written = steps.iter().any(|step| match step {
                    Step::New { snippet } => {
                        snippet.iter().any(|line| findings.snippet.lines[line].text.contains(word))
                    }
                    _ => false,
                });
                let n_old = || findings.chart.count_named(item);
                let n_new = (0..findings.snippet.lines.len())
                    .filter(|&line| findings.plan.names(line) && findings.snippet.lines[line].text.contains(word))
                    .count();
                if is_written && (n_new > 1 || n_old() == 1) {
                    continue;
                }
                reasons.push(
                    NeedsVerifyReason::new(
                        ReasonKind::CodeRemoved,
                        format!("`{}` is lost, and nothing in the snippet is its new version by name", item.name),
                    )
                    .at_original(LineRange::new(item.name_row, item.name_row + 1)),
                );
            }
        }
    }
}

/// Decorators between a doc comment and a name, both of which are shown, may be meant to go, or just not be shown.
pub(in crate::validate) fn no_decorator_is_lost(findings: &Findings<'_>, reasons: &mut Vec<NeedsVerifyReason>) {
    for (lines, cause) in findings.ledger.removals() {
        let is_said = matches!(cause, RemovalCause::Announced | RemovalCause::Marker | RemovalCause::MinusLine);
        let lost = findings.plan.passed_over.iter().find(|rows| rows.overlaps(lines)).filter(|_| !is_said);
        reasons.extend(lost.map(|&rows| {
            let message = "the snippet shows what is above and below these lines, but they may only not be shown";
            NeedsVerifyReason::new(ReasonKind::CodeRemoved, message).at_original(rows)
        }));
    }
    let gone = findings.ledger.gone();
    let stays = |rows: &&LineRange| rows.iter().any(|row| !is_within(&gone, row));
    reasons.extend(findings.plan.passed_over.iter().filter(stays).map(|&rows| {
        let message = "the snippet shows what is above and below these lines; they stay, but may be meant to go";
        NeedsVerifyReason::new(ReasonKind::CodeUnmentioned, message).at_original(rows)
    }));
}

/// By how many lines a description may miss what a quoted text says.
const MISCOUNTED: usize = 3;

pub(in crate::validate) fn ranges_are_applied(findings: &Findings<'_>, reasons: &mut Vec<NeedsVerifyReason>) {
    if findings.description.impossible {
        reasons.push(NeedsVerifyReason::new(
            ReasonKind::RangeNotApplied,
            "the description announces lines that the file doesn't have",
        ));
    }
    if findings.snippet.shape == Shape::WholeFile {
        return;
    }
    // A quoted text is surer than counted lines, which models often miss by a few.
    let slack = if findings.snippet.has_hunks() { MISCOUNTED } else { 0 };
    for &range in &findings.description.ranges {
        let near = LineRange::new(range.start.saturating_sub(slack), range.end + slack);
        let touched = findings.ledger.removals().any(|(lines, _)| lines.overlaps(near));
        if !touched && range.iter().any(|line| !is_blank(findings.original.line(line))) {
            reasons.push(
                NeedsVerifyReason::new(
                    ReasonKind::RangeNotApplied,
                    "the description announces a change of these lines, but they stay as they are",
                )
                .at_original(range),
            );
        }
    }
}
