//! Keeps files warm between edits: a bounded store behind a mutex, which is held for a moment only.
//!
//! Run with `cargo run -p treegraft --example documents`.
#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use std::sync::{Mutex, PoisonError};
use std::thread;

use treegraft::{Documents, Engine, Error};

/// A server with the files of its users.
struct Server {
    engine: Engine,
    documents: Mutex<Documents>,
}

impl Server {
    /// Merges a snippet into a file whose text the caller has; gives the new text if it may be trusted.
    fn merge(&self, path: &str, text: &str, snippet: &str) -> Result<Option<String>, Error> {
        // A document is out of the store while it is worked on, so other files don't wait.
        let store = || self.documents.lock().unwrap_or_else(PoisonError::into_inner);
        let taken = store().take(path, text);
        let mut document = taken?;
        let outcome = self.engine.apply(&document.edit(snippet));
        let trusted = outcome.as_ref().is_ok_and(|outcome| outcome.verdict().is_trusted());
        if let (Ok(outcome), true) = (&outcome, trusted) {
            document.accept(outcome)?;
        }
        store().put(document);
        Ok(outcome?.into_text()).map(|text| trusted.then_some(text))
    }
}

fn main() {
    let server = Server { engine: Engine::default(), documents: Mutex::new(Documents::new(64 << 20)) };
    thread::scope(|scope| {
        for path in ["circles.py", "squares.py"] {
            let server = &server;
            scope.spawn(move || {
                let mut text = "def area(r):\n    return 3 * r ** 2\n\n\ndef rim(r):\n    return 6 * r\n".to_owned();
                for factor in ["6.2", "6.28", "6.283"] {
                    let snippet = format!("# ... existing code ...\n\n\ndef rim(r):\n    return {factor} * r\n");
                    if let Ok(Some(merged)) = server.merge(path, &text, &snippet) {
                        text = merged;
                    }
                }
                println!("{path}:\n{text}");
            });
        }
    });
}
