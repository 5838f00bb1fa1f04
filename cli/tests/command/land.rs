//! `treegraft land` and `treegraft undo`.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::Stdio;

use crate::support::{DIFF, DOUBTFUL, Folder, ORIGINAL, RESULT, SNIPPET};

fn block(path: &str, content: &str) -> String {
    format!("- {path}:\n<PlandexBlock lang=\"rust\" path=\"{path}\">\n{content}</PlandexBlock>\n\n")
}

/// A reply with an edit, a new file, a move and a removal.
fn reply() -> String {
    format!(
        "I'll do four things.\n\n{}{}### Move Files\n- `old.txt` → `sub/new.txt`\n<EndPlandexFileOps/>\n\n\
         ### Remove Files\n- `gone.txt`\n<EndPlandexFileOps/>\n",
        block("a.rs", SNIPPET),
        block("n.rs", "fn n() {}\n"),
    )
}

fn folder() -> Folder {
    Folder::new()
        .file("root/a.rs", ORIGINAL)
        .file("root/old.txt", "old\n")
        .file("root/gone.txt", "gone\n")
        .file("reply", reply())
        .file("doubtful", block("a.rs", DOUBTFUL))
        .file("hostile", block("a.rs", SNIPPET) + &block("../out.rs", "fn out() {}\n"))
}

/// Lists the names in the root, without our own.
fn names(folder: &Folder) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder.path("root"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name != ".treegraft")
        .collect();
    names.sort();
    names
}

#[test]
fn without_write_nothing_changes_and_how_to_write_is_said() {
    let folder = folder();
    let run = folder.run(&["land", "reply", "--root", "root"]).ends(0).says(&[
        "a.rs: trusted: 1 replacement (line 6); syntax valid",
        "n.rs: trusted: new, 1 line; syntax valid",
        "sub/new.txt: trusted: moved from old.txt",
        "gone.txt: trusted: removed",
        "trusted: 4 files (1 new, 1 changed, 1 moved, 1 removed)",
        "nothing is written: --write lands it",
    ]);
    assert!(run.out.starts_with(&format!("diff --git a/a.rs b/a.rs\n{DIFF}diff --git a/n.rs b/n.rs\n")), "{}", run.out);
    assert_eq!(folder.read("root/a.rs"), ORIGINAL);
    assert_eq!(names(&folder), ["a.rs", "gone.txt", "old.txt"]);
    assert!(!folder.path("root/.treegraft").exists());
}

#[test]
fn a_reply_is_landed_and_undone() {
    let folder = folder();
    let shown = folder.run(&["land", "reply", "--root", "root"]).out;
    let run = folder.run(&["land", "reply", "--root", "root", "--write"]).ends(0);
    assert_eq!(run.out, shown);
    run.says(&["landed as 1: `treegraft undo` takes it back"]);
    assert_eq!(folder.read("root/a.rs"), RESULT);
    assert_eq!(folder.read("root/sub/new.txt"), "old\n");
    assert_eq!(names(&folder), ["a.rs", "n.rs", "sub"]);
    let listed = folder.run(&["undo", "--root", "root", "--list"]).ends(0).out;
    assert_eq!(
        listed,
        "   1  just now       changed a.rs, removed gone.txt, made n.rs, removed old.txt, made sub/new.txt\n"
    );
    let undone = folder.run(&["undo", "--root", "root"]).ends(0).out;
    assert_eq!(
        undone,
        "a.rs: put back\ngone.txt: brought back\nn.rs: removed\nold.txt: brought back\nsub/new.txt: removed\n\
         landing 1 is undone; `treegraft undo 2` brings it back\n"
    );
    assert_eq!(folder.read("root/a.rs"), ORIGINAL);
    assert_eq!(names(&folder), ["a.rs", "gone.txt", "old.txt"]);
    folder
        .run(&["undo", "--root", "root"])
        .ends(2)
        .says(&["error: there is no landing to undo", "treegraft undo --list"]);
    folder.run(&["undo", "--root", "root", "1"]).ends(2).says(&["error: landing 1 is undone already"]);
    folder.run(&["undo", "--root", "root", "9"]).ends(2).says(&["error: no landing 9 is kept"]);
    folder.run(&["undo", "--root", "root", "2"]).ends(0);
    assert_eq!(folder.read("root/a.rs"), RESULT);
}

