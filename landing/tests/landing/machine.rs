//! A machine whose process may end at any step, and whose power may fail.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Mutex, MutexGuard};

use treegraft_landing::{Attributes, Entry, Error, FilePath, Files, Last, Lock, Node, Store};

/// What new files have.
const NEW_FILE: Attributes = Attributes { mode: 0o644, owner: None };

/// What stands under each path; folders too.
pub(crate) type Tree = BTreeMap<String, Item>;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Item {
    Node(Node),
    Folder,
}

/// When and how a step goes wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// Not at all.
    Never,
    /// Step n does nothing and says so; those after it work.
    Fails(usize),
    /// Step n happens, but is said to have failed.
    FailsAfter(usize),
    /// The process ends before step n.
    Dies(usize),
    /// The process ends in step n: half of a file is there.
    DiesWithin(usize),
    /// The process ends after step n.
    DiesAfter(usize),
    /// Before step n someone else writes into the file that [`Machine::meddling_with`] names.
    Meddles(usize),
}

/// What someone else writes.
const THEIRS: &str = "theirs\n";

/// What a machine does not promise, to see that the tests find it out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Promise {
    /// It promises what file systems do.
    All,
    /// Syncing a folder does nothing.
    NoSync,
    /// Renaming copies half before it copies all.
    NoAtomicRename,
}

/// A change of names that a folder's sync makes last.
#[derive(Debug, Clone)]
enum Op {
    Set(String, Option<Item>),
    Rename(String, String, Item),
}

#[derive(Debug)]
struct State {
    live: Tree,
    durable: Tree,
    /// What is not durable yet, and whether its folder was synced: that helps only once the folder itself is durable.
    log: Vec<(Op, bool)>,
    n_steps: usize,
    fault: Fault,
    dead: bool,
    /// The file that someone else writes.
    meddled: Option<String>,
}

#[derive(Debug)]
pub(crate) struct Machine {
    state: Mutex<State>,
    promise: Promise,
}

impl Machine {
    /// Makes a machine with durable files.
    pub(crate) fn new(files: impl IntoIterator<Item = (FilePath, Node)>) -> Self {
        let mut tree = Tree::new();
        for (path, node) in files {
            for folder in path.folders() {
                tree.insert(folder.to_string(), Item::Folder);
            }
            tree.insert(path.to_string(), Item::Node(node));
        }
        Self::of(tree, Promise::All)
    }

    fn of(tree: Tree, promise: Promise) -> Self {
        let state = State {
            live: tree.clone(),
            durable: tree,
            log: Vec::new(),
            n_steps: 0,
            fault: Fault::Never,
            dead: false,
            meddled: None,
        };
        Self { state: Mutex::new(state), promise }
    }

    pub(crate) fn promising(self, promise: Promise) -> Self {
        Self { promise, ..self }
    }

    /// Copies the machine as it is, its steps counted from zero, with a fault to come.
    pub(crate) fn with(&self, fault: Fault) -> Self {
        let state = self.state();
        let state = State {
            live: state.live.clone(),
            durable: state.durable.clone(),
            log: state.log.clone(),
            n_steps: 0,
            fault,
            dead: false,
            meddled: None,
        };
        Self { state: Mutex::new(state), promise: self.promise }
    }

    /// Says which file someone else writes, at a fault or at once with [`Machine::meddle`].
    pub(crate) fn meddling_with(self, path: &FilePath) -> Self {
        self.state().meddled = Some(path.to_string());
        self
    }

    /// Has someone else write the file.
    pub(crate) fn meddle(&self) {
        self.state().meddle();
    }

    /// Says whether what someone else wrote is there.
    pub(crate) fn has_theirs(&self) -> bool {
        let state = self.state();
        let item = state.live.get(state.meddled.as_ref().unwrap());
        matches!(item, Some(Item::Node(Node::File { content, .. })) if content == THEIRS.as_bytes())
    }

    /// Starts the machine again after its power failed: what was synced is there, of the rest a random part.
    pub(crate) fn after_power_loss(&self, random: &mut fastrand::Rng) -> Self {
        let state = self.state();
        let mut tree = state.durable.clone();
        for (op, synced) in &state.log {
            if *synced || random.bool() {
                op.apply(&mut tree);
            }
        }
        Self::of(tree, self.promise)
    }

    /// Starts the process again: all that happened is there.
    pub(crate) fn after_death(&self) -> Self {
        let machine = self.with(Fault::Never);
        machine.state().dead = false;
        machine
    }

    pub(crate) fn n_steps(&self) -> usize {
        self.state().n_steps
    }

    /// Gives all files and folders but our own.
    pub(crate) fn tree(&self) -> Tree {
        let mut tree = self.state().live.clone();
        tree.retain(|path, _| path != ".treegraft" && !path.starts_with(".treegraft/"));
        tree
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    fn alive(&self) -> io::Result<MutexGuard<'_, State>> {
        let state = self.state();
        if state.dead { Err(dead()) } else { Ok(state) }
    }

