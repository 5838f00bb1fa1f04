//! `treegraft apply`: merges one snippet, shows what changes, and writes it if it may be trusted.
//!
//! What was asked for (diff, file or JSON) goes to standard output, so that it can be piped; the verdict goes to
//! standard error. Files are written before anything is shown: a reader that goes away must not stop the write.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use treegraft::{Engine, Outcome, Report, unified};

use crate::Status;
use crate::diagnostic::Diagnostic;
use crate::input::{EditArgs, Inputs};
use crate::terminal::Screen;
use crate::verdict;
use crate::write::{self, Stored};

/// Lines of context around a hunk: what `diff -u` and git take.
const CONTEXT: usize = 3;

/// Merges one snippet into its file; shows the difference and the verdict
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The difference goes to standard output, the verdict to standard error.
Without --write or --output no file is touched. A result that needs a look is
written only with --accept-unverified; the exit status is 1 all the same.

A file is replaced as a whole or not at all. It keeps its mode; symbolic links
to it stay, hard links keep the old content. It is left alone if it is
read-only or has changed since it was read.

Examples:
  treegraft apply area.go --snippet edit.go
  treegraft apply area.go --snippet edit.go --write
  pbpaste | treegraft apply area.go -d $'Type: replace\\nReplace: lines 10-14'
  git show HEAD:area.go | treegraft apply - --path area.go -s edit.go --print
  treegraft apply area.go --snippet edit.go | git apply
  treegraft apply area.go --snippet edit.go --json | jq .status")]
#[allow(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(crate) struct Apply {
    #[command(flatten)]
    edit: EditArgs,

    /// Write the result over ORIGINAL
    #[arg(short, long, conflicts_with = "output")]
    write: bool,

    /// Write the result to FILE
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Write the result even if it needs a look
    #[arg(long)]
    accept_unverified: bool,

    /// Print one JSON object instead of the difference
    #[arg(long, conflicts_with = "print")]
    json: bool,

    /// Print the whole result instead of the difference
    #[arg(short, long)]
    print: bool,
}

impl Apply {
    /// Runs the command.
    pub(crate) fn run(&self) -> anyhow::Result<Status> {
        match self.merge_and_store() {
            Ok((inputs, outcome, stored)) => self.show(&inputs, outcome, &stored),
            Err(refusal) => {
                if self.json {
                    print_json(&Report::refused(None, refusal.code(), refusal.to_string()))?;
                }
                Err(refusal.into())
            }
        }
    }

    fn merge_and_store(&self) -> Result<(Inputs, Outcome, Stored), Diagnostic> {
        let target = self.target()?;
        let engine = Engine::default();
        let inputs = self.edit.read(engine.options().max_bytes)?;
        let outcome = engine.apply(&self.edit.edit(&inputs)).map_err(|error| Diagnostic::refusal(&error, &inputs))?;
        let stored = match target {
            Target::Nowhere => Stored::NotAsked,
            // What equals the original needs no consent.
            Target::InPlace(path) if outcome.text() == inputs.original.text => Stored::Unchanged(path.to_owned()),
            _ if !outcome.verdict().is_trusted() && !self.accept_unverified => Stored::Withheld,
            Target::InPlace(path) => {
                Stored::at(path, write::in_place(path, inputs.original.text.as_bytes(), outcome.text().as_bytes())?)
            }
            Target::Other(path) => Stored::at(path, write::output(path, outcome.text().as_bytes())?),
        };
        Ok((inputs, outcome, stored))
    }

    /// Finds out where the result goes.
    fn target(&self) -> Result<Target<'_>, Diagnostic> {
        let original = self.edit.original_path();
        match (&self.output, original) {
            (Some(output), Some(original)) if write::is_same_file(output, original) => Ok(Target::InPlace(original)),
            (Some(output), _) if output == Path::new("-") => {
                Err(Diagnostic::error("usage", "--output takes a file").help("--print writes to standard output"))
            }
            (Some(output), _) => Ok(Target::Other(output)),
            (None, _) if !self.write => Ok(Target::Nowhere),
            (None, Some(original)) => Ok(Target::InPlace(original)),
            (None, None) => Err(Diagnostic::error("usage", "--write needs a file, but the original is standard input")
                .help("name the file as ORIGINAL, or use --output FILE or --print")),
        }
    }

    fn show(&self, inputs: &Inputs, outcome: Outcome, stored: &Stored) -> anyhow::Result<Status> {
        let status = verdict::status(outcome.verdict());
        let result = Ok(outcome);
        if self.json {
            print_json(&Report::new(None, &result).of(&self.edit.edit(inputs)))?;
        }
        let Ok(outcome) = result else { return Ok(status) };
        if !self.json {
            let mut screen = Screen::stdout();
            if self.print {
                screen.file(outcome.text())?;
            } else {
                screen.diff(&diff(inputs, &outcome))?;
            }
            screen.flush()?;
        }
        // The exit status tells the verdict as well, so a closed standard error is no failure.
        let _ = self.tell(inputs, &outcome, stored);
        Ok(status)
    }

    fn tell(&self, inputs: &Inputs, outcome: &Outcome, stored: &Stored) -> io::Result<()> {
        let mut screen = Screen::stderr();
        if !self.json {
            verdict::write(&mut screen, inputs, outcome)?;
        }
        screen.flush()?;
        stored.tell()
    }
}

/// Where a result goes.
#[derive(Debug, Clone, Copy)]
enum Target<'a> {
    Nowhere,
    InPlace(&'a Path),
    Other(&'a Path),
}

fn diff(inputs: &Inputs, outcome: &Outcome) -> String {
    let name = inputs.name.strip_prefix("./").unwrap_or(&inputs.name);
    let name = name.trim_start_matches('/');
    unified(&inputs.original.text, outcome.replacements(), &format!("a/{name}"), &format!("b/{name}"), CONTEXT)
}

fn print_json(report: &Report<'_>) -> anyhow::Result<()> {
    let mut screen = Screen::stdout();
    screen.json(&serde_json::to_string(report)?)?;
    Ok(screen.flush()?)
}
