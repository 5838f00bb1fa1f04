//! The cheapest monotone alignment of a few snippet lines with a stretch of the original.
//!
//! A *lattice* has a node for every (original row, snippet column, state). An edge takes a row, a column, or one
//! of each, and costs what [`super::cost`] says; what a state remembers (a run is open, a reference is open) is
//! what the next edge's cost depends on. [`Lattice::edges`] is the whole model: the forward pass, the backward
//! pass and the trace all read it, and so does the exhaustive search of `naive.rs`.
//!
//! # Algorithm
//!
//! 1. Forward: the cheapest way from the start to every node. Nodes through which no path under a *bound* leads are
//!    left out: what a node cost so far, and one for each row that is more than the columns left can take, is the least
//!    that a path through it costs. The bound starts low and is raised until a path is found, and once more
//!    so that everything within the margin of it is seen.
//! 2. Backward: the cheapest way from every node that was reached to the end.
//! 3. Trace: from the start, always the first edge on a cheapest path. The order of the edges breaks ties, so
//!    equal inputs give equal paths. Every node on a path under the bound has its true costs, so the path is that of a
//!    search without a bound.
//!
//! # Cost
//!
//! Two costs a node, O(rows × columns × states), written once each; edges are looked at only from nodes under the bound,
//! which lie along the cheapest path. Rows that no column can match are folded ([`super::gap`]), so rows grow with
//! the matches and not with the file.
//!
//! # Source
//!
//! The bound is that of A* (Hart, Nilsson and Raphael 1968), raised as in iterative deepening (Korf 1985).

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::classify::LineKind;
use crate::ledger::Equality;

use super::cost::{self, Cost, FORBIDDEN};
use super::gap::{Ahead, Column, Gap, Row, Similar};

/// What the path did last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(crate) enum State {
    /// Matched a line, or nothing yet.
    Matched,
    /// Matched a line that differs in white space.
    Loose,
    /// A reference is open.
    Reference,
    /// A reference is open that has skipped a line indented less than itself.
    Outdented,
    /// Deleting.
    Deleting,
    /// Deleting what the snippet or the description says is gone: what else is deleted pays for itself.
    Excused,
    /// A removal marker is open that has removed nothing.
    MarkerEmpty,
    /// A removal marker is open.
    Marker,
    /// Keeping lines that nobody mentions, beside new text if only insertions are announced.
    Keeping,
    /// Keeping lines where only insertions are announced, and no new text so far.
    KeepingBetween,
    /// Inserting.
    Inserting,
}

const N_STATES: usize = 11;
const STATES: [State; N_STATES] = [
    State::Matched,
    State::Loose,
    State::Reference,
    State::Outdented,
    State::Deleting,
    State::Excused,
    State::MarkerEmpty,
    State::Marker,
    State::Keeping,
    State::KeepingBetween,
    State::Inserting,
];

/// One move: what becomes of a row, a column, or both.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Move {
    /// The row is the column's line.
    Match { row: usize, column: usize, equality: Equality },
    /// The column's line supersedes the row.
    Supersede { row: usize, column: usize },
    /// A `-` line names the row.
    Gone { row: usize, column: usize },
    /// The column's line is new.
    Insert { column: usize },
    /// The column's blank line is left out.
    Drop { column: usize },
    /// A reference opens.
    Reference { column: usize },
    /// The open reference takes the row.
    Fill { row: usize },
    /// A removal marker opens.
    Marker { column: usize },
    /// The open removal marker takes the row.
    MarkerTake { row: usize },
    /// The row is deleted.
    Delete { row: usize },
    /// The row stays though nobody mentions it.
    Keep { row: usize },
}

impl Move {
    /// Gives the row taken.
    pub(crate) fn row(self) -> Option<usize> {
        match self {
            Self::Match { row, .. }
            | Self::Supersede { row, .. }
            | Self::Gone { row, .. }
            | Self::Fill { row }
            | Self::MarkerTake { row }
            | Self::Delete { row }
            | Self::Keep { row } => Some(row),
            Self::Insert { .. } | Self::Drop { .. } | Self::Reference { .. } | Self::Marker { .. } => None,
        }
    }

