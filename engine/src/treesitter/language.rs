//! The registry: every language, with or without a grammar, as one table.
//!
//! A language is one [`Entry`]: its names, its file names, its comment signs and, where a cargo feature
//! brings one, its grammar. Files whose language has no grammar are in the table for their comment signs.
//!
//! # Adding a grammar
//!
//! 1. A variant of [`Language`] and its place in `Language::ALL`.
//! 2. The `language` of its entry in `language/table.rs`, and a line in `grammar`.
//! 3. Its declarations in a table below `rules/`, and what lets a bare member parse in `outline/snippet.rs`.
//! 4. A cargo feature, in `lang-common` only if a build can afford it.

mod table;

use table::TABLE;

/// A language that treegraft has a grammar for, if the cargo feature of its name is on.
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
    /// JSON, comments allowed.
    Json,
    /// Java.
    Java,
    /// C, and headers of C++ that end in `.h`.
    C,
    /// C++.
    Cpp,
    /// C#.
    CSharp,
    /// PHP.
    Php,
    /// Ruby.
    Ruby,
    /// Kotlin.
    Kotlin,
    /// Swift.
    Swift,
    /// Scala.
    Scala,
    /// Bash and what other shells share with it.
    Bash,
    /// Lua.
    Lua,
    /// HTML.
    Html,
    /// Single-file components of Vue.
    Vue,
    /// Components of Svelte.
    Svelte,
    /// CSS.
    Css,
    /// Markdown.
    Markdown,
    /// YAML.
    Yaml,
    /// TOML.
    Toml,
    /// SQL of the common dialects.
    Sql,
    /// HCL, the language of Terraform.
    Hcl,
    /// Dockerfiles.
    Dockerfile,
    /// Elixir.
    Elixir,
    /// OCaml.
    OCaml,
    /// Interfaces of OCaml, `.mli`.
    OCamlInterface,
    /// Haskell.
    Haskell,
    /// Zig.
    Zig,
}

/// How a language writes comments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CommentSigns {
    /// What begins a comment that runs to the end of its line; the usual sign first.
    pub(crate) line: &'static [&'static str],
    /// What begins and what ends a comment that may span lines; the usual pair first.
    pub(crate) block: &'static [(&'static str, &'static str)],
}

/// What is known about a language.
#[derive(Debug)]
struct Entry {
    /// Set where a grammar exists.
    language: Option<Language>,
    name: &'static str,
    /// Further names, lower case.
    aliases: &'static [&'static str],
    /// Extensions without their dot, lower case.
    extensions: &'static [&'static str],
    /// Whole file names, lower case, for files without a telling extension.
    file_names: &'static [&'static str],
    comments: CommentSigns,
}

/// The signs tried for a file of an unknown kind.
pub(crate) const ANY_COMMENT_SIGNS: CommentSigns =
    CommentSigns { line: &["//", "#", "--"], block: &[("/*", "*/"), ("<!--", "-->")] };

