//! An edit made from a document comes to the same outcome as one of the same text that nothing is known of.
#![allow(clippy::disallowed_methods, reason = "the environment says how far to look")]

use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::RngSeed;
use treegraft::{Document, Documents, Edit, Engine, Error, Language, Pair};
use treegraft_oracles::{Given, corpus, judge};

/// Makes the same edit as `given` from a document that holds its original.
fn warm<'a>(document: &'a Document, given: &'a Given) -> Edit<'a> {
    let pairs: Vec<Pair<'a>> = given.pairs.iter().map(|(old, new, count)| Pair::new(old, new).count(*count)).collect();
    let edit = if pairs.is_empty() { document.edit(&given.snippet) } else { document.pairs(&pairs) };
    let edit = edit
        .description(&given.description)
        .add_missing_edges(given.add_missing_edges)
        .budget(std::time::Duration::from_secs(60));
    match given.shape {
        Some(shape) => edit.shape(shape),
        None => edit,
    }
}

/// Says how an edit from a document differs from the same edit of its text; `None` if it doesn't.
fn difference(engine: &Engine, cold: &Edit<'_>, warm: &Edit<'_>) -> Option<String> {
    match (engine.apply(cold), engine.apply(warm)) {
        (Err(cold), Err(warm)) => (cold != warm).then(|| format!("refused with {warm}, not with {cold}")),
        (Ok(cold), Ok(warm)) => {
            let parts = [
                ("text", cold.text() == warm.text()),
                ("verdict", cold.verdict() == warm.verdict()),
                ("validation", cold.validation() == warm.validation()),
                ("replacements", cold.replacements() == warm.replacements()),
                ("ledger", cold.ledger() == warm.ledger()),
                ("shape", cold.shape() == warm.shape()),
                ("wrapping", cold.wrapping() == warm.wrapping()),
                ("snippet", cold.snippet() == warm.snippet()),
                ("already_applied", cold.already_applied() == warm.already_applied()),
            ];
            let (name, _) = parts.into_iter().find(|(_, same)| !same)?;
            let texts = judge::diff("cold", cold.text(), "warm", warm.text());
            let parts =
                [&cold, &warm].map(|one| format!("{:?}\n{:?}\n{:?}", one.verdict(), one.validation(), one.ledger()));
            Some(format!("another {name}\n--- cold\n{}\n--- warm\n{}\n{texts}", parts[0], parts[1]))
        }
        (cold, warm) => Some(format!("refused or not: cold {:?}, warm {:?}", cold.err(), warm.err())),
    }
}

#[test]
fn known_edits_come_out_the_same() {
    let engine = Engine::default();
    let mut n = 0;
    for given in corpus::known_edits() {
        let Ok(document) = Document::new(&*given.path, &*given.original) else { continue };
        let found =
            difference(&engine, &given.edit().budget(std::time::Duration::from_secs(60)), &warm(&document, given));
        assert_eq!(found, None, "{}", given.to_json());
        n += 1;
    }
    assert!(n > 300, "only {n} edits");
}

/// A file of several blocks: functions of one name each, whose bodies repeat each other's lines.
fn program(language: &str, n_functions: usize, seed: usize) -> String {
    let (open, close, end) = match language {
        "go" => ("func taskN() {", "}", ""),
        "py" => ("def taskN():", "", ""),
        "rs" => ("fn taskN() {", "}", ";"),
        _ => ("function taskN() {", "}", ";"),
    };
    let mut text = if language == "go" { "package p\n\nimport \"fmt\"\n\n".to_owned() } else { String::new() };
    for n in 0..n_functions {
        text += &open.replace('N', &n.to_string());
        text.push('\n');
        for at in 0..3 + (n * seed) % 7 {
            let statement = match (n * 7 + at * seed) % 5 {
                0 => format!("    call_{n}_{at}(){end}\n"),
                1 => format!("    log(\"\u{e4} {n}\"){end}\n"),
                2 => "\n".to_owned(),
                3 => format!("    value = value + 1{end}\n"),
                _ => format!("    done(value){end}\n"),
            };
            text += &statement;
        }
        text.extend(["    last_", &n.to_string(), "()", end, "\n", close, "\n\n"]);
    }
    text
}

