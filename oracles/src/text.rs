//! Texts made from a fuzzer's bytes.
//!
//! Random bytes hardly ever look like a file and a snippet of it. So an edit comes in one of two forms: the texts as
//! they stand in the bytes, which is what seeds are written in and dictionaries work on; or lists of [`Piece`]s, lines
//! from a small alphabet, markers, and for snippets lines of the original.

use std::fmt::Write as _;

use arbitrary::{Arbitrary, Result, Unstructured};

use crate::Given;

/// Longest text in bytes. Larger: one run takes so long that few are made; smaller: little can repeat in it.
const LONGEST: usize = 8 * 1024;

/// What parts the texts of the plain form: a byte that no UTF-8 text holds.
const SEPARATOR: u8 = 0xff;

/// Names of the file that is edited.
const PATHS: [&str; 19] = [
    "a.go", "a.py", "a.js", "a.ts", "a.tsx", "a.rs", "a.json", "a.txt", "", "a.yaml", "a.rb", "a.md", "a.html",
    "a.vue", "a.sh", "a.c", "a.css", "a.kt", "Makefile",
];

/// Lines that repeat, open and close things in several languages.
const LINES: [&str; 44] = [
    "",
    "}",
    "{",
    "});",
    "]",
    "return nil",
    "return 1",
    "func a() {",
    "func (s *S) b(x int) error {",
    "def a(self):",
    "def b():",
    "class A:",
    "class A {",
    "fn a() {",
    "impl A for B {",
    "function a() {",
    "\"key\": 1,",
    "\"key\": {",
    "import \"a\"",
    "x = 1",
    "x = 2",
    "call(x, y)",
    "call(x, y, z)",
    "`",
    "\"\"\"",
    "/*",
    "*/",
    "// a note on the rest",
    "\u{feff}\u{a0}\u{2028}ü",
    "a: 1",
    "- a",
    "key:",
    "<div>",
    "</div>",
    "end",
    "do |x|",
    "# heading",
    "/** doc */",
    "#[test]",
    "@wraps",
    "\u{c}",
    "x = 1   ",
    "e\u{301}",
    "\u{e9}",
];

/// Lines that stand for others, or look like it. The first of them are canonical references.
const MARKERS: [&str; 20] = [
    "// ... existing code ...",
    "# ... existing code ...",
    "... existing code ...",
    "{/* ... existing code ... */}",
    "<!-- ... existing code ... -->",
    "// ... rest of the class",
    "// existing helpers...",
    "// ...",
    "...",
    "// rest of the code is unchanged",
    "// Plandex: removed code",
    "# removed",
    "@@ -1,2 +1,2 @@",
    "```",
    "-- ... existing code ...",
    "/* ... existing code ... */",
    "// ... unchanged ...",
    "# ... (rest of the file) ...",
    "// removed",
    "s = \"// ... existing code ...\"",
];

/// How many of [`MARKERS`] are certain references whatever the file holds.
const N_CANONICAL: usize = 5;

/// Kinds that a description may announce.
const KINDS: [&str; 6] = ["add", "prepend", "append", "replace", "remove", "overwrite"];

/// What ends a line.
#[derive(Debug, Clone, Copy, Arbitrary)]
enum LineEnd {
    Lf,
    CrLf,
    Cr,
    /// None: the next piece goes on in the same line.
    Nothing,
}

impl LineEnd {
    fn text(self) -> &'static str {
        match self {
            Self::Lf => "\n",
            Self::CrLf => "\r\n",
            Self::Cr => "\r",
            Self::Nothing => "",
        }
    }
}

/// A part of a text.
#[derive(Debug, Clone, Arbitrary)]
enum Piece<'a> {
    /// A line of [`LINES`], indented.
    Line(u8, u8),
    /// A line of [`MARKERS`], indented.
    Marker(u8, u8),
    /// A line of the original, as it is. In an original itself nothing.
    Original(u16),
    /// A run of lines of the original.
    Run(u16, u8),
    /// A line of the original behind a `+` or a `-`.
    Signed(bool, u16),
    /// A line of the original at another indentation.
    Shifted(u8, u16),
    /// A line with anything in it.
    Raw(&'a str),
    /// From here on lines end like this.
    End(LineEnd),
}

#[derive(Debug, Clone, Copy, Arbitrary)]
enum Description<'a> {
    Nothing,
    Kind(u8),
    Range(u8, u16, u16),
    Raw(&'a str),
}

#[derive(Debug, Clone, Copy, Arbitrary)]
enum Time {
    Nothing,
    Little,
    Usual,
    Patient,
}

/// Makes any edit within any time.
pub(crate) fn any_edit(bytes: &mut Unstructured<'_>) -> Result<Given> {
    let time = bytes.arbitrary::<Time>()?;
    let mut given = patient_edit(bytes)?;
    given.budget_ms = match time {
        Time::Nothing => Some(0),
        Time::Little => Some(1),
        Time::Usual => Some(500),
        Time::Patient => None,
    };
    Ok(given)
}

