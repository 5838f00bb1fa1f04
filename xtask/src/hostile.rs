//! Looks for texts that end the process inside a grammar, or keep a parse from ending when its time is up.
//!
//! # Algorithm
//!
//! A text is a *recipe*: a few of the grammar's own tokens, repeated, nested line by line, or around a long word. Recipes
//! are checked in a child process, which says of each that it begins and how long it took. When a child ends or is silent
//! for too long, the recipe it began last is to blame, and a new child goes on with the next one.
//!
//! What is found belongs into `engine/src/treesitter/guard.rs`, and into the list of openers of
//! `engine/src/treesitter/outline/tests/hostile.rs`.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use treegraft::{Engine, Language, Options, internals};

use crate::dice::Dice;
use crate::pairs::say;

/// Time that a check is given.
const BUDGET: Duration = Duration::from_millis(100);

/// How long a child may be silent before it counts as stuck.
const PATIENCE: Duration = Duration::from_secs(20);

/// Largest text, in bytes.
const LARGEST: usize = 2 << 20;

/// Openers that no grammar lists as a token, since its scanner reads them.
const SCANNED: [&str; 44] = [
    "\n",
    " ",
    "\t",
    "\r",
    "\\",
    "\0",
    "A",
    "0",
    "\u{e9}",
    "<<A\n",
    "<<~A, ",
    "<<'A'\n",
    "<<-A <<B ",
    "<<<A\n",
    "r#\"",
    "R\"a(",
    "f\"{",
    "\"#{",
    "\"${",
    "`${",
    "$(",
    "$((",
    "\"\"\"",
    "'''",
    "/*",
    "(*",
    "{-",
    "<!--",
    "--[[",
    "[=[",
    "%w(",
    "%q{",
    "~S\"\"\"\n",
    "<a>",
    "</a>",
    "<script>",
    "- ",
    "> ",
    "```\n",
    "|\n ",
    "<<",
    "#{",
    "#{<<A\n",
    "{`${",
];

/// Lengths of words that fill a scanner's state, or a counter in it.
const WORDS: [usize; 12] = [100, 127, 128, 254, 255, 256, 257, 508, 1_016, 1_024, 65_536, 1_000_000];

/// A text to be made.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Recipe {
    language: Language,
    parts: Vec<String>,
    form: Form,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// The parts, again and again, up to so many bytes.
    Repeated(usize),
    /// So many lines of the parts, each deeper than the one before.
    Nested(usize),
    /// Lines with a word of so many letters between the parts; so many of them.
    Around(usize, usize),
}

impl Recipe {
    fn text(&self) -> String {
        let all = self.parts.concat();
        match self.form {
            Form::Repeated(n_bytes) => all.repeat((n_bytes / all.len().max(1)).max(1)),
            Form::Nested(n) => (0..n).flat_map(|depth| [" ".repeat(depth), all.clone(), "\n".to_owned()]).collect(),
            Form::Around(length, n) => {
                let word = "A".repeat(length);
                let mut line = self.parts.join(&word);
                if self.parts.len() == 1 {
                    line.push_str(&word);
                }
                format!("{line}\n").repeat(n.min(LARGEST / line.len()).max(1))
            }
        }
    }

    fn told(&self) -> String {
        format!("{} {:?} {:?}", self.language.name(), self.form, self.parts)
    }

    /// Makes the `n`th recipe of a seed: a small share for each way in which scanners were seen to fail.
    fn of(language: Language, words: &[String], dice: &mut Dice) -> Self {
        let mut pick = || dice.pick(words).cloned().unwrap_or_default();
        let (a, b, c) = (pick(), pick(), pick());
        let parts = match dice.roll(8) {
            0 | 1 => vec![a],
            2..=5 => vec![a, b],
            _ => vec![a, b, c],
        };
        let form = match dice.roll(10) {
            0..=1 => Form::Repeated(LARGEST),
            2..=4 => Form::Repeated(200_000),
            5 => Form::Repeated(4_000),
            6 => Form::Nested(300),
            7 => Form::Nested(1_500),
            8 => Form::Around(WORDS[dice.roll(WORDS.len())], 1),
            _ => Form::Around(WORDS[dice.roll(WORDS.len())], 60),
        };
        Self { language, parts, form }
    }
}

/// Lists the recipes of a seed, language by language in turn, as parent and child alike count them.
fn recipes(seed: u64, only: Option<Language>) -> impl Iterator<Item = Recipe> {
    let languages: Vec<(Language, Vec<String>)> = Language::built_in()
        .filter(|&language| only.is_none_or(|only| only == language))
        .map(|language| {
            let own = internals::tokens(language);
            // The grammar's own once, those of scanners twice, for they are fewer and do more harm.
            let scanned = SCANNED.iter().chain(&SCANNED).map(|&part| part.to_owned());
            let spaced: Vec<String> = own.iter().map(|part| format!("{part} ")).collect();
            (language, own.into_iter().chain(spaced).chain(scanned).collect())
        })
        .collect();
    let mut dice = Dice(seed);
    (0..).map(move |n: usize| {
        let (language, words) = &languages[n % languages.len()];
        Recipe::of(*language, words, &mut dice)
    })
}

