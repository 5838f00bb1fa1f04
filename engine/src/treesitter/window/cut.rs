//! Which lines of a text make its window: the file with whole items left out.

use super::starts::{Level, Text};
use crate::range::LineRange;
use crate::treesitter::Language;

/// Lines beyond which only the touched parts of an item are kept. Larger: windows are larger; smaller: more seams, and
/// each may be wrong.
const LONG_ITEM: usize = 120;

/// Lines beyond which an item that is only a neighbour keeps its header and its closer alone.
const LONG_NEIGHBOUR: usize = 60;

/// Lines that the header of a long item may have, comments above it included, and likewise what closes it.
const LONGEST_EDGE: usize = 60;

/// How deep items are cut apart.
const DEEPEST: usize = 6;

/// What is kept of a text.
pub(super) struct Cut {
    /// Rising and disjoint.
    pub(super) kept: Vec<LineRange>,
    /// Runs of items of the file's own level that are kept for touched lines, rising: how many of those were passed by
    /// then, and where the run ends.
    runs: Vec<(usize, LineRange)>,
}

/// Cuts the window of some touched line ranges, which must rise and be disjoint; an empty one is a place between two
/// lines. `widen` more items are kept on each side.
///
/// # Cost
///
/// Linear in the lines of the touched items and their neighbours; of long ones only the left edge is looked at.
pub(super) fn cut(text: Text<'_>, touched: &[LineRange], widen: usize) -> Cut {
    let mut cutter = Cutter { text, widen, kept: Vec::new(), runs: Vec::new() };
    let all = LineRange::new(0, text.source.n_lines());
    cutter.level(all, text.level(0, 0, true), touched, DEEPEST);
    Cut { kept: merged(cutter.kept), runs: cutter.runs }
}

impl Cut {
    /// Splits the window into parts of which no two share an item, and each but the last keeps `most` ranges or some more.
    /// Gives for each part how many touched ranges and how many kept ones there are up to its end.
    pub(super) fn parts(&self, most: usize) -> Vec<(usize, usize)> {
        let mut ends = Vec::new();
        let (mut start, mut end) = (0, 0);
        for (n, &(passed, run)) in self.runs.iter().enumerate() {
            end = run.end.max(end);
            let next = self.runs.get(n + 1);
            let kept = self.kept.partition_point(|lines| lines.start < end);
            if next.is_none_or(|(_, next)| next.start > end && kept - start >= most) {
                ends.push((passed, kept));
                start = kept;
            }
        }
        ends
    }
}

/// Joins ranges that touch each other.
fn merged(mut ranges: Vec<LineRange>) -> Vec<LineRange> {
    ranges.sort_unstable();
    ranges.dedup_by(|next, last| {
        let touch = next.start <= last.end;
        if touch {
            last.end = last.end.max(next.end);
        }
        touch
    });
    ranges
}

struct Cutter<'s> {
    text: Text<'s>,
    widen: usize,
    kept: Vec<LineRange>,
    runs: Vec<(usize, LineRange)>,
}

