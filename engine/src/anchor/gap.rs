//! One stretch of the original and the snippet lines that belong somewhere in it.
//!
//! Rows that no column can match are *folded*: of a long run of them only both ends stay single, and the middle
//! becomes one row that stands for many lines. Whatever happens to such lines happens to all of them, so
//! folding changes no result; it keeps the lattice as small as the edit.

use hashbrown::HashMap;

use crate::classify::{Description, Force, LineKind, Snippet};
use crate::ledger::Equality;
use crate::range::LineRange;
use crate::relief::indent_width;
use crate::source::{Source, is_blank};

use super::Problem;
use super::align::n_nodes;
use super::cost::{self, Cost};
use super::index::{Class, Index, equal_squeezed};
use super::scope::Plan;

/// How many lines at each end of a foreign run stay single rows. Larger: bigger lattices; smaller: a line that
/// was changed may not find its similar old version.
pub(super) const UNFOLDED: usize = 8;

/// The same where no line is new. One of a kind at each end says where a run begins and ends.
const UNFOLDED_OF_NOTHING_NEW: usize = 1;

/// How much smaller a gap is folded at the most where no line is new.
const FEWER_OF_NOTHING_NEW: usize = 10;

/// How far from an announced range lines may go as well: a diff leaves equal lines between two ranges of one change,
/// and models miscount by one or two. Larger: the range says nothing; smaller: such changes are torn apart.
const NEAR: usize = 3;

/// Longest line whose similarity to another is computed, in bytes.
const LONGEST_SIMILAR: usize = 400;

/// One original line, or a run of them that share their fate.
#[derive(Debug, Clone)]
pub(crate) struct Row {
    pub(crate) lines: LineRange,
    pub(crate) class: Class,
    /// How many of the lines aren't blank.
    pub(crate) n_code: u32,
    /// Columns of white space in front of the least indented line that isn't blank.
    pub(crate) indent: usize,
    /// In an announced range.
    pub(crate) announced: bool,
    /// So close to an announced range that a diff may have split it there.
    pub(crate) near_announced: bool,
    /// Deleting it costs nothing: the header or closer of a declaration that the snippet shows anew.
    pub(crate) free: bool,
}

impl Row {
    pub(crate) fn n_lines(&self) -> u32 {
        self.lines.len() as u32
    }
}

/// One snippet line, or an implied reference.
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own about the line; none excludes another")]
#[derive(Debug, Clone)]
pub(crate) struct Column<'g> {
    /// The snippet line; `None` for an implied reference.
    pub(crate) line: Option<usize>,
    pub(crate) text: &'g str,
    pub(crate) kind: LineKind,
    pub(crate) class: Class,
    pub(crate) indent: usize,
    /// How often the text stands in the original.
    pub(crate) n_in_original: usize,
    /// The line is new whatever the original holds.
    pub(crate) forced_new: bool,
    /// The line names an original line that goes.
    pub(crate) gone: bool,
    /// The line is no text of the file.
    pub(crate) dropped: bool,
    /// At most two characters long.
    pub(crate) short: bool,
    /// Holds no letter and no digit.
    pub(crate) punctuation: bool,
    /// A marker precedes the line, or follows it, with nothing but blank lines between; or the snippet's edge does.
    pub(crate) after_marker: bool,
    pub(crate) before_marker: bool,
    /// The first original row it may be tied to.
    pub(crate) first_row: usize,
    /// Names a declaration, so it is no new version of some other line.
    pub(crate) names: bool,
}

impl Column<'_> {
    /// Says whether this is a reference that the snippet doesn't hold.
    pub(crate) fn is_implied(&self) -> bool {
        self.line.is_none()
    }

    /// Says whether the line is text that the file hasn't, or is to get once more.
    pub(super) fn is_new(&self) -> bool {
        self.kind == LineKind::Code && (self.n_in_original == 0 || self.forced_new)
    }

    /// Says whether the line may be the new version of an old one.
    fn may_supersede(&self) -> bool {
        self.kind == LineKind::Code
            && self.n_in_original == 0
            && !self.forced_new
            && !self.gone
            && !self.dropped
            && self.text.len() <= LONGEST_SIMILAR
    }
}

/// Which lines of a gap stay single rows.
#[derive(Clone, Copy)]
struct Singles<'a> {
    index: &'a Index,
    description: &'a Description,
    plan: &'a Plan,
    lines: LineRange,
}

