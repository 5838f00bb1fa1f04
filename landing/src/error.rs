//! Why a file, or a landing as a whole, is refused.

use std::io;

use crate::path::{FilePath, PathFault};

/// Why a landing was refused. Unless the variant says otherwise, all files are as they were.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A path can't be used as it is written.
    #[error("{fault}")]
    Path {
        /// The path as it was written.
        path: String,
        /// What is wrong with it.
        fault: PathFault,
    },
    /// A link leads out of the root, or to a place below it that no reply may name.
    #[error("a link leads to a place that may not be written")]
    LinkOut {
        /// The path as it was written.
        path: FilePath,
    },
    /// A link leads to nothing.
    #[error("a link leads to nothing")]
    LinkToNothing {
        /// The path as it was written.
        path: FilePath,
    },
    /// Something that isn't a file stands where one is wanted.
    #[error("this is {what}, not a file")]
    NotAFile {
        /// Where.
        path: FilePath,
        /// What it is: "a folder", "a link", "a device".
        what: &'static str,
    },
    /// A file stands where a folder is wanted.
    #[error("a file stands where a folder is wanted")]
    NotAFolder {
        /// The file.
        path: FilePath,
    },
    /// No such file.
    #[error("no such file")]
    NotFound {
        /// Where it should be.
        path: FilePath,
    },
    /// A file is there already.
    #[error("there is such a file already")]
    Exists {
        /// Where.
        path: FilePath,
    },
    /// A file would be moved onto itself.
    #[error("the file would be moved onto itself")]
    OntoItself {
        /// The file.
        path: FilePath,
    },
    /// Another name differs in upper and lower case alone; on some systems both are one file.
    #[error("`{twin}` differs from it in upper and lower case alone")]
    CaseTwin {
        /// The path as it was written.
        path: FilePath,
        /// The path that is there.
        twin: FilePath,
    },
    /// The file has no write bit.
    #[error("the file is read-only")]
    ReadOnly {
        /// The file.
        path: FilePath,
    },
    /// The file is over the limit.
    #[error("the file has {bytes} bytes, the limit is {limit}")]
    TooLarge {
        /// The file.
        path: FilePath,
        /// Its size in bytes.
        bytes: u64,
        /// The limit in bytes.
        limit: usize,
    },
    /// The reply ended before the file did.
    #[error("the reply ends inside of this file")]
    Unterminated,
    /// The reply has more operations than are looked at.
    #[error("the reply has more than {limit} operations")]
    TooMany {
        /// The limit.
        limit: usize,
    },
    /// The originals are over the limit together.
    #[error("the files have {bytes} bytes together, the limit is {limit}")]
    TooMuch {
        /// Their size in bytes.
        bytes: u64,
        /// The limit in bytes.
        limit: u64,
    },
    /// The operation is of a kind that is not known here.
    #[error("this kind of operation is not known here")]
    Unknown,
    /// The engine can't work on the file or the snippet.
    #[error(transparent)]
    Engine(#[from] treegraft::Error),
    /// A file isn't what was read when the landing was planned, or what the landing to be undone left.
    #[error("the file changed since")]
    Changed {
        /// The file.
        path: FilePath,
    },
    /// The plan has a refused file, so nothing of it is landed.
    #[error("a file is refused, so nothing is landed")]
    Refused,
    /// The plan has a file that isn't trusted, and that wasn't accepted.
    #[error("a file needs a look, so nothing is landed")]
    Unverified,
    /// Another landing holds the root.
    #[error("another landing is under way in this folder")]
    Locked,
    /// An earlier landing was interrupted, and one of its files changed since: it can be neither finished nor rolled
    /// back.
    #[error("an interrupted landing can't be rolled back: a file changed since")]
    Interrupted {
        /// The first such file.
        path: FilePath,
        /// Where its content before the landing is kept; `None` if it was new.
        kept: Option<FilePath>,
    },
    /// What is kept of a landing can't be read or is not whole.
    #[error("what is kept of a landing is damaged: {what}")]
    Damaged {
        /// The file or folder.
        path: FilePath,
        /// What is wrong with it.
        what: String,
    },
    /// There is nothing to undo.
    #[error("there is no landing to undo")]
    NothingToUndo,
    /// No landing of this number is kept.
    #[error("no landing {id} is kept")]
    NoSuchLanding {
        /// The number asked for.
        id: u64,
    },
    /// The landing was undone before.
    #[error("landing {id} is undone already")]
    UndoneAlready {
        /// The number asked for.
        id: u64,
    },
    /// The files can't be read or written.
    #[error("cannot {doing} it")]
    Io {
        /// What was tried, such as `read`.
        doing: &'static str,
        /// The file or folder; `None` is the root.
        path: Option<FilePath>,
        /// What the system said.
        source: io::Error,
    },
    /// A landing failed, and so did putting back what it had done. The next landing, or `undo`, tries again.
    #[error("the landing failed half way, and putting back failed as well")]
    HalfWay {
        /// Why the landing failed.
        cause: Box<Error>,
        /// Why putting back failed.
        source: Box<Error>,
    },
}

