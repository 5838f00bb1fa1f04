//! The output object and the input line of the command, version 1.
//!
//! A [`Report`] serialises to the object that `treegraft apply --json` and `treegraft batch` print; a
//! [`Request`] is read from an input line of `batch`. Lines count from one in a report and ranges include both
//! ends; an empty range is `[n, n - 1]`.

use std::time::Duration;

use serde::{Deserialize, Serialize, Serializer};

use crate::budget::{Budget, Limit};
use crate::engine::{Edit, Pair};
use crate::error::Error;
use crate::fingerprint::fingerprint;
use crate::outcome::{Outcome, Shape, Wrapping};
use crate::range::LineRange;
use crate::replacement::Replacement;
use crate::treesitter::Language;
use crate::validate::{SyntaxStatus, Validation};
use crate::verdict::NeedsVerifyReason;

/// The version of the objects here; raised when a field changes its meaning, not when one is added.
const VERSION: u32 = 1;

/// One edit as it is asked for: an input line of `batch`.
///
/// # Examples
///
/// ```
/// let line = r#"{"id": "1", "path": "a.py", "original": "x = 1\n", "snippet": "x = 2\n", "language": "python"}"#;
/// let request: treegraft::Request = serde_json::from_str(line).unwrap();
/// assert!(request.edit().is_ok());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "Fields")]
#[non_exhaustive]
pub struct Request {
    /// Handed back in the report.
    pub id: Option<String>,
    /// The file's path; only its name counts.
    pub path: String,
    /// The file as it is.
    pub original: String,
    /// What the model wrote; empty where `pairs` are given instead.
    pub snippet: String,
    /// Old texts and their new versions.
    pub pairs: Vec<RequestPair>,
    /// Name of the shape the snippet is read as; without it the text decides.
    pub shape: Option<String>,
    /// What the model said about the edit.
    pub description: Option<String>,
    /// Name of the language; without it the path decides.
    pub language: Option<String>,
    /// Whether a reference is implied where the snippet starts or ends without one. Default: true.
    pub add_missing_edges: Option<bool>,
    /// Time each parse may take, in milliseconds.
    pub budget_ms: Option<u64>,
    /// Steps each parse and the merge may take; without `budget_ms` no clock is read.
    pub budget_steps: Option<u64>,
    /// Largest text that is parsed, in bytes.
    pub budget_bytes: Option<usize>,
}

/// An old text and what takes its place, as it is asked for.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct RequestPair {
    /// The text that is there now.
    pub old: String,
    /// The text that takes its place.
    pub new: String,
    /// At how many places the old text stands. Default: 1.
    #[serde(default = "once")]
    pub count: usize,
}

fn once() -> usize {
    1
}

impl RequestPair {
    /// Gives the pair as the engine takes it.
    #[must_use]
    pub fn pair(&self) -> Pair<'_> {
        Pair::new(&self.old, &self.new).count(self.count)
    }
}

/// A request before it is known that it says what to do.
#[derive(Deserialize)]
struct Fields {
    id: Option<String>,
    path: String,
    original: String,
    snippet: Option<String>,
    pairs: Option<Vec<RequestPair>>,
    shape: Option<String>,
    description: Option<String>,
    language: Option<String>,
    add_missing_edges: Option<bool>,
    budget_ms: Option<u64>,
    budget_steps: Option<u64>,
    budget_bytes: Option<usize>,
}

impl TryFrom<Fields> for Request {
    type Error = &'static str;

    fn try_from(fields: Fields) -> Result<Self, Self::Error> {
        let (snippet, pairs) = match (fields.snippet, fields.pairs) {
            (Some(_), Some(_)) => return Err("both `snippet` and `pairs` are given"),
            (None, None) => return Err("missing field `snippet`, or `pairs` in its place"),
            (None, Some(pairs)) if pairs.is_empty() => return Err("`pairs` is empty"),
            (snippet, pairs) => (snippet.unwrap_or_default(), pairs.unwrap_or_default()),
        };
        Ok(Self {
            id: fields.id,
            path: fields.path,
            original: fields.original,
            snippet,
            pairs,
            shape: fields.shape,
            description: fields.description,
            language: fields.language,
            add_missing_edges: fields.add_missing_edges,
            budget_ms: fields.budget_ms,
            budget_steps: fields.budget_steps,
            budget_bytes: fields.budget_bytes,
        })
    }
}

