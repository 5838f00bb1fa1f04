//! A search/replace block. Its content is the text with its markers; several for one path go one after the other.

use crate::draft::Draft;
use crate::lines::Line;
use crate::mark;
use crate::out::Out;
use crate::prose::Prose;
use crate::room::fenced::dedent;
use crate::room::{Last, Step};

/// A search/replace block that is open.
#[derive(Debug)]
pub(crate) struct Search {
    draft: Draft,
    /// The operation that it goes on with, if it is not the first for its path.
    more: Option<usize>,
    /// What stands before the first marker. A marker that is indented otherwise is content.
    indent: String,
}

impl Search {
    /// Begins with the line of the first marker.
    pub(crate) fn new(mut draft: Draft, more: Option<usize>, line: &Line<'_>) -> Self {
        let indent = line.text[..line.lead()].to_owned();
        draft.push(&line.text[line.lead()..], line);
        Self { draft, more, indent }
    }

    pub(crate) fn path(&self) -> &str {
        &self.draft.block.path
    }

    pub(crate) fn read(&mut self, line: &Line<'_>, prose: &mut Prose, out: &mut Out) -> Step {
        let end = mark::is_replace(line.trimmed()) && line.text[..line.lead()] == self.indent;
        if !end {
            self.draft.push(dedent(line.text, &self.indent), line);
            return Step::Stay;
        }
        // The marker is complete, also at the end of the reply without a line feed.
        self.draft.push(dedent(line.text, &self.indent), &Line { ended: true, ..*line });
        let draft = self.draft.take();
        if draft.block.path.is_empty() {
            draft.give_up(out);
            return Step::Leave;
        }
        let path = draft.block.path.clone();
        let index = match self.more {
            Some(index) => draft.extend(index, line.bytes(), out),
            None => draft.close(line.bytes(), out),
        };
        prose.search_closed(index, path);
        Step::Leave
    }

    pub(crate) fn finish(self, last: Last, out: &mut Out) {
        self.draft.truncate(last, out);
    }
}
