//! The `treegraft` command: lands AI-written edits on real files.
//!
//! `main` reads the arguments and turns what a command gives into an exit status; each command is a module in
//! [`commands`]. Nothing here knows how an edit is merged: that is the library's.

mod commands;
mod diagnostic;
mod input;
mod refusal;
mod reply;
mod terminal;
mod verdict;
mod write;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

use clap::Parser;

use crate::commands::Command;
use crate::diagnostic::Diagnostic;
use crate::terminal::Color;

/// Lands AI-written edits on real files
///
/// Merges a snippet with `// ... existing code ...` in it into its file, without a model, and says whether the
/// result may be trusted.
#[derive(Debug, Parser)]
#[command(name = "treegraft", version, max_term_width = 100)]
#[command(after_help = "\
Exit status:
  0  trusted, or all is valid
  1  there is a result but it needs a look, or something is invalid
  2  refused, wrong usage or I/O error, and nothing was written

Examples:
  treegraft apply area.go --snippet edit.go      what would change, and the verdict
  pbpaste | treegraft apply area.go --write      write it, if it may be trusted
  treegraft explain area.go --snippet edit.go    why each line went where it went
  treegraft land reply.md --write                all files of a whole reply, or none
  treegraft verify area.go edit.go merged.go     what another engine's merge damaged
  treegraft batch < edits.jsonl > results.jsonl  many edits, one JSON object a line")]
struct Cli {
    /// When to use colours: auto, always or never; `NO_COLOR` is honoured
    #[arg(long, value_name = "WHEN", default_value = "auto", global = true, hide_possible_values = true)]
    color: Color,

    #[command(subcommand)]
    command: Command,
}

/// How a command ended, if it did its work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Status {
    /// Trusted, or all is valid.
    Fine,
    /// There is a result but it needs a look, or something is invalid.
    NeedsLook,
    /// Refused or unreadable, and the reason has been given.
    Refused,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        Self::from(match status {
            Status::Fine => 0,
            Status::NeedsLook => 1,
            Status::Refused => 2,
        })
    }
}

fn main() -> ExitCode {
    std::panic::set_hook(Box::new(|panic| diagnostic::print_lines(&panic.to_string())));
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(told) if told.use_stderr() => {
            // It repeats the arguments, which may be names of a stranger's files.
            diagnostic::print_lines(&told.render().to_string());
            return Status::Refused.into();
        }
        Err(told) => told.exit(),
    };
    cli.color.make_global();
    let ended = catch_unwind(AssertUnwindSafe(|| cli.command.run())).unwrap_or_else(|_| {
        Err(Diagnostic::error("internal", "a defect in treegraft")
            .help("please report it, with the message above and the files if you may share them")
            .into())
    });
    match ended {
        Ok(status) => status.into(),
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            diagnostic::print(&error);
            Status::Refused.into()
        }
    }
}

/// Says whether whoever read our output went away. Only writes to stdout hand on a bare `io::Error`; those of
/// files are diagnostics by then.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<std::io::Error>().is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
}
