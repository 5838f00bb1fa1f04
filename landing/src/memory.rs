//! Files in memory: for servers that keep them elsewhere, and for tests.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::error::Error;
use crate::files::{Attributes, Entry, Files, Last, Lock, Node, Store};
use crate::path::FilePath;

/// What new files have.
const NEW_FILE: Attributes = Attributes { mode: 0o644, owner: None };

/// Files in memory. Links are kept as they are and lead nowhere.
///
/// # Examples
///
/// ```
/// use treegraft_landing::{FilePath, Files, Memory};
///
/// let files = Memory::new([("src/a.rs", "fn a() {}\n")])?;
/// assert_eq!(files.read(&FilePath::new("src/a.rs")?, 100).unwrap(), b"fn a() {}\n");
/// # Ok::<(), treegraft_landing::PathFault>(())
/// ```
#[derive(Debug, Default)]
pub struct Memory {
    items: Mutex<BTreeMap<FilePath, Item>>,
    held: Mutex<()>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Item {
    Node(Node),
    Folder,
}

impl Memory {
    /// Makes files, each a path and a content, and the folders they lie in.
    ///
    /// # Errors
    ///
    /// What is wrong with a path.
    pub fn new<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<Self, crate::PathFault> {
        let memory = Self::default();
        for (path, content) in files {
            memory.insert(FilePath::new(path)?, Node::File { content: content.into(), attributes: Some(NEW_FILE) });
        }
        Ok(memory)
    }

    /// Puts a file or link in place of what is there, with the folders it lies in.
    pub fn insert(&self, path: FilePath, node: Node) {
        let mut items = self.items();
        for folder in path.folders() {
            items.insert(folder, Item::Folder);
        }
        items.insert(path, Item::Node(node));
    }

    /// Lists all files and links in the order of their paths, also those of the journal.
    #[must_use]
    pub fn nodes(&self) -> Vec<(FilePath, Node)> {
        let node = |(path, item): (&FilePath, &Item)| match item {
            Item::Node(node) => Some((path.clone(), node.clone())),
            Item::Folder => None,
        };
        self.items().iter().filter_map(node).collect()
    }

    fn items(&self) -> MutexGuard<'_, BTreeMap<FilePath, Item>> {
        // Each step changes the table in one place, so a panic elsewhere leaves it whole.
        self.items.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Files for Memory {
    fn resolve(&self, path: &FilePath, last: Last) -> Result<FilePath, Error> {
        let items = self.items();
        for folder in path.folders() {
            match items.get(&folder) {
                None => break,
                Some(Item::Folder) => {}
                Some(Item::Node(Node::Link { .. })) => return Err(Error::LinkOut { path: path.clone() }),
                Some(Item::Node(Node::File { .. })) => return Err(Error::NotAFolder { path: folder }),
            }
        }
        match (items.get(path), last) {
            (Some(Item::Node(Node::Link { .. })), Last::Followed) => Err(Error::LinkOut { path: path.clone() }),
            _ => Ok(path.clone()),
        }
    }

    fn entry(&self, path: &FilePath) -> io::Result<Entry> {
        Ok(match self.items().get(path) {
            None => Entry::Missing,
            Some(Item::Folder) => Entry::Folder,
            Some(Item::Node(Node::Link { target })) => Entry::Link { target: target.clone() },
            Some(Item::Node(Node::File { content, attributes })) => {
                Entry::File { attributes: attributes.unwrap_or(NEW_FILE), len: content.len() as u64 }
            }
        })
    }

    fn read(&self, path: &FilePath, limit: usize) -> io::Result<Vec<u8>> {
        match self.items().get(path) {
            Some(Item::Node(Node::File { content, .. })) if content.len() > limit => {
                Err(io::ErrorKind::FileTooLarge.into())
            }
            Some(Item::Node(Node::File { content, .. })) => Ok(content.clone()),
            Some(_) => Err(io::ErrorKind::InvalidInput.into()),
            None => Err(io::ErrorKind::NotFound.into()),
        }
    }

    fn names(&self, folder: Option<&FilePath>) -> io::Result<Vec<String>> {
        let items = self.items();
        check_folder(&items, folder)?;
        Ok(children(&items, folder).map(|path| path.name().to_owned()).collect())
    }
}

impl Store for Memory {
    fn lock(&self) -> Result<Lock<'_>, Error> {
        Ok(Lock::new(self.held.lock().unwrap_or_else(PoisonError::into_inner)))
    }

    fn create(&self, path: &FilePath, node: &Node) -> io::Result<()> {
        let mut items = self.items();
        check_folder(&items, path.parent().as_ref())?;
        if items.contains_key(path) {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        let mut node = node.clone();
        if let Node::File { attributes, .. } = &mut node {
            attributes.get_or_insert(NEW_FILE);
        }
        items.insert(path.clone(), Item::Node(node));
        Ok(())
    }

    fn rename(&self, from: &FilePath, to: &FilePath) -> io::Result<()> {
        let mut items = self.items();
        check_folder(&items, to.parent().as_ref())?;
        match (items.get(from), items.get(to)) {
            (None, _) => return Err(io::ErrorKind::NotFound.into()),
            (Some(Item::Folder), Some(_)) => return Err(io::ErrorKind::AlreadyExists.into()),
            (Some(Item::Node(_)), Some(Item::Folder)) => return Err(io::ErrorKind::IsADirectory.into()),
            _ => {}
        }
        let start = format!("{from}/");
        let moved: Vec<FilePath> =
            items.keys().filter(|path| *path == from || path.as_str().starts_with(&start)).cloned().collect();
        for path in moved {
            let rest = path.as_str()[from.as_str().len()..].trim_start_matches('/');
            let target = if rest.is_empty() { to.clone() } else { to.child(rest) };
            if let Some(item) = items.remove(&path) {
                items.insert(target, item);
            }
        }
        Ok(())
    }

    fn remove(&self, path: &FilePath) -> io::Result<()> {
        let mut items = self.items();
        match items.get(path) {
            None => Err(io::ErrorKind::NotFound.into()),
            Some(Item::Folder) => Err(io::ErrorKind::IsADirectory.into()),
            Some(Item::Node(_)) => {
                items.remove(path);
                Ok(())
            }
        }
    }

    fn make_folder(&self, path: &FilePath) -> io::Result<()> {
        let mut items = self.items();
        check_folder(&items, path.parent().as_ref())?;
        if items.contains_key(path) {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        items.insert(path.clone(), Item::Folder);
        Ok(())
    }

    fn remove_folder(&self, path: &FilePath) -> io::Result<()> {
        let mut items = self.items();
        check_folder(&items, Some(path))?;
        if children(&items, Some(path)).next().is_some() {
            return Err(io::ErrorKind::DirectoryNotEmpty.into());
        }
        items.remove(path);
        Ok(())
    }

    fn sync_folder(&self, folder: Option<&FilePath>) -> io::Result<()> {
        check_folder(&self.items(), folder)
    }
}

fn check_folder(items: &BTreeMap<FilePath, Item>, folder: Option<&FilePath>) -> io::Result<()> {
    match folder.map(|folder| items.get(folder)) {
        None | Some(Some(Item::Folder)) => Ok(()),
        Some(Some(Item::Node(_))) => Err(io::ErrorKind::NotADirectory.into()),
        Some(None) => Err(io::ErrorKind::NotFound.into()),
    }
}

fn children<'a>(
    items: &'a BTreeMap<FilePath, Item>,
    folder: Option<&'a FilePath>,
) -> impl Iterator<Item = &'a FilePath> {
    items.keys().filter(move |path| path.parent().as_ref() == folder)
}
