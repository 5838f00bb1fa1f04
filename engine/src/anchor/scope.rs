//! Declarations of the snippet tied to declarations of the original.
//!
//! Names survive what text matching does not: a changed signature, a new decorator, another receiver. Each tied
//! pair gives *waypoints*, points that every alignment passes: the row of the name, the row after the header,
//! the row after the end. So a reference inside a function can't take lines from beyond it, and a function that
//! isn't in the file can't borrow a look-alike's lines.
//!
//! # Algorithm
//!
//! 1. Children of tied parents are grouped by kind and name. One group's snippet and original members are tied in
//!    order if there are equally many; else by equal header, then by equal parameters; else they stay open.
//! 2. A top-level snippet declaration that isn't at the original's top level is looked for anywhere, by name
//!    alone: a bare method is tied to the only one of its name.
//! 3. Of the pairs the longest chain that rises in both texts stays. The rest is out of order.
//! 4. A declaration without partner, of several lines and without a reference inside, is new as a whole.
//!
//! # Cost
//!
//! O(items log items) of both outlines.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use foldhash::fast::RandomState;
use hashbrown::HashSet;

use crate::classify::{Force, Line, LineKind, Snippet};
use crate::digest::words;
use crate::range::{LineRange, is_within};
use crate::source::{Source, is_blank};
use crate::treesitter::{ANY_COMMENT_SIGNS, Item, ItemKind, Language, Outline};

use super::gap::{dice, tokens};
use super::index::{Class, Index};
use crate::relief::indent_width;

/// How much of an import's line must stay for it to be the new version of another, in ten-thousandths.
const SIMILAR_IMPORT: u32 = 6_000;

/// How much of the first line above a name must stay for it to be the new version of another there, in ten-thousandths.
/// Larger: a comment above the doc comment goes with it; smaller: a part of the old doc comment stays above the new one.
const SIMILAR_ATTACHED: u32 = 5_000;

/// A point between lines that an alignment passes: so many original and so many snippet lines are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Waypoint {
    pub(crate) row: usize,
    pub(crate) line: usize,
    /// Whether a reference that is implied before the line lies before the point, too.
    pub(crate) after_implied: bool,
}

/// A snippet declaration that isn't in the original though a reference stands for a part of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Orphan {
    pub(crate) name: String,
    /// The snippet line of the reference.
    pub(crate) reference: usize,
}

/// A snippet declaration and one of the same name that it was not tied to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Twin {
    pub(crate) name: String,
    /// The snippet row of the name.
    pub(crate) name_row: usize,
    /// The original row of the other's name.
    pub(crate) original_row: usize,
}

/// A tied pair of declarations.
#[derive(Debug, Clone)]
pub(crate) struct Pair {
    pub(crate) name: String,
    /// Rows of the snippet's declaration.
    pub(crate) snippet: LineRange,
    /// Rows of the original's.
    pub(crate) original: LineRange,
    /// The original's row of the name.
    pub(crate) name_row: usize,
    /// The snippet's line of the name.
    pub(crate) name_line: usize,
    /// Whether a token closes it in the original.
    pub(crate) is_closed: bool,
    /// Whether its end is tied as well.
    pub(crate) end_tied: bool,
    /// Whether the snippet shows all of it.
    pub(crate) in_full: bool,
    pub(crate) kind: ItemKind,
}

/// What the outlines say about the alignment.
#[derive(Debug, Clone, Default)]
pub(crate) struct Plan {
    /// In rising order of both coordinates.
    pub(crate) waypoints: Vec<Waypoint>,
    pub(crate) pairs: Vec<Pair>,
    pub(crate) orphans: Vec<Orphan>,
    /// Declarations that stayed untied although the original has some of their name.
    pub(crate) twins: Vec<Twin>,
    /// Snippet rows of declarations that stand in another order in the original.
    pub(crate) crossed: Vec<LineRange>,
    /// Snippet declarations without partner: their rows.
    pub(crate) new_items: Vec<LineRange>,
    /// Snippet declarations without partner though their first line stands in the original: entries of a list, whose name
    /// stands below it.
    pub(crate) unknown_entries: Vec<LineRange>,
    /// Original rows of the imports at the top level.
    pub(crate) imports: Vec<LineRange>,
    /// Snippet rows of the imports at its top level.
    pub(crate) shown_imports: Vec<LineRange>,
    /// Whether an import by a path binds the path's first part, as in Python.
    pub(crate) imports_bind_first: bool,
    /// New imports that were put behind the others though nothing says where they go: their snippet rows.
    pub(crate) unplaced_imports: Vec<LineRange>,
    /// Snippet lines before which a reference is implied, since what stands above a name is shown only in part.
    pub(crate) implied: Vec<usize>,
    /// Original rows between a comment and a name that the snippet shows one right after the other: decorators below a doc
    /// comment.
    pub(crate) passed_over: Vec<LineRange>,
    /// Original rows above a name that such a reference may stand for.
    attached: BTreeSet<usize>,
    /// For each snippet line above a tied name the original row at which what belongs to that name begins, else zero.
    first_rows: Vec<usize>,
    new: Vec<bool>,
    names: Vec<bool>,
    /// Snippet lines that name declarations with a body, and where those begin.
    bodies: BTreeMap<usize, usize>,
    free: BTreeSet<usize>,
}

impl Plan {
    /// Says whether snippet line `line` is new whatever the original holds.
    pub(crate) fn is_new(&self, line: usize) -> bool {
        self.new.get(line).copied().unwrap_or(false)
    }

