//! Writes down what edits cost: `benches/record/apply.md`, and two plots beside it.
//!
//! All figures that are compared come from one run of the benches, whose medians criterion leaves behind. The last ones are
//! of the command itself: a thousand files with one job and with two, in turn, the shortest run of each.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use treegraft_benches::Language;

use crate::pairs::say;
use crate::plot::{Series, plot};
use crate::record::Facts;

/// What is written, from the repository's root.
const RECORD: &str = "benches/record/apply.md";
const BY_SIZE: &str = "benches/record/by_size.svg";
const BY_EDITS: &str = "benches/record/by_edits.svg";

/// The row that the others are multiples of.
const FLOOR: &str = "floor";

/// The size at which most bars are set, in lines, and the largest.
const LARGE: usize = 100_000;
const LARGEST: usize = 1_000_000;

/// Files of the batch, and how often it is run with each number of jobs.
const N_FILES: usize = 1_000;
const N_RUNS: usize = 5;

/// Medians in nanoseconds, by group, size and row.
type Medians = BTreeMap<String, BTreeMap<usize, BTreeMap<String, f64>>>;

/// Runs all benches, unless they ran already, and writes the record and the plots.
pub(crate) fn record(root: &Path, run: bool) -> Result<()> {
    let facts = Facts::gather(root, &["benches/src", "benches/benches", "benches/Cargo.toml"])?;
    let criterion = target(root).join("criterion");
    if run {
        // What an older run left behind is no part of this one.
        if criterion.exists() {
            fs::remove_dir_all(&criterion).with_context(|| format!("cannot remove {}", criterion.display()))?;
        }
        say("cargo bench -p treegraft-benches: some ten minutes");
        bench(root, &["--bench", "apply", "--bench", "stages", "--bench", "worst"], Stdio::null())?;
    }
    let medians = read(&criterion);
    ensure!(medians.contains_key("go"), "no figures in {}: run without --no-run", criterion.display());
    let allocations = bench(root, &["--bench", "allocations"], Stdio::piped())?;
    let jobs = batch(root)?;

    let mut text = format!(
        "# What an edit costs\n\nWritten by `cargo xtask record-bench`; [README.md](README.md) says what the rows are.\n\n\
         {}\n![cost against size](by_size.svg)\n\n![cost against edits](by_edits.svg)\n\n## Bars\n\n{}",
        facts.machine(),
        bars(&medians, &jobs),
    );
    for (group, sizes) in &medians {
        let _ = write!(text, "\n## {group}\n\n| size | row | median | floors |\n|--:|---|--:|--:|\n");
        for (size, rows) in sizes {
            // Stages have no floor of their own: it is that of their language.
            let language = group.strip_prefix("stages_").unwrap_or(group);
            let floor = of(&medians, language, *size, FLOOR);
            for (row, &median) in rows {
                let ratio = floor.map_or_else(String::new, |floor| format!("{:.2}", median / floor));
                let _ = writeln!(text, "| {size} | {row} | {} | {ratio} |", duration(median));
            }
        }
    }
    let _ = write!(
        text,
        "\n## Allocations\n\nHow often an edit allocates, and how much is held at a time and kept in the end, as a multiple \
         of the file; the result is part of both.\n\n{}\n## {N_FILES} files by `treegraft batch`\n\n| jobs | shortest of {N_RUNS} runs |\n|--:|--:|\n",
        table(&allocations),
    );
    for (n, time) in &jobs {
        let _ = writeln!(text, "| {n} | {} |", duration(time.as_secs_f64() * 1e9));
    }
    let write =
        |name: &str, text: &str| fs::write(root.join(name), text).with_context(|| format!("cannot write {name}"));
    write(RECORD, &text)?;
    write(BY_SIZE, &by_size(&medians))?;
    write(BY_EDITS, &by_edits(&medians))?;
    say(&format!("wrote {RECORD}, {BY_SIZE} and {BY_EDITS}"));
    Ok(())
}

