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
fn the_ledger_and_the_languages_are_shown() {
    check_shown(&run(&["explain", "examples/rust/cache.rs", "--snippet", "examples/rust/cache.snippet.rs"]).1);
    check_shown(&run(&["languages"]).1);
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
