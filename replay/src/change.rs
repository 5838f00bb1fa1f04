//! A real change: an old text, a new text, and the hunks between them.

use std::ops::Range;

use imara_diff::{Algorithm, Diff, InternedInput};

use crate::packages::Half;

/// A text in lines without terminators. Only uniform line ends are replayed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Text {
    pub(crate) lines: Vec<String>,
    pub(crate) crlf: bool,
    pub(crate) final_newline: bool,
}

impl Text {
    /// Splits a text; `None` when its line ends are mixed or hold a lone carriage return.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let crlf = text.contains("\r\n");
        let plain;
        let text = if crlf {
            if text.matches("\r\n").count() != text.matches('\n').count() {
                return None;
            }
            plain = text.replace("\r\n", "\n");
            plain.as_str()
        } else {
            text
        };
        if text.contains('\r') {
            return None;
        }
        let final_newline = text.ends_with('\n');
        let body = text.strip_suffix('\n').unwrap_or(text);
        let lines = if text.is_empty() { Vec::new() } else { body.split('\n').map(str::to_owned).collect() };
        Some(Self { lines, crlf, final_newline })
    }

    /// Puts the lines together again.
    pub(crate) fn join(&self) -> String {
        let end = if self.crlf { "\r\n" } else { "\n" };
        let mut text = self.lines.join(end);
        if self.final_newline && !self.lines.is_empty() {
            text.push_str(end);
        }
        text
    }
}

/// Old lines `before` became new lines `after`; zero-based and half-open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Hunk {
    pub(crate) before: Range<usize>,
    pub(crate) after: Range<usize>,
}

impl Hunk {
    pub(crate) fn is_insertion(&self) -> bool {
        self.before.is_empty()
    }
}

/// Where a change comes from.
#[derive(Debug, Clone)]
pub(crate) struct Origin {
    /// Repository or package.
    pub(crate) package: String,
    /// Path in it, with `/`.
    pub(crate) path: String,
    /// Commit, or the place of the step between two releases.
    pub(crate) commit: String,
    /// Its language.
    pub(crate) language: &'static str,
    /// Its half; `None` for a repository's history.
    pub(crate) half: Option<Half>,
}

impl Origin {
    /// Names the change.
    pub(crate) fn id(&self) -> String {
        format!("{}/{}@{}", self.package, self.path, self.commit)
    }
}

/// One change of one file.
#[derive(Debug, Clone)]
pub(crate) struct Change {
    pub(crate) origin: Origin,
    pub(crate) old: Text,
    pub(crate) new: Text,
    pub(crate) hunks: Vec<Hunk>,
}

impl Change {
    /// Compares two texts; `None` when there is nothing to replay.
    pub(crate) fn new(origin: Origin, old: &str, new: &str) -> Option<Self> {
        let (old, new) = (Text::parse(old)?, Text::parse(new)?);
        // A snippet can't say that a final newline or the line ends change.
        if old.crlf != new.crlf || old.final_newline != new.final_newline {
            return None;
        }
        let hunks = diff(&old.lines, &new.lines);
        (!hunks.is_empty()).then_some(Self { origin, old, new, hunks })
    }

    /// Counts removed and added lines.
    pub(crate) fn n_changed(&self) -> usize {
        self.hunks.iter().map(|hunk| hunk.before.len() + hunk.after.len()).sum()
    }

    /// Makes the change that only the hunks `range` of this one make, on top of those before them: the release
    /// pair's way from old to new, walked in steps.
    pub(crate) fn step(&self, range: Range<usize>) -> Self {
        let apply = |n: usize| {
            let mut lines = Vec::with_capacity(self.old.lines.len());
            let mut at = 0;
            for hunk in &self.hunks[..n] {
                lines.extend_from_slice(&self.old.lines[at..hunk.before.start]);
                lines.extend_from_slice(&self.new.lines[hunk.after.clone()]);
                at = hunk.before.end;
            }
            lines.extend_from_slice(&self.old.lines[at..]);
            lines
        };
        let old = Text { lines: apply(range.start), ..self.old.clone() };
        let new = Text { lines: apply(range.end), ..self.new.clone() };
        let hunks = self.hunks[range]
            .iter()
            .scan(0_isize, |delta, hunk| {
                // Old lines of a step count behind the steps before it, so they start where the new ones do.
                let start = hunk.after.start.checked_add_signed(-*delta)?;
                let moved = Hunk { before: start..start + hunk.before.len(), after: hunk.after.clone() };
                *delta += hunk.after.len().cast_signed() - hunk.before.len().cast_signed();
                Some(moved)
            })
            .collect();
        Self { origin: self.origin.clone(), old, new, hunks }
    }

