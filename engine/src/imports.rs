//! Imports that a snippet's list leaves out but that are still used.
//!
//! A model shows the imports it adds, with some of those around, and leaves the others out without a reference. Such a
//! list is added to and not cut: where more imports would go than come, and all of them are still used, they stay. One is
//! used if a line that stays or is written has a name that it alone binds. Where as many come, they may well take the place
//! of those that go, whose uses are changed elsewhere, and so they may where some are used no more: then a used name that
//! goes is a doubt, unless a new name is like the old one.
//!
//! # What binds and what uses a name
//!
//! An import by a path in quotes, as Go has them, binds the word behind its last slash, and each use stands before a dot.
//! Any other import binds the names it lists, or the last part of its path (the first in Python), or what `as` renames
//! it to; a word anywhere but behind a dot, in a comment or in a string uses it. A line that declares the name binds it
//! as well, and a wildcard may bind anything.
//!
//! # Limits
//!
//! What an `#include`, a namespace or a trait brings in bears other names than its own, so nothing says whether it is
//! used: that more of the first two go than come in their place is a doubt. An import in one line that is replaced by one that leaves a used name out can't stay as well: that is a doubt.
//!
//! # Cost
//!
//! One pass over the words of the result, if any import would go.

use foldhash::fast::RandomState;
use hashbrown::HashSet;

use crate::anchor::Plan;
use crate::classify::{LineKind, Snippet, is_no_code};
use crate::ledger::{KeepRule, RemovalCause, Step};
use crate::range::{LineRange, is_within};
use crate::source::{Source, is_blank};

/// Keeps the imports that are still used, where more would go than come.
pub(crate) fn keep_used(steps: Vec<Step>, original: &Source<'_>, snippet: &Snippet<'_>, plan: &Plan) -> Vec<Step> {
    let changes = changes(&steps, original, snippet, plan);
    let Some(names) = Names::if_any(&changes, &steps, original, snippet, plan) else { return steps };
    // Where some are used no more, their uses went, and those of the others may go elsewhere.
    let is_needed = |&row: &usize| package(original.line(row)).is_some() || names.need_whole(original.line(row));
    let cut: Vec<usize> = changes
        .iter()
        .filter(|change| change.cuts(original) && change.gone.iter().all(is_needed))
        .flat_map(|change| change.gone.iter().copied())
        .collect();
    let stays = |row: usize| cut.binary_search(&row).is_ok() && names.need_whole(original.line(row));
    let mut kept = Vec::with_capacity(steps.len());
    for step in steps {
        match step {
            Step::Remove { original: rows, cause } => kept.extend(rows.iter().map(|row| {
                let original = LineRange::new(row, row + 1);
                if stays(row) {
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

/// Finds imports that may be gone only because they aren't shown: their rows, and a name of theirs that is still used.
/// Without a name they are such of which nothing says whether they are used.
pub(crate) fn lost<'t>(
    steps: &[Step],
    original: &'t Source<'_>,
    snippet: &'t Snippet<'_>,
    plan: &'t Plan,
) -> Option<(LineRange, Option<&'t str>)> {
    let changes = changes(steps, original, snippet, plan);
    if let Some(names) = Names::if_any(&changes, steps, original, snippet, plan) {
        for change in &changes {
            for &row in &change.gone {
                let is_lost = |name: &&str| names.lacks(name) && !change.renames(name, &names);
                let lacking = names.bound_by(original.line(row)).into_iter().find(is_lost);
                if lacking.is_some() {
                    return Some((LineRange::new(row, row + 1), lacking));
                }
            }
        }
    }
    let is_cut = |change: &Change<'_>| {
        let opaque: Vec<usize> = change.gone.iter().copied().filter(|&row| is_opaque(original.line(row))).collect();
        let n_new = change.new.iter().filter(|line| is_opaque(line)).count();
        (n_new > 0 && opaque.len() > n_new).then(|| LineRange::new(opaque[0], opaque[opaque.len() - 1] + 1))
    };
    Some((changes.iter().find_map(is_cut)?, None))
}

/// Imports that go and new ones, in one place.
struct Change<'t> {
    gone: Vec<usize>,
    new: Vec<&'t str>,
}

impl Change<'_> {
    /// Says whether more imports go than come.
    fn cuts(&self, original: &Source<'_>) -> bool {
        self.gone.iter().all(|&row| package(original.line(row)).is_some()) || self.gone.len() > self.new.len()
    }

    /// Says whether a new import brings a new version of a name.
    fn renames(&self, name: &str, names: &Names<'_>) -> bool {
        self.gone.len() <= self.new.len()
            && self.new.iter().flat_map(|line| names.bound_by(line)).any(|other| is_like(name, other))
    }
}

/// Says whether two names share half of the shorter one at their ends.
fn is_like(a: &str, b: &str) -> bool {
    let shorter = a.len().min(b.len());
    let same =
        |a: &mut dyn Iterator<Item = u8>, b: &mut dyn Iterator<Item = u8>| a.zip(b).take_while(|(a, b)| a == b).count();
    let at_start = same(&mut a.bytes(), &mut b.bytes());
    let at_end = same(&mut a.bytes().rev(), &mut b.bytes().rev()).min(shorter - at_start);
    (at_start + at_end) * 2 >= shorter
}

/// Finds the places at which imports make way for new ones. A list around them is one place.
fn changes<'t>(steps: &[Step], original: &Source<'_>, snippet: &'t Snippet<'_>, plan: &Plan) -> Vec<Change<'t>> {
    let mut changes: Vec<Change<'t>> = Vec::new();
    let mut open = Change { gone: Vec::new(), new: Vec::new() };
    let mut close = |open: &mut Change<'t>| {
        let change = std::mem::replace(open, Change { gone: Vec::new(), new: Vec::new() });
        if !change.gone.is_empty() && !change.new.is_empty() {
            changes.push(change);
        }
    };
    for step in steps {
        match *step {
            Step::Remove { original: rows, cause } if may_be_left_out(cause) => {
                open.gone.extend(rows.iter().filter(|&row| is_within(&plan.imports, row)));
            }
            Step::New { snippet: lines } => {
                let imports = lines.iter().filter(|&line| is_import(line, snippet, plan));
                open.new.extend(imports.map(|line| &*snippet.lines[line].text));
            }
            Step::Anchor { original: row, .. } if is_within(&plan.imports, row) || is_blank(original.line(row)) => {}
            Step::Remove { .. } | Step::Drop { .. } => {}
            _ => close(&mut open),
        }
    }
    close(&mut open);
    changes
}

