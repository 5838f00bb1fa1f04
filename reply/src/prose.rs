//! What stands between blocks: it is the next block's description, it may name the next block's file, and in it the next block
//! begins.

use crate::draft::Draft;
use crate::info::Info;
use crate::label::{Label, LabelKind};
use crate::lines::{Held, Line};
use crate::mark::{Depth, Fence, Mark, Quote, Section as Kind};
use crate::out::Out;
use crate::path;
use crate::room::{Block, Diff, Fenced, Patch, Room, Search, Section};
use crate::tag::{Closing, Tag};
use crate::unread::Unread;
use crate::{Form, Span, WarningCode};

/// How much prose is kept for a description, in bytes; of more the oldest lines are dropped, and a close that lies further back is
/// final. If it were much larger, a reply of prose alone would fill the memory; if it were much smaller, long explanations would be
/// cut.
const MOST_PROSE: usize = 64 * 1024;

/// The prose since the last block, and what is known from it.
#[derive(Debug, Default)]
pub(crate) struct Prose {
    text: String,
    /// Where in it the description of the next block begins, in bytes.
    described_from: usize,
    label: Option<Label>,
    /// The code fence around the prose, if it stands in one that names no file.
    quote: Quote,
    /// Where in the text that fence begins, in bytes; `None` if a block has begun in it.
    quote_at: Option<usize>,
    /// The line that it begins on, one-based.
    quote_line: usize,
    growing: Option<Growing>,
    /// The latest fenced file: a bare fence behind it may be one of its own.
    fenced_file: Option<FencedFile>,
    unread: Unread,
    /// Whether the reply has had a tagged block.
    tagged: bool,
    /// The operations of code fences so far, while there is no tagged block.
    fenced: Vec<usize>,
}

/// The last operation, while it may go on.
#[derive(Debug)]
enum Growing {
    /// A tagged block: its close may turn out to be content.
    Block { index: usize, close: String, quote: Quote, told: bool },
    /// Search/replace blocks: more of them may follow for the same file.
    Search { index: usize, path: String },
}

/// A fenced file that is complete.
#[derive(Clone, Copy, Debug)]
struct FencedFile {
    index: usize,
    depth: Depth,
    is_markdown: bool,
}

/// What comes after a line of prose.
pub(crate) enum Next {
    /// More prose.
    Prose,
    /// A block or section.
    Room(Room),
    /// A block whose first line is the rest of this one, from this byte of its text on.
    RoomWithRest(Room, usize),
}

impl Prose {
    /// Reads a line.
    pub(crate) fn read(&mut self, line: &Line<'_>, out: &mut Out) -> Next {
        let text = line.trimmed();
        if line.lossy {
            out.warn(
                line.number,
                WarningCode::InvalidUtf8,
                "the line is not UTF-8; the bytes that are not became U+FFFD",
                None,
            );
        }
        match Mark::of(text) {
            Mark::Open(tag) => return self.open(&tag, line, out),
            Mark::Heading(kind) => return self.section(kind, line, out),
            Mark::Fence(fence) => return self.fence(fence, line, out),
            Mark::Search => return self.search(line, out),
            Mark::Patch => {
                self.growing = None;
                self.unread.clear(self.quote_line, self.quote.is_open());
                return Next::Room(Room::Patch(Patch::new(line)));
            }
            Mark::Close(close) => self.close_again(close, line, out),
            Mark::SectionEnd => {
                let detail = "an end of file operations, and no such section is open";
                out.warn(line.number, WarningCode::StraySectionEnd, detail, None);
                self.note(line);
            }
            Mark::Unfinished => {
                let detail = "an opening tag without its end on the line is read as prose";
                out.warn(line.number, WarningCode::UnfinishedTag, detail, None);
                self.label = None;
                self.note(line);
            }
            Mark::Text => {
                self.unread.see(text, line.number, self.quote.is_open(), out);
                self.see_label(line, text);
                self.note(line);
            }
        }
        Next::Prose
    }