impl Error {
    /// Gives the stable code used in reports, such as `case_twin`.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Path { fault, .. } => fault.code(),
            Self::LinkOut { .. } => "link_out",
            Self::LinkToNothing { .. } => "link_to_nothing",
            Self::NotAFile { .. } => "not_a_file",
            Self::NotAFolder { .. } => "not_a_folder",
            Self::NotFound { .. } => "not_found",
            Self::Exists { .. } => "exists",
            Self::OntoItself { .. } => "onto_itself",
            Self::CaseTwin { .. } => "case_twin",
            Self::ReadOnly { .. } => "read_only",
            Self::TooLarge { .. } => "too_large",
            Self::Unterminated => "unterminated",
            Self::TooMany { .. } => "too_many",
            Self::TooMuch { .. } => "too_much",
            Self::Unknown => "unknown_operation",
            Self::Engine(error) => error.code(),
            Self::Changed { .. } => "file_changed",
            Self::Refused => "refused",
            Self::Unverified => "unverified",
            Self::Locked => "locked",
            Self::Interrupted { .. } => "interrupted",
            Self::Damaged { .. } => "damaged",
            Self::NothingToUndo => "nothing_to_undo",
            Self::NoSuchLanding { .. } => "no_such_landing",
            Self::UndoneAlready { .. } => "undone_already",
            Self::Io { source, .. } if source.kind() == io::ErrorKind::PermissionDenied => "permission_denied",
            Self::Io { .. } => "io",
            Self::HalfWay { .. } => "half_way",
        }
    }

    /// Gives the file it speaks of, if it is one.
    #[must_use]
    pub fn path(&self) -> Option<&FilePath> {
        match self {
            Self::LinkOut { path }
            | Self::LinkToNothing { path }
            | Self::NotAFile { path, .. }
            | Self::NotAFolder { path }
            | Self::NotFound { path }
            | Self::Exists { path }
            | Self::OntoItself { path }
            | Self::CaseTwin { path, .. }
            | Self::ReadOnly { path }
            | Self::TooLarge { path, .. }
            | Self::Changed { path }
            | Self::Interrupted { path, .. }
            | Self::Damaged { path, .. } => Some(path),
            Self::Io { path, .. } => path.as_ref(),
            Self::HalfWay { cause, .. } => cause.path(),
            _ => None,
        }
    }

    /// Makes what an I/O error on a file or folder becomes; `doing` is what was tried.
    pub(crate) fn io(doing: &'static str, path: &FilePath) -> impl FnOnce(io::Error) -> Self + use<> {
        Self::io_at(doing, Some(path))
    }

    /// The same where `None` is the root.
    pub(crate) fn io_at(doing: &'static str, path: Option<&FilePath>) -> impl FnOnce(io::Error) -> Self + use<> {
        let path = path.cloned();
        move |source| Self::Io { doing, path, source }
    }
}
