//! The cases on disk: those of realistic size in `corpus/<language>/<case>/`, the small ones in
//! `engine/tests/cases/*.md`, and the finds in `corpus/fuzz/<target>/`.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use treegraft::Language;

use crate::Given;
use crate::case_file;
use crate::judge::{Case, Known, WantedResult, WantedVerdict};

/// The folder of `corpus/` that holds finds and no language.
pub const FINDS: &str = "fuzz";

/// A case of realistic size.
#[derive(Debug)]
pub struct Folder {
    /// Where it is.
    pub path: PathBuf,
    /// The case.
    pub case: Case,
    /// Numbers of the traps that it is about.
    pub traps: Vec<i64>,
}

/// Gives the repository's root.
#[must_use]
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new("."))
}

/// Lists the entries of a folder by name; none if there is no such folder.
#[must_use]
pub fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    let mut paths: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    paths
}

/// Lists the languages that have cases of realistic size.
#[must_use]
pub fn languages() -> Vec<String> {
    let folders = entries(&root().join("corpus")).into_iter().filter(|path| path.is_dir());
    folders.map(|path| name(&path)).filter(|name| name != FINDS).collect()
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Reads the cases of realistic size of one language.
///
/// # Errors
///
/// Which case can't be read, and why.
pub fn cases(language: &str) -> Result<Vec<Folder>, String> {
    let folders = entries(&root().join("corpus").join(language)).into_iter().filter(|path| path.is_dir());
    folders.map(|path| read(&path).map_err(|message| format!("{}: {message}", path.display()))).collect()
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
        name: name(path),
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

/// Gives all cases, small and large, that are text and whose right result is known: what seeds and mutations are
/// made from. Known failures are left out, and so is what can't be read, what isn't read as what it looks like (pairs, forced
/// shapes), and what is about a language whose grammar this build doesn't have.
#[must_use]
pub fn known_edits() -> &'static [Given] {
    static EDITS: OnceLock<Vec<Given>> = OnceLock::new();
    EDITS.get_or_init(|| {
        let large = languages().into_iter().filter_map(|language| cases(&language).ok()).flatten();
        let small = entries(&root().join("engine/tests/cases"))
            .into_iter()
            .filter_map(|path| case_file::parse(&std::fs::read_to_string(path).ok()?).ok());
        let all = large.map(|folder| folder.case).chain(small.flatten().map(|entry| entry.case));
        all.filter(|case| case.known.is_none()).filter_map(|case| known_edit(&case)).collect()
    })
}

fn known_edit(case: &Case) -> Option<Given> {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).ok();
    let WantedResult::Text(wanted) = &case.result else { return None };
    let as_it_looks = case.pairs.is_empty() && case.forced.is_none();
    if !as_it_looks || !Language::from_path(&case.path).is_none_or(Language::is_built_in) {
        return None;
    }
    let mut given =
        Given::new(&case.path, &text(&case.original)?, &text(&case.snippet)?).description(&case.description);
    given.add_missing_edges = !case.no_edges;
    given.wanted = Some(text(wanted)?);
    Some(given)
}

/// Reads the finds of a target, with their files.
///
/// # Errors
///
/// Which file can't be read, and why.
pub fn finds(target: &str) -> Result<Vec<(PathBuf, Given)>, String> {
    let files = entries(&root().join("corpus").join(FINDS).join(target)).into_iter();
    files.map(|path| Given::read(&path).map(|given| (path, given))).collect()
}