impl Request {
    /// Makes the edit that is asked for.
    ///
    /// # Errors
    ///
    /// [`Error::UnknownLanguage`] if no built-in grammar has the name, [`Error::UnknownShape`] likewise.
    pub fn edit(&self) -> Result<Edit<'_>, Error> {
        let edit = if self.pairs.is_empty() {
            Edit::new(&self.path, &self.original, &self.snippet)
        } else {
            let pairs: Vec<Pair<'_>> = self.pairs.iter().map(RequestPair::pair).collect();
            Edit::pairs(&self.path, &self.original, &pairs)
        };
        let mut edit = edit
            .description(self.description.as_deref().unwrap_or_default())
            .add_missing_edges(self.add_missing_edges.unwrap_or(true));
        if let Some(name) = &self.language {
            let unknown = || Error::UnknownLanguage { name: name.clone() };
            edit = edit.language(Language::from_name(name).ok_or_else(unknown)?);
        }
        if let Some(name) = &self.shape {
            let unknown = || Error::UnknownShape { name: name.clone() };
            edit = edit.shape(Shape::from_name(name).ok_or_else(unknown)?);
        }
        if let Some(budget) = Budget::asked_for(self.budget_ms, self.budget_steps, self.budget_bytes) {
            edit = edit.budget(budget);
        }
        Ok(edit)
    }
}

/// How an edit ended, in one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Status {
    /// The result may be used as it is.
    Trusted,
    /// There is a result, and reasons to look at it.
    NeedsVerify,
    /// There is no result.
    Refused,
}

/// What came of one edit, ready to be serialised.
///
/// # Examples
///
/// ```
/// let outcome = treegraft::apply("a.py", "x = 1\n", "");
/// let report = treegraft::Report::new(Some("7"), &outcome);
/// let json = serde_json::to_value(&report).unwrap();
/// assert_eq!(json["id"], "7");
/// assert_eq!(json["status"], "refused");
/// assert_eq!(json["error"]["code"], "empty_snippet");
/// ```
#[derive(Debug, Clone, Serialize)]
#[must_use]
pub struct Report<'a> {
    v: u32,
    id: Option<&'a str>,
    status: Status,
    shape: Option<&'static str>,
    wrapping: Vec<&'static str>,
    result: Option<&'a str>,
    already_applied: bool,
    reasons: Vec<ReasonEntry<'a>>,
    syntax: SyntaxEntry<'a>,
    replacements: Vec<ReplacementEntry<'a>>,
    elapsed_us: ElapsedEntry,
    reproduce: Option<String>,
    error: Option<ErrorEntry>,
}

impl<'a> Report<'a> {
    /// Reports what [`crate::Engine::apply`] gave.
    pub fn new(id: Option<&'a str>, result: &'a Result<Outcome, Error>) -> Self {
        match result {
            Ok(outcome) => Self::of_outcome(id, outcome),
            Err(error) => Self::refused(id, error.code(), error.to_string()),
        }
    }

    /// Reports that there is no result for a cause outside the engine, such as a line that is no request.
    pub fn refused(id: Option<&'a str>, code: &str, message: impl Into<String>) -> Self {
        Self {
            v: VERSION,
            id,
            status: Status::Refused,
            shape: None,
            wrapping: Vec::new(),
            result: None,
            already_applied: false,
            reasons: Vec::new(),
            syntax: SyntaxEntry {
                status: SyntaxStatus::Skipped.as_str(),
                new_errors: Vec::new(),
                original_errors: 0,
                cut_by: None,
            },
            replacements: Vec::new(),
            elapsed_us: ElapsedEntry::default(),
            reproduce: None,
            error: Some(ErrorEntry { code: code.to_owned(), message: message.into() }),
        }
    }

