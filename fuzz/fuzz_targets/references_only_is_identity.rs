//! A snippet that holds nothing but references leaves the file as it is, byte for byte, and is trusted.
#![no_main]

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use treegraft::{Edit, Engine};
use treegraft_fuzz::{FileName, MARKERS, Text, check};

#[derive(Debug, Arbitrary)]
struct Input<'a> {
    file: FileName,
    original: Text<'a>,
    first: Reference,
    more: Vec<Reference>,
    final_newline: bool,
}

#[derive(Debug, Arbitrary)]
struct Reference {
    sign: u8,
    blanks_before: u8,
    indent: u8,
}

/// The first of [`MARKERS`] are canonical references: certain whatever the file holds.
const N_CANONICAL: usize = 5;

impl Reference {
    fn write(&self, text: &mut String) {
        text.push_str(&"\n".repeat(usize::from(self.blanks_before % 3)));
        text.push_str(&" ".repeat(usize::from(self.indent % 12)));
        text.push_str(MARKERS[usize::from(self.sign) % N_CANONICAL]);
        text.push('\n');
    }
}

fuzz_target!(|input: Input<'_>| {
    let original = input.original.make("");
    let mut snippet = String::new();
    input.first.write(&mut snippet);
    input.more.iter().take(8).for_each(|reference| reference.write(&mut snippet));
    if !input.final_newline {
        snippet.pop();
    }
    // Where the file holds nothing there is nothing to refer to; a NUL makes it no text.
    if original.trim().is_empty() || original.contains('\0') {
        return;
    }
    let answer = Engine::default().apply(&Edit::new(input.file.path(), &original, &snippet));
    check(&original, &snippet, &answer);
    let Ok(outcome) = answer else { return };
    assert_eq!(outcome.text(), original, "a reference stands for what is there");
    assert!(outcome.replacements().is_empty());
    assert!(outcome.verdict().is_trusted(), "{:?}", outcome.verdict());
});
