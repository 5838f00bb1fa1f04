//! What a reply would make of the files, worked out in full before anything is written.

use std::collections::BTreeMap;

use rayon::prelude::*;
use treegraft::{Engine, NeedsVerifyReason, Outcome, Status};
use treegraft_reply::{Operation, Reply, Warning};

use crate::error::Error;
use crate::files::{Files, Node};
use crate::journal::LARGEST_FILE;
use crate::merge;
use crate::names::{Kind, Names, Origin, Slot};
use crate::path::FilePath;
use crate::transaction::Change;

/// Most bytes that one reply may be about: of each file what is there and what its blocks add, and that once for each
/// block, since all of it is held in memory. More: a small reply can fill it; less: large files need a landing of their
/// own.
pub const MOST_BYTES: u64 = 1 << 30;

/// What a reply would make of the files. Nothing is changed yet: look at it, then [`crate::commit`] it.
///
/// # Examples
///
/// ```
/// use treegraft::{Engine, Status};
/// use treegraft_landing::{FilePath, Memory, Node, commit, plan};
/// use treegraft_reply::{FileBlock, Form, Operation, Parts, Reply};
///
/// let files = Memory::new([("src/a.rs", "fn one() -> u32 {\n    1\n}\n\nfn two() -> u32 {\n    2\n}\n")])?;
/// let block = FileBlock {
///     path: "src/a.rs".into(),
///     content: "// ... existing code ...\n\nfn two() -> u32 {\n    1 + 1\n}\n".into(),
///     description: String::new(),
///     language: None,
///     form: Form::Block,
///     same_path_as: None,
///     line: 1,
///     parts: Parts::default(),
/// };
/// let reply = Reply { operations: vec![Operation::File(block)], ..Reply::default() };
///
/// let plan = plan(&reply, &files, &Engine::default());
/// assert_eq!(plan.status(), Status::Trusted);
/// assert!(plan.files()[0].diff().contains("+    1 + 1\n"));
/// commit(&plan, &files, false)?;
/// # let path = FilePath::new("src/a.rs")?;
/// # let node = files.nodes().into_iter().find(|(other, _)| *other == path).unwrap().1;
/// # assert!(matches!(node, Node::File { content, .. } if content.ends_with(b"1 + 1\n}\n")));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
#[must_use]
pub struct Plan {
    files: Vec<PlannedFile>,
    warnings: Vec<Warning>,
    /// The warnings that are no doubt of a file but of the reply.
    doubts: Vec<Warning>,
}

/// What becomes of one file.
#[derive(Debug)]
pub struct PlannedFile {
    name: String,
    lines: Vec<usize>,
    moved_from: Option<FilePath>,
    before: Option<(FilePath, Node)>,
    after: Option<(FilePath, Node)>,
    edits: Vec<PlannedEdit>,
    doubts: Vec<Doubt>,
    error: Option<Error>,
}

/// What one block of the reply does to its file.
#[derive(Debug)]
#[non_exhaustive]
pub struct PlannedEdit {
    /// The line of the reply on which the block begins, one-based.
    pub line: usize,
    /// The file's path when the block's turn comes.
    pub path: FilePath,
    /// The text that the block is for; `None` for a file that the block makes.
    pub original: Option<String>,
    /// The block as it was handed in, which reasons count lines of.
    pub snippet: String,
    /// What came of it. For a file that the block makes: of merging it into nothing, whose text is not what is written.
    pub outcome: Outcome,
}

/// Why someone has to look at a file.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Doubt {
    /// A reason of the engine.
    Edit {
        /// Which of [`PlannedFile::edits`] it is about.
        edit: usize,
        /// The reason.
        reason: NeedsVerifyReason,
    },
    /// The reply may not have been read as it was meant.
    Reply(Warning),
    /// The reply calls the file new, but it is there.
    NotNew,
}

