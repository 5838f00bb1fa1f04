//! Outlines of a sample of each language: `<language>.txt` holds the sample, a line of dashes and the outline.

#![cfg_attr(not(feature = "lang-all"), allow(dead_code, reason = "a test of each grammar that is built in"))]

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
    "c" c_macros: C,
    "cpp" c_header: C,
    "cpp" cpp: Cpp,
    "c-sharp" c_sharp: CSharp,
    "c-sharp" c_sharp_top_level: CSharp,
    "php" php: Php,
    "ruby" ruby: Ruby,
    "ruby" ruby_hash: Ruby,
    "kotlin" kotlin: Kotlin,
    "swift" swift: Swift,
    "scala" scala: Scala,
    "bash" bash: Bash,
    "lua" lua: Lua,
    "html" html: Html,
    "vue" vue: Vue,
    "svelte" svelte: Svelte,
    "css" css: Css,
    "markdown" markdown: Markdown,
    "yaml" yaml: Yaml,
    "toml" toml: Toml,
    "sql" sql: Sql,
    "hcl" hcl: Hcl,
    "dockerfile" dockerfile: Dockerfile,
    "elixir" elixir: Elixir,
    "ocaml" ocaml: OCaml,
    "ocaml" ocaml_interface: OCamlInterface,
    "haskell" haskell: Haskell,
    "zig" zig: Zig,
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
    let outline = Outline::of(&Source::new(text), Some(language), &meter(LONG));
    assert!(outline.parsed && outline.cut_by.is_none());
    let got = render(&outline);
    assert_eq!(got.trim_end(), wanted.trim_end(), "\n{got}");
}

#[test]
fn any_text_of_any_language_has_a_sound_outline() {
    for (language, text) in samples() {
        assert_any_variant_is_sound(language, text);
    }
}

#[cfg(all(feature = "java", feature = "c-sharp", feature = "kotlin", feature = "swift", feature = "scala"))]
#[test]
fn members_without_their_class() {
    check_snippet(
        Language::Java,
        "    // ... existing code ...\n    public A(int a) {\n        // ... existing code ...\n    }\n\n    private int b = 1;\n",
        "\
        value A 0..4 header 1..2 closer 3 of (inta)
        value b 5..6
        blocks 1-3
        comments [0..1, 2..3]",
    );
    check_snippet(
        Language::CSharp,
        "    public A(int a)\n    {\n    }\n\n    // ... existing code ...\n    public int B { get; set; }\n",
        "\
        value A 0..3 header 0..2 closer 2 of (inta)
        value B 4..6 header 5..6
        blocks 1-2
        comments [4..5]",
    );
    check_snippet(
        Language::Kotlin,
        "    override fun a(b: Int) {\n        // ... existing code ...\n    }\n",
        "\
        value a 0..3 header 0..1 closer 2 of (b:Int)
        blocks 0-2
        comments [1..2]",
    );
    check_snippet(
        Language::Swift,
        "    init(a: Int) {\n        // ... existing code ...\n    }\n\n    case a\n",
        "\
        value init 0..3 header 0..1 closer 2 of (a:Int)
        value a 4..5
        blocks 0-2
        comments [1..2]",
    );
    check_snippet(
        Language::Scala,
        "  override def a(b: Int): Int = {\n    // ... existing code ...\n  }\n",
        "\
        value a 0..3 header 0..1 closer 2 of (b:Int)
        blocks 0-2
        comments [1..2]",
    );
}

#[cfg(all(feature = "c", feature = "cpp", feature = "zig"))]
#[test]
fn fields_without_their_struct() {
    check_snippet(
        Language::C,
        "\tint a;\n\t/* ... existing code ... */\n\tstruct list b;\n\tvoid (*c)(int);\n",
        "\
        value a 0..1
        value b 1..3 header 2..3
        value c 3..4
        blocks
        comments [1..2]",
    );
    check_snippet(
        Language::C,
        "\t.open = a,\n\t/* ... existing code ... */\n\t.close = b,\n",
        "\
        value .open 0..1
        value .close 1..3 header 2..3
        blocks
        comments [1..2]",
    );
    check_snippet(
        Language::Cpp,
        "  explicit A(int a);\n  // ... existing code ...\n  void b() const override;\n  int c_ = 0;\n",
        "\
        value A; 0..1 of (inta)
        value b; 1..3 header 2..3 of ()const
        value c_ 3..4
        blocks
        comments [1..2]",
    );
    check_snippet(
        Language::Zig,
        "    a: u32,\n    // ... existing code ...\n\n    pub fn b() void {\n    }\n",
        "\
        value a 0..1
        value b 3..5 header 3..4 closer 4
        blocks 3-4
        comments [1..2]",
    );
}

