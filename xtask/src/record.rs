//! Writes down how often results are right: `benches/record/replay.md`, and the table in the README.
//!
//! The figures are those that `treegraft replay` prints; here they are only put together with what is needed to
//! get them again. No host names, no paths.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::thread;

use anyhow::{Context, Result, bail};

use crate::pairs::say;

/// What is written, from the repository's root.
const RECORD: &str = "benches/record/replay.md";
const README: &str = "README.md";
const PACKAGES: &str = "corpus/packages.toml";

/// What the table in the README stands between.
const BEGIN: &str = "<!-- `cargo xtask record-replay` writes from here -->\n";
const END: &str = "<!-- to here -->\n";

/// Rows of the summary: as the table of a run has them, and in words.
const ROWS: [(&str, &str, &str); 8] = [
    ("ordinary cases", "description: exact", "description with the exact lines"),
    ("ordinary cases", "description: type", "description with the type alone"),
    ("ordinary cases", "description: off", "description whose lines are off"),
    ("ordinary cases", "description: none", "no description"),
    ("ordinary cases", "half: tune", "packages looked at case by case"),
    ("ordinary cases", "half: held", "packages looked at only in totals"),
    ("ordinary cases", "all", "all"),
    ("hard negatives", "all", "hard negatives"),
];
const COLUMNS: [&str; 4] = ["n", "right", "trusted right", "silent wrong"];

/// Measures all packages and each half for itself, and writes the record and the README's table.
pub(crate) fn replay(root: &Path, max: usize, seed: u64) -> Result<()> {
    let facts = Facts::gather(root, &["replay", PACKAGES])?;
    let mut sections = Vec::new();
    let mut summary = None;
    for (split, title) in [("all", "All packages"), ("tune", "The half `tune`"), ("held", "The half `held`")] {
        let half = if split == "all" { String::new() } else { format!(" --split {split}") };
        let flags = format!("--pairs --max {max} --seed {seed}{half}");
        say(&format!("treegraft replay {flags}"));
        let tables = measure(root, &flags)?;
        sections.push(format!("\n## {title}\n\n```sh\ntreegraft replay {flags}\n```\n\n{tables}\n"));
        summary.get_or_insert(summarise(&tables)?);
    }
    let summary = format!(
        "At commit `{}`, with seed {seed} and package list `{}`:\n\n{}",
        facts.commit,
        facts.packages,
        summary.unwrap_or_default()
    );
    let record = format!(
        "# How often results are right\n\nWritten by `cargo xtask record-replay`; [README.md](README.md) says what the \
         columns mean.\n\n{}\n## Summary\n\n{summary}{}",
        facts.table(max, seed),
        sections.concat(),
    );
    fs::write(root.join(RECORD), record).with_context(|| format!("cannot write {RECORD}"))?;
    let readme = fs::read_to_string(root.join(README)).with_context(|| format!("cannot read {README}"))?;
    fs::write(root.join(README), put_between(&readme, &summary)?).with_context(|| format!("cannot write {README}"))?;
    say(&format!("wrote {RECORD} and the table in {README}"));
    Ok(())
}

/// Runs the command, built for speed; gives the tables it prints.
fn measure(root: &Path, flags: &str) -> Result<String> {
    let output = Command::new("cargo")
        .args(["run", "--quiet", "--release", "--package", "treegraft-cli", "--", "replay", "--markdown"])
        .args(["--packages", PACKAGES])
        .args(flags.split(' '))
        .current_dir(root)
        .stderr(std::process::Stdio::inherit())
        .output()
        .context("cannot run cargo")?;
    // 1 says that something was wrong and trusted, which is a figure to be written down.
    match output.status.code() {
        Some(0 | 1) => Ok(String::from_utf8(output.stdout)?.trim_end().to_owned()),
        _ => bail!("treegraft replay ended with {}", output.status),
    }
}

/// What the figures depend on.
pub(crate) struct Facts {
    commit: String,
    packages: String,
    rustc: String,
    cores: usize,
}