/// Checks recipes from the `first` on; says of each that it begins, and how it ended.
pub(crate) fn child(seed: u64, only: Option<Language>, first: usize) {
    let mut options = Options::default();
    options.budget = BUDGET.into();
    let engine = Engine::new(options);
    let mut out = std::io::stdout().lock();
    // A parent that is gone needs no answer.
    let mut tell = |line: String| writeln!(out, "{line}").and_then(|()| out.flush()).is_ok();
    for (n, recipe) in recipes(seed, only).enumerate().skip(first) {
        let text = recipe.text();
        if !tell(format!("begin {n}")) {
            return;
        }
        let start = Instant::now();
        // A NUL is refused before a parser sees it.
        let _checked = engine.check(&text, Some(recipe.language));
        if !tell(format!("end {n} {}", start.elapsed().as_millis())) {
            return;
        }
    }
}

/// Looks for so many minutes; gives how many recipes ended the process or took longer than `slack` beyond their budget.
pub(crate) fn search(minutes: u64, seed: u64, only: Option<&str>, slack: Duration) -> Result<usize> {
    let only = only.map(|name| Language::from_name(name).with_context(|| format!("no such language: {name}")));
    let only = only.transpose()?;
    let end = Instant::now() + Duration::from_secs(minutes * 60);
    let (mut n_broken, mut next) = (0, 0);
    let mut slowest: BTreeMap<Language, (Duration, usize)> = BTreeMap::new();
    let told = |n: usize| recipes(seed, only).nth(n).map_or_else(String::new, |recipe| recipe.told());
    let mut blame = |n: usize, what: &str| {
        n_broken += 1;
        say(&format!("{what}: {}", told(n)));
    };
    let all: Vec<Language> = Language::built_in().collect();
    let language_of = |n: usize| only.unwrap_or(all[n % all.len()]);
    while Instant::now() < end {
        let mut running = Running::start(seed, only, next)?;
        let mut begun = None;
        while Instant::now() < end {
            match running.lines.recv_timeout(PATIENCE) {
                Ok(line) => {
                    let mut words = line.split(' ');
                    let (kind, n) =
                        (words.next(), words.next().and_then(|n| n.parse().ok()).context("a child's line")?);
                    if kind == Some("begin") {
                        begun = Some(n);
                        continue;
                    }
                    let took = Duration::from_millis(words.next().and_then(|n| n.parse().ok()).unwrap_or(0));
                    begun = None;
                    next = n + 1;
                    let worst = slowest.entry(language_of(n)).or_default();
                    *worst = (*worst).max((took, n));
                    if took > BUDGET + slack {
                        blame(n, &format!("took {took:?}"));
                    }
                }
                Err(RecvTimeoutError::Timeout) => break,
                Err(RecvTimeoutError::Disconnected) => {
                    let status = running.child.wait()?;
                    let Some(n) = begun.take() else { bail!("a child ended by itself: {status}") };
                    blame(n, &format!("ended the process ({status})"));
                    next = n + 1;
                    break;
                }
            }
        }
        if let Some(n) = begun.filter(|_| Instant::now() < end) {
            blame(n, "never came to an end");
            next = n + 1;
        }
        running.stop();
    }
    for (took, n) in slowest.into_values() {
        say(&format!("slowest, {took:?}: {}", told(n)));
    }
    say(&format!("{next} texts, {n_broken} broken"));
    Ok(n_broken)
}

/// A child at work.
struct Running {
    child: Child,
    lines: Receiver<String>,
    /// Held open, so that the child sees when we are gone.
    _input: Option<ChildStdin>,
}

impl Running {
    fn start(seed: u64, only: Option<Language>, first: usize) -> Result<Self> {
        let mut command = Command::new(std::env::current_exe()?);
        command.args(["hostile", "--child", &first.to_string(), "--seed", &seed.to_string()]);
        if let Some(language) = only {
            command.args(["--only", language.name()]);
        }
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
        let out = child.stdout.take().context("no standard output")?;
        let (sender, lines) = channel();
        thread::spawn(move || BufReader::new(out).lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
        let input = child.stdin.take();
        Ok(Self { child, lines, _input: input })
    }

    fn stop(mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_the_same_texts_again() {
        let few = |seed| recipes(seed, None).take(200).collect::<Vec<_>>();
        assert_eq!(few(1), few(1));
        assert_ne!(few(1), few(2));
        assert!(few(1).iter().all(|recipe| !recipe.text().is_empty() && recipe.text().len() <= 4 * LARGEST));
    }

    #[test]
    fn texts_are_as_their_recipes_say() {
        let text = |parts: &[&str], form| {
            let parts = parts.iter().map(|&part| part.to_owned()).collect();
            Recipe { language: Language::Json, parts, form }.text()
        };
        assert_eq!(text(&["[", "{"], Form::Repeated(5)), "[{[{");
        assert_eq!(text(&["a:"], Form::Nested(3)), "a:\n a:\n  a:\n");
        assert_eq!(text(&["<", ">"], Form::Around(3, 2)), "<AAA>\n<AAA>\n");
        assert_eq!(text(&["<<"], Form::Around(2, 1)), "<<AA\n");
    }
}
