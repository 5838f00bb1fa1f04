//! The reply as a person may see it while it arrives.
//!
//! Tags become code fences, ends of sections vanish, the stop tag ends it all, and nothing else changes. The parser and the display
//! don't know each other: they share what a line is by itself ([`Mark`]), so they agree on which line is a tag.
//!
//! # Algorithm
//!
//! A line is held back from its start while it may still become a tag, a fence or a heading; for most lines that is one byte. As soon as
//! it can't, it is shown as it comes. An opening tag is shown when its `>` is there, all else when the line is complete. Behind that
//! stands one more filter: in prose the end of the text is held back while it is the beginning of a stop sequence, in a file
//! a run of backticks is held back until it ends.
//!
//! # Cost
//!
//! Linear in the reply, in any chunking. Not more than [`MOST_HELD`] bytes are held back, but for a stop sequence that is longer.

mod held;
mod shade;

use crate::mark::{Mark, Quote};
use crate::tag::{self, Closing};

use held::{Held, Verdict, complete_len};
use shade::Shade;

/// Shows a reply while it arrives.
///
/// # Examples
///
/// ```
/// use treegraft_reply::Display;
///
/// let mut display = Display::new().with_stop("<PlandexFinish/>");
/// let mut shown = display.push(b"- a.go:\n<PlandexBlock la").text;
/// assert_eq!(shown, "- a.go:\n");
/// shown += &display.push(b"ng=\"go\" path=\"a.go\">\nfunc A() {}\n</PlandexBlock>\nDone.\n<Plandex").text;
/// assert_eq!(shown, "- a.go:\n```go\nfunc A() {}\n```\nDone.\n");
/// assert!(display.push(b"Finish/> rest").stop);
/// ```
#[derive(Debug, Default)]
pub struct Display {
    shade: Shade,
    place: Place,
    line: Progress,
}

/// What a [`Display`] shows next.
///
/// # Examples
///
/// ```
/// use treegraft_reply::Display;
///
/// let mut display = Display::new();
/// assert_eq!(display.push(b"Is a <").text, "Is a <");
/// assert_eq!(display.push(b" b?\n<Pl").text, " b?\n");
/// let end = display.finish();
/// assert_eq!((end.text.as_str(), end.stop, end.unclosed), ("<Pl", false, false));
/// ```
#[must_use]
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Shown {
    /// The text, which may be empty.
    pub text: String,
    /// Whether a stop sequence has come: nothing behind it is shown, and the model need not go on.
    pub stop: bool,
    /// Whether the reply ended inside of a file, whose fence was closed for it. Only at the end.
    pub unclosed: bool,
}

/// Where the reply is.
#[derive(Debug)]
enum Place {
    Prose {
        /// The code fence that the prose stands in.
        quote: Quote,
        /// Whether a section of file operations has no end yet.
        section: bool,
    },
    File {
        /// What a closing tag has to repeat.
        id: Option<String>,
        /// Whether a closing tag stood on a line with other text: then an opening tag is one.
        maybe_closed: bool,
        /// The prose that the file stands in.
        quote: Quote,
    },
    /// A stop sequence has come.
    Stopped,
}

impl Default for Place {
    fn default() -> Self {
        Self::Prose { quote: Quote::default(), section: false }
    }
}

/// How far the current line is.
#[derive(Debug)]
enum Progress {
    /// It may still become something else than text.
    Open(Held),
    /// It is text. Its last bytes, as far as a closing tag may need them.
    Text(Vec<u8>),
    /// It was an opening tag, and only white space stands behind it so far.
    BehindTag(Vec<u8>),
}

impl Default for Progress {
    fn default() -> Self {
        Self::Open(Held::default())
    }
}

/// The most bytes of a line that are held back while it may be a tag. If it were smaller than twice the longest tag, a tag behind white
/// space could be shown as it stands; a larger one would delay text longer.
const MOST_HELD: usize = 2 * tag::LONGEST;

impl Display {
    /// Makes a display that nothing stops.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a stop sequence. It is found in prose and not in files, and the text behind it is dropped. An empty one is ignored.
    #[must_use]
    pub fn with_stop(mut self, sequence: &str) -> Self {
        self.shade.stop_at(sequence);
        self
    }

    /// Takes the next bytes of the reply, and gives what is to be shown now.
    pub fn push(&mut self, chunk: &[u8]) -> Shown {
        let mut rest = chunk;
        while let Some(at) = memchr::memchr(b'\n', rest) {
            self.piece(&rest[..at]);
            self.line_feed();
            rest = &rest[at + 1..];
        }
        self.piece(rest);
        self.shown(false)
    }

    /// Ends the reply, and gives what was held back.
    pub fn finish(mut self) -> Shown {
        self.end_line("");
        self.shade.finish_prose();
        self.see_stop();
        let unclosed = matches!(self.place, Place::File { .. });
        if unclosed {
            self.shade.close_fence();
        }
        self.shown(unclosed)
    }

    fn shown(&mut self, unclosed: bool) -> Shown {
        let stop = matches!(self.place, Place::Stopped);
        Shown { text: self.shade.take(unclosed || stop), stop, unclosed }
    }

    /// Reads a piece of a line.
    fn piece(&mut self, piece: &[u8]) {
        if piece.is_empty() || matches!(self.place, Place::Stopped) {
            return;
        }
        match &mut self.line {
            Progress::Open(held) => {
                held.push(piece);
                self.decide();
            }
            Progress::Text(last) => {
                remember(last, piece);
                self.show(piece);
            }
            Progress::BehindTag(blank) => {
                blank.extend_from_slice(piece);
                let whole = &blank[..complete_len(blank)];
                if blank.len() > MOST_HELD || !String::from_utf8_lossy(whole).trim().is_empty() {
                    // The rest of the line is the first line of the file.
                    let rest = std::mem::take(blank);
                    self.shade.plain(b"\n");
                    self.line = Progress::default();
                    self.piece(&rest);
                }
            }
        }
    }

