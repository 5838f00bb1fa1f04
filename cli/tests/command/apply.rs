//! `apply`: what goes where, and the exit status.

use std::process::Command;

use serde_json::{Value, json};

use crate::support::{DIFF, DOUBTFUL_RESULT, Folder, ORIGINAL, RESULT, SNIPPET};

#[test]
fn the_difference_goes_to_stdout_and_the_verdict_to_stderr() {
    let folder = Folder::with_example();
    let run = folder.run(&["apply", "a.rs", "--snippet", "s"]).ends(0).says(&["trusted: 1 replacement (line 6)"]);
    assert_eq!(run.out, DIFF);
    assert_eq!(folder.read("a.rs"), ORIGINAL, "nothing is written unasked");
}

#[test]
fn a_missing_snippet_is_read_from_stdin() {
    let folder = Folder::with_example();
    assert_eq!(folder.run_with(&["apply", "a.rs"], SNIPPET).ends(0).out, DIFF);
    assert_eq!(folder.run_with(&["apply", "a.rs", "--snippet", "-"], SNIPPET).ends(0).out, DIFF);
}

#[test]
fn the_original_may_come_from_stdin() {
    let folder = Folder::with_example();
    let run = folder.run_with(&["apply", "-", "--snippet", "s", "--path", "a.rs"], ORIGINAL).ends(0);
    assert_eq!(run.out, DIFF);
    let run = folder.run_with(&["apply", "-", "-s", "s", "--language", "rust", "--json"], ORIGINAL).ends(0);
    assert_eq!(run.json()["syntax"]["status"], "valid");
}

#[test]
fn print_gives_the_whole_result_only() {
    let folder = Folder::with_example();
    assert_eq!(folder.run(&["apply", "a.rs", "-s", "s", "--print"]).ends(0).out, RESULT);
    assert_eq!(folder.run(&["apply", "a.rs", "-s", "d", "--print"]).ends(1).out, DOUBTFUL_RESULT);
}

#[test]
fn a_doubt_is_told_with_its_lines_and_what_to_do() {
    let folder = Folder::with_example();
    folder.run(&["apply", "a.rs", "-s", "d"]).ends(1).says(&[
        "warning[syntax_error]: ",
        "--> a.rs",
        "help: ",
        "needs a look (1 reason)",
        "syntax invalid",
    ]);
}

#[test]
fn json_has_the_shape_of_the_contract() {
    let folder = Folder::with_example();
    let run = folder.run(&["apply", "a.rs", "-s", "s", "--json"]).ends(0);
    assert_eq!(run.err, "", "the verdict is in the object");
    assert_eq!(run.out.matches('\n').count(), 1);
    let mut object = run.json();
    let elapsed = object["elapsed_us"].take();
    for stage in ["total", "anchor", "validate", "diff"] {
        assert!(elapsed[stage].is_u64(), "{elapsed}");
    }
    let line = object["reproduce"].take();
    assert!(line.as_str().is_some_and(|line| line.starts_with("treegraft ") && line.contains("; rust ")), "{line}");
    let id = object["replacements"][0]["id"].take();
    assert!(id.as_str().is_some_and(|id| !id.is_empty()));
    object["replacements"][0]["summary"].take();
    let wanted = json!({
        "v": 1, "id": null, "status": "trusted", "shape": "lazy", "wrapping": [], "result": RESULT, "already_applied": false,
        "reasons": [], "syntax": {"status": "valid", "new_errors": [], "original_errors": 0, "cut_by": null},
        "replacements": [{"id": null, "start_byte": 45, "end_byte": 51, "old_lines": [6, 6], "new_lines": [6, 6],
                          "old": "    2\n", "new": "    1 + 1\n", "summary": null}],
        "elapsed_us": null, "reproduce": null, "error": null,
    });
    assert_eq!(object, wanted);
}

