//! The pipeline on one screen.

use crate::engine::{Edit, Options};
use crate::error::{Error, Input};
use crate::outcome::Outcome;

/// Runs an edit through all stages.
pub(crate) fn apply(edit: &Edit<'_>, options: &Options) -> Result<Outcome, Error> {
    admit(edit.original, Input::Original, options)?;
    admit(edit.snippet, Input::Snippet, options)?;
    Err(Error::EmptySnippet)
}

/// Refuses what is no text or too large to work on.
pub(crate) fn admit(text: &str, input: Input, options: &Options) -> Result<(), Error> {
    if text.len() > options.max_bytes {
        return Err(Error::TooLarge { input, bytes: text.len(), limit: options.max_bytes });
    }
    match memchr::memchr(0, text.as_bytes()) {
        Some(offset) => Err(Error::NotText { input, offset }),
        None => Ok(()),
    }
}