    /// Ends the reply. Tagged blocks are read in code fences too, so that in a reply of those an open fence loses nothing.
    pub(crate) fn finish(&self, out: &mut Out) {
        if !self.tagged {
            self.unread.finish(out);
        }
        if self.is_quoted() && !self.tagged {
            let detail = "the code fence is not closed: what follows it was read as its text";
            out.warn(self.quote_line, WarningCode::UnclosedFence, detail, None);
        }
    }

    /// Adds a line to the prose, whatever it is.
    pub(crate) fn note(&mut self, line: &Line<'_>) {
        self.text.push_str(line.text);
        self.text.push('\n');
        if self.text.len() > 2 * MOST_PROSE {
            let cut = memchr::memchr(b'\n', &self.text.as_bytes()[self.text.len() - MOST_PROSE..])
                .map_or(self.text.len(), |at| self.text.len() - MOST_PROSE + at + 1);
            self.text.drain(..cut);
            self.described_from = self.described_from.saturating_sub(cut);
            self.quote_at = self.quote_at.and_then(|at| at.checked_sub(cut));
            self.label = self.label.take().and_then(|label| Some(Label { at: label.at.checked_sub(cut)?, ..label }));
            if let Some(Growing::Block { .. }) = self.growing {
                self.growing = None;
            }
        }
    }

    /// Gives the path that the last line may have named.
    pub(crate) fn suspected(&self) -> Option<&str> {
        self.label
            .as_ref()
            .filter(|label| !matches!(label.kind, LabelKind::Bare { .. }))
            .map(|label| label.path.as_str())
    }

    /// Begins a file block; the prose so far, up to its label, describes it.
    pub(crate) fn draft(&mut self, path: String, form: Form, label: Option<&Label>, line: usize, open: Span) -> Draft {
        let mut draft = Draft::new(path, form, line, open);
        let mut end = label.map_or(self.text.len(), |label| label.at.min(self.text.len()));
        // A code fence that merely stands around the block is no description.
        if let Some(at) = self.quote_at.filter(|&at| at <= end && self.text[at..end].lines().nth(1).is_none()) {
            end = at;
        }
        self.text[self.described_from.min(end)..end].trim().clone_into(&mut draft.block.description);
        draft.block.parts.label = label.map(|label| label.span).filter(|span| span.start < open.start);
        self.clear();
        self.growing = None;
        draft
    }

    /// Takes a line that was read as something else for a label.
    pub(crate) fn set_label(&mut self, label: Option<Label>) {
        self.label = label;
    }

    /// Gives where the next line begins in the collected prose, in bytes.
    pub(crate) fn end(&self) -> usize {
        self.text.len()
    }

    /// Reads lines that began a fenced file as prose in a code fence.
    pub(crate) fn set_quote(&mut self, depth: Depth, lines: &Held) {
        self.quote.open(depth);
        self.quote_at = Some(self.text.len());
        self.quote_line = lines.iter().next().map_or(0, |line| line.number);
        lines.iter().for_each(|line| self.note(&line));
    }

    /// Says whether the prose stands in a code fence.
    pub(crate) fn is_quoted(&self) -> bool {
        self.quote.is_open()
    }

    /// Says whether a fence line would close the code fence around the prose.
    pub(crate) fn is_unquoted_by(&self, fence: Fence<'_>) -> bool {
        self.quote.is_closed_by(fence)
    }

    /// Goes on by a fence line; says whether it closes the code fence around.
    pub(crate) fn see_fence(&mut self, fence: Fence<'_>) -> bool {
        self.quote.see(fence)
    }

    /// Says that a tagged block is complete, and what its close looks like.
    pub(crate) fn block_closed(&mut self, index: usize, close: &str) {
        self.growing = Some(Growing::Block { index, close: close.to_owned(), quote: self.quote, told: false });
    }

