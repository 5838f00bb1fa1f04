//! What the scanners of the grammars are given to keep: openers without an end, up to sixteen thousand of a kind.
//!
//! Nothing may end the process, which is what a failed assertion in a scanner does, and each parse must come to
//! an end about when its time is up.

use std::time::Duration;

use super::*;
use crate::budget::Stopwatch;

const SHORT: Duration = Duration::from_millis(20);

/// Longest text, in bytes. Longer: the test takes minutes without optimisation.
const LONGEST: usize = 16_000;

/// What may overrun: a token that runs to the end of the text, and dropping what was read.
const SLACK: Duration = Duration::from_secs(4);

/// What a language's scanner keeps a stack or a word of.
fn openers(language: Language) -> &'static [&'static str] {
    match language {
        Language::C | Language::Cpp | Language::Java | Language::Zig => {
            &["R\"a(", "f<", "#if a\n", "struct a {\n", "/*"]
        }
        Language::CSharp => &["$\"{", "$@\"{", "$$\"\"\"{{", "#if a\n", "@\"", "f<", "\"\"\""],
        Language::Kotlin | Language::Swift => &["\"${", "\"\\(", "#\"", "\"\"\"", "/*", "{ a in\n", "a<", "a ? "],
        Language::Scala => {
            &["s\"${", "s\"\"\"$", "\"\"\"", "/*", "def a =\n  ", "if a then\n", "x =>\n", "case a =>\n"]
        }
        Language::Ruby => &[
            "<<A\n", "<<~A, ", "\"#{", "%w(", "%q{", "#{<<A\n", "def a\n", "do |x|\n", "/#{", ":\"#{", "`#{", "?",
            "=begin\n",
        ],
        Language::Php => &["<?php ", "<<<A\n", "<<<'A'\n", "<?php <<<A\n{$a[", "<?php \"{$", "?>", "<?php [", "#["],
        Language::Bash => {
            &["<<A\n", "<<-A <<B ", "$(", "${", "$((", "`", "\"$(", "case a in\n", "a() {\n", "[[ ", "((", "?("]
        }
        Language::Lua => &["[[", "[=[", "--[[", "function()\n", "{", "do\n", "if a then\n"],
        Language::Html | Language::Vue | Language::Svelte => &[
            "<a>",
            "<div>",
            "<x-y>",
            "<script>",
            "<style>",
            "<!--",
            "<a b=\"",
            "</a>",
            "<p><table>",
            "{{",
            "{#if a}",
            "{#each a as b}",
            "{@html ",
            "<template>",
            "<svg><",
            "{`${",
        ],
        Language::Css => &["a{", "@media a{", "&:not(", "/*", "url(", "a:is("],
        Language::Markdown => &[
            "> ", "- ", "1. ", "* ", "\t", "# a\n", "```\n", "~~~a\n", "[", "![", "<div>\n", "|", "`", "- > ",
            "  - a\n", "$$", "***", "---\n", "<!--",
        ],
        Language::Yaml => {
            &["- ", "? ", ": ", "a: ", "[", "{", "{a: ", "- a:\n  ", "|\n ", "&a ", "!!a ", "\"", "---\n", "%a\n"]
        }
        Language::Toml => &["[", "[[", "a={", "a=[", "\"\"\"", "'''", "a."],
        Language::Sql => &["$$", "$a$", "(", "CASE WHEN ", "SELECT (", "BEGIN\n", "/*", "'", "WITH a AS ("],
        Language::Hcl => &["<<A\n", "${", "\"${", "%{if a}", "a {\n", "[", "\"%{", "a=<<-A\n${"],
        Language::Dockerfile => {
            &["RUN <<A\n", "RUN <<A <<B ", "RUN \\\n", "COPY <<\"A\" ", "ENV a=", "RUN [\"", "# a\n"]
        }
        Language::Elixir => &["\"#{", "~s(", "\"\"\"\n#{", "do\n", "fn ->\n", "%{", "'#{", "~S\"\"\"\n", "not ", "&"],
        Language::OCaml | Language::OCamlInterface => {
            &["(*", "{a|", "begin ", "struct ", "let a = ", "\"", "(", "match a with\n", "{%a|"]
        }
        Language::Haskell => &[
            "do\n ",
            "{-",
            "let a =\n  ",
            "where\n",
            "if a then ",
            "[a|",
            "(",
            "case a of\n ",
            "| a = ",
            "do ",
            "\\a -> ",
        ],
        Language::Python => &["f\"{", "f'''{", "(", "if a:\n ", "\"\"\"", "rb'", "lambda: "],
        Language::Rust => &["r#\"", "/*", "b\"", "f::<"],
        Language::JavaScript | Language::TypeScript | Language::Tsx => &["`${", "<a>", "/", "<!--", "a ? ", "{<a>"],
        Language::Go | Language::Json => &["`", "[", "{"],
    }
}

