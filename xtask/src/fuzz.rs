//! Runs the fuzz targets: each for some seconds, or one for long, with its finds made small and filed.
//!
//! The targets are in `fuzz/`, their oracles in `oracles/`. A find is a file of bytes to the fuzzer; here it becomes the
//! edit that these bytes stand for, made small, as `corpus/fuzz/<target>/<hash>.json`, which `cargo test` runs from then on.

use std::fs;
use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use treegraft_oracles::{Given, Target, corpus, shrink};

use crate::pairs::say;

/// Longest input in bytes. Larger: a run takes so long that few are made; smaller: little can repeat in it.
const LONGEST_INPUT: usize = 4096;

/// Seconds for one input; the patient budget of an oracle is longer, and no edit of this size needs it.
const SLOWEST_INPUT: u32 = 25;

/// Builds all targets and runs each for so many seconds, as many at a time as there are cores, from fresh seeds and with the
/// same random numbers each time; gives how many found something.
pub(crate) fn smoke(root: &Path, seconds: u64) -> Result<usize> {
    build(root, None)?;
    let targets = targets(root);
    let next = AtomicUsize::new(0);
    let work = || -> Result<usize> {
        let mut n_broken = 0;
        while let Some(target) = targets.get(next.fetch_add(1, Ordering::Relaxed)) {
            let run = run(root, target, seconds, "smoke")?;
            n_broken += usize::from(!run.finds.is_empty());
        }
        Ok(n_broken)
    };
    let n_threads = thread::available_parallelism().map_or(1, NonZero::get);
    thread::scope(|scope| {
        let threads: Vec<_> = (0..n_threads).map(|_| scope.spawn(work)).collect();
        let ended = threads.into_iter().map(|thread| thread.join().unwrap_or_else(|_| bail!("a run panicked")));
        ended.sum()
    })
}

/// Runs one target for so many minutes on the inputs kept so far, and files what it finds; gives the number of finds.
pub(crate) fn long(root: &Path, name: &str, minutes: u64) -> Result<usize> {
    let targets = targets(root);
    if !targets.iter().any(|target| target == name) {
        bail!("no such target: {name} (there are: {})", targets.join(", "));
    }
    build(root, Some(name))?;
    let end = Instant::now() + Duration::from_secs(minutes * 60);
    let mut n_finds = 0;
    loop {
        let left = end.saturating_duration_since(Instant::now()).as_secs();
        if left == 0 {
            return Ok(n_finds);
        }
        let run = run(root, name, left, "kept")?;
        for find in &run.finds {
            match Target::named(name) {
                Some(target) => match &run.printed {
                    Some(given) => drop(file(target, given, find)?),
                    None => drop(file_bytes(target, find)?),
                },
                None => say(&format!("found: {}", find.display())),
            }
        }
        n_finds += run.finds.len();
        // The fuzzer stops at a find that it would come across again at once.
        if !run.finds.is_empty() {
            return Ok(n_finds);
        }
    }
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

/// Lists the fuzz targets: those with an oracle in `oracles/`, and some that have it with them.
fn targets(root: &Path) -> Vec<String> {
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
    let Some(what) = complaint(target, given) else {
        say(&format!("{}: holds when it is run alone: mended by now, or too slow, or out of memory", found.display()));
        return Ok(false);
    };
    let small = shrink::shrunk(given, |given| complaint(target, given).is_some_and(|now| kind(&now) == kind(&what)));
    let json = small.to_json();
    let folder = corpus::root().join("corpus").join(corpus::FINDS).join(target.name);
    fs::create_dir_all(&folder)?;
    let path = folder.join(format!("{:016x}.json", hash(&json)));
    fs::write(&path, &json).with_context(|| format!("cannot write {}", path.display()))?;
    say(&format!("{}\n{}{json}", path.display(), complaint(target, &small).unwrap_or_default()));
    Ok(true)
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

/// # Source
///
/// FNV-1a, 64 bits: the same on every machine.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

fn build(root: &Path, target: Option<&str>) -> Result<()> {
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
fn built(root: &Path) -> Result<PathBuf> {
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

/// Runs a target on the inputs of `fuzz/corpus/<target>/<set>`, which begin as seeds; prints the fuzzer's last figures.
fn run(root: &Path, name: &str, seconds: u64, set: &str) -> Result<Run> {
    let fuzz = root.join("fuzz");
    let inputs = fuzz.join("corpus").join(name).join(set);
    if set == "smoke" && inputs.exists() {
        fs::remove_dir_all(&inputs)?;
    }
    fs::create_dir_all(&inputs)?;
    for given in corpus::known_edits().iter().filter(|given| given.original.len() < LONGEST_INPUT / 2) {
        if let Some(seed) = Target::named(name).and_then(|target| target.seed(given)) {
            fs::write(inputs.join(format!("seed-{:016x}", hash(&given.to_json()))), seed)?;
        }
    }
    let artifacts = fuzz.join("artifacts").join(name);
    fs::create_dir_all(&artifacts)?;
    let before = corpus::entries(&artifacts);
    // A short run begins with the same inputs each time, so it tries the same as far as it gets.
    let seed = u8::from(set == "smoke");
    let flags = [
        format!("-seed={seed}"),
        // Most targets read a structure, of which a few bytes say nothing.
        "-len_control=0".to_owned(),
        format!("-max_total_time={seconds}"),
        format!("-max_len={LONGEST_INPUT}"),
        format!("-timeout={SLOWEST_INPUT}"),
        "-rss_limit_mb=3072".to_owned(),
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
fn printed(said: &str) -> Option<Given> {
    let lines = said.lines().skip_while(|line| *line != "{").collect::<Vec<_>>();
    let end = lines.iter().position(|line| *line == "}")?;
    serde_json::from_str(&lines[..=end].join("\n")).ok()
}

/// Takes executions, coverage and speed out of what the fuzzer prints.
fn figures(said: &str) -> String {
    let stat = |name: &str| {
        let line = said.lines().find(|line| line.starts_with(&format!("stat::{name}:")))?;
        line.split_whitespace().last()
    };
    let last = said.lines().rev().find(|line| line.starts_with('#') && line.contains("cov: "));
    let word = |name: &str| {
        let mut words = last?.split_whitespace().skip_while(|word| *word != name);
        words.nth(1)
    };
    format!(
        "{} executions, {} a second, coverage {}, features {}",
        stat("number_of_executed_units").unwrap_or("?"),
        stat("average_exec_per_sec").unwrap_or("?"),
        word("cov:").unwrap_or("?"),
        word("ft:").unwrap_or("?"),
    )
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
