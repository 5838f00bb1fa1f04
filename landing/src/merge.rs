//! The blocks for one file, one after the other, each against the result of the one before.

use treegraft::{Edit, Engine, Language, NeedsVerifyReason, Outcome, ReasonKind, Step};
use treegraft_reply::{FileBlock, Form};

use crate::error::Error;
use crate::path::FilePath;
use crate::plan::{Doubt, PlannedEdit};

/// What the blocks make of a file.
pub(crate) struct Merged {
    /// Its content; `None` without blocks.
    pub(crate) content: Option<Vec<u8>>,
    pub(crate) edits: Vec<PlannedEdit>,
    pub(crate) doubts: Vec<Doubt>,
}

/// Merges the blocks into `original`; `None` is a file that isn't there.
pub(crate) fn blocks(
    original: Option<&[u8]>,
    blocks: &[(FilePath, &FileBlock)],
    engine: &Engine,
) -> Result<Merged, Error> {
    let mut merged = Merged { content: None, edits: Vec::new(), doubts: Vec::new() };
    if blocks.is_empty() {
        return Ok(merged);
    }
    let mut text: Option<String> = match original {
        None => None,
        Some(bytes) => Some(utf8(bytes)?.to_owned()),
    };
    for (path, block) in blocks {
        let outcome = engine.apply(&edit(path, text.as_deref().unwrap_or_default(), block))?;
        let n = merged.edits.len();
        let mut reasons = outcome.verdict().reasons().to_vec();
        let next = if text.is_some() {
            // A second block for a file that the reply made a moment ago calls it new with right.
            if block.form == Form::Whole && n == 0 {
                merged.doubts.push(Doubt::NotNew);
            }
            outcome.text().to_owned()
        } else {
            let (content, doubt) = new_file(block, &outcome);
            reasons.extend(doubt.filter(|doubt| reasons.iter().all(|reason| reason.kind != doubt.kind)));
            content
        };
        merged.doubts.extend(reasons.into_iter().map(|reason| Doubt::Edit { edit: n, reason }));
        let original = text.replace(next);
        let snippet = block.content.clone();
        merged.edits.push(PlannedEdit { line: block.line, path: path.clone(), original, snippet, outcome });
    }
    merged.content = text.map(String::into_bytes);
    Ok(merged)
}

fn edit<'a>(path: &'a FilePath, original: &'a str, block: &'a FileBlock) -> Edit<'a> {
    let edit = Edit::new(path.as_str(), original, &block.content).description(&block.description);
    // The name of the file decides; what the model calls the language helps where it doesn't.
    let named = block.language.as_deref().filter(|_| Language::from_path(path.as_str()).is_none());
    match named.and_then(Language::from_name) {
        Some(language) => edit.language(language),
        None => edit,
    }
}

/// Gives the content of a file that a block makes, and why someone has to look at it.
///
/// The block's text is the file, byte for byte. If merging it into nothing gives anything else, then the engine saw
/// more in it than text: a reference, which has nothing to stand for here, or columns of a diff.
fn new_file(block: &FileBlock, outcome: &Outcome) -> (String, Option<NeedsVerifyReason>) {
    if matches!(block.form, Form::SearchReplace | Form::Patch | Form::Diff) {
        // Not the file but what makes it.
        return (outcome.text().to_owned(), None);
    }
    let content = block.content.clone();
    if is_same_text(&content, outcome.text()) {
        let doubt = announces_change(&block.description).then(|| {
            NeedsVerifyReason::new(
                ReasonKind::RangeNotApplied,
                "the description announces a change of a file, but there is none under this path",
            )
        });
        return (content, doubt);
    }
    let is_marker = |step: &&Step| matches!(step, Step::Fill { .. } | Step::Marker { .. });
    let doubt = match outcome.ledger().steps().iter().find(is_marker).and_then(Step::snippet) {
        Some(lines) => NeedsVerifyReason::new(
            ReasonKind::ReferenceWithoutSource,
            "the file is new, so there is nothing that this could stand for",
        )
        .at_snippet(lines),
        None => NeedsVerifyReason::new(
            ReasonKind::SnippetSuspicious,
            "the file is new, but its text reads like a part of a file or like a diff",
        ),
    };
    (content, Some(doubt))
}

/// Says whether a description has a field, `Type: replace` or `Remove: line 3`, that makes no sense without a file.
fn announces_change(description: &str) -> bool {
    const CHANGES: [&str; 7] = ["replace", "update", "modify", "remove", "delete", "append", "prepend"];
    let markup = |c: char| c.is_whitespace() || matches!(c, '-' | '*' | '`' | '_' | '"' | '\'');
    description.lines().filter_map(|line| line.split_once(':')).any(|(name, value)| {
        let word: String = value.trim_start_matches(markup).chars().take_while(char::is_ascii_alphanumeric).collect();
        let word = word.to_ascii_lowercase();
        match name.trim_matches(markup).to_ascii_lowercase().as_str() {
            "type" => CHANGES.contains(&word.as_str()),
            "replace" | "remove" => word.starts_with("line") || word.starts_with(|c: char| c.is_ascii_digit()),
            _ => false,
        }
    })
}

/// Compares texts but for the byte order mark, line ends, and blank lines at either end.
fn is_same_text(one: &str, other: &str) -> bool {
    fn lines(text: &str) -> std::str::Lines<'_> {
        text.trim_start_matches('\u{feff}').trim_matches(['\r', '\n']).lines()
    }
    lines(one).eq(lines(other))
}

fn utf8(bytes: &[u8]) -> Result<&str, Error> {
    std::str::from_utf8(bytes).map_err(|error| {
        treegraft::Error::NotUtf8 { input: treegraft::Input::Original, offset: error.valid_up_to() }.into()
    })
}
