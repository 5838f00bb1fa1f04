//! The merge with the original's bytes put back where our own merge isn't trusted.

use super::compare::{Comparison, difference, ends_otherwise};
use super::target::Target;
use crate::source::Source;

/// Writes the repaired text: the original's bytes where a finding says so, the merge's own everywhere else.
pub(super) fn repair(target: &Target<'_>, comparison: &Comparison, merged: &Source<'_>) -> String {
    let ours = |at: usize| (target.text.line(at), target.text.terminator(at));
    let theirs = |line: usize| match target.terminator {
        Some(terminator) if ends_otherwise(target, merged, line) => (merged.line(line), terminator),
        _ => (merged.line(line), merged.terminator(line)),
    };
    let mut lines: Vec<(&str, &str)> = Vec::with_capacity(merged.n_lines());
    let mut pairs = comparison.pairs.iter().peekable();
    for place in &comparison.places {
        while let Some(&(at, line)) = pairs.next_if(|&&(at, _)| at < place.lost.end) {
            lines.push(if difference(target, merged, at, line).is_some() { ours(at) } else { theirs(line) });
        }
        if place.is_judged {
            lines.extend(place.lost.iter().map(ours));
        } else {
            lines.extend(place.lines.iter().map(theirs));
        }
    }
    for &(at, line) in pairs {
        lines.push(if difference(target, merged, at, line).is_some() { ours(at) } else { theirs(line) });
    }

    let mut text = target.original.text()[..target.original.line_start(0)].to_owned();
    let last = lines.len().saturating_sub(1);
    for (n, (line, terminator)) in lines.into_iter().enumerate() {
        text.push_str(line);
        let is_ended = n < last || target.final_newline.unwrap_or(merged.has_final_newline());
        match (is_ended, terminator.is_empty()) {
            (true, true) => text.push_str(target.original.dominant_terminator()),
            (true, false) => text.push_str(terminator),
            (false, _) => {}
        }
    }
    text
}
