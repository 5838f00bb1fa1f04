//! Tries a fixed row of inputs of each fuzz target: what `.ci/run` does, the same on every machine and in every run.
//!
//! A fuzzer that follows coverage goes another way each time, even with the same random numbers: hash tables are keyed
//! at random, so a line is reached in one run that isn't in another. Here an input depends on its number alone.
//!
//! # Algorithm
//!
//! 1. First come the seeds as they are, then inputs of random bytes and mutated seeds in turn: bytes changed, put in or
//!    taken out, a piece moved or doubled, a word of the dictionary written, the end of another seed put on.
//! 2. A target is given its inputs as files, many at a time, and ends at the first that breaks something. What is listed in
//!    `fuzz/open/` is told, and the inputs behind it are tried.

use std::fs;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use anyhow::{Context, Result, bail};

use crate::dice::Dice;
use crate::fuzz::{Found, LIMITS, LONGEST_INPUT, build, built, judged, known_target, printed, seeds, targets};
use crate::pairs::say;

/// Inputs that one process is given. More: the command line may be too long; fewer: reading the corpus anew takes longer.
const AT_ONCE: usize = 500;

/// Longest input of random bytes, as what is made from one is seldom longer.
const LONGEST_RANDOM: usize = 600;

/// Changes of one seed, at most. More: nothing of it is left.
const MOST_CHANGES: usize = 6;

/// Builds all targets, or one, and tries so many inputs of each, as many targets at a time as there are cores; gives how
/// many found something that isn't known.
pub(crate) fn all(root: &Path, only: Option<&str>, n_inputs: usize, seed: u64) -> Result<usize> {
    let targets = match only {
        Some(name) => vec![known_target(root, name)?],
        None => targets(root),
    };
    build(root, only)?;
    let next = AtomicUsize::new(0);
    let work = || -> Result<usize> {
        let mut n_broken = 0;
        while let Some(target) = targets.get(next.fetch_add(1, Ordering::Relaxed)) {
            n_broken += usize::from(!holds(root, target, n_inputs, seed)?);
        }
        Ok(n_broken)
    };
    let n_threads = thread::available_parallelism().map_or(1, NonZero::get);
    thread::scope(|scope| {
        let threads: Vec<_> = (0..n_threads).map(|_| scope.spawn(work)).collect();
        let ended = threads.into_iter().map(|thread| thread.join().unwrap_or_else(|_| bail!("a run panicked")));
        ended.sum()
    })
}

/// Tries a target's inputs; says whether all that is found is known.
fn holds(root: &Path, name: &str, n_inputs: usize, seed: u64) -> Result<bool> {
    let folder = root.join("fuzz/corpus").join(name).join("smoke");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    let words = words(&fs::read_to_string(root.join("fuzz/markers.dict")).context("cannot read the dictionary")?);
    let mut files: Vec<PathBuf> = Vec::new();
    for (n, input) in inputs(&seeds(name), &words, seed).take(n_inputs).enumerate() {
        files.push(folder.join(format!("{n:06}")));
        fs::write(&files[n], input)?;
    }
    let program = built(root)?.join(name);
    let (mut n_tried, mut n_known) = (0, 0);
    while n_tried < files.len() {
        let some = &files[n_tried..files.len().min(n_tried + AT_ONCE)];
        let output = Command::new(&program).args(LIMITS).args(some).current_dir(root.join("fuzz")).output();
        let output = output.with_context(|| format!("cannot run {}", program.display()))?;
        let said = String::from_utf8_lossy(&output.stderr);
        if output.status.success() {
            n_tried += some.len();
            continue;
        }
        // The last one that it began is to blame.
        let begun = said.lines().rev().find_map(|line| line.strip_prefix("Running: "));
        let Some(at) = begun.and_then(|path| some.iter().position(|file| file.as_os_str() == path)) else {
            bail!("{name} ended with {} before its first input:\n{said}", output.status);
        };
        match judged(root, name, printed(&said).as_ref())? {
            Found::Known(path) => say(&format!("{name}: known, {}", path.display())),
            Found::New(what) => {
                let tail: Vec<&str> = said.lines().rev().take(40).collect();
                let tail: Vec<&str> = tail.into_iter().rev().collect();
                say(&format!("{name}: found by {}: {what}\n{}", some[at].display(), tail.join("\n")));
                return Ok(false);
            }
        }
        n_known += 1;
        n_tried += at + 1;
    }
    say(&format!("{name}: {n_tried} inputs, {n_known} known finds"));
    Ok(true)
}

