//! What a run stops for.

use std::io;
use std::path::{Path, PathBuf};

/// Why a run could not be made. A case that goes wrong is a figure in the table, not an error.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file or folder can't be read.
    #[error("cannot read {}: {error}", path.display())]
    Read {
        /// Which one.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// A file or the output can't be written.
    #[error("cannot write {what}: {error}")]
    Write {
        /// What was to be written.
        what: String,
        /// What the system said.
        error: io::Error,
    },
    /// The package list is no valid list.
    #[error("{} is no package list: {error}", path.display())]
    Packages {
        /// The list.
        path: PathBuf,
        /// What is wrong with it.
        error: String,
    },
    /// `git` can't be run, or says no.
    #[error("git {what} failed: {error}")]
    Git {
        /// The subcommand.
        what: &'static str,
        /// What it said.
        error: String,
    },
    /// The folder belongs to no git repository, or to one that git won't read.
    #[error("{} is not a git repository", path.display())]
    NotARepository {
        /// The folder.
        path: PathBuf,
        /// What git said.
        error: String,
    },
    /// A repository without a commit.
    #[error("{} has no commit yet", path.display())]
    NoHistory {
        /// The repository.
        path: PathBuf,
    },
    /// A folder that holds no pair of releases.
    #[error("{} holds neither old/ and new/ nor folders that do", path.display())]
    NoPairs {
        /// The folder.
        path: PathBuf,
    },
    /// A style was asked for by a name that none has.
    #[error("unknown style `{name}`")]
    UnknownStyle {
        /// The name as given.
        name: String,
    },
}

impl Error {
    pub(crate) fn read(path: &Path, error: io::Error) -> Self {
        Self::Read { path: path.to_path_buf(), error }
    }

    pub(crate) fn write(what: impl Into<String>, error: io::Error) -> Self {
        Self::Write { what: what.into(), error }
    }
}
