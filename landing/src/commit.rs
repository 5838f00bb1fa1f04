//! Puts a plan into effect.

use treegraft::Status;

use crate::error::Error;
use crate::files::Store;
use crate::journal;
use crate::path::FilePath;
use crate::plan::Plan;
use crate::transaction::{self, Recovery};

/// Lands all of a plan or nothing, and gives the number to undo it by; `None` if nothing had to be changed.
///
/// With `accept_unverified` files that need a look are landed, too; refused ones never are, nor anything beside them.
/// What an interrupted landing left is rolled back first.
///
/// # Errors
///
/// [`Error::Refused`], [`Error::Unverified`]; [`Error::Changed`] if a file isn't what was read for the plan;
/// [`Error::Locked`]; [`Error::Interrupted`]; [`Error::Io`]. All files are as they were, but for [`Error::HalfWay`].
pub fn commit(plan: &Plan, store: &dyn Store, accept_unverified: bool) -> Result<Option<u64>, Error> {
    match plan.status() {
        Status::Trusted => {}
        Status::NeedsVerify if accept_unverified => {}
        Status::NeedsVerify => return Err(Error::Unverified),
        _ => return Err(Error::Refused),
    }
    let changes = plan.changes();
    if changes.is_empty() {
        return Ok(None);
    }
    journal::make_own_folder(store)?;
    let _lock = store.lock()?;
    journal::fill_own_folder(store)?;
    let _ = transaction::recover(store)?;
    transaction::run(store, &changes, &[], None).map(Some)
}

/// Rolls back what an interrupted landing left: to be called before files are planned on. Cheap if there is nothing.
///
/// # Errors
///
/// [`Error::Locked`], [`Error::Interrupted`], [`Error::Damaged`], [`Error::Io`].
pub fn recover(store: &dyn Store) -> Result<Recovery, Error> {
    if !is_pending(store)? {
        return Ok(Recovery::Nothing);
    }
    // Taken before it is said to be interrupted: it may be a landing of another process that is under way.
    let _lock = store.lock()?;
    transaction::recover(store)
}

/// Says whether a landing is under way or was interrupted, without changing anything.
///
/// # Errors
///
/// [`Error::Damaged`], [`Error::Io`].
pub fn is_pending(store: &dyn Store) -> Result<bool, Error> {
    Ok(journal::is_folder(store, &FilePath::own_folder())? && journal::is_folder(store, &journal::pending())?)
}
