//! The verdict in words: each reason with its lines and what to do about it, then one line that sums up.

use std::io;

use treegraft::{
    Candidate, Limit, LineRange, NeedsVerifyReason, Outcome, ReasonKind, Replacement, Source, SyntaxStatus, Validation,
    Verdict,
};

use crate::Status;
use crate::diagnostic::Diagnostic;
use crate::input::Inputs;
use crate::terminal::{self, GREEN, Screen, YELLOW};

/// How many lines of a reason's range are quoted; more hide the reasons that follow.
const MAX_QUOTED: usize = 4;

/// How many columns of a line are quoted; files may hold lines of megabytes.
const QUOTED_COLUMNS: usize = 80;

/// How many ranges the summary names; more hide its end.
const MAX_RANGES: usize = 6;

/// Gives the exit status of a verdict.
pub(crate) fn status(verdict: &Verdict) -> Status {
    if verdict.is_trusted() { Status::Fine } else { Status::NeedsLook }
}

/// Writes the reasons, each as a warning, then the summary.
pub(crate) fn write(screen: &mut Screen, inputs: &Inputs, outcome: &Outcome) -> io::Result<()> {
    reasons(screen, inputs, outcome)?;
    summary(screen, outcome)
}

/// Writes each reason as a warning.
pub(crate) fn reasons(screen: &mut Screen, inputs: &Inputs, outcome: &Outcome) -> io::Result<()> {
    let reasons = outcome.verdict().reasons();
    warnings(&inputs.name, (&inputs.original.text, &inputs.snippet.text), outcome, reasons)
        .try_for_each(|told| told.write(screen))
}

/// Makes a warning of each reason; `name` is the file's, the texts are its own and the snippet as it was handed in.
pub(crate) fn warnings<'a>(
    name: &'a str,
    (original, snippet): (&'a str, &'a str),
    outcome: &'a Outcome,
    reasons: impl IntoIterator<Item = &'a NeedsVerifyReason>,
) -> impl Iterator<Item = Diagnostic> {
    let original = Source::new(original);
    let snippet = Source::new(snippet);
    reasons.into_iter().map(move |reason| {
        let errors = (reason.kind == ReasonKind::SyntaxError).then(|| outcome.validation());
        warning(name, reason, &original, &snippet, errors)
    })
}

/// Writes one line: the verdict, what changes where, and how the syntax check ended.
pub(crate) fn summary(screen: &mut Screen, outcome: &Outcome) -> io::Result<()> {
    in_a_word(screen, outcome.verdict().reasons().len())?;
    screen.text(&format!(": {}; syntax {}", change(outcome), syntax(outcome.validation())))?;
    screen.end_line()
}

/// Writes the verdict that so many reasons make.
pub(crate) fn in_a_word(screen: &mut Screen, n_reasons: usize) -> io::Result<()> {
    match n_reasons {
        0 => screen.styled(GREEN.bold(), "trusted"),
        n => screen.styled(YELLOW.bold(), &format!("needs a look ({})", count(n, "reason"))),
    }
}

/// Says what changes where.
pub(crate) fn change(outcome: &Outcome) -> String {
    match outcome.replacements() {
        [] if outcome.already_applied() => "unchanged, the file already holds what the snippet asks for".to_owned(),
        [] => "unchanged, the result equals the original".to_owned(),
        changes => format!("{} ({})", count(changes.len(), "replacement"), ranges(changes)),
    }
}

/// Says how a syntax check ended.
pub(crate) fn syntax(validation: &Validation) -> String {
    match validation.status {
        SyntaxStatus::Valid if validation.original_errors > 0 => {
            format!("no worse than before ({})", count(validation.original_errors, "old error"))
        }
        SyntaxStatus::Valid => "valid".to_owned(),
        SyntaxStatus::Invalid => format!("invalid ({})", count(validation.new_errors.len(), "new error")),
        SyntaxStatus::TimedOut => format!("not checked ({})", limit(validation.cut_by)),
        SyntaxStatus::Unsupported => "not checked (no grammar for this file)".to_owned(),
        _ => "not checked".to_owned(),
    }
}

/// Says which limit ended a check.
fn limit(cut_by: Option<Limit>) -> &'static str {
    match cut_by {
        Some(Limit::Steps) => "out of steps, see --budget-steps",
        Some(Limit::Bytes) => "too large, see --budget-bytes",
        Some(Limit::Grammar) => "nested too deep for its grammar",
        _ => "out of time, see --budget-ms",
    }
}

/// Writes `1 error` or `2 errors`.
pub(crate) fn count(n: usize, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}