    /// Says whether snippet line `line` names a declaration.
    pub(crate) fn names(&self, line: usize) -> bool {
        self.names.get(line).copied().unwrap_or(false)
    }

    /// Gives the first original row that snippet line `line` may be tied to.
    pub(crate) fn first_row(&self, line: usize) -> usize {
        self.first_rows.get(line).copied().unwrap_or(0)
    }

    /// Says whether original row `row` belongs to a declaration that the snippet shows without it.
    pub(crate) fn is_attached(&self, row: usize) -> bool {
        self.attached.contains(&row)
    }

    /// Gives the first line of the declaration with a body that snippet line `line` names, doc comment included.
    pub(crate) fn body_named_at(&self, line: usize) -> Option<usize> {
        self.bodies.get(&line).copied()
    }

    /// Says whether original row `row` may be deleted for nothing, since the snippet shows its successor.
    pub(crate) fn is_free(&self, row: usize) -> bool {
        self.free.contains(&row)
    }

    /// Finds the first original row from `row` on that may be deleted for nothing.
    pub(crate) fn first_free(&self, row: usize) -> Option<usize> {
        self.free.range(row..).next().copied()
    }

    /// Gives the same plan without some waypoints and what follows from them: for original `rows`, which must rise, and
    /// for some snippet lines.
    pub(crate) fn without_scopes(
        &self,
        is_given_up: impl Fn(&Waypoint) -> bool,
        rows: &[LineRange],
        may_go_anywhere: impl Fn(usize) -> bool,
    ) -> Self {
        let mut plan = self.clone();
        plan.waypoints.retain(|point| !is_given_up(point));
        plan.free.retain(|&row| !is_within(rows, row));
        for (line, first) in plan.first_rows.iter_mut().enumerate() {
            if may_go_anywhere(line) {
                *first = 0;
            }
        }
        plan
    }
}

/// Ties the declarations of `snippet` to those of `original`. Decorators that the snippet passes over below a doc comment
/// stay if it `keeps_passed` ones.
pub(crate) fn plan(
    original: &Source<'_>,
    snippet: &Snippet<'_>,
    index: &Index,
    (original_outline, snippet_outline): (&Outline, &Outline),
    language: Option<Language>,
    keeps_passed: bool,
) -> Plan {
    let n_lines = snippet.lines.len();
    let mut planner = Planner {
        original,
        snippet,
        index,
        original_outline,
        snippet_outline,
        believes_absence: original_outline.parsed && snippet_outline.parsed && original_outline.cut_by.is_none(),
        words: OnceCell::new(),
        keeps_passed,
        sections: original_outline.has_errors.then(|| by_first_row(Outline::by_indent(original, ANY_COMMENT_SIGNS))),
        plan: Plan {
            new: vec![false; n_lines],
            names: vec![false; n_lines],
            first_rows: vec![0; n_lines],
            imports_bind_first: language == Some(Language::Python),
            ..Plan::default()
        },
    };
    planner.pair_level(&snippet_outline.items, &original_outline.items, Some(original_outline));
    planner.place_imports();
    let mut plan = planner.plan;
    plan.waypoints.sort_unstable();
    let (mut row, mut line) = (0, 0);
    plan.waypoints.retain(|point| {
        let rises = point.row >= row && point.line >= line;
        if rises {
            (row, line) = (point.row, point.line);
        }
        rises
    });
    plan.waypoints.dedup();
    // An end that the alignment doesn't pass isn't tied.
    let passed: BTreeSet<(usize, usize)> = plan.waypoints.iter().map(|point| (point.row, point.line)).collect();
    for pair in &mut plan.pairs {
        pair.end_tied &= passed.contains(&(pair.original.end, pair.snippet.end));
    }
    plan
}

/// Items of one kind and name that aren't tied yet: the snippet's by position, and the original's.
struct Open<'i> {
    items: Vec<usize>,
    partners: Vec<&'i Item>,
}

