//! Converting a snippet's white space to the file's, where all of it differs in one way.
//!
//! Models answer with spaces for tabs, with two columns for four, or with a whole method moved to the left edge.
//! Then no indented line is equal as it stands, and the lines that can be recognised without white space all
//! agree on how to convert. If they do, every line of the snippet is converted, new ones included; if not, a
//! difference in white space is an edit like any other.
//!
//! Lines that begin inside a multi-line string are never touched.
//!
//! # Cost
//!
//! O(snippet).

use hashbrown::HashMap;
use std::borrow::Cow;

use crate::anchor::{Alignment, Class, Index, Tie};
use crate::classify::{Line, LineKind, Snippet};
use crate::range::LineRange;
use crate::source::{Source, indent_of, is_blank};

/// Share of recognised lines that must agree on a conversion, in percent.
const AGREEING_PERCENT: usize = 80;

/// Share of recognised lines that may be equal as they stand, in percent. More: white space is an edit.
const EXACT_PERCENT: usize = 20;

/// Share of lines that may stand in the original as they are, among them twins of lines that were moved, in percent.
const STAYING_PERCENT: usize = 25;

/// Share of indented lines that must begin alike for the other kind to be foreign, in percent. Larger: one line in blanks
/// makes blanks everywhere look right; smaller: a file of two kinds is taken for one of one kind.
const FAMILIAR_PERCENT: usize = 95;

/// Furthest that lines are moved, in columns or steps, and deepest indent that is converted. Larger: every line may grow
/// by that much.
const LARGEST_SHIFT: usize = 400;

/// How many of the original's first lines tell its unit.
const LOOKED_AT: usize = 2_000;

/// What was converted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Conversion {
    /// Whether all recognised lines agree.
    pub(crate) unanimous: bool,
}

impl Conversion {
    /// Puts two conversions of one snippet together.
    pub(crate) fn both(one: Option<Self>, other: Option<Self>) -> Option<Self> {
        match (one, other) {
            (Some(one), Some(other)) => Some(Self { unanimous: one.unanimous && other.unanimous }),
            (one, other) => one.or(other),
        }
    }
}

/// White space in front of a line as a number of steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unit {
    Tab,
    Spaces(usize),
}

impl Unit {
    fn width(self, indent: &str) -> Option<usize> {
        let byte = if self == Self::Tab { b'\t' } else { b' ' };
        indent.bytes().all(|b| b == byte).then_some(indent.len())
    }

    fn steps(self) -> usize {
        match self {
            Self::Tab => 1,
            Self::Spaces(n) => n,
        }
    }
}

/// Converts the snippet's lines, if that is what it takes to recognise them.
pub(crate) fn convert(
    snippet: &mut Snippet<'_>,
    original: &Source<'_>,
    index: &Index,
    literals: &[LineRange],
) -> Option<Conversion> {
    let all = LineRange::new(0, snippet.lines.len());
    if let Some(conversion) = convert_unit(snippet, original, index, literals) {
        return Some(conversion);
    }
    if let Some(conversion) = shift(snippet, original, index, literals, all) {
        return Some(conversion);
    }
    // Each chunk between references may be moved on its own.
    let chunks: Vec<LineRange> = chunks(snippet).collect();
    let mut converted = None;
    for lines in chunks {
        converted = Conversion::both(converted, shift(snippet, original, index, literals, lines));
    }
    converted
}

/// How many places of one text are looked at. Larger: slower; smaller: lines that are frequent don't tell.
const MOST_PLACES: usize = 64;

/// Finds the lines whose old indent is known, as (the snippet's indent, the original's): their text stands in the
/// original at one depth only, and so it does in the snippet.
fn recognised<'l>(
    snippet: &'l Snippet<'_>,
    original: &Source<'l>,
    index: &Index,
    literals: &[LineRange],
    lines: LineRange,
) -> Vec<(&'l str, &'l str)> {
    let is_code = |line: usize| snippet.lines[line].kind == LineKind::Code && !is_in(literals, line);
    let ours = |line: usize| indent_of(&snippet.lines[line].text);
    let mut depths: HashMap<Class, Option<&str>> = HashMap::new();
    for line in lines.iter().filter(|&line| is_code(line)) {
        let depth = depths.entry(snippet.lines[line].class).or_insert_with(|| Some(ours(line)));
        *depth = depth.filter(|depth| *depth == ours(line));
    }
    let theirs = |class: Class| {
        let mut depths = index.rows(class).iter().map(|&row| indent_of(original.line(row as usize)));
        let first = depths.next()?;
        let is_alone = index.count(class) <= MOST_PLACES && depths.all(|depth| depth == first);
        is_alone.then_some(first)
    };
    lines
        .iter()
        .filter(|&line| is_code(line) && depths.get(&snippet.lines[line].class).is_some_and(Option::is_some))
        .filter_map(|line| Some((ours(line), theirs(snippet.lines[line].class)?)))
        .collect()
}

