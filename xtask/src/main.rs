//! Helpers for working on treegraft that are no part of it: measuring, fuzzing.

mod agree;
mod bench;
mod dice;
mod fuzz;
mod hostile;
mod mutate;
mod pairs;
mod plot;
mod record;
mod smoke;
mod stress;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::{Parser, Subcommand};

/// Helpers for working on treegraft.
#[derive(Debug, Parser)]
#[command(name = "xtask")]
struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Brings the releases listed in corpus/packages.toml into a cache outside the repository.
    Pairs {
        /// The list.
        #[arg(long, default_value = "corpus/packages.toml")]
        packages: PathBuf,
        /// The cache; `$TREEGRAFT_CACHE` or the platform's cache folder if not given.
        #[arg(long)]
        cache: Option<PathBuf>,
        /// Brings only packages whose name contains this.
        #[arg(long)]
        only: Option<String>,
        /// Brings them again although they are there.
        #[arg(long)]
        force: bool,
    },
    /// Runs all benches; writes benches/record/apply.md and its plots.
    RecordBench {
        /// Takes the figures of the last run.
        #[arg(long)]
        no_run: bool,
    },
    /// Measures all releases with `treegraft replay`; writes benches/record/replay.md and the README's table.
    RecordReplay {
        /// Ordinary cases of a run, at most.
        #[arg(long, default_value_t = 4000)]
        max: usize,
        /// What all choices depend on.
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Compares the answers of optimised and plain builds, with one job and with many.
    Agree,
    /// Changes the bytes of replayed cases in every way; what lands right must do so again or be doubted.
    Mutate {
        /// The history of this repository; without it the releases that `pairs` brings.
        #[arg(long)]
        git: Option<PathBuf>,
        /// Cases, at most.
        #[arg(long, default_value_t = 200)]
        max: usize,
        /// What all choices depend on.
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Applies honest edits beside hostile ones in one process: latency, memory, lost answers. Build it with --release.
    Stress {
        /// Edits, half of them hostile.
        #[arg(long, default_value_t = 10_000)]
        edits: usize,
        /// Threads for honest edits, and as many for hostile ones.
        #[arg(long, default_value_t = 2)]
        threads: usize,
    },
    /// Looks for texts that end the process in a grammar's own code, or outrun the budget. Build it with --release, and with
    /// --features lang-all for all grammars.
    Hostile {
        /// How long, in minutes.
        #[arg(long, default_value_t = 10)]
        minutes: u64,
        /// What all texts depend on.
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// Only this language.
        #[arg(long)]
        only: Option<String>,
        /// By how many milliseconds a parse may outrun its budget.
        #[arg(long, default_value_t = 1_000)]
        slack: u64,
        /// Be the process that may be lost, and begin with the text of this number.
        #[arg(long, hide = true)]
        child: Option<usize>,
    },
    /// Builds all fuzz targets and tries a fixed row of inputs of each. What is found and not listed in fuzz/open/ gives
    /// status 1.
    FuzzSmoke {
        /// Only this property, as in fuzz/README.md.
        target: Option<String>,
        /// Inputs of each.
        #[arg(long, default_value_t = 2_000)]
        runs: usize,
        /// What all inputs depend on.
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Runs one fuzz target for long, on the inputs of earlier runs; files what it finds in corpus/fuzz/, made small. What is
    /// listed in fuzz/open/ is told, and doesn't end the run.
    Fuzz {
        /// The property, as in fuzz/README.md.
        target: String,
        /// How long, in minutes.
        #[arg(long, default_value_t = 30)]
        minutes: u64,
    },
    /// Makes inputs small that the fuzzer, run by hand, found, and files them in corpus/fuzz/ if they still break something.
    FuzzFind {
        /// The property, as in fuzz/README.md.
        target: String,
        /// The edits that it printed, as JSON; or the files that it left, such as fuzz/artifacts/TARGET/crash-..., which
        /// mean the same here only with the same grammars.
        #[arg(required = true)]
        inputs: Vec<PathBuf>,
    },
}

fn main() -> ExitCode {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new("."));
    let done = match Args::parse().command {
        Command::Pairs { packages, cache, only, force } => {
            let cache = cache.unwrap_or_else(treegraft_replay::packages::cache_dir);
            pairs::bring(&packages, &cache, only.as_deref(), force)
        }
        Command::RecordReplay { max, seed } => record::replay(root, max, seed).map(|()| 0),
        Command::RecordBench { no_run } => bench::record(root, !no_run).map(|()| 0),
        Command::Agree => agree::builds(root),
        Command::Mutate { git, max, seed } => mutate::replay(git, max, seed),
        Command::Stress { edits, threads } => Ok(stress::serve(edits, threads.max(1))),
        Command::Hostile { seed, only, child: Some(first), .. } => {
            hostile::child(seed, only.as_deref().and_then(treegraft::Language::from_name), first);
            Ok(0)
        }
        Command::Hostile { minutes, seed, only, slack, child: None } => {
            hostile::search(minutes, seed, only.as_deref(), Duration::from_millis(slack))
        }
        Command::FuzzSmoke { target, runs, seed } => smoke::all(root, target.as_deref(), runs, seed),
        Command::Fuzz { target, minutes } => fuzz::long(root, &target, minutes),
        Command::FuzzFind { target, inputs } => fuzz::file_all(&target, &inputs),
    };
    match done {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::from(1),
        Err(error) => {
            pairs::say(&format!("error: {error:#}"));
            ExitCode::from(2)
        }
    }
}
