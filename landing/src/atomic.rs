//! Puts a file on disk: all of it or none, never over someone else's work. The one place that writes.
//!
//! [`in_place`] and [`output`] write one file that a user named, wherever it is. [`create`] is the step that they share
//! with a landing ([`crate::Disk`]), which writes many below one root.
//!
//! # Algorithm
//!
//! 1. Links are followed to the file they lead to; it is that file which is replaced, the links stay.
//! 2. A file without a write bit is refused, also for root, who could.
//! 3. The result is written to a temporary file in the same folder, given the old file's mode and, where the
//!    system lets us, its owner, and synced to the disk.
//! 4. The file is read once more: if it is not what the edit was made from, it is left alone.
//! 5. The temporary file is renamed over it, and the folder is synced.
//!
//! # Limits
//!
//! Between step 4 and step 5 lies no lock, only a few microseconds. Renaming breaks hard links: the file's other
//! names keep the old content. Extended attributes and access control lists are not copied. A process that is
//! killed between step 3 and step 5 leaves its temporary file, `.treegraft-*`, behind.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use cap_std::ambient_authority;
use cap_std::fs::Dir;

use crate::files::Attributes;
use crate::path::OWN_TEMPORARY;

/// How many links a path may lead through, as Linux has it.
const MAX_LINKS: usize = 40;

/// How many names are tried for a temporary file. Another process takes a name only if it died with our process number.
const MAX_NAMES: usize = 1000;

/// What became of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum Written {
    /// It has the new content.
    Yes,
    /// It had that content already and was not touched.
    Unchanged,
}

/// Why a file was not written; it is as it was.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// It is something else than a file.
    #[error("this is {what}, which cannot be replaced by a file")]
    NotAFile {
        /// What it is: "a folder", or "a pipe, a socket or a device".
        what: &'static str,
    },
    /// It has no write bit, or the system would not let us write it.
    #[error("the file is read-only")]
    ReadOnly,
    /// It is not what was read.
    #[error("the file changed since it was read")]
    Changed {
        /// How.
        how: &'static str,
    },
    /// The folder that it should be made in is not there.
    #[error("no such folder")]
    NoFolder {
        /// The folder.
        folder: PathBuf,
    },
    /// The system failed to read or write it.
    #[error("cannot {doing} it")]
    Io {
        /// What was tried: "read" or "write".
        doing: &'static str,
        /// What the system said.
        source: io::Error,
    },
}

/// Replaces the content of the file `path`, which was `read` when the edit was made.
///
/// # Errors
///
/// [`WriteError`]; the file is as it was.
pub fn in_place(path: &Path, read: &[u8], new: &[u8]) -> Result<Written, WriteError> {
    let metadata = existing(path)?.ok_or(WriteError::Changed { how: "it is gone" })?;
    let target = resolve(path)?;
    if read == new {
        check_same(&target, read)?;
        return Ok(Written::Unchanged);
    }
    check_writable(&target, &metadata)?;
    let temporary = Temporary::beside(&target, new, Some(&metadata))?;
    check_same(&target, read)?;
    temporary.persist()?;
    Ok(Written::Yes)
}

/// Writes the file `path`, new or not.
///
/// # Errors
///
/// [`WriteError`]; the file is as it was.
pub fn output(path: &Path, new: &[u8]) -> Result<Written, WriteError> {
    let metadata = existing(path)?;
    let target = resolve(path)?;
    if let Some(metadata) = &metadata {
        if has_content(&target, new).map_err(|source| WriteError::Io { doing: "read", source })? {
            return Ok(Written::Unchanged);
        }
        check_writable(&target, metadata)?;
    }
    Temporary::beside(&target, new, metadata.as_ref())?.persist()?;
    Ok(Written::Yes)
}

/// Makes the file `path` in `folder`, which must not be there, and syncs its content. Without attributes it has those
/// of any new file.
pub(crate) fn create(folder: &Dir, path: &Path, content: &[u8], attributes: Option<Attributes>) -> io::Result<()> {
    let mut options = cap_std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    if attributes.is_some() {
        // Nobody else may read it before it has its own mode.
        make_private(&mut options);
    }
    let mut file = folder.open_with(path, &options)?.into_std();
    file.write_all(content)?;
    if let Some(attributes) = attributes {
        set_attributes(&file, attributes)?;
    }
    file.sync_all()
}

