//! What must hold for every outcome, whatever the edit: each a function that lists what is broken.

use treegraft::{
    Edit, Engine, Equality, Error, Ledger, LineRange, Outcome, RemovalCause, Shape, Source, Step, SyntaxStatus, unified,
};

use crate::{Given, judge, naive};

/// Applies an edit and lists what its answer breaks; empty if it is sound.
#[must_use]
pub fn broken_by(given: &Given) -> Vec<String> {
    let engine = Engine::default();
    let edit = given.edit();
    match engine.apply(&edit) {
        Ok(outcome) => violations(&engine, given, &edit, &outcome),
        Err(error) => refusal(given, &error),
    }
}

/// Lists what an outcome breaks; empty if it is sound.
#[must_use]
pub fn violations(engine: &Engine, given: &Given, edit: &Edit<'_>, outcome: &Outcome) -> Vec<String> {
    let mut found = in_one_run(given, outcome);
    if given.is_timeless() {
        found.extend(second_run(engine, edit, outcome));
        found.extend(repeated(engine, given, outcome));
    }
    found
}

/// Lists what an outcome breaks of what can be seen without another run.
#[must_use]
pub fn in_one_run(given: &Given, outcome: &Outcome) -> Vec<String> {
    let mut found = Vec::new();
    found.extend(replacements(&given.original, outcome));
    found.extend(diff(&given.original, outcome));
    found.extend(ledger(given, outcome));
    found.extend(kept_bytes(&given.original, outcome));
    found.extend(line_ends(given, outcome));
    found.extend(trust(given, outcome));
    found.extend(reasons(given, outcome));
    found
}

/// Only what can't be worked on is refused.
fn refusal(given: &Given, error: &Error) -> Vec<String> {
    let is_right = match error {
        Error::NotText { .. } => given.original.contains('\0') || given.snippet.contains('\0'),
        // A fence around nothing is empty, too, and so is the file's path alone.
        Error::EmptySnippet => {
            let is_around = |line: &str| {
                line.trim_start().starts_with("```") || !given.path.is_empty() && line.contains(&given.path)
            };
            !given.original.is_empty() && given.snippet.lines().all(|line| line.trim().is_empty() || is_around(line))
        }
        // What breaks the rules of its shape; none breaks those of lines.
        Error::Malformed { shape, .. } => !matches!(shape, Shape::Lazy | Shape::WholeFile | Shape::Bare),
        Error::OtherShape { .. } => given.shape.is_some(),
        _ => false,
    };
    if is_right { Vec::new() } else { vec![format!("refused: {error}")] }
}

