//! Reads Markdown case files: many cases a file, prose first, then fenced blocks named by their info string.
//!
//! A case begins at a `## name` heading. The first paragraphs say what it exercises and why. Then follow blocks,
//! in any order, each once:
//!
//! | info string | holds |
//! |---|---|
//! | `go original` | the file as it is; the language word is the extension of its path |
//! | `go snippet` | what the model wrote |
//! | `pairs` | in place of a snippet: a JSON list of objects with `old`, `new` and perhaps `count` |
//! | `go result` | what must come out |
//! | `description` | what the model said about it; without the block nothing |
//! | `report` | `key: value` lines, see below |
//! | `current` | only for known failures: what comes out now |
//!
//! Attributes after the role carry bytes that Markdown can't: `crlf` and `cr` (every line end), `bom`,
//! `no-final-newline`, and `escapes` (`\t`, `\r`, `\\` and `\xE9` in the block, the last being one raw byte).
//! `path=Makefile` names the file where an extension isn't enough. A block whose text holds three backticks is
//! fenced with four.
//!
//! | key | value |
//! |---|---|
//! | `verdict` | `trusted`, `any` (only the result is judged), `needs_verify` or `needs_verify kind, kind` (kinds that must be among the reasons), `refused code` |
//! | `either` | `flag`: any `needs_verify` will do too, and its result isn't judged |
//! | `result` | `any` (not judged), `original` or `snippet` (equal to that block) instead of a `result` block |
//! | `as` | the shape that the snippet is forced to be read as |
//! | `says` | a part of the message of the refusal or of one of the reasons; may stand several times |
//! | `wrapping` | the names that it must have in reports, separated by commas |
//! | `already_applied` | `yes` or `no` |
//! | `edges` | `no`: no implied reference at the snippet's edges |
//! | `replacements` | how many there must be |
//! | `candidates` | how many candidate places a reason must list at least |
//! | `shape`, `syntax` | the names they must have in reports |
//! | `why` | makes the case a known failure and says why it fails |

use std::ops::Range;

use treegraft::Shape;

use crate::judge::{Case, Known, WantedResult, WantedVerdict};

/// A case and where its `current` block is, or where it would go.
#[derive(Debug)]
pub struct Entry {
    /// The case.
    pub case: Case,
    /// Lines of the file that hold the `current` block with its fences; empty at the case's end if there is none.
    pub current_lines: Range<usize>,
}

/// Reads all cases of a file.
///
/// # Errors
///
/// The line, one-based, and what is wrong there.
pub fn parse(text: &str) -> Result<Vec<Entry>, String> {
    let lines: Vec<&str> = text.lines().collect();
    let mut entries: Vec<Entry> = Vec::new();
    let mut draft: Option<Draft> = None;
    let mut at = 0;
    while at < lines.len() {
        let line = lines[at];
        let here = |message: String| format!("line {}: {message}", at + 1);
        if let Some(name) = line.strip_prefix("## ") {
            finish(draft.take(), at, &mut entries)?;
            draft = Some(Draft::new(name.trim(), at));
        } else if line.starts_with("```") {
            let fence = line.len() - line.trim_start_matches('`').len();
            let closes = |line: &&&str| line.len() >= fence && line.bytes().all(|byte| byte == b'`');
            let n_body = lines[at + 1..]
                .iter()
                .position(|line| closes(&line))
                .ok_or_else(|| here("a block without an end".to_owned()))?;
            let draft = draft.as_mut().ok_or_else(|| here("a block before the first case".to_owned()))?;
            let block = Block::read(&line[fence..], &lines[at + 1..=at + n_body], at..at + n_body + 2).map_err(here)?;
            if draft.blocks.iter().any(|other| other.role == block.role) {
                return Err(here(format!("a second `{}` block", block.role)));
            }
            draft.blocks.push(block);
            at += n_body + 1;
        } else if let Some(draft) = &mut draft {
            draft.has_prose |= !line.trim().is_empty();
        }
        at += 1;
    }
    finish(draft, lines.len(), &mut entries)?;
    Ok(entries)
}

