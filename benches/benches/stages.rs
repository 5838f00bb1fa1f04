//! Each stage of one edit alone, by the engine's own spans: cold, and in a document that is kept.
//!
//! `cargo bench -p treegraft-benches --bench stages -- go/cold` runs one language one way.
#![allow(missing_docs, reason = "criterion's macros make undocumented functions")]

use std::time::Duration;

use criterion::{Criterion, SamplingMode, criterion_group, criterion_main};
use treegraft::{Document, Edit, Engine};
use treegraft_benches::{File, Language, stages};

const LENGTH: usize = 100_000;
const SEED: u64 = 0x7ee6;

fn each_stage(criterion: &mut Criterion) {
    let engine = Engine::default();
    for language in Language::ALL {
        let mut group = criterion.benchmark_group(format!("stages_{}", language.name()));
        group.sampling_mode(SamplingMode::Flat).sample_size(10).nresamples(1_000);
        group.warm_up_time(Duration::from_millis(20)).measurement_time(Duration::from_millis(100));
        let file = File::generate(language, LENGTH, SEED);
        let (path, text, edit) = (file.path(), file.text(), file.edits(1));
        let document = Document::new(path, text.as_str()).expect("the file is text");
        for (way, given) in [("cold", Edit::new(path, &text, &edit.snippet)), ("warm", document.edit(&edit.snippet))] {
            for name in stages::NAMES {
                group.bench_function(format!("{LENGTH}/{way}_{name}"), |b| {
                    b.iter_custom(|n| {
                        let spent = stages::spent(|| {
                            for _ in 0..n {
                                let outcome = engine.apply(&given).expect("the file is text");
                                assert!(outcome.text() == edit.expected, "{:?}", outcome.verdict());
                            }
                        });
                        spent.get(name).copied().unwrap_or_default()
                    });
                });
            }
        }
        group.finish();
    }
}

criterion_group!(benches, each_stage);
criterion_main!(benches);
