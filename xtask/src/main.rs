//! Helpers for working on treegraft that are no part of it: `cargo xtask pairs`.

mod pairs;

use std::path::PathBuf;
use std::process::ExitCode;

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
}

fn main() -> ExitCode {
    let Command::Pairs { packages, cache, only, force } = Args::parse().command;
    let cache = cache.unwrap_or_else(treegraft_replay::packages::cache_dir);
    match pairs::bring(&packages, &cache, only.as_deref(), force) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::from(1),
        Err(error) => {
            pairs::say(&format!("error: {error:#}"));
            ExitCode::from(2)
        }
    }
}
