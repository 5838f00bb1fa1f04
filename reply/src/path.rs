//! What looks like the path of a file. Nothing here looks at a disk.

/// Says whether a text has an extension: the last of its pieces between dots has no blank.
pub(crate) fn has_extension(text: &str) -> bool {
    text.rsplit_once('.').is_some_and(|(_, last)| !last.contains(' '))
}

/// Says whether a text has a separator of folders.
pub(crate) fn has_separator(text: &str) -> bool {
    text.contains(['/', '\\'])
}

/// Says whether a text is surely meant as a file: no white space or signs that no path has, and a separator, or an extension
/// that is no end of a sentence.
pub(crate) fn is_file_like(text: &str) -> bool {
    // Addresses, and links of Markdown: brackets of either kind alone are in names of files.
    if text.contains("://") || text.contains("](") {
        return false;
    }
    let odd = |c: char| {
        c.is_whitespace()
            || c.is_control()
            || matches!(c, '<' | '>' | '"' | '|' | '?' | '*' | '`' | '{' | '}' | '=' | ',' | ';')
    };
    if text.is_empty() || text.contains(odd) || text.ends_with(['/', '\\', ':']) {
        return false;
    }
    let name = name(text);
    if is_plain_name(name) {
        return true;
    }
    let extension = name.rsplit_once('.').map(|(_, extension)| extension);
    has_separator(text) && extension != Some("")
        || extension.is_some_and(|extension| extension.starts_with(|c: char| c.is_alphanumeric()))
}

/// Files that go by their name alone. Names that are also ordinary headings, as `README` or `NOTICE` are, are not among them.
const PLAIN_NAMES: [&str; 18] = [
    "Makefile",
    "makefile",
    "GNUmakefile",
    "Dockerfile",
    "Containerfile",
    "LICENSE",
    "Rakefile",
    "Gemfile",
    "Procfile",
    "Vagrantfile",
    "Jenkinsfile",
    "Justfile",
    "justfile",
    "Brewfile",
    "Pipfile",
    "Podfile",
    "Caddyfile",
    "CODEOWNERS",
];

/// Extensions of files whose text is code.
const CODE: [&str; 72] = [
    "py", "pyi", "rs", "go", "js", "jsx", "mjs", "cjs", "ts", "tsx", "java", "kt", "kts", "c", "h", "cc", "cpp", "cxx",
    "hpp", "hh", "cs", "fs", "rb", "php", "swift", "m", "mm", "scala", "sh", "bash", "zsh", "fish", "ps1", "bat",
    "lua", "pl", "pm", "r", "jl", "ex", "exs", "erl", "hs", "ml", "mli", "clj", "dart", "zig", "nim", "sql", "html",
    "htm", "css", "scss", "sass", "less", "vue", "svelte", "json", "yaml", "yml", "toml", "xml", "ini", "cfg", "proto",
    "tf", "gradle", "cmake", "graphql", "mk", "nix",
];

/// Extensions of files whose text is prose or anything.
const TEXT: [&str; 16] = [
    "md", "markdown", "mdx", "rmd", "qmd", "txt", "rst", "adoc", "asciidoc", "org", "tex", "csv", "log", "env", "lock",
    "conf",
];

/// Gives the last name of a path.
fn name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// Says whether a name without an extension is a file's.
pub(crate) fn is_plain_name(name: &str) -> bool {
    PLAIN_NAMES.contains(&name)
}

fn extension_is_of(path: &str, known: &[&str]) -> bool {
    name(path)
        .rsplit_once('.')
        .is_some_and(|(_, extension)| known.iter().any(|one| extension.eq_ignore_ascii_case(one)))
}

/// Says whether a word in a sentence is a file, and no member of an object or version: its extension is one of files.
pub(crate) fn is_file(text: &str) -> bool {
    is_file_like(text) && (is_plain_name(name(text)) || extension_is_of(text, &CODE) || extension_is_of(text, &TEXT))
}

/// Says whether the text of a file is code, in which a code fence around all of it can't be its own.
pub(crate) fn is_code(path: &str) -> bool {
    extension_is_of(path, &CODE) || is_plain_name(name(path)) && name(path) != "LICENSE"
}

/// Says whether two paths can be one file's: they are equal, or one is the end of the other, from a folder on.
pub(crate) fn are_related(a: &str, b: &str) -> bool {
    let (a, b) = (a.replace('\\', "/"), b.replace('\\', "/"));
    let (a, b) = (a.trim_start_matches("./"), b.trim_start_matches("./"));
    let ends_with = |long: &str, short: &str| {
        !short.is_empty()
            && long
                .strip_suffix(short)
                .is_some_and(|rest| rest.is_empty() || rest.ends_with('/') || short.starts_with('/'))
    };
    ends_with(a, b) || ends_with(b, a)
}

/// Says whether a file or a fence of this language holds Markdown, whose own fences are text.
pub(crate) fn is_markdown(path: &str, language: Option<&str>) -> bool {
    let known =
        |name: &str| ["md", "markdown", "mdx", "rmd", "qmd"].iter().any(|known| name.eq_ignore_ascii_case(known));
    language.is_some_and(known) || path.rsplit_once('.').is_some_and(|(_, extension)| known(extension))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_like() {
        for path in
            ["a.go", "src/Makefile", ".gitignore", "C:\\x\\y.go", "src/größe.rs", "../x", "[id].tsx", "@x/a.ts", "a..b"]
        {
            assert!(is_file_like(path), "{path}");
        }
        for text in ["", "Setup", "things.", "a b.go", "and/or.", "{a}.go", "x=1.5", "src/", "e.g."] {
            assert!(!is_file_like(text), "{text}");
        }
    }

    #[test]
    fn related() {
        assert!(are_related("server/types/section.go", "types/section.go"));
        assert!(are_related("src\\a.py", "src/a.py"));
        assert!(are_related("./a.go", "a.go"));
        assert!(!are_related("xtypes/section.go", "types/section.go"));
        assert!(!are_related("", "a.go"));
    }
}
