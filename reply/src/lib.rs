//! Reads a model's reply as it streams in.
//!
//! A reply is prose with files in it. A [`Parser`] takes its bytes in chunks of any size and gives [`Event`]s; collected, they are a
//! [`Reply`]: the [`Operation`]s it asks for, in order, what was open when it ended, and a [`Warning`] for everything that
//! was lost, guessed or put right. Every chunking gives the same events, and a finished block can be worked on before the reply ends.
//! A [`Display`] shows the same bytes to a person, without the tags; [`parse_tasks`] reads its task lists.
//!
//! ```text
//!          ┌─► Lines ─► Prose ⇄ Room ─► Out ─► events     operations, warnings
//! bytes ───┼─► Display ─────────────────────► text       what a person sees
//!          └─► TaskParser ──────────────────► tasks
//!                      (all share what a line is by itself: Mark, Tag, Fence)
//! ```
//!
//! # What is read
//!
//! | form | operation |
//! |---|---|
//! | `<PlandexBlock lang="…" path="…">` to `</PlandexBlock>`, with or without a label above | [`Form::Block`] |
//! | a code fence with a path on the line above or behind the fence | [`Form::Fence`] |
//! | `<<<<<<< SEARCH` to `>>>>>>> REPLACE` below a path; all that follow under the same path line | [`Form::SearchReplace`] |
//! | `*** Begin Patch`: `Update File` | [`Form::Patch`], with an envelope of its own |
//! | `Add File`, and a diff from `/dev/null` | [`Form::Whole`] |
//! | `Delete File`, a diff to `/dev/null`, `### Remove Files` | [`Operation::Remove`] |
//! | `Move to`, `rename to`, `### Move Files` | [`Operation::Move`], behind the update |
//! | a `diff` fence with `---` and `+++`, or of hunks below a path | [`Form::Diff`] |
//! | `### Reset Changes` | [`Operation::Reset`] |
//!
//! Code fences without a path are illustrations. What a block holds is not looked into: how it merges into a file is not for this
//! crate to say, nor whether its path is safe.
//!
//! # Example
//!
//! ```
//! let text = "I'll greet.\n\n- hello.py:\n<PlandexBlock lang=\"python\" path=\"hello.py\">\nprint('hello')\n\
//!             </PlandexBlock>\n\n### Remove Files\n- `old.py`\n<EndPlandexFileOps/>\n";
//! let reply = treegraft_reply::parse(text);
//! let names: Vec<String> = reply.operations.iter().map(ToString::to_string).collect();
//! assert_eq!(names, ["file | hello.py", "remove | old.py"]);
//! assert!(reply.warnings.is_empty() && !reply.is_truncated());
//! ```

mod display;
mod draft;
mod event;
mod info;
mod label;
mod lines;
mod mark;
mod operation;
mod out;
mod parser;
mod path;
mod prose;
mod room;
mod span;
mod tag;
mod tasks;
mod unread;
mod warning;

pub use display::{Display, Shown};
pub use event::{Event, Extended, Opened, Reply};
pub use operation::{FileBlock, Form, OpenOperation, Operation, Parts};
pub use parser::{Parser, parse};
pub use span::Span;
pub use tasks::{Plan, Task, TaskParser, TaskReply, parse_tasks};
pub use warning::{Warning, WarningCode};
