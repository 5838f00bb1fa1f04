//! Packages that a snippet's import list leaves out but that are still used.
//!
//! A model shows the imports it adds, with some of those around, and leaves the others out without a reference. Such a
//! list is added to and not cut: a package that would make way for new ones stays while a line that stays or is written
//! names it as in `os.Exit`, unless an import that stays or is written binds that name.
//!
//! # Limits
//!
//! Only for imports by a path in quotes with a name behind its last slash, as Go has them: there a package that is used
//! has to be imported, and its name stands before each use. Elsewhere an import that is gone while its name is still
//! there is as often moved or replaced as left out; of 800 real changes 7 did so.
//!
//! # Cost
//!
//! One pass over the words of the result, if any such import would go.

use foldhash::fast::RandomState;
use hashbrown::HashSet;

use crate::account::writes_code;
use crate::anchor::Plan;
use crate::classify::{LineKind, Snippet, is_no_code};
use crate::ledger::{KeepRule, RemovalCause, Step};
use crate::range::{LineRange, is_within};
use crate::source::Source;

/// Keeps the packages that are still used.
pub(crate) fn keep_used(steps: Vec<Step>, original: &Source<'_>, snippet: &Snippet<'_>, plan: &Plan) -> Vec<Step> {
    let is_import = |row: usize| is_within(&plan.imports, row);
    let goes = |step: &Step| match step {
        Step::Remove {
            original: rows,
            cause: RemovalCause::Rewritten | RemovalCause::ShownInFull | RemovalCause::Unexplained,
        } => rows.iter().any(|row| is_import(row) && package(original.line(row)).is_some()),
        _ => false,
    };
    let writes = |step: Option<&Step>| step.is_some_and(|step| writes_code(&[*step], snippet));
    let makes_way = |at: usize| {
        goes(&steps[at]) && (writes(at.checked_sub(1).and_then(|at| steps.get(at))) || writes(steps.get(at + 1)))
    };
    let making_way: Vec<bool> = (0..steps.len()).map(makes_way).collect();
    if !making_way.contains(&true) {
        return steps;
    }
    let names = Names::of(&steps, original, snippet, is_import);
    let is_used = |row: usize| {
        let name = package(original.line(row)).filter(|_| is_import(row));
        name.is_some_and(|name| names.used.contains(name) && !names.bound.contains(name))
    };
    let mut kept = Vec::with_capacity(steps.len());
    for (step, makes_way) in steps.into_iter().zip(making_way) {
        match step {
            Step::Remove { original, cause } if makes_way => kept.extend(original.iter().map(|row| {
                let original = LineRange::new(row, row + 1);
                if is_used(row) {
                    Step::Keep { original, rule: KeepRule::StillUsed }
                } else {
                    Step::Remove { original, cause }
                }
            })),
            _ => kept.push(step),
        }
    }
    kept
}

/// The names of packages in the result.
struct Names<'t> {
    /// Those that stand before a dot.
    used: HashSet<&'t str, RandomState>,
    /// Those that an import binds.
    bound: HashSet<&'t str, RandomState>,
}

impl<'t> Names<'t> {
    fn of(
        steps: &[Step],
        original: &'t Source<'_>,
        snippet: &'t Snippet<'_>,
        is_import: impl Fn(usize) -> bool,
    ) -> Self {
        let mut names = Self { used: HashSet::default(), bound: HashSet::default() };
        for step in steps {
            if step.keeps() {
                for row in step.original().unwrap_or_default() {
                    names.add(original.line(row), is_import(row));
                }
            }
            let Step::New { snippet: lines } = *step else { continue };
            for line in lines.iter().filter(|&line| snippet.lines[line].kind == LineKind::Code) {
                names.add(&snippet.lines[line].text, package(&snippet.lines[line].text).is_some());
            }
        }
        names
    }

    fn add(&mut self, line: &'t str, is_import: bool) {
        if is_import {
            self.bound.extend(package(line));
        } else if !is_no_code(line) {
            let mut words = line.split('.').collect::<Vec<_>>();
            words.pop();
            self.used.extend(words.into_iter().map(last_word).filter(|word| !word.is_empty()));
        }
    }
}

/// Gives the name that a line binds which is an import by a path in double quotes and nothing else.
fn package(line: &str) -> Option<&str> {
    let line = line.trim();
    let (before, path) = line.strip_suffix('"')?.split_once('"')?;
    let before = before.strip_prefix("import ").unwrap_or(before).trim();
    let last = path.rsplit('/').next()?;
    let is_name = |text: &str| !text.is_empty() && last_word(text) == text;
    match before {
        "" if is_name(last) => Some(last),
        alias if is_name(alias) => Some(alias),
        _ => None,
    }
}

/// Gives the word that a text ends with, empty if none does.
fn last_word(text: &str) -> &str {
    let rest = text.trim_end_matches(|c: char| c.is_alphanumeric() || c == '_');
    &text[rest.len()..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_package_is_its_alias_or_the_end_of_its_path() {
        for (line, wanted) in [
            ("\t\"os\"", Some("os")),
            ("import \"encoding/json\"", Some("json")),
            ("\tyaml \"gopkg.in/yaml.v3\"", Some("yaml")),
            ("\t\"gopkg.in/yaml.v3\"", None),
            ("import { a } from \"b\"", None),
            ("import java.util.Map;", None),
            ("", None),
        ] {
            assert_eq!(package(line), wanted, "{line}");
        }
    }
}
