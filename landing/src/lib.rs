//! Lands.
mod atomic;
mod commit;
mod diff;
mod disk;
mod error;
mod files;
mod history;
mod journal;
mod memory;
mod merge;
mod names;
mod path;
mod plan;
mod report;
mod transaction;

pub use atomic::{WriteError, Written, in_place, output};
pub use commit::{commit, is_pending, recover};
pub use disk::Disk;
pub use error::Error;
pub use files::{Attributes, Entry, Files, Held, Last, Lock, Node, Store};
pub use history::{Deed, Landing, history, undo};
pub use memory::Memory;
pub use names::MOST_OPERATIONS;
pub use path::{FilePath, LONGEST_NAME, LONGEST_PATH, PathFault};
pub use plan::{Action, Doubt, MOST_BYTES, Plan, PlannedEdit, PlannedFile, plan};
pub use report::{LandReport, UndoReport};
pub use transaction::{KEPT_LANDINGS, Recovery};