    /// Adds the line that a run can be told by and made again: the versions of engine and grammar, and names of what
    /// went in and what came out. Equal lines mean equal bytes.
    ///
    /// # Examples
    ///
    /// ```
    /// use treegraft::{Edit, Engine, Report};
    ///
    /// let edit = Edit::new("a.json", "[1]\n", "[2]\n");
    /// let result = Engine::default().apply(&edit);
    /// let json = serde_json::to_value(Report::new(None, &result).of(&edit)).unwrap();
    /// let line = json["reproduce"].as_str().unwrap();
    /// assert!(line.starts_with(concat!("treegraft ", env!("CARGO_PKG_VERSION"))) && line.contains("; json "));
    /// ```
    pub fn of(mut self, edit: &Edit<'_>) -> Self {
        let grammar = edit.language.map(|language| {
            let version = language.grammar_version().unwrap_or_else(|| "without grammar".to_owned());
            format!("; {} {version}", language.name())
        });
        // A byte that no text holds keeps the texts apart.
        let apart: &[u8] = &[0xff];
        let edges: &[u8] = if edit.add_missing_edges { b"edges" } else { b"" };
        let pairs: Vec<_> = edit.pairs.iter().map(|pair| (pair.old, pair.new, pair.count)).collect();
        let pairs = format!("{pairs:?}");
        let input = fingerprint(&[
            edit.path.as_bytes(),
            apart,
            edit.original.as_bytes(),
            apart,
            edit.snippet.as_bytes(),
            apart,
            edit.description.as_bytes(),
            apart,
            edges,
            apart,
            edit.shape.map_or("", Shape::as_str).as_bytes(),
            apart,
            pairs.as_bytes(),
        ]);
        let output = self.result.map(|text| format!("; output {}", fingerprint(&[text.as_bytes()])));
        self.reproduce = Some(format!(
            "treegraft {}{}; input {input}{}",
            env!("CARGO_PKG_VERSION"),
            grammar.unwrap_or_default(),
            output.unwrap_or_default()
        ));
        self
    }

    /// Says how the edit ended.
    #[must_use]
    pub fn status(&self) -> Status {
        self.status
    }

    fn of_outcome(id: Option<&'a str>, outcome: &'a Outcome) -> Self {
        let reasons = outcome.verdict().reasons();
        let elapsed = outcome.elapsed();
        Self {
            v: VERSION,
            id,
            status: if reasons.is_empty() { Status::Trusted } else { Status::NeedsVerify },
            shape: Some(outcome.shape().as_str()),
            wrapping: outcome.wrapping().iter().copied().map(Wrapping::as_str).collect(),
            result: Some(outcome.text()),
            already_applied: outcome.already_applied(),
            reasons: reasons.iter().map(ReasonEntry::new).collect(),
            syntax: SyntaxEntry::new(outcome.validation()),
            replacements: outcome.replacements().iter().map(ReplacementEntry::new).collect(),
            elapsed_us: ElapsedEntry {
                total: micros(elapsed.total),
                anchor: micros(elapsed.anchor),
                validate: micros(elapsed.validate),
                diff: micros(elapsed.diff),
            },
            reproduce: None,
            error: None,
        }
    }
}

/// As in a [`Report`], for programs that make an object of their own.
impl Serialize for NeedsVerifyReason {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        ReasonEntry::new(self).serialize(serializer)
    }
}

/// As in a [`Report`], for programs that make an object of their own.
impl Serialize for Validation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        SyntaxEntry::new(self).serialize(serializer)
    }
}

/// As in a [`Report`], for programs that make an object of their own.
impl Serialize for Replacement {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        ReplacementEntry::new(self).serialize(serializer)
    }
}

#[derive(Debug, Clone, Serialize)]
struct ReasonEntry<'a> {
    kind: &'static str,
    message: &'a str,
    original_lines: Option<[usize; 2]>,
    snippet_lines: Option<[usize; 2]>,
    candidates: Vec<CandidateEntry<'a>>,
}

impl<'a> ReasonEntry<'a> {
    fn new(reason: &'a NeedsVerifyReason) -> Self {
        Self {
            kind: reason.kind.as_str(),
            message: &reason.message,
            original_lines: reason.original_lines.map(one_based),
            snippet_lines: reason.snippet_lines.map(one_based),
            candidates: reason
                .candidates
                .iter()
                .map(|place| CandidateEntry { original_line: place.original_line + 1, preview: &place.preview })
                .collect(),
        }
    }
}

