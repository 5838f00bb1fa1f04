//! A code fence that names a file.
//!
//! What it is shows at its first line that is not blank. A tag, a search/replace block or a patch there means that the fence only
//! stands around it, as models like to do: then the fence is prose, and its path is the label of what it holds.

use crate::draft::Draft;
use crate::label::Label;
use crate::lines::{Held, Line};
use crate::mark::{Depth, Fence, Mark};
use crate::out::Out;
use crate::path;
use crate::prose::Prose;
use crate::room::{Last, Step};
use crate::{Form, Span};

/// How many blank lines a fence may begin with before it is taken for a file. More would only be held for nothing.
const MOST_BLANK: usize = 16;

/// A code fence that is open.
#[derive(Debug)]
pub(crate) struct Fenced {
    depth: Depth,
    /// What stands before the fence on its line, and is taken off the lines below.
    indent: String,
    language: Option<String>,
    state: State,
}

#[derive(Debug)]
enum State {
    /// The opening line, and the blank ones below.
    Opening {
        label: Label,
        line: usize,
        open: Span,
        held: Held,
    },
    Body(Draft),
}

impl Fenced {
    /// Begins with the line of the fence.
    pub(crate) fn new(fence: Fence<'_>, language: Option<&str>, label: Label, line: &Line<'_>) -> Self {
        let mut held = Held::default();
        held.push(line);
        Self {
            depth: Depth::new(fence),
            indent: line.text[..line.lead()].to_owned(),
            language: language.map(str::to_owned),
            state: State::Opening { label, line: line.number, open: line.span, held },
        }
    }

    pub(crate) fn path(&self) -> &str {
        match &self.state {
            State::Opening { label, .. } => &label.path,
            State::Body(draft) => &draft.block.path,
        }
    }

    pub(crate) fn read(&mut self, line: &Line<'_>, prose: &mut Prose, out: &mut Out) -> Step {
        let text = line.trimmed();
        if let State::Opening { label, held, .. } = &mut self.state {
            if text.is_empty() && held.len() <= MOST_BLANK {
                held.push(line);
                return Step::Stay;
            }
            if matches!(Mark::of(text), Mark::Open(_) | Mark::Search | Mark::Patch) {
                prose.set_quote(self.depth, held);
                prose.set_label(Some(label.clone()));
                return Step::Reread;
            }
        }
        self.begin(prose, out);
        let State::Body(draft) = &mut self.state else { return Step::Stay };
        if !Fence::of(text).is_some_and(|fence| self.depth.closes(fence)) {
            draft.push(dedent(line.text, &self.indent), line);
            return Step::Stay;
        }
        let is_markdown = path::is_markdown(&draft.block.path, draft.block.language.as_deref());
        let opened = draft.block.line;
        let index = draft.take().close(line.bytes(), out);
        prose.fence_closed(index, opened, out);
        prose.file_closed(index, self.depth, is_markdown);
        Step::Leave
    }

    pub(crate) fn finish(mut self, last: Last, prose: &mut Prose, out: &mut Out) {
        self.begin(prose, out);
        if let State::Body(draft) = self.state {
            draft.truncate(last, out);
        }
    }

    /// Begins the block, if it hasn't.
    fn begin(&mut self, prose: &mut Prose, out: &mut Out) {
        if let State::Opening { label, line, open, held } = &self.state {
            let mut draft = prose.draft(label.path.clone(), Form::Fence, Some(label), *line, *open);
            draft.block.language = self.language.take();
            draft.announce(out);
            for line in held.iter().skip(1) {
                draft.push(dedent(line.text, &self.indent), &line);
            }
            self.state = State::Body(draft);
        }
    }
}

/// Takes the indentation of a fence off a line, as far as the line has it.
pub(crate) fn dedent<'a>(text: &'a str, indent: &str) -> &'a str {
    let common: usize = text.chars().zip(indent.chars()).take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum();
    &text[common..]
}