impl<'i> Open<'i> {
    /// Takes out the pairs that alone agree in something; where several do, nothing tells them apart.
    ///
    /// # Cost
    ///
    /// O(n log n).
    fn take_alike<K: Ord>(
        &mut self,
        of_item: impl Fn(usize) -> K,
        of_partner: impl Fn(&'i Item) -> K,
    ) -> Vec<(usize, &'i Item)> {
        // How many of both have it, and the last partner.
        let mut counts: BTreeMap<K, (usize, usize, Option<&'i Item>)> = BTreeMap::new();
        for &at in &self.items {
            counts.entry(of_item(at)).or_default().0 += 1;
        }
        for &partner in &self.partners {
            let (_, n, last) = counts.entry(of_partner(partner)).or_default();
            (*n, *last) = (*n + 1, Some(partner));
        }
        let only = |key: &K| counts.get(key).filter(|count| (count.0, count.1) == (1, 1)).and_then(|count| count.2);
        let found = self.items.iter().filter_map(|&at| Some((at, only(&of_item(at))?))).collect();
        self.items.retain(|&at| only(&of_item(at)).is_none());
        self.partners.retain(|&partner| only(&of_partner(partner)).is_none());
        found
    }
}

struct Planner<'p> {
    original: &'p Source<'p>,
    snippet: &'p Snippet<'p>,
    index: &'p Index,
    original_outline: &'p Outline,
    snippet_outline: &'p Outline,
    /// Whether a name that isn't found really isn't there.
    believes_absence: bool,
    /// The words of an original without a grammar, once they are asked for: a name that isn't among them isn't there.
    words: OnceCell<HashSet<&'p str, RandomState>>,
    /// Whether decorators that the snippet passes over stay.
    keeps_passed: bool,
    /// For an original with syntax errors, whose outline may lack declarations: its blocks by indentation, by the row of
    /// their first line.
    sections: Option<BTreeMap<usize, Item>>,
    plan: Plan,
}

impl Planner<'_> {
    /// Pairs the items of one level. `everywhere` is the whole original outline at the top level.
    fn pair_level(&mut self, items: &[Item], partners: &[Item], everywhere: Option<&Outline>) {
        let mut by_key: BTreeMap<(ItemKind, &str), Vec<usize>> = BTreeMap::new();
        for (at, partner) in partners.iter().enumerate() {
            by_key.entry((partner.kind, &partner.name)).or_default().push(at);
        }
        let mut members: BTreeMap<(ItemKind, &str), Vec<usize>> = BTreeMap::new();
        for (at, item) in items.iter().enumerate() {
            members.entry((item.kind, &item.name)).or_default().push(at);
        }
        // For each item its partner, or that it has none although there are candidates.
        let mut tied: Vec<Option<&Item>> = vec![None; items.len()];
        let mut absent = vec![false; items.len()];
        let nested = everywhere.map(|outline| nested_by_key(&outline.items));
        for (key, group) in members {
            let candidates: Vec<&Item> = match by_key.get(&key) {
                Some(found) => found.iter().map(|&at| &partners[at]).collect(),
                None => nested.as_ref().and_then(|nested| nested.get(&key)).cloned().unwrap_or_default(),
            };
            if candidates.is_empty() {
                for at in group {
                    absent[at] = true;
                }
                continue;
            }
            for (at, partner) in self.match_group(items, &group, &candidates) {
                tied[at] = Some(partner);
            }
        }
        self.keep_rising(items, &mut tied);
        for ((item, partner), absent) in items.iter().zip(tied).zip(absent) {
            self.mark_name(item);
            match partner {
                Some(partner) => self.tie(item, partner),
                None if absent => match self.section_of(item) {
                    Some(section) => self.tie(item, &section),
                    None => self.mark_absent(item),
                },
                None => self.mark_twins(item, by_key.get(&(item.kind, item.name.as_str())), partners),
            }
        }
    }

    /// Puts new imports between references, or at the snippet's start before one, behind the imports there are. That they
    /// belong there is sure only if the reference before them says that it stands for the imports.
    fn place_imports(&mut self) {
        let imports = |items: &[Item]| {
            items.iter().filter(|item| item.kind == ItemKind::Import).map(|item| item.rows).collect::<Vec<_>>()
        };
        self.plan.imports = imports(&self.original_outline.items);
        self.plan.shown_imports = imports(&self.snippet_outline.items);
        let is_head = |item: &&Item| matches!(item.kind, ItemKind::Import | ItemKind::Module);
        let head = self.original_outline.items.iter().take_while(is_head);
        let Some(last) = head.filter(|item| item.kind == ItemKind::Import).last().map(|last| last.rows) else { return };
        // Imports may stand in a list.
        let lists =
            self.original_outline.blocks.iter().filter(|block| block.open < last.start && last.end <= block.close);
        let end = lists.map(|block| block.close + 1).max().unwrap_or(last.end);
        let ends: BTreeSet<usize> = imports(&self.snippet_outline.items).iter().map(|rows| rows.end).collect();
        // Where one stands twice there are several lists, and which of them is meant is open.
        let rows = self.plan.imports.iter().filter(|rows| rows.end <= end).map(|rows| self.original_line(rows.start));
        let is_doubled = rows.clone().count() > rows.collect::<BTreeSet<_>>().len();
        let mut new: Vec<LineRange> =
            self.plan.new_items.iter().filter(|rows| ends.contains(&rows.end)).copied().collect();
        new.sort_unstable();
        let lines = &self.snippet.lines;
        let says = |line: &usize| lines[*line].kind != LineKind::Blank;
        // Imports right below each other belong together.
        let follows = |above: &LineRange, below: &LineRange| !(above.end..below.start).any(|line| says(&line));
        for run in new.chunk_by(follows) {
            let rows = LineRange::new(run[0].start, run[run.len() - 1].end);
            let above = (0..rows.start).rfind(says).map(|line| &lines[line]);
            let below = (rows.end..lines.len()).find(says).map(|line| &lines[line]);
            let is_reference = |line: &Line<'_>| line.kind == LineKind::Reference;
            let has_start = above.is_some() || self.snippet.implied.first() == Some(&0);
            if has_start && above.is_none_or(is_reference) && below.is_some_and(is_reference) {
                self.plan.waypoints.push(Waypoint { row: end, line: rows.start, after_implied: true });
                if is_doubled || !above.is_some_and(|line| line.text.to_lowercase().contains("import")) {
                    self.plan.unplaced_imports.push(rows);
                }
            }
        }
    }

