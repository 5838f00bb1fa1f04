//! Reads a model's reply as it streams in.

mod event;
mod operation;
mod parser;
mod span;
mod warning;

pub use event::{Event, Extended, Opened, Reply};
pub use operation::{FileBlock, Form, OpenOperation, Operation, Parts};
pub use parser::{Parser, parse};
pub use span::Span;
pub use warning::{Warning, WarningCode};
