//! Runs the small cases in `tests/cases/*.md`: one test a topic, which reports all failures of its file.
//!
//! `oracles/src/case_file.rs` describes the format. `TREEGRAFT_BLESS=1 cargo test -p treegraft --all-features --test cases`
//! rewrites the `current` blocks of known failures, never what is expected.
#![allow(clippy::disallowed_methods, reason = "the cases are files")]
#![allow(clippy::print_stdout, reason = "skipped cases must be seen")]

use std::path::{Path, PathBuf};

use treegraft::Language;
use treegraft_oracles::{case_file, judge};

/// Makes a test of each topic: its file, and how many cases it must hold at least.
macro_rules! topics {
    ($($topic:ident: $floor:literal,)*) => {
        $(
            #[test]
            fn $topic() {
                check(stringify!($topic), $floor);
            }
        )*

        const TOPICS: &[&str] = &[$(stringify!($topic)),*];
    };
}

topics! {
    ambiguous_places: 2,
    bad_input: 30,
    bare: 14,
    bytes: 11,
    damaged_snippets: 3,
    duplication: 4,
    forced_shapes: 9,
    identical_places: 5,
    imports: 18,
    indentation: 12,
    languages: 4,
    languages_c_like: 32,
    languages_data: 21,
    languages_functional: 6,
    languages_markup: 25,
    languages_script: 19,
    marked_lines: 17,
    ownership: 20,
    pairs: 22,
    patches: 15,
    random_finds: 15,
    reference_rows: 22,
    references: 15,
    replay_finds: 7,
    search_replace: 42,
    silent_deletion: 4,
    situations: 23,
    structured_edits: 14,
    structured_edits_adverse: 15,
    syntax_errors: 6,
    unified_diffs: 25,
    user_finds: 26,
    whole_edits: 3,
    wrapped_texts: 21,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases")
}

fn check(topic: &str, floor: usize) {
    let path = folder().join(topic).with_extension("md");
    let text = std::fs::read_to_string(&path).expect("each topic has its file");
    let entries = case_file::parse(&text).unwrap_or_else(|message| panic!("{topic}.md: {message}"));
    assert!(entries.len() >= floor, "{topic}.md holds {} cases, it held {floor}", entries.len());
    let n_all = entries.len();
    let entries: Vec<_> =
        entries.into_iter().filter(|entry| !topic.starts_with("languages_") || can_run(entry)).collect();
    let n_skipped = n_all - entries.len();
    if n_skipped > 0 {
        println!("{topic}.md: {n_skipped} of {n_all} cases are skipped, this build has no grammar for them");
    }
    let observed: Vec<_> = entries.iter().map(|entry| judge::observe(&entry.case)).collect();
    if std::env::var("TREEGRAFT_BLESS").is_ok_and(|value| value == "1") {
        assert_eq!(n_skipped, 0, "all grammars are needed to bless {topic}.md");
        let now: Vec<String> = observed.into_iter().map(|observed| observed.now).collect();
        std::fs::write(&path, case_file::bless(&text, &entries, &now)).expect("the case file can be written");
        return;
    }
    let failures: Vec<String> = entries
        .iter()
        .zip(&observed)
        .filter_map(|(entry, observed)| {
            let message = judge::verdict(&entry.case, observed).err()?;
            Some(format!("--- {topic}.md: {}\n{message}\n", entry.case.name))
        })
        .collect();
    assert!(failures.is_empty(), "{} of {} cases fail\n{}", failures.len(), entries.len(), failures.join("\n"));
}

/// Says whether this build has what the cases of `languages_*.md` are about: the grammar of their language.
fn can_run(entry: &case_file::Entry) -> bool {
    Language::from_path(&entry.case.path).is_none_or(Language::is_built_in)
}

#[test]
fn every_file_is_a_topic() {
    let mut found: Vec<String> = std::fs::read_dir(folder())
        .expect("the folder exists")
        .map(|entry| entry.expect("the folder can be read").path())
        .map(|path| path.file_stem().unwrap_or_default().to_string_lossy().into_owned())
        .collect();
    found.sort();
    let mut listed = TOPICS.to_vec();
    listed.sort_unstable();
    assert_eq!(found, listed);
}

/// Tests of the runner itself: what is planted must be found.
mod runner {
    use super::{case_file, judge};
    use treegraft_oracles::judge::{WantedResult, WantedVerdict};

    const SOUND: &str = "# Topic\n\n## overwrite\n\nThe whole file is given.\n\n```txt original\na\n```\n\n\
        ```txt snippet\nb\n```\n\n```description\nType: overwrite\n```\n\n```txt result\nb\n```\n\n\
        ```report\nverdict: trusted\n```\n";

    fn failure(text: &str) -> String {
        let entries = case_file::parse(text).expect("the planted case can be read");
        let case = &entries[0].case;
        judge::verdict(case, &judge::observe(case)).err().unwrap_or_default()
    }

    fn rejected(text: &str) -> String {
        case_file::parse(text).err().unwrap_or_default()
    }

