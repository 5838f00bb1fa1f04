//! What the model said about its edit.

use std::fmt::{self, Write as _};

use super::Style;
use crate::change::{Change, is_blank};
use crate::rng::Rng;

/// How much of the truth a description holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum DescriptionKind {
    /// The type and the exact old lines that are replaced or removed.
    Exact,
    /// The type alone.
    Type,
    /// The old lines, off by one or two.
    Off,
    /// Nothing.
    None,
}

impl DescriptionKind {
    /// All kinds, in the order of the tables.
    pub const ALL: &'static [Self] = &[Self::Exact, Self::Type, Self::Off, Self::None];

    /// Gives the kind's name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Type => "type",
            Self::Off => "off",
            Self::None => "none",
        }
    }
}

impl fmt::Display for DescriptionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

const SUMMARIES: &[&str] = &[
    "I'll make the requested change.",
    "Update the code as discussed.",
    "I'll apply the change and keep everything else as it is.",
    // Numbers in prose are no line numbers.
    "Replace the old handling in 2 places and remove 1 case that is no longer needed.",
];

/// Picks a kind that says something for this change and writes it.
pub(super) fn describe(change: &Change, style: Style, rng: &mut Rng) -> (DescriptionKind, String) {
    let removes = change.hunks.iter().any(|hunk| !hunk.is_insertion());
    let mut kinds = vec![DescriptionKind::Type, DescriptionKind::None];
    // Line numbers would tell where a hard case belongs, and a whole file has none to name.
    if !style.is_hard() && style != Style::Whole {
        kinds.push(DescriptionKind::Exact);
        if removes {
            kinds.push(DescriptionKind::Off);
        }
    }
    kinds.sort_unstable();
    let kind = rng.pick(&kinds);
    (kind, write(change, style, kind, rng))
}

fn write(change: &Change, style: Style, kind: DescriptionKind, rng: &mut Rng) -> String {
    if kind == DescriptionKind::None {
        return String::new();
    }
    let edit_type = if style == Style::Whole { "overwrite" } else { edit_type(change) };
    let mut text =
        format!("**Updating `{}`**\nType: {edit_type}\nSummary: {}\n", change.origin.path, rng.pick(SUMMARIES));
    let shift = match kind {
        DescriptionKind::Off => rng.pick(&[-2, -1, 1, 2]),
        _ => 0,
    };
    if kind != DescriptionKind::Type && style != Style::Whole {
        let ranges: Vec<String> = change
            .hunks
            .iter()
            .filter(|hunk| !hunk.is_insertion())
            .map(|hunk| {
                let clamp = |line: usize| line.saturating_add_signed(shift).clamp(1, change.old.lines.len());
                match (clamp(hunk.before.start + 1), clamp(hunk.before.end)) {
                    (first, last) if first == last => format!("line {first}"),
                    (first, last) => format!("lines {first}-{last}"),
                }
            })
            .collect();
        if !ranges.is_empty() {
            let field = if edit_type == "remove" { "Remove" } else { "Replace" };
            let _ = writeln!(text, "{field}: {}", ranges.join(", "));
        }
    }
    text
}

/// Names the edit as the protocol does.
fn edit_type(change: &Change) -> &'static str {
    let all = |test: &dyn Fn(&crate::change::Hunk) -> bool| change.hunks.iter().all(test);
    let blank = |lines: &[String]| lines.iter().all(|line| is_blank(line));
    if all(&|hunk| hunk.is_insertion()) {
        if all(&|hunk| blank(&change.old.lines[hunk.before.end..])) {
            "append"
        } else if all(&|hunk| blank(&change.old.lines[..hunk.before.start])) {
            "prepend"
        } else {
            "add"
        }
    } else if all(&|hunk| blank(&change.new.lines[hunk.after.clone()])) {
        "remove"
    } else {
        "replace"
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::change::tests::change;

    fn numbered(n: usize) -> String {
        (1..=n).map(|n| format!("line {n}\n")).collect::<Vec<_>>().concat()
    }

    #[test]
    fn exact_ranges_are_the_old_lines_that_go() {
        let old = numbered(30);
        let change = change("a.py", &old, &old.replace("line 4\nline 5\n", "x\n").replace("line 20\n", "y\n"));
        let text = write(&change, Style::Context, DescriptionKind::Exact, &mut Rng::new(0, &[]));
        assert!(text.contains("Type: replace\n") && text.ends_with("Replace: lines 4-5, line 20\n"), "{text}");
        let text = write(&change, Style::Context, DescriptionKind::Off, &mut Rng::new(0, &[]));
        assert!(!text.contains("line 20\n") && text.contains("Replace: lines"), "{text}");
    }

    #[test]
    fn the_type_follows_from_the_hunks() {
        let old = numbered(30);
        let of = |new: &str| edit_type(&change("a.py", &old, new));
        assert_eq!(of(&(old.clone() + "x\n")), "append");
        assert_eq!(of(&("x\n".to_owned() + &old)), "prepend");
        assert_eq!(of(&old.replace("line 7\n", "line 7\nx\n")), "add");
        assert_eq!(of(&old.replace("line 7\n", "")), "remove");
        assert_eq!(of(&old.replace("line 7\n", "x\n")), "replace");
    }
}
