//! What the fuzz targets share: how texts are made from bytes, and what must hold for every outcome.
//!
//! Random bytes hardly ever look like a file and a snippet of it. So a text is either the bytes as they are, or a
//! list of [`Piece`]s: lines from a small alphabet, markers, and for snippets lines of the original.

use std::fmt::Write as _;

use arbitrary::Arbitrary;
use treegraft::{Error, Ledger, LineRange, Outcome, RemovalCause, Shape, Source, Step, SyntaxStatus, Verdict};

/// Longest text in bytes. Larger: one run takes so long that few are made; smaller: little can repeat in it.
const LONGEST: usize = 8 * 1024;

/// The name of the file that is edited.
#[derive(Debug, Clone, Copy, Arbitrary)]
pub enum FileName {
    Go,
    Python,
    JavaScript,
    TypeScript,
    Tsx,
    Rust,
    Json,
    Text,
    Nameless,
}

impl FileName {
    #[must_use]
    pub fn path(self) -> &'static str {
        match self {
            Self::Go => "a.go",
            Self::Python => "a.py",
            Self::JavaScript => "a.js",
            Self::TypeScript => "a.ts",
            Self::Tsx => "a.tsx",
            Self::Rust => "a.rs",
            Self::Json => "a.json",
            Self::Text => "a.txt",
            Self::Nameless => "",
        }
    }
}

/// What ends a line.
#[derive(Debug, Clone, Copy, Arbitrary)]
pub enum LineEnd {
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
pub enum Piece<'a> {
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
    /// A line with anything in it.
    Raw(&'a str),
    /// From here on lines end like this.
    End(LineEnd),
}

/// A text and how it is made.
#[derive(Debug, Clone, Arbitrary)]
pub enum Text<'a> {
    Raw(&'a str),
    Pieces(Vec<Piece<'a>>),
}

/// Lines that repeat, open and close things in several languages.
pub const LINES: [&str; 28] = [
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
    "`",
    "\"\"\"",
    "/*",
    "*/",
    "// a note on the rest",
    "\u{feff}\u{a0}\u{2028}ü",
];

/// Lines that stand for others, or look like it.
pub const MARKERS: [&str; 14] = [
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
];

impl Text<'_> {
    /// Makes the text; `original` is what its pieces quote.
    #[must_use]
    pub fn make(&self, original: &str) -> String {
        let mut text = String::new();
        match self {
            Self::Raw(raw) => text.push_str(raw),
            Self::Pieces(pieces) => {
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
                        Piece::Run(from, n) => {
                            (0..u16::from(n % 16)).for_each(|n| line(0, quoted(from.wrapping_add(n))))
                        }
                        Piece::Signed(plus, at) => line(0, &format!("{}{}", if plus { '+' } else { '-' }, quoted(at))),
                        Piece::Raw(raw) => line(0, raw),
                        Piece::End(other) => end = other,
                    }
                }
            }
        }
        let mut longest = LONGEST.min(text.len());
        while !text.is_char_boundary(longest) {
            longest -= 1;
        }
        text.truncate(longest);
        text
    }
}

/// Panics if an answer is not what the engine promises for any input.
///
/// # Panics
///
/// That is what it is for.
pub fn check(original: &str, snippet: &str, answer: &Result<Outcome, Error>) {
    match answer {
        Ok(outcome) => {
            check_replacements(original, outcome);
            check_ledger(original, snippet, outcome);
            check_verdict(original, outcome);
        }
        Err(Error::NotText { .. }) => assert!(original.contains('\0') || snippet.contains('\0'), "refused as no text"),
        Err(Error::EmptySnippet) => assert!(!original.is_empty() && snippet.trim().is_empty(), "refused as empty"),
        Err(error) => panic!("refused: {error}"),
    }
}

