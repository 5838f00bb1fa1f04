//! Limits of [LIMITS.md](../../LIMITS.md), from outside: what happens on either side of each.
//!
//! Limits of one stage alone (lattices, outlines, windows, documents) are tested beside it.

use std::time::Duration;

use treegraft::{Budget, Edit, Engine, Error, Limit, Options, Outcome, ReasonKind, Shape, SyntaxStatus};

fn run(path: &str, original: &str, snippet: &str) -> Outcome {
    Engine::default().apply(&Edit::new(path, original, snippet).budget(Duration::from_secs(60))).expect("it is text")
}

fn has(outcome: &Outcome, kind: ReasonKind) -> bool {
    outcome.verdict().reasons().iter().any(|reason| reason.kind == kind)
}

/// Makes a text of a line for each number.
fn lines(range: std::ops::Range<usize>, line: impl Fn(usize) -> String) -> String {
    range.map(|n| line(n) + "\n").collect::<Vec<_>>().concat()
}

fn numbered(range: std::ops::Range<usize>) -> String {
    lines(range, |n| format!("line {n}"))
}

#[test]
fn a_text_over_the_size_is_refused() {
    let mut options = Options::default();
    assert_eq!(options.max_bytes, 256 << 20);
    options.max_bytes = 4;
    let engine = Engine::new(options);
    let code = |original, snippet| engine.apply(&Edit::new("a.txt", original, snippet)).map_err(|error| error.code());
    assert!(code("abc\n", "xyz\n").is_ok());
    assert_eq!(code("abcd\n", "xyz\n").err(), Some("too_large"));
    assert_eq!(code("abc\n", "xyzz\n").err(), Some("too_large"));
}

#[test]
fn each_limit_of_a_budget_is_named() {
    assert_eq!(Budget::default().time, Some(Duration::from_millis(500)));
    assert_eq!((Budget::default().steps, Budget::default().bytes), (None, 32 << 20));
    let (original, snippet) = (format!("[{}0]\n", "0, ".repeat(5_000)), format!("[{}1]\n", "0, ".repeat(5_000)));
    let cut_by = |change: fn(&mut Budget)| {
        let mut budget = Budget::from(Duration::from_secs(60));
        change(&mut budget);
        let outcome = Engine::default().apply(&Edit::new("a.json", &original, &snippet).budget(budget));
        let outcome = outcome.expect("a spent budget is no error");
        assert!(outcome.text() == snippet || !outcome.verdict().is_trusted(), "{:?}", outcome.verdict());
        let is_cut = outcome.validation().cut_by.is_some();
        assert_eq!(outcome.validation().status, if is_cut { SyntaxStatus::TimedOut } else { SyntaxStatus::Valid });
        outcome.validation().cut_by
    };
    assert_eq!(cut_by(|_| {}), None);
    assert_eq!(cut_by(|budget| budget.time = Some(Duration::ZERO)), Some(Limit::Time));
    assert_eq!(cut_by(|budget| budget.steps = Some(1_000)), Some(Limit::Steps));
    assert_eq!(cut_by(|budget| budget.bytes = 1_000), Some(Limit::Bytes));
}

#[test]
fn a_longer_marker_is_code() {
    let of_length = |n: usize| {
        let marker = "// ... existing code ...";
        format!("{marker}{}", ".".repeat(n - marker.len()))
    };
    for (n, is_reference) in [(200, true), (201, false)] {
        let outcome = run("a.txt", "a\nb\nc\n", &format!("{}\nc\nd\n", of_length(n)));
        assert_eq!(outcome.text() == "a\nb\nc\nd\n", is_reference, "{n} bytes: {:?}", outcome.text());
    }
}

#[test]
fn a_marker_behind_code_is_seen_on_lines_of_a_thousand_bytes() {
    for (n, is_seen) in [(1_000, true), (1_001, false)] {
        let marker = " // ... existing code ...";
        let line = format!("{}{marker}", "x".repeat(n - marker.len()));
        let outcome = run("a.txt", "a\nb\nc\n", &format!("a\n{line}\nb\nc\n"));
        assert_eq!(has(&outcome, ReasonKind::ReferenceLeft), is_seen, "{n} bytes: {:?}", outcome.verdict());
    }
}

