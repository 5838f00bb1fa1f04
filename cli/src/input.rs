//! What a command reads: the original, the snippet, and what is said about them.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, IsTerminal, Read};
use std::path::{Path, PathBuf};

use treegraft::{Budget, Edit, Language, Pair, RequestPair, Shape};

use crate::diagnostic::{self, Diagnostic};

/// The name that stands for standard input.
const STDIN: &str = "-";

/// The arguments that make an edit; shared by `apply` and `explain`.
#[derive(Debug, clap::Args)]
pub(crate) struct EditArgs {
    /// The file as it is; `-` reads it from standard input
    #[arg(value_name = "ORIGINAL")]
    original: PathBuf,

    /// What the model wrote for it; `-`, or leaving it out, reads it from standard input
    #[arg(short, long, value_name = "FILE")]
    snippet: Option<PathBuf>,

    /// Old texts and their new versions in place of a snippet: a JSON list of objects with `old`, `new`, and `count` if
    /// it is not 1; `-` reads it from standard input
    #[arg(long, value_name = "FILE", conflicts_with = "snippet")]
    pairs: Option<PathBuf>,

    /// Read the snippet as this shape, whatever it looks like: `lazy`, `bare`, `whole_file`, `diff`,
    /// `unified`, `patch` or `search_replace`
    #[arg(long, value_name = "NAME", conflicts_with = "pairs", value_parser = shape)]
    shape: Option<Shape>,

    #[command(flatten)]
    about: AboutArgs,
}

/// The arguments that name the three texts of `verify`.
#[derive(Debug, clap::Args)]
pub(crate) struct VerifyArgs {
    /// The file as it was; one of the three may be `-`, which reads it from standard input
    #[arg(value_name = "ORIGINAL")]
    original: PathBuf,

    /// What the model wrote for it
    #[arg(value_name = "SNIPPET")]
    snippet: PathBuf,

    /// What another engine made of both
    #[arg(value_name = "MERGED")]
    merged: PathBuf,

    #[command(flatten)]
    about: AboutArgs,
}

/// What is said about an edit beside its texts.
#[derive(Debug, clap::Args)]
struct AboutArgs {
    /// What the model said about the edit, with its `Type:`, `Replace:` and `Remove:` lines
    #[arg(short, long, value_name = "TEXT", allow_hyphen_values = true)]
    description: Option<String>,

    /// Language of the file, as `treegraft languages` lists them; else its name decides
    #[arg(short, long, value_name = "NAME")]
    language: Option<String>,

    /// Name to go by, instead of that of ORIGINAL; nothing is read from there
    #[arg(long, value_name = "NAME")]
    path: Option<String>,

    #[command(flatten)]
    budget: BudgetArgs,

    /// Do not imply `... existing code ...` where the snippet starts or ends without it
    #[arg(long)]
    no_edges: bool,
}

/// The arguments that bound the work.
#[derive(Debug, clap::Args)]
pub(crate) struct BudgetArgs {
    /// Time each parse may take, in milliseconds: two outlines and the syntax check [default: 500]
    #[arg(long = "budget-ms", value_name = "N")]
    ms: Option<u64>,

    /// Steps each parse and the merge may take, in place of the time: equal edits end alike on every machine; with
    /// --budget-ms both hold. A parse takes about one a byte
    #[arg(long = "budget-steps", value_name = "N")]
    steps: Option<u64>,

    /// Largest text that is parsed, in bytes; it takes up to 53 times as much memory [default: 33554432]
    #[arg(long = "budget-bytes", value_name = "N")]
    bytes: Option<usize>,
}

impl BudgetArgs {
    /// Gives what is asked for, if anything is.
    pub(crate) fn budget(&self) -> Option<Budget> {
        Budget::asked_for(self.ms, self.steps, self.bytes)
    }
}

impl EditArgs {
    /// Gives the file that is edited, unless it comes from standard input.
    pub(crate) fn original_path(&self) -> Option<&Path> {
        (self.original != Path::new(STDIN)).then_some(&self.original)
    }

    /// Reads both texts; none may be larger than `limit` bytes.
    pub(crate) fn read(&self, limit: usize) -> Result<Inputs, Diagnostic> {
        let snippet = self.pairs.as_deref().or(self.snippet.as_deref()).unwrap_or(Path::new(STDIN));
        if self.original_path().is_none() && snippet == Path::new(STDIN) {
            return Err(Diagnostic::error("usage", "original and snippet cannot both come from standard input")
                .help("name the snippet's file: --snippet FILE"));
        }
        let mut inputs = self.about.read(&self.original, snippet, limit)?;
        if self.pairs.is_some() {
            inputs.pairs = pairs(&inputs.snippet)?;
        }
        Ok(inputs)
    }

