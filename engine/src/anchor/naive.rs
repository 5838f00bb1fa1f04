//! The naive twins of anchoring: what the clever ways must agree with, found by looking at everything.
//!
//! For tests alone, behind the feature `internals`.
//!
//! # Cost
//!
//! O(n²) for lines; the alignment is searched path by path, up to [`MOST_EDGES`] moves.

use super::align::{Found, Lattice, Move, Node, Steps};
use super::cost::{Cost, FORBIDDEN, MARGIN};
use super::gap::{Column, Gap, columns};
use super::scope::Plan;
use super::unique::{self, Anchor, Demand, LEVELS, SHORTEST};
use super::{Class, FEW_NODES, Problem, margin};
use crate::classify::{Force, Line, LineKind};
use crate::ledger::Equality;
use crate::range::LineRange;
use crate::source::is_blank;

/// Moves that an exhaustive search makes at most. Larger: a fuzzer gets few inputs done; smaller: few inputs are
/// searched to the end.
const MOST_EDGES: usize = 60_000;

/// Lists the lines whose class says something else than their text.
pub(crate) fn wrong_classes(problem: &Problem<'_>) -> Vec<String> {
    let Problem { original, snippet, index, .. } = *problem;
    let mut found = Vec::new();
    for row in 0..original.n_lines() {
        let (text, class) = (original.line(row), index.class(row));
        let twin = snippet
            .lines
            .iter()
            .find(|line| !is_blank(&line.text) && !is_around(line) && squeezed(&line.text) == squeezed(text));
        let is_right = match twin {
            _ if is_blank(text) => class == Class::BLANK,
            Some(line) => class == line.class,
            // What a `+` or `-` hides has classes of its own.
            None => !snippet.lines.iter().any(|line| line.class == class),
        };
        if !is_right {
            found.push(format!("original line {row}, {text:?}, has the wrong class"));
        }
    }
    for (at, line) in snippet.lines.iter().enumerate() {
        if is_blank(&line.text) || is_around(line) {
            continue;
        }
        let rows = (0..original.n_lines()).filter(|&row| squeezed(original.line(row)) == squeezed(&line.text));
        if !rows.eq(index.rows(line.class).iter().map(|&row| row as usize)) {
            found.push(format!("snippet line {at}, {:?}, is counted wrong", line.text));
        }
    }
    found
}

/// Says whether a line stands around the text, as a fence does: it has no class, whatever the original holds.
fn is_around(line: &Line<'_>) -> bool {
    line.force == Force::Drop && line.class == Class::BLANK
}

/// Compares the ties of unique lines with those found by counting each line anew.
pub(crate) fn wrong_anchors(problem: &Problem<'_>) -> Vec<String> {
    let Problem { original, snippet, index, description, .. } = *problem;
    let plan = super::plan(problem);
    let columns = columns(snippet, index, description, &plan);
    let (rows, range) = (LineRange::new(0, original.n_lines()), LineRange::new(0, columns.len()));
    let mut found = Vec::new();
    for demand in [Demand::Neighbour, Demand::Nothing] {
        let got = unique::anchors(original, index, &columns, rows, range, demand);
        let mut wanted = Vec::new();
        tie_by_counting(problem, &columns, (rows, range), demand, LEVELS, &mut wanted);
        wanted.sort_unstable_by_key(|anchor| anchor.row);
        if got != wanted {
            found.push(format!("{demand:?}: ties are {got:?}, counting gives {wanted:?}"));
        }
    }
    found
}

