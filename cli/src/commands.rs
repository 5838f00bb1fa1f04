//! The commands, one module each.

mod apply;
mod batch;
mod check;
mod explain;
mod land;
mod languages;
mod replay;
mod undo;
mod verify;

use std::thread;

use clap::Subcommand;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::Status;

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Apply(apply::Apply),
    Batch(batch::Batch),
    Check(check::Check),
    Languages(languages::Languages),
    Explain(explain::Explain),
    Land(land::Land),
    Undo(undo::Undo),
    Verify(verify::Verify),
    Replay(replay::Replay),
}

impl Command {
    /// Runs the command.
    pub(crate) fn run(&self) -> anyhow::Result<Status> {
        match self {
            Self::Apply(apply) => apply.run(),
            Self::Batch(batch) => batch.run(),
            Self::Check(check) => check.run(),
            Self::Languages(languages) => languages.run(),
            Self::Explain(explain) => explain.run(),
            Self::Land(land) => land.run(),
            Self::Undo(undo) => undo.run(),
            Self::Verify(verify) => verify.run(),
            Self::Replay(replay) => replay.run(),
        }
    }
}

/// Stack of a worker, in bytes: parsers recurse deeper than the 2 MiB a thread has by default allow for. Only
/// what is touched costs memory.
const STACK: usize = 16 << 20;

/// Makes the threads that work on many files; as many as there are cores if `n_jobs` is not given.
fn workers(n_jobs: Option<usize>) -> anyhow::Result<ThreadPool> {
    let n_jobs = n_jobs.unwrap_or_else(|| thread::available_parallelism().map_or(1, usize::from));
    // Without a handler a panic outside of the engine would end the process and all other answers with it.
    let pool = ThreadPoolBuilder::new().num_threads(n_jobs).stack_size(STACK).panic_handler(|_| {});
    Ok(pool.thread_name(|n| format!("worker-{n}")).build()?)
}