    /// Makes the change that only hunk `index` makes on the old text.
    pub(crate) fn only(&self, index: usize) -> Self {
        let hunk = &self.hunks[index];
        let mut lines = self.old.lines[..hunk.before.start].to_vec();
        lines.extend_from_slice(&self.new.lines[hunk.after.clone()]);
        lines.extend_from_slice(&self.old.lines[hunk.before.end..]);
        let after = hunk.before.start..hunk.before.start + hunk.after.len();
        Self {
            origin: self.origin.clone(),
            old: self.old.clone(),
            new: Text { lines, ..self.new.clone() },
            hunks: vec![Hunk { before: hunk.before.clone(), after }],
        }
    }
}

/// Compares lines by histogram diff, with hunks slid to where a person would put them.
pub(crate) fn diff(old: &[String], new: &[String]) -> Vec<Hunk> {
    let mut input = InternedInput::<&str>::default();
    input.update_before(old.iter().map(String::as_str));
    input.update_after(new.iter().map(String::as_str));
    let mut diff = Diff::compute(Algorithm::Histogram, &input);
    diff.postprocess_lines(&input);
    let range = |range: Range<u32>| range.start as usize..range.end as usize;
    diff.hunks().map(|hunk| Hunk { before: range(hunk.before), after: range(hunk.after) }).collect()
}

/// Says whether a line is empty but for white space.
pub(crate) fn is_blank(line: &str) -> bool {
    line.trim().is_empty()
}

/// Gives a line's leading white space.
pub(crate) fn indent_of(line: &str) -> &str {
    &line[..line.len() - line.trim_start().len()]
}

/// Measures a line's indentation in columns, a tab reaching to the next fourth one.
pub(crate) fn indent_width(line: &str) -> usize {
    indent_of(line).chars().fold(0, |width, c| if c == '\t' { width / 4 * 4 + 4 } else { width + 1 })
}

/// Gives the brackets that have no partner among `lines`, wherever they stand; strings and comments are not told apart.
pub(crate) fn loose_brackets(lines: &[String]) -> Vec<u8> {
    let mut loose: Vec<u8> = Vec::new();
    for byte in lines.iter().flat_map(|line| line.bytes()) {
        let partner = match byte {
            b'(' | b'[' | b'{' => None,
            b')' => Some(b'('),
            b']' => Some(b'['),
            b'}' => Some(b'{'),
            _ => continue,
        };
        if partner.is_some() && loose.last().copied() == partner {
            loose.pop();
        } else {
            loose.push(byte);
        }
    }
    loose
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn change(path: &str, old: &str, new: &str) -> Change {
        let origin = Origin {
            package: "test".into(),
            path: path.into(),
            commit: "0".into(),
            language: crate::language_of(path).unwrap(),
            half: None,
        };
        Change::new(origin, old, new).unwrap()
    }

    #[test]
    fn a_text_is_put_together_as_it_was() {
        for text in ["", "a", "a\n", "a\n\n", "a\r\nb\r\n", "\n"] {
            assert_eq!(Text::parse(text).unwrap().join(), text);
        }
        assert_eq!(Text::parse("a\r\nb\n"), None);
    }

    #[test]
    fn brackets_with_a_partner_fall_out() {
        let loose = |text: &str| loose_brackets(&[text.to_owned()]);
        assert_eq!(loose("a(b[c]) {"), b"{");
        assert_eq!(loose("}) (}"), b"})(}");
    }

    #[test]
    fn steps_lead_from_old_to_new() {
        let old = (0..60).map(|n| format!("line {n}\n")).collect::<Vec<_>>().concat();
        let new =
            old.replace("line 9\n", "").replace("line 20\n", "line 20\nmore\nand more\n").replace("line 44\n", "x\n");
        let whole = change("a.py", &old, &new);
        assert_eq!(whole.hunks.len(), 3);
        let steps: Vec<Change> = (0..3).map(|n| whole.step(n..n + 1)).collect();
        assert_eq!(steps[0].old.join(), old);
        assert_eq!(steps[2].new.join(), new);
        for (step, next) in steps.iter().zip(&steps[1..]) {
            assert_eq!(step.new, next.old);
        }
        for step in steps.iter().chain([&whole.step(0..3), &whole.step(1..3), &whole.only(1)]) {
            assert_eq!(step.hunks, diff(&step.old.lines, &step.new.lines));
        }
    }
}
