//! Replies and landings, made at random and by hand.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use treegraft::{Engine, Status};
use treegraft_landing::{Attributes, FilePath, Files, Node, Plan, plan};
use treegraft_reply::{FileBlock, Form, Operation, Parts, Reply, Span};

/// Names that random replies use: beside each other, nested, and in folders that are there or not.
const NAMES: &[&str] = &["a.txt", "b.txt", "sub/c.txt", "sub/d.txt", "sub/deep/e.txt", "other/f.txt", "new/g.txt"];

pub(crate) fn path(path: &str) -> FilePath {
    FilePath::new(path).unwrap()
}

pub(crate) fn file(content: &str, mode: u32) -> Node {
    Node::File { content: content.into(), attributes: Some(Attributes { mode, owner: None }) }
}

/// A block whose text is the whole file.
pub(crate) fn block(path: &str, content: &str) -> Operation {
    snippet(path, content, "Type: overwrite")
}

/// A block that is merged.
pub(crate) fn snippet(path: &str, content: &str, description: &str) -> Operation {
    Operation::File(FileBlock {
        path: path.into(),
        content: content.into(),
        description: description.into(),
        language: None,
        form: Form::Block,
        same_path_as: None,
        line: 1,
        parts: Parts::default(),
    })
}

pub(crate) fn rename(from: &str, to: &str) -> Operation {
    Operation::Move { from: from.into(), to: to.into(), line: 1, span: Span::default() }
}

pub(crate) fn remove(path: &str) -> Operation {
    Operation::Remove { path: path.into(), line: 1, span: Span::default() }
}

pub(crate) fn reset(path: &str) -> Operation {
    Operation::Reset { path: path.into(), line: 1, span: Span::default() }
}

pub(crate) fn reply(operations: impl IntoIterator<Item = Operation>) -> Reply {
    Reply { operations: operations.into_iter().collect(), ..Reply::default() }
}

pub(crate) fn planned(operations: impl IntoIterator<Item = Operation>, files: &dyn Files) -> Plan {
    plan(&reply(operations), files, &Engine::default())
}

/// Makes files at random.
pub(crate) fn random_files(random: &mut fastrand::Rng) -> Vec<(FilePath, Node)> {
    let mut files = Vec::new();
    for name in NAMES {
        if random.u8(..3) > 0 {
            let mode = random.choice([0o644, 0o755, 0o600]).unwrap();
            files.push((path(name), file(&random_text(random), mode)));
        }
    }
    files
}

/// Makes a reply at random that is not refused and changes something.
pub(crate) fn random_plan(random: &mut fastrand::Rng, files: &dyn Files) -> Plan {
    loop {
        let n = random.usize(1..6);
        let operations: Vec<Operation> = (0..n).map(|_| random_operation(random)).collect();
        let plan = planned(operations, files);
        if plan.status() != Status::Refused && plan.files().iter().any(|file| file.before() != file.after()) {
            return plan;
        }
    }
}

pub(crate) fn random_operation(random: &mut fastrand::Rng) -> Operation {
    let name = |random: &mut fastrand::Rng| *random.choice(NAMES).unwrap();
    match random.u8(..10) {
        0..=4 => block(name(random), &random_text(random)),
        5..=6 => rename(name(random), name(random)),
        7..=8 => remove(name(random)),
        _ => reset(name(random)),
    }
}

/// Lines that are all different, so that no two files are alike.
fn random_text(random: &mut fastrand::Rng) -> String {
    (0..random.usize(1..4)).map(|_| format!("{}\n", random.u64(..))).collect::<Vec<_>>().concat()
}

/// Lists what is below a folder, with kind, content and mode, without our own folder.
pub(crate) fn snapshot(folder: &Path) -> BTreeMap<PathBuf, String> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(current) = folders.pop() {
        for entry in fs::read_dir(current).unwrap() {
            let path = entry.unwrap().path();
            let metadata = fs::symlink_metadata(&path).unwrap();
            let what = if metadata.is_symlink() {
                format!("link to {}", fs::read_link(&path).unwrap().display())
            } else if metadata.is_file() {
                format!("{} {:?}", mode(&metadata), fs::read(&path).unwrap().escape_ascii().to_string())
            } else if !metadata.is_dir() {
                format!("{} other", mode(&metadata))
            } else if path.file_name().unwrap() == ".treegraft" {
                continue;
            } else {
                folders.push(path.clone());
                format!("{} folder", mode(&metadata))
            };
            found.insert(path, what);
        }
    }
    found
}

#[cfg(unix)]
fn mode(metadata: &fs::Metadata) -> String {
    use std::os::unix::fs::MetadataExt as _;
    format!("{:o}", metadata.mode())
}

#[cfg(not(unix))]
fn mode(metadata: &fs::Metadata) -> String {
    format!("{:?}", metadata.permissions())
}