    /// Says that search/replace blocks are complete.
    pub(crate) fn search_closed(&mut self, index: usize, path: String) {
        self.clear();
        self.growing = Some(Growing::Search { index, path });
    }

    /// Says that a fenced file is complete, and what the fences in it can look like.
    pub(crate) fn file_closed(&mut self, index: usize, depth: Depth, is_markdown: bool) {
        self.fenced_file = Some(FencedFile { index, depth, is_markdown });
    }

    /// Says that an operation of the code fence on line `line`, one-based, is complete.
    pub(crate) fn fence_closed(&mut self, index: usize, line: usize, out: &mut Out) {
        if self.tagged {
            warn_mixed(line, index, out);
        } else {
            self.fenced.push(index);
        }
    }

    /// Forgets the prose: what comes describes the next block.
    fn clear(&mut self) {
        self.text.clear();
        self.described_from = 0;
        self.quote_at = None;
        self.label = None;
        self.unread.clear(self.quote_line, self.quote.is_open());
    }

    fn see_label(&mut self, line: &Line<'_>, text: &str) {
        if text.is_empty() {
            if let Some(label) = &mut self.label {
                label.touches = false;
            }
        } else {
            self.label = Label::of(line, self.text.len());
        }
    }

    fn open(&mut self, tag: &Tag<'_>, line: &Line<'_>, out: &mut Out) -> Next {
        if !self.tagged {
            self.tagged = true;
            for index in std::mem::take(&mut self.fenced) {
                warn_mixed(line.number, index, out);
            }
        }
        let label = self.label.take();
        let choice = choose(label, tag.path, out);
        // What stands behind the tag is the first line of the body, if it is anything.
        let end = line.lead() + tag.end;
        let rest = line.rest(end);
        let open = if line.lossy || rest.text.trim().is_empty() {
            line.span
        } else {
            Span::new(line.span.start, rest.span.start)
        };
        let mut draft = self.draft(choice.path, Form::Block, choice.label.as_ref(), line.number, open);
        draft.block.language = tag.language.map(str::to_owned);
        if let Some((code, detail)) = choice.warning {
            let at = choice.line.unwrap_or(line.number);
            draft.warn_once(at, code, &detail);
        }
        if !tag.plain {
            let detail = "the tag is not written as it should be: `<PlandexBlock lang=\"…\" path=\"…\">`";
            draft.warn_once(line.number, WarningCode::TagForm, detail);
        }
        if self.is_quoted() {
            draft.warn_once(
                line.number,
                WarningCode::BlockInFence,
                "the block stands in a code fence, and may be an example",
            );
        }
        if draft.block.path.is_empty() {
            draft.warn_once(
                line.number,
                WarningCode::BlockWithoutPath,
                "neither the tag nor a label names a file; the block is skipped",
            );
        } else {
            draft.announce(out);
        }
        if rest.text.trim().is_empty() {
            return Next::Room(Room::Block(Block::new(draft, tag.id)));
        }
        draft.warn_once(
            line.number,
            WarningCode::TextAfterTag,
            "what stands behind the opening tag is the first line of the file",
        );
        Next::RoomWithRest(Room::Block(Block::new(draft, tag.id)), end)
    }

    fn section(&mut self, kind: Kind, line: &Line<'_>, out: &mut Out) -> Next {
        if self.is_quoted() {
            let detail = "the file operations stand in a code fence, and may be an example";
            out.warn(line.number, WarningCode::BlockInFence, detail, None);
        }
        self.growing = None;
        self.label = None;
        self.unread.clear(self.quote_line, self.quote.is_open());
        self.note(line);
        Next::Room(Room::Section(Section::new(kind, line.number)))
    }