fn share(part: usize, whole: usize) -> usize {
    part * 100 / whole.max(1)
}

fn convert_unit(
    snippet: &mut Snippet<'_>,
    original: &Source<'_>,
    index: &Index,
    literals: &[LineRange],
) -> Option<Conversion> {
    let all = LineRange::new(0, snippet.lines.len());
    let pairs = recognised(snippet, original, index, literals, all);
    let indented: Vec<_> = pairs.iter().filter(|(ours, theirs)| !ours.is_empty() || !theirs.is_empty()).collect();
    let n_exact = indented.iter().filter(|(ours, theirs)| ours == theirs).count();
    if share(n_exact, indented.len()) > EXACT_PERCENT {
        return None;
    }
    let code = || snippet.lines.iter().filter(|line| line.kind == LineKind::Code).map(|line| &*line.text);
    let from = unit_of(code())?;
    let to = unit_of(original.lines().take(LOOKED_AT))?;
    if from == to {
        return None;
    }
    if indented.is_empty() {
        // No line says how, but what the file never begins a line with can't stay.
        let foreign = foreign_indent(original)?;
        let is_foreign = code().all(|line| indent_of(line).is_empty() || line.starts_with(foreign));
        return is_foreign.then(|| {
            rewrite(snippet, literals, all, |indent| steps_in(from, to, indent, 0));
            Conversion { unanimous: false }
        });
    }
    // The same number of steps, or the same number more or less everywhere.
    let steps = |unit: Unit, indent: &str| unit.width(indent).map(|width| width / unit.steps());
    let shifts: Vec<Option<isize>> = indented
        .iter()
        .map(|(ours, theirs)| Some(steps(to, theirs)?.cast_signed() - steps(from, ours)?.cast_signed()))
        .collect();
    let shift = most_frequent(&shifts).filter(|shift| shift.unsigned_abs() <= LARGEST_SHIFT)?;
    let n_agreeing = shifts.iter().filter(|other| **other == Some(shift)).count();
    // A line at the margin says nothing of the unit, but that nothing is moved.
    let n_all = if shift == 0 { indented.len() } else { pairs.len() };
    if share(n_agreeing, n_all) < AGREEING_PERCENT {
        return None;
    }
    let unanimous = n_agreeing == n_all;
    rewrite(snippet, literals, all, |indent| steps_in(from, to, indent, shift));
    Some(Conversion { unanimous })
}

/// Gives an indent with its steps, and `shift` more, written in another unit.
fn steps_in(from: Unit, to: Unit, indent: &str, shift: isize) -> Option<String> {
    let width = from.width(indent).filter(|&width| width <= LARGEST_SHIFT)?;
    let steps = (width / from.steps()).checked_add_signed(shift)?;
    let rest = width % from.steps();
    Some(match to {
        Unit::Tab => "\t".repeat(steps) + &" ".repeat(rest),
        Unit::Spaces(n) => " ".repeat(steps * n + rest),
    })
}

/// Gives what hardly any line of the original begins with, of a tab and two blanks: a single blank is how block comments
/// go on.
pub(crate) fn foreign_indent(original: &Source<'_>) -> Option<&'static str> {
    const TAB: &str = "\t";
    const BLANKS: &str = "  ";
    let count = |indent: &str| {
        original.lines().take(LOOKED_AT).filter(|line| line.starts_with(indent) && !is_blank(line)).count()
    };
    let (n_tabs, n_blanks) = (count(TAB), count(BLANKS));
    let is_rare = |n: usize| share(n, n_tabs + n_blanks) < 100 - FAMILIAR_PERCENT;
    match (n_tabs, n_blanks) {
        (0, 0) => None,
        (_, n) if is_rare(n) => Some(BLANKS),
        (n, _) if is_rare(n) => Some(TAB),
        _ => None,
    }
}

/// Finds the unit that lines are indented by: tabs, or the widest step of spaces that nearly all are multiples of.
fn unit_of<'l>(lines: impl Iterator<Item = &'l str> + Clone) -> Option<Unit> {
    // A star in front continues a block comment and stands one column off.
    let indents = lines.filter(|line| !line.trim_start().starts_with('*')).map(indent_of).filter(|i| !i.is_empty());
    let n = indents.clone().count();
    let n_tabs = indents.clone().filter(|indent| indent.starts_with('\t')).count();
    if n == 0 {
        return None;
    }
    if n_tabs * 2 > n {
        return Some(Unit::Tab);
    }
    [8, 4, 2, 3, 1].into_iter().map(Unit::Spaces).find(|unit| {
        let fits = |indent: &&str| unit.width(indent).is_some_and(|width| width % unit.steps() == 0);
        share(indents.clone().filter(fits).count(), n) >= AGREEING_PERCENT
    })
}