    /// Makes the edit of what was read.
    pub(crate) fn edit<'a>(&'a self, inputs: &'a Inputs) -> Edit<'a> {
        let edit = self.about.edit(inputs);
        match self.shape {
            Some(shape) => edit.shape(shape),
            None => edit,
        }
    }
}

impl VerifyArgs {
    /// Gives the file with the merge, unless it comes from standard input.
    pub(crate) fn merged_path(&self) -> Option<&Path> {
        (self.merged != Path::new(STDIN)).then_some(&self.merged)
    }

    /// Reads the texts of the edit, and the merge; none may be larger than `limit` bytes.
    pub(crate) fn read(&self, limit: usize) -> Result<(Inputs, Text), Diagnostic> {
        let texts = [&self.original, &self.snippet, &self.merged];
        if texts.into_iter().filter(|path| *path == Path::new(STDIN)).count() > 1 {
            return Err(Diagnostic::error("usage", "only one text can come from standard input")
                .help("name the files of the others"));
        }
        let inputs = self.about.read(&self.original, &self.snippet, limit)?;
        Ok((inputs, Text::read(&self.merged, Part::Merge, limit)?))
    }

    /// Makes the edit of what was read.
    pub(crate) fn edit<'a>(&'a self, inputs: &'a Inputs) -> Edit<'a> {
        self.about.edit(inputs)
    }
}

impl AboutArgs {
    fn read(&self, original: &Path, snippet: &Path, limit: usize) -> Result<Inputs, Diagnostic> {
        let language = self.language.as_deref().map(language).transpose()?;
        let name = match &self.path {
            Some(name) => name.clone(),
            None if original == Path::new(STDIN) => "stdin".to_owned(),
            None => original.display().to_string(),
        };
        let original = Text::read(original, Part::Original, limit)?;
        let snippet = Text::read(snippet, Part::Snippet, limit)?;
        Ok(Inputs { name, original, snippet, pairs: Vec::new(), language })
    }

    fn edit<'a>(&'a self, inputs: &'a Inputs) -> Edit<'a> {
        let edit = if inputs.pairs.is_empty() {
            Edit::new(&inputs.name, &inputs.original.text, &inputs.snippet.text)
        } else {
            let pairs: Vec<Pair<'_>> = inputs.pairs.iter().map(RequestPair::pair).collect();
            Edit::pairs(&inputs.name, &inputs.original.text, &pairs)
        };
        let mut edit =
            edit.description(self.description.as_deref().unwrap_or_default()).add_missing_edges(!self.no_edges);
        if let Some(language) = inputs.language {
            edit = edit.language(language);
        }
        if let Some(budget) = self.budget.budget() {
            edit = edit.budget(budget);
        }
        edit
    }
}

/// Both texts of an edit and what they are called.
#[derive(Debug)]
pub(crate) struct Inputs {
    /// The name the language and the diff go by.
    pub(crate) name: String,
    pub(crate) original: Text,
    /// What the model wrote, or the list of pairs.
    pub(crate) snippet: Text,
    pairs: Vec<RequestPair>,
    language: Option<Language>,
}

/// What a text is read for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    Original,
    Snippet,
    /// What another engine made of both.
    Merge,
    /// A file to look at.
    File,
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Original | Self::File => "file",
            Self::Snippet => "snippet",
            Self::Merge => "merge",
        })
    }
}

/// A text and where it came from.
#[derive(Debug)]
pub(crate) struct Text {
    pub(crate) name: String,
    pub(crate) text: String,
}

impl Text {
    /// Reads a file, or standard input for `-`.
    pub(crate) fn read(path: &Path, part: Part, limit: usize) -> Result<Self, Diagnostic> {
        let (name, bytes) = if path == Path::new(STDIN) {
            ("<stdin>".to_owned(), read_stdin(part, limit)?)
        } else {
            (path.display().to_string(), read_file(path, part, limit)?)
        };
        match String::from_utf8(bytes) {
            Ok(text) => Ok(Self { name, text }),
            Err(error) => {
                let offset = error.utf8_error().valid_up_to();
                Err(diagnostic::not_utf8(&name, part, error.as_bytes(), offset))
            }
        }
    }
}

/// Finds a language by the name a user gave.
pub(crate) fn language(name: &str) -> Result<Language, Diagnostic> {
    Language::from_name(name).ok_or_else(|| diagnostic::unknown_language(name))
}

