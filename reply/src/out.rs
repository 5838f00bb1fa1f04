//! Where events are collected, and operations counted.

use std::collections::{BTreeSet, HashMap};

use crate::{Event, Extended, FileBlock, Form, Opened, Operation, Span, Warning, WarningCode};

/// How many warnings of one kind about no operation are told.
pub(crate) const MOST_ALIKE: usize = 1_000;

/// The events that are not yet handed out, and what is known of those that are.
#[derive(Debug, Default)]
pub(crate) struct Out {
    pub(crate) events: Vec<Event>,
    /// How many operations there are so far; the index of the next one.
    pub(crate) n_operations: usize,
    /// The latest file block for each path.
    latest: HashMap<String, usize>,
    /// How many warnings of a kind are about no operation.
    alike: HashMap<WarningCode, usize>,
    /// Files that are known to exist.
    pub(crate) known: BTreeSet<String>,
}

impl Out {
    /// Adds a warning about operation `operation`, or about none. Of those about none only the first [`MOST_ALIKE`] of a kind are told:
    /// further ones would say nothing new of the reply, and could fill the memory.
    pub(crate) fn warn(&mut self, line: usize, code: WarningCode, detail: impl Into<String>, operation: Option<usize>) {
        if operation.is_none() {
            let count = self.alike.entry(code).or_insert(0);
            *count += 1;
            if *count > MOST_ALIKE {
                return;
            }
        }
        self.events.push(Event::Warning(Warning { line, code, detail: detail.into(), operation }));
    }

    /// Says that a block has begun.
    pub(crate) fn opened(&mut self, path: &str, language: Option<&str>, form: Form, line: usize) {
        let (path, language) = (path.to_owned(), language.map(str::to_owned));
        self.events.push(Event::Opened(Opened { path, language, form, line }));
    }

    /// Adds a file block; gives its index.
    pub(crate) fn file(&mut self, mut block: FileBlock) -> usize {
        block.same_path_as = self.latest.insert(block.path.clone(), self.n_operations);
        self.operation(Operation::File(block))
    }

    /// Adds an operation; gives its index.
    pub(crate) fn operation(&mut self, operation: Operation) -> usize {
        self.events.push(Event::Operation(operation));
        self.n_operations += 1;
        self.n_operations - 1
    }

    /// Lets an operation go on.
    pub(crate) fn extended(&mut self, operation: usize, content: String, close: Span) {
        self.events.push(Event::Extended(Extended { operation, content, close }));
    }

    /// Gives the latest block for a path.
    pub(crate) fn latest(&self, path: &str) -> Option<usize> {
        self.latest.get(path).copied()
    }
}
