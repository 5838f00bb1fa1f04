//! What must hold for every outcome, whatever the edit.

use treegraft::{
    Edit, Engine, Equality, Ledger, LineRange, Outcome, Pair, RemovalCause, Shape, Source, Step, SyntaxStatus,
};

/// What was handed to the engine.
pub(crate) struct Given<'a> {
    pub(crate) path: &'a str,
    pub(crate) original: &'a str,
    pub(crate) snippet: &'a str,
    /// In place of a snippet.
    pub(crate) pairs: &'a [Pair<'a>],
    pub(crate) shape: Option<Shape>,
    pub(crate) description: &'a str,
    pub(crate) add_missing_edges: bool,
}

impl<'a> Given<'a> {
    /// Makes the edit, of the original or of another text.
    pub(crate) fn edit(&self, original: &'a str) -> Edit<'a> {
        let edit = match self.pairs {
            [] => Edit::new(self.path, original, self.snippet),
            pairs => Edit::pairs(self.path, original, pairs),
        };
        let edit = edit.description(self.description).add_missing_edges(self.add_missing_edges);
        // The machine may be busy: what is judged is the result, not how soon it is there.
        let edit = edit.budget(std::time::Duration::from_secs(60));
        match self.shape {
            Some(shape) => edit.shape(shape),
            None => edit,
        }
    }
}

/// Lists what an outcome breaks; empty if it is sound.
pub(crate) fn violations<'a>(engine: &Engine, given: &Given<'a>, edit: &Edit<'_>, outcome: &'a Outcome) -> Vec<String> {
    let mut found = Vec::new();
    found.extend(replacements(given.original, outcome));
    found.extend(ledger(given, outcome));
    found.extend(trust(given.original, outcome));
    found.extend(reasons(given, outcome));
    match engine.apply(edit) {
        Ok(again) if again.text() != outcome.text() => found.push("a second run gives another text".to_owned()),
        Ok(again) if again.verdict() != outcome.verdict() => {
            found.push("a second run gives another verdict".to_owned());
        }
        Ok(again) if again.replacements() != outcome.replacements() => {
            found.push("a second run gives other replacements".to_owned());
        }
        Ok(_) => {}
        Err(error) => found.push(format!("a second run is refused: {error}")),
    }
    found.extend(repeated(engine, given, outcome));
    found
}

/// Replacements rise, are disjoint, cover whole lines, and rebuild the result.
fn replacements(original: &str, outcome: &Outcome) -> Vec<String> {
    let mut found = Vec::new();
    let (old_lines, new_lines) = (Source::new(original), Source::new(outcome.text()));
    let mut rebuilt = String::with_capacity(outcome.text().len());
    let mut done = 0;
    for (n, replacement) in outcome.replacements().iter().enumerate() {
        let (start, end) = (replacement.bytes.start, replacement.bytes.end);
        if start < done || (n > 0 && start == done && start == end) {
            return vec![format!("replacement {n} at {start}..{end} doesn't lie after the one before it")];
        }
        let (Some(kept), Some(old)) = (original.get(done..start), original.get(start..end)) else {
            return vec![format!("replacement {n} at {start}..{end} doesn't fit the original")];
        };
        if old != replacement.old {
            found.push(format!("replacement {n}: `old` is not the original's text at {start}..{end}"));
        }
        if replacement.old == replacement.new {
            found.push(format!("replacement {n} replaces a text by itself"));
        }
        if lines_in(&old_lines, replacement.old_lines) != Some(replacement.old.as_str())
            || old_lines.line_start(replacement.old_lines.start) != start
        {
            found.push(format!("replacement {n}: {start}..{end} are not whole original {}", replacement.old_lines));
        }
        if lines_in(&new_lines, replacement.new_lines) != Some(replacement.new.as_str()) {
            found.push(format!("replacement {n}: `new` is not the result's text in {}", replacement.new_lines));
        }
        rebuilt.push_str(kept);
        rebuilt.push_str(&replacement.new);
        done = end;
    }
    rebuilt.push_str(original.get(done..).unwrap_or_default());
    if rebuilt != outcome.text() {
        found.push("original and replacements don't give the result".to_owned());
    }
    found
}

fn lines_in<'a>(source: &Source<'a>, lines: LineRange) -> Option<&'a str> {
    (lines.end <= source.n_lines()).then(|| source.slice(lines))
}

