//! What is told on standard error, in one form:
//!
//! ```text
//! error: title
//!   --> path:line
//!    | detail
//! help: what to do
//! ```
//!
//! The library's errors say what is wrong; what to do about it is said here.

use std::fmt;
use std::io::{self, Write};
use std::path::Path;

use treegraft::{Error, Input, Language};

use crate::input::{Inputs, Part};
use crate::terminal::{BOLD, CYAN, RED, Screen, YELLOW};

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Level {
    /// Nothing was done.
    Error,
    /// There is a result; look at it.
    Warning,
}

/// One message: what, where, and what to do.
#[derive(Debug, Clone)]
pub(crate) struct Diagnostic {
    level: Level,
    code: &'static str,
    title: String,
    place: Option<String>,
    details: Vec<String>,
    helps: Vec<String>,
}

impl Diagnostic {
    /// Makes an error; `code` is its stable name in JSON.
    pub(crate) fn error(code: &'static str, title: impl Into<String>) -> Self {
        Self { level: Level::Error, code, title: title.into(), place: None, details: Vec::new(), helps: Vec::new() }
    }

    /// Makes a warning; `code` is shown with it.
    pub(crate) fn warning(code: &'static str, title: impl Into<String>) -> Self {
        Self { level: Level::Warning, ..Self::error(code, title) }
    }

    /// Says where: `path`, `path:3` or `path:3 and path:9`.
    pub(crate) fn at(mut self, place: impl Into<String>) -> Self {
        self.place = Some(place.into());
        self
    }

    /// Adds a line of detail.
    pub(crate) fn detail(mut self, text: impl Into<String>) -> Self {
        self.details.push(text.into());
        self
    }

    /// Adds a line of advice.
    pub(crate) fn help(mut self, text: impl Into<String>) -> Self {
        self.helps.push(text.into());
        self
    }

    /// Gives the stable name in JSON.
    pub(crate) fn code(&self) -> &'static str {
        self.code
    }

    /// Writes it out.
    pub(crate) fn write(&self, screen: &mut Screen) -> io::Result<()> {
        match self.level {
            Level::Error => screen.styled(RED.bold(), "error")?,
            Level::Warning => screen.styled(YELLOW.bold(), &format!("warning[{}]", self.code))?,
        }
        screen.styled(BOLD, &format!(": {}", self.title))?;
        screen.end_line()?;
        if let Some(place) = &self.place {
            screen.styled(CYAN, "  --> ")?;
            screen.text(place)?;
            screen.end_line()?;
        }
        for detail in &self.details {
            screen.styled(CYAN, "   | ")?;
            screen.text(detail)?;
            screen.end_line()?;
        }
        for help in &self.helps {
            screen.styled(CYAN, "help")?;
            screen.text(&format!(": {help}"))?;
            screen.end_line()?;
        }
        Ok(())
    }

    /// Prints it to standard error. If that is closed there is nobody left to tell.
    pub(crate) fn print(&self) {
        let mut screen = Screen::stderr();
        let _ = self.write(&mut screen).and_then(|()| screen.flush());
    }

    /// Turns an I/O error on `path` into a message; `doing` is what was tried, such as `read`.
    pub(crate) fn io(doing: &str, path: &Path, error: &io::Error) -> Self {
        let place = path.display().to_string();
        match error.kind() {
            io::ErrorKind::NotFound => Self::error("not_found", "no such file").at(place),
            io::ErrorKind::PermissionDenied => Self::error("permission_denied", format!("not allowed to {doing} it"))
                .at(place)
                .help("look at the permissions of the file and of the folders above it"),
            _ => Self::error("io", format!("cannot {doing} it")).at(place).detail(error.to_string()),
        }
    }

    /// Turns a refusal of the library into a message about the files it was given.
    pub(crate) fn refusal(error: &Error, inputs: &Inputs) -> Self {
        let text = |input| match input {
            Input::Snippet => &inputs.snippet,
            _ => &inputs.original,
        };
        let Self { code, title, .. } = Self::error(error.code(), error.to_string());
        let told = Self::error(code, title);
        match error {
            Error::EmptySnippet => told
                .at(&inputs.snippet.name)
                .detail(format!(
                    "{} has {} bytes, following the snippet would empty it",
                    inputs.original.name,
                    inputs.original.text.len()
                ))
                .help(
                    "check that the model's answer reached treegraft; to empty a file on purpose, truncate it yourself",
                ),
            Error::NotText { input, offset } => {
                let text = text(*input);
                not_text(&text.name, *input, text.text.as_bytes(), *offset)
            }
            Error::TooLarge { input, bytes, limit } => too_large(&text(*input).name, *bytes as u64, *limit),
            Error::UnknownLanguage { name } => unknown_language(name),
            Error::Malformed { line, .. } | Error::OtherShape { line, .. } => {
                let place =
                    line.map_or_else(|| inputs.snippet.name.clone(), |n| format!("{}:{}", inputs.snippet.name, n + 1));
                let help = match error {
                    Error::Malformed { is_reply: true, .. } => {
                        "`treegraft land` takes what changes several files, or moves or removes one"
                    }
                    Error::Malformed { .. } => "ask for it again; --shape lazy reads it as lines of the file",
                    _ => "leave --shape out: the text decides",
                };
                told.at(place).help(help)
            }
            _ => told.at(&inputs.original.name),
        }
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.title)?;
        if let Some(place) = &self.place {
            write!(f, " ({place})")?;
        }
        Ok(())
    }
}

