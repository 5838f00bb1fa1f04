//! Looks for edits that take too long for their size: `cargo run --release -p treegraft-benches --example offenders --
//! 60` tries random recipes for a minute, `-- 0.1.2.0.0.0.0.0.1.1.50` measures one.
//!
//! Each recipe makes an edit of 500 lines and the same edit four times as long. What it scores is the larger of two numbers:
//! how many times the floor the long one takes (reading both texts once, see `floor`), per ten thousand; and how many times
//! as long the long one takes, per 4.5. Above 1 is an offender. Of what takes less than half a millisecond no growth is told.
//!
//! The worst are kept in `benches/record/offenders.tsv`, worst first: score, times, recipe. A run measures those that are
//! there again, so that what was mended leaves the list; one alone is measured again by its recipe.
#![allow(clippy::print_stdout, reason = "it is what the program is for")]

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use fastrand::Rng;
use treegraft::{Edit, Engine, ReasonKind};
use treegraft_benches::floor::hash_lines;
use treegraft_benches::recipe::Recipe;

/// Lines of the small edit; the large one has four times as many.
const SMALL: usize = 500;

/// Offenders that are kept.
const KEPT: usize = 10;

/// How many times the floor an edit of worst kind may take. Larger: what is slow at any size goes unseen; smaller: edits that
/// show half of a file, which are aligned line by line, are all that is found.
const MOST_FLOORS: f64 = 10_000.0;

/// How much longer an edit four times as long may take.
const MOST_GROWTH: f64 = 4.5;

/// Below this no growth is told: what all edits cost hides it.
const LEAST: Duration = Duration::from_micros(500);

/// How often each edit is timed, and after what time no further run begins.
const RUNS: usize = 5;
const ENOUGH: Duration = Duration::from_millis(300);

/// What was measured of a recipe.
struct Measured {
    recipe: Recipe,
    small: Duration,
    large: Duration,
    score: f64,
    /// The verdict says that something was cut short.
    cut_short: bool,
}

fn main() {
    let argument = std::env::args().nth(1).unwrap_or_else(|| "60".to_owned());
    let Ok(seconds) = argument.parse() else {
        match argument.parse() {
            Ok(recipe) => print(&measured(recipe)),
            Err(error) => println!("{error}"),
        }
        return;
    };
    let kept = record();
    let old = std::fs::read_to_string(&kept).unwrap_or_default();
    let known = old.lines().filter_map(|line| line.rsplit('\t').next()?.parse().ok());
    let mut worst: Vec<Measured> = known.map(measured).collect();
    let (watch, limit) = (Instant::now(), Duration::from_secs(seconds));
    let mut rng = Rng::new();
    let mut n = 0;
    while watch.elapsed() < limit {
        n += 1;
        let recipe = Recipe::random(&mut rng);
        if worst.iter().any(|one| one.recipe == recipe) {
            continue;
        }
        let found = measured(recipe);
        if found.score > 1.0 {
            print(&found);
        }
        worst.push(found);
        worst.sort_by(|a, b| b.score.total_cmp(&a.score));
        worst.truncate(KEPT);
    }
    let line = |one: &Measured| {
        format!("{:.2}\t{:.1} ms\t{:.1} ms\t{}\n", one.score, ms(one.small), ms(one.large), one.recipe)
    };
    let text: String = worst.iter().map(line).collect();
    match std::fs::write(&kept, text) {
        Ok(()) => println!("{n} recipes; the {} worst are in {}", worst.len(), kept.display()),
        Err(error) => println!("cannot write {}: {error}", kept.display()),
    }
}

fn record() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("record/offenders.tsv")
}

fn print(one: &Measured) {
    println!(
        "{:8.2}  {:9.2} ms  {:9.2} ms  x {:5.2}  {}{}",
        one.score,
        ms(one.small),
        ms(one.large),
        one.large.as_secs_f64() / one.small.as_secs_f64(),
        one.recipe,
        if one.cut_short { "  (cut short)" } else { "" }
    );
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn measured(recipe: Recipe) -> Measured {
    let (small, _) = timed(recipe, SMALL);
    let (large, cut_short) = timed(recipe, 4 * SMALL);
    let (_, text, snippet) = recipe.make(4 * SMALL);
    let floor = shortest(|| hash_lines(black_box(&text)) ^ hash_lines(black_box(&snippet)));
    let floors = large.as_secs_f64() / floor.as_secs_f64() / MOST_FLOORS;
    let growth = large.as_secs_f64() / small.as_secs_f64() / MOST_GROWTH;
    Measured { recipe, small, large, score: if large < LEAST { floors } else { floors.max(growth) }, cut_short }
}

/// Times an edit of `n` lines; says also whether something was cut short.
fn timed(recipe: Recipe, n: usize) -> (Duration, bool) {
    let engine = Engine::default();
    let (path, text, snippet) = recipe.make(n);
    let edit = Edit::new(path, &text, &snippet);
    let is_cut_short = |outcome: treegraft::Outcome| {
        outcome.verdict().reasons().iter().any(|reason| reason.kind == ReasonKind::CutShort)
    };
    let cut_short = engine.apply(&edit).is_ok_and(is_cut_short);
    (shortest(|| engine.apply(black_box(&edit)).is_ok()), cut_short)
}

/// Gives the shortest of some runs: what else the machine does only makes them longer.
fn shortest<T>(mut run: impl FnMut() -> T) -> Duration {
    let (mut best, all) = (Duration::MAX, Instant::now());
    for _ in 0..RUNS {
        let watch = Instant::now();
        black_box(run());
        best = best.min(watch.elapsed());
        if all.elapsed() > ENOUGH {
            break;
        }
    }
    best
}