impl Doubt {
    /// Gives the stable name used in reports, such as `code_removed`.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Edit { reason, .. } => reason.kind.as_str(),
            Self::Reply(warning) => warning.code.as_str(),
            Self::NotNew => "not_new",
        }
    }

    /// Gives one sentence for a person.
    #[must_use]
    pub fn message(&self) -> &str {
        match self {
            Self::Edit { reason, .. } => &reason.message,
            Self::Reply(warning) => &warning.detail,
            Self::NotNew => "the reply says that the file is new, but there is one",
        }
    }
}

/// What is done to a file as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Action {
    /// It is made.
    Make,
    /// Its content is changed.
    Edit,
    /// It is moved, and its content perhaps changed.
    Move,
    /// It is removed.
    Remove,
    /// It stays as it is.
    Keep,
}

impl Action {
    /// Gives the stable name used in reports, such as `make`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Make => "make",
            Self::Edit => "edit",
            Self::Move => "move",
            Self::Remove => "remove",
            Self::Keep => "keep",
        }
    }
}

/// Works out what a reply makes of the files: all operations in order, each against the result of those before it.
///
/// A block for a path that isn't there makes the file, and its content is the file. A block after a move is for the
/// moved file. A reset makes a path what it was before the reply: what was made or moved there goes back to where it
/// was, and what stood there first comes back.
///
/// Files are merged in parallel, on rayon's pool that the call is made in. Parsers recurse: give its threads a stack of
/// 16 MiB. What comes out doesn't depend on it.
///
/// Nothing is an error here: what can't be done is a file with [`PlannedFile::error`].
pub fn plan(reply: &Reply, files: &dyn Files, engine: &Engine) -> Plan {
    let names = Names::new(&reply.operations, files);
    let mut doubts: BTreeMap<usize, Vec<&Warning>> = BTreeMap::new();
    for warning in reply.warnings.iter().filter(|warning| warning.code.is_doubt()) {
        // Those about nothing else are doubts of the reply.
        doubts.entry(warning.operation.unwrap_or(usize::MAX)).or_default().push(warning);
    }
    let reader = Reader { reply, files, engine, doubts: &doubts };
    let fits = sizes_fit(&names.slots);
    let mut planned: Vec<(usize, PlannedFile)> = names
        .slots
        .par_iter()
        .zip(fits)
        .filter_map(|(slot, fits)| {
            let first = *slot.operations.first()?;
            Some((first, fits.and_then(|()| reader.file(slot)).unwrap_or_else(|error| reader.refused(slot, error))))
        })
        .collect();
    planned.extend(names.refused.into_iter().map(|(n, error)| (n, refused(&reply.operations[n], error))));
    // In the order of the reply; a refusal of a later operation on the same file comes behind the file.
    planned.sort_by_key(|(first, _)| *first);
    let mut files: Vec<PlannedFile> = planned.into_iter().map(|(_, file)| file).collect();
    // What no file has taken casts doubt on all.
    names.slots.iter().flat_map(|slot| &slot.operations).for_each(|n| drop(doubts.remove(n)));
    let doubts = doubts.into_values().flatten().cloned().collect();
    if let Some(open) = &reply.open {
        files.push(PlannedFile {
            lines: vec![open.block.line],
            ..PlannedFile::refused(open.block.path.clone(), Error::Unterminated)
        });
    }
    Plan { files, warnings: reply.warnings.clone(), doubts }
}

impl Plan {
    /// Gives the files in the order in which the reply first speaks of them.
    #[must_use]
    pub fn files(&self) -> &[PlannedFile] {
        &self.files
    }

    /// Gives what was not as it should be with the reply.
    #[must_use]
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// Gives the warnings that cast doubt on the reply as a whole, and not on one of its files.
    #[must_use]
    pub fn doubts(&self) -> &[Warning] {
        &self.doubts
    }

    /// Says how the worst of its files ended.
    #[must_use]
    pub fn status(&self) -> Status {
        let statuses = || self.files.iter().map(PlannedFile::status);
        if statuses().any(|status| status == Status::Refused) {
            Status::Refused
        } else if !self.doubts.is_empty() || statuses().any(|status| status == Status::NeedsVerify) {
            Status::NeedsVerify
        } else {
            Status::Trusted
        }
    }

