//! Runs a fuzz target for long, with its finds made small and filed.
//!
//! The targets are in `fuzz/`, their oracles in `oracles/`. A find is a file of bytes to the fuzzer; here it becomes the
//! edit that these bytes stand for, made small, as `corpus/fuzz/<target>/<hash>.json`, which `cargo test` runs from then on.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use treegraft_oracles::{Given, Target, corpus, shrink};

use crate::pairs::say;

/// Longest input in bytes. Larger: a run takes so long that few are made; smaller: little can repeat in it.
pub(crate) const LONGEST_INPUT: usize = 4096;

/// Seconds for one input, and MiB for all: the patient budget of an oracle is longer, and no edit of this size needs it.
pub(crate) const LIMITS: [&str; 2] = ["-timeout=25", "-rss_limit_mb=3072"];

/// Runs one target for so many minutes on the inputs kept so far, and files what it finds; gives the number of finds that
/// aren't known.
pub(crate) fn long(root: &Path, name: &str, minutes: u64) -> Result<usize> {
    let name = &known_target(root, name)?;
    build(root, Some(name))?;
    let end = Instant::now() + Duration::from_secs(minutes * 60);
    loop {
        let left = end.saturating_duration_since(Instant::now()).as_secs();
        if left == 0 {
            return Ok(0);
        }
        let run = run(root, name, left)?;
        if run.finds.is_empty() {
            continue;
        }
        match judged(root, name, run.printed.as_ref())? {
            Found::Known(path) => say(&format!("known, {}", path.display())),
            // The fuzzer stops here: it would come across the same at once.
            Found::New(what) => {
                say(&what);
                for find in &run.finds {
                    match (Target::named(name), &run.printed) {
                        (Some(target), Some(given)) => drop(file(target, given, find)?),
                        (Some(target), None) => drop(file_bytes(target, find)?),
                        (None, _) => say(&format!("found: {}", find.display())),
                    }
                }
                return Ok(run.finds.len());
            }
        }
    }
}

/// What was found.
pub(crate) enum Found {
    /// What waits in this file of `fuzz/open/`.
    Known(PathBuf),
    /// Something else: what, and the edit made small, as far as it is one.
    New(String),
}

/// Judges what an oracle printed. It is known if its smallest form is that of a find in `fuzz/open/`.
///
/// An input that was too slow, took too much memory, or ended the process is never known.
pub(crate) fn judged(root: &Path, name: &str, printed: Option<&Given>) -> Result<Found> {
    let small = |given| Some((Target::named(name)?, smallest(Target::named(name)?, given)?));
    let Some((target, found)) = printed.and_then(small) else {
        return Ok(Found::New(
            "no edit that breaks anything by itself: too slow, out of memory, or no edit at all".to_owned(),
        ));
    };
    for path in corpus::entries(&root.join("fuzz/open").join(name)) {
        let open = Given::read(&path).map_err(anyhow::Error::msg)?;
        if open == found || smallest(target, &open).is_some_and(|open| open == found) {
            return Ok(Found::Known(path));
        }
    }
    Ok(Found::New(format!("{}\n{}", complaint(target, &found).unwrap_or_default(), found.to_json())))
}

/// Files what the fuzzer found in a run by hand; gives how many inputs still break something.
pub(crate) fn file_all(name: &str, inputs: &[PathBuf]) -> Result<usize> {
    let target = Target::named(name).with_context(|| format!("no target with an oracle to share: {name}"))?;
    let mut n_broken = 0;
    for input in inputs {
        n_broken += usize::from(file_bytes(target, input)?);
    }
    Ok(n_broken)
}

/// Gives the name back if there is such a target.
pub(crate) fn known_target(root: &Path, name: &str) -> Result<String> {
    let targets = targets(root);
    if !targets.iter().any(|target| target == name) {
        bail!("no such target: {name} (there are: {})", targets.join(", "));
    }
    Ok(name.to_owned())
}

