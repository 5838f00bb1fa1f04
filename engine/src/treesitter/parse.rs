//! Parses within a time budget.
//!
//! # Algorithm
//!
//! The parser's progress callback looks at the clock. A single token may run to the end of the text, though, and no
//! callback is made inside of one. So the parser also reads the text in pieces, and once the time is up the text ends
//! at the next piece: the token ends there, and then the parse.
//!
//! The library calls itself to let go of its stack where readings were merged, once for each that is nested: 20,000
//! `<a>` of TypeScript fill the 2 MiB of a usual thread, which ends the process. So all but small texts are parsed on a
//! thread whose stack is as large as their size may ask for. Memory is taken only for what is used of it.
//!
//! # Limits
//!
//! Texts that would abort the process (`guard.rs`) and texts over [`Budget::bytes`](crate::Budget::bytes) are not parsed:
//! [`Parsed::CutShort`].
//!
//! # Source
//!
//! With 2 MB of each opener of `outline/tests/hostile.rs` and a budget of 100 ms, half of the parses were back within 118 ms,
//! and the slowest within 330 ms, on two cores with sixteen other processes waiting for them. Of 3,696 texts that
//! `cargo xtask hostile --seed 2` made of the own tokens of 33 grammars, of up to 2 MB, all were back within 530 ms.

use std::ops::ControlFlow;
use std::thread;

use tree_sitter::{ParseOptions, ParseState, Parser, Tree};

use super::Language;
use super::errors::faults;
use super::guard::{is_safe, is_safe_for_all};
use super::view::View;
use crate::budget::{Limit, Meter};

/// Bytes up to which a text is parsed in place. Larger: nested text needs more stack than a caller's thread may have;
/// smaller: more parses pay for a thread (20-60 µs, against 1.5 ms for the parse of 8 KB).
const LARGEST_IN_PLACE: usize = 8 * 1024;

/// Bytes of stack for each byte of text, and for any text. Smaller: a sign that nests and is ambiguous ends the process
/// (a level takes about 70); larger: more addresses are asked for than a process may have.
const STACK_PER_BYTE: usize = 128;
const STACK: usize = 2 << 20;

/// Bytes that the parser reads at a time. Larger: a token that never ends is left later (a byte takes about a nanosecond,
/// and some scanners look at it many times over); smaller: more looks at the clock.
const PIECE: usize = 4 * 1024;

/// Faults up to which two grammars are told apart. Larger: a hopeless text is walked to its end for nothing.
/// Smaller: the grammar that reads more of a poor text may lose.
pub(super) const MOST_FAULTS_COUNTED: usize = 1_000;

/// What came of a parse.
#[derive(Debug)]
pub(crate) enum Parsed {
    /// The whole view was read, with errors or without.
    Tree(Tree),
    /// A limit was reached.
    CutShort(Limit),
    /// This build has no grammar for the language.
    Unsupported,
}

/// Parses a view with one grammar.
///
/// Mostly holds the budget to within some tens of milliseconds; what was measured stands above. No fallback grammar is tried.
pub(crate) fn parse(view: &View<'_>, language: Language, meter: &Meter) -> Parsed {
    parse_after(view, language, None, meter)
}

