//! The same cases through other tools: what they make of the replacements is the result.
//!
//! `git` is needed; `patch` and `python3` are asked where they are installed.
#![allow(clippy::print_stdout, reason = "a tool that isn't asked must be seen")]

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use treegraft::{Engine, Outcome, unified};
use treegraft_oracles::bytes::MUTATORS;
use treegraft_oracles::{Given, corpus};

/// Longest file that is handed on, in bytes.
const LONGEST: usize = 40_000;

/// Of so many edits one is handed on in each form: a process is started for each.
const EVERY: usize = 3;

/// Gives edits and their outcomes, as they are and with their bytes changed, where something changes.
fn outcomes() -> Vec<(Given, Outcome)> {
    let forms = ["crlf in the file", "no final newline in the file", "byte order mark in the file"];
    let mutators = MUTATORS.iter().filter(|mutator| forms.contains(&mutator.name));
    let mutators: Vec<_> = mutators.collect();
    let engine = Engine::default();
    let short = corpus::known_edits().iter().filter(|given| given.original.len() < LONGEST);
    let given = short.enumerate().filter_map(|(n, given)| match n % EVERY {
        0 => Some(given.clone()),
        1 => mutators[n / EVERY % mutators.len()].mutated(given),
        _ => None,
    });
    let outcomes = given.filter_map(|given| {
        let outcome = engine.apply(&given.edit()).ok()?;
        (!outcome.replacements().is_empty()).then_some((given, outcome))
    });
    outcomes.collect()
}

/// Gives a program's answer to a version question, if it is installed.
fn is_installed(program: &str) -> bool {
    let found = Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success());
    if !found {
        println!("passed over: there is no {program}");
    }
    found
}

/// Lets a program apply a diff to `file` in `folder`, and compares.
fn check(program: &str, arguments: &[&str], folder: &Path) {
    let file = folder.join("file");
    let mut n = 0;
    for (given, outcome) in outcomes() {
        fs::write(&file, &given.original).expect("the folder can be written");
        let diff = unified(&given.original, outcome.replacements(), "a/file", "b/file", 3);
        let mut child = Command::new(program)
            .args(arguments)
            .current_dir(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it is installed");
        child.stdin.take().expect("it is piped").write_all(diff.as_bytes()).expect("it reads");
        let said = child.wait_with_output().expect("it ends");
        let said = String::from_utf8_lossy(&[said.stdout, said.stderr].concat()).into_owned();
        let got = fs::read(&file).expect("the file is there");
        assert!(got == outcome.text().as_bytes(), "{program} makes another text: {said}\n{diff}\n{}", given.to_json());
        n += 1;
    }
    assert!(n > 60, "only {n} edits were handed on");
}

#[test]
fn git_apply_agrees() {
    let folder = tempfile::tempdir().expect("there is room");
    check("git", &["-c", "core.autocrlf=false", "apply", "--whitespace=nowarn", "-"], folder.path());
}

#[test]
fn patch_agrees() {
    if is_installed("patch") {
        let folder = tempfile::tempdir().expect("there is room");
        check("patch", &["--binary", "--quiet", "--strip=1", "--fuzz=0"], folder.path());
    }
}

/// The replacements are about as small as those of another differ, which knows original and result alone.
#[test]
fn difflib_finds_about_the_same_change() {
    if !is_installed("python3") {
        return;
    }
    let lines: Vec<String> = outcomes()
        .iter()
        .map(|(given, outcome)| {
            let changed: usize =
                outcome.replacements().iter().map(|one| one.old_lines.len() + one.new_lines.len()).sum();
            let object = serde_json::json!({
                "original": given.original, "result": outcome.text(), "changed": changed,
            });
            format!("{object}\n")
        })
        .collect();
    let mut child = Command::new("python3")
        .arg(corpus::root().join("oracles/tests/difflib_check.py"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it is installed");
    child.stdin.take().expect("it is piped").write_all(lines.concat().as_bytes()).expect("it reads");
    let said = child.wait_with_output().expect("it ends");
    let text = String::from_utf8_lossy(&said.stdout).into_owned();
    println!("{text}");
    assert!(said.status.success(), "{text}");
}
