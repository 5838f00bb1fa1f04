//! The properties that are fuzzed: how each makes its edits, and its oracle.

use arbitrary::{Result, Unstructured};
use treegraft::{Engine, Language, LineRange, Options, Outcome, Shape, Source, SyntaxError, SyntaxStatus, internals};

use crate::{Given, invariants, lines, naive, text};

/// A property of the engine, and how it is tried.
pub struct Target {
    /// Its name, that of the fuzz target and of the folder of finds.
    pub name: &'static str,
    make: fn(&mut Unstructured<'_>) -> Result<Given>,
    /// The bytes before a seed; `None` if its edits aren't made from one.
    lead: Option<&'static [u8]>,
    broken_by: fn(&Given) -> Vec<String>,
}

/// Lines between an old error and an edit. Fewer: the parser gets over both at once.
const NEAR: usize = 3;

/// Of targets whose edits are made from the seed alone.
const PLAIN: Option<&[u8]> = Some(b"");

/// All properties, by name.
pub const TARGETS: [Target; 11] = [
    Target { name: "align_vs_naive", make: lines::small, lead: PLAIN, broken_by: align_vs_naive },
    Target { name: "anchors_vs_naive", make: text::patient_edit, lead: PLAIN, broken_by: anchors_vs_naive },
    Target {
        name: "apply_total",
        make: text::any_edit,
        lead: Some(b"\xff\xff\xff\xff"),
        broken_by: invariants::broken_by,
    },
    Target { name: "description_total", make: text::patient_edit, lead: PLAIN, broken_by: description_total },
    Target {
        name: "kept_bytes_are_original",
        make: text::patient_edit,
        lead: PLAIN,
        broken_by: kept_bytes_are_original,
    },
    Target { name: "mutated_real", make: lines::mutated, lead: None, broken_by: invariants::broken_by },
    Target {
        name: "references_only_is_identity",
        make: text::references_only,
        lead: None,
        broken_by: references_only_is_identity,
    },
    Target {
        name: "replacements_rebuild_result",
        make: text::patient_edit,
        lead: PLAIN,
        broken_by: replacements_rebuild_result,
    },
    Target { name: "second_apply_is_idle", make: lines::any, lead: PLAIN, broken_by: second_apply_is_idle },
    Target { name: "whole_file_replaces", make: text::patient_edit, lead: PLAIN, broken_by: whole_file_replaces },
    Target { name: "window_vs_full_parse", make: lines::large, lead: None, broken_by: window_vs_full_parse },
];

impl Target {
    /// Finds a target by its name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        TARGETS.iter().find(|target| target.name == name)
    }

    /// Makes the edit that a fuzzer's bytes stand for; `None` if they are too few.
    #[must_use]
    pub fn make(&self, bytes: &[u8]) -> Option<Given> {
        (self.make)(&mut Unstructured::new(bytes)).ok()
    }

    /// Lists what an edit's answer breaks.
    #[must_use]
    pub fn broken_by(&self, given: &Given) -> Vec<String> {
        (self.broken_by)(given)
    }

    /// Gives bytes for a fuzzer to begin with, from an edit that is known; `None` if the target makes its own.
    #[must_use]
    pub fn seed(&self, given: &Given) -> Option<Vec<u8>> {
        self.lead.map(|lead| [lead, &text::seed(given)].concat())
    }
}

/// Tries a property on a fuzzer's bytes.
///
/// # Panics
///
/// If it doesn't hold, which is what a fuzzer looks for, or if there is no such target.
pub fn hold(name: &str, bytes: &[u8]) {
    let target = Target::named(name).expect("each fuzz target has its oracle");
    let Some(given) = target.make(bytes) else { return };
    let broken = target.broken_by(&given);
    assert!(broken.is_empty(), "{}\n{}", broken.join("\n"), given.to_json());
}

fn outcome(given: &Given) -> Option<Outcome> {
    Engine::default().apply(&given.edit()).ok()
}

/// The ties of unique lines are those that a search by hand finds.
fn anchors_vs_naive(given: &Given) -> Vec<String> {
    internals::anchors_vs_naive(&given.original, &given.snippet)
}

