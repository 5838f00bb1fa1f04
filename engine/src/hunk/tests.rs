//! Headers against a look at every row, and how the work for them grows.

use std::fmt::Write as _;
use std::time::Duration;

use super::find::Finder;
use super::place::{blocks, place};
use crate::anchor::{Index, indent_width};
use crate::classify::{Description, Given, classify};
use crate::engine::Edit;
use crate::range::LineRange;
use crate::source::{Source, is_blank};

/// Hands the finder of a snippet of hunks to `visit`.
fn with_finder<T>(original: &str, snippet: &str, visit: impl FnOnce(&mut Finder<'_>) -> T) -> T {
    let edit = Edit::new("a.py", original, snippet);
    let (original, snippet) = (Source::new(original), Source::new(snippet));
    let description = Description::parse("", original.n_lines());
    let budget = Duration::from_secs(5);
    let given = Given { edit: &edit, snippet: &snippet, original: &original, description: &description, budget };
    let (snippet, index): (_, Index) = classify(&given).unwrap();
    assert!(snippet.has_hunks());
    visit(&mut Finder::new(&original, &snippet, &index))
}

/// The row after the block that `row` heads, by looking at all rows below.
fn naive_end(original: &Source<'_>, row: usize) -> usize {
    let indent = indent_width(original.line(row));
    let mut end = row + 1;
    for at in row + 1..original.n_lines() {
        let line = original.line(at);
        let text = line.trim();
        let is_closer = ["}", ")", "]", "end", "</"].iter().any(|closer| text.starts_with(closer));
        let opens = text.ends_with(['{', '(', '[', ':']);
        match indent_width(line) {
            _ if is_blank(line) => {}
            deeper if deeper > indent => end = at + 1,
            same if same == indent && (text == "{" || is_closer) => {
                end = at + 1;
                if text != "{" && !opens {
                    break;
                }
            }
            _ => break,
        }
    }
    end
}

/// The blocks of a header, by looking at all rows.
fn naive_blocks(original: &Source<'_>, header: &str, within: &[LineRange]) -> Vec<LineRange> {
    let mut found: Vec<LineRange> = Vec::new();
    for rows in within {
        for row in *rows {
            let rest = original.line(row).trim().strip_prefix(header);
            if rest.is_none_or(|rest| rest.starts_with(|c: char| c.is_alphanumeric() || c == '_')) {
                continue;
            }
            let end = naive_end(original, row);
            let end = if end > row + 1 { end.min(rows.end) } else { rows.end };
            match found.last_mut().filter(|last| row < last.end) {
                Some(last) => last.end = last.end.max(end),
                None => found.push(LineRange::new(row, end)),
            }
        }
    }
    found
}

const PATCH: &str = "*** Begin Patch\n*** Update File: a.py\n@@\n-old\n+new\n*** End Patch\n";

#[test]
fn headers_head_what_a_look_at_every_row_finds() {
    let pieces = ["class A", "class A(B):", "class AB:", "}", "} else {", "{", "x = 1", "", "end", "déf A:", ")"];
    for seed in 0_usize..600 {
        let pick = |n: usize| (seed.wrapping_mul(2_654_435_761) >> 5).wrapping_add(n * n * 17 + n * (seed % 89) * 3);
        let text = (0..seed % 40).fold(String::new(), |mut text, n| {
            let _ = writeln!(text, "{:1$}{2}", "", pick(n) / 16 % 4 * 2, pieces[pick(n) % pieces.len()]);
            text
        });
        with_finder(&text, PATCH, |finder| {
            let all = [LineRange::new(0, finder.original.n_lines())];
            for header in ["class A", "class", "}", "x", "} else {", "déf A"] {
                let wanted = naive_blocks(finder.original, header, &all);
                assert_eq!(blocks(finder, header, &all), wanted, "{header:?} in\n{text}");
                let inner = naive_blocks(finder.original, "class A", &wanted);
                assert_eq!(blocks(finder, "class A", &wanted), inner, "{header:?} in\n{text}");
            }
        });
    }
}

/// Counts the steps of placing a hunk below `n` headers, each inside of the one before, and the bytes of the file.
fn steps_below(n: usize) -> (usize, usize) {
    let mut text = String::new();
    let mut patch = String::from("*** Begin Patch\n*** Update File: a.py\n");
    for at in 0..n {
        let _ = writeln!(text, "{:at$}class A{at}:", "");
        let _ = writeln!(patch, "@@ class A{at}");
    }
    let _ = writeln!(text, "{:n$}old = 1", "");
    let _ = writeln!(patch, "-{:n$}old = 1\n+{:n$}new = 1\n*** End Patch", "", "");
    with_finder(&text, &patch, |finder| {
        let placed = place(finder);
        assert!(!finder.was_cut_short() && placed.doubts.is_empty(), "{:?}", placed.doubts);
        (finder.spent(), text.len())
    })
}

/// Blocks that are read line by line take some dozen times as many.
#[test]
fn headers_inside_of_each_other_take_a_search_each() {
    for n in [100, 400] {
        let (steps, n_bytes) = steps_below(n);
        assert!(steps <= n * (n_bytes / 32 + n), "{n} headers of {n_bytes} bytes: {steps} steps");
    }
}
