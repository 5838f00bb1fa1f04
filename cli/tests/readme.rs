//! The README shows commands and what they print; here they are run and compared.

use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn readme() -> String {
    std::fs::read_to_string(root().join("README.md")).expect("the README is there")
}

/// Runs the command in the repository's root; gives its status and what it prints.
fn run(args: &[&str]) -> (Option<i32>, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_treegraft"))
        .args(args)
        .current_dir(root())
        .env("NO_COLOR", "1")
        .output()
        .expect("the command runs");
    let text = |bytes| String::from_utf8(bytes).expect("it prints text");
    (output.status.code(), text(output.stdout) + &text(output.stderr))
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
    check_shown(&std::fs::read_to_string(root().join("examples/go/server.snippet.go")).expect("it is there"));
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
    let program = std::fs::read_to_string(root().join("engine/examples/merge.rs")).expect("the example is there");
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
    let record = std::fs::read_to_string(root().join("benches/record/replay.md")).expect("the record is there");
    assert!(shown.contains("| hard negatives |") && record.contains(shown), "the record does not hold this:\n{shown}");
    assert!(!record.contains(" with changes"), "the record was made of a commit that nobody else has");
}
