//! The pipeline on one screen.

use tracing::debug_span;

use crate::anchor::{self, Problem};
use crate::budget::Stopwatch;
use crate::classify::{self, Description};
use crate::diff;
use crate::engine::{Edit, Options};
use crate::error::{Error, Input};
use crate::indent;
use crate::merge::{self, Merged};
use crate::outcome::{Elapsed, Outcome, Shape};
use crate::source::Source;
use crate::treesitter::{Outline, comment_signs};
use crate::validate::{self, Findings};
use crate::whole_file;

/// Runs an edit through all stages.
pub(crate) fn apply(edit: &Edit<'_>, options: &Options) -> Result<Outcome, Error> {
    let _span = debug_span!("apply", path = edit.path, bytes = edit.original.len()).entered();
    let total = Stopwatch::start();
    admit(edit.original, Input::Original, options)?;
    admit(edit.snippet, Input::Snippet, options)?;
    if edit.snippet.trim().is_empty() && !edit.original.is_empty() {
        return Err(Error::EmptySnippet);
    }
    let budget = edit.budget.unwrap_or(options.budget);

    let original = Source::new(edit.original);
    let snippet = Source::new(edit.snippet);
    let description = Description::parse(edit.description, original.n_lines());

    let anchoring = Stopwatch::start();
    let (mut snippet, index) = debug_span!("classify")
        .in_scope(|| classify::classify(&snippet, &original, &description, edit.add_missing_edges));
    let outlines = debug_span!("outline").in_scope(|| outlines(edit, &original, &snippet, budget));
    let conversion = match snippet.shape {
        Shape::WholeFile if description.overwrites() => None,
        _ => indent::convert(&mut snippet, &original, &index, &outlines.snippet.literals),
    };
    let problem = Problem {
        original: &original,
        snippet: &snippet,
        index: &index,
        description: &description,
        original_outline: &outlines.original,
        snippet_outline: &outlines.snippet,
    };
    let plan = anchor::plan(&problem);
    let Merged { alignment, ledger, segments, disputed } = debug_span!("anchor").in_scope(|| match snippet.shape {
        Shape::WholeFile => whole_file::merge(&original, &snippet, &description),
        _ => merge::merge(&problem, &plan),
    });
    let text = segments.text(&original);
    let anchoring = anchoring.elapsed();

    let diffing = Stopwatch::start();
    let replacements =
        debug_span!("replacements").in_scope(|| diff::replacements(&segments, &original, &description.summary));
    debug_assert_eq!(diff::rebuild(&original, &replacements), text, "replacements rebuild the result");
    let diffing = diffing.elapsed();

    let validating = Stopwatch::start();
    let edits: Vec<_> = replacements.iter().map(|one| (one.old_lines, one.new_lines)).collect();
    let validation = debug_span!("validate")
        .in_scope(|| validate::syntax::delta(edit.original, &text, &edits, edit.language, budget));
    let verdict = validate::verdict(&Findings {
        original: &original,
        snippet: &snippet,
        index: &index,
        description: &description,
        plan: &plan,
        original_outline: &outlines.original,
        alignment: &alignment,
        ledger: &ledger,
        disputed,
        conversion,
        validation: &validation,
    });
    Ok(Outcome {
        already_applied: replacements.is_empty()
            && snippet.lines.iter().any(|line| line.kind == classify::LineKind::Code),
        shape: snippet.shape,
        snippet: snippet.text(),
        verdict,
        validation,
        replacements,
        ledger,
        text,
        elapsed: Elapsed { total: total.elapsed(), anchor: anchoring, validate: validating.elapsed(), diff: diffing },
    })
}

/// The outlines of both texts.
struct Outlines {
    original: Outline,
    snippet: Outline,
}

/// Outlines both texts, the snippet with its references turned into comments.
fn outlines(
    edit: &Edit<'_>,
    original: &Source<'_>,
    snippet: &classify::Snippet<'_>,
    budget: std::time::Duration,
) -> Outlines {
    if snippet.shape == Shape::WholeFile {
        return Outlines { original: Outline::default(), snippet: Outline::default() };
    }
    let parsable = snippet.parsable_text(edit.path, edit.language);
    if edit.language.is_none() {
        let signs = comment_signs(edit.path, None);
        return Outlines {
            original: Outline::by_indent(original, signs),
            snippet: Outline::by_indent(&Source::new(&parsable), signs),
        };
    }
    Outlines {
        original: Outline::of(original, edit.language, budget),
        snippet: Outline::of_snippet(&Source::new(&parsable), edit.language, budget),
    }
}

/// Refuses what is no text or too large to work on.
pub(crate) fn admit(text: &str, input: Input, options: &Options) -> Result<(), Error> {
    if text.len() > options.max_bytes {
        return Err(Error::TooLarge { input, bytes: text.len(), limit: options.max_bytes });
    }
    match memchr::memchr(0, text.as_bytes()) {
        Some(offset) => Err(Error::NotText { input, offset }),
        None => Ok(()),
    }
}