    fn match_group<'i>(&self, items: &[Item], group: &[usize], candidates: &[&'i Item]) -> Vec<(usize, &'i Item)> {
        let fits = |&(at, partner): &(usize, &'i Item)| {
            !self.header_is_elsewhere(&items[at], partner) && self.may_be_new_version(&items[at], partner)
        };
        // A block known by its first line only is tied if there is but one; which of several is meant, its lines tell.
        if items.first().is_some_and(|item| item.kind == ItemKind::Section) && (group.len(), candidates.len()) != (1, 1)
        {
            return Vec::new();
        }
        // Marked as new, a declaration is another one of its name, unless it is the only one.
        let is_plus = |&&at: &&usize| self.snippet.lines.get(items[at].name_row).is_some_and(|l| l.force == Force::New);
        let n_plus = group.iter().filter(is_plus).count();
        let without_plus: Vec<usize> = group.iter().filter(|at| !is_plus(at)).copied().collect();
        let group = if n_plus < group.len() && group.len() > candidates.len() { &without_plus } else { group };
        if group.len() == candidates.len() {
            return group.iter().copied().zip(candidates.iter().copied()).filter(fits).collect();
        }
        let header_of_item = |at: usize| self.snippet.lines.get(items[at].name_row).map(|line| line.text.trim());
        let header_of_partner = |partner: &'i Item| self.original_line(partner.name_row).map(str::trim);
        let mut open = Open { items: group.to_vec(), partners: candidates.to_vec() };
        let mut found = open.take_alike(header_of_item, header_of_partner);
        found.extend(open.take_alike(|at| &*items[at].parameters, |partner| &*partner.parameters));
        found.retain(fits);
        found
    }

    fn same_name_line(&self, item: &Item, partner: &Item) -> bool {
        let line = self.snippet.lines.get(item.name_row).map(|line| line.class);
        line.is_some_and(|class| class == self.index.class(partner.name_row))
    }

    /// Says whether an import may be the new version of another from the same place: it begins with the same word
    /// and shares most of the rest. Other declarations may change as they like.
    fn may_be_new_version(&self, item: &Item, partner: &Item) -> bool {
        if item.kind != ItemKind::Import || self.same_name_line(item, partner) {
            return true;
        }
        let (Some(ours), Some(theirs)) = (self.snippet.lines.get(item.name_row), self.original_line(partner.name_row))
        else {
            return false;
        };
        let first_word = |line: &str| line.split_whitespace().next().map(str::to_owned);
        first_word(&ours.text) == first_word(theirs) && dice(&tokens(&ours.text), &tokens(theirs)) >= SIMILAR_IMPORT
    }

    fn original_line(&self, row: usize) -> Option<&str> {
        (row < self.original.n_lines()).then(|| self.original.line(row))
    }

    /// Says whether the snippet's header differs from its partner's but stands elsewhere in the original, so that
    /// another declaration is meant.
    fn header_is_elsewhere(&self, item: &Item, partner: &Item) -> bool {
        let Some(line) = self.snippet.lines.get(item.name_row) else { return false };
        let theirs = self.index.class(partner.name_row);
        line.class != theirs && self.index.count(line.class) > 0
    }

    /// Unties what is out of order: keeps the longest chain of pairs that rises in the original too.
    fn keep_rising(&mut self, items: &[Item], tied: &mut [Option<&Item>]) {
        let pairs: Vec<(usize, usize)> =
            tied.iter().enumerate().filter_map(|(at, partner)| partner.map(|p| (at, p.rows.start))).collect();
        // Declarations whose name's line is the same are surer than those that share the name alone.
        let is_same =
            |&(at, _): &(usize, usize)| tied[at].is_some_and(|partner| self.same_name_line(&items[at], partner));
        let same: Vec<bool> = pairs.iter().map(is_same).collect();
        let chain = rising_chain_preferring(&pairs.iter().map(|&(_, row)| row).collect::<Vec<_>>(), &same);
        let mut next = chain.into_iter().peekable();
        for (n, &(at, _)) in pairs.iter().enumerate() {
            if next.next_if_eq(&n).is_none() {
                tied[at] = None;
                self.plan.crossed.push(items[at].rows);
            }
        }
    }

    fn mark_name(&mut self, item: &Item) {
        if item.kind != ItemKind::Section
            && let Some(name) = self.plan.names.get_mut(item.name_row)
        {
            *name = true;
            let is_callable = !item.parameters.is_empty() || item.kind == ItemKind::Type;
            if item.header.end < item.rows.end && is_callable {
                self.plan.bodies.insert(item.name_row, item.rows.start);
            }
        }
    }

    fn tie(&mut self, item: &Item, partner: &Item) {
        let snippet_line = |line: usize| self.snippet.lines.get(line).map(|line| &*line.text);
        let rows = self.without_references_above(item, with_deeper_lines(item, snippet_line));
        let partner_rows = with_deeper_lines(partner, |row| self.original_line(row));
        let references = self.references(rows);
        let end_tied = self.end_is_reliable(item, partner, rows, partner_rows);
        let name_line = self.first_version_line(item.name_row, partner.name_row);
        let header_tied = end_tied && item.header.end >= rows.end || self.header_is_complete(item, partner);
        let mut point = |row, line, after_implied| self.plan.waypoints.push(Waypoint { row, line, after_implied });
        point(partner.name_row, name_line, true);
        self.tie_attached(item, partner, rows);
        let mut point = |row, line, after_implied| self.plan.waypoints.push(Waypoint { row, line, after_implied });
        if header_tied {
            point(partner.header.end.max(partner.name_row + 1), item.header.end.max(item.name_row + 1), false);
        }
        for line in LineRange::new(rows.start, item.name_row) {
            if let Some(first) = self.plan.first_rows.get_mut(line) {
                *first = partner.rows.start.max(*first);
            }
        }
        if end_tied {
            point(partner_rows.end, rows.end, false);
        }
        if header_tied && self.references(item.header).is_empty() {
            self.plan.free.extend(LineRange::new(partner.name_row, partner.header.end));
        }
        if end_tied {
            self.plan.free.extend(partner.closer.filter(|_| item.closer.is_some()));
        }
        self.plan.pairs.push(Pair {
            name: partner.name.clone(),
            snippet: rows,
            original: partner_rows,
            name_row: partner.name_row,
            name_line: item.name_row,
            is_closed: partner.closer.is_some(),
            end_tied,
            in_full: references.is_empty(),
            kind: partner.kind,
        });
        self.pair_level(&item.children, &partner.children, None);
    }

    /// Ties what stands above a name: doc comment, decorators, attributes, annotations. What is shown takes the place of
    /// what is there of its kind, so that no reference above may keep the old version; what is there of the other kind
    /// stays. `rows` are the snippet's rows of the declaration.
    fn tie_attached(&mut self, item: &Item, partner: &Item, rows: LineRange) {
        let line = |line: usize| self.snippet.lines.get(line);
        let is_marker = |&at: &usize| line(at).is_none_or(|line| line.kind.is_marker());
        let start = (rows.start..item.name_row).rfind(is_marker).map_or(rows.start, |marker| marker + 1);
        let shown = LineRange::new(start, item.name_row);
        let theirs = LineRange::new(partner.rows.start, partner.name_row);
        let Some(first) = line(start).filter(|line| line.force == Force::Free && !shown.is_empty()) else { return };
        let one = |row: usize| LineRange::new(row, row + 1);
        let is_comment = |row: &usize| self.original_outline.is_comment(one(*row));
        let row_of = |line: &Line<'_>| theirs.iter().find(|&row| self.index.class(row) == line.class);
        if row_of(first).is_some() {
            // What is shown ties itself; what it passes over right above the name may only not be shown.
            let last = shown.iter().rev().filter_map(line).find(|line| line.kind == LineKind::Code).and_then(row_of);
            let passed = last.map(|row| LineRange::new(row + 1, theirs.end)).filter(|rows| !rows.is_empty());
            let is_passed =
                |rows: &LineRange| is_comment(&(rows.start - 1)) && !rows.iter().any(|row| is_comment(&row));
            if let Some(passed) = passed.filter(is_passed) {
                self.plan.passed_over.push(passed);
                if self.keeps_passed {
                    self.plan.waypoints.push(Waypoint { row: passed.start, line: item.name_row, after_implied: false });
                    self.plan.implied.push(item.name_row);
                    self.plan.attached.extend(passed);
                }
            }
            return;
        }
        let shows_comment = self.snippet_outline.is_comment(one(start));
        // What is shown as it is stays, and so does what stands below it.
        let shown_classes: BTreeSet<Class> = shown.iter().filter_map(line).map(|line| line.class).collect();
        let stays = |row: &usize| shown_classes.contains(&self.index.class(*row));
        let above = LineRange::new(theirs.start, theirs.iter().find(stays).unwrap_or(theirs.end));
        let mut own_kind = above.iter().filter(|row| is_comment(row) == shows_comment);
        let ours = tokens(&first.text);
        let likeness = |row: &usize| dice(&ours, &tokens(self.original.line(*row)));
        // The first of the most similar ones, for the line above may belong to something else.
        let similar = own_kind.clone().rev().max_by_key(likeness).filter(|row| likeness(row) >= SIMILAR_ATTACHED);
        let Some(row) = similar.or_else(|| own_kind.find(|&row| !is_rule(self.original.line(row)))) else { return };
        // Comments end where decorators begin, or the other way round.
        let end = (row..theirs.end).find(|row| is_comment(row) != shows_comment).unwrap_or(theirs.end);
        let shows_both = shown.iter().any(|line| self.snippet_outline.is_comment(one(line)) != shows_comment);
        self.plan.waypoints.push(Waypoint { row, line: start, after_implied: true });
        self.plan.free.extend(row..end);
        if end < theirs.end && !shows_both {
            self.plan.waypoints.push(Waypoint { row: end, line: item.name_row, after_implied: false });
            self.plan.implied.push(item.name_row);
            self.plan.attached.extend(end..theirs.end);
        }
    }

    /// Says whether the snippet's header goes up to where the body opens: it ends as the partner's header ends.
    fn header_is_complete(&self, item: &Item, partner: &Item) -> bool {
        let last =
            |line: &str| line.trim_end().chars().next_back().filter(|c| matches!(c, '{' | ':' | '(' | '[' | '>' | '='));
        let ours = item.header.end.checked_sub(1).and_then(|line| self.snippet.lines.get(line));
        let theirs = partner.header.end.checked_sub(1).and_then(|row| self.original_line(row));
        match (ours, theirs) {
            (Some(ours), Some(theirs)) => {
                item.header.end < item.rows.end && last(&ours.text).is_some() && last(&ours.text) == last(theirs)
            }
            _ => false,
        }
    }

    /// Gives the line that stands for original row `row`, which snippet line `line` is the last version of: the `-`
    /// line above that holds its text. Where none does, all `-` lines right above a new line are old versions; above
    /// a line that stays, none is.
    fn first_version_line(&self, line: usize, row: usize) -> usize {
        let above = self.snippet.lines.get(..line).unwrap_or_default();
        let n_gone = above.iter().rev().take_while(|line| line.force == Force::Gone).count();
        let class = self.index.class(row);
        let stays = self.snippet.lines.get(line).is_some_and(|line| line.force == Force::Free);
        let same = (line - n_gone..line).find(|&line| self.snippet.lines[line].class == class);
        same.unwrap_or(if stays { line } else { line - n_gone })
    }

    /// Says whether the snippet's declaration ends where it seems to. `rows` and `partner_rows` are what belongs to
    /// both.
    fn end_is_reliable(&self, item: &Item, partner: &Item, rows: LineRange, partner_rows: LineRange) -> bool {
        if item.has_error || item.rows.end > self.snippet.lines.len() {
            return false;
        }
        let indent = |row: usize| self.snippet.lines.get(row).map_or(0, |line| indent_width(&line.text));
        if item.closer.is_some_and(|closer| indent(closer) != indent(item.header.start)) {
            return false;
        }
        let opens = |line: usize| self.snippet.lines[line].text.trim_end().ends_with(['{', '(', '[']);
        let header_end = item.header.end.clamp(1, self.snippet.lines.len()) - 1;
        if partner.closer.is_some() && item.closer.is_none() && opens(header_end) {
            return false;
        }
        let by_indent = item.kind == ItemKind::Section || !self.snippet_outline.parsed;
        if by_indent && item.closer.is_some() != partner.closer.is_some() {
            return false;
        }
        if by_indent && item.closer.is_none() && !self.ends_in_its_own_line(rows) {
            return false;
        }
        if item.closer.is_none()
            && (rows.end - item.header.start).max(partner_rows.end - partner.header.start) > 1
            && !self.ends_as_partner(rows, partner_rows)
        {
            return false;
        }
        let references = self.references(item.rows);
        if references.is_empty() {
            return true;
        }
        // A reference at the header's own depth may stand for what follows the declaration, too.
        let inside = LineRange::new(item.header.end, item.rows.end);
        let leaves = |&line: &usize| inside.contains(line) && indent(line) <= indent(item.header.start);
        if references.iter().any(leaves) {
            return false;
        }
        let anchors = item.rows.iter().filter_map(|line| self.index.only(self.snippet.lines[line].class));
        let (inside, outside): (Vec<_>, Vec<_>) = anchors.partition(|&row| partner.rows.contains(row));
        outside.len() * 3 <= inside.len().max(1)
    }

    /// Says whether the last line of a block is a reference or stands only once in the original: blocks known by their
    /// indentation alone end wherever the snippet's indentation does.
    fn ends_in_its_own_line(&self, rows: LineRange) -> bool {
        let last = rows.iter().rev().map(|line| &self.snippet.lines[line]).find(|line| line.kind != LineKind::Blank);
        last.is_some_and(|line| line.kind == LineKind::Reference || self.index.only(line.class).is_some())
    }

    /// Says whether a body that no token closes is shown to its end: its last line is the partner's last or a
    /// reference, or something else follows. At the snippet's end a line from the middle of the partner says that the
    /// snippet just breaks off.
    fn ends_as_partner(&self, rows: LineRange, partner_rows: LineRange) -> bool {
        let is_code = |line: &usize| self.snippet.lines[*line].kind != LineKind::Blank;
        let last = rows.iter().rev().find(is_code).unwrap_or(rows.start);
        let line = &self.snippet.lines[last];
        if line.kind == LineKind::Reference {
            return true;
        }
        let mut theirs = partner_rows.iter().rev().map(|row| self.index.class(row)).filter(|c| *c != Class::BLANK);
        if theirs.next() == Some(line.class) {
            return true;
        }
        let goes_on = line.text.trim_end().ends_with(['{', '(', '[', ':', '=', ',', '|', '&', '+', '\\', '>']);
        let is_mid = theirs.any(|class| class == line.class);
        let next = (rows.end..self.snippet.lines.len()).find(is_code);
        match next.map(|next| self.snippet.lines[next].kind) {
            // A blank line ends the declaration; a reference at once goes on with it.
            Some(LineKind::Reference | LineKind::Removal) => next > Some(rows.end) && !goes_on,
            Some(_) => !goes_on,
            None => !goes_on && !is_mid,
        }
    }

    /// Cuts off what was taken for a doc comment up to the last reference in it.
    fn without_references_above(&self, item: &Item, rows: LineRange) -> LineRange {
        let above = self.references(LineRange::new(rows.start, item.header.start));
        LineRange::new(above.last().map_or(rows.start, |line| line + 1), rows.end)
    }

    fn references(&self, rows: LineRange) -> Vec<usize> {
        let is_reference =
            |&line: &usize| self.snippet.lines.get(line).is_some_and(|line| line.kind == LineKind::Reference);
        rows.iter().filter(is_reference).collect()
    }

    /// Finds the only block of a broken original that begins with the item's first line.
    fn section_of(&self, item: &Item) -> Option<Item> {
        let row = self.index.only(self.snippet.lines.get(item.name_row)?.class)?;
        self.sections.as_ref()?.get(&row).cloned()
    }

    fn mark_twins(&mut self, item: &Item, named_alike: Option<&Vec<usize>>, partners: &[Item]) {
        // Where the original has several of one name already, one more is nothing unusual.
        let only = named_alike.filter(|alike| alike.len() == 1);
        self.plan.twins.extend(only.into_iter().flatten().map(|&at| Twin {
            name: item.name.clone(),
            name_row: item.name_row,
            original_row: partners[at].name_row,
        }));
    }

    fn mark_absent(&mut self, item: &Item) {
        let is_elsewhere = |line: &Line<'_>| self.index.count(line.class) > 0;
        let stands = self.snippet.lines.get(item.name_row).is_some_and(is_elsewhere);
        let is_in_text = || memchr::memmem::find(self.original.text().as_bytes(), item.name.as_bytes()).is_some();
        let broken = self.sections.is_some() && is_in_text();
        // A `-` line right above the name is its old version.
        let renamed = item.name_row.checked_sub(1).and_then(|line| self.snippet.lines.get(line));
        let is_renamed = renamed.is_some_and(|line| line.force == Force::Gone);
        let may_be_absent = self.believes_absence || self.is_no_word(item);
        if !may_be_absent || item.kind == ItemKind::Section || broken || is_renamed {
            return;
        }
        let rows = self.without_references_above(item, item.rows);
        if stands {
            let word = words(item.name.as_bytes()).last().unwrap_or_default();
            let names = |line: &Line<'_>| words(line.text.as_bytes()).any(|one| one == word);
            let at = |line: usize| self.snippet.lines.get(line).is_some_and(names);
            if item.kind == ItemKind::Type && !at(item.name_row) && at(item.name_row + 1) {
                self.plan.unknown_entries.push(rows);
            }
            return;
        }
        self.plan.new_items.push(rows);
        let references = self.references(rows);
        // Only what has a body is surely a declaration of the file: a piece of a function's body reads as declarations,
        // too.
        let has_body = item.header.end < rows.end;
        if references.is_empty() && has_body && !item.has_error {
            for line in rows {
                if let Some(new) = self.plan.new.get_mut(line) {
                    *new = true;
                }
            }
        }
        let orphan = |reference| Orphan { name: item.name.clone(), reference };
        self.plan.orphans.extend(references.into_iter().map(orphan));
        self.mark_names_below(&item.children);
    }

    /// Says whether a name doesn't stand anywhere in an original without a grammar.
    fn is_no_word(&self, item: &Item) -> bool {
        let is_read =
            self.original_outline.parsed || self.snippet_outline.parsed || self.original_outline.cut_by.is_some();
        let is_between = |c: char| !c.is_alphanumeric() && c != '_';
        let name = item.name.rsplit(is_between).next().unwrap_or_default();
        let all = || self.original.text().split(is_between).collect();
        !is_read && !self.words.get_or_init(all).contains(name)
    }

    fn mark_names_below(&mut self, items: &[Item]) {
        for item in items {
            self.mark_name(item);
            self.mark_names_below(&item.children);
        }
    }
}

