//! The parser.

use crate::{Event, Reply};

/// Reads a reply in chunks of any size.
#[derive(Debug, Default)]
pub struct Parser {}

impl Parser {
    /// Makes a parser at the start of a reply.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes the next bytes of the reply, and gives what is known because of them.
    pub fn push(&mut self, _chunk: &[u8]) -> Vec<Event> {
        Vec::new()
    }

    /// Ends the reply, and gives what is known because of it.
    #[must_use]
    pub fn finish(self) -> Vec<Event> {
        Vec::new()
    }
}

/// Reads a whole reply.
#[must_use]
pub fn parse(reply: impl AsRef<[u8]>) -> Reply {
    let mut parser = Parser::new();
    let mut parsed: Reply = parser.push(reply.as_ref()).into_iter().collect();
    parsed.extend(parser.finish());
    parsed
}
