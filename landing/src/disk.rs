//! Files on disk, below one folder.
//!
//! Everything is done through a handle of the root, and each path is walked from there by the system call that acts on
//! it (`openat2` on Linux) or by cap-std with a handle for each folder: a link that is put in a folder's place between
//! plan and commit can't lead a step out of the root, whenever that happens.
//!
//! # Limits
//!
//! Between the last look at a file and its renaming lie some microseconds and no lock that other programs know of.
//! Renaming breaks hard links. Extended attributes and access control lists are not copied.

use std::fs::{File, TryLockError};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use cap_std::ambient_authority;
use cap_std::fs::{Dir, OpenOptions};

use crate::atomic;
use crate::error::Error;
use crate::files::{Entry, Files, Last, Lock, Node, Store};
use crate::path::FilePath;

/// How long another landing is waited for. A landing holds the root only while it writes. Longer: a stuck one is told
/// of late; shorter: a large one on a slow disk is taken for stuck.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long to sleep before the lock is asked for once more.
const NAP: Duration = Duration::from_millis(10);

/// A folder on disk with all that is below it.
///
/// # Examples
///
/// ```no_run
/// let disk = treegraft_landing::Disk::open(".".as_ref())?;
/// # Ok::<(), treegraft_landing::Error>(())
/// ```
#[derive(Debug)]
pub struct Disk {
    /// Without links.
    root: PathBuf,
    dir: Dir,
    patience: Duration,
}

impl Disk {
    /// Opens a folder as the root.
    ///
    /// # Errors
    ///
    /// [`Error::Io`] if there is no such folder, or if it can't be opened.
    pub fn open(root: &Path) -> Result<Self, Error> {
        let root = root.canonicalize().map_err(Error::io_at("open", None))?;
        let dir = Dir::open_ambient_dir(&root, ambient_authority()).map_err(Error::io_at("open", None))?;
        Ok(Self { root, dir, patience: PATIENCE })
    }

    /// Sets how long another landing is waited for. Default: ten seconds.
    #[must_use]
    pub fn patience(mut self, patience: Duration) -> Self {
        self.patience = patience;
        self
    }

    /// Gives the root without links.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Follows links through all of a path whose last names need not exist.
    fn follow(&self, path: &FilePath) -> Result<FilePath, Error> {
        let mut known = Some(path.clone());
        // What is not there, the innermost name first.
        let mut missing = Vec::new();
        let real = loop {
            let Some(current) = known else { break PathBuf::new() };
            match self.root.join(current.as_str()).canonicalize() {
                Ok(real) => {
                    break real.strip_prefix(&self.root).map_err(|_| Error::LinkOut { path: path.clone() })?.to_owned();
                }
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    if self.root.join(current.as_str()).symlink_metadata().is_ok() {
                        return Err(Error::LinkToNothing { path: current });
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::NotADirectory => {}
                Err(error) => return Err(Error::io("read", &current)(error)),
            }
            missing.push(current.name().to_owned());
            known = current.parent();
        };
        if !missing.is_empty() && real != Path::new("") && !self.root.join(&real).is_dir() {
            let folder = known_path(&real).unwrap_or_else(|| path.clone());
            return Err(Error::NotAFolder { path: folder });
        }
        let out = || Error::LinkOut { path: path.clone() };
        let mut names: Vec<&str> = Vec::new();
        for name in &real {
            names.push(name.to_str().ok_or_else(out)?);
        }
        names.extend(missing.iter().rev().map(String::as_str));
        // What a link leads to must be what a reply may name: `.git` and our own folder are not.
        FilePath::new(&names.join("/")).map_err(|_| out())
    }
}

impl Files for Disk {
    fn resolve(&self, path: &FilePath, last: Last) -> Result<FilePath, Error> {
        match (last, path.parent()) {
            (Last::Followed, _) => self.follow(path),
            (Last::Kept, None) => Ok(path.clone()),
            (Last::Kept, Some(folder)) => {
                let folder = self.follow(&folder)?;
                match self.entry(&folder).map_err(Error::io("read", &folder))? {
                    Entry::Folder | Entry::Missing => Ok(folder.child(path.name())),
                    _ => Err(Error::NotAFolder { path: folder }),
                }
            }
        }
    }