    /// Counts the files with which an action is done.
    #[must_use]
    pub fn count(&self, action: Action) -> usize {
        self.files.iter().filter(|file| file.error.is_none() && file.action() == action).count()
    }

    /// Gives what has to be changed, in the order of paths: of each path what stands there and what is to.
    pub(crate) fn changes(&self) -> Vec<Change> {
        let mut sides: BTreeMap<&FilePath, (Option<&Node>, Option<&Node>)> = BTreeMap::new();
        for file in &self.files {
            if let Some((path, node)) = &file.before {
                sides.entry(path).or_default().0 = Some(node);
            }
            if let Some((path, node)) = &file.after {
                sides.entry(path).or_default().1 = Some(node);
            }
        }
        let change = |(path, (before, after)): (&FilePath, (Option<&Node>, Option<&Node>))| {
            (before != after).then(|| Change { path: path.clone(), before: before.cloned(), after: after.cloned() })
        };
        sides.into_iter().filter_map(change).collect()
    }
}

impl PlannedFile {
    /// Gives the path that the file is to have, or has if it is removed; for a refused one what the reply wrote.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Gives the lines of the reply on which the operations for it begin, one-based, rising.
    #[must_use]
    pub fn lines(&self) -> &[usize] {
        &self.lines
    }

    /// Gives the path that it is moved away from.
    #[must_use]
    pub fn moved_from(&self) -> Option<&FilePath> {
        self.moved_from.as_ref()
    }

    /// Says what is done to it; [`Action::Keep`] for a refused one.
    #[must_use]
    pub fn action(&self) -> Action {
        match (&self.before, &self.after) {
            (None, Some(_)) => Action::Make,
            (Some(_), None) => Action::Remove,
            (Some((from, _)), Some((to, _))) if from != to => Action::Move,
            (Some(before), Some(after)) if before != after => Action::Edit,
            _ => Action::Keep,
        }
    }

    /// Gives the file as it is; `None` if it is made, or refused.
    #[must_use]
    pub fn before(&self) -> Option<&Node> {
        self.before.as_ref().map(|(_, node)| node)
    }

    /// Gives the file as it is to be; `None` if it is removed, or refused.
    #[must_use]
    pub fn after(&self) -> Option<&Node> {
        self.after.as_ref().map(|(_, node)| node)
    }

    /// Gives what each block for it does, in the order of the reply.
    #[must_use]
    pub fn edits(&self) -> &[PlannedEdit] {
        &self.edits
    }

    /// Gives why someone has to look at it; empty if it is trusted, or refused.
    #[must_use]
    pub fn doubts(&self) -> &[Doubt] {
        &self.doubts
    }

    /// Gives why it is refused.
    #[must_use]
    pub fn error(&self) -> Option<&Error> {
        self.error.as_ref()
    }

    /// Says whether it may be landed.
    #[must_use]
    pub fn status(&self) -> Status {
        match (&self.error, &self.doubts[..]) {
            (Some(_), _) => Status::Refused,
            (None, []) => Status::Trusted,
            (None, _) => Status::NeedsVerify,
        }
    }

    /// Writes what is done to it as a unified diff with git's header lines, which `git apply` takes. Empty if nothing
    /// is.
    #[must_use]
    pub fn diff(&self) -> String {
        crate::diff::write(self.before.as_ref(), self.after.as_ref(), &self.edits)
    }

    fn refused(name: String, error: Error) -> Self {
        Self {
            name,
            lines: Vec::new(),
            moved_from: None,
            before: None,
            after: None,
            edits: Vec::new(),
            doubts: Vec::new(),
            error: Some(error),
        }
    }
}

/// What it takes to read and merge a file.
struct Reader<'a> {
    reply: &'a Reply,
    files: &'a dyn Files,
    engine: &'a Engine,
    /// Warnings that cast doubt, by the operation they are about.
    doubts: &'a BTreeMap<usize, Vec<&'a Warning>>,
}

