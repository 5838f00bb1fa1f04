//! Real edits with their lines moved about.
//!
//! Each begins with a case of the corpus whose right result is known. Some mutations change file and right result
//! alike, so what is right stays known: untouched lines are doubled or dropped, the whole is indented. Others change
//! what the snippet says: then only what a plain reader can prove counts.

use arbitrary::{Arbitrary, Result, Unstructured};
use similar::{DiffTag, TextDiff};

use crate::{Given, corpus, text};

/// Longest original that is mutated, in bytes. Longer: runs take so long that few are made.
const LONGEST: usize = 12 * 1024;

/// Most lines of a text of [`small`]. More: an exhaustive search takes too long.
const FEW: usize = 6;

/// Extensions of the languages that windows are cut in.
const WITH_WINDOWS: [&str; 14] =
    ["go", "py", "js", "ts", "tsx", "rs", "java", "c", "h", "cc", "cpp", "json", "yml", "yaml"];

/// Bytes that a file of [`large`] has at least: the engine cuts windows from over 2 KiB, of at most half of the file.
const LARGE: usize = 6 * 1024;

/// One change of some lines. Numbers are taken modulo what there is.
#[derive(Debug, Clone, Copy, Arbitrary)]
enum Mutation {
    /// A paragraph of the file stands once more, before an untouched one.
    Double { from: u16, to: u16 },
    /// Untouched statements are gone.
    Lose { from: u16, n: u8 },
    /// All texts are indented by so many blanks.
    IndentAll(u8),
    /// Indentation is in tabs, in all texts.
    Tabs,
    /// The snippet alone is indented.
    IndentSnippet(u8),
    /// A line of the snippet is gone.
    DropShown(u8),
    /// A line of the snippet stands twice.
    DoubleShown(u8),
    /// Two lines of the snippet change places.
    Swap(u8, u8),
    /// A reference moves, to another indentation.
    Move { from: u8, to: u8, indent: u8 },
    /// A line of the file is shown, too.
    Show { row: u16, at: u8 },
    /// A new reference.
    Refer(u8),
    /// Lines of the file are lost: it is another file than the one the model saw.
    Drift { from: u16, n: u8 },
}

/// Makes a corpus case with its lines moved about.
pub(crate) fn mutated(bytes: &mut Unstructured<'_>) -> Result<Given> {
    let cases = corpus::known_edits();
    let short = |given: &&Given| given.original.len() <= LONGEST;
    let n_short = cases.iter().filter(short).count().max(1);
    let which = usize::from(bytes.arbitrary::<u16>()?) % n_short;
    let mut given = cases.iter().filter(short).nth(which).cloned().ok_or(arbitrary::Error::EmptyChoose)?;
    let n_mutations = bytes.int_in_range(1..=4_u8)?;
    for _ in 0..n_mutations {
        bytes.arbitrary::<Mutation>()?.change(&mut given);
    }
    Ok(given)
}

/// Makes any edit or a mutated one.
pub(crate) fn any(bytes: &mut Unstructured<'_>) -> Result<Given> {
    if bytes.arbitrary::<u8>()? == b'~' { mutated(bytes) } else { text::patient_edit(bytes) }
}

/// Signs that open or close something, or that read differently inside and outside of it.
const SIGNS: [&str; 20] =
    ["`", "\"\"\"", "'''", "/*", "*/", "\"", "'", "{", "}", "(", ")", "[", "]", "#", "//", "r#\"", "\\", "<", ":", ";"];

/// Makes an edit of a file that is large enough for windows, of one case or two; signs are written into it.
pub(crate) fn large(bytes: &mut Unstructured<'_>) -> Result<Given> {
    let extension = |given: &Given| given.path.rsplit('.').next().unwrap_or_default().to_owned();
    let has_windows = |given: &&Given| WITH_WINDOWS.contains(&extension(given).as_str());
    let cases: Vec<&Given> =
        corpus::known_edits().iter().filter(has_windows).filter(|given| given.original.len() <= LONGEST).collect();
    let which = usize::from(bytes.arbitrary::<u16>()?) % cases.len().max(1);
    let mut given = (*cases.get(which).ok_or(arbitrary::Error::EmptyChoose)?).clone();
    let alike: Vec<&Given> = cases.into_iter().filter(|other| extension(other) == extension(&given)).collect();
    // Neighbours on both sides, until windows are worth it.
    while given.original.len() < LARGE {
        let [before, after] = bytes.arbitrary::<[u8; 2]>()?.map(|at| &alike[usize::from(at) % alike.len()].original);
        given.original = format!("{before}\n{}\n{after}\n", given.original);
    }
    forget_lines(&mut given);
    given.wanted = None;
    for _ in 0..bytes.int_in_range(0..=2_u8)? {
        bytes.arbitrary::<Mutation>()?.change(&mut given);
    }
    for _ in 0..bytes.int_in_range(0..=3_u8)? {
        let (in_snippet, at, sign): (bool, u16, u8) = bytes.arbitrary()?;
        let text = if in_snippet { &mut given.snippet } else { &mut given.original };
        let mut at = usize::from(at) % (text.len() + 1);
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        text.insert_str(at, SIGNS[usize::from(sign) % SIGNS.len()]);
    }
    Ok(given)
}

