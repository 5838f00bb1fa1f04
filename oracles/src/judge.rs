//! Runs one case and says what is wrong with what came out.

use similar::TextDiff;
use treegraft::{Edit, Engine, Error, Outcome, Shape, Verdict};

use crate::{Given, invariants};

/// One edit and what must come of it.
#[derive(Debug, Default)]
pub struct Case {
    /// Its name in the file or folder of cases.
    pub name: String,
    /// Names the edited file; decides the language.
    pub path: String,
    /// The file as it is.
    pub original: Vec<u8>,
    /// What the model wrote.
    pub snippet: Vec<u8>,
    /// In place of a snippet: old, new, count.
    pub pairs: Vec<(String, String, usize)>,
    /// The shape that the snippet is forced to be read as.
    pub forced: Option<Shape>,
    /// What the model said about it.
    pub description: String,
    /// What must come out.
    pub result: WantedResult,
    /// What must be said of it.
    pub verdict: WantedVerdict,
    /// A `needs_verify` will do in place of `trusted`, whatever its result.
    pub flag_will_do: bool,
    /// No reference is implied at the snippet's edges.
    pub no_edges: bool,
    /// How many replacements there must be.
    pub n_replacements: Option<usize>,
    /// How many candidates a reason must list at least.
    pub n_candidates: Option<usize>,
    /// The name of the shape.
    pub shape: Option<String>,
    /// Parts of the message of the refusal or of one of the reasons.
    pub says: Vec<String>,
    /// The names that the wrapping must have, separated by commas.
    pub wrapping: Option<String>,
    /// Whether the edit must count as applied before.
    pub already_applied: Option<bool>,
    /// The name of the syntax check's status.
    pub syntax: Option<String>,
    /// Set if the case is not right yet.
    pub known: Option<Known>,
}

/// A failure that is known: what comes out now, and why.
#[derive(Debug)]
pub struct Known {
    /// Why it fails.
    pub why: String,
    /// The verdict and the result as they are now.
    pub current: String,
}

/// The result that a case wants.
#[derive(Debug, Default)]
pub enum WantedResult {
    /// Not judged.
    #[default]
    Any,
    /// These bytes.
    Text(Vec<u8>),
}

/// The verdict that a case wants.
#[derive(Debug, Default)]
pub enum WantedVerdict {
    /// Trusted.
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
    ///
    /// # Errors
    ///
    /// That there is no such verdict.
    pub fn parse(text: &str) -> Result<Self, String> {
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
pub struct Observed {
    /// The verdict and the result as a `current` block shows them.
    pub now: String,
    /// What is wrong; empty if the case is right.
    pub complaints: Vec<String>,
}

/// Runs `case` through the engine.
pub fn observe(case: &Case) -> Observed {
    let engine = Engine::default();
    let mut given = Given::new(&case.path, utf8(&case.original), utf8(&case.snippet)).description(&case.description);
    given.add_missing_edges = !case.no_edges;
    given.pairs.clone_from(&case.pairs);
    given.shape = case.forced;
    let edit = Edit::from_bytes(&case.path, &case.original, &case.snippet).map(|_| given.edit());
    let answer = edit.as_ref().map_err(Clone::clone).and_then(|edit| engine.apply(edit));
    let mut complaints = complaints(case, &answer);
    if let (Ok(edit), Ok(outcome)) = (edit, &answer) {
        complaints.extend(invariants::violations(&engine, &given, &edit, outcome));
    }
    Observed { now: render(&answer), complaints }
}

/// Says whether the case stands as it should: right, or failing exactly as it is known to.
///
/// # Errors
///
/// What is wrong with it.
pub fn verdict(case: &Case, observed: &Observed) -> Result<(), String> {
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
#[must_use]
pub fn diff(old_name: &str, old: &str, new_name: &str, new: &str) -> String {
    let visible = |text: &str| text.replace('\r', "\\r").replace('\u{feff}', "\\ufeff");
    let (old, new) = (visible(old), visible(new));
    TextDiff::from_lines(&old, &new).unified_diff().context_radius(3).header(old_name, new_name).to_string()
}
