//! Which file each operation is about, once those before it are carried out. No content is read.
//!
//! # Algorithm
//!
//! A [`Slot`] is a file on its way through the reply: where it stood, where it is to be, and the blocks for it.
//! Operations are taken in order; a table says for each path that was touched which slot is there now, and only for
//! other paths the files are asked. So a block after a move finds the moved file, and two paths that lead to one file
//! by a link are one slot.
//!
//! # Cost
//!
//! A few look-ups in the files for each operation; folders are listed once, and only where something new is made.

use std::collections::BTreeMap;
use std::io;

use treegraft_reply::{FileBlock, Operation};

use crate::error::Error;
use crate::files::{Attributes, Entry, Files, Last};
use crate::path::{FilePath, folded};

/// How many operations are looked at. More: a reply can keep the machine busy; fewer: a large reorganisation is
/// refused.
pub const MOST_OPERATIONS: usize = 10_000;

/// A file on its way through the reply.
#[derive(Debug)]
pub(crate) struct Slot<'r> {
    /// What stands on disk; `None` for a file that the reply makes.
    pub(crate) origin: Option<Origin>,
    /// Where it is to be; `None` if it is removed.
    pub(crate) place: Option<FilePath>,
    /// The blocks for it, each with the path it has when the block's turn comes.
    pub(crate) blocks: Vec<(FilePath, &'r FileBlock)>,
    /// The operations that are about it, as indices.
    pub(crate) operations: Vec<usize>,
}

/// A file or link on disk.
#[derive(Debug, Clone)]
pub(crate) struct Origin {
    pub(crate) path: FilePath,
    pub(crate) kind: Kind,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Kind {
    File { attributes: Attributes, len: u64 },
    Link { target: String },
}

/// What stands under a path that was touched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Slot(usize),
    Gone,
}

/// All files that a reply is about.
pub(crate) struct Names<'r, 'f> {
    files: &'f dyn Files,
    pub(crate) slots: Vec<Slot<'r>>,
    at: BTreeMap<FilePath, Place>,
    /// The slot of each file that was on disk first.
    origins: BTreeMap<FilePath, usize>,
    /// Names that the reply makes, by the folder's place in this table and how they fold: where the name stands in this
    /// table, counted from one (zero is the root), and how it is spelled.
    made: BTreeMap<(usize, String), (usize, String)>,
    /// Names in folders that were listed, by how they fold.
    listed: BTreeMap<Option<FilePath>, BTreeMap<String, Vec<String>>>,
    /// Operations that can't be carried out, with why.
    pub(crate) refused: Vec<(usize, Error)>,
}

impl<'r, 'f> Names<'r, 'f> {
    /// Takes all operations in order.
    pub(crate) fn new(operations: &'r [Operation], files: &'f dyn Files) -> Self {
        let mut names = Self {
            files,
            slots: Vec::new(),
            at: BTreeMap::new(),
            origins: BTreeMap::new(),
            made: BTreeMap::new(),
            listed: BTreeMap::new(),
            refused: Vec::new(),
        };
        for (n, operation) in operations.iter().enumerate().take(MOST_OPERATIONS) {
            if let Err(error) = names.take(n, operation) {
                names.refused.push((n, error));
            }
        }
        if operations.len() > MOST_OPERATIONS {
            names.refused.push((MOST_OPERATIONS, Error::TooMany { limit: MOST_OPERATIONS }));
        }
        names.refuse_files_in_files();
        names
    }

    fn take(&mut self, n: usize, operation: &'r Operation) -> Result<(), Error> {
        let slots = match operation {
            Operation::File(block) => vec![self.edit(&checked(&block.path)?, block)?],
            Operation::Move { from, to, .. } => vec![self.rename(&checked(from)?, &checked(to)?)?],
            Operation::Remove { path, .. } => vec![self.remove(&checked(path)?)?],
            Operation::Reset { path, .. } => self.reset(&checked(path)?)?,
            _ => return Err(Error::Unknown),
        };
        for slot in slots {
            self.slots[slot].operations.push(n);
        }
        Ok(())
    }

    fn edit(&mut self, path: &FilePath, block: &'r FileBlock) -> Result<usize, Error> {
        let kept = self.files.resolve(path, Last::Kept)?;
        let (slot, real) = match self.at.get(&kept).copied() {
            Some(Place::Slot(slot)) if !self.is_link(slot) => (slot, kept),
            Some(Place::Gone) => (self.make(&kept)?, kept),
            // A link that was touched and is there still is followed as any other.
            _ => {
                let real = self.files.resolve(path, Last::Followed)?;
                (self.find_or_make(path, &real)?, real)
            }
        };
        self.slots[slot].blocks.push((real, block));
        Ok(slot)
    }