/// Gives cargo's target folder.
fn target(root: &Path) -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), |folder| root.join(folder))
}

/// Runs benches; gives what they print, if that is to be read.
fn bench(root: &Path, which: &[&str], output: Stdio) -> Result<String> {
    let output = Command::new("cargo")
        .args(["bench", "--quiet", "--package", "treegraft-benches"])
        .args(which)
        .current_dir(root)
        .stdout(output)
        .stderr(Stdio::inherit())
        .output()
        .context("cannot run cargo")?;
    ensure!(output.status.success(), "cargo bench {} ended with {}", which.join(" "), output.status);
    Ok(String::from_utf8(output.stdout)?)
}

/// Takes the lines of a table out of what a bench prints.
fn table(printed: &str) -> String {
    printed.lines().filter(|line| line.starts_with('|')).flat_map(|line| [line, "\n"]).collect()
}

/// Times the command on many files, with one job and with two.
fn batch(root: &Path) -> Result<Vec<(usize, Duration)>> {
    let built = Command::new("cargo")
        .args(["build", "--quiet", "--release", "--package", "treegraft-cli"])
        .current_dir(root)
        .status()
        .context("cannot run cargo")?;
    ensure!(built.success(), "cargo build ended with {built}");
    let command = target(root).join("release").join(format!("treegraft{}", std::env::consts::EXE_SUFFIX));
    let folder = tempfile::tempdir().context("cannot make a folder")?;
    let (edits, answers) = (folder.path().join("edits"), folder.path().join("answers"));
    fs::write(&edits, requests()).context("cannot write the edits")?;
    let mut best = vec![(1, Duration::MAX), (2, Duration::MAX)];
    say(&format!("treegraft batch: {N_FILES} files, {N_RUNS} times with each number of jobs"));
    for _ in 0..N_RUNS {
        for (n, shortest) in &mut best {
            let watch = Instant::now();
            let ended = Command::new(&command)
                .args(["batch", "--jobs", &n.to_string()])
                .stdin(File::open(&edits).context("cannot read the edits")?)
                .stdout(File::create(&answers).context("cannot write the answers")?)
                .stderr(Stdio::null())
                .status()
                .context("cannot run treegraft")?;
            *shortest = watch.elapsed().min(*shortest);
            let answers = fs::read_to_string(&answers).context("cannot read the answers")?;
            let trusted = answers.lines().filter(|line| line.contains("\"status\":\"trusted\"")).count();
            ensure!(ended.success() && trusted == N_FILES, "{trusted} of {N_FILES} edits are trusted; {ended}");
        }
    }
    Ok(best)
}

/// Makes an edit of each of many files of some hundred lines.
fn requests() -> String {
    let request = |n: usize| {
        let file = treegraft_benches::File::generate(Language::ALL[n % 4], 200 + n, n as u64);
        let (path, original, edit) = (file.path(), file.text(), file.edits(1));
        serde_json::json!({ "path": path, "original": original, "snippet": edit.snippet }).to_string() + "\n"
    };
    (0..N_FILES).map(request).collect()
}

/// Reads criterion's folder.
fn read(folder: &Path) -> Medians {
    let mut medians = Medians::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        let json = |name: &str| -> Option<serde_json::Value> {
            serde_json::from_str(&fs::read_to_string(folder.join("new").join(name)).ok()?).ok()
        };
        if let (Some(benchmark), Some(estimates)) = (json("benchmark.json"), json("estimates.json")) {
            let group = benchmark["group_id"].as_str().unwrap_or_default();
            let Some((a, b)) = benchmark["function_id"].as_str().and_then(|id| id.split_once('/')) else { continue };
            // The size stands before the row, or behind it.
            let Some((size, row)) = a.parse().map(|n| (n, b)).or_else(|_| b.parse().map(|n| (n, a))).ok() else {
                continue;
            };
            let Some(median) = estimates["median"]["point_estimate"].as_f64() else { continue };
            medians.entry(group.to_owned()).or_default().entry(size).or_default().insert(row.to_owned(), median);
            continue;
        }
        let entries = folder.read_dir().into_iter().flatten().flatten().map(|entry| entry.path());
        open.extend(entries.filter(|path| path.is_dir()));
    }
    medians
}