impl Cutter<'_> {
    /// Keeps what the touched ranges need of the items in `lines`.
    fn level(&mut self, lines: LineRange, level: Level, touched: &[LineRange], depth: usize) {
        let mut next = 0;
        while let Some(&first) = touched.get(next) {
            let start = self.start_at(first.start, lines, level);
            let mut run = first;
            let mut end = self.end_at(run, start, lines, level);
            next += 1;
            // What lies in the same items belongs to the same cut.
            while let Some(&more) = touched.get(next).filter(|more| more.start < end || more.end <= end) {
                run.end = run.end.max(more.end);
                end = self.end_at(run, start, lines, level);
                next += 1;
            }
            let inside = &touched[..next];
            let inside = &inside[inside.partition_point(|one| one.end < start)..];
            self.items(LineRange::new(start, end), lines, level, inside, depth);
            let run = self.neighbours(LineRange::new(start, end), first.start, lines, level);
            if level.is_top {
                self.runs.push((next, run));
            }
        }
    }

    /// Finds the start of the item that a line lies in.
    fn start_at(&self, line: usize, lines: LineRange, level: Level) -> usize {
        let last = (line + 1).min(lines.end);
        let starts = |&at: &usize| self.text.starts_item(at, level, lines.start);
        (lines.start..last).rev().find(starts).unwrap_or(lines.start)
    }

    /// Finds the first start that lies behind a run which begins in the item that starts at `start`.
    fn end_at(&self, run: LineRange, start: usize, lines: LineRange, level: Level) -> usize {
        self.next_start(run.end.max(start + 1), lines, level)
    }

    fn next_start(&self, from: usize, lines: LineRange, level: Level) -> usize {
        (from..lines.end).find(|&at| self.text.starts_item(at, level, lines.start)).unwrap_or(lines.end)
    }

    /// Keeps the items from `start` to `end`, of the long ones only what is touched.
    fn items(&mut self, items: LineRange, lines: LineRange, level: Level, touched: &[LineRange], depth: usize) {
        if items.len() <= LONG_ITEM {
            self.kept.push(items);
            return;
        }
        let mut at = items.start;
        while at < items.end {
            let end = self.next_start(at + 1, lines, level).min(items.end);
            let item = LineRange::new(at, end);
            let from = touched.partition_point(|one| one.end < at);
            let len = touched[from..].partition_point(|one| one.start < end || one.end <= end);
            self.item(item, level, &touched[from..from + len], depth);
            at = end;
        }
    }

    fn item(&mut self, item: LineRange, level: Level, touched: &[LineRange], depth: usize) {
        let Some(inside) = (item.len() > LONG_ITEM && depth > 0).then(|| self.inside(item, level)).flatten() else {
            self.kept.push(item);
            return;
        };
        self.kept.push(LineRange::new(item.start, inside.lines.start));
        self.kept.push(LineRange::new(inside.lines.end, item.end));
        let touched: Vec<LineRange> = touched
            .iter()
            .filter(|one| one.start < inside.lines.end && one.end > inside.lines.start || inside.lines.covers(**one))
            .map(|one| LineRange::new(one.start.max(inside.lines.start), one.end.min(inside.lines.end)))
            .collect();
        if touched.is_empty() {
            self.first_child(inside, depth - 1);
        } else {
            self.level(inside.lines, inside.level, &touched, depth - 1);
        }
        if self.text.language.is_offside() || self.text.language == Language::Json {
            self.last_child(inside, depth - 1);
        }
    }

    /// Keeps one child of an item of which nothing inside is touched: where indentation makes the blocks there must be
    /// one, and elsewhere it keeps a seam from lying right between two brackets.
    fn first_child(&mut self, inside: Inside, depth: usize) {
        let end = self.next_start(inside.lines.start + 1, inside.lines, inside.level);
        self.item(LineRange::new(inside.lines.start, end), inside.level, &[], depth);
    }

    /// Keeps the last child: where no bracket closes an item, it ends with that. And of the children in JSON it alone has
    /// no comma behind it.
    fn last_child(&mut self, inside: Inside, depth: usize) {
        let start = self.start_at(inside.lines.end - 1, inside.lines, inside.level);
        self.item(LineRange::new(start, inside.lines.end), inside.level, &[], depth);
    }

    /// Keeps the items around, so many as are asked for; gives all from the first to the last.
    fn neighbours(&mut self, items: LineRange, touched: usize, lines: LineRange, level: Level) -> LineRange {
        let mut end = items.end;
        for _ in 0..=self.widen {
            // What a directive takes out or puts in ends there, for the parser, too.
            if self.text.is_conditional(end) {
                break;
            }
            let next = self.next_start(end + 1, lines, level);
            self.neighbour(LineRange::new(end, next), level);
            end = next;
        }
        let mut start = items.start;
        // A line above the touched one ties the item; else the item above must.
        for _ in 0..self.widen + usize::from(touched <= start) {
            if start == lines.start {
                break;
            }
            let before = self.start_at(start - 1, lines, level);
            if self.text.is_conditional(before) {
                break;
            }
            self.neighbour(LineRange::new(before, start), level);
            start = before;
        }
        LineRange::new(start, end)
    }

    fn neighbour(&mut self, item: LineRange, level: Level) {
        match (item.len() > LONG_NEIGHBOUR).then(|| self.inside(item, level)).flatten() {
            Some(inside) => {
                self.kept.push(LineRange::new(item.start, inside.lines.start));
                self.kept.push(LineRange::new(inside.lines.end, item.end));
                self.first_child(inside, DEEPEST);
            }
            None => self.kept.push(item),
        }
    }

    /// Finds what lies between the header of an item and what closes it; `None` if either can't be told.
    fn inside(&self, item: LineRange, level: Level) -> Option<Inside> {
        let mut from = item.start;
        loop {
            let (first, indent, is_body) = self.first_line_inside(LineRange::new(from, item.end), level)?;
            let is_outside = |&at: &usize| {
                let line = self.text.line(at);
                line.is_some_and(|(indent, text)| {
                    indent <= level.indent && !self.text.is_line_comment(text) && !self.text.is_transparent(at, text)
                })
            };
            let end = (first..item.end).find(is_outside).unwrap_or(item.end);
            let closer = self.text.line(end.min(item.end - 1)).map_or("", |(_, text)| text);
            let is_closed = end < item.end && closer.starts_with(['}', ')', ']']);
            let is_offside = self.text.language.is_offside();
            if is_body && item.end - end <= LONGEST_EDGE && (is_closed && !is_offside || end == item.end && is_offside)
            {
                let lines = LineRange::new(first, end);
                return self
                    .is_even(lines, indent)
                    .then(|| Inside { lines, level: self.text.level(first, indent, false) });
            }
            // The parameters, or an annotation: the body is still to come.
            if !is_closed || end - item.start > LONGEST_EDGE {
                return None;
            }
            from = end;
        }
    }

    /// Says whether none of some lines is indented less than `indent`: in YAML that would be an entry of another level.
    fn is_even(&self, lines: LineRange, indent: usize) -> bool {
        let is_deep = |row: usize| self.text.line(row).is_none_or(|(at, text)| at >= indent || text.starts_with('#'));
        self.text.language != Language::Yaml || lines.iter().all(is_deep)
    }

    /// Finds the first line that is indented deeper than its level and follows one that opens something, how far it is
    /// indented, and whether parts may be left out there: what a function is called with says what the call is.
    fn first_line_inside(&self, lines: LineRange, level: Level) -> Option<(usize, usize, bool)> {
        let mut opener = None;
        // The first directive behind the opener.
        let mut directive = None;
        for at in lines.iter().take(LONGEST_EDGE) {
            let Some((indent, text)) = self.text.line(at) else { continue };
            if self.text.is_transparent(at, text) {
                directive = directive.or(opener.map(|_| at));
                continue;
            }
            if let (true, Some(opener)) = (indent > level.indent, opener) {
                return Some((directive.unwrap_or(at), indent, opener != '('));
            }
            directive = None;
            let text = if self.text.language == Language::Yaml { self.text.without_comment(text) } else { text };
            let is_header = indent == level.indent || self.text.language.is_offside();
            opener = text.chars().next_back().filter(|last| is_header && matches!(last, '{' | '(' | '[' | ':'));
        }
        None
    }
}

/// The lines inside of an item and the level they make.
#[derive(Debug, Clone, Copy)]
struct Inside {
    lines: LineRange,
    level: Level,
}