impl Reader<'_> {
    fn file(&self, slot: &Slot<'_>) -> Result<PlannedFile, Error> {
        let before = match &slot.origin {
            None => None,
            Some(origin) => Some((origin.path.clone(), self.read(&origin.path, &origin.kind)?)),
        };
        let (content, attributes) = match &before {
            Some((_, Node::File { content, attributes })) => (Some(content.as_slice()), *attributes),
            _ => (None, None),
        };
        // What is removed in the end needs no merging.
        let blocks = if slot.place.is_some() { slot.blocks.as_slice() } else { &[] };
        let merged = merge::blocks(content, blocks, self.engine)?;
        let after = match (&slot.place, &before) {
            (None, _) => None,
            (Some(place), Some((_, node))) if slot.blocks.is_empty() => Some((place.clone(), node.clone())),
            (Some(place), _) => {
                let content = merged.content.ok_or(Error::Unknown)?;
                Some((place.clone(), Node::File { content, attributes }))
            }
        };
        let moved_from = match (&before, &after) {
            (Some((from, _)), Some((to, _))) if from != to => Some(from.clone()),
            _ => None,
        };
        let of_reply = slot.operations.iter().filter_map(|n| self.doubts.get(n)).flatten();
        let of_reply = of_reply.map(|warning| Doubt::Reply((*warning).clone()));
        Ok(PlannedFile {
            name: self.name(slot),
            lines: self.lines(slot),
            moved_from,
            before,
            after,
            edits: merged.edits,
            doubts: merged.doubts.into_iter().chain(of_reply).collect(),
            error: None,
        })
    }

    fn read(&self, path: &FilePath, kind: &Kind) -> Result<Node, Error> {
        match kind {
            Kind::Link { target } => Ok(Node::Link { target: target.clone() }),
            Kind::File { attributes, .. } => {
                let content = self.files.read(path, LARGEST_FILE).map_err(Error::io("read", path))?;
                Ok(Node::File { content, attributes: Some(*attributes) })
            }
        }
    }

    fn refused(&self, slot: &Slot<'_>, error: Error) -> PlannedFile {
        PlannedFile { lines: self.lines(slot), ..PlannedFile::refused(self.name(slot), error) }
    }

    fn name(&self, slot: &Slot<'_>) -> String {
        let path = slot.place.as_ref().or(slot.origin.as_ref().map(|origin| &origin.path));
        let named = || slot.operations.first().map(|&n| self.reply.operations[n].path().to_owned());
        path.map(ToString::to_string).or_else(named).unwrap_or_default()
    }

    fn lines(&self, slot: &Slot<'_>) -> Vec<usize> {
        slot.operations.iter().map(|&n| self.reply.operations[n].line()).collect()
    }
}

fn refused(operation: &Operation, error: Error) -> PlannedFile {
    PlannedFile { lines: vec![operation.line()], ..PlannedFile::refused(operation.path().to_owned(), error) }
}

/// Says of each file whether it is small enough, alone and with those before it.
fn sizes_fit(slots: &[Slot<'_>]) -> Vec<Result<(), Error>> {
    let mut total = 0_u64;
    let fits = |slot: &Slot<'_>| {
        let len = match &slot.origin {
            Some(Origin { path, kind: Kind::File { len, .. } }) if *len > LARGEST_FILE as u64 => {
                return Err(Error::TooLarge { path: path.clone(), bytes: *len, limit: LARGEST_FILE });
            }
            Some(Origin { kind: Kind::File { len, .. }, .. }) => *len,
            _ => 0,
        };
        let len = slot.blocks.iter().fold(len, |len, (_, block)| len.saturating_add(block.content.len() as u64));
        total = total.saturating_add(len.saturating_mul(slot.blocks.len().max(1) as u64));
        if total > MOST_BYTES { Err(Error::TooMuch { bytes: total, limit: MOST_BYTES }) } else { Ok(()) }
    };
    slots.iter().map(fits).collect()
}