/// Makes any edit that may take its time.
pub(crate) fn patient_edit(bytes: &mut Unstructured<'_>) -> Result<Given> {
    let form: u8 = bytes.arbitrary()?;
    let path = PATHS[usize::from(bytes.arbitrary::<u8>()?) % PATHS.len()];
    let add_missing_edges = bytes.arbitrary::<u8>()? & 1 == 0;
    let mut given = if form == PLAIN { plain(bytes)? } else { pieced(bytes)? };
    path.clone_into(&mut given.path);
    given.add_missing_edges = add_missing_edges;
    Ok(given)
}

/// The first byte of the plain form.
const PLAIN: u8 = b'=';

/// Writes an edit as the bytes from which [`patient_edit`] makes it again, as far as its texts are short and its file
/// has one of the known extensions.
pub(crate) fn seed(given: &Given) -> Vec<u8> {
    let extension = |path: &str| path.rsplit_once('.').map(|(_, extension)| extension.to_owned());
    let path = PATHS.iter().position(|path| extension(path) == extension(&given.path)).unwrap_or(7);
    let mut bytes = vec![PLAIN, path as u8, u8::from(!given.add_missing_edges)];
    for (n, text) in [&given.original, &given.snippet, &given.description].into_iter().enumerate() {
        if n > 0 {
            bytes.push(SEPARATOR);
        }
        bytes.extend_from_slice(text.as_bytes());
    }
    bytes
}

fn plain(bytes: &mut Unstructured<'_>) -> Result<Given> {
    let rest = bytes.bytes(bytes.len())?;
    let mut texts = rest.splitn(3, |&byte| byte == SEPARATOR).map(|text| String::from_utf8_lossy(text).into_owned());
    let mut next = || cut(texts.next().unwrap_or_default());
    let (original, snippet, description) = (next(), next(), next());
    Ok(Given::new("", &original, &snippet).description(&description))
}

fn pieced(bytes: &mut Unstructured<'_>) -> Result<Given> {
    let description = match bytes.arbitrary()? {
        Description::Nothing => String::new(),
        Description::Kind(at) => format!("Type: {}", kind(at)),
        Description::Range(at, first, last) => {
            format!("Type: {}\nReplace: lines {}-{}", kind(at), first % 512, last % 512)
        }
        Description::Raw(text) => text.to_owned(),
    };
    let original = text(&bytes.arbitrary::<Vec<Piece<'_>>>()?, "");
    let snippet = text(&bytes.arbitrary::<Vec<Piece<'_>>>()?, &original);
    Ok(Given::new("", &original, &snippet).description(&description))
}

fn kind(at: u8) -> &'static str {
    KINDS[usize::from(at) % KINDS.len()]
}

/// Makes any original, and a snippet of nothing but canonical references and blank lines.
pub(crate) fn references_only(bytes: &mut Unstructured<'_>) -> Result<Given> {
    let n_references = bytes.int_in_range(1..=8_usize)?;
    let mut snippet = String::new();
    for _ in 0..n_references {
        let [sign, blanks, indent] = bytes.arbitrary::<[u8; 3]>()?;
        snippet.push_str(&"\n".repeat(usize::from(blanks % 3)));
        snippet.push_str(&" ".repeat(usize::from(indent % 12)));
        snippet.push_str(MARKERS[usize::from(sign) % N_CANONICAL]);
        snippet.push('\n');
    }
    if bytes.arbitrary()? {
        snippet.pop();
    }
    let mut given = patient_edit(bytes)?;
    given.snippet = snippet;
    given.description.clear();
    given.add_missing_edges = true;
    Ok(given)
}

/// Makes the text of some pieces; `original` is what they quote.
fn text(pieces: &[Piece<'_>], original: &str) -> String {
    let mut text = String::new();
    let lines: Vec<&str> = original.lines().collect();
    let quoted = |at: u16| lines.get(usize::from(at) % lines.len().max(1)).copied().unwrap_or_default();
    let mut end = LineEnd::Lf;
    for piece in pieces {
        let mut line = |indent: u8, line: &str| {
            let tabs = indent % 8 == 7;
            let indent = if tabs { "\t".to_owned() } else { " ".repeat(usize::from(indent % 8) * 2) };
            let _ = write!(text, "{indent}{line}{}", end.text());
        };
        match *piece {
            Piece::Line(at, indent) => line(indent, LINES[usize::from(at) % LINES.len()]),
            Piece::Marker(at, indent) => line(indent, MARKERS[usize::from(at) % MARKERS.len()]),
            Piece::Original(at) => line(0, quoted(at)),
            Piece::Run(from, n) => (0..u16::from(n % 16)).for_each(|n| line(0, quoted(from.wrapping_add(n)))),
            Piece::Signed(plus, at) => line(0, &format!("{}{}", if plus { '+' } else { '-' }, quoted(at))),
            Piece::Shifted(indent, at) => line(indent, quoted(at).trim_start()),
            Piece::Raw(raw) => line(0, raw),
            Piece::End(other) => end = other,
        }
    }
    cut(text)
}

fn cut(mut text: String) -> String {
    let mut longest = LONGEST.min(text.len());
    while !text.is_char_boundary(longest) {
        longest -= 1;
    }
    text.truncate(longest);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_makes_its_edit_again() {
        let mut given = Given::new("a.py", "x = 1\r\n", "# ... existing code ...\n").description("Type: add");
        given.add_missing_edges = false;
        let made = patient_edit(&mut Unstructured::new(&seed(&given))).expect("bytes enough");
        assert_eq!(made, given);
    }
}
