//! A tagged block: `<PlandexBlock lang="…" path="…">` to `</PlandexBlock>`.
//!
//! # The close
//!
//! A closing tag that stands alone on its line closes the block; the body is opaque until then. Should another one follow before the
//! next block or section, then the first was content (`Prose::close_again`).
//!
//! A closing tag at an end of a line with other text may be content or a close without its line feed. It is kept in mind: if a true
//! close follows, it was content; if the next opening tag or the end of the reply comes first, the block ended there, and the
//! lines since are read again, as prose. Of several the last one counts.
//!
//! A tag with an `id` is closed by a closing tag with the same id, and by nothing else that follows it.

use crate::draft::Draft;
use crate::lines::{Held, Line};
use crate::mark::{Depth, Fence, Mark};
use crate::out::Out;
use crate::path;
use crate::prose::Prose;
use crate::room::{Last, Step};
use crate::tag;
use crate::{Span, WarningCode};

/// A tagged block that is open.
#[derive(Debug)]
pub(crate) struct Block {
    draft: Draft,
    id: Option<String>,
    /// A close that may be content.
    maybe: Option<Maybe>,
    /// The lines from that close on.
    held: Held,
}

/// A closing tag that shares its line, or has another id than the block.
#[derive(Debug)]
struct Maybe {
    /// What stands before it.
    before: String,
    /// Where it ends in the line's text, in bytes.
    after: usize,
    tag: Span,
    line: usize,
}

impl Block {
    /// Begins a block with an opening tag.
    pub(crate) fn new(draft: Draft, id: Option<&str>) -> Self {
        Self { draft, id: id.map(str::to_owned), maybe: None, held: Held::default() }
    }

    pub(crate) fn path(&self) -> &str {
        &self.draft.block.path
    }

    pub(crate) fn read(&mut self, line: &Line<'_>, prose: &mut Prose, out: &mut Out) -> Step {
        let text = line.trimmed();
        if text.starts_with('<') {
            match Mark::of(text) {
                Mark::Close(close) if close.id == self.id.as_deref() => {
                    if !close.plain {
                        self.draft.warn_once(
                            line.number,
                            WarningCode::TagForm,
                            "the closing tag is not written as `</PlandexBlock>`",
                        );
                    }
                    self.settle();
                    self.close(line.text, line.bytes(), prose, out);
                    return Step::Leave;
                }
                Mark::Open(_) if self.maybe.is_some() => return self.rewind(prose, out),
                Mark::Open(_) => {
                    let detail =
                        "an opening tag inside of the block is content; a closing tag may be missing before it";
                    self.draft.warn_once(line.number, WarningCode::OpeningInBody, detail);
                }
                _ => {}
            }
        }
        if let Some(maybe) = self.maybe_close(text, line) {
            self.settle();
            self.maybe = Some(maybe);
        }
        if self.maybe.is_some() {
            self.held.push(line);
        } else {
            self.draft.push(line.text, line);
        }
        Step::Stay
    }

    pub(crate) fn finish(mut self, last: Last, prose: &mut Prose, out: &mut Out) -> Step {
        if self.maybe.is_some() {
            return self.rewind(prose, out);
        }
        self.draft.truncate(last, out);
        Step::Leave
    }

    /// Finds a closing tag at one end of a line.
    fn maybe_close(&self, text: &str, line: &Line<'_>) -> Option<Maybe> {
        let found = tag::closing(text).or_else(|| tag::closing_at_end(text))?;
        if found.id.is_some() && found.id != self.id.as_deref() {
            return None;
        }
        let (start, after) = (line.lead() + found.start, line.lead() + found.end);
        let before = line.text.get(..start).unwrap_or_default().trim_end().to_owned();
        let tag =
            if line.lossy { line.bytes() } else { Span::new(line.rest(start).span.start, line.rest(after).span.start) };
        Some(Maybe { before, after, tag, line: line.number })
    }

    /// Takes the lines since a close that was none for content.
    fn settle(&mut self) {
        if self.maybe.take().is_some() {
            for line in self.held.iter() {
                self.draft.push(line.text, &line);
            }
            self.held.clear();
        }
    }

    /// Takes a doubtful close for the true one.
    fn rewind(&mut self, prose: &mut Prose, out: &mut Out) -> Step {
        let Some(maybe) = self.maybe.take() else { return Step::Reread };
        let held = std::mem::take(&mut self.held);
        if !maybe.before.is_empty()
            && let Some(line) = held.iter().next()
        {
            self.draft.push(&maybe.before, &Line { ended: true, ..line });
        }
        let detail = "the closing tag stands on a line with other text; it is taken for the close";
        self.draft.warn_once(maybe.line, WarningCode::CloseOnCodeLine, detail);
        self.complete(maybe.tag, out);
        prose.set_label(None);
        Step::Rewind(held, maybe.after)
    }

    fn close(&mut self, text: &str, span: Span, prose: &mut Prose, out: &mut Out) {
        let unwrapped = self.unwrap();
        if let Some(index) = self.complete(span, out)
            && !unwrapped
            && self.id.is_none()
        {
            prose.block_closed(index, text);
        }
    }

    fn complete(&mut self, close: Span, out: &mut Out) -> Option<usize> {
        let draft = self.draft.take();
        if draft.block.path.is_empty() {
            draft.give_up(out);
            return None;
        }
        Some(draft.close(close, out))
    }

    /// Takes a code fence off that stands around the whole body.
    fn unwrap(&mut self) -> bool {
        let block = &self.draft.block;
        if path::is_markdown(&block.path, block.language.as_deref()) {
            return false;
        }
        let Some(body) = fenced_body(&block.content) else { return false };
        self.draft.block.content.truncate(body.end);
        self.draft.block.content.drain(..body.start);
        let line = self.draft.block.line + 1;
        self.draft.warn_once(line, WarningCode::FencedBody, "the code fence around the whole file was taken off");
        if !path::is_code(&self.draft.block.path) {
            let detail = "the code fence around the whole file was taken off, and may be the file's own";
            self.draft.warn_once(line, WarningCode::FenceInFence, detail);
        }
        true
    }
}

/// Gives the lines between the fences, if the first line that is not blank opens a fence, and the last one closes it.
fn fenced_body(content: &str) -> Option<std::ops::Range<usize>> {
    let lead = content.len() - content.trim_start().len();
    let tail = content.trim_end();
    let first = content[lead..].lines().next()?;
    let opening = Fence::of(first.trim())?;
    let start = lead + first.len() + content[lead + first.len()..].find('\n')? + 1;
    let end = tail.rfind('\n')? + 1;
    if end < start {
        return None;
    }
    let mut depth = Depth::new(opening);
    let mut closed = |line: &str| Fence::of(line.trim()).is_some_and(|fence| depth.closes(fence));
    let whole = !content[start..end].lines().any(&mut closed) && closed(&tail[end..]);
    whole.then_some(start..end)
}

#[cfg(test)]
mod tests {
    use super::fenced_body;

    #[test]
    fn only_a_fence_around_everything_counts() {
        let body = |text: &'static str| fenced_body(text).map(|range| &text[range]);
        assert_eq!(body("```go\na\nb\n```\n"), Some("a\nb\n"));
        assert_eq!(body("\n```\r\na\r\n```\r\n\n"), Some("a\r\n"));
        assert_eq!(body("```\n```\n"), Some(""));
        assert_eq!(body("```go\na\n```\nb\n```\nc\n```\n"), None);
        assert_eq!(body("```go\na\n"), None);
        assert_eq!(body("```go\n"), None);
        assert_eq!(body("a\n"), None);
        assert_eq!(body(""), None);
    }
}
