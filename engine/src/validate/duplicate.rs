//! New text that repeats what is still there: a doubled function, a doubled block.

use super::verdict::Findings;
use crate::anchor::{indent_width, is_bare_closer, key};
use crate::classify::{Force, LineKind};
use crate::ledger::Step;
use crate::range::{LineRange, covered, is_within};
use crate::source::is_blank;
use crate::verdict::{NeedsVerifyReason, ReasonKind};

/// How far from an insertion its text is looked for, in original lines.
const NEAR: usize = 15;

/// Shortest line that counts as repeated, in bytes without indentation, by how often it stands in the original.
/// A line that stands there once is quoted on purpose; one of several may be new by chance; more say nothing.
const SHORTEST: [usize; 3] = [usize::MAX, 3, 8];

/// Finds declarations and lines that the result holds twice since the edit.
pub(super) fn duplicates(findings: &Findings<'_>) -> Vec<NeedsVerifyReason> {
    let is_new = new_lines(findings);
    let at_border = lines_at_borders(findings);
    let gone = findings.ledger.gone();
    let is_gone = |row: usize| is_within(&gone, row);
    let n_lines = findings.snippet.lines.len();
    let new_items = covered(findings.plan.new_items.iter().copied(), n_lines);
    let in_full = |pair: &&crate::anchor::Pair| pair.in_full && pair.end_tied;
    let in_full = covered(findings.plan.pairs.iter().filter(in_full).map(|pair| pair.snippet), n_lines);
    let mut reasons = Vec::new();
    for twin in &findings.plan.twins {
        if is_new.get(twin.name_row).is_some_and(Option::is_some) && !is_gone(twin.original_row) {
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
    // Lines marked `+` that all stand in the file, with nothing marked `-`, may have been added before.
    let marked = || {
        let lines = findings.snippet.lines.iter().enumerate();
        lines.filter(|(_, line)| line.force == Force::New && line.kind == LineKind::Code)
    };
    let replaces = findings.snippet.lines.iter().any(|line| line.force == Force::Gone);
    if !replaces
        && marked().all(|(_, line)| findings.index.count(line.class) > 0)
        && let (Some((first, _)), Some((last, _))) = (marked().next(), marked().next_back())
    {
        reasons.push(
            NeedsVerifyReason::new(ReasonKind::CodeDuplicated, "all lines to be added stand in the file already")
                .at_snippet(LineRange::new(first, last + 1)),
        );
        return reasons;
    }
    reasons.extend(passed_by_references(findings));
    for (line, place) in is_new.iter().enumerate() {
        let (Some(row), at) = (*place, &findings.snippet.lines[line]) else { continue };
        let n = findings.index.count(at.class);
        let is_in_new = new_items[line];
        // A declaration's first line is written though the file has that very line, or a line is written right beside
        // its like. Inside of other new code either may be.
        let begins_run = |start: usize| {
            start == 0 || is_new[start - 1].is_none() || is_blank(&findings.snippet.lines[start - 1].text)
        };
        let names = n > 0 && !is_in_new && findings.plan.body_named_at(line).is_some_and(begins_run);
        let stays_at = |row: usize| findings.index.class(row) == at.class && !is_gone(row);
        let first = line == 0 || is_new[line - 1].is_none();
        let last = is_new.get(line + 1).is_none_or(Option::is_none);
        let beside = (first && row.checked_sub(1).is_some_and(stays_at)) || (last && stays_at(row));
        if at.kind == LineKind::Code
            && (names || (beside && at_border[line] && at.text.trim().len() >= SHORTEST_BESIDE))
        {
            reasons.push(
                NeedsVerifyReason::new(
                    ReasonKind::CodeDuplicated,
                    "this line is written although the file has it already",
                )
                .at_snippet(LineRange::new(line, line + 1)),
            );
            continue;
        }
        // What is shown whole says for itself what stands twice.
        if is_in_new || in_full[line] || !at_border[line] {
            continue;
        }
        let telling = SHORTEST.get(n).is_some_and(|&shortest| at.text.trim().len() >= shortest);
        if at.kind != LineKind::Code || !telling || !at.text.contains(char::is_alphanumeric) {
            continue;
        }
        let near = LineRange::new(row.saturating_sub(NEAR), row + NEAR);
        let twins = findings.index.rows_in(at.class, near).iter().map(|&row| row as usize);
        if let Some(twin) = twins.into_iter().find(|&row| !is_gone(row)) {
            reasons.push(
                NeedsVerifyReason::new(ReasonKind::CodeDuplicated, "this line is added although it stays close by")
                    .at_snippet(LineRange::new(line, line + 1))
                    .at_original(LineRange::new(twin, twin + 1)),
            );
        }
    }
    reasons
}

/// How often a line may stand in the original for a written one to be taken for a quotation of it. More often, and it
/// may begin or end any new declaration.
const MOST_QUOTED: usize = 2;

/// Finds lines that are written right beside a reference although it stands for their like: they quote the file, and the
/// reference passed them. A closer is quoted if nothing that is written with it opens what it closes.
fn passed_by_references(findings: &Findings<'_>) -> Vec<NeedsVerifyReason> {
    let steps: Vec<&Step> = findings.ledger.steps().iter().filter(|step| !matches!(step, Step::Drop { .. })).collect();
    let text = |line: usize| &*findings.snippet.lines[line].text;
    let is_code = |line: &usize| findings.snippet.lines[*line].kind == LineKind::Code;
    let stands_for = |step: &Step, line: usize| match *step {
        Step::Fill { original, .. } | Step::Keep { original, .. } => {
            let class = findings.snippet.lines[line].class;
            !findings.index.rows_in(class, original).is_empty()
        }
        _ => false,
    };
    // `port = 2` right beside a reference that stands for `port = 1` of the same section.
    let sets_key_of = |kept: &Step, line: usize, first: bool| match *kept {
        Step::Fill { original, .. } if key(text(line)).is_some() => {
            let near = if first {
                LineRange::new(original.end.saturating_sub(NEAR).max(original.start), original.end)
            } else {
                LineRange::new(original.start, original.end.min(original.start + NEAR))
            };
            let indent = indent_width(text(line));
            let depth = |row: usize| indent_width(findings.original.line(row));
            let sets = |row: usize| key(findings.original.line(row)) == key(text(line));
            let is_beside = |row: &usize| {
                let line = findings.original.line(*row);
                !is_blank(line) && !line.trim_start().starts_with('[') && depth(*row) >= indent
            };
            let mut rows: Vec<usize> = near.iter().collect();
            if first {
                rows.reverse();
            }
            rows.into_iter().take_while(is_beside).filter(|&row| depth(row) == indent).any(sets)
        }
        _ => false,
    };
    // `@Test(timeout = 5)` right below the `@Test` that a reference stands for.
    let is_annotated_twice = |kept: &Step, line: usize| match *kept {
        Step::Fill { original, .. } => {
            let above = findings.index.relief.last_code(original).map(|row| findings.original.line(row));
            annotation(text(line)).is_some() && above.and_then(annotation) == annotation(text(line))
        }
        _ => false,
    };
    let n_alike = |line: usize| findings.index.count(findings.snippet.lines[line].class);
    let mut reasons = Vec::new();
    for beside in steps.windows(2) {
        let passed = match (beside[0], beside[1]) {
            (kept, Step::New { snippet }) => snippet.iter().find(is_code).filter(|&line| {
                let quotes = !is_bare_closer(text(line).trim()) && n_alike(line) == 1;
                (quotes && stands_for(kept, line)) || sets_key_of(kept, line, true) || is_annotated_twice(kept, line)
            }),
            (Step::New { snippet }, kept) => snippet.iter().rev().find(is_code).filter(|&line| {
                let quotes = if is_bare_closer(text(line).trim()) {
                    n_alike(line) > 0 && closes_more_than_it_opens(snippet.iter().map(text))
                } else {
                    (1..=MOST_QUOTED).contains(&n_alike(line))
                };
                (quotes && stands_for(kept, line)) || sets_key_of(kept, line, false)
            }),
            _ => None,
        };
        reasons.extend(passed.map(|line| {
            let message = "this line is written although the reference beside it stands for one like it";
            NeedsVerifyReason::new(ReasonKind::CodeDuplicated, message).at_snippet(LineRange::new(line, line + 1))
        }));
    }
    reasons
}

/// Gives the name of the annotation or decorator that a line begins with.
fn annotation(line: &str) -> Option<&str> {
    let name = line.trim_start().strip_prefix('@')?;
    let end = name.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '.').unwrap_or(name.len());
    Some(&name[..end])
}

/// Says whether lines close brackets or comments that they don't open.
fn closes_more_than_it_opens<'l>(lines: impl Iterator<Item = &'l str>) -> bool {
    let (mut depth, mut in_comment) = (0_i64, false);
    for line in lines {
        for pair in line.as_bytes().windows(2) {
            match pair {
                b"/*" => in_comment = true,
                b"*/" if !in_comment => return true,
                b"*/" => in_comment = false,
                _ => {}
            }
        }
        for byte in line.bytes() {
            depth += i64::from(matches!(byte, b'(' | b'[' | b'{')) - i64::from(matches!(byte, b')' | b']' | b'}'));
        }
    }
    depth < 0
}

/// Says of each snippet line whether no tied line stands between it and a reference or the snippet's end. Only there
/// is a known line context that missed its place; between tied lines it is new code that happens to look alike.
fn lines_at_borders(findings: &Findings<'_>) -> Vec<bool> {
    let mut borders = vec![false; findings.snippet.lines.len()];
    let steps = findings.ledger.steps();
    let mark = |borders: &mut Vec<bool>, steps: &mut dyn Iterator<Item = &Step>| {
        let mut open = true;
        for step in steps {
            match step {
                Step::Fill { .. } | Step::Keep { .. } => open = true,
                Step::Anchor { original, .. } => open &= is_blank(findings.original.line(*original)),
                Step::New { snippet } if open => snippet.iter().for_each(|line| borders[line] = true),
                _ => {}
            }
        }
    };
    mark(&mut borders, &mut steps.iter());
    mark(&mut borders, &mut steps.iter().rev());
    borders
}

/// Shortest line that counts as repeated right beside its like, in bytes without indentation.
const SHORTEST_BESIDE: usize = 8;

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
