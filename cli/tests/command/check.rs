//! `check` and `languages`.

use serde_json::{Value, json};

use crate::support::{Folder, ORIGINAL};

#[test]
fn one_line_for_each_file() {
    let folder = Folder::new().file("a.rs", ORIGINAL).file("b.rs", "fn one( {\n").file("c.txt", "text\n");
    assert_eq!(folder.run(&["check", "a.rs"]).ends(0).out, "a.rs: valid\n");
    assert_eq!(folder.run(&["check", "c.txt"]).ends(0).out, "c.txt: unsupported\n");
    let run = folder.run(&["check", "a.rs", "b.rs"]).ends(1);
    let lines: Vec<_> = run.out.lines().collect();
    assert_eq!(lines[0], "a.rs: valid");
    assert!(lines[1].starts_with("b.rs: invalid: line"), "{}", lines[1]);
}

#[test]
fn folders_are_walked_in_order() {
    let folder = Folder::new()
        .file("src/b/c.rs", ORIGINAL)
        .file("src/a.rs", ORIGINAL)
        .file("src/notes.txt", "text")
        .file("src/.hidden.rs", "fn (")
        .file("src/skip.rs", "fn (")
        .file("src/.ignore", "skip.rs\n");
    assert_eq!(folder.run(&["check", "src"]).ends(0).out, "src/a.rs: valid\nsrc/b/c.rs: valid\n");
    let folder = folder.file("empty/notes.txt", "");
    let run = folder.run(&["check", "empty"]).ends(0).says(&["no file there has a built-in grammar"]);
    assert_eq!(run.out, "");
}

#[test]
fn an_unreadable_file_does_not_stop_the_rest() {
    let folder = Folder::new().file("a.rs", ORIGINAL).file("latin.rs", b"\xff").file("b.rs", ORIGINAL);
    let run = folder.run(&["check", "a.rs", "none.rs", "latin.rs", "b.rs"]).ends(2);
    let run = run.says(&["no such file", "--> none.rs", "not UTF-8"]);
    assert_eq!(run.out, "a.rs: valid\nb.rs: valid\n");
}

#[test]
fn stdin_and_language() {
    let folder = Folder::new();
    let run = folder.run_with(&["check", "-", "--language", "rust"], ORIGINAL).ends(0);
    assert_eq!(run.out, "-: valid\n");
}

#[test]
fn json_is_one_object_a_line() {
    let folder = Folder::new().file("a.rs", ORIGINAL).file("b.rs", "fn one( {\n");
    let run = folder.run(&["check", "--json", "a.rs", "b.rs", "none.rs"]).ends(2);
    let objects: Vec<Value> = run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(objects[0], json!({"v": 1, "path": "a.rs", "status": "valid", "errors": [], "error": null}));
    assert_eq!(objects[1]["status"], "invalid");
    assert!(objects[1]["errors"][0]["first_line"].is_u64());
    assert_eq!((&objects[2]["status"], &objects[2]["error"]["code"]), (&json!("refused"), &json!("not_found")));
}

#[test]
fn languages_are_listed() {
    let folder = Folder::new();
    let run = folder.run(&["languages"]).ends(0);
    for (name, extension) in [("go", ".go"), ("python", ".py"), ("typescript", ".ts"), ("tsx", ".tsx"), ("rust", ".rs")]
    {
        let line = run.out.lines().find(|line| line.split_whitespace().next() == Some(name));
        assert!(line.is_some_and(|line| line.contains(extension)), "{name}: {}", run.out);
    }
    let list = folder.run(&["languages", "--json"]).ends(0).json();
    assert_eq!(list["v"], 1);
    assert!(list["languages"].as_array().unwrap().iter().any(|entry| entry["name"] == "json"));
}
