//! Writes down what edits cost: `benches/record/apply.md`, and a plot beside it.
//!
//! The figures are the medians that criterion left behind after `cargo bench -p treegraft-benches`; all that are
//! compared come from one run.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};

use crate::pairs::say;
use crate::record::Facts;

/// What is written, from the repository's root.
const RECORD: &str = "benches/record/apply.md";
const PLOT: &str = "benches/record/apply.svg";

/// The row that the others are multiples of.
const FLOOR: &str = "floor";

/// Medians in nanoseconds, by group, size and row.
type Medians = BTreeMap<String, BTreeMap<usize, BTreeMap<String, f64>>>;

/// Writes the record and the plot of the last run.
pub(crate) fn record(root: &Path) -> Result<()> {
    let facts = Facts::gather(root)?;
    let medians = read(&root.join("target/criterion"));
    ensure!(medians.contains_key("go"), "no figures: run `cargo bench -p treegraft-benches` first");
    let mut text = format!(
        "# What an edit costs\n\nWritten by `cargo xtask record-bench` after `cargo bench -p treegraft-benches`; \
         [README.md](README.md) says what the rows are.\n\n{}\n![cost against size](apply.svg)\n",
        facts.machine(),
    );
    for (group, sizes) in &medians {
        let _ = write!(text, "\n## {group}\n\n| size | row | median | floors |\n|--:|---|--:|--:|\n");
        for (size, rows) in sizes {
            let floor = rows.get(FLOOR).copied();
            for (row, &median) in rows {
                let ratio = floor.map_or_else(String::new, |floor| format!("{:.2}", median / floor));
                let _ = writeln!(text, "| {size} | {row} | {} | {ratio} |", duration(median));
            }
        }
    }
    fs::write(root.join(RECORD), text).with_context(|| format!("cannot write {RECORD}"))?;
    fs::write(root.join(PLOT), plot(&medians["go"])).with_context(|| format!("cannot write {PLOT}"))?;
    say(&format!("wrote {RECORD} and {PLOT}"));
    Ok(())
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

/// Writes nanoseconds in the unit that fits.
fn duration(nanoseconds: f64) -> String {
    match nanoseconds {
        n if n < 1e3 => format!("{n:.0} ns"),
        n if n < 1e6 => format!("{:.1} us", n / 1e3),
        n if n < 1e9 => format!("{:.2} ms", n / 1e6),
        n => format!("{:.2} s", n / 1e9),
    }
}

/// Rows that are drawn, with their colours.
const DRAWN: [(&str, &str); 6] = [
    ("parse", "#b3261e"),
    ("git_diff", "#8a6d00"),
    ("imara_diff", "#6b6b6b"),
    ("apply_50", "#3d7dca"),
    ("apply_1", "#0b57d0"),
    (FLOOR, "#1b1b1b"),
];

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 400.0;
const MARGIN: f64 = 60.0;

/// Draws time against size, both as powers of ten.
fn plot(sizes: &BTreeMap<usize, BTreeMap<String, f64>>) -> String {
    let points = |row: &str| -> Vec<(f64, f64)> {
        sizes.iter().filter_map(|(&size, rows)| Some(((size as f64).log10(), rows.get(row)?.log10()))).collect()
    };
    let all: Vec<(f64, f64)> = DRAWN.iter().flat_map(|(row, _)| points(row)).collect();
    let bounds = |pick: fn(&(f64, f64)) -> f64| {
        let values = || all.iter().map(pick);
        (values().fold(f64::MAX, f64::min).floor(), values().fold(f64::MIN, f64::max).ceil())
    };
    let ((left, right), (low, high)) = (bounds(|point| point.0), bounds(|point| point.1));
    let x = |value: f64| MARGIN + (value - left) / (right - left).max(1.0) * (WIDTH - 2.5 * MARGIN);
    let y = |value: f64| HEIGHT - MARGIN - (value - low) / (high - low).max(1.0) * (HEIGHT - 1.5 * MARGIN);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n"
    );
    let line = |svg: &mut String, (x1, y1): (f64, f64), (x2, y2): (f64, f64)| {
        let _ = writeln!(svg, "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"#ddd\"/>");
    };
    let label = |svg: &mut String, (x, y): (f64, f64), anchor: &str, colour: &str, text: &str| {
        let _ =
            writeln!(svg, "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" fill=\"{colour}\">{text}</text>");
    };
    for power in (left as i32)..=(right as i32) {
        let at = x(f64::from(power));
        line(&mut svg, (at, y(low)), (at, y(high)));
        label(&mut svg, (at, y(low) + 18.0), "middle", "#333", &format!("{}", 10_u64.pow(power.unsigned_abs())));
    }
    for power in (low as i32)..=(high as i32) {
        let at = y(f64::from(power));
        line(&mut svg, (x(left), at), (x(right), at));
        label(&mut svg, (x(left) - 6.0, at + 4.0), "end", "#333", &duration(10_f64.powi(power)));
    }
    for (row, colour) in DRAWN {
        let points = points(row);
        let Some(&last) = points.last() else { continue };
        let path: Vec<String> = points.iter().map(|&(a, b)| format!("{:.1},{:.1}", x(a), y(b))).collect();
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>",
            path.join(" ")
        );
        label(&mut svg, (x(last.0) + 6.0, y(last.1) + 4.0), "start", colour, row);
    }
    label(&mut svg, (WIDTH / 2.0, HEIGHT - 14.0), "middle", "#333", "lines of the file (Go)");
    svg + "</svg>\n"
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
    fn each_row_is_a_line() {
        let rows = |n: f64| BTreeMap::from([("floor".to_owned(), n), ("apply_1".to_owned(), 4.0 * n)]);
        let svg = plot(&BTreeMap::from([(1_000, rows(1e4)), (10_000, rows(1e5))]));
        assert_eq!(svg.matches("<polyline").count(), 2);
        assert!(svg.ends_with("</svg>\n"));
    }
}