fn of(medians: &Medians, group: &str, size: usize, row: &str) -> Option<f64> {
    medians.get(group)?.get(&size)?.get(row).copied()
}

/// Writes down what is asked of the figures, and which of it isn't met.
fn bars(medians: &Medians, jobs: &[(usize, Duration)]) -> String {
    let mut text = "| what | at most | go | python | javascript | rust |\n|---|--:|--:|--:|--:|--:|\n".to_owned();
    let cell = |value: Option<f64>, most: f64| match value {
        None => "-".to_owned(),
        Some(value) if value <= most => written(value),
        Some(value) => format!("**{}**", written(value)),
    };
    let mut row = |what: &str, most: f64, value: &dyn Fn(&str) -> Option<f64>| {
        let cells = Language::ALL.map(|language| cell(value(language.name()), most));
        let _ = writeln!(text, "| {what} | {} | {} |", written(most), cells.join(" | "));
    };
    let ratio = |language: &str, size: usize, row: &str, to: &str| {
        Some(of(medians, language, size, row)? / of(medians, language, size, to)?)
    };
    row("one edit of 100,000 lines, in floors", 8.0, &|language| ratio(language, LARGE, "apply_1", FLOOR));
    row("finding lines and looking them up, in floors", 3.0, &|language| {
        let stage = |name: &str| of(medians, &format!("stages_{language}"), LARGE, name);
        Some((stage("cold_source")? + stage("cold_classify")?) / of(medians, language, LARGE, FLOOR)?)
    });
    row("one edit of 100,000 lines, in parses of it", 0.02, &|language| ratio(language, LARGE, "apply_1", "parse"));
    row("one edit of 100,000 lines, in runs of `git diff`", 0.1, &|language| {
        ratio(language, LARGE, "apply_1", "git_diff")
    });
    row("50 edits of 100,000 lines, in single edits", 5.0, &|language| ratio(language, LARGE, "apply_50", "apply_1"));
    row("1,000 edits of 1,000,000 lines, in 3 floors + 20 ms", 1.0, &|language| {
        let floor = of(medians, language, LARGEST, FLOOR)?;
        Some(of(medians, language, LARGEST, "apply_1000")? / (3.0 * floor + 20e6))
    });
    row("one warm edit of 100,000 lines, in cold ones", 0.1, &|language| ratio(language, LARGE, "warm_1", "apply_1"));

    text.push_str("\n| worst cases | at most | is |\n|---|--:|--:|\n");
    let mut by_row: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for (row, &median) in medians.get("worst").into_iter().flatten().flat_map(|(_, rows)| rows) {
        by_row.entry(row).or_default().push(median);
    }
    for (row, medians) in by_row {
        if let [small, large] = medians[..] {
            let _ = writeln!(text, "| `{row}`, four times the size | 4.50 | {} |", cell(Some(large / small), 4.5));
        }
    }
    if let [(_, one), (_, two)] = jobs {
        let share = two.as_secs_f64() / one.as_secs_f64();
        let _ = writeln!(
            text,
            "| `batch --jobs 2` on {N_FILES} files, in runs with one job | {} | {} |",
            written(1.0 / 1.8),
            cell(Some(share), 1.0 / 1.8)
        );
    }
    text + "\nWhat is more than asked stands in bold.\n"
}

/// Writes a ratio with three digits that count.
fn written(ratio: f64) -> String {
    if ratio < 0.1 { format!("{ratio:.4}") } else { format!("{ratio:.2}") }
}