/// The ledger takes every line of both texts once, its anchors agree, and it tells the result line for line.
fn ledger(given: &Given<'_>, outcome: &Outcome) -> Vec<String> {
    let mut found = Vec::new();
    let (original, snippet) = (Source::new(given.original), Source::new(outcome.snippet()));
    let (counted, handed_in) = (snippet.n_lines(), Source::new(given.snippet).n_lines());
    // An added declaration gets blank lines around it; of pairs the places are counted.
    let may_grow = matches!(outcome.shape(), Shape::Bare | Shape::Pairs);
    if counted < handed_in || (counted > handed_in && !may_grow) {
        found.push("the snippet as counted has another number of lines than the one handed in".to_owned());
    }
    let steps = outcome.ledger().steps();
    if Ledger::new(steps.to_vec(), original.n_lines(), snippet.n_lines()).is_err() {
        return vec!["the ledger's steps don't take every line of both texts once and in order".to_owned()];
    }
    let mut told = Vec::new();
    for step in steps {
        if let Step::Anchor { original: old, snippet: new, equality } = *step {
            let (old, new) = (original.line(old), snippet.line(new));
            if !agree(old, new, equality) {
                found.push(format!("an anchor says {equality:?}, yet: {old:?} and {new:?}"));
            }
        }
        match (step, step.original(), step.snippet()) {
            (Step::New { .. }, _, Some(lines)) => told.extend(lines.iter().map(|line| snippet.line(line))),
            (step, Some(lines), _) if step.keeps() => told.extend(lines.iter().map(|line| original.line(line))),
            _ => {}
        }
    }
    // In a file whose lines end in a lone CR, a CR inside a new line ends that line, too.
    let plain = |text: String| text.replace('\r', "\n");
    let result = Source::new(outcome.text());
    let (told, written) = (plain(told.join("\n")), plain(result.lines().collect::<Vec<_>>().join("\n")));
    if told != written {
        let diff = super::judge::diff("told by the ledger", &told, "result", &written);
        found.push(format!("the ledger tells another result\n{diff}"));
    }
    found
}

fn agree(old: &str, new: &str, equality: Equality) -> bool {
    let bare = |line: &str| line.split_whitespace().collect::<String>();
    match equality {
        Equality::Exact => old == new,
        Equality::TrailingBlanks => old.trim_end() == new.trim_end(),
        Equality::Indentation => old.trim() == new.trim(),
        _ => bare(old) == bare(new),
    }
}

/// A trusted result hides no unexplained loss, no new syntax error and no marker.
fn trust(original: &str, outcome: &Outcome) -> Vec<String> {
    if !outcome.verdict().is_trusted() {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (lines, _) in outcome.ledger().removals().filter(|(_, cause)| *cause == RemovalCause::Unexplained) {
        found.push(format!("trusted although nothing explains that original {lines} are gone"));
    }
    if outcome.validation().status == SyntaxStatus::Invalid {
        found.push("trusted although there are new syntax errors".to_owned());
    }
    for line in outcome.text().lines().filter(|line| is_marker(line)) {
        if !original.contains(line.trim()) {
            found.push(format!("trusted although a marker is written: {line:?}"));
        }
    }
    found
}

fn is_marker(line: &str) -> bool {
    let line = line.to_lowercase();
    line.contains("... existing code ...") || line.contains("plandex: removed")
}

/// Reasons speak of lines that exist.
fn reasons(given: &Given<'_>, outcome: &Outcome) -> Vec<String> {
    let n_original = Source::new(given.original).n_lines();
    let n_snippet = Source::new(given.snippet).n_lines();
    let mut found = Vec::new();
    for reason in outcome.verdict().reasons() {
        let beyond = |lines: Option<LineRange>, count| lines.is_some_and(|lines| lines.end > count);
        if beyond(reason.original_lines, n_original) || beyond(reason.snippet_lines, n_snippet) {
            found.push(format!("{}: lines beyond the text: {reason:?}", reason.kind));
        }
        if reason.candidates.iter().any(|candidate| candidate.original_line > n_original) {
            found.push(format!("{}: a candidate beyond the original", reason.kind));
        }
        if reason.message.trim().is_empty() {
            found.push(format!("{}: no message", reason.kind));
        }
    }
    found
}

/// The same snippet once more, on its own trusted result, changes nothing or is flagged.
///
/// A doubtful result may be half a merge, which the second run then completes.
fn repeated<'a>(engine: &Engine, given: &Given<'a>, outcome: &'a Outcome) -> Option<String> {
    if !outcome.verdict().is_trusted() {
        return None;
    }
    let edit = given.edit(outcome.text());
    let again = engine.apply(&edit).ok()?;
    (again.verdict().is_trusted() && again.text() != outcome.text()).then(|| {
        let diff = super::judge::diff("once", outcome.text(), "twice", again.text());
        format!("applied to its own result it changes it again and is trusted\n{diff}")
    })
}