impl Language {
    /// Every variant, the most used languages first.
    pub(crate) const ALL: &'static [Self] = &[
        Self::Go,
        Self::Python,
        Self::JavaScript,
        Self::TypeScript,
        Self::Tsx,
        Self::Rust,
        Self::Json,
        Self::Java,
        Self::C,
        Self::Cpp,
        Self::CSharp,
        Self::Php,
        Self::Ruby,
        Self::Kotlin,
        Self::Swift,
        Self::Scala,
        Self::Bash,
        Self::Lua,
        Self::Html,
        Self::Vue,
        Self::Svelte,
        Self::Css,
        Self::Markdown,
        Self::Yaml,
        Self::Toml,
        Self::Sql,
        Self::Hcl,
        Self::Dockerfile,
        Self::Elixir,
        Self::OCaml,
        Self::OCamlInterface,
        Self::Haskell,
        Self::Zig,
    ];

    /// Gives every language that treegraft knows a grammar for, built in or not, in a fixed order.
    #[must_use]
    pub fn all() -> impl ExactSizeIterator<Item = Self> {
        Self::ALL.iter().copied()
    }

    /// Gives the languages whose grammar is part of this build.
    pub fn built_in() -> impl Iterator<Item = Self> {
        Self::all().filter(|language| language.is_built_in())
    }

    /// Says whether this build holds the grammar. Without it a file counts as one of no known grammar.
    #[must_use]
    pub fn is_built_in(self) -> bool {
        self.grammar().is_some()
    }

    /// Finds the language of a file by its name; only the name counts, nothing is read.
    ///
    /// A whole file name goes before an extension, and neither looks at upper or lower case.
    ///
    /// # Examples
    ///
    /// ```
    /// use treegraft::Language;
    /// assert_eq!(Language::from_path("src/app.TSX"), Some(Language::Tsx));
    /// assert_eq!(Language::from_path("go/README"), None);
    /// ```
    #[must_use]
    pub fn from_path(path: &str) -> Option<Self> {
        entry_of_path(path)?.language
    }

    /// Finds a language by its name or by a common other name such as `golang` or `ts`, in any case.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        let name = name.trim().to_lowercase();
        TABLE
            .iter()
            .filter(|entry| entry.language.is_some())
            .find(|entry| entry.name == name || entry.aliases.contains(&name.as_str()))?
            .language
    }

    /// Gives the name, in lower case.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.entry().map_or("", |entry| entry.name)
    }

    /// Gives the file extensions, in lower case and without a dot.
    #[must_use]
    pub fn extensions(self) -> &'static [&'static str] {
        self.entry().map_or(&[], |entry| entry.extensions)
    }

    /// Gives the languages whose grammar is worth a try where this one's finds errors.
    ///
    /// Much of what stands in `.js` files is Flow, and the TSX grammar reads its type annotations. The
    /// TypeScript grammar takes JSX for old-style casts. A `.h` file may be C++.
    pub(crate) fn fallbacks(self) -> &'static [Self] {
        match self {
            Self::JavaScript | Self::TypeScript => &[Self::Tsx],
            Self::C => &[Self::Cpp],
            _ => &[],
        }
    }

    /// Says whether a text may hold parts in other languages: scripts, styles, fences.
    pub(crate) fn holds_regions(self) -> bool {
        matches!(self, Self::Html | Self::Vue | Self::Svelte | Self::Markdown)
    }

    /// Says whether indentation, not brackets, makes the blocks.
    pub(crate) fn is_offside(self) -> bool {
        matches!(self, Self::Python | Self::Yaml | Self::Haskell)
    }

    /// Says whether the end of a line ends a statement without a further rule, so that two statements on a line
    /// are an error.
    pub(crate) fn ends_statements_with_lines(self) -> bool {
        matches!(self, Self::Go | Self::Python)
    }

    /// Names the grammar's version in this build: `0.25.0`, or where the grammar doesn't say its own the version of its
    /// format with the sizes of its tables, such as `14/263/1450`. `None` without a grammar.
    #[must_use]
    pub fn grammar_version(self) -> Option<String> {
        let grammar = self.grammar()?;
        Some(match grammar.metadata() {
            Some(version) => format!("{}.{}.{}", version.major_version, version.minor_version, version.patch_version),
            None => format!("{}/{}/{}", grammar.abi_version(), grammar.node_kind_count(), grammar.parse_state_count()),
        })
    }

    /// Gives the grammar, if it is part of this build.
    pub(crate) fn grammar(self) -> Option<tree_sitter::Language> {
        match self {
            #[cfg(feature = "go")]
            Self::Go => Some(tree_sitter_go::LANGUAGE.into()),
            #[cfg(feature = "python")]
            Self::Python => Some(tree_sitter_python::LANGUAGE.into()),
            #[cfg(feature = "javascript")]
            Self::JavaScript => Some(tree_sitter_javascript::LANGUAGE.into()),
            #[cfg(feature = "typescript")]
            Self::TypeScript => Some(tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into()),
            #[cfg(feature = "typescript")]
            Self::Tsx => Some(tree_sitter_typescript::LANGUAGE_TSX.into()),
            #[cfg(feature = "rust")]
            Self::Rust => Some(tree_sitter_rust::LANGUAGE.into()),
            #[cfg(feature = "json")]
            Self::Json => Some(tree_sitter_json::LANGUAGE.into()),
            #[cfg(feature = "java")]
            Self::Java => Some(tree_sitter_java::LANGUAGE.into()),
            #[cfg(feature = "c")]
            Self::C => Some(tree_sitter_c::LANGUAGE.into()),
            #[cfg(feature = "cpp")]
            Self::Cpp => Some(tree_sitter_cpp::LANGUAGE.into()),
            #[cfg(feature = "c-sharp")]
            Self::CSharp => Some(tree_sitter_c_sharp::LANGUAGE.into()),
            #[cfg(feature = "php")]
            Self::Php => Some(tree_sitter_php::LANGUAGE_PHP.into()),
            #[cfg(feature = "ruby")]
            Self::Ruby => Some(tree_sitter_ruby::LANGUAGE.into()),
            #[cfg(feature = "kotlin")]
            Self::Kotlin => Some(tree_sitter_kotlin_ng::LANGUAGE.into()),
            #[cfg(feature = "swift")]
            Self::Swift => Some(tree_sitter_swift::LANGUAGE.into()),
            #[cfg(feature = "scala")]
            Self::Scala => Some(tree_sitter_scala::LANGUAGE.into()),
            #[cfg(feature = "bash")]
            Self::Bash => Some(tree_sitter_bash::LANGUAGE.into()),
            #[cfg(feature = "lua")]
            Self::Lua => Some(tree_sitter_lua::LANGUAGE.into()),
            #[cfg(feature = "html")]
            Self::Html => Some(tree_sitter_html::LANGUAGE.into()),
            #[cfg(feature = "vue")]
            Self::Vue => Some(tree_sitter_vue_next::LANGUAGE.into()),
            #[cfg(feature = "svelte")]
            Self::Svelte => Some(tree_sitter_svelte_ng::LANGUAGE.into()),
            #[cfg(feature = "css")]
            Self::Css => Some(tree_sitter_css::LANGUAGE.into()),
            #[cfg(feature = "markdown")]
            Self::Markdown => Some(tree_sitter_md::LANGUAGE.into()),
            #[cfg(feature = "yaml")]
            Self::Yaml => Some(tree_sitter_yaml::LANGUAGE.into()),
            #[cfg(feature = "toml")]
            Self::Toml => Some(tree_sitter_toml_ng::LANGUAGE.into()),
            #[cfg(feature = "sql")]
            Self::Sql => Some(tree_sitter_sequel::LANGUAGE.into()),
            #[cfg(feature = "hcl")]
            Self::Hcl => Some(tree_sitter_hcl::LANGUAGE.into()),
            #[cfg(feature = "dockerfile")]
            Self::Dockerfile => Some(tree_sitter_containerfile::LANGUAGE.into()),
            #[cfg(feature = "elixir")]
            Self::Elixir => Some(tree_sitter_elixir::LANGUAGE.into()),
            #[cfg(feature = "ocaml")]
            Self::OCaml => Some(tree_sitter_ocaml::LANGUAGE_OCAML.into()),
            #[cfg(feature = "ocaml")]
            Self::OCamlInterface => Some(tree_sitter_ocaml::LANGUAGE_OCAML_INTERFACE.into()),
            #[cfg(feature = "haskell")]
            Self::Haskell => Some(tree_sitter_haskell::LANGUAGE.into()),
            #[cfg(feature = "zig")]
            Self::Zig => Some(tree_sitter_zig::LANGUAGE.into()),
            #[allow(unreachable_patterns, reason = "reached only where a grammar is left out of the build")]
            _ => None,
        }
    }

    fn entry(self) -> Option<&'static Entry> {
        TABLE.iter().find(|entry| entry.language == Some(self))
    }
}

