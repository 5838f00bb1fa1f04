//! Edits that are made to take long, at one and at four times a size. Each is checked to end with a result, and the
//! verdict to say so where something was cut short.
//!
//! | row | is |
//! |---|---|
//! | `equal_lines` | a file of one line many times, and a snippet of it with references between |
//! | `half_references` | the same, with as many references as lines |
//! | `distinct_lines` | no two lines are equal |
//! | `long_line` | one line of megabytes |
//! | `open_brackets` | nothing but opening brackets |
//! | `references` | ten thousand references with a line between |
#![allow(missing_docs, reason = "criterion's macros make undocumented functions")]

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, SamplingMode, criterion_group, criterion_main};
use treegraft::Engine;

/// A file and a snippet, made for a size.
type Make = fn(usize) -> (String, String);

const CASES: [(&str, usize, Make); 6] = [
    ("equal_lines", 10_000, |n| ("x();\n".repeat(n), "// ...\nx();\ny();\nx();\n// ...\n".to_owned())),
    ("half_references", 10_000, |n| ("x();\n".repeat(n), "x();\n// ... existing code ...\n".repeat(200))),
    ("distinct_lines", 10_000, |n| {
        let text = lines(n, |at| format!("call({at});\n"));
        (text, format!("// ...\ncall({});\nnew();\n// ...\n", n / 2))
    }),
    ("long_line", 1_250_000, |n| {
        (format!("let x = \"{}\";\n", "a b ".repeat(n / 4)), "let y = 1;\n// ...\n".to_owned())
    }),
    ("open_brackets", 50_000, |n| ("(\n".repeat(n), "// ...\n(\nx\n(\n// ...\n".to_owned())),
    ("references", 2_500, |n| {
        let text = lines(n, |at| format!("call({at});\n"));
        let snippet = lines(n, |at| format!("// ... existing code ...\ncall({at});\n"));
        (text, snippet)
    }),
];

/// Puts `n` pieces together.
fn lines(n: usize, piece: impl Fn(usize) -> String) -> String {
    (0..n).map(piece).collect()
}

fn worst(criterion: &mut Criterion) {
    let engine = Engine::default();
    let mut group = criterion.benchmark_group("worst");
    group.sampling_mode(SamplingMode::Flat).sample_size(10).nresamples(1_000);
    group.warm_up_time(Duration::from_millis(100)).measurement_time(Duration::from_millis(400));
    for (name, size, make) in CASES {
        for n in [size, 4 * size] {
            let (text, snippet) = make(n);
            let edit = treegraft::Edit::new("worst.js", &text, &snippet);
            let outcome = engine.apply(&edit).expect("it is text");
            let cut_short = |outcome: &treegraft::Outcome| {
                outcome.verdict().reasons().iter().any(|reason| reason.kind == treegraft::ReasonKind::CutShort)
            };
            assert!(!cut_short(&outcome) || !outcome.verdict().is_trusted());
            group.bench_function(format!("{name}/{n}"), |b| b.iter(|| engine.apply(black_box(&edit))));
        }
    }
    group.finish();
}

criterion_group!(benches, worst);
criterion_main!(benches);