    /// Finds the file at the end of all links for a block, or makes it.
    fn find_or_make(&mut self, path: &FilePath, real: &FilePath) -> Result<usize, Error> {
        match self.at.get(real) {
            Some(&Place::Slot(slot)) => Ok(slot),
            // Only a link leads here from another path, and what it led to is gone by now.
            Some(Place::Gone) => Err(Error::LinkToNothing { path: path.clone() }),
            None => match self.origin(real)? {
                None => self.make(real),
                Some(Origin { kind: Kind::Link { .. }, .. }) => {
                    Err(Error::NotAFile { path: real.clone(), what: "a link" })
                }
                Some(origin) => {
                    check_spelling(path, real)?;
                    Ok(self.add(Some(origin), real.clone()))
                }
            },
        }
    }

    fn rename(&mut self, from: &FilePath, to: &FilePath) -> Result<usize, Error> {
        let (from, to) = (self.files.resolve(from, Last::Kept)?, self.files.resolve(to, Last::Kept)?);
        let slot = self.find(&from)?;
        if from == to {
            return Err(Error::OntoItself { path: from });
        }
        if self.is_link(slot) {
            // It may lead elsewhere from another folder.
            return Err(Error::NotAFile { path: from, what: "a link" });
        }
        let is_taken = match self.at.get(&to) {
            Some(place) => *place != Place::Gone,
            None => self.origin(&to)?.is_some(),
        };
        if is_taken {
            return Err(Error::Exists { path: to });
        }
        self.claim(&to)?;
        self.at.insert(from, Place::Gone);
        self.at.insert(to.clone(), Place::Slot(slot));
        self.slots[slot].place = Some(to);
        Ok(slot)
    }

    fn remove(&mut self, path: &FilePath) -> Result<usize, Error> {
        let path = self.files.resolve(path, Last::Kept)?;
        let slot = self.find(&path)?;
        self.at.insert(path, Place::Gone);
        self.slots[slot].place = None;
        Ok(slot)
    }

    /// Makes a path what it was before the reply: what came there goes back to where it was, if it was anywhere, and
    /// what stood there comes back. Either is as it was then. Gives the slots that this is about.
    fn reset(&mut self, path: &FilePath) -> Result<Vec<usize>, Error> {
        let kept = self.files.resolve(path, Last::Kept)?;
        let real = if self.at.contains_key(&kept) { kept } else { self.files.resolve(path, Last::Followed)? };
        let stood_there = self.origins.get(&real).copied();
        let came_there = match self.at.get(&real) {
            Some(&Place::Slot(slot)) if Some(slot) != stood_there => Some(slot),
            _ => None,
        };
        if let Some(slot) = came_there {
            let home = self.slots[slot].origin.as_ref().map(|origin| origin.path.clone());
            if let Some(home) = home.as_ref().filter(|home| matches!(self.at.get(home), Some(Place::Slot(_)))) {
                return Err(Error::Exists { path: home.clone() });
            }
            self.put_back(slot, home);
        }
        if let Some(slot) = stood_there {
            self.put_back(slot, Some(real));
        }
        Ok(came_there.into_iter().chain(stood_there).collect())
    }

    /// Puts a slot back to where it was, as it was.
    fn put_back(&mut self, slot: usize, home: Option<FilePath>) {
        if let Some(place) = self.slots[slot].place.take() {
            self.at.insert(place, Place::Gone);
        }
        if let Some(home) = &home {
            self.at.insert(home.clone(), Place::Slot(slot));
        }
        self.slots[slot].place = home;
        self.slots[slot].blocks.clear();
    }

    /// Says whether a slot is a link, which is never moved.
    fn is_link(&self, slot: usize) -> bool {
        matches!(&self.slots[slot].origin, Some(Origin { kind: Kind::Link { .. }, .. }))
    }

    /// Finds the file or link under a path for an operation that needs one.
    fn find(&mut self, path: &FilePath) -> Result<usize, Error> {
        match self.at.get(path) {
            Some(&Place::Slot(slot)) => Ok(slot),
            Some(Place::Gone) => Err(Error::NotFound { path: path.clone() }),
            None => {
                let origin = self.origin(path)?.ok_or_else(|| Error::NotFound { path: path.clone() })?;
                if matches!(origin.kind, Kind::Link { .. })
                    && let Ok(end) = self.files.resolve(path, Last::Followed)
                    && matches!(self.files.entry(&end), Ok(Entry::Folder))
                {
                    return Err(Error::NotAFile { path: path.clone(), what: "a link to a folder" });
                }
                self.check_listed(path)?;
                Ok(self.add(Some(origin), path.clone()))
            }
        }
    }

