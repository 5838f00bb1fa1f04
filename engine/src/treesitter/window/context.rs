//! What must not be parted though no bracket holds it together: the branches of a preprocessor, the documents of YAML.

use memchr::{memchr, memchr2, memmem, memrchr};

use super::starts::conditional;
use crate::treesitter::Language;
use crate::treesitter::view::View;

/// Says whether each part of a view has all of a conditional directive that it has any of: `#if` with its `#endif`.
///
/// The grammar of C takes a stray `#endif` without an error, and a branch that opens a block only reads well where the other
/// is left out.
pub(super) fn are_conditionals_whole(view: &View<'_>, language: Language) -> bool {
    !matches!(language, Language::C | Language::Cpp)
        || view.kept().iter().all(|&(bytes, _)| is_whole(view.slice(bytes)))
}

fn is_whole(text: &str) -> bool {
    let mut depth = 0_usize;
    for word in text.lines().filter_map(conditional) {
        match word {
            "if" | "ifdef" | "ifndef" => depth += 1,
            _ if depth == 0 => return false,
            "endif" => depth -= 1,
            _ => {}
        }
    }
    depth == 0
}

/// Says whether a YAML text may have more than one document or a directive, so that what a window leaves out decides how
/// the rest is read.
pub(super) fn has_documents(text: &str) -> bool {
    let bytes = text.as_bytes();
    let mut starts = memmem::find_iter(bytes, "\n---").map(|at| at + 1);
    let says_nothing = |line: &str| line.trim_start().is_empty() || line.trim_start().starts_with('#');
    let is_first = |at: usize| text.get(..at).is_some_and(|head| head.lines().all(says_nothing));
    let first = if text.starts_with("---") { Some(0) } else { starts.next() };
    first.is_some_and(|at| !is_first(at))
        || starts.next().is_some()
        || text.starts_with('%')
        || ["\n...", "\n%"].iter().any(|sign| memmem::find(bytes, sign.as_bytes()).is_some())
        // Rows are counted by other ends there.
        || memchr(b'\n', bytes).is_none()
}

/// Says whether a text of C++ has a namespace whose members stand at the left edge as well: a window shows them without what
/// they are in.
///
/// # Cost
///
/// One pass: the search goes on where the look at a namespace ended.
pub(super) fn has_flat_namespace(text: &str) -> bool {
    let search = memmem::Finder::new("namespace");
    let mut from = 0;
    while let Some(at) = search.find(&text.as_bytes()[from..]).map(|at| from + at) {
        from = at + "namespace".len();
        let line = memrchr(b'\n', &text.as_bytes()[..at]).map_or(0, |end| end + 1);
        if matches!(&text[line..at], "" | "inline ") {
            let (is_flat, n_bytes) = looks_flat(&text[from..]);
            if is_flat {
                return true;
            }
            from += n_bytes;
        }
    }
    false
}

/// Says whether a namespace of which the text has what follows the keyword is flat, and how many bytes say so.
fn looks_flat(text: &str) -> (bool, usize) {
    let Some(open) = memchr2(b'{', b';', text.as_bytes()) else { return (false, text.len()) };
    let mut at = open + 1;
    if text.as_bytes()[open] == b';' {
        return (false, at);
    }
    // What stands on its line, or is closed there, stands nowhere else.
    for (n, line) in text[at..].split_inclusive('\n').enumerate() {
        let says = n > 0 && !line.trim_end().is_empty() && !line.starts_with(['#', '}']);
        if says {
            return (!line.starts_with([' ', '\t']), at);
        }
        at += line.len();
    }
    (false, at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn branches_belong_together() {
        let check = |text: &str, wanted| assert_eq!(is_whole(text), wanted, "{text}");
        check("int a;\n", true);
        check("#ifdef A\nint a;\n#else\nint b;\n#endif\n", true);
        check("  # if A\n#  elif B\n#endif\n#define C\n", true);
        check("#if A\n#if B\n#endif\n", false);
        check("#endif\n#if A\n", false);
        check("#else\n", false);
    }

    #[test]
    fn flat_namespaces_are_seen() {
        let check = |text: &str, wanted| assert_eq!(has_flat_namespace(text), wanted, "{text}");
        check("int a;\nnamespace b {\n\nint c;\n}\n", true);
        check("int a;\ninline namespace b\n{\n// C.\nint c;\n}\n", true);
        check("int a;\nnamespace b {\n  int c;\n}\n", false);
        check("int a;\nnamespace b { int c; }\n", false);
        check("int a;\nnamespace b::c {\nnamespace d {\n  int c;\n}\n}\n", true);
    }

    #[test]
    fn documents_are_seen() {
        let check = |text: &str, wanted| assert_eq!(has_documents(text), wanted, "{text}");
        check("a: 1\n", false);
        check("---\na: 1\n", false);
        check("# Comment.\n\n---\na: 1\n", false);
        check("a: 1\n---\nb: 1\n", true);
        check("---\na: 1\n---\nb: 1\n", true);
        check("a: 1\n...\n", true);
        check("%YAML 1.2\n---\na: 1\n", true);
        check("a: 1\rb: 1\r", true);
    }
}
