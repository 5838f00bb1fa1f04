//! Parses within a time budget.
//!
//! # Algorithm
//!
//! A small text is parsed in place; the parser's progress callback looks at the clock. A single token may run
//! to the end of the text, though, and no callback is made inside of one. So a large text is parsed by a
//! worker thread that owns the text and its parser. When the time is up the worker is told to stop and *left*:
//! the caller goes on, and the worker ends at its next callback.
//!
//! # Limits
//!
//! Texts that would abort the process (`guard.rs`), texts over [`LARGEST_TEXT`] and, while [`MOST_LEFT_BEHIND`] workers are still on their way out, all large
//! texts are not parsed: [`Parsed::TimedOut`].
//!
//! # Source
//!
//! The figures come from about 560 adversarial inputs of up to 14 MB: the caller was back 0 to 8 ms after the
//! end of its budget, the worker ended 0.2 s later, at worst 3.2 s.

use std::cell::Cell;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock, mpsc};
use std::time::Duration;

use tree_sitter::{ParseOptions, ParseState, Parser, Tree};

use super::Language;
use super::errors::faults;
use super::guard::is_safe;
use super::view::View;
use crate::budget::Stopwatch;

/// Bytes up to which a text is parsed in place. Larger: what the progress callback can't stop overruns the
/// budget by more (40 KB of `- ` as Rust took 600 ms of 300). Smaller: more parses pay for a thread and a copy
/// (20-60 µs, against 3 ms for the parse of 16 KB).
const LARGEST_IN_PLACE: usize = 16 * 1024;

/// Bytes that the parser reads at a time. Larger: a token that never ends is left later (a byte takes about a nanosecond,
/// and some scanners look at it many times over); smaller: more looks at the clock.
const PIECE: usize = 4 * 1024;

/// Bytes up to which a text is parsed at all. Larger: a tree takes up to 53 times its text in memory, and only
/// the time budget bounds it (about 5 MB of text a second). Smaller: files that a patient caller wants checked
/// are not.
const LARGEST_TEXT: usize = 32 * 1024 * 1024;

/// How many workers may be on their way out after their time was up. Larger: an attacker's texts hold more
/// cores and memory; smaller: a burst of slow files turns the check off for a moment for others. Workers
/// that are waited for don't count: the callers' own threads bound them.
const MOST_LEFT_BEHIND: usize = 8;

/// Faults up to which two grammars are told apart. Larger: a hopeless text is walked to its end for nothing.
/// Smaller: the grammar that reads more of a poor text may lose.
pub(super) const MOST_FAULTS_COUNTED: usize = 1_000;

/// Workers that were left and have not ended.
static LEFT_BEHIND: AtomicUsize = AtomicUsize::new(0);

/// What came of a parse.
#[derive(Debug)]
pub(crate) enum Parsed {
    /// The whole view was read, with errors or without.
    Tree(Tree),
    /// Time or size ran out.
    TimedOut,
    /// This build has no grammar for the language.
    Unsupported,
}

/// Parses a view with one grammar.
///
/// Holds the budget to within some milliseconds, whatever the text. No fallback grammar is tried.
pub(crate) fn parse(view: &View<'_>, language: Language, budget: Duration) -> Parsed {
    let Some(grammar) = language.grammar() else { return Parsed::Unsupported };
    if budget.is_zero() || view.n_bytes() > LARGEST_TEXT || !is_safe(&view.read_text(), language) {
        return Parsed::TimedOut;
    }
    let mut parser = Parser::new();
    if parser.set_language(&grammar).is_err() || parser.set_included_ranges(&view.included_ranges()).is_err() {
        return Parsed::Unsupported;
    }
    let tree = if view.n_bytes() <= LARGEST_IN_PLACE {
        let watch = Stopwatch::start();
        run(&mut parser, view.text(), || watch.elapsed() >= budget)
    } else {
        run_on_worker(parser, view.text(), budget)
    };
    tree.map_or(Parsed::TimedOut, Parsed::Tree)
}

/// A tree with the grammar that made it and how much that grammar rejects.
#[derive(Debug)]
pub(crate) struct Reading {
    pub(crate) tree: Tree,
    pub(crate) language: Language,
    pub(crate) n_faults: usize,
}

/// Parses a view with the grammar of `language` and, while there are faults, with its fallbacks; gives the
/// reading with the fewest faults, on a tie the earlier one.
///
/// # Errors
///
/// What [`parse`] answers in the place of a tree. Also where only a fallback runs out of time: which grammar is
/// believed must not depend on the clock. A fallback that is not built in is passed over.
pub(crate) fn parse_best(view: &View<'_>, language: Language, budget: Duration) -> Result<Reading, Parsed> {
    let watch = Stopwatch::start();
    let mut best = match parse(view, language, budget) {
        Parsed::Tree(tree) => Reading { n_faults: faults(&tree, language, MOST_FAULTS_COUNTED).len(), tree, language },
        failure => return Err(failure),
    };
    for &fallback in language.fallbacks() {
        if best.n_faults == 0 {
            break;
        }
        match parse(view, fallback, budget.saturating_sub(watch.elapsed())) {
            Parsed::Tree(tree) => {
                let n_faults = faults(&tree, fallback, MOST_FAULTS_COUNTED).len();
                if n_faults < best.n_faults {
                    best = Reading { tree, language: fallback, n_faults };
                }
            }
            Parsed::TimedOut => return Err(Parsed::TimedOut),
            Parsed::Unsupported => {}
        }
    }
    Ok(best)
}

