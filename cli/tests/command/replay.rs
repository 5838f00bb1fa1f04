//! `replay`: on histories and releases small enough to know.

use std::fs;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::support::Folder;

/// Gives a file of ten functions; those named have a new body.
fn functions(changed: &[usize]) -> String {
    let function = |n: usize| {
        let body = if changed.contains(&n) {
            format!("    let wide = {n} * scale;\n    wide + {n}00")
        } else {
            format!("    {n} + scale")
        };
        format!("fn part_{n}(scale: u32) -> u32 {{\n{body}\n}}\n\n")
    };
    (0..10).map(function).collect::<Vec<_>>().concat()
}

/// Runs git in the folder, free of the surroundings' wishes; says whether it is there.
fn git(folder: &Folder, words: &[&str]) -> bool {
    let run = Command::new("git")
        .args([
            "-c",
            "user.name=a",
            "-c",
            "user.email=a@b.c",
            "-c",
            "commit.gpgsign=false",
            "-c",
            "core.autocrlf=false",
        ])
        .args(words)
        .current_dir(folder.path(""))
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CEILING_DIRECTORIES", folder.path("").parent().unwrap())
        .stdout(Stdio::null())
        .status();
    assert!(!matches!(run, Ok(status) if !status.success()), "git {words:?}");
    run.is_ok()
}

/// Makes a repository whose history changes one function after the other; none without git.
fn repository() -> Option<Folder> {
    let folder = Folder::new();
    if !git(&folder, &["init", "--quiet"]) {
        // Without git there is nothing to see.
        return None;
    }
    for n in 0..=8 {
        fs::write(folder.path("parts.rs"), functions(&(0..n).collect::<Vec<_>>())).unwrap();
        git(&folder, &["add", "parts.rs"]);
        git(&folder, &["commit", "--quiet", "--message", "change"]);
    }
    Some(folder)
}

/// Makes two releases of a file.
fn releases() -> Folder {
    Folder::new().file("old/parts.rs", functions(&[])).file("new/parts.rs", functions(&[1, 4, 8]))
}

#[test]
fn a_history_is_measured() {
    let Some(folder) = repository() else { return };
    let run = folder.run(&["replay", "--git", ".", "--styles", "context,structure", "--json", "cases.jsonl"]).ends(0);
    let run = run.says(&["no silent wrong result in 8 cases and 0 hard negatives"]);
    assert!(run.out.starts_with("style, description "), "{}", run.out);
    assert!(run.out.lines().any(|line| line.starts_with("rust ")), "{}", run.out);
    let cases: Vec<Value> =
        folder.read("cases.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(cases.len(), 8);
    for case in &cases {
        assert_eq!((&case["right"], &case["silent"]), (&true.into(), &false.into()), "{case}");
        assert!(case["style"] == "context" || case["style"] == "structure", "{case}");
    }
}

#[test]
fn the_seed_decides() {
    let Some(folder) = repository() else { return };
    let ids = |seed: &str| {
        let run = folder.run(&["replay", "--git", ".", "--max", "4", "--seed", seed, "--json", "cases.jsonl"]);
        assert_ne!(run.status, 2, "{}", run.err);
        let field = |line: &str| serde_json::from_str::<Value>(line).unwrap()["id"].to_string();
        folder.read("cases.jsonl").lines().map(field).collect::<Vec<_>>()
    };
    let first = ids("1");
    assert_eq!(first, ids("1"));
    assert!((2..=20).any(|seed| ids(&seed.to_string()) != first), "{first:?}");
}

#[test]
fn one_case_is_shown_whole() {
    let folder = releases();
    let flags = ["replay", "--pairs", ".", "--styles", "declaration", "--json", "cases.jsonl"];
    folder.run(&flags).ends(0);
    let cases = folder.read("cases.jsonl");
    let first: Value = serde_json::from_str(cases.lines().next().unwrap()).unwrap();
    let id = first["id"].as_str().unwrap();
    let run = folder.run(&[&flags[..], &["--id", id]].concat()).ends(0);
    for part in ["=== ", id, "--- snippet", "--- original -> wanted", "--- ledger"] {
        assert!(run.out.contains(part), "`{part}` is missing in\n{}", run.out);
    }
}

#[test]
fn tables_come_in_markdown() {
    let run = releases().run(&["replay", "--pairs", ".", "--markdown"]);
    assert!(run.out.starts_with("| style, description "), "{}", run.out);
    assert!(run.out.lines().filter(|line| !line.is_empty()).all(|line| line.starts_with('|')), "{}", run.out);
}

#[test]
fn a_source_is_needed() {
    let folder = releases();
    folder.run(&["replay"]).ends(2).says(&["--git", "--pairs"]);
    folder.run(&["replay", "--git", ".", "--pairs", "."]).ends(2).says(&["cannot be used with"]);
    let run = folder.run(&["replay", "--pairs", ".", "--styles", "contxt"]).ends(2);
    let run = run.says(&["unknown style `contxt` (there are: context, "]);
    // The help lists them as well.
    let names = run.err.split_once("there are: ").unwrap().1.split_once(')').unwrap().0;
    let help = folder.run(&["replay", "--help"]).ends(0).out;
    assert!(names.split(", ").count() > 10 && names.split(", ").all(|name| help.contains(name)), "{names}\n{help}");
}

#[test]
fn what_cannot_be_measured_is_said() {
    let folder = Folder::new().file("empty/x.txt", "x").file("same/old/a.rs", functions(&[]));
    let folder = folder.file("same/new/a.rs", functions(&[]));
    let run = folder.run(&["replay", "--pairs", "empty"]).ends(2);
    run.says(&["there is no pair of releases", "--> empty", "help: in a checkout of treegraft, `cargo xtask pairs`"]);
    folder.run(&["replay", "--pairs", "none"]).ends(2).says(&["no such file", "--> none"]);
    folder.run(&["replay", "--pairs", "same"]).ends(2).says(&["nothing to measure", "help: files of 20"]);
    let run = folder.run(&["replay", "--pairs", "same", "--packages", "empty/x.txt"]).ends(2);
    run.says(&["this is no list of packages", "--> empty/x.txt"]);

    // Without a folder it is the cache, which nothing has filled here.
    let mut command = folder.command(&["replay", "--pairs"]);
    command.env("TREEGRAFT_CACHE", folder.path("cache"));
    crate::support::run(command, b"").ends(2).says(&["there is no pair of releases yet", "cargo xtask pairs"]);
}

#[test]
fn a_folder_without_history_is_said() {
    let folder = Folder::new().file("plain/x.txt", "x").file("repo/x.txt", "x");
    let replay = |path: &str| {
        let mut command = folder.command(&["replay", "--git", path]);
        command.env("GIT_CEILING_DIRECTORIES", folder.path("").parent().unwrap());
        crate::support::run(command, b"").ends(2)
    };
    replay("none").says(&["no such file", "--> none"]);
    if !git(&folder, &["init", "--quiet", "repo"]) {
        return;
    }
    replay("plain").says(&["this is not a git repository", "--> plain", "help: name the folder of a clone"]);
    replay("repo").says(&["the repository has no commit yet", "--> repo"]);
    git(&folder, &["-C", "repo", "add", "x.txt"]);
    git(&folder, &["-C", "repo", "commit", "--quiet", "--message", "first"]);
    replay("repo").says(&["nothing to measure", "git fetch --unshallow"]);
}