    /// Gives the column taken.
    pub(crate) fn column(self) -> Option<usize> {
        match self {
            Self::Match { column, .. }
            | Self::Supersede { column, .. }
            | Self::Gone { column, .. }
            | Self::Insert { column }
            | Self::Drop { column }
            | Self::Reference { column }
            | Self::Marker { column } => Some(column),
            Self::Fill { .. } | Self::MarkerTake { .. } | Self::Delete { .. } | Self::Keep { .. } => None,
        }
    }
}

/// A node: so many rows and columns are taken, and the last move was this.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Node {
    pub(crate) row: usize,
    pub(crate) column: usize,
    pub(crate) state: State,
}

/// A move from one node to a later one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Edge {
    pub(crate) cost: Cost,
    pub(crate) to: Node,
    pub(crate) by: Move,
}

/// The nodes of one gap.
pub(crate) struct Lattice<'g> {
    gap: &'g Gap<'g>,
    /// For each column the indent of the marker that is open when it is next, zero for implied ones.
    open_indent: Vec<usize>,
    /// The rows each column may be a new version of; rising.
    similar: Vec<Vec<Similar>>,
    /// What follows each column.
    ahead: Vec<Ahead>,
    /// For each row, how many of the lines from there on cost something wherever they go without a column.
    lines_left: Vec<Cost>,
    /// Whether the gap goes on behind its last row, so that no path ends there.
    goes_on: bool,
}

impl<'g> Lattice<'g> {
    pub(crate) fn new(gap: &'g Gap<'g>) -> Self {
        Self::with_lines_behind(gap, 0)
    }

    /// Makes the lattice of a gap's head, behind which so many lines cost something wherever they go without a column.
    pub(crate) fn of_head(head: &'g Gap<'g>, n_behind: usize) -> Self {
        let n_behind = Cost::try_from(n_behind).unwrap_or(FORBIDDEN);
        Self { goes_on: true, ..Self::with_lines_behind(head, cost::SKIP.saturating_mul(n_behind)) }
    }

    fn with_lines_behind(gap: &'g Gap<'g>, behind: Cost) -> Self {
        let mut open_indent = vec![0; gap.columns.len() + 1];
        for (at, column) in gap.columns.iter().enumerate() {
            let opens = matches!(column.kind, LineKind::Reference | LineKind::Removal);
            open_indent[at + 1] = if opens { column.indent } else { open_indent[at] };
        }
        let mut lines_left: Vec<Cost> = vec![behind; gap.rows.len() + 1];
        for (at, row) in gap.rows.iter().enumerate().rev() {
            let free = row.free || row.announced;
            let least = if free { 0 } else { times(cost::SKIP, row.n_lines()) };
            lines_left[at] = lines_left[at + 1].saturating_add(least);
        }
        Self { gap, open_indent, similar: gap.similar_rows(), ahead: gap.ahead(), lines_left, goes_on: false }
    }

    fn n_rows(&self) -> usize {
        self.gap.rows.len()
    }

    fn n_columns(&self) -> usize {
        self.gap.columns.len()
    }

    /// Counts the nodes of a gap's lattice.
    pub(crate) fn n_nodes(gap: &Gap<'_>) -> usize {
        n_nodes(gap.rows.len(), gap.columns.len())
    }

    fn at(&self, node: Node) -> usize {
        (node.column * (self.n_rows() + 1) + node.row) * N_STATES + node.state as usize
    }

