//! Colours, closed pipes, and what never reaches a terminal.

use std::io::Write as _;

use crate::support::{DIFF, Folder, ORIGINAL, SNIPPET, run};

const ESC: char = '\u{1b}';

/// An original whose kept lines try to steer the terminal, and a snippet whose new lines do.
fn hostile() -> Folder {
    let original =
        ORIGINAL.replace("fn two() -> u32 {\n", "fn two() -> u32 {\n    // \u{1b}[2J\u{9b}31m\u{202e}\u{7}\n");
    let snippet = SNIPPET.replace("fn two() -> u32 {\n", "fn two() -> u32 {\n    // \u{1b}[2J\u{9b}31m\u{202e}\u{7}\n");
    let snippet = snippet.replace("1 + 1", "1 + 1 // \u{1b}]0;title\u{7}");
    Folder::new().file("a.rs", original).file("s", snippet)
}

#[test]
fn colours_only_where_they_are_wanted() {
    let folder = Folder::with_example();
    let plain = folder.run(&["apply", "a.rs", "-s", "s"]).ends(0);
    assert_eq!(plain.out, DIFF);
    assert!(!plain.err.contains(ESC));
    let always = folder.run(&["--color", "always", "apply", "a.rs", "-s", "s"]).ends(0);
    assert!(always.out.contains("\u{1b}[31m-    2\u{1b}[0m\n"), "{:?}", always.out);
    assert!(always.out.contains("\u{1b}[32m+    1 + 1\u{1b}[0m\n"), "{:?}", always.out);
    assert!(always.err.contains(ESC));
    let never = folder.run(&["apply", "a.rs", "-s", "s", "--color", "never"]).ends(0);
    assert_eq!(never.out, DIFF);
}

#[test]
fn no_color_is_honoured_and_the_flag_goes_before_it() {
    let folder = Folder::with_example();
    let mut command = folder.command(&["apply", "a.rs", "-s", "s"]);
    command.env("NO_COLOR", "1").env("CLICOLOR_FORCE", "1");
    let quiet = run(command, b"");
    assert_eq!(quiet.out, DIFF);
    assert!(!quiet.err.contains(ESC));
    let mut command = folder.command(&["apply", "a.rs", "-s", "s", "--color", "always"]);
    command.env("NO_COLOR", "1");
    assert!(run(command, b"").out.contains(ESC));
}

#[test]
fn a_program_gets_the_bytes_as_they_are() {
    let folder = hostile();
    let printed = folder.run(&["apply", "a.rs", "-s", "s", "--print"]);
    assert!(printed.out.contains("// \u{1b}[2J\u{9b}31m\u{202e}\u{7}\n"), "{:?}", printed.out);
    assert!(printed.out.contains("1 + 1 // \u{1b}]0;title\u{7}\n"), "{:?}", printed.out);
    let diff = folder.run(&["apply", "a.rs", "-s", "s"]);
    assert!(diff.out.contains("+    1 + 1 // \u{1b}]0;title\u{7}\n"), "{:?}", diff.out);
}

#[test]
fn a_person_gets_control_characters_written_out() {
    let folder = hostile();
    for arguments in [
        &["apply", "a.rs", "-s", "s", "--color", "always"][..],
        &["apply", "a.rs", "-s", "s", "--color", "always", "--print"],
        &["explain", "a.rs", "-s", "s", "--color", "always"],
    ] {
        let run = folder.run(arguments);
        for text in [&run.out, &run.err] {
            assert!(!text.contains("\u{1b}[2J") && !text.contains("\u{1b}]0"), "{text:?}");
            assert!(!text.contains(['\u{9b}', '\u{202e}', '\u{7}']), "{text:?}");
        }
        assert!(run.out.contains("^[]0;title^G"), "{:?}", run.out);
    }
    let run = folder.run(&["apply", "a.rs", "-s", "s", "--color", "always", "--json"]);
    assert!(!run.out.contains(['\u{9b}', '\u{202e}']), "{:?}", run.out);
    assert!(run.json()["result"].as_str().unwrap().contains("\u{1b}[2J\u{9b}31m\u{202e}\u{7}"), "it means the same");
}

#[cfg(unix)]
#[test]
fn names_are_written_out_too() {
    let folder = Folder::new();
    let run = folder.run(&["apply", "no\u{1b}[2J\nsuch", "-s", "s"]).ends(2);
    assert!(run.err.contains("--> no^[[2J^Jsuch\n"), "{:?}", run.err);
}

#[test]
fn line_ends_are_shown_only_where_they_are_mixed() {
    let crlf = |text: &str| text.replace('\n', "\r\n");
    let folder = Folder::new().file("a.rs", crlf(ORIGINAL)).file("s", crlf(SNIPPET));
    let run = folder.run(&["apply", "a.rs", "-s", "s", "--color", "always"]).ends(0);
    assert!(!run.out.contains('\r') && !run.out.contains("^M"), "{:?}", run.out);
    let run = folder.run(&["apply", "a.rs", "-s", "s"]).ends(0);
    assert!(run.out.contains("-    2\r\n+    1 + 1\r\n"), "{:?}", run.out);
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let folder = Folder::new().file("s", SNIPPET);
    // The original comes last, so the output is closed before the first byte is written.
    let mut child = folder.command(&["apply", "-", "-s", "s", "--path", "a.rs", "--print"]).spawn().unwrap();
    drop(child.stdout.take());
    child.stdin.take().unwrap().write_all(ORIGINAL.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
}

#[test]
fn arguments_are_written_out_too() {
    let folder = hostile();
    for arguments in [
        &["apply", "a.rs", "--\u{1b}[2J\u{202e}"][..],
        &["--color", "always", "\u{1b}[2J"],
        &["apply", "a\u{1b}[2J.rs", "-s", "s"],
        &["check", "\u{1b}]0;title\u{7}"],
        &["apply", "a.rs", "-s", "s", "--language", "\u{1b}[31m"],
    ] {
        let told = folder.run(arguments).ends(2);
        let plain = told.err.replace("\u{1b}[1m", "").replace("\u{1b}[31m", "").replace("\u{1b}[0m", "");
        assert!(!plain.contains("\u{1b}[2J") && !plain.contains("\u{1b}]") && !plain.contains('\u{202e}'), "{plain:?}");
        assert!(told.err.starts_with("error") || told.err.starts_with("\u{1b}[1m\u{1b}[31merror"), "{:?}", told.err);
    }
}
