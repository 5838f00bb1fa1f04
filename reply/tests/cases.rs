//! The cases of `tests/cases/`, each in all chunk sizes.

mod support;

use support::{case_file, chunks, render};
use treegraft_reply::{Display, Reply};

/// Reads all cases of a topic; there must be at least as many as `floor`, so that none gets lost.
fn check(topic: &str, floor: usize) {
    let cases = case_file::read(topic);
    assert!(cases.len() >= floor, "{topic}: {} cases, wanted at least {floor}", cases.len());
    let mut blessed = Vec::new();
    for case in &cases {
        let reply = case.reply();
        let bytes = reply.text.as_bytes();
        let events = render::events([bytes]);
        let tasks = render::read_tasks([bytes]);
        case_file::compare(case, "tasks", &render::tasks(&tasks), &mut blessed);
        case_file::compare(case, "removed", &render::removed(&tasks), &mut blessed);
        case_file::compare(case, "read", &render::reply(&events.iter().cloned().collect::<Reply>()), &mut blessed);
        let stop = reply.has("stop");
        let shown = show(stop, [bytes]);
        for size in chunks::SIZES {
            assert_eq!(render::events(chunks::of_size(bytes, size)), events, "{}, chunks of {size}", case.name);
            assert_eq!(render::read_tasks(chunks::of_size(bytes, size)), tasks, "{}, chunks of {size}", case.name);
            assert_eq!(show(stop, chunks::of_size(bytes, size)), shown, "{}, chunks of {size}", case.name);
        }
        if let Some(block) = case.block("shown") {
            assert_eq!((shown.1, shown.2), (block.has("stopped"), block.has("unclosed")), "{}", case.name);
            case_file::compare(case, "shown", &shown.0, &mut blessed);
        }
    }
    case_file::bless(topic, &blessed);
}

/// What a person sees: the text, whether it was stopped, whether a file was open at the end.
fn show<'a>(stop: bool, chunks: impl IntoIterator<Item = &'a [u8]>) -> (String, bool, bool) {
    let mut display = if stop { Display::new().with_stop("<PlandexFinish/>") } else { Display::new() };
    let mut text = String::new();
    for chunk in chunks {
        text += &display.push(chunk).text;
    }
    let end = display.finish();
    (text + &end.text, end.stop, end.unclosed)
}

#[test]
fn examples() {
    check("examples", 16);
}

#[test]
fn weaknesses() {
    check("weaknesses", 28);
}

#[test]
fn forms() {
    check("forms", 33);
}

#[test]
fn unread() {
    check("unread", 28);
}

#[test]
fn sections() {
    check("sections", 13);
}

#[test]
fn blocks() {
    check("blocks", 26);
}

#[test]
fn display() {
    check("display", 30);
}

#[test]
fn tasks() {
    check("tasks", 26);
}
