//! A code fence of unified diffs: files one after the other, each complete at the header of the next.
//!
//! A header is a line `--- path` right before a line `+++ path`. Line numbers and counts of hunks are not trusted, so they don't help
//! to tell a header from a removed line `-- text` that an added line `++ text` follows; no language makes those likely.

use crate::label::{Label, unquote};
use crate::lines::{Held, Line};
use crate::mark::{Depth, Fence};
use crate::out::Out;
use crate::path;
use crate::prose::Prose;
use crate::room::change::{Change, Kind};
use crate::room::fenced::dedent;
use crate::room::{Last, Step};
use crate::{Form, Operation, Span, WarningCode};

/// The path that stands for no file.
const NOTHING: &str = "/dev/null";
/// What a header begins with.
const MINUS: &str = "--- ";

/// A fence of diffs that is open.
#[derive(Debug)]
pub(crate) struct Diff {
    depth: Depth,
    indent: String,
    /// The path above the fence, for hunks without a header.
    label: Option<Label>,
    /// The line of the fence, one-based, and its bytes.
    opening: (usize, Span),
    state: State,
    /// A line `--- path` that may begin a header.
    minus: Held,
    /// The path in the prose above, if it is no label.
    near: Option<String>,
    /// Whether it was told that hunks name no file.
    told: bool,
}

#[derive(Debug)]
enum State {
    /// Nothing of any file yet, or lines like `index` above a header.
    Between(Rename),
    /// In a file.
    In(Box<Change>),
    /// In a file that is removed: its lines don't matter.
    Removed,
}

/// What the lines above a header tell of a new name.
#[derive(Debug, Default)]
struct Rename {
    from: Option<String>,
    to: Option<String>,
    /// The line of the new name, one-based, and its bytes.
    place: (usize, Span),
    /// The first line that asks for what is not done here, one-based, and what that is.
    undone: Option<(usize, String)>,
    /// Whether lines say that a file is made or removed, which only a header does.
    whole: Option<usize>,
}

impl Rename {
    /// Gives the move, if the lines tell of one.
    fn operation(self) -> Option<Operation> {
        let (line, span) = self.place;
        Some(Operation::Move { from: self.from?, to: self.to?, line, span })
    }
}

impl Default for State {
    fn default() -> Self {
        Self::Between(Rename::default())
    }
}

impl Diff {
    /// Begins with the line of the fence.
    pub(crate) fn new(fence: Fence<'_>, label: Option<Label>, near: Option<&str>, line: &Line<'_>) -> Self {
        Self {
            depth: Depth::new(fence),
            indent: line.text[..line.lead()].to_owned(),
            label,
            opening: (line.number, line.span),
            state: State::default(),
            minus: Held::default(),
            near: near.map(str::to_owned),
            told: false,
        }
    }

    pub(crate) fn path(&self) -> Option<&str> {
        match &self.state {
            State::In(change) => Some(&change.draft.block.path),
            _ => None,
        }
    }

    pub(crate) fn read(&mut self, line: &Line<'_>, prose: &mut Prose, out: &mut Out) -> Step {
        let before = out.n_operations;
        let step = self.step(line, prose, out);
        for index in before..out.n_operations {
            prose.fence_closed(index, self.opening.0, out);
        }
        step
    }

    fn step(&mut self, line: &Line<'_>, prose: &mut Prose, out: &mut Out) -> Step {
        let text = dedent(line.text, &self.indent);
        if text.starts_with(['`', '~']) && Fence::of(text.trim()).is_some_and(|fence| self.depth.closes(fence)) {
            self.release(prose, out);
            self.close(line.bytes(), out);
            return Step::Leave;
        }
        if let Some(new) = text.strip_prefix("+++ ") {
            let minus = std::mem::take(&mut self.minus);
            if let Some(old) = minus.iter().next() {
                let open = Span::new(old.span.start, line.span.end);
                let (old_text, number) = (dedent(old.text, &self.indent), old.number);
                self.header(header_path(&old_text[MINUS.len()..]), header_path(new), number, open, prose, out);
                // The lines of the header are the first of the hunks.
                if let State::In(change) = &mut self.state
                    && !change.is_added()
                {
                    change.push(old_text, &old);
                    change.push(text, line);
                }
                return Step::Stay;
            }
        }
        self.release(prose, out);
        if text.strip_prefix(MINUS).is_some_and(|path| !header_path(path).is_empty()) {
            self.minus.push(line);
        } else {
            self.text(text, line, prose, out);
        }
        Step::Stay
    }

    pub(crate) fn finish(self, last: Last, out: &mut Out) {
        match self.state {
            State::In(change) => change.truncate(last, out),
            _ => out.warn(self.opening.0, WarningCode::Truncated, "the reply ends inside of a diff", None),
        }
    }

    /// Takes a line `--- path` for text: no header follows.
    fn release(&mut self, prose: &mut Prose, out: &mut Out) {
        let minus = std::mem::take(&mut self.minus);
        for line in minus.iter() {
            self.text(dedent(line.text, &self.indent), &line, prose, out);
        }
    }