/// Says whether a line of a comment is drawn, such as `// -----`, and says nothing.
fn is_rule(line: &str) -> bool {
    let line = line.trim();
    !line.contains(char::is_alphanumeric) && !line.contains("/*") && !line.contains("\"\"\"")
}

/// Gives an item's rows with what follows them deeper than its header: where no token closes a body, comments and
/// references at its end belong to it, though the grammar leaves them out.
fn with_deeper_lines<'l>(item: &Item, line: impl Fn(usize) -> Option<&'l str>) -> LineRange {
    let mut rows = item.rows;
    let opens = |row: usize| line(row).is_some_and(|text| text.trim_end().ends_with(':'));
    let has_body = item.header.end < rows.end || item.header.end.checked_sub(1).is_some_and(opens);
    if item.closer.is_some() || !(has_body || item.kind == ItemKind::Section) {
        return rows;
    }
    let indent = line(item.header.start).map_or(0, indent_width);
    let mut at = rows.end;
    while let Some(text) = line(at) {
        if !is_blank(text) {
            if indent_width(text) <= indent {
                break;
            }
            rows.end = at + 1;
        }
        at += 1;
    }
    rows
}

/// Lists all items by the row of their name, without what is inside of them.
fn by_first_row(outline: Outline) -> BTreeMap<usize, Item> {
    let mut found = BTreeMap::new();
    let mut stack = outline.items;
    while let Some(mut item) = stack.pop() {
        stack.append(&mut item.children);
        found.entry(item.name_row).or_insert(item);
    }
    found
}

