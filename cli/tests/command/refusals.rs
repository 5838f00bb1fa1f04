//! What is refused: exit status 2, a message in the form `error / --> / | / help`, and no file touched.

use crate::support::{Folder, ORIGINAL, SNIPPET};

#[track_caller]
fn check(folder: &Folder, arguments: &[&str], says: &[&str]) {
    let before = folder.names();
    let run = folder.run(arguments).ends(2).says(&["error: "]).says(says);
    assert_eq!(run.out, "");
    assert_eq!(folder.names(), before);
}

#[test]
fn a_path_that_cannot_be_read() {
    let folder = Folder::with_example().file("dir/x", "");
    check(
        &folder,
        &["apply", "none.rs", "-s", "s"],
        &["no such file", "--> none.rs", "help: for a file that does not exist"],
    );
    check(&folder, &["apply", "a.rs", "-s", "none"], &["no such file", "--> none", "help: without --snippet"]);
    check(&folder, &["apply", "dir", "-s", "s"], &["this is a folder", "--> dir", "help: name one file"]);
    check(&folder, &["apply", "a.rs", "-s", "dir"], &["this is a folder", "--> dir"]);
    check(&folder, &["explain", "none.rs", "-s", "s"], &["no such file"]);
}

#[cfg(unix)]
#[test]
fn a_pipe_or_a_device() {
    let folder = Folder::with_example();
    assert!(std::process::Command::new("mkfifo").arg(folder.path("pipe")).status().unwrap().success());
    check(&folder, &["apply", "pipe", "-s", "s"], &["this is a pipe", "help: give its content on standard input"]);
    check(&folder, &["apply", "/dev/zero", "-s", "s"], &["device"]);
    check(&folder, &["apply", "a.rs", "-s", "/dev/zero"], &["device"]);
    check(&folder, &["apply", "a.rs", "-s", "s", "-o", "pipe"], &["cannot be replaced by a file", "help: "]);
}

#[cfg(unix)]
#[test]
fn a_snippet_may_be_a_pipe() {
    let folder = Folder::with_example();
    let pipe = folder.path("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let writer = std::thread::spawn(move || std::fs::write(pipe, SNIPPET).unwrap());
    folder.run(&["apply", "a.rs", "-s", "pipe"]).ends(0);
    writer.join().unwrap();
}

#[test]
fn what_is_no_text() {
    let folder = Folder::with_example()
        .file("latin.rs", b"ok\nna\xefve\n")
        .file("utf16.rs", b"\xff\xfea\0")
        .file("nul.rs", b"a\n\0\n")
        .file("empty", "");
    check(
        &folder,
        &["apply", "latin.rs", "-s", "s", "--write"],
        &["not UTF-8", "--> latin.rs:2", "| byte 5 is 0xEF", "iconv"],
    );
    check(&folder, &["apply", "utf16.rs", "-s", "s"], &["UTF-16"]);
    check(&folder, &["apply", "nul.rs", "-s", "s"], &["NUL byte", "--> nul.rs:2"]);
    check(&folder, &["apply", "a.rs", "-s", "nul.rs"], &["snippet holds a NUL byte", "--> nul.rs:2"]);
    check(&folder, &["apply", "a.rs", "-s", "empty", "--write"], &["snippet is empty", "--> empty", "help: "]);
    assert_eq!(folder.read("a.rs"), ORIGINAL);
    assert_eq!(std::fs::read(folder.path("latin.rs")).unwrap(), b"ok\nna\xefve\n");
}

#[test]
fn a_file_over_the_limit_is_not_read() {
    let folder = Folder::with_example();
    let file = std::fs::File::create(folder.path("huge.rs")).unwrap();
    file.set_len(1 << 40).unwrap();
    check(&folder, &["apply", "huge.rs", "-s", "s"], &["too large", "--> huge.rs", "limit is"]);
}

#[test]
fn an_unknown_language() {
    let folder = Folder::with_example();
    let says = ["unknown language `rsut`", "known are: ", "python", "help: did you mean `rust`?"];
    check(&folder, &["apply", "a.rs", "-s", "s", "--language", "rsut"], &says);
    check(&folder, &["check", "a.rs", "--language", "rsut"], &says);
}

#[test]
fn both_texts_from_stdin() {
    let folder = Folder::with_example();
    check(&folder, &["apply", "-"], &["cannot both come from standard input", "help: "]);
    check(&folder, &["apply", "-", "-s", "-"], &["cannot both come from standard input"]);
}

#[test]
fn nowhere_to_write() {
    let folder = Folder::with_example();
    check(&folder, &["apply", "-", "-s", "s", "--write"], &["--write needs a file"]);
    check(&folder, &["apply", "a.rs", "-s", "s", "--output", "-"], &["--output takes a file", "--print"]);
    check(&folder, &["apply", "a.rs", "-s", "s", "--output", "no/b.rs"], &["no such folder", "--> no"]);
    check(&folder, &["apply", "a.rs", "-s", "s", "--output", "."], &["a folder"]);
}

#[test]
fn wrong_usage() {
    let folder = Folder::with_example();
    for arguments in [
        &["apply"][..],
        &["apply", "a.rs", "--json", "--print"],
        &["apply", "a.rs", "--write", "--output", "b.rs"],
        &["apply", "a.rs", "--budget-ms", "soon"],
        &["batch", "--jobs", "0"],
        &["check"],
        &["explain"],
        &["nonsense"],
        &["--color", "sometimes", "languages"],
    ] {
        check(&folder, arguments, &["help"]);
    }
}

#[test]
fn help_has_examples() {
    let folder = Folder::new();
    for command in ["apply", "batch", "check", "explain"] {
        let run = folder.run(&[command, "--help"]).ends(0);
        assert!(run.out.contains(&format!("treegraft {command} ")), "{}", run.out);
    }
    assert!(folder.run(&["--version"]).ends(0).out.starts_with("treegraft 0."));
}
