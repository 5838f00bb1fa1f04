//! What opens comments and strings that may run over many lines, counted in text that is not parsed.

use memchr::{memchr_iter, memmem};

use crate::range::LineRange;
use crate::source::Source;
use crate::treesitter::Language;
use crate::treesitter::view::View;

/// How many delimiters a text has, opening ones less closing ones, or modulo two where both are the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Count {
    comments: isize,
    strings: [isize; 2],
}

impl Count {
    /// Counts in what a view keeps.
    pub(super) fn of(view: &View<'_>, language: Language) -> Self {
        let mut count = Self::default();
        for &(bytes, _) in view.kept() {
            count.add(view.slice(bytes), language);
        }
        count
    }

    fn add(&mut self, text: &str, language: Language) {
        let text = text.as_bytes();
        let n = |delimiter: &str| memmem::find_iter(text, delimiter).count().cast_signed();
        if language != Language::Python {
            self.comments += comments(text);
        }
        match language {
            Language::Go | Language::JavaScript | Language::TypeScript | Language::Tsx => {
                self.strings[0] += memchr_iter(b'`', text).count().cast_signed();
            }
            Language::Python => {
                self.strings[0] += n("\"\"\"");
                self.strings[1] += n("'''");
            }
            Language::Java => self.strings[0] += n("\"\"\""),
            // `r#"` and `"#` must be as many: one more of either is odd.
            Language::Rust => self.strings[0] += n("#\"") - n("\"#"),
            _ => {}
        }
        if language != Language::Rust {
            self.strings = self.strings.map(|n| n & 1);
        }
    }

    fn is_zero(self) -> bool {
        self == Self::default()
    }
}

/// Counts `/*` less `*/`.
fn comments(text: &[u8]) -> isize {
    let mut n = 0;
    for at in memchr_iter(b'*', text) {
        n += isize::from(at > 0 && text[at - 1] == b'/') - isize::from(text.get(at + 1) == Some(&b'/'));
    }
    n
}

/// Says whether what lies before and between some lines of a text, from line `at` on, closes all that it opens, so that
/// none of the lines begins inside of a string or a comment.
pub(super) fn are_paired_between(source: &Source<'_>, mut at: usize, kept: &[LineRange], language: Language) -> bool {
    kept.iter().all(|lines| {
        let mut count = Count::default();
        count.add(source.slice(LineRange::new(at.min(lines.start), lines.start)), language);
        at = lines.end;
        count.is_zero()
    })
}