impl Singles<'_> {
    /// Lists the lines that match some snippet line.
    fn any(&self) -> impl Iterator<Item = usize> {
        self.index.hits(self.lines).iter().map(|hit| hit.row())
    }

    /// Lists the lines that match one of some columns.
    fn of(&self, columns: &[Column<'_>]) -> Vec<usize> {
        let mut classes: Vec<Class> = columns.iter().map(|column| column.class).collect();
        classes.sort_unstable();
        classes.dedup();
        let rows = |&class: &Class| self.index.rows_in(class, self.lines).iter().map(|&row| row as usize);
        let mut lines: Vec<usize> = classes.iter().flat_map(rows).collect();
        lines.sort_unstable();
        lines
    }

    /// Hands each run of lines that are alike to `visit`; the line after it, if it is one of the gap, stays single.
    fn runs(&self, hits: impl Iterator<Item = usize>, mut visit: impl FnMut(LineRange)) {
        let mut hits = hits.peekable();
        let mut at = self.lines.start;
        let (mut near, mut free) = (self.description.first_near(at, NEAR), self.plan.first_free(at));
        while at < self.lines.end {
            while hits.next_if(|&hit| hit < at).is_some() {}
            // What is first behind a line is first behind all lines before it.
            if near.is_some_and(|line| line < at) {
                near = self.description.first_near(at, NEAR);
            }
            if free.is_some_and(|line| line < at) {
                free = self.plan.first_free(at);
            }
            let nearest = [hits.peek().copied(), near, free];
            let end = nearest.into_iter().flatten().min().map_or(self.lines.end, |line| line.min(self.lines.end));
            visit(LineRange::new(at, end));
            at = end + 1;
        }
    }

    /// Says whether all lines that match some snippet line, and what is around them, make more than `most` nodes with so
    /// many columns.
    ///
    /// # Cost
    ///
    /// Linear in the announced and the free lines.
    fn are_more_than(&self, most: usize, n_columns: usize) -> bool {
        let mut n_rows = 0;
        let mut at = self.lines.start;
        while at < self.lines.end {
            let single = [self.description.first_near(at, NEAR), self.plan.first_free(at)];
            let end = single.into_iter().flatten().min().map_or(self.lines.end, |line| line.min(self.lines.end));
            n_rows += self.index.n_folded(LineRange::new(at, end)) + usize::from(end < self.lines.end);
            at = end + 1;
        }
        n_nodes(n_rows, n_columns) > most
    }
}

/// How the lines between those that match are folded.
struct Folding {
    /// Whether lines stay single that match one of the gap's own columns, or all that match some snippet line.
    by_columns: bool,
    /// How many lines at each end of a run stay single.
    unfolded: usize,
}

impl Folding {
    fn of(singles: &Singles<'_>, columns: &[Column<'_>], most: usize) -> Self {
        // Where nothing is new, no place for it and no old version of it is looked for.
        let is_new = columns.iter().any(Column::is_new);
        let most = if is_new { most } else { most / FEWER_OF_NOTHING_NEW };
        let is_large = singles.are_more_than(most, columns.len());
        Self {
            by_columns: is_large || !is_new,
            unfolded: if is_large && !is_new { UNFOLDED_OF_NOTHING_NEW } else { UNFOLDED },
        }
    }
}

/// Rows and columns between two points that every path passes.
#[derive(Debug)]
pub(crate) struct Gap<'g> {
    pub(crate) rows: Vec<Row>,
    pub(crate) columns: &'g [Column<'g>],
    original: &'g Source<'g>,
    /// The original line after the last row.
    end: usize,
    /// The description announces insertions and nothing else.
    pub(crate) only_inserts: bool,
    has_ranges: bool,
}