/// The replacements rise, are disjoint, and rebuild the result.
fn check_replacements(original: &str, outcome: &Outcome) {
    let mut rebuilt = String::new();
    let mut done = 0;
    for replacement in outcome.replacements() {
        let (start, end) = (replacement.bytes.start, replacement.bytes.end);
        assert!(done <= start && start <= end, "replacements rise and are disjoint: {:?}", outcome.replacements());
        assert_eq!(&original[start..end], replacement.old, "`old` is the original's text");
        rebuilt.push_str(&original[done..start]);
        rebuilt.push_str(&replacement.new);
        done = end;
    }
    rebuilt.push_str(&original[done..]);
    assert_eq!(rebuilt, outcome.text(), "original and replacements give the result");
}

/// The ledger takes every line of both texts once, and tells the result line by line.
fn check_ledger(original: &str, snippet: &str, outcome: &Outcome) {
    let (old, counted) = (Source::new(original), Source::new(outcome.snippet()));
    let (n_counted, n_handed_in) = (counted.n_lines(), Source::new(snippet).n_lines());
    // An added declaration gets blank lines around it.
    let may_grow = outcome.shape() == Shape::Bare && n_counted > n_handed_in;
    assert!(may_grow || n_counted == n_handed_in, "the snippet as counted has the lines handed in");
    let steps = outcome.ledger().steps();
    assert!(
        Ledger::new(steps.to_vec(), old.n_lines(), counted.n_lines()).is_ok(),
        "the ledger takes every line once and in order: {steps:?}"
    );
    let mut told: Vec<&str> = Vec::new();
    for step in steps {
        match (step, step.original()) {
            (Step::New { snippet }, _) => told.extend(snippet.iter().map(|line| counted.line(line))),
            (step, Some(lines)) if step.keeps() => told.extend(lines.iter().map(|line| old.line(line))),
            _ => {}
        }
    }
    // A lone CR at a line's end and the terminator after it read as CRLF, and inside a new line of a file with such
    // line ends it ends a line: then only what the lines hold is compared. And a blank last line of a text without
    // final newline can't be told from a final newline.
    let lone = [original, snippet].iter().any(|text| text.replace("\r\n", "").contains('\r'));
    let plain = |text: String| {
        let lines: Vec<&str> = text.split(['\r', '\n']).filter(|line| !(lone && line.is_empty())).collect();
        lines.join("\n").trim_end_matches('\n').to_owned()
    };
    let result = Source::new(outcome.text());
    let written: Vec<&str> = result.lines().collect();
    assert_eq!(plain(told.join("\n")), plain(written.join("\n")), "the ledger tells the result");
}

/// Trusted exactly without reasons; a trusted result hides no loss and no new error; reasons speak of lines that
/// exist.
fn check_verdict(original: &str, outcome: &Outcome) {
    let n_original = Source::new(original).n_lines();
    let n_snippet = Source::new(outcome.snippet()).n_lines();
    let reasons = outcome.verdict().reasons();
    match outcome.verdict() {
        Verdict::NeedsVerify(_) => assert!(!reasons.is_empty(), "a doubt has a reason"),
        Verdict::Trusted => {
            assert!(reasons.is_empty(), "trusted without reasons");
            assert_ne!(outcome.validation().status, SyntaxStatus::Invalid, "trusted with new syntax errors");
            let unexplained = outcome.ledger().removals().find(|(_, cause)| *cause == RemovalCause::Unexplained);
            assert_eq!(unexplained, None, "trusted with an unexplained loss");
        }
    }
    let beyond = |lines: Option<LineRange>, n_lines| lines.is_some_and(|lines| lines.end > n_lines);
    for reason in reasons {
        assert!(!beyond(reason.original_lines, n_original), "lines beyond the original: {reason:?}");
        assert!(!beyond(reason.snippet_lines, n_snippet), "lines beyond the snippet: {reason:?}");
        assert!(reason.candidates.iter().all(|place| place.original_line <= n_original), "{reason:?}");
    }
}
