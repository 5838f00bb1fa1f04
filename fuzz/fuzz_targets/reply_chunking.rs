//! A reply gives the same events, the same display and the same task lists in any chunks, and its parts are where it says.
#![no_main]

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use treegraft_reply::{Display, Event, Operation, Parser, Reply, TaskParser, TaskReply};

#[derive(Debug, Arbitrary)]
struct Input<'a> {
    pieces: Vec<Piece<'a>>,
    /// The lengths of the chunks, again and again.
    lengths: Vec<u8>,
}

#[derive(Debug, Arbitrary)]
enum Piece<'a> {
    Line(u8),
    End(u8),
    Raw(&'a [u8]),
}

const LINES: [&str; 40] = [
    "prose",
    "- a.go:",
    "**src/b.rs**",
    "src/c.rs",
    "- Do this.",
    "<PlandexBlock lang=\"go\" path=\"a.go\">",
    "<PlandexBlock lang='md'>",
    "<PlandexBlock path=\"c.go\" id=\"7\">x",
    "<PlandexBlock lang=\"go",
    "</PlandexBlock>",
    "}</PlandexBlock>",
    "</PlandexBlock> x",
    "</PlandexBlock 7>",
    "### Move Files",
    "### Remove Files",
    "- `a.go` → `b.go`",
    "- `a.go`",
    "<EndPlandexFileOps/>",
    "<PlandexFinish/>",
    "```",
    "```rust",
    "```diff",
    "```go src/d.go",
    "````",
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
    "### Tasks",
    "1. First",
    "Uses: `a`,",
    "### Remove Tasks",
];

const ENDS: [&str; 4] = ["\n", "\r\n", "", "\u{a0}\n"];

impl Input<'_> {
    fn text(&self) -> Vec<u8> {
        let mut text = Vec::new();
        for piece in &self.pieces {
            match *piece {
                Piece::Line(at) => {
                    text.extend_from_slice(LINES[usize::from(at) % LINES.len()].as_bytes());
                    text.push(b'\n');
                }
                Piece::End(at) => text.extend_from_slice(ENDS[usize::from(at) % ENDS.len()].as_bytes()),
                Piece::Raw(bytes) => text.extend_from_slice(bytes),
            }
        }
        text
    }

    fn chunks<'a>(&self, text: &'a [u8]) -> Vec<&'a [u8]> {
        let mut chunks = Vec::new();
        let mut rest = text;
        for at in 0.. {
            let length = self.lengths.get(at % self.lengths.len().max(1)).map_or(1, |&length| usize::from(length) + 1);
            if rest.len() <= length {
                break;
            }
            let (chunk, behind) = rest.split_at(length);
            chunks.push(chunk);
            rest = behind;
        }
        chunks.push(rest);
        chunks
    }
}

fn events(chunks: &[&[u8]]) -> Vec<Event> {
    let mut parser = Parser::new();
    let mut events: Vec<Event> = chunks.iter().flat_map(|chunk| parser.push(chunk)).collect();
    events.extend(parser.finish());
    events
}

fn shown(chunks: &[&[u8]]) -> (String, bool) {
    let mut display = Display::new().with_stop("<PlandexFinish/>");
    let mut text: String = chunks.iter().map(|chunk| display.push(chunk).text).collect();
    let end = display.finish();
    text += &end.text;
    (text, end.stop)
}

fn tasks(chunks: &[&[u8]]) -> TaskReply {
    let mut parser = TaskParser::new();
    chunks.iter().for_each(|chunk| parser.push(chunk));
    parser.finish()
}

fuzz_target!(|input: Input<'_>| {
    let text = input.text();
    let (whole, chunks) = ([text.as_slice()], input.chunks(&text));
    let found = events(&whole);
    assert_eq!(events(&chunks), found);
    assert_eq!(shown(&chunks), shown(&whole));
    assert_eq!(tasks(&chunks), tasks(&whole));
    let reply: Reply = found.into_iter().collect();
    for operation in &reply.operations {
        let span = operation.span();
        assert!(span.start < span.end && span.end <= text.len(), "{operation}: {span:?}");
        if let Operation::File(block) = operation {
            let parts = block.parts;
            assert!(parts.open.end <= parts.body.start && parts.body.end <= parts.close.start, "{parts:?}");
        }
    }
    for warning in &reply.warnings {
        assert!(warning.operation.is_none_or(|index| index < reply.operations.len()), "{warning:?}");
    }
});
