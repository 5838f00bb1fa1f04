//! Outlines of a sample of each language: `<language>.txt` holds the sample, a line of dashes and the outline.
//!
//! `TREEGRAFT_SHOW=1 cargo test --all-features -p treegraft --lib languages -- --nocapture` shows what comes out now.

use super::*;

/// Makes a test of each language whose grammar is built in.
macro_rules! samples {
    ($($feature:literal $name:ident: $language:ident,)*) => {
        $(
            #[cfg(feature = $feature)]
            #[test]
            fn $name() {
                check_sample(Language::$language, include_str!(concat!(stringify!($name), ".txt")));
            }
        )*

        /// The samples of the languages that are built in.
        fn samples() -> Vec<(Language, &'static str)> {
            vec![$(#[cfg(feature = $feature)] (
                Language::$language,
                parts(include_str!(concat!(stringify!($name), ".txt"))).0,
            ),)*]
        }
    };
}

samples! {
    "java" java: Java,
    "c" c: C,
    "cpp" cpp: Cpp,
}

/// What stands between a sample and its outline.
const LINE: &str = "\n--------\n";

fn parts(sample: &str) -> (&str, &str) {
    let (text, wanted) = sample.split_once(LINE).unwrap_or((sample, ""));
    (text, wanted)
}

#[track_caller]
fn check_sample(language: Language, sample: &str) {
    let (text, wanted) = parts(sample);
    check(language, text, wanted);
}

#[test]
fn any_text_of_any_language_has_a_sound_outline() {
    for (language, text) in samples() {
        assert_any_variant_is_sound(language, text);
    }
}
