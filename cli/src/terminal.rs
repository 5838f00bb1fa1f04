//! Output that is safe to look at: colours where they are wanted, and no control character of a file's ever
//! reaches a terminal.
//!
//! A [`Screen`] knows who reads it. For people, text is escaped; for programs it is passed on byte for byte, so
//! that a diff stays a diff.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, BufWriter, IsTerminal, Write};

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use unicode_width::UnicodeWidthChar;

/// Removed lines, errors.
pub(crate) const RED: Style = AnsiColor::Red.on_default();
/// Added lines, what is fine.
pub(crate) const GREEN: Style = AnsiColor::Green.on_default();
/// Warnings.
pub(crate) const YELLOW: Style = AnsiColor::Yellow.on_default();
/// Hunk headers, places.
pub(crate) const CYAN: Style = AnsiColor::Cyan.on_default();
/// Headings.
pub(crate) const BOLD: Style = Style::new().bold();
/// What matters less.
pub(crate) const DIM: Style = Style::new().dimmed();

/// How many columns a tab takes in a table.
const TAB: &str = "    ";

/// When to use colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless `NO_COLOR` is set
    Auto,
    /// Also into a pipe, as for `less -R`
    Always,
    /// Not at all
    Never,
}

impl Color {
    /// Makes this the choice for all streams of the process.
    pub(crate) fn make_global(self) {
        match self {
            Self::Auto => ColorChoice::Auto,
            Self::Always => ColorChoice::Always,
            Self::Never => ColorChoice::Never,
        }
        .write_global();
    }
}

/// A stream and who reads it.
pub(crate) struct Screen {
    stream: Box<dyn Write>,
    coloured: bool,
    for_people: bool,
}

impl Screen {
    /// Opens standard output. It is buffered: end with [`Write::flush`] to learn of a closed pipe.
    pub(crate) fn stdout() -> Self {
        let stdout = io::stdout();
        let coloured = AutoStream::choice(&stdout) != ColorChoice::Never;
        let for_people = stdout.is_terminal() || coloured;
        let lock = stdout.lock();
        // A stream that takes colours out would also take them out of file text, so it gets none in the first place.
        let stream: Box<dyn Write> =
            if coloured { Box::new(BufWriter::new(AutoStream::always(lock))) } else { Box::new(BufWriter::new(lock)) };
        Self { stream, coloured, for_people }
    }

    /// Opens standard error, which is always for people.
    pub(crate) fn stderr() -> Self {
        let stderr = io::stderr();
        let coloured = AutoStream::choice(&stderr) != ColorChoice::Never;
        let lock = stderr.lock();
        let stream: Box<dyn Write> = if coloured { Box::new(AutoStream::always(lock)) } else { Box::new(lock) };
        Self { stream, coloured, for_people: true }
    }

    /// Writes text in a style, escaped if people read it.
    pub(crate) fn styled(&mut self, style: Style, text: &str) -> io::Result<()> {
        let text = if self.for_people { escape(text) } else { Cow::Borrowed(text) };
        if self.coloured && style != Style::new() {
            write!(self.stream, "{style}{text}{style:#}")
        } else {
            self.stream.write_all(text.as_bytes())
        }
    }

    /// Writes text, escaped if people read it.
    pub(crate) fn text(&mut self, text: &str) -> io::Result<()> {
        self.styled(Style::new(), text)
    }

    /// Ends the line.
    pub(crate) fn end_line(&mut self) -> io::Result<()> {
        self.stream.write_all(b"\n")
    }

    /// Writes a line of JSON. For people the characters that JSON lets through raw are written as `\u....`,
    /// which means the same.
    pub(crate) fn json(&mut self, json: &str) -> io::Result<()> {
        if self.for_people && json.contains(steers) {
            let mut units = [0; 2];
            for c in json.chars() {
                if steers(c) {
                    c.encode_utf16(&mut units).iter().try_for_each(|unit| write!(self.stream, "\\u{unit:04x}"))?;
                } else {
                    self.stream.write_all(c.encode_utf8(&mut [0; 4]).as_bytes())?;
                }
            }
        } else {
            self.stream.write_all(json.as_bytes())?;
        }
        self.end_line()
    }

    /// Writes a whole file: as it is for programs, with its control characters escaped for people.
    pub(crate) fn file(&mut self, text: &str) -> io::Result<()> {
        if !self.for_people {
            return self.stream.write_all(text.as_bytes());
        }
        let hide_returns = ends_alike(text.split_inclusive('\n'));
        for line in text.split_inclusive('\n') {
            self.line(Style::new(), line, hide_returns)?;
        }
        Ok(())
    }

