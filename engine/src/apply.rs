//! The pipeline on one screen.

use std::sync::Arc;

use tracing::debug_span;

use crate::anchor::{self, Plan, Problem};
use crate::bare;
use crate::budget::{Budget, Meter, Stopwatch};
use crate::classify::{self, Description, LineKind, Snippet};
use crate::diff;
use crate::engine::{Edit, Options};
use crate::error::{Error, Input};
use crate::hunk;
use crate::indent::{self, Conversion};
use crate::merge::{self, Merged};
use crate::outcome::{Elapsed, Outcome, Shape};
use crate::source::{Source, is_blank};
use crate::treesitter::{Chart, Outline, comment_signs};
use crate::validate::{self, Findings};
use crate::whole_file;

/// Runs an edit through all stages.
pub(crate) fn apply(edit: &Edit<'_>, options: &Options) -> Result<Outcome, Error> {
    let _span = debug_span!("apply", path = edit.path, bytes = edit.original.len()).entered();
    let total = Stopwatch::start();
    admit_edit(edit, options)?;
    let budget = edit.budget.unwrap_or(options.budget);

    let original = debug_span!("source").in_scope(|| edit.source());
    let snippet = Source::new(edit.snippet);
    admit_snippet(edit, &snippet)?;
    let description = Description::parse(edit.description, original.n_lines());

    let anchoring = Stopwatch::start();
    let given = classify::Given { edit, snippet: &snippet, original: &original, description: &description, budget };
    let (mut snippet, index) = debug_span!("classify").in_scope(|| classify::classify(&given))?;
    // How a text is to be read says nothing of what it leaves out by mistake.
    let is_announced = description.overwrites();
    let outlines = match snippet.shape {
        Shape::WholeFile if is_announced => Outlines::Neither,
        Shape::WholeFile => Outlines::Original,
        _ if snippet.has_hunks() => Outlines::Neither,
        _ => Outlines::Both,
    };
    let (mut snippet_outline, text) =
        debug_span!("outline").in_scope(|| outline_snippet(edit, &snippet, outlines, budget));
    let wanted = (&snippet_outline, &Source::new(&text));
    let chart = debug_span!("chart").in_scope(|| match outlines {
        Outlines::Neither => Chart::empty(&original),
        _ => Chart::for_names(&original, edit.path, edit.language, wanted, options.windows, budget),
    });
    recognise_bare(edit, &mut snippet, &snippet_outline)?;
    let mut conversion = match outlines {
        Outlines::Neither => None,
        _ => indent::convert(&mut snippet, &original, &index, &snippet_outline.literals),
    };
    let parts = Parts { original: &original, index: &index, description: &description, chart: &chart };
    let mut plan = anchor::plan(&parts.with(&snippet, &snippet_outline));
    if let Some(ordered) = anchor::in_file_order(&parts.with(&snippet, &snippet_outline), &plan, &snippet) {
        snippet = ordered;
        (snippet_outline, _) = outline_snippet(edit, &snippet, outlines, budget);
        plan = anchor::plan(&parts.with(&snippet, &snippet_outline));
    }
    snippet.imply(&plan.implied);
    let conversion_of_bare = bare::indent_like_partner(&mut snippet, &original, &plan, &snippet_outline.literals);
    conversion = Conversion::both(conversion, conversion_of_bare);
    bare::add(&mut snippet, &original, &description, &plan, (&chart, &snippet_outline));
    let merging = debug_span!("anchor").entered();
    let merged = match snippet.shape {
        Shape::WholeFile => whole_file::merge(&original, &snippet, is_announced),
        _ if snippet.has_hunks() => {
            let (merged, ordered) = hunk::merge(&original, snippet, &index);
            snippet = ordered;
            merged
        }
        _ => {
            let (merged, moved) = merge_where_it_lies(&parts, &mut snippet, &snippet_outline, &mut plan, budget);
            conversion = Conversion::both(conversion, moved);
            merged
        }
    };
    drop(merging);
    let Merged { alignment, ledger, segments, disputed, mut doubts } = merged;
    doubts.splice(0..0, snippet.doubts.iter().cloned());
    let anchoring = anchoring.elapsed();

    let diffing = Stopwatch::start();
    let replacements =
        debug_span!("replacements").in_scope(|| diff::replacements(&segments, &original, &description.summary));
    // The result is the original with its replacements: that they say the same is so by construction.
    let text = debug_span!("rebuild").in_scope(|| diff::rebuild(&original, &replacements));
    debug_assert_eq!(text, segments.text(&original), "replacements leave nothing out");
    let diffing = diffing.elapsed();

    let validating = Stopwatch::start();
    let validation = debug_span!("validate")
        .in_scope(|| validate::regions::delta(&original, &text, &replacements, &chart, edit.language, budget));
    let verdict = debug_span!("verdict").in_scope(|| {
        validate::verdict(&Findings {
            original: &original,
            snippet: &snippet,
            index: &index,
            description: &description,
            plan: &plan,
            chart: &chart,
            snippet_cut_by: snippet_outline.cut_by,
            alignment: &alignment,
            ledger: &ledger,
            disputed,
            doubts,
            conversion,
            validation: &validation,
        })
    });
    Ok(Outcome {
        already_applied: verdict.is_trusted()
            && replacements.is_empty()
            && (!edit.pairs.is_empty() || snippet.lines.iter().any(|line| line.kind == LineKind::Code)),
        shape: snippet.shape,
        wrapping: snippet.wrapping.clone(),
        snippet: snippet.text(),
        verdict,
        validation,
        replacements,
        ledger,
        text,
        reads: edit.document.map(|document| (Arc::clone(document.state()), chart.into_reads())),
        elapsed: Elapsed { total: total.elapsed(), anchor: anchoring, validate: validating.elapsed(), diff: diffing },
    })
}