/// Replacements rise, are disjoint, cover whole lines, are as small as whole lines allow, and rebuild the result.
#[must_use]
pub fn replacements(original: &str, outcome: &Outcome) -> Vec<String> {
    let mut found = Vec::new();
    let (old_lines, new_lines) = (Source::new(original), Source::new(outcome.text()));
    // A lone CR in new text may make itself a line end, where there is no other. A byte order mark in front of a new
    // line that becomes the first one belongs to no line.
    let lone = has_lone_cr(outcome.text()) || has_inner_mark(outcome.snippet());
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
        if !lone && lines_in(&new_lines, replacement.new_lines) != Some(replacement.new.as_str()) {
            found.push(format!("replacement {n}: `new` is not the result's text in {}", replacement.new_lines));
        }
        let (before, after) = (Source::new(&replacement.old), Source::new(&replacement.new));
        let edge = |source: &Source<'_>, line: usize| source.slice(LineRange::new(line, line + 1)).to_owned();
        if !lone && !before.is_empty() && !after.is_empty() {
            let ends_alike = edge(&before, before.n_lines() - 1) == edge(&after, after.n_lines() - 1);
            if edge(&before, 0) == edge(&after, 0) || ends_alike {
                found.push(format!("replacement {n} writes an edge line as it was"));
            }
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

/// The unified diff of the replacements, applied by the book, gives the result.
#[must_use]
pub fn diff(original: &str, outcome: &Outcome) -> Vec<String> {
    let diff = unified(original, outcome.replacements(), "a", "b", 1);
    match naive::patched(original, &diff) {
        Ok(text) if text == outcome.text() => Vec::new(),
        Ok(_) => vec![format!("the unified diff gives another text\n{diff}")],
        Err(message) => vec![format!("the unified diff can't be applied: {message}\n{diff}")],
    }
}

/// The ledger takes every line of both texts once, its anchors agree, and it tells the result line for line.
#[must_use]
pub fn ledger(given: &Given, outcome: &Outcome) -> Vec<String> {
    let mut found = Vec::new();
    let (original, snippet) = (Source::new(&given.original), Source::new(outcome.snippet()));
    let (counted, handed_in) = (snippet.n_lines(), Source::new(&given.snippet).n_lines());
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
    // A lone CR at a line's end and the terminator after it read as CRLF, and in a file whose lines end in a lone CR
    // one inside a new line ends that line, too. A blank last line without final newline reads as a final newline.
    let lone = has_lone_cr(&given.original) || has_lone_cr(&given.snippet);
    let plain = |text: String| {
        let lines: Vec<&str> = text.split(['\r', '\n']).filter(|line| !(lone && line.is_empty())).collect();
        lines.join("\n").trim_end_matches('\n').to_owned()
    };
    let result = Source::new(outcome.text());
    let (told, written) = (plain(told.join("\n")), plain(result.lines().collect::<Vec<_>>().join("\n")));
    if told != written && !has_inner_mark(outcome.snippet()) {
        let diff = judge::diff("told by the ledger", &told, "result", &written);
        found.push(format!("the ledger tells another result\n{diff}"));
    }
    found
}

fn has_inner_mark(text: &str) -> bool {
    text.contains('\u{feff}')
}

fn has_lone_cr(text: &str) -> bool {
    text.replace("\r\n", "").contains('\r')
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

/// Read from the ledger byte by byte, every line that stays is in the result with its own bytes, line end included,
/// and between two such runs there are new lines and nothing else.
///
/// The last line of a file without a final newline may get a line end when something follows it.
#[must_use]
pub fn kept_bytes(original: &str, outcome: &Outcome) -> Vec<String> {
    if has_inner_mark(outcome.snippet()) {
        return Vec::new();
    }
    let (old, snippet) = (Source::new(original), Source::new(outcome.snippet()));
    let mut rest = outcome.text();
    let mark = &original[..old.line_start(0)];
    let Some(after_mark) = rest.strip_prefix(mark) else {
        return vec!["the byte order mark is lost".to_owned()];
    };
    rest = after_mark;
    let mut all = Vec::new();
    for step in outcome.ledger().steps() {
        match (step, step.original(), step.snippet()) {
            (Step::New { .. }, _, Some(lines)) => all.extend(lines.iter().map(|line| (snippet.line(line), None))),
            (step, Some(lines), _) if step.keeps() => {
                all.extend(lines.iter().map(|line| (old.line(line), Some(old.terminator(line)))));
            }
            _ => {}
        }
    }
    let n_lines = all.len();
    for (n, (line, end)) in all.into_iter().enumerate() {
        let is_last = n + 1 == n_lines;
        let Some(after) = rest.strip_prefix(line) else {
            return vec![format!("line {n} of the result should be {line:?}, there is {:?}", rest.lines().next())];
        };
        let ends: &[&str] = match end {
            // Nothing follows: the line stays as it was.
            Some(end) if !end.is_empty() || is_last => &[end],
            _ if is_last => &["\r\n", "\n", "\r", ""],
            _ => &["\r\n", "\n", "\r"],
        };
        let Some(after) = ends.iter().find_map(|end| after.strip_prefix(end)) else {
            return vec![format!("line {n} of the result, {line:?}, should end in one of {ends:?}")];
        };
        rest = after;
    }
    if rest.is_empty() { Vec::new() } else { vec![format!("nothing tells where this is from: {rest:?}")] }
}

/// New lines end as lines of the file do, and the final newline is the file's.
#[must_use]
pub fn line_ends(given: &Given, outcome: &Outcome) -> Vec<String> {
    let (old, new) = (Source::new(&given.original), Source::new(outcome.text()));
    let mut found = Vec::new();
    let ends: Vec<&str> = (0..old.n_lines()).map(|line| old.terminator(line)).filter(|end| !end.is_empty()).collect();
    // A lone CR at the end of a line that stays or is written makes a CRLF of the line end behind it.
    let lone = has_lone_cr(&given.original) || has_lone_cr(&given.snippet);
    if !ends.is_empty() && !lone {
        let foreign =
            (0..new.n_lines()).map(|line| new.terminator(line)).find(|end| !end.is_empty() && !ends.contains(end));
        if let Some(end) = foreign {
            found.push(format!("a line ends in {end:?}, which no line of the file does"));
        }
    }
    let (was, is) = (old.has_final_newline(), new.has_final_newline());
    let whole = outcome.shape().as_str() == "whole_file";
    // A whole new file may bring a final newline along. A last line that is blank and has none can't be told from one.
    // And where the last lines go, the one above them stays as it is.
    let last_goes = outcome.ledger().removals().any(|(lines, _)| lines.end == old.n_lines())
        && outcome.replacements().last().is_some_and(|last| last.new.is_empty());
    let blank_last = [&given.original, &given.snippet].iter().any(|text| {
        let source = Source::new(text);
        source.n_lines().checked_sub(1).is_some_and(|last| source.line(last).trim().is_empty())
    });
    if !old.is_empty() && !new.is_empty() && !blank_last && !lone {
        if was && !is {
            found.push("the final newline is lost".to_owned());
        } else if !was && is && !whole && !last_goes {
            found.push("there is a final newline where there was none".to_owned());
        }
    }
    found
}

/// A trusted result hides no unexplained loss, no new syntax error and no marker, and is no other text than the one
/// that is known to be right.
#[must_use]
pub fn trust(given: &Given, outcome: &Outcome) -> Vec<String> {
    let reasons = outcome.verdict().reasons();
    if outcome.verdict().is_trusted() != reasons.is_empty() {
        return vec!["trusted with reasons, or doubtful without".to_owned()];
    }
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
    // Lines as the engine counts them: a file may have no other line end than CR.
    for line in Source::new(outcome.text()).lines().filter(|line| is_marker(line)) {
        if !given.original.contains(line.trim()) {
            found.push(format!("trusted although a marker is written: {line:?}"));
        }
    }
    if let Some(wanted) = given.wanted.as_deref().filter(|wanted| !naive::is_right(wanted, outcome.text())) {
        found.push(format!("trusted and wrong\n{}", judge::diff("wanted", wanted, "got", outcome.text())));
    }
    found.extend(naive::disproof(given, outcome).map(|proof| format!("trusted, but {proof}")));
    found
}

/// Says whether nobody would write the line in a file. A string that holds a marker is no marker.
fn is_marker(line: &str) -> bool {
    let line = line.trim().to_lowercase();
    let sign = ["//", "#", "/*", "<!--", "{/*", "--", "... existing"].iter().any(|sign| line.starts_with(sign));
    sign && (line.contains("... existing code ...") || line.contains("plandex: removed"))
}

/// Reasons speak of lines that exist.
#[must_use]
pub fn reasons(given: &Given, outcome: &Outcome) -> Vec<String> {
    let n_original = Source::new(&given.original).n_lines();
    let n_snippet = Source::new(&given.snippet).n_lines();
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

/// The same edit gives the same answer.
fn second_run(engine: &Engine, edit: &Edit<'_>, outcome: &Outcome) -> Option<String> {
    match engine.apply(edit) {
        Ok(again) if again.text() != outcome.text() => Some("a second run gives another text".to_owned()),
        Ok(again) if again.verdict() != outcome.verdict() => Some("a second run gives another verdict".to_owned()),
        Ok(again) if again.replacements() != outcome.replacements() => {
            Some("a second run gives other replacements".to_owned())
        }
        Ok(again) if again.ledger() != outcome.ledger() => Some("a second run gives another ledger".to_owned()),
        Ok(_) => None,
        Err(error) => Some(format!("a second run is refused: {error}")),
    }
}

/// The same snippet once more, on its own trusted result, changes nothing or is flagged, blank lines apart.
///
/// A doubtful result may be half a merge, which the second run then completes. A blank line beside a marker is layout:
/// it may be taken for another one once the text around it has changed. Nor does it count where white space was
/// converted: with the new text in the file less may say that it has to be.
#[must_use]
pub fn repeated(engine: &Engine, given: &Given, outcome: &Outcome) -> Option<String> {
    // Blank lines that an added declaration gets are no conversion, and pairs are never converted.
    let code = |text| str::lines(text).filter(|line| !line.trim().is_empty());
    let converted = given.pairs.is_empty() && !code(&given.snippet).eq(code(outcome.snippet()));
    if !outcome.verdict().is_trusted() || converted {
        return None;
    }
    let again = engine.apply(&given.edit_of(outcome.text())).ok()?;
    (again.verdict().is_trusted() && !naive::is_right(outcome.text(), again.text())).then(|| {
        let diff = judge::diff("once", outcome.text(), "twice", again.text());
        format!("applied to its own result it changes it again and is trusted\n{diff}")
    })
}
