//! Notes of the model to its reader: `// FIRST_EDIT`, `// changed`, `// BEGIN REPLACE area`.
//!
//! Such a note is no text of the file. It is taken off only where it surely is one: a comment in the sign of the file's
//! own language that holds nothing but a wording of the table below, on a line that the original doesn't have. On a line
//! of its own it is dropped with the line; behind code it is cut off. Where the language isn't known nothing is, and
//! whatever is worded otherwise stays.
//!
//! # Cost
//!
//! A look at each snippet line, and one pass over the original if any line holds a note.

use foldhash::fast::RandomState;
use hashbrown::HashSet;

use super::{Force, Line, LineKind};
use crate::anchor::Class;
use crate::source::{Source, is_blank};
use crate::treesitter::{ANY_COMMENT_SIGNS, CommentSigns};

/// Wordings of a note as a whole, in lower case, without what is put around them.
const NOTES: &[&str] = &[
    "added",
    "added code",
    "added here",
    "added line",
    "added this line",
    "begin change",
    "begin changes",
    "begin edit",
    "change",
    "change here",
    "changed",
    "changed code",
    "changed here",
    "changed line",
    "changed this line",
    "edited",
    "end change",
    "end changes",
    "end edit",
    "end of change",
    "end of changes",
    "end of edit",
    "modified",
    "modified code",
    "modified here",
    "modified line",
    "new",
    "new code",
    "new function",
    "new import",
    "new line",
    "new method",
    "start change",
    "start changes",
    "start edit",
    "start of change",
    "start of changes",
    "start of edit",
    "this line changed",
    "this line was added",
    "this line was changed",
    "updated",
    "updated code",
    "updated function",
    "updated here",
    "updated line",
    "updated method",
    "updated this line",
];

/// Notes that only make sense behind code.
const NOTES_BEHIND: &[&str] = &["existing", "no change", "no changes", "not changed", "same", "unchanged"];

/// What may stand for a number in `FIRST_EDIT`.
const ORDINALS: &[&str] = &["first", "second", "third", "fourth", "fifth", "sixth", "next", "last"];

/// What a comment that begins so goes on to name: `BEGIN REPLACE area`.
const NAMING: &[&str] = &["begin replace ", "end replace ", "begin insert ", "end insert ", "begin edit ", "end edit "];

/// Longest note, in bytes with its comment sign. Larger: ordinary comments are looked at in vain; smaller: the name in
/// `BEGIN REPLACE name` may not fit.
const LONGEST_NOTE: usize = 80;

/// A snippet's lines without notes.
pub(super) struct Noted<'a> {
    /// The lines, notes behind code cut off.
    pub(super) lines: Vec<&'a str>,
    /// Whether each line is a note and nothing else.
    is_note: Vec<bool>,
}

impl Noted<'_> {
    /// Marks the lines that are no text of the file.
    pub(super) fn drop_notes(&self, lines: &mut [Line<'_>]) {
        for line in lines {
            if self.is_note.get(line.number).copied().unwrap_or(false) && line.force == Force::Free {
                (line.kind, line.force, line.class) = (LineKind::Blank, Force::Drop, Class::BLANK);
            }
        }
    }
}

/// Finds the notes in a snippet's lines.
pub(super) fn take_off<'a>(raw: &[&'a str], original: &Source<'_>, signs: CommentSigns) -> Noted<'a> {
    let mut noted = Noted { lines: raw.to_vec(), is_note: vec![false; raw.len()] };
    if signs == ANY_COMMENT_SIGNS {
        return noted;
    }
    let found: Vec<(usize, &str)> =
        raw.iter().enumerate().filter_map(|(at, line)| Some((at, code_before_note(line, signs)?))).collect();
    if found.is_empty() {
        return noted;
    }
    let wanted: HashSet<&str, RandomState> = found.iter().map(|&(at, _)| raw[at].trim()).collect();
    let in_file: HashSet<&str, RandomState> =
        original.lines().map(str::trim).filter(|line| wanted.contains(line)).collect();
    for (at, code) in found {
        if in_file.contains(raw[at].trim()) {
            continue;
        }
        if is_blank(code) {
            noted.is_note[at] = true;
        } else {
            noted.lines[at] = code;
        }
    }
    noted
}