/// What an alignment looks at on the original's side.
struct Parts<'p> {
    original: &'p Source<'p>,
    index: &'p anchor::Index,
    description: &'p Description,
    chart: &'p Chart<'p>,
}

impl Parts<'_> {
    fn with<'q>(&'q self, snippet: &'q Snippet<'q>, snippet_outline: &'q Outline) -> Problem<'q> {
        Problem {
            original: self.original,
            snippet,
            index: self.index,
            description: self.description,
            chart: self.chart,
            snippet_outline,
        }
    }
}

/// Merges, and merges again if the lines that the snippet was aligned with stand further left or right in one way.
fn merge_where_it_lies(
    parts: &Parts<'_>,
    snippet: &mut Snippet<'_>,
    snippet_outline: &Outline,
    plan: &mut Plan,
    budget: Budget,
) -> (Merged, Option<Conversion>) {
    let merged = merge::merge(&parts.with(snippet, snippet_outline), plan, budget);
    let literals = &snippet_outline.literals;
    let moved = indent::follow(snippet, parts.original, parts.index, literals, &merged.alignment);
    if moved.is_none() {
        return (merged, None);
    }
    let implied = std::mem::take(&mut plan.implied);
    *plan = anchor::plan(&parts.with(snippet, snippet_outline));
    plan.implied = implied;
    (merge::merge(&parts.with(snippet, snippet_outline), plan, budget), moved)
}

/// Which texts are outlined: what isn't aligned needs no outline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outlines {
    Neither,
    Original,
    Both,
}

/// Outlines the snippet with its references turned into comments, and gives that text as well.
fn outline_snippet(edit: &Edit<'_>, snippet: &Snippet<'_>, outlines: Outlines, budget: Budget) -> (Outline, String) {
    if outlines != Outlines::Both {
        return (Outline::default(), String::new());
    }
    let text = snippet.parsable_text(edit.path, edit.language);
    let outline = match edit.language {
        None => Outline::by_indent(&Source::new(&text), comment_signs(edit.path, None)),
        language => Outline::of_snippet(&Source::new(&text), language, &Meter::start(budget)),
    };
    (outline, text)
}

/// Tells bare declarations from other snippets without a marker.
fn recognise_bare(edit: &Edit<'_>, snippet: &mut Snippet<'_>, outline: &Outline) -> Result<(), Error> {
    let is_forced = edit.shape == Some(Shape::Bare);
    if !is_forced && (edit.shape.is_some() || snippet.shape != Shape::Lazy) {
        return Ok(());
    }
    match snippet.beside_declarations(outline) {
        None => snippet.shape = Shape::Bare,
        Some(line) if is_forced => {
            let message = "this line is not part of a declaration".to_owned();
            return Err(Error::OtherShape { shape: Shape::Bare, line: Some(line), message });
        }
        Some(_) => {}
    }
    Ok(())
}

/// Largest text whose line table can be kept in 32 bits, in bytes.
pub(crate) const LARGEST_SOURCE: usize = u32::MAX as usize - 1;

/// Refuses an edit whose texts can't be worked on.
fn admit_edit(edit: &Edit<'_>, options: &Options) -> Result<(), Error> {
    match edit.document {
        // That it is text was seen when it came in.
        Some(document) => admit_size(document.text(), Input::Original, options)?,
        None => admit(edit.original, Input::Original, options)?,
    }
    admit(edit.snippet, Input::Snippet, options)
}

/// Refuses a snippet that says nothing, unless that is all that the file holds.
fn admit_snippet(edit: &Edit<'_>, snippet: &Source<'_>) -> Result<(), Error> {
    let says_nothing = edit.pairs.is_empty() && snippet.lines().all(is_blank);
    if says_nothing && !edit.original.is_empty() { Err(Error::EmptySnippet) } else { Ok(()) }
}

/// Refuses what is no text or too large to work on.
pub(crate) fn admit(text: &str, input: Input, options: &Options) -> Result<(), Error> {
    admit_size(text, input, options)?;
    match memchr::memchr(0, text.as_bytes()) {
        Some(offset) => Err(Error::NotText { input, offset }),
        None => Ok(()),
    }
}

/// Refuses what is too large to work on.
fn admit_size(text: &str, input: Input, options: &Options) -> Result<(), Error> {
    let limit = options.max_bytes.min(LARGEST_SOURCE);
    if text.len() > limit {
        return Err(Error::TooLarge { input, bytes: text.len(), limit });
    }
    Ok(())
}
