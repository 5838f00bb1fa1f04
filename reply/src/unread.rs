//! What stands in prose, may have been meant for a file, and is read for none.
//!
//! A block that is passed over in silence is the worst end of a reply: the rest of it lands, and nobody knows that something is
//! missing. So whatever looks like an edit and isn't read as one is told, as a doubt about the reply as a whole.
//!
//! Of a code fence near a path that is only known at the end of the reply: where files are written in tags, fences are illustrations.

use crate::out::{MOST_ALIKE, Out};
use crate::{WarningCode, path};

/// What is known of the prose so far.
#[derive(Debug, Default)]
pub(crate) struct Unread {
    above: Option<Above>,
    /// The line of a heading that is nearly a section's, one-based, and its text.
    heading: Option<(usize, String)>,
    /// Whether the line before may be the first of a diff's header.
    minus: bool,
    /// Fences near a path: the line of each, one-based, and the path.
    fences: Vec<(usize, String)>,
}

/// A path in the prose above.
#[derive(Debug)]
struct Above {
    path: String,
    /// Whether it stands in a heading, and so is what the text below is about.
    heads: bool,
    /// Whether its paragraph has ended.
    apart: bool,
}

impl Unread {
    /// Reads a line of prose, which must have no white space around it. `quoted` says whether it stands in a code fence.
    pub(crate) fn see(&mut self, text: &str, number: usize, quoted: bool, out: &mut Out) {
        let minus = std::mem::replace(&mut self.minus, text.len() > 4 && text.starts_with("--- "));
        if minus && text.len() > 4 && text.starts_with("+++ ") {
            let detail = format!("the diff on line {} stands in no code fence for diffs and was not read", number - 1);
            out.warn(number - 1, WarningCode::UnreadBlock, detail, None);
        }
        if is_search_with_text(text) {
            let detail = format!(
                "the search/replace block on line {number} was not read: its first marker has more than the word behind it"
            );
            out.warn(number, WarningCode::UnreadBlock, detail, None);
        }
        if quoted {
            return;
        }
        if text.is_empty() {
            if let Some(above) = &mut self.above {
                above.apart = true;
            }
            return;
        }
        let is_heading = text.starts_with('#') || text.len() > 4 && text.starts_with("**") && text.ends_with("**");
        if is_heading {
            self.heading = is_like_section(text).then(|| (number, shown(text)));
        }
        let found = path_in(text, out);
        if let Some((line, heading)) = &self.heading
            && found.is_some()
            && (text.starts_with(['-', '*', '+', '•']) && !is_heading || text.starts_with(|c: char| c.is_ascii_digit()))
        {
            let detail =
                format!("`{heading}` on line {line} begins no file operations: `{}` was not read", shown(text));
            out.warn(number, WarningCode::UnreadOperation, detail, None);
        }
        let heads = is_heading && found.is_some();
        if found.is_some() || is_heading || self.above.as_ref().is_some_and(|above| !above.heads && above.apart) {
            self.above = found.map(|path| Above { path, heads, apart: false });
        }
    }

    /// Gives the path above that a block here may be for.
    pub(crate) fn path(&self) -> Option<&str> {
        self.above.as_ref().map(|above| above.path.as_str())
    }

    /// Notes that a code fence on line `number`, one-based, is read for no file, and has `path` above.
    pub(crate) fn note_fence(&mut self, number: usize, path: String) {
        if self.fences.len() < MOST_ALIKE {
            self.fences.push((number, path));
        }
        self.above.take_if(|above| !above.heads);
    }

    /// Forgets what stands above, since a block begins. If it does so in the latest code fence, on line `fence`, one-based, then that
    /// was read.
    pub(crate) fn clear(&mut self, fence: usize, quoted: bool) {
        if quoted {
            let _ = self.fences.pop_if(|(line, _)| *line == fence);
        }
        self.above = None;
        self.heading = None;
        self.minus = false;
    }

    /// Tells of the code fences at the end of a reply that writes files in them.
    pub(crate) fn finish(&self, out: &mut Out) {
        for (line, path) in &self.fences {
            let detail = format!("the fenced block on line {line} has `{path}` near it and was not read");
            out.warn(*line, WarningCode::UnreadBlock, detail, None);
        }
    }
}

/// How many characters of a line a warning shows.
const MOST_SHOWN: usize = 80;

/// The longest line that is searched for a path, in bytes; a longer one is a paragraph that names no block.
const LONGEST: usize = 4096;

fn shown(text: &str) -> String {
    text.chars().take(MOST_SHOWN).collect()
}

/// Finds the last path in a line of prose: a name in backticks or without, whose extension is a file's, or which is known.
fn path_in(text: &str, out: &Out) -> Option<String> {
    if text.len() > LONGEST {
        return None;
    }
    let signs = |c: char| {
        matches!(c, '*' | '`' | '"' | '\'' | ':' | '(' | ')' | ',' | '!' | '?' | '#' | '[' | ']' | '_' | '<' | '>')
    };
    // Both halves of a link in Markdown are pieces.
    let pieces = text.split(char::is_whitespace).flat_map(|word| word.split("]("));
    pieces
        .map(|piece| {
            let whole = piece.trim_matches(|c: char| matches!(c, '*' | '`' | '"' | '\'' | ':' | ',' | '!' | '?' | '#'));
            if out.known.contains(whole) { whole } else { piece.trim_matches(signs).trim_end_matches(['.', ':']) }
        })
        .filter(|piece| out.known.contains(*piece) || path::is_file(piece))
        .last()
        .map(str::to_owned)
}

/// Says whether a heading speaks of removing or moving files, or of resetting changes.
fn is_like_section(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    let mut words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let first = words.clone().next().unwrap_or_default();
    let verb = |word: &str| ["remov", "delet", "mov", "renam", "reset"].iter().any(|verb| word.starts_with(verb));
    verb(first) || words.clone().any(verb) && words.any(|word| word.starts_with("file"))
}

/// Says whether a line is the first marker of a search/replace block with further text behind it.
fn is_search_with_text(text: &str) -> bool {
    let len = text.bytes().take_while(|&byte| byte == b'<').count();
    (5..=9).contains(&len)
        && ["SEARCH", "ORIGINAL"].iter().any(|word| {
            text[len..].trim_start().strip_prefix(word).is_some_and(|rest| rest.starts_with([' ', ':', '\t']))
        })
}
