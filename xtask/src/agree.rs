//! Asks builds of the command for the same edits and compares: with and without optimisation, with one job and with many.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use serde_json::Value;
use treegraft_oracles::corpus;

use crate::pairs::say;

/// Milliseconds for each parse: a busy machine must not end one, in one build and not in the other.
const PATIENT_MS: u64 = 60_000;

/// The builds and jobs that must agree.
const RUNS: [(bool, &str); 4] = [(true, "1"), (true, "2"), (true, "8"), (false, "3")];

/// Compares all known edits' answers, times left out; gives how many differ.
pub(crate) fn builds(root: &Path) -> Result<usize> {
    let requests: Vec<String> = corpus::known_edits()
        .iter()
        .enumerate()
        .map(|(n, given)| {
            let request = serde_json::json!({
                "id": n.to_string(), "path": given.path, "original": given.original, "snippet": given.snippet,
                "description": given.description, "add_missing_edges": given.add_missing_edges, "budget_ms": PATIENT_MS,
            });
            format!("{request}\n")
        })
        .collect();
    let mut first: Option<Vec<Value>> = None;
    let mut n_different = 0;
    for (optimised, jobs) in RUNS {
        let answers = ask(root, optimised, jobs, &requests.concat())?;
        if answers.len() != requests.len() {
            bail!("{} answers to {} requests", answers.len(), requests.len());
        }
        let Some(first) = &first else {
            first = Some(answers);
            continue;
        };
        for (a, b) in first.iter().zip(&answers).filter(|(a, b)| a != b) {
            n_different += 1;
            say(&format!("optimised: {optimised}, jobs: {jobs}:\n{a}\n{b}"));
        }
    }
    say(&format!("{} edits, {} runs: {n_different} answers differ", requests.len(), RUNS.len()));
    Ok(n_different)
}

/// Gives a build's answers, without their times.
fn ask(root: &Path, optimised: bool, jobs: &str, requests: &str) -> Result<Vec<Value>> {
    let profile: &[&str] = if optimised { &["--release"] } else { &[] };
    let mut child = Command::new("cargo")
        .args(["run", "--quiet", "--package", "treegraft-cli"])
        .args(profile)
        .args(["--", "batch", "--jobs", jobs])
        .current_dir(root)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .context("cannot run cargo")?;
    let mut stdin = child.stdin.take().context("no standard input")?;
    // It answers while it reads: both must go on at a time.
    let output = std::thread::scope(|scope| {
        let writer = scope.spawn(move || stdin.write_all(requests.as_bytes()));
        let output = child.wait_with_output();
        writer.join().map_err(|_| anyhow::anyhow!("writing ended"))??;
        anyhow::Ok(output?)
    })?;
    String::from_utf8(output.stdout)?
        .lines()
        .map(|line| {
            let mut answer: Value = serde_json::from_str(line)?;
            answer["elapsed_us"].take();
            Ok(answer)
        })
        .collect()
}