/// Gives what stands before the note that ends a line; `None` if none does.
fn code_before_note(line: &str, signs: CommentSigns) -> Option<&str> {
    let text = line.trim_end();
    let tail_start = text.len().saturating_sub(LONGEST_NOTE);
    let tail_start = (tail_start..=text.len()).find(|&at| text.is_char_boundary(at))?;
    let (mut at, mut words) = (None, "");
    for sign in signs.line {
        if let Some(found) = text[tail_start..].rfind(sign) {
            (at, words) = (Some(tail_start + found), &text[tail_start + found + sign.len()..]);
        }
    }
    for (open, close) in signs.block {
        if let Some(body) = text.strip_suffix(close)
            && let Some(found) = body.get(tail_start..).and_then(|tail| tail.rfind(open))
            && at.is_none_or(|at| at >= tail_start + found)
        {
            (at, words) = (Some(tail_start + found), &body[tail_start + found + open.len()..]);
        }
    }
    let code = &text[..at?];
    let is_alone = is_blank(code);
    let is_apart = is_alone || code.ends_with([' ', '\t']);
    // A repeated sign (`///`, `##`) begins no note behind code.
    (is_apart && is_note(words, !is_alone)).then(|| code.trim_end())
}

fn is_note(words: &str, is_behind: bool) -> bool {
    let lower = words.to_lowercase();
    let words = lower.trim_matches(|c: char| c.is_whitespace() || "<>-=*!()[]←→:.".contains(c));
    let is_numbered = || {
        let (name, number) = match words.rsplit_once(['_', ' ', '#']) {
            Some((first, "edit" | "change")) => ("edit", first),
            Some((name, number)) => (name.trim_end_matches(['_', ' ', '#']), number),
            None => return false,
        };
        matches!(name, "edit" | "change") && (ORDINALS.contains(&number) || number.parse::<u32>().is_ok())
    };
    NOTES.binary_search(&words).is_ok()
        || (is_behind && NOTES_BEHIND.contains(&words))
        || NAMING.iter().any(|start| words.strip_prefix(start).is_some_and(|name| name.split_whitespace().count() <= 3))
        || is_numbered()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::treesitter::comment_signs;

    /// Holds what is left of a line against what is wanted; `None`: the line goes.
    #[track_caller]
    fn check(path: &str, line: &str, wanted: Option<&str>) {
        let original = Source::new("// new\nx = 1 // changed\n");
        let noted = take_off(&[line], &original, comment_signs(path, None));
        let left = (!noted.is_note[0]).then_some(noted.lines[0]);
        assert_eq!(left, wanted, "{line:?} in {path}");
    }

    #[test]
    fn the_table_is_sorted() {
        assert!(NOTES.is_sorted());
    }

    #[test]
    fn a_note_on_its_own_line_goes() {
        for line in [
            "// FIRST_EDIT",
            "// EDIT 2",
            "\t// changed",
            "// Updated",
            "// <-- changed",
            "// [NEW]",
            "// BEGIN REPLACE area",
            "// End replace the area",
            "/* added */",
            "// --- new code ---",
            "// updated:",
        ] {
            check("a.go", line, None);
        }
        check("a.py", "    # changed", None);
        check("a.html", "<!-- updated -->", None);
        check("a.jsx", "{/* new */}", None);
        check("a.sql", "-- added", None);
    }

    #[test]
    fn a_note_behind_code_is_cut_off() {
        check("a.go", "\treturn 22 // changed", Some("\treturn 22"));
        check("a.go", "return 22 /* new */", Some("return 22"));
        check("a.go", "x := 1 // unchanged", Some("x := 1"));
        check("a.py", "x = 1  # <- new", Some("x = 1"));
        check("a.css", "a { b: c } /* updated */", Some("a { b: c }"));
    }

    #[test]
    fn what_may_be_text_of_the_file_stays() {
        for (path, line) in [
            ("a.go", "// new"),
            ("a.go", "  x = 1 // changed"),
            ("a.go", "// new users come first"),
            ("a.go", "// change this before the release"),
            ("a.go", "# new"),
            ("a.md", "## Added"),
            ("a.md", "### Changed"),
            ("a.txt", "// changed"),
            ("a.go", "url := \"http://new\""),
            ("a.go", "s := \"// changed\""),
            ("a.go", "// unchanged"),
            ("a.go", "x := y//new"),
            ("a.go", ""),
            ("a.py", "color = '#new'"),
        ] {
            check(path, line, Some(line.trim_end()));
        }
    }
}