    /// Gives every node in an order in which edges only lead forward.
    pub(crate) fn nodes(&self) -> impl DoubleEndedIterator<Item = Node> + use<'g> {
        let n_rows = self.n_rows();
        (0..=self.n_columns()).flat_map(move |column| {
            (0..=n_rows).flat_map(move |row| STATES.into_iter().map(move |state| Node { row, column, state }))
        })
    }

    pub(crate) const START: Node = Node { row: 0, column: 0, state: State::Matched };

    pub(crate) fn is_end(&self, node: Node) -> bool {
        node.row == self.n_rows() && node.column == self.n_columns()
    }

    /// What ending in a state costs.
    pub(crate) fn end_cost(state: State) -> Cost {
        match state {
            State::MarkerEmpty => cost::MARKER_EMPTY,
            State::KeepingBetween => cost::KEEP_OPEN - cost::KEEP_OPEN_INSERTING,
            _ => 0,
        }
    }

    /// What leaving a state for another costs: a marker that has removed nothing pays for that, and so do lines that
    /// were passed over if no new text follows.
    fn leave_cost(from: State, to: State) -> Cost {
        match (from, to) {
            (State::KeepingBetween, State::KeepingBetween | State::Inserting) => 0,
            _ => Self::end_cost(from),
        }
    }

    /// Hands every edge that leaves `node` to `visit`, the preferred ones first.
    pub(crate) fn edges(&self, node: Node, mut visit: impl FnMut(Edge)) {
        let row = (node.row < self.n_rows()).then(|| &self.gap.rows[node.row]);
        let column = (node.column < self.n_columns()).then(|| &self.gap.columns[node.column]);
        let mut go = |rows: usize, columns: usize, state: State, cost: Cost, by: Move| {
            let to = Node { row: node.row + rows, column: node.column + columns, state };
            visit(Edge { cost: Self::leave_cost(node.state, state) + cost, to, by });
        };
        if let (Some(row), Some(column)) = (row, column) {
            self.pair_edges(node, row, column, &mut go);
        }
        if let Some(column) = column {
            self.column_edges(node, column, &mut go);
        }
        if let Some(row) = row {
            // An open marker that takes a row isn't left.
            if matches!(node.state, State::MarkerEmpty | State::Marker) {
                let to = Node { row: node.row + 1, column: node.column, state: State::Marker };
                let by = Move::MarkerTake { row: node.row };
                visit(Edge { cost: times(self.marker_cost(row, node.column), row.n_lines()), to, by });
            }
            let mut go = |rows: usize, columns: usize, state: State, cost: Cost, by: Move| {
                let to = Node { row: node.row + rows, column: node.column + columns, state };
                visit(Edge { cost: Self::leave_cost(node.state, state) + cost, to, by });
            };
            self.row_edges(node, row, &mut go);
        }
    }

    /// The edges that take a row and a column.
    fn pair_edges(&self, node: Node, r: &Row, c: &Column<'_>, go: &mut impl FnMut(usize, usize, State, Cost, Move)) {
        let Node { row, column, state } = node;
        if c.dropped {
            return;
        }
        if let Some((equality, cost)) = self.match_cost(r, c, state) {
            if c.gone {
                go(1, 1, State::Deleting, cost, Move::Gone { row, column });
            } else {
                let to = if equality <= Equality::TrailingBlanks { State::Matched } else { State::Loose };
                go(1, 1, to, cost, Move::Match { row, column, equality });
            }
        }
        // What goes is no new version of anything.
        if let Some(Similar { similarity, same_key, only_key, .. }) = self.similarity(row, column).filter(|_| !c.gone) {
            let outside = if self.gap.outside_ranges(r) { cost::SIMILAR_OUTSIDE } else { 0 };
            let distance = cost::SIMILAR_PER_DISTANCE * (cost::WHOLE - similarity);
            let after = matches!(state, State::Reference | State::Outdented);
            // Right behind a shown line the key says it; behind a reference there may be others of it.
            let told = r.announced || only_key || (same_key && !after);
            let one_sided = !told && after != self.ahead[column + 1].at_reference;
            let beside = if one_sided { cost::SIMILAR_BESIDE_REFERENCE } else { 0 };
            let cost = cost::SIMILAR + distance + outside + beside;
            go(1, 1, State::Matched, cost, Move::Supersede { row, column });
        }
    }

    /// The edges that take a column.
    fn column_edges(&self, node: Node, c: &Column<'_>, go: &mut impl FnMut(usize, usize, State, Cost, Move)) {
        let Node { row, column, state } = node;
        match c.kind {
            _ if c.dropped => go(0, 1, state, 0, Move::Drop { column }),
            LineKind::Reference => {
                let beside_new = c.is_implied() && state == State::Inserting && row < self.n_rows();
                let cost = if beside_new { cost::IMPLIED_BESIDE_NEW } else { 0 };
                go(0, 1, State::Reference, cost, Move::Reference { column });
            }
            LineKind::Removal => go(0, 1, State::MarkerEmpty, 0, Move::Marker { column }),
            LineKind::Blank if c.gone => go(0, 1, state, 0, Move::Drop { column }),
            LineKind::Blank => {
                // New text ends an open reference or marker; in a run it changes nothing. So does a blank line that is
                // left out: whether it should be depends on the row it is left out at.
                let to = match state {
                    State::Reference | State::Outdented | State::MarkerEmpty | State::Marker => State::Matched,
                    other => other,
                };
                if c.after_marker || c.before_marker {
                    let (drop, insert) =
                        if self.gap.wants_blank(row, c, state == State::Inserting, self.ahead[column + 1].at_new) {
                            (cost::BLANK_AS_IT_SHOULD_NOT, cost::BLANK_AS_IT_SHOULD)
                        } else {
                            (cost::BLANK_AS_IT_SHOULD, cost::BLANK_AS_IT_SHOULD_NOT)
                        };
                    go(0, 1, to, drop, Move::Drop { column });
                    go(0, 1, to, insert, Move::Insert { column });
                } else {
                    go(0, 1, to, cost::INSERT_BLANK, Move::Insert { column });
                }
            }
            LineKind::Code if c.gone => go(0, 1, state, cost::GONE_MISSING, Move::Drop { column }),
            LineKind::Code => {
                let implied = column == 1 && row > 0 && self.gap.columns[0].is_implied() && self.gap.starts_text();
                let beside_implied = implied && matches!(state, State::Reference | State::Outdented);
                let beside = if beside_implied { cost::IMPLIED_BESIDE_NEW } else { 0 };
                go(0, 1, State::Inserting, insert_cost(c, state) + beside, Move::Insert { column });
            }
        }
    }

    /// The edges that take a row, but for those of an open removal marker.
    fn row_edges(&self, node: Node, r: &Row, go: &mut impl FnMut(usize, usize, State, Cost, Move)) {
        let Node { row, column, state } = node;
        let in_reference = matches!(state, State::Reference | State::Outdented);
        if in_reference {
            let announced = if r.announced { times(cost::SKIP_ANNOUNCED, r.n_code) } else { 0 };
            let outdents = state == State::Reference && r.n_code > 0 && r.indent < self.open_indent[column];
            let (to, extra) = if outdents { (State::Outdented, cost::SKIP_OUTDENT) } else { (state, 0) };
            go(1, 0, to, times(cost::SKIP, r.n_lines()) + announced + extra, Move::Fill { row });
        }
        let excused = r.free || r.announced;
        let blank_in_run = r.n_code == 0 && state == State::Excused;
        let open = state != if excused { State::Excused } else { State::Deleting } && !blank_in_run;
        if r.n_code == 0 && !excused && !matches!(state, State::Deleting | State::Excused) {
            go(1, 0, state, times(cost::DELETE_LONE_BLANK, r.n_lines()), Move::Delete { row });
        } else {
            let beside = in_reference || self.ahead[column].leads_to_reference;
            let hides = open && beside && !excused && r.n_code > 0;
            let beside = if hides { cost::DELETE_BESIDE_REFERENCE } else { 0 };
            let to = if excused || blank_in_run { State::Excused } else { State::Deleting };
            go(1, 0, to, beside + self.delete_cost(r, open), Move::Delete { row });
        }
        if !in_reference {
            let (opening, to) = match state {
                State::Keeping | State::KeepingBetween => (0, state),
                State::Inserting if self.gap.only_inserts => (cost::KEEP_OPEN_INSERTING, State::Keeping),
                _ if self.gap.only_inserts => (cost::KEEP_OPEN_INSERTING, State::KeepingBetween),
                _ => (cost::KEEP_OPEN, State::Keeping),
            };
            go(1, 0, to, opening + times(cost::KEEP, r.n_lines()), Move::Keep { row });
        }
    }

    /// What it costs an open marker to remove one line.
    fn marker_cost(&self, row: &Row, column: usize) -> Cost {
        let leaves = row.n_code > 0 && row.indent < self.open_indent[column];
        match row.announced {
            true => 0,
            false if leaves || self.gap.outside_ranges(row) => cost::MARKER_TAKE_OUTSIDE,
            false => cost::MARKER_TAKE,
        }
    }

    fn match_cost(&self, row: &Row, column: &Column<'_>, state: State) -> Option<(Equality, Cost)> {
        if column.forced_new || column.dropped || row.lines.start < column.first_row {
            return None;
        }
        if column.kind == LineKind::Blank {
            let announced = if row.announced { cost::MATCH_ANNOUNCED } else { 0 };
            return (row.n_code == 0)
                .then(|| self.gap.equality(row, column))
                .flatten()
                .map(|equality| (equality, announced));
        }
        if column.kind != LineKind::Code || row.class != column.class || row.n_code == 0 {
            return None;
        }
        let equality = self.gap.equality(row, column)?;
        let cost = match equality {
            Equality::Exact | Equality::TrailingBlanks => 0,
            _ if column.punctuation && state != State::Loose => cost::MATCH_PUNCTUATION,
            Equality::Indentation => cost::MATCH_INDENTATION,
            Equality::Whitespace => cost::MATCH_WHITESPACE,
        };
        let announced = if row.announced && !column.gone { cost::MATCH_ANNOUNCED } else { 0 };
        Some((equality, cost + announced))
    }

    fn similarity(&self, row: usize, column: usize) -> Option<Similar> {
        let rows = &self.similar[column];
        rows.binary_search_by_key(&row, |similar| similar.row).ok().map(|at| rows[at])
    }

    fn delete_cost(&self, row: &Row, open: bool) -> Cost {
        if row.free {
            return 0;
        }
        let (opening, code, blank) = if row.announced {
            (cost::DELETE_ANNOUNCED_OPEN, cost::DELETE_ANNOUNCED, cost::DELETE_ANNOUNCED)
        } else {
            (cost::DELETE_OPEN, cost::DELETE, cost::DELETE_BLANK)
        };
        let n_blank = row.n_lines() - row.n_code;
        let cost = if open { opening } else { 0 } + times(code, row.n_code) + times(blank, n_blank);
        if self.gap.outside_ranges(row) { times(cost, cost::DELETE_OUTSIDE_FACTOR) } else { cost }
    }

    /// Searches the cheapest path and all that cost less than `margin` more; `None` once `steps` runs out.
    pub(crate) fn search(&self, margin: Cost, steps: &mut Steps) -> Option<Found> {
        let least = self.least_left(Self::START);
        let mut bound = least.saturating_add(FIRST_BOUND);
        loop {
            let forward = self.forward(bound, steps)?;
            let (row, column) = (self.n_rows(), self.n_columns());
            let ends = STATES.into_iter().map(|state| Node { row, column, state });
            let best = ends.map(|end| self.cost(&forward, end).saturating_add(Self::end_cost(end.state))).min();
            let best = best.filter(|&best| best < FORBIDDEN);
            match best {
                _ if bound >= FORBIDDEN => {}
                Some(best) if best + margin <= bound => {}
                // Some path there is: the cheapest costs no more.
                Some(best) => {
                    bound = best + margin;
                    continue;
                }
                None => {
                    bound = (bound - least).saturating_mul(4).saturating_add(least).min(FORBIDDEN);
                    continue;
                }
            }
            let backward = self.backward(&forward, bound, steps)?;
            return Some(Found { forward, backward });
        }
    }

    /// Finds what the cheapest path costs and nothing else, or that none costs less than `most`; `None` once `steps` runs
    /// out, and where a path that costs less leaves the head of a gap.
    ///
    /// The node of the cheapest path in prospect is always the next one, and of several the one that was met last: where
    /// many paths cost the same, one of them is followed to its end.
    ///
    /// # Source
    ///
    /// A* (Hart, Nilsson and Raphael 1968).
    pub(crate) fn cheapest(&self, most: Cost, steps: &mut Steps) -> Option<Cost> {
        let mut costs = Costs(vec![FORBIDDEN; Self::n_nodes(self.gap)]);
        costs.0[self.at(Self::START)] = 0;
        let mut open = BinaryHeap::from([(Reverse(self.least_left(Self::START)), 0_usize, Self::START)]);
        let (mut n_met, mut n_seen) = (0, 0);
        let (mut best, mut is_left) = (most, false);
        while let Some((Reverse(least), _, node)) = open.pop() {
            if least >= best {
                break;
            }
            let here = self.cost(&costs, node);
            if here.saturating_add(self.least_left(node)) < least {
                continue;
            }
            n_seen += 1;
            is_left = self.goes_on && node.row == self.n_rows();
            if n_seen > steps.left || is_left {
                break;
            }
            if self.is_end(node) {
                best = best.min(here.saturating_add(Self::end_cost(node.state)));
                continue;
            }
            self.edges(node, |edge| {
                let (cost, at) = (here.saturating_add(edge.cost), self.at(edge.to));
                if cost < costs.0[at] {
                    costs.0[at] = cost;
                    n_met += 1;
                    open.push((Reverse(cost.saturating_add(self.least_left(edge.to))), n_met, edge.to));
                }
            });
        }
        (steps.spend(n_seen + costs.0.len() / NODES_A_STEP) && !is_left).then_some(best)
    }

    /// The least that a path from a node to the end costs: each row takes a column or costs something.
    fn least_left(&self, node: Node) -> Cost {
        self.lines_left[node.row].saturating_sub((self.n_columns() - node.column) as Cost)
    }

    /// Gives, for every node that a path of no more than `bound` leads through, the cheapest way from the start to it.
    fn forward(&self, bound: Cost, steps: &mut Steps) -> Option<Costs> {
        let mut costs = Costs(vec![FORBIDDEN; Self::n_nodes(self.gap)]);
        costs.0[self.at(Self::START)] = 0;
        let mut n_seen = 0;
        for node in self.nodes() {
            let here = costs.0[self.at(node)];
            if here < FORBIDDEN && here.saturating_add(self.least_left(node)) <= bound {
                n_seen += 1;
                self.edges(node, |edge| {
                    let there = &mut costs.0[self.at(edge.to)];
                    *there = (*there).min(here + edge.cost);
                });
            }
        }
        steps.spend(n_seen + costs.0.len() / NODES_A_STEP).then_some(costs)
    }

    /// Gives, for every node that a path of no more than `bound` leads through, the cheapest way from it to the end.
    fn backward(&self, forward: &Costs, bound: Cost, steps: &mut Steps) -> Option<Costs> {
        let mut costs = Costs(vec![FORBIDDEN; Self::n_nodes(self.gap)]);
        let mut n_seen = 0;
        for node in self.nodes().rev() {
            let here = forward.0[self.at(node)];
            if here < FORBIDDEN && here.saturating_add(self.least_left(node)) <= bound {
                n_seen += 1;
                let mut best = if self.is_end(node) { Self::end_cost(node.state) } else { FORBIDDEN };
                self.edges(node, |edge| best = best.min(edge.cost.saturating_add(costs.0[self.at(edge.to)])));
                costs.0[self.at(node)] = best;
            }
        }
        steps.spend(n_seen + costs.0.len() / NODES_A_STEP).then_some(costs)
    }

    /// Looks a node's cost up.
    pub(crate) fn cost(&self, costs: &Costs, node: Node) -> Cost {
        costs.0[self.at(node)]
    }

    /// Follows a cheapest path from `node` to the end.
    pub(crate) fn trace_to_end(&self, backward: &Costs, mut node: Node) -> Vec<Move> {
        let mut path = Vec::new();
        while !self.is_end(node) {
            let left = self.cost(backward, node);
            let mut taken: Option<Edge> = None;
            self.edges(node, |edge| {
                if taken.is_none() && edge.cost.saturating_add(self.cost(backward, edge.to)) == left {
                    taken = Some(edge);
                }
            });
            let Some(edge) = taken else { break };
            path.push(edge.by);
            node = edge.to;
        }
        path
    }

    /// Follows a cheapest path from the start to `node`.
    pub(crate) fn trace_from_start(&self, forward: &Costs, mut node: Node) -> Vec<Move> {
        let mut path = Vec::new();
        while node != Self::START {
            let here = self.cost(forward, node);
            let mut taken: Option<(Node, Move)> = None;
            for (rows, columns) in [(1, 1), (0, 1), (1, 0)] {
                let (Some(row), Some(column)) = (node.row.checked_sub(rows), node.column.checked_sub(columns)) else {
                    continue;
                };
                for state in STATES {
                    let from = Node { row, column, state };
                    let so_far = self.cost(forward, from);
                    if taken.is_some() || so_far >= FORBIDDEN {
                        continue;
                    }
                    self.edges(from, |edge| {
                        if taken.is_none() && edge.to == node && so_far + edge.cost == here {
                            taken = Some((from, edge.by));
                        }
                    });
                }
            }
            let Some((from, by)) = taken else { break };
            path.push(by);
            node = from;
        }
        path.reverse();
        path
    }
}

