//! `explain`: the table and what follows it.

use crate::support::{Folder, ORIGINAL, SNIPPET};

#[test]
fn every_line_has_its_row() {
    let folder = Folder::with_example();
    let run = folder.run(&["explain", "a.rs", "--snippet", "s"]).ends(0);
    assert_eq!(run.err, "");
    let row = |number: &str, fate: &str| {
        run.out.lines().any(|line| {
            let words: Vec<_> = line.split_whitespace().collect();
            words.first() == Some(&number) && words.get(2) == Some(&fate)
        })
    };
    assert!(row("1", "reference"), "{}", run.out);
    assert!(row("3", "anchor"), "{}", run.out);
    assert!(row("4", "new"), "{}", run.out);
    assert!(row("5", "anchor"), "{}", run.out);
    assert!(run.out.contains("removed"), "{}", run.out);
    assert!(run.out.contains("replacements\n"), "{}", run.out);
    assert!(run.out.lines().all(|line| line.trim_end() == line), "{}", run.out);
    assert!(run.out.ends_with("trusted: 1 replacement (line 6); syntax valid\n"), "{}", run.out);
}

#[test]
fn reasons_follow_the_table() {
    let folder = Folder::with_example();
    let run = folder.run(&["explain", "a.rs", "-s", "d"]).ends(1);
    assert!(run.out.contains("warning[syntax_error]"), "{}", run.out);
    assert!(run.out.contains("needs a look (1 reason)"), "{}", run.out);
}

#[test]
fn rows_fit_in_a_hundred_columns() {
    let long = format!("    // 漢字\t{} end\n", "wide 漢字 text ".repeat(30));
    let original = ORIGINAL.replace("    1\n", &format!("{long}    1\n"));
    let snippet = SNIPPET.replace("    1 + 1\n", &format!("{long}    1 + 1\n"));
    let folder = Folder::new().file("a.rs", original).file("s", snippet);
    let run = folder.run(&["explain", "a.rs", "-s", "s"]);
    let head = run.out.find("snippet  ").expect("the table has a head");
    for line in run.out[head..].lines().take_while(|line| !line.is_empty()) {
        // Wide characters take two columns.
        let columns: usize = line.chars().map(|c| if c > '\u{2e80}' { 2 } else { 1 }).sum();
        assert!(columns <= 100, "{columns}: {line}");
    }
}
