//! What the model said about its edit, as fields.
//!
//! Only fields at the start of a line count: `Type:`, `Summary:`, `Replace:` and `Remove:`. A number in prose is
//! never a line number. Several changes in one description each have their own fields; a new `Type:` or a
//! heading `Change N.` begins the next one.
//!
//! # Cost
//!
//! One pass over the text; every loop moves forward.

use crate::range::LineRange;

/// What a change does to the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum ChangeKind {
    Add,
    Prepend,
    Append,
    Replace,
    Remove,
    Overwrite,
}

/// A parsed description. An empty one says nothing.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Description {
    /// The kinds announced, in order.
    pub(crate) kinds: Vec<ChangeKind>,
    /// Announced original lines, zero-based, clamped to the file, sorted, merged.
    pub(crate) ranges: Vec<LineRange>,
    /// Some range names no line of the file, or ends before it starts.
    pub(crate) impossible: bool,
    /// The summaries, joined.
    pub(crate) summary: String,
}

impl Description {
    /// Parses a description for an original of `n_lines` lines.
    ///
    /// Ranges are clamped to the file; one that lies outside of it, or ends before it starts, is dropped.
    pub(crate) fn parse(text: &str, n_lines: usize) -> Self {
        let mut parsed = Self::default();
        let mut summaries: Vec<&str> = Vec::new();
        for line in text.lines() {
            let Some((field, value)) = split_field(line) else { continue };
            match field.to_ascii_lowercase().as_str() {
                "type" => parsed.kinds.extend(kind_of(value)),
                "summary" => summaries.push(value),
                "replace" | "replaces" | "remove" | "removes" => {
                    for range in line_ranges(value) {
                        let lines = clamp(range, n_lines);
                        parsed.impossible |= lines.is_none();
                        parsed.ranges.extend(lines);
                    }
                }
                _ => {}
            }
        }
        parsed.summary = summaries.join("; ");
        parsed.ranges.sort_unstable();
        parsed.ranges.dedup_by(|next, last| {
            let touches = next.start <= last.end;
            if touches {
                last.end = last.end.max(next.end);
            }
            touches
        });
        parsed
    }

    /// Gives the same description without its ranges: what its types alone say.
    pub(crate) fn without_ranges(&self) -> Self {
        Self { ranges: Vec::new(), ..self.clone() }
    }

    /// Says whether the file is to be replaced as a whole.
    pub(crate) fn overwrites(&self) -> bool {
        self.kinds.contains(&ChangeKind::Overwrite)
    }

    /// Says whether existing lines only stay: insertions are announced and nothing else.
    pub(crate) fn only_inserts(&self) -> bool {
        !self.kinds.is_empty()
            && self.ranges.is_empty()
            && self.kinds.iter().all(|kind| matches!(kind, ChangeKind::Add | ChangeKind::Prepend | ChangeKind::Append))
    }

    /// Says whether a change of this kind is announced.
    pub(crate) fn announces(&self, kind: ChangeKind) -> bool {
        self.kinds.contains(&kind)
    }

    /// Says whether original line `line` is at most `distance` lines away from an announced range.
    pub(crate) fn is_near(&self, line: usize, distance: usize) -> bool {
        let after = self.ranges.partition_point(|range| range.start <= line + distance);
        after > 0 && line < self.ranges[after - 1].end + distance
    }

    /// Finds the first original line from `line` on that is at most `distance` lines away from an announced range.
    pub(crate) fn first_near(&self, line: usize, distance: usize) -> Option<usize> {
        if self.is_near(line, distance) {
            return Some(line);
        }
        let next = self.ranges.partition_point(|range| range.start <= line + distance);
        self.ranges.get(next).map(|range| range.start - distance)
    }

    /// Says whether original line `line` is in an announced range.
    pub(crate) fn covers(&self, line: usize) -> bool {
        let after = self.ranges.partition_point(|range| range.start <= line);
        after > 0 && self.ranges[after - 1].contains(line)
    }

    /// Counts the original lines of a range that are announced.
    pub(crate) fn n_covered(&self, lines: LineRange) -> usize {
        let from = self.ranges.partition_point(|range| range.end <= lines.start);
        let some = self.ranges[from..].iter().take_while(|range| range.start < lines.end);
        some.map(|range| range.end.min(lines.end) - range.start.max(lines.start)).sum()
    }
}

/// Splits `- **Type:** add` into `Type` and `add`. The name is one word.
fn split_field(line: &str) -> Option<(&str, &str)> {
    let markup = |c: char| c.is_whitespace() || matches!(c, '-' | '*' | '`' | '_' | '"' | '\'' | '•');
    let (name, value) = line.split_once(':')?;
    let name = name.trim_matches(markup);
    let is_word = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphabetic());
    is_word.then(|| (name, value.trim_matches(markup)))
}

fn kind_of(value: &str) -> Option<ChangeKind> {
    let word: String = value.chars().take_while(char::is_ascii_alphabetic).collect();
    match word.to_ascii_lowercase().as_str() {
        "add" | "insert" => Some(ChangeKind::Add),
        "prepend" => Some(ChangeKind::Prepend),
        "append" => Some(ChangeKind::Append),
        "replace" | "update" | "modify" => Some(ChangeKind::Replace),
        "remove" | "delete" => Some(ChangeKind::Remove),
        "overwrite" => Some(ChangeKind::Overwrite),
        _ => None,
    }
}

/// One piece of a range list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Token {
    Number(usize),
    /// `-`, a typographic dash, or `to`.
    Dash,
    /// `line`, `lines`, `l`, `and`, a comma.
    Filler,
    /// Anything else ends the list: what follows is prose.
    Prose,
}

