//! What is kept of a landing under the root, in a folder of our own.
//!
//! ```text
//! .treegraft/
//!   .gitignore          `*`: none of this belongs into a history
//!   lock                held while a landing writes
//!   pending/            the landing that is under way, or was when the process ended
//!     manifest          what it changes; from the moment it is there, files may be changed
//!     0, 1, ...         the old content of the first, second, ... changed file
//!   landings/12/        the same of a landing that came to its end, for `undo`
//! ```
//!
//! Nothing here is believed: a repository may come with such a folder. Paths in a manifest pass the check that paths of
//! a reply pass, old contents are compared with their hashes, and links in place of folders are refused.

use std::io;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::error::Error;
use crate::files::{Attributes, Entry, Last, Node, Store};
use crate::path::FilePath;

/// The version of the manifest; raised when a field changes its meaning.
const VERSION: u32 = 1;

/// Largest manifest in bytes that is read. It is written by us, at a few hundred bytes a file.
const LARGEST_MANIFEST: usize = 64 << 20;

/// Largest file in bytes that is read to be compared or put back. Larger ones can't be landed, and so not be undone.
pub(crate) const LARGEST_FILE: usize = 1 << 30;

/// What stands in `.treegraft/.gitignore`.
const GITIGNORE: &[u8] = b"*\n";

/// A file or link without its content: what it takes to know it again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum State {
    /// A file.
    File {
        /// SHA-256 of the content, in hexadecimal digits.
        sha256: String,
        /// Size in bytes.
        bytes: u64,
        /// As [`Attributes::mode`]; `None` if it was left to the system.
        mode: Option<u32>,
        /// As [`Attributes::owner`].
        owner: Option<(u32, u32)>,
    },
    /// A symbolic link.
    Link {
        /// What is written in it.
        target: String,
    },
}

impl State {
    /// Describes a file or link.
    pub(crate) fn of(node: &Node) -> Self {
        match node {
            Node::File { content, attributes } => Self::File {
                sha256: sha256(content),
                bytes: content.len() as u64,
                mode: attributes.map(|attributes| attributes.mode),
                owner: attributes.and_then(|attributes| attributes.owner),
            },
            Node::Link { target } => Self::Link { target: target.clone() },
        }
    }

    /// Says whether `now` is what this describes. An owner can't always be kept, so it doesn't count; nor does a mode
    /// that was left to the system.
    pub(crate) fn is(&self, now: &Self) -> bool {
        match (self, now) {
            (
                Self::File { sha256, bytes, mode, .. },
                Self::File { sha256: sha256_now, bytes: bytes_now, mode: mode_now, .. },
            ) => sha256 == sha256_now && bytes == bytes_now && (mode.is_none() || mode == mode_now),
            (Self::Link { target }, Self::Link { target: target_now }) => target == target_now,
            _ => false,
        }
    }
}

/// Says whether `now` is what `wanted` describes, where `None` is nothing at all.
pub(crate) fn is(wanted: Option<&State>, now: Option<&State>) -> bool {
    match (wanted, now) {
        (None, None) => true,
        (Some(wanted), Some(now)) => wanted.is(now),
        _ => false,
    }
}

/// One file of a landing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Recorded {
    pub(crate) path: FilePath,
    pub(crate) before: Option<State>,
    pub(crate) after: Option<State>,
}

/// What a landing changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Manifest {
    v: u32,
    /// Its number; rising.
    pub(crate) id: u64,
    /// When it was begun, in seconds since 1970.
    pub(crate) time: u64,
    /// The landing that it takes back, if it is an undo.
    pub(crate) undoes: Option<u64>,
    pub(crate) changes: Vec<Recorded>,
    /// Folders that it makes, the outer ones first.
    pub(crate) made_folders: Vec<FilePath>,
}

impl Manifest {
    pub(crate) fn new(
        id: u64,
        time: u64,
        undoes: Option<u64>,
        changes: Vec<Recorded>,
        made_folders: Vec<FilePath>,
    ) -> Self {
        Self { v: VERSION, id, time, undoes, changes, made_folders }
    }

    /// Names the temporary file with the new content of a change, beside its file. It is there until it takes the place.
    pub(crate) fn temporary(&self, change: usize) -> FilePath {
        self.beside(change, "new")
    }

