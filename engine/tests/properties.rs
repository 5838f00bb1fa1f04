//! What must hold for any edit, on random texts with many equal lines and on random small programs.
//!
//! Each property is bounded so that all of them together take some seconds in a debug build, and starts from a
//! fixed seed so that equal runs try equal cases. `PROPTEST_CASES=5000 cargo test -p treegraft --all-features --test properties`
//! looks further, from a new seed each time.
#![allow(clippy::disallowed_methods, reason = "the environment says how far to look")]

use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::RngSeed;
use treegraft::{Edit, Engine, Outcome};
use treegraft_oracles::Given;
use treegraft_oracles::invariants::violations;
use treegraft_oracles::judge;

const N_CASES: u32 = 600;

fn config() -> ProptestConfig {
    config_of(N_CASES)
}

/// The configuration of properties that cost more than others.
fn config_of(cases: u32) -> ProptestConfig {
    let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::default() };
    if std::env::var("PROPTEST_CASES").is_ok() {
        return config;
    }
    ProptestConfig { cases, rng_seed: RngSeed::Fixed(0x7ee6), ..config }
}

/// Applies `snippet` and holds the outcome against all invariants; `None` if it is refused.
fn apply(path: &str, original: &str, snippet: &str, description: &str) -> Result<Option<Outcome>, TestCaseError> {
    let engine = Engine::default();
    let given = Given::new(path, original, snippet).description(description);
    let edit = given.edit();
    let Ok(outcome) = engine.apply(&edit) else { return Ok(None) };
    let found = violations(&engine, &given, &edit, &outcome);
    prop_assert!(
        found.is_empty(),
        "{path}\n--- original\n{original}\n--- snippet\n{snippet}\n--- description\n{description}\n--- result \
         {:?}\n{}\n--- broken\n{}",
        outcome.verdict(),
        outcome.text(),
        found.join("\n")
    );
    Ok(Some(outcome))
}

/// A line from a small alphabet: most lines of a text occur in it more than once.
fn common_line() -> impl Strategy<Value = &'static str> {
    select(vec![
        "",
        "}",
        "    }",
        "    return nil",
        "        }",
        "a()",
        "    a()",
        "    b()",
        "\tc()",
        "x = 1",
        "end",
        "# note",
    ])
}

/// A text of such lines, with any line end and final newline.
fn common_text(max_lines: usize) -> impl Strategy<Value = String> {
    let lines = prop::collection::vec(common_line(), 0..=max_lines);
    (lines, select(vec!["\n", "\n", "\r\n"]), any::<bool>()).prop_map(|(lines, end, ends)| {
        let mut text = lines.join(end);
        if ends && !lines.is_empty() {
            text.push_str(end);
        }
        text
    })
}

/// A snippet of such lines, of new lines and of references.
fn common_snippet() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        6 => common_line(),
        2 => select(vec!["    new_call()", "def fresh():", "fn fresh() {", "    // a note on the rest..."]),
        2 => select(vec!["// ... existing code ...", "# ... existing code ...", "    // ... existing code ..."]),
        1 => select(vec!["// Plandex: removed code", "+    added()", "-    a()", "```"]),
    ];
    prop::collection::vec(line, 0..14).prop_map(|lines| lines.join("\n") + "\n")
}

fn any_description() -> impl Strategy<Value = String> {
    let kind = select(vec!["", "Type: add", "Type: replace", "Type: remove", "Type: append", "Type: overwrite"]);
    (kind, prop::option::of((0_usize..20, 0_usize..20))).prop_map(|(kind, range)| match range {
        Some((from, to)) => format!("{kind}\nReplace: lines {from}-{to}\n"),
        None => kind.to_owned(),
    })
}

fn any_path() -> impl Strategy<Value = &'static str> {
    select(vec!["a.go", "a.py", "a.js", "a.ts", "a.tsx", "a.rs", "a.json", "a.txt", "Makefile", ""])
}

/// How a small language writes a function.
#[derive(Debug, Clone, Copy)]
struct Dialect {
    path: &'static str,
    sign: &'static str,
    open: &'static str,
    close: &'static str,
}

