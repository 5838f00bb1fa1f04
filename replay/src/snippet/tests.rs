//! A reference applier proves that each snippet's truth can be derived in simple cases: between two references the first shown run
//! and the last one find their places, and what lies between is superseded by what the snippet says.

use std::collections::BTreeSet;

use super::*;
use crate::change::is_blank;
use crate::change::tests::change;

/// Twelve functions, an insertion, a removal and a rewrite, in each way of closing blocks.
fn changes() -> Vec<Change> {
    let mut out = Vec::new();
    let go = (0..12)
        .map(|n| format!("// fun{n} is number {n}.\nfunc fun{n}(a int) int {{\n\tb := a + {n}\n\tif b > {n}0 {{\n\t\treturn b\n\t}}\n\tlog(b, {n})\n\treturn a\n}}\n\n"))
        .collect::<Vec<_>>()
        .concat();
    let go = format!("package a\n\nimport (\n\t\"fmt\"\n\t\"os\"\n)\n\n{go}");
    let go_new = go
        .replace("\tb := a + 3\n", "\tb := a + 3\n\tc := b\n\tuse(c)\n")
        .replace("\tlog(b, 7)\n", "")
        .replace("\tb := a + 9\n", "\tb := a - 9\n")
        .replace("// fun11 is", "// extra.\nfunc extra() {\n\tif x {\n\t\ty()\n\t}\n\tz()\n}\n\n// fun11 is");
    out.push(change("a.go", &go, &go_new));
    let py = (0..12)
        .map(|n| format!("    @deco\n    def fun{n}(self, a):\n        \"\"\"Number {n}.\"\"\"\n        b = a + {n}\n        if b > {n}0:\n            return b\n        log(b, {n})\n        return a\n\n"))
        .collect::<Vec<_>>()
        .concat();
    let py = format!("import os\nimport sys\n\n\nclass A:\n{py}\nMAIN = A()\n");
    let py_new = py
        .replace("        b = a + 3\n", "        b = a + 3\n        for c in b:\n            use(c)\n        done()\n")
        .replace("        log(b, 7)\n", "")
        .replace("        b = a + 9\n", "        b = a - 9\n");
    out.push(change("a.py", &py, &py_new));
    let ts = go
        .replace("func ", "function ")
        .replace('\t', "  ")
        .replace("package a", "// a")
        .replace("import (", "import {")
        .replace("\n)\n", "\n}\n");
    let ts_new = go_new
        .replace("func ", "function ")
        .replace('\t', "  ")
        .replace("package a", "// a")
        .replace("import (", "import {")
        .replace("\n)\n", "\n}\n");
    out.push(change("a.ts", &ts, &ts_new));
    for n in 0..out[0].hunks.len() {
        let only = out[0].only(n);
        out.push(only);
    }
    out
}

fn dense(text: &str) -> Vec<String> {
    text.lines().filter(|line| !is_blank(line)).map(|line| line.trim_end().to_owned()).collect()
}

/// Applies a snippet that consists of shown lines, new lines and references.
fn apply(original: &str, snippet: &str, is_reference: &dyn Fn(&str) -> bool) -> Option<Vec<String>> {
    let (old, snippet) = (dense(original), dense(snippet));
    let mut out = Vec::new();
    let mut at = 0;
    for stretch in snippet.split_inclusive(|line| is_reference(line)) {
        let (lines, open) = match stretch.split_last() {
            Some((last, lines)) if is_reference(last) => (lines, true),
            _ => (stretch, false),
        };
        if lines.is_empty() {
            continue;
        }
        // The places where the longest start and the longest end of the stretch stand. One of them stands once, and the
        // other is the one nearest to it.
        let longest = |len: &dyn Fn(usize) -> usize| {
            let best = (at..old.len()).map(len).max()?;
            let places: Vec<usize> = (at..old.len()).filter(|&n| len(n) == best).collect();
            (best > 0).then_some((best, places))
        };
        let (head_len, heads) = longest(&|n| old[n..].iter().zip(lines).take_while(|(a, b)| a == b).count())?;
        let (_, tails) =
            longest(&|n| old[at..=n].iter().rev().zip(lines.iter().rev()).take_while(|(a, b)| a == b).count())?;
        let (start, end) = if let [start] = heads[..] {
            (start, *tails.iter().find(|&&n| n + 1 >= start + head_len)? + 1)
        } else if let [end] = tails[..] {
            (*heads.iter().rev().find(|&&n| n <= end)?, end + 1)
        } else if lines.iter().all(|line| old.contains(line)) {
            // A closing line between two references says how deep they stand, nothing more.
            continue;
        } else {
            return None;
        };
        out.extend_from_slice(&old[at..start]);
        out.extend_from_slice(lines);
        at = end;
        if !open {
            break;
        }
    }
    out.extend_from_slice(&old[at..]);
    Some(out)
}

fn usual(line: &str) -> bool {
    line.contains("... existing code ...")
}

