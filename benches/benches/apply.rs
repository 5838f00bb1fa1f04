//! Edits in files of growing length, cold and warm, beside the floors that no engine gets below.
//!
//! | row | does |
//! |---|---|
//! | `lines` | finds the line ends |
//! | `floor` | finds the line ends and hashes every line: the least that looking lines up costs |
//! | `imara_diff`, `similar` | diff the whole file with its result |
//! | `git_diff` | `git diff --no-index` of two files, as a process |
//! | `parse` | parses the whole file |
//! | `apply_1`, `apply_50`, `apply_1000` | so many edits by one snippet: merge, ledger, replacements, syntax, verdict |
//! | `warm_1` | one edit in a document that is kept, and its result taken over; somewhere else in the file every other time |
//! | `document` | makes such a document |
//! | `whole_1` | one edit with both texts parsed as a whole |
//!
//! Each row is checked before it is timed: a wrong result ends the run, and a row whose result isn't trusted is left out. The time budget is a minute, so that no row is short because it gave up.
//!
//! `cargo bench -p treegraft-benches --bench apply -- go/10000` runs one language and length.
#![allow(
    missing_docs,
    clippy::print_stderr,
    reason = "criterion's macros make undocumented functions; rows are told of"
)]

use std::hint::black_box;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use imara_diff::{Algorithm, Diff, InternedInput};
use treegraft::{Document, Engine, Options, Outcome, SyntaxStatus};
use treegraft_benches::floor::{count_lines, hash_lines};
use treegraft_benches::{Edit, File, Language};

const LENGTHS: [usize; 4] = [1_000, 10_000, 100_000, LONGEST];
/// Where parses take too long to be repeated, and what is to be told of diffs is told.
const LONGEST: usize = 1_000_000;
/// Numbers of edits, each in files with several times as many functions.
const COUNTS: [(usize, usize); 3] = [(1, 0), (50, 10_000), (1_000, 100_000)];
/// Places that warm edits go to in turn.
const N_TURNS: usize = 16;
const SEED: u64 = 0x7ee6;

fn engine(windows: bool) -> Engine {
    let mut options = Options::default();
    options.budget = Duration::from_secs(60).into();
    options.windows = windows;
    Engine::new(options)
}

fn imara_diff(old: &str, new: &str) -> (u32, u32) {
    let input = InternedInput::new(old, new);
    let diff = Diff::compute(Algorithm::Histogram, &input);
    (diff.count_removals(), diff.count_additions())
}

fn similar_diff(old: &str, new: &str) -> usize {
    let diff = similar::TextDiff::from_lines(old, new);
    diff.ops().iter().filter(|op| op.tag() != similar::DiffTag::Equal).count()
}

/// Counts the changed lines that git prints.
fn git_diff(folder: &Path) -> usize {
    let out = Command::new("git").args(["diff", "--no-index", "--no-color", "old", "new"]).current_dir(folder).output();
    let out = String::from_utf8(out.expect("git is there").stdout).expect("git prints text");
    out.lines()
        .filter(|line| line.starts_with(['+', '-']) && !line.starts_with("+++") && !line.starts_with("---"))
        .count()
}

/// Checks that an edit comes out right, in as few replacements as there are changes; says whether it is trusted.
fn is_trusted(engine: &Engine, path: &str, text: &str, edit: &Edit, n: usize) -> bool {
    let outcome = engine.apply(&treegraft::Edit::new(path, text, &edit.snippet)).expect("the file is text");
    assert!(outcome.text() == edit.expected && outcome.replacements().len() == n, "{path}: {n} edits: a wrong result");
    told(&outcome, path, n)
}

/// Says whether an outcome is trusted, and to whoever reads along if it isn't.
fn told(outcome: &Outcome, path: &str, n: usize) -> bool {
    if let Some(reason) = outcome.verdict().reasons().first() {
        eprintln!("left out: {n} edits of {path}, {} bytes: {}", outcome.text().len(), reason.message);
    }
    outcome.verdict().is_trusted()
}

fn floors(group: &mut BenchmarkGroup<'_, WallTime>, n_lines: usize, text: &str) {
    group.throughput(Throughput::Bytes(text.len() as u64));
    assert_eq!(count_lines(text), text.lines().count());
    group.bench_function(format!("{n_lines}/lines"), |b| b.iter(|| count_lines(black_box(text))));
    assert_ne!(hash_lines(text), hash_lines(&text[text.len() / 2..]));
    group.bench_function(format!("{n_lines}/floor"), |b| b.iter(|| hash_lines(black_box(text))));
}