/// Lists the fuzz targets: those with an oracle in `oracles/`, and some that have it with them.
pub(crate) fn targets(root: &Path) -> Vec<String> {
    let files = corpus::entries(&root.join("fuzz/fuzz_targets")).into_iter();
    files.map(|path| path.file_stem().unwrap_or_default().to_string_lossy().into_owned()).collect()
}

/// Files a find that is an edit as JSON, or what the fuzzer left: bytes that mean the same here if the grammars are the
/// same.
fn file_bytes(target: &Target, path: &Path) -> Result<bool> {
    let read = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    match serde_json::from_slice(&read).ok().or_else(|| target.make(&read)) {
        Some(given) => file(target, &given, path),
        None => Ok(false),
    }
}

/// Makes a find small and writes it down; says whether it breaks anything.
fn file(target: &Target, given: &Given, found: &Path) -> Result<bool> {
    let Some(small) = smallest(target, given) else {
        say(&format!("{}: holds when it is run alone: mended by now, or too slow, or out of memory", found.display()));
        return Ok(false);
    };
    let json = small.to_json();
    let folder = corpus::root().join("corpus").join(corpus::FINDS).join(target.name);
    fs::create_dir_all(&folder)?;
    let path = folder.join(format!("{:016x}.json", hash(json.as_bytes())));
    fs::write(&path, &json).with_context(|| format!("cannot write {}", path.display()))?;
    say(&format!("{}\n{}{json}", path.display(), complaint(target, &small).unwrap_or_default()));
    Ok(true)
}

/// Makes an edit small that breaks something, for as long as it breaks the same; `None` if it breaks nothing.
fn smallest(target: &Target, given: &Given) -> Option<Given> {
    let what = kind(&complaint(target, given)?);
    Some(shrink::shrunk(given, |given| complaint(target, given).is_some_and(|now| kind(&now) == what)))
}

/// Says what an edit's answer breaks, a panic included.
fn complaint(target: &Target, given: &Given) -> Option<String> {
    match catch_unwind(AssertUnwindSafe(|| target.broken_by(given))) {
        Ok(broken) => broken.into_iter().next(),
        Err(_) => Some("panicked".to_owned()),
    }
}

/// Gives what makes two complaints one and the same: the letters of the first line's beginning.
fn kind(complaint: &str) -> String {
    complaint.lines().next().unwrap_or_default().chars().filter(|c| c.is_alphabetic()).take(40).collect()
}

/// Gives what a target's inputs begin as: the known edits that are short enough, as its bytes.
pub(crate) fn seeds(name: &str) -> Vec<Vec<u8>> {
    let short = corpus::known_edits().iter().filter(|given| given.original.len() < LONGEST_INPUT / 2);
    short.filter_map(|given| Target::named(name)?.seed(given)).collect()
}

/// # Source
///
/// FNV-1a, 64 bits: the same on every machine.
fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

pub(crate) fn build(root: &Path, target: Option<&str>) -> Result<()> {
    let mut command = Command::new("cargo");
    command.args(["+nightly", "fuzz", "build"]).args(target).current_dir(root.join("fuzz"));
    let status = command.status().context("cannot run cargo: are the nightly toolchain and cargo-fuzz installed?")?;
    if !status.success() {
        bail!("the fuzz targets don't build");
    }
    Ok(())
}

/// Gives the folder that the targets are built into.
///
/// They are run from there: `cargo fuzz run` would build anew whenever a source changes in the meantime.
pub(crate) fn built(root: &Path) -> Result<PathBuf> {
    let output = Command::new("rustc").args(["+nightly", "-vV"]).output().context("cannot run rustc")?;
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let host = said.lines().find_map(|line| line.strip_prefix("host: ")).context("rustc doesn't name its host")?;
    Ok(root.join("fuzz/target").join(host).join("release"))
}

/// What came of a run.
struct Run {
    /// The files of bytes that broke the property.
    finds: Vec<PathBuf>,
    /// The edit that they stand for, as the oracle printed it.
    printed: Option<Given>,
}