const DIALECTS: [Dialect; 4] = [
    Dialect { path: "p.go", sign: "//", open: "func NAME() {", close: "}" },
    Dialect { path: "p.py", sign: "#", open: "def NAME():", close: "" },
    Dialect { path: "p.js", sign: "//", open: "function NAME() {", close: "}" },
    Dialect { path: "p.rs", sign: "//", open: "fn NAME() {", close: "}" },
];

/// Functions with unique names, each a list of statements of which many occur in several functions.
#[derive(Debug, Clone)]
struct Program {
    dialect: Dialect,
    functions: Vec<Vec<String>>,
}

impl Program {
    fn function(&self, n: usize, body: &[String]) -> String {
        let Dialect { path, open, close, .. } = self.dialect;
        let mut text = open.replace("NAME", &format!("task_{n}")) + "\n";
        for statement in body {
            let end = if path == "p.rs" || path == "p.js" { ";" } else { "" };
            text.extend(["    ", statement, end, "\n"]);
        }
        if !close.is_empty() {
            text.push_str(close);
            text.push('\n');
        }
        text
    }

    fn text(&self) -> String {
        let functions: Vec<_> = self.functions.iter().enumerate().map(|(n, body)| self.function(n, body)).collect();
        functions.join("\n")
    }

    fn reference(&self) -> String {
        format!("{} ... existing code ...\n", self.dialect.sign)
    }
}

fn statement() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => select(vec!["step()", "done()", "log(1)", "log(2)"]).prop_map(str::to_owned),
        2 => (0_u32..40).prop_map(|n| format!("work({n})")),
    ]
}

fn program() -> impl Strategy<Value = Program> {
    let functions = prop::collection::vec(prop::collection::vec(statement(), 1..6), 2..7);
    (select(DIALECTS.to_vec()), functions).prop_map(|(dialect, functions)| Program { dialect, functions })
}

/// An edit of one function's body.
#[derive(Debug, Clone)]
enum Change {
    Insert(Index),
    Replace(Index),
    Body(Vec<String>),
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        any::<Index>().prop_map(Change::Insert),
        any::<Index>().prop_map(Change::Replace),
        prop::collection::vec(statement(), 1..5).prop_map(Change::Body),
    ]
}