/// Parses a view with the help of the tree of an earlier version, to which the changes were told: what stayed isn't read
/// again. The tree is the one that [`parse`] would give.
pub(crate) fn parse_after(view: &View<'_>, language: Language, old: Option<&Tree>, meter: &Meter) -> Parsed {
    let Some(grammar) = language.grammar() else { return Parsed::Unsupported };
    if view.n_bytes() > meter.left().bytes {
        meter.cut(Limit::Bytes);
    } else if meter.is_on() && !is_safe_for_all(language) && !is_safe(&view.read_text(), language) {
        meter.cut(Limit::Grammar);
    }
    if let Some(limit) = meter.cut_by() {
        return Parsed::CutShort(limit);
    }
    let mut parser = Parser::new();
    if parser.set_language(&grammar).is_err() || parser.set_included_ranges(&view.included_ranges()).is_err() {
        return Parsed::Unsupported;
    }
    let tree = if view.n_bytes() <= LARGEST_IN_PLACE {
        run(&mut parser, view.text(), old, meter)
    } else {
        let text = view.text();
        let stack = STACK + STACK_PER_BYTE * view.n_bytes();
        let own = Meter::start(meter.left());
        let done = thread::scope(|scope| {
            // What the parser holds is let go of there, too.
            let parse = move || {
                let tree = run(&mut parser, text, old, &own);
                drop(parser);
                (tree, own)
            };
            let worker = thread::Builder::new().name("treegraft-parse".into()).stack_size(stack);
            worker.spawn_scoped(scope, parse).ok()?.join().ok()
        });
        done.and_then(|(tree, own)| {
            meter.charge(&own);
            tree
        })
    };
    // Without a limit there is no thread to be had, or no memory.
    tree.map_or_else(|| Parsed::CutShort(meter.cut_by().unwrap_or(Limit::Bytes)), Parsed::Tree)
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
/// What [`parse`] answers in the place of a tree. Also where only a fallback is cut short: which grammar is
/// believed must not depend on the clock. A fallback that is not built in is passed over.
pub(crate) fn parse_best(view: &View<'_>, language: Language, meter: &Meter) -> Result<Reading, Parsed> {
    let mut best = match parse(view, language, meter) {
        Parsed::Tree(tree) => Reading { n_faults: faults(&tree, language, MOST_FAULTS_COUNTED).len(), tree, language },
        failure => return Err(failure),
    };
    for &fallback in language.fallbacks() {
        if best.n_faults == 0 {
            break;
        }
        match parse(view, fallback, meter) {
            Parsed::Tree(tree) => {
                let n_faults = faults(&tree, fallback, MOST_FAULTS_COUNTED).len();
                if n_faults < best.n_faults {
                    best = Reading { tree, language: fallback, n_faults };
                }
            }
            cut_short @ Parsed::CutShort(_) => return Err(cut_short),
            Parsed::Unsupported => {}
        }
    }
    Ok(best)
}

/// Parses until done or until the budget is spent. It is asked between steps of the parser and, since a token may run to
/// the end of the text, before each piece of it that is read: then the text ends there.
fn run(parser: &mut Parser, text: &str, old: Option<&Tree>, meter: &Meter) -> Option<Tree> {
    // No piece ends within a character: for the rest of one the library asks again, and reads it even where there is none.
    let piece = |offset: usize| {
        let mut end = text.len().min(offset.saturating_add(PIECE));
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        text.as_bytes().get(offset..end).unwrap_or_default()
    };
    let mut progress = |_: &ParseState| if meter.look() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) };
    let mut read = |offset: usize, _| if meter.look() { piece(offset) } else { &[] };
    let tree = parser.parse_with_options(&mut read, old, Some(ParseOptions::new().progress_callback(&mut progress)));
    // A tree of a text cut short is none.
    tree.filter(|_| meter.cut_by().is_none())
}

#[cfg(all(test, feature = "default"))]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::budget::Budget;
    use crate::source::Source;

    const LONG: Duration = Duration::MAX;

    fn parse_whole(text: &str, language: Language, budget: impl Into<Budget>) -> Parsed {
        parse(&View::whole(&Source::new(text)), language, &Meter::start(budget.into()))
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

    /// Ends the process where the stack is that of a usual thread.
    #[test]
    fn merged_readings_may_be_nested_deep() {
        for (text, language) in
            [("<a>".repeat(60_000), Language::TypeScript), ("(".repeat(60_000), Language::JavaScript)]
        {
            let parsed = parse_whole(&text, language, Duration::from_secs(20));
            assert!(matches!(parsed, Parsed::Tree(_) | Parsed::CutShort(Limit::Time)));
        }
    }

    #[test]
    fn no_time_means_timed_out() {
        let timed_out = |text: &str, time: Duration| {
            matches!(parse_whole(text, Language::Json, time), Parsed::CutShort(Limit::Time))
        };
        assert!(timed_out("1", Duration::ZERO));
        assert!(timed_out(&"[".repeat(300_000), Duration::from_nanos(1)));
    }

    /// Also inside of one token, where the parser takes no step.
    #[test]
    fn steps_and_bytes_need_no_clock() {
        let list = format!("[{}0]", "0, ".repeat(20_000));
        let token = format!("\"{}\"", "a".repeat(300_000));
        for text in [&list, &token] {
            let by = |budget: Budget| match parse_whole(text, Language::Json, budget) {
                Parsed::CutShort(limit) => Some(limit),
                _ => None,
            };
            assert_eq!(by(Budget::of_steps(u64::MAX)), None);
            assert_eq!(by(Budget::of_steps(5_000)), Some(Limit::Steps));
            let few_bytes = Budget { bytes: text.len() - 1, ..Budget::default() };
            assert_eq!(by(few_bytes), Some(Limit::Bytes));
        }
    }

    /// The library read a character that began before the end, at no address at all.
    #[test]
    fn a_text_may_end_within_a_character() {
        for sign in ["\u{e9}", "\u{20ac}", "\u{1f600}"] {
            for shift in 0..4 {
                let text = format!("\"{}{}\"", "a".repeat(shift), sign.repeat(10_000));
                for steps in [100, 200, 300] {
                    let parsed = parse_whole(&text, Language::Json, Budget::of_steps(steps));
                    assert!(matches!(parsed, Parsed::CutShort(Limit::Steps)));
                }
            }
        }
    }

    #[test]
    fn a_window_is_parsed_with_the_rows_of_its_text() {
        let source = Source::new("func a() {}\nfunc (\nfunc b() {}\n");
        let view = View::lines(&source, &[(0..1).into(), (2..3).into()]);
        let Parsed::Tree(tree) = parse(&view, Language::Go, &Meter::start(LONG.into())) else { panic!("no tree") };
        assert!(!tree.root_node().has_error());
        assert_eq!(tree.root_node().named_child(1).map(|node| node.start_position().row), Some(2));
    }
}