#[derive(Debug, Clone, Serialize)]
struct CandidateEntry<'a> {
    original_line: usize,
    preview: &'a str,
}

#[derive(Debug, Clone, Serialize)]
struct SyntaxEntry<'a> {
    status: &'static str,
    new_errors: Vec<SyntaxErrorEntry<'a>>,
    original_errors: usize,
    cut_by: Option<&'static str>,
}

impl<'a> SyntaxEntry<'a> {
    fn new(validation: &'a Validation) -> Self {
        let entry = |error: &'a crate::SyntaxError| {
            let [first_line, last_line] = one_based(error.lines);
            SyntaxErrorEntry { first_line, last_line, message: &error.message }
        };
        Self {
            status: validation.status.as_str(),
            new_errors: validation.new_errors.iter().map(entry).collect(),
            original_errors: validation.original_errors,
            cut_by: validation.cut_by.map(Limit::as_str),
        }
    }
}

#[derive(Debug, Clone, Serialize)]
struct SyntaxErrorEntry<'a> {
    first_line: usize,
    last_line: usize,
    message: &'a str,
}

#[derive(Debug, Clone, Serialize)]
struct ReplacementEntry<'a> {
    id: &'a str,
    start_byte: usize,
    end_byte: usize,
    old_lines: [usize; 2],
    new_lines: [usize; 2],
    old: &'a str,
    new: &'a str,
    summary: &'a str,
}

impl<'a> ReplacementEntry<'a> {
    fn new(replacement: &'a Replacement) -> Self {
        Self {
            id: &replacement.id,
            start_byte: replacement.bytes.start,
            end_byte: replacement.bytes.end,
            old_lines: one_based(replacement.old_lines),
            new_lines: one_based(replacement.new_lines),
            old: &replacement.old,
            new: &replacement.new,
            summary: &replacement.summary,
        }
    }
}

#[derive(Debug, Clone, Default, Serialize)]
struct ElapsedEntry {
    total: u64,
    anchor: u64,
    validate: u64,
    diff: u64,
}

#[derive(Debug, Clone, Serialize)]
struct ErrorEntry {
    code: String,
    message: String,
}

