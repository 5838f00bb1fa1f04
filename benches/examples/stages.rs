//! Shows where the time of one edit goes, stage by stage: `cargo run --release -p treegraft-benches --example stages --
//! go 100000 1 0` of a cold one; with `warm` behind it of one in a document, and as `turn` of one at the place of
//! the last edit, whose result the document takes over. The numbers are the lines of the file, the edits,
//! and the lines of new text in each.
//!
//! Each row is the shortest of many runs, also as a multiple of the floor. The spans are those of the engine.
#![allow(clippy::print_stdout, reason = "it is what the program is for")]

use std::collections::BTreeMap;
use std::hint::black_box;
use std::time::{Duration, Instant};

use treegraft::{Document, Edit, Engine, Options};
use treegraft_benches::floor::hash_lines;
use treegraft_benches::{File, Language, stages};

fn floor(text: &str) -> Duration {
    let watch = Instant::now();
    black_box(hash_lines(text));
    watch.elapsed()
}

/// Gives the shortest time of an edit in a document that has taken over the last edit of the same place, its own taking over
/// included.
fn turn(engine: &Engine, file: &File, text: &str) -> Duration {
    let mut document = Document::new(file.path(), text).expect("text");
    let turns = file.turns(1);
    let snippets = turns.iter().flat_map(|turn| [&turn.there, &turn.back]).cycle();
    let times = snippets.take(200).map(|snippet| {
        let watch = Instant::now();
        let outcome = engine.apply(&document.edit(snippet)).expect("text");
        document.accept(&outcome).expect("the document is as it was");
        drop(outcome);
        watch.elapsed()
    });
    times.min().unwrap_or_default()
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let language = args.first().map_or("go", String::as_str);
    let language = Language::ALL.into_iter().find(|one| one.name() == language).expect("a language of the benches");
    let number = |at: usize, default: usize| args.get(at).map_or(default, |text| text.parse().expect("a number"));
    let file = File::generate(language, number(1, 100_000), 0x7ee6);
    let (text, edit) = (file.text(), file.edits_with(number(2, 1), number(3, 0)));
    let mut best: BTreeMap<&'static str, Duration> = BTreeMap::new();
    let is_warm = args.get(4).is_some_and(|word| word == "warm");
    let document = Document::new(file.path(), text.as_str()).expect("text");
    let mut options = Options::default();
    options.budget = Duration::from_secs(60).into();
    let engine = Engine::new(options);
    let mut trusted = true;
    for _ in 0..if is_warm { 101 } else { 11 } {
        let spent = stages::spent(|| {
            let cold = Edit::new(file.path(), &text, &edit.snippet);
            let edit_of_text = if is_warm { document.edit(&edit.snippet) } else { cold };
            let outcome = engine.apply(&edit_of_text).expect("text");
            let first = outcome.verdict().reasons().first();
            assert!(outcome.text() == edit.expected, "another result, for one because of {first:?}");
            trusted &= outcome.verdict().is_trusted();
        });
        for (name, time) in spent {
            best.entry(name).and_modify(|best| *best = time.min(*best)).or_insert(time);
        }
    }
    if is_warm {
        best.insert("turn", turn(&engine, &file, &text));
    }
    let floor = (0..51).map(|_| floor(&text)).min().unwrap_or_default();
    best.insert("floor", floor);
    println!("{}", if trusted { "trusted each time" } else { "not trusted each time" });
    for (name, time) in best {
        println!(
            "{name:14} {:10.1} us {:8.2} floors",
            time.as_secs_f64() * 1e6,
            time.as_secs_f64() / floor.as_secs_f64()
        );
    }
}
