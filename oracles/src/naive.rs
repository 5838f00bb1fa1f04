//! What a reader without any of the engine's cleverness can say of a result.

use std::collections::{HashMap, HashSet};

use treegraft::{Outcome, Shape};

use crate::Given;

/// Says whether two texts are the same but for blank lines and trailing blanks.
#[must_use]
pub fn is_right(wanted: &str, got: &str) -> bool {
    code_lines(wanted).eq(code_lines(got))
}

/// Lines that a fence and a path around a text take, at most.
const MOST_AROUND: usize = 4;

/// Says whether a text is another one without a fence, a path and line numbers around it: its lines are ends of the other's,
/// in order, and next to nothing else is in the other. A blank line may have a number.
#[must_use]
pub fn is_unwrapped(wrapped: &str, text: &str) -> bool {
    let mut rest = code_lines(wrapped);
    let n_blank = text.lines().filter(|line| line.trim().is_empty()).count();
    let n_around = code_lines(wrapped).count().saturating_sub(code_lines(text).count());
    code_lines(text).all(|line| rest.any(|other| other.ends_with(line))) && n_around <= MOST_AROUND + n_blank
}

fn code_lines(text: &str) -> impl Iterator<Item = &str> {
    text.split(['\n', '\r']).map(str::trim_end).filter(|line| !line.is_empty())
}

/// Proves a trusted result wrong, if that can be done from the texts alone; gives the proof.
///
/// In a lazy snippet without a description a run of lines between two markers says what the file holds there: so the
/// runs stand in the result, whole and in order, and nothing stands there that neither text has. White space is left
/// out of it all. Nothing is said of a snippet with comments that may be for the reader only, or of one in a wrapping.
#[must_use]
pub fn disproof(given: &Given, outcome: &Outcome) -> Option<String> {
    let is_plain = outcome.shape() == Shape::Lazy && outcome.wrapping().is_empty();
    if !is_plain || !given.description.trim().is_empty() || given.snippet.contains('\u{feff}') {
        return None;
    }
    let squeeze = |line: &str| line.split_whitespace().collect::<String>();
    let squeezed = |text: &str| -> Vec<String> {
        text.trim_start_matches('\u{feff}').split(['\n', '\r']).map(squeeze).filter(|line| !line.is_empty()).collect()
    };
    let (original, result) = (squeezed(&given.original), squeezed(outcome.text()));
    let in_file: HashSet<&str> = original.iter().map(String::as_str).collect();
    let mut runs: Vec<Vec<String>> = vec![Vec::new()];
    for line in squeezed(&given.snippet) {
        if is_comment(&line) && !in_file.contains(line.as_str()) {
            if !line.contains("...existingcode...") {
                return None;
            }
            runs.push(Vec::new());
        } else if line.contains("existingcode") || line.starts_with("```") || line.starts_with("@@") {
            return None;
        } else if let Some(run) = runs.last_mut() {
            run.push(line);
        }
    }

    let mut left: HashMap<&str, usize> = HashMap::new();
    for line in original.iter().chain(runs.iter().flatten()) {
        *left.entry(line).or_default() += 1;
    }
    for line in &result {
        match left.get_mut(line.as_str()) {
            Some(n) if *n > 0 => *n -= 1,
            _ => return Some(format!("{line:?} stands in it more often than in both texts together")),
        }
    }
    let mut at = 0;
    for run in runs.iter().filter(|run| !run.is_empty()) {
        let found = (at..=result.len().saturating_sub(run.len()))
            .find(|&at| result.get(at..at + run.len()) == Some(run.as_slice()));
        let Some(found) = found else {
            return Some(format!("it doesn't hold, whole and in order, this part of the snippet:\n{}", run.join("\n")));
        };
        at = found + run.len();
    }
    None
}

/// Says whether a line without its white space is a comment in some language, or bare dots.
fn is_comment(line: &str) -> bool {
    ["//", "#", "/*", "*", "<!--", "{/*", "--", ";", "%", "...", "(*", "\"\"\"", "'''"]
        .iter()
        .any(|sign| line.starts_with(sign))
}

/// Applies a unified diff as strictly as can be: every count, number and context line must agree.
///
/// # Errors
///
/// What doesn't, in words.
pub fn patched(original: &str, diff: &str) -> Result<String, String> {
    let old: Vec<&str> = original.split_inclusive('\n').collect();
    let mut new: Vec<&str> = Vec::new();
    let mut at = 0;
    let mut lines = diff.split_inclusive('\n').skip(2).peekable();
    while let Some(header) = lines.next() {
        let spans: Vec<(usize, usize)> = header.split(' ').skip(1).take(2).filter_map(span).collect();
        let [(old_start, n_old), (new_start, n_new)] = spans[..] else { return Err(format!("no hunk: {header:?}")) };
        new.extend(old.get(at..old_start).ok_or("a hunk begins beyond the text or before the last one's end")?);
        at = old_start;
        if new.len() != new_start {
            return Err(format!("a hunk says that it begins at new line {new_start}, it is {}", new.len()));
        }
        let (mut seen_old, mut seen_new) = (0, 0);
        while seen_old < n_old || seen_new < n_new {
            let line = lines.next().ok_or("a hunk is shorter than it says")?;
            let bare = lines.next_if(|next| next.starts_with("\\ No newline")).is_some();
            let (sign, text) = line.split_at(1);
            let text = if bare { text.strip_suffix('\n').unwrap_or(text) } else { text };
            if matches!(sign, " " | "-") {
                if old.get(at) != Some(&text) {
                    return Err(format!("line {at} is {:?}, the diff has {text:?}", old.get(at)));
                }
                (at, seen_old) = (at + 1, seen_old + 1);
            }
            if matches!(sign, " " | "+") {
                new.push(text);
                seen_new += 1;
            }
        }
    }
    new.extend(&old[at..]);
    Ok(new.concat())
}

/// Reads `-3,2` as the zero-based first line and the number of lines.
fn span(text: &str) -> Option<(usize, usize)> {
    let (first, count) = text.get(1..)?.split_once(',').unwrap_or((text.get(1..)?, "1"));
    let (first, count): (usize, usize) = (first.parse().ok()?, count.parse().ok()?);
    Some((if count == 0 { first } else { first.checked_sub(1)? }, count))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrapping_is_told_from_a_loss() {
        assert!(is_unwrapped("a.py\n```\n1| a\n2|\n3| b\n```\n", "a\n\nb\n"));
        assert!(!is_unwrapped("```\na\nb\n```\n", "b\na\n"));
        assert!(!is_unwrapped("```\na\n```\n", "a\nb\n"));
        assert!(!is_unwrapped("a\nb\nc\nd\ne\nf\n", "f\n"));
    }
}
