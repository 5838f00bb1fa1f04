//! `treegraft undo`: takes a landing back, or lists those that are kept.

use std::io::{self, Write as _};
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use treegraft_landing::{Deed, Disk, Error, Landing, Recovery, UndoReport, history, recover, undo};

use super::land::rolled_back;
use crate::Status;
use crate::refusal;
use crate::terminal::{BOLD, DIM, Screen};
use crate::verdict::count;

/// How many files of a landing are named in the list; more hide the landings that follow.
const MAX_FILES: usize = 8;

/// Takes back what a landing changed, byte for byte
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Without ID the last landing is taken back that is neither an undo nor undone.
All files are as before it then, with their modes, or, if one can't be, none:
a file that changed since is never overwritten. Undo later landings first, or
put that file back as the landing left it.

An undo is a landing, too. To take it back, give its number.

The last 20 landings are kept in ROOT/.treegraft. To forget them, remove that
folder.

Exit status: 0 when it is done, 2 when nothing was changed.

Examples:
  treegraft undo           take the last landing back
  treegraft undo --list    what is kept
  treegraft undo 12        take landing 12 back")]
pub(crate) struct Undo {
    /// The number of the landing, as --list shows it
    #[arg(value_name = "ID", conflicts_with = "list")]
    id: Option<u64>,

    /// The folder that was landed in
    #[arg(long, value_name = "DIR", default_value = ".")]
    root: PathBuf,

    /// List the landings that are kept, the last one first
    #[arg(short, long)]
    list: bool,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Undo {
    /// Runs the command.
    pub(crate) fn run(&self) -> anyhow::Result<Status> {
        match self.landings() {
            Ok(landings) => {
                if self.json {
                    print_json(&UndoReport::new(&landings))?;
                } else if self.list {
                    list(&landings)?;
                } else {
                    landings.iter().try_for_each(tell)?;
                }
                Ok(Status::Fine)
            }
            Err(error) => {
                if self.json {
                    print_json(&UndoReport::refused(&error))?;
                }
                let told = refusal::told(&error, None, &self.root);
                Err(match error {
                    Error::Changed { .. } => told.help(
                        "nothing was written; undo later landings first (`treegraft undo --list`), or put the file back as this \
                         landing left it",
                    ),
                    _ => told,
                }
                .into())
            }
        }
    }

    fn landings(&self) -> Result<Vec<Landing>, Error> {
        let disk = Disk::open(&self.root)?;
        if let Recovery::RolledBack { n_files } = recover(&disk)? {
            rolled_back(n_files).print();
        }
        if self.list { history(&disk) } else { undo(&disk, self.id).map(|undo| vec![undo]) }
    }
}

fn print_json(report: &UndoReport<'_>) -> anyhow::Result<()> {
    let mut screen = Screen::stdout();
    screen.json(&serde_json::to_string(report)?)?;
    Ok(screen.flush()?)
}

/// Says what an undo did.
fn tell(undo: &Landing) -> io::Result<()> {
    let mut screen = Screen::stdout();
    for (path, deed) in &undo.files {
        let deed = match deed {
            Deed::Made => "brought back",
            Deed::Changed => "put back",
            Deed::Removed => "removed",
        };
        screen.styled(BOLD, path.as_str())?;
        screen.text(&format!(": {deed}"))?;
        screen.end_line()?;
    }
    let undone = undo.undoes.unwrap_or_default();
    screen.text(&format!("landing {undone} is undone; `treegraft undo {}` brings it back", undo.id))?;
    screen.end_line()?;
    screen.flush()
}

fn list(landings: &[Landing]) -> io::Result<()> {
    if landings.is_empty() {
        let mut screen = Screen::stderr();
        screen.text("no landing is kept here")?;
        screen.end_line()?;
        return screen.flush();
    }
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    let mut screen = Screen::stdout();
    for landing in landings {
        screen.styled(BOLD, &format!("{:>4}", landing.id))?;
        screen.text(&format!("  {:<15}", age(now.saturating_sub(landing.time))))?;
        if let Some(undone) = landing.undoes {
            screen.text(&format!("undo of {undone}; "))?;
        }
        screen.text(&files(landing))?;
        if landing.is_undone {
            screen.styled(DIM, " (undone)")?;
        }
        screen.end_line()?;
    }
    screen.flush()
}

fn files(landing: &Landing) -> String {
    let named = landing.files.iter().take(MAX_FILES).map(|(path, deed)| format!("{} {path}", deed.as_str()));
    let mut named: Vec<String> = named.collect();
    if landing.files.len() > MAX_FILES {
        named.push(format!("and {}", count(landing.files.len() - MAX_FILES, "more file")));
    }
    named.join(", ")
}

/// Writes so many seconds as people say it.
fn age(seconds: u64) -> String {
    let (n, unit) = match seconds {
        0..60 => return "just now".to_owned(),
        60..3600 => (seconds / 60, "minute"),
        3600..86_400 => (seconds / 3600, "hour"),
        _ => (seconds / 86_400, "day"),
    };
    format!("{} ago", count(usize::try_from(n).unwrap_or(usize::MAX), unit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_are_told_in_one_unit() {
        let told = [0, 59, 60, 3599, 7200, 86_399, 86_400, 10 * 86_400].map(age);
        assert_eq!(
            told,
            [
                "just now",
                "just now",
                "1 minute ago",
                "59 minutes ago",
                "2 hours ago",
                "23 hours ago",
                "1 day ago",
                "10 days ago"
            ]
        );
    }
}
