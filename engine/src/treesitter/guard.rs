//! Texts that a grammar's own scanner can't take: they would abort the process, which nothing can catch.
//!
//! A scanner keeps its state between tokens in 1,024 bytes. Most scanners stop before the end of it; those of
//! YAML and Ruby write on, and an assertion of the library ends the process.
//!
//! # Source
//!
//! `deserialize` and `serialize` of all scanners were read, and each grammar was given its openers repeated
//! (`outline/tests/hostile.rs`). YAML takes four bytes an open block: it aborts at 254. Ruby writes two bytes more
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

/// Says whether every text may be given to the grammar of a language.
pub(super) fn is_safe_for_all(language: Language) -> bool {
    !matches!(language, Language::Yaml | Language::Ruby)
}

/// Says whether a text may be given to the grammar of a language.
pub(super) fn is_safe(text: &str, language: Language) -> bool {
    match language {
        Language::Yaml => yaml_depth(text) <= DEEPEST_YAML,
        Language::Ruby => is_safe_ruby(text),
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
}
