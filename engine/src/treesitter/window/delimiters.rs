//! What opens comments and strings that may run over many lines, counted in text that is not parsed.

use memchr::{memchr_iter, memmem};

use crate::range::LineRange;
use crate::source::Source;
use crate::treesitter::Language;
use crate::treesitter::view::View;

/// How many delimiters a text has, opening ones less closing ones, or modulo two where both are the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Delimiters {
    comments: isize,
    strings: [isize; 2],
}

impl Delimiters {
    /// Counts in what a view keeps.
    pub(super) fn of(view: &View<'_>, language: Language) -> Self {
        let mut count = Self::default();
        for &(bytes, _) in view.kept() {
            count.add(view.slice(bytes), language);
        }
        count
    }

    /// Counts in some text as well, which ends where a line ends.
    pub(crate) fn add(&mut self, text: &str, language: Language) {
        let text = text.as_bytes();
        let n = |delimiter: &str| memmem::find_iter(text, delimiter).count().cast_signed();
        if !matches!(language, Language::Python | Language::Yaml) {
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
            // Where a raw string ends only its own beginning tells: none is passed over.
            Language::Cpp => self.strings[0] += n("R\""),
            _ => {}
        }
        self.pair(language);
    }

    /// Takes over what was counted elsewhere.
    pub(crate) fn join(&mut self, other: &Self, language: Language) {
        self.comments += other.comments;
        for (n, more) in self.strings.iter_mut().zip(other.strings) {
            *n += more;
        }
        self.pair(language);
    }

    fn pair(&mut self, language: Language) {
        if !matches!(language, Language::Rust | Language::Cpp) {
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
        let between = LineRange::new(at.min(lines.start), lines.start);
        at = lines.end;
        let known = source.digests().and_then(|digests| digests.delimiters(source, between, language));
        let count = known.unwrap_or_else(|| {
            let mut count = Delimiters::default();
            count.add(source.slice(between), language);
            count
        });
        count.is_zero()
    })
}