/// What it costs to write a column's line anew.
fn insert_cost(column: &Column<'_>, state: State) -> Cost {
    let open = match state {
        State::Inserting => 0,
        State::Deleting | State::Excused => cost::INSERT_OPEN_REPLACING,
        _ => cost::INSERT_OPEN,
    };
    let known = if column.n_in_original == 0 || column.forced_new {
        0
    } else {
        let base = if column.short { cost::INSERT_KNOWN_SHORT } else { cost::INSERT_KNOWN };
        let known = base + cost::INSERT_KNOWN_RARE / column.n_in_original as Cost;
        // A bracket above a marker may close what is new.
        let beside_marker = column.after_marker || column.before_marker && !column.punctuation;
        let edge = if beside_marker { cost::INSERT_KNOWN_EDGE } else { 0 };
        edge + match state {
            State::Inserting => known * 3 / 10,
            State::Deleting | State::Excused => known / 2,
            _ => known,
        }
    };
    cost::INSERT + open + known
}

/// Multiplies a cost by a number of lines, up to [`cost::MOST`]: a row may stand for millions of lines.
fn times(cost: Cost, n: u32) -> Cost {
    cost.saturating_mul(n).min(cost::MOST)
}

/// Counts the nodes of a lattice of so many rows and columns.
pub(crate) fn n_nodes(n_rows: usize, n_columns: usize) -> usize {
    (n_rows + 1) * (n_columns + 1) * N_STATES
}