fn edits(group: &mut BenchmarkGroup<'_, WallTime>, n_lines: usize, file: &File, text: &str) {
    let engine = engine(true);
    for (n, _) in COUNTS.into_iter().filter(|&(_, least)| n_lines >= least) {
        let (path, edit) = (file.path(), file.edits(n));
        if !is_trusted(&engine, path, text, &edit, n) {
            continue;
        }
        group.bench_function(format!("{n_lines}/apply_{n}"), |b| {
            b.iter(|| engine.apply(&treegraft::Edit::new(path, black_box(text), black_box(&edit.snippet))));
        });
    }
}

fn warm(group: &mut BenchmarkGroup<'_, WallTime>, n_lines: usize, file: &File, text: &str) {
    let engine = engine(true);
    let make = || Document::new(file.path(), black_box(text)).expect("the file is text");
    let mut document = make();
    let turns = file.turns(N_TURNS);
    let turn = |document: &mut Document, at: usize| {
        let turn = &turns[at / 2 % turns.len()];
        let snippet = if at.is_multiple_of(2) { &turn.there } else { &turn.back };
        let outcome = engine.apply(&document.edit(black_box(snippet))).expect("the file is text");
        document.accept(&outcome).expect("the outcome is the document's");
        outcome
    };
    let mut all_trusted = true;
    for at in 0..2 * turns.len() {
        let outcome = turn(&mut document, at);
        assert!((document.text() == text) == (at % 2 == 1) && outcome.replacements().len() == 1, "a wrong result");
        all_trusted = all_trusted && told(&outcome, file.path(), 1);
    }
    if !all_trusted {
        return;
    }
    let mut at = 0;
    group.bench_function(format!("{n_lines}/warm_1"), |b| {
        b.iter(|| {
            at += 1;
            turn(&mut document, at - 1)
        });
    });
    group.bench_function(format!("{n_lines}/document"), |b| b.iter(make));
}

fn peers(group: &mut BenchmarkGroup<'_, WallTime>, n_lines: usize, file: &File, text: &str) {
    let edit = file.edits(1);
    assert_eq!(imara_diff(text, &edit.expected), (1, 1));
    group.bench_function(format!("{n_lines}/imara_diff"), |b| {
        b.iter(|| imara_diff(black_box(text), black_box(&edit.expected)));
    });
    assert_eq!(similar_diff(text, &edit.expected), 1);
    group.bench_function(format!("{n_lines}/similar"), |b| {
        b.iter(|| similar_diff(black_box(text), black_box(&edit.expected)));
    });

    let folder = tempfile::tempdir().expect("there is room for two files");
    for (name, text) in [("old", text), ("new", &edit.expected)] {
        std::fs::write(folder.path().join(name), text).expect("there is room for two files");
    }
    assert_eq!(git_diff(folder.path()), 2);
    group.bench_function(format!("{n_lines}/git_diff"), |b| b.iter(|| git_diff(folder.path())));
}

/// What reads all of a text, or all of both, with a grammar.
fn parses(group: &mut BenchmarkGroup<'_, WallTime>, n_lines: usize, file: &File, text: &str) {
    let (path, edit) = (file.path(), file.edits(1));
    let whole = engine(false);
    let parse = || whole.check(black_box(text), treegraft::Language::from_path(path));
    assert_eq!(parse().expect("the file is text").status, SyntaxStatus::Valid);
    group.bench_function(format!("{n_lines}/parse"), |b| b.iter(parse));
    assert!(is_trusted(&whole, path, text, &edit, 1), "{path}: {n_lines} lines read as a whole");
    group.bench_function(format!("{n_lines}/whole_1"), |b| {
        b.iter(|| whole.apply(&treegraft::Edit::new(path, black_box(text), black_box(&edit.snippet))));
    });
}

fn all(criterion: &mut Criterion) {
    for language in Language::ALL {
        let mut group = criterion.benchmark_group(language.name());
        group.sampling_mode(SamplingMode::Flat).sample_size(10).nresamples(1_000);
        group.warm_up_time(Duration::from_millis(100)).measurement_time(Duration::from_millis(400));
        for n_lines in LENGTHS {
            let file = File::generate(language, n_lines, SEED);
            let text = file.text();
            floors(&mut group, n_lines, &text);
            edits(&mut group, n_lines, &file, &text);
            warm(&mut group, n_lines, &file, &text);
            if n_lines < LONGEST {
                peers(&mut group, n_lines, &file, &text);
                parses(&mut group, n_lines, &file, &text);
            }
        }
        group.finish();
    }
}

criterion_group!(benches, all);
criterion_main!(benches);