    /// Does a step, or what the fault makes of it. `half` is what a death within leaves.
    fn step(&self, half: Option<Op>, step: impl FnOnce(&mut State) -> io::Result<()>) -> io::Result<()> {
        let mut state = self.alive()?;
        let n = state.n_steps;
        state.n_steps += 1;
        match state.fault {
            Fault::Fails(at) if at == n => Err(io::Error::other("failed")),
            Fault::FailsAfter(at) if at == n => step(&mut state).and_then(|()| Err(io::Error::other("failed"))),
            Fault::Dies(at) if at == n => {
                state.dead = true;
                Err(dead())
            }
            Fault::DiesWithin(at) if at == n => {
                state.dead = true;
                if let Some(half) = half {
                    half.apply(&mut state.live);
                    half.apply(&mut state.durable);
                }
                Err(dead())
            }
            Fault::Meddles(at) if at == n => {
                state.meddle();
                step(&mut state)
            }
            Fault::DiesAfter(at) if at == n => {
                let _ = step(&mut state);
                state.dead = true;
                Err(dead())
            }
            _ => step(&mut state),
        }
    }
}

fn dead() -> io::Error {
    io::Error::other("the process has ended")
}

impl Op {
    /// Says whether the folder that the name goes into is there.
    fn has_folder(&self, tree: &Tree) -> bool {
        let (Self::Set(path, _) | Self::Rename(_, path, _)) = self;
        parent(path).is_none_or(|folder| tree.get(folder) == Some(&Item::Folder))
    }

    fn apply(&self, tree: &mut Tree) {
        match self {
            Self::Set(path, None) => {
                // With a folder goes what is in it: its own removal may not have lasted.
                let start = format!("{path}/");
                tree.retain(|other, _| other != path && !other.starts_with(&start));
            }
            Self::Set(path, Some(item)) if self.has_folder(tree) => drop(tree.insert(path.clone(), item.clone())),
            // Its folder was lost, and it with it.
            Self::Set(..) => {}
            Self::Rename(from, to, Item::Node(node)) => {
                tree.remove(from);
                Self::Set(to.clone(), Some(Item::Node(node.clone()))).apply(tree);
            }
            Self::Rename(from, to, Item::Folder) => {
                if tree.remove(from).is_none() || !self.has_folder(tree) {
                    return;
                }
                tree.insert(to.clone(), Item::Folder);
                let start = format!("{from}/");
                let inner: Vec<String> = tree.keys().filter(|path| path.starts_with(&start)).cloned().collect();
                for path in inner {
                    let item = tree.remove(&path).unwrap();
                    tree.insert(format!("{to}/{}", &path[start.len()..]), item);
                }
            }
        }
    }

    fn touches(&self, folder: Option<&str>) -> bool {
        match self {
            Self::Set(path, _) => parent(path) == folder,
            Self::Rename(from, to, _) => parent(from) == folder || parent(to) == folder,
        }
    }
}

impl State {
    /// Changes names now; for good only once their folder is synced.
    fn change(&mut self, op: Op) {
        op.apply(&mut self.live);
        self.log.push((op, false));
    }

    fn meddle(&mut self) {
        let theirs = Node::File { content: THEIRS.into(), attributes: Some(NEW_FILE) };
        let path = self.meddled.clone().unwrap();
        let mut folder = parent(&path);
        while let Some(path) = folder {
            self.live.insert(path.to_owned(), Item::Folder);
            folder = parent(path);
        }
        self.live.insert(path, Item::Node(theirs));
    }

    /// Makes durable what was synced, as far as its folder is durable.
    fn flush(&mut self) {
        let Self { log, durable, .. } = self;
        loop {
            let n = log.len();
            log.retain(|(op, synced)| {
                let is_ready = *synced && op.has_folder(durable);
                if is_ready {
                    op.apply(durable);
                }
                !is_ready
            });
            if log.len() == n {
                return;
            }
        }
    }

    fn check_folder(&self, folder: Option<&str>) -> io::Result<()> {
        match folder.map(|folder| self.live.get(folder)) {
            None | Some(Some(Item::Folder)) => Ok(()),
            Some(Some(Item::Node(_))) => Err(io::ErrorKind::NotADirectory.into()),
            Some(None) => Err(io::ErrorKind::NotFound.into()),
        }
    }

    fn check_free(&self, path: &str) -> io::Result<()> {
        self.check_folder(parent(path))?;
        if self.live.contains_key(path) { Err(io::ErrorKind::AlreadyExists.into()) } else { Ok(()) }
    }

    fn children<'a>(&'a self, folder: Option<&'a str>) -> impl Iterator<Item = &'a String> {
        self.live.keys().filter(move |path| parent(path) == folder)
    }
}