#[test]
fn old_and_new_texts_stand_in_for_a_snippet() {
    let folder = Folder::with_example();
    let folder = folder.file("p", r#"[{"old": "    2\n", "new": "    1 + 1\n"}]"#);
    assert_eq!(folder.run(&["apply", "a.rs", "--pairs", "p", "--print"]).ends(0).out, RESULT);
    let folder = folder.file("p", r#"[{"old": "u32", "new": "u64"}]"#);
    folder.run(&["apply", "a.rs", "--pairs", "p"]).ends(1).says(&["is expected once and stands 2 times"]);
    let folder = folder.file("p", r#"{"old": "u32"}"#);
    folder.run(&["apply", "a.rs", "--pairs", "p"]).ends(2).says(&["no list of old and new texts"]);
    folder.run(&["apply", "a.rs", "--pairs", "p", "-s", "s"]).ends(2);
}

#[test]
fn a_forced_shape_is_heeded_or_refused() {
    let folder = Folder::with_example();
    let told = folder.run(&["apply", "a.rs", "-s", "s", "--shape", "search_replace"]).ends(2);
    told.says(&["can't be read as search/replace blocks", "it has no `<<<<<<< SEARCH` line"]);
    folder.run(&["apply", "a.rs", "-s", "s", "--shape", "poem"]).ends(2).says(&["no such shape"]);
    let folder = folder.file("b", "<<<<<<< SEARCH\n    2\n>>>>>>> REPLACE\n");
    let told = folder.run(&["apply", "a.rs", "-s", "b", "--json"]).ends(2);
    assert_eq!(told.json()["error"]["code"], "malformed");
    assert_eq!(folder.read("a.rs"), ORIGINAL, "nothing is written");
}

#[test]
fn a_doubt_in_json_has_all_fields() {
    let folder = Folder::with_example();
    let object = folder.run(&["apply", "a.rs", "-s", "d", "--json"]).ends(1).json();
    assert_eq!(object["status"], "needs_verify");
    assert_eq!(object["result"], DOUBTFUL_RESULT);
    assert_eq!(object["syntax"]["status"], "invalid");
    let reason = object["reasons"][0].as_object().unwrap();
    assert_eq!(
        reason.keys().collect::<Vec<_>>(),
        ["candidates", "kind", "message", "original_lines", "snippet_lines"],
        "{reason:?}"
    );
}

#[test]
fn a_refusal_in_json_is_an_object_too() {
    let folder = Folder::with_example().file("empty", "").file("binary", b"\xff\xfe");
    for (arguments, code) in [
        (["apply", "a.rs", "-s", "empty", "--json"], "empty_snippet"),
        (["apply", "a.rs", "-s", "binary", "--json"], "not_utf8"),
        (["apply", "none.rs", "-s", "s", "--json"], "not_found"),
    ] {
        let run = folder.run(&arguments).ends(2).says(&["error: "]);
        let object = run.json();
        assert_eq!((&object["status"], &object["result"]), (&json!("refused"), &Value::Null));
        assert_eq!(object["error"]["code"], code);
    }
}

#[test]
fn the_description_announces_what_goes() {
    let folder = Folder::new().file("a.py", "a = 1\nb = 2\nc = 3\nd = 4\n").file("s", "a = 1\nd = 4\n");
    let description = "Type: remove\nRemove: lines 2-3";
    let arguments = ["apply", "a.py", "-s", "s", "--print", "--description", description];
    assert_eq!(folder.run(&arguments).ends(0).out, "a = 1\nd = 4\n");
}

#[test]
fn edges_are_implied_unless_that_is_switched_off() {
    let original = "import os\n\n\ndef a():\n    return 1\n\n\ndef b():\n    return 2\n\n\ndef c():\n    return 3\n";
    let folder = Folder::new().file("a.py", original).file("s", "def b():\n    return 22\n");
    let wanted = original.replace("return 2\n", "return 22\n");
    assert_eq!(folder.run(&["apply", "a.py", "-s", "s", "--print"]).out, wanted);
    folder.run(&["apply", "a.py", "-s", "s", "--no-edges", "--json"]);
}

#[test]
fn a_spent_budget_is_no_error() {
    let folder = Folder::with_example().file("a.rs", ORIGINAL.repeat(2_000)).file("s", ORIGINAL.repeat(2_001));
    let object = folder.run(&["apply", "a.rs", "-s", "s", "--budget-ms", "0", "--json"]).json();
    assert_ne!(object["status"], "refused");
    assert_ne!(object["syntax"]["status"], "invalid");
}

#[test]
fn the_limit_that_cut_a_check_is_named() {
    let folder = Folder::with_example().file("a.rs", ORIGINAL.repeat(50)).file("s", ORIGINAL.repeat(51));
    for (option, amount, limit, told) in [
        ("--budget-ms", "0", "time", "out of time, see --budget-ms"),
        ("--budget-steps", "100", "steps", "out of steps, see --budget-steps"),
        ("--budget-bytes", "10", "bytes", "too large, see --budget-bytes"),
    ] {
        let command = ["apply", "a.rs", "-s", "s", "--description", "Type: overwrite", option, amount];
        let syntax = &folder.run(&[&command[..], &["--json"]].concat()).json()["syntax"];
        assert_eq!((&syntax["status"], &syntax["cut_by"]), (&"timed_out".into(), &limit.into()), "{option}");
        folder.run(&command).says(&[told]);
    }
    let enough =
        ["apply", "a.rs", "-s", "s", "--description", "Type: overwrite", "--budget-steps", "10000000", "--json"];
    assert_eq!(folder.run(&enough).json()["syntax"]["status"], "valid");
}

#[test]
fn a_snippet_for_an_empty_file_becomes_the_file() {
    let folder = Folder::new().file("a.rs", "").file("s", ORIGINAL);
    assert_eq!(folder.run(&["apply", "a.rs", "-s", "s", "--print"]).ends(0).out, ORIGINAL);
}

#[test]
fn references_alone_change_nothing() {
    let folder = Folder::with_example().file("r", "// ... existing code ...\n");
    let run = folder.run(&["apply", "a.rs", "-s", "r"]).ends(0).says(&["trusted: unchanged"]);
    assert_eq!(run.out, "");
}

/// Applies our diff with another program and compares with our result.
#[track_caller]
fn check_patch(name: &str, original: &str, snippet: &str) {
    let folder = Folder::new().file(name, original).file("s", snippet);
    let wanted = folder.run(&["apply", name, "-s", "s", "--print"]).out;
    let diff = folder.run(&["apply", name, "-s", "s"]).out;
    let folder = folder.file("diff", &diff);
    let programs: [&[&str]; 2] = [&["git", "apply", "diff"], &["patch", "-p1", "--binary", "-s", "-i", "diff"]];
    for program in programs {
        let mut command = Command::new(program[0]);
        command.args(&program[1..]).current_dir(folder.path(""));
        // A machine need not have both.
        let Ok(output) = command.output() else { continue };
        assert!(output.status.success(), "{program:?}: {output:?}\n{diff}");
        assert_eq!(folder.read(name), wanted, "{program:?}\n{diff}");
        std::fs::write(folder.path(name), original).unwrap();
    }
}

#[test]
fn git_and_patch_take_the_difference() {
    check_patch("a.rs", ORIGINAL, SNIPPET);
    check_patch("a b.rs", ORIGINAL, SNIPPET);
    check_patch("a.rs", &ORIGINAL.replace('\n', "\r\n"), SNIPPET);
    check_patch("a.rs", ORIGINAL.trim_end(), SNIPPET);
    check_patch("a.rs", ORIGINAL.trim_end(), SNIPPET.trim_end());
    check_patch("a.rs", "", ORIGINAL);
    check_patch("deep/er/a.rs", ORIGINAL, SNIPPET);
}
