//! What is no text, or too much of it.

use treegraft_reply::{Display, Event, Form, Operation, Parser, WarningCode, parse, parse_tasks};

#[test]
fn bytes_that_are_not_utf8_are_replaced_and_told() {
    let reply = parse(b"- a.go:\n<PlandexBlock lang=\"go\" path=\"a.go\">\nA\xff\xc3\n\xe2\x82\n</PlandexBlock>\n");
    let block = reply.operations[0].as_file().unwrap();
    assert_eq!(block.content, "A\u{fffd}\u{fffd}\n\u{fffd}\n");
    let told: Vec<_> = reply.warnings.iter().map(|warning| (warning.line, warning.code, warning.operation)).collect();
    assert_eq!(told, [(3, WarningCode::InvalidUtf8, Some(0))]);
    let reply = parse(b"prose \xff\n");
    assert_eq!((reply.warnings[0].line, reply.warnings[0].code), (1, WarningCode::InvalidUtf8));
    assert_eq!(Display::new().push(b"prose \xff\n").text, "prose \u{fffd}\n");
    assert_eq!(parse_tasks(b"### Tasks\n1. A\xff\n").tasks[0].title, "A\u{fffd}");
}

#[test]
fn offsets_count_the_bytes_that_came_in() {
    let text = b"\xef\xbb\xbf\xff\xff\n- a.go:\n<PlandexBlock lang=\"go\">\nA\n</PlandexBlock>\n";
    let reply = parse(text);
    let block = reply.operations[0].as_file().unwrap();
    assert_eq!(&text[block.parts.body.range()], b"A\n");
    assert_eq!(block.reply_before(text), &text[..6]);
    assert_eq!(block.reply_through_opening(text), &text[..text.len() - "A\n</PlandexBlock>\n".len()]);
    // A part of the reply, as it has come in so far, is enough.
    assert_eq!(block.reply_before(&text[..3]), &text[..3]);
}

#[test]
fn a_byte_order_mark_hides_nothing() {
    let reply = parse("\u{feff}<PlandexBlock lang=\"go\" path=\"a.go\">A\n</PlandexBlock>\n");
    assert_eq!(reply.operations[0].path(), "a.go");
    assert_eq!(reply.operations[0].as_file().unwrap().content, "A\n");
}

#[test]
fn a_tag_of_a_kilobyte_is_prose() {
    let tag = |len: usize| format!("<PlandexBlock lang=\"go\" path=\"{}\">\nA\n</PlandexBlock>\n", "a".repeat(len));
    assert_eq!(parse(tag(980)).operations.len(), 1);
    let reply = parse(tag(1_100));
    assert!(reply.operations.is_empty());
    assert_eq!(reply.warnings[0].code, WarningCode::UnfinishedTag);
    let mut display = Display::new();
    assert!(display.push(tag(1_100).as_bytes()).text.starts_with("<PlandexBlock"));
}

#[test]
fn prose_is_kept_up_to_a_limit() {
    let line = "A line of prose that goes on for a while, and says nothing.\n";
    let prose = line.repeat(10_000);
    let reply = parse(format!("{prose}- a.go:\n<PlandexBlock lang=\"go\">\nA\n</PlandexBlock>\n"));
    let block = reply.operations[0].as_file().unwrap();
    assert_eq!(block.path, "a.go");
    assert!((32 * 1024..=128 * 1024).contains(&block.description.len()));
    assert!(block.description.lines().all(|found| found == line.trim_end()));
    // A close that lies further back is final.
    let tagged = format!("<PlandexBlock lang=\"go\" path=\"a.go\">\nA\n</PlandexBlock>\n{prose}</PlandexBlock>\n");
    let reply = parse(tagged);
    assert_eq!(reply.operations[0].as_file().unwrap().content, "A\n");
    assert_eq!(reply.warnings.iter().map(|warning| warning.code).collect::<Vec<_>>(), [WarningCode::StrayClose]);
}

