//! Source files of any length, made from a seed, and edits of them whose right result is known.
//!
//! A file is a row of functions with unique names. Their bodies repeat what real bodies repeat: checks of an
//! error, closing lines, calls with few different arguments. Equal seeds give equal files on every machine.

pub mod floor;
pub mod recipe;
pub mod stages;

use fastrand::Rng;

/// Share of the statements in a body that many other bodies hold too, in percent.
const COMMON_PERCENT: u32 = 40;

/// A language that files are made in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// Go.
    Go,
    /// Python.
    Python,
    /// JavaScript.
    JavaScript,
    /// Rust.
    Rust,
}

/// How a language writes a function. `N` stands for a number.
struct Style {
    path: &'static str,
    sign: &'static str,
    preamble: &'static [&'static str],
    comment: &'static str,
    header: &'static str,
    /// Statements that many functions hold.
    common: &'static [&'static [&'static str]],
    /// Statements with a number of their own.
    own: &'static [&'static str],
    last: &'static [&'static str],
    /// The line that closes a function.
    closer: Option<&'static str>,
}

impl Language {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Go, Self::Python, Self::JavaScript, Self::Rust];

    /// Gives the name, in lower case.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Go => "go",
            Self::Python => "python",
            Self::JavaScript => "javascript",
            Self::Rust => "rust",
        }
    }

    fn style(self) -> Style {
        match self {
            Self::Go => Style {
                path: "generated.go",
                sign: "//",
                preamble: &["package generated", "", "import \"fmt\""],
                comment: "// handleN answers requests of kind N.",
                header: "func handleN(r *Request) error {",
                common: &[
                    &["\tif err != nil {", "\t\treturn err", "\t}"],
                    &["\tr.mu.Lock()"],
                    &["\tdefer r.mu.Unlock()"],
                    &["\tfor _, item := range r.items {", "\t\tr.log(item)", "\t}"],
                    &["\tif r.closed {", "\t\treturn fmt.Errorf(\"closed\")", "\t}"],
                ],
                own: &["\tr.set(\"field\", N)", "\tvalueN, err := r.load(N)", "\tr.log(\"step N\")", "\tr.total += N"],
                last: &["\treturn nil", "}"],
                closer: Some("}"),
            },
            Self::Python => Style {
                path: "generated.py",
                sign: "#",
                preamble: &["\"\"\"Generated.\"\"\"", "", "import logging"],
                comment: "# Answers requests of kind N.",
                header: "def handle_N(request):",
                common: &[
                    &["    if request is None:", "        return None"],
                    &["    request.lock()"],
                    &["    for item in request.items:", "        logging.info(item)"],
                    &["    if request.closed:", "        raise ValueError(\"closed\")"],
                    &["    request.count += 1"],
                ],
                own: &[
                    "    request.set(\"field\", N)",
                    "    value_N = request.load(N)",
                    "    logging.debug(\"step N\")",
                    "    request.total += N",
                ],
                last: &["    return request", ""],
                closer: None,
            },
            Self::JavaScript => Style {
                path: "generated.js",
                sign: "//",
                preamble: &["\"use strict\";", "", "const log = require(\"./log\");"],
                comment: "// Answers requests of kind N.",
                header: "function handleN(request) {",
                common: &[
                    &["  if (!request) {", "    return null;", "  }"],
                    &["  request.lock();"],
                    &["  for (const item of request.items) {", "    log.info(item);", "  }"],
                    &["  if (request.closed) {", "    throw new Error(\"closed\");", "  }"],
                    &["  request.count += 1;"],
                ],
                own: &[
                    "  request.set(\"field\", N);",
                    "  const valueN = request.load(N);",
                    "  log.debug(\"step N\");",
                    "  request.total += N;",
                ],
                last: &["  return request;", "}"],
                closer: Some("}"),
            },
            Self::Rust => Style {
                path: "generated.rs",
                sign: "//",
                preamble: &["//! Generated.", "", "use crate::request::{Error, Request};"],
                comment: "/// Answers requests of kind N.",
                header: "pub fn handle_N(request: &mut Request) -> Result<(), Error> {",
                common: &[
                    &["    if request.is_empty() {", "        return Ok(());", "    }"],
                    &["    request.lock()?;"],
                    &["    for item in &request.items {", "        log::info!(\"{item}\");", "    }"],
                    &["    if request.closed {", "        return Err(Error::Closed);", "    }"],
                    &["    request.count += 1;"],
                ],
                own: &[
                    "    request.set(\"field\", N);",
                    "    let value_N = request.load(N)?;",
                    "    log::debug!(\"step N\");",
                    "    request.total += N;",
                ],
                last: &["    Ok(())", "}"],
                closer: Some("}"),
            },
        }
    }
}

/// A file as a row of functions.
#[derive(Debug, Clone)]
pub struct File {
    language: Language,
    preamble: Vec<String>,
    functions: Vec<Vec<String>>,
}

/// What a model would write for a file, and what must come of it.
#[derive(Debug, Clone)]
pub struct Edit {
    /// The lazy snippet.
    pub snippet: String,
    /// The file after it.
    pub expected: String,
}

impl File {
    /// Makes a file of at least `n_lines` lines, and not many more.
    #[must_use]
    pub fn generate(language: Language, n_lines: usize, seed: u64) -> Self {
        let style = language.style();
        let mut rng = Rng::with_seed(seed);
        let preamble: Vec<String> = style.preamble.iter().map(|&line| line.to_owned()).collect();
        let mut functions = Vec::new();
        let mut n_made = preamble.len();
        while n_made < n_lines {
            let function = function(&style, functions.len(), &mut rng);
            n_made += function.len() + 1;
            functions.push(function);
        }
        Self { language, preamble, functions }
    }