#[cfg(all(feature = "php", feature = "ruby", feature = "sql", feature = "css", feature = "hcl", feature = "lua"))]
#[test]
fn pieces_of_scripts_and_data() {
    check_snippet(
        Language::Php,
        "    public function a($b)\n    {\n        // ... existing code ...\n    }\n",
        "\
        value a 0..4 header 0..2 closer 3 of ($b)
        blocks 1-3
        comments [2..3]",
    );
    check_snippet(
        Language::Php,
        "function a() {\n    return 1;\n}\n",
        "\
        value a 0..3 header 0..1 closer 2 of ()
        blocks 0-2",
    );
    check_snippet(
        Language::Php,
        "    'a' => 1,\n    // ... existing code ...\n    'b' => [\n        'c' => 2,\n    ],\n",
        "\
        value a 0..1
        value b 1..5 header 2..3 closer 4
          value c 3..4
        blocks 2-4
        comments [1..2]",
    );
    check_snippet(
        Language::Ruby,
        "  a: 1,\n  # ... existing code ...\n  b: 2\n",
        "\
        value a 0..1
        value b 1..3 header 2..3
        blocks
        comments [1..2]",
    );
    check_snippet(
        Language::Sql,
        "  id INT,\n  -- ... existing code ...\n  name TEXT\n",
        "\
        value id 0..1
        value name 1..3 header 2..3
        blocks
        comments [1..2]",
    );
    check_snippet(
        Language::Css,
        "  color: red;\n  /* ... existing code ... */\n  margin: 0;\n",
        "\
        value color 0..1
        value margin 1..3 header 2..3
        blocks
        comments [1..2]",
    );
    check_snippet(
        Language::Hcl,
        "    Name = \"x\"\n    # ... existing code ...\n    Other = 1\n",
        "\
        value Name 0..1
        value Other 1..3 header 2..3
        blocks
        comments [1..2]",
    );
    check_snippet(
        Language::Lua,
        "  a = 1,\n  -- ... existing code ...\n  run = function()\n  end,\n",
        "\
        value a 0..1
        value run 1..4 header 2..3 closer 3 of ()
        blocks 2-3
        comments [1..2]",
    );
}

#[cfg(all(feature = "yaml", feature = "toml", feature = "markdown"))]
#[test]
fn references_at_the_end_of_a_section() {
    check_snippet(
        Language::Yaml,
        "  a:\n    b: 1\n    # ... existing code ...\n  # ... existing code ...\n  c:\n  - name: d\n    e: 1\n",
        "\
        value a 0..3 header 0..1
          value b 1..2
        value c 3..7 header 4..5
          value - name: d 5..7 header 5..6
            value e 6..7
        blocks
        comments [2..4]",
    );
    check_snippet(
        Language::Toml,
        "[a]\n# ... existing code ...\nb = 1\n\n# ... existing code ...\n",
        "\
        type a 0..3 header 0..1
          value b 1..3 header 2..3
        blocks
        comments [1..2, 4..5]",
    );
    check_snippet(
        Language::Markdown,
        "## A\n\n<!-- ... existing code ... -->\n\n## B\n\nText.\n\n<!-- ... existing code ... -->\n",
        "\
        module A 0..3 header 0..1
        module B 4..7 header 4..5
        blocks
        comments [2..3, 8..9]",
    );
}

#[cfg(all(feature = "ocaml", feature = "haskell"))]
#[test]
fn elided_bodies_of_expressions() {
    check_snippet(
        Language::OCaml,
        "let a b =\n  (* ... existing code ... *)\n\nlet c d =\n  d\n",
        "\
        value a 0..2 header 0..1 of b
        value c 3..5 header 3..4 of d
        blocks",
    );
    check_snippet(
        Language::Haskell,
        "a :: Int -> Int\na b = do\n  -- ... existing code ...\n\nc :: Int\nc = 1\n",
        "\
        value a:: 0..1
        value a 1..3 header 1..2 of b
        value c:: 4..5
        value c 5..6
        blocks",
    );
}
