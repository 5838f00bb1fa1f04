//! Merges one snippet and looks at what came of it.
//!
//! Run with `cargo run -p treegraft --example merge`.
#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use treegraft::{Edit, Engine, Options, Verdict};

fn main() -> Result<(), treegraft::Error> {
    let original = "def area(r):\n    return 3 * r ** 2\n\n\ndef rim(r):\n    return 6 * r\n";
    let snippet = "# ... existing code ...\n\ndef rim(r):\n    return 6.28 * r\n";

    // One engine for the process: it is `Send + Sync`.
    let engine = Engine::new(Options::default());
    let outcome = engine.apply(&Edit::new("circles.py", original, snippet))?;
    match outcome.verdict() {
        Verdict::Trusted => println!("{}", outcome.text()),
        Verdict::NeedsVerify(reasons) => {
            for reason in reasons {
                println!("{}: {}", reason.kind, reason.message);
            }
        }
    }
    for edit in outcome.replacements() {
        println!("bytes {:?} become {:?}", edit.bytes, edit.new);
    }
    Ok(())
}