#[test]
fn landing_twice_says_that_it_is_done() {
    let folder = Folder::new().file("a.rs", ORIGINAL).file("reply", block("a.rs", SNIPPET));
    folder.run(&["land", "reply", "--write"]).ends(0);
    folder.run(&["land", "reply"]).ends(0).says(&["nothing to write: the files hold all of it already"]);
    let run = folder.run(&["land", "reply", "--write"]).ends(0);
    assert_eq!(run.out, "");
    run.says(&["nothing to write: the files hold all of it already"]);
}

#[test]
fn what_needs_a_look_stops_all_unless_accepted() {
    let folder = folder().file("both", block("n.rs", "fn n() {}\n") + &block("a.rs", DOUBTFUL));
    folder
        .run(&["land", "both", "--root", "root"])
        .ends(1)
        .says(&["--write --accept-unverified lands it all the same"]);
    folder.run(&["land", "both", "--root", "root", "--write"]).ends(1).says(&[
        "warning[syntax_error]",
        "of the block on line 7 of the reply",
        "n.rs: trusted",
        "a.rs: needs a look (1 reason)",
        "nothing is written: --accept-unverified lands it all the same",
    ]);
    assert_eq!(names(&folder), ["a.rs", "gone.txt", "old.txt"]);
    folder.run(&["land", "both", "--root", "root", "--accept-unverified"]).ends(1).says(&["--write lands it"]);
    folder.run(&["land", "both", "--root", "root", "--write", "--accept-unverified"]).ends(1).says(&["landed as 1"]);
    assert!(folder.path("root/n.rs").exists());
}

#[test]
fn what_is_refused_stops_all_always() {
    let folder = folder();
    for switches in [&["--write"][..], &["--write", "--accept-unverified"], &[]] {
        let arguments = [&["land", "hostile", "--root", "root"], switches].concat();
        folder.run(&arguments).ends(2).says(&[
            "error: the path leads upwards with `..`",
            "  --> ../out.rs (reply line 11)",
            "help: a reply may name files below the root only",
            "refused: 2 files (1 changed, 1 refused)",
        ]);
        assert_eq!(folder.read("root/a.rs"), ORIGINAL);
        assert!(!folder.path("out.rs").exists());
    }
}

#[test]
fn a_reply_that_breaks_off_is_not_landed() {
    let whole = reply();
    let folder = folder().file("cut", &whole[..whole.find("fn n()").unwrap()]);
    folder.run(&["land", "cut", "--root", "root", "--write", "--accept-unverified"]).ends(2).says(&[
        "error: the reply ends inside of this file",
        "  --> n.rs (reply line",
        "help: ask the model to go on",
    ]);
    assert_eq!(folder.read("root/a.rs"), ORIGINAL);
}

#[test]
fn a_reply_without_operations_is_refused() {
    let folder = folder().file("prose", "I would not change a thing.\n");
    folder.run(&["land", "prose", "--root", "root"]).ends(2).says(&["error: the reply holds no operation on a file"]);
    let run = folder.run(&["land", "prose", "--root", "root", "--json"]).ends(2);
    assert_eq!(run.json()["error"]["code"], "nothing_to_land");
    folder.run(&["land", "missing"]).ends(2).says(&["error: no such file", "--> missing"]);
    folder.run(&["land", "reply", "--root", "missing"]).ends(2).says(&["error: no such folder", "--> missing"]);
    folder.run(&["land", "reply", "--root", "reply"]).ends(2).says(&["error: cannot open it", "--> reply"]);
    folder.run(&["land", "root"]).ends(2).says(&["this is a folder, not a reply"]);
}