    /// Writes a unified diff: as it is for programs; coloured, with control characters escaped, for people.
    pub(crate) fn diff(&mut self, diff: &str) -> io::Result<()> {
        if !self.for_people {
            return self.stream.write_all(diff.as_bytes());
        }
        let content = |line: &&str| line.starts_with([' ', '+', '-']);
        let hide_returns = ends_alike(diff.split_inclusive('\n').skip(2).filter(content));
        for (n, line) in diff.split_inclusive('\n').enumerate() {
            let style = match line.as_bytes() {
                _ if n < 2 => BOLD,
                [b'@', ..] => CYAN,
                [b'+', ..] => GREEN,
                [b'-', ..] => RED,
                [b'\\', ..] => DIM,
                _ => Style::new(),
            };
            self.line(style, line, hide_returns)?;
        }
        Ok(())
    }

    /// Writes one line for people; a carriage return at its end is shown only where line ends are mixed.
    fn line(&mut self, style: Style, line: &str, hide_return: bool) -> io::Result<()> {
        let content = line.strip_suffix('\n').unwrap_or(line);
        let content = if hide_return { content.strip_suffix('\r').unwrap_or(content) } else { content };
        self.styled(style, content)?;
        if line.ends_with('\n') { self.end_line() } else { Ok(()) }
    }
}

impl Write for Screen {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stream.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

/// Says whether all lines end the same way, so that showing how tells nothing.
fn ends_alike<'a>(lines: impl Iterator<Item = &'a str>) -> bool {
    let mut ends = lines.filter(|line| line.ends_with('\n')).map(|line| line.ends_with("\r\n"));
    ends.next().is_none_or(|first| ends.all(|end| end == first))
}

/// Makes text safe to show: every character that may steer a terminal or turn the reading direction is
/// written out, as `^[` or `<U+202E>`. Tabs stay; a newline counts as a control character.
pub(crate) fn escape(text: &str) -> Cow<'_, str> {
    if !text.contains(steers) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '\0'..='\u{8}' | '\n'..='\u{1f}' => safe.extend(['^', char::from(c as u8 ^ 0x40)]),
            '\u{7f}' => safe.push_str("^?"),
            c if steers(c) => {
                let _ = write!(safe, "<U+{:04X}>", c as u32);
            }
            c => safe.push(c),
        }
    }
    Cow::Owned(safe)
}

/// Says whether a character acts on a terminal instead of being shown: C0 but tab, DEL, C1, line and paragraph
/// separators, what embeds, overrides or isolates a reading direction, and what takes no room and so hides a
/// difference. The joiners stay: writing systems and emoji need them.
fn steers(c: char) -> bool {
    match c {
        '\t' => false,
        '\u{ad}'
        | '\u{61c}'
        | '\u{180e}'
        | '\u{200b}'
        | '\u{200e}'
        | '\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{feff}'
        | '\u{fff9}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e007f}' => true,
        c => c.is_control(),
    }
}

/// Makes text fit a table cell of at most `columns`: escaped, tabs as blanks, cut at a whole character with `…`.
pub(crate) fn cell(text: &str, columns: usize) -> String {
    let safe = escape(text).replace('\t', TAB);
    if width(&safe) <= columns {
        return safe;
    }
    let mut used = 0;
    let mut cut: String = safe
        .chars()
        .take_while(|&c| {
            used += char_width(c);
            used < columns
        })
        .collect();
    cut.push('…');
    cut
}

/// Counts the columns a text takes on a terminal; zero-width characters take none, wide ones two.
pub(crate) fn width(text: &str) -> usize {
    text.chars().map(char_width).sum()
}

fn char_width(c: char) -> usize {
    c.width().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_a_terminal_is_written_out() {
        assert_eq!(escape("a\u{1b}[31m\u{7}\u{7f}"), "a^[[31m^G^?");
        assert_eq!(escape("\u{9b}2J\u{202e}x\u{2066}\u{200f}"), "<U+009B>2J<U+202E>x<U+2066><U+200F>");
        assert_eq!(escape("\0a\r\n"), "^@a^M^J");
        assert_eq!(escape("a\u{200b}b\u{feff}c\u{ad}\u{2060}"), "a<U+200B>b<U+FEFF>c<U+00AD><U+2060>");
        assert!(matches!(escape("\ttab, é, 漢字, 👩\u{200d}💻"), Cow::Borrowed(_)));
    }

    #[test]
    fn cells_are_cut_by_width() {
        assert_eq!(cell("abcdef", 6), "abcdef");
        assert_eq!(cell("abcdefg", 6), "abcde…");
        assert_eq!(cell("漢字漢字", 6), "漢字…");
        assert_eq!(width(&cell("漢字漢字", 6)), 5);
        assert_eq!(cell("\tx", 10), "    x");
        assert_eq!(cell("\u{1b}[0m", 3), "^[…");
    }

    #[test]
    fn carriage_returns_count_when_mixed() {
        assert!(ends_alike("a\r\nb\r\nc".split_inclusive('\n')));
        assert!(ends_alike("a\nb\n".split_inclusive('\n')));
        assert!(!ends_alike("a\r\nb\n".split_inclusive('\n')));
    }
}
