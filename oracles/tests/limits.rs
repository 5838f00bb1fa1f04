//! LIMITS.md says of each constant what the code says.

use std::path::Path;

use treegraft_oracles::corpus;

/// Fewest constants that the tables name: a table that can't be read any more would check nothing.
const FEWEST: usize = 70;

#[test]
fn constants_are_as_told() {
    let sources: Vec<(String, String)> = ["engine", "reply", "cli", "landing", "replay"]
        .iter()
        .flat_map(|part| sources(&corpus::root().join(part).join("src")))
        .collect();
    let limits = std::fs::read_to_string(corpus::root().join("LIMITS.md")).expect("there is one");
    let rows: Vec<&str> = limits.lines().filter(|line| line.starts_with('|')).collect();
    let (mut n_named, mut wrong) = (0, Vec::new());
    for row in &rows {
        let first = row.split('|').nth(1).unwrap_or_default();
        let quoted: Vec<&str> = first.split('`').skip(1).step_by(2).collect();
        for (at, name) in quoted.iter().enumerate().filter(|(_, word)| is_constant(word)) {
            n_named += 1;
            // Of several names of one file the last one has it behind it.
            let is_file = |word: &&&str| Path::new(word).extension().is_some_and(|ending| ending == "rs");
            let file = quoted[at..].iter().find(is_file);
            let of_it = sources.iter().filter(|(path, _)| file.is_none_or(|file| path.ends_with(file)));
            let found: Vec<&str> = of_it.filter_map(|(_, text)| value(text, name)).collect();
            // A row may name another's. A list or a time is no number.
            let naming = || rows.iter().filter(|row| row.contains(&format!("`{name}`")));
            let is_told = |value: &&str| number(value).is_none_or(|n| naming().any(|row| tells(row, n)));
            if !found.iter().any(is_told) {
                wrong.push(format!("{name} is {found:?} in the code: {row}"));
            }
        }
    }
    assert!(n_named >= FEWEST, "the tables name {n_named} constants");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn another_number_is_seen() {
    let row = "| `MOST` (`a.rs`) | 6,000,000, and 8 KiB | |";
    assert_eq!(value("const A: u8 = 1;\nconst MOST: usize = 8 * 1024;\n", "MOST").and_then(number), Some(8 << 10));
    assert!(tells(row, 8 << 10) && tells(row, 6_000_000));
    assert!(!tells(row, 9 << 10) && !tells(row, 6_000) && !tells(row, 600_000) && !tells(row, 8));
}

/// Lists the Rust files below a folder, with their texts.
fn sources(folder: &Path) -> Vec<(String, String)> {
    let entries = corpus::entries(folder).into_iter();
    let read = |path: &Path| std::fs::read_to_string(path).unwrap_or_default();
    let files = entries.flat_map(|path| {
        if path.is_dir() { sources(&path) } else { vec![(path.to_string_lossy().replace('\\', "/"), read(&path))] }
    });
    files.collect()
}

fn is_constant(word: &str) -> bool {
    word.len() > 2 && word.chars().all(|c| c.is_ascii_uppercase() || c == '_')
}

/// Finds what a constant is set to.
fn value<'s>(text: &'s str, name: &str) -> Option<&'s str> {
    let (_, rest) = text.split_once(&format!("const {name}: "))?;
    rest.split_once("= ")?.1.split(';').next()
}

/// Reads a number, or a product or shift of two.
fn number(value: &str) -> Option<u64> {
    let parts: Vec<&str> = value.split(' ').collect();
    let plain = |text: &str| text.replace('_', "").parse::<u64>().ok();
    match parts[..] {
        [one] => plain(one),
        [a, "*", b] => Some(plain(a)? * plain(b)?),
        [a, "<<", b] => Some(plain(a)? << plain(b)?),
        _ => None,
    }
}

/// Says whether a row has a number as people write it: `6,000,000`, `8 KiB`.
fn tells(row: &str, n: u64) -> bool {
    let digits = n.to_string();
    let grouped: Vec<String> = digits
        .as_bytes()
        .rchunks(3)
        .rev()
        .map(|group| group.iter().map(|&digit| char::from(digit)).collect())
        .collect();
    let in_units = [(10, "KiB"), (20, "MiB"), (30, "GiB")].into_iter().map(|(bits, unit)| (n >> bits, bits, unit));
    let in_units = in_units.filter(|(whole, bits, _)| whole << bits == n && *whole > 0);
    let mut forms: Vec<String> = in_units.map(|(whole, _, unit)| format!("{whole} {unit}")).collect();
    forms.push(grouped.join(","));
    forms.iter().any(|form| {
        row.match_indices(form.as_str()).any(|(at, _)| {
            let (before, after) = (&row[..at], &row[at + form.len()..]);
            let goes_on = |rest: &str| {
                let mut rest = rest.chars();
                match rest.next() {
                    Some(',') => rest.next().is_some_and(|c| c.is_ascii_digit()),
                    other => other.is_some_and(|c| c.is_ascii_digit()),
                }
            };
            let is_unit = [" KiB", " MiB", " GiB"].iter().any(|unit| after.starts_with(unit));
            !before.ends_with(|c: char| c.is_ascii_digit() || c == ',') && !goes_on(after) && !is_unit
        })
    })
}