/// Writes nanoseconds in the unit that fits.
pub(crate) fn duration(nanoseconds: f64) -> String {
    match nanoseconds {
        n if n < 1e3 => format!("{n:.0} ns"),
        n if n < 1e6 => format!("{:.1} us", n / 1e3),
        n if n < 1e9 => format!("{:.2} ms", n / 1e6),
        n => format!("{:.2} s", n / 1e9),
    }
}

/// Rows that are drawn against the size, with their colours.
const DRAWN: [(&str, &str); 7] = [
    ("parse", "#b3261e"),
    ("git_diff", "#8a6d00"),
    ("imara_diff", "#6b6b6b"),
    ("apply_50", "#3d7dca"),
    ("apply_1", "#0b57d0"),
    ("warm_1", "#146c2e"),
    (FLOOR, "#1b1b1b"),
];

fn by_size(medians: &Medians) -> String {
    let sizes = medians.get("go");
    let series = DRAWN.map(|(row, colour)| Series {
        name: row.to_owned(),
        colour,
        points: sizes.into_iter().flatten().filter_map(|(&size, rows)| Some((size as f64, *rows.get(row)?))).collect(),
    });
    plot(&series, "lines of the file (Go)")
}

/// Numbers of edits that are drawn, with their rows.
const EDITS: [(f64, &str); 3] = [(1.0, "apply_1"), (50.0, "apply_50"), (1_000.0, "apply_1000")];

const COLOURS: [&str; 4] = ["#0b57d0", "#8a6d00", "#146c2e", "#b3261e"];

fn by_edits(medians: &Medians) -> String {
    let series: Vec<Series> = Language::ALL
        .into_iter()
        .zip(COLOURS)
        .map(|(language, colour)| {
            let point = |(n, row)| Some((n, of(medians, language.name(), LARGE, row)?));
            Series { name: language.name().to_owned(), colour, points: EDITS.into_iter().filter_map(point).collect() }
        })
        .collect();
    plot(&series, "edits by one snippet, in a file of 100,000 lines")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_written_in_the_unit_that_fits() {
        let all = [412.0, 41_200.0, 4_120_000.0, 4_120_000_000.0].map(duration);
        assert_eq!(all, ["412 ns", "41.2 us", "4.12 ms", "4.12 s"]);
    }

    #[test]
    fn a_bar_that_is_not_met_is_bold() {
        let rows = |all: &[(&str, f64)]| all.iter().map(|&(row, n)| (row.to_owned(), n)).collect();
        let mut medians = Medians::new();
        let go = medians.entry("go".to_owned()).or_default();
        go.insert(LARGE, rows(&[(FLOOR, 1e6), ("apply_1", 4e6), ("warm_1", 1e6)]));
        let worst = medians.entry("worst".to_owned()).or_default();
        worst.insert(10, rows(&[("long_line", 10.0)]));
        worst.insert(40, rows(&[("long_line", 40.0)]));
        let text = bars(&medians, &[(1, Duration::from_secs(2)), (2, Duration::from_secs(1))]);
        assert!(text.contains("| one edit of 100,000 lines, in floors | 8.00 | 4.00 | - | - | - |"), "{text}");
        assert!(
            text.contains("| one warm edit of 100,000 lines, in cold ones | 0.10 | **0.25** | - | - | - |"),
            "{text}"
        );
        assert!(text.contains("| `long_line`, four times the size | 4.50 | 4.00 |"), "{text}");
        assert!(text.contains("in runs with one job | 0.56 | 0.50 |"), "{text}");
    }

    #[test]
    fn the_edits_of_the_batch_come_out_trusted() {
        let requests = requests();
        let first: serde_json::Value = serde_json::from_str(requests.lines().next().unwrap()).unwrap();
        let text = |name: &str| first[name].as_str().unwrap();
        let outcome = treegraft::apply(text("path"), text("original"), text("snippet")).unwrap();
        assert!(outcome.verdict().is_trusted());
        assert_eq!(requests.lines().count(), N_FILES);
    }
}
