//! Asks the engine and judges its answer.

use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use treegraft::{Edit, Engine, Outcome, Pair};

use crate::change::is_blank;
use crate::snippet::Case;

/// How the engine answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Status {
    /// A result without a doubt.
    Trusted,
    /// A result with its reasons.
    NeedsVerify,
    /// No result.
    Refused,
    /// The engine panicked, which it never may.
    Panicked,
}

impl Status {
    /// Gives the name used in JSON.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Trusted => "trusted",
            Self::NeedsVerify => "needs_verify",
            Self::Refused => "refused",
            Self::Panicked => "panicked",
        }
    }
}

/// A case with the engine's answer.
#[derive(Debug, Clone)]
pub struct Measured {
    /// The case.
    pub case: Case,
    /// How the engine answered.
    pub status: Status,
    /// The result, if there is one.
    pub got: Option<String>,
    /// The reasons for a doubt, the refusal, or the panic's message; one line each.
    pub reasons: Vec<String>,
    /// The steps of the ledger.
    pub ledger: Vec<String>,
    /// Whether the result is the new file byte for byte.
    pub exact: bool,
    /// Whether the result is the new file but for blank lines and trailing blanks.
    pub right: bool,
    /// How long the engine took.
    pub time: Duration,
}

impl Measured {
    /// Says whether this is the one unforgivable outcome: wrong and trusted. Of a hard case only the exact
    /// new file is right, since nobody could know it.
    #[must_use]
    pub fn is_silent(&self) -> bool {
        let fine = if self.case.style.is_hard() { self.exact } else { self.right };
        self.status == Status::Trusted && !fine
    }
}

/// Applies a case's snippet and judges the result.
pub(crate) fn measure(case: Case) -> Measured {
    let start = Instant::now();
    let answer = catch_unwind(AssertUnwindSafe(|| {
        let pairs: Vec<Pair<'_>> = case.pairs.iter().map(|(old, new)| Pair::new(old, new)).collect();
        let edit = if pairs.is_empty() {
            Edit::new(&case.path, &case.original, &case.snippet)
        } else {
            Edit::pairs(&case.path, &case.original, &pairs)
        };
        Engine::default().apply(&edit.description(&case.description))
    }));
    let time = start.elapsed();
    let (status, got, reasons, ledger) = match answer {
        Ok(Ok(outcome)) => {
            let status = if outcome.verdict().is_trusted() { Status::Trusted } else { Status::NeedsVerify };
            let ledger = outcome.ledger().steps().iter().map(|step| format!("{step:?}")).collect();
            (status, Some(outcome.text().to_owned()), reasons(&outcome), ledger)
        }
        Ok(Err(error)) => (Status::Refused, None, vec![error.to_string()], Vec::new()),
        Err(payload) => (Status::Panicked, None, vec![message(payload.as_ref())], Vec::new()),
    };
    let exact = got.as_ref() == Some(&case.wanted);
    let right = got.as_ref().is_some_and(|got| is_right(got, &case.wanted));
    Measured { case, status, got, reasons, ledger, exact, right, time }
}

fn reasons(outcome: &Outcome) -> Vec<String> {
    let say = |reason: &treegraft::NeedsVerifyReason| {
        let at = |what: &str, lines: Option<treegraft::LineRange>| {
            lines.map_or_else(String::new, |lines| format!(" [{what} {lines}]"))
        };
        let lines = at("original", reason.original_lines) + &at("snippet", reason.snippet_lines);
        let mut text = format!("{}: {}{lines}", reason.kind, reason.message);
        for candidate in &reason.candidates {
            let _ = write!(text, " | {}: {}", candidate.original_line + 1, candidate.preview.trim());
        }
        text
    };
    outcome.verdict().reasons().iter().map(say).collect()
}

fn message(payload: &(dyn std::any::Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().copied().or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    format!("panic: {}", text.unwrap_or("without a message"))
}

/// Compares two texts but for blank lines and blanks at the ends of lines.
fn is_right(got: &str, wanted: &str) -> bool {
    fn dense(text: &str) -> impl Iterator<Item = &str> {
        text.lines().filter(|line| !is_blank(line)).map(str::trim_end)
    }
    dense(got).eq(dense(wanted))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blank_lines_and_trailing_blanks_dont_count() {
        assert!(is_right("a\n\n  b  \n", "a\r\n  b"));
        assert!(!is_right("a\n b\n", "a\n  b\n"));
        assert!(!is_right("a\nb\n", "a\n"));
    }
}