/// Lists the inputs of a target that has these seeds, without an end.
fn inputs(seeds: &[Vec<u8>], words: &[Vec<u8>], seed: u64) -> impl Iterator<Item = Vec<u8>> {
    let mut dice = Dice(seed);
    let made = (0..).map(move |n| match dice.pick(seeds).cloned() {
        Some(input) if n % 2 == 1 => changed(input, seeds, words, &mut dice),
        _ => random(LONGEST_RANDOM, &mut dice),
    });
    seeds.iter().cloned().chain(made)
}

fn random(longest: usize, dice: &mut Dice) -> Vec<u8> {
    (0..=dice.roll(longest)).map(|_| dice.roll(256) as u8).collect()
}

/// Changes a seed in a few places.
fn changed(mut input: Vec<u8>, seeds: &[Vec<u8>], words: &[Vec<u8>], dice: &mut Dice) -> Vec<u8> {
    for _ in 0..=dice.roll(MOST_CHANGES) {
        let at = dice.roll(input.len() + 1);
        let end = (at + dice.roll(32)).min(input.len());
        let piece = match dice.roll(6) {
            0 => Vec::new(),
            1 => random(4, dice),
            2 => dice.pick(words).cloned().unwrap_or_default(),
            3 => input[at..end].repeat(2),
            4 => {
                let from = dice.roll(input.len() + 1);
                input[from..(from + dice.roll(64)).min(input.len())].to_vec()
            }
            _ => {
                let other = dice.pick(seeds).map_or(&[][..], Vec::as_slice);
                input.truncate(at);
                input.extend_from_slice(&other[dice.roll(other.len() + 1)..]);
                continue;
            }
        };
        input.splice(at..end, piece);
    }
    input.truncate(LONGEST_INPUT);
    input
}

/// Reads the words of a fuzzer's dictionary: `"in quotes"`, with `\\`, `\"` and `\xAB` for what can't stand there.
fn words(dictionary: &str) -> Vec<Vec<u8>> {
    let quoted = |line: &str| {
        let (_, rest) = line.trim().split_once('"')?;
        let mut rest = rest.strip_suffix('"')?.as_bytes();
        let mut word = Vec::new();
        while let [first, tail @ ..] = rest {
            let (byte, tail) = match tail {
                [b'x', high, low, tail @ ..] if *first == b'\\' => {
                    let digits = [*high, *low];
                    (u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?, tail)
                }
                [escaped, tail @ ..] if *first == b'\\' => (*escaped, tail),
                _ => (*first, tail),
            };
            word.push(byte);
            rest = tail;
        }
        Some(word)
    };
    dictionary.lines().filter(|line| !line.trim_start().starts_with('#')).filter_map(quoted).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_inputs_come_again() {
        let seeds = vec![b"one\ntwo\n".to_vec(), b"three".to_vec()];
        let words = words("# a comment\nname=\"\\\\x\\\"\"\n\"\\x0a-\"\nbroken\n");
        assert_eq!(words, [b"\\x\"".to_vec(), b"\n-".to_vec()]);
        let few = |seed| inputs(&seeds, &words, seed).take(300).collect::<Vec<_>>();
        assert_eq!(few(1), few(1));
        assert_ne!(few(1), few(2));
        assert_eq!(few(1)[..2], seeds);
        assert!(few(1).iter().all(|input| input.len() <= LONGEST_INPUT));
        assert_eq!(inputs(&[], &words, 1).take(300).count(), 300);
    }
}