    fn search(&mut self, line: &Line<'_>, out: &mut Out) -> Next {
        let label =
            self.label.take().filter(|label| path::is_file_like(&label.path) || out.known.contains(&label.path));
        let search = match (label, self.growing.take()) {
            (Some(label), _) => {
                let draft = self.draft(label.path.clone(), Form::SearchReplace, Some(&label), line.number, line.span);
                draft.announce(out);
                Search::new(draft, None, line)
            }
            (None, Some(Growing::Search { index, path })) => {
                Search::new(Draft::new(path, Form::SearchReplace, line.number, line.span), Some(index), line)
            }
            (None, _) => {
                let mut draft = self.draft(String::new(), Form::SearchReplace, None, line.number, line.span);
                let detail = "no line above names the file of this search/replace block; it is skipped";
                draft.warn_once(line.number, WarningCode::BlockWithoutPath, detail);
                Search::new(draft, None, line)
            }
        };
        Next::Room(Room::Search(search))
    }

    fn fence(&mut self, fence: Fence<'_>, line: &Line<'_>, out: &mut Out) -> Next {
        if self.is_quoted() {
            let names = Info::of(fence.info).path.is_some()
                || self.label.as_ref().is_some_and(|label| self.names_fence(label, out));
            if names && !fence.info.is_empty() {
                let detail = "a code fence that names a file stands inside of another one, and is read as its text";
                out.warn(line.number, WarningCode::FenceInFence, detail, None);
            }
            let around_block = self.quote_at.is_none();
            let closed = self.see_fence(fence);
            self.note(line);
            if closed {
                self.label = None;
                if around_block {
                    self.described_from = self.text.len();
                }
            }
            return Next::Prose;
        }
        let info = Info::of(fence.info);
        let label = match info.path {
            Some(path) => Some(Label {
                path: path.to_owned(),
                kind: LabelKind::Marked { strong: true },
                line: line.number,
                span: line.span,
                at: self.text.len(),
                touches: true,
            }),
            None => self.label.clone().filter(|label| self.names_fence(label, out)),
        };
        if info.is_diff() {
            return Next::Room(Room::Diff(Diff::new(fence, label, self.unread.path(), line)));
        }
        if let Some(label) = label {
            if info.path.is_some() || !info.is_transcript_beside(&label.path) {
                return Next::Room(Room::Fenced(Fenced::new(fence, info.language, label, line)));
            }
            let detail = format!("a fence of `{}` below `{}` is taken for an illustration", fence.info, label.path);
            out.warn(line.number, WarningCode::FenceLanguage, detail, None);
        }
        if let Some(FencedFile { index, mut depth, is_markdown }) = self.fenced_file
            && depth.closes(fence)
            && (is_markdown || self.may_be_cut())
        {
            self.fenced_file = None;
            let detail =
                "a bare fence behind a fenced file: it may be one of the file's, and the file may have been cut";
            out.warn(line.number, WarningCode::FenceInFence, detail, Some(index));
        }
        // A citation of lines is an illustration by itself.
        let cites = info.language.is_none() && !fence.info.is_empty();
        let label = self.label.as_ref().map(|label| label.path.as_str());
        let label = label.filter(|path| path::is_file_like(path) || out.known.contains(*path));
        if let Some(path) = label.or(self.unread.path())
            && !cites
            && !info.is_transcript_beside(path)
        {
            let path = path.to_owned();
            self.unread.note_fence(line.number, path);
        }
        self.quote.see(fence);
        self.quote_at = Some(self.text.len());
        self.quote_line = line.number;
        self.note(line);
        Next::Prose
    }

    /// Says whether the text since the last file reads as if it were still the file's. Prose stands apart from the fence before it, and
    /// announces the next one.
    fn may_be_cut(&self) -> bool {
        let text = &self.text[self.described_from.min(self.text.len())..];
        let apart = text.lines().next().is_none_or(|line| line.trim().is_empty());
        let announces = text.trim_end().trim_end_matches(['*', '_']).ends_with(':');
        !(text.trim().is_empty() || apart && announces)
    }

