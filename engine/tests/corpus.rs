//! Runs the cases of realistic size in `corpus/<language>/<case>/`: one test a language.
//!
//! A case is `case.toml`, `original.<ext>` (or `original = "../shared.<ext>"` in `case.toml`), `snippet.<ext>`,
//! and `expected.<ext>`; without `expected` the result isn't judged. A known failure has `why = "…"` and keeps what
//! comes out now in `current.txt`; `TREEGRAFT_BLESS=1 cargo test -p treegraft --all-features --test corpus` rewrites that, never
//! what is expected.
#![allow(clippy::disallowed_methods, reason = "the cases are files")]

use std::collections::BTreeSet;

use treegraft_oracles::corpus::{self, Folder};
use treegraft_oracles::judge::{self, WantedResult};

/// The traps of the design: each must have a case.
const N_TRAPS: i64 = 15;

/// Makes a test of each language: its folder, and how many cases it must hold at least.
macro_rules! languages {
    ($($language:ident: $floor:literal,)*) => {
        $(
            #[test]
            fn $language() {
                check(stringify!($language), $floor);
            }
        )*

        const LANGUAGES: &[&str] = &[$(stringify!($language)),*];
    };
}

languages! {
    go: 29,
    javascript: 9,
    json: 8,
    python: 18,
    rust: 10,
    typescript: 10,
}

fn cases(language: &str) -> Vec<Folder> {
    corpus::cases(language).unwrap_or_else(|message| panic!("{message}"))
}

fn check(language: &str, floor: usize) {
    let folders = cases(language);
    assert!(folders.len() >= floor, "{language} holds {} cases, it held {floor}", folders.len());
    let bless = std::env::var("TREEGRAFT_BLESS").is_ok_and(|value| value == "1");
    let mut failures = Vec::new();
    for folder in &folders {
        let observed = judge::observe(&folder.case);
        if bless && folder.case.known.is_some() {
            std::fs::write(folder.path.join("current.txt"), &observed.now).expect("the case can be written");
        } else if let Err(message) = judge::verdict(&folder.case, &observed) {
            failures.push(format!("--- {language}/{}\n{message}\n", folder.case.name));
        }
    }
    assert!(failures.is_empty(), "{} of {} cases fail\n{}", failures.len(), folders.len(), failures.join("\n"));
}

#[test]
fn every_folder_is_a_language_and_every_trap_has_a_case() {
    assert_eq!(corpus::languages(), LANGUAGES);
    let traps: BTreeSet<i64> =
        LANGUAGES.iter().flat_map(|language| cases(language)).flat_map(|folder| folder.traps).collect();
    assert_eq!(traps, (1..=N_TRAPS).collect());
}

/// Expected files are worth their bytes: each differs from its original only where the case says so.
#[test]
fn expected_files_are_no_copies() {
    for folder in LANGUAGES.iter().flat_map(|language| cases(language)) {
        let WantedResult::Text(expected) = &folder.case.result else { continue };
        let unchanged = expected == &folder.case.original;
        let about_nothing = folder.case.name.contains("already_there");
        assert_eq!(unchanged, about_nothing, "{}: expected and original are equal: {unchanged}", folder.path.display());
    }
}
