//! Facts about a text that one character decides.

use crate::range::LineRange;
use crate::source::Source;

/// A fact about a text: some character is so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Trait {
    /// A character is an accent of the letter before it.
    Marks,
    /// A character is a Latin letter with its accent.
    Composed,
}

impl Trait {
    /// All of them, in the order of their numbers.
    pub(crate) const ALL: [Self; 2] = [Self::Marks, Self::Composed];

    /// Says whether some line of a text is so.
    ///
    /// # Cost
    ///
    /// A look at each block's digest; without digests a pass over the text up to the first such line.
    pub(crate) fn holds(self, source: &Source<'_>) -> bool {
        match source.digests() {
            Some(digests) => digests.have(self),
            None => self.is_in(source, LineRange::new(0, source.n_lines())),
        }
    }

    /// Says whether one of some lines is so.
    pub(crate) fn is_in(self, source: &Source<'_>, lines: LineRange) -> bool {
        let text = source.slice(lines);
        match self {
            Self::Marks => !text.is_ascii() && text.contains(is_mark),
            Self::Composed => !text.is_ascii() && text.contains(is_composed),
        }
    }
}

/// Says whether a character is an accent of the letter before it.
pub(crate) fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}')
}

/// Says whether a character is a Latin letter with its accent.
pub(crate) fn is_composed(c: char) -> bool {
    matches!(c, '\u{c0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}') && c.is_alphabetic()
}