/// Says whether an import brings in names that it doesn't name.
fn is_opaque(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("#include") || line.starts_with("using ") && !line.contains('=')
}

/// Says whether lines may be gone since the snippet doesn't show all: nobody said that they shall go.
fn may_be_left_out(cause: RemovalCause) -> bool {
    matches!(cause, RemovalCause::Rewritten | RemovalCause::ShownInFull | RemovalCause::Unexplained)
}

/// The names of the result.
struct Names<'t> {
    /// Those that stand anywhere but behind a dot.
    used: HashSet<&'t str, RandomState>,
    /// Those that stand before a dot.
    before_dot: HashSet<&'t str, RandomState>,
    /// Those that an import or a declaration binds.
    bound: HashSet<&'t str, RandomState>,
    /// Some import may bind any name.
    binds_all: bool,
    /// A path binds its first part.
    by_first: bool,
}

impl<'t> Names<'t> {
    /// Reads the names of the result, if some import goes.
    fn if_any(
        changes: &[Change<'_>],
        steps: &[Step],
        original: &'t Source<'_>,
        snippet: &'t Snippet<'_>,
        plan: &Plan,
    ) -> Option<Self> {
        let mut names = Self {
            used: HashSet::default(),
            before_dot: HashSet::default(),
            bound: HashSet::default(),
            binds_all: false,
            by_first: plan.imports_bind_first,
        };
        let mut gone = changes.iter().flat_map(|change| &change.gone);
        if !gone.any(|&row| !names.bound_by(original.line(row)).is_empty()) {
            return None;
        }
        for step in steps {
            if step.keeps() {
                for row in step.original().unwrap_or_default() {
                    names.add(original.line(row), is_within(&plan.imports, row));
                }
            }
            let Step::New { snippet: lines } = *step else { continue };
            for line in lines.iter().filter(|&line| snippet.lines[line].kind == LineKind::Code) {
                names.add(&snippet.lines[line].text, is_import(line, snippet, plan));
            }
        }
        Some(names)
    }

    fn add(&mut self, line: &'t str, is_import: bool) {
        if is_import {
            let names = self.bound_by(line);
            self.bound.extend(names);
            self.binds_all |= line.trim_end_matches([';', '}', ' ']).ends_with(['*', '_']);
        } else if !is_no_code(line) {
            for piece in line.split('.').rev().skip(1) {
                self.before_dot.extend(Some(last_word(piece)).filter(|word| !word.is_empty()));
            }
            let mut declares = true;
            for word in words(line) {
                // What begins a line and is assigned, and what stands behind a declaring word.
                if declares && !DECLARING.contains(&word.text) && (word.is_assigned || !word.is_first) {
                    self.bound.insert(word.text);
                } else {
                    self.used.insert(word.text);
                }
                declares = DECLARING.contains(&word.text);
            }
        }
    }

    /// Gives the names that a line of an import binds.
    fn bound_by<'l>(&self, line: &'l str) -> Vec<&'l str> {
        package(line).map_or_else(|| listed(line, self.by_first), |package| vec![package])
    }

    /// Says whether nothing else binds any name of an import, and some name is used.
    fn need_whole(&self, line: &str) -> bool {
        let names = self.bound_by(line);
        let is_alone = |name: &&str| !self.bound.contains(*name);
        !self.binds_all && names.iter().all(is_alone) && names.iter().any(|name| self.uses(name, line))
    }

    /// Says whether a name is used and nothing binds it.
    fn lacks(&self, name: &str) -> bool {
        !self.binds_all && !self.bound.contains(name) && self.used.contains(name)
    }

    fn uses(&self, name: &str, import: &str) -> bool {
        if package(import).is_some() { self.before_dot.contains(name) } else { self.used.contains(name) }
    }
}

