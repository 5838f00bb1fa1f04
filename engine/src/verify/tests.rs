use super::*;
use crate::range::LineRange;

const ORIGINAL: &str = "import os\nimport sys\n\n# Adds two numbers.\ndef add(a, b):\n    return a + b\n\n\ndef show(x):\n    \
                        print(x)\n\n\ndef main():\n    show(add(1, 2))\n";
const SNIPPET: &str = "# ... existing code ...\n\ndef show(x):\n    print(repr(x))\n\n# ... existing code ...\n";

fn merged() -> String {
    ORIGINAL.replace("print(x)", "print(repr(x))")
}

fn verify(original: &str, snippet: &str, merged: &str) -> Verification {
    Engine::default().verify(&Edit::new("a.py", original, snippet), merged).expect("nothing to refuse")
}

/// Verifies a merge of the example and holds what is found against `wanted`: kinds and zero-based lines of the original
/// and the merge. What is found must be repaired to the last byte.
#[track_caller]
fn check(merge: &str, wanted: &[(FindingKind, Option<LineRange>, Option<LineRange>)]) {
    let verification = verify(ORIGINAL, SNIPPET, merge);
    let found: Vec<_> = verification.findings().iter().map(|f| (f.kind, f.original_lines, f.merged_lines)).collect();
    assert_eq!(found, wanted, "{merge}");
    assert!(verification.is_certain());
    assert_eq!(verification.repaired(), merged());
    assert_eq!(verification.left(), []);
}

fn lines(start: usize, end: usize) -> LineRange {
    LineRange::new(start, end)
}

#[test]
fn a_sound_merge_is_clean() {
    check(&merged(), &[]);
}

#[test]
fn a_lost_import_is_found_and_put_back() {
    let merge = merged().replace("import sys\n", "");
    check(&merge, &[(FindingKind::Lost, Some(lines(1, 2)), Some(lines(1, 1)))]);
}

#[test]
fn a_comment_written_otherwise_is_found() {
    let merge = merged().replace("Adds two numbers.", "Add two numbers");
    check(&merge, &[(FindingKind::Altered, Some(lines(3, 4)), Some(lines(3, 4)))]);
}

#[test]
fn code_from_nowhere_is_found() {
    let merge = merged().replace("    return a + b\n", "    # never overflows\n    return a + b\n");
    check(&merge, &[(FindingKind::Added, None, Some(lines(5, 6)))]);
    let doubled = merged().replace("    return a + b\n", "    return a + b\n    return a + b\n");
    let found: Vec<_> =
        verify(ORIGINAL, SNIPPET, &doubled).findings().iter().map(|f| (f.kind, f.message.clone())).collect();
    assert_eq!(found, [(FindingKind::Added, "this line is there once too often".to_owned())]);
}

#[test]
fn a_placeholder_in_the_file_is_found() {
    let merge = format!("# ... existing code ...\n{}", merged());
    check(&merge, &[(FindingKind::ReferenceLeft, None, Some(lines(0, 1)))]);
    let instead = format!("# ... existing code ...\n{}", &merged()[ORIGINAL.find("def add").unwrap()..]);
    check(
        &instead,
        &[
            (FindingKind::Lost, Some(lines(0, 4)), Some(lines(0, 0))),
            (FindingKind::ReferenceLeft, None, Some(lines(0, 1))),
        ],
    );
}

#[test]
fn blank_lines_beside_a_rewritten_line_are_found() {
    let merge = merged().replace("(repr(x))\n\n\n", "(repr(x))\n\n");
    check(&merge, &[(FindingKind::Lost, Some(lines(11, 12)), Some(lines(11, 11)))]);
    check(&merged().replace("sys\n\n#", "sys\n#"), &[(FindingKind::Lost, Some(lines(2, 3)), Some(lines(2, 2)))]);
    // Beside a new function they are a matter of taste.
    let snippet = "# ... existing code ...\n\ndef show(x):\n    print(x)\n\n\ndef more():\n    return 1\n\n\ndef main():\n# ... existing code ...\n";
    let merge = ORIGINAL.replace("    print(x)\n\n\n", "    print(x)\n\ndef more():\n    return 1\n\n\n");
    assert_eq!(verify(ORIGINAL, snippet, &merge).findings(), []);
}