    #[test]
    fn a_sound_case_passes() {
        assert_eq!(failure(SOUND), "");
    }

    #[test]
    fn a_wrong_result_fails_with_a_diff() {
        let message = failure(&SOUND.replace("result\nb", "result\nc"));
        assert!(message.contains("-c\n+b\n"), "{message}");
    }

    #[test]
    fn a_wrong_final_newline_fails() {
        assert_ne!(failure(&SOUND.replace("txt result", "txt result no-final-newline")), "");
    }

    #[test]
    fn a_wrong_verdict_fails() {
        for wrong in ["needs_verify", "needs_verify code_removed", "refused empty_snippet"] {
            let message = failure(&SOUND.replace("verdict: trusted", &format!("verdict: {wrong}")));
            assert!(message.contains("got trusted"), "{wrong}: {message}");
        }
    }

    #[test]
    fn a_wrong_property_fails() {
        for wrong in ["replacements: 2", "shape: lazy", "syntax: invalid", "candidates: 1"] {
            let message = failure(&SOUND.replace("trusted\n", &format!("trusted\n{wrong}\n")));
            assert_ne!(message, "", "{wrong}");
        }
    }

    #[test]
    fn a_known_failure_passes_only_as_it_is() {
        let known = SOUND.replace("result\nb", "result\nc").replace("trusted\n", "trusted\nwhy: planted\n");
        let message = failure(&known);
        assert!(message.contains("changed"), "without a `current` block: {message}");

        let entries = case_file::parse(&known).expect("the planted case can be read");
        let now = judge::observe(&entries[0].case).now;
        let blessed = case_file::bless(&known, &entries, &[now]);
        assert!(blessed.contains("```current\nverdict: trusted\n-- result\nb\n```\n"), "{blessed}");
        assert_eq!(failure(&blessed), "");

        let entries = case_file::parse(&blessed).expect("a blessed file can be read");
        assert_eq!(case_file::bless(&blessed, &entries, &[judge::observe(&entries[0].case).now]), blessed);

        let changed = blessed.replace("-- result\nb\n", "-- result\nd\n");
        assert!(failure(&changed).contains("changed"));
        let right = blessed.replace("result\nc", "result\nb");
        assert_eq!(failure(&right), "now correct: delete current");
    }

    #[test]
    fn blessing_leaves_expectations_alone() {
        let wrong = SOUND.replace("result\nb", "result\nc");
        let entries = case_file::parse(&wrong).expect("the planted case can be read");
        assert_eq!(case_file::bless(&wrong, &entries, &["anything\n".to_owned()]), wrong);
    }

    #[test]
    fn a_malformed_file_is_rejected() {
        for (wrong, complaint) in [
            (SOUND.replace("report\n", "report\nverdict trusted\n"), "key: value"),
            (SOUND.replace("verdict: trusted", "verdict: fine"), "no such verdict"),
            (SOUND.replace("verdict: trusted", "either: flag"), "no verdict"),
            (SOUND.replace("trusted\n", "trusted\nverdct: x\n"), "unknown line"),
            (SOUND.replace("txt snippet", "txt snipet"), "without a role"),
            (SOUND.replace("txt snippet", "txt original"), "second `original`"),
            (SOUND.replace("txt snippet", "txt snippet cr-lf"), "unknown attribute"),
            (SOUND.replace("txt result\nb", "txt snippet\nb"), "second `snippet`"),
            (SOUND.replace("```txt result\nb\n```\n", ""), "no result"),
            (SOUND.replace("The whole file is given.", ""), "no prose"),
            (SOUND.replace("txt original", "original"), "neither a language word"),
            (SOUND.replace("trusted\n", "trusted\nresult: any\n"), "two results"),
            (format!("{SOUND}{SOUND}"), "second case named"),
            (SOUND.trim_end().trim_end_matches('`').to_owned(), "without an end"),
            (format!("{SOUND}```current\nx\n```\n"), "no `why:`"),
        ] {
            let message = rejected(&wrong);
            assert!(message.contains(complaint), "wanted {complaint:?}, got {message:?}");
        }
    }

    #[test]
    fn attributes_carry_bytes() {
        let text = "## bytes\n\nProse.\n\n```original path=Makefile crlf bom\na\nb\n```\n\n\
            ````txt snippet escapes no-final-newline\n\\xE9\\t\\\\\n```\n````\n\n```txt result cr\na\nb\n```\n\n\
            ```report\nverdict: needs_verify a, b\neither: flag\n```\n";
        let entries = case_file::parse(text).expect("the case can be read");
        let case = &entries[0].case;
        assert_eq!(case.path, "Makefile");
        assert_eq!(case.original, "\u{feff}a\r\nb\r\n".as_bytes());
        assert_eq!(case.snippet, b"\xe9\t\\\n```");
        assert!(matches!(&case.result, WantedResult::Text(bytes) if bytes == b"a\rb\r"));
        assert!(matches!(&case.verdict, WantedVerdict::NeedsVerify(kinds) if kinds == &["a", "b"]));
        assert!(case.flag_will_do);
    }
}
