//! Which original line each snippet line is: the alignment.
//!
//! ```text
//! outlines ─► scope: waypoints ─► unique: anchors ─► align: cheapest path in each gap ─► margin
//! ```
//!
//! Waypoints and anchors cut the texts into gaps; a gap's path is found by one cost model. A block whose first
//! row is tied must end at its own closer: where the cheapest path says otherwise the closer becomes a waypoint
//! and the gaps are walked again.
//!
//! # Cost
//!
//! One pass over the original's classes for each level of unique anchors; a gap costs rows × columns, with long
//! runs of foreign rows folded; a gap over [`MOST_NODES`] is settled from the outside in, and the verdict says so.

mod align;
mod cost;
#[cfg(test)]
mod counted;
mod gap;
mod index;
mod margin;
#[cfg(feature = "internals")]
pub(crate) mod naive;
mod order;
mod outside_in;
mod scope;
#[cfg(test)]
mod tests;
mod unique;

pub(crate) use crate::relief::indent_width;
pub(crate) use align::Steps;
pub(crate) use gap::{dice, equality, extends, is_bare_closer, key, tokens};
pub(crate) use index::{Class, Index, equal_squeezed};
pub(crate) use order::in_file_order;
pub(crate) use scope::{Pair, Plan};

use crate::classify::{ChangeKind, Description, Force, LineKind, Snippet};
use crate::ledger::Equality;
use crate::range::LineRange;
use crate::source::Source;
use crate::treesitter::{Block, Chart, Outline};

use align::{Lattice, Move};
use cost::FORBIDDEN;
use gap::{Column, Gap, columns};
use scope::Waypoint;
use unique::{Anchor, Demand};

/// Largest lattice, in nodes of four bytes, two tables. Larger: a hostile snippet takes seconds; smaller: honest
/// repetitive files are settled from the outside in.
const MOST_NODES: usize = 6_000_000;

/// Largest lattice that is searched as a whole, without unique lines as fixed points. Larger: slower; smaller: new
/// text that copies a line from elsewhere is tied to it.
const FEW_NODES: usize = 400_000;

/// How often a gap that is too large is cut at lines that are unique in it. More finds next to nothing.
const SPLITS: usize = 3;

/// How often closers are put right.
const CLOSER_ROUNDS: usize = 4;

/// A point that an alignment passes: so many original rows and so many columns are taken.
type Border = (usize, usize);

/// What becomes of original rows and snippet lines, in order. Lines are those of the whole texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tie {
    Match {
        row: usize,
        line: usize,
        equality: Equality,
    },
    Supersede {
        row: usize,
        line: usize,
    },
    Gone {
        row: usize,
        line: usize,
    },
    Insert {
        line: usize,
    },
    Drop {
        line: usize,
    },
    /// `None`: implied.
    Reference {
        line: Option<usize>,
    },
    Fill {
        rows: LineRange,
    },
    Marker {
        line: usize,
    },
    MarkerTake {
        rows: LineRange,
    },
    Delete {
        rows: LineRange,
    },
    Keep {
        rows: LineRange,
    },
}

/// Another text at nearly the same cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Alternative {
    /// The original row where the results part.
    pub(crate) row: usize,
    /// The snippet line that stands elsewhere.
    pub(crate) line: Option<usize>,
}

/// The alignment of a snippet with its original.
#[derive(Debug, Clone, Default)]
pub(crate) struct Alignment {
    pub(crate) ties: Vec<Tie>,
    /// Alternatives below the margin, by gap, cheapest first.
    pub(crate) alternatives: Vec<Vec<Alternative>>,
    /// A gap was too large for the cost model: its original rows.
    pub(crate) cut_short: Option<LineRange>,
    /// What all gaps cost together.
    pub(crate) cost: u64,
    /// The borders that were set, rising, and what the gaps before each cost together.
    passed: Vec<(Border, u64)>,
}

impl Alignment {
    /// Finds original rows, and the snippet lines that supersede them, right beside a reference, blank lines apart.
    pub(crate) fn similar_beside_reference(&self, is_blank: impl Fn(usize) -> bool) -> Vec<(usize, usize)> {
        let says = |tie: &&Tie| match **tie {
            Tie::Match { line, .. } | Tie::Insert { line } | Tie::Drop { line } => !is_blank(line),
            _ => true,
        };
        let is_edge = |tie: Option<&&Tie>| matches!(tie, Some(Tie::Fill { .. } | Tie::Reference { .. }));
        let ties: Vec<&Tie> = self.ties.iter().filter(says).collect();
        let beside = |at: usize| is_edge(at.checked_sub(1).and_then(|at| ties.get(at))) || is_edge(ties.get(at + 1));
        (0..ties.len())
            .filter_map(|at| match *ties[at] {
                Tie::Supersede { row, line } if beside(at) => Some((row, line)),
                _ => None,
            })
            .collect()
    }
}

