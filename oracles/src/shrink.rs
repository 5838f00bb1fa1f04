//! Makes a find small: lines, then characters, are left out for as long as what is broken stays broken.

use similar::{DiffTag, TextDiff};

use crate::Given;

/// How often an edit is tried at most. Larger: minutes for a large find; smaller: it stays large.
const MOST_TRIALS: usize = 4_000;

/// Makes an edit smaller for as long as `is_broken` says so of it. Where the right result is known only lines go that
/// it has in common with the original, from both.
#[must_use]
pub fn shrunk(given: &Given, is_broken: impl Fn(&Given) -> bool) -> Given {
    let mut small = Shrinker { best: given.clone(), is_broken, n_trials: 0 };
    if given.wanted.is_some() {
        small.common_lines();
        return small.best;
    }
    loop {
        let before = small.best.clone();
        for text in [original, snippet, description] {
            small.parts(text, |text| text.split_inclusive('\n').map(str::to_owned).collect());
        }
        for text in [original, snippet, description] {
            if text(&mut before.clone()).len() < 400 {
                small.parts(text, |text| text.chars().map(String::from).collect());
            }
        }
        small.attempt(|given| "a.txt".clone_into(&mut given.path));
        small.attempt(|given| given.budget_ms = None);
        small.attempt(|given| given.add_missing_edges = true);
        if small.best == before || small.n_trials >= MOST_TRIALS {
            return small.best;
        }
    }
}

fn original(given: &mut Given) -> &mut String {
    &mut given.original
}

fn snippet(given: &mut Given) -> &mut String {
    &mut given.snippet
}

fn description(given: &mut Given) -> &mut String {
    &mut given.description
}

struct Shrinker<F> {
    best: Given,
    is_broken: F,
    n_trials: usize,
}

impl<F: Fn(&Given) -> bool> Shrinker<F> {
    fn attempt(&mut self, change: impl FnOnce(&mut Given)) -> bool {
        let mut other = self.best.clone();
        change(&mut other);
        if other == self.best || self.n_trials >= MOST_TRIALS {
            return false;
        }
        self.n_trials += 1;
        let broken = (self.is_broken)(&other);
        if broken {
            self.best = other;
        }
        broken
    }

    /// Leaves out runs of a text's parts, long ones first.
    fn parts(&mut self, text: fn(&mut Given) -> &mut String, cut: fn(&str) -> Vec<String>) {
        let mut n_run = cut(text(&mut self.best)).len().div_ceil(2);
        while n_run > 0 {
            let mut at = 0;
            loop {
                let mut parts = cut(text(&mut self.best));
                if at >= parts.len() {
                    break;
                }
                parts.drain(at..(at + n_run).min(parts.len()));
                let shorter = parts.concat();
                if !self.attempt(|given| *text(given) = shorter) {
                    at += n_run;
                }
            }
            n_run /= 2;
        }
    }

    /// Leaves out lines that the original and the right result have in common.
    fn common_lines(&mut self) {
        let mut n_run = self.best.original.lines().count().div_ceil(2);
        while n_run > 0 {
            let mut at = 0;
            loop {
                let wanted = self.best.wanted.clone().unwrap_or_default();
                let diff = TextDiff::from_lines(self.best.original.as_str(), wanted.as_str());
                let equal = diff.ops().iter().filter(|op| op.tag() == DiffTag::Equal);
                let mut pairs: Vec<(usize, usize)> = equal.flat_map(|op| op.old_range().zip(op.new_range())).collect();
                // A line that stands more than once, or that is shown, may not be the one it is paired with.
                let lines: Vec<&str> = self.best.original.lines().collect();
                let count = |text: &str, line: &str| text.lines().filter(|other| other.trim() == line.trim()).count();
                pairs.retain(|&(row, _)| {
                    let texts = [&wanted, &self.best.original, &self.best.snippet];
                    lines.get(row).is_some_and(|line| texts.map(|text| count(text, line)) == [1, 1, 0])
                });
                if at >= pairs.len() {
                    break;
                }
                let gone = &pairs[at..(at + n_run).min(pairs.len())];
                let without = |text: &str, gone: &dyn Fn(usize) -> bool| -> String {
                    text.split_inclusive('\n').enumerate().filter(|(n, _)| !gone(*n)).map(|(_, line)| line).collect()
                };
                let original = without(&self.best.original, &|n| gone.iter().any(|&(row, _)| row == n));
                let wanted = without(&wanted, &|n| gone.iter().any(|&(_, line)| line == n));
                let shorter = |given: &mut Given| (given.original, given.wanted) = (original, Some(wanted));
                if !self.attempt(shorter) {
                    at += n_run;
                }
            }
            n_run /= 2;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_matters_is_left() {
        let given = Given::new("a.rs", &"a\nb\nc\n".repeat(40), "x\ny = 1\nz\n").description("Type: add\n");
        let small = shrunk(&given, |given| given.original.contains('b') && given.snippet.contains("y ="));
        assert_eq!(small, Given::new("a.txt", "b", "y ="));
    }

    #[test]
    fn the_right_result_shrinks_along() {
        let mut given = Given::new("a.rs", "a\nb\nc\nd\ne\n", "C\nd\n");
        given.wanted = Some("a\nb\nC\nd\ne\n".to_owned());
        let small = shrunk(&given, |given| given.original.contains('e'));
        assert_eq!((small.original.as_str(), small.wanted.as_deref()), ("c\nd\ne\n", Some("C\nd\ne\n")));
    }
}
