//! `treegraft languages`: the built-in grammars.

use std::io::Write as _;

use serde::Serialize;
use treegraft::Language;

use crate::Status;
use crate::terminal::{BOLD, Screen};

/// Lists the built-in grammars and their file extensions
#[derive(Debug, clap::Args)]
#[command(after_help = "\
A file in another language can be edited as well: lines and indentation stand
in for its grammar, and the syntax of the result is not checked.")]
pub(crate) struct Languages {
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Serialize)]
struct List {
    v: u32,
    languages: Vec<Entry>,
}

#[derive(Debug, Serialize)]
struct Entry {
    name: &'static str,
    extensions: &'static [&'static str],
}

impl Languages {
    /// Runs the command.
    pub(crate) fn run(&self) -> anyhow::Result<Status> {
        let languages: Vec<Entry> = Language::built_in()
            .map(|language| Entry { name: language.name(), extensions: language.extensions() })
            .collect();
        let mut screen = Screen::stdout();
        if self.json {
            screen.json(&serde_json::to_string(&List { v: 1, languages })?)?;
        } else {
            let width = languages.iter().map(|entry| entry.name.len()).max().unwrap_or(0);
            for entry in &languages {
                screen.styled(BOLD, &format!("{:width$}", entry.name))?;
                entry.extensions.iter().try_for_each(|extension| screen.text(&format!("  .{extension}")))?;
                screen.end_line()?;
            }
        }
        screen.flush()?;
        Ok(Status::Fine)
    }
}