fn changed(body: &[String], change: &Change) -> Vec<String> {
    let mut body = body.to_vec();
    match change {
        Change::Insert(at) => body.insert(at.index(body.len() + 1), "fresh_call(77)".to_owned()),
        Change::Replace(at) => {
            let at = at.index(body.len());
            "fresh_call(78)".clone_into(&mut body[at]);
        }
        Change::Body(new) => body.clone_from(new),
    }
    body
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn texts_of_equal_lines_keep_all_invariants(
        path in any_path(), original in common_text(20), snippet in common_snippet(), description in any_description(),
    ) {
        apply(path, &original, &snippet, &description)?;
    }

    #[test]
    fn anything_at_all_is_answered(
        path in any_path(), original in "\\PC{0,60}|[\u{0}-\u{ff}\n]{0,60}", snippet in "\\PC{0,60}|[\u{0}-\u{ff}\n]{0,60}",
        description in "\\PC{0,40}|(Type|Replace|Remove): [a-z0-9 ,–-]{0,20}",
    ) {
        apply(path, &original, &snippet, &description)?;
    }

    #[test]
    fn any_bytes_are_answered(
        original in prop::collection::vec(any::<u8>(), 0..40), snippet in prop::collection::vec(any::<u8>(), 0..40),
    ) {
        if let Ok(edit) = Edit::from_bytes("a.rs", &original, &snippet) {
            // An answer is all that is asked for; what it is the other properties judge.
            let _answer = Engine::default().apply(&edit);
        }
    }

    #[test]
    fn references_only_are_the_identity(
        path in any_path(), original in common_text(20), sign in select(vec!["//", "#"]),
        blanks in prop::collection::vec(any::<bool>(), 1..4),
    ) {
        let reference = format!("{sign} ... existing code ...\n");
        let snippet: String = blanks.iter().flat_map(|&blank| [reference.as_str(), if blank { "\n" } else { "" }]).collect();
        // Over an empty file, or one that is blank throughout, there is nothing to refer to.
        prop_assume!(!original.trim().is_empty());
        let outcome = apply(path, &original, &snippet, "")?;
        let outcome = outcome.ok_or_else(|| TestCaseError::fail("refused"))?;
        prop_assert_eq!(outcome.text(), &original);
        prop_assert!(outcome.verdict().is_trusted(), "{:?}", outcome.verdict());
        prop_assert!(outcome.replacements().is_empty());
    }

    #[test]
    fn an_announced_overwrite_gives_the_new_file(path in any_path(), original in common_text(12), new in common_text(12)) {
        prop_assume!(!new.trim().is_empty());
        let outcome = apply(path, &original, &new, "Type: overwrite")?;
        let outcome = outcome.ok_or_else(|| TestCaseError::fail("refused"))?;
        // Line ends and the final newline are the file's where the file has any.
        let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
        prop_assert_eq!(lines(outcome.text()), lines(&new), "of {:?} and {:?}", original, new);
        if original.contains("\r\n") {
            prop_assert!(!outcome.text().replace("\r\n", "").contains('\n'), "a bare LF in {:?}", outcome.text());
        } else if original.contains('\n') {
            prop_assert!(!outcome.text().contains('\r'), "a CR in {:?}", outcome.text());
        }
        if original.ends_with('\n') {
            prop_assert!(outcome.text().ends_with('\n'), "the final newline is lost: {:?}", outcome.text());
        }
    }

    #[test]
    fn a_changed_function_shown_in_full_lands_or_is_flagged(
        program in program(), at in any::<Index>(), change in change(), announced in any::<bool>(),
    ) {
        let at = at.index(program.functions.len());
        let body = changed(&program.functions[at], &change);
        let mut new = program.clone();
        new.functions[at].clone_from(&body);
        let reference = program.reference();
        let mut snippet = if at > 0 { format!("{reference}\n") } else { String::new() };
        snippet.push_str(&program.function(at, &body));
        if at + 1 < program.functions.len() {
            snippet.push('\n');
            snippet.push_str(&reference);
        }
        let description = if announced {
            let before: usize = (0..at).map(|n| program.function(n, &program.functions[n]).lines().count() + 1).sum();
            let end = before + program.function(at, &program.functions[at]).lines().count();
            format!("Type: replace\nReplace: lines {}-{end}", before + 1)
        } else {
            String::new()
        };
        lands_or_is_flagged(&program, &new, &snippet, &description)?;
    }

    #[test]
    fn a_new_function_between_elided_neighbours_lands_or_is_flagged(
        program in program(), at in any::<Index>(), body in prop::collection::vec(statement(), 1..4),
    ) {
        let at = 1 + at.index(program.functions.len() - 1);
        let elided = |n: usize| program.function(n, &["HOLE".to_owned()]);
        let hole = format!("    {} ... existing code ...\n", program.dialect.sign);
        let fresh = program.function(900, &body);
        let snippet = format!("{}\n{fresh}\n{}", elided(at - 1), elided(at))
            .replace("    HOLE;\n", &hole)
            .replace("    HOLE\n", &hole);
        let parts: Vec<_> = program.functions.iter().enumerate().map(|(n, body)| program.function(n, body)).collect();
        let mut wanted = parts.clone();
        wanted.insert(at, fresh);
        let reference = program.reference();
        let snippet = format!("{reference}\n{snippet}\n{reference}");
        lands(program.dialect.path, &program.text(), &wanted.join("\n"), &snippet, "Type: add")?;
    }

    #[test]
    fn a_snippet_cut_from_a_known_edit_lands_or_is_flagged(
        lines in prop::collection::vec(prop_oneof![1 => common_line().prop_map(str::to_owned), 2 => "[a-d]{1,2}\\([0-9]\\)"], 4..24),
        at in any::<Index>(), n_old in 0_usize..3, n_new in 0_usize..3, context in 1_usize..4,
    ) {
        prop_assume!(n_old + n_new > 0);
        let start = at.index(lines.len());
        let end = (start + n_old).min(lines.len());
        let fresh: Vec<String> = (0..n_new).map(|n| format!("fresh_call({n})")).collect();
        let mut new = lines.clone();
        new.splice(start..end, fresh.clone());
        let (before, after) = (start.saturating_sub(context), (end + context).min(lines.len()));
        let mut snippet = vec!["// ... existing code ...".to_owned()];
        snippet.extend_from_slice(&lines[before..start]);
        snippet.extend(fresh);
        snippet.extend_from_slice(&lines[end..after]);
        snippet.push("// ... existing code ...".to_owned());
        let description = match (n_old, n_new) {
            (0, _) => "Type: add".to_owned(),
            (_, 0) => format!("Type: remove\nRemove: lines {}-{end}", start + 1),
            _ => format!("Type: replace\nReplace: lines {}-{end}", start + 1),
        };
        let text = |lines: &[String]| lines.join("\n") + "\n";
        lands("a.txt", &text(&lines), &text(&new), &text(&snippet), &description)?;
    }
}

