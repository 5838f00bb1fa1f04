//! A section of file operations: `### Move Files`, `### Remove Files` or `### Reset Changes`, then one dashed line each, then
//! `<EndPlandexFileOps/>`.
//!
//! # A missing end
//!
//! The next heading, opening tag, patch or search/replace block ends a section, and so does the end of the reply. Then only the
//! operations count that stand before the first line of prose: a list further down may be something else. The dashed line right above
//! an opening tag is that block's label.

use std::collections::BTreeMap;

use crate::label::{Label, unquote};
use crate::lines::Line;
use crate::mark::{Mark, Section as Kind};
use crate::out::Out;
use crate::path;
use crate::prose::Prose;
use crate::room::{Last, Step};
use crate::{Operation, Warning, WarningCode};

/// A section that is open.
#[derive(Debug)]
pub(crate) struct Section {
    kind: Kind,
    /// The line of the heading, one-based.
    line: usize,
    pending: Vec<Pending>,
    /// The paths that were named, each with its destination.
    seen: BTreeMap<String, String>,
    /// How many operations stand before the first line of prose behind one.
    before_prose: Option<usize>,
    /// The last dashed line, if it can be a label, and how many operations stand before it.
    label: Option<(Label, usize)>,
    /// What is wrong with that line, if it is no label.
    unread: Option<Warning>,
}

/// An operation that was read.
#[derive(Debug)]
struct Pending {
    operation: Operation,
    /// What was taken for a comment behind its path.
    comment: Option<String>,
    /// Whether its line may be cut: it is the reply's last, and nothing shows that it is complete.
    cut: bool,
}

impl Section {
    /// Begins behind a heading on line `line`, one-based.
    pub(crate) fn new(kind: Kind, line: usize) -> Self {
        Self { kind, line, pending: Vec::new(), seen: BTreeMap::new(), before_prose: None, label: None, unread: None }
    }

    pub(crate) fn read(&mut self, line: &Line<'_>, prose: &mut Prose, out: &mut Out) -> Step {
        let text = line.trimmed();
        match Mark::of(text) {
            Mark::SectionEnd => {
                prose.note(line);
                self.commit(out);
                return Step::Leave;
            }
            Mark::Open(tag) => {
                let label = self
                    .label
                    .take()
                    .filter(|(label, _)| tag.path.is_none_or(|path| path::are_related(&label.path, path)));
                if let Some((label, before)) = label {
                    self.pending.truncate(before);
                    self.unread = None;
                    prose.set_label(Some(label));
                }
                self.end(line.number, out);
                return Step::Reread;
            }
            Mark::Heading(_) | Mark::Search | Mark::Patch => {
                if let Some((label, before)) = self.label.take().filter(|_| Mark::of(text) == Mark::Search) {
                    self.pending.truncate(before);
                    self.unread = None;
                    prose.set_label(Some(label));
                }
                self.end(line.number, out);
                return Step::Reread;
            }
            Mark::Fence(fence) => {
                prose.see_fence(fence);
            }
            _ if text.is_empty() => {}
            _ => self.item(text, line, prose, out),
        }
        prose.note(line);
        Step::Stay
    }

    pub(crate) fn finish(mut self, last: Last, out: &mut Out) {
        if let Some(cut) = self.pending.pop_if(|pending| pending.cut) {
            let detail = format!("the reply ends in this line, which may be cut: `{}` is left out", cut.operation);
            out.warn(last.number, WarningCode::Truncated, detail, None);
        }
        let detail = "the reply ends in this section, which may be cut";
        out.warn(last.number, WarningCode::SectionAtEnd, detail, None);
        self.end(last.number, out);
    }

    /// Reads a line that is not blank.
    fn item(&mut self, text: &str, line: &Line<'_>, prose: &Prose, out: &mut Out) {
        self.tell_unread(out);
        let Some(item) = text.strip_prefix('-') else {
            if is_list_item(text) {
                self.set_unread(text, line);
            } else {
                out.warn(line.number, WarningCode::TextInSection, "a line of prose among file operations", None);
                if !self.pending.is_empty() {
                    self.before_prose.get_or_insert(self.pending.len());
                }
            }
            return;
        };
        let label = Label::of(line, prose.end()).map(|label| (label, self.pending.len()));
        self.label = label;
        if line.lossy {
            self.set_unread(text, line);
            return;
        }
        let (first, second) = match self.kind {
            Kind::Move => {
                let Some((from, to)) = move_ends(item) else {
                    self.set_unread(text, line);
                    return;
                };
                (from, Some(to))
            }
            Kind::Remove | Kind::Reset => (item, None),
        };
        let (path, comment) = read_path(first);
        let (to, note) = second.map_or((Some(""), None), |second| {
            let (to, note) = read_path(second);
            (Some(to).filter(|to| !to.is_empty()), note)
        });
        let Some(to) = to.filter(|_| !path.is_empty()) else {
            out.warn(line.number, WarningCode::EmptyPath, "a file operation without a path is left out", None);
            return;
        };
        if let Some(before) = self.seen.get(path) {
            if before != to {
                let detail = format!("`{path}` is moved to `{before}` before in this section; `{to}` is left out");
                out.warn(line.number, WarningCode::UnreadOperation, detail, None);
                return;
            }
            let detail = format!("`{path}` is named before in this section; the first counts");
            out.warn(line.number, WarningCode::DuplicateOperation, detail, None);
            return;
        }
        self.seen.insert(path.to_owned(), to.to_owned());
        let (path, number, span) = (path.to_owned(), line.number, line.bytes());
        let operation = match self.kind {
            Kind::Move => Operation::Move { from: path, to: to.to_owned(), line: number, span },
            Kind::Remove => Operation::Remove { path, line: number, span },
            Kind::Reset => Operation::Reset { path, line: number, span },
        };
        let whole = item.trim().len() > 1 && text.ends_with('`') && text.matches('`').count().is_multiple_of(2);
        let cut = !(line.ended || whole);
        self.pending.push(Pending { operation, comment: comment.or(note).map(str::to_owned), cut });
    }