/// Makes the columns of a snippet, with its implied references.
pub(crate) fn columns<'g>(
    snippet: &'g Snippet<'_>,
    index: &Index,
    description: &Description,
    plan: &Plan,
) -> Vec<Column<'g>> {
    // What is announced to go may be written anew elsewhere: it is moved.
    let mut announced: HashMap<Class, usize> = HashMap::new();
    for row in description.ranges.iter().flat_map(|range| range.iter()) {
        *announced.entry(index.class(row)).or_default() += 1;
    }
    let implied = || Column {
        line: None,
        text: "",
        kind: LineKind::Reference,
        class: Class::FOREIGN,
        indent: 0,
        n_in_original: 0,
        forced_new: false,
        gone: false,
        dropped: false,
        short: false,
        punctuation: false,
        after_marker: false,
        before_marker: false,
        first_row: 0,
        names: false,
    };
    let mut columns: Vec<Column<'g>> = Vec::with_capacity(snippet.lines.len() + 2);
    let mut to_come = snippet.implied.iter().peekable();
    for (at, line) in snippet.lines.iter().enumerate() {
        columns.extend(to_come.next_if_eq(&&at).map(|_| implied()));
        let text = line.text.trim();
        columns.push(Column {
            line: Some(at),
            text: &line.text,
            kind: line.kind,
            class: line.class,
            indent: indent_width(&line.text),
            n_in_original: index.count(line.class).saturating_sub(announced.get(&line.class).copied().unwrap_or(0)),
            forced_new: line.force == Force::New || plan.is_new(at),
            gone: line.force == Force::Gone,
            dropped: line.force == Force::Drop,
            short: text.chars().nth(2).is_none(),
            punctuation: is_bare_closer(text),
            after_marker: false,
            before_marker: false,
            first_row: plan.first_row(at),
            names: plan.names(at),
        });
    }
    columns.extend(to_come.map(|_| implied()));
    let markers: Vec<bool> = columns.iter().map(|column| column.kind.is_marker()).collect();
    let mut at = 0;
    while at < columns.len() {
        let end = (at..columns.len()).find(|&n| columns[n].kind != LineKind::Blank).unwrap_or(columns.len());
        // The snippet's own edges are no text either.
        let (after, before) = (at == 0 || markers[at - 1], end == columns.len() || markers[end]);
        for column in &mut columns[at..end] {
            (column.after_marker, column.before_marker) = (after, before);
        }
        if let Some(column) = columns.get_mut(end) {
            column.after_marker = after;
        }
        if let Some(column) = at.checked_sub(1).map(|at| &mut columns[at]) {
            column.before_marker = before;
        }
        at = end + 1;
    }
    columns
}

/// Says whether the gap of some lines and so many columns has more than `most` nodes.
pub(crate) fn is_larger(
    index: &Index,
    description: &Description,
    plan: &Plan,
    lines: LineRange,
    n_columns: usize,
    most: usize,
) -> bool {
    Singles { index, description, plan, lines }.are_more_than(most, n_columns)
}