/// How the same edit of one function may be written down.
#[derive(Debug, Clone, Copy)]
enum Form {
    Function,
    Elided,
    PlusMinus,
    WholeFile,
    Removal,
}

const FORMS: [Form; 5] = [Form::Function, Form::Elided, Form::PlusMinus, Form::WholeFile, Form::Removal];

proptest! {
    #![proptest_config(config_of(N_CASES / 2))]

    #[test]
    fn an_edit_that_is_there_changes_nothing(
        program in program(), at in any::<Index>(), line in any::<Index>(), form in select(FORMS.to_vec()),
    ) {
        let at = at.index(program.functions.len());
        let mut old = program.clone();
        // Lines that stand once, so that the place is known.
        old.functions[at] = (0..4).map(|n| format!("own_{n}(1)")).collect();
        let line = 1 + line.index(2);
        let mut new = old.clone();
        match form {
            Form::Removal => drop(new.functions[at].remove(line)),
            _ => new.functions[at].insert(line, "fresh_call(82)".to_owned()),
        }
        let (reference, shown) = (program.reference(), program.function(at, &new.functions[at]));
        let lines: Vec<&str> = shown.lines().collect();
        let snippet = match form {
            Form::Function => format!("{reference}\n{shown}\n{reference}"),
            Form::Elided => format!("{reference}\n{}\n    {reference}{}", lines[0], lines[line..].join("\n")) + "\n\n" + &reference,
            Form::PlusMinus => {
                let body = lines.iter().enumerate().map(|(n, text)| if n == 1 + line { format!("+{text}\n") } else { format!(" {text}\n") });
                format!("@@\n-{}\n+{}\n{}@@\n", lines[0], lines[0], body.skip(1).collect::<String>())
            }
            Form::WholeFile => new.text(),
            Form::Removal => {
                let mark = format!("    {} Plandex: removed code", program.dialect.sign);
                let mut lines = lines;
                lines.insert(1 + line, &mark);
                format!("{reference}\n{}\n\n{reference}", lines.join("\n"))
            }
        };
        let path = program.dialect.path;
        let outcome = apply(path, &old.text(), &snippet, "")?.ok_or_else(|| TestCaseError::fail("refused"))?;
        prop_assume!(outcome.verdict().is_trusted());
        let again = apply(path, outcome.text(), &snippet, "")?.ok_or_else(|| TestCaseError::fail("refused"))?;
        let told = format!("{form:?}\n--- snippet\n{snippet}\n--- file\n{}\n{:?}", outcome.text(), again.verdict());
        prop_assert_eq!(again.text(), outcome.text(), "{}", told);
        prop_assert!(again.replacements().is_empty(), "{}", told);
        // A marker for what is gone already may stand for more.
        prop_assert!(again.already_applied() || matches!(form, Form::Removal), "{}", told);
    }
}

/// What a model writes for what it doesn't show, without a comment sign.
fn marker() -> impl Strategy<Value = String> {
    let thing =
        || select(vec!["code", "imports", "methods", "functions", "tests", "fields", "helper setup", "error handling"]);
    let opening = || select(vec!["existing", "remaining", "the existing", "rest of the", "unchanged"]);
    let said = select(vec![
        "rest of the code remains the same",
        "keep the other methods",
        "existing code",
        "the rest is unchanged",
        "[...]",
        "(rest unchanged)",
        "no changes here",
        "existing methods",
        "remaining tests",
        "--- existing code ---",
        "<existing code>",
        "⋮",
        "…",
        "...",
    ]);
    prop_oneof![
        3 => said.prop_map(str::to_owned),
        2 => (opening(), thing()).prop_map(|(opening, thing)| format!("... {opening} {thing} ...")),
        2 => "[a-z]{2,8}( [a-z]{2,8}){0,3}".prop_map(|words| format!("... {words} ...")),
        1 => (opening(), thing()).prop_map(|(opening, thing)| format!("... {opening} {thing}")),
        1 => (opening(), thing()).prop_map(|(opening, thing)| format!("{opening} {thing}...")),
        1 => (opening(), thing()).prop_map(|(opening, thing)| format!("…{opening} {thing}…")),
    ]
}