/// Ties lines that stand once on both sides, then those between them.
fn tie_by_counting(
    problem: &Problem<'_>,
    columns: &[Column<'_>],
    (rows, range): (LineRange, LineRange),
    demand: Demand,
    levels: usize,
    found: &mut Vec<Anchor>,
) {
    if levels == 0 {
        return;
    }
    let line = |row: usize| problem.original.line(row);
    let may_tie =
        |column: &Column<'_>| column.kind == LineKind::Code && !column.forced_new && !column.gone && !column.dropped;
    let only = |wanted: &str| {
        let mut at = range.iter().filter(|&at| may_tie(&columns[at]) && squeezed(columns[at].text) == squeezed(wanted));
        let mut row = rows.iter().filter(|&row| squeezed(line(row)) == squeezed(wanted));
        let ((Some(at), None), (Some(row), None)) = ((at.next(), at.next()), (row.next(), row.next())) else {
            return None;
        };
        Some((row, at))
    };
    let agree = |row: Option<usize>, at: Option<usize>| match (row, at) {
        (Some(row), Some(at)) => {
            columns[at].kind == LineKind::Code && squeezed(line(row)) == squeezed(columns[at].text)
        }
        (row, at) => row.is_none() && at.is_none(),
    };
    let is_code = |row: &usize| !is_blank(line(*row));
    let is_text = |at: &usize| columns[*at].kind != LineKind::Blank;
    let mut ties: Vec<Anchor> = Vec::new();
    for at in range.iter().filter(|&at| may_tie(&columns[at])) {
        let text = columns[at].text;
        let Some((row, _)) = only(text) else { continue };
        let long = text.trim().len() >= SHORTEST;
        let neighbour = agree((row + 1..rows.end).find(is_code), (at + 1..range.end).find(is_text))
            || agree((rows.start..row).rev().find(is_code), (range.start..at).rev().find(is_text));
        if long
            && row >= columns[at].first_row
            && line(row).trim_end() == text.trim_end()
            && (demand == Demand::Nothing || neighbour)
        {
            ties.push(Anchor { row, column: at });
        }
    }
    if ties.is_empty() || ties.windows(2).any(|pair| pair[0].row >= pair[1].row) {
        return;
    }
    let (mut row, mut at) = (rows.start, range.start);
    for tie in &ties {
        let between = (LineRange::new(row, tie.row), LineRange::new(at, tie.column));
        tie_by_counting(problem, columns, between, demand, levels - 1, found);
        (row, at) = (tie.row + 1, tie.column + 1);
    }
    let rest = (LineRange::new(row, rows.end), LineRange::new(at, range.end));
    tie_by_counting(problem, columns, rest, demand, levels - 1, found);
    found.extend(ties);
}

fn squeezed(line: &str) -> String {
    line.chars().filter(|c| !c.is_ascii_whitespace()).collect()
}

/// Searches every path through the lattice of both texts and compares: what the cheapest one costs, that the traced
/// one is it and takes each row and column once, and whether another text lies within the margin.
pub(crate) fn wrong_alignment(problem: &Problem<'_>) -> Vec<String> {
    let Problem { original, snippet, index, description, .. } = *problem;
    let plan = Plan::default();
    let columns = columns(snippet, index, description, &plan);
    let gap = Gap::new(original, index, description, &plan, LineRange::new(0, original.n_lines()), &columns, FEW_NODES);
    let lattice = Lattice::new(&gap);
    let mut steps = Steps::new(usize::MAX);
    let Some(both) = lattice.search(MARGIN, &mut steps) else { return vec!["steps without end run out".to_owned()] };
    let Found { forward, backward } = &both;
    let best = lattice.cost(backward, Lattice::START);
    let path = lattice.trace_to_end(backward, Lattice::START);
    let mut found = wrong_path(&gap, &path);
    for most in [FORBIDDEN, best.saturating_add(1), best, best / 2] {
        let cost_alone = lattice.cheapest(most, &mut steps);
        if cost_alone != Some(best.min(most)) {
            found
                .push(format!("the cheapest path costs {best}, and {cost_alone:?} where no more than {most} is asked"));
        }
    }
    found.extend(wrong_heads(problem, &plan, &columns, best));

    let ends = lattice.nodes().filter(|&node| lattice.is_end(node));
    let from_start = ends.map(|node| lattice.cost(forward, node).saturating_add(Lattice::end_cost(node.state))).min();
    if from_start != Some(best) {
        found.push(format!("from the start the cheapest path costs {from_start:?}, from the end {best}"));
    }

    let mut search =
        Search { lattice: &lattice, limit: best + MARGIN, n_edges: 0, path: Vec::new(), paths: Vec::new() };
    search.go(Lattice::START, 0);
    if search.n_edges >= MOST_EDGES {
        return found;
    }
    let cheapest = search.paths.iter().map(|(cost, _)| *cost).min();
    if cheapest != Some(best) {
        found.push(format!("the cheapest path costs {best}, a search of all finds {cheapest:?}"));
    }
    if !search.paths.iter().any(|(cost, other)| *cost == best && *other == path) {
        found.push("the path that is taken is no cheapest one".to_owned());
    }
    let text = text(&gap, &path);
    let other = search.paths.iter().filter(|(cost, other)| *cost < best + MARGIN && self::text(&gap, other) != text);
    let cheapest_other = other.map(|(cost, path)| (*cost, path)).min_by_key(|(cost, _)| *cost);
    let runners_up = margin::runners_up(&gap, &lattice, &both, &path, &mut steps);
    match (runners_up.is_empty(), cheapest_other) {
        (true, Some((cost, other))) => found.push(format!(
            "unambiguous, yet another text is dearer by {} only\n{:?}\n{:?}\n{path:?}\n{other:?}",
            cost - best,
            text,
            self::text(&gap, other)
        )),
        (false, None) => found.push("ambiguous, yet no other text is within the margin".to_owned()),
        _ => {}
    }
    found
}

/// Lists the heads of the gap of both texts that say its cheapest path, which costs `best`, were dearer than it is.
pub(super) fn wrong_heads(problem: &Problem<'_>, plan: &Plan, columns: &[Column<'_>], best: Cost) -> Vec<String> {
    let all = LineRange::new(0, problem.original.n_lines());
    let mut found = Vec::new();
    for n in (0..).map(|doublings| 1 << doublings) {
        let Some(head) = Gap::head(problem, plan, all, columns, FEW_NODES, n) else { break };
        let behind = LineRange::new(head.end(), all.end);
        let n_excused = problem.description.n_covered(behind) + plan.n_free(behind);
        let lattice = Lattice::of_head(&head, behind.len().saturating_sub(n_excused));
        for most in [best.saturating_add(1), best, best / 2] {
            match lattice.cheapest(most, &mut Steps::new(usize::MAX)) {
                Some(cost) if cost != most || most > best => found.push(format!("{n} rows cost {cost}, all {best}")),
                _ => {}
            }
        }
    }
    found
}

