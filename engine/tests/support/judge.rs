//! Runs one case and says what is wrong with what came out.

use similar::TextDiff;
use treegraft::{Edit, Engine, Error, Outcome, Pair, Shape, Verdict};

use super::invariants;

/// One edit and what must come of it.
#[derive(Debug, Default)]
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) path: String,
    pub(crate) original: Vec<u8>,
    pub(crate) snippet: Vec<u8>,
    /// In place of a snippet: old, new, count.
    pub(crate) pairs: Vec<(String, String, usize)>,
    pub(crate) forced: Option<Shape>,
    pub(crate) description: String,
    pub(crate) result: WantedResult,
    pub(crate) verdict: WantedVerdict,
    /// A `needs_verify` will do in place of `trusted`, whatever its result.
    pub(crate) flag_will_do: bool,
    pub(crate) no_edges: bool,
    pub(crate) n_replacements: Option<usize>,
    pub(crate) n_candidates: Option<usize>,
    pub(crate) shape: Option<String>,
    pub(crate) says: Vec<String>,
    pub(crate) wrapping: Option<String>,
    pub(crate) already_applied: Option<bool>,
    pub(crate) syntax: Option<String>,
    pub(crate) known: Option<Known>,
}

/// A failure that is known: what comes out now, and why.
#[derive(Debug)]
pub(crate) struct Known {
    pub(crate) why: String,
    pub(crate) current: String,
}

#[derive(Debug, Default)]
pub(crate) enum WantedResult {
    #[default]
    Any,
    Text(Vec<u8>),
}

#[derive(Debug, Default)]
pub(crate) enum WantedVerdict {
    #[default]
    Trusted,
    /// Not judged; the result still is.
    Any,
    /// With these kinds among the reasons.
    NeedsVerify(Vec<String>),
    /// With this code.
    Refused(String),
}

impl WantedVerdict {
    /// Reads `trusted`, `needs_verify kind, kind` or `refused code`.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
        let rest = rest.trim();
        match word {
            "trusted" if rest.is_empty() => Ok(Self::Trusted),
            "any" if rest.is_empty() => Ok(Self::Any),
            "needs_verify" => Ok(Self::NeedsVerify(
                rest.split(',').map(str::trim).filter(|kind| !kind.is_empty()).map(str::to_owned).collect(),
            )),
            "refused" if !rest.is_empty() => Ok(Self::Refused(rest.to_owned())),
            _ => Err(format!("no such verdict: `{text}`")),
        }
    }
}

/// What came out, rendered, and what is wrong with it.
pub(crate) struct Observed {
    /// The verdict and the result as a `current` block shows them.
    pub(crate) now: String,
    pub(crate) complaints: Vec<String>,
}

/// Runs `case` through the engine.
pub(crate) fn observe(case: &Case) -> Observed {
    let engine = Engine::default();
    let pairs: Vec<Pair<'_>> = case.pairs.iter().map(|(old, new, count)| Pair::new(old, new).count(*count)).collect();
    let input = invariants::Given {
        path: &case.path,
        original: utf8(&case.original),
        snippet: utf8(&case.snippet),
        pairs: &pairs,
        shape: case.forced,
        description: &case.description,
        add_missing_edges: !case.no_edges,
    };
    let edit = Edit::from_bytes(&case.path, &case.original, &case.snippet).map(|_| input.edit(input.original));
    let answer = edit.as_ref().map_err(Clone::clone).and_then(|edit| engine.apply(edit));
    let mut complaints = complaints(case, &answer);
    if let (Ok(edit), Ok(outcome)) = (edit, &answer) {
        complaints.extend(invariants::violations(&engine, &input, &edit, outcome));
    }
    Observed { now: render(&answer), complaints }
}

/// Says whether the case stands as it should: right, or failing exactly as it is known to.
pub(crate) fn verdict(case: &Case, observed: &Observed) -> Result<(), String> {
    match (&case.known, observed.complaints.is_empty()) {
        (None, true) => Ok(()),
        (None, false) => Err(observed.complaints.join("\n")),
        (Some(_), true) => Err("now correct: delete current".to_owned()),
        (Some(known), false) if known.current == observed.now => Ok(()),
        (Some(known), false) => Err(format!(
            "a known failure ({}) changed: look at it, then bless it with TREEGRAFT_BLESS=1\n{}",
            known.why,
            diff("current", &known.current, "now", &observed.now)
        )),
    }
}

