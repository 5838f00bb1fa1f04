//! Shows where the time of one edit goes, stage by stage: `cargo run --release -p treegraft-benches --example stages --
//! go 100000 1 0` of a cold one; with `warm` behind it of one in a document, and of edits that change a line there and back
//! at some places in turn, whose results the document takes over. The numbers are the lines of the file, the edits,
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

/// Places that are edited in turn.
const N_TURNS: usize = 16;

/// How often each place is.
const N_ROUNDS: usize = 12;

/// Shows where the time of edits goes that change a line and change it back, in a document that takes each over, its taking
/// over included.
fn turns(engine: &Engine, file: &File, text: &str, floor: Duration) {
    let mut document = Document::new(file.path(), text).expect("text");
    let turns = file.turns(N_TURNS);
    let (mut there, mut back) = ([Duration::MAX; N_TURNS], [Duration::MAX; N_TURNS]);
    let (mut stages_there, mut stages_back): (Rows, Rows) = Default::default();
    for (at, turn) in turns.iter().enumerate().cycle().take(turns.len() * N_ROUNDS) {
        let there = (&turn.there, &mut there[at], &mut stages_there);
        for (snippet, shortest, best) in [there, (&turn.back, &mut back[at], &mut stages_back)] {
            let watch = Instant::now();
            let mut taking_over = Duration::ZERO;
            let mut spent = stages::spent(|| {
                let outcome = engine.apply(&document.edit(snippet)).expect("text");
                let watch = Instant::now();
                document.accept(&outcome).expect("the document is as it was");
                drop(outcome);
                taking_over = watch.elapsed();
            });
            spent.insert("accept", taking_over);
            let turn = watch.elapsed();
            *shortest = turn.min(*shortest);
            spent.insert("turn", turn);
            keep_best(best, spent);
        }
    }
    for (way, mut rows, mut places) in [("there", stages_there, there), ("back", stages_back, back)] {
        let places = &mut places[..turns.len()];
        places.sort_unstable();
        rows.insert("turn_median", places[places.len() / 2]);
        rows.insert("turn_slowest", places[places.len() - 1]);
        println!("\n{way}, where it is quickest, on the whole, and where it is slowest:");
        print(rows, floor);
    }
}

/// The shortest time of each row.
type Rows = BTreeMap<&'static str, Duration>;

fn keep_best(best: &mut Rows, spent: Rows) {
    for (name, time) in spent {
        best.entry(name).and_modify(|best| *best = time.min(*best)).or_insert(time);
    }
}

fn print(rows: Rows, floor: Duration) {
    for (name, time) in rows {
        println!(
            "{name:14} {:10.1} us {:8.2} floors",
            time.as_secs_f64() * 1e6,
            time.as_secs_f64() / floor.as_secs_f64()
        );
    }
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let language = args.first().map_or("go", String::as_str);
    let language = Language::ALL.into_iter().find(|one| one.name() == language).expect("a language of the benches");
    let number = |at: usize, default: usize| args.get(at).map_or(default, |text| text.parse().expect("a number"));
    let file = File::generate(language, number(1, 100_000), 0x7ee6);
    let (text, edit) = (file.text(), file.edits_with(number(2, 1), number(3, 0)));
    let mut best = Rows::new();
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
        keep_best(&mut best, spent);
    }
    let floor = (0..51).map(|_| floor(&text)).min().unwrap_or_default();
    best.insert("floor", floor);
    println!("{}", if trusted { "trusted each time" } else { "not trusted each time" });
    print(best, floor);
    if is_warm {
        turns(&engine, &file, &text, floor);
    }
}
