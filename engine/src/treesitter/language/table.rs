//! Every language that is known by its file names.

use super::{CommentSigns, Entry, Language};

const SLASHES: CommentSigns = CommentSigns { line: &["//"], block: &[("/*", "*/")] };
const SLASHES_AND_JSX: CommentSigns = CommentSigns { line: &["//"], block: &[("/*", "*/"), ("{/*", "*/}")] };
const HASH: CommentSigns = CommentSigns { line: &["#"], block: &[] };
const MARKUP: CommentSigns = CommentSigns { line: &[], block: &[("<!--", "-->")] };
const DASHES: CommentSigns = CommentSigns { line: &["--"], block: &[("/*", "*/")] };
const PARENTHESES_AND_STARS: CommentSigns = CommentSigns { line: &[], block: &[("(*", "*)")] };
const COMPONENT: CommentSigns = CommentSigns { line: &["//"], block: &[("<!--", "-->"), ("/*", "*/")] };
const SEMICOLON: CommentSigns = CommentSigns { line: &[";"], block: &[] };
const PERCENT: CommentSigns = CommentSigns { line: &["%"], block: &[] };

/// A language with a grammar.
const fn parsed(
    language: Language,
    name: &'static str,
    aliases: &'static [&'static str],
    extensions: &'static [&'static str],
    file_names: &'static [&'static str],
    comments: CommentSigns,
) -> Entry {
    Entry { language: Some(language), name, aliases, extensions, file_names, comments }
}

/// A language that is known for its comments only.
const fn plain(
    name: &'static str,
    extensions: &'static [&'static str],
    file_names: &'static [&'static str],
    comments: CommentSigns,
) -> Entry {
    Entry { language: None, name, aliases: &[], extensions, file_names, comments }
}

