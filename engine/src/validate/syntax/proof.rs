//! Windows against the full parse: where a window says that a result is clean, the full parse finds no new error.
//!
//! That is counted both ways. *False clean*: the window is clean, the original as well, and the whole result is not; none
//! is let pass. Where the original has errors of its own, the difference between two unclean parses is weak; those that a
//! window calls clean are counted apart. *Open*: the window could not tell though the whole is valid; that costs a parse of
//! the whole and nothing else.
//!
//! The edits are those of the corpus, as they are and broken in the ways in which models break code. The same over a
//! file of `treegraft replay --json`:
//!
//! ```text
//! TREEGRAFT_CASES=cases.jsonl cargo test --release -p treegraft --features lang-all proof -- --ignored --nocapture
//! ```

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::*;
use crate::treesitter::Window;

const LONG: Duration = Duration::from_secs(60);

/// How many times each edit is broken.
const N_BROKEN: u64 = 24;

/// What the window made of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Answer {
    /// No window could be relied on.
    NoWindow,
    /// It is clean.
    Clean,
    /// The whole has to say.
    Open,
}

fn ask(language: Language, original: &Source<'_>, result: &str, replacements: &[Replacement]) -> Answer {
    let touched: Vec<LineRange> = replacements.iter().map(|one| one.old_lines).collect();
    match Window::of(original, language, &touched, &Meter::start(LONG.into())) {
        None => Answer::NoWindow,
        Some(window) => {
            assert!(window.reads_again_as_anew(original, result, replacements), "{language:?}: {replacements:?}");
            if window.stays_clean(original, result, replacements, &Meter::start(LONG.into())).is_some() {
                Answer::Clean
            } else {
                Answer::Open
            }
        }
    }
}

/// How often window and whole said what, by language.
#[derive(Debug, Default)]
struct Tally {
    counts: BTreeMap<(&'static str, Answer, &'static str), usize>,
    /// Clean windows of clean originals whose whole result isn't.
    n_false: usize,
    /// Clean windows of originals with errors to which the result adds some.
    n_doubtful: BTreeMap<&'static str, usize>,
    report: String,
}

impl Tally {
    fn add(&mut self, name: &str, language: Language, original: &str, result: &str, kind: &str) {
        let source = Source::new(original);
        let replacements = crate::diff::between(&source, result);
        if replacements.is_empty() || result.trim().is_empty() {
            return;
        }
        let edits: Vec<_> = replacements.iter().map(|one| (one.old_lines, one.new_lines)).collect();
        let whole = of_whole(&source, result, &edits, language, &Meter::start(LONG.into()));
        let answer = ask(language, &source, result, &replacements);
        *self.counts.entry((language.name(), answer, whole.status.as_str())).or_default() += 1;
        if answer != Answer::Clean {
            return;
        }
        // A grammar's own word for it, beside that of the comparison.
        let is_unclean = || rejects(result, language) && !rejects(original, language);
        if whole.status != SyntaxStatus::Valid && whole.original_errors > 0 {
            *self.n_doubtful.entry(language.name()).or_default() += 1;
        }
        if whole.status != SyntaxStatus::Valid && whole.original_errors == 0 || is_unclean() {
            self.n_false += 1;
            let lines: Vec<_> = replacements.iter().map(|one| (one.old_lines, &one.new)).collect();
            let _ = writeln!(self.report, "{name} ({kind}): {:?}\n  {lines:?}", whole.new_errors);
        }
    }

    /// Adds an edit as it is, and broken.
    fn add_with_broken(&mut self, name: &str, language: Language, original: &str, result: &str) {
        self.add(name, language, original, result, "as it is");
        let source = Source::new(original);
        let replacements = crate::diff::between(&source, result);
        for seed in 0..N_BROKEN {
            let mut dice =
                Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ name.len() as u64 ^ (result.len() as u64) << 17);
            let Some(one) = dice.pick(&replacements) else { return };
            if let Some((broken, kind)) = break_near(result, one.new_lines, &mut dice) {
                self.add(name, language, original, &broken, kind);
            }
        }
    }
}

/// Says whether each grammar that a language is read with finds an error in a text.
fn rejects(text: &str, language: Language) -> bool {
    let source = Source::new(text);
    let has_error = |&grammar: &Language| match parse(&View::whole(&source), grammar, &Meter::start(LONG.into())) {
        Parsed::Tree(tree) => tree.root_node().has_error(),
        Parsed::CutShort(_) => true,
        Parsed::Unsupported => grammar == language,
    };
    std::iter::once(&language).chain(language.fallbacks()).all(has_error)
}

/// A row of numbers from a seed.
///
/// # Source
///
/// `SplitMix64` (Steele, Lea and Flood 2014).
struct Dice(u64);

impl Dice {
    fn roll(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((x ^ x >> 31) % n.max(1) as u64) as usize
    }

    fn pick<'t, T>(&mut self, from: &'t [T]) -> Option<&'t T> {
        from.get(self.roll(from.len()))
    }
}