fn one_based(lines: LineRange) -> [usize; 2] {
    lines.one_based().into()
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::{ByteRange, Candidate, Elapsed, Ledger, ReasonKind, SyntaxError, Verdict};

    fn outcome(reasons: Vec<NeedsVerifyReason>) -> Outcome {
        Outcome {
            text: "a\nb\n".into(),
            shape: Shape::WholeFile,
            wrapping: vec![Wrapping::Fence],
            verdict: Verdict::from_reasons(reasons),
            validation: Validation {
                status: SyntaxStatus::Invalid,
                new_errors: vec![SyntaxError { lines: LineRange::new(1, 2), message: "unexpected `b`".into() }],
                original_errors: 2,
                cut_by: None,
            },
            replacements: vec![Replacement {
                id: "r1".into(),
                bytes: ByteRange::new(2, 2),
                old_lines: LineRange::new(1, 1),
                new_lines: LineRange::new(1, 2),
                old: String::new(),
                new: "b\n".into(),
                summary: "add b".into(),
            }],
            ledger: Ledger::default(),
            snippet: String::new(),
            already_applied: false,
            reads: None,
            elapsed: Elapsed { total: Duration::from_micros(7), ..Elapsed::default() },
        }
    }

    fn written(report: &Report<'_>) -> Value {
        serde_json::to_value(report).unwrap()
    }

    #[test]
    fn an_outcome_is_written_as_the_contract_says() {
        let mut reason = NeedsVerifyReason::new(ReasonKind::AmbiguousLocation, "two places fit")
            .at_original(LineRange::new(0, 1))
            .at_snippet(LineRange::new(2, 2));
        reason.candidates.push(Candidate { original_line: 4, preview: "}".into() });
        let reason_alone = serde_json::to_value(&reason).unwrap();
        let report = written(&Report::new(Some("x"), &Ok(outcome(vec![reason]))));
        let wanted = json!({
            "v": 1, "id": "x", "status": "needs_verify", "shape": "whole_file", "wrapping": ["fence"], "result": "a\nb\n",
            "already_applied": false,
            "reasons": [{"kind": "ambiguous_location", "message": "two places fit", "original_lines": [1, 1],
                         "snippet_lines": [3, 2], "candidates": [{"original_line": 5, "preview": "}"}]}],
            "syntax": {"status": "invalid", "original_errors": 2, "cut_by": null,
                       "new_errors": [{"first_line": 2, "last_line": 2, "message": "unexpected `b`"}]},
            "replacements": [{"id": "r1", "start_byte": 2, "end_byte": 2, "old_lines": [2, 1], "new_lines": [2, 2],
                              "old": "", "new": "b\n", "summary": "add b"}],
            "elapsed_us": {"total": 7, "anchor": 0, "validate": 0, "diff": 0},
            "reproduce": null, "error": null,
        });
        assert_eq!(report, wanted);
        assert_eq!(reason_alone, wanted["reasons"][0]);
        let outcome = outcome(Vec::new());
        assert_eq!(serde_json::to_value(outcome.validation()).unwrap(), wanted["syntax"]);
        assert_eq!(serde_json::to_value(outcome.replacements()).unwrap(), wanted["replacements"]);
        assert_eq!(written(&Report::new(None, &Ok(outcome)))["status"], "trusted");
    }

    #[test]
    fn a_refusal_has_all_fields_and_no_result() {
        let report = written(&Report::new(None, &Err(Error::EmptySnippet)));
        let wanted = json!({
            "v": 1, "id": null, "status": "refused", "shape": null, "wrapping": [], "result": null, "already_applied": false,
            "reasons": [], "syntax": {"status": "skipped", "new_errors": [], "original_errors": 0, "cut_by": null},
            "replacements": [], "elapsed_us": {"total": 0, "anchor": 0, "validate": 0, "diff": 0}, "reproduce": null,
            "error": {"code": "empty_snippet", "message": "snippet is empty while the original is not"},
        });
        assert_eq!(report, wanted);
    }

    #[test]
    fn whatever_decides_a_run_is_in_its_line() {
        let line = |edit: Edit<'_>| {
            let result = crate::Engine::default().apply(&edit);
            written(&Report::new(None, &result).of(&edit))["reproduce"].as_str().unwrap().to_owned()
        };
        let edit = || Edit::new("a.txt", "a\nb\n", "a\nc\n");
        let other = [
            Edit::new("b.txt", "a\nb\n", "a\nc\n"),
            Edit::new("a.txt", "a\nb", "a\nc\n"),
            Edit::new("a.txt", "a\nb\n", "a\nd\n"),
            edit().description("Type: replace"),
            edit().add_missing_edges(false),
            edit().shape(Shape::WholeFile),
            Edit::pairs("a.txt", "a\nb\n", &[Pair::new("b", "c")]),
        ];
        assert_eq!(line(edit()), line(edit()));
        assert!(other.into_iter().all(|other| line(other) != line(edit())));
        assert!(!line(Edit::new("a.txt", "a\n", "")).contains("output"), "a refusal has none");
    }

    #[test]
    fn a_request_may_leave_out_what_is_optional() {
        let read = |text| serde_json::from_str::<Request>(text);
        let request = read(r#"{"path": "a.go", "original": "", "snippet": "x", "later": 1}"#).unwrap();
        assert!(request.edit().unwrap().add_missing_edges);
        assert!(read(r#"{"path": "a.go", "original": ""}"#).unwrap_err().to_string().contains("`snippet`"));
        let request = read(r#"{"path": "a", "original": "", "snippet": "x", "budget_steps": 7}"#).unwrap();
        assert_eq!(request.edit().unwrap().budget, Some(Budget::of_steps(7)));
        let request = read(r#"{"path": "a", "original": "", "snippet": "x", "language": "kobol"}"#).unwrap();
        assert_eq!(request.edit().unwrap_err().code(), "unknown_language");
    }
}
