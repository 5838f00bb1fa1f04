//! The tables: per style and description, per language, per half, and the hard negatives for themselves.

use std::io::{self, Write};
use std::time::Duration;

use crate::measure::Measured;
use crate::packages::Half;
use crate::report::{Counts, Report};
use crate::snippet::{DescriptionKind, Group, Style};

/// Writes all tables.
pub(crate) fn write(report: &Report, markdown: bool, out: &mut dyn Write) -> io::Result<()> {
    let of_group = |group: Group| -> Vec<&Measured> {
        report.cases.iter().filter(|case| case.case.style.group() == group).collect()
    };
    let (ordinary, shapes, hard) = (of_group(Group::Lazy), of_group(Group::Shape), of_group(Group::Hard));
    let mut table = Table::new("style, description", false);
    for &style in Style::ALL.iter().filter(|style| style.group() == Group::Lazy) {
        let of_style = || ordinary.iter().copied().filter(move |case| case.case.style == style);
        for &kind in DescriptionKind::ALL {
            let name = format!("{style}, {kind}");
            table.row(&name, of_style().filter(|case| case.case.description_kind == kind));
        }
        table.row(style.as_str(), of_style());
    }
    table.write(markdown, out)?;

    let mut table = Table::new("ordinary cases", false);
    for &kind in DescriptionKind::ALL {
        let name = format!("description: {kind}");
        table.row(&name, ordinary.iter().copied().filter(|case| case.case.description_kind == kind));
    }
    let mut languages: Vec<&str> = ordinary.iter().map(|case| case.case.language).collect();
    languages.sort_unstable();
    languages.dedup();
    for language in languages {
        table.row(language, ordinary.iter().copied().filter(|case| case.case.language == language));
    }
    for half in [Half::Tune, Half::Held] {
        let name = format!("half: {}", half.as_str());
        table.row(&name, ordinary.iter().copied().filter(|case| case.case.half == Some(half)));
    }
    table.row("all", ordinary.iter().copied());
    table.write(markdown, out)?;

    let mut table = Table::new("other shapes", false);
    for &style in Style::ALL.iter().filter(|style| style.group() == Group::Shape) {
        table.row(style.as_str(), shapes.iter().copied().filter(|case| case.case.style == style));
    }
    table.row("all", shapes.iter().copied());
    table.write(markdown, out)?;

    let mut table = Table::new("hard negatives", true);
    for &style in Style::ALL.iter().filter(|style| style.is_hard()) {
        table.row(style.as_str(), hard.iter().copied().filter(|case| case.case.style == style));
    }
    for half in [Half::Tune, Half::Held] {
        let name = format!("half: {}", half.as_str());
        table.row(&name, hard.iter().copied().filter(|case| case.case.half == Some(half)));
    }
    table.row("all", hard.iter().copied());
    table.write(markdown, out)
}

struct Table {
    head: Vec<String>,
    rows: Vec<Vec<String>>,
    hard: bool,
}

impl Table {
    fn new(what: &str, hard: bool) -> Self {
        let columns: &[&str] = if hard {
            &["n", "flagged", "exact", "silent wrong", "refused", "panic", "median", "p99"]
        } else {
            &[
                "n",
                "exact",
                "right",
                "trusted right",
                "flagged right",
                "flagged wrong",
                "silent wrong",
                "refused",
                "panic",
                "median",
                "p99",
            ]
        };
        let head = std::iter::once(what).chain(columns.iter().copied()).map(str::to_owned).collect();
        Self { head, rows: Vec::new(), hard }
    }

    /// Adds a row, unless it would be empty.
    fn row<'a>(&mut self, name: &str, cases: impl Iterator<Item = &'a Measured>) {
        let counts = Counts::of(cases);
        if counts.n == 0 {
            return;
        }
        let share = |n: usize| {
            if n == 0 { "-".to_owned() } else { format!("{:.1} %", n as f64 * 100.0 / counts.n as f64) }
        };
        let mut row = vec![name.to_owned(), counts.n.to_string()];
        if self.hard {
            row.extend([counts.flagged_right + counts.flagged_wrong, counts.exact, counts.silent].map(share));
        } else {
            let Counts { exact, right, trusted_right, flagged_right, flagged_wrong, silent, .. } = counts;
            row.extend([exact, right, trusted_right, flagged_right, flagged_wrong, silent].map(share));
        }
        row.extend([counts.refused, counts.panicked].map(share));
        row.extend([counts.median, counts.p99].map(time));
        self.rows.push(row);
    }

    fn write(&self, markdown: bool, out: &mut dyn Write) -> io::Result<()> {
        if self.rows.is_empty() {
            return Ok(());
        }
        let width = |column: usize| {
            let cells = std::iter::once(&self.head).chain(&self.rows).filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.head.len()).map(width).collect();
        let line = |row: &[String], out: &mut dyn Write| -> io::Result<()> {
            let cells: Vec<String> = row
                .iter()
                .zip(&widths)
                .enumerate()
                .map(|(n, (cell, &width))| if n == 0 { format!("{cell:width$}") } else { format!("{cell:>width$}") })
                .collect();
            if markdown {
                writeln!(out, "| {} |", cells.join(" | "))
            } else {
                writeln!(out, "{}", cells.join("  ").trim_end())
            }
        };
        line(&self.head, out)?;
        if markdown {
            let rule = |(n, &width): (usize, &usize)| {
                if n == 0 { "-".repeat(width) } else { "-".repeat(width.saturating_sub(1)) + ":" }
            };
            let rules: Vec<String> = widths.iter().enumerate().map(rule).collect();
            writeln!(out, "| {} |", rules.join(" | "))?;
        }
        for row in &self.rows {
            line(row, out)?;
        }
        writeln!(out)
    }
}

/// Writes a time with its unit.
fn time(time: Duration) -> String {
    let micros = time.as_secs_f64() * 1e6;
    match micros {
        _ if micros < 1e3 => format!("{micros:.0} us"),
        _ if micros < 1e6 => format!("{:.1} ms", micros / 1e3),
        _ => format!("{:.1} s", micros / 1e6),
    }
}
