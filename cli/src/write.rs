//! Puts a result on disk by [`treegraft_landing`], and says what went wrong.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

pub(crate) use treegraft_landing::Written;
use treegraft_landing::{WriteError, in_place as write_in_place, output as write_output};

use crate::diagnostic::Diagnostic;
use crate::terminal::{BOLD, Screen};

/// What became of a text that may have been asked to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Stored {
    /// Nobody asked.
    NotAsked,
    /// It needs a look first.
    Withheld,
    /// It is in this file now.
    Wrote(PathBuf),
    /// It was in this file already.
    Unchanged(PathBuf),
}

impl Stored {
    /// Says what became of `path`.
    pub(crate) fn at(path: &Path, written: Written) -> Self {
        match written {
            Written::Yes => Self::Wrote(path.to_owned()),
            Written::Unchanged => Self::Unchanged(path.to_owned()),
        }
    }

    /// Tells it on standard error.
    pub(crate) fn tell(&self) -> io::Result<()> {
        let (what, then) = match self {
            Self::NotAsked => return Ok(()),
            Self::Withheld => ("not written", "--accept-unverified writes it all the same".to_owned()),
            Self::Wrote(path) => ("wrote", path.display().to_string()),
            Self::Unchanged(path) => ("left as it is", path.display().to_string()),
        };
        let mut screen = Screen::stderr();
        screen.styled(BOLD, what)?;
        screen.text(&format!(": {then}"))?;
        screen.end_line()?;
        screen.flush()
    }
}

/// Replaces the content of the file `path`, which was `read` when the edit was made.
pub(crate) fn in_place(path: &Path, read: &[u8], new: &[u8]) -> Result<Written, Diagnostic> {
    write_in_place(path, read, new).map_err(|error| told(path, &error))
}

/// Writes the file `path`, new or not.
pub(crate) fn output(path: &Path, new: &[u8]) -> Result<Written, Diagnostic> {
    write_output(path, new).map_err(|error| told(path, &error))
}

/// Says whether two paths lead to the same existing file.
pub(crate) fn is_same_file(one: &Path, other: &Path) -> bool {
    matches!((fs::canonicalize(one), fs::canonicalize(other)), (Ok(one), Ok(other)) if one == other)
}

fn told(path: &Path, error: &WriteError) -> Diagnostic {
    let say = |code| Diagnostic::error(code, error.to_string()).at(path.display().to_string());
    match error {
        WriteError::NotAFile { .. } => say("not_a_file").help("name a file, or use --print for standard output"),
        WriteError::ReadOnly => {
            say("read_only").help("make it writable first (chmod u+w), or write elsewhere with --output FILE")
        }
        WriteError::Changed { how } => say("file_changed")
            .detail(*how)
            .help("nothing was written; run the command again to merge into the file as it is now"),
        WriteError::NoFolder { folder } => {
            Diagnostic::error("not_found", error.to_string()).at(folder.display().to_string())
        }
        WriteError::Io { doing, source } => {
            let told = Diagnostic::io(doing, path, source);
            match source.kind() {
                io::ErrorKind::PermissionDenied if *doing == "write" => {
                    told.help("the folder has to be writable: the file is replaced by a new one")
                }
                io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                    told.help("the file is as it was; make room and try again")
                }
                _ => told,
            }
        }
        _ => say("io"),
    }
}