#[test]
fn the_words_between_dots_are_few() {
    for (n, is_reference) in [(60, true), (61, false)] {
        let outcome = run("a.txt", "a\nb\nc\n", &format!("// ... {} ...\nc\nd\n", "w".repeat(n)));
        assert_eq!(outcome.text() == "a\nb\nc\nd\n", is_reference, "{n} bytes: {:?}", outcome.text());
    }
}

#[test]
fn a_whole_file_has_most_of_the_lines() {
    let original = numbered(0..10);
    for (n, shape) in [(6, Shape::Lazy), (7, Shape::WholeFile)] {
        let outcome = run("a.txt", &original, &numbered(0..n));
        assert_eq!(outcome.shape(), shape, "{n} of 10 lines");
    }
}

#[test]
fn a_hundred_new_errors_are_reported() {
    let broken = |n: usize| lines(0..n, |n| format!("func f{n}() {{ x = = {n} }}"));
    for (n, n_reported) in [(60, 60), (150, 100)] {
        let outcome = run("a.go", "package a\n", &format!("package a\n\n{}", broken(n)));
        assert_eq!(outcome.validation().new_errors.len(), n_reported, "of {n}");
    }
}

#[test]
fn a_snippet_is_moved_by_four_hundred_columns() {
    for (n, is_moved) in [(400, true), (401, false)] {
        let indent = " ".repeat(n);
        let original = lines(0..8, |n| format!("{indent}line {n}"));
        let outcome =
            run("a.txt", &original, "... existing code ...\nline 3\nnew\nline 4\nline 5\n... existing code ...\n");
        assert_eq!(outcome.text().contains(&format!("{indent}new\n")), is_moved, "{n} columns");
    }
}

#[test]
fn a_doubt_lists_some_places_and_shortens_them() {
    let original = format!("{}\nother\n", "x".repeat(300)).repeat(50);
    let block = format!("<<<<<<< SEARCH\n{}\n=======\nnew\n>>>>>>> REPLACE\n", "x".repeat(300));
    let outcome = run("a.txt", &original, &block);
    let reason = &outcome.verdict().reasons()[0];
    assert_eq!((reason.kind, reason.candidates.len()), (ReasonKind::AmbiguousLocation, 20));
    assert!(reason.candidates.iter().all(|place| place.preview.chars().count() <= 81), "{:?}", reason.candidates[0]);
}

#[test]
fn sixteen_dividers_of_a_block_are_tried() {
    for (n, is_found) in [(16, true), (17, false)] {
        // The file's lines have dividers, too; the last one parts old text from new.
        let old = lines(1..n, |n| format!("title {n}\n=======")) + "end\n";
        let block = format!("<<<<<<< SEARCH\n{old}=======\nnew\n>>>>>>> REPLACE\n");
        let outcome = run("a.txt", &format!("first\n{old}last\n"), &block);
        assert_eq!(outcome.text() == "first\nnew\nlast\n", is_found, "{n} dividers: {:?}", outcome.text());
    }
}

#[test]
fn what_is_no_text_is_refused() {
    let code = |original: &[u8], snippet: &[u8]| {
        let edit = Edit::from_bytes("a.txt", original, snippet);
        edit.and_then(|edit| Engine::default().apply(&edit)).map_err(|error: Error| error.code()).err()
    };
    assert_eq!(code(b"a\xff\n", b"a\n"), Some("not_utf8"));
    assert_eq!(code(b"a\n", b"a\xff\n"), Some("not_utf8"));
    assert_eq!(code(b"a\0\n", b"a\n"), Some("not_text"));
    assert_eq!(code(b"a\n", b" \n\t\n"), Some("empty_snippet"));
    assert_eq!(code(b"", b""), None);
}
