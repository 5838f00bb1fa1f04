//! Cold edits in files of growing length, beside the floors that no engine gets below.
//!
//! | row | does |
//! |---|---|
//! | `lines` | finds the line ends |
//! | `floor` | finds the line ends and hashes every line: the least that looking lines up costs |
//! | `imara_diff`, `similar` | diff the whole file with its result |
//! | `git_diff` | `git diff --no-index` of two files, as a process |
//! | `parse` | parses the whole file |
//! | `apply_1`, `apply_50` | so many edits by one snippet: merge, ledger, replacements, syntax, verdict |
//! | `whole_1` | one edit with both texts parsed as a whole |
//!
//! Each row is checked before it is timed. The time budget is a minute, so that no row is short because it gave up.
//!
//! `cargo bench -p treegraft-benches --bench apply -- go/10000` runs one language and length.
#![allow(missing_docs, reason = "criterion's macros make undocumented functions")]

use std::hash::BuildHasher;
use std::hint::black_box;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use foldhash::fast::FixedState;
use imara_diff::{Algorithm, Diff, InternedInput};
use memchr::memchr_iter;
use treegraft::{Engine, Options, SyntaxStatus};
use treegraft_benches::{Edit, File, Language};

const LENGTHS: [usize; 3] = [1_000, 10_000, 100_000];
/// Where parses and processes take too long to be repeated; only Go.
const LONGEST: usize = 1_000_000;
const SEED: u64 = 0x7ee6;

fn engine(windows: bool) -> Engine {
    let mut options = Options::default();
    options.budget = Duration::from_secs(60).into();
    options.windows = windows;
    Engine::new(options)
}

fn count_lines(text: &str) -> usize {
    memchr_iter(b'\n', text.as_bytes()).count()
}

fn hash_lines(text: &str) -> u64 {
    let state = FixedState::default();
    let mut start = 0;
    memchr_iter(b'\n', text.as_bytes()).fold(0, |all, end| {
        let hash = state.hash_one(&text.as_bytes()[start..end]);
        start = end + 1;
        all ^ hash
    })
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

fn check(engine: &Engine, path: &str, text: &str, edit: &Edit, n: usize) {
    let outcome = engine.apply(&treegraft::Edit::new(path, text, &edit.snippet)).expect("the file is text");
    assert_eq!(outcome.text(), edit.expected);
    assert!(outcome.verdict().is_trusted(), "{:?}", outcome.verdict());
    assert_eq!(outcome.replacements().len(), n);
}

fn floors(group: &mut BenchmarkGroup<'_, WallTime>, n_lines: usize, text: &str) {
    group.throughput(Throughput::Bytes(text.len() as u64));
    assert_eq!(count_lines(text), text.lines().count());
    group.bench_function(format!("{n_lines}/lines"), |b| b.iter(|| count_lines(black_box(text))));
    assert_ne!(hash_lines(text), hash_lines(&text[text.len() / 2..]));
    group.bench_function(format!("{n_lines}/floor"), |b| b.iter(|| hash_lines(black_box(text))));
}

fn edits(group: &mut BenchmarkGroup<'_, WallTime>, n_lines: usize, file: &File, text: &str, counts: &[usize]) {
    let engine = engine(true);
    for &n in counts {
        let (path, edit) = (file.path(), file.edits(n));
        check(&engine, path, text, &edit, n);
        group.bench_function(format!("{n_lines}/apply_{n}"), |b| {
            b.iter(|| engine.apply(&treegraft::Edit::new(path, black_box(text), black_box(&edit.snippet))));
        });
    }
}

fn peers(group: &mut BenchmarkGroup<'_, WallTime>, n_lines: usize, file: &File, text: &str) {
    let (path, edit) = (file.path(), file.edits(1));
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

    let whole = engine(false);
    let parse = || whole.check(black_box(text), treegraft::Language::from_path(path));
    assert_eq!(parse().expect("the file is text").status, SyntaxStatus::Valid);
    group.bench_function(format!("{n_lines}/parse"), |b| b.iter(parse));
    check(&whole, path, text, &edit, 1);
    group.bench_function(format!("{n_lines}/whole_1"), |b| {
        b.iter(|| whole.apply(&treegraft::Edit::new(path, black_box(text), black_box(&edit.snippet))));
    });
}

fn cold(criterion: &mut Criterion) {
    for language in Language::ALL {
        let mut group = criterion.benchmark_group(language.name());
        group.sampling_mode(SamplingMode::Flat).sample_size(10);
        group.warm_up_time(Duration::from_millis(200)).measurement_time(Duration::from_millis(800));
        for n_lines in LENGTHS {
            let file = File::generate(language, n_lines, SEED);
            let text = file.text();
            floors(&mut group, n_lines, &text);
            edits(&mut group, n_lines, &file, &text, if n_lines > 1_000 { &[1, 50] } else { &[1] });
            peers(&mut group, n_lines, &file, &text);
        }
        if language == Language::Go {
            let file = File::generate(language, LONGEST, SEED);
            let text = file.text();
            floors(&mut group, LONGEST, &text);
            edits(&mut group, LONGEST, &file, &text, &[1, 50]);
        }
        group.finish();
    }
}

criterion_group!(benches, cold);
criterion_main!(benches);
