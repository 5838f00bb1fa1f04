//! Changes many files, all or none, also when the process or the machine ends in the middle.
//!
//! # Algorithm
//!
//! A landing ([`run`]), with the root held:
//!
//! 1. What is left of an interrupted landing is rolled back.
//! 2. Each file is compared with what the landing was made from.
//! 3. The old contents go into `.treegraft/pending`, then the manifest. From here on the landing can be rolled back.
//! 4. Folders are made; new contents are written beside their files and synced.
//! 5. Each file is compared once more, and renamed over or removed. The folders are synced.
//! 6. `pending` is renamed into `landings`: that moment the landing is done.
//!
//! Rolling back ([`recover`]): if there is no manifest, no file was touched. Else each file must be as it was before or
//! as it was to be. One that is neither was changed by someone since: it is left alone if the landing had not touched
//! it, as its temporary file tells, and else nothing is done at all. Each file that is new is replaced by its old
//! content in the same way, temporary files and folders that were made are removed, and last `pending`, its manifest
//! first. All of this may be interrupted and begun anew.
//!
//! So there is no half-landed state that another start can't tell from a finished one, and rolling back needs no
//! journal of its own.
//!
//! # Cost
//!
//! Each changed file is read three times, and its old and new content are written once. Three syncs, and one for each
//! new file and each folder.
//!
//! # Source
//!
//! An undo log, as databases have it: old values are made durable before new ones are written.

use std::collections::BTreeSet;
use std::io;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::error::Error;
use crate::files::{Entry, Node, Store};
use crate::journal::{self, Manifest, Recorded, State};
use crate::path::FilePath;

/// How many landings are kept to be undone. More: old contents take up space; fewer: less can be undone.
pub const KEPT_LANDINGS: usize = 20;

/// One file that is to become another; not the same before and after.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Change {
    pub(crate) path: FilePath,
    pub(crate) before: Option<Node>,
    pub(crate) after: Option<Node>,
}

/// What an earlier landing left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum Recovery {
    /// Nothing: it came to its end.
    Nothing,
    /// It was interrupted, and has been rolled back.
    RolledBack {
        /// How many files were put back.
        n_files: usize,
    },
}

/// Changes all files or none, and gives the number that the landing is kept under. The root is held, and nothing
/// pending. `old_folders` are removed at the end if they are empty then.
pub(crate) fn run(
    store: &dyn Store,
    changes: &[Change],
    old_folders: &[FilePath],
    undoes: Option<u64>,
) -> Result<u64, Error> {
    let recorded: Vec<Recorded> = changes
        .iter()
        .map(|change| Recorded {
            path: change.path.clone(),
            before: change.before.as_ref().map(State::of),
            after: change.after.as_ref().map(State::of),
        })
        .collect();
    for change in &recorded {
        check_unchanged(store, change)?;
    }
    let made_folders = missing_folders(store, changes)?;
    let numbers = journal::numbers(store)?;
    let id = numbers.last().copied().unwrap_or_default().checked_add(1);
    let id = id.ok_or_else(|| journal::damaged(&journal::landings(), "no number is left"))?;
    // A clock before 1970 is no reason not to land.
    let time = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    let manifest = Manifest::new(id, time, undoes, recorded, made_folders);
    let mut n_touched = 0;
    if let Err(cause) = attempt(store, changes, &manifest, old_folders, &mut n_touched) {
        return Err(match roll_back(store, n_touched) {
            Ok(_) => cause,
            Err(source) => Error::HalfWay { cause: Box::new(cause), source: Box::new(source) },
        });
    }
    // The landing is done. That its record is lost in a crash of the machine would roll it back as a whole, and old
    // records do no harm.
    let _ = journal::sync(store, &journal::landings());
    let _ = journal::sync(store, &FilePath::own_folder());
    let _ = prune(store, &numbers);
    Ok(id)
}

/// Rolls back what an interrupted landing left. The root is held.
pub(crate) fn recover(store: &dyn Store) -> Result<Recovery, Error> {
    roll_back(store, usize::MAX)
}

