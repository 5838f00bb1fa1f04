//! The registry of built-in grammars.

/// A language with a built-in grammar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Language {
    /// Go.
    Go,
    /// Python.
    Python,
    /// JavaScript, with JSX.
    JavaScript,
    /// TypeScript.
    TypeScript,
    /// TypeScript with JSX.
    Tsx,
    /// Rust.
    Rust,
    /// JSON.
    Json,
}

impl Language {
    /// Gives all languages whose grammar is built in.
    pub fn built_in() -> impl Iterator<Item = Self> {
        [Self::Go, Self::Python, Self::JavaScript, Self::TypeScript, Self::Tsx, Self::Rust, Self::Json].into_iter()
    }

    /// Gives the stable lower-case name, such as `typescript`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Go => "go",
            Self::Python => "python",
            Self::JavaScript => "javascript",
            Self::TypeScript => "typescript",
            Self::Tsx => "tsx",
            Self::Rust => "rust",
            Self::Json => "json",
        }
    }

    /// Gives the file extensions, without the dot.
    #[must_use]
    pub fn extensions(self) -> &'static [&'static str] {
        match self {
            Self::Go => &["go"],
            Self::Python => &["py", "pyi"],
            Self::JavaScript => &["js", "mjs", "cjs", "jsx"],
            Self::TypeScript => &["ts", "mts", "cts"],
            Self::Tsx => &["tsx"],
            Self::Rust => &["rs"],
            Self::Json => &["json"],
        }
    }

    /// Finds a language by its name, in any case.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::built_in().find(|language| language.name().eq_ignore_ascii_case(name))
    }

    /// Finds the language of a file by its name; only the name counts, nothing is read.
    #[must_use]
    pub fn from_path(path: &str) -> Option<Self> {
        let name = path.rsplit(['/', '\\']).next()?;
        match name.rsplit_once('.')?.1 {
            "go" => Some(Self::Go),
            "py" | "pyi" => Some(Self::Python),
            "js" | "mjs" | "cjs" | "jsx" => Some(Self::JavaScript),
            "ts" | "mts" | "cts" => Some(Self::TypeScript),
            "tsx" => Some(Self::Tsx),
            "rs" => Some(Self::Rust),
            "json" => Some(Self::Json),
            _ => None,
        }
    }
}