/// Moves `lines` of the snippet by the one amount that its recognised lines agree on, if none is equal as it
/// stands. Gives whether it did.
fn shift(
    snippet: &mut Snippet<'_>,
    original: &Source<'_>,
    index: &Index,
    literals: &[LineRange],
    lines: LineRange,
) -> Option<Conversion> {
    let pairs = recognised(snippet, original, index, literals, lines);
    // A line that stands several times in the original may say by its first place that nothing needs to be moved.
    let stays = |line: &Line<'_>| {
        let row = index.first(line.class).filter(|_| index.count(line.class) > 1 && line.text.trim().len() > 1);
        row.is_some_and(|row| indent_of(original.line(row)) == indent_of(&line.text))
    };
    let n_staying = lines.iter().filter(|&line| stays(&snippet.lines[line])).count();
    let shift = Shift::agreed(&pairs).filter(|_| share(n_staying, lines.len()) <= STAYING_PERCENT)?;
    shift.apply(snippet, index, literals, lines)
}

/// Moves each chunk between references to where the lines that it was aligned with stand, if they agree on it. Lines that
/// stand at several depths say by their alignment alone which is meant.
pub(crate) fn follow(
    snippet: &mut Snippet<'_>,
    original: &Source<'_>,
    index: &Index,
    literals: &[LineRange],
    alignment: &Alignment,
) -> Option<Conversion> {
    let mut row_of: Vec<Option<usize>> = vec![None; snippet.lines.len()];
    for tie in &alignment.ties {
        match *tie {
            Tie::Match { row, line, .. } => row_of[line] = Some(row),
            // A new version may differ in its indentation alone.
            Tie::Supersede { row, line } if snippet.lines[line].class == index.class(row) => row_of[line] = Some(row),
            _ => {}
        }
    }
    let chunks: Vec<LineRange> = chunks(snippet).collect();
    let mut converted = None;
    for lines in chunks {
        let is_code = |&line: &usize| snippet.lines[line].kind == LineKind::Code && !is_in(literals, line);
        let tied = lines.iter().filter(is_code).filter_map(|line| Some((line, row_of[line]?)));
        let pairs: Vec<(&str, &str)> = tied
            .clone()
            .map(|(line, row)| (margin_of(&snippet.lines[line].text), margin_of(original.line(row))))
            .collect();
        let Some(mut shift) = Shift::agreed(&pairs) else { continue };
        // Lines that stand elsewhere as they are may be meant there.
        let stands = |&(line, _): &(usize, usize)| {
            let line = &snippet.lines[line];
            let ours = indent_of(&line.text);
            let is_same = |&row: &u32| indent_of(original.line(row as usize)) == ours;
            line.text.trim().len() > 1 && index.rows(line.class).iter().take(MOST_PLACES).any(is_same)
        };
        shift.unanimous &= share(tied.filter(stands).count(), pairs.len()) <= STAYING_PERCENT;
        converted = Conversion::both(converted, shift.apply(snippet, index, literals, lines));
    }
    converted
}

/// What recognised lines agree on.
struct Shift {
    /// How far to the right, in bytes; negative to the left.
    amount: isize,
    /// Whether all agree.
    unanimous: bool,
    /// The least indent of a recognised line in the snippet, in bytes.
    lowest: usize,
    /// What lines are moved by.
    fill: char,
}