#[test]
fn a_stream_is_told_of_while_it_comes_in() {
    let folder = folder();
    let mut child = folder.command(&["land", "-", "--root", "root", "--write"]).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut told = BufReader::new(child.stderr.take().unwrap());
    let mut line = || {
        let mut line = String::new();
        told.read_line(&mut line).unwrap();
        line
    };
    // The reply goes on only when the first file has been told of.
    let text = reply();
    let (first, rest) = text.split_at(text.find("- n.rs").unwrap() + "- n.rs:\n".len());
    stdin.write_all(first.as_bytes()).unwrap();
    assert_eq!((line(), line()), ("reading a.rs\n".to_owned(), "read a.rs (5 lines)\n".to_owned()));
    stdin.write_all(rest.as_bytes()).unwrap();
    drop(stdin);
    let mut all = String::new();
    told.read_to_string(&mut all).unwrap();
    assert!(
        all.starts_with("reading n.rs\nread n.rs (1 line)\nread: move old.txt to sub/new.txt\nread: remove gone.txt\n")
    );
    assert!(child.wait().unwrap().success());
    assert_eq!(folder.read("root/a.rs"), RESULT);
}

#[test]
fn json_says_all_of_it() {
    let folder = folder();
    let run = folder.run(&["land", "reply", "--root", "root", "--write", "--json"]).ends(0);
    let json = run.json();
    assert_eq!((&json["v"], &json["status"], &json["landed"]), (&1.into(), &"trusted".into(), &1.into()));
    assert_eq!(json["error"], serde_json::Value::Null);
    assert_eq!(
        json["summary"],
        serde_json::json!({"make": 1, "edit": 1, "move": 1, "remove": 1, "keep": 0, "refused": 0})
    );
    let [edit, make, moved, remove] = &json["files"].as_array().unwrap()[..] else { panic!("{json}") };
    assert_eq!((&edit["path"], &edit["action"], &edit["status"]), (&"a.rs".into(), &"edit".into(), &"trusted".into()));
    assert_eq!((&edit["result"], &edit["lines"]), (&RESULT.into(), &serde_json::json!([4])));
    assert_eq!(edit["diff"], format!("diff --git a/a.rs b/a.rs\n{DIFF}"));
    let of_edit = &edit["edits"][0];
    assert_eq!((&of_edit["shape"], &of_edit["syntax"]["status"]), (&"lazy".into(), &"valid".into()));
    assert_eq!(of_edit["replacements"][0]["old_lines"], serde_json::json!([6, 6]));
    assert_eq!((&make["action"], &make["mode"]), (&"make".into(), &serde_json::Value::Null));
    assert_eq!((&moved["moved_from"], &moved["result"]), (&"old.txt".into(), &"old\n".into()));
    assert_eq!((&remove["action"], &remove["result"]), (&"remove".into(), &serde_json::Value::Null));

    let json = folder.run(&["undo", "--root", "root", "--json"]).ends(0).json();
    assert_eq!((&json["v"], &json["landings"][0]["undoes"]), (&1.into(), &1.into()));
    assert_eq!(json["landings"][0]["files"][0], serde_json::json!({"path": "a.rs", "deed": "changed"}));
    let json = folder.run(&["undo", "--root", "root", "--list", "--json"]).ends(0).json();
    assert_eq!(json["landings"].as_array().unwrap().len(), 2);
    assert_eq!((&json["landings"][1]["id"], &json["landings"][1]["is_undone"]), (&1.into(), &true.into()));
    let json = folder.run(&["undo", "--root", "root", "--json"]).ends(2).json();
    assert_eq!(json["error"]["code"], "nothing_to_undo");
}

#[test]
fn json_gives_reasons_and_refusals() {
    let folder = folder();
    let json = folder.run(&["land", "doubtful", "--root", "root", "--write", "--json"]).ends(1).json();
    assert_eq!((&json["status"], &json["error"]["code"]), (&"needs_verify".into(), &"unverified".into()));
    let reason = &json["files"][0]["reasons"][0];
    assert_eq!((&reason["kind"], &reason["edit"]), (&"syntax_error".into(), &0.into()));
    assert!(reason["message"].is_string() && reason["candidates"].is_array());
    let json = folder.run(&["land", "hostile", "--root", "root", "--json"]).ends(2).json();
    assert_eq!((&json["status"], &json["files"][1]["error"]["code"]), (&"refused".into(), &"path_parent".into()));
    assert_eq!(json["files"][1]["path"], "../out.rs");
}