/// Syncs the names in the folder `path` of `folder`.
#[cfg(unix)]
pub(crate) fn sync_folder(folder: &Dir, path: &Path) -> io::Result<()> {
    // Opened as a file, because a `Dir` may hold its folder in a way that is good for names alone.
    match folder.open(path)?.sync_all() {
        // Not every file system can.
        Err(error) if matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported) => Ok(()),
        synced => synced,
    }
}

/// Windows keeps names itself.
#[cfg(not(unix))]
pub(crate) fn sync_folder(_folder: &Dir, _path: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(unix)]
pub(crate) fn attributes(metadata: &cap_std::fs::Metadata) -> Attributes {
    use cap_std::fs::MetadataExt as _;
    Attributes { mode: metadata.mode() & 0o7777, owner: Some((metadata.uid(), metadata.gid())) }
}

#[cfg(not(unix))]
pub(crate) fn attributes(metadata: &cap_std::fs::Metadata) -> Attributes {
    Attributes { mode: if metadata.permissions().readonly() { 0o444 } else { 0o644 }, owner: None }
}

#[cfg(unix)]
fn make_private(options: &mut cap_std::fs::OpenOptions) {
    use cap_std::fs::OpenOptionsExt as _;
    options.mode(0o600);
}

#[cfg(not(unix))]
fn make_private(_options: &mut cap_std::fs::OpenOptions) {}

/// Gives a file its mode, and its owner and group, or at least its group. Only root may give files away, and a
/// file that changes hands is better than an edit that can't be made. The mode comes last, because a new owner
/// takes the set-user-id bit off.
#[cfg(unix)]
fn set_attributes(file: &File, attributes: Attributes) -> io::Result<()> {
    use std::os::unix::fs::{PermissionsExt as _, fchown};
    if let Some((user, group)) = attributes.owner
        && fchown(file, Some(user), Some(group)).is_err()
    {
        let _ = fchown(file, None, Some(group));
    }
    file.set_permissions(fs::Permissions::from_mode(attributes.mode))
}

#[cfg(not(unix))]
fn set_attributes(file: &File, attributes: Attributes) -> io::Result<()> {
    let mut permissions = file.metadata()?.permissions();
    permissions.set_readonly(attributes.is_read_only());
    file.set_permissions(permissions)
}

/// A file beside its target that vanishes unless it takes the target's place.
struct Temporary {
    folder: Dir,
    name: PathBuf,
    target: PathBuf,
}

impl Temporary {
    /// Writes a file beside `target`, with the mode and owner of the file it will supersede.
    fn beside(target: &Path, new: &[u8], old: Option<&Metadata>) -> Result<Self, WriteError> {
        let folder_path = match target.parent() {
            Some(parent) if parent != Path::new("") => parent,
            _ => Path::new("."),
        };
        let failed = |source: io::Error| match source.kind() {
            io::ErrorKind::NotFound => WriteError::NoFolder { folder: folder_path.to_owned() },
            _ => WriteError::Io { doing: "write", source },
        };
        let folder = Dir::open_ambient_dir(folder_path, ambient_authority()).map_err(failed)?;
        let old = old.map(|old| attributes(&cap_std::fs::Metadata::from_just_metadata(old.clone())));
        let target = target.file_name().ok_or(WriteError::NotAFile { what: "a folder" })?.into();
        for n in 0..MAX_NAMES {
            let name = PathBuf::from(format!("{OWN_TEMPORARY}{}-{n}", std::process::id()));
            match create(&folder, &name, new, old) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                made => {
                    // Made before it is asked how that went, so that a part of it vanishes, too.
                    let temporary = Self { folder, name, target };
                    return made.map(|()| temporary).map_err(failed);
                }
            }
        }
        Err(failed(io::ErrorKind::AlreadyExists.into()))
    }

    fn persist(mut self) -> Result<(), WriteError> {
        let failed = |source| WriteError::Io { doing: "write", source };
        self.folder.rename(&self.name, &self.folder, &self.target).map_err(failed)?;
        self.name = PathBuf::new();
        // So that the new name survives a crash; the content is safe either way.
        let _ = sync_folder(&self.folder, Path::new("."));
        Ok(())
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if self.name != Path::new("") {
            let _ = self.folder.remove_file(&self.name);
        }
    }
}