#[test]
fn a_reference_applier_gets_the_truth() {
    let mut seen = BTreeSet::new();
    for (n, change) in changes().iter().enumerate() {
        for style in [Style::Context, Style::Structure, Style::Declaration, Style::Edges, Style::Crlf, Style::Blanks] {
            for seed in 0..6 {
                let Some(case) = write(change, style, seed) else { continue };
                seen.insert(style);
                let got = apply(&case.original, &case.snippet, &usual);
                assert_eq!(got, Some(dense(&case.wanted)), "change {n}, {}\n{}", case.id, case.snippet);
            }
        }
    }
    assert_eq!(seen.len(), 6);
}

#[test]
fn other_wording_hides_the_same_lines() {
    let mut n = 0;
    for change in &changes() {
        for seed in 0..8 {
            let Some(case) = write(change, Style::Wording, seed) else { continue };
            let known: BTreeSet<String> = dense(&case.original).into_iter().chain(dense(&case.wanted)).collect();
            let got = apply(&case.original, &case.snippet, &|line| !known.contains(line));
            assert_eq!(got, Some(dense(&case.wanted)), "{}\n{}", case.id, case.snippet);
            n += 1;
        }
    }
    assert!(n > 20);
}

#[test]
fn a_marker_stands_where_lines_vanish() {
    let mut n = 0;
    for change in &changes() {
        for seed in 0..4 {
            let Some(case) = write(change, Style::Removal, seed) else { continue };
            let marker = |line: &&str| line.to_lowercase().contains("plandex: removed");
            assert!(case.snippet.lines().any(|line| marker(&line)));
            let without: Vec<&str> = case.snippet.lines().filter(|line| !marker(line)).collect();
            assert_eq!(
                apply(&case.original, &without.join("\n"), &usual),
                Some(dense(&case.wanted)),
                "{}",
                case.snippet
            );
            n += 1;
        }
    }
    assert!(n > 4);
}

#[test]
fn marked_lines_are_the_difference() {
    let mut n = 0;
    for change in &changes() {
        for seed in 0..4 {
            let Some(case) = write(change, Style::PlusMinus, seed) else { continue };
            let column = case.snippet.lines().all(|line| line.starts_with([' ', '+', '-']) || is_blank(line));
            let bare = |line: &str| line.get(usize::from(column)..).unwrap_or_default().to_owned();
            let plain: Vec<String> = case
                .snippet
                .lines()
                .filter(|line| !line.starts_with('-'))
                .map(|line| line.strip_prefix('+').map_or_else(|| bare(line), str::to_owned))
                .collect();
            assert_eq!(apply(&case.original, &plain.join("\n"), &usual), Some(dense(&case.wanted)), "{}", case.snippet);
            n += 1;
        }
    }
    assert!(n > 10);
}

#[test]
fn a_shifted_snippet_is_the_same_but_for_indentation() {
    let mut n = 0;
    for change in &changes() {
        for seed in 0..8 {
            let Some(case) = write(change, Style::Shift, seed) else { continue };
            let bare = |text: &str| text.lines().map(|line| line.trim().to_owned() + "\n").collect::<String>();
            let known: BTreeSet<String> = dense(&case.original).into_iter().chain(dense(&case.wanted)).collect();
            assert!(dense(&case.snippet).iter().any(|line| !known.contains(line) && !usual(line)), "{}", case.snippet);
            // Without indentation a line may stand twice, so only what is shown is compared.
            let all = bare(&case.wanted) + &bare(&case.original);
            for line in case.snippet.lines().filter(|line| !usual(line)) {
                assert!(all.contains(line.trim()), "{line}");
            }
            n += 1;
        }
    }
    assert!(n > 10);
}

#[test]
fn blocks_and_pairs_say_the_truth() {
    let (mut n_blocks, mut n_pairs) = (0, 0);
    let mut changes = changes();
    // One line goes and another one is put in below a line that stays.
    let old = changes[0].old.lines.join("\n") + "\n";
    changes.push(change("b.go", &old, &old.replace("\t\"fmt\"\n\t\"os\"\n", "\t\"os\"\n\t\"strings\"\n")));
    for change in &changes {
        for seed in 0..6 {
            if let Some(case) = write(change, Style::SearchReplace, seed) {
                let mut text = case.original.clone();
                let signs = |line: &str| line.starts_with("<<<<<<<") || line.starts_with("-------");
                for block in case.snippet.split_inclusive('\n').collect::<Vec<_>>().split(|line| signs(line)).skip(1) {
                    let at = block.iter().position(|line| line.starts_with("=======")).unwrap();
                    let end = block.iter().position(|line| line.contains(" REPLACE")).unwrap();
                    let (old, new) = (block[..at].concat(), block[at + 1..end].concat());
                    assert_eq!(text.matches(&old).count(), 1, "{}", case.snippet);
                    text = text.replacen(&old, &new, 1);
                }
                assert_eq!(dense(&text), dense(&case.wanted), "{}", case.snippet);
                n_blocks += 1;
            }
            if let Some(case) = write(change, Style::Pairs, seed) {
                let text = case.pairs.iter().fold(case.original.clone(), |text, (old, new)| text.replacen(old, new, 1));
                assert_eq!(dense(&text), dense(&case.wanted), "{:?}", case.pairs);
                n_pairs += 1;
            }
        }
    }
    assert!(n_blocks > 10 && n_pairs > 10, "{n_blocks} {n_pairs}");
}