#[test]
fn white_space_outside_of_the_edit_is_found() {
    check(
        &merged().replace("import os\n", "import os  \n"),
        &[(FindingKind::TrailingBlanks, Some(lines(0, 1)), Some(lines(0, 1)))],
    );
    let tabs = merged().replace("    return a + b", "\treturn a + b").replace("    show(add", "\tshow(add");
    let wanted = [5, 13].map(|row| (FindingKind::Indentation, Some(lines(row, row + 1)), Some(lines(row, row + 1))));
    check(&tabs, &wanted);
    check(merged().trim_end(), &[(FindingKind::FinalNewline, None, Some(lines(13, 14)))]);
    check(&format!("\u{feff}{}", merged()), &[(FindingKind::ByteOrderMark, Some(lines(0, 0)), Some(lines(0, 0)))]);
    let crlf = merged().replace('\n', "\r\n");
    let wanted = [
        (FindingKind::LineEnding, Some(lines(0, 9)), Some(lines(0, 9))),
        (FindingKind::LineEnding, None, Some(lines(9, 10))),
        (FindingKind::LineEnding, Some(lines(10, 14)), Some(lines(10, 14))),
    ];
    check(&crlf, &wanted);
}

#[test]
fn an_edit_that_is_not_there_is_found() {
    check(
        ORIGINAL,
        &[(FindingKind::NotApplied, None, Some(lines(9, 9))), (FindingKind::NotApplied, None, Some(lines(9, 10)))],
    );
    let verification = verify(ORIGINAL, SNIPPET, ORIGINAL);
    assert_eq!(verification.findings()[0].snippet_lines, Some(lines(3, 4)));
}

#[test]
fn a_new_declaration_that_is_missing_takes_no_kept_line_with_it() {
    let original = "function a() {\n  one();\n}\n\nfunction b() {\n  two();\n}\n";
    let snippet = "function a() {\n  one();\n}\n\nfunction n() {\n  new_one();\n}\n\nfunction b() {\n// ... existing code ...\n}\n";
    let edit = Edit::new("a.js", original, snippet);
    let verification = Engine::default().verify(&edit, original).expect("nothing to refuse");
    assert!(verification.findings().iter().all(|found| found.kind == FindingKind::NotApplied), "{verification:?}");
    assert!(verification.repaired().contains("}\n\nfunction n() {\n  new_one();\n}\n\n"), "{verification:?}");
}

#[test]
fn another_place_for_new_code_is_no_fault_where_nothing_says_which() {
    let original = "def a():\n    pass\n\n\ndef b():\n    pass\n";
    let snippet = "# ... existing code ...\n\n\ndef c():\n    return 3\n\n\n# ... existing code ...\n";
    for merge in [
        "def c():\n    return 3\n\n\ndef a():\n    pass\n\n\ndef b():\n    pass\n",
        "def a():\n    pass\n\n\ndef c():\n    return 3\n\n\ndef b():\n    pass\n",
        "def a():\n    pass\n\n\ndef b():\n    pass\n\n\ndef c():\n    return 3\n",
    ] {
        let verification = verify(original, snippet, merge);
        assert_eq!(verification.findings(), [], "{merge}");
        assert!(!verification.is_certain() && !verification.is_clean(), "nothing says where it goes");
    }
}

#[test]
fn what_lies_away_from_an_unclear_edit_is_judged_all_the_same() {
    let original = "import os\n\n\ndef a():\n    pass\n\n\ndef b():\n    pass\n";
    let snippet = "# ... existing code ...\n\n\ndef c():\n    return 3\n\n\n# ... existing code ...\n";
    let sound = format!("{original}\n\ndef c():\n    return 3\n");
    let merge = sound.replace("import os\n", "");
    let verification = verify(original, snippet, &merge);
    assert_eq!(verification.findings()[0].kind, FindingKind::Lost, "{verification:?}");
    assert_eq!(verification.repaired(), sound);
}

#[test]
fn a_merge_of_nothing_is_all_loss() {
    let verification = verify(ORIGINAL, SNIPPET, "");
    assert!(verification.findings().iter().any(|finding| finding.kind == FindingKind::Lost));
    assert!(verification.findings().iter().any(|finding| finding.kind == FindingKind::NotApplied));
    assert_eq!(Engine::default().verify(&Edit::new("a", "a\n", ""), "a\n").unwrap_err(), Error::EmptySnippet);
    let refused = Engine::default().verify(&Edit::new("a", "a\n", "b\n"), "a\0").unwrap_err();
    assert_eq!(refused, Error::NotText { input: crate::Input::Merge, offset: 1 });
}