/// Collects all items below the top level by kind and name.
fn nested_by_key(items: &[Item]) -> BTreeMap<(ItemKind, &str), Vec<&Item>> {
    let mut found: BTreeMap<(ItemKind, &str), Vec<&Item>> = BTreeMap::new();
    let mut stack: Vec<&Item> = items.iter().rev().collect();
    while let Some(item) = stack.pop() {
        for child in &item.children {
            found.entry((child.kind, &child.name)).or_default().push(child);
        }
        stack.extend(item.children.iter().rev());
    }
    found
}

/// Finds a longest strictly rising subsequence; gives positions.
///
/// # Source
///
/// Patience sorting (Schensted 1961), O(n log n); of several the one that ends lowest.
fn rising_chain(values: &[usize]) -> Vec<usize> {
    // tails[k]: position of the lowest value that ends a chain of k + 1.
    let mut tails: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = vec![None; values.len()];
    for (at, &value) in values.iter().enumerate() {
        let k = tails.partition_point(|&tail| values[tail] < value);
        before[at] = k.checked_sub(1).map(|k| tails[k]);
        if k == tails.len() {
            tails.push(at);
        } else {
            tails[k] = at;
        }
    }
    let mut chain: Vec<usize> = std::iter::successors(tails.last().copied(), |&at| before[at]).collect();
    chain.reverse();
    chain
}

