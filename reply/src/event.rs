//! What a parser gives, one by one, and the same collected.

use crate::{Form, OpenOperation, Operation, Span, Warning};

/// What a [`Parser`](crate::Parser) found.
///
/// The events of a reply are the same for every way to cut it into chunks.
///
/// # What can still change
///
/// A file block is given as soon as its close is seen. A later closing tag can show that this close was a line of the file
/// ([`Event::Extended`]), or a further search/replace block for the same file can follow. So the *last* operation may grow until
/// the next [`Event::Opened`] or [`Event::Operation`], or until the end; all before it are final. A doubt about any of them may still
/// come up to the end ([`Warning::operation`]), as when the first tag shows that a code fence before it was an illustration: work
/// on operations early, and write them when the reply is complete.
///
/// # Examples
///
/// ```
/// use treegraft_reply::{Event, Parser};
///
/// let mut parser = Parser::new();
/// let first = parser.push(b"<PlandexBlock lang=\"md\" path=\"a.md\">\nEnd with\n</PlandexBlock>\nand no more.\n");
/// assert!(matches!(&first[..], [Event::Opened(_), Event::Operation(_)]));
/// // Only now it shows that the first close was a line of the file.
/// let then = parser.push(b"</PlandexBlock>\n");
/// assert!(matches!(&then[..], [Event::Extended(more), Event::Warning(_)]
///     if more.content == "</PlandexBlock>\nand no more.\n"));
/// ```
#[non_exhaustive]
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// A file block has begun.
    Opened(Opened),
    /// An operation is complete. The n-th of these events is operation n, from zero.
    Operation(Operation),
    /// The last operation goes on.
    Extended(Extended),
    /// Something was not as it should be.
    Warning(Warning),
    /// The reply ended inside a block.
    Truncated(OpenOperation),
}

/// A file block that has begun.
///
/// # Examples
///
/// ```
/// use treegraft_reply::{Event, Form, Parser};
///
/// let events = Parser::new().push(b"src/a.rs\n```rust\nfn a() {}\n");
/// assert!(matches!(&events[..], [Event::Opened(opened)]
///     if opened.path == "src/a.rs" && opened.form == Form::Fence && opened.line == 2));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opened {
    /// The file it is for.
    pub path: String,
    /// The language that the reply names.
    pub language: Option<String>,
    /// How it is written, as far as its opening tells.
    pub form: Form,
    /// The line that opens it, one-based.
    pub line: usize,
}

/// More text for the last file block.
///
/// # Examples
///
/// ```
/// use treegraft_reply::{Event, Parser};
///
/// let mut parser = Parser::new();
/// parser.push(b"a.py\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n");
/// let more = parser.push(b"<<<<<<< SEARCH\nc\n=======\nd\n>>>>>>> REPLACE\n");
/// assert!(matches!(&more[..], [Event::Extended(more)] if more.operation == 0));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Extended {
    /// Index of the operation.
    pub operation: usize,
    /// What comes at the end of its content.
    pub content: String,
    /// The close that counts now.
    pub close: Span,
}

/// A reply that was read to its end.
///
/// # Examples
///
/// ```
/// let reply = treegraft_reply::parse("Just a thought, no files.\n");
/// assert!(reply.operations.is_empty() && reply.open.is_none() && reply.warnings.is_empty());
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Reply {
    /// What it asks for, in its order.
    pub operations: Vec<Operation>,
    /// The block that it ended in.
    pub open: Option<OpenOperation>,
    /// What was not as it should be, in the order in which it was found.
    pub warnings: Vec<Warning>,
}

impl Reply {
    /// Says whether the reply ended inside a block.
    #[must_use]
    pub fn is_truncated(&self) -> bool {
        self.open.is_some()
    }
}

impl Extend<Event> for Reply {
    fn extend<I: IntoIterator<Item = Event>>(&mut self, events: I) {
        for event in events {
            match event {
                Event::Opened(_) => {}
                Event::Operation(operation) => self.operations.push(operation),
                Event::Extended(more) => {
                    if let Some(Operation::File(block)) = self.operations.get_mut(more.operation) {
                        block.content.push_str(&more.content);
                        block.parts.body.end = more.close.start;
                        block.parts.close = more.close;
                    }
                }
                Event::Warning(warning) => self.warnings.push(warning),
                Event::Truncated(open) => self.open = Some(open),
            }
        }
    }
}

impl FromIterator<Event> for Reply {
    fn from_iter<I: IntoIterator<Item = Event>>(events: I) -> Self {
        let mut reply = Self::default();
        reply.extend(events);
        reply
    }
}