    /// Ends the section without its end tag, before line `line`, one-based.
    fn end(&mut self, line: usize, out: &mut Out) {
        let detail = format!("the file operations of line {} have no `<EndPlandexFileOps/>`", self.line);
        out.warn(line, WarningCode::ImplicitSectionEnd, detail, None);
        let doubtful = self.pending.split_off(self.before_prose.unwrap_or(self.pending.len()).min(self.pending.len()));
        self.commit(out);
        for pending in doubtful {
            let detail =
                format!("`{}` stands behind prose in a section without an end, and is left out", pending.operation);
            out.warn(pending.operation.line(), WarningCode::UnreadOperation, detail, None);
        }
    }

    fn commit(&mut self, out: &mut Out) {
        self.tell_unread(out);
        for Pending { operation, comment, .. } in self.pending.drain(..) {
            let line = operation.line();
            let index = out.operation(operation);
            if let Some(comment) = comment {
                let detail = format!("`{comment}` is taken for a comment, not for a part of the path");
                out.warn(line, WarningCode::CommentAfterPath, detail, Some(index));
            }
        }
    }

    /// Forgets the last dashed line: it was no label.
    fn tell_unread(&mut self, out: &mut Out) {
        self.label = None;
        if let Some(Warning { line, code, detail, operation }) = self.unread.take() {
            out.warn(line, code, detail, operation);
        }
    }

    /// Notes that a line is no operation; it may still be a label.
    fn set_unread(&mut self, text: &str, line: &Line<'_>) {
        let wanted = match self.kind {
            Kind::Move => "- `from` → `to`",
            Kind::Remove | Kind::Reset => "- `path`",
        };
        let shown: String = text.chars().take(MOST_SHOWN).collect();
        let detail = format!("`{shown}` is not read; the form is {wanted}");
        self.unread = Some(Warning { line: line.number, code: WarningCode::UnreadOperation, detail, operation: None });
    }
}

/// How many characters of a line a warning shows.
const MOST_SHOWN: usize = 80;

/// Gives the two sides of a move's one arrow. An arrow of ASCII signs may be a part of a name, so it counts between quoted paths alone.
fn move_ends(item: &str) -> Option<(&str, &str)> {
    let (from, to) = match item.split_once('→') {
        Some(ends) => ends,
        None => ["->", "=>"].iter().find_map(|arrow| item.split_once(arrow)).filter(|(from, to)| {
            let is_quoted = |text: &str| text.len() > 2 && text.starts_with('`') && text.ends_with('`');
            is_quoted(from.trim()) && is_quoted(to.trim())
        })?,
    };
    (!to.contains('→')).then_some((from, to))
}

/// Says whether a line is an item of another kind of list, and so probably meant as an operation.
fn is_list_item(text: &str) -> bool {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    text.starts_with(['*', '+', '•']) || digits > 0 && text[digits..].starts_with(['.', ')'])
}

/// Gives the path of an operation, and what stands behind it.
///
/// A quoted path ends at its quote. An unquoted one ends before a note in brackets, unless that is a mere number, as in the names that
/// copies of files get.
fn read_path(text: &str) -> (&str, Option<&str>) {
    let text = unquote(text.trim());
    if let Some(quote) = text.chars().next().filter(|&c| matches!(c, '`' | '"' | '\'')) {
        let (path, behind) = text[1..].split_once(quote).unwrap_or((&text[1..], ""));
        let behind = behind.trim();
        return (path.trim(), Some(behind).filter(|behind| !behind.is_empty()));
    }
    if let Some((path, note)) = text.split_once(" (")
        && let Some(note) = note.strip_suffix(')')
        && !note.bytes().all(|byte| byte.is_ascii_digit())
    {
        return (path.trim(), Some(note));
    }
    (text, None)
}

#[cfg(test)]
mod tests {
    use super::read_path;

    #[test]
    fn paths_of_operations() {
        for (text, path, comment) in [
            (" `a.go`", "a.go", None),
            ("\"a b.go\"", "a b.go", None),
            ("'a.go'", "a.go", None),
            ("**`a.go`**", "a.go", None),
            ("`a.go` (unused)", "a.go", Some("(unused)")),
            ("a.go (unused)", "a.go", Some("unused")),
            ("photo (1)", "photo (1)", None),
            ("x y.go", "x y.go", None),
            ("``", "", None),
            ("`", "", None),
            ("`a.go", "a.go", None),
            ("", "", None),
        ] {
            assert_eq!(read_path(text), (path, comment), "{text}");
        }
    }
}
