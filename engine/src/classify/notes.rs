//! Notes of the model to its reader: `// FIRST_EDIT`, `// changed`, `// BEGIN REPLACE area`.
//!
//! Such a note is no text of the file. It is taken off only where it surely is one: a comment in the sign of the file's
//! own language that holds nothing but a wording of the table below, on a line that the original doesn't have and that
//! doesn't begin inside of a string. On a line of its own it is dropped with the line. Behind code the same words may say
//! what the code means (`Added, // added`), so it is cut off only with more evidence: it or another note of the snippet
//! has an arrow or brackets around it or a word in capitals, the same note stands behind another line as well, or it says
//! `unchanged` behind a line that the original has. Else it stays and is in doubt. Where the language isn't known nothing is
//! taken off, and whatever is worded otherwise stays.
//!
//! # Cost
//!
//! A look at each snippet line; if any holds a note, one pass over the original and one parse of the snippet.

use foldhash::fast::RandomState;
use hashbrown::{HashMap, HashSet};

use super::{Force, Line, LineKind};
use crate::anchor::Class;
use crate::budget::{Budget, Meter};
use crate::range::LineRange;
use crate::source::{Source, is_blank};
use crate::treesitter::{ANY_COMMENT_SIGNS, CommentSigns, Language, Outline};

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
    /// Lines that end with what reads like a note and may be text of the file.
    pub(super) doubtful: Vec<usize>,
}

impl Noted<'_> {
    /// Marks the lines that are no text of the file.
    pub(super) fn drop_notes(&self, lines: &mut [Line<'_>]) {
        for (line, is_note) in lines.iter_mut().zip(&self.is_note) {
            if *is_note && line.force == Force::Free {
                (line.kind, line.force, line.class) = (LineKind::Blank, Force::Drop, Class::BLANK);
            }
        }
    }
}

/// A line that ends with a note.
struct Found<'a> {
    at: usize,
    /// What stands before it.
    code: &'a str,
    /// The note itself, without its comment sign.
    words: &'a str,
}

/// Finds the notes in a snippet's lines. `literals` gives the lines that begin inside of a string; it is asked only if there
/// is a note.
pub(super) fn take_off<'a>(
    raw: &[&'a str],
    original: &Source<'_>,
    signs: CommentSigns,
    literals: impl FnOnce() -> Vec<LineRange>,
) -> Noted<'a> {
    let mut noted = Noted { lines: raw.to_vec(), is_note: vec![false; raw.len()], doubtful: Vec::new() };
    if signs == ANY_COMMENT_SIGNS {
        return noted;
    }
    let found = raw.iter().enumerate().filter_map(|(at, line)| {
        let (code, words) = split_note(line, signs)?;
        Some(Found { at, code, words })
    });
    let mut found: Vec<Found<'_>> = found.collect();
    if found.is_empty() {
        return noted;
    }
    let literals = literals();
    found.retain(|note| !literals.iter().any(|rows| rows.contains(note.at)));
    let wanted: HashSet<&str, RandomState> =
        found.iter().flat_map(|note| [raw[note.at].trim(), note.code.trim()]).collect();
    let in_file: HashSet<&str, RandomState> =
        original.lines().map(str::trim).filter(|line| wanted.contains(line)).collect();
    found.retain(|note| !in_file.contains(raw[note.at].trim()));
    // Who writes one note that surely is one means the others so as well.
    let is_annotated = found.iter().any(|note| is_marked(note.words));
    let mut behind: HashMap<&str, usize, RandomState> = HashMap::default();
    for note in found.iter().filter(|note| !is_blank(note.code)) {
        *behind.entry(note.words.trim()).or_default() += 1;
    }
    for Found { at, code, words } in found {
        let is_known = || NOTES_BEHIND.contains(&bare(&words.to_lowercase())) && in_file.contains(code.trim());
        if is_blank(code) {
            noted.is_note[at] = true;
        } else if is_annotated || behind.get(words.trim()).is_some_and(|&n| n > 1) || is_known() {
            noted.lines[at] = code;
        } else {
            noted.doubtful.push(at);
        }
    }
    noted
}

/// Gives the lines of a snippet that begin or end inside of a string, a heredoc or a block scalar.
pub(super) fn literals(raw: &[&str], language: Option<Language>, budget: Budget) -> Vec<LineRange> {
    if language == Some(Language::Yaml) {
        return block_scalars(raw);
    }
    let text = raw.join("\n");
    let outline = Outline::of_snippet(&Source::new(&text), language, &Meter::start(budget));
    // The line that opens a string ends inside of it.
    outline.literals.iter().map(|rows| LineRange::new(rows.start.saturating_sub(1), rows.end)).collect()
}