impl std::error::Error for Diagnostic {}

/// Prints lines of another's making to standard error. If that is closed there is nobody left to tell.
pub(crate) fn print_lines(text: &str) {
    let mut screen = Screen::stderr();
    for line in text.trim_end().split('\n') {
        let _ = screen.text(line).and_then(|()| screen.end_line());
    }
    let _ = screen.flush();
}

/// Prints what ended a command.
pub(crate) fn print(error: &anyhow::Error) {
    match error.downcast_ref::<Diagnostic>() {
        Some(diagnostic) => diagnostic.print(),
        None => error
            .chain()
            .skip(1)
            .fold(Diagnostic::error("io", error.to_string()), |told, cause| told.detail(cause.to_string()))
            .print(),
    }
}

/// Refuses bytes that are no UTF-8 text; `offset` is the first offending byte.
pub(crate) fn not_utf8(name: &str, part: Part, bytes: &[u8], offset: usize) -> Diagnostic {
    let told = Diagnostic::error("not_utf8", format!("the {part} is not UTF-8 text")).at(place_of(name, bytes, offset));
    match bytes {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => told
            .detail("it begins with the byte order mark of UTF-16")
            .help("convert it first: iconv -f UTF-16 -t UTF-8"),
        _ => {
            let byte = bytes.get(offset).copied().unwrap_or_default();
            told.detail(format!("byte {offset} is 0x{byte:02X}, which cannot stand there"))
                .help("convert it first, such as: iconv -f ISO-8859-1 -t UTF-8; binary files cannot be edited")
        }
    }
}

/// Refuses a text with a NUL byte at `offset`.
pub(crate) fn not_text(name: &str, input: Input, bytes: &[u8], offset: usize) -> Diagnostic {
    Diagnostic::error("not_text", format!("the {input} holds a NUL byte, so it is no source text"))
        .at(place_of(name, bytes, offset))
        .detail(format!("byte {offset} is 0x00"))
        .help("binary files cannot be edited; UTF-16 and UTF-32 have to be converted to UTF-8 first")
}

/// Refuses a text over the limit.
pub(crate) fn too_large(name: &str, bytes: u64, limit: usize) -> Diagnostic {
    Diagnostic::error("too_large", "the file is too large")
        .at(name)
        .detail(format!("it has at least {bytes} bytes, the limit is {limit}"))
        .help("a file of this size is hardly written by hand: edit its generator, or split it")
}

/// Refuses a language that no built-in grammar has.
pub(crate) fn unknown_language(name: &str) -> Diagnostic {
    let names: Vec<&str> = Language::built_in().map(Language::name).collect();
    let told = Diagnostic::error("unknown_language", format!("unknown language `{name}`"))
        .detail(format!("known are: {}", names.join(", ")));
    let wanted = name.to_lowercase();
    let nearest = names
        .iter()
        .map(|known| (strsim::damerau_levenshtein(known, &wanted), *known))
        .filter(|(distance, known)| *distance <= 1 + known.len() / 3)
        .min();
    match nearest {
        Some((_, known)) => told.help(format!("did you mean `{known}`?")),
        None => told.help("leave --language out: without a grammar lines and indentation are used"),
    }
}

/// Gives `name:line` for a byte of a text.
fn place_of(name: &str, bytes: &[u8], offset: usize) -> String {
    let line = bytes[..offset.min(bytes.len())].split(|&byte| byte == b'\n').count();
    format!("{name}:{line}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_language_is_named() {
        let help = |name| unknown_language(name).helps.concat();
        assert_eq!(help("pyhton"), "did you mean `python`?");
        assert_eq!(help("TypScript"), "did you mean `typescript`?");
        assert!(help("cobol").starts_with("leave --language out"));
    }

    #[test]
    fn a_bad_byte_is_placed_on_its_line() {
        let told = not_utf8("a.go", Part::File, b"a\nb\xff", 3);
        assert_eq!(told.place.as_deref(), Some("a.go:2"));
        assert_eq!(told.details, ["byte 3 is 0xFF, which cannot stand there"]);
    }
}
