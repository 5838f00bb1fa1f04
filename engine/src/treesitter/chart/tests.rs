//! Charts against the outline of the whole: a name, or a row, shows the same in both.
//!
//! Over the corpus; the same over the originals in a file of `treegraft replay --json`:
//!
//! ```text
//! TREEGRAFT_CASES=cases.jsonl cargo test --release -p treegraft --features lang-all chart -- --ignored --nocapture
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::time::Duration;

use super::*;
use crate::treesitter::outline::ItemKind;

const LONG: Duration = Duration::from_secs(60);

/// Names and rows of a file that are asked for.
const MOST_ASKED: usize = 60;

/// All that pairing reads of an item, with what it lies in.
type Seen = (Vec<(ItemKind, String)>, ItemKind, LineRange, usize, LineRange, Option<usize>, String, bool);

/// Lists the items of a name, in order.
fn items_named(outline: &Outline, name: &str) -> Vec<Seen> {
    let mut found = Vec::new();
    let mut stack: Vec<(Vec<(ItemKind, String)>, &Item)> =
        outline.items.iter().rev().map(|item| (Vec::new(), item)).collect();
    while let Some((path, item)) = stack.pop() {
        let mut inner = path.clone();
        inner.push((item.kind, item.name.clone()));
        stack.extend(item.children.iter().rev().map(|child| (inner.clone(), child)));
        if item.name == name {
            found.push((
                path,
                item.kind,
                item.rows,
                item.name_row,
                item.header,
                item.closer,
                item.parameters.clone(),
                item.has_error,
            ));
        }
    }
    found
}

/// How often a chart was asked, by language, and what it got wrong.
#[derive(Debug, Default)]
struct Tally {
    asked: BTreeMap<&'static str, usize>,
    by_window: BTreeMap<&'static str, usize>,
    n_wrong: usize,
    report: String,
}

impl Tally {
    fn add(&mut self, name: &str, text: &str, language: Language) {
        let source = Source::new(text);
        let whole = Outline::of(&source, Some(language), &Meter::start(LONG.into()));
        // Where the whole can't be read, the window may know better.
        if !Window::has_rules(&source, language) || whole.has_errors {
            return;
        }
        let empty = Outline::default();
        let chart = Chart::for_names(&source, "", Some(language), (&empty, &source), true, LONG.into());
        let mut items = Vec::new();
        let mut stack: Vec<&Item> = whole.items.iter().rev().collect();
        while let Some(item) = stack.pop() {
            items.push(item);
            stack.extend(item.children.iter().rev());
        }
        for item in items.iter().step_by(items.len().div_ceil(MOST_ASKED).max(1)) {
            let part = chart.of_names(&[item], &source);
            self.count(language, &part);
            let of_kind = |outline: &Outline| {
                let mut items = items_named(outline, &item.name);
                items.retain(|other| other.1 == item.kind);
                items
            };
            let (wanted, got) = (of_kind(&whole), of_kind(&part.outline));
            if wanted != got {
                self.n_wrong += 1;
                let _ = writeln!(self.report, "{name}: `{}`\n  whole {wanted:?}\n  chart {got:?}", item.name);
            }
            if chart.count_named(item) != whole.count_named(&item.name) {
                self.n_wrong += 1;
                let _ = writeln!(self.report, "{name}: `{}` is counted wrong", item.name);
            }
            if chart.whole.get().is_some() {
                return;
            }
        }
        for block in whole.blocks.iter().step_by(whole.blocks.len().div_ceil(MOST_ASKED).max(1)) {
            let row = block.open;
            let part = chart.around(&[LineRange::new(row, row + 1)]);
            self.count(language, &part);
            let at_row = |outline: &Outline| {
                let blocks = outline.blocks.iter().filter(|block| block.open == row);
                blocks.copied().collect::<Vec<_>>()
            };
            let (wanted, got) = (at_row(&whole), at_row(&part.outline));
            if wanted != got {
                self.n_wrong += 1;
                let _ = writeln!(self.report, "{name}: row {}\n  whole {wanted:?}\n  chart {got:?}", row + 1);
            }
            if chart.whole.get().is_some() {
                return;
            }
        }
    }

    fn count(&mut self, language: Language, part: &Part) {
        *self.asked.entry(language.name()).or_default() += 1;
        *self.by_window.entry(language.name()).or_default() += usize::from(part.window.is_some());
    }
}

#[test]
#[allow(clippy::disallowed_methods, reason = "the corpus lies on disk")]
fn a_chart_of_the_corpus_knows_what_the_whole_shows() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus");
    let mut tally = Tally::default();
    let mut files: Vec<_> = root.read_dir().unwrap().flatten().filter(|entry| entry.path().is_dir()).collect();
    files.sort_by_key(std::fs::DirEntry::path);
    for file in files.iter().flat_map(|folder| folder.path().read_dir().unwrap().flatten()) {
        let path = file.path();
        if let (true, Some(language)) = (path.is_file(), Language::from_path(&path.to_string_lossy())) {
            tally.add(&path.to_string_lossy(), &std::fs::read_to_string(&path).unwrap(), language);
        }
    }
    assert_eq!(tally.n_wrong, 0, "{}", tally.report);
    assert!(tally.by_window.values().sum::<usize>() > 200, "{:?} of {:?}", tally.by_window, tally.asked);
}

#[test]
#[ignore = "reads the cases of a replay run from a file"]
#[allow(clippy::disallowed_methods, reason = "the environment names the file")]
fn a_chart_of_real_files_knows_what_the_whole_shows() {
    let cases = std::fs::read_to_string(std::env::var("TREEGRAFT_CASES").unwrap()).unwrap();
    let mut tally = Tally::default();
    let mut seen = BTreeSet::new();
    for line in cases.lines() {
        let case: serde_json::Value = serde_json::from_str(line).unwrap();
        let field = |name: &str| case[name].as_str().unwrap_or_default();
        let Some(language) = Language::from_path(field("path")) else { continue };
        // One of each file's versions.
        if seen.insert((field("package").to_owned(), field("path").to_owned())) {
            tally.add(&format!("{}/{}", field("package"), field("path")), field("original"), language);
        }
    }
    println!("asked {:?}\nby window {:?}\nwrong {}\n{}", tally.asked, tally.by_window, tally.n_wrong, tally.report);
    assert_eq!(tally.n_wrong, 0);
}