/// Parses until done or until `stop` says so, which is asked between steps of the parser and, since a token may run to
/// the end of the text, before each piece of it that is read: then the text ends there.
fn run(parser: &mut Parser, text: &str, stop: impl Fn() -> bool) -> Option<Tree> {
    let bytes = text.as_bytes();
    let stopped = Cell::new(false);
    let stop = || {
        stopped.set(stopped.get() || stop());
        stopped.get()
    };
    let mut progress = |_: &ParseState| if stop() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
    let mut read = |offset: usize, _| {
        let end = if stop() { offset } else { bytes.len().min(offset.saturating_add(PIECE)) };
        bytes.get(offset..end).unwrap_or_default()
    };
    let tree = parser.parse_with_options(&mut read, None, Some(ParseOptions::new().progress_callback(&mut progress)));
    // A tree of a text cut short is none.
    tree.filter(|_| !stopped.get())
}

/// What the caller and a worker share. Dropped when both are done with it.
struct Job {
    text: Arc<str>,
    stop: AtomicBool,
    /// Set when the caller leaves; counts in [`LEFT_BEHIND`] until the worker is done with the job too.
    left: OnceLock<LeftBehind>,
}

/// One that counts in [`LEFT_BEHIND`] while it lives.
struct LeftBehind;

impl LeftBehind {
    fn new() -> Self {
        LEFT_BEHIND.fetch_add(1, Ordering::Relaxed);
        Self
    }
}

impl Drop for LeftBehind {
    fn drop(&mut self) {
        LEFT_BEHIND.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Parses on a thread of its own and waits no longer than `budget`.
fn run_on_worker(mut parser: Parser, text: &str, budget: Duration) -> Option<Tree> {
    if LEFT_BEHIND.load(Ordering::Relaxed) >= MOST_LEFT_BEHIND {
        return None;
    }
    let watch = Stopwatch::start();
    let job = Arc::new(Job { text: text.into(), stop: AtomicBool::new(false), left: OnceLock::new() });
    let (sender, receiver) = mpsc::sync_channel(1);
    let shared = Arc::clone(&job);
    std::thread::Builder::new()
        .name("treegraft-parse".into())
        .spawn(move || {
            let tree =
                run(&mut parser, &shared.text, || shared.stop.load(Ordering::Relaxed) || watch.elapsed() >= budget);
            // The caller may have left: then nobody takes the tree, and dropping it is all that remains.
            drop(sender.send(tree));
            drop(parser);
            drop(shared);
        })
        .ok()?;
    // A caller that just missed the end takes nothing: the tree would depend on the scheduler.
    if let Ok(tree) = receiver.recv_timeout(budget.saturating_sub(watch.elapsed())) {
        return tree;
    }
    job.stop.store(true, Ordering::Relaxed);
    job.left.get_or_init(LeftBehind::new);
    None
}

#[cfg(all(test, feature = "default"))]
mod tests {
    use super::*;
    use crate::source::Source;

    const LONG: Duration = Duration::MAX;

    fn parse_whole(text: &str, language: Language, budget: Duration) -> Parsed {
        parse(&View::whole(&Source::new(text)), language, budget)
    }

    #[test]
    fn small_and_large_texts_give_trees() {
        for repeats in [1, 5_000] {
            let text = "[1, 2, {\"a\": null}],\n".repeat(repeats);
            let text = format!("[{text}0]");
            let Parsed::Tree(tree) = parse_whole(&text, Language::Json, LONG) else { panic!("no tree") };
            assert!(!tree.root_node().has_error());
            assert_eq!(tree.root_node().end_byte(), text.len());
        }
    }

    #[test]
    fn no_time_means_timed_out() {
        assert!(matches!(parse_whole("1", Language::Json, Duration::ZERO), Parsed::TimedOut));
        let large = "[".repeat(LARGEST_IN_PLACE * 20);
        assert!(matches!(parse_whole(&large, Language::Json, Duration::from_nanos(1)), Parsed::TimedOut));
    }

    #[test]
    fn a_window_is_parsed_with_the_rows_of_its_text() {
        let source = Source::new("func a() {}\nfunc (\nfunc b() {}\n");
        let view = View::lines(&source, &[(0..1).into(), (2..3).into()]);
        let Parsed::Tree(tree) = parse(&view, Language::Go, LONG) else { panic!("no tree") };
        assert!(!tree.root_node().has_error());
        assert_eq!(tree.root_node().named_child(1).map(|node| node.start_position().row), Some(2));
    }
}