impl Facts {
    /// `more` is what the figures come from beside the engine.
    pub(crate) fn gather(root: &Path, more: &[&str]) -> Result<Self> {
        let ask = |program: &str, words: &[&str]| -> Result<String> {
            let output = Command::new(program)
                .args(words)
                .current_dir(root)
                .output()
                .with_context(|| format!("cannot run {program}"))?;
            if !output.status.success() {
                bail!("{program} {} failed: {}", words.join(" "), String::from_utf8_lossy(&output.stderr).trim());
            }
            Ok(String::from_utf8(output.stdout)?.trim().to_owned())
        };
        let mut commit = ask("git", &["rev-parse", "--short=10", "HEAD"])?;
        let code = ["engine", "Cargo.toml", "Cargo.lock"];
        if !ask("git", &[&["status", "--porcelain", "--"], &code[..], more].concat())?.is_empty() {
            commit += " with changes";
        }
        Ok(Self {
            commit,
            packages: ask("git", &["hash-object", PACKAGES])?.chars().take(10).collect(),
            rustc: ask("rustc", &["--version"])?,
            cores: thread::available_parallelism().map_or(1, usize::from),
        })
    }

    /// Gives what times depend on, as a table.
    pub(crate) fn machine(&self) -> String {
        let Self { commit, rustc, cores, .. } = self;
        let system = format!("{} {}", std::env::consts::OS, std::env::consts::ARCH);
        format!(
            "| what | value |\n|---|---|\n| commit | `{commit}` |\n| machine | {cores} cores, {system} |\n\
             | compiler | {rustc} |\n"
        )
    }

    fn table(&self, max: usize, seed: u64) -> String {
        let Self { commit, packages, rustc, cores } = self;
        let system = format!("{} {}", std::env::consts::OS, std::env::consts::ARCH);
        format!(
            "| what | value |\n|---|---|\n| commit | `{commit}` |\n| package list | `{PACKAGES}`, git hash `{packages}` |\n\
             | seed | {seed} |\n| cases at most | {max}, and a quarter as many hard negatives |\n\
             | machine | {cores} cores, {system} |\n| compiler | {rustc} |\n"
        )
    }
}

/// Takes the few figures that matter most out of a run's tables.
fn summarise(tables: &str) -> Result<String> {
    let mut summary = vec!["| cases | n | right | trusted right | silent wrong |\n|---|--:|--:|--:|--:|\n".to_owned()];
    for (table, row, words) in ROWS {
        let mut lines = tables.lines().skip_while(|line| cells(line).first() != Some(&table));
        let head = lines.next().map(cells).with_context(|| format!("the run has no table of {table}"))?;
        let Some(found) = lines.map_while(|line| line.strip_prefix('|').map(|_| cells(line))).find(|c| c[0] == row)
        else {
            continue;
        };
        let values = COLUMNS.map(|column| {
            let place = head.iter().position(|name| *name == column);
            place.and_then(|place| found.get(place).copied()).unwrap_or_default()
        });
        summary.push(format!("| {words} | {} |\n", values.join(" | ")));
    }
    Ok(summary.concat())
}

fn cells(line: &str) -> Vec<&str> {
    line.trim_matches('|').split('|').map(str::trim).collect()
}

/// Puts a text between the two comments.
fn put_between(text: &str, new: &str) -> Result<String> {
    let parts = text.split_once(BEGIN).and_then(|(head, rest)| Some((head, rest.split_once(END)?.1)));
    let (head, tail) = parts.with_context(|| format!("{README} has no place for the table: {}", BEGIN.trim_end()))?;
    Ok(format!("{head}{BEGIN}\n{new}\n{END}{tail}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summary_takes_rows_and_columns_by_name() {
        let tables = "| style | n |\n| --- | --: |\n| all | 9 |\n\n\
                      | ordinary cases | n | exact | right | trusted right | silent wrong |\n| --- | --: |\n\
                      | description: none | 7 | 1 % | 2 % | 3 % | - |\n| all | 8 | 4 % | 5 % | 6 % | 7 % |\n\n\
                      | hard negatives | n | silent wrong |\n| --- | --: |\n| all | 3 | 1 % |\n";
        let wanted = "| cases | n | right | trusted right | silent wrong |\n|---|--:|--:|--:|--:|\n\
                      | no description | 7 | 2 % | 3 % | - |\n| all | 8 | 5 % | 6 % | 7 % |\n\
                      | hard negatives | 3 |  |  | 1 % |\n";
        assert_eq!(summarise(tables).unwrap(), wanted);
        assert!(summarise("nothing").is_err());
    }

    #[test]
    fn the_table_is_put_in_its_place() {
        let text = format!("a\n{BEGIN}old\n{END}b\n");
        assert_eq!(put_between(&text, "new\n").unwrap(), format!("a\n{BEGIN}\nnew\n\n{END}b\n"));
        assert!(put_between("a\n", "new\n").is_err());
    }
}