/// A marker as a line, in any comment form, one in three without any.
fn marker_lines() -> impl Strategy<Value = String> {
    let form = select(vec![
        "// X",
        "# X",
        "/* X */",
        "<!-- X -->",
        "{/* X */}",
        "-- X",
        "(* X *)",
        "\"\"\"X\"\"\"",
        "/*\n * X\n */",
        "<!--\nX\n-->",
    ]);
    (marker(), form).prop_map(|(marker, form)| form.replace('X', &marker))
}

proptest! {
    #![proptest_config(config_of(N_CASES / 3))]

    #[test]
    fn no_marker_is_trusted_into_a_result(
        program in program(), at in any::<Index>(), line in any::<Index>(), marker in marker_lines(), n_gone in 0_usize..3,
        behind in any::<bool>(),
    ) {
        let at = at.index(program.functions.len());
        let function = program.function(at, &program.functions[at]);
        let mut lines: Vec<String> = function.lines().map(str::to_owned).collect();
        let line = 1 + line.index(lines.len());
        let end = (line + n_gone).min(lines.len());
        if behind && !marker.contains('\n') && !marker.starts_with("\"\"\"") {
            // Behind code, as in a body on one line.
            let code = format!("{} {marker}", lines[line - 1]);
            lines.splice(line - 1..end, [code]);
        } else {
            lines.splice(line..end, marker.lines().map(|part| format!("    {part}")));
        }
        lines.insert(1, "    fresh_call(80)".to_owned() + if program.dialect.sign == "//" { ";" } else { "" });
        let reference = program.reference();
        let snippet = format!("{reference}\n{}\n\n{reference}", lines.join("\n"));
        let (original, path) = (program.text(), program.dialect.path);
        let outcome = apply(path, &original, &snippet, "")?.ok_or_else(|| TestCaseError::fail("refused"))?;
        let is_left = marker.lines().any(|part| {
            let text = part.trim_matches(|c: char| "/*#<>!-{}()\"' .…⋮[]=".contains(c));
            outcome.text().lines().any(|line| if text.is_empty() { line.trim() == part.trim() } else { line.contains(text) })
        });
        prop_assert!(
            !outcome.verdict().is_trusted() || !is_left,
            "a marker is trusted\n--- snippet\n{snippet}\n--- result\n{}",
            outcome.text()
        );
    }

    #[test]
    fn text_of_the_file_that_reads_like_a_marker_survives(
        program in program(), at in any::<Index>(), other in any::<Index>(), line in any::<Index>(), marker in marker(),
        is_shown in any::<bool>(),
    ) {
        let at = at.index(program.functions.len());
        let mut old = program.clone();
        let line = line.index(old.functions[at].len() + 1);
        // The canonical wording is never a line of a file.
        prop_assume!(!["... existing code ...", "... rest of the code ...", "…existing code…", "…rest of the code…"].contains(&&*marker));
        let sign = program.dialect.sign;
        let alike = format!("{sign} {marker}");
        let text = |program: &Program| program.text().replace("LOOK_ALIKE;", &alike).replace("LOOK_ALIKE", &alike);
        old.functions[at].insert(line, "LOOK_ALIKE".to_owned());
        // Either the function with the line is shown with a change, or another one.
        let shown = if is_shown { at } else { other.index(program.functions.len()) };
        let mut new = old.clone();
        new.functions[shown].push("fresh_call(81)".to_owned());
        let reference = program.reference();
        let function = program.function(shown, &new.functions[shown]);
        let function = function.replace("LOOK_ALIKE;", &alike).replace("LOOK_ALIKE", &alike);
        let snippet = format!("{reference}\n{function}\n{reference}");
        lands(program.dialect.path, &text(&old), &text(&new), &snippet, "")?;
    }
}

