//! One cold edit in files of growing length, beside the floors that no engine gets below.
//!
//! | row | does |
//! |---|---|
//! | `lines` | finds the line ends |
//! | `hashed_lines` | finds the line ends and hashes every line: the least that looking lines up costs |
//! | `diff` | diffs the whole file with its result |
//! | `parse` | parses the whole file |
//! | `apply` | the edit: merge, ledger, replacements, syntax, verdict |
//!
//! Each row is checked before it is timed. The time budget is a minute, so that no row is short because it gave up.
//!
//! `cargo bench -p treegraft-benches -- go/10000` runs one language and length.
#![allow(missing_docs, reason = "criterion's macros make undocumented functions")]

use std::hash::BuildHasher;
use std::hint::black_box;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use foldhash::fast::FixedState;
use imara_diff::{Algorithm, Diff, InternedInput};
use memchr::memchr_iter;
use treegraft::{Engine, Options, SyntaxStatus};
use treegraft_benches::{File, Language};

const LENGTHS: [usize; 3] = [1_000, 10_000, 100_000];
const SEED: u64 = 0x7ee6;

fn engine() -> Engine {
    let mut options = Options::default();
    options.budget = Duration::from_secs(60);
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

fn diff(old: &str, new: &str) -> (u32, u32) {
    let input = InternedInput::new(old, new);
    let diff = Diff::compute(Algorithm::Histogram, &input);
    (diff.count_removals(), diff.count_additions())
}

fn one_edit(criterion: &mut Criterion) {
    let engine = engine();
    for language in Language::ALL {
        let mut group = criterion.benchmark_group(language.name());
        group.sampling_mode(SamplingMode::Flat).sample_size(10);
        group.warm_up_time(Duration::from_millis(200)).measurement_time(Duration::from_millis(800));
        for n_lines in LENGTHS {
            let file = File::generate(language, n_lines, SEED);
            let (path, text, edit) = (file.path(), file.text(), file.one_edit());
            group.throughput(Throughput::Bytes(text.len() as u64));

            assert_eq!(count_lines(&text), text.lines().count());
            group.bench_function(BenchmarkId::new("lines", n_lines), |b| b.iter(|| count_lines(black_box(&text))));

            assert_ne!(hash_lines(&text), hash_lines(&edit.expected));
            group
                .bench_function(BenchmarkId::new("hashed_lines", n_lines), |b| b.iter(|| hash_lines(black_box(&text))));

            assert_eq!(diff(&text, &edit.expected), (1, 1));
            group.bench_function(BenchmarkId::new("diff", n_lines), |b| {
                b.iter(|| diff(black_box(&text), black_box(&edit.expected)));
            });

            let parse = || engine.check(black_box(&text), treegraft::Language::from_path(path));
            assert_eq!(parse().expect("the file is text").status, SyntaxStatus::Valid);
            group.bench_function(BenchmarkId::new("parse", n_lines), |b| b.iter(parse));

            let apply = || engine.apply(&treegraft::Edit::new(path, black_box(&text), black_box(&edit.snippet)));
            let outcome = apply().expect("the file is text");
            assert_eq!(outcome.text(), edit.expected);
            assert!(outcome.verdict().is_trusted(), "{:?}", outcome.verdict());
            assert_eq!(outcome.replacements().len(), 1);
            group.bench_function(BenchmarkId::new("apply", n_lines), |b| b.iter(apply));
        }
        group.finish();
    }
}

criterion_group!(benches, one_edit);
criterion_main!(benches);