impl<'g> Gap<'g> {
    /// Makes the gap of original `lines` and `columns`. Where nothing is new, or it would have more than `most` nodes, rows
    /// are folded that match a column elsewhere only.
    pub(crate) fn new(
        original: &'g Source<'g>,
        index: &Index,
        description: &Description,
        plan: &Plan,
        lines: LineRange,
        columns: &'g [Column<'g>],
        most: usize,
    ) -> Self {
        let singles = Singles { index, description, plan, lines };
        let folding = Folding::of(&singles, columns, most);
        let hits = if folding.by_columns { singles.of(columns) } else { singles.any().collect() };
        Self::of_runs(original, &singles, columns, hits, folding.unfolded)
    }

    /// Makes the first rows of a gap, up to the one that is the `n`th to match; `None` if the gap has no more.
    pub(crate) fn head(
        problem: &Problem<'g>,
        plan: &Plan,
        lines: LineRange,
        columns: &'g [Column<'g>],
        most: usize,
        n: usize,
    ) -> Option<Self> {
        let singles = Singles { index: problem.index, description: problem.description, plan, lines };
        let folding = Folding::of(&singles, columns, most);
        let is_single = |class: Class| !folding.by_columns || columns.iter().any(|column| column.class == class);
        let hits = problem.index.hits(lines).iter().filter(|hit| is_single(hit.class)).map(|hit| hit.row());
        let hits: Vec<usize> = hits.take(n).collect();
        let end = hits.last().filter(|_| hits.len() == n)? + 1;
        let head = Singles { lines: LineRange::new(lines.start, end), ..singles };
        (end < lines.end).then(|| Self::of_runs(problem.original, &head, columns, hits, folding.unfolded))
    }

    /// Makes the rows of some lines, of which `hits` stay single, and so many at each end of the runs between.
    fn of_runs(
        original: &'g Source<'g>,
        singles: &Singles<'_>,
        columns: &'g [Column<'g>],
        hits: Vec<usize>,
        unfolded: usize,
    ) -> Self {
        let Singles { index, description, plan, lines } = *singles;
        let single = |line: usize| {
            let class = index.class(line);
            Row {
                lines: LineRange::new(line, line + 1),
                class,
                n_code: u32::from(class != Class::BLANK),
                indent: indent_width(original.line(line)),
                announced: description.covers(line),
                near_announced: description.is_near(line, NEAR),
                free: plan.is_free(line),
            }
        };
        let mut rows = Vec::new();
        singles.runs(hits.into_iter(), |run| {
            if run.len() > 2 * unfolded + 1 {
                let middle = LineRange::new(run.start + unfolded, run.end - unfolded);
                rows.extend((run.start..middle.start).map(single));
                rows.push(Row {
                    lines: middle,
                    class: Class::FOREIGN,
                    n_code: index.relief.n_code(middle) as u32,
                    indent: index.relief.lowest(original, middle).unwrap_or(0),
                    announced: false,
                    near_announced: false,
                    free: false,
                });
                rows.extend((middle.end..run.end).map(single));
            } else {
                rows.extend(run.iter().map(single));
            }
            if run.end < lines.end {
                rows.push(single(run.end));
            }
        });
        Self {
            rows,
            columns,
            original,
            end: lines.end,
            only_inserts: description.only_inserts(),
            has_ranges: !description.ranges.is_empty(),
        }
    }

    /// Gives the original line after the last row.
    pub(crate) fn end(&self) -> usize {
        self.end
    }

    /// Says whether the gap begins with the first line of the original.
    pub(crate) fn starts_text(&self) -> bool {
        self.rows.first().is_some_and(|row| row.lines.start == 0)
    }

    /// Says whether deleting the row contradicts the description.
    pub(crate) fn outside_ranges(&self, row: &Row) -> bool {
        self.only_inserts || (self.has_ranges && !row.announced && !row.near_announced)
    }

    /// Says whether a blank line beside a marker is wanted between original row `row` and the one above: where new
    /// text meets a fill and no blank line parts them yet. Between two old lines it is the model's layout.
    pub(crate) fn wants_blank(&self, row: usize, column: &Column<'_>, after_new: bool, before_new: bool) -> bool {
        let line = self.rows.get(row).map_or(self.end, |row| row.lines.start);
        let is_text = |line: Option<usize>| {
            line.is_some_and(|line| line < self.original.n_lines() && !is_blank(self.original.line(line)))
        };
        (column.after_marker && before_new && is_text(line.checked_sub(1)))
            || (column.before_marker && after_new && is_text(Some(line)))
    }

    /// Finds, for each column and for the end, what follows from there on.
    pub(crate) fn ahead(&self) -> Vec<Ahead> {
        let mut ahead = vec![Ahead::default(); self.columns.len() + 1];
        for (at, column) in self.columns.iter().enumerate().rev() {
            let reference = column.kind == LineKind::Reference && !column.is_implied();
            let new = column.n_in_original == 0 || column.forced_new || column.punctuation || column.dropped;
            ahead[at] = match column.kind {
                LineKind::Blank => ahead[at + 1],
                LineKind::Code => Ahead {
                    at_reference: false,
                    leads_to_reference: new && ahead[at + 1].leads_to_reference,
                    at_new: column.n_in_original == 0,
                },
                _ => Ahead { at_reference: reference, leads_to_reference: reference, at_new: false },
            };
        }
        ahead
    }

    /// Gives the text of a row's first line.
    pub(crate) fn text(&self, row: &Row) -> &'g str {
        self.original.line(row.lines.start)
    }

    /// Finds the strictest equality of two lines of one class; `None` if the row stands for many lines.
    pub(crate) fn equality(&self, row: &Row, column: &Column<'_>) -> Option<Equality> {
        if row.lines.len() != 1 {
            return None;
        }
        equality(self.text(row), column.text)
    }

    /// Finds, for each column whose text is new, the rows it may be a new version of; rising.
    pub(crate) fn similar_rows(&self) -> Vec<Vec<Similar>> {
        if self.only_inserts || !self.columns.iter().any(Column::may_supersede) {
            return vec![Vec::new(); self.columns.len()];
        }
        let mut row_tokens: Vec<Option<Vec<&str>>> = vec![None; self.rows.len()];
        let keys: Vec<Option<&str>> = self.rows.iter().map(|row| key(self.text(row))).collect();
        let mut n_of_key: HashMap<Option<&str>, usize> = HashMap::new();
        for &key in &keys {
            *n_of_key.entry(key).or_default() += 1;
        }
        self.columns
            .iter()
            .map(|column| {
                if !column.may_supersede() {
                    return Vec::new();
                }
                let wanted = tokens(column.text);
                let mut found = Vec::new();
                for (at, row) in self.rows.iter().enumerate() {
                    let text = self.text(row);
                    if row.lines.len() != 1 || row.n_code == 0 || text.len() > LONGEST_SIMILAR {
                        continue;
                    }
                    let have = row_tokens[at].get_or_insert_with(|| tokens(text));
                    let similarity = dice(&wanted, have);
                    let other_name = column.names && keys[at] != key(column.text);
                    if similarity >= cost::SIMILAR_FROM && !other_name {
                        let same_key = keys[at].is_some() && keys[at] == key(column.text);
                        let extends = extends(&wanted, have);
                        found.push(Similar {
                            row: at,
                            similarity,
                            same_key: same_key || extends,
                            only_key: same_key && n_of_key.get(&keys[at]) == Some(&1),
                        });
                    }
                }
                found
            })
            .collect()
    }
}