/// Words that declare the name behind them.
const DECLARING: [&str; 22] = [
    "class",
    "def",
    "function",
    "fn",
    "func",
    "fun",
    "struct",
    "enum",
    "trait",
    "interface",
    "record",
    "object",
    "type",
    "const",
    "let",
    "var",
    "val",
    "static",
    "mod",
    "module",
    "union",
    "macro_rules",
];

/// A word of a line of code.
struct Word<'l> {
    text: &'l str,
    /// Whether it begins the line.
    is_first: bool,
    /// Whether an assignment follows.
    is_assigned: bool,
}

/// Gives the words of a line that stand in no string and not behind a dot.
fn words(line: &str) -> impl Iterator<Item = Word<'_>> {
    let mut rest = line;
    let mut before = ' ';
    let mut is_first = true;
    std::iter::from_fn(move || {
        loop {
            let next = rest.chars().next()?;
            let len = rest.find(|c: char| !is_of_word(c)).unwrap_or(rest.len());
            let (text, after) = rest.split_at(len.max(next.len_utf8()));
            let is_word = len > 0 && before != '.' && !text.starts_with(|c: char| c.is_ascii_digit());
            before = next;
            rest = after;
            if len > 0 {
                before = 'a';
                if is_word {
                    let follows = rest.trim_start();
                    let is_assigned = follows.starts_with('=') && !follows.starts_with("==");
                    return Some(Word { text, is_first: std::mem::take(&mut is_first), is_assigned });
                }
            } else if matches!(next, '"' | '\'') {
                // To the end of the string; what has none is an apostrophe.
                rest = rest.split_once(next).map_or(rest, |(_, after)| after);
            } else if after.starts_with('/') && next == '/' {
                return None;
            }
            is_first &= next.is_whitespace();
        }
    })
}

fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Says whether a snippet line is an import, or one of the names of one.
fn is_import(line: usize, snippet: &Snippet<'_>, plan: &Plan) -> bool {
    const WORDS: [&str; 5] = ["import ", "from ", "use ", "using ", "pub use "];
    let text = snippet.lines[line].text.trim_start();
    snippet.lines[line].kind == LineKind::Code
        && (is_within(&plan.shown_imports, line)
            || WORDS.iter().any(|word| text.starts_with(word))
            || is_opaque(text)
            || package(text).is_some())
}