/// Everything the alignment looks at.
#[derive(Clone, Copy)]
pub(crate) struct Problem<'p> {
    pub(crate) original: &'p Source<'p>,
    pub(crate) snippet: &'p Snippet<'p>,
    pub(crate) index: &'p Index,
    pub(crate) description: &'p Description,
    pub(crate) chart: &'p Chart<'p>,
    pub(crate) snippet_outline: &'p Outline,
}

/// Ties the declarations of both texts; the first half of anchoring.
pub(crate) fn plan(problem: &Problem<'_>) -> Plan {
    let outlines = (problem.chart.named(), problem.snippet_outline);
    let keeps_passed = !problem.description.announces(ChangeKind::Remove);
    scope::plan(problem.original, problem.snippet, problem.index, outlines, problem.chart.language(), keeps_passed)
}

/// What is wanted of an alignment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wanted {
    /// Its ties, and the other results that are nearly as cheap.
    Ties,
    /// What it costs.
    Cost,
}

/// A part of both texts between two points that the alignment passes with the declarations' names and without.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stretch {
    from: Border,
    to: Border,
}

/// Finds the stretches in which an alignment is dearer by more than `gain` than one without the scopes of `plan`, before
/// closers are put right; `None` where one is too large to tell.
///
/// In a large text lines that can only be one line are fixed without scopes, too. Where the alignment ties them as well,
/// the stretches before and behind are judged by themselves: how well one declaration fits says nothing about another,
/// and a snippet of many edits is believed where each of them would be.
///
/// # Cost
///
/// Only stretches that could be that much cheaper are looked at: each row that no column takes and nobody announces costs
/// one, and text that the original doesn't have is as new elsewhere.
pub(crate) fn disputed(
    problem: &Problem<'_>,
    plan: &Plan,
    alignment: &Alignment,
    gain: u64,
    steps: &mut Steps,
) -> Option<Vec<Stretch>> {
    let Problem { original, snippet, index, description, .. } = *problem;
    let unscoped = plan.without_scopes(|_| true, &[LineRange::new(0, original.n_lines())], |_| true);
    let columns = columns(snippet, index, description, &unscoped);
    let (start, end) = ((0, 0), (original.n_lines(), columns.len()));
    // How many lines are written before each column that are new wherever they go.
    let mut n_new = vec![0_u64; columns.len() + 1];
    for tie in &alignment.ties {
        if let Tie::Insert { line } = *tie {
            let column = column_of(snippet, line, true);
            n_new[column + 1] = u64::from(columns[column].is_new());
        }
    }
    for column in 0..columns.len() {
        n_new[column + 1] += n_new[column];
    }
    let may_gain = |Stretch { from, to }: Stretch, cost: u64| {
        let n_announced = description.n_covered(LineRange::new(from.0, to.0));
        let least = (to.0 - from.0).saturating_sub(to.1 - from.1 + n_announced) as u64;
        least + u64::from(cost::INSERT) * (n_new[to.1] - n_new[from.1]) + gain < cost
    };
    if !may_gain(Stretch { from: start, to: end }, alignment.cost) {
        return Some(Vec::new());
    }
    let mut walker = Walker {
        problem,
        plan: &unscoped,
        columns: &columns,
        wanted: Wanted::Cost,
        steps,
        alignment: Alignment::default(),
    };
    let anchors = walker.anchors_of_large(start, end);
    let mut disputed = Vec::new();
    let (mut from, mut cost_before, mut next) = (start, 0, 0);
    for &(to, cost) in alignment.passed.iter().chain([&(end, alignment.cost)]) {
        let behind = next + anchors[next..].partition_point(|anchor| (anchor.row, anchor.column) < to);
        let touches = |anchor: &Anchor| (anchor.row, anchor.column) == to || (anchor.row + 1, anchor.column + 1) == to;
        let is_fixed = to == end || anchors[behind.saturating_sub(1)..].iter().take(2).any(touches);
        if !is_fixed {
            continue;
        }
        let stretch = Stretch { from, to };
        let scoped = cost - cost_before;
        if may_gain(stretch, scoped) {
            let before = walker.alignment.cost;
            walker.parts(from, to, &anchors[next..behind], SPLITS);
            if walker.alignment.cut_short.is_some() {
                return None;
            }
            if walker.alignment.cost - before + gain < scoped {
                disputed.push(stretch);
            }
        }
        (from, cost_before, next) = (to, cost, behind);
    }
    Some(disputed)
}

