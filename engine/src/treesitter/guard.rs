//! Texts that a grammar's own scanner can't take: they would abort the process, which nothing can catch.
//!
//! A scanner keeps its state between tokens in 1,024 bytes. Most scanners stop before the end of it; those of
//! YAML and Ruby write on, and an assertion of the library ends the process. And some scanners call themselves for what
//! is nested in one token, until the stack is full: Svelte's for template strings, OCaml's for comments.
//!
//! # Source
//!
//! `deserialize` and `serialize` of all scanners were read, and each grammar was given its openers repeated
//! (`outline/tests/hostile.rs`), up to 2 MB of them. YAML takes four bytes an open block: it aborts at 254. Ruby writes two bytes more
//! than it asks for, and the length of a heredoc's word into one byte.

use super::Language;

/// How many blocks of YAML may be open at a time. Larger: nearer to the 254 that abort; smaller: deep but sound
/// files are not parsed.
const DEEPEST_YAML: usize = 128;

/// Bytes up to which the words of the heredocs that Ruby opens on one line are taken. Larger: nearer to the 255 of
/// one word that abort; smaller: no person's heredocs are longer.
const LONGEST_HEREDOC_WORDS: usize = 200;

/// How many interpolations of Ruby may be open at a time. 203 with a heredoc inside abort.
const DEEPEST_RUBY: usize = 100;

/// How many `${` a Svelte text may hold: so deep may template strings be nested, at 260 bytes of stack each. Larger:
/// nearer to the end of a small stack; smaller: large components are not parsed.
const MOST_SUBSTITUTIONS: usize = 1_000;

/// How many comments of OCaml may be open at a time, at worst. As above.
const DEEPEST_COMMENT: usize = 1_000;

/// Says whether every text may be given to the grammar of a language.
pub(super) fn is_safe_for_all(language: Language) -> bool {
    !matches!(language, Language::Yaml | Language::Ruby | Language::Svelte | Language::OCaml | Language::OCamlInterface)
}

/// Says whether a text may be given to the grammar of a language.
pub(super) fn is_safe(text: &str, language: Language) -> bool {
    match language {
        Language::Yaml => yaml_depth(text) <= DEEPEST_YAML,
        Language::Ruby => is_safe_ruby(text),
        Language::Svelte => memchr::memmem::find_iter(text.as_bytes(), "${").count() <= MOST_SUBSTITUTIONS,
        Language::OCaml | Language::OCamlInterface => is_safe_ocaml(text),
        _ => true,
    }
}

/// Counts how many blocks are open at most, by indentation and by the markers that lead a line.
fn yaml_depth(text: &str) -> usize {
    // Columns of the open blocks, and whether each is a list: a list may stand at its key's own column.
    let mut open: Vec<(usize, bool)> = Vec::new();
    let mut deepest = 0;
    for line in text.split(['\n', '\r']) {
        let mut rest = line.trim_start_matches([' ', '\t']);
        if rest.is_empty() || rest.starts_with('#') {
            continue;
        }
        loop {
            let column = line.len() - rest.len();
            let is_list = rest.starts_with('-') && is_marker(rest);
            while open.last().is_some_and(|&(at, list)| at > column || at == column && list && !is_list) {
                open.pop();
            }
            if open.last() != Some(&(column, is_list)) {
                open.push((column, is_list));
                deepest = deepest.max(open.len());
            }
            if !is_marker(rest) {
                break;
            }
            rest = rest.get(1..).unwrap_or_default().trim_start_matches([' ', '\t']);
            if rest.is_empty() {
                break;
            }
        }
    }
    deepest
}

/// Says whether a text begins with a sign that opens a block on the same line.
fn is_marker(text: &str) -> bool {
    let rest = text.strip_prefix(['-', '?', ':']);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t']))
}

fn is_safe_ruby(text: &str) -> bool {
    let mut depth = 0_usize;
    for line in text.split(['\n', '\r']) {
        let mut words = 0;
        for after in line.split("<<").skip(1) {
            let word = after.trim_start_matches(['~', '-']);
            let length = match word.chars().next() {
                Some(quote @ ('"' | '\'' | '`')) => word[1..].find(quote).unwrap_or(word.len()),
                _ => word.find(|letter: char| !letter.is_alphanumeric() && letter != '_').unwrap_or(word.len()),
            };
            words += length + 4;
        }
        if words > LONGEST_HEREDOC_WORDS {
            return false;
        }
        for byte in line.bytes() {
            match byte {
                b'{' => depth += 1,
                b'}' => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth > DEEPEST_RUBY {
                return false;
            }
        }
    }
    true
}

/// Counts comments that may still be open. One that closes is believed only if it holds nothing in which a `*)` would
/// be no end: no string and no character.
fn is_safe_ocaml(text: &str) -> bool {
    let (mut may_be_open, mut depth, mut plain) = (0_usize, 0_usize, true);
    let mut bytes = text.bytes().peekable();
    while let Some(byte) = bytes.next() {
        match byte {
            b'(' if bytes.next_if_eq(&b'*').is_some() => {
                may_be_open += 1;
                depth += 1;
            }
            b'*' if depth > 0 && bytes.next_if_eq(&b')').is_some() => {
                depth -= 1;
                may_be_open -= usize::from(plain);
                plain |= depth == 0;
            }
            b'"' | b'\'' | b'{' if depth > 0 => plain = false,
            _ => {}
        }
        if may_be_open > DEEPEST_COMMENT {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn yaml_is_as_deep_as_its_blocks() {
        let check = |text: &str, wanted| assert_eq!(yaml_depth(text), wanted, "{text}");
        check("", 0);
        check("a: 1\nb: 2\n", 1);
        check("a:\n  b:\n    c: 1\nd: 2\n", 3);
        check("a:\n- b\n- c: 1\n  d: 2\ne:\n- f\n", 3);
        check("- - - x\n", 4);
        check("# a\n\n    # b\n", 0);
        check("a: - x\n", 1);
        check(&"- ".repeat(300), 300);
    }

    #[test]
    fn ruby_heredocs_are_bounded() {
        assert!(is_safe("a(<<~SQL, <<~'B')\n  x << y\nSQL\nB\n", Language::Ruby));
        assert!(!is_safe(&format!("a <<{}\n", "A".repeat(256)), Language::Ruby));
        assert!(!is_safe(&"<<A,".repeat(300), Language::Ruby));
        assert!(!is_safe(&"\"#{".repeat(203), Language::Ruby));
        assert!(is_safe(&"x = { a: 1 }\n".repeat(1_000), Language::Ruby));
    }

    #[test]
    fn nested_template_strings_of_svelte_are_bounded() {
        assert!(is_safe(&"{`${a}`}\n".repeat(1_000), Language::Svelte));
        assert!(!is_safe(&format!("{{{}", "`${".repeat(1_001)), Language::Svelte));
    }

    #[test]
    fn nested_comments_of_ocaml_are_bounded() {
        let check = |part: &str, n: usize, wanted: bool| {
            assert_eq!(is_safe(&part.repeat(n), Language::OCaml), wanted, "{part}");
        };
        check("(* a *) let f = ( * ) (**)\n", 5_000, true);
        check("(*", 1_001, false);
        check("(* (* a *)", 1_001, false);
        // The end of the comment stands in a string, which goes on.
        check("(* \"*)\" ", 1_001, false);
        check("(* {|*)|} ", 1_001, false);
        check("(* '\"' \"*)\" ", 1_001, false);
        check("(* don't *)\n", 1_000, true);
    }
}