    /// Says whether a label names the file of the fence that follows.
    ///
    /// In replies with tagged blocks a path without dash and colon is how an illustration is announced.
    fn names_fence(&self, label: &Label, out: &Out) -> bool {
        let near = match label.kind {
            LabelKind::Marked { strong } => strong || label.touches,
            LabelKind::Bare { strong } => (strong || label.touches) && !self.tagged,
        };
        near && (path::is_file_like(&label.path) || out.known.contains(&label.path))
    }

    /// Reads a closing tag while no block is open.
    ///
    /// If there is text since the close of the last block, all of it belongs to that block: of several closes the last one before the
    /// next block is the true one. A second close right behind the first is a slip.
    fn close_again(&mut self, close: Closing<'_>, line: &Line<'_>, out: &mut Out) {
        let blank = self.text.trim().is_empty();
        if !blank
            && close.id.is_none()
            && let Some(Growing::Block { index, close: before, quote, told }) = &mut self.growing
        {
            let mut content = std::mem::replace(before, line.text.to_owned());
            content.push('\n');
            content.push_str(&self.text);
            self.quote = *quote;
            let (index, first) = (*index, !std::mem::replace(told, true));
            self.clear();
            out.extended(index, content, line.bytes());
            if first {
                let detail =
                    "the block has a closing tag on a line of its own before this one, which is taken for the true one";
                out.warn(line.number, WarningCode::CloseInBody, detail, Some(index));
            }
            return;
        }
        let index = match &self.growing {
            Some(Growing::Block { index, .. }) => Some(*index),
            _ => None,
        };
        out.warn(line.number, WarningCode::StrayClose, "a closing tag, and no block is open", index);
        self.note(line);
    }
}

fn warn_mixed(line: usize, index: usize, out: &mut Out) {
    let detail = "the reply writes files in tags, and this one in a code fence: it may be an illustration";
    out.warn(line, WarningCode::MixedForms, detail, Some(index));
}

/// Which of its names a tagged block goes by.
struct Choice {
    path: String,
    /// The label, if it is one.
    label: Option<Label>,
    /// The line of a label that is not taken, one-based.
    line: Option<usize>,
    warning: Option<(WarningCode, String)>,
}

/// Takes the label's path if it is one, else the tag's.
fn choose(label: Option<Label>, path: Option<&str>, out: &Out) -> Choice {
    let Some(path) = path else {
        let sentence = label.as_ref().is_some_and(|label| {
            let unlikely = label.path.ends_with('.') || label.path.contains(' ') && !path::has_extension(&label.path);
            unlikely && !out.known.contains(&label.path)
        });
        let path = label.as_ref().map(|label| label.path.clone()).unwrap_or_default();
        let warning = sentence
            .then(|| (WarningCode::LabelUnlikely, format!("`{path}` does not look like a path, and the tag has none")));
        return Choice { line: label.as_ref().map(|label| label.line), path, label, warning };
    };
    // A bare path is no label beside a tag that has its own.
    let Some(label) = label.filter(|label| !matches!(label.kind, LabelKind::Bare { .. }) || label.path == path) else {
        return Choice { path: path.to_owned(), label: None, line: None, warning: None };
    };
    let known = out.known.contains(&label.path);
    let related = path::are_related(&label.path, path);
    if !(known || related || path::is_file_like(&label.path)) {
        let detail = format!("`{}` above the tag is no path; `{path}` of the tag is taken", label.path);
        return Choice {
            path: path.to_owned(),
            label: None,
            line: Some(label.line),
            warning: Some((WarningCode::LabelMismatch, detail)),
        };
    }
    // A tag that says more than its label, or something else, makes the label doubtful.
    let conflict = !(known || related && label.path.len() >= path.len());
    let detail = || format!("the label says `{}` and the tag `{path}`; the label is taken", label.path);
    let warning = conflict.then(|| (WarningCode::LabelConflict, detail()));
    Choice { path: label.path.clone(), line: Some(label.line), label: Some(label), warning }
}