    /// Begins a file.
    fn header(&mut self, old: &str, new: &str, line: usize, open: Span, prose: &mut Prose, out: &mut Out) {
        let mut undone = None;
        let rename = match std::mem::take(&mut self.state) {
            State::Between(mut rename) => {
                undone = rename.undone.take();
                rename.operation()
            }
            State::In(change) => {
                change.close(Span::new(open.start, open.start), out);
                None
            }
            State::Removed => None,
        };
        let (old, new) = strip_sides(old, new);
        let label = self.label.take();
        if new == NOTHING {
            let index = out.operation(Operation::Remove { path: old.to_owned(), line, span: open });
            let detail = format!("the diff removes `{old}`, and its lines are not compared with the file's");
            out.warn(line, WarningCode::RemovalUnchecked, detail, Some(index));
            self.state = State::Removed;
            return;
        }
        let added = old == NOTHING;
        let path = rename.as_ref().map_or(if added { new } else { old }, Operation::path).to_owned();
        let form = if added { Form::Whole } else { Form::Diff };
        let mut draft = prose.draft(path, form, label.as_ref(), line, open);
        if !added && rename.is_none() && old != new {
            let detail = format!("the diff's header names `{old}` and `{new}`; the first is taken");
            draft.warn_once(line, WarningCode::LabelConflict, &detail);
        }
        if let Some(label) = label.filter(|label| !path::are_related(&label.path, new)) {
            let detail = format!("the line above says `{}` and the diff `{new}`; the diff's is taken", label.path);
            draft.warn_once(label.line, WarningCode::LabelConflict, &detail);
        }
        if let Some((line, detail)) = undone {
            draft.warn_once(line, WarningCode::UnreadOperation, &detail);
        }
        draft.announce(out);
        let mut change = Change::new(draft, if added { Kind::Added } else { Kind::Hunks { tail: "" } });
        change.then = rename;
        self.state = State::In(Box::new(change));
    }

    /// Reads a line that is no header.
    fn text(&mut self, text: &str, line: &Line<'_>, prose: &mut Prose, out: &mut Out) {
        if text.starts_with("diff --git ") {
            self.close(Span::new(line.span.start, line.span.start), out);
            return;
        }
        match &mut self.state {
            State::In(change) if change.is_added() && text.starts_with('\\') => change.drop_final_newline(),
            State::In(change) if change.is_added() && text.starts_with("@@") => {}
            State::In(change) => change.push(text, line),
            State::Removed => {}
            State::Between(rename) => {
                if let Some(path) = text.strip_prefix("rename from ") {
                    rename.from = Some(unquote(path.trim()).to_owned());
                } else if let Some(path) = text.strip_prefix("rename to ") {
                    rename.to = Some(unquote(path.trim()).to_owned());
                    rename.place = (line.number, line.bytes());
                } else if let Some(mode) =
                    ["new file mode ", "new mode "].iter().find_map(|name| text.strip_prefix(name))
                {
                    if text.starts_with("new file") {
                        rename.whole = Some(line.number);
                    }
                    if mode.trim() != "100644" || text.starts_with("new mode") {
                        let detail = format!("the file's mode is not changed to `{}`", mode.trim());
                        rename.undone.get_or_insert((line.number, detail));
                    }
                } else if text.starts_with("deleted file mode ") {
                    rename.whole = Some(line.number);
                } else if text.starts_with("copy to ") {
                    rename.undone.get_or_insert((line.number, "a copy is not made".to_owned()));
                } else if text.starts_with("Binary files ") || text.starts_with("GIT binary patch") {
                    out.warn(line.number, WarningCode::PatchLine, "a binary diff is left out", None);
                } else if text.starts_with(['@', '+', '-', ' '])
                    && let Some(label) = self.label.take()
                {
                    let (line_of_fence, open) = self.opening;
                    let draft = prose.draft(label.path.clone(), Form::Diff, Some(&label), line_of_fence, open);
                    draft.announce(out);
                    let mut change = Change::new(draft, Kind::Hunks { tail: "" });
                    change.push(text, line);
                    self.state = State::In(Box::new(change));
                } else if (text.starts_with("@@") || text.starts_with(['+', '-']) && self.near.is_some()) && !self.told
                {
                    self.told = true;
                    let near = self.near.as_ref().map(|path| format!(" and has `{path}` near it")).unwrap_or_default();
                    let detail = format!("the diff on line {} names no file{near}: it was not read", self.opening.0);
                    out.warn(self.opening.0, WarningCode::UnreadBlock, detail, None);
                }
            }
        }
    }

    /// Ends the file.
    fn close(&mut self, close: Span, out: &mut Out) {
        match std::mem::take(&mut self.state) {
            State::In(change) => change.close(close, out),
            State::Between(mut rename) => {
                if let Some((line, detail)) = rename.undone.take() {
                    out.warn(line, WarningCode::UnreadOperation, detail, None);
                } else if let Some(line) = rename.whole {
                    let detail = "a diff without a header makes or removes a file, and was not read";
                    out.warn(line, WarningCode::UnreadOperation, detail, None);
                }
                if let Some(operation) = rename.operation() {
                    out.operation(operation);
                }
            }
            State::Removed => {}
        }
    }
}

/// Gives the path of a header line: what stands before a time, without quotes.
fn header_path(text: &str) -> &str {
    unquote(text.split('\t').next().unwrap_or(text).trim())
}

/// Takes `a/` and `b/` off, if both paths have them.
fn strip_sides<'a>(old: &'a str, new: &'a str) -> (&'a str, &'a str) {
    let side = |path: &'a str, prefix| if path == NOTHING { Some(path) } else { path.strip_prefix(prefix) };
    match (side(old, "a/"), side(new, "b/")) {
        (Some(old), Some(new)) => (old, new),
        _ => (old, new),
    }
}