/// Makes an edit so small that every alignment of it can be looked at.
pub(crate) fn small(bytes: &mut Unstructured<'_>) -> Result<Given> {
    let mut given = text::patient_edit(bytes)?;
    let few = |text: &str| text.split_inclusive('\n').take(FEW).collect::<String>();
    (given.original, given.snippet) = (few(&given.original), few(&given.snippet));
    Ok(given)
}

impl Mutation {
    fn change(self, given: &mut Given) {
        match self {
            Self::Double { from, to } => {
                forget_lines(given);
                let Some(same) = Same::of(given) else { return };
                let (original, wanted) = (lines(&given.original), lines(given.wanted.as_deref().unwrap_or_default()));
                let paragraphs: Vec<&[String]> =
                    original.split(|line| line.trim().is_empty()).filter(|lines| !lines.is_empty()).collect();
                let mut block = paragraphs[usize::from(from) % paragraphs.len()].to_vec();
                block.push("\n".to_owned());
                let places = same.places(&original);
                let Some(&(row, line)) = places.get(usize::from(to) % places.len().max(1)) else { return };
                given.original = inserted(original, row, &block);
                given.wanted = Some(inserted(wanted, line, &block));
            }
            Self::Lose { from, n } => {
                forget_lines(given);
                let Some(same) = Same::of(given) else { return };
                let (mut original, mut wanted) =
                    (lines(&given.original), lines(given.wanted.as_deref().unwrap_or_default()));
                // What opens or closes something holds others together.
                let is_plain =
                    |line: &str| !line.contains(['{', '}', '(', ')', '[', ']', ':', '<']) && !line.contains("end");
                let shows_indent = |lines: &[String]| {
                    lines.iter().any(|line| line.starts_with([' ', '\t']) && !line.trim().is_empty())
                };
                let shown = shows_indent(&original);
                for (row, line) in same.rows(from, n) {
                    if is_plain(&original[row]) {
                        original[row].clear();
                        wanted[line].clear();
                    }
                }
                // Nothing would say what the file is indented with.
                if shown && !shows_indent(&original) {
                    return;
                }
                given.original = original.concat();
                given.wanted = Some(wanted.concat());
            }
            Self::IndentAll(n) => on_all(given, |line| indented(line, n)),
            Self::Tabs => on_all(given, |line| {
                let indent = line.len() - line.trim_start_matches(' ').len();
                format!("{}{}{}", "\t".repeat(indent / 4), " ".repeat(indent % 4), &line[indent..])
            }),
            _ => {
                given.wanted = None;
                given.snippet = self.retold(given);
                if let Self::Drift { from, n } = self {
                    let mut original = lines(&given.original);
                    let from = usize::from(from) % original.len().max(1);
                    original.drain(from..(from + usize::from(n % 16)).min(original.len()));
                    given.original = original.concat();
                }
            }
        }
    }

    /// Gives the snippet that says something else.
    fn retold(self, given: &Given) -> String {
        let mut snippet = lines(&given.snippet);
        let n = snippet.len();
        if n == 0 {
            return String::new();
        }
        let at = |at: u8| usize::from(at) % n;
        match self {
            Self::DropShown(line) => drop(snippet.remove(at(line))),
            Self::DoubleShown(line) => snippet.insert(at(line), snippet[at(line)].clone()),
            Self::Swap(a, b) => snippet.swap(at(a), at(b)),
            // What is shown at another indentation may be meant so.
            Self::IndentSnippet(n) => snippet = snippet.iter().map(|line| indented(line, n)).collect(),
            Self::Move { from, to, indent } => {
                let references: Vec<usize> = (0..n).filter(|&line| snippet[line].contains("...")).collect();
                if let Some(&line) = references.get(usize::from(from) % references.len().max(1)) {
                    let line = snippet.remove(line);
                    let line = format!("{}{}", " ".repeat(usize::from(indent % 9)), line.trim_start());
                    snippet.insert(usize::from(to) % n, line);
                }
            }
            Self::Show { row, at: to } => {
                let original = lines(&given.original);
                if let Some(line) = original.get(usize::from(row) % original.len().max(1)) {
                    snippet.insert(at(to), line.clone());
                }
            }
            Self::Refer(line) => {
                let reference = snippet.iter().find(|line| line.contains("...")).cloned();
                snippet.insert(at(line), reference.unwrap_or_else(|| "// ... existing code ...\n".to_owned()));
            }
            _ => {}
        }
        snippet.concat()
    }
}