/// Gives the comment signs of a file: of its language where that is known, else by the file's name, else
/// [`ANY_COMMENT_SIGNS`].
pub(crate) fn comment_signs(path: &str, language: Option<Language>) -> CommentSigns {
    language.and_then(Language::entry).or_else(|| entry_of_path(path)).map_or(ANY_COMMENT_SIGNS, |entry| entry.comments)
}

/// Finds the entry for a file name. `Dockerfile.dev` is still a Dockerfile: where the extension says nothing,
/// the part before the first dot counts as a whole name.
fn entry_of_path(path: &str) -> Option<&'static Entry> {
    let name = path.rsplit(['/', '\\']).next()?.to_lowercase();
    let by_name = |name: &str| TABLE.iter().find(|entry| entry.file_names.contains(&name));
    let by_extension = |extension: &str| TABLE.iter().find(|entry| entry.extensions.contains(&extension));
    by_name(&name).or_else(|| by_extension(name.rsplit_once('.')?.1)).or_else(|| by_name(name.split_once('.')?.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_file_tells_its_language() {
        for (path, wanted) in [
            ("main.go", Some(Language::Go)),
            ("a/b.c/mod.RS", Some(Language::Rust)),
            ("C:\\src\\App.Tsx", Some(Language::Tsx)),
            ("types.d.ts", Some(Language::TypeScript)),
            ("Pipfile.lock", Some(Language::Json)),
            ("SConstruct", Some(Language::Python)),
            ("Makefile", None),
            ("py", None),
            ("", None),
            (".", None),
            ("a.", None),
        ] {
            assert_eq!(Language::from_path(path), wanted, "{path}");
        }
    }

    #[test]
    fn every_language_is_found_by_its_own_names() {
        for language in Language::all() {
            assert_eq!(Language::from_name(language.name()), Some(language));
            for extension in language.extensions() {
                assert_eq!(Language::from_path(&format!("x.{extension}")), Some(language), "{extension}");
            }
        }
        assert_eq!(Language::from_name(" GoLang "), Some(Language::Go));
        assert_eq!(Language::from_name("make"), None, "known for its comments only");
    }

    #[test]
    fn names_stand_in_one_entry_only() {
        let mut seen = std::collections::BTreeSet::new();
        for entry in TABLE {
            for extension in entry.extensions {
                assert!(seen.insert(format!("*.{extension}")), "{extension} twice");
                assert_eq!(*extension, extension.to_lowercase());
            }
            for name in entry.file_names {
                assert!(seen.insert((*name).to_owned()), "{name} twice");
                assert_eq!(*name, name.to_lowercase());
            }
        }
    }

    #[test]
    fn comment_signs_are_known_without_a_grammar() {
        let check = |path, wanted| {
            assert_eq!(comment_signs(path, Language::from_path(path)).line.first().copied(), wanted, "{path}");
        };
        check("a.py", Some("#"));
        check("a.go", Some("//"));
        check("a.lua", Some("--"));
        check("deploy/Dockerfile.dev", Some("#"));
        check("GNUmakefile", Some("#"));
        check("CMakeLists.txt", Some("#"));
        check("a.css", None);
        check("a.unheard-of", Some("//"));
        assert_eq!(comment_signs("a.html", None).block, [("<!--", "-->")]);
        assert_eq!(comment_signs("a.txt", Some(Language::Python)).line, ["#"]);
    }
}
