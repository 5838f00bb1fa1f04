//! Earlier landings, and taking them back.
//!
//! An undo is a landing itself: it makes of each file what it was, in one transaction, and is kept like any other. So
//! an undo can be undone by its number, and a landing counts as undone as long as an undo of it does.

use std::collections::BTreeSet;

use crate::error::Error;
use crate::files::Store;
use crate::journal::{self, Manifest, State};
use crate::path::FilePath;
use crate::transaction::{self, Change};

/// A landing that is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Landing {
    /// Its number; later landings have higher ones.
    pub id: u64,
    /// When it was made, in seconds since 1970.
    pub time: u64,
    /// The landing that it took back, if it is an undo.
    pub undoes: Option<u64>,
    /// Whether it has been taken back.
    pub is_undone: bool,
    /// What it did to each file, in the order of their paths.
    pub files: Vec<(FilePath, Deed)>,
}

/// What was done to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Deed {
    /// It was made.
    Made,
    /// It was changed.
    Changed,
    /// It was removed; its content may be in another place now.
    Removed,
}

impl Deed {
    /// Gives the stable name used in reports, such as `made`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Made => "made",
            Self::Changed => "changed",
            Self::Removed => "removed",
        }
    }

    fn new(before: Option<&State>, after: Option<&State>) -> Self {
        match (before, after) {
            (None, _) => Self::Made,
            (_, None) => Self::Removed,
            _ => Self::Changed,
        }
    }
}

/// Lists the landings that are kept, the last one first.
///
/// # Errors
///
/// [`Error::Io`], and [`Error::Damaged`] for a record that can't be read.
pub fn history(store: &dyn Store) -> Result<Vec<Landing>, Error> {
    Ok(manifests(store)?.into_iter().map(|(manifest, is_undone)| landing(&manifest, is_undone)).collect())
}

/// Takes back the landing `id`, or the last one that is neither undone nor an undo. Gives the undo.
///
/// What an interrupted landing left is rolled back first.
///
/// # Errors
///
/// [`Error::NothingToUndo`], [`Error::NoSuchLanding`], [`Error::UndoneAlready`]; [`Error::Changed`] if a file isn't
/// what the landing left. Those of [`crate::commit`].
pub fn undo(store: &dyn Store, id: Option<u64>) -> Result<Landing, Error> {
    let missing = || id.map_or(Error::NothingToUndo, |id| Error::NoSuchLanding { id });
    if !journal::is_folder(store, &FilePath::own_folder())? {
        return Err(missing());
    }
    let _lock = store.lock()?;
    let _ = transaction::recover(store)?;
    let kept = manifests(store)?;
    let wanted = |(manifest, is_undone): &&(Manifest, bool)| match id {
        Some(id) => manifest.id == id,
        None => !is_undone && manifest.undoes.is_none(),
    };
    let (manifest, is_undone) = kept.iter().find(wanted).ok_or_else(missing)?;
    if *is_undone {
        return Err(Error::UndoneAlready { id: manifest.id });
    }
    let folder = journal::landing(manifest.id);
    let mut changes = Vec::with_capacity(manifest.changes.len());
    for (n, change) in manifest.changes.iter().enumerate() {
        let before = journal::now(store, &change.path)?;
        if !journal::is(change.after.as_ref(), before.as_ref().map(State::of).as_ref()) {
            return Err(Error::Changed { path: change.path.clone() });
        }
        let after = change.before.as_ref().map(|state| journal::read_old(store, &folder, n, state)).transpose()?;
        changes.push(Change { path: change.path.clone(), before, after });
    }
    let undo = transaction::run(store, &changes, &manifest.made_folders, Some(manifest.id))?;
    Manifest::read(store, &journal::landing(undo))?
        .map(|manifest| landing(&manifest, false))
        .ok_or(Error::NoSuchLanding { id: undo })
}

/// Reads all manifests, the last one first, each with whether it is undone.
fn manifests(store: &dyn Store) -> Result<Vec<(Manifest, bool)>, Error> {
    let mut undone = BTreeSet::new();
    let mut manifests = Vec::new();
    for number in journal::numbers(store)?.into_iter().rev() {
        let folder = journal::landing(number);
        if !journal::is_folder(store, &folder)? {
            continue;
        }
        // Without a manifest it was about to be removed.
        let Some(manifest) = Manifest::read(store, &folder)? else { continue };
        if manifest.id != number {
            return Err(journal::damaged(&folder, "it has the number of another landing"));
        }
        // Later ones come first, so whether an undo counts is known by now.
        let is_undone = undone.contains(&number);
        if let Some(id) = manifest.undoes.filter(|_| !is_undone) {
            undone.insert(id);
        }
        manifests.push((manifest, is_undone));
    }
    Ok(manifests)
}

fn landing(manifest: &Manifest, is_undone: bool) -> Landing {
    let file =
        |change: &journal::Recorded| (change.path.clone(), Deed::new(change.before.as_ref(), change.after.as_ref()));
    let mut files: Vec<_> = manifest.changes.iter().map(file).collect();
    files.sort_unstable_by(|one, other| one.0.cmp(&other.0));
    Landing { id: manifest.id, time: manifest.time, undoes: manifest.undoes, is_undone, files }
}
