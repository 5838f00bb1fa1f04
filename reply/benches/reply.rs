//! A reply of 10 MB, whole and in chunks, beside the floor that nothing gets below: one pass of `memchr` over its line feeds.
//!
//! | row | does |
//! |---|---|
//! | `floor` | finds the line feeds |
//! | `parse/whole`, `parse/N` | reads the reply in one chunk; in chunks of N bytes |
//! | `display/N` | shows it, with a stop sequence |
//! | `hostile/…` | reads texts that are made to be slow: doubtful closes, openings in a body, prose without an end |
//!
//! What was read is checked before it is timed. `cargo bench -p treegraft-reply -- parse` runs some of them.
#![allow(missing_docs, reason = "criterion's macros make undocumented functions")]
#![allow(clippy::format_push_string, reason = "a template reads better whole")]

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use memchr::memchr_iter;
use treegraft_reply::{Display, Event, Parser};

/// The length of a reply, in bytes.
const LENGTH: usize = 10_000_000;

/// Prose and files of 200 lines, half of them in tags, the others in fences and patches.
fn reply() -> Vec<u8> {
    let mut text = String::with_capacity(LENGTH + 20_000);
    let mut n = 0;
    while text.len() < LENGTH {
        n += 1;
        text += "Now the next part: it reads the settings, and keeps what it has read.\n\n";
        text += &match n % 4 {
            0 => format!("src/file_{n}.rs\n```rust\n{}```\n\n", code("")),
            1 => format!("*** Begin Patch\n*** Update File: src/file_{n}.rs\n@@\n{}*** End Patch\n\n", code("+")),
            _ => format!(
                "- src/file_{n}.rs:\n<PlandexBlock lang=\"rust\" path=\"src/file_{n}.rs\">\n{}</PlandexBlock>\n\n",
                code("")
            ),
        };
    }
    text.truncate(LENGTH);
    text.into_bytes()
}

fn code(sign: &str) -> String {
    (0..50)
        .flat_map(|n| {
            [
                format!("{sign}    // Line {n} of the function.\n"),
                format!("{sign}    if settings.get(\"name_{n}\").is_some_and(|value| value > {n}) {{\n"),
                format!("{sign}        return Err(Error::Setting {{ name: \"name_{n}\" }});\n"),
                format!("{sign}    }}\n"),
            ]
        })
        .collect()
}

/// Reads a text in chunks; gives how many operations came out.
fn parse(text: &[u8], size: usize) -> usize {
    let mut parser = Parser::new();
    let mut n = 0;
    for chunk in text.chunks(size) {
        n += parser.push(chunk).iter().filter(|event| matches!(event, Event::Operation(_))).count();
    }
    n + parser.finish().len()
}

/// Shows a text in chunks; gives how many bytes were shown.
fn show(text: &[u8], size: usize) -> usize {
    let mut display = Display::new().with_stop("<PlandexFinish/>");
    let shown: usize = text.chunks(size).map(|chunk| display.push(chunk).text.len()).sum();
    shown + display.finish().text.len()
}

fn benches(criterion: &mut Criterion) {
    let text = reply();
    assert!(parse(&text, text.len()) > 900, "the reply holds about a thousand files");
    assert!(show(&text, 4096) > LENGTH * 9 / 10, "nearly all of it is shown");
    let mut group = criterion.benchmark_group("reply");
    group.sampling_mode(SamplingMode::Flat).sample_size(10).throughput(Throughput::Bytes(LENGTH as u64));
    group.bench_function("floor", |bencher| bencher.iter(|| memchr_iter(b'\n', black_box(&text)).count()));
    group.bench_function("parse/whole", |bencher| bencher.iter(|| parse(black_box(&text), text.len())));
    for size in [65_536, 4_096, 256, 16, 4, 1] {
        group.bench_function(BenchmarkId::new("parse", size), |bencher| bencher.iter(|| parse(black_box(&text), size)));
    }
    for size in [4_096, 16, 1] {
        group
            .bench_function(BenchmarkId::new("display", size), |bencher| bencher.iter(|| show(black_box(&text), size)));
    }
    let opening = "<PlandexBlock lang=\"rust\" path=\"a.rs\">\n";
    for (name, line) in [
        ("closes", "x</PlandexBlock>\n"),
        ("openings", opening),
        ("fences", "```rust\n"),
        ("prose", "- a line of prose, as long as lines are in most replies\n"),
    ] {
        let hostile = [opening, &line.repeat(LENGTH / line.len())].concat().into_bytes();
        let hostile = if name == "prose" { &hostile[opening.len()..] } else { &hostile[..] };
        group.bench_function(BenchmarkId::new("hostile", name), |bencher| {
            bencher.iter(|| parse(black_box(hostile), 4_096));
        });
    }
    group.finish();
}

criterion_group!(all, benches);
criterion_main!(all);
