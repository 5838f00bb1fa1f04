//! A `*** Begin Patch` envelope: files one after the other, each complete at the header of the next.

use crate::label::unquote;
use crate::lines::Line;
use crate::mark::Mark;
use crate::out::Out;
use crate::prose::Prose;
use crate::room::change::{Change, Kind};
use crate::room::fenced::dedent;
use crate::room::{Last, Step};
use crate::{Form, Operation, Span, WarningCode};

const BEGIN: &str = "*** Begin Patch\n";
const END: &str = "*** End Patch\n";

/// An envelope that is open.
#[derive(Debug)]
pub(crate) struct Patch {
    change: Option<Change>,
    indent: String,
    /// The line it begins on, one-based.
    line: usize,
    /// Whether a line outside of any file was told.
    told: bool,
}

/// What a line of an envelope is.
enum Piece<'a> {
    Update(&'a str),
    Add(&'a str),
    Delete(&'a str),
    MoveTo(&'a str),
    End,
    Text,
}

impl<'a> Piece<'a> {
    fn of(text: &'a str) -> Self {
        let Some(header) = text.strip_prefix("*** ") else { return Self::Text };
        let header = header.trim_end();
        if header == "End Patch" {
            return Self::End;
        }
        let Some((key, path)) = header.split_once(':') else { return Self::Text };
        let path = unquote(path.trim());
        match key {
            "Update File" => Self::Update(path),
            "Add File" => Self::Add(path),
            "Delete File" => Self::Delete(path),
            "Move to" => Self::MoveTo(path),
            _ => Self::Text,
        }
    }
}

impl Patch {
    /// Begins with the line of `*** Begin Patch`.
    pub(crate) fn new(line: &Line<'_>) -> Self {
        Self { change: None, indent: line.text[..line.lead()].to_owned(), line: line.number, told: false }
    }

    pub(crate) fn path(&self) -> Option<&str> {
        self.change.as_ref().map(|change| change.draft.block.path.as_str())
    }

    pub(crate) fn read(&mut self, line: &Line<'_>, prose: &mut Prose, out: &mut Out) -> Step {
        let text = dedent(line.text, &self.indent);
        if Self::is_foreign(text, prose) {
            let detail = "the patch has no `*** End Patch`";
            match &mut self.change {
                Some(change) => change.draft.warn_once(line.number, WarningCode::ImplicitPatchEnd, detail),
                None => out.warn(line.number, WarningCode::ImplicitPatchEnd, detail, None),
            }
            self.close(Span::new(line.span.start, line.span.start), out);
            return Step::Reread;
        }
        match Piece::of(text) {
            Piece::End => {
                self.close(line.bytes(), out);
                return Step::Leave;
            }
            Piece::MoveTo(path) => match &mut self.change {
                Some(change) if !path.is_empty() => {
                    let (from, to) = (change.draft.block.path.clone(), path.to_owned());
                    change.then = Some(Operation::Move { from, to, line: line.number, span: line.bytes() });
                }
                _ => self.warn_stray(line, out),
            },
            Piece::Text => match &mut self.change {
                Some(change) => change.push(text, line),
                None if text.trim().is_empty() => {}
                None => self.warn_stray(line, out),
            },
            Piece::Update(path) | Piece::Add(path) | Piece::Delete(path) if path.is_empty() => {
                self.close(Span::new(line.span.start, line.span.start), out);
                out.warn(line.number, WarningCode::EmptyPath, "a file of the patch has no path and is left out", None);
            }
            Piece::Update(path) => {
                self.close(Span::new(line.span.start, line.span.start), out);
                let mut draft = prose.draft(path.to_owned(), Form::Patch, None, line.number, line.span);
                draft.block.content = format!("{BEGIN}*** Update File: {path}\n");
                draft.announce(out);
                self.change = Some(Change::new(draft, Kind::Hunks { tail: END }));
            }
            Piece::Add(path) => {
                self.close(Span::new(line.span.start, line.span.start), out);
                let draft = prose.draft(path.to_owned(), Form::Whole, None, line.number, line.span);
                draft.announce(out);
                self.change = Some(Change::new(draft, Kind::Added));
            }
            Piece::Delete(path) if !line.ended => {
                self.close(Span::new(line.span.start, line.span.start), out);
                let detail =
                    format!("the reply ends in this line, which may be cut: the removal of `{path}` is left out");
                out.warn(line.number, WarningCode::Truncated, detail, None);
            }
            Piece::Delete(path) => {
                self.close(Span::new(line.span.start, line.span.start), out);
                out.operation(Operation::Remove { path: path.to_owned(), line: line.number, span: line.bytes() });
            }
        }
        Step::Stay
    }

    pub(crate) fn finish(self, last: Last, out: &mut Out) {
        match self.change {
            Some(change) => change.truncate(last, out),
            None => out.warn(self.line, WarningCode::ImplicitPatchEnd, "the reply ends inside of the patch", None),
        }
    }

    /// Says whether a line is surely none of a patch: it begins a block or section, or closes the code fence around.
    fn is_foreign(text: &str, prose: &Prose) -> bool {
        if text.starts_with([' ', '+', '-', '@']) || text.is_empty() {
            return false;
        }
        match Mark::of(text.trim()) {
            Mark::Open(_) | Mark::Heading(_) | Mark::Patch => true,
            Mark::Fence(fence) => text.starts_with(['`', '~']) && prose.is_unquoted_by(fence),
            _ => false,
        }
    }

    fn close(&mut self, close: Span, out: &mut Out) {
        if let Some(change) = self.change.take() {
            change.close(close, out);
        }
    }

    fn warn_stray(&mut self, line: &Line<'_>, out: &mut Out) {
        if !std::mem::replace(&mut self.told, true) {
            out.warn(
                line.number,
                WarningCode::PatchLine,
                "a line of the patch belongs to no file and is left out",
                None,
            );
        }
    }
}