/// Many closes that turn out to be content cost what they add, not what is there.
#[test]
fn an_extension_holds_only_what_is_new() {
    let mut text = "<PlandexBlock lang=\"md\" path=\"a.md\">\nA\n</PlandexBlock>\n".to_owned();
    text += &"b\n</PlandexBlock>\n".repeat(1_000);
    let mut parser = Parser::new();
    let events = parser.push(text.as_bytes());
    let sizes: Vec<usize> = events
        .iter()
        .filter_map(|event| match event {
            Event::Extended(more) => Some(more.content.len()),
            _ => None,
        })
        .collect();
    assert_eq!(sizes, vec!["</PlandexBlock>\nb\n".len(); 1_000]);
    let told = events.iter().filter(|event| matches!(event, Event::Warning(_))).count();
    assert_eq!(told, 1, "it is told once");
}

#[test]
fn a_known_path_is_taken_however_it_looks() {
    let text = "- my notes\n\n- my notes:\n<PlandexBlock lang=\"text\" path=\"other\">\nA\n</PlandexBlock>\n";
    assert_eq!(parse(text).operations[0].path(), "other");
    let mut parser = Parser::new().with_known_paths(["LICENSE"]);
    let events = parser
        .push(b"**LICENSE**\n<PlandexBlock lang=\"text\" path=\"other\">\nA\n</PlandexBlock>\nLICENSE\n```\nB\n```\n");
    let paths: Vec<&str> = events
        .iter()
        .filter_map(|event| match event {
            Event::Operation(operation) => Some(operation.path()),
            _ => None,
        })
        .collect();
    assert_eq!(paths, ["LICENSE"]);
}

#[test]
fn where_a_parser_is_can_be_asked() {
    let mut parser = Parser::new();
    parser.push(b"- src/x.rs:\n\n");
    assert_eq!((parser.suspected_path(), parser.open_path()), (Some("src/x.rs"), None));
    parser.push(b"Prose.\n");
    assert_eq!(parser.suspected_path(), None);
    parser.push(b"### Remove Files\n");
    assert!(parser.is_in_section());
    parser.push(b"<EndPlandexFileOps/>\n*** Begin Patch\n*** Update File: a.rs\n");
    assert_eq!((parser.suspected_path(), parser.open_path()), (None, Some("a.rs")));
    parser.push(b"*** End Patch\n");
    assert_eq!(parser.open_path(), None);
}

#[test]
fn empty_replies() {
    for text in ["", "\n", " ", "\u{feff}"] {
        let reply = parse(text);
        assert!(reply.operations.is_empty() && reply.warnings.is_empty() && !reply.is_truncated(), "{text:?}");
        assert_eq!(Display::new().finish().text, "");
        assert!(parse_tasks(text).tasks.is_empty());
    }
}

#[test]
fn a_new_file_of_a_diff_keeps_its_missing_line_feed() {
    let reply = parse("```diff\n--- /dev/null\n+++ b/a.txt\n@@ -0,0 +1 @@\n+A\n\\ No newline at end of file\n```\n");
    assert!(
        matches!(&reply.operations[0], Operation::File(block) if block.form == Form::Whole && block.content == "A")
    );
}

/// A text of nothing but faults fills no memory with what is said of it; a doubt about an operation is always told.
#[test]
fn warnings_are_bounded_but_those_of_operations() {
    let count = |text: &str, code| parse(text).warnings.iter().filter(|warning| warning.code == code).count();
    assert_eq!(count(&"</PlandexBlock>\n".repeat(5_000), WarningCode::StrayClose), 1_000);
    let text = "### Remove Files\n".to_owned() + &"x\n".repeat(5_000);
    assert_eq!(count(&text, WarningCode::TextInSection), 1_000);
    let text = "- a.go:\n<PlandexBlock lang=\"go\" path=\"b.go\">\n</PlandexBlock>\n".repeat(2_000);
    assert_eq!(count(&text, WarningCode::LabelConflict), 2_000);
}