/// Takes line numbers out of the description: they would point elsewhere.
fn forget_lines(given: &mut Given) {
    let is_range = |line: &&str| {
        let line = line.to_ascii_lowercase();
        line.contains("replace") && line.contains(':') && !line.contains("type") || line.contains("remove:")
    };
    let kept: Vec<&str> = given.description.lines().filter(|line| !is_range(line)).collect();
    given.description = kept.join("\n");
}

/// Lines that original and wanted result have in common, as (original line, wanted line), with a common line on
/// either side. They stand once in each and aren't shown in the snippet: so there is no doubt that they are untouched.
struct Same {
    pairs: Vec<(usize, usize)>,
}

impl Same {
    /// Finds them; `None` if there are none, or if nothing is wanted.
    fn of(given: &Given) -> Option<Self> {
        let wanted = given.wanted.as_deref()?;
        let diff = TextDiff::from_lines(given.original.as_str(), wanted);
        let mut pairs = Vec::new();
        for op in diff.ops().iter().filter(|op| op.tag() == DiffTag::Equal) {
            let (old, new) = (op.old_range(), op.new_range());
            pairs.extend(old.zip(new).skip(1).take(op.old_range().len().saturating_sub(2)));
        }
        let original = lines(&given.original);
        let count = |text: &str, line: &str| text.lines().filter(|other| other.trim() == line).count();
        pairs.retain(|&(row, _)| {
            let line = original[row].trim();
            let counts = [wanted, &given.original, &given.snippet].map(|text| count(text, line));
            !line.is_empty() && counts == [1, 1, 0]
        });
        (!pairs.is_empty()).then_some(Self { pairs })
    }

    /// Gives those that begin a paragraph: before them another may be put.
    fn places(&self, original: &[String]) -> Vec<(usize, usize)> {
        let begins = |&&(row, _): &&(usize, usize)| row > 0 && original[row - 1].trim().is_empty();
        self.pairs.iter().filter(begins).copied().collect()
    }

    /// Takes a run of at most 16 of them.
    fn rows(&self, from: u16, n: u8) -> Vec<(usize, usize)> {
        let from = usize::from(from) % self.pairs.len();
        self.pairs[from..(from + 1 + usize::from(n % 16)).min(self.pairs.len())].to_vec()
    }
}

fn lines(text: &str) -> Vec<String> {
    text.split_inclusive('\n').map(str::to_owned).collect()
}

fn inserted(mut lines: Vec<String>, at: usize, block: &[String]) -> String {
    lines.splice(at..at, block.iter().cloned());
    lines.concat()
}

/// Indents a line; a byte order mark stays in front.
fn indented(line: &str, n: u8) -> String {
    if let Some(line) = line.strip_prefix('\u{feff}') {
        return format!("\u{feff}{}", indented(line, n));
    }
    if line.trim().is_empty() { line.to_owned() } else { format!("{}{line}", " ".repeat(usize::from(n % 13))) }
}

/// Changes the white space of all texts. Not where lines may stand behind a `+` or `-`, nor where the snippet's white
/// space isn't the file's: how it is converted depends on what is changed.
fn on_all(given: &mut Given, change: impl Fn(&str) -> String) {
    let wanted: Vec<&str> = given.wanted.iter().flat_map(|wanted| wanted.lines()).map(str::trim_end).collect();
    let is_other = |line: &str| {
        line.starts_with(['+', '-'])
            || wanted.iter().any(|other| other.trim() == line.trim()) && !wanted.contains(&line.trim_end())
    };
    if given.snippet.lines().any(is_other) {
        return;
    }
    let all = |text: &str| lines(text).iter().map(|line| change(line)).collect::<String>();
    given.original = all(&given.original);
    given.snippet = all(&given.snippet);
    given.wanted = given.wanted.as_deref().map(all);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given() -> Given {
        let mut given = Given::new("a.py", "a\nb\n\nc\nd\ne\nf\n", "# ... existing code ...\ne\nF\n");
        given.wanted = Some("a\nb\n\nc\nd\ne\nF\n".to_owned());
        given
    }

    #[test]
    fn file_and_right_result_change_alike() {
        let check = |mutation: Mutation, original: &str, wanted: &str| {
            let mut given = given();
            mutation.change(&mut given);
            assert_eq!((given.original.as_str(), given.wanted.as_deref()), (original, Some(wanted)), "{mutation:?}");
        };
        check(Mutation::Double { from: 0, to: 1 }, "a\nb\n\na\nb\n\nc\nd\ne\nf\n", "a\nb\n\na\nb\n\nc\nd\ne\nF\n");
        check(Mutation::Lose { from: 1, n: 5 }, "a\nb\n\ne\nf\n", "a\nb\n\ne\nF\n");
    }

    #[test]
    fn another_snippet_has_no_known_result() {
        let mut given = given();
        Mutation::Move { from: 0, to: 1, indent: 2 }.change(&mut given);
        assert_eq!((given.snippet.as_str(), given.wanted), ("e\n  # ... existing code ...\nF\n", None));
    }
}
