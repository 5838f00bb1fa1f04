//! Links treegraft into a server: one engine for the process, shared by its threads.
//!
//! Run with `cargo run -p treegraft --example embed`.
#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use std::sync::LazyLock;
use std::thread;

use treegraft::{Edit, Engine, Options, Verdict};

/// `Engine` is `Send + Sync`; it needs no lock and no copy per thread.
static ENGINE: LazyLock<Engine> = LazyLock::new(|| Engine::new(Options::default()));

const ORIGINAL: &str = "def area(r):\n    return 3 * r ** 2\n\n\ndef rim(r):\n    return 6 * r\n";

/// Handles one edit as a request handler would.
fn handle(path: &str, snippet: &str) -> String {
    match ENGINE.apply(&Edit::new(path, ORIGINAL, snippet).description("Type: replace\nSummary: better circles")) {
        // Nothing to work on: the caller's fault, the file stays as it is.
        Err(refusal) => format!("refused ({}): {refusal}", refusal.code()),
        Ok(outcome) => match outcome.verdict() {
            // Store the replacements, or `outcome.text()` if the whole file is wanted.
            Verdict::Trusted => outcome
                .replacements()
                .iter()
                .map(|edit| format!("trusted: bytes {:?} become {:?}", edit.bytes, edit.new))
                .collect::<Vec<_>>()
                .join("\n"),
            // There is a result; ask the next tier, and tell it what is in doubt.
            Verdict::NeedsVerify(reasons) => reasons
                .iter()
                .map(|reason| format!("look ({}): {}", reason.kind, reason.message))
                .collect::<Vec<_>>()
                .join("\n"),
        },
    }
}

fn main() {
    let snippets = ["# ... existing code ...\n\n\ndef rim(r):\n    return 6.28 * r\n", "x = 1\n", ""];
    let handlers = snippets.map(|snippet| thread::spawn(move || handle("circles.py", snippet)));
    for handler in handlers {
        println!("{}", handler.join().expect("the engine does not panic"));
    }
}
