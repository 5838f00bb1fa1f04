//! What `treegraft verify --json` prints, version 1.
//!
//! Lines count from one and ranges include both ends; an empty range is `[n, n - 1]`. Byte ranges are half-open.

use serde::Serialize;

use super::{Finding, Verification};
use crate::error::Error;
use crate::range::{ByteRange, LineRange};

/// The version of the object; raised when a field changes its meaning, not when one is added.
const VERSION: u32 = 1;

/// What came of one verification, ready to be serialised.
///
/// # Examples
///
/// ```
/// use treegraft::{Edit, Engine, VerifyReport};
///
/// let verified = Engine::default().verify(&Edit::new("a.txt", "one\ntwo\n", "one\n2\n"), "one\n2");
/// let json = serde_json::to_value(VerifyReport::new(&verified, true)).unwrap();
/// assert_eq!(json["status"], "uncertain");
/// assert_eq!(json["findings"][0]["kind"], "final_newline");
/// assert_eq!((&json["repaired"], &json["left"]), (&"one\n2\n".into(), &serde_json::json!([])));
/// ```
#[derive(Debug, Clone, Serialize)]
#[must_use]
pub struct VerifyReport<'a> {
    v: u32,
    status: &'static str,
    certain: bool,
    findings: Vec<FindingEntry<'a>>,
    repaired: Option<&'a str>,
    left: Vec<FindingEntry<'a>>,
    error: Option<ErrorEntry>,
}

impl<'a> VerifyReport<'a> {
    /// Reports what [`Engine::verify`](crate::Engine::verify) gave; with the repaired text if it was asked for.
    pub fn new(result: &'a Result<Verification, Error>, with_repair: bool) -> Self {
        match result {
            Ok(verification) => Self {
                v: VERSION,
                status: match (verification.is_certain(), verification.is_clean()) {
                    (false, _) => "uncertain",
                    (true, true) => "clean",
                    (true, false) => "altered",
                },
                certain: verification.is_certain(),
                findings: verification.findings().iter().map(FindingEntry::new).collect(),
                repaired: with_repair.then_some(verification.repaired()),
                left: if with_repair {
                    verification.left().iter().map(FindingEntry::new).collect()
                } else {
                    Vec::new()
                },
                error: None,
            },
            Err(error) => Self::refused(error.code(), error.to_string()),
        }
    }

    /// Reports that nothing was verified for a cause outside of the engine, such as a file that can't be read.
    pub fn refused(code: &str, message: impl Into<String>) -> Self {
        Self {
            v: VERSION,
            status: "refused",
            certain: false,
            findings: Vec::new(),
            repaired: None,
            left: Vec::new(),
            error: Some(ErrorEntry { code: code.to_owned(), message: message.into() }),
        }
    }
}

#[derive(Debug, Clone, Serialize)]
struct FindingEntry<'a> {
    kind: &'static str,
    message: &'a str,
    original_lines: Option<[usize; 2]>,
    original_bytes: Option<[usize; 2]>,
    merged_lines: Option<[usize; 2]>,
    merged_bytes: Option<[usize; 2]>,
    snippet_lines: Option<[usize; 2]>,
}

impl<'a> FindingEntry<'a> {
    fn new(finding: &'a Finding) -> Self {
        let lines = |lines: Option<LineRange>| lines.map(|lines| lines.one_based().into());
        let bytes = |bytes: Option<ByteRange>| bytes.map(|bytes| [bytes.start, bytes.end]);
        Self {
            kind: finding.kind.as_str(),
            message: &finding.message,
            original_lines: lines(finding.original_lines),
            original_bytes: bytes(finding.original_bytes),
            merged_lines: lines(finding.merged_lines),
            merged_bytes: bytes(finding.merged_bytes),
            snippet_lines: lines(finding.snippet_lines),
        }
    }
}

#[derive(Debug, Clone, Serialize)]
struct ErrorEntry {
    code: String,
    message: String,
}
