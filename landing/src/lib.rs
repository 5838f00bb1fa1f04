//! Lands a reply on files.
