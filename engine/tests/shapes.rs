//! Each shape that names what it changes, written for a known change of a text with many equal lines: the result is the
//! known one, or the verdict doubts it. Where what is shown stands once, the result is the known one.
//!
//! `PROPTEST_CASES=5000 cargo test -p treegraft --all-features --test shapes` looks further, from a new seed each time.
#![allow(clippy::disallowed_methods, reason = "the environment says how far to look")]

use std::collections::BTreeMap;

use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::RngSeed;
use treegraft::{Engine, Outcome, Pair, Shape};
use treegraft_oracles::invariants::violations;
use treegraft_oracles::{Given, judge};

const N_CASES: u32 = 400;

fn config() -> ProptestConfig {
    let config = ProptestConfig { failure_persistence: None, max_global_rejects: 1 << 16, ..ProptestConfig::default() };
    if std::env::var("PROPTEST_CASES").is_ok() {
        return config;
    }
    ProptestConfig { cases: N_CASES, rng_seed: RngSeed::Fixed(0x5ba9e), ..config }
}

/// A run of old lines and what takes its place.
#[derive(Debug, Clone)]
struct Change {
    start: usize,
    end: usize,
    new: Vec<String>,
}

/// A text and changes of it, from top to bottom and apart from each other.
#[derive(Debug, Clone)]
struct Known {
    lines: Vec<String>,
    changes: Vec<Change>,
    context: usize,
}

/// What a hunk shows: lines before, old, new and behind.
struct Shown<'k> {
    start: usize,
    before: &'k [String],
    old: &'k [String],
    new: &'k [String],
    after: &'k [String],
}

impl Known {
    fn original(&self) -> String {
        text(&self.lines)
    }

    fn wanted(&self) -> String {
        let mut lines = self.lines.clone();
        for change in self.changes.iter().rev() {
            lines.splice(change.start..change.end, change.new.clone());
        }
        text(&lines)
    }

    /// Cuts the hunks out; no context reaches into another change.
    fn shown(&self) -> Vec<Shown<'_>> {
        let n = self.lines.len();
        (0..self.changes.len())
            .map(|at| {
                let change = &self.changes[at];
                let above = at.checked_sub(1).map_or(0, |above| self.changes[above].end);
                let below = self.changes.get(at + 1).map_or(n, |below| below.start);
                let start = change.start.saturating_sub(self.context).max(above);
                let end = (change.end + self.context).min(below);
                Shown {
                    start,
                    before: &self.lines[start..change.start],
                    old: &self.lines[change.start..change.end],
                    new: &change.new,
                    after: &self.lines[change.end..end],
                }
            })
            .collect()
    }

    /// Says whether what each hunk shows of the original stands there once, and no two show the same line.
    fn is_unique(&self) -> bool {
        let shown = self.shown();
        let end = |shown: &Shown<'_>| shown.start + shown.before.len() + shown.old.len() + shown.after.len();
        let are_apart = shown.windows(2).all(|two| end(&two[0]) <= two[1].start);
        are_apart
            && shown.iter().all(|shown| {
                let old = [shown.before, shown.old, shown.after].concat();
                let is_code = old.iter().any(|line| !line.trim().is_empty());
                let n = self.lines.windows(old.len().max(1)).filter(|place| *place == old.as_slice()).count();
                is_code && n == 1
            })
    }
}

fn text(lines: &[String]) -> String {
    lines.iter().flat_map(|line| [line.as_str(), "\n"]).collect()
}

fn line() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => select(vec!["", "}", "    }", "    return nil", "a()", "    a()", "\tb()", "x = 1"]).prop_map(str::to_owned),
        2 => "[a-c]{1,2}\\([0-9]\\)",
    ]
}

fn known() -> impl Strategy<Value = Known> {
    let change = (any::<Index>(), 0_usize..3, prop::collection::vec(line(), 0..3));
    (prop::collection::vec(line(), 3..24), prop::collection::vec(change, 1..4), 0_usize..4).prop_map(
        |(lines, changes, context)| {
            let mut by_start: BTreeMap<usize, Change> = BTreeMap::new();
            for (at, n_old, new) in changes {
                let start = at.index(lines.len());
                let end = (start + n_old).min(lines.len());
                if lines[start..end] != new {
                    by_start.insert(start, Change { start, end, new });
                }
            }
            let mut end = 0;
            let changes = by_start
                .into_values()
                .filter(|change| {
                    let is_apart = change.start > end || end == 0;
                    end = if is_apart { change.end } else { end };
                    is_apart
                })
                .collect();
            Known { lines, changes, context }
        },
    )
}

