//! Shows where the time of one edit goes, stage by stage: `cargo run --release -p treegraft-benches --example stages --
//! go 100000 1` of a cold one, with `warm` behind it of one in a document.
//!
//! Each row is the shortest of many runs, also as a multiple of the floor. The spans are those of the engine.
#![allow(clippy::print_stdout, reason = "it is what the program is for")]

use std::collections::BTreeMap;
use std::hash::BuildHasher;
use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use foldhash::fast::FixedState;
use memchr::memchr_iter;
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};
use treegraft::{Document, Edit, Engine};
use treegraft_benches::{File, Language};

/// Adds up how long spans are open.
#[derive(Default)]
struct Stages {
    next: AtomicU64,
    names: Mutex<BTreeMap<u64, (&'static str, Option<Instant>)>>,
    spent: Arc<Mutex<BTreeMap<&'static str, Duration>>>,
}

impl Subscriber for Stages {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        let id = self.next.fetch_add(1, Ordering::Relaxed) + 1;
        self.names.lock().expect("one thread").insert(id, (span.metadata().name(), None));
        Id::from_u64(id)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, _: &Event<'_>) {}

    fn enter(&self, id: &Id) {
        if let Some((_, start)) = self.names.lock().expect("one thread").get_mut(&id.into_u64()) {
            *start = Some(Instant::now());
        }
    }

    fn exit(&self, id: &Id) {
        if let Some((name, Some(start))) = self.names.lock().expect("one thread").get(&id.into_u64()) {
            *self.spent.lock().expect("one thread").entry(name).or_default() += start.elapsed();
        }
    }
}

/// Finds the line ends and hashes each line: the least that looking lines up costs.
fn floor(text: &str) -> Duration {
    let state = FixedState::default();
    let watch = Instant::now();
    let mut start = 0;
    let all = memchr_iter(b'\n', text.as_bytes()).fold(0, |all, end| {
        let hash = state.hash_one(&text.as_bytes()[start..end]);
        start = end + 1;
        all ^ hash
    });
    black_box(all);
    watch.elapsed()
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let language = args.first().map_or("go", String::as_str);
    let language = Language::ALL.into_iter().find(|one| one.name() == language).expect("a language of the benches");
    let number = |at: usize, default: usize| args.get(at).map_or(default, |text| text.parse().expect("a number"));
    let file = File::generate(language, number(1, 100_000), 0x7ee6);
    let (text, edit) = (file.text(), file.edits(number(2, 1)));
    let stages = Stages::default();
    let spent = Arc::clone(&stages.spent);
    let mut best: BTreeMap<&'static str, Duration> = BTreeMap::new();
    let is_warm = args.get(3).is_some_and(|word| word == "warm");
    let document = Document::new(file.path(), text.as_str()).expect("text");
    tracing::subscriber::with_default(stages, || {
        for _ in 0..if is_warm { 101 } else { 11 } {
            let edit_of_text = match is_warm {
                true => document.edit(&edit.snippet),
                false => Edit::new(file.path(), &text, &edit.snippet),
            };
            let outcome = Engine::default().apply(&edit_of_text).expect("text");
            assert!(outcome.text() == edit.expected, "another result: {:?}", outcome.verdict());
            for (name, time) in std::mem::take(&mut *spent.lock().expect("one thread")) {
                best.entry(name).and_modify(|best| *best = time.min(*best)).or_insert(time);
            }
        }
    });
    let floor = (0..51).map(|_| floor(&text)).min().unwrap_or_default();
    best.insert("floor", floor);
    for (name, time) in best {
        println!(
            "{name:14} {:10.1} us {:8.2} floors",
            time.as_secs_f64() * 1e6,
            time.as_secs_f64() / floor.as_secs_f64()
        );
    }
}
