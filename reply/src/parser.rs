//! The machine that every form of block is read by.
//!
//! # Algorithm
//!
//! 1. Chunks become lines ([`Lines`]); nothing behind that step knows where a chunk ended, so every chunking gives the same events.
//! 2. A line is read by the open room, or by the prose if none is open. Prose may open a room; a room may end with the line, before
//!    it, or some lines ago. In the last two cases the line is read again.
//!
//! # Cost
//!
//! Linear in the reply. A line is read again at most a few times: the lines behind a doubtful close once as body and once as prose, and
//! a line that ends a room once there and once outside. Memory holds the open block or 64 KiB of prose, whichever is more, the line
//! that comes in, and the paths that were named.

use crate::lines::{Held, Line, Lines};
use crate::out::Out;
use crate::prose::{Next, Prose};
use crate::room::{Last, Room, Step};
use crate::{Event, Reply};

/// Reads a reply that comes in chunks of any size.
///
/// # Examples
///
/// A block can be worked on before the reply is complete:
///
/// ```
/// use treegraft_reply::{Event, Operation, Parser};
///
/// let mut parser = Parser::new();
/// let mut events = parser.push(b"- a.txt:\n<PlandexBlock lang=\"text\" path=\"a.txt\">\nHi\n</Plandex");
/// assert_eq!(parser.open_path(), Some("a.txt"));
/// events.extend(parser.push(b"Block>\nAnd now "));
/// assert!(matches!(&events[..], [Event::Opened(_), Event::Operation(Operation::File(block))] if block.content == "Hi\n"));
/// assert!(parser.finish().is_empty());
/// ```
#[derive(Debug, Default)]
pub struct Parser {
    lines: Lines,
    reader: Reader,
}

/// All of the parser behind the lines.
#[derive(Debug, Default)]
struct Reader {
    prose: Prose,
    room: Option<Room>,
    out: Out,
}

impl Parser {
    /// Makes a parser at the start of a reply.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Tells which files are known, so that a label that is one of them is taken for it, however it looks.
    #[must_use]
    pub fn with_known_paths(mut self, paths: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.reader.out.known.extend(paths.into_iter().map(Into::into));
        self
    }

    /// Takes the next bytes of the reply, and gives what is known because of them.
    #[inline]
    pub fn push(&mut self, chunk: &[u8]) -> Vec<Event> {
        if self.lines.hold(chunk) { Vec::new() } else { self.push_lines(chunk) }
    }

    fn push_lines(&mut self, chunk: &[u8]) -> Vec<Event> {
        self.lines.push(chunk, |line| self.reader.read(line));
        std::mem::take(&mut self.reader.out.events)
    }

    /// Ends the reply, and gives what is known because of it.
    #[must_use]
    pub fn finish(mut self) -> Vec<Event> {
        self.lines.finish(|line| self.reader.read(line));
        self.reader.finish(self.lines.last());
        self.reader.out.events
    }

    /// Gives the path of the block that the complete lines so far end in.
    #[must_use]
    pub fn open_path(&self) -> Option<&str> {
        self.reader.room.as_ref().and_then(Room::path)
    }

    /// Gives the path that the last line may have named, if a block may still follow it.
    #[must_use]
    pub fn suspected_path(&self) -> Option<&str> {
        if self.reader.room.is_some() { None } else { self.reader.prose.suspected() }
    }

    /// Says whether the complete lines so far end in a section of file operations.
    #[must_use]
    pub fn is_in_section(&self) -> bool {
        matches!(self.reader.room, Some(Room::Section(_)))
    }
}

/// Reads a whole reply.
///
/// # Examples
///
/// ```
/// let reply = treegraft_reply::parse("### Remove Files\n- `old.md`\n<EndPlandexFileOps/>\n");
/// assert_eq!(reply.operations[0].path(), "old.md");
/// ```
#[must_use]
pub fn parse(reply: impl AsRef<[u8]>) -> Reply {
    let mut parser = Parser::new();
    let mut parsed: Reply = parser.push(reply.as_ref()).into_iter().collect();
    parsed.extend(parser.finish());
    parsed
}

impl Reader {
    fn read(&mut self, mut line: Line<'_>) {
        loop {
            let Some(room) = &mut self.room else {
                match self.prose.read(&line, &mut self.out) {
                    Next::Prose => return,
                    Next::Room(room) => {
                        self.room = Some(room);
                        return;
                    }
                    Next::RoomWithRest(room, at) => {
                        self.room = Some(room);
                        line = line.rest(at);
                        continue;
                    }
                }
            };
            match room.read(&line, &mut self.prose, &mut self.out) {
                Step::Stay => return,
                Step::Leave => {
                    self.room = None;
                    return;
                }
                Step::Reread => self.room = None,
                Step::Rewind(held, at) => self.rewind(&held, at),
            }
        }
    }

    /// Reads lines again, of which no one opens a tagged block: only such a block is rewound, so this never nests.
    fn rewind(&mut self, held: &Held, at: usize) {
        self.room = None;
        let mut lines = held.iter();
        if let Some(first) = lines.next().map(|line| line.rest(at)).filter(|rest| !rest.text.trim().is_empty()) {
            self.read(first);
        }
        lines.for_each(|line| self.read(line));
    }

    fn finish(&mut self, last: Last) {
        while let Some(room) = self.room.take() {
            if let Step::Rewind(held, at) = room.finish(last, &mut self.prose, &mut self.out) {
                self.rewind(&held, at);
            }
        }
        self.prose.finish(&mut self.out);
    }
}
