//! The start of a line that may still become a tag, a fence or a heading.

use crate::display::MOST_HELD;
use crate::display::shade::Shade;
use crate::mark::HEADINGS;
use crate::tag::{self, Opening};

/// The start of a line.
#[derive(Debug, Default)]
pub(crate) struct Held {
    bytes: Vec<u8>,
    /// How many bytes need not be looked at again: nothing can be decided before a `>` or an end of the line comes.
    settled: usize,
}

/// What the start of a line tells.
#[derive(Debug)]
pub(crate) enum Verdict {
    /// Nothing yet.
    Wait,
    /// It is text.
    Text,
    /// It is an opening tag from byte `lead` to byte `end`.
    Tag { lead: usize, end: usize, language: String, id: Option<String> },
    /// It is a closing tag at byte `lead`, and right behind it a stop sequence.
    CloseAndStop { lead: usize },
}

impl Held {
    /// Adds bytes.
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// Gives the bytes, which are not held any more.
    pub(crate) fn take(&mut self) -> Vec<u8> {
        self.settled = 0;
        std::mem::take(&mut self.bytes)
    }

    /// Judges a line of prose.
    pub(crate) fn in_prose(&mut self) -> Verdict {
        self.judge(|text, lead| {
            if let Some(verdict) = tag_verdict(text, lead) {
                return verdict;
            }
            let signs = text.bytes().take_while(|&byte| byte == text.as_bytes()[0]).count();
            let fence = matches!(text.as_bytes()[0], b'`' | b'~') && (signs >= 3 || signs == text.len());
            let heading = HEADINGS.iter().any(|(heading, _)| may_become(text, heading, false));
            let close = may_close(text)
                || may_become(text, "<EndPlandexFileOps", true)
                || may_become(text, "</EndPlandexFileOps", true);
            if fence || heading || close { Verdict::Wait } else { Verdict::Text }
        })
    }

    /// Judges a line of a file.
    pub(crate) fn in_file(&mut self, id: Option<&str>, maybe_closed: bool, shade: &Shade) -> Verdict {
        self.judge(|text, lead| {
            if maybe_closed && let Some(verdict) = tag_verdict(text, lead) {
                return verdict;
            }
            if let Some(close) = tag::closing(text).filter(|close| close.id == id)
                && let Some(behind) = Some(text[close.end..].trim_start()).filter(|behind| !behind.is_empty())
            {
                if shade.starts_with_stop(behind) {
                    return Verdict::CloseAndStop { lead };
                }
                return if shade.may_start_with_stop(behind) { Verdict::Wait } else { Verdict::Text };
            }
            if may_close(text) { Verdict::Wait } else { Verdict::Text }
        })
    }

    /// Judges the text behind the white space that the line begins with.
    fn judge(&mut self, verdict: impl FnOnce(&str, usize) -> Verdict) -> Verdict {
        if self.settled > 0
            && self.bytes.len() <= MOST_HELD
            && memchr::memchr(b'>', &self.bytes[self.settled..]).is_none()
        {
            self.settled = self.bytes.len();
            return Verdict::Wait;
        }
        let complete = complete_len(&self.bytes);
        if std::str::from_utf8(&self.bytes[..complete]).is_err() {
            let mut lossy = String::from_utf8_lossy(&self.bytes[..complete]).into_owned().into_bytes();
            lossy.extend_from_slice(&self.bytes[complete..]);
            self.bytes = lossy;
            return self.judge(verdict);
        }
        let all = std::str::from_utf8(&self.bytes[..complete]).unwrap_or_default();
        let mut end = all.len().min(MOST_HELD);
        while !all.is_char_boundary(end) {
            end -= 1;
        }
        let head = &all[..end];
        let text = head.trim_start();
        let lead = head.len() - text.len();
        let found = if text.is_empty() { Verdict::Wait } else { verdict(text, lead) };
        match found {
            Verdict::Wait if self.bytes.len() > MOST_HELD => Verdict::Text,
            Verdict::Wait => {
                // The longest markers but tags are known by their first bytes; from here on only a `>` can decide anything.
                if text.len() > "<PlandexBlock".len() && tag::strip_ignoring_case(text, "<PlandexBlock").is_some() {
                    self.settled = self.bytes.len();
                }
                found
            }
            _ => found,
        }
    }
}

/// Judges a text as an opening tag; `None` if it surely is none.
fn tag_verdict(text: &str, lead: usize) -> Option<Verdict> {
    if text.len() <= tag::BLOCK.len() {
        return may_become(text, tag::BLOCK, true).then_some(Verdict::Wait);
    }
    match tag::opening(text) {
        Opening::Tag(tag) => {
            let language = tag.language.unwrap_or_default();
            let odd = language.contains(|c: char| c == '`' || c.is_whitespace());
            let language = if odd { String::new() } else { language.to_owned() };
            Some(Verdict::Tag { lead, end: lead + tag.end, language, id: tag.id.map(str::to_owned) })
        }
        Opening::Unfinished if text.len() < tag::LONGEST => Some(Verdict::Wait),
        Opening::Unfinished | Opening::Other => None,
    }
}

/// Says whether a text may become a closing tag with nothing but white space behind it.
fn may_close(text: &str) -> bool {
    match tag::closing(text) {
        Some(close) => text[close.end..].trim().is_empty(),
        None => may_become(text, "</PlandexBlock", true) && !text.contains('>'),
    }
}

/// Says whether a text is a beginning of a marker, or the marker with something behind it that may belong to it.
fn may_become(text: &str, marker: &str, open_end: bool) -> bool {
    match text.get(..marker.len()) {
        Some(head) => {
            let behind = &text[marker.len()..];
            let same = if open_end { head.eq_ignore_ascii_case(marker) } else { head == marker };
            same && (open_end && !behind.contains('\n') || behind.trim().is_empty())
        }
        None => marker
            .get(..text.len())
            .is_some_and(|head| if open_end { head.eq_ignore_ascii_case(text) } else { head == text }),
    }
}

/// Gives the length of the bytes without an incomplete UTF-8 sequence at their end.
pub(crate) fn complete_len(bytes: &[u8]) -> usize {
    let tail = bytes.len().saturating_sub(3);
    for at in (tail..bytes.len()).rev() {
        let need = match bytes[at] {
            0x00..=0x7f => 1,
            0x80..=0xbf => continue,
            0xc0..=0xdf => 2,
            0xe0..=0xef => 3,
            _ => 4,
        };
        return if at + need > bytes.len() { at } else { bytes.len() };
    }
    bytes.len()
}