/// Gives the names that an import lists in a line, or that its path ends with, or in Python begins with.
fn listed(line: &str, by_first: bool) -> Vec<&str> {
    let line = line.trim();
    if line.starts_with(['#', '*']) || line.starts_with("//") || line.starts_with("/*") {
        return Vec::new();
    }
    // Behind a quote stands where it comes from.
    let text = line.split(['"', '\'']).next().unwrap_or_default();
    let text = text.split_once(" #").map_or(text, |(text, _)| text);
    let text = text.split_once("//").map_or(text, |(text, _)| text);
    let is_path = text.starts_with("import ");
    let mut text = match text.strip_prefix("from ") {
        Some(rest) => rest.split_once(" import").map_or("", |(_, names)| names),
        None => text,
    };
    for word in
        ["pub ", "pub(crate) ", "export ", "global ", "import ", "use ", "using ", "static ", "type ", "typeof "]
    {
        text = text.trim_start().strip_prefix(word).unwrap_or(text);
    }
    text.split([',', '{', '}', '(', ')', ';']).filter_map(|chunk| bound_name(chunk, by_first && is_path)).collect()
}

/// Gives the name that one part of an import binds.
fn bound_name(part: &str, by_first: bool) -> Option<&str> {
    let part = part.trim();
    let part = part.strip_prefix("type ").unwrap_or(part);
    let part = part.strip_suffix(" from").unwrap_or(part);
    let renamed = [" as ", " => "].iter().find_map(|sign| Some(part.split_once(sign)?.1.trim()));
    let aliased = part.split_once(" = ").map(|(alias, _)| alias.trim());
    let mut path = part.split(['.', ':', '\\']);
    let own = || if by_first { path.next() } else { path.next_back() };
    let name = renamed.or(aliased).or_else(own)?.trim();
    let is_name = !name.is_empty() && name.chars().all(is_of_word) && !name.starts_with(|c: char| c.is_ascii_digit());
    (is_name && !matches!(name, "_" | "from" | "import" | "self" | "use" | "static")).then_some(name)
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
    let rest = text.trim_end_matches(is_of_word);
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

    #[test]
    fn an_import_binds_what_it_lists_or_the_end_of_its_path() {
        for (line, wanted) in [
            ("import java.util.Map;", &["Map"][..]),
            ("import static java.lang.Double.isNaN;", &["isNaN"]),
            ("import a.b.C as D", &["D"]),
            ("import scala.util.{Try, Left => L, _}", &["Try", "L"]),
            ("using System.Linq;", &["Linq"]),
            ("using X = System.Text;", &["X"]),
            ("use std::collections::{BTreeMap, btree_map::{self, Entry}};", &["BTreeMap", "Entry"]),
            ("use std::fmt::Write as _;", &[]),
            ("pub use crate::a::b;", &["b"]),
            ("use A\\B\\C;", &["C"]),
            ("import D, { a, type B, c as d } from 'x';", &["D", "a", "B", "d"]),
            ("import type { E } from \"y\";", &["E"]),
            ("import * as ns from 'x';", &["ns"]),
            ("import 'side';", &[]),
            ("} from 'react';", &[]),
            ("import {", &[]),
            ("  useMemo,", &["useMemo"]),
            ("#include <stdio.h>", &[]),
            ("import java.util.*;", &[]),
        ] {
            assert_eq!(listed(line, false), wanted, "{line}");
        }
        for (line, wanted) in [
            ("import os.path", &["os"][..]),
            ("import numpy as np, sys", &["np", "sys"]),
            ("from a.b import c, d as e  # why", &["c", "e"]),
            ("from typing import (", &[]),
            ("    Any,", &["Any"]),
            ("    Dict)", &["Dict"]),
            (")", &[]),
        ] {
            assert_eq!(listed(line, true), wanted, "{line}");
        }
    }

    #[test]
    fn a_word_behind_a_dot_or_in_a_string_is_no_use() {
        let names = |line| words(line).map(|word| word.text).collect::<Vec<_>>();
        assert_eq!(names("a.b(c, \"d e\", 'f') + g // h"), ["a", "c", "g"]);
        assert_eq!(names("it's 3 o'clock"), ["it", "clock"]);
    }
}