/// Puts what came out now into the `current` blocks of the known failures, and nothing else.
#[must_use]
pub fn bless(text: &str, entries: &[Entry], observed: &[String]) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for (entry, now) in entries.iter().zip(observed).rev() {
        if entry.case.known.is_some() {
            let fence = "`".repeat(if now.contains("```") { 6 } else { 3 });
            let lead = if entry.current_lines.is_empty() { "\n" } else { "" };
            lines.splice(entry.current_lines.clone(), [format!("{lead}{fence}current\n{now}{fence}")]);
        }
    }
    lines.join("\n") + "\n"
}

struct Draft<'a> {
    name: &'a str,
    at: usize,
    has_prose: bool,
    blocks: Vec<Block<'a>>,
}

impl<'a> Draft<'a> {
    fn new(name: &'a str, at: usize) -> Self {
        Self { name, at, has_prose: false, blocks: Vec::new() }
    }
}

struct Block<'a> {
    role: &'a str,
    language: Option<&'a str>,
    path: Option<&'a str>,
    bytes: Vec<u8>,
    lines: Range<usize>,
}

const ROLES: [&str; 7] = ["original", "snippet", "pairs", "result", "description", "report", "current"];

impl<'a> Block<'a> {
    fn read(info: &'a str, body: &[&str], lines: Range<usize>) -> Result<Self, String> {
        let mut words = info.split_whitespace().peekable();
        let language = words.next_if(|word| !ROLES.contains(word));
        let role = words.next().filter(|word| ROLES.contains(word)).ok_or("a block without a role")?;
        let mut text: String = body.iter().flat_map(|line| [line, "\n"]).collect();
        let (mut path, mut end, mut bom, mut escapes) = (None, "\n", false, false);
        for word in words {
            match word {
                "crlf" => end = "\r\n",
                "cr" => end = "\r",
                "bom" => bom = true,
                "escapes" => escapes = true,
                "no-final-newline" => {
                    text.pop().ok_or("`no-final-newline` on an empty block")?;
                }
                _ => path = Some(word.strip_prefix("path=").ok_or_else(|| format!("unknown attribute `{word}`"))?),
            }
        }
        let mut bytes = text.replace('\n', end).into_bytes();
        if escapes {
            bytes = unescape(&bytes)?;
        }
        if bom {
            bytes.splice(0..0, "\u{feff}".bytes());
        }
        Ok(Self { role, language, path, bytes, lines })
    }

    fn text(&self) -> Result<&str, String> {
        std::str::from_utf8(&self.bytes).map_err(|error| format!("`{}` block: {error}", self.role))
    }
}

fn unescape(text: &[u8]) -> Result<Vec<u8>, String> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while let [first, tail @ ..] = rest {
        let (byte, tail) = match (first, tail) {
            (b'\\', [b't', tail @ ..]) => (b'\t', tail),
            (b'\\', [b'r', tail @ ..]) => (b'\r', tail),
            (b'\\', [b'\\', tail @ ..]) => (b'\\', tail),
            (b'\\', [b'x', high, low, tail @ ..]) => {
                let digits = [*high, *low];
                let digits = std::str::from_utf8(&digits).map_err(|error| error.to_string())?;
                (u8::from_str_radix(digits, 16).map_err(|error| format!("\\x{digits}: {error}"))?, tail)
            }
            (b'\\', _) => return Err("unknown escape".to_owned()),
            (byte, tail) => (*byte, tail),
        };
        out.push(byte);
        rest = tail;
    }
    Ok(out)
}

fn finish(draft: Option<Draft<'_>>, end: usize, entries: &mut Vec<Entry>) -> Result<(), String> {
    let Some(draft) = draft else { return Ok(()) };
    if entries.iter().any(|entry| entry.case.name == draft.name) {
        return Err(format!("line {}: a second case named `{}`", draft.at + 1, draft.name));
    }
    entries.push(assemble(&draft, end).map_err(|message| format!("case `{}`: {message}", draft.name))?);
    Ok(())
}

