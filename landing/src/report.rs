//! What a landing or an undo came to, as JSON objects, version 1.
//!
//! [`LandReport`] is what `treegraft land --json` prints, [`UndoReport`] what `treegraft undo --json` does. Lines count
//! from one and ranges include both ends, as in [`treegraft::Report`].

use serde::Serialize;
use treegraft::{NeedsVerifyReason, Replacement, Status, Validation};
use treegraft_reply::Warning;

use crate::error::Error;
use crate::files::Node;
use crate::history::Landing;
use crate::plan::{Action, Doubt, Plan, PlannedEdit, PlannedFile};

/// The version of the objects here; raised when a field changes its meaning, not when one is added.
const VERSION: u32 = 1;

/// What a reply comes to.
#[derive(Debug, Serialize)]
#[must_use]
pub struct LandReport<'a> {
    v: u32,
    status: Status,
    landed: Option<u64>,
    files: Vec<FileEntry<'a>>,
    warnings: Vec<WarningEntry<'a>>,
    summary: Summary,
    error: Option<ErrorEntry>,
}

impl<'a> LandReport<'a> {
    /// Reports a plan, and what came of landing it: `None` if that was not asked for, else what [`crate::commit`] gave.
    pub fn new(plan: &'a Plan, landed: Option<&Result<Option<u64>, Error>>) -> Self {
        let (landed, error) = match landed {
            None => (None, None),
            Some(Ok(id)) => (*id, None),
            Some(Err(error)) => (None, Some(error)),
        };
        Self {
            v: VERSION,
            // A plan that may be trusted can still be refused by the files.
            status: match error {
                None | Some(Error::Unverified) => plan.status(),
                Some(_) => Status::Refused,
            },
            landed,
            files: plan.files().iter().map(FileEntry::new).collect(),
            warnings: plan.warnings().iter().map(WarningEntry::new).collect(),
            summary: Summary::new(plan),
            error: error.map(ErrorEntry::new),
        }
    }

    /// Reports that there is no plan, such as for a reply that can't be read.
    pub fn refused(code: &str, message: impl Into<String>) -> Self {
        Self {
            v: VERSION,
            status: Status::Refused,
            landed: None,
            files: Vec::new(),
            warnings: Vec::new(),
            summary: Summary::default(),
            error: Some(ErrorEntry { code: code.to_owned(), message: message.into(), path: None }),
        }
    }
}

/// What an undo came to, or which landings are kept.
#[derive(Debug, Serialize)]
#[must_use]
pub struct UndoReport<'a> {
    v: u32,
    landings: Vec<LandingEntry<'a>>,
    error: Option<ErrorEntry>,
}

impl<'a> UndoReport<'a> {
    /// Reports landings: all that are kept, or the undo that was made.
    pub fn new(landings: &'a [Landing]) -> Self {
        Self { v: VERSION, landings: landings.iter().map(LandingEntry::new).collect(), error: None }
    }

    /// Reports why nothing was undone.
    pub fn refused(error: &Error) -> Self {
        Self { v: VERSION, landings: Vec::new(), error: Some(ErrorEntry::new(error)) }
    }
}

#[derive(Debug, Serialize)]
struct FileEntry<'a> {
    path: &'a str,
    moved_from: Option<&'a str>,
    action: &'static str,
    status: Status,
    lines: &'a [usize],
    mode: Option<String>,
    reasons: Vec<ReasonEntry<'a>>,
    edits: Vec<EditEntry<'a>>,
    diff: String,
    result: Option<&'a str>,
    error: Option<ErrorEntry>,
}

impl<'a> FileEntry<'a> {
    fn new(file: &'a PlannedFile) -> Self {
        let (result, mode) = match file.after() {
            Some(Node::File { content, attributes }) => {
                (std::str::from_utf8(content).ok(), attributes.map(|attributes| format!("{:04o}", attributes.mode)))
            }
            _ => (None, None),
        };
        Self {
            path: file.name(),
            moved_from: file.moved_from().map(crate::FilePath::as_str),
            action: file.action().as_str(),
            status: file.status(),
            lines: file.lines(),
            mode,
            reasons: file.doubts().iter().map(ReasonEntry::new).collect(),
            edits: file.edits().iter().map(EditEntry::new).collect(),
            diff: file.diff(),
            result,
            error: file.error().map(ErrorEntry::new),
        }
    }
}

