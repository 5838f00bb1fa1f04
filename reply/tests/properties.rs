//! What must hold for any reply, on texts made of everything that means something, on random bytes, and on replies that are rendered
//! from known operations.
//!
//! Each property starts from a fixed seed so that equal runs try equal cases. `PROPTEST_CASES=20000 cargo test -p treegraft-reply --test
//! properties` looks further, from a new seed each time.
#![allow(clippy::disallowed_methods, reason = "the environment says how far to look")]

mod naive;
mod support;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::RngSeed;
use support::{chunks, generate, render};
use treegraft_reply::{Display, Event, FileBlock, Form, Operation, Parser, Reply, Warning, WarningCode, parse};

const N_CASES: u32 = 800;

fn config() -> ProptestConfig {
    let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::default() };
    if std::env::var("PROPTEST_CASES").is_ok() {
        return config;
    }
    ProptestConfig { cases: N_CASES, rng_seed: RngSeed::Fixed(0x7ee6), ..config }
}

/// Lines that mean something, and some that don't.
fn line() -> impl Strategy<Value = &'static str> {
    select(vec![
        "",
        "  ",
        "prose, with `src/a.rs` in it",
        "größe → 🙂",
        "- a.go:",
        "- Do this.",
        "**src/b.rs**",
        "src/c.rs",
        "### a.md:",
        "<PlandexBlock lang=\"go\" path=\"a.go\">",
        "  <PlandexBlock lang=\"rust\">",
        "<PlandexBlock path=\"b.md\" lang=\"md\">",
        "<PlandexBlock lang=\"go\" path=\"c.go\" id=\"7\">",
        "<PlandexBlock lang=\"go\" path=\"d.go\">package d",
        "<PlandexBlock lang=\"go",
        "<Plandex",
        "</PlandexBlock>",
        "  </PlandexBlock>\t",
        "}</PlandexBlock>",
        "</PlandexBlock> and so on",
        "</PlandexBlock 7>",
        "x := \"</PlandexBlock>\"",
        "### Move Files",
        "### Remove Files",
        "### Reset Changes",
        "- `a.go` → `b.go`",
        "- `a.go`",
        "-",
        "- c.go (old)",
        "<EndPlandexFileOps/>",
        "<PlandexFinish/>",
        "all <PlandexFinish/> done",
        "</PlandexBlock><PlandexFinish/>",
        "```",
        "```rust",
        "```diff",
        "```go src/d.go",
        "`````",
        "a ``` b ````",
        "~~~",
        "<<<<<<< SEARCH",
        "=======",
        ">>>>>>> REPLACE",
        "*** Begin Patch",
        "*** Update File: e.py",
        "*** Add File: f.py",
        "*** Delete File: g.py",
        "*** Move to: h.py",
        "*** End Patch",
        "--- a/i.py",
        "+++ b/i.py",
        "+++ /dev/null",
        "@@ -1 +1 @@",
        "+added",
        "-removed",
        " kept",
        "### Tasks",
        "### Remove Tasks",
        "1. First",
        "2) Second",
        "  1. inner",
        "Uses: `a`, `b`,",
        "- Uses:",
    ])
}

/// Bytes that are readable in a failure.
#[derive(Clone)]
struct Text(Vec<u8>);

impl std::fmt::Debug for Text {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}", String::from_utf8_lossy(&self.0))
    }
}

/// Texts of such lines, with any line end.
fn soup() -> impl Strategy<Value = Text> {
    let ended = (line(), select(vec!["\n", "\n", "\n", "\n", "\r\n", "", "\u{a0}\n"]));
    vec(ended, 0..30)
        .prop_map(|lines| lines.into_iter().flat_map(|(line, end)| [line, end]).collect::<String>().into_bytes())
        .prop_map(Text)
}

/// Bytes that are no text, or nearly one.
fn bytes() -> impl Strategy<Value = Text> {
    let piece = prop_oneof![
        4 => line().prop_map(|line| line.as_bytes().to_vec()),
        2 => vec(any::<u8>(), 0..6),
        3 => select(vec![b"\n".to_vec(), b"\n".to_vec(), "é".as_bytes().to_vec(), b"\xc2".to_vec(), b"\xf0\x9f".to_vec(), b"<".to_vec()]),
    ];
    vec(piece, 0..40).prop_map(|pieces| Text(pieces.concat()))
}

fn show<'a>(stops: &[&str], chunks: impl IntoIterator<Item = &'a [u8]>) -> (String, bool, bool) {
    let mut display = stops.iter().fold(Display::new(), |display, stop| display.with_stop(stop));
    let mut text = String::new();
    for chunk in chunks {
        text += &display.push(chunk).text;
    }
    let end = display.finish();
    (text + &end.text, end.stop, end.unclosed)
}

/// Holds parser, display and task lists of a text against those of the same text in chunks.
fn check_chunks(text: &[u8], size: usize, places: &[usize]) -> Result<(), TestCaseError> {
    let stops = ["<PlandexFinish/>", "all d"];
    for cut in [chunks::of_size(text, size).collect(), chunks::at(text, places)] {
        prop_assert_eq!(render::events(cut.iter().copied()), render::events([text]));
        prop_assert_eq!(show(&stops, cut.iter().copied()), show(&stops, [text]));
        prop_assert_eq!(render::read_tasks(cut.iter().copied()), render::read_tasks([text]));
    }
    Ok(())
}

