//! What a line is by itself, for parser and display alike.

use crate::tag::{self, Closing, Opening, Tag};

/// A line that has a meaning outside of a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mark<'a> {
    /// Begins with the opening tag of a block.
    Open(Tag<'a>),
    /// Begins like one, without an end on this line.
    Unfinished,
    /// Is a closing tag and nothing else.
    Close(Closing<'a>),
    /// Is the heading of a section.
    Heading(Section),
    /// Is the end of a section.
    SectionEnd,
    /// Opens or closes a code fence.
    Fence(Fence<'a>),
    /// Begins a search/replace block.
    Search,
    /// Begins a patch.
    Patch,
    /// Has none.
    Text,
}

/// The kinds of sections.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Section {
    Move,
    Remove,
    Reset,
}

/// The headings of sections.
pub(crate) const HEADINGS: [(&str, Section); 3] =
    [("### Move Files", Section::Move), ("### Remove Files", Section::Remove), ("### Reset Changes", Section::Reset)];

impl<'a> Mark<'a> {
    /// Reads a line, which must have no white space around it.
    pub(crate) fn of(line: &'a str) -> Self {
        match line.as_bytes().first() {
            Some(b'<') if line.starts_with("<<") => {
                if is_search(line) {
                    Self::Search
                } else {
                    Self::Text
                }
            }
            Some(b'<') => {
                if let Some(close) = tag::closing(line) {
                    return if close.end == line.len() { Self::Close(close) } else { Self::Text };
                }
                match tag::opening(line) {
                    Opening::Tag(tag) => Self::Open(tag),
                    Opening::Unfinished => Self::Unfinished,
                    Opening::Other if tag::is_section_end(line) => Self::SectionEnd,
                    Opening::Other => Self::Text,
                }
            }
            Some(b'#') => HEADINGS
                .iter()
                .find(|(heading, _)| *heading == line)
                .map_or(Self::Text, |(_, section)| Self::Heading(*section)),
            Some(b'`' | b'~') => Fence::of(line).map_or(Self::Text, Self::Fence),
            Some(b'*') if line == "*** Begin Patch" => Self::Patch,
            _ => Self::Text,
        }
    }
}

/// A line of three or more backticks or tildes, with or without words behind them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Fence<'a> {
    pub(crate) sign: u8,
    pub(crate) len: usize,
    pub(crate) info: &'a str,
}

impl<'a> Fence<'a> {
    /// Reads a line, which must have no white space around it.
    pub(crate) fn of(line: &'a str) -> Option<Self> {
        let sign = *line.as_bytes().first().filter(|sign| matches!(sign, b'`' | b'~'))?;
        let len = line.bytes().take_while(|&byte| byte == sign).count();
        let info = line[len..].trim_start();
        (len >= 3 && !(sign == b'`' && info.contains('`'))).then_some(Self { sign, len, info })
    }
}

/// How deep in fences a text is, counted from the fence that opens it.
///
/// A fence line with words opens one more, as fences in a fenced Markdown file do; one without closes one. Lines that are shorter
/// than the first, or of the other sign, are text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Depth {
    sign: u8,
    len: usize,
    inner: usize,
}

impl Depth {
    /// Begins with the fence that opens the text.
    pub(crate) fn new(opening: Fence<'_>) -> Self {
        Self { sign: opening.sign, len: opening.len, inner: 0 }
    }

    /// Goes on by a fence line; says whether it closes the text.
    pub(crate) fn closes(&mut self, fence: Fence<'_>) -> bool {
        if fence.sign != self.sign || fence.len < self.len {
            return false;
        }
        match (fence.info.is_empty(), self.inner) {
            (true, 0) => return true,
            (true, _) => self.inner -= 1,
            (false, _) => self.inner += 1,
        }
        false
    }
}

/// The code fence that prose stands in, if it stands in one.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Quote(Option<Depth>);

impl Quote {
    /// Says whether the prose stands in a code fence.
    pub(crate) fn is_open(self) -> bool {
        self.0.is_some()
    }

    /// Begins a code fence that is this deep.
    pub(crate) fn open(&mut self, depth: Depth) {
        self.0 = Some(depth);
    }

    /// Goes on by a fence line: it opens a code fence, or closes the one around, or is text in it. Says whether it closed one.
    pub(crate) fn see(&mut self, fence: Fence<'_>) -> bool {
        let Some(depth) = &mut self.0 else {
            self.0 = Some(Depth::new(fence));
            return false;
        };
        let closes = depth.closes(fence);
        if closes {
            self.0 = None;
        }
        closes
    }

    /// Says whether a fence line would close the code fence around.
    pub(crate) fn is_closed_by(self, fence: Fence<'_>) -> bool {
        self.0.is_some_and(|mut depth| depth.closes(fence))
    }
}

/// Says whether a line is the marker that begins a search/replace block.
fn is_search(line: &str) -> bool {
    has_marker(line, b'<', &["SEARCH", "ORIGINAL"])
}

/// Says whether a line is the marker that ends a search/replace block.
pub(crate) fn is_replace(line: &str) -> bool {
    has_marker(line, b'>', &["REPLACE", "UPDATED"])
}

/// Five to nine signs, then one of the words.
fn has_marker(line: &str, sign: u8, words: &[&str]) -> bool {
    let len = line.bytes().take_while(|&byte| byte == sign).count();
    (5..=9).contains(&len) && words.iter().any(|word| line[len..].trim().eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks() {
        assert!(matches!(Mark::of("<PlandexBlock>"), Mark::Open(_)));
        assert_eq!(Mark::of("<PlandexBlock lang="), Mark::Unfinished);
        assert!(matches!(Mark::of("</PlandexBlock>"), Mark::Close(_)));
        assert_eq!(Mark::of("</PlandexBlock> x"), Mark::Text);
        assert_eq!(Mark::of("### Remove Files"), Mark::Heading(Section::Remove));
        assert_eq!(Mark::of("### remove files"), Mark::Text);
        assert_eq!(Mark::of("<<<<<<< SEARCH"), Mark::Search);
        assert_eq!(Mark::of("<<<<<<< HEAD"), Mark::Text);
        assert_eq!(Mark::of("*** Begin Patch"), Mark::Patch);
        assert_eq!(Mark::of("```go a.go"), Mark::Fence(Fence { sign: b'`', len: 3, info: "go a.go" }));
        assert_eq!(Mark::of("``` a `b`"), Mark::Text);
        assert!(is_replace(">>>>>>> REPLACE") && !is_replace(">>> REPLACE"));
    }

    #[test]
    fn inner_fences_are_counted() {
        let fence = |text| Fence::of(text).unwrap();
        let mut depth = Depth::new(fence("```markdown"));
        assert!(!depth.closes(fence("```sh")));
        assert!(!depth.closes(fence("```")));
        assert!(!depth.closes(fence("~~~")));
        assert!(depth.closes(fence("````")));
    }
}
