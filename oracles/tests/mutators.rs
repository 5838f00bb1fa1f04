//! Every known edit with its bytes changed in every way: the right result, changed alike, or a doubt.

#![allow(clippy::print_stdout, reason = "how many are trusted is worth seeing")]

use treegraft_oracles::bytes::{Fate, MUTATORS, is_refused_with_nul};
use treegraft_oracles::corpus;

/// Longest file, in bytes, that every mutator is tried on. Of longer ones each mutator takes every eighth.
const SHORT: usize = 3_000;

/// Of the edits that a mutator changes at least so many percent must still be trusted and right: a mutator after which
/// all is doubted would show nothing.
const FEWEST_RIGHT: usize = 30;

/// Mutators that nothing but a doubt is right for.
const DOUBTED: [&str; 1] = ["composed in the file, decomposed in the snippet"];

/// Edits that are tried with much text around them.
const FEW: usize = 4;

/// Makes a test of some of the mutators, so that they run beside each other.
macro_rules! parts {
    ($($name:ident: $part:literal,)*) => {
        $(
            #[test]
            fn $name() {
                check($part);
            }
        )*

        const N_PARTS: usize = [$($part),*].len();
    };
}

parts! {
    bytes_1: 0,
    bytes_2: 1,
    bytes_3: 2,
    bytes_4: 3,
}

fn check(part: usize) {
    let mut broken = Vec::new();
    for (m, mutator) in MUTATORS.iter().enumerate().filter(|(m, _)| m % N_PARTS == part) {
        let (mut n_right, mut n_flagged) = (0, 0);
        let most = if mutator.name.contains("50,000") { FEW } else { usize::MAX };
        for (n, given) in corpus::known_edits().iter().enumerate() {
            if given.original.len() > SHORT && n % 8 != m % 8 || n_right + n_flagged >= most {
                continue;
            }
            match mutator.fate(given) {
                None => {}
                Some(Fate::Right) => n_right += 1,
                Some(Fate::Flagged) => n_flagged += 1,
                Some(Fate::Broken(what)) => broken.push(what),
            }
        }
        println!("{}: {n_right} right, {n_flagged} flagged", mutator.name);
        let few = n_right * 100 < (n_right + n_flagged) * FEWEST_RIGHT || n_right == 0;
        if few != DOUBTED.contains(&mutator.name) {
            broken.push(format!("{}: {n_right} right, {n_flagged} flagged", mutator.name));
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n\n"));
}

#[test]
fn a_nul_is_refused() {
    let wrong = corpus::known_edits().iter().find(|given| !is_refused_with_nul(given));
    assert_eq!(wrong, None);
}