/// One cost for every node of a lattice.
pub(crate) struct Costs(Vec<Cost>);

/// What a search found.
pub(crate) struct Found {
    /// The cheapest ways from the start.
    pub(crate) forward: Costs,
    /// The cheapest ways to the end.
    pub(crate) backward: Costs,
}

/// How much more than the least a path may cost at first. Larger: more nodes are looked at in vain; smaller: more
/// searches are begun anew.
const FIRST_BOUND: Cost = 40_000;

/// Nodes that are passed over in the time in which the edges of one are looked at.
const NODES_A_STEP: usize = 32;

/// The steps that the alignments of one edit may take together: a step is a node whose edges are looked at.
#[derive(Debug)]
pub(crate) struct Steps {
    left: usize,
    spent: usize,
}

impl Steps {
    pub(crate) fn new(most: usize) -> Self {
        Self { left: most, spent: 0 }
    }

    /// Takes steps and says whether there were enough.
    #[must_use]
    pub(crate) fn spend(&mut self, n: usize) -> bool {
        self.spent += n;
        let enough = self.left >= n;
        self.left = self.left.saturating_sub(n);
        enough
    }

    /// Counts the steps taken; tests pin the growth of the work with it.
    #[cfg(test)]
    pub(crate) fn spent(&self) -> usize {
        self.spent
    }
}