/// What another engine may do to a line that is none of the edit's business.
#[derive(Debug, Clone, Copy)]
enum Damage {
    Drop,
    Rewrite,
    Double,
    Indent,
    Pad,
    Placeholder,
}

const DAMAGES: [Damage; 6] =
    [Damage::Drop, Damage::Rewrite, Damage::Double, Damage::Indent, Damage::Pad, Damage::Placeholder];

/// Does it to line `at` of a text, and to its ends.
fn damaged(text: &str, at: usize, damage: Damage, crlf: bool, cut: bool, sign: &str) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let line = lines[at].clone();
    match damage {
        Damage::Drop => drop(lines.remove(at)),
        Damage::Rewrite => lines[at] = format!("{line} rewritten"),
        Damage::Double => lines.insert(at, line),
        Damage::Indent => lines[at] = format!("\t{line}"),
        Damage::Pad => lines[at] = format!("{line}  "),
        Damage::Placeholder => lines.insert(at, format!("{sign} ... existing code ...")),
    }
    let end = if crlf { "\r\n" } else { "\n" };
    lines.join(end) + if cut { "" } else { end }
}

/// Counts lines that aren't blank by their text, blanks at the ends apart.
fn counted(text: &str) -> std::collections::BTreeMap<&str, usize> {
    let mut counts = std::collections::BTreeMap::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        *counts.entry(line).or_default() += 1;
    }
    counts
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn damage_outside_of_an_edit_is_found_and_repaired(
        program in program(), at in any::<Index>(), line in any::<Index>(), damage in select(DAMAGES.to_vec()),
        crlf in any::<bool>(), cut in any::<bool>(),
    ) {
        let at = at.index(program.functions.len());
        let mut new = program.clone();
        new.functions[at].insert(0, "fresh_call(79)".to_owned());
        let (original, reference) = (program.text(), program.reference());
        let snippet = format!("{reference}\n{}\n{reference}", program.function(at, &new.functions[at]));
        let edit = Edit::new(program.dialect.path, &original, &snippet);
        let engine = Engine::default();
        let outcome = engine.apply(&edit).map_err(|error| TestCaseError::fail(error.to_string()))?;
        prop_assume!(outcome.verdict().is_trusted());
        let sound = outcome.text();
        let ours = engine.verify(&edit, sound).map_err(|error| TestCaseError::fail(error.to_string()))?;
        prop_assert!(ours.is_clean() && ours.repaired() == sound, "{:?}", ours.findings());

        // Anywhere but in the function that is edited, and on the blank lines beside it.
        let start: usize = (0..at).map(|n| program.function(n, &program.functions[n]).lines().count() + 1).sum();
        let edited = start.saturating_sub(1)..start + program.function(at, &new.functions[at]).lines().count() + 1;
        let free: Vec<usize> = (0..sound.lines().count()).filter(|line| !edited.contains(line)).collect();
        prop_assume!(!free.is_empty());
        let merge = damaged(sound, free[line.index(free.len())], damage, crlf, cut, program.dialect.sign);
        let found = engine.verify(&edit, &merge).map_err(|error| TestCaseError::fail(error.to_string()))?;
        prop_assert!(!found.is_clean(), "nothing found\n--- original\n{original}\n--- merge\n{merge}");
        prop_assert!(found.left().is_empty(), "{:?}\n--- merge\n{merge}\n--- repaired\n{}", found.left(), found.repaired());
        prop_assert_eq!(found.repaired(), sound, "--- merge\n{}", merge);
    }

    #[test]
    fn a_repair_never_loses_the_edit(
        path in any_path(), original in common_text(16), snippet in common_snippet(), merge in common_text(20),
        at in any::<Index>(),
    ) {
        let edit = Edit::new(path, &original, &snippet);
        let engine = Engine::default();
        let Ok(outcome) = engine.apply(&edit) else { return Ok(()) };
        // Lines of the snippet stand in the merge, wherever.
        let mut lines: Vec<&str> = merge.lines().collect();
        let at = at.index(lines.len() + 1);
        lines.splice(at..at, snippet.lines());
        let merge = lines.join("\n");
        let found = engine.verify(&edit, &merge).map_err(|error| TestCaseError::fail(error.to_string()))?;
        let (there, repaired) = (counted(&merge), counted(found.repaired()));
        let numbers = outcome.ledger().steps().iter().filter_map(|step| match step {
            treegraft::Step::New { snippet } => Some(snippet.iter()),
            _ => None,
        });
        let snippet_lines: Vec<&str> = outcome.snippet().lines().collect();
        let written = numbers.flatten().map(|line| snippet_lines[line]).collect::<Vec<_>>().join("\n");
        for (line, n) in counted(&written) {
            let (before, after) = (there.get(line).copied().unwrap_or(0), repaired.get(line).copied().unwrap_or(0));
            prop_assert!(after >= n.min(before), "{line:?} is lost\n--- merge\n{merge}\n--- repaired\n{}", found.repaired());
        }
        prop_assert!(!found.is_clean() || found.repaired() == merge);
        prop_assert!(!found.is_clean() || outcome.verdict().is_trusted());
        for finding in found.findings() {
            prop_assert!(finding.original_bytes.is_none_or(|bytes| original.get(bytes.start..bytes.end).is_some()));
            prop_assert!(finding.merged_bytes.is_none_or(|bytes| merge.get(bytes.start..bytes.end).is_some()));
        }
    }
}