    /// Names the one with the old content, when the landing is rolled back.
    pub(crate) fn old_temporary(&self, change: usize) -> FilePath {
        self.beside(change, "old")
    }

    fn beside(&self, change: usize, what: &str) -> FilePath {
        let name = format!("{}{what}-{}-{change}", crate::path::OWN_TEMPORARY, self.id);
        self.changes[change].path.beside(&name)
    }

    /// Writes it into `folder`, all of it or nothing. What else was put there is there for good then, too.
    pub(crate) fn write(&self, store: &dyn Store, folder: &FilePath) -> Result<(), Error> {
        let path = manifest_of(folder);
        let content = serde_json::to_vec(self).map_err(|error| Error::io("write", &path)(error.into()))?;
        let new = folder.child("manifest.new");
        store.create(&new, &Node::File { content, attributes: None }).map_err(Error::io("write", &new))?;
        store.rename(&new, &path).map_err(Error::io("write", &path))?;
        sync(store, folder)
    }

    /// Reads the one in `folder`; `None` if there is none.
    pub(crate) fn read(store: &dyn Store, folder: &FilePath) -> Result<Option<Self>, Error> {
        let path = manifest_of(folder);
        match store.entry(&path).map_err(Error::io("read", &path))? {
            Entry::Missing => return Ok(None),
            Entry::File { .. } => {}
            _ => return Err(damaged(&path, "it is no file")),
        }
        let bytes = match store.read(&path, LARGEST_MANIFEST) {
            // Another landing has forgotten it a moment ago.
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            bytes => bytes.map_err(Error::io("read", &path))?,
        };
        let manifest: Self = serde_json::from_slice(&bytes).map_err(|error| damaged(&path, error.to_string()))?;
        if manifest.v != VERSION {
            return Err(damaged(&path, format!("version {} is not known here", manifest.v)));
        }
        Ok(Some(manifest))
    }
}

/// Names the manifest of a landing.
pub(crate) fn manifest_of(folder: &FilePath) -> FilePath {
    folder.child("manifest")
}

/// Names the folder of the landing that is under way.
pub(crate) fn pending() -> FilePath {
    FilePath::own("pending")
}

/// Names the folder of the landings that came to their end.
pub(crate) fn landings() -> FilePath {
    FilePath::own("landings")
}

/// Names the folder of one of them.
pub(crate) fn landing(id: u64) -> FilePath {
    landings().child(&id.to_string())
}

/// Names the old content of a change.
pub(crate) fn old_content(folder: &FilePath, change: usize) -> FilePath {
    folder.child(&change.to_string())
}

/// Makes our own folder, as far as it isn't there.
pub(crate) fn make_own_folder(store: &dyn Store) -> Result<(), Error> {
    let own = FilePath::own_folder();
    if !is_folder(store, &own)? {
        match store.make_folder(&own) {
            // Another landing was faster.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            made => made.map_err(Error::io("make", &own))?,
        }
    }
    Ok(())
}

/// Fills our own folder, as far as that isn't done. The root is held.
pub(crate) fn fill_own_folder(store: &dyn Store) -> Result<(), Error> {
    let ignore = FilePath::own(".gitignore");
    let failed = || Error::io("write", &ignore);
    let is_whole = match store.entry(&ignore).map_err(failed())? {
        Entry::Missing => false,
        Entry::File { len, .. } if len == GITIGNORE.len() as u64 => true,
        _ => {
            store.remove(&ignore).map_err(failed())?;
            false
        }
    };
    if !is_whole {
        store.create(&ignore, &Node::File { content: GITIGNORE.into(), attributes: None }).map_err(failed())?;
    }
    if !is_folder(store, &landings())? {
        store.make_folder(&landings()).map_err(Error::io("make", &landings()))?;
    }
    sync(store, &FilePath::own_folder())?;
    store.sync_folder(None).map_err(Error::io_at("sync", None))
}

/// Says whether a folder of ours is there. A link in its place is refused: what is cleared there would be cleared
/// elsewhere.
pub(crate) fn is_folder(store: &dyn Store, path: &FilePath) -> Result<bool, Error> {
    match store.entry(path).map_err(Error::io("read", path))? {
        Entry::Missing => Ok(false),
        Entry::Folder => Ok(true),
        _ => Err(damaged(path, "it is no folder")),
    }
}

