//! What fuzzing found, once more: each file of `corpus/fuzz/<target>/` is held against its target's oracle.

use treegraft_oracles::{Given, TARGETS, Target, corpus};

#[test]
fn no_find_comes_back() {
    let mut broken = Vec::new();
    for target in &TARGETS {
        for (path, given) in corpus::finds(target.name).expect("each find can be read") {
            broken.extend(target.broken_by(&given).into_iter().map(|what| format!("{}: {what}", path.display())));
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n\n"));
}

/// Fuzz targets that have their oracles with them: they are about something else than edits.
const OTHERS: [&str; 2] = ["land_in_memory", "reply_chunking"];

/// Every folder of finds and every fuzz target is one of those listed, and every listed one is a fuzz target.
#[test]
fn every_target_is_listed() {
    let names = |folder: &str| -> Vec<String> {
        let files = corpus::entries(&corpus::root().join(folder)).into_iter();
        files.map(|path| path.file_stem().unwrap_or_default().to_string_lossy().into_owned()).collect()
    };
    let listed: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
    assert!(listed.is_sorted(), "by name");
    let mut all = [&listed[..], &OTHERS].concat();
    all.sort_unstable();
    assert_eq!(names("fuzz/fuzz_targets"), all);
    let manifest = std::fs::read_to_string(corpus::root().join("fuzz/Cargo.toml")).expect("there is one");
    let readme = std::fs::read_to_string(corpus::root().join("fuzz/README.md")).expect("there is one");
    for name in &all {
        assert!(manifest.contains(&format!("name = \"{name}\"")), "{name} is no program of fuzz/Cargo.toml");
        assert!(readme.contains(&format!("## `{name}`")), "{name} is not described in fuzz/README.md");
    }
    for name in names("corpus/fuzz") {
        assert!(listed.contains(&name.as_str()), "there is no target `{name}`");
    }
}

/// Each target holds for what the corpus knows to be right: an oracle that complains there is wrong itself.
#[test]
fn every_known_edit_holds() {
    let edits = corpus::known_edits();
    assert!(edits.len() >= 170, "the corpus has {} edits", edits.len());
    let mut broken = Vec::new();
    for target in TARGETS.iter().filter(|target| target.name != "references_only_is_identity") {
        for given in edits.iter().filter(|given| given.original.len() < 4_000) {
            let what = target.broken_by(given);
            if !what.is_empty() {
                broken.push(format!("{}: {}\n{}", target.name, what.join("\n"), given.to_json()));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

/// Two hundred inputs of each target from a fixed stream of bytes: a generator that makes nothing, or an oracle
/// that fails at once, is seen without a fuzzer.
#[test]
fn every_target_makes_edits_and_holds() {
    for target in &TARGETS {
        let mut stream = Stream(0x7ee6);
        let n_made = (0..200)
            .filter(|_| {
                let bytes: Vec<u8> = (0..64 + stream.next() % 512).map(|_| stream.next() as u8).collect();
                let Some(given) = target.make(&bytes) else { return false };
                let broken = target.broken_by(&given);
                assert!(broken.is_empty(), "{}: {}\n{}", target.name, broken.join("\n"), given.to_json());
                !given.original.is_empty() && !given.snippet.is_empty()
            })
            .count();
        assert!(n_made > 20, "{} makes {n_made} edits of 200", target.name);
    }
}

/// A planted wrong answer is found: what is known to be right is said to be something else.
#[test]
fn a_planted_silent_error_is_found() {
    let target = Target::named("mutated_real").expect("it is listed");
    let mut given = Given::new("a.txt", "one\ntwo\nthree\n", "one\n2\nthree\n");
    given.wanted = Some("one\n2\nthree\n".to_owned());
    assert_eq!(target.broken_by(&given), Vec::<String>::new());
    given.wanted = Some("one\ntwo\n2\nthree\n".to_owned());
    assert!(target.broken_by(&given)[0].starts_with("trusted and wrong"));
}

/// A fixed stream of numbers.
///
/// # Source
///
/// xorshift64 (Marsaglia 2003).
struct Stream(u64);

impl Stream {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 >> 16
    }
}
