//! What a reply asks for: file blocks, moves, removals, resets.

use std::fmt;

use crate::Span;

/// One thing that a reply asks to be done, in the order of the reply.
///
/// # Examples
///
/// ```
/// use treegraft_reply::{Operation, parse};
///
/// let reply = parse("### Move Files\n- `a.rs` → `b/a.rs`\n<EndPlandexFileOps/>\n");
/// assert_eq!(reply.operations[0].to_string(), "move | a.rs → b/a.rs");
/// assert!(matches!(&reply.operations[0], Operation::Move { to, line: 2, .. } if to == "b/a.rs"));
/// ```
#[non_exhaustive]
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Operation {
    /// A file is to be written or edited.
    File(FileBlock),
    /// A file is to be moved.
    Move {
        /// The path it has.
        from: String,
        /// The path it is to have.
        to: String,
        /// The line that asks for it, one-based.
        line: usize,
        /// That line without its line end.
        span: Span,
    },
    /// A file is to be removed.
    Remove {
        /// Its path.
        path: String,
        /// The line that asks for it, one-based.
        line: usize,
        /// That line without its line end.
        span: Span,
    },
    /// Pending changes of a file are to be dropped.
    Reset {
        /// Its path.
        path: String,
        /// The line that asks for it, one-based.
        line: usize,
        /// That line without its line end.
        span: Span,
    },
}

impl Operation {
    /// Gives the path that the operation is about; of a move the path the file has.
    #[must_use]
    pub fn path(&self) -> &str {
        match self {
            Self::File(block) => &block.path,
            Self::Move { from: path, .. } | Self::Remove { path, .. } | Self::Reset { path, .. } => path,
        }
    }

    /// Gives the one-based line on which the operation begins: of a block its opening line.
    #[must_use]
    pub fn line(&self) -> usize {
        match self {
            Self::File(FileBlock { line, .. })
            | Self::Move { line, .. }
            | Self::Remove { line, .. }
            | Self::Reset { line, .. } => *line,
        }
    }

    /// Gives all bytes of the operation: of a block from its label, if there is one, to its close.
    #[must_use]
    pub fn span(&self) -> Span {
        match self {
            Self::File(block) => block.parts.whole(),
            Self::Move { span, .. } | Self::Remove { span, .. } | Self::Reset { span, .. } => *span,
        }
    }

    /// Gives the file block, if it is one.
    #[must_use]
    pub fn as_file(&self) -> Option<&FileBlock> {
        match self {
            Self::File(block) => Some(block),
            _ => None,
        }
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(block) => write!(f, "file | {}", block.path),
            Self::Move { from, to, .. } => write!(f, "move | {from} → {to}"),
            Self::Remove { path, .. } => write!(f, "remove | {path}"),
            Self::Reset { path, .. } => write!(f, "reset | {path}"),
        }
    }
}

/// A text for one file.
///
/// # Examples
///
/// ```
/// use treegraft_reply::{Form, parse};
///
/// let text = "I'll add a cache.\n\n- lib/cache.rb:\n<PlandexBlock lang=\"ruby\" path=\"lib/cache.rb\">\n\
///             class Cache; end\n</PlandexBlock>\n";
/// let reply = parse(text);
/// let block = reply.operations[0].as_file().ok_or("no file block")?;
/// assert_eq!(block.path, "lib/cache.rb");
/// assert_eq!(block.content, "class Cache; end\n");
/// assert_eq!(block.description, "I'll add a cache.");
/// assert_eq!((block.form, block.line), (Form::Block, 4));
/// # Ok::<(), &str>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileBlock {
    /// The file it is for, as the reply writes it: not checked, not made relative.
    pub path: String,
    /// The text, each line with a `\n` behind it; `\r` before it is kept.
    pub content: String,
    /// The prose between the block before and this one, without white space around it.
    pub description: String,
    /// The language that the reply names.
    pub language: Option<String>,
    /// How the text is written.
    pub form: Form,
    /// Index of the latest file block before this one with the same path, in the operations of the reply.
    pub same_path_as: Option<usize>,
    /// The line that opens the block, one-based.
    pub line: usize,
    /// Where the parts of the block stand in the reply.
    pub parts: Parts,
}