/// Finds the block scalars of a YAML text: what stands deeper below a line that ends with `|` or `>`.
fn block_scalars(raw: &[&str]) -> Vec<LineRange> {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let mut scalars = Vec::new();
    let mut at = 0;
    while at < raw.len() {
        let header = raw[at].split(" #").next().unwrap_or_default().trim_end();
        let header = header.trim_end_matches(|c: char| c.is_ascii_digit() || c == '+' || c == '-');
        at += 1;
        let Some(before) = header.strip_suffix(['|', '>']) else { continue };
        if !before.is_empty() && !before.ends_with([' ', ':']) {
            continue;
        }
        let own = indent(raw[at - 1]);
        let is_inside = |line: &&&str| is_blank(line) || indent(line) > own;
        let end = at + raw[at..].iter().take_while(is_inside).count();
        scalars.push(LineRange::new(at, end));
        at = end;
    }
    scalars
}

/// Says whether a note is written as no comment of a file is: with an arrow, in brackets, or with a word in capitals.
fn is_marked(words: &str) -> bool {
    let is_shouted = |word: &str| word.len() > 1 && word.chars().all(|c| c.is_uppercase() || c.is_ascii_digit());
    let words = words.trim();
    ["<", "-", "=", "[", "(", "←", "→"].iter().any(|sign| words.starts_with(sign))
        || words.split(|c: char| !c.is_alphanumeric()).any(is_shouted)
}

/// Gives what stands before the note that ends a line, and the note without its sign; `None` if none does.
fn split_note(line: &str, signs: CommentSigns) -> Option<(&str, &str)> {
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
    (is_apart && is_note(words, !is_alone)).then(|| (code.trim_end(), words))
}

/// Takes off what is put around a note.
fn bare(words: &str) -> &str {
    words.trim_matches(|c: char| c.is_whitespace() || "<>-=*!()[]←→:.".contains(c))
}

fn is_note(words: &str, is_behind: bool) -> bool {
    let lower = words.to_lowercase();
    let words = bare(&lower);
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
        let original = Source::new("// new\nx = 1 // changed\ny = 1\n");
        let noted = take_off(&[line], &original, comment_signs(path, None), Vec::new);
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
    fn a_note_behind_code_is_cut_off_with_evidence() {
        check("a.go", "\treturn 22 // CHANGED", Some("\treturn 22"));
        check("a.go", "\treturn 22 // EDIT 2", Some("\treturn 22"));
        check("a.go", "return 22 /* [new] */", Some("return 22"));
        check("a.go", "y = 1 // unchanged", Some("y = 1"));
        check("a.py", "x = 1  # <- new", Some("x = 1"));
        check("a.css", "a { b: c } /* --- updated */", Some("a { b: c }"));
        let noted =
            take_off(&["a() // new", "b()", "c() // new"], &Source::new(""), comment_signs("a.go", None), Vec::new);
        assert_eq!((noted.lines, noted.doubtful), (vec!["a()", "b()", "c()"], vec![]));
    }

    #[test]
    fn a_note_behind_code_without_evidence_stays_and_is_in_doubt() {
        for line in ["return 22 // changed", "A = 1, // added", "x := 1 // unchanged", "f() /* updated */"] {
            let noted = take_off(&[line], &Source::new("y = 1\n"), comment_signs("a.go", None), Vec::new);
            assert_eq!((noted.lines, noted.doubtful), (vec![line], vec![0]));
        }
    }

    #[test]
    fn a_line_inside_of_a_string_holds_no_note() {
        let raw = ["s = \"\"\"", "usage: tool  # NEW", "# changed", "\"\"\""];
        let literals = || vec![LineRange::new(1, 4)];
        let noted = take_off(&raw, &Source::new(""), comment_signs("a.py", None), literals);
        assert_eq!((&noted.lines[..], &noted.is_note[..]), (&raw[..], &[false; 4][..]));
        assert!(noted.doubtful.is_empty());
    }

    #[cfg(feature = "lang-all")]
    #[test]
    fn strings_heredocs_and_block_scalars_are_literals() {
        for (path, text) in [
            ("a.py", "s = \"\"\"usage  # <- NEW\nusage: tool  # NEW\n# changed\n\"\"\""),
            ("a.sh", "cat <<EOF\nusage: tool # NEW\nEOF"),
            ("a.sh", "cat <<EOF\nusage: tool # NEW\n# changed\nEOF"),
            ("a.yaml", "run: |-\n  tool # NEW\n\n  # changed\n"),
        ] {
            let raw: Vec<&str> = text.split('\n').collect();
            let literals =
                || literals(&raw, Language::from_path(path), Budget::from(std::time::Duration::from_secs(5)));
            let noted = take_off(&raw, &Source::new(""), comment_signs(path, None), literals);
            assert_eq!((&noted.lines, noted.is_note.contains(&true)), (&raw, false), "{path}");
        }
        let raw = ["run: |", "  tool # NEW", "x: 1 # NEW"];
        assert_eq!(block_scalars(&raw), [LineRange::new(1, 2)]);
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