/// Follows links to the file they lead to, which need not exist.
fn resolve(path: &Path) -> Result<PathBuf, WriteError> {
    let mut target = path.to_owned();
    for _ in 0..MAX_LINKS {
        match fs::read_link(&target) {
            Ok(link) => target = target.parent().unwrap_or(Path::new("")).join(link),
            Err(_) => return Ok(target),
        }
    }
    Err(WriteError::Io { doing: "write", source: io::Error::other("too many links, or links in a circle") })
}

/// Gives the metadata of a file that may be replaced, at the end of its links; `None` where there is none.
fn existing(path: &Path) -> Result<Option<Metadata>, WriteError> {
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_file() => Ok(Some(metadata)),
        Ok(metadata) => Err(WriteError::NotAFile {
            what: if metadata.is_dir() { "a folder" } else { "a pipe, a socket or a device" },
        }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(source) => Err(WriteError::Io { doing: "write", source }),
    }
}

/// Refuses a file without a write bit, and one that the system would not let us write.
fn check_writable(target: &Path, metadata: &Metadata) -> Result<(), WriteError> {
    if metadata.permissions().readonly() {
        return Err(WriteError::ReadOnly);
    }
    // Opening changes nothing; it is asked for its answer alone, since a rename would not ask.
    match OpenOptions::new().write(true).open(target) {
        Ok(_) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Err(WriteError::ReadOnly),
        Err(source) => Err(WriteError::Io { doing: "write", source }),
    }
}