/// Finds a long rising subsequence that keeps a longest one of the preferred values; gives positions.
fn rising_chain_preferring(values: &[usize], preferred: &[bool]) -> Vec<usize> {
    let sure: Vec<usize> = (0..values.len()).filter(|&at| preferred[at]).collect();
    let sure_values: Vec<usize> = sure.iter().map(|&at| values[at]).collect();
    let mut borders: Vec<usize> = rising_chain(&sure_values).into_iter().map(|n| sure[n]).collect();
    borders.push(values.len());
    // Between two sure ones, the longest chain of values that fit between theirs.
    let mut chain = Vec::new();
    let (mut start, mut lowest) = (0, 0);
    for border in borders {
        let highest = values.get(border).copied().unwrap_or(usize::MAX);
        let open: Vec<usize> = (start..border)
            .filter(|&at| !preferred[at] && (at == start && start == 0 || values[at] > lowest || lowest == 0))
            .filter(|&at| values[at] < highest)
            .collect();
        let open_values: Vec<usize> = open.iter().map(|&at| values[at]).collect();
        chain.extend(rising_chain(&open_values).into_iter().map(|n| open[n]));
        if border < values.len() {
            chain.push(border);
            (start, lowest) = (border + 1, highest);
        }
    }
    chain
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::anchor::counted::{Counted, n_compared};

    /// An item with some items inside of it.
    fn item(name: &str, row: usize, children: Vec<Item>) -> Item {
        let n_rows = 1 + children.iter().map(|child| child.rows.len()).sum::<usize>();
        Item {
            kind: ItemKind::Value,
            name: name.to_owned(),
            rows: LineRange::new(row, row + n_rows),
            name_row: row,
            header: LineRange::new(row, row + 1),
            closer: None,
            parameters: String::new(),
            has_error: false,
            children,
        }
    }

    /// Pairs keys that one item and one partner have, by comparing each with each; gives their positions.
    fn naive_pairs(keys: &[usize], others: &[usize]) -> Vec<(usize, usize)> {
        let is_only = |of: &[usize], key: usize| of.iter().filter(|&&other| other == key).count() == 1;
        let partner = |key: usize| others.iter().position(|&other| other == key);
        let pairs = keys.iter().enumerate().filter(|&(_, &key)| is_only(keys, key) && is_only(others, key));
        pairs.filter_map(|(at, &key)| Some((at, partner(key)?))).collect()
    }

    #[test]
    fn items_are_grouped_as_a_comparison_of_each_with_each_finds() {
        let mut n_found = 0;
        for seed in 0_usize..500 {
            let keys = |n: usize, salt: usize| -> Vec<usize> {
                (0..n).map(|at| (seed * 7_919 + salt * 31 + at * 104_729 + at * at * seed) / 3 % 8).collect()
            };
            let (ours, theirs) = (keys(seed % 7, 1), keys(seed % 5, 2));
            let partners: Vec<Item> = (0..theirs.len()).map(|row| item("a", row, Vec::new())).collect();
            let mut open = Open { items: (0..ours.len()).collect(), partners: partners.iter().collect() };
            let found = open.take_alike(|at| ours[at], |partner| theirs[partner.rows.start]);
            let found: Vec<_> = found.into_iter().map(|(at, partner)| (at, partner.rows.start)).collect();
            assert_eq!(found, naive_pairs(&ours, &theirs), "{ours:?} {theirs:?}");
            assert!(found.iter().all(|(at, _)| !open.items.contains(at)));
            assert_eq!(open.items.len() + found.len(), ours.len());
            assert_eq!(open.partners.len() + found.len(), theirs.len());
            n_found += found.len();
        }
        assert!(n_found > 100, "{n_found}");
    }

    #[test]
    fn many_items_of_one_name_are_grouped_in_few_steps() {
        let steps = |n: usize| {
            let partners: Vec<Item> = (0..n).map(|row| item("a", row, Vec::new())).collect();
            let mut open = Open { items: (0..n).collect(), partners: partners.iter().collect() };
            let before = n_compared();
            // Half of the keys are there twice.
            let key = |at: usize| Counted(if at < n / 2 { at / 2 } else { at });
            let found = open.take_alike(key, |partner| key(partner.rows.start));
            assert_eq!(found.len(), n / 2);
            n_compared() - before
        };
        let (few, many) = (steps(2_000), steps(8_000));
        assert!(many * 100 <= few * 550, "{few} and {many} steps");
    }

    #[test]
    fn sections_are_looked_up_without_what_is_inside() {
        let items = vec![item("a", 0, vec![item("b", 1, vec![item("c", 2, Vec::new())])]), item("d", 3, Vec::new())];
        let sections = by_first_row(Outline { items, ..Outline::default() });
        let names: Vec<_> = sections.iter().map(|(row, item)| (*row, &*item.name)).collect();
        assert_eq!(names, [(0, "a"), (1, "b"), (2, "c"), (3, "d")]);
        // So that taking one out costs what it is, and not what it holds.
        assert!(sections.values().all(|item| item.children.is_empty()));
    }

    /// The longest rising subsequence by trying all.
    fn naive_length(values: &[usize]) -> usize {
        (0_u32..1 << values.len())
            .map(|mask| {
                let picked: Vec<_> = (0..values.len()).filter(|n| mask >> n & 1 == 1).map(|n| values[n]).collect();
                if picked.is_sorted_by(|a, b| a < b) { picked.len() } else { 0 }
            })
            .max()
            .unwrap_or(0)
    }

    #[test]
    fn the_chain_is_as_long_as_a_search_of_all_finds() {
        for seed in 0_usize..500 {
            let values: Vec<usize> = (0..seed % 11).map(|n| (seed * 7919 + n * 104_729 + n * n * seed) % 9).collect();
            let chain = rising_chain(&values);
            let picked: Vec<_> = chain.iter().map(|&at| values[at]).collect();
            assert!(chain.is_sorted_by(|a, b| a < b) && picked.is_sorted_by(|a, b| a < b), "{values:?}: {chain:?}");
            assert_eq!(chain.len(), naive_length(&values), "{values:?}");
        }
    }
}