impl Shift {
    /// Finds the amount that most recognised lines are to be moved by: (the snippet's indent, the original's) of each.
    fn agreed(pairs: &[(&str, &str)]) -> Option<Self> {
        let n_exact = pairs.iter().filter(|(ours, theirs)| ours == theirs).count();
        if pairs.len() < 2 || share(n_exact, pairs.len()) > 100 - AGREEING_PERCENT {
            return None;
        }
        let shift = |(ours, theirs): &(&str, &str)| {
            let same_kind = theirs.ends_with(ours) || ours.ends_with(theirs);
            same_kind.then(|| theirs.len().cast_signed() - ours.len().cast_signed())
        };
        let shifts: Vec<Option<isize>> = pairs.iter().map(shift).collect();
        let amount = most_frequent(&shifts).filter(|amount| amount.unsigned_abs() <= LARGEST_SHIFT)?;
        let n_agreeing = shifts.iter().filter(|shift| **shift == Some(amount)).count();
        (amount != 0 && share(n_agreeing, shifts.len()) >= AGREEING_PERCENT).then(|| Self {
            amount,
            unanimous: n_agreeing == shifts.len(),
            lowest: pairs.iter().map(|(ours, _)| ours.len()).min().unwrap_or(0),
            fill: pairs.iter().find_map(|(_, theirs)| theirs.chars().next()).unwrap_or(' '),
        })
    }

    /// Moves `lines` of the snippet.
    fn apply(
        &self,
        snippet: &mut Snippet<'_>,
        index: &Index,
        literals: &[LineRange],
        lines: LineRange,
    ) -> Option<Conversion> {
        // Moved code that is wrapped in something new looks the same, but what wraps it stands further left than
        // anything recognised: converting it would push it out of its place.
        let wraps = lines.iter().any(|line| {
            let line = &snippet.lines[line];
            let is_new = line.kind == LineKind::Code && index.count(line.class) == 0;
            is_new && margin_of(&line.text).len() < self.lowest
        });
        // What was moved to the right as a whole has room on the left in each line.
        let has_room = |line: usize| indent_of(&snippet.lines[line].text).len() >= self.amount.unsigned_abs();
        let mut code =
            lines.iter().filter(|&line| snippet.lines[line].kind == LineKind::Code && !is_in(literals, line));
        if wraps || self.amount < 0 && !code.all(has_room) {
            return None;
        }
        let fill = self.fill.to_string();
        rewrite(snippet, literals, lines, |indent| match usize::try_from(self.amount) {
            Ok(more) => Some(fill.repeat(more) + indent),
            Err(_) => indent.get(self.amount.unsigned_abs()..).map(str::to_owned),
        });
        Some(Conversion { unanimous: self.unanimous })
    }
}

/// Gives a line's indentation; in a comment without the blank that brings its `*` under the one above.
fn margin_of(line: &str) -> &str {
    let indent = indent_of(line);
    let is_gutter = line[indent.len()..].starts_with('*') && indent.ends_with(' ');
    if is_gutter { &indent[..indent.len() - 1] } else { indent }
}

/// Gives the runs of lines between references.
fn chunks(snippet: &Snippet<'_>) -> impl Iterator<Item = LineRange> {
    let is_reference = |line: &usize| snippet.lines.get(*line).is_none_or(|line| line.kind == LineKind::Reference);
    let mut start = 0;
    (0..=snippet.lines.len()).filter(is_reference).map(move |end| {
        let chunk = LineRange::new(start, end);
        start = end + 1;
        chunk
    })
}

/// Gives the most frequent value; of equally frequent ones the one of least weight.
fn most_frequent(values: &[Option<isize>]) -> Option<isize> {
    let mut known: Vec<isize> = values.iter().flatten().copied().collect();
    known.sort_unstable_by_key(|&value| (value.unsigned_abs(), value));
    let runs = known.chunk_by(|a, b| a == b);
    runs.rev().max_by_key(|run| run.len()).map(|run| run[0])
}

/// Says whether a line begins inside one of the literals, which are in rising order.
fn is_in(literals: &[LineRange], line: usize) -> bool {
    let after = literals.partition_point(|literal| literal.start <= line);
    after > 0 && literals[after - 1].contains(line)
}

fn rewrite(
    snippet: &mut Snippet<'_>,
    literals: &[LineRange],
    lines: LineRange,
    convert: impl Fn(&str) -> Option<String>,
) {
    for at in lines {
        let line = &mut snippet.lines[at];
        if line.kind == LineKind::Blank || is_in(literals, at) {
            continue;
        }
        let indent = indent_of(&line.text);
        if let Some(new) = convert(indent) {
            line.text = Cow::Owned(new + &line.text[indent.len()..]);
        }
    }
}