/// Finds a shape by the name a user gave.
fn shape(name: &str) -> Result<Shape, String> {
    let names = || Shape::ALL.iter().filter(|shape| **shape != Shape::Pairs).map(|shape| shape.as_str());
    Shape::from_name(name)
        .filter(|shape| *shape != Shape::Pairs)
        .ok_or_else(|| format!("no such shape (there are: {})", names().collect::<Vec<_>>().join(", ")))
}

/// Reads a list of pairs.
fn pairs(text: &Text) -> Result<Vec<RequestPair>, Diagnostic> {
    let told = |detail: String| {
        Diagnostic::error("bad_pairs", "this is no list of old and new texts")
            .at(&text.name)
            .detail(detail)
            .help("write it as [{\"old\": \"a = 1\", \"new\": \"a = 2\", \"count\": 1}]")
    };
    let pairs: Vec<RequestPair> = serde_json::from_str(&text.text).map_err(|error| told(error.to_string()))?;
    if pairs.is_empty() { Err(told("it is empty".to_owned())) } else { Ok(pairs) }
}

fn read_stdin(part: Part, limit: usize) -> Result<Vec<u8>, Diagnostic> {
    let stdin = io::stdin();
    if stdin.is_terminal() {
        let what = match part {
            Part::Original => "original",
            Part::Snippet => "snippet",
            Part::Merge => "merge",
            Part::File => "file",
        };
        announce(&format!("reading the {what} from the terminal; end it with Ctrl-D on a line of its own"));
    }
    read_limited(stdin.lock(), Path::new("<stdin>"), limit)
}

/// Says on standard error that the terminal is waited for.
pub(crate) fn announce(text: &str) {
    use std::io::Write as _;
    let _ = writeln!(io::stderr(), "treegraft: {text}");
}

/// Reads a file. For a snippet or a merge a pipe is taken as well: `--snippet <(command)` is one.
fn read_file(path: &Path, part: Part, limit: usize) -> Result<Vec<u8>, Diagnostic> {
    let failed = |error: io::Error| {
        let told = Diagnostic::io("read", path, &error);
        match (error.kind(), part) {
            (io::ErrorKind::NotFound, Part::Snippet) => told.help("without --snippet it is read from standard input"),
            (io::ErrorKind::NotFound, Part::Original) => {
                told.help("for a file that does not exist yet, make an empty one first")
            }
            (io::ErrorKind::NotFound, Part::File | Part::Merge) => {
                told.help("look at the spelling and at the current folder")
            }
            _ => told,
        }
    };
    // Opening a pipe waits for its writer, so what it is has to be known before.
    let metadata = fs::metadata(path).map_err(failed)?;
    let kind = metadata.file_type();
    if kind.is_dir() {
        return Err(Diagnostic::error("not_a_file", "this is a folder, not a file")
            .at(path.display().to_string())
            .help("name one file; `treegraft batch` takes many edits, `treegraft check` takes folders"));
    }
    let is_readable = kind.is_file() || (matches!(part, Part::Snippet | Part::Merge) && is_pipe(kind));
    if !is_readable {
        return Err(Diagnostic::error("not_a_file", "this is a pipe, a socket or a device, not a file")
            .at(path.display().to_string())
            .help("give its content on standard input and name the file `-`"));
    }
    if metadata.len() > limit as u64 {
        return Err(diagnostic::too_large(&path.display().to_string(), metadata.len(), limit));
    }
    read_limited(File::open(path).map_err(failed)?, path, limit)
}

#[cfg(unix)]
fn is_pipe(kind: fs::FileType) -> bool {
    use std::os::unix::fs::FileTypeExt as _;
    kind.is_fifo()
}

#[cfg(not(unix))]
fn is_pipe(_kind: fs::FileType) -> bool {
    false
}

/// Reads to the end, but not more than one byte over the limit: a stream may never end.
fn read_limited(reader: impl Read, path: &Path, limit: usize) -> Result<Vec<u8>, Diagnostic> {
    let mut bytes = Vec::new();
    reader.take(limit as u64 + 1).read_to_end(&mut bytes).map_err(|error| Diagnostic::io("read", path, &error))?;
    if bytes.len() > limit {
        return Err(diagnostic::too_large(&path.display().to_string(), bytes.len() as u64, limit));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_is_read_up_to_its_limit() {
        let read = |limit| read_limited(&b"12345"[..], Path::new("x"), limit).map_err(|told| told.code());
        assert_eq!(read(5), Ok(b"12345".to_vec()));
        assert_eq!(read(4), Err("too_large"));
        assert_eq!(read_limited(io::repeat(b'a'), Path::new("x"), 9).map_err(|told| told.code()), Err("too_large"));
    }
}