/// Refuses a file that is not what was read.
fn check_same(target: &Path, read: &[u8]) -> Result<(), WriteError> {
    match has_content(target, read) {
        Ok(true) => Ok(()),
        Ok(false) => Err(WriteError::Changed { how: "its content is another now" }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(WriteError::Changed { how: "it is gone" }),
        Err(source) => Err(WriteError::Io { doing: "read", source }),
    }
}

/// Compares a file with `content`, without reading it into memory. A new time stamp or a new inode alone is no
/// change: the edit still fits.
fn has_content(path: &Path, content: &[u8]) -> io::Result<bool> {
    let mut file = File::open(path)?;
    let metadata = file.metadata()?;
    if !metadata.is_file() || metadata.len() != content.len() as u64 {
        return Ok(false);
    }
    let mut buffer = vec![0; 64 << 10];
    let mut rest = content;
    loop {
        let n_read = match file.read(&mut buffer) {
            Ok(n_read) => n_read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        match rest.split_at_checked(n_read) {
            Some((_, [])) if n_read == 0 => return Ok(true),
            Some((head, tail)) if n_read > 0 && head == &buffer[..n_read] => rest = tail,
            _ => return Ok(false),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(content: &str) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        fs::write(&path, content).unwrap();
        (folder, path)
    }

    #[allow(clippy::needless_pass_by_value, reason = "it is handed what was just given")]
    fn code(result: Result<Written, WriteError>) -> &'static str {
        match result {
            Ok(_) => "written",
            Err(WriteError::NotAFile { .. }) => "not_a_file",
            Err(WriteError::ReadOnly) => "read_only",
            Err(WriteError::Changed { .. }) => "file_changed",
            Err(WriteError::NoFolder { .. }) => "no_folder",
            Err(WriteError::Io { .. }) => "io",
        }
    }

    fn n_files(folder: &Path) -> usize {
        fs::read_dir(folder).unwrap().count()
    }

    #[test]
    fn a_file_that_changed_is_left_alone() {
        let (folder, path) = file("theirs\n");
        assert_eq!(code(in_place(&path, b"read\n", b"ours\n")), "file_changed");
        assert_eq!(code(in_place(&path, b"their2\n", b"ours\n")), "file_changed", "the same length");
        assert_eq!(fs::read(&path).unwrap(), b"theirs\n");
        fs::remove_file(&path).unwrap();
        assert_eq!(code(in_place(&path, b"theirs\n", b"ours\n")), "file_changed");
        assert_eq!(n_files(folder.path()), 0, "no temporary file is left behind");
    }

    #[test]
    fn equal_content_is_not_written() {
        let (_folder, path) = file("same\n");
        let before = fs::metadata(&path).unwrap();
        assert_eq!(in_place(&path, b"same\n", b"same\n").unwrap(), Written::Unchanged);
        assert_eq!(output(&path, b"same\n").unwrap(), Written::Unchanged);
        assert_eq!(fs::metadata(&path).unwrap().modified().unwrap(), before.modified().unwrap());
        assert_eq!(in_place(&path, b"same\n", b"other\n").unwrap(), Written::Yes);
        assert_eq!(fs::read(&path).unwrap(), b"other\n");
    }

    #[test]
    fn large_files_are_compared_to_their_end() {
        let old = vec![b'a'; 200 << 10];
        let (_folder, path) = file(std::str::from_utf8(&old).unwrap());
        assert!(has_content(&path, &old).unwrap());
        let mut other = old.clone();
        *other.last_mut().unwrap() = b'b';
        assert!(!has_content(&path, &other).unwrap());
        assert!(!has_content(&path, &old[1..]).unwrap());
    }

    #[cfg(unix)]
    mod unix {
        use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};

        use super::*;

        fn set_mode(path: &Path, mode: u32) {
            fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
        }

        #[test]
        fn the_mode_and_the_owner_stay() {
            let (_folder, path) = file("a\n");
            for mode in [0o600, 0o755, 0o664] {
                set_mode(&path, mode);
                let old = fs::metadata(&path).unwrap();
                let read = fs::read(&path).unwrap();
                assert_eq!(code(in_place(&path, &read, format!("{mode}").as_bytes())), "written");
                let new = fs::metadata(&path).unwrap();
                assert_eq!((new.mode(), new.uid(), new.gid()), (old.mode(), old.uid(), old.gid()));
            }
        }

        #[test]
        fn a_read_only_file_is_refused_whoever_asks() {
            let (folder, path) = file("a\n");
            set_mode(&path, 0o444);
            assert_eq!(code(in_place(&path, b"a\n", b"b\n")), "read_only");
            assert_eq!(code(output(&path, b"b\n")), "read_only");
            assert_eq!(fs::read(&path).unwrap(), b"a\n");
            assert_eq!(n_files(folder.path()), 1);
        }

        #[test]
        fn links_are_followed_and_stay() {
            let (folder, path) = file("a\n");
            let inner = folder.path().join("inner");
            fs::create_dir(&inner).unwrap();
            let (link, chain) = (inner.join("link"), folder.path().join("chain"));
            symlink("../a.txt", &link).unwrap();
            symlink("inner/link", &chain).unwrap();
            assert_eq!(code(in_place(&chain, b"a\n", b"b\n")), "written");
            assert_eq!(fs::read(&path).unwrap(), b"b\n");
            assert!(fs::symlink_metadata(&chain).unwrap().is_symlink());
            assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
            assert_eq!(n_files(&inner), 1);
        }

        #[test]
        fn a_link_to_nothing_makes_the_file_it_names() {
            let folder = tempfile::tempdir().unwrap();
            let link = folder.path().join("link");
            symlink("new.txt", &link).unwrap();
            assert_eq!(code(output(&link, b"x")), "written");
            assert_eq!(fs::read(folder.path().join("new.txt")).unwrap(), b"x");
            assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        }

        #[test]
        fn links_in_a_circle_end() {
            let folder = tempfile::tempdir().unwrap();
            let link = folder.path().join("link");
            symlink("link", &link).unwrap();
            assert_eq!(code(output(&link, b"x")), "io");
        }

        #[test]
        fn a_new_file_has_the_mode_new_files_have() {
            let folder = tempfile::tempdir().unwrap();
            let (ours, plain) = (folder.path().join("ours"), folder.path().join("plain"));
            assert_eq!(code(output(&ours, b"x")), "written");
            fs::write(&plain, b"x").unwrap();
            assert_eq!(fs::metadata(&ours).unwrap().mode(), fs::metadata(&plain).unwrap().mode());
        }

        #[test]
        fn folders_and_devices_are_refused() {
            let folder = tempfile::tempdir().unwrap();
            assert_eq!(code(output(folder.path(), b"x")), "not_a_file");
            assert_eq!(code(output(Path::new("/dev/null"), b"x")), "not_a_file");
            assert_eq!(code(output(&folder.path().join("no/such"), b"x")), "no_folder");
        }
    }
}
