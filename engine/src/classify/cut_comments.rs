//! Comments of a snippet that its references cut.
//!
//! A model may begin a doc comment, go on with a reference, and show the next line from below the comment; or the first
//! line shown may lie in the middle of one. A parser would take all that follows for a part of the comment, or its end
//! for code, so it is given neither.

use super::{Line, LineKind};
use crate::range::LineRange;

/// What references leave of comments, as positions of lines, rising.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct CutComments {
    /// Markers that stand for the end of a comment.
    pub(super) ends: Vec<usize>,
    /// Lines that end a comment whose beginning isn't shown.
    pub(super) tails: Vec<LineRange>,
}

impl CutComments {
    /// Finds the comments between `open` and `close` that are cut.
    ///
    /// # Cost
    ///
    /// Two passes over the lines.
    pub(super) fn of(lines: &[Line<'_>], (open, close): (&str, &str)) -> Self {
        let mut found = Self::default();
        let mut is_open = false;
        // Where what is shown since the last marker begins, as long as all of it may lie in a comment.
        let mut piece = Some(0);
        for (at, line) in lines.iter().enumerate() {
            let text = line.text.trim();
            match line.kind {
                LineKind::Blank => {}
                LineKind::Reference | LineKind::Removal => {
                    if is_open && !goes_on(&lines[at + 1..], open, close) {
                        found.ends.push(at);
                        is_open = false;
                    }
                    piece = Some(at + 1);
                }
                LineKind::Code if is_open => is_open = !text.contains(close),
                LineKind::Code if text.starts_with(open) => {
                    is_open = !text[open.len()..].contains(close);
                    piece = None;
                }
                LineKind::Code => {
                    let is_inside = text.starts_with('*');
                    let tail = piece.filter(|_| is_inside && text.ends_with(close));
                    found.tails.extend(tail.map(|start| LineRange::new(start, at + 1)));
                    piece = piece.filter(|_| is_inside && !text.contains(close));
                }
            }
        }
        found
    }
}

/// Says whether lines below a marker go on with a comment that is open above it.
fn goes_on(lines: &[Line<'_>], open: &str, close: &str) -> bool {
    let shown = lines.iter().take_while(|line| !line.kind.is_marker()).filter(|line| line.kind == LineKind::Code);
    let mut texts = shown.map(|line| line.text.trim()).peekable();
    let has_gutter = texts.peek().is_none_or(|first| first.starts_with('*'));
    let edge = texts.find(|text| text.starts_with(open) || text.contains(close));
    edge.map_or(has_gutter, |text| !text.starts_with(open))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::anchor::Class;
    use crate::classify::Force;
    use crate::source::is_blank;

    /// Finds what is cut in lines of which those that begin with `// ...` are references: ends, and rows of tails.
    fn cut(texts: &[&str]) -> (Vec<usize>, Vec<(usize, usize)>) {
        let line = |(number, text): (usize, &&str)| Line {
            text: (*text).to_owned().into(),
            kind: match text {
                text if is_blank(text) => LineKind::Blank,
                text if text.trim_start().starts_with("// ...") => LineKind::Reference,
                _ => LineKind::Code,
            },
            class: Class::FOREIGN,
            force: Force::Free,
            number,
        };
        let lines: Vec<Line<'_>> = texts.iter().enumerate().map(line).collect();
        let found = CutComments::of(&lines, ("/*", "*/"));
        (found.ends, found.tails.iter().map(|rows| (rows.start, rows.end)).collect())
    }

    #[test]
    fn a_reference_ends_a_comment_that_does_not_go_on() {
        assert_eq!(cut(&["/**", " * Begins.", "// ...", "int a() {", "/* b */", "}"]), (vec![2], vec![]));
        assert_eq!(cut(&["/* Begins.", "// ...", "int a();", "// ...", "int b();"]), (vec![1], vec![]));
        assert_eq!(cut(&["/**", "// ...", "", "/**", " * Next.", " */"]), (vec![1], vec![]));
    }

    #[test]
    fn a_reference_inside_a_comment_that_goes_on_cuts_nothing() {
        assert_eq!(cut(&["/**", " * Begins.", "// ...", " * Ends.", " */", "int a();"]), (vec![], vec![]));
        assert_eq!(cut(&["/* Begins.", "// ...", "ends. */", "int a();"]), (vec![], vec![]));
        assert_eq!(cut(&["/* one */", "// ...", "int a();"]), (vec![], vec![]));
        assert_eq!(cut(&["/**", " * Begins.", "// ..."]), (vec![], vec![]));
    }

    #[test]
    fn the_end_of_a_hidden_comment_is_a_tail() {
        assert_eq!(cut(&[" */", "package a;"]), (vec![], vec![(0, 1)]));
        assert_eq!(cut(&["int a();", "// ...", "", " * Ends.", " */", "int b();"]), (vec![], vec![(2, 5)]));
        assert_eq!(cut(&["/**", " * a", "// ...", "int a();", "// ...", " */"]), (vec![2], vec![(5, 6)]));
    }

    #[test]
    fn a_product_is_no_comment() {
        assert_eq!(cut(&["// ...", "  * rate", "  + base;", " */ 2"]), (vec![], vec![]));
        assert_eq!(cut(&["// ...", "*out = a;", "int b; /* c */"]), (vec![], vec![]));
    }
}
