//! Real changes with their bytes changed: each snippet that `treegraft replay` writes and the engine lands right, once more
//! in every way of `oracles/src/bytes.rs`. The result is the right one, changed alike, or it is doubted.

use std::path::PathBuf;

use anyhow::Result;
use treegraft_oracles::Given;
use treegraft_oracles::bytes::{Fate, MUTATORS};
use treegraft_replay::{Options, Source, Status, packages};

use crate::pairs::say;

/// How many wrong results are shown.
const MOST_SHOWN: usize = 5;

/// Mutates the cases of a repository's history, or of all releases; gives how many came out wrong and trusted.
pub(crate) fn replay(git: Option<PathBuf>, max: usize, seed: u64) -> Result<usize> {
    let source = git.map_or_else(|| Source::Pairs(packages::cache_dir()), Source::Git);
    let options = Options { max: Some(max), seed, ..Options::new(source) };
    let report = treegraft_replay::run(&options, &mut std::io::sink())?;
    let known: Vec<Given> = report
        .cases
        .iter()
        .filter(|measured| measured.status == Status::Trusted && measured.right && !measured.case.style.is_hard())
        .map(|measured| {
            let case = &measured.case;
            let mut given = Given::new(&case.path, &case.original, &case.snippet).description(&case.description);
            given.wanted = Some(case.wanted.clone());
            given
        })
        .collect();
    let mut n_broken = 0;
    for mutator in &MUTATORS {
        let (mut n_right, mut n_flagged, mut n_wrong) = (0, 0, 0);
        for given in &known {
            match mutator.fate(given) {
                None => {}
                Some(Fate::Right) => n_right += 1,
                Some(Fate::Flagged) => n_flagged += 1,
                Some(Fate::Broken(what)) => {
                    n_wrong += 1;
                    if n_broken + n_wrong <= MOST_SHOWN {
                        say(&what);
                    }
                }
            }
        }
        n_broken += n_wrong;
        say(&format!("{}: {n_right} right, {n_flagged} flagged, {n_wrong} wrong", mutator.name));
    }
    say(&format!("{} cases: {n_broken} wrong and trusted", known.len()));
    Ok(n_broken)
}