/// Rolls back a landing that touched its first `n_touched` files at most.
fn roll_back(store: &dyn Store, n_touched: usize) -> Result<Recovery, Error> {
    let pending = journal::pending();
    if !journal::is_folder(store, &FilePath::own_folder())? || !journal::is_folder(store, &pending)? {
        return Ok(Recovery::Nothing);
    }
    let Some(manifest) = Manifest::read(store, &pending)? else {
        journal::clear(store, &pending)?;
        return Ok(Recovery::Nothing);
    };
    let old = old_contents(store, &manifest, n_touched)?;
    for (n, change) in manifest.changes.iter().enumerate() {
        match &old[n] {
            Old::IsThere => {}
            Old::Nothing => remove_if_there(store, &change.path)?,
            Old::Node(node) => {
                let temporary = manifest.old_temporary(n);
                remove_if_there(store, &temporary)?;
                make_folders(store, &change.path)?;
                store.create(&temporary, node).map_err(Error::io("write", &change.path))?;
                store.rename(&temporary, &change.path).map_err(Error::io("write", &change.path))?;
            }
        }
    }
    // Last, since they tell which files were not touched.
    for n in 0..manifest.changes.len() {
        remove_if_there(store, &manifest.temporary(n))?;
        remove_if_there(store, &manifest.old_temporary(n))?;
    }
    for folder in manifest.made_folders.iter().rev() {
        remove_if_empty(store, folder)?;
    }
    sync_folders(store, &manifest)?;
    journal::clear(store, &pending)?;
    Ok(Recovery::RolledBack { n_files: old.iter().filter(|old| !matches!(old, Old::IsThere)).count() })
}

/// Does steps 3 to 6. Counts the files that are touched.
fn attempt(
    store: &dyn Store,
    changes: &[Change],
    manifest: &Manifest,
    old_folders: &[FilePath],
    n_touched: &mut usize,
) -> Result<(), Error> {
    let pending = journal::pending();
    store.make_folder(&pending).map_err(Error::io("make", &pending))?;
    for (n, change) in changes.iter().enumerate() {
        if let Some(Node::File { content, .. }) = &change.before {
            let path = journal::old_content(&pending, n);
            let kept = Node::File { content: content.clone(), attributes: None };
            store.create(&path, &kept).map_err(Error::io("write", &path))?;
        }
    }
    manifest.write(store, &pending)?;
    journal::sync(store, &FilePath::own_folder())?;

    for folder in &manifest.made_folders {
        store.make_folder(folder).map_err(Error::io("make", folder))?;
    }
    for (n, change) in changes.iter().enumerate() {
        if let Some(after) = &change.after {
            store.create(&manifest.temporary(n), after).map_err(Error::io("write", &change.path))?;
        }
    }
    for (n, change) in changes.iter().enumerate() {
        check_unchanged(store, &manifest.changes[n])?;
        *n_touched = n + 1;
        match &change.after {
            Some(_) => store.rename(&manifest.temporary(n), &change.path).map_err(Error::io("write", &change.path))?,
            None => store.remove(&change.path).map_err(Error::io("remove", &change.path))?,
        }
    }
    for folder in old_folders.iter().rev() {
        remove_if_empty(store, folder)?;
    }
    sync_folders(store, manifest)?;
    let done = journal::landing(manifest.id);
    match store.rename(&pending, &done) {
        // It may have happened all the same, as over a network whose answer was lost.
        Err(_) if journal::is_folder(store, &done)? && !journal::is_folder(store, &pending)? => Ok(()),
        renamed => renamed.map_err(Error::io("write", &done)),
    }
}

/// What it takes to put a file back.
enum Old {
    /// It is as it was.
    IsThere,
    /// It was not there.
    Nothing,
    /// It was this.
    Node(Node),
}

