//! The pipeline on one screen.

use std::time::Duration;

use tracing::debug_span;

use crate::anchor::{self, Problem};
use crate::budget::Stopwatch;
use crate::classify::{self, Description, LineKind, Snippet};
use crate::diff;
use crate::engine::{Edit, Options};
use crate::error::{Error, Input};
use crate::indent;
use crate::merge::{self, Merged};
use crate::outcome::{Elapsed, Outcome, Shape};
use crate::source::{Source, is_blank};
use crate::treesitter::{Outline, comment_signs};
use crate::validate::{self, Findings};
use crate::whole_file;

/// Runs an edit through all stages.
pub(crate) fn apply(edit: &Edit<'_>, options: &Options) -> Result<Outcome, Error> {
    let _span = debug_span!("apply", path = edit.path, bytes = edit.original.len()).entered();
    let total = Stopwatch::start();
    admit(edit.original, Input::Original, options)?;
    admit(edit.snippet, Input::Snippet, options)?;
    let budget = edit.budget.unwrap_or(options.budget);

    let original = Source::new(edit.original);
    let snippet = Source::new(edit.snippet);
    if snippet.lines().all(is_blank) && !edit.original.is_empty() {
        return Err(Error::EmptySnippet);
    }
    let description = Description::parse(edit.description, original.n_lines());

    let anchoring = Stopwatch::start();
    let (mut snippet, index) = debug_span!("classify").in_scope(|| {
        let file = (edit.path, edit.language);
        classify::classify(&snippet, &original, &description, edit.add_missing_edges, file)
    });
    let original_outline = debug_span!("outline")
        .in_scope(|| outline_original(edit, &original, (snippet.shape, description.overwrites()), budget));
    let mut snippet_outline = debug_span!("outline").in_scope(|| outline_snippet(edit, &snippet, budget));
    let conversion = match snippet.shape {
        Shape::WholeFile if description.overwrites() => None,
        _ => indent::convert(&mut snippet, &original, &index, &snippet_outline.literals),
    };
    let parts = Parts { original: &original, index: &index, description: &description, outline: &original_outline };
    let mut plan = anchor::plan(&parts.with(&snippet, &snippet_outline));
    if let Some(ordered) = anchor::in_file_order(&parts.with(&snippet, &snippet_outline), &plan, &snippet) {
        snippet = ordered;
        snippet_outline = outline_snippet(edit, &snippet, budget);
        plan = anchor::plan(&parts.with(&snippet, &snippet_outline));
    }
    snippet.implied.extend_from_slice(&plan.implied);
    snippet.implied.sort_unstable();
    snippet.implied.dedup();
    let problem = parts.with(&snippet, &snippet_outline);
    let Merged { alignment, ledger, segments, disputed } = debug_span!("anchor").in_scope(|| match snippet.shape {
        Shape::WholeFile => whole_file::merge(&original, &snippet, &description),
        _ => merge::merge(&problem, &plan),
    });
    let anchoring = anchoring.elapsed();

    let diffing = Stopwatch::start();
    let replacements =
        debug_span!("replacements").in_scope(|| diff::replacements(&segments, &original, &description.summary));
    // The result is the original with its replacements: that they say the same is so by construction.
    let text = diff::rebuild(&original, &replacements);
    debug_assert_eq!(text, segments.text(&original), "replacements leave nothing out");
    let diffing = diffing.elapsed();

    let validating = Stopwatch::start();
    let edits: Vec<_> = replacements.iter().map(|one| (one.old_lines, one.new_lines)).collect();
    let validation = debug_span!("validate")
        .in_scope(|| validate::regions::delta(edit.original, &text, &edits, edit.language, budget));
    let verdict = validate::verdict(&Findings {
        original: &original,
        snippet: &snippet,
        index: &index,
        description: &description,
        plan: &plan,
        original_outline: &original_outline,
        outlines_cut_short: original_outline.cut_short || snippet_outline.cut_short,
        alignment: &alignment,
        ledger: &ledger,
        disputed,
        conversion,
        validation: &validation,
    });
    Ok(Outcome {
        already_applied: verdict.is_trusted()
            && replacements.is_empty()
            && snippet.lines.iter().any(|line| line.kind == LineKind::Code),
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

/// What an alignment looks at on the original's side.
struct Parts<'p> {
    original: &'p Source<'p>,
    index: &'p anchor::Index,
    description: &'p Description,
    outline: &'p Outline,
}

impl Parts<'_> {
    fn with<'q>(&'q self, snippet: &'q Snippet<'q>, snippet_outline: &'q Outline) -> Problem<'q> {
        Problem {
            original: self.original,
            snippet,
            index: self.index,
            description: self.description,
            original_outline: self.outline,
            snippet_outline,
        }
    }
}

/// Outlines the original. An announced overwrite is merged without.
fn outline_original(
    edit: &Edit<'_>,
    original: &Source<'_>,
    (shape, overwrites): (Shape, bool),
    budget: Duration,
) -> Outline {
    match edit.language {
        _ if shape == Shape::WholeFile && overwrites => Outline::default(),
        None => Outline::by_indent(original, comment_signs(edit.path, None)),
        language => Outline::of(original, language, budget),
    }
}

/// Outlines the snippet with its references turned into comments.
fn outline_snippet(edit: &Edit<'_>, snippet: &Snippet<'_>, budget: Duration) -> Outline {
    let text = snippet.parsable_text(edit.path, edit.language);
    match edit.language {
        _ if snippet.shape == Shape::WholeFile => Outline::default(),
        None => Outline::by_indent(&Source::new(&text), comment_signs(edit.path, None)),
        language => Outline::of_snippet(&Source::new(&text), language, budget),
    }
}

/// Largest text whose line table can be kept in 32 bits, in bytes.
const LARGEST_SOURCE: usize = u32::MAX as usize - 1;

/// Refuses what is no text or too large to work on.
pub(crate) fn admit(text: &str, input: Input, options: &Options) -> Result<(), Error> {
    let limit = options.max_bytes.min(LARGEST_SOURCE);
    if text.len() > limit {
        return Err(Error::TooLarge { input, bytes: text.len(), limit });
    }
    match memchr::memchr(0, text.as_bytes()) {
        Some(offset) => Err(Error::NotText { input, offset }),
        None => Ok(()),
    }
}