/// Lists what makes a path no alignment: a row or column left out or taken twice, lines tied that differ, a fill
/// without a reference.
fn wrong_path(gap: &Gap<'_>, path: &[Move]) -> Vec<String> {
    let mut found = Vec::new();
    let rows: Vec<usize> = path.iter().filter_map(|step| step.row()).collect();
    let taken: Vec<usize> = path.iter().filter_map(|step| step.column()).collect();
    if !rows.iter().copied().eq(0..gap.rows.len()) || !taken.iter().copied().eq(0..gap.columns.len()) {
        found.push(format!("rows {rows:?} and columns {taken:?} are taken"));
    }
    for (at, step) in path.iter().enumerate() {
        match *step {
            Move::Match { row, column, .. } | Move::Gone { row, column }
                if squeezed(gap.text(&gap.rows[row]).trim()) != squeezed(gap.columns[column].text.trim()) =>
            {
                found.push(format!("row {row} and column {column} are tied and differ"));
            }
            Move::Fill { row } => {
                let opener =
                    path[..at].iter().rev().find(|step| !matches!(step, Move::Fill { .. } | Move::Drop { .. }));
                let is_opened = matches!(opener, Some(Move::Reference { .. } | Move::Delete { .. }));
                if !is_opened {
                    found.push(format!("row {row} is filled, and no reference is open: {opener:?}"));
                }
            }
            _ => {}
        }
    }
    found
}

/// Gives the lines of a path's result that aren't blank.
fn text<'g>(gap: &Gap<'g>, path: &[Move]) -> Vec<&'g str> {
    let row = |row: usize| gap.text(&gap.rows[row]).trim_end();
    let column = |column: usize| gap.columns[column].text.trim_end();
    path.iter()
        .filter_map(|step| match *step {
            Move::Match { row: r, equality: Equality::Exact | Equality::TrailingBlanks, .. }
            | Move::Fill { row: r }
            | Move::Keep { row: r } => Some(row(r)),
            Move::Match { column: c, .. } | Move::Supersede { column: c, .. } | Move::Insert { column: c } => {
                Some(column(c))
            }
            _ => None,
        })
        .filter(|line| !is_blank(line))
        .collect()
}

/// A walk along every path that costs no more than `limit`.
struct Search<'s, 'g> {
    lattice: &'s Lattice<'g>,
    limit: Cost,
    n_edges: usize,
    path: Vec<Move>,
    paths: Vec<(Cost, Vec<Move>)>,
}

impl Search<'_, '_> {
    fn go(&mut self, node: Node, so_far: Cost) {
        if self.lattice.is_end(node) {
            let cost = so_far + Lattice::end_cost(node.state);
            if cost <= self.limit {
                self.paths.push((cost, self.path.clone()));
            }
            return;
        }
        let mut edges = Vec::new();
        self.lattice.edges(node, |edge| edges.push(edge));
        for edge in edges {
            self.n_edges += 1;
            if self.n_edges >= MOST_EDGES || so_far + edge.cost > self.limit {
                continue;
            }
            self.path.push(edge.by);
            self.go(edge.to, so_far + edge.cost);
            self.path.pop();
        }
    }
}