#[test]
fn warnings_of_the_reader_are_told() {
    let folder = folder()
        .file("odd", "### Move Files\n- old.txt\n<EndPlandexFileOps/>\n\n".to_owned() + &block("a.rs", SNIPPET));
    let run = folder.run(&["land", "odd", "--root", "root", "--write"]).ends(1);
    run.says(&[
        "warning[unread_operation]",
        "--> odd:2",
        "a.rs: trusted",
        "needs a look (1 reason): 1 file (1 changed)",
    ]);
    let json = folder.run(&["land", "odd", "--root", "root", "--json"]).ends(1).json();
    assert_eq!(
        (&json["warnings"][0]["code"], &json["warnings"][0]["is_doubt"]),
        (&"unread_operation".into(), &true.into())
    );
    assert_eq!(folder.read("root/a.rs"), ORIGINAL);
}

#[test]
fn later_work_is_never_undone() {
    let folder = folder();
    folder.run(&["land", "reply", "--root", "root", "--write"]).ends(0);
    std::fs::write(folder.path("root/n.rs"), "fn later() {}\n").unwrap();
    folder.run(&["undo", "--root", "root"]).ends(2).says(&[
        "error: the file changed since",
        "--> n.rs",
        "nothing was written",
    ]);
    assert_eq!((folder.read("root/a.rs"), folder.read("root/n.rs")), (RESULT.to_owned(), "fn later() {}\n".to_owned()));
}

#[test]
fn an_interrupted_landing_is_told_of_and_put_back() {
    let folder = folder();
    folder.run(&["land", "reply", "--root", "root", "--write"]).ends(0);
    // As if the process had ended before the last step.
    std::fs::rename(folder.path("root/.treegraft/landings/1"), folder.path("root/.treegraft/pending")).unwrap();
    folder.run(&["land", "doubtful", "--root", "root"]).ends(1).says(&["warning[pending]"]);
    assert_eq!(folder.read("root/a.rs"), RESULT, "looking changes nothing");
    let run = folder.run(&["land", "reply", "--root", "root", "--write"]).ends(0);
    run.says(&["warning[rolled_back]: an earlier landing was interrupted; 5 files were put back", "landed as 1"]);
    std::fs::rename(folder.path("root/.treegraft/landings/1"), folder.path("root/.treegraft/pending")).unwrap();
    std::fs::write(folder.path("root/a.rs"), "fn later() {}\n").unwrap();
    folder.run(&["land", "reply", "--root", "root", "--write"]).ends(2).says(&[
        "error: an interrupted landing can't be rolled back: a file changed since",
        "its content before the landing is in root/.treegraft/pending/0",
        "remove root/.treegraft/pending",
    ]);
    assert_eq!(folder.read("root/a.rs"), "fn later() {}\n");
}

#[test]
fn of_commands_at_once_none_mixes_with_another() {
    let whole = |path, n| format!("Type: overwrite\n\n{}", block(path, &format!("fn f{n}() {{}}\n")));
    let folder =
        (0..4).fold(folder(), |folder, n| folder.file(&n.to_string(), whole("a.rs", n) + &whole("sub/b.rs", n)));
    let start = |n: i32| {
        let reply = n.to_string();
        folder.command(&["land", &reply, "--root", "root", "--write", "--accept-unverified"]).spawn().unwrap()
    };
    let started: Vec<_> = (0..4).map(start).collect();
    let statuses: Vec<_> = started.into_iter().map(|mut child| child.wait().unwrap().code()).collect();
    assert!(statuses.iter().any(|status| *status != Some(2)), "{statuses:?}");
    assert_eq!(folder.read("root/a.rs"), folder.read("root/sub/b.rs"), "{statuses:?}");
    assert!(!folder.path("root/.treegraft/pending").exists());
}

#[test]
fn a_closed_reader_does_not_stop_the_landing() {
    let folder = folder();
    let mut command = folder.command(&["land", "reply", "--root", "root", "--write"]);
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    assert_eq!(command.stdout(writer).stdin(Stdio::null()).status().unwrap().code(), Some(0));
    assert_eq!(folder.read("root/a.rs"), RESULT);
}

#[test]
fn what_steers_a_terminal_is_not_shown() {
    let folder = folder().file("steers", block("a\u{1b}[2J.rs", "x\n"));
    let run = folder.run(&["land", "steers", "--root", "root"]).ends(2);
    assert!(!run.err.contains('\u{1b}'), "{}", run.err);
    run.says(&["a^[[2J.rs"]);
}