    /// Shows what is held of a line, if it can't become anything else.
    fn decide(&mut self) {
        let Progress::Open(held) = &mut self.line else { return };
        let verdict = match &self.place {
            Place::Prose { .. } => held.in_prose(),
            Place::File { id, maybe_closed, .. } => held.in_file(id.as_deref(), *maybe_closed, &self.shade),
            Place::Stopped => return,
        };
        match verdict {
            Verdict::Wait => {}
            Verdict::Text => {
                let bytes = held.take();
                let mut last = Vec::new();
                remember(&mut last, &bytes);
                self.see_close(String::from_utf8_lossy(&bytes).trim_start(), tag::closing);
                self.line = Progress::Text(last);
                self.show(&bytes);
            }
            Verdict::Tag { lead, end, language, id } => {
                let bytes = held.take();
                let quote = match std::mem::take(&mut self.place) {
                    Place::Prose { quote, .. } => quote,
                    Place::File { quote, .. } => {
                        self.shade.close_fence();
                        quote
                    }
                    Place::Stopped => Quote::default(),
                };
                self.shade.finish_prose();
                self.shade.plain(&bytes[..lead]);
                self.shade.plain(b"```");
                self.shade.plain(language.as_bytes());
                self.place = Place::File { id, maybe_closed: false, quote };
                self.line = Progress::BehindTag(Vec::new());
                self.piece(&bytes[end..]);
            }
            Verdict::CloseAndStop { lead } => {
                let bytes = held.take();
                self.shade.plain(&bytes[..lead]);
                self.shade.plain(b"```\n");
                self.place = Place::Stopped;
            }
        }
    }

    fn line_feed(&mut self) {
        if matches!(self.place, Place::Stopped) {
            return;
        }
        self.end_line("\n");
    }

    /// Ends the line, with a line feed or without.
    fn end_line(&mut self, feed: &str) {
        let line = std::mem::take(&mut self.line);
        match line {
            Progress::Open(mut held) => self.whole_line(&held.take(), feed),
            Progress::Text(last) => {
                let last = &last[last.len().saturating_sub(MOST_REMEMBERED)..];
                self.see_close(String::from_utf8_lossy(last).trim(), tag::closing_at_end);
                self.show(feed.as_bytes());
            }
            Progress::BehindTag(blank) => {
                self.shade.plain(&blank);
                self.shade.plain(feed.as_bytes());
            }
        }
    }

    /// Shows a line that was held back to its end.
    fn whole_line(&mut self, bytes: &[u8], feed: &str) {
        let line = String::from_utf8_lossy(bytes);
        let trimmed = line.trim();
        let mark = Mark::of(trimmed);
        let lead = line.len() - line.trim_start().len();
        match &mut self.place {
            Place::Prose { quote, section } => match mark {
                Mark::Close(_) if !quote.is_open() => return,
                Mark::SectionEnd if !quote.is_open() || *section => {
                    *section = false;
                    return;
                }
                Mark::Heading(_) => *section = true,
                Mark::Fence(fence) => {
                    quote.see(fence);
                }
                _ => {}
            },
            Place::File { id, quote, .. } => {
                if let Mark::Close(close) = mark
                    && close.id == id.as_deref()
                {
                    let quote = *quote;
                    self.shade.plain(&line.as_bytes()[..lead]);
                    self.shade.plain(b"```");
                    self.shade.plain(&line.as_bytes()[lead + trimmed.len()..]);
                    self.shade.plain(feed.as_bytes());
                    self.place = Place::Prose { quote, section: false };
                    return;
                }
            }
            Place::Stopped => return,
        }
        self.see_close(trimmed, tag::closing);
        self.see_close(trimmed, tag::closing_at_end);
        self.show(bytes);
        self.show(feed.as_bytes());
    }

    /// Notes that a line of a file has a closing tag beside other text.
    fn see_close(&mut self, text: &str, find: fn(&str) -> Option<Closing<'_>>) {
        if let Place::File { id, maybe_closed, .. } = &mut self.place {
            *maybe_closed |= find(text).is_some_and(|close| close.id.is_none() || close.id == id.as_deref());
        }
    }

    /// Shows text of a line that is no tag.
    fn show(&mut self, bytes: &[u8]) {
        match self.place {
            Place::Prose { .. } => {
                self.shade.prose(bytes);
                self.see_stop();
            }
            Place::File { .. } => self.shade.file(bytes),
            Place::Stopped => {}
        }
    }

    fn see_stop(&mut self) {
        if self.shade.is_stopped() {
            self.place = Place::Stopped;
        }
    }
}

/// Keeps the last bytes of a line, as many as a closing tag with an id may have.
fn remember(last: &mut Vec<u8>, piece: &[u8]) {
    last.extend_from_slice(&piece[piece.len().saturating_sub(MOST_REMEMBERED)..]);
    let over = last.len().saturating_sub(MOST_REMEMBERED);
    // Only now and then, so that short pieces don't move all of it each time.
    if over > MOST_REMEMBERED {
        last.drain(..over);
    }
}

/// How many bytes of the end of a line are looked at for a closing tag.
const MOST_REMEMBERED: usize = 256;