    /// Gives a name for the file that tells its language.
    #[must_use]
    pub fn path(&self) -> &'static str {
        self.language.style().path
    }

    /// Gives the text.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = lines(&self.preamble);
        for function in &self.functions {
            text.push('\n');
            text.push_str(&lines(function));
        }
        text
    }

    /// Changes one line in each of `n` functions that lie far apart, at most as many as there are; the snippet shows
    /// their heads, the changed line between its neighbours, and references for all the rest.
    ///
    /// # Panics
    ///
    /// If the file has no function.
    #[must_use]
    pub fn edits(&self, n: usize) -> Edit {
        self.edits_with(n, 0)
    }

    /// The same, with so many lines of new text below each changed line.
    ///
    /// # Panics
    ///
    /// If the file has no function.
    #[must_use]
    pub fn edits_with(&self, n: usize, n_new: usize) -> Edit {
        let style = self.language.style();
        let mut changed = self.clone();
        let reference = format!("{} ... existing code ...", style.sign);
        let mut shown = vec![reference.clone(), String::new()];
        for edit in 0..n.min(self.functions.len()) {
            let at = (2 * edit + 1) * self.functions.len() / (2 * n);
            let function = &mut changed.functions[at];
            // The line after comment and header is one that the function alone holds.
            function[2] = function[2].replace(&at.to_string(), &format!("{at}_000"));
            let indent: String = function[2].chars().take_while(|c| c.is_whitespace()).collect();
            let new = (0..n_new).map(|line| style.own[0].replace('N', &format!("{at}_{line}")));
            function.splice(3..3, new);
            shown.extend_from_slice(&function[..4 + n_new]);
            shown.push(indent + &reference);
            shown.extend(style.closer.map(str::to_owned));
            shown.extend([String::new(), reference.clone(), String::new()]);
        }
        shown.pop();
        let snippet = lines(&shown);
        Edit { snippet, expected: changed.text() }
    }
}

/// One edit there and back again: applied one after the other they leave the file as it was.
#[derive(Debug, Clone)]
pub struct Turn {
    /// The snippet that changes a line.
    pub there: String,
    /// The snippet that changes it back.
    pub back: String,
}

impl File {
    /// Makes edits of one line in each of `n` functions that lie far apart, each for itself.
    ///
    /// # Panics
    ///
    /// If the file has no function.
    #[must_use]
    pub fn turns(&self, n: usize) -> Vec<Turn> {
        let style = self.language.style();
        let reference = format!("{} ... existing code ...", style.sign);
        let n = n.min(self.functions.len());
        let turn = |edit: usize| {
            let at = (2 * edit + 1) * self.functions.len() / (2 * n);
            let old = &self.functions[at];
            let new = old[2].replace(&at.to_string(), &format!("{at}_000"));
            let indent: String = new.chars().take_while(|c| c.is_whitespace()).collect();
            let snippet = |line: &str| {
                let mut shown = vec![reference.clone(), String::new(), old[0].clone(), old[1].clone(), line.to_owned()];
                shown.extend([old[3].clone(), indent.clone() + &reference]);
                shown.extend(style.closer.map(str::to_owned));
                shown.extend([String::new(), reference.clone()]);
                lines(&shown)
            };
            Turn { there: snippet(&new), back: snippet(&old[2]) }
        };
        (0..n).map(turn).collect()
    }
}

/// Makes the function of number `n`: a comment, a header, a line that it alone holds, some statements, an end.
fn function(style: &Style, n: usize, rng: &mut Rng) -> Vec<String> {
    let numbered = |line: &str, number: usize| line.replace('N', &number.to_string());
    let mut made = vec![numbered(style.comment, n), numbered(style.header, n)];
    made.push(numbered(style.own[0], n));
    made.push(numbered(style.own[1], n));
    for _ in 0..rng.usize(2..9) {
        if rng.u32(0..100) < COMMON_PERCENT {
            let statement = style.common[rng.usize(0..style.common.len())];
            made.extend(statement.iter().map(|&line| line.to_owned()));
        } else {
            let statement = style.own[rng.usize(0..style.own.len())];
            made.push(numbered(statement, rng.usize(0..5_000)));
        }
    }
    made.extend(style.last.iter().map(|&line| line.to_owned()));
    made
}

fn lines(lines: &[String]) -> String {
    lines.iter().flat_map(|line| [line.as_str(), "\n"]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_seeds_give_equal_files_of_the_length_asked_for() {
        for language in Language::ALL {
            let text = File::generate(language, 1_000, 7).text();
            assert_eq!(text, File::generate(language, 1_000, 7).text());
            assert_ne!(text, File::generate(language, 1_000, 8).text());
            let n_lines = text.lines().count();
            assert!((1_000..1_050).contains(&n_lines), "{}: {n_lines} lines", language.name());
        }
    }

    #[test]
    fn an_edit_changes_one_line() {
        for language in Language::ALL {
            let file = File::generate(language, 1_000, 7);
            let (text, edit) = (file.text(), file.edits(1));
            let changed = text.lines().zip(edit.expected.lines()).filter(|(old, new)| old != new).count();
            assert_eq!(changed, 1, "{}", language.name());
            assert_eq!(text.lines().count(), edit.expected.lines().count());
        }
    }
}
