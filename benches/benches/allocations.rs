//! What edits allocate: how often, how much at a time, and what is kept.
//!
//! Prints a table. Each row's outcome is checked, and so are the bounds: a cold edit allocates as often in a file a
//! hundred times as long, since nothing is allocated for each line, and holds no more beyond the two texts than one and a
//! half times the file, and what the search of a gap may take in any file. Not for threads of their own: a parse of a large text is not counted.
#![allow(clippy::print_stdout, reason = "the table is what the bench is for")]

use allocation_counter::{AllocationInfo, measure};
use treegraft::{Document, Edit, Engine, Outcome};
use treegraft_benches::{File, Language};

const LENGTHS: [usize; 3] = [1_000, 10_000, 100_000];
const SEED: u64 = 0x7ee6;

/// How many more allocations an edit may take in a file ten times as long: tables that grow by doubling.
const MORE_ALLOCATIONS: u64 = 200;

/// Bytes of the tables that a gap is searched with, which don't grow with the file.
const LATTICES: u64 = 4 << 20;

fn row(language: &str, n_lines: usize, what: &str, n_bytes: usize, info: &AllocationInfo) {
    let AllocationInfo { count_total, bytes_max, bytes_current, .. } = *info;
    let share = |bytes: i128| format!("{:.2}", bytes as f64 / n_bytes as f64);
    println!(
        "| {language} | {n_lines} | {what} | {count_total} | {} | {} |",
        share(i128::from(bytes_max)),
        share(i128::from(bytes_current))
    );
}

/// Counts what an edit allocates; what is kept is the outcome.
fn edit(engine: &Engine, edit: &Edit<'_>, expected: &str) -> AllocationInfo {
    let mut outcome: Option<Outcome> = None;
    let info = measure(|| outcome = engine.apply(edit).ok());
    assert_eq!(outcome.as_ref().map(Outcome::text), Some(expected));
    info
}

fn main() {
    // `cargo test` runs benches as well, with this word, to see that they start.
    let lengths = if std::env::args().any(|word| word == "--test") { &LENGTHS[..1] } else { &LENGTHS[..] };
    let engine = Engine::default();
    println!("| language | lines | what | allocations | most held | kept |");
    println!("|---|--:|---|--:|--:|--:|");
    for language in Language::ALL {
        let mut last: Option<u64> = None;
        for &n_lines in lengths {
            let file = File::generate(language, n_lines, SEED);
            let (name, path, text) = (language.name(), file.path(), file.text());
            let mut document: Option<Document> = None;
            let info = measure(|| document = Document::new(path, text.as_str()).ok());
            let document = document.expect("the file is text");
            row(name, n_lines, "document", text.len(), &info);
            for n in [1, 50] {
                let made = file.edits(n);
                let cold = edit(&engine, &Edit::new(path, &text, &made.snippet), &made.expected);
                row(name, n_lines, &format!("cold_{n}"), text.len(), &cold);
                let warm = edit(&engine, &document.edit(&made.snippet), &made.expected);
                row(name, n_lines, &format!("warm_{n}"), text.len(), &warm);
                if n == 1 && n_lines > 1_000 {
                    let more = last.map_or(0, |last| cold.count_total.saturating_sub(last));
                    assert!(more <= MORE_ALLOCATIONS, "{name}, {n_lines} lines: {more} more allocations");
                    let beyond = cold.bytes_max.saturating_sub(made.expected.len() as u64);
                    let most = text.len() as u64 * 3 / 2 + LATTICES;
                    assert!(beyond <= most, "{name}, {n_lines} lines: {beyond} bytes beyond");
                }
                if n == 1 {
                    last = Some(cold.count_total);
                }
            }
        }
    }
}