/// The alignment is the cheapest of all there are, and what passes for unambiguous is.
fn align_vs_naive(given: &Given) -> Vec<String> {
    internals::align_vs_naive(&given.original, &given.snippet, &given.description, given.add_missing_edges)
}

/// Any description is read: its ranges lie in the file, rise and are apart, and prose says nothing.
fn description_total(given: &Given) -> Vec<String> {
    let mut found = Vec::new();
    let n_lines = Source::new(&given.original).n_lines();
    // The texts of the edit all serve as descriptions.
    for text in [&given.description, &given.snippet, &given.original] {
        let (kinds, ranges) = internals::announced(text, n_lines);
        if ranges.iter().any(|range| range.is_empty() || range.end > n_lines) {
            found.push(format!("ranges that aren't in the file: {ranges:?} of {n_lines}"));
        }
        if ranges.windows(2).any(|pair| pair[0].end >= pair[1].start) {
            found.push(format!("ranges that don't rise or that touch: {ranges:?}"));
        }
        let is_field = |line: &str| {
            let name = line.split(':').next().unwrap_or_default().to_ascii_lowercase();
            line.contains(':') && ["type", "replace", "remove"].iter().any(|field| name.contains(field))
        };
        let fields: String = text.lines().filter(|line| is_field(line)).flat_map(|line| [line, "\n"]).collect();
        if internals::announced(&fields, n_lines) != (kinds.clone(), ranges.clone()) {
            found.push(format!("prose changes what is announced: {kinds:?} {ranges:?}"));
        }
        if fields.is_empty() && (!kinds.is_empty() || !ranges.is_empty()) {
            found.push(format!("announced without a field: {kinds:?} {ranges:?}"));
        }
        // Among prose the fields say the same.
        let among: String =
            fields.lines().flat_map(|line| ["See lines 1-3 of it.\n", line, "\n\n1. line 2\n"]).collect();
        if internals::announced(&among, n_lines) != (kinds, ranges) {
            found.push("a number in prose is taken for a line".to_owned());
        }
    }
    found
}

/// Every line that stays does so with its own bytes, and new lines end as the file's do.
fn kept_bytes_are_original(given: &Given) -> Vec<String> {
    outcome(given).map_or_else(Vec::new, |outcome| {
        let mut found = invariants::kept_bytes(&given.original, &outcome);
        found.extend(invariants::line_ends(given, &outcome));
        found
    })
}

/// The original with its replacements is the result, also by way of a unified diff.
fn replacements_rebuild_result(given: &Given) -> Vec<String> {
    outcome(given).map_or_else(Vec::new, |outcome| {
        let mut found = invariants::replacements(&given.original, &outcome);
        found.extend(invariants::diff(&given.original, &outcome));
        found
    })
}

/// A trusted edit, applied once more to its result, changes nothing or is flagged.
fn second_apply_is_idle(given: &Given) -> Vec<String> {
    outcome(given).and_then(|outcome| invariants::repeated(&Engine::default(), given, &outcome)).into_iter().collect()
}

/// References alone leave any file as it is, byte for byte, and are trusted.
///
/// Where the file holds nothing there is nothing to refer to; a NUL makes it no text.
fn references_only_is_identity(given: &Given) -> Vec<String> {
    let mut found = invariants::broken_by(given);
    if given.original.trim().is_empty() || given.original.contains('\0') {
        return found;
    }
    let Some(outcome) = outcome(given) else {
        found.push("references alone are refused".to_owned());
        return found;
    };
    if outcome.text() != given.original {
        found.push("references alone change the file".to_owned());
    }
    if !outcome.replacements().is_empty() {
        found.push("references alone have replacements".to_owned());
    }
    if !outcome.verdict().is_trusted() {
        found.push(format!("references alone are doubted: {:?}", outcome.verdict()));
    }
    found
}