#[test]
fn a_whole_file_is_the_new_one() {
    let change = &changes()[0];
    let case = write(change, Style::Whole, 1).unwrap();
    assert_eq!(dense(&case.snippet), dense(&case.wanted));
}

#[test]
fn a_seed_fixes_every_byte() {
    for change in &changes() {
        for &style in Style::ALL {
            let (a, b) = (write(change, style, 7), write(change, style, 7));
            assert_eq!(
                a.as_ref().map(|case| (&case.id, &case.snippet, &case.description)),
                b.as_ref().map(|case| (&case.id, &case.snippet, &case.description))
            );
        }
    }
    let differ = (0..20).filter_map(|seed| write(&changes()[0], Style::Context, seed)).map(|case| case.snippet);
    assert!(differ.collect::<BTreeSet<String>>().len() > 1, "the seed decides how much context is shown");
}

#[test]
fn a_removal_is_never_hidden_behind_a_reference() {
    for change in &changes() {
        for style in [Style::Context, Style::Structure, Style::Declaration, Style::Edges, Style::Wording] {
            for seed in 0..6 {
                let Some(case) = write(change, style, seed) else { continue };
                let old = dense(&case.original);
                let gone: Vec<&String> = old.iter().filter(|line| line.contains("log(b, 7)")).collect();
                let new = dense(&case.wanted);
                if gone.iter().any(|line| !new.contains(line)) {
                    let at = old.iter().position(|line| line.contains("log(b, 7)")).unwrap();
                    let shown = dense(&case.snippet);
                    let above = shown.iter().position(|line| *line == old[at - 1]).is_some();
                    let pair = shown.windows(2).any(|pair| pair[0] == old[at - 1] && pair[1] == old[at + 1]);
                    assert!(above && pair, "{}", case.snippet);
                }
            }
        }
    }
}

#[test]
fn a_twin_really_fits_two_places() {
    // `y()` between the same two lines, twice.
    let mut old = (0..20).map(|n| format!("a{n}()\n")).collect::<Vec<_>>().concat();
    old += "if x {\n\tp()\n\tq()\n}\nb()\nif x {\n\tp()\n\tq()\n}\n";
    old += &(0..9).map(|n| format!("c{n}()\n")).collect::<Vec<_>>().concat();
    let new = old.replacen("b()\nif x {\n\tp()\n", "b()\nif x {\n\tp()\n\tnew()\n", 1);
    let change = change("a.go", &old, &new);
    let case = write(&change, Style::Twin, 3).unwrap();
    let snippet = dense(&case.snippet);
    assert_eq!(
        snippet,
        ["// ... existing code ...", "\tp()", "\tnew()", "\tq()", "// ... existing code ..."].map(|line| {
            // References stand at the depth of the shallowest line they hide.
            line.to_owned()
        })
    );
    let fits = dense(&old).windows(2).filter(|pair| pair[0] == "\tp()" && pair[1] == "\tq()").count();
    assert_eq!(fits, 2);
    // With a single place there is no such case.
    let once = old.replacen("if x {\n\tp()\n\tq()\n}\nb()\n", "b()\n", 1);
    let new = once.replacen("\tp()\n", "\tp()\n\tnew()\n", 1);
    assert!(write(&super::tests::change("a.go", &once, &new), Style::Twin, 3).is_none());
}

#[test]
fn an_absent_function_is_absent() {
    let mut n = 0;
    for change in &changes() {
        for seed in 0..4 {
            let Some(case) = write(change, Style::Absent, seed) else { continue };
            let name = ["reconcilePendingQuotas", "reconcile_pending_quotas"]
                .into_iter()
                .find(|name| case.snippet.contains(name));
            assert!(name.is_some_and(|name| !case.original.contains(name)), "{}", case.snippet);
            assert!(case.description_kind != DescriptionKind::Exact);
            n += 1;
        }
    }
    assert!(n > 4);
}

#[test]
fn a_gap_shows_nothing_beside_its_references() {
    let mut n = 0;
    for change in &changes() {
        let Some(case) = write(change, Style::Gap, 1) else { continue };
        let lines = dense(&case.snippet);
        let old: BTreeSet<String> = dense(&case.original).into_iter().collect();
        let first = lines.iter().rposition(|line| usual(line) && !old.contains(line)).unwrap();
        assert!(first > 0);
        let stretches: Vec<&[String]> = lines.split(|line| usual(line)).collect();
        assert!(stretches.iter().any(|stretch| stretch.len() >= 2 && !old.contains(&stretch[0])), "{}", case.snippet);
        n += 1;
    }
    assert!(n > 0);
}

#[test]
fn a_cut_snippet_ends_inside_a_block() {
    let mut n = 0;
    for change in &changes() {
        for seed in 0..12 {
            let Some(case) = write(change, Style::Cut, seed) else { continue };
            let lines = dense(&case.snippet);
            let last = lines.last().unwrap();
            assert!(!usual(last) && !dense(&case.original).contains(last), "{}", case.snippet);
            n += 1;
        }
    }
    assert!(n > 0);
}