fn assemble(draft: &Draft<'_>, end: usize) -> Result<Entry, String> {
    if !draft.has_prose {
        return Err("no prose that says what it exercises".to_owned());
    }
    let block = |role: &str| draft.blocks.iter().find(|block| block.role == role);
    let needed = |role: &str| block(role).ok_or_else(|| format!("no `{role}` block"));
    let (original, report) = (needed("original")?, needed("report")?);
    let pairs = block("pairs").map(|block| read_pairs(block.text()?)).transpose()?.unwrap_or_default();
    let snippet = if pairs.is_empty() { needed("snippet")?.bytes.clone() } else { Vec::new() };
    let path = match (original.path, original.language) {
        (Some(path), _) => path.to_owned(),
        (None, Some(extension)) => format!("case.{extension}"),
        (None, None) => return Err("the original has neither a language word nor a path".to_owned()),
    };
    let mut case = Case {
        name: draft.name.to_owned(),
        path,
        original: original.bytes.clone(),
        snippet,
        pairs,
        description: block("description").map_or(Ok(""), |block| block.text())?.to_owned(),
        ..Case::default()
    };
    let mut wanted_result = None;
    let mut why = None;
    let mut has_verdict = false;
    for line in report.text()?.lines() {
        let (key, value) = line.split_once(':').ok_or_else(|| format!("report: no `key: value` in `{line}`"))?;
        let value = value.trim();
        match (key, value) {
            ("verdict", _) => {
                case.verdict = WantedVerdict::parse(value)?;
                has_verdict = true;
            }
            ("either", "flag") => case.flag_will_do = true,
            ("result", "any") => wanted_result = Some(WantedResult::Any),
            ("result", "original") => wanted_result = Some(WantedResult::Text(original.bytes.clone())),
            ("result", "snippet") => wanted_result = Some(WantedResult::Text(case.snippet.clone())),
            ("as", name) => {
                case.forced = Some(Shape::from_name(name).ok_or_else(|| format!("report: no such shape: `{name}`"))?);
            }
            ("says", text) => case.says.push(text.to_owned()),
            ("wrapping", _) => case.wrapping = Some(value.to_owned()),
            ("already_applied", "yes" | "no") => case.already_applied = Some(value == "yes"),
            ("edges", "no") => case.no_edges = true,
            ("replacements", _) => case.n_replacements = Some(number(value)?),
            ("candidates", _) => case.n_candidates = Some(number(value)?),
            ("shape", _) => case.shape = Some(value.to_owned()),
            ("syntax", _) => case.syntax = Some(value.to_owned()),
            ("why", _) if !value.is_empty() => why = Some(value.to_owned()),
            _ => return Err(format!("report: unknown line `{line}`")),
        }
    }
    if !has_verdict {
        return Err("report: no verdict".to_owned());
    }
    case.result = match (block("result"), wanted_result, &case.verdict) {
        (Some(block), None, _) => WantedResult::Text(block.bytes.clone()),
        (None, Some(wanted), _) => wanted,
        (None, None, WantedVerdict::Trusted) => return Err("trusted, but what? no result".to_owned()),
        (None, None, _) => WantedResult::Any,
        (Some(_), Some(_), _) => return Err("two results are wanted".to_owned()),
    };
    let current = block("current");
    case.known = match (why, current) {
        (None, None) => None,
        (Some(why), current) => {
            let current = current.map(|block| block.text().map(str::to_owned)).transpose()?;
            Some(Known { why, current: current.unwrap_or_default() })
        }
        (None, Some(_)) => return Err("a `current` block, but no `why:` in the report".to_owned()),
    };
    Ok(Entry { case, current_lines: current.map_or(end..end, |block| block.lines.clone()) })
}

fn read_pairs(text: &str) -> Result<Vec<(String, String, usize)>, String> {
    let list: serde_json::Value = serde_json::from_str(text).map_err(|error| format!("`pairs` block: {error}"))?;
    let field = |pair: &serde_json::Value, name: &str| pair[name].as_str().map(str::to_owned);
    let pair = |pair: &serde_json::Value| {
        let count = pair["count"].as_u64().map_or(Some(1), |count| usize::try_from(count).ok());
        Some((field(pair, "old")?, field(pair, "new")?, count?))
    };
    let list = list.as_array().ok_or("`pairs` block: no list")?;
    list.iter().map(|one| pair(one).ok_or_else(|| format!("`pairs` block: no pair: {one}"))).collect()
}

fn number(value: &str) -> Result<usize, String> {
    value.parse().map_err(|error| format!("report: `{value}`: {error}"))
}
