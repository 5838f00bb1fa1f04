//! Reads a model's reply as it streams in.

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
mod warning;

pub use display::{Display, Shown};
pub use event::{Event, Extended, Opened, Reply};
pub use operation::{FileBlock, Form, OpenOperation, Operation, Parts};
pub use parser::{Parser, parse};
pub use span::Span;
pub use tasks::{Plan, Task, TaskParser, TaskReply, parse_tasks};
pub use warning::{Warning, WarningCode};
