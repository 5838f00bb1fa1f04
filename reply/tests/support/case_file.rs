//! The format of `tests/cases/*.md`.
//!
//! A case is a heading `## name`, prose that says why, and blocks between lines of four or more tildes. A block's first word is what it
//! is; further words are attributes. In the text of a block `\n` ends every line; `no-final-newline` takes the last one off, `crlf` makes
//! every line end with `\r\n`.
//!
//! | block | is |
//! |---|---|
//! | `reply` | what the model wrote; `stop`: the display stops at `<PlandexFinish/>` |
//! | `read` | what the parser makes of it, as `render::reply` writes it |
//! | `shown` | what the display shows; `stopped`, `unclosed`: what it says at the end |
//! | `tasks`, `removed` | what the task parser makes of it |

#![allow(clippy::disallowed_methods, reason = "the cases are files")]

use std::path::{Path, PathBuf};

/// One case.
#[derive(Debug)]
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) blocks: Vec<Block>,
}

/// One block of a case.
#[derive(Debug)]
pub(crate) struct Block {
    pub(crate) kind: String,
    pub(crate) attributes: Vec<String>,
    pub(crate) text: String,
    /// The lines of its text in the file, half-open, zero-based.
    pub(crate) rows: std::ops::Range<usize>,
}

impl Block {
    pub(crate) fn has(&self, attribute: &str) -> bool {
        self.attributes.iter().any(|found| found == attribute)
    }
}

impl Case {
    pub(crate) fn block(&self, kind: &str) -> Option<&Block> {
        self.blocks.iter().find(|block| block.kind == kind)
    }

    pub(crate) fn reply(&self) -> &Block {
        self.block("reply").unwrap_or_else(|| panic!("{}: no block `reply`", self.name))
    }
}

/// Reads all cases of a file.
pub(crate) fn read(topic: &str) -> Vec<Case> {
    let text = std::fs::read_to_string(path(topic)).unwrap_or_else(|error| panic!("{topic}: {error}"));
    let lines: Vec<&str> = text.split('\n').collect();
    let mut cases: Vec<Case> = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let line = lines[at];
        at += 1;
        if let Some(name) = line.strip_prefix("## ") {
            cases.push(Case { name: format!("{topic}: {name}"), blocks: Vec::new() });
        } else if let Some(fence) =
            line.starts_with("~~~~").then(|| &line[..line.len() - line.trim_start_matches('~').len()])
        {
            let mut words = line[fence.len()..].split_whitespace().map(str::to_owned);
            let kind = words.next().unwrap_or_else(|| panic!("{topic}:{at}: a block without a name"));
            let attributes: Vec<String> = words.collect();
            let end =
                (at..lines.len()).find(|&end| lines[end] == fence).unwrap_or_else(|| panic!("{topic}:{at}: no end"));
            let feed = if attributes.iter().any(|word| word == "crlf") { "\r\n" } else { "\n" };
            let mut body: String = lines[at..end].iter().flat_map(|line| [line, feed]).collect();
            if attributes.iter().any(|word| word == "no-final-newline") {
                body.truncate(body.len() - feed.len());
            }
            let case = cases.last_mut().unwrap_or_else(|| panic!("{topic}:{at}: a block outside of a case"));
            case.blocks.push(Block { kind, attributes, text: body, rows: at..end });
            at = end + 1;
        }
    }
    cases
}

/// Compares the block `kind` of a case with what came out; with `TREEGRAFT_BLESS` set, collects it for [`bless`].
pub(crate) fn compare(case: &Case, kind: &str, got: &str, blessed: &mut Vec<(std::ops::Range<usize>, String)>) {
    let Some(block) = case.block(kind) else { return };
    if block.text == got {
        return;
    }
    if std::env::var_os("TREEGRAFT_BLESS").is_some() {
        blessed.push((block.rows.clone(), got.to_owned()));
    } else {
        panic!("{}, `{kind}`:\n--- wanted\n{}--- got\n{got}---", case.name, block.text);
    }
}

/// Writes blocks back.
pub(crate) fn bless(topic: &str, blessed: &[(std::ops::Range<usize>, String)]) {
    let text = std::fs::read_to_string(path(topic)).unwrap();
    let mut lines: Vec<&str> = text.split('\n').collect();
    for (rows, text) in blessed.iter().rev() {
        lines.splice(
            rows.clone(),
            text.strip_suffix('\n').filter(|text| !text.is_empty()).into_iter().flat_map(|text| text.split('\n')),
        );
    }
    if !blessed.is_empty() {
        std::fs::write(path(topic), lines.join("\n")).unwrap();
    }
}

fn path(topic: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases").join(topic).with_extension("md")
}
