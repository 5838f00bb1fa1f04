//! What the engine refuses to work on.

use std::fmt;

use crate::outcome::Shape;

/// Which of the texts handed in an error speaks of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Input {
    /// The file as it is.
    Original,
    /// What the model wrote.
    Snippet,
    /// What another engine made of both.
    Merge,
}

impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Original => "original",
            Self::Snippet => "snippet",
            Self::Merge => "merge",
        })
    }
}

/// Why an edit was refused. Nothing can be said of a result: there is none.
///
/// A doubt is not an error: a doubtful result comes with [`crate::Verdict::NeedsVerify`].
///
/// # Examples
///
/// ```
/// let error = treegraft::apply("a.txt", "text\n", "").unwrap_err();
/// assert_eq!(error, treegraft::Error::EmptySnippet);
/// assert_eq!(error.code(), "empty_snippet");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The bytes aren't UTF-8.
    #[error("{input} is not UTF-8 text (byte {offset})")]
    NotUtf8 {
        /// Which text.
        input: Input,
        /// Byte offset of the first byte that can't be read, zero-based.
        offset: usize,
    },
    /// The text holds a NUL byte, so it is no source text.
    #[error("{input} holds a NUL byte (byte {offset}) and is no text")]
    NotText {
        /// Which text.
        input: Input,
        /// Byte offset of the NUL, zero-based.
        offset: usize,
    },
    /// The text is larger than [`crate::Options`] allows.
    #[error("{input} has {bytes} bytes, the limit is {limit}")]
    TooLarge {
        /// Which text.
        input: Input,
        /// Its size in bytes.
        bytes: usize,
        /// The limit in bytes.
        limit: usize,
    },
    /// The snippet says nothing, so following it would empty the file.
    #[error("snippet is empty while the original is not")]
    EmptySnippet,
    /// A language was asked for by a name that no built-in grammar has.
    #[error("unknown language `{name}`")]
    UnknownLanguage {
        /// The name as given.
        name: String,
    },
    /// The text is begun as a shape and breaks its rules.
    #[error("taken for {}, but {message}{}", shape.in_words(), AtLine(*line))]
    Malformed {
        /// What the text was taken for.
        shape: Shape,
        /// Line of the text handed in, zero-based.
        line: Option<usize>,
        /// Whether it is about more than the content of one file: it changes several, or moves or removes one, as a
        /// whole reply may.
        is_reply: bool,
        /// One phrase: what is wrong there.
        message: String,
    },
    /// The shape asked for is not the text's.
    #[error("can't be read as {}: {message}{}", shape.in_words(), AtLine(*line))]
    OtherShape {
        /// What was asked for.
        shape: Shape,
        /// Line of the text handed in, zero-based.
        line: Option<usize>,
        /// One phrase: what is missing or in the way.
        message: String,
    },
    /// A document holds another text than the one that the replacements were made for.
    #[error("the replacement at byte {offset} doesn't fit the document, whose text is another by now")]
    Stale {
        /// Byte offset of the first replacement that doesn't fit, zero-based.
        offset: usize,
    },
    /// A shape was asked for by a name that none has.
    #[error("unknown shape `{name}`")]
    UnknownShape {
        /// The name as given.
        name: String,
    },
}

/// Writes ` (line 3)`, or nothing.
struct AtLine(Option<usize>);

impl fmt::Display for AtLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.map_or(Ok(()), |line| write!(f, " (line {})", line + 1))
    }
}

impl Error {
    /// Gives the stable code used in reports, such as `not_utf8`.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotUtf8 { .. } => "not_utf8",
            Self::NotText { .. } => "not_text",
            Self::TooLarge { .. } => "too_large",
            Self::EmptySnippet => "empty_snippet",
            Self::UnknownLanguage { .. } => "unknown_language",
            Self::Malformed { .. } => "malformed",
            Self::OtherShape { .. } => "other_shape",
            Self::Stale { .. } => "stale",
            Self::UnknownShape { .. } => "unknown_shape",
        }
    }
}