fn search_replace(known: &Known, reversed: bool) -> String {
    let mut blocks: Vec<String> = known
        .shown()
        .iter()
        .map(|shown| {
            let (old, new) = (
                text(&[shown.before, shown.old, shown.after].concat()),
                text(&[shown.before, shown.new, shown.after].concat()),
            );
            format!("<<<<<<< SEARCH\n{old}=======\n{new}>>>>>>> REPLACE\n")
        })
        .collect();
    if reversed {
        blocks.reverse();
    }
    blocks.concat()
}

/// How a diff counts.
#[derive(Debug, Clone, Copy)]
enum Numbers {
    Right,
    Shifted(usize),
    Missing,
}

fn hunks(known: &Known, numbers: Numbers) -> String {
    let mut out = String::new();
    for shown in known.shown() {
        let n_old = shown.before.len() + shown.old.len() + shown.after.len();
        let first = if n_old == 0 { shown.start } else { shown.start + 1 };
        let header = match numbers {
            Numbers::Right => format!("@@ -{first},{n_old} +{first},9 @@\n"),
            Numbers::Shifted(by) => format!("@@ -{},{n_old} +1,1 @@\n", first + by),
            Numbers::Missing => "@@\n".to_owned(),
        };
        out.push_str(&header);
        for (sign, lines) in [(" ", shown.before), ("-", shown.old), ("+", shown.new), (" ", shown.after)] {
            out.extend(lines.iter().flat_map(|line| [sign, line, "\n"]));
        }
    }
    out
}

fn apply(given: &Given) -> Result<Option<Outcome>, TestCaseError> {
    let engine = Engine::default();
    let edit = given.edit();
    let Ok(outcome) = engine.apply(&edit) else { return Ok(None) };
    let found = violations(&engine, given, &edit, &outcome);
    prop_assert!(
        found.is_empty(),
        "--- original\n{}\n--- snippet\n{}\n--- result {:?}\n{}\n--- broken\n{}",
        given.original,
        given.snippet,
        outcome.verdict(),
        outcome.text(),
        found.join("\n")
    );
    Ok(Some(outcome))
}