fn ranges(replacements: &[Replacement]) -> String {
    let mut named: Vec<String> =
        replacements.iter().take(MAX_RANGES).map(|replacement| replacement.old_lines.to_string()).collect();
    if replacements.len() > MAX_RANGES {
        named.push("…".to_owned());
    }
    named.join(", ")
}

fn warning(
    name: &str,
    reason: &NeedsVerifyReason,
    original: &Source<'_>,
    snippet: &Source<'_>,
    errors: Option<&Validation>,
) -> Diagnostic {
    let mut told = Diagnostic::warning(reason.kind.as_str(), &reason.message);
    told = match (reason.original_lines, reason.snippet_lines) {
        (Some(lines), Some(of_snippet)) => told.at(format!("{name}:{} (snippet {of_snippet})", span(lines))),
        (Some(lines), None) => told.at(format!("{name}:{}", span(lines))),
        (None, Some(of_snippet)) => told.at(format!("{name} (snippet {of_snippet})")),
        (None, None) => told.at(name),
    };
    for (what, lines, source) in
        [("line", reason.original_lines, original), ("snippet line", reason.snippet_lines, snippet)]
    {
        let Some(lines) = lines else { continue };
        let shown = lines.iter().filter(|&line| line < source.n_lines()).take(MAX_QUOTED);
        told =
            shown.fold(told, |told, line| told.detail(format!("{what} {}: {}", line + 1, quoted(source.line(line)))));
        if lines.len() > MAX_QUOTED {
            told = told.detail(format!("… and {}", count(lines.len() - MAX_QUOTED, "more line")));
        }
    }
    // The only place, if it is the one that is shown, says nothing more.
    let is_shown = |place: &Candidate| reason.original_lines.is_some_and(|lines| lines.contains(place.original_line));
    let candidates = match &reason.candidates[..] {
        [only] if is_shown(only) => &[],
        all => all,
    };
    for place in candidates {
        told = told.detail(format!("possible place: line {}: {}", place.original_line + 1, quoted(&place.preview)));
    }
    for error in errors.into_iter().flat_map(|validation| &validation.new_errors) {
        told = told.detail(format!("result {}: {}", error.lines, error.message));
    }
    match advice(reason.kind) {
        Some(advice) => told.help(advice),
        None => told,
    }
}

/// Quotes a line of a file, cut to what fits a screen.
pub(crate) fn quoted(line: &str) -> String {
    format!("`{}`", terminal::cell(line, QUOTED_COLUMNS))
}

/// Writes lines as they follow a path: `3`, `3-5`, and for an empty range the line it lies before.
pub(crate) fn span(lines: LineRange) -> String {
    match lines.one_based() {
        (first, last) if first < last => format!("{first}-{last}"),
        (first, _) => first.to_string(),
    }
}

fn advice(kind: ReasonKind) -> Option<&'static str> {
    Some(match kind {
        ReasonKind::CodeRemoved => {
            "if it shall go, say so: `// ... removed ...` in its place, or `Remove: lines N-M` in the description; \
             if it shall stay, put `// ... existing code ...` there"
        }
        ReasonKind::CodeDuplicated => "quote the lines around the one that is in the file, so that it is replaced",
        ReasonKind::AmbiguousLocation => {
            "quote the line above or below the change, or show the declaration it belongs in"
        }
        ReasonKind::PlaceNotFound => "read the file again and copy the lines as they stand there",
        ReasonKind::InexactMatch => {
            "compare the replaced lines with what was quoted; a fresh copy of them needs no guess"
        }
        ReasonKind::SyntaxError => "look at these lines of the result; `treegraft explain` shows where each came from",
        ReasonKind::ReferenceLeft => "word it plainly, as `// ... existing code ...`, on a line of its own",
        ReasonKind::ReferenceWithoutSource => "show the body in full: the file holds nothing that it could stand for",
        ReasonKind::CodeUnmentioned => {
            "put `// ... existing code ...` where code stays, and a removal comment where it goes"
        }
        ReasonKind::RangeNotApplied => "compare the line numbers of the description with the file",
        ReasonKind::OrderChanged => "show the parts in the order of the file",
        ReasonKind::WhitespaceConverted => "check the indentation of these lines",
        ReasonKind::OverwriteWithReference => "write out the whole file, or say `Type: replace` in the description",
        ReasonKind::SnippetSuspicious => "ask for the snippet again",
        ReasonKind::CutShort => {
            "give it more with --budget-ms, --budget-steps or --budget-bytes; where lines are alike, quote more of them"
        }
        _ => return None,
    })
}
