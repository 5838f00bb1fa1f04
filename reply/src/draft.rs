//! A file block while it comes in.

use crate::lines::Line;
use crate::out::Out;
use crate::room::Last;
use crate::{Event, FileBlock, Form, OpenOperation, Parts, Span, Warning, WarningCode};

/// A file block whose end has not come.
#[derive(Debug)]
pub(crate) struct Draft {
    pub(crate) block: FileBlock,
    /// What is wrong with it; told when it is complete, so that it can be told which operation it is about.
    warnings: Vec<Warning>,
}

impl Draft {
    /// Begins a block behind its opening line.
    pub(crate) fn new(path: String, form: Form, line: usize, open: Span) -> Self {
        let parts =
            Parts { label: None, open, body: Span::new(open.end, open.end), close: Span::new(open.end, open.end) };
        let (content, description) = (String::new(), String::new());
        let block = FileBlock { path, content, description, language: None, form, same_path_as: None, line, parts };
        Self { block, warnings: Vec::new() }
    }

    /// Adds a line to the content. A last line that may be cut gets no line feed.
    pub(crate) fn push(&mut self, text: &str, line: &Line<'_>) {
        self.block.content.push_str(text);
        if line.ended {
            self.block.content.push('\n');
        }
        if line.lossy {
            self.warn_once(
                line.number,
                WarningCode::InvalidUtf8,
                "the line is not UTF-8; the bytes that are not became U+FFFD",
            );
        }
    }

    /// Notes what is wrong with the block; of each kind the first time.
    pub(crate) fn warn_once(&mut self, line: usize, code: WarningCode, detail: &str) {
        if self.warnings.iter().all(|warning| warning.code != code) {
            self.warnings.push(Warning { line, code, detail: detail.to_owned(), operation: None });
        }
    }

    /// Says that the block has begun.
    pub(crate) fn announce(&self, out: &mut Out) {
        out.opened(&self.block.path, self.block.language.as_deref(), self.block.form, self.block.line);
    }

    /// Completes the block; gives the index of the operation.
    pub(crate) fn close(mut self, close: Span, out: &mut Out) -> usize {
        // Where a line is not UTF-8 its parts are not told apart, so that the close may seem to begin before the body.
        let start = self.block.parts.body.start;
        let close = Span::new(close.start.max(start), close.end.max(start));
        self.block.parts.body.end = close.start;
        self.block.parts.close = close;
        let index = out.file(self.block);
        tell(self.warnings, Some(index), out);
        index
    }

    /// Lets an operation go on with this block's content.
    pub(crate) fn extend(self, index: usize, close: Span, out: &mut Out) -> usize {
        out.extended(index, self.block.content, close);
        tell(self.warnings, Some(index), out);
        index
    }

    /// Takes the block out of its place, which is not used any more.
    pub(crate) fn take(&mut self) -> Self {
        std::mem::replace(self, Self::new(String::new(), self.block.form, 0, Span::default()))
    }

    /// Tells what is wrong with a block that is no operation.
    pub(crate) fn give_up(self, out: &mut Out) {
        tell(self.warnings, None, out);
    }

    /// Ends the reply inside of the block.
    pub(crate) fn truncate(mut self, last: Last, out: &mut Out) {
        self.block.parts.body.end = last.end.max(self.block.parts.body.start);
        self.block.parts.close = Span::new(self.block.parts.body.end, self.block.parts.body.end);
        self.block.same_path_as = out.latest(&self.block.path);
        tell(self.warnings, None, out);
        let detail = format!("the reply ends inside of the block for `{}`", self.block.path);
        out.warn(last.number, WarningCode::Truncated, detail, None);
        out.events.push(Event::Truncated(OpenOperation { block: self.block }));
    }
}

fn tell(warnings: Vec<Warning>, operation: Option<usize>, out: &mut Out) {
    for Warning { line, code, detail, .. } in warnings {
        out.warn(line, code, detail, operation);
    }
}