/// Gives the plan without scopes in some stretches.
pub(crate) fn without_scopes(problem: &Problem<'_>, plan: &Plan, stretches: &[Stretch]) -> Plan {
    let is_inside = |border: Border| {
        let at = stretches.partition_point(|stretch| stretch.to <= border);
        stretches.get(at).is_some_and(|stretch| stretch.from < border)
    };
    let rows: Vec<LineRange> = stretches.iter().map(|stretch| LineRange::new(stretch.from.0, stretch.to.0)).collect();
    let takes = |line: usize| {
        let column = column_of(problem.snippet, line, true);
        let at = stretches.partition_point(|stretch| stretch.to.1 <= column);
        stretches.get(at).is_some_and(|stretch| stretch.from.1 <= column)
    };
    plan.without_scopes(|point| is_inside(border(problem.snippet, point)), &rows, takes)
}

/// Finds the cheapest alignment under a plan.
pub(crate) fn align(problem: &Problem<'_>, plan: &Plan, steps: &mut Steps) -> Alignment {
    let mut columns = columns(problem.snippet, problem.index, problem.description, plan);
    let column_of = |line: usize, after_implied: bool| column_of(problem.snippet, line, after_implied);
    let mut borders = borders(problem, plan);
    let mut alignment = walk(problem, plan, &columns, &borders, Wanted::Ties, steps);
    for _ in 0..CLOSER_ROUNDS {
        let n_borders = borders.len();
        for (row, line) in astray_closers(problem, &alignment.ties) {
            let column = column_of(line, true);
            add_border(&mut borders, (row, column), (row + 1, column + 1));
        }
        let stolen = stolen_closers(problem, &alignment.ties);
        for &line in &stolen {
            columns[column_of(line, true)].forced_new = true;
        }
        if borders.len() == n_borders && stolen.is_empty() {
            break;
        }
        alignment = walk(problem, plan, &columns, &borders, Wanted::Ties, steps);
    }
    alignment
}

/// Says at which column a snippet line stands, with a reference that is implied before it or without.
fn column_of(snippet: &Snippet<'_>, line: usize, after_implied: bool) -> usize {
    line + snippet.implied.partition_point(|&at| at < line || (after_implied && at == line))
}

/// Gives the borders that a plan's waypoints make.
fn borders(problem: &Problem<'_>, plan: &Plan) -> Vec<Border> {
    plan.waypoints.iter().map(|point| border(problem.snippet, point)).collect()
}

fn border(snippet: &Snippet<'_>, &Waypoint { row, line, after_implied }: &Waypoint) -> Border {
    (row, column_of(snippet, line, after_implied))
}

/// Puts two borders in if the chain of borders still rises with them.
fn add_border(borders: &mut Vec<Border>, first: Border, second: Border) {
    let at = borders.partition_point(|border| *border <= first);
    let after_last = at == 0 || borders[at - 1].1 <= first.1;
    let before_next = borders.get(at).is_none_or(|next| *next == second || (next.0 >= second.0 && next.1 >= second.1));
    if after_last && before_next && (at == 0 || borders[at - 1] != first || borders.get(at) != Some(&second)) {
        borders.splice(at..at, [first, second]);
        borders.dedup();
    }
}

/// Walks all gaps between the borders.
fn walk(
    problem: &Problem<'_>,
    plan: &Plan,
    columns: &[Column<'_>],
    borders: &[Border],
    wanted: Wanted,
    steps: &mut Steps,
) -> Alignment {
    let mut walker = Walker { problem, plan, columns, wanted, steps, alignment: Alignment::default() };
    let end = (problem.original.n_lines(), columns.len());
    let mut from = (0, 0);
    for &to in borders.iter().chain([&end]) {
        walker.between(from, to);
        walker.alignment.passed.push((to, walker.alignment.cost));
        from = to;
    }
    walker.alignment
}

/// Aligns one gap after the other.
struct Walker<'w, 'p> {
    problem: &'w Problem<'p>,
    plan: &'w Plan,
    columns: &'w [Column<'w>],
    wanted: Wanted,
    steps: &'w mut Steps,
    alignment: Alignment,
}

