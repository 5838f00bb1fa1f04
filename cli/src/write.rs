//! Puts a result on disk: all of it or none, never over someone else's work.
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

use tempfile::NamedTempFile;

use crate::diagnostic::Diagnostic;
use crate::terminal::{BOLD, Screen};

/// How many links a path may lead through, as Linux has it.
const MAX_LINKS: usize = 40;

/// What became of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub(crate) enum Written {
    /// It has the new content.
    Yes,
    /// It had that content already and was not touched.
    Unchanged,
}

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
    let metadata = existing(path)?.ok_or_else(|| changed(path, "it is gone"))?;
    let target = resolve(path)?;
    if read == new {
        check_same(path, &target, read)?;
        return Ok(Written::Unchanged);
    }
    check_writable(path, &target, &metadata)?;
    let temporary = prepare(&target, new, Some(&metadata))?;
    check_same(path, &target, read)?;
    persist(temporary, &target)?;
    Ok(Written::Yes)
}

/// Writes the file `path`, new or not.
pub(crate) fn output(path: &Path, new: &[u8]) -> Result<Written, Diagnostic> {
    let metadata = existing(path)?;
    let target = resolve(path)?;
    if let Some(metadata) = &metadata {
        if has_content(&target, new).map_err(|error| Diagnostic::io("read", path, &error))? {
            return Ok(Written::Unchanged);
        }
        check_writable(path, &target, metadata)?;
    }
    persist(prepare(&target, new, metadata.as_ref())?, &target)?;
    Ok(Written::Yes)
}

/// Says whether two paths lead to the same existing file.
pub(crate) fn is_same_file(one: &Path, other: &Path) -> bool {
    matches!((fs::canonicalize(one), fs::canonicalize(other)), (Ok(one), Ok(other)) if one == other)
}

/// Follows links to the file they lead to, which need not exist.
fn resolve(path: &Path) -> Result<PathBuf, Diagnostic> {
    let mut target = path.to_owned();
    for _ in 0..MAX_LINKS {
        match fs::read_link(&target) {
            Ok(link) => target = target.parent().unwrap_or(Path::new("")).join(link),
            Err(_) => return Ok(target),
        }
    }
    Err(Diagnostic::error("io", "too many links, or links in a circle").at(path.display().to_string()))
}

/// Gives the metadata of a file that may be replaced, at the end of its links; `None` where there is none.
fn existing(path: &Path) -> Result<Option<Metadata>, Diagnostic> {
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_file() => Ok(Some(metadata)),
        Ok(metadata) => {
            let what = if metadata.is_dir() { "a folder" } else { "a pipe, a socket or a device" };
            Err(Diagnostic::error("not_a_file", format!("this is {what}, which cannot be replaced by a file"))
                .at(path.display().to_string())
                .help("name a file, or use --print for standard output"))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Diagnostic::io("write", path, &error)),
    }
}

/// Refuses a file without a write bit, and one that the system would not let us write.
fn check_writable(path: &Path, target: &Path, metadata: &Metadata) -> Result<(), Diagnostic> {
    let read_only = || {
        Diagnostic::error("read_only", "the file is read-only")
            .at(path.display().to_string())
            .help("make it writable first (chmod u+w), or write elsewhere with --output FILE")
    };
    if metadata.permissions().readonly() {
        return Err(read_only());
    }
    // Opening changes nothing; it is asked for its answer alone, since a rename would not ask.
    match OpenOptions::new().write(true).open(target) {
        Ok(_) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Err(read_only()),
        Err(error) => Err(Diagnostic::io("write", path, &error)),
    }
}

/// Refuses a file that is not what was read.
fn check_same(path: &Path, target: &Path, read: &[u8]) -> Result<(), Diagnostic> {
    match has_content(target, read) {
        Ok(true) => Ok(()),
        Ok(false) => Err(changed(path, "its content is another now")),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(changed(path, "it is gone")),
        Err(error) => Err(Diagnostic::io("read", path, &error)),
    }
}

fn changed(path: &Path, how: &str) -> Diagnostic {
    Diagnostic::error("file_changed", "the file changed since it was read")
        .at(path.display().to_string())
        .detail(how)
        .help("nothing was written; run the command again to merge into the file as it is now")
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

/// Writes a temporary file beside `target`, with the mode and owner of the file it will supersede.
fn prepare(target: &Path, new: &[u8], old: Option<&Metadata>) -> Result<NamedTempFile, Diagnostic> {
    let failed = |error: &io::Error| {
        let told = Diagnostic::io("write", target, error);
        match error.kind() {
            io::ErrorKind::NotFound => {
                Diagnostic::error("not_found", "no such folder").at(folder(target).display().to_string())
            }
            io::ErrorKind::PermissionDenied => {
                told.help("the folder has to be writable: the file is replaced by a new one")
            }
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                told.help("the file is as it was; make room and try again")
            }
            _ => told,
        }
    };
    let mut builder = tempfile::Builder::new();
    builder.prefix(".treegraft-");
    if old.is_none() {
        open_as_new_file(&mut builder);
    }
    let mut temporary = builder.tempfile_in(folder(target)).map_err(|error| failed(&error))?;
    temporary.write_all(new).map_err(|error| failed(&error))?;
    if let Some(old) = old {
        keep_owner(temporary.as_file(), old);
        temporary.as_file().set_permissions(old.permissions()).map_err(|error| failed(&error))?;
    }
    temporary.as_file().sync_all().map_err(|error| failed(&error))?;
    Ok(temporary)
}

/// Has the file opened as any new file is, with what the umask leaves; a temporary file is private otherwise.
#[cfg(unix)]
fn open_as_new_file(builder: &mut tempfile::Builder<'_, '_>) {
    use std::os::unix::fs::PermissionsExt as _;
    builder.permissions(fs::Permissions::from_mode(0o666));
}

#[cfg(not(unix))]
fn open_as_new_file(_builder: &mut tempfile::Builder<'_, '_>) {}

/// Gives the new file the old one's owner and group, or at least its group. Only root may give files away, and a
/// file that changes hands is better than an edit that can't be made. Done before the mode is set, because it
/// takes the set-user-id bit off.
#[cfg(unix)]
fn keep_owner(file: &File, old: &Metadata) {
    use std::os::unix::fs::{MetadataExt as _, fchown};
    if fchown(file, Some(old.uid()), Some(old.gid())).is_err() {
        let _ = fchown(file, None, Some(old.gid()));
    }
}

#[cfg(not(unix))]
fn keep_owner(_file: &File, _old: &Metadata) {}

fn persist(temporary: NamedTempFile, target: &Path) -> Result<(), Diagnostic> {
    temporary.persist(target).map_err(|error| Diagnostic::io("write", target, &error.error))?;
    // So that the new name survives a crash. Not every file system can; the content is safe either way.
    if let Ok(folder) = File::open(folder(target)) {
        let _ = folder.sync_all();
    }
    Ok(())
}

fn folder(target: &Path) -> &Path {
    match target.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
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

    fn code(result: Result<Written, Diagnostic>) -> &'static str {
        result.map_or_else(|told| told.code(), |_| "written")
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
            assert_eq!(code(output(&folder.path().join("no/such"), b"x")), "not_found");
        }
    }
}
