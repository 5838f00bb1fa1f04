//! Runs the cases of realistic size in `corpus/<language>/<case>/`: one test a language.
//!
//! A case is `case.toml`, `original.<ext>` (or `original = "../shared.<ext>"` in `case.toml`), `snippet.<ext>`,
//! and `expected.<ext>`; without `expected` the result isn't judged. A known failure has `why = "…"` and keeps what
//! comes out now in `current.txt`; `TREEGRAFT_BLESS=1 cargo test -p treegraft --all-features --test corpus` rewrites that, never
//! what is expected.
#![allow(clippy::disallowed_methods, reason = "the cases are files")]

mod support;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use support::judge::{self, Case, Known, WantedResult, WantedVerdict};

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

struct Folder {
    path: PathBuf,
    case: Case,
    traps: Vec<i64>,
}

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus")
}

/// Lists the entries of a folder by name.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.expect("the folder can be read").path())
        .collect();
    paths.sort();
    paths
}

fn cases(language: &str) -> Vec<Folder> {
    let folders = entries(&corpus().join(language)).into_iter().filter(|path| path.is_dir());
    folders.map(|path| read(&path).unwrap_or_else(|message| panic!("{}: {message}", path.display()))).collect()
}

/// Reads one case. Keys that mean nothing are an error: a misspelt one would check nothing.
fn read(path: &Path) -> Result<Folder, String> {
    let text = std::fs::read_to_string(path.join("case.toml")).map_err(|error| format!("case.toml: {error}"))?;
    let table: toml::Table = text.parse().map_err(|error: toml::de::Error| error.to_string())?;
    let known_keys = ["about", "original", "description", "verdict", "either", "candidates", "shape", "traps", "why"];
    if let Some(key) = table.keys().find(|key| !known_keys.contains(&key.as_str())) {
        return Err(format!("unknown key `{key}`"));
    }
    let string = |key: &str| table.get(key).and_then(toml::Value::as_str);
    string("about").filter(|about| !about.is_empty()).ok_or("no `about`")?;
    let file = |stem: &str| {
        let named = |path: &PathBuf| path.file_stem().is_some_and(|name| name == stem);
        entries(path).into_iter().find(named)
    };
    let original = string("original").map(|name| path.join(name)).or_else(|| file("original")).ok_or("no original")?;
    let bytes = |path: &Path| std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()));
    let extension = original.extension().unwrap_or_default().to_string_lossy().into_owned();
    let current = path.join("current.txt");
    let known = string("why")
        .map(|why| Known { why: why.to_owned(), current: std::fs::read_to_string(&current).unwrap_or_default() });
    if known.is_none() && current.exists() {
        return Err("a `current.txt`, but no `why`".to_owned());
    }
    let case = Case {
        name: path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        path: format!("case.{extension}"),
        original: bytes(&original)?,
        snippet: bytes(&file("snippet").ok_or("no snippet")?)?,
        description: string("description").unwrap_or_default().to_owned(),
        result: file("expected").map_or(Ok(WantedResult::Any), |path| bytes(&path).map(WantedResult::Text))?,
        verdict: WantedVerdict::parse(string("verdict").ok_or("no `verdict`")?)?,
        flag_will_do: match string("either") {
            None => false,
            Some("flag") => true,
            Some(other) => return Err(format!("`either` is `{other}`")),
        },
        n_candidates: table
            .get("candidates")
            .and_then(toml::Value::as_integer)
            .and_then(|count| usize::try_from(count).ok()),
        shape: string("shape").map(str::to_owned),
        known,
        ..Case::default()
    };
    if matches!((&case.verdict, &case.result), (WantedVerdict::Trusted, WantedResult::Any)) {
        return Err("trusted, but what? no `expected`".to_owned());
    }
    let traps = table.get("traps").and_then(toml::Value::as_array).ok_or("no `traps`")?;
    let traps = traps.iter().filter_map(toml::Value::as_integer).collect();
    Ok(Folder { path: path.to_owned(), case, traps })
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
    let found: Vec<_> = entries(&corpus())
        .into_iter()
        .filter(|path| path.is_dir())
        .map(|path| path.file_name().unwrap_or_default().to_string_lossy().into_owned())
        .collect();
    assert_eq!(found, LANGUAGES);
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