fn given(original: &str, snippet: &str, pairs: &[Pair<'_>], shape: Option<Shape>) -> Given {
    let pairs = pairs.iter().map(|pair| (pair.old.to_owned(), pair.new.to_owned(), pair.count)).collect();
    Given { pairs, shape, ..Given::new("a.txt", original, snippet) }
}

/// The result is the wanted one, or it isn't trusted; where all is shown once it is the wanted one anyway.
fn lands(known: &Known, snippet: &str, shape: Shape) -> Result<(), TestCaseError> {
    let (original, wanted) = (known.original(), known.wanted());
    let given = given(&original, snippet, &[], Some(shape));
    let outcome = apply(&given)?.ok_or_else(|| TestCaseError::fail(format!("refused\n{snippet}")))?;
    let trusted_or_sure = outcome.verdict().is_trusted() || known.is_unique();
    prop_assert!(
        !trusted_or_sure || outcome.text() == wanted,
        "wrong, {:?}\n--- original\n{original}\n--- snippet\n{snippet}\n{}",
        outcome.verdict(),
        judge::diff("wanted", &wanted, "got", outcome.text())
    );
    Ok(())
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn blocks_land_or_are_flagged(known in known(), reversed in any::<bool>()) {
        prop_assume!(!known.changes.is_empty());
        lands(&known, &search_replace(&known, reversed), Shape::SearchReplace)?;
    }

    #[test]
    fn a_diff_lands_or_is_flagged(
        known in known(),
        numbers in prop_oneof![Just(Numbers::Right), (1_usize..9).prop_map(Numbers::Shifted), Just(Numbers::Missing)],
    ) {
        prop_assume!(!known.changes.is_empty());
        // What changes nothing at the ends of a hunk is layout when it is blank.
        let hunks = hunks(&known, numbers);
        prop_assume!(hunks.lines().any(|line| line.starts_with(['+', '-'])));
        lands(&known, &format!("--- a/a.txt\n+++ b/a.txt\n{hunks}"), Shape::Unified)?;
    }

    #[test]
    fn a_patch_lands_or_is_flagged(known in known()) {
        prop_assume!(!known.changes.is_empty());
        let hunks = hunks(&known, Numbers::Missing);
        lands(&known, &format!("*** Begin Patch\n*** Update File: a.txt\n{hunks}*** End Patch\n"), Shape::Patch)?;
    }

    #[test]
    fn pairs_land_or_are_flagged(known in known()) {
        let sides: Vec<(String, String)> = known
            .shown()
            .iter()
            .map(|shown| {
                (text(&[shown.before, shown.old, shown.after].concat()), text(&[shown.before, shown.new, shown.after].concat()))
            })
            .collect();
        let pairs: Vec<Pair<'_>> = sides.iter().map(|(old, new)| Pair::new(old, new)).collect();
        prop_assume!(!pairs.is_empty() && sides.iter().all(|(old, _)| !old.is_empty()));
        let (original, wanted) = (known.original(), known.wanted());
        let given = given(&original, "", &pairs, None);
        let outcome = apply(&given)?.ok_or_else(|| TestCaseError::fail("refused"))?;
        prop_assert!(
            !outcome.verdict().is_trusted() || outcome.text() == wanted,
            "trusted and wrong\n--- original\n{original}\n--- pairs\n{pairs:?}\n{}",
            judge::diff("wanted", &wanted, "got", outcome.text())
        );
    }

    /// The same as replacing all places of a text, one after the other.
    #[test]
    fn a_counted_pair_replaces_all(known in known(), old in "[a-c(}]{1,2}", new in "[a-e]{0,3}") {
        let original = known.original();
        let count = original.matches(&old).count();
        prop_assume!(count > 0 && old != new);
        let pairs = [Pair::new(&old, &new).count(count)];
        let given = given(&original, "", &pairs, None);
        let outcome = apply(&given)?.ok_or_else(|| TestCaseError::fail("refused"))?;
        prop_assert_eq!(outcome.text(), original.replace(&old, &new));
        let one_more = [Pair::new(&old, &new).count(count + 1)];
        let outcome = apply(&self::given(&original, "", &one_more, None))?.ok_or_else(|| TestCaseError::fail("refused"))?;
        prop_assert!(!outcome.verdict().is_trusted() && outcome.text() == original);
    }

    /// What is put around a text changes nothing.
    #[test]
    fn a_fence_changes_nothing(known in known(), with_path in any::<bool>()) {
        prop_assume!(!known.changes.is_empty());
        let (original, plain) = (known.original(), search_replace(&known, false));
        let path = if with_path { "a.txt\n" } else { "" };
        let fenced = format!("{path}```\n{plain}```\n");
        let plain = apply(&given(&original, &plain, &[], None))?;
        let fenced = apply(&given(&original, &fenced, &[], None))?;
        prop_assert_eq!(plain.as_ref().map(Outcome::text), fenced.as_ref().map(Outcome::text));
        let trusted = |outcome: &Option<Outcome>| outcome.as_ref().map(|outcome| outcome.verdict().is_trusted());
        prop_assert_eq!(trusted(&plain), trusted(&fenced));
    }

    /// Signs in any order: an answer, never a panic, and nothing is lost without a word.
    #[test]
    fn any_signs_are_answered(
        known in known(),
        parts in prop::collection::vec(prop_oneof![
            2 => select(vec![
                "<<<<<<< SEARCH", "=======", ">>>>>>> REPLACE", "@@", "@@ -2,1 +2,1 @@", "@@ x = 1", "--- a/a.txt", "+++ b/a.txt",
                "*** Begin Patch", "*** Update File: a.txt", "*** End of File", "*** End Patch", "```", "a.txt", "...",
            ]).prop_map(str::to_owned),
            2 => line(),
            1 => line().prop_map(|line| format!("+{line}")),
            1 => line().prop_map(|line| format!("-{line}")),
            1 => line().prop_map(|line| format!(" {line}")),
            1 => (1_usize..30, line()).prop_map(|(n, line)| format!("{n}| {line}")),
        ], 1..14),
        shape in prop::option::of(select(Shape::ALL.to_vec())),
    ) {
        let (original, snippet) = (known.original(), parts.join("\n") + "\n");
        let given = given(&original, &snippet, &[], shape);
        if let Some(outcome) = apply(&given)? {
            let removed = outcome.ledger().n_removed();
            prop_assert!(removed == 0 || !outcome.replacements().is_empty() || outcome.text() == original);
        }
    }
}

/// The oracle itself: a change that is not the known one is found.
#[test]
fn a_planted_fault_is_found() {
    let change = Change { start: 1, end: 2, new: vec!["2".to_owned()] };
    let known = Known { lines: ["one", "two", "three"].map(str::to_owned).to_vec(), changes: vec![change], context: 1 };
    let block = search_replace(&known, false);
    assert!(lands(&known, &block, Shape::SearchReplace).is_ok());
    assert!(lands(&known, &block.replace("\n2\n", "\n3\n"), Shape::SearchReplace).is_err());
}
