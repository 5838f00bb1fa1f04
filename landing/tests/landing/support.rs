//! Replies and landings, made at random and by hand.

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

pub(crate) fn block(path: &str, content: &str) -> Operation {
    Operation::File(FileBlock {
        path: path.into(),
        content: content.into(),
        description: String::new(),
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

fn random_operation(random: &mut fastrand::Rng) -> Operation {
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
    (0..random.usize(1..4)).map(|_| format!("{}\n", random.u64(..))).collect()
}