/// How a text changes behind the engine's back.
#[derive(Debug, Clone)]
enum Change {
    /// Some lines from a place on, as shares of a thousand, make way for others.
    Lines(usize, usize, String),
    /// Some bytes at a place, a share of a thousand.
    Bytes(usize, usize, &'static str),
    Mark,
    /// The last bytes go.
    End(usize),
}

impl Change {
    fn apply(&self, text: &str) -> String {
        let border = |at: usize| (0..=at.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
        match self {
            Self::Lines(place, n, new) => {
                let lines: Vec<&str> = text.split_inclusive('\n').collect();
                let start = place * lines.len() / 1000;
                let end = (start + n).min(lines.len());
                lines[..start].concat() + new + &lines[end..].concat()
            }
            Self::Bytes(place, n, new) => {
                let start = border(place * text.len() / 1000);
                let end = border(start + n).max(start);
                format!("{}{new}{}", &text[..start], &text[end..])
            }
            Self::Mark if text.starts_with('\u{feff}') => text['\u{feff}'.len_utf8()..].to_owned(),
            Self::Mark => format!("\u{feff}{text}"),
            Self::End(n) => text[..border(text.len().saturating_sub(*n))].to_owned(),
        }
    }
}

fn any_change() -> impl Strategy<Value = Change> {
    let new = select(vec![
        "",
        "\n",
        "x = 1\n",
        "    value = value + 1\n",
        "/*\n",
        "`\n",
        "\"\"\"\n",
        "\tif a {\n\t}\n",
        "func more() {\n}\n",
        "import \"os\"\n",
        "no end",
        "a\r\nb\r\n",
        "\r",
        "e\u{301}\n",
    ]);
    let place = prop_oneof![4 => 0_usize..=1000, 1 => Just(0), 1 => Just(1000)];
    prop_oneof![
        6 => (place.clone(), select(vec![0_usize, 0, 1, 1, 2, 5, 40, 700]), new.clone(), select(vec![1_usize, 1, 2, 900]))
            .prop_map(|(place, n, new, times)| Change::Lines(place, n, new.repeat(times))),
        4 => (place, 0_usize..30, new).prop_map(|(place, n, new)| Change::Bytes(place, n, new)),
        1 => Just(Change::Mark),
        1 => (0_usize..80).prop_map(Change::End),
    ]
}

/// A snippet for a text: shows some function with a changed, a new or a lost line.
fn snippet(language: &str, text: &str, place: usize, how: usize) -> String {
    let sign = if language == "py" { "#" } else { "//" };
    let lines: Vec<&str> = text.lines().collect();
    let last = place * lines.len() / 1001;
    let start = (0..=last).rev().find(|&at| lines.get(at).is_some_and(|line| line.contains("task"))).unwrap_or(0);
    let end = (start + 12).min(lines.len());
    let mut shown: Vec<String> = lines[start..end].iter().map(|&line| line.to_owned()).collect();
    let middle = shown.len() / 2;
    match how % 5 {
        0 if !shown.is_empty() => shown[middle] = format!("    changed_{how}()"),
        1 if !shown.is_empty() => drop(shown.remove(middle)),
        2 => shown.insert(middle, format!("{sign} ... existing code ...")),
        3 => shown.insert(middle, "    inserted(\"{\")".to_owned()),
        _ => shown.insert(middle, "    broken((".to_owned()),
    }
    let reference = format!("{sign} ... existing code ...");
    [vec![reference.clone(), String::new()], shown, vec![String::new(), reference, String::new()]].concat().join("\n")
}

fn config(cases: u32) -> ProptestConfig {
    let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::default() };
    if std::env::var("PROPTEST_CASES").is_ok() {
        return config;
    }
    ProptestConfig { cases, rng_seed: RngSeed::Fixed(0x7ee6), ..config }
}

proptest! {
    #![proptest_config(config(30))]

    /// Edits that are accepted, and changes from elsewhere, in any order.
    #[test]
    fn sequences_come_out_the_same(
        language in select(vec!["go", "py", "js", "rs"]),
        n_functions in 0_usize..260,
        seed in 1_usize..50,
        // Few places, so that some are edited again and again.
        rounds in prop::collection::vec((any_change(), 0_usize..3, select(vec![0, 300, 500, 510, 1000]), 0_usize..100), 1..9),
    ) {
        let engine = Engine::default();
        let path = format!("p.{language}");
        let mut text = program(language, n_functions, seed);
        let mut document = Document::new(&*path, &*text).unwrap();
        for (change, changed, place, how) in rounds {
            if changed == 0 {
                text = change.apply(&text);
                document.set_text(&text).unwrap();
                prop_assert_eq!(document.text(), &text);
            }
            let given = Given::new(&path, &text, &snippet(language, &text, place, how));
            let found = difference(&engine, &given.edit(), &warm(&document, &given));
            prop_assert!(found.is_none(), "{}\n--- of\n{:?}\n--- by\n{}", found.unwrap_or_default(), text, given.snippet);
            if let Ok(outcome) = engine.apply(&warm(&document, &given)) {
                outcome.text().clone_into(&mut text);
                document.accept(&outcome).unwrap();
                prop_assert_eq!(document.text(), &text);
            }
        }
    }
}

#[test]
fn many_replacements_are_accepted_at_once() {
    let text = program("go", 400, 3);
    let new = text.replace("last_", "final_");
    let mut document = Document::new("p.go", &*text).unwrap();
    let outcome = Engine::default().apply(&document.edit(&new)).unwrap();
    assert!(outcome.replacements().len() > 100, "{}", outcome.replacements().len());
    document.accept(&outcome).unwrap();
    assert_eq!(document.text(), new);
}

#[test]
fn another_text_is_refused_and_nothing_changes() {
    let mut document = Document::new("a.txt", "one\ntwo\nthree\n").unwrap();
    let outcome = Engine::default().apply(&document.edit("one\n2\nthree\n")).unwrap();
    document.set_text("zero\none\ntwo\nthree\n").unwrap();
    assert_eq!(document.accept(&outcome), Err(Error::Stale { offset: 4 }));
    assert_eq!(document.text(), "zero\none\ntwo\nthree\n");
    let insertion = Engine::default().apply(&document.edit("zero\none\n1.5\ntwo\nthree\n")).unwrap();
    document.accept(&insertion).unwrap();
    assert_eq!(document.accept(&insertion).unwrap_err().code(), "stale", "what was inserted is not inserted twice");
    document.set_text("zero\none\ntwo\nthree\n").unwrap();
    assert_eq!(document.set_text("a\0b").unwrap_err().code(), "not_text");
    assert_eq!(document.text(), "zero\none\ntwo\nthree\n");
    assert_eq!(Document::new("a.txt", "\0").unwrap_err().code(), "not_text");
}

#[test]
fn a_document_holds_no_more_than_twice_and_a_half_its_text() {
    for language in ["go", "py", "js", "rs"] {
        let text = program(language, 8_000, 3);
        let document = Document::new(format!("p.{language}"), &*text).unwrap();
        let most = text.len() * 5 / 2;
        assert!(document.n_bytes() <= most, "{} bytes for {}", document.n_bytes(), text.len());
    }
}

#[test]
fn another_language_is_another_way_to_count() {
    let text = "r := `\n".to_owned() + &program("go", 300, 3);
    let document = Document::new("p.unknown", &*text).unwrap().language(Language::Go);
    let given = Given::new("p.unknown", &text, &snippet("go", &text, 900, 0));
    let cold = given.edit().language(Language::Go);
    assert_eq!(difference(&Engine::default(), &cold, &warm(&document, &given)), None);
    let cold = given.edit().language(Language::Rust);
    let other = warm(&document, &given).language(Language::Rust);
    assert_eq!(difference(&Engine::default(), &cold, &other), None);
}

#[test]
fn the_document_not_asked_for_longest_goes_first() {
    let text = "line\n".repeat(1_000);
    let one = Document::new("0", &*text).unwrap().n_bytes();
    let mut documents = Documents::new(3 * one + one / 2);
    for path in ["a", "b", "c"] {
        let document = documents.take(path, &text).unwrap();
        documents.put(document);
    }
    // Asked for again, so `b` is the oldest.
    let document = documents.take("a", &text).unwrap();
    documents.put(document);
    let document = documents.take("d", &text).unwrap();
    documents.put(document);
    let kept: Vec<&str> =
        ["a", "b", "c", "d"].into_iter().filter(|path| documents.clone().remove(path).is_some()).collect();
    assert_eq!(kept, ["a", "c", "d"]);
    assert_eq!((documents.len(), documents.n_bytes()), (3, 3 * one));

    documents.put(Document::new("large", "line\n".repeat(10_000)).unwrap());
    assert_eq!(documents.len(), 3, "what doesn't fit drives nothing out");
    let document = documents.take("c", "line\n").unwrap();
    assert_eq!((document.text(), documents.len()), ("line\n", 2));
    assert!(documents.take("a", "\0").is_err());
    assert_eq!(documents.len(), 2);
}

/// A server's threads share documents for reading and hand them on.
#[test]
fn documents_go_from_thread_to_thread() {
    fn is_shared<T: Send + Sync>() {}
    is_shared::<Document>();
    is_shared::<Documents>();
    is_shared::<treegraft::Outcome>();
}
