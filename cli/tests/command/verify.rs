//! `verify`: what is found in another engine's merge, and what the repair does.

use serde_json::json;

use crate::support::{DOUBTFUL_RESULT, Folder, ORIGINAL, RESULT, SNIPPET};

/// The merge of the example with a comment written over it and without its final newline.
fn altered() -> String {
    format!("// two of them\n{}", RESULT.trim_end())
}

fn folder() -> Folder {
    Folder::with_example().file("m.rs", altered()).file("ok.rs", RESULT)
}

#[test]
fn a_sound_merge_is_clean() {
    let run = folder().run(&["verify", "a.rs", "s", "ok.rs"]).ends(0);
    assert_eq!(run.out, "clean: the edit is in its place, and every byte outside of it is the original's\n");
    assert_eq!(run.err, "");
}

#[test]
fn findings_are_told_with_their_lines() {
    let run = folder().run(&["verify", "a.rs", "s", "m.rs"]).ends(1);
    assert_eq!(
        run.out,
        "warning[added]: this line is neither in the original nor in the snippet\n  --> m.rs:1\n   | merged line 1: \
         `// two of them`\nwarning[final_newline]: the final newline is gone\n  --> m.rs:8\n   | merged line 8: `}`\n\
         2 findings: --repair gives treegraft's own merge instead\n"
    );
}

#[test]
fn white_space_is_shown() {
    let merge = RESULT.replace("    1\n", "\t1\n");
    let folder = folder().file("tabs.rs", merge).file("crlf.rs", RESULT.replace('\n', "\r\n"));
    let run = folder.run(&["verify", "a.rs", "s", "tabs.rs"]).ends(1);
    assert!(run.out.contains("merged line 2: `→1`"), "{}", run.out);
    assert!(run.out.contains("original line 2: `····1`"), "{}", run.out);
    let run = folder.run(&["verify", "a.rs", "s", "crlf.rs"]).ends(1);
    assert!(run.out.contains("merged line 1: `fn one() -> u32 {` ends with CRLF"), "{}", run.out);
}

#[test]
fn a_repair_gives_the_merge_with_the_original_s_bytes() {
    let folder = folder();
    let run = folder.run(&["verify", "a.rs", "s", "m.rs", "--repair"]).ends(0);
    run.says(&["warning[added]", "2 findings: the repaired text is treegraft's own merge"]);
    let run = folder.run(&["verify", "a.rs", "s", "m.rs", "--repair"]);
    assert_eq!(run.out, RESULT);
    let run = folder.run_with(&["verify", "a.rs", "s", "-", "--repair"], altered()).ends(0);
    assert_eq!(run.out, RESULT);
    assert_eq!(folder.read("m.rs"), altered(), "nothing is written unasked");
}

#[test]
fn a_repair_is_written_where_it_is_asked_for() {
    let folder = folder();
    folder.run(&["verify", "a.rs", "s", "m.rs", "--repair", "--output", "new.rs"]).ends(0).says(&["wrote: new.rs"]);
    assert_eq!(folder.read("new.rs"), RESULT);
    folder.run(&["verify", "a.rs", "s", "m.rs", "--repair", "--write"]).ends(0).says(&["wrote: m.rs"]);
    assert_eq!(folder.read("m.rs"), RESULT);
    folder.run(&["verify", "a.rs", "s", "m.rs", "--repair", "--write"]).ends(0).says(&["left as it is: m.rs"]);
    assert_eq!(folder.read("a.rs"), ORIGINAL);
}

#[test]
fn an_edit_that_is_missing_is_found_and_repaired() {
    let folder = folder().file("old.rs", ORIGINAL);
    let run = folder.run(&["verify", "a.rs", "s", "old.rs"]).ends(1);
    assert!(run.out.contains("warning[not_applied]"), "{}", run.out);
    assert_eq!(folder.run(&["verify", "a.rs", "s", "old.rs", "--repair"]).ends(0).out, RESULT);
}

