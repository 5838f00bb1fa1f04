//! The search under a bound against a search of everything, and how the work grows.

use super::*;
use crate::classify::{Given, classify};
use crate::engine::Edit;
use crate::treesitter::Outline;

/// Hands the problem of a snippet to `visit`, with the columns of its snippet.
fn with_problem<T>(
    original: &str,
    snippet: &str,
    description: &str,
    visit: impl FnOnce(&Problem<'_>, &Plan, &[Column<'_>]) -> T,
) -> T {
    let edit = Edit::new("", original, snippet);
    let original = Source::new(original);
    let snippet = Source::new(snippet);
    let description = Description::parse(description, original.n_lines());
    let (snippet, index) = classify(&Given {
        edit: &edit,
        snippet: &snippet,
        original: &original,
        description: &description,
        budget: std::time::Duration::from_secs(5).into(),
    })
    .unwrap();
    let chart = Chart::empty(&original);
    let snippet_outline = Outline::default();
    let problem = Problem {
        original: &original,
        snippet: &snippet,
        index: &index,
        description: &description,
        chart: &chart,
        snippet_outline: &snippet_outline,
    };
    let plan = plan(&problem);
    let columns = columns(&snippet, &index, &description, &plan);
    visit(&problem, &plan, &columns)
}

#[test]
fn a_bound_changes_nothing() {
    let lines = ["a();", "b();", "}", "", "    return x;", "c(1, 2);", "c(1, 3);", "  }", "key = 4;", "key = 5;"];
    let markers = ["// ...", "// ... existing code ...", "// removed", "    // ..."];
    for seed in 0_usize..400 {
        let pick = |n: usize| (seed.wrapping_mul(2_654_435_761) >> 7).wrapping_add(n * n * 31 + n * (seed % 97) * 7);
        let original: String = (0..8 + seed % 50).map(|n| lines[pick(n) % lines.len()].to_owned() + "\n").collect();
        let snippet: String = (0..2 + seed % 9)
            .map(|n| match pick(n + 1_000) {
                x if x % 4 == 0 => markers[x / 4 % markers.len()].to_owned() + "\n",
                x => lines[x % lines.len()].to_owned() + "\n",
            })
            .collect();
        let description = ["", "Type: add", "Type: replace\nReplace: lines 3-5"][seed % 3];
        with_problem(&original, &snippet, description, |problem, plan, columns| {
            let all_lines = LineRange::new(0, problem.original.n_lines());
            let gap =
                Gap::new(problem.original, problem.index, problem.description, plan, all_lines, columns, FEW_NODES);
            let lattice = Lattice::new(&gap);
            let bounded = lattice.search(cost::MARGIN, &mut Steps::new(usize::MAX)).unwrap();
            let all = lattice.search(FORBIDDEN, &mut Steps::new(usize::MAX)).unwrap();
            let at_start = |found: &align::Found| lattice.cost(&found.backward, Lattice::START);
            assert_eq!(at_start(&bounded), at_start(&all), "{original}---\n{snippet}");
            let cheapest = lattice.cheapest(FORBIDDEN, &mut Steps::new(usize::MAX));
            assert_eq!(cheapest, Some(at_start(&all)), "{original}---\n{snippet}");
            #[cfg(feature = "internals")]
            assert_eq!(naive::wrong_heads(problem, plan, columns, at_start(&all)), Vec::<String>::new());
            let path = |found: &align::Found| lattice.trace_to_end(&found.backward, Lattice::START);
            assert_eq!(path(&bounded), path(&all), "{original}---\n{snippet}");
            let others = |found: &align::Found| {
                let others = margin::runners_up(&gap, &lattice, found, &path(found), &mut Steps::new(usize::MAX));
                others.into_iter().map(|other| (other.row, other.column)).collect::<Vec<_>>()
            };
            assert_eq!(others(&bounded), others(&all), "{original}---\n{snippet}");
        });
    }
}

/// Puts `n` pieces together.
fn lines(n: usize, piece: impl Fn(usize) -> String) -> String {
    (0..n).map(piece).collect()
}

/// Makes a file of so many lines and a snippet.
type Make<'m> = &'m dyn Fn(usize) -> (String, String);

/// Counts the steps of one alignment.
fn steps(original: &str, snippet: &str) -> usize {
    with_problem(original, snippet, "", |problem, plan, _| {
        let mut steps = Steps::new(usize::MAX);
        align(problem, plan, &mut steps);
        steps.spent()
    })
}

/// Says how much more work four times the lines are, in percent.
fn growth(make: impl Fn(usize) -> (String, String)) -> usize {
    let count = |n: usize| {
        let (original, snippet) = make(n);
        steps(&original, &snippet)
    };
    count(8_000) * 100 / count(2_000).max(1)
}

