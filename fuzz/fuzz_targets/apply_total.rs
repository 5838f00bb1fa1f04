//! Any edit is answered: no panic, and what the engine promises of an answer holds.
#![no_main]

use std::time::Duration;

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use treegraft::{Edit, Engine};
use treegraft_fuzz::{FileName, Text, check};

#[derive(Debug, Arbitrary)]
struct Input<'a> {
    file: FileName,
    original: Text<'a>,
    snippet: Text<'a>,
    description: Description<'a>,
    no_edges: bool,
    budget: Budget,
}

#[derive(Debug, Arbitrary)]
enum Description<'a> {
    Nothing,
    Kind(u8),
    Range(u8, u16, u16),
    Raw(&'a str),
}

#[derive(Debug, Arbitrary)]
enum Budget {
    Nothing,
    Little,
    Usual,
}

const KINDS: [&str; 6] = ["add", "prepend", "append", "replace", "remove", "overwrite"];

impl Description<'_> {
    fn text(&self) -> String {
        let kind = |at: u8| KINDS[usize::from(at) % KINDS.len()];
        match *self {
            Self::Nothing => String::new(),
            Self::Kind(at) => format!("Type: {}", kind(at)),
            Self::Range(at, first, last) => {
                format!("Type: {}\nReplace: lines {}-{}", kind(at), first % 512, last % 512)
            }
            Self::Raw(text) => text.to_owned(),
        }
    }
}

fuzz_target!(|input: Input<'_>| {
    let original = input.original.make("");
    let snippet = input.snippet.make(&original);
    let description = input.description.text();
    let edit = Edit::new(input.file.path(), &original, &snippet)
        .description(&description)
        .add_missing_edges(!input.no_edges)
        .budget(Duration::from_millis(match input.budget {
            Budget::Nothing => 0,
            Budget::Little => 1,
            Budget::Usual => 500,
        }));
    check(&original, &snippet, &Engine::default().apply(&edit));
});