/// Reads what each file was. Nothing is changed, so that all of it may still be refused.
fn old_contents(store: &dyn Store, manifest: &Manifest, n_touched: usize) -> Result<Vec<Old>, Error> {
    let pending = journal::pending();
    let mut old = Vec::with_capacity(manifest.changes.len());
    // A file that is neither as before nor as after, and the landing may have touched it.
    let mut changed = None;
    for (n, change) in manifest.changes.iter().enumerate() {
        let now = match journal::now(store, &change.path) {
            Err(Error::Changed { .. }) => None,
            now => Some(now?.as_ref().map(State::of)),
        };
        let is = |state: &Option<State>| now.as_ref().is_some_and(|now| journal::is(state.as_ref(), now.as_ref()));
        old.push(if n >= n_touched || is(&change.before) {
            Old::IsThere
        } else if is(&change.after) {
            match &change.before {
                None => Old::Nothing,
                Some(state) => Old::Node(journal::read_old(store, &pending, n, state)?),
            }
        } else {
            if !is_there(store, &manifest.temporary(n))? {
                changed.get_or_insert(n);
            }
            Old::IsThere
        });
    }
    match changed {
        // All new contents are written before the first takes its place. So if none did, none was touched.
        Some(n) if manifest.changes[n].after.is_none() || old.iter().any(|old| !matches!(old, Old::IsThere)) => {
            let Recorded { path, before, .. } = &manifest.changes[n];
            let is_kept = matches!(before, Some(State::File { .. }));
            Err(Error::Interrupted { path: path.clone(), kept: is_kept.then(|| journal::old_content(&pending, n)) })
        }
        _ => Ok(old),
    }
}

fn check_unchanged(store: &dyn Store, change: &Recorded) -> Result<(), Error> {
    let now = journal::now(store, &change.path)?.as_ref().map(State::of);
    if journal::is(change.before.as_ref(), now.as_ref()) {
        Ok(())
    } else {
        Err(Error::Changed { path: change.path.clone() })
    }
}

/// Lists the folders that have to be made, the outer ones first.
fn missing_folders(store: &dyn Store, changes: &[Change]) -> Result<Vec<FilePath>, Error> {
    let wanted: BTreeSet<FilePath> =
        changes.iter().filter(|change| change.after.is_some()).flat_map(|change| change.path.folders()).collect();
    let is_missing = |folder: FilePath| match store.entry(&folder).map_err(Error::io("read", &folder)) {
        Ok(Entry::Missing) => Some(Ok(folder)),
        Ok(Entry::Folder) => None,
        Ok(_) => Some(Err(Error::NotAFolder { path: folder })),
        Err(error) => Some(Err(error)),
    };
    wanted.into_iter().filter_map(is_missing).collect()
}

/// Makes the folders of a file, as far as they aren't there.
fn make_folders(store: &dyn Store, path: &FilePath) -> Result<(), Error> {
    for folder in path.folders() {
        if !is_there(store, &folder)? {
            store.make_folder(&folder).map_err(Error::io("make", &folder))?;
        }
    }
    Ok(())
}

fn is_there(store: &dyn Store, path: &FilePath) -> Result<bool, Error> {
    Ok(store.entry(path).map_err(Error::io("read", path))? != Entry::Missing)
}

fn remove_if_there(store: &dyn Store, path: &FilePath) -> Result<(), Error> {
    if is_there(store, path)? { store.remove(path).map_err(Error::io("remove", path)) } else { Ok(()) }
}

fn remove_if_empty(store: &dyn Store, folder: &FilePath) -> Result<(), Error> {
    use io::ErrorKind::{DirectoryNotEmpty, NotADirectory, NotFound};
    match store.remove_folder(folder) {
        Err(error) if matches!(error.kind(), DirectoryNotEmpty | NotADirectory | NotFound) => Ok(()),
        removed => removed.map_err(Error::io("remove", folder)),
    }
}

/// Syncs every folder in which a name changed, as far as it is there.
fn sync_folders(store: &dyn Store, manifest: &Manifest) -> Result<(), Error> {
    let files = manifest.changes.iter().map(|change| &change.path);
    let folders: BTreeSet<Option<FilePath>> =
        files.chain(&manifest.made_folders).flat_map(|path| path.folders().map(Some).chain([None])).collect();
    for folder in folders {
        let is_there = match &folder {
            None => true,
            Some(folder) => store.entry(folder).map_err(Error::io("read", folder))? == Entry::Folder,
        };
        if is_there {
            store.sync_folder(folder.as_ref()).map_err(Error::io_at("sync", folder.as_ref()))?;
        }
    }
    Ok(())
}

/// Removes the oldest records, beside the new one.
fn prune(store: &dyn Store, numbers: &[u64]) -> Result<(), Error> {
    let n_old = (numbers.len() + 1).saturating_sub(KEPT_LANDINGS);
    for &number in &numbers[..n_old] {
        let folder = journal::landing(number);
        if journal::is_folder(store, &folder)? {
            journal::clear(store, &folder)?;
        }
    }
    Ok(())
}