#[test]
fn four_times_the_lines_are_about_four_times_the_work() {
    let repeated = |n: usize| ("x();\n".repeat(n), String::from("// ...\nx();\ny();\nx();\n// ...\n"));
    let distinct = |n: usize| {
        let original = lines(n, |at| format!("call({at});\n"));
        (original, format!("// ...\ncall({});\nnew();\n// ...\n", n / 2))
    };
    let blocks = |n: usize| {
        let original = lines(n / 4, |at| format!("fn f{at}() {{\n    g({at});\n}}\n\n"));
        let at = n / 8;
        (original, format!("// ...\n\nfn f{at}() {{\n    g({at});\n    h();\n}}\n\n// ...\n"))
    };
    let cases: [(&str, Make<'_>); 3] = [("equal lines", &repeated), ("distinct lines", &distinct), ("blocks", &blocks)];
    for (name, make) in cases {
        let growth = growth(make);
        assert!(growth <= 450, "{name}: {growth} %");
    }
}

#[test]
fn a_line_of_a_long_file_takes_few_steps() {
    let original = lines(5_000, |at| format!("fn f{at}() {{\n    g({at});\n}}\n\n"));
    let snippet = "// ...\n\nfn f2500() {\n    g(2500);\n    h();\n}\n\n// ...\n";
    let n = steps(&original, snippet);
    assert!(n < 10 * 20_000, "{n} steps");
}

#[test]
fn without_steps_the_rest_is_settled_from_the_outside_in() {
    let original = lines(400, |at| format!("a({});\n}}\n", at % 7));
    with_problem(&original, "// ...\na(3);\n}\nb();\n// ...\n", "", |problem, plan, _| {
        let cut = align(problem, plan, &mut Steps::new(10));
        assert!(cut.cut_short.is_some());
        let whole = align(problem, plan, &mut Steps::new(usize::MAX));
        assert!(whole.cut_short.is_none());
    });
}

/// A Go file of `n` functions, and a snippet that writes lines into `n_edits` of them, far apart.
#[cfg(feature = "default")]
fn edits_of_functions(n: usize, n_edits: usize, n_new: usize) -> (String, String) {
    let function = |at: usize, new: &str| {
        format!(
            "// f{at} answers.\nfunc f{at}(r *R) error {{\n\tr.set({at})\n{new}\tif r.closed {{\n\t\treturn nil\n\t}}\n"
        )
    };
    let original = lines(n, |at| function(at, "") + &format!("\tr.log({})\n\treturn nil\n}}\n\n", at % 7));
    let snippet = lines(n_edits, |edit| {
        let at = (2 * edit + 1) * n / (2 * n_edits);
        let new = lines(n_new, |line| format!("\tr.total(one, two, {at}, {line})\n"));
        format!("// ... existing code ...\n\n{}\t// ... existing code ...\n}}\n\n", function(at, &new))
    });
    (String::from("package p\n\n") + &original, snippet + "// ... existing code ...\n")
}

/// Merges edits of so many functions; counts the steps of the alignment under the scopes and of the doubt about them.
#[cfg(feature = "default")]
fn steps_in_scopes((original, snippet): (String, String), n_edits: usize) -> usize {
    let language = crate::treesitter::Language::Go;
    with_problem(&original, &snippet, "", |problem, _, _| {
        let long = std::time::Duration::from_secs(60);
        let text = problem.snippet.parsable_text("a.go", Some(language));
        let text = Source::new(&text);
        let snippet_outline = Outline::of_snippet(&text, Some(language), &crate::budget::Meter::start(long.into()));
        let names = (&snippet_outline, &text);
        let chart = Chart::for_names(problem.original, "a.go", Some(language), names, true, long.into());
        let problem = Problem { chart: &chart, snippet_outline: &snippet_outline, ..*problem };
        let plan = plan(&problem);
        assert_eq!(plan.pairs.len(), n_edits);
        let mut steps = Steps::new(usize::MAX);
        let alignment = align(&problem, &plan, &mut steps);
        assert_eq!(disputed(&problem, &plan, &alignment, 25_000, &mut steps), Some(Vec::new()));
        steps.spent()
    })
}

#[cfg(feature = "default")]
#[test]
fn many_edits_take_the_steps_of_each_wherever_they_lie() {
    for n_new in [1, 3] {
        let steps = |n: usize, n_edits: usize| steps_in_scopes(edits_of_functions(n, n_edits, n_new), n_edits);
        let (one, fifty) = (steps(4_000, 1), steps(4_000, 50));
        assert!(fifty <= 2 * 50 * one, "{n_new} lines: {one} and {fifty} steps");
        let in_longer = steps(8_000, 50);
        assert!(in_longer * 100 <= fifty * 105, "{n_new} lines: {fifty} and, farther apart, {in_longer} steps");
    }
}

/// Whether it would fit there better is seen from what is around the function: of a line that stands there many times, and of
/// one that stands there once, so that the end of the function isn't sure.
#[cfg(feature = "default")]
#[test]
fn a_line_that_stands_elsewhere_takes_the_same_steps_in_any_file() {
    for line in ["r.log(3)", "r.once()"] {
        let steps = |n: usize| {
            let (original, snippet) = edits_of_functions(n, 1, 0);
            let original = original + "func last(r *R) {\n\tr.once()\n}\n";
            steps_in_scopes((original, snippet.replace(&format!("r.set({})", n / 2), line)), 1)
        };
        let in_short = steps(2_000);
        for n in [8_000, 16_000] {
            let in_long = steps(n);
            assert!(in_long * 100 <= in_short * 110, "{line}: {in_short} and, of {n} functions, {in_long} steps");
        }
    }
}