/// A reason of the engine has its own fields; any other has kind, message and line.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum ReasonEntry<'a> {
    OfEdit {
        edit: usize,
        #[serde(flatten)]
        reason: &'a NeedsVerifyReason,
    },
    Other {
        edit: Option<usize>,
        kind: &'static str,
        message: &'a str,
        reply_line: Option<usize>,
    },
}

impl<'a> ReasonEntry<'a> {
    fn new(doubt: &'a Doubt) -> Self {
        match doubt {
            Doubt::Edit { edit, reason } => Self::OfEdit { edit: *edit, reason },
            _ => Self::Other {
                edit: None,
                kind: doubt.kind(),
                message: doubt.message(),
                reply_line: match doubt {
                    Doubt::Reply(warning) => Some(warning.line),
                    _ => None,
                },
            },
        }
    }
}

#[derive(Debug, Serialize)]
struct EditEntry<'a> {
    line: usize,
    path: &'a str,
    shape: &'static str,
    already_applied: bool,
    syntax: &'a Validation,
    replacements: &'a [Replacement],
}

impl<'a> EditEntry<'a> {
    fn new(edit: &'a PlannedEdit) -> Self {
        Self {
            line: edit.line,
            path: edit.path.as_str(),
            shape: edit.outcome.shape().as_str(),
            already_applied: edit.outcome.already_applied(),
            syntax: edit.outcome.validation(),
            // In a file that is made there is nothing to replace.
            replacements: if edit.original.is_some() { edit.outcome.replacements() } else { &[] },
        }
    }
}

#[derive(Debug, Serialize)]
struct WarningEntry<'a> {
    line: usize,
    code: &'static str,
    detail: &'a str,
    is_doubt: bool,
}

impl<'a> WarningEntry<'a> {
    fn new(warning: &'a Warning) -> Self {
        let Warning { line, code, detail, .. } = warning;
        Self { line: *line, code: code.as_str(), detail, is_doubt: code.is_doubt() }
    }
}

#[derive(Debug, Default, Serialize)]
struct Summary {
    make: usize,
    edit: usize,
    #[serde(rename = "move")]
    moved: usize,
    remove: usize,
    keep: usize,
    refused: usize,
}

impl Summary {
    fn new(plan: &Plan) -> Self {
        Self {
            make: plan.count(Action::Make),
            edit: plan.count(Action::Edit),
            moved: plan.count(Action::Move),
            remove: plan.count(Action::Remove),
            keep: plan.count(Action::Keep),
            refused: plan.files().iter().filter(|file| file.error().is_some()).count(),
        }
    }
}

#[derive(Debug, Serialize)]
struct ErrorEntry {
    code: String,
    message: String,
    path: Option<String>,
}

impl ErrorEntry {
    fn new(error: &Error) -> Self {
        Self { code: error.code().to_owned(), message: error.to_string(), path: error.path().map(ToString::to_string) }
    }
}

#[derive(Debug, Serialize)]
struct LandingEntry<'a> {
    id: u64,
    time: u64,
    undoes: Option<u64>,
    is_undone: bool,
    files: Vec<DeedEntry<'a>>,
}

impl<'a> LandingEntry<'a> {
    fn new(landing: &'a Landing) -> Self {
        let files = landing.files.iter();
        Self {
            id: landing.id,
            time: landing.time,
            undoes: landing.undoes,
            is_undone: landing.is_undone,
            files: files.map(|(path, deed)| DeedEntry { path: path.as_str(), deed: deed.as_str() }).collect(),
        }
    }
}

#[derive(Debug, Serialize)]
struct DeedEntry<'a> {
    path: &'a str,
    deed: &'static str,
}