const PAIR: &str = "import os\n\n\ndef a(n):\n    x = n\n    return x\n\n\ndef b(n):\n    y = n\n    return y\n";
const CHECKED: &str = "# ... existing code ...\n\n\ndef a(n):\n    x = n\n    check(n)\n    log(n)\n    return x\n\n\n\
                       # ... existing code ...\n";

/// Verifies a merge of the edit above, and says what kinds of findings there are. It must be repaired to our own.
#[track_caller]
fn kinds(merge: &str) -> Vec<FindingKind> {
    let verification = verify(PAIR, CHECKED, merge);
    assert!(verification.is_certain());
    assert_eq!(verification.repaired(), PAIR.replace("x = n\n", "x = n\n    check(n)\n    log(n)\n"));
    verification.findings().iter().map(|finding| finding.kind).collect()
}

#[test]
fn new_lines_are_judged_by_place_order_and_indentation() {
    use FindingKind::{Added, Indentation, Moved, NotApplied};
    let sound = PAIR.replace("x = n\n", "x = n\n    check(n)\n    log(n)\n");
    assert_eq!(kinds(&sound), []);
    let both = "    check(n)\n    log(n)\n";
    assert_eq!(kinds(&format!("check(n)\nlog(n)\n{PAIR}")), [Moved, Moved], "above the import");
    assert_eq!(kinds(&PAIR.replace("y = n\n", &format!("y = n\n{both}"))), [Moved, Moved], "in b");
    assert_eq!(kinds(&sound.replace("y = n\n", &format!("y = n\n{both}"))), [Added], "in a and b");
    assert_eq!(kinds(&sound.replace(both, "    log(n)\n    check(n)\n")), [Moved, Moved], "swapped");
    assert_eq!(kinds(&sound.replace(both, "  check(n)\n\tlog(n)\n")), [Indentation]);
    assert_eq!(kinds(&sound.replace("    log(n)\n", "")), [NotApplied]);
    assert_eq!(kinds(&sound.replace("    log(n)\n", "\n    log(n)\n")), [Added], "a blank line inside of the edit");
}

#[test]
fn a_function_moved_whole_is_put_back_whole() {
    let sound = PAIR.replace("x = n\n", "x = n\n    check(n)\n    log(n)\n");
    let (head, b) = sound.split_at(sound.find("def b").unwrap());
    let merge = head.replace("def a", &format!("{b}\n\ndef a"));
    assert!(kinds(merge.trim_end_matches('\n')).contains(&FindingKind::Moved));
}

#[test]
fn a_stray_closer_goes_and_the_right_one_stays() {
    let original = "class A {\n  one() {\n    return 1;\n  }\n\n  two() {\n    return 2;\n  }\n}\n";
    let snippet = "class A {\n  // ... existing code ...\n\n  two() {\n    return 22;\n  }\n}\n";
    let sound = original.replace("return 2;", "return 22;");
    let merge = sound.replace("return 1;\n", "return 1;\n}\n");
    let verification = Engine::default().verify(&Edit::new("a.js", original, snippet), &merge).expect("fine");
    assert!(verification.is_certain() && !verification.is_clean());
    assert_eq!(verification.repaired(), sound);
}

#[test]
fn without_trust_nothing_is_clean() {
    let original = "import os\n\n\ndef a():\n    pass\n\n\ndef b():\n    pass\n";
    let snippet = "# ... existing code ...\n\n\ndef c():\n    return 3\n\n\n# ... existing code ...\n";
    for merge in [
        original.to_owned(),
        format!("{original}\n\ndef c():\n    return 3\n"),
        "import os\n\n\ndef a():\n    pass\n\n\ndef c():\n    return 3\n".to_owned(),
    ] {
        let verification = verify(original, snippet, &merge);
        assert!(!verification.is_certain() && !verification.is_clean(), "{merge}");
    }
}

#[test]
fn without_trust_a_repair_touches_no_line_of_the_snippet() {
    let original = "import os\nimport re\n\n\ndef a():\n    pass\n\n\ndef b():\n    pass\n";
    let snippet = "# ... existing code ...\n\n\ndef c():\n    return 3\n\n\n# ... existing code ...\n";
    let merge = "import os  \r\n\n\ndef a():\n    return 3\n    pass\n\n\ndef b():\n    pass";
    let verification = verify(original, snippet, merge);
    assert!(!verification.is_certain());
    assert_eq!(verification.repaired(), original.replace("a():\n", "a():\n    return 3\n"));
    assert_eq!(verification.left(), []);
}
