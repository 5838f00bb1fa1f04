//! Lands a model's whole reply on files: all of it, or nothing.
//!
//! A [`treegraft_reply::Reply`] asks for operations: blocks of text for files, moves, removals, resets. A [`Plan`] is
//! what they make of the [`Files`] that are there, each operation worked out on the result of those before it, with a
//! difference and a verdict for every file. Nothing is written until someone says [`commit`]; then all files are
//! changed as one transaction, which a crash at any moment leaves undone as a whole. [`undo`] takes it back.
//!
//! ```text
//! reply ─┐                                   ┌─► differences, verdicts
//! files ─┼─► names ─► merge (in parallel) ─► plan ─► commit ─► journal ─► files
//! engine ┘   (which file                         (checked,      (undo)
//!             is meant)                           all or none)
//! ```
//!
//! # Example
//!
//! On disk, [`Disk`] is the files; a server that keeps them elsewhere writes its own [`Files`] to plan on, and either
//! stores what [`Plan::files`] gives by its own means, or writes a [`Store`] and has [`commit`] do it. [`Memory`] is
//! both.
//!
//! ```
//! use treegraft::{Engine, Status};
//! use treegraft_landing::{Disk, commit, plan, recover, undo};
//!
//! # let folder = tempfile::tempdir()?;
//! # let root = folder.path();
//! std::fs::write(root.join("greet.py"), "def greet():\n    print(\"hi\")\n")?;
//! let reply = treegraft_reply::parse(
//!     "### Move Files\n- `greet.py` → `hello/greet.py`\n<EndPlandexFileOps/>\n\n\
//!      - hello/greet.py:\n<PlandexBlock lang=\"python\" path=\"hello/greet.py\">\n\
//!      def greet():\n    print(\"hello\")\n</PlandexBlock>\n",
//! );
//!
//! let disk = Disk::open(root)?;
//! let _ = recover(&disk)?; // what an interrupted landing left is put back first
//! let plan = plan(&reply, &disk, &Engine::default());
//! assert_eq!(plan.status(), Status::Trusted);
//! assert_eq!(plan.files()[0].moved_from().unwrap().as_str(), "greet.py");
//!
//! let id = commit(&plan, &disk, false)?;
//! assert_eq!(std::fs::read_to_string(root.join("hello/greet.py"))?, "def greet():\n    print(\"hello\")\n");
//! undo(&disk, id)?;
//! assert_eq!(std::fs::read_to_string(root.join("greet.py"))?, "def greet():\n    print(\"hi\")\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What is promised
//!
//! - No path of a reply leads out of the root, into `.git` or into our own folder, by its letters or by a link; see
//!   [`FilePath`] and [`Disk`].
//! - A file that is not what was read for the plan is not written over, and neither is any other then.
//! - After a crash of the process or the machine, [`recover`] finds all files as before the landing, or all as after
//!   it.
//! - What is landed can be taken back byte for byte with modes, for the last [`KEPT_LANDINGS`] landings, as long as the
//!   files are as it left them.

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
pub use path::{DEEPEST_PATH, FilePath, LONGEST_NAME, LONGEST_PATH, PathFault};
pub use plan::{Action, Doubt, MOST_BYTES, Plan, PlannedEdit, PlannedFile, plan};
pub use report::{LandReport, UndoReport};
pub use transaction::{KEPT_LANDINGS, Recovery};