impl FileBlock {
    /// Gives what stands before the block: up to its label, or to its opening line if it has none.
    ///
    /// `reply` is the whole reply, or the part of it that has come in.
    #[must_use]
    pub fn reply_before<'a>(&self, reply: &'a [u8]) -> &'a [u8] {
        &reply[..self.parts.whole().start.min(reply.len())]
    }

    /// Gives the reply up to the end of the line that opens the block: what a model is given to write the block again.
    #[must_use]
    pub fn reply_through_opening<'a>(&self, reply: &'a [u8]) -> &'a [u8] {
        &reply[..self.parts.open.end.min(reply.len())]
    }
}

/// How the text of a [`FileBlock`] is written.
///
/// # Examples
///
/// ```
/// use treegraft_reply::{Form, parse};
///
/// let reply = parse("*** Begin Patch\n*** Add File: a.txt\n+Hi\n*** End Patch\n");
/// let block = reply.operations[0].as_file().ok_or("no file block")?;
/// assert_eq!((block.form, block.content.as_str()), (Form::Whole, "Hi\n"));
/// # Ok::<(), &str>(())
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Form {
    /// A `<PlandexBlock>`: lazy, whole, or any other shape.
    Block,
    /// A fenced code block with a path.
    Fence,
    /// Search/replace blocks, with their markers; several for one path one after the other.
    SearchReplace,
    /// A `*** Begin Patch` envelope for this one file.
    Patch,
    /// A unified diff for this one file, or hunks of one.
    Diff,
    /// The whole text of a file that the reply says is new, as it is to be.
    Whole,
}

/// Where the parts of a file block stand in the reply, in bytes.
///
/// A block that shares its opening with others, as the files of one patch do, has the line that names its file for its opening. Of
/// search/replace blocks the opening is the first marker and the close the last. In a line that is not UTF-8 parts are not told apart.
///
/// # Examples
///
/// ```
/// let text = "- a.txt:\n<PlandexBlock lang=\"text\">\nHi\n</PlandexBlock>\n";
/// let reply = treegraft_reply::parse(text);
/// let parts = reply.operations[0].as_file().ok_or("no file block")?.parts;
/// assert_eq!(parts.label.map(|label| &text[label.range()]), Some("- a.txt:\n"));
/// assert_eq!(&text[parts.close.range()], "</PlandexBlock>");
/// # Ok::<(), &str>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Parts {
    /// The line that names the file, if it stands above the block, with its line end.
    pub label: Option<Span>,
    /// The line that opens the block, with its line end.
    pub open: Span,
    /// The lines between.
    pub body: Span,
    /// The line or tag that closes the block, without what else stands on the line; empty where the end is implied.
    pub close: Span,
}

impl Parts {
    /// Gives all bytes from the first part to the last.
    #[must_use]
    pub fn whole(&self) -> Span {
        Span::new(self.label.map_or(self.open.start, |label| label.start), self.close.end.max(self.body.end))
    }
}

/// A block or section that the reply ended in: what had come in of it. It is never an operation.
///
/// # Examples
///
/// ```
/// let reply = treegraft_reply::parse("- a.go:\n<PlandexBlock lang=\"go\">\nfunc A() {\n");
/// assert!(reply.operations.is_empty());
/// let open = reply.open.ok_or("nothing open")?;
/// assert_eq!((open.block.path.as_str(), open.block.content.as_str()), ("a.go", "func A() {\n"));
/// # Ok::<(), &str>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpenOperation {
    /// The block as far as it came in. Its last line may be cut anywhere.
    pub block: FileBlock,
}
