//! `treegraft batch`: JSON lines in, JSON lines out, in the order of the input.
//!
//! # Algorithm
//!
//! A thread reads lines and hands each to a pool, and its place in line to the writer: a channel of one answer.
//! The writer waits for the answers in order, writes each as soon as it is there and flushes it, so that a program
//! may wait for one answer before it sends the next line.
//!
//! # Limits
//!
//! The reader waits while [`LINES_PER_JOB`] lines per job or [`MAX_BYTES_AT_ONCE`] bytes are on their way. A line
//! over [`MAX_LINE`] bytes is skipped and refused.

use std::cell::RefCell;
use std::io::{self, BufRead, IsTerminal, Read as _, Write as _};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;

use indicatif::{ProgressBar, ProgressStyle};
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};
use treegraft::{Engine, Error, Outcome, Report, Request};

use super::workers;
use crate::Status;
use crate::diagnostic::Diagnostic;
use crate::input::announce;
use crate::terminal::Screen;

/// Longest input line in bytes. Two texts at the engine's limit fit, lightly escaped; a longer line is no edit.
const MAX_LINE: usize = 600 << 20;
/// How much of a line that is too long is kept, to read its `id`.
const HEAD_OF_LONG_LINE: usize = 64 << 10;
/// How many lines may be on their way for each job. Larger: more memory; smaller: a slow edit at the head of the
/// queue leaves cores idle.
const LINES_PER_JOB: usize = 8;
/// How many bytes of lines may be on their way. Larger: more memory, some four times this while texts are parsed
/// from JSON, merged and written; smaller: large files are merged one after the other. One line is let through
/// whatever its size.
const MAX_BYTES_AT_ONCE: usize = 256 << 20;