    /// Refuses the name of something that is there under another spelling: as two paths it would be two files to us.
    fn check_listed(&mut self, path: &FilePath) -> Result<(), Error> {
        let Some(names) = self.list(path.parent().as_ref())? else { return Ok(()) };
        match names.get(&folded(path.name())) {
            Some(names) if names.iter().any(|name| name == path.name()) => Ok(()),
            names => {
                let name = names.and_then(|names| names.first());
                let twin = name.map_or_else(|| path.clone(), |name| path.beside(name));
                Err(Error::CaseTwin { path: path.clone(), twin })
            }
        }
    }

    /// Says what stands on disk under a path without links.
    fn origin(&self, path: &FilePath) -> Result<Option<Origin>, Error> {
        let kind = match self.files.entry(path).map_err(Error::io("read", path))? {
            Entry::Missing => return Ok(None),
            Entry::File { attributes, .. } if attributes.is_read_only() => {
                return Err(Error::ReadOnly { path: path.clone() });
            }
            Entry::File { attributes, len } => Kind::File { attributes, len },
            Entry::Link { target } => Kind::Link { target },
            Entry::Folder => return Err(Error::NotAFile { path: path.clone(), what: "a folder" }),
            Entry::Other => {
                return Err(Error::NotAFile { path: path.clone(), what: "a pipe, a socket or a device" });
            }
        };
        Ok(Some(Origin { path: path.clone(), kind }))
    }

    /// Makes a slot for a new file.
    fn make(&mut self, path: &FilePath) -> Result<usize, Error> {
        self.claim(path)?;
        Ok(self.add(None, path.clone()))
    }

    fn add(&mut self, origin: Option<Origin>, place: FilePath) -> usize {
        self.at.insert(place.clone(), Place::Slot(self.slots.len()));
        if let Some(origin) = &origin {
            self.origins.insert(origin.path.clone(), self.slots.len());
        }
        self.slots.push(Slot { origin, place: Some(place), blocks: Vec::new(), operations: Vec::new() });
        self.slots.len() - 1
    }

    /// Refuses a new path that another differs from in upper and lower case alone, on disk or among the new ones.
    fn claim(&mut self, path: &FilePath) -> Result<(), Error> {
        let twin = |part: &FilePath, name: &str| Error::CaseTwin { path: path.clone(), twin: part.beside(name) };
        let (mut is_on_disk, mut folder) = (true, 0);
        for part in path.folders().chain([path.clone()]) {
            let fold = folded(part.name());
            if is_on_disk {
                let names = self.list(part.parent().as_ref())?.and_then(|names| names.get(&fold));
                // Below a folder that isn't there nothing is.
                is_on_disk = names.is_some();
                if let Some(names) = names
                    && !names.iter().any(|name| name == part.name())
                    && let Some(name) = names.first()
                {
                    return Err(twin(&part, name));
                }
            }
            let next = self.made.len() + 1;
            let (place, name) = self.made.entry((folder, fold)).or_insert_with(|| (next, part.name().to_owned()));
            if name != part.name() {
                return Err(twin(&part, name));
            }
            folder = *place;
        }
        Ok(())
    }

    /// Lists the names in a folder by how they fold; `None` if there is no such folder.
    fn list(&mut self, folder: Option<&FilePath>) -> Result<Option<&BTreeMap<String, Vec<String>>>, Error> {
        let key = folder.cloned();
        if !self.listed.contains_key(&key) {
            let names = match self.files.names(folder) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
                names => names.map_err(Error::io_at("read", folder))?,
            };
            let mut by_fold: BTreeMap<String, Vec<String>> = BTreeMap::new();
            for name in names {
                by_fold.entry(folded(&name)).or_default().push(name);
            }
            // The first is the one that is named.
            for names in by_fold.values_mut() {
                names.sort_unstable();
            }
            self.listed.insert(key.clone(), by_fold);
        }
        Ok(self.listed.get(&key))
    }

    /// Refuses files in whose folder's place another file of the reply is to be.
    fn refuse_files_in_files(&mut self) {
        for slot in &self.slots {
            let Some(place) = &slot.place else { continue };
            let file = place.folders().find(|folder| matches!(self.at.get(folder), Some(Place::Slot(_))));
            if let (Some(path), Some(&n)) = (file, slot.operations.last()) {
                self.refused.push((n, Error::NotAFolder { path }));
            }
        }
    }
}

fn checked(path: &str) -> Result<FilePath, Error> {
    FilePath::new(path).map_err(|fault| Error::Path { path: path.to_owned(), fault })
}

/// Refuses a path that was found only because the system doesn't tell upper from lower case.
fn check_spelling(path: &FilePath, real: &FilePath) -> Result<(), Error> {
    if path != real && folded(path.as_str()) == folded(real.as_str()) {
        return Err(Error::CaseTwin { path: path.clone(), twin: real.clone() });
    }
    Ok(())
}
