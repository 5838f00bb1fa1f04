//! Windows of many places: how much is read, and by how many parses.

use super::*;
use crate::diff;

const LONG: std::time::Duration = std::time::Duration::from_secs(60);

/// A Go file of `n` functions.
fn functions(n: usize) -> String {
    let function = |at: usize| format!("// f{at} does.\nfunc f{at}() {{\n\tg({at})\n\tif a {{\n\t\th()\n\t}}\n}}\n\n");
    String::from("package p\n\n") + &(0..n).map(function).collect::<String>()
}

/// The third line of every `step`th function.
fn touched(n: usize, step: usize) -> Vec<LineRange> {
    (0..n).step_by(step).map(|at| LineRange::new(2 + 8 * at + 2, 2 + 8 * at + 3)).collect()
}

#[test]
fn many_places_are_read_by_many_parses_of_few_ranges() {
    let text = functions(8_000);
    let source = Source::new(&text);
    let window = Window::of(&source, Language::Go, &touched(8_000, 8), &Meter::start(LONG.into())).unwrap();
    assert_eq!(window.kept.len(), 1_000);
    let most = window.parts.iter().map(|part| part.kept.len()).max();
    assert!(most <= Some(RANGES_A_PARSE + 1), "{most:?}");
    let n_bytes: usize = window.kept.iter().map(|&lines| source.bytes_of(lines).len()).sum();
    assert!(n_bytes < 1_000 * 250, "{n_bytes}");

    let result = text.replace("g(", "gg(");
    let edited = |at: usize| at.is_multiple_of(8);
    let lines = text.lines().zip(result.lines()).enumerate().map(|(row, (old, new))| {
        let is_touched = row > 2 && (row - 2) % 8 == 2 && edited((row - 2) / 8);
        String::from(if is_touched { new } else { old }) + "\n"
    });
    let result: String = lines.collect();
    let replacements = diff::between(&source, &result);
    assert_eq!(replacements.len(), 1_000);
    assert!(window.stays_clean(&source, &result, &replacements, &Meter::start(LONG.into())).is_some());
    let broken = result.replacen("gg(4000)", "gg((4000)", 1);
    assert!(broken.len() > result.len());
    assert!(
        window.stays_clean(&source, &broken, &diff::between(&source, &broken), &Meter::start(LONG.into())).is_none()
    );
}

/// What a window says of an edit.
#[derive(Debug, PartialEq, Eq)]
enum Says {
    /// There is none to rely on.
    Nothing,
    /// The result is clean.
    Clean,
    /// The whole has to be read.
    Open,
}

/// Puts `new` in the place of `old` and asks a window.
fn says(language: Language, text: &str, old: &str, new: &str) -> Says {
    assert_eq!(text.matches(old).count(), 1, "{old}");
    let source = Source::new(text);
    let result = text.replace(old, new);
    let replacements = diff::between(&source, &result);
    let touched: Vec<LineRange> = replacements.iter().map(|one| one.old_lines).collect();
    let meter = Meter::start(LONG.into());
    match Window::of(&source, language, &touched, &meter) {
        None => Says::Nothing,
        Some(window) if window.stays_clean(&source, &result, &replacements, &meter).is_some() => Says::Clean,
        Some(_) => Says::Open,
    }
}

/// Puts `n` numbered pieces together.
fn pieces(n: usize, piece: impl Fn(usize) -> String) -> String {
    (0..n).map(piece).collect()
}