impl<'w> Walker<'w, '_> {
    /// Aligns what lies between two borders.
    fn between(&mut self, from: Border, to: Border) {
        // Text that stands once may still be new text that copies it. Where the cost model can look at all of it, it
        // does.
        let anchors = self.anchors_of_large(from, to);
        self.parts(from, to, &anchors, SPLITS);
    }

    /// Aligns what lies between two borders and some anchors.
    fn parts(&mut self, mut from: Border, to: Border, anchors: &[Anchor], splits: usize) {
        for &Anchor { row, column } in anchors {
            self.gap(from, (row, column), splits);
            self.gap((row, column), (row + 1, column + 1), splits);
            from = (row + 1, column + 1);
        }
        self.gap(from, to, splits);
    }

    fn is_large(&self, from: Border, to: Border) -> bool {
        let Problem { index, description, .. } = *self.problem;
        let rows = LineRange::new(from.0, to.0);
        gap::is_larger(index, description, self.plan, rows, to.1 - from.1, FEW_NODES)
    }

    /// Finds the lines that can only be one line, where there is more than the cost model can look at.
    fn anchors_of_large(&self, from: Border, to: Border) -> Vec<Anchor> {
        if self.is_large(from, to) { self.anchors(from, to, Demand::Neighbour) } else { Vec::new() }
    }

    fn anchors(&self, from: Border, to: Border, demand: Demand) -> Vec<Anchor> {
        let (rows, range) = (LineRange::new(from.0, to.0), LineRange::new(from.1, to.1));
        unique::anchors(self.problem.original, self.problem.index, self.columns, rows, range, demand)
    }

    /// Aligns one gap and appends what comes of it.
    fn gap(&mut self, from: Border, to: Border, splits: usize) {
        if from == to {
            return;
        }
        let lines = LineRange::new(from.0, to.0);
        let columns: &'w [Column<'w>] = &self.columns[from.1..to.1];
        let Problem { original, index, description, .. } = *self.problem;
        let gap = Gap::new(original, index, description, self.plan, lines, columns, FEW_NODES);
        if Lattice::n_nodes(&gap) > MOST_NODES {
            let anchors = if splits > 0 { self.anchors(from, to, Demand::Nothing) } else { Vec::new() };
            if !anchors.is_empty() {
                self.parts(from, to, &anchors, splits - 1);
                return;
            }
        }
        let path = self.search(&gap).unwrap_or_else(|| {
            self.alignment.cut_short.get_or_insert(lines);
            outside_in::path(&gap)
        });
        self.alignment.ties.extend(path.into_iter().filter_map(|step| tie(&gap, step)));
    }

    /// Finds the cheapest path through a gap, and the others that are nearly as cheap; `None` if it is too large, or has
    /// more new text than costs can count.
    fn search(&mut self, gap: &Gap<'_>) -> Option<Vec<Move>> {
        if Lattice::n_nodes(gap) > MOST_NODES {
            return None;
        }
        let lattice = Lattice::new(gap);
        if self.wanted == Wanted::Cost {
            let cost = lattice.cheapest(self.steps).filter(|&cost| cost < FORBIDDEN)?;
            self.alignment.cost += u64::from(cost);
            return Some(Vec::new());
        }
        let found = lattice.search(cost::MARGIN, self.steps)?;
        let cost = lattice.cost(&found.backward, Lattice::START);
        self.alignment.cost += u64::from(cost);
        if cost >= FORBIDDEN {
            return None;
        }
        let path = lattice.trace_to_end(&found.backward, Lattice::START);
        let runners_up = margin::runners_up(gap, &lattice, &found, &path, self.steps);
        if !runners_up.is_empty() {
            let alternative = |runner_up: margin::RunnerUp| Alternative {
                row: gap.rows.get(runner_up.row).map_or(gap.end(), |row| row.lines.start),
                line: runner_up.column.and_then(|column| gap.columns[column].line),
            };
            self.alignment.alternatives.push(runners_up.into_iter().map(alternative).collect());
        }
        Some(path)
    }
}

/// Turns a move inside a gap into lines of the whole texts.
fn tie(gap: &Gap<'_>, step: Move) -> Option<Tie> {
    let rows = |row: usize| gap.rows[row].lines;
    let row = |row: usize| gap.rows[row].lines.start;
    let line = |column: usize| gap.columns[column].line;
    Some(match step {
        Move::Match { row: r, column, equality } => Tie::Match { row: row(r), line: line(column)?, equality },
        Move::Supersede { row: r, column } => Tie::Supersede { row: row(r), line: line(column)? },
        Move::Gone { row: r, column } => Tie::Gone { row: row(r), line: line(column)? },
        Move::Insert { column } => Tie::Insert { line: line(column)? },
        Move::Drop { column } => Tie::Drop { line: line(column)? },
        Move::Reference { column } => Tie::Reference { line: line(column) },
        Move::Fill { row } => Tie::Fill { rows: rows(row) },
        Move::Marker { column } => Tie::Marker { line: line(column)? },
        Move::MarkerTake { row } => Tie::MarkerTake { rows: rows(row) },
        Move::Delete { row } => Tie::Delete { rows: rows(row) },
        Move::Keep { row } => Tie::Keep { rows: rows(row) },
    })
}

