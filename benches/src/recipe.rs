//! Edits made from a short recipe, for looking for those that take too long for their size.
//!
//! A recipe is a row of numbers: what the file is made of, what the snippet shows of it, and how. Every recipe makes an edit
//! of any size, so growth can be told from a constant.

use std::fmt;
use std::str::FromStr;

use fastrand::Rng;

/// What the lines of the file are.
const LINES: [&str; 9] = ["x();", "call(N);", "", "if a {", "}", "((((", "    value = N", "/* N */", "func taskN() {"];

/// What the snippet's own lines are.
const OWN: [&str; 8] =
    ["// ... existing code ...", "fresh(N);", "x();", "}", "", "func taskN() {", "- call(N);", "+ call(N);"];

/// Languages that recipes are tried in.
const PATHS: [&str; 5] = ["a.go", "a.py", "a.js", "a.rs", "a.txt"];

/// How an edit is made; each part is a small number, see the fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Recipe {
    /// Which language.
    path: usize,
    /// Which lines, one behind the other, as three digits to the base of their number.
    lines: [usize; 3],
    /// Every so many lines the next kind begins; 0: they take turns line by line.
    run: usize,
    /// How many different numbers stand for `N`; 0: each line has its own.
    numbers: usize,
    /// How many lines deeper each line is indented than the one before, up to a bound.
    depth: usize,
    /// Which of the snippet's own lines are put between those that it shows.
    own: [usize; 2],
    /// The snippet shows one of so many lines of the file.
    shown: usize,
    /// How many lines the snippet shows at the most, in percent of the size.
    most: usize,
}

impl Recipe {
    /// Makes a recipe by chance.
    #[must_use]
    pub fn random(rng: &mut Rng) -> Self {
        Self {
            path: rng.usize(0..PATHS.len()),
            lines: std::array::from_fn(|_| rng.usize(0..LINES.len())),
            run: [0, 0, 1, 7, 100][rng.usize(0..5)],
            numbers: [0, 0, 1, 2, 50][rng.usize(0..5)],
            depth: [0, 0, 1, 8][rng.usize(0..4)],
            own: std::array::from_fn(|_| rng.usize(0..OWN.len())),
            shown: [1, 2, 3, 10, 1_000][rng.usize(0..5)],
            most: [1, 10, 50, 100][rng.usize(0..4)],
        }
    }

    /// Makes a file of `n` lines and a snippet of it: path, file, snippet.
    #[must_use]
    pub fn make(&self, n: usize) -> (&'static str, String, String) {
        let number = |at: usize| if self.numbers == 0 { at } else { at % self.numbers };
        let kind = |at: usize| at.checked_div(self.run).unwrap_or(at) % 3;
        let line = |at: usize| {
            let indent = "  ".repeat(if self.depth == 0 { 0 } else { (at * self.depth / 4) % 200 });
            indent + &LINES[self.lines[kind(at)]].replace('N', &number(at).to_string()) + "\n"
        };
        let own = |at: usize| OWN[self.own[at % 2]].replace('N', &number(at).to_string()) + "\n";
        let most = (n * self.most / 100).max(1);
        let shown = (0..n).step_by(self.shown).take(most);
        let text: String = (0..n).map(line).collect();
        let snippet = shown.flat_map(|at| [line(at), own(at)]).collect();
        (PATHS[self.path], text, snippet)
    }

    fn numbers(&self) -> [usize; 11] {
        let Self { path, lines, run, numbers, depth, own, shown, most } = *self;
        [path, lines[0], lines[1], lines[2], run, numbers, depth, own[0], own[1], shown, most]
    }
}

/// Writes the numbers with dots between.
impl fmt::Display for Recipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.numbers().map(|n| n.to_string()).join("."))
    }
}

impl FromStr for Recipe {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers: Option<Vec<usize>> = text.split('.').map(|n| n.parse().ok()).collect();
        let numbers = numbers.and_then(|numbers| <[usize; 11]>::try_from(numbers).ok());
        let Some([path, first, second, third, run, numbers, depth, own, other, shown, most]) = numbers else {
            return Err(format!("`{text}` is no recipe: eleven numbers with dots between"));
        };
        let (lines, own) = ([first, second, third], [own, other]);
        let is_known =
            path < PATHS.len() && lines.iter().all(|&n| n < LINES.len()) && own.iter().all(|&n| n < OWN.len());
        if !is_known || shown == 0 || run > 10_000 || depth > 100 || most > 100 {
            return Err(format!("`{text}` is no recipe: a number is out of bounds"));
        }
        Ok(Self { path, lines, run, numbers, depth, own, shown, most })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recipe_is_read_as_it_is_written_and_makes_the_same_edit() {
        let mut rng = Rng::with_seed(7);
        for _ in 0..200 {
            let recipe = Recipe::random(&mut rng);
            assert_eq!(recipe.to_string().parse(), Ok(recipe));
            assert_eq!(recipe.make(50), recipe.make(50));
            assert_eq!(recipe.make(50).1.lines().count(), 50);
        }
        assert!("1.2".parse::<Recipe>().is_err());
        assert!("99.0.0.0.0.0.0.0.0.1.1".parse::<Recipe>().is_err());
    }
}
