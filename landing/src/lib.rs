//! Lands.
mod atomic;
mod disk;
mod error;
mod files;
mod history;
mod journal;
mod memory;
mod path;
mod transaction;
pub use files::{Attributes, Entry, Files, Held, Last, Lock, Node, Store};
pub use path::{FilePath, PathFault};
pub use error::Error;
pub use disk::Disk;
pub use memory::Memory;
pub use atomic::{WriteError, Written, in_place, output};
pub use history::{Deed, Landing, history, undo};
pub use transaction::{KEPT_LANDINGS, Recovery};