/// An announced overwrite gives the new file line by line, blank lines and trailing blanks apart. Where every line
/// is marked `+` or `-` the file is what they say; what is wrapped may be without its wrapping.
fn whole_file_replaces(given: &Given) -> Vec<String> {
    let given = Given { description: "Type: overwrite".to_owned(), ..given.clone() };
    let Some(outcome) = outcome(&given) else { return Vec::new() };
    let mut found = invariants::line_ends(&given, &outcome);
    let plain = |text: &str| text.trim_start_matches('\u{feff}').to_owned();
    let (wanted, got) = (plain(&given.snippet), plain(outcome.text()));
    let is_wrapped = !outcome.wrapping().is_empty();
    let is_new_file = naive::is_right(&wanted, &got) || is_wrapped && naive::is_unwrapped(&wanted, &got);
    let must = match outcome.shape() {
        Shape::WholeFile => true,
        Shape::Lazy => outcome.verdict().is_trusted(),
        _ => false,
    };
    if must && !is_new_file {
        let diff = crate::judge::diff("snippet", &given.snippet, "result", outcome.text());
        found.push(format!("an overwrite doesn't give the new file: {:?}\n{diff}", outcome.verdict()));
    }
    found
}

/// What windows make of an edit is what a parse of the whole makes of it: no new error that only the whole shows,
/// and not another text that is trusted, too. Where the original has errors, a new one is only proof if the parser got over
/// the old ones as before ([`adds_an_error`]): how it recovers isn't stable.
fn window_vs_full_parse(given: &Given) -> Vec<String> {
    let mut options = Options::default();
    options.windows = false;
    let whole = Engine::new(options).apply(&given.edit());
    let (by_windows, whole) = match (Engine::default().apply(&given.edit()), whole) {
        (Ok(by_windows), Ok(whole)) => (by_windows, whole),
        (Err(_), Err(_)) => return Vec::new(),
        _ => return vec!["refused, but only with windows or only without".to_owned()],
    };
    let is_trusted = by_windows.verdict().is_trusted() && whole.verdict().is_trusted();
    let [status, of_whole] = [&by_windows, &whole].map(|outcome| outcome.validation().status);
    if by_windows.text() != whole.text() {
        let diff = crate::judge::diff("by windows", by_windows.text(), "of the whole", whole.text());
        return if is_trusted { vec![format!("windows and whole give two trusted texts\n{diff}")] } else { Vec::new() };
    }
    let is_proof = || whole.validation().original_errors == 0 || adds_an_error(given, &whole);
    if status == SyntaxStatus::Valid && of_whole == SyntaxStatus::Invalid && is_proof() {
        let errors = &whole.validation().new_errors;
        return vec![format!("windows call a text valid that has new errors: {errors:?}")];
    }
    Vec::new()
}

/// Says whether a result has an error within its new lines, and all other errors of both texts are the same ones, away from
/// what changed, and none of them leaves open what it lies in.
fn adds_an_error(given: &Given, whole: &Outcome) -> bool {
    let engine = Engine::default();
    let language = Language::from_path(&given.path);
    let errors = |text: &str| engine.check(text, language).map(|checked| checked.new_errors).unwrap_or_default();
    let (old, new) = (errors(&given.original), errors(whole.text()));
    let edits = whole.replacements();
    let is_new = |lines: LineRange| {
        edits.iter().any(|edit| edit.new_lines.start <= lines.start && lines.end <= edit.new_lines.end)
    };
    let (added, stayed): (Vec<_>, Vec<_>) = new.iter().partition(|error| is_new(error.lines));
    let in_result = |row: usize| {
        let last = edits[..edits.partition_point(|edit| edit.old_lines.end <= row)].last();
        last.map_or(row, |edit| row - edit.old_lines.end + edit.new_lines.end)
    };
    let is_away = |lines: LineRange| {
        edits.iter().all(|edit| lines.end + NEAR <= edit.old_lines.start || edit.old_lines.end + NEAR <= lines.start)
    };
    let stays = |(error, now): (&SyntaxError, &&SyntaxError)| {
        let leaves_open = error.message.starts_with("missing") || error.message.contains("never closed");
        !leaves_open
            && is_away(error.lines)
            && error.message == now.message
            && in_result(error.lines.start) == now.lines.start
    };
    !added.is_empty() && old.len() == stayed.len() && old.iter().zip(&stayed).all(stays)
}