    fn entry(&self, path: &FilePath) -> io::Result<Entry> {
        let metadata = match self.dir.symlink_metadata(path.as_str()) {
            Ok(metadata) => metadata,
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                return Ok(Entry::Missing);
            }
            Err(error) => return Err(error),
        };
        Ok(if metadata.is_file() {
            Entry::File { attributes: atomic::attributes(&metadata), len: metadata.len() }
        } else if metadata.is_dir() {
            Entry::Folder
        } else if metadata.is_symlink() {
            let target = self.dir.read_link_contents(path.as_str())?;
            target.into_os_string().into_string().map_or(Entry::Other, |target| Entry::Link { target })
        } else {
            Entry::Other
        })
    }

    fn read(&self, path: &FilePath, limit: usize) -> io::Result<Vec<u8>> {
        // Opening a pipe waits for its writer, so what it is has to be known before.
        let Entry::File { len, .. } = self.entry(path)? else { return Err(io::ErrorKind::NotFound.into()) };
        if len > limit as u64 {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        let mut content = Vec::new();
        self.dir.open(path.as_str())?.into_std().take(limit as u64 + 1).read_to_end(&mut content)?;
        if content.len() > limit { Err(io::ErrorKind::FileTooLarge.into()) } else { Ok(content) }
    }

    fn names(&self, folder: Option<&FilePath>) -> io::Result<Vec<String>> {
        let entries = self.dir.read_dir(folder.map_or(".", FilePath::as_str))?;
        entries.filter_map(|entry| entry.map(|entry| entry.file_name().into_string().ok()).transpose()).collect()
    }
}

impl Store for Disk {
    fn lock(&self) -> Result<Lock<'_>, Error> {
        let path = FilePath::own("lock");
        let failed = || Error::io("lock", &path);
        let mut options = OpenOptions::new();
        options.read(true).write(true);
        match self.entry(&path).map_err(failed())? {
            Entry::Missing => options.create(true),
            Entry::File { .. } => &mut options,
            _ => return Err(Error::Damaged { path, what: "it is no file".to_owned() }),
        };
        let file = self.dir.open_with(path.as_str(), &options).map_err(failed())?.into_std();
        wait_for(&file, self.patience).map_err(failed())?.then(|| Lock::new(file)).ok_or(Error::Locked)
    }

    fn create(&self, path: &FilePath, node: &Node) -> io::Result<()> {
        match node {
            Node::File { content, attributes } => {
                atomic::create(&self.dir, Path::new(path.as_str()), content, *attributes)
            }
            Node::Link { target } => self.link(target, path),
        }
    }

    fn rename(&self, from: &FilePath, to: &FilePath) -> io::Result<()> {
        self.dir.rename(from.as_str(), &self.dir, to.as_str())
    }

    fn remove(&self, path: &FilePath) -> io::Result<()> {
        self.dir.remove_file(path.as_str())
    }

    fn make_folder(&self, path: &FilePath) -> io::Result<()> {
        self.dir.create_dir(path.as_str())
    }

    fn remove_folder(&self, path: &FilePath) -> io::Result<()> {
        self.dir.remove_dir(path.as_str())
    }

    fn sync_folder(&self, folder: Option<&FilePath>) -> io::Result<()> {
        atomic::sync_folder(&self.dir, Path::new(folder.map_or(".", FilePath::as_str)))
    }
}

impl Disk {
    /// Makes a link; where it leads is not asked, since it only comes back to where it was.
    #[cfg(unix)]
    fn link(&self, target: &str, path: &FilePath) -> io::Result<()> {
        self.dir.symlink_contents(target, path.as_str())
    }

    #[cfg(not(unix))]
    fn link(&self, target: &str, path: &FilePath) -> io::Result<()> {
        self.dir.symlink_file(target, path.as_str())
    }
}

/// Says whether the lock was free in time.
fn wait_for(file: &File, patience: Duration) -> io::Result<bool> {
    let start = Instant::now();
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(true),
            Err(TryLockError::WouldBlock) if start.elapsed() >= patience => return Ok(false),
            Err(TryLockError::WouldBlock) => thread::sleep(NAP),
            Err(TryLockError::Error(error)) => return Err(error),
        }
    }
}

fn known_path(real: &Path) -> Option<FilePath> {
    FilePath::new(&real.to_str()?.replace(std::path::MAIN_SEPARATOR, "/")).ok()
}
