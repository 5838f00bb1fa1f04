//! Windows of many places: how much is read, and by how many parses.

use super::*;
use crate::diff;

const LONG: std::time::Duration = std::time::Duration::from_secs(60);

/// A Go file of `n` functions.
fn functions(n: usize) -> String {
    let function = |at: usize| format!("// f{at} does.\nfunc f{at}() {{\n\tg({at})\n\tif a {{\n\t\th()\n\t}}\n}}\n\n");
    String::from("package p\n\n") + &(0..n).map(function).collect::<String>()
}

/// The third line of every `step`th function.
fn touched(n: usize, step: usize) -> Vec<LineRange> {
    (0..n).step_by(step).map(|at| LineRange::new(2 + 8 * at + 2, 2 + 8 * at + 3)).collect()
}

#[test]
fn many_places_are_read_by_many_parses_of_few_ranges() {
    let text = functions(8_000);
    let source = Source::new(&text);
    let window = Window::of(&source, Language::Go, &touched(8_000, 8), &Meter::start(LONG.into())).unwrap();
    assert_eq!(window.kept.len(), 1_000);
    let most = window.parts.iter().map(|part| part.kept.len()).max();
    assert!(most <= Some(RANGES_A_PARSE + 1), "{most:?}");
    let n_bytes: usize = window.kept.iter().map(|&lines| source.bytes_of(lines).len()).sum();
    assert!(n_bytes < 1_000 * 250, "{n_bytes}");

    let result = text.replace("g(", "gg(");
    let edited = |at: usize| at.is_multiple_of(8);
    let lines = text.lines().zip(result.lines()).enumerate().map(|(row, (old, new))| {
        let is_touched = row > 2 && (row - 2) % 8 == 2 && edited((row - 2) / 8);
        String::from(if is_touched { new } else { old }) + "\n"
    });
    let result: String = lines.collect();
    let replacements = diff::between(&source, &result);
    assert_eq!(replacements.len(), 1_000);
    assert!(window.stays_clean(&source, &result, &replacements, &Meter::start(LONG.into())).is_some());
    let broken = result.replacen("gg(4000)", "gg((4000)", 1);
    assert!(broken.len() > result.len());
    assert!(
        window.stays_clean(&source, &broken, &diff::between(&source, &broken), &Meter::start(LONG.into())).is_none()
    );
}