/// Reads `lines 10-20, line 31` as one-based `(first, last)` pairs. Stops where prose begins.
fn line_ranges(value: &str) -> impl Iterator<Item = (usize, usize)> {
    let tokens: Vec<Token> = tokens(value).take_while(|token| *token != Token::Prose).collect();
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            match tokens.get(at..)? {
                [Token::Number(first), Token::Dash, Token::Number(last), ..] => {
                    at += 3;
                    return Some((*first, *last));
                }
                // `lines 3 to line 7`
                [Token::Number(first), Token::Dash, Token::Filler, Token::Number(last), ..] => {
                    at += 4;
                    return Some((*first, *last));
                }
                [Token::Number(only), ..] => {
                    at += 1;
                    return Some((*only, *only));
                }
                [] => return None,
                _ => at += 1,
            }
        }
    })
}

fn tokens(value: &str) -> impl Iterator<Item = Token> + '_ {
    let mut rest = value;
    std::iter::from_fn(move || {
        rest = rest.trim_start();
        let first = rest.chars().next()?;
        let (token, len) = if first.is_ascii_digit() {
            let len = rest.bytes().take_while(u8::is_ascii_digit).count();
            (rest[..len].parse().map_or(Token::Prose, Token::Number), len)
        } else if first.is_alphabetic() {
            let len = rest.find(|c: char| !c.is_alphabetic()).unwrap_or(rest.len());
            let token = match rest[..len].to_lowercase().as_str() {
                "line" | "lines" | "l" | "and" => Token::Filler,
                "to" | "through" | "until" => Token::Dash,
                _ => Token::Prose,
            };
            (token, len)
        } else {
            let token = match first {
                '-' | '\u{2010}'..='\u{2015}' | '\u{2212}' => Token::Dash,
                ',' | ';' | '&' | '#' | '*' | '`' => Token::Filler,
                _ => Token::Prose,
            };
            (token, first.len_utf8())
        };
        rest = &rest[len..];
        Some(token)
    })
}

/// Turns a one-based inclusive pair into zero-based lines of the file.
fn clamp((first, last): (usize, usize), n_lines: usize) -> Option<LineRange> {
    (1 <= first && first <= last && first <= n_lines).then(|| LineRange::new(first - 1, last.min(n_lines)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, kinds: &[ChangeKind], ranges: &[(usize, usize)]) {
        let parsed = Description::parse(text, 100);
        let got: Vec<_> = parsed.ranges.iter().map(|range| range.one_based()).collect();
        assert_eq!((parsed.kinds.as_slice(), got.as_slice()), (kinds, ranges), "{text:?}");
    }

    #[test]
    fn fields_at_line_start_count_and_prose_does_not() {
        use ChangeKind::{Add, Append, Overwrite, Remove, Replace};
        check("", &[], &[]);
        check("Type: add", &[Add], &[]);
        check("**Type:** `replace`\n- Replace: lines 2-3, line 11", &[Replace], &[(2, 3), (11, 11)]);
        check("Type: replace\nSummary: Replace the http2 handler\nReplace: line 6", &[Replace], &[(6, 6)]);
        check("Type: remove\nRemove: lines 10–20", &[Remove], &[(10, 20)]);
        check("Type: remove\nReplaces: lines 4 to 6 and 9 through 12", &[Remove], &[(4, 6), (9, 12)]);
        check("Type: replace\nReplace: lines 3 to line 7", &[Replace], &[(3, 7)]);
        check("Type: replace\nReplace: lines 01-02", &[Replace], &[(1, 2)]);
        check("Type: replace\nReplace: lines 98-200", &[Replace], &[(98, 100)]);
        check("Type: replace\nReplace: lines 9-3, line 0, line 101", &[Replace], &[]);
        check("Type: replace\nReplace: the loop of line 3", &[Replace], &[]);
        check("Type: replace\nReplace: lines 3-5 (the 2nd loop)", &[Replace], &[(3, 5)]);
        check("Type: replace\nReplace: line 99999999999999999999999", &[Replace], &[]);
        check("Type: append\nContext: After: line 3, the replace: lines 4-5", &[Append], &[]);
        check(
            "Change 1.\nType: add\nChange 2.\nType: remove\nRemove: line 4\nReplace: lines 5-6",
            &[Add, Remove],
            &[(4, 6)],
        );
        check("Type: overwrite\nPreserve: nothing", &[Overwrite], &[]);
    }

    #[test]
    fn the_first_line_near_a_range_is_found() {
        let parsed = Description::parse("Replace: lines 2-3, line 11, line 14", 100);
        for (line, distance) in (0..20).flat_map(|line| (0..5).map(move |distance| (line, distance))) {
            let naive = (line..200).find(|&line| parsed.is_near(line, distance));
            assert_eq!(parsed.first_near(line, distance), naive, "{distance} lines from line {line} on");
        }
    }

    #[test]
    fn covers_finds_announced_lines() {
        let parsed = Description::parse("Replace: lines 2-3, line 11", 100);
        let covered: Vec<_> = (0..20).filter(|&line| parsed.covers(line)).collect();
        assert_eq!(covered, [1, 2, 10]);
        for (start, end) in [(0, 20), (2, 10), (2, 2), (3, 10), (11, 100)] {
            let lines = LineRange::new(start, end);
            assert_eq!(parsed.n_covered(lines), lines.iter().filter(|&line| parsed.covers(line)).count());
        }
    }
}
