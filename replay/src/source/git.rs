//! A repository's history: each file that a commit modifies is a change.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use super::{LINES, MAX_CHANGED_LINES, admit};
use crate::change::{Change, Origin};
use crate::error::Error;
use crate::{Options, language_of};

/// With `--max`, this many changes a wanted case are read: some have no derivable snippet, and the languages are mixed.
const READ_PER_CASE: usize = 4;

/// Walks the commits that aren't merges, newest first.
pub(super) fn collect(repository: &Path, options: &Options) -> Result<Vec<Change>, Error> {
    ask_for_history(repository)?;
    let limit = options.max.map_or(usize::MAX, |max| max.saturating_mul(READ_PER_CASE));
    let package = repository
        .canonicalize()
        .ok()
        .and_then(|path| path.file_name().map(|name| name.to_string_lossy().into_owned()))
        .unwrap_or_else(|| "repository".to_owned());
    let mut log = git(repository)
        .args(["log", "--no-merges", "--raw", "-z", "--no-renames", "--diff-filter=M", "--no-abbrev"])
        .arg("--format=%x01%H")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| failed("log", &error))?;
    let mut blobs = Blobs::open(repository)?;
    let mut changes = Vec::new();
    let mut commit = String::new();
    let mut pending: Option<(String, String)> = None;
    let output = log.stdout.take().ok_or_else(|| failed("log", &"no output"))?;
    let mut drained = true;
    for token in BufReader::new(output).split(0) {
        let token = token.map_err(|error| failed("log", &error))?;
        let token = String::from_utf8_lossy(&token);
        let token = token.trim_start_matches('\n');
        if let Some((old, new)) = pending.take() {
            let Some(language) = language_of(token) else { continue };
            let origin = Origin {
                package: package.clone(),
                path: token.to_owned(),
                commit: commit.chars().take(10).collect(),
                language,
                half: None,
            };
            let (Some(old), Some(new)) = (blobs.get(&old)?, blobs.get(&new)?) else { continue };
            changes.extend(admit(origin, &old, &new).filter(|change| change.n_changed() <= MAX_CHANGED_LINES));
            if changes.len() >= limit {
                drained = false;
                break;
            }
        } else if let Some(hash) = token.strip_prefix('\u{1}') {
            hash.trim_end().clone_into(&mut commit);
        } else if let Some(entry) = token.strip_prefix(':') {
            let words: Vec<&str> = entry.split(' ').collect();
            if let [_, mode, old, new, "M"] = words[..] {
                // A symbolic link or submodule is no text; its path has to be read over all the same.
                let old = if mode.starts_with("100") { old } else { "" };
                pending = Some((old.to_owned(), new.to_owned()));
            }
        }
    }
    if drained {
        let output = log.wait_with_output().map_err(|error| failed("log", &error))?;
        if !output.status.success() {
            return Err(failed("log", &String::from_utf8_lossy(&output.stderr).trim()));
        }
    } else {
        let _ = log.kill();
        let _ = log.wait();
    }
    Ok(changes)
}

/// Finds out whether there is a history to walk, as the message of a failed `git log` comes in many wordings.
fn ask_for_history(repository: &Path) -> Result<(), Error> {
    let path = repository.to_path_buf();
    std::fs::metadata(repository).map_err(|error| Error::read(repository, error))?;
    let ask = |words: &[&str]| git(repository).args(words).output().map_err(|error| failed("rev-parse", &error));
    let is_repository = ask(&["rev-parse", "--git-dir"])?;
    if !is_repository.status.success() {
        let error = String::from_utf8_lossy(&is_repository.stderr).trim().to_owned();
        return Err(Error::NotARepository { path, error });
    }
    let has_commit = ask(&["rev-parse", "--verify", "--quiet", "HEAD"])?;
    if has_commit.status.success() { Ok(()) } else { Err(Error::NoHistory { path }) }
}

fn failed(what: &'static str, error: &dyn ToString) -> Error {
    Error::Git { what, error: error.to_string() }
}

fn git(repository: &Path) -> Command {
    let mut command = Command::new("git");
    command.arg("-C").arg(repository).stdin(Stdio::null());
    command
}

/// A running `git cat-file --batch`.
struct Blobs {
    child: Child,
    ask: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Blobs {
    fn open(repository: &Path) -> Result<Self, Error> {
        let mut child = git(repository)
            .args(["cat-file", "--batch"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| failed("cat-file", &error))?;
        match (child.stdin.take(), child.stdout.take()) {
            (Some(ask), Some(answer)) => Ok(Self { child, ask, answers: BufReader::new(answer) }),
            _ => Err(failed("cat-file", &"no pipe")),
        }
    }

    /// Reads one blob; `None` if it is missing or too large to be replayed.
    fn get(&mut self, id: &str) -> Result<Option<Vec<u8>>, Error> {
        if id.is_empty() {
            return Ok(None);
        }
        let io = |error: std::io::Error| failed("cat-file", &error);
        writeln!(self.ask, "{id}").and_then(|()| self.ask.flush()).map_err(io)?;
        let mut header = String::new();
        self.answers.read_line(&mut header).map_err(io)?;
        let words: Vec<&str> = header.split_whitespace().collect();
        let [_, "blob", size] = words[..] else { return Ok(None) };
        let size: u64 = size.parse().map_err(|_| failed("cat-file", &header))?;
        let mut bytes = Vec::new();
        (&mut self.answers).take(size + 1).read_to_end(&mut bytes).map_err(io)?;
        bytes.pop();
        // No file within the limit of lines and of a line's length is larger.
        Ok((size < (LINES.end() * 100) as u64).then_some(bytes))
    }
}

impl Drop for Blobs {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
