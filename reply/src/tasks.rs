//! The task lists of a reply: `### Tasks` and `### Remove Tasks`.

mod grammar;
mod plan;

pub use grammar::{TaskParser, parse_tasks};
pub use plan::Plan;

use crate::Warning;

/// One task of a plan.
///
/// # Examples
///
/// ```
/// let reply = treegraft_reply::parse_tasks("### Tasks\n1. **Read the settings**\n- From a file\nUses: `conf.rs`\n");
/// let task = &reply.tasks[0];
/// assert_eq!((task.title.as_str(), task.description.as_str()), ("Read the settings", "From a file"));
/// assert_eq!(task.uses_files, ["conf.rs"]);
/// assert_eq!(task.key(), "read the settings");
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Task {
    /// What it is called, without bold.
    pub title: String,
    /// What is to be done, one point a line, without the dashes.
    pub description: String,
    /// The files that it needs.
    pub uses_files: Vec<String>,
    /// Whether it is done. Never so in a list that was just read.
    pub is_finished: bool,
}

impl Task {
    /// Gives what titles are compared by: without case, quotes, doubled white space, and a full stop at the end.
    #[must_use]
    pub fn key(&self) -> String {
        key(&self.title)
    }
}

/// The task lists of one reply.
///
/// # Examples
///
/// ```
/// let reply = treegraft_reply::parse_tasks("### Remove Tasks\n- Write `x`.\n");
/// assert_eq!(reply.removed, ["Write `x`"]);
/// assert!(reply.tasks.is_empty() && reply.warnings.is_empty());
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TaskReply {
    /// The tasks it lists, in its order, with titles that differ.
    pub tasks: Vec<Task>,
    /// The titles it wants removed, without quotes around them and a full stop at the end.
    pub removed: Vec<String>,
    /// What was not as it should be. No warning names an operation.
    pub warnings: Vec<Warning>,
}

/// Gives what titles are compared by.
fn key(title: &str) -> String {
    let plain: String = title.replace("**", "").chars().filter(|c| !matches!(c, '`' | '"' | '\'')).collect();
    let words: Vec<String> = plain.split_whitespace().map(str::to_lowercase).collect();
    words.join(" ").trim_end_matches('.').trim_end().to_owned()
}