/// Finds the strictest equality of two lines that may differ in white space; `None` if they differ in more.
pub(crate) fn equality(a: &str, b: &str) -> Option<Equality> {
    if a == b {
        Some(Equality::Exact)
    } else if a.trim_end() == b.trim_end() {
        Some(Equality::TrailingBlanks)
    } else if a.trim() == b.trim() {
        Some(Equality::Indentation)
    } else {
        equal_squeezed(a, b).then_some(Equality::Whitespace)
    }
}

/// Says whether one of two sorted token lists holds all of the other.
pub(crate) fn extends(a: &[&str], b: &[&str]) -> bool {
    let (long, short) = if a.len() < b.len() { (b, a) } else { (a, b) };
    let mut rest = long.iter();
    short.len() >= 3 && short.iter().all(|token| rest.any(|other| other == token))
}

/// Words that close a block as a bracket does.
const CLOSING_WORDS: &[&str] = &["end", "fi", "done", "esac"];

/// Says whether a line does nothing but close something: it holds no letter and no digit, or only a closing word or tag.
pub(crate) fn is_bare_closer(text: &str) -> bool {
    let word = text.trim_matches(|c: char| !c.is_alphanumeric());
    !text.contains(char::is_alphanumeric)
        || (CLOSING_WORDS.contains(&word) && text.len() <= word.len() + 2)
        || (text.starts_with("</") && text.find('>') == Some(text.len() - 1))
}

/// What follows a point between columns, blank lines apart.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Ahead {
    /// A reference that the snippet holds.
    pub(crate) at_reference: bool,
    /// Such a reference, with only new text before it.
    pub(crate) leads_to_reference: bool,
    /// New text.
    pub(crate) at_new: bool,
}

/// A row that a new line may be the new version of.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Similar {
    pub(crate) row: usize,
    /// Share of common tokens, in ten-thousandths.
    pub(crate) similarity: Cost,
    /// Both lines set the same key or variable, or one has all the words of the other.
    pub(crate) same_key: bool,
    /// And no other line of the gap does.
    pub(crate) only_key: bool,
}

/// Reads what a line sets: `height` in `height: 480`, `const hit` in `const hit = get(key);`.
pub(crate) fn key(line: &str) -> Option<&str> {
    let end = line.find([':', '='])?;
    if line[end + 1..].starts_with(['=', ':']) {
        return None;
    }
    let is_key = |c: char| c.is_alphanumeric() || " _-.$\"'".contains(c);
    Some(line[..end].trim()).filter(|key| key.contains(char::is_alphanumeric) && key.chars().all(is_key))
}

/// Cuts a line into words and single signs, sorted.
pub(crate) fn tokens(line: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = line.trim_start();
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let len = if is_word(first) { rest.find(|c| !is_word(c)).unwrap_or(rest.len()) } else { first.len_utf8() };
        tokens.push(&rest[..len]);
        rest = rest[len..].trim_start();
    }
    tokens.sort_unstable();
    tokens
}

/// Measures how much two sorted token lists share: twice the common tokens by all tokens, in ten-thousandths.
///
/// # Source
///
/// The Sørensen–Dice coefficient over multisets.
pub(crate) fn dice(a: &[&str], b: &[&str]) -> Cost {
    if a.is_empty() && b.is_empty() {
        return cost::WHOLE;
    }
    let (mut i, mut j, mut common) = (0, 0, 0_usize);
    while i < a.len() && j < b.len() {
        match a[i].cmp(b[j]) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => {
                common += 1;
                i += 1;
                j += 1;
            }
        }
    }
    (2 * common * cost::WHOLE as usize / (a.len() + b.len())) as Cost
}
