//! Which language a file is in, and the comment signs a model would use there.

/// Names a file's language by its extension; `None` for files that are not replayed.
///
/// ```
/// assert_eq!(treegraft_replay::language_of("src/App.tsx"), Some("tsx"));
/// assert_eq!(treegraft_replay::language_of("LICENSE"), None);
/// ```
#[must_use]
pub fn language_of(path: &str) -> Option<&'static str> {
    let name = path.rsplit(['/', '\\']).next()?;
    if name.ends_with(".min.js") {
        return None;
    }
    Some(match name.rsplit_once('.')?.1 {
        "go" => "go",
        "py" | "pyi" => "python",
        "js" | "mjs" | "cjs" | "jsx" => "javascript",
        "ts" | "mts" | "cts" => "typescript",
        "tsx" => "tsx",
        "rs" => "rust",
        "java" => "java",
        "c" | "h" => "c",
        "cc" | "cpp" | "cxx" | "hpp" | "hh" => "cpp",
        "cs" => "csharp",
        "rb" => "ruby",
        "php" => "php",
        "swift" => "swift",
        "kt" | "kts" => "kotlin",
        "scala" => "scala",
        "sh" | "bash" => "shell",
        "lua" => "lua",
        "json" => "json",
        "yaml" | "yml" => "yaml",
        "toml" => "toml",
        "html" | "htm" => "html",
        "svelte" => "svelte",
        "vue" => "vue",
        "css" | "scss" => "css",
        _ => return None,
    })
}

/// Gives the language that a dialect is counted as.
pub(crate) fn family(language: &'static str) -> &'static str {
    if language == "tsx" { "typescript" } else { language }
}

/// Gives the comment sign (opening and closing) a model puts around a reference in `language`.
pub(crate) fn comment_sign(language: &str) -> (&'static str, &'static str) {
    match language {
        "python" | "ruby" | "shell" | "yaml" | "toml" => ("# ", ""),
        "lua" => ("-- ", ""),
        "html" | "svelte" | "vue" => ("<!-- ", " -->"),
        "css" => ("/* ", " */"),
        _ => ("// ", ""),
    }
}

/// Says whether blocks are closed by a bracket of their own, so that indentation isn't all there is.
pub(crate) fn has_closers(language: &str) -> bool {
    !matches!(language, "python" | "yaml")
}