/// Runs a target for so many seconds on the inputs of `fuzz/corpus/<target>/kept`, which begin as seeds; prints the
/// fuzzer's last figures.
fn run(root: &Path, name: &str, seconds: u64) -> Result<Run> {
    let fuzz = root.join("fuzz");
    let inputs = fuzz.join("corpus").join(name).join("kept");
    fs::create_dir_all(&inputs)?;
    for seed in seeds(name) {
        fs::write(inputs.join(format!("seed-{:016x}", hash(&seed))), seed)?;
    }
    let artifacts = fuzz.join("artifacts").join(name);
    fs::create_dir_all(&artifacts)?;
    let before = corpus::entries(&artifacts);
    let flags = [
        format!("-max_total_time={seconds}"),
        // Most targets read a structure, of which a few bytes say nothing.
        "-len_control=0".to_owned(),
        format!("-max_len={LONGEST_INPUT}"),
        LIMITS[0].to_owned(),
        LIMITS[1].to_owned(),
        "-print_final_stats=1".to_owned(),
        "-dict=markers.dict".to_owned(),
        format!("-artifact_prefix={}/", artifacts.display()),
    ];
    let program = built(root)?.join(name);
    let output = Command::new(&program)
        .arg(&inputs)
        .args(&flags)
        .current_dir(&fuzz)
        .output()
        .with_context(|| format!("cannot run {}", program.display()))?;
    let said = String::from_utf8_lossy(&output.stderr);
    let finds: Vec<PathBuf> = corpus::entries(&artifacts).into_iter().filter(|path| !before.contains(path)).collect();
    say(&format!("{name}: {}", figures(&said)));
    if !output.status.success() {
        let tail: Vec<&str> = said.lines().rev().take(60).collect();
        say(&tail.into_iter().rev().collect::<Vec<_>>().join("\n"));
        if finds.is_empty() {
            bail!("{name} ended with {} and left no find", output.status);
        }
    }
    Ok(Run { finds, printed: printed(&said) })
}

/// Takes the edit out of what a target prints that found something.
pub(crate) fn printed(said: &str) -> Option<Given> {
    let lines = said.lines().skip_while(|line| *line != "{").collect::<Vec<_>>();
    let end = lines.iter().position(|line| *line == "}")?;
    serde_json::from_str(&lines[..=end].join("\n")).ok()
}

/// Takes executions, coverage and speed out of what the fuzzer prints.
fn figures(said: &str) -> String {
    let last = said.lines().rev().find(|line| line.starts_with('#') && line.contains("cov: "));
    let word = |name: &str| {
        let mut words = last?.split_whitespace().skip_while(|word| *word != name);
        words.nth(1)
    };
    format!(
        "{} executions, {} a second, coverage {}, features {}",
        stat(said, "number_of_executed_units").unwrap_or("?"),
        stat(said, "average_exec_per_sec").unwrap_or("?"),
        word("cov:").unwrap_or("?"),
        word("ft:").unwrap_or("?"),
    )
}

/// Takes one of the figures out of what the fuzzer prints at its end.
fn stat<'s>(said: &'s str, name: &str) -> Option<&'s str> {
    let line = said.lines().find(|line| line.starts_with(&format!("stat::{name}:")))?;
    line.split_whitespace().last()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_find_is_read_as_the_target_prints_it() {
        let given = Given::new("a.rs", "{\n}\n", "x");
        let said =
            format!("#1 NEW\npanicked at a.rs:1:1:\ntrusted and wrong\n-{{\n{}\nnote: run\n}}\n", given.to_json());
        assert_eq!(printed(&said), Some(given));
        assert_eq!(printed("#1 NEW\n"), None);
    }

    #[test]
    fn figures_are_those_of_the_last_line() {
        let said = "#2\tINITED cov: 10 ft: 11 corp: 1/1b\n#99\tDONE   cov: 20 ft: 30 corp: 4/5b\n\
                    stat::number_of_executed_units: 99\nstat::average_exec_per_sec:     33\n";
        assert_eq!(figures(said), "99 executions, 33 a second, coverage 20, features 30");
        assert_eq!(figures(""), "? executions, ? a second, coverage ?, features ?");
    }
}
