//! The same edit gives the same answer: a hundred times over, and whatever the number of threads.

use std::thread;

use treegraft::{Engine, Outcome};
use treegraft_oracles::{Given, corpus};

/// Runs of each edit.
const N_RUNS: usize = 100;

/// Of so many edits one is taken.
const EVERY: usize = 15;

fn edits() -> Vec<&'static Given> {
    let short = corpus::known_edits().iter().filter(|given| given.original.len() < 4_000);
    short.step_by(EVERY).collect()
}

/// Gives all of an answer that two runs must agree on.
fn answer(engine: &Engine, given: &Given) -> String {
    let said = |outcome: &Outcome| {
        format!(
            "{}\n{:?}\n{:?}\n{:?}\n{:?}",
            outcome.text(),
            outcome.verdict(),
            outcome.replacements(),
            outcome.ledger(),
            outcome.validation()
        )
    };
    engine.apply(&given.edit()).map_or_else(|error| error.to_string(), |outcome| said(&outcome))
}

#[test]
fn a_hundred_runs_agree() {
    for given in edits() {
        let first = answer(&Engine::default(), given);
        for _ in 1..N_RUNS {
            assert!(answer(&Engine::default(), given) == first, "{}", given.to_json());
        }
    }
}

#[test]
fn any_number_of_threads_agrees() {
    let engine = Engine::default();
    let edits = edits();
    let all = |n_threads: usize| -> Vec<String> {
        let portion = edits.len().div_ceil(n_threads);
        thread::scope(|scope| {
            let work = |portion: Vec<&'static Given>| {
                let engine = &engine;
                scope.spawn(move || portion.into_iter().map(|given| answer(engine, given)).collect::<Vec<_>>())
            };
            let jobs: Vec<_> = edits.chunks(portion).map(|portion| work(portion.to_vec())).collect();
            jobs.into_iter().flat_map(|job| job.join().expect("the engine never panics")).collect()
        })
    };
    let one = all(1);
    for n_threads in [2, 3, 8, 32] {
        assert!(all(n_threads) == one, "{n_threads} threads give other answers than one");
    }
}