/// Breaks a text in some lines or right beside them, as models do.
fn break_near(text: &str, lines: LineRange, dice: &mut Dice) -> Option<(String, &'static str)> {
    let mut all: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
    let (start, end) = (lines.start.saturating_sub(1), (lines.end + 1).min(all.len()));
    if start >= end {
        return None;
    }
    let at = start + dice.roll(end - start);
    let offset = |line: &str, dice: &mut Dice| {
        let offsets: Vec<usize> = line.trim_end().char_indices().map(|(at, _)| at).collect();
        dice.pick(&offsets).copied().unwrap_or(0)
    };
    let kind = match dice.roll(9) {
        0 => {
            all.remove(at);
            "a line is lost"
        }
        1 => {
            let brackets: Vec<usize> =
                all[at].match_indices(['(', ')', '{', '}', '[', ']', ':']).map(|(at, _)| at).collect();
            all[at].remove(*dice.pick(&brackets)?);
            "a bracket is lost"
        }
        2 => {
            let line = all[at].clone();
            all.insert(at, line);
            "a line is doubled"
        }
        3 => {
            let sign = *dice.pick(&["/*", "*/", "`", "\"\"\"", "'''", "\"", "'", "r#\"", "\"#", "#"])?;
            let place = offset(&all[at], dice);
            all[at].insert_str(place, sign);
            "a string or comment opens"
        }
        4 => {
            let sign = *dice.pick(&["{", "}", "(", ")", "[", "]", ";", ",", "<", ">", ":", "=", "\\"])?;
            let place = offset(&all[at], dice);
            all[at].insert_str(place, sign);
            "a sign is added"
        }
        5 => {
            all.drain(at..end);
            "the end is lost"
        }
        6 => {
            let indent = all[at].len() - all[at].trim_start_matches([' ', '\t']).len();
            if dice.roll(2) == 0 {
                let more = if all[at].starts_with('\t') { "\t" } else { "    " };
                all[at].insert_str(0, more);
            } else {
                all[at].replace_range(..indent, "");
            }
            "a line is moved"
        }
        7 => {
            let line = all[at].trim_end().to_owned();
            all[at] = line;
            "two lines are glued"
        }
        _ => {
            let line = *dice.pick(&[
                "else {\n",
                "});\n",
                "}\n",
                "end\n",
                "@\n",
                "    ...\n",
                "return\n",
                "async\n",
                "func (\n",
            ])?;
            all.insert(at, line.to_owned());
            "a stray line is added"
        }
    };
    Some((all.concat(), kind))
}

/// The folders of the corpus's cases, sorted.
fn corpus() -> Vec<PathBuf> {
    let folder = |path: &Path| {
        let mut found: Vec<_> = path.read_dir().into_iter().flatten().flatten().map(|entry| entry.path()).collect();
        found.sort();
        found.into_iter().filter(|path| path.is_dir()).collect::<Vec<_>>()
    };
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus");
    let cases = folder(&root).into_iter().flat_map(|language| folder(&language));
    // What fuzzing found lies beside the languages.
    cases.filter(|case| case.join("case.toml").is_file()).collect()
}

#[test]
#[allow(clippy::disallowed_methods, reason = "the corpus lies on disk")]
fn a_clean_window_of_the_corpus_is_a_clean_file() {
    let read = |path: &Path| std::fs::read_to_string(path).unwrap();
    let mut tally = Tally::default();
    let mut n = 0;
    for case in corpus() {
        let settings = read(&case.join("case.toml"));
        let original = settings.lines().find_map(|line| line.strip_prefix("original = "));
        let Some(original) = original.map(|name| case.join(name.trim_matches('"'))) else { continue };
        let language = Language::from_path(&original.to_string_lossy()).unwrap();
        let wanted: Vec<_> = case.read_dir().unwrap().flatten().map(|entry| entry.path()).collect();
        let wanted = wanted.iter().find(|path| path.file_stem().is_some_and(|stem| stem == "expected"));
        let Some(wanted) = wanted else { continue };
        n += 1;
        tally.add_with_broken(&case.to_string_lossy(), language, &read(&original), &read(wanted));
    }
    assert!(n > 50, "only {n} cases");
    assert_eq!(tally.n_false, 0, "{}", tally.report);
    assert_eq!(tally.n_doubtful, BTreeMap::new());
    let n_clean: usize =
        tally.counts.iter().filter(|((_, answer, _), _)| *answer == Answer::Clean).map(|(_, n)| n).sum();
    assert!(n_clean > 500, "{:#?}", tally.counts);
}

#[test]
#[ignore = "reads the cases of a replay run from a file"]
#[allow(clippy::disallowed_methods, reason = "the environment names the file")]
fn a_clean_window_of_real_changes_is_a_clean_file() {
    let cases = std::fs::read_to_string(std::env::var("TREEGRAFT_CASES").unwrap()).unwrap();
    let mut tally = Tally::default();
    let mut seen = std::collections::BTreeSet::new();
    for line in cases.lines() {
        let case: serde_json::Value = serde_json::from_str(line).unwrap();
        let field = |name: &str| case[name].as_str().unwrap_or_default();
        let Some(language) = Language::from_path(field("path")) else { continue };
        if language.is_built_in() && seen.insert((field("original").to_owned(), field("wanted").to_owned())) {
            tally.add_with_broken(field("id"), language, field("original"), field("wanted"));
        }
    }
    for ((language, answer, whole), n) in &tally.counts {
        println!("{language:12} window {answer:?}, whole {whole}: {n}");
    }
    println!("{}", tally.report);
    println!("clean windows of originals with errors that the whole adds to: {:?}", tally.n_doubtful);
    assert_eq!(tally.n_false, 0);
}