fn complaints(case: &Case, answer: &Result<Outcome, Error>) -> Vec<String> {
    let mut complaints = Vec::new();
    let named = name(answer);
    let verdict_is_right = match (&case.verdict, answer) {
        (WantedVerdict::Refused(code), Err(error)) => error.code() == code,
        (WantedVerdict::Any, Ok(_)) => true,
        (WantedVerdict::Trusted, Ok(outcome)) => outcome.verdict().is_trusted() || case.flag_will_do,
        (WantedVerdict::NeedsVerify(kinds), Ok(outcome)) => {
            let reasons = outcome.verdict().reasons();
            let has = |kind: &String| reasons.iter().any(|reason| reason.kind.as_str() == kind);
            !reasons.is_empty() && kinds.iter().all(has)
        }
        _ => false,
    };
    if !verdict_is_right {
        complaints.push(format!("wanted {:?}, got {named}", case.verdict));
    }
    let messages: Vec<String> = match answer {
        Ok(outcome) => outcome.verdict().reasons().iter().map(|reason| reason.message.clone()).collect(),
        Err(error) => vec![error.to_string()],
    };
    for part in case.says.iter().filter(|part| !messages.iter().any(|message| message.contains(part.as_str()))) {
        complaints.push(format!("nobody says {part:?}, only {messages:?}"));
    }
    let Ok(outcome) = answer else { return complaints };
    let judged = !case.flag_will_do || outcome.verdict().is_trusted();
    if let (WantedResult::Text(wanted), true) = (&case.result, judged) {
        let wanted = utf8(wanted);
        if outcome.text() != wanted {
            complaints.push(format!("another result ({named})\n{}", diff("wanted", wanted, "got", outcome.text())));
        }
    }
    let mut must_be = |what: &str, wanted: Option<&str>, got: &str| {
        if let Some(wanted) = wanted.filter(|wanted| *wanted != got && judged) {
            complaints.push(format!("{what}: wanted {wanted}, got {got}"));
        }
    };
    must_be("shape", case.shape.as_deref(), outcome.shape().as_str());
    let wrapping: Vec<&str> = outcome.wrapping().iter().map(|one| one.as_str()).collect();
    must_be("wrapping", case.wrapping.as_deref(), &wrapping.join(", "));
    let applied = case.already_applied.map(|yes| if yes { "yes" } else { "no" });
    must_be("already_applied", applied, if outcome.already_applied() { "yes" } else { "no" });
    must_be("syntax", case.syntax.as_deref(), outcome.validation().status.as_str());
    let count = case.n_replacements.map(|count| count.to_string());
    must_be("replacements", count.as_deref(), &outcome.replacements().len().to_string());
    let most = outcome.verdict().reasons().iter().map(|reason| reason.candidates.len()).max().unwrap_or(0);
    if case.n_candidates.is_some_and(|wanted| most < wanted) {
        complaints.push(format!("a reason must list {:?} candidates or more, got {most}", case.n_candidates));
    }
    complaints
}

fn name(answer: &Result<Outcome, Error>) -> String {
    match answer {
        Err(error) => format!("refused {}", error.code()),
        Ok(outcome) => match outcome.verdict() {
            Verdict::Trusted => "trusted".to_owned(),
            Verdict::NeedsVerify(reasons) => {
                let mut kinds: Vec<_> = reasons.iter().map(|reason| reason.kind.as_str()).collect();
                kinds.dedup();
                format!("needs_verify {}", kinds.join(", "))
            }
        },
    }
}

fn render(answer: &Result<Outcome, Error>) -> String {
    let mut now = format!("verdict: {}\n", name(answer));
    if let Ok(outcome) = answer {
        let text = outcome.text().replace('\r', "\\r");
        let ends = text.is_empty() || text.ends_with('\n');
        now.push_str(if ends { "-- result\n" } else { "-- result, no final newline\n" });
        now.push_str(&text);
        if !ends {
            now.push('\n');
        }
    }
    now
}

fn utf8(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap_or("(not UTF-8)")
}

/// Shows two texts as a unified diff; line ends and byte order marks are made visible where they differ.
pub(crate) fn diff(old_name: &str, old: &str, new_name: &str, new: &str) -> String {
    let visible = |text: &str| text.replace('\r', "\\r").replace('\u{feff}', "\\ufeff");
    let (old, new) = (visible(old), visible(new));
    TextDiff::from_lines(&old, &new).unified_diff().context_radius(3).header(old_name, new_name).to_string()
}