/// Every language. An extension or file name stands in one entry only.
pub(super) static TABLE: &[Entry] = &[
    parsed(Language::Go, "go", &["golang"], &["go"], &[], SLASHES),
    parsed(
        Language::Python,
        "python",
        &["py", "python3"],
        &["py", "pyi", "pyw"],
        &["sconstruct", "sconscript", "wscript"],
        HASH,
    ),
    parsed(
        Language::JavaScript,
        "javascript",
        &["js", "jsx", "node", "ecmascript"],
        &["js", "mjs", "cjs", "jsx"],
        &["jakefile"],
        SLASHES_AND_JSX,
    ),
    parsed(Language::TypeScript, "typescript", &["ts"], &["ts", "mts", "cts"], &[], SLASHES),
    parsed(Language::Tsx, "tsx", &["typescriptreact"], &["tsx"], &[], SLASHES_AND_JSX),
    parsed(Language::Rust, "rust", &["rs"], &["rs"], &[], SLASHES),
    parsed(
        Language::Json,
        "json",
        &["jsonc"],
        &["json", "jsonc", "webmanifest", "geojson", "ipynb", "code-workspace"],
        &["composer.lock", "pipfile.lock", ".jshintrc", ".babelrc", ".eslintrc", ".swcrc"],
        SLASHES,
    ),
    parsed(Language::Java, "java", &[], &["java"], &[], SLASHES),
    parsed(Language::C, "c", &[], &["c", "h"], &[], SLASHES),
    parsed(
        Language::Cpp,
        "c++",
        &["cpp", "cxx", "cc", "cplusplus"],
        &["cc", "cpp", "cxx", "c++", "hh", "hpp", "hxx", "h++", "inl", "ipp", "tpp", "cu", "cuh", "ino"],
        &[],
        SLASHES,
    ),
    parsed(Language::CSharp, "c#", &["csharp", "cs", "c-sharp"], &["cs", "csx"], &[], SLASHES),
    parsed(Language::Kotlin, "kotlin", &["kt"], &["kt", "kts"], &[], SLASHES),
    parsed(Language::Scala, "scala", &[], &["scala", "sc", "sbt"], &[], SLASHES),
    plain("groovy", &["groovy", "gradle"], &["jenkinsfile"], SLASHES),
    parsed(Language::Swift, "swift", &[], &["swift"], &[], SLASHES),
    plain("objective-c", &["m", "mm"], &[], SLASHES),
    plain("dart", &["dart"], &[], SLASHES),
    parsed(Language::Zig, "zig", &[], &["zig", "zon"], &[], CommentSigns { line: &["//"], block: &[] }),
    plain("protobuf", &["proto"], &[], SLASHES),
    plain("solidity", &["sol"], &[], SLASHES),
    plain("shader", &["glsl", "vert", "frag", "hlsl", "wgsl", "metal"], &[], SLASHES),
    parsed(
        Language::Php,
        "php",
        &[],
        &["php", "phtml"],
        &[],
        CommentSigns { line: &["//", "#"], block: &[("/*", "*/"), ("<!--", "-->")] },
    ),
    parsed(Language::Css, "css", &[], &["css"], &[], CommentSigns { line: &[], block: &[("/*", "*/")] }),
    plain("scss", &["scss", "less", "sass", "styl"], &[], SLASHES),
    plain("json5", &["json5"], &[], SLASHES),
    parsed(Language::Html, "html", &["htm"], &["html", "htm", "xhtml"], &[], MARKUP),
    plain("xml", &["xml", "svg", "xsd", "xsl", "xslt", "plist", "csproj", "props", "targets", "xaml"], &[], MARKUP),
    parsed(Language::Markdown, "markdown", &["md"], &["md", "markdown", "mdx"], &[], MARKUP),
    parsed(Language::Vue, "vue", &[], &["vue"], &[], COMPONENT),
    parsed(Language::Svelte, "svelte", &[], &["svelte"], &[], COMPONENT),
    plain("astro", &["astro"], &[], COMPONENT),
    plain(
        "template",
        &["hbs", "handlebars", "mustache", "ejs", "erb", "jinja", "j2", "jinja2", "twig", "liquid", "njk"],
        &[],
        CommentSigns { line: &[], block: &[("<!--", "-->"), ("{#", "#}"), ("{{!--", "--}}"), ("<%#", "%>")] },
    ),
    parsed(Language::Yaml, "yaml", &["yml"], &["yaml", "yml"], &[".clang-format", ".clang-tidy"], HASH),
    parsed(Language::Toml, "toml", &[], &["toml"], &["cargo.lock", "poetry.lock", "uv.lock", "pipfile"], HASH),
    plain(
        "ini",
        &["ini", "cfg", "conf", "properties", "desktop", "service"],
        &[".editorconfig", ".gitconfig", ".npmrc", ".pylintrc"],
        CommentSigns { line: &["#", ";"], block: &[] },
    ),
    parsed(
        Language::Bash,
        "bash",
        &["shell", "sh", "zsh", "ksh"],
        &["sh", "bash", "zsh", "ksh", "env", "envrc", "bats"],
        &[".bashrc", ".zshrc", ".profile", ".bash_profile", ".env"],
        HASH,
    ),
    plain("fish", &["fish"], &[], HASH),
    plain("powershell", &["ps1", "psm1", "psd1"], &[], CommentSigns { line: &["#"], block: &[("<#", "#>")] }),
    plain("batch", &["bat", "cmd"], &[], CommentSigns { line: &["REM", "rem", "::"], block: &[] }),
    plain("make", &["mk", "mak"], &["makefile", "gnumakefile"], HASH),
    plain("cmake", &["cmake"], &["cmakelists.txt"], CommentSigns { line: &["#"], block: &[("#[[", "]]")] }),
    parsed(
        Language::Dockerfile,
        "dockerfile",
        &["docker", "containerfile"],
        &["dockerfile", "containerfile"],
        &["dockerfile", "containerfile"],
        HASH,
    ),
    plain("ignore list", &["gitignore", "dockerignore"], &[".gitignore", ".dockerignore", "codeowners"], HASH),
    plain("starlark", &["bzl", "star"], &["build", "workspace", "tiltfile"], HASH),
    plain("nix", &["nix"], &[], CommentSigns { line: &["#"], block: &[("/*", "*/")] }),
    parsed(
        Language::Hcl,
        "hcl",
        &["terraform", "tf"],
        &["tf", "tfvars", "hcl"],
        &[],
        CommentSigns { line: &["#", "//"], block: &[("/*", "*/")] },
    ),
    plain("graphql", &["graphql", "gql"], &[], HASH),
    parsed(
        Language::Ruby,
        "ruby",
        &["rb"],
        &["rb", "rake", "gemspec", "ru"],
        &["gemfile", "rakefile", "vagrantfile", "podfile", "fastfile", "brewfile"],
        CommentSigns { line: &["#"], block: &[("=begin", "=end")] },
    ),
    plain("crystal", &["cr"], &[], HASH),
    plain("perl", &["pl", "pm", "t"], &[], CommentSigns { line: &["#"], block: &[("=pod", "=cut")] }),
    plain("r", &["r", "rmd"], &[".rprofile"], HASH),
    plain("julia", &["jl"], &[], CommentSigns { line: &["#"], block: &[("#=", "=#")] }),
    parsed(Language::Elixir, "elixir", &["ex", "exs"], &["ex", "exs"], &[], HASH),
    plain("nim", &["nim", "nims"], &[], CommentSigns { line: &["#"], block: &[("#[", "]#")] }),
    plain("coffeescript", &["coffee"], &["cakefile"], CommentSigns { line: &["#"], block: &[("###", "###")] }),
    parsed(Language::Lua, "lua", &[], &["lua", "luau"], &[], CommentSigns { line: &["--"], block: &[("--[[", "]]")] }),
    parsed(Language::Sql, "sql", &[], &["sql", "ddl", "psql", "mysql"], &[], DASHES),
    parsed(Language::Haskell, "haskell", &["hs"], &["hs"], &[], CommentSigns { line: &["--"], block: &[("{-", "-}")] }),
    plain("purescript", &["lhs", "purs"], &[], CommentSigns { line: &["--"], block: &[("{-", "-}")] }),
    plain("elm", &["elm"], &[], CommentSigns { line: &["--"], block: &[("{-", "-}")] }),
    plain("ada", &["adb", "ads"], &[], CommentSigns { line: &["--"], block: &[] }),
    plain("vhdl", &["vhd", "vhdl"], &[], DASHES),
    plain("verilog", &["v", "sv", "svh"], &[], SLASHES),
    parsed(Language::OCaml, "ocaml", &["ml"], &["ml"], &[], PARENTHESES_AND_STARS),
    parsed(Language::OCamlInterface, "ocaml interface", &["mli"], &["mli"], &[], PARENTHESES_AND_STARS),
    plain("f#", &["fs", "fsi", "fsx"], &[], CommentSigns { line: &["//"], block: &[("(*", "*)")] }),
    plain("pascal", &["pas", "dpr"], &[], CommentSigns { line: &["//"], block: &[("{", "}"), ("(*", "*)")] }),
    plain("lisp", &["lisp", "cl", "el", "scm", "rkt"], &[], CommentSigns { line: &[";"], block: &[("#|", "|#")] }),
    plain("clojure", &["clj", "cljs", "cljc", "edn"], &[], SEMICOLON),
    plain("assembly", &["asm", "s"], &[], CommentSigns { line: &[";", "#", "//"], block: &[("/*", "*/")] }),
    plain("erlang", &["erl", "hrl"], &[], PERCENT),
    plain("tex", &["tex", "sty", "cls", "bib"], &[], PERCENT),
    plain("visual basic", &["vb", "vbs", "bas"], &[], CommentSigns { line: &["'"], block: &[] }),
    plain("vim", &["vim"], &[".vimrc"], CommentSigns { line: &["\""], block: &[] }),
    plain("fortran", &["f90", "f95", "f03", "f08"], &[], CommentSigns { line: &["!"], block: &[] }),
];