/// Merges many snippets: one JSON object a line in, one a line out, in the same order
#[derive(Debug, clap::Args)]
#[command(after_help = "\
An input line:
  {\"id\": \"1\", \"path\": \"a.go\", \"original\": \"...\", \"snippet\": \"...\"}
and optionally \"description\", \"language\", \"add_missing_edges\" (true),
\"shape\", \"budget_ms\" (500), \"budget_steps\" and \"budget_bytes\" (as the options
of `treegraft apply --help`). In place of the snippet, \"pairs\" holds old texts and their new versions:
  [{\"old\": \"...\", \"new\": \"...\", \"count\": 1}]

A line that is no such object yields one with \"status\": \"refused\" and the
code \"bad_request\"; the rest goes on. Each answer is flushed, so a program may
send a line and wait for its answer. No file is touched.

Exit status: 0 when every line was answered, whatever the answers.

Example:
  treegraft batch --jobs 4 < edits.jsonl > results.jsonl")]
pub(crate) struct Batch {
    /// Number of edits worked on at a time [default: number of cores]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
}

impl Batch {
    /// Runs the command.
    pub(crate) fn run(&self) -> anyhow::Result<Status> {
        let pool = workers(self.jobs.map(usize::from))?;
        if io::stdin().is_terminal() {
            announce("reading edits from the terminal, one JSON object a line; end them with Ctrl-D");
        }
        let (queue, answers) = mpsc::sync_channel(pool.current_num_threads() * LINES_PER_JOB);
        let load = Arc::new(Load::default());
        let reader_load = Arc::clone(&load);
        // Not joined: when the output is closed the process ends, though the reader still waits for input.
        thread::Builder::new().name("reader".to_owned()).spawn(move || {
            read(io::stdin().lock(), MAX_LINE, &pool, &queue, &reader_load);
        })?;
        write(&answers, &load)
    }
}

/// A line on its way: its size, and where its answer will come from.
type Pending = io::Result<(usize, Receiver<String>)>;

/// Reads lines and sets them to work until the input ends or nobody waits for answers.
fn read(input: impl BufRead, limit: usize, pool: &rayon::ThreadPool, queue: &SyncSender<Pending>, load: &Load) {
    let engine = Arc::new(Engine::default());
    let mut lines = Lines { input, limit, first: true };
    loop {
        let line = match lines.next() {
            Ok(Some(line)) => line,
            Ok(None) => return,
            Err(error) => {
                let _ = queue.send(Err(error));
                return;
            }
        };
        let n_bytes = line.len();
        load.add(n_bytes);
        let (answer, pending) = mpsc::sync_channel(1);
        if queue.send(Ok((n_bytes, pending))).is_err() {
            return;
        }
        let engine = Arc::clone(&engine);
        pool.spawn(move || {
            // A writer that is gone needs no answer.
            let _ = answer.send(line.answer(|request| request.edit().and_then(|edit| engine.apply(&edit))));
        });
    }
}

/// Writes the answers in order.
fn write(answers: &Receiver<Pending>, load: &Load) -> anyhow::Result<Status> {
    let mut screen = Screen::stdout();
    let progress = progress();
    for pending in answers {
        let (n_bytes, answer) =
            pending.map_err(|error| Diagnostic::error("io", "cannot read standard input").detail(error.to_string()))?;
        let answer = answer.recv().unwrap_or_else(|_| refused(None, "internal", "the job ended without an answer"));
        screen.json(&answer)?;
        screen.flush()?;
        load.remove(n_bytes);
        progress.inc(1);
    }
    progress.finish_and_clear();
    Ok(Status::Fine)
}

/// Shows how many edits are done, where that is seen and doesn't run into the answers.
fn progress() -> ProgressBar {
    if io::stdout().is_terminal() || io::stdin().is_terminal() {
        return ProgressBar::hidden();
    }
    // On a stream that is no terminal it draws nothing.
    let progress = ProgressBar::no_length();
    if let Ok(style) = ProgressStyle::with_template("{spinner} {pos} edits, {per_sec}, {elapsed}") {
        progress.set_style(style);
    }
    progress
}

/// The bytes on their way; the reader waits while there are too many.
#[derive(Debug, Default)]
struct Load {
    n_bytes: Mutex<usize>,
    less: Condvar,
}

impl Load {
    fn add(&self, n_bytes: usize) {
        let current = self.n_bytes.lock().unwrap_or_else(PoisonError::into_inner);
        let mut current = self
            .less
            .wait_while(current, |current| *current > 0 && *current + n_bytes > MAX_BYTES_AT_ONCE)
            .unwrap_or_else(PoisonError::into_inner);
        *current += n_bytes;
    }

    fn remove(&self, n_bytes: usize) {
        *self.n_bytes.lock().unwrap_or_else(PoisonError::into_inner) -= n_bytes;
        self.less.notify_one();
    }
}

/// An input line that isn't blank.
#[derive(Debug, PartialEq, Eq)]
enum Line {
    Whole(Vec<u8>),
    /// The head of a line over the limit.
    TooLong(Vec<u8>),
}

impl Line {
    fn len(&self) -> usize {
        match self {
            Self::Whole(bytes) | Self::TooLong(bytes) => bytes.len(),
        }
    }

    /// Answers the line; a panic of `apply` is an answer, too.
    fn answer(&self, apply: impl FnOnce(&Request) -> Result<Outcome, Error>) -> String {
        let bytes = match self {
            Self::Whole(bytes) => bytes,
            Self::TooLong(head) => {
                return refused(
                    read_id(head).as_deref(),
                    "bad_request",
                    &format!("line is longer than {MAX_LINE} bytes"),
                );
            }
        };
        let request: Request = match serde_json::from_slice(bytes) {
            Ok(request) => request,
            Err(error) => return refused(read_id(bytes).as_deref(), "bad_request", &error.to_string()),
        };
        let id = request.id.as_deref();
        let answered = catch_unwind(AssertUnwindSafe(|| {
            let result = apply(&request);
            let report = Report::new(id, &result);
            serialised(&match request.edit() {
                Ok(edit) => report.of(&edit),
                Err(_) => report,
            })
        }));
        match answered {
            Ok(answer) => answer,
            Err(panic) => {
                let cause = panic
                    .downcast_ref::<String>()
                    .map(String::as_str)
                    .or_else(|| panic.downcast_ref::<&str>().copied())
                    .unwrap_or("no message");
                refused(id, "internal", &format!("a defect in treegraft, please report it: {cause}"))
            }
        }
    }
}

fn refused(id: Option<&str>, code: &str, message: &str) -> String {
    serialised(&Report::refused(id, code, message))
}

fn serialised(report: &Report<'_>) -> String {
    serde_json::to_string(report).expect("a report has string keys and serialises without I/O")
}

/// Cuts the input into lines of bounded length.
struct Lines<R> {
    input: R,
    limit: usize,
    first: bool,
}

impl<R: BufRead> Lines<R> {
    /// Gives the next line that isn't blank.
    fn next(&mut self) -> io::Result<Option<Line>> {
        loop {
            let mut bytes = Vec::new();
            if self.input.by_ref().take(self.limit as u64 + 1).read_until(b'\n', &mut bytes)? == 0 {
                return Ok(None);
            }
            if std::mem::take(&mut self.first) && bytes.starts_with("\u{feff}".as_bytes()) {
                bytes.drain(..3);
            }
            if bytes.len() > self.limit && !bytes.ends_with(b"\n") {
                self.input.skip_until(b'\n')?;
                bytes.truncate(HEAD_OF_LONG_LINE);
                bytes.shrink_to_fit();
                return Ok(Some(Line::TooLong(bytes)));
            }
            if !bytes.trim_ascii().is_empty() {
                return Ok(Some(Line::Whole(bytes)));
            }
        }
    }
}

/// Reads the `id` of a line that is no request, as far as it can be read.
fn read_id(bytes: &[u8]) -> Option<String> {
    let id = RefCell::new(None);
    // The line is known to be bad; only what was met before the bad place counts.
    let _ = IdSeed(&id).deserialize(&mut serde_json::Deserializer::from_slice(bytes));
    id.into_inner()
}

/// Walks through an object and notes its `id` as soon as it comes by.
struct IdSeed<'a>(&'a RefCell<Option<String>>);

impl<'de> DeserializeSeed<'de> for IdSeed<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for IdSeed<'_> {
    type Value = ();

    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            if key == "id" {
                *self.0.borrow_mut() = map.next_value::<Option<String>>()?;
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    fn lines(input: &[u8], limit: usize) -> Vec<Line> {
        let mut lines = Lines { input, limit, first: true };
        std::iter::from_fn(|| lines.next().unwrap()).collect()
    }

    fn whole(text: &str) -> Line {
        Line::Whole(text.as_bytes().to_vec())
    }

    #[test]
    fn blank_lines_are_skipped_and_the_last_needs_no_end() {
        assert_eq!(lines(b"", 9), []);
        assert_eq!(lines(b"\n \r\n{}\n\t\n[]", 9), [whole("{}\n"), whole("[]")]);
        assert_eq!(lines("\u{feff}{}\n".as_bytes(), 9), [whole("{}\n")]);
    }

    #[test]
    fn a_line_over_the_limit_does_not_end_the_batch() {
        let too_long = |text: &str| Line::TooLong(text.as_bytes().to_vec());
        assert_eq!(lines(b"1234\n123456789\n1\n", 4), [whole("1234\n"), too_long("12345"), whole("1\n")]);
        let answer: Value = serde_json::from_str(
            &too_long(r#"{"id": "big", "path": "a.go", "original": "cut off"#).answer(|_| panic!("not applied")),
        )
        .unwrap();
        assert_eq!((&answer["id"], &answer["error"]["code"]), (&"big".into(), &"bad_request".into()));
    }

    #[test]
    fn a_panic_is_an_answer() {
        let line = whole(r#"{"id": "7", "path": "a.go", "original": "", "snippet": "x"}"#);
        let answer: Value = serde_json::from_str(&line.answer(|_| panic!("line {} is gone", 3))).unwrap();
        assert_eq!(answer["id"], "7");
        assert_eq!(answer["error"]["code"], "internal");
        assert!(answer["error"]["message"].as_str().unwrap().ends_with("line 3 is gone"));
    }

    #[test]
    fn the_id_of_a_bad_line_is_kept_where_it_can_be_read() {
        let read = |text: &str| read_id(text.as_bytes());
        assert_eq!(read(r#"{"id": "a", "path": 3}"#).as_deref(), Some("a"));
        assert_eq!(read(r#"{"path": {"x": [1]}, "id": "a", "#).as_deref(), Some("a"));
        assert_eq!(read(r#"{"id": "a"#), None);
        assert_eq!(read(r#"{"id": 3}"#), None);
        assert_eq!(read("[1]"), None);
        assert_eq!(read_id(b"{\"id\": \"a\", \"path\": \"\xff\"}").as_deref(), Some("a"));
    }

    #[test]
    fn a_large_line_waits_for_those_before_it() {
        let load = Arc::new(Load::default());
        load.add(2 * MAX_BYTES_AT_ONCE);
        let other = Arc::clone(&load);
        let waiting = thread::spawn(move || other.add(1));
        thread::sleep(std::time::Duration::from_millis(20));
        assert!(!waiting.is_finished(), "the first is on its way still");
        load.remove(2 * MAX_BYTES_AT_ONCE);
        waiting.join().unwrap();
        assert_eq!(*load.n_bytes.lock().unwrap(), 1);
    }
}