/// Lines of a text, each deeper than the one before.
fn nested(part: &str, n: usize) -> String {
    let lines: Vec<String> = (0..n).map(|depth| " ".repeat(depth) + part + "\n").collect();
    lines.concat()
}

#[test]
fn no_scanner_ends_the_process() {
    for language in Language::built_in() {
        let mut texts: Vec<String> = Vec::new();
        for part in openers(language).iter().chain(&["{", "(", "[", "\0", "\n", " ", "\t"]) {
            texts.extend([60, 300, LONGEST / part.len()].map(|n| part.repeat(n)));
            // Each deeper than the line before.
            texts.push(nested(part.trim_end(), 300));
        }
        // Words as long as a scanner's state, and lines of them.
        for word in [100, 256, 1_016, 1_019, 1_020, 1_024].map(|n| "A".repeat(n)) {
            for (open, close) in
                [("<<", ""), ("<<<", ""), ("<", ">"), ("{", "|"), ("$", "$"), ("R\"", "("), ("", ":\n  ")]
            {
                texts.push(format!("{open}{word}{close}\n"));
                texts.push(format!("<?php {open}{word}{close}\na\n{word}\n"));
                texts.push(format!("{open}{word}{close} ").repeat(40).chars().take(LONGEST).collect());
            }
        }
        for text in texts {
            let source = Source::new(&text);
            let watch = Stopwatch::start();
            let outline = Outline::of(&source, Some(language), &meter(SHORT));
            assert_sound(&outline, source.n_lines(), text.get(..16).unwrap_or(&text));
            let took = watch.elapsed();
            assert!(took < SLACK, "{language:?} took {took:?} for {:?}", text.get(..24));
        }
    }
}

/// What a scanner would call itself for, once for each of a million signs.
#[cfg(feature = "lang-all")]
#[test]
fn no_scanner_fills_the_stack() {
    let texts = [
        (Language::Svelte, "{`${"),
        (Language::Svelte, "<script>`${"),
        (Language::Svelte, "{@html `${"),
        (Language::OCaml, "(*"),
        (Language::OCamlInterface, "(* "),
        (Language::Haskell, "{-"),
        (Language::Haskell, "(# "),
        (Language::Scala, "s\"${"),
        (Language::Scala, "/*"),
        (Language::Scala, ":true← "),
        (Language::Elixir, "\"#{"),
        (Language::Swift, "/*"),
        (Language::Kotlin, "/*"),
        (Language::Rust, "/*"),
        (Language::Hcl, "\"${"),
        (Language::Dockerfile, "$"),
        (Language::Zig, "@\""),
    ];
    for (language, part) in texts {
        let text = part.repeat(1_000_000 / part.len());
        let outline = Outline::of(&Source::new(&text), Some(language), &meter(SHORT));
        assert_sound(&outline, 1, part);
    }
}

#[cfg(feature = "yaml")]
#[test]
fn deep_yaml_is_not_parsed() {
    let nested = |n| nested("a:", n);
    for (text, is_parsed) in [
        (nested(300), false),
        ("- ".repeat(300), false),
        ("? ".repeat(300), false),
        (": ".repeat(300), false),
        (nested(100), true),
    ] {
        let outline = Outline::of(&Source::new(&text), Some(Language::Yaml), &meter(LONG));
        assert_eq!((outline.parsed, outline.cut_by.is_some()), (is_parsed, !is_parsed), "{}", &text[..20]);
    }
}