#[cfg(feature = "c")]
#[test]
fn branches_of_a_preprocessor_are_not_parted() {
    let function = |at: usize| format!("int f{at}(int a)\n{{\n\tif (a)\n\t\treturn g({at});\n\treturn a;\n}}\n\n");
    let text = pieces(40, function)
        + "#ifdef A\nint first(void)\n{\n\treturn 1;\n}\n#else\nint second(void)\n{\n\treturn 2;\n}\n#endif\n\n"
        + &pieces(40, |at| function(at + 100));
    let c = |old: &str, new: &str| says(Language::C, &text, old, new);
    assert_eq!(c("g(7);", "g(7, 1);"), Says::Clean);
    assert_eq!(c("g(7);", "g(7, 1;"), Says::Open);
    assert_eq!(c("return 2;", "return 3;"), Says::Clean);
    // The grammar takes a stray directive without an error.
    assert_eq!(c("g(7);", "g(7);\n#endif"), Says::Open);
    assert_eq!(c("return 2;", "return 2;\n#else"), Says::Open);
    // A branch that opens a block which another one closes.
    let half =
        text.replace("int second(void)\n{", "int second(void)\n{\n#if B\n\tif (b) {\n#else\n\tif (c) {\n#endif\n\t}");
    assert_eq!(says(Language::C, &half, "return 2;", "return 3;"), Says::Nothing);
    // Without its header a function is no item.
    assert_eq!(c("int f20(int a)\n{\n\tif (a)", "int f20(int a)\n\tif (a)"), Says::Open);
    // A directive at the left edge of a function doesn't end it.
    let within = text.replace("\treturn g(9);", "\treturn g(9);\n#ifdef C\n\th();\n#endif\n\tlast(9);");
    assert_eq!(says(Language::C, &within, "last(9);", "last(10);"), Says::Clean);
    assert_eq!(says(Language::C, &within, "#ifdef C\n", ""), Says::Open);
}

#[cfg(feature = "cpp")]
#[test]
fn a_raw_string_of_cpp_is_not_passed_over() {
    let text = pieces(60, |at| format!("int f{at}(int a) {{\n  return g({at});\n}}\n\n"));
    assert_eq!(says(Language::Cpp, &text, "g(50)", "g(51)"), Says::Clean);
    let raw = String::from("auto a = R\"(\n") + &text + ")\";\n";
    assert_eq!(says(Language::Cpp, &raw, "g(50)", "g(51"), Says::Nothing);
}

#[cfg(feature = "json")]
#[test]
fn entries_of_json_keep_their_commas() {
    let entries = pieces(150, |at| format!("    \"k{at}\": {{ \"a\": [{at}] }},\n"));
    let text = format!("{{\n  \"all\": {{\n{entries}    \"last\": 1\n  }},\n  \"end\": 2\n}}\n");
    let json = |old: &str, new: &str| says(Language::Json, &text, old, new);
    assert_eq!(json("[70]", "[71, 72]"), Says::Clean);
    assert_eq!(json("\"k70\": { \"a\": [70] },\n", ""), Says::Clean);
    assert_eq!(json("[70] },", "[70] }"), Says::Open);
    assert_eq!(json("\"last\": 1", "\"last\": 1,"), Says::Open);
    assert_eq!(json("\"last\": 1", "\"last\": 1,\n    \"more\": 2"), Says::Clean);
    // All in one line is one item.
    let line = text.replace('\n', "");
    assert_eq!(says(Language::Json, &line, "[70]", "[71]"), Says::Nothing);
}

#[cfg(feature = "yaml")]
#[test]
fn entries_of_yaml_stay_what_they_are() {
    let entries = |indent: &str| pieces(150, |at| format!("{indent}k{at}:\n{indent}  a: x{at}\n{indent}  b: [{at}]\n"));
    let text = format!("# All.\n\nall:\n{}end:\n  c: 1\n", entries("  "));
    let yaml = |text: &str, old: &str, new: &str| says(Language::Yaml, text, old, new);
    assert_eq!(yaml(&text, "a: x70", "a: y70"), Says::Clean);
    assert_eq!(yaml(&text, "a: x70", "a: [y70"), Says::Open);
    // An entry of a list among those of a mapping.
    assert_eq!(yaml(&text, "  k70:\n    a: x70\n    b: [70]\n", "  - k70\n"), Says::Open);
    let top = entries("");
    assert_eq!(yaml(&top, "a: x70", "a: y70"), Says::Clean);
    assert_eq!(yaml(&top, "k70:\n  a: x70\n  b: [70]\n", "- k70\n"), Says::Open);
    // What looks like entries may be the text of one.
    let block = format!("first: 1\nall: |\n{}end: 2\n", entries("  "));
    assert_eq!(yaml(&block, "a: x70", "a: ["), Says::Nothing);
    // What a document is, what it leaves out says as well.
    assert_eq!(yaml(&format!("{text}---\n{top}"), "c: 1", "c: 2"), Says::Nothing);
    assert_eq!(yaml(&format!("%YAML 1.2\n---\n{text}"), "c: 1", "c: 2"), Says::Nothing);
    // A comment that stands anywhere starts nothing.
    let comments = top.replace("  b: [70]", "# A comment.\n  b: [70]");
    assert_eq!(yaml(&comments, "a: x70", "a: y70"), Says::Clean);
}