/// Says what is wrong with the places that a reply gives for its parts.
fn check_parts(text: &[u8], reply: &Reply) -> Result<(), TestCaseError> {
    let lines = text.split(|&byte| byte == b'\n').count();
    for operation in &reply.operations {
        let span = operation.span();
        prop_assert!(span.start < span.end && span.end <= text.len(), "{operation}: {span:?} of {}", text.len());
        prop_assert!((1..=lines).contains(&operation.line()));
        let feeds = |bytes: &[u8]| bytes.split(|&byte| byte == b'\n').count() - 1;
        let (before, inside) = (feeds(&text[..span.start]), feeds(&text[span.range()]));
        prop_assert!(
            (before..=before + inside).contains(&(operation.line() - 1)),
            "{operation}: line {}",
            operation.line()
        );
    }
    let open = reply.open.iter().map(|open| &open.block);
    for block in reply.operations.iter().filter_map(Operation::as_file).chain(open) {
        let parts = block.parts;
        prop_assert!(parts.label.is_none_or(|label| label.end <= parts.open.start), "{parts:?}");
        prop_assert!(parts.open.end <= parts.body.start && parts.body.end <= parts.close.start, "{parts:?}");
        prop_assert!(block.reply_through_opening(text).ends_with(&text[parts.open.range()]));
    }
    for warning in &reply.warnings {
        prop_assert!(warning.operation.is_none_or(|index| index < reply.operations.len()), "{warning:?}");
        prop_assert!(warning.line <= lines);
    }
    Ok(())
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn chunks_make_no_difference(text in soup(), size in 1..=64_usize, places in vec(any::<usize>(), 0..12)) {
        check_chunks(&text.0, size, &places)?;
    }

    #[test]
    fn chunks_of_any_bytes_make_no_difference(text in bytes(), size in 1..=64_usize, places in vec(any::<usize>(), 0..12)) {
        check_chunks(&text.0, size, &places)?;
    }

    #[test]
    fn parts_are_where_they_are_said_to_be(text in prop_oneof![soup(), bytes()]) {
        check_parts(&text.0, &parse(&text.0))?;
    }

    /// A file block's content is the text of its body, unless the form or a warning says otherwise.
    #[test]
    fn a_body_is_copied(text in soup()) {
        let reply = parse(&text.0);
        for (index, operation) in reply.operations.iter().enumerate() {
            let Operation::File(FileBlock { form: Form::Block, content, parts, .. }) = operation else { continue };
            let changed = [WarningCode::FencedBody, WarningCode::CloseOnCodeLine];
            if reply.warnings.iter().any(|warning| warning.operation == Some(index) && changed.contains(&warning.code)) {
                continue;
            }
            prop_assert_eq!(content.as_bytes(), &text.0[parts.body.range()]);
        }
    }

    /// The display agrees with a naive one that has the whole reply before it.
    #[test]
    fn display_is_the_naive_one(text in soup()) {
        let text = String::from_utf8(text.0).expect("a soup is text");
        let (shown, stop, _) = show(&["<PlandexFinish/>"], [text.as_bytes()]);
        prop_assert_eq!((shown, stop), naive::display(&text, "<PlandexFinish/>"));
    }

    #[test]
    fn what_is_rendered_is_read(reply in generate::reply()) {
        let parsed = parse(&reply.text);
        prop_assert_eq!(generate::summary(&parsed), reply.wanted.clone(), "{}", reply.text);
        prop_assert!(parsed.open.is_none());
        // A removal by a diff always is one.
        let is_doubt =
            |warning: &&Warning| warning.code.is_doubt() && warning.code != WarningCode::RemovalUnchecked;
        let doubts: Vec<_> = parsed.warnings.iter().filter(is_doubt).collect();
        prop_assert!(reply.has_odd_body || doubts.is_empty(), "{doubts:?}\n{}", reply.text);
        check_parts(reply.text.as_bytes(), &parsed)?;
    }

    /// Each operation is there as soon as the line that completes it is.
    #[test]
    fn operations_come_early(reply in generate::reply()) {
        let mut parser = Parser::new();
        let mut so_far = 0;
        for line in reply.text.split_inclusive('\n') {
            let events = parser.push(line.as_bytes());
            so_far += line.len();
            for event in events {
                if let Event::Operation(operation) = event {
                    let end = operation.span().end;
                    // A section's operations come at its end tag; a patch's file at the header of the next.
                    let late = !matches!(&operation, Operation::File(FileBlock { form: Form::Block | Form::Fence, .. }));
                    prop_assert!(late || end == so_far || end + 1 == so_far, "{operation} ends at {end}, comes at {so_far}");
                }
            }
        }
        prop_assert!(parser.finish().iter().all(|event| !matches!(event, Event::Operation(_))), "{}", reply.text);
    }

    /// A reply that is cut anywhere has the operations of the whole one, as far as it goes, and never a piece of one.
    #[test]
    fn a_cut_reply_has_no_half_operation(reply in generate::reply(), at in any::<proptest::sample::Index>()) {
        let cut = at.index(reply.text.len() + 1);
        let parsed = parse(&reply.text.as_bytes()[..cut]);
        let found = generate::summary(&parsed);
        // Only the last search/replace operation may have fewer blocks. What may be a close within a line that is cut is told.
        for (index, (found, wanted)) in found.iter().zip(&reply.wanted).enumerate() {
            let told = parsed.warnings.iter().any(|warning| warning.operation == Some(index) && warning.code.is_doubt());
            let same = found == wanted || wanted.is_search_and_begins_with(found);
            prop_assert!(same || told, "{found:?}\n{wanted:?}\n{}", String::from_utf8_lossy(&reply.text.as_bytes()[..cut]));
        }
        prop_assert!(found.len() <= reply.wanted.len());
    }
}
