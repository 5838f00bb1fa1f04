//! The README shows commands and what they print; here they are run and compared.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn readme() -> String {
    fs::read_to_string(root().join("README.md")).expect("the README is there")
}

/// Runs the command in the repository's root; gives its status and what it prints.
fn run(args: &[&str]) -> (Option<i32>, String) {
    let (status, out, err) = run_in(&root(), args);
    (status, out + &err)
}

/// Runs the command in a folder; gives its status, and what it prints to either stream.
fn run_in(folder: &Path, args: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_treegraft"))
        .args(args)
        .current_dir(folder)
        .env("NO_COLOR", "1")
        .output()
        .expect("the command runs");
    let text = |bytes| String::from_utf8(bytes).expect("it prints text");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// Copies a folder with all that is in it.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("the copy can be made");
    for entry in fs::read_dir(from).expect("the folder is there") {
        let path = entry.expect("it can be read").path();
        let target = to.join(path.file_name().expect("it has a name"));
        if path.is_dir() {
            copy(&path, &target);
        } else {
            fs::copy(&path, &target).expect("the file can be copied");
        }
    }
}

/// Lists all files below a folder with their contents, without our own.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("it can be read").path();
        if path.is_dir() && !path.ends_with(".treegraft") {
            files.extend(self::files(&path));
        } else if path.is_file() {
            files.insert(path.clone(), fs::read(&path).expect("it can be read"));
        }
    }
    files
}

/// Says whether the README has a text as a block of its own.
#[track_caller]
fn check_shown(text: &str) {
    assert!(readme().contains(&format!("\n{text}```\n")), "the README does not show this:\n{text}");
}

#[test]
fn the_main_job_prints_what_is_shown() {
    let (status, printed) = run(&["apply", "examples/go/server.go", "--snippet", "examples/go/server.snippet.go"]);
    check_shown(&printed);
    assert_eq!(status, Some(0));
    check_shown(&fs::read_to_string(root().join("examples/go/server.snippet.go")).expect("it is there"));
}

#[test]
fn a_doubt_is_shown() {
    let (status, printed) = run(&["apply", "examples/go/server.go", "--snippet", "examples/go/unclear.snippet.go"]);
    check_shown(&printed);
    assert_eq!(status, Some(1));
}

#[test]
fn the_ledger_is_shown() {
    check_shown(&run(&["explain", "examples/rust/cache.rs", "--snippet", "examples/rust/cache.snippet.rs"]).1);
}

/// On a copy, since the tour writes.
#[test]
fn a_reply_is_landed_and_undone_as_shown() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    copy(&root().join("examples"), &folder.path().join("examples"));
    let before = files(folder.path());
    let reply = "land examples/replies/bounds.md --root examples";
    let run = |command: &str| run_in(folder.path(), &command.split(' ').collect::<Vec<_>>());
    let (status, out, err) = run(reply);
    check_shown(&(out + &err));
    assert_eq!(status, Some(0));
    assert_eq!(files(folder.path()), before);

    let write = format!("{reply} --write");
    let (status, _, err) = run(&write);
    check_shown(&format!("$ treegraft {write}\n{err}"));
    assert_eq!(status, Some(0));
    let landed = files(folder.path());
    assert!(landed.contains_key(&folder.path().join("examples/python/stock/inventory.py")));

    let undo = "undo --root examples";
    let (status, out, _) = run(undo);
    check_shown(&format!("$ treegraft {undo}\n{out}"));
    assert_eq!(status, Some(0));
    assert_eq!(files(folder.path()), before);
}

/// The README has the languages that the command is built with by itself. Tests with all features know more, so only what is shown
/// is looked for.
#[test]
fn the_languages_are_shown() {
    let readme = readme();
    let shown = readme.split_once("\n## Languages\n\n```text\n").expect("there is a list").1;
    let shown = shown.split_once("```").expect("the list ends").0;
    let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let printed: Vec<_> = run(&["languages"]).1.lines().map(words).collect();
    assert!(shown.lines().count() >= 10);
    for line in shown.lines() {
        assert!(printed.contains(&words(line)), "`treegraft languages` does not print: {line}");
    }
}

#[test]
fn the_program_is_the_example() {
    let program = fs::read_to_string(root().join("engine/examples/merge.rs")).expect("the example is there");
    check_shown(&program);
}

#[test]
fn every_job_of_the_readme_is_trusted() {
    let readme = readme();
    let jobs: Vec<&str> = readme.lines().filter(|line| line.starts_with("cargo run ")).collect();
    assert!(jobs.len() >= 4, "{jobs:?}");
    for job in jobs {
        let (_, args) = job.split_once(" -- ").expect("arguments follow `--`");
        let (status, printed) = run(&args.split(' ').collect::<Vec<_>>());
        assert_eq!(status, Some(0), "{job}\n{printed}");
    }
}

#[test]
fn the_figures_are_those_of_the_record() {
    let readme = readme();
    let shown = readme.split_once("<!-- `cargo xtask record-replay` writes from here -->").expect("the table begins").1;
    let shown = shown.split_once("<!-- to here -->").expect("the table ends").0.trim();
    let record = fs::read_to_string(root().join("benches/record/replay.md")).expect("the record is there");
    assert!(shown.contains("| hard negatives |") && record.contains(shown), "the record does not hold this:\n{shown}");
    assert!(!record.contains(" with changes"), "the record was made of a commit that nobody else has");
}
