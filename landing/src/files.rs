//! Where files are kept, as little as a landing has to know of it.
//!
//! [`Files`] is what planning reads. [`Store`] is what committing needs beside that: a lock, and six steps, each of which either
//! happens or doesn't. The transaction is built of these alone, so that it holds for every store, and a store can be
//! made to fail at each of them.
//!
//! A folder is an `Option<&FilePath>`: `None` is the root.

use std::fmt;
use std::io;

use crate::error::Error;
use crate::path::FilePath;

/// What stands under a path; links are not followed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Entry {
    /// Nothing.
    Missing,
    /// A file.
    File {
        /// Who may do what with it.
        attributes: Attributes,
        /// Its size in bytes.
        len: u64,
    },
    /// A symbolic link.
    Link {
        /// What is written in it.
        target: String,
    },
    /// A folder.
    Folder,
    /// A pipe, a socket or a device, or a link that can't be read.
    Other,
}

/// Who may do what with a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Attributes {
    /// The twelve bits of Unix. Elsewhere `0o644`, or `0o444` for a read-only file.
    pub mode: u32,
    /// User and group, where there are such. Kept where the system lets us, and never compared.
    pub owner: Option<(u32, u32)>,
}

impl Attributes {
    /// Says whether it has no write bit at all.
    #[must_use]
    pub fn is_read_only(self) -> bool {
        self.mode & 0o222 == 0
    }
}

/// A file or a link with all that is put back when it is restored.
#[derive(Clone, PartialEq, Eq)]
pub enum Node {
    /// A file.
    File {
        /// Its bytes.
        content: Vec<u8>,
        /// Who may do what with it; `None` for what new files have.
        attributes: Option<Attributes>,
    },
    /// A symbolic link.
    Link {
        /// What is written in it.
        target: String,
    },
}

impl fmt::Debug for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File { content, attributes } => f
                .debug_struct("File")
                .field("content", &content.escape_ascii().to_string())
                .field("attributes", attributes)
                .finish(),
            Self::Link { target } => f.debug_struct("Link").field("target", target).finish(),
        }
    }
}

/// Whether a link in the last place of a path is followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Last {
    /// Yes: the file is meant.
    Followed,
    /// No: the link itself is meant.
    Kept,
}

/// Files to plan on.
pub trait Files: Sync {
    /// Follows links: gives the path without links of what `path` names, which need not exist.
    ///
    /// # Errors
    ///
    /// [`Error::LinkOut`], [`Error::LinkToNothing`]; [`Error::NotAFolder`] if a file stands in a folder's place;
    /// [`Error::Io`].
    fn resolve(&self, path: &FilePath, last: Last) -> Result<FilePath, Error>;

    /// Says what stands under a path without links.
    ///
    /// # Errors
    ///
    /// What the system says. That there is nothing is no error.
    fn entry(&self, path: &FilePath) -> io::Result<Entry>;

    /// Reads the file under a path without links.
    ///
    /// # Errors
    ///
    /// What the system says; [`io::ErrorKind::FileTooLarge`] over `limit` bytes.
    fn read(&self, path: &FilePath, limit: usize) -> io::Result<Vec<u8>>;

    /// Lists the names in a folder, in any order; names that aren't text are left out.
    ///
    /// # Errors
    ///
    /// What the system says; [`io::ErrorKind::NotFound`] if there is no such folder.
    fn names(&self, folder: Option<&FilePath>) -> io::Result<Vec<String>>;
}

/// Files to commit to. Paths are without links; a step that meets a link where a folder should be fails.
pub trait Store: Files {
    /// Takes the root for one landing alone, until what is given is dropped or the process ends.
    ///
    /// # Errors
    ///
    /// [`Error::Locked`] if another landing has it and does not end in a while; [`Error::Io`].
    fn lock(&self) -> Result<Lock<'_>, Error>;

    /// Makes a file or link that isn't there, and syncs its content. A failure may leave a part of it.
    ///
    /// # Errors
    ///
    /// What the system says; [`io::ErrorKind::AlreadyExists`] if something is there.
    fn create(&self, path: &FilePath, node: &Node) -> io::Result<()>;

    /// Renames a file, link or folder; a file or link of the new name is superseded at that moment.
    ///
    /// # Errors
    ///
    /// What the system says.
    fn rename(&self, from: &FilePath, to: &FilePath) -> io::Result<()>;

    /// Removes a file or link.
    ///
    /// # Errors
    ///
    /// What the system says.
    fn remove(&self, path: &FilePath) -> io::Result<()>;

    /// Makes a folder in one that is there.
    ///
    /// # Errors
    ///
    /// What the system says; [`io::ErrorKind::AlreadyExists`] if something is there.
    fn make_folder(&self, path: &FilePath) -> io::Result<()>;

    /// Removes an empty folder.
    ///
    /// # Errors
    ///
    /// What the system says; [`io::ErrorKind::DirectoryNotEmpty`].
    fn remove_folder(&self, path: &FilePath) -> io::Result<()>;

    /// Makes the names in a folder survive a crash of the machine, as far as the system can.
    ///
    /// # Errors
    ///
    /// What the system says.
    fn sync_folder(&self, folder: Option<&FilePath>) -> io::Result<()>;
}

/// A root that is held; dropped, it is free.
pub struct Lock<'a>(#[expect(dead_code, reason = "it is held for its drop alone")] Box<dyn Held + 'a>);

impl<'a> Lock<'a> {
    /// Holds the root as long as `guard` lives.
    pub fn new(guard: impl Held + 'a) -> Self {
        Self(Box::new(guard))
    }
}

impl fmt::Debug for Lock<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Lock")
    }
}

/// Anything that frees a root when it is dropped.
pub trait Held {}

impl<T> Held for T {}