/// Removes the folder of a landing. The manifest goes first, for good: a landing that is listed can be undone.
pub(crate) fn clear(store: &dyn Store, folder: &FilePath) -> Result<(), Error> {
    let failed = |path: &FilePath| Error::io("remove", path);
    let manifest = manifest_of(folder);
    if store.entry(&manifest).map_err(failed(&manifest))? != Entry::Missing {
        store.remove(&manifest).map_err(failed(&manifest))?;
        sync(store, folder)?;
    }
    for name in store.names(Some(folder)).map_err(failed(folder))? {
        let path = folder.child(&name);
        store.remove(&path).map_err(failed(&path))?;
    }
    store.remove_folder(folder).map_err(failed(folder))?;
    folder.parent().map_or(Ok(()), |parent| sync(store, &parent))
}

/// Lists the numbers of the landings that are kept, rising.
pub(crate) fn numbers(store: &dyn Store) -> Result<Vec<u64>, Error> {
    let landings = landings();
    if !is_folder(store, &FilePath::own_folder())? || !is_folder(store, &landings)? {
        return Ok(Vec::new());
    }
    let names = store.names(Some(&landings)).map_err(Error::io("read", &landings))?;
    let mut numbers: Vec<u64> =
        names.iter().filter_map(|name| name.parse().ok().filter(|number: &u64| number.to_string() == *name)).collect();
    numbers.sort_unstable();
    Ok(numbers)
}

/// Reads the old content of a change and compares it with what the manifest says.
pub(crate) fn read_old(store: &dyn Store, folder: &FilePath, change: usize, state: &State) -> Result<Node, Error> {
    match state {
        State::Link { target } => Ok(Node::Link { target: target.clone() }),
        State::File { mode, owner, .. } => {
            let path = old_content(folder, change);
            let content = store.read(&path, LARGEST_FILE).map_err(Error::io("read", &path))?;
            let attributes = mode.map(|mode| Attributes { mode: mode & 0o7777, owner: *owner });
            let node = Node::File { content, attributes };
            if State::of(&node).is(state) { Ok(node) } else { Err(damaged(&path, "it is not what was kept")) }
        }
    }
}

/// Reads what stands under a path now. A folder or a device there, or a link on the way, is a change like any other.
pub(crate) fn now(store: &dyn Store, path: &FilePath) -> Result<Option<Node>, Error> {
    let changed = || Error::Changed { path: path.clone() };
    match store.resolve(path, Last::Kept) {
        Ok(real) if real == *path => {}
        Err(error @ Error::Io { .. }) => return Err(error),
        _ => return Err(changed()),
    }
    match store.entry(path).map_err(Error::io("read", path))? {
        Entry::Missing => Ok(None),
        Entry::Link { target } => Ok(Some(Node::Link { target })),
        Entry::File { attributes, .. } => match store.read(path, LARGEST_FILE) {
            Ok(content) => Ok(Some(Node::File { content, attributes: Some(attributes) })),
            // It was there a moment ago.
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::FileTooLarge) => {
                Err(changed())
            }
            Err(error) => Err(Error::io("read", path)(error)),
        },
        _ => Err(changed()),
    }
}

pub(crate) fn sync(store: &dyn Store, folder: &FilePath) -> Result<(), Error> {
    store.sync_folder(Some(folder)).map_err(Error::io("sync", folder))
}

pub(crate) fn damaged(path: &FilePath, what: impl Into<String>) -> Error {
    Error::Damaged { path: path.clone(), what: what.into() }
}

fn sha256(content: &[u8]) -> String {
    use std::fmt::Write as _;
    Sha256::digest(content).iter().fold(String::with_capacity(64), |mut digits, byte| {
        let _ = write!(digits, "{byte:02x}");
        digits
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_the_known_ones() {
        assert_eq!(sha256(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }

    #[test]
    fn a_mode_left_to_the_system_and_an_owner_do_not_count() {
        let file = |mode, owner| State::File { sha256: "x".into(), bytes: 1, mode, owner };
        assert!(file(None, None).is(&file(Some(0o644), Some((1, 1)))));
        assert!(file(Some(0o644), None).is(&file(Some(0o644), Some((1, 1)))));
        assert!(!file(Some(0o600), None).is(&file(Some(0o644), None)));
        assert!(!file(None, None).is(&State::Link { target: "x".into() }));
    }
}