/// Finds closers that are tied although their block's opener is new and nothing is left out inside: such a block is
/// new to its end.
fn stolen_closers(problem: &Problem<'_>, ties: &[Tie]) -> Vec<usize> {
    let lines = &problem.snippet.lines;
    let (mut is_new, mut is_tied) = (vec![false; lines.len()], vec![false; lines.len()]);
    for tie in ties {
        match *tie {
            Tie::Insert { line } => is_new[line] = true,
            Tie::Match { line, .. } => is_tied[line] = true,
            _ => {}
        }
    }
    // Comments right below each other are one range, too; only a sign that stands alone closes what is above it.
    let closes = |rows: &&LineRange| {
        let last = lines.get(rows.end - 1).map_or("", |line| line.text.trim());
        rows.len() > 1 && !last.contains(char::is_alphanumeric)
    };
    let comments = problem.snippet_outline.comments.iter().filter(closes);
    let comments = comments.map(|rows| Block { open: rows.start, close: rows.end - 1 });
    // Elsewhere a closer that slides from one block to the next leaves the text as it is.
    let begins_chunk = |block: &&Block| {
        let above = lines[..block.open].iter().rfind(|line| line.kind != LineKind::Blank);
        above.is_none_or(|line| line.kind == LineKind::Reference)
    };
    let blocks = problem.snippet_outline.blocks.iter().filter(begins_chunk).copied().chain(comments);
    let mut stolen: Vec<usize> = blocks
        .filter(|block| block.close < lines.len() && is_new[block.open] && is_tied[block.close])
        .filter(|block| (block.open..block.close).all(|line| is_new[line] || lines[line].kind == LineKind::Blank))
        .map(|block| block.close)
        .collect();
    stolen.sort_unstable();
    stolen.dedup();
    stolen
}

/// Says whether a reference inside the block stands no deeper than its opener, so that it may leave the block.
fn is_left(problem: &Problem<'_>, block: &Block) -> bool {
    let indent = |line: usize| indent_width(&problem.snippet.lines[line].text);
    (block.open + 1..block.close)
        .any(|line| problem.snippet.lines[line].kind == LineKind::Reference && indent(line) <= indent(block.open))
}

/// Finds closers of snippet blocks that are tied to another row than the closer of the block their opener is tied
/// to, or that are written anew although that closer is there: as (original row, snippet line).
fn astray_closers(problem: &Problem<'_>, ties: &[Tie]) -> Vec<(usize, usize)> {
    let n_lines = problem.snippet.lines.len();
    let mut row_of: Vec<Option<usize>> = vec![None; n_lines];
    for tie in ties {
        match *tie {
            Tie::Match { row, line, .. } | Tie::Supersede { row, line } => row_of[line] = Some(row),
            _ => {}
        }
    }
    let opens = problem.snippet_outline.blocks.iter().filter_map(|block| *row_of.get(block.open)?);
    let mut opens: Vec<LineRange> = opens.map(|row| LineRange::new(row, row + 1)).collect();
    opens.sort_unstable();
    opens.dedup();
    if opens.is_empty() {
        return Vec::new();
    }
    let around = problem.chart.around(&opens);
    let originals = &around.outline.blocks;
    let mut astray = Vec::new();
    for (at, block) in problem.snippet_outline.blocks.iter().enumerate() {
        let (Some(Some(open)), true) = (row_of.get(block.open), block.close < n_lines) else { continue };
        // Blocks that open in one row are told apart by their order.
        let nth = problem.snippet_outline.blocks[..at].iter().rev().take_while(|b| b.open == block.open).count();
        let first = originals.partition_point(|b| b.open < *open);
        let Some(own) = originals.get(first + nth).filter(|b| b.open == *open) else { continue };
        let equal = gap::equality(problem.original.line(own.close), &problem.snippet.lines[block.close].text);
        let free = problem.snippet.lines[block.close].force == Force::Free && !is_left(problem, block);
        if equal.is_some_and(|equality| equality <= Equality::TrailingBlanks)
            && free
            && row_of[block.close] != Some(own.close)
        {
            astray.push((own.close, block.close));
        }
    }
    astray
}
