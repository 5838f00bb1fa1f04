//! One file of a patch or diff while it comes in: what is done to it, and where it goes.

use crate::draft::Draft;
use crate::lines::Line;
use crate::out::Out;
use crate::room::Last;
use crate::{Operation, Span, WarningCode};

/// What a patch does to one file.
#[derive(Debug)]
pub(crate) struct Change {
    pub(crate) draft: Draft,
    kind: Kind,
    /// The move of the file that comes behind it.
    pub(crate) then: Option<Operation>,
    /// Empty lines behind a line of the file, which may belong to the layout of the patch: they count when another line follows.
    blanks: String,
    /// Whether a line of the file has come.
    begun: bool,
}

/// How the lines of a change are to be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// They are hunks, kept as they stand, between these two texts.
    Hunks { tail: &'static str },
    /// They are a new file's, each behind a `+`.
    Added,
}

impl Change {
    /// Begins a change.
    pub(crate) fn new(draft: Draft, kind: Kind) -> Self {
        Self { draft, kind, then: None, blanks: String::new(), begun: false }
    }

    /// Says whether it is a new file.
    pub(crate) fn is_added(&self) -> bool {
        self.kind == Kind::Added
    }

    /// Adds a line.
    pub(crate) fn push(&mut self, text: &str, line: &Line<'_>) {
        if text.is_empty() || text == "\r" {
            if self.begun {
                self.blanks.push_str(text);
                self.blanks.push('\n');
            }
            return;
        }
        if self.kind == Kind::Added && text.trim_end() == "*** End of File" {
            return;
        }
        let text = match self.kind {
            Kind::Hunks { .. } => text,
            Kind::Added => text.strip_prefix('+').unwrap_or_else(|| {
                self.draft.warn_once(
                    line.number,
                    WarningCode::PatchLine,
                    "a line of a new file without its `+` is taken as it stands",
                );
                text
            }),
        };
        self.draft.block.content.push_str(&std::mem::take(&mut self.blanks));
        self.begun = true;
        self.draft.push(text, line);
    }

    /// Takes the last line feed off: the file has none at its end.
    pub(crate) fn drop_final_newline(&mut self) {
        if self.draft.block.content.ends_with('\n') {
            self.draft.block.content.pop();
        }
    }

    /// Completes the change: a file block if there is anything in it, then the move.
    pub(crate) fn close(mut self, close: Span, out: &mut Out) {
        match self.kind {
            Kind::Hunks { tail } if self.begun => {
                self.draft.block.content.push_str(tail);
                self.draft.close(close, out);
            }
            Kind::Added => {
                self.draft.close(close, out);
            }
            Kind::Hunks { .. } => {
                if self.then.is_none() {
                    let detail = "the patch says nothing about this file's lines; it is left out";
                    self.draft.warn_once(self.draft.block.line, WarningCode::PatchLine, detail);
                }
                self.draft.give_up(out);
            }
        }
        if let Some(operation) = self.then {
            out.operation(operation);
        }
    }

    /// Ends the reply inside of the change.
    pub(crate) fn truncate(self, last: Last, out: &mut Out) {
        self.draft.truncate(last, out);
    }
}