fn lands_or_is_flagged(old: &Program, new: &Program, snippet: &str, description: &str) -> Result<(), TestCaseError> {
    lands(old.dialect.path, &old.text(), &new.text(), snippet, description)
}

/// The result is the wanted text, or it isn't trusted. Blank lines at an insertion's edges don't count.
fn lands(path: &str, original: &str, wanted: &str, snippet: &str, description: &str) -> Result<(), TestCaseError> {
    let outcome = apply(path, original, snippet, description)?;
    let outcome = outcome.ok_or_else(|| TestCaseError::fail("refused"))?;
    let solid = |text: &str| text.lines().filter(|line| !line.trim().is_empty()).map(str::to_owned).collect::<Vec<_>>();
    prop_assert!(
        !outcome.verdict().is_trusted() || solid(outcome.text()) == solid(wanted),
        "trusted and wrong\n--- original\n{original}\n--- snippet\n{snippet}\n--- description\n{description}\n{}",
        judge::diff("wanted", wanted, "got", outcome.text())
    );
    Ok(())
}

/// A file of 20,000 lines and a snippet of 300: the place is found among many look-alikes.
#[test]
fn a_large_file_takes_a_large_snippet() {
    let program = Program {
        dialect: DIALECTS[0],
        functions: (0..2_500).map(|n| (0..5).map(|m| format!("work({})", (n * m) % 40)).collect()).collect(),
    };
    let mut new = program.clone();
    let mut snippet = program.reference();
    for at in 1_200..1_238 {
        new.functions[at].insert(2, format!("fresh_call({at})"));
        snippet.push('\n');
        snippet.push_str(&program.function(at, &new.functions[at]));
    }
    snippet.push('\n');
    snippet.push_str(&program.reference());
    let (original, wanted) = (program.text(), new.text());
    assert!(original.lines().count() > 19_000 && snippet.lines().count() > 300);
    // The machine may be busy: what is tested is the result, not how soon it is there.
    let edit = Edit::new("large.go", &original, &snippet).budget(std::time::Duration::from_secs(60));
    let outcome = Engine::default().apply(&edit).expect("nothing to refuse");
    assert!(outcome.text() == wanted, "{}", judge::diff("wanted", &wanted, "got", outcome.text()));
    assert!(outcome.verdict().is_trusted(), "{:?}", outcome.verdict());
}

/// The oracle itself: an outcome held against another original breaks the invariants.
#[test]
fn a_planted_mismatch_is_found() {
    let (path, snippet) = ("a.txt", "b\n");
    let engine = Engine::default();
    let edit = Edit::new(path, "a\n", snippet).description("Type: overwrite");
    let outcome = engine.apply(&edit).expect("nothing to refuse");
    let given = |original| Given::new(path, original, snippet).description("Type: overwrite");
    assert_eq!(violations(&engine, &given("a\n"), &edit, &outcome), Vec::<String>::new());
    assert_ne!(violations(&engine, &given("a\nc\n"), &edit, &outcome), Vec::<String>::new());
    assert_ne!(violations(&engine, &given("c\n"), &edit, &outcome), Vec::<String>::new());
}