#[test]
fn what_is_uncertain_is_not_written_unasked() {
    let folder =
        folder().file("m.rs", DOUBTFUL_RESULT).file("lost.rs", ORIGINAL.replace("fn two() -> u32 {\n    2\n}\n", ""));
    let run = folder.run(&["verify", "a.rs", "d", "m.rs"]).ends(1);
    assert!(run.out.starts_with("uncertain: nothing is wrong away from the edit; "), "{}", run.out);
    assert_eq!(folder.run(&["verify", "a.rs", "d", "m.rs", "--json"]).ends(1).json()["status"], "uncertain");
    let run = folder.run(&["verify", "a.rs", "d", "lost.rs"]).ends(1);
    assert!(run.out.contains("uncertain"), "a function is gone: {}", run.out);
    let repair = ["verify", "a.rs", "d", "m.rs", "--repair", "--output", "new.rs"];
    folder.run(&repair).ends(1).says(&["not written"]);
    assert!(!folder.path("new.rs").exists());
    folder.run(&[&repair[..], &["--accept-unverified"]].concat()).ends(1).says(&["wrote: new.rs"]);
    assert_eq!(folder.read("new.rs"), DOUBTFUL_RESULT);
}

#[test]
fn json_has_all_fields() {
    let folder = folder();
    let run = folder.run(&["verify", "a.rs", "s", "m.rs", "--json"]).ends(1);
    assert_eq!(run.err, "");
    let found = json!([
        {"kind": "added", "message": "this line is neither in the original nor in the snippet", "original_lines": null,
         "original_bytes": null, "merged_lines": [1, 1], "merged_bytes": [0, 15], "snippet_lines": null},
        {"kind": "final_newline", "message": "the final newline is gone", "original_lines": null,
         "original_bytes": null, "merged_lines": [8, 8], "merged_bytes": [altered().len() - 1, altered().len()],
         "snippet_lines": null},
    ]);
    let wanted = json!({"v": 1, "status": "altered", "certain": true, "findings": found, "repaired": null, "left": [],
                        "error": null});
    assert_eq!(run.json(), wanted);
    let repaired = folder.run(&["verify", "a.rs", "s", "m.rs", "--json", "--repair"]).ends(0).json();
    assert_eq!(repaired["repaired"], RESULT);
    let clean = folder.run(&["verify", "a.rs", "s", "ok.rs", "--json"]).ends(0).json();
    assert_eq!((&clean["status"], &clean["findings"]), (&json!("clean"), &json!([])));
}

#[test]
fn what_cannot_be_verified_is_refused() {
    let folder = folder().file("nul", "a\0").file("empty", "");
    folder.run(&["verify", "a.rs", "empty", "ok.rs"]).ends(2).says(&["error: snippet is empty"]);
    folder.run(&["verify", "a.rs", "s", "nul"]).ends(2).says(&["error: the merge holds a NUL byte", "nul"]);
    folder.run(&["verify", "a.rs", "s", "gone.rs"]).ends(2).says(&["error: no such file", "gone.rs"]);
    folder.run(&["verify", "a.rs", "-", "-"]).ends(2).says(&["only one text can come from standard input"]);
    folder.run(&["verify", "a.rs", "s", "ok.rs", "--write"]).ends(2).says(&["--repair"]);
    folder
        .run_with(&["verify", "a.rs", "s", "-", "--repair", "--write"], RESULT)
        .ends(2)
        .says(&["--write needs a file"]);
    let refused = folder.run(&["verify", "a.rs", "empty", "ok.rs", "--json"]).ends(2).json();
    assert_eq!((&refused["status"], &refused["error"]["code"]), (&json!("refused"), &json!("empty_snippet")));
    assert_eq!(folder.run_with(&["verify", "a.rs", "-", "ok.rs"], SNIPPET).ends(0).err, "");
}