fn parent(path: &str) -> Option<&str> {
    path.rsplit_once('/').map(|(folder, _)| folder)
}

impl Files for Machine {
    fn resolve(&self, path: &FilePath, _last: Last) -> Result<FilePath, Error> {
        let state = self.alive().map_err(|source| Error::Io { doing: "read", path: None, source })?;
        for folder in path.folders() {
            if matches!(state.live.get(folder.as_str()), Some(Item::Node(_))) {
                return Err(Error::NotAFolder { path: folder });
            }
        }
        Ok(path.clone())
    }

    fn entry(&self, path: &FilePath) -> io::Result<Entry> {
        Ok(match self.alive()?.live.get(path.as_str()) {
            None => Entry::Missing,
            Some(Item::Folder) => Entry::Folder,
            Some(Item::Node(Node::Link { target })) => Entry::Link { target: target.clone() },
            Some(Item::Node(Node::File { content, attributes })) => {
                Entry::File { attributes: attributes.unwrap_or(NEW_FILE), len: content.len() as u64 }
            }
        })
    }

    fn read(&self, path: &FilePath, _limit: usize) -> io::Result<Vec<u8>> {
        match self.alive()?.live.get(path.as_str()) {
            Some(Item::Node(Node::File { content, .. })) => Ok(content.clone()),
            _ => Err(io::ErrorKind::NotFound.into()),
        }
    }

    fn names(&self, folder: Option<&FilePath>) -> io::Result<Vec<String>> {
        let state = self.alive()?;
        let folder = folder.map(FilePath::as_str);
        state.check_folder(folder)?;
        Ok(state.children(folder).map(|path| path.rsplit('/').next().unwrap().to_owned()).collect())
    }
}

impl Store for Machine {
    fn lock(&self) -> Result<Lock<'_>, Error> {
        Ok(Lock::new(()))
    }

    fn create(&self, path: &FilePath, node: &Node) -> io::Result<()> {
        let path = path.as_str();
        let mut node = node.clone();
        if let Node::File { attributes, .. } = &mut node {
            attributes.get_or_insert(NEW_FILE);
        }
        let mut half = node.clone();
        if let Node::File { content, .. } = &mut half {
            content.truncate(content.len() / 2);
        }
        self.step(Some(Op::Set(path.into(), Some(Item::Node(half)))), |state| {
            state.check_free(path)?;
            state.change(Op::Set(path.into(), Some(Item::Node(node))));
            Ok(())
        })
    }

    fn rename(&self, from: &FilePath, to: &FilePath) -> io::Result<()> {
        let (from, to) = (from.as_str(), to.as_str());
        let item = self.alive()?.live.get(from).cloned().ok_or(io::ErrorKind::NotFound)?;
        let half = match (&item, self.promise) {
            (Item::Node(Node::File { content, attributes }), Promise::NoAtomicRename) => {
                let content = content[..content.len() / 2].into();
                Some(Op::Set(to.into(), Some(Item::Node(Node::File { content, attributes: *attributes }))))
            }
            _ => None,
        };
        self.step(half, |state| {
            state.check_folder(parent(to))?;
            if matches!(item, Item::Folder) {
                state.check_free(to)?;
            }
            state.change(Op::Rename(from.into(), to.into(), item));
            Ok(())
        })
    }

    fn remove(&self, path: &FilePath) -> io::Result<()> {
        let path = path.as_str();
        self.step(None, |state| match state.live.get(path) {
            Some(Item::Node(_)) => {
                state.change(Op::Set(path.into(), None));
                Ok(())
            }
            Some(Item::Folder) => Err(io::ErrorKind::IsADirectory.into()),
            None => Err(io::ErrorKind::NotFound.into()),
        })
    }

    fn make_folder(&self, path: &FilePath) -> io::Result<()> {
        let path = path.as_str();
        self.step(None, |state| {
            state.check_free(path)?;
            state.change(Op::Set(path.into(), Some(Item::Folder)));
            Ok(())
        })
    }

    fn remove_folder(&self, path: &FilePath) -> io::Result<()> {
        let path = path.as_str();
        self.step(None, |state| {
            state.check_folder(Some(path))?;
            if state.children(Some(path)).next().is_some() {
                return Err(io::ErrorKind::DirectoryNotEmpty.into());
            }
            state.change(Op::Set(path.into(), None));
            Ok(())
        })
    }

    fn sync_folder(&self, folder: Option<&FilePath>) -> io::Result<()> {
        let folder = folder.map(FilePath::as_str);
        self.step(None, |state| {
            state.check_folder(folder)?;
            if self.promise != Promise::NoSync {
                state.log.iter_mut().filter(|(op, _)| op.touches(folder)).for_each(|(_, synced)| *synced = true);
                state.flush();
            }
            Ok(())
        })
    }
}
