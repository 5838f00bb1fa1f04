//! What is known of an original's declarations: as much as was asked for.
//!
//! Scopes are paired by name, so of a whole file's outline only those declarations count whose names the snippet has,
//! and what lies around them. A chart finds where such names stand by a search for their words ([`names`]), reads the
//! windows of those places ([`Window`]), and knows each declaration of the names that a parse of the whole
//! would find. Later stages ask what stands around some lines; what isn't known yet is read then.
//!
//! Where no window can be relied on, or a name has no word to look for, the whole is read, once.
//!
//! # Cost
//!
//! One search of the text for the words, and a parse of 1 to 3 KB for each place.

mod names;
#[cfg(all(test, feature = "default"))]
mod tests;

use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;

use super::language::CommentSigns;
use super::outline::{Item, Outline};
use super::trees::Read;
use super::window::Window;
use super::{Language, comment_signs};
use crate::budget::{Budget, Limit, Meter};
use crate::range::LineRange;
use crate::source::Source;
use names::Name;

/// Places that are looked at for each name, and [`MOST_PLACES`] for all. Larger: the windows of a name that stands
/// everywhere take longer than the whole; smaller: the whole is read for a few more.
const PLACES_A_NAME: usize = 16;
const MOST_PLACES: usize = 64;

/// Imports that are looked at. More are read with the whole.
const MOST_IMPORTS: usize = 400;

/// An original and what is known of its declarations.
#[derive(Debug)]
pub(crate) struct Chart<'s> {
    source: &'s Source<'s>,
    language: Option<Language>,
    /// Of a file whose language has no grammar.
    signs: CommentSigns,
    /// Whether windows may be read for the syntax.
    checks_windows: bool,
    /// Whether they may be read for the outline as well.
    by_windows: bool,
    /// What is left of the budget for reading it.
    left: Cell<Budget>,
    /// All declarations of the names asked for.
    named: Rc<Part>,
    /// What was asked for later.
    parts: RefCell<Vec<Rc<Part>>>,
    whole: OnceCell<Rc<Part>>,
    /// What was read of the result.
    reads: RefCell<Vec<Read>>,
}

/// What a window shows; without one, the whole.
#[derive(Debug, Default)]
pub(crate) struct Part {
    pub(crate) window: Option<Window>,
    pub(crate) outline: Outline,
}

impl<'s> Chart<'s> {
    /// Charts an original for a snippet: finds all declarations of the names that `wanted`, the outline of `text`, has.
    pub(crate) fn for_names(
        source: &'s Source<'s>,
        path: &str,
        language: Option<Language>,
        (wanted, text): (&Outline, &Source<'_>),
        by_windows: bool,
        budget: Budget,
    ) -> Self {
        let with_rules = language.filter(|&language| by_windows && Window::has_rules(source, language));
        let mut chart = Self {
            source,
            language,
            signs: comment_signs(path, language),
            checks_windows: with_rules.is_some(),
            by_windows: with_rules.is_some_and(|language| Window::shows_scopes(source, language)),
            left: Cell::new(budget),
            named: Rc::default(),
            parts: RefCell::default(),
            whole: OnceCell::new(),
            reads: RefCell::default(),
        };
        let mut items = Vec::new();
        let mut stack: Vec<&Item> = wanted.items.iter().collect();
        while let Some(item) = stack.pop() {
            items.push(item);
            stack.extend(&item.children);
        }
        chart.named = chart.of_names_and_imports(&items, text);
        chart
    }

    /// Charts an original whose declarations don't matter.
    pub(crate) fn empty(source: &'s Source<'s>) -> Self {
        let whole = OnceCell::from(Rc::default());
        Self {
            source,
            language: None,
            signs: comment_signs("", None),
            checks_windows: false,
            by_windows: false,
            left: Cell::new(Budget::NONE),
            named: Rc::default(),
            parts: RefCell::default(),
            whole,
            reads: RefCell::default(),
        }
    }

    /// Gives the original's language, if it has one.
    pub(crate) fn language(&self) -> Option<Language> {
        self.language
    }

    /// Gives all declarations of the names asked for, and some more.
    pub(crate) fn named(&self) -> &Outline {
        &self.named.outline
    }

    /// Gives the outline of the whole.
    pub(crate) fn all(&self) -> Rc<Part> {
        self.whole()
    }

    /// Gives the limit that cut a parse short.
    pub(crate) fn cut_by(&self) -> Option<Limit> {
        self.named.outline.cut_by.or_else(|| self.whole.get()?.outline.cut_by)
    }

    /// Gives an outline that has all declarations and blocks around some lines, which must rise and be disjoint.
    pub(crate) fn around(&self, lines: &[LineRange]) -> Rc<Part> {
        if let Some(whole) = self.whole.get() {
            return Rc::clone(whole);
        }
        let Some(language) = self.language.filter(|_| self.by_windows) else { return self.whole() };
        if let Some(part) = self.known_around(lines, language) {
            return part;
        }
        let part = self.read(lines);
        self.parts.borrow_mut().push(Rc::clone(&part));
        part
    }

    /// Gives a part with the window of some lines, which must rise and be disjoint; `None` where there is none to rely on.
    pub(crate) fn window_around(&self, lines: &[LineRange], meter: &Meter) -> Option<Rc<Part>> {
        let language = self.language.filter(|_| self.checks_windows)?;
        self.known_around(lines, language).or_else(|| {
            let window = Window::of(self.source, language, lines, meter)?;
            Some(Rc::new(Part { window: Some(window), outline: Outline::default() }))
        })
    }

    /// Keeps what was read of the result, for the next edit of it.
    pub(crate) fn keep_reads(&self, reads: Vec<Read>) {
        *self.reads.borrow_mut() = reads;
    }

    /// Gives what was read of the result.
    pub(crate) fn into_reads(self) -> Vec<Read> {
        self.reads.into_inner()
    }

    /// Finds what was read around some lines.
    fn known_around(&self, lines: &[LineRange], language: Language) -> Option<Rc<Part>> {
        let needs = Window::needs(self.source, language, lines);
        let covers = |part: &&Rc<Part>| part.window.as_ref().is_some_and(|window| window.covers(&needs));
        Some(&self.named).filter(covers).cloned().or_else(|| self.parts.borrow().iter().find(covers).cloned())
    }

    /// Counts the items of the original that have the name of one of them, at all levels.
    pub(crate) fn count_named(&self, item: &Item) -> usize {
        let name = self.language.and_then(|language| Name::of(item, self.source, language));
        self.of(name.map(|name| vec![name.of_any_kind()]), Some(Vec::new())).outline.count_named(&item.name)
    }

    /// The same, with all imports at the left edge, beside which new ones have their place.
    fn of_names_and_imports(&self, items: &[&Item], text: &Source<'_>) -> Rc<Part> {
        let Some(language) = self.language.filter(|_| self.by_windows) else { return self.whole() };
        let names = items.iter().map(|item| Name::of(item, text, language)).collect();
        self.of(names, names::import_rows(self.source, language, MOST_IMPORTS))
    }

    /// Reads all places that may declare the names of some items of `text`.
    #[cfg(test)]
    fn of_names(&self, items: &[&Item], text: &Source<'_>) -> Rc<Part> {
        let Some(language) = self.language.filter(|_| self.by_windows) else { return self.whole() };
        self.of(items.iter().map(|item| Name::of(item, text, language)).collect(), Some(Vec::new()))
    }

    /// Reads all places that may declare some names, and some more rows; the whole where they can't be looked for.
    fn of(&self, names: Option<Vec<Name>>, more: Option<Vec<LineRange>>) -> Rc<Part> {
        let language = self.language.filter(|_| self.by_windows && self.whole.get().is_none());
        let (Some(language), Some(mut names), Some(more)) = (language, names, more) else { return self.whole() };
        names.sort_unstable();
        names.dedup();
        let rows = names::rows(self.source, language, &names, MOST_PLACES + PLACES_A_NAME * names.len());
        let rows = rows.map(|rows| {
            let mut rows = [rows, more].concat();
            rows.sort_unstable();
            rows.dedup();
            rows
        });
        match rows {
            Some(rows) if rows.is_empty() => {
                Rc::new(Part { window: None, outline: Outline { parsed: true, ..Outline::default() } })
            }
            Some(rows) => self.read(&rows),
            None => self.whole(),
        }
    }

    /// Reads the window of some lines, or the whole.
    fn read(&self, lines: &[LineRange]) -> Rc<Part> {
        let read = |meter: &Meter| {
            let window = Window::of(self.source, self.language?, lines, meter)?;
            let outline = Outline::of_window(self.source, &window, meter)?;
            Some(Rc::new(Part { window: Some(window), outline }))
        };
        self.metered(read).unwrap_or_else(|| self.whole())
    }

    fn whole(&self) -> Rc<Part> {
        let read = |meter: &Meter| {
            let outline = match self.language {
                None => Outline::by_indent(self.source, self.signs),
                language => Outline::of(self.source, language, meter),
            };
            Rc::new(Part { window: None, outline })
        };
        Rc::clone(self.whole.get_or_init(|| self.metered(read)))
    }

    /// Reads with what is left of the budget. The clock stands still in between.
    fn metered<T>(&self, read: impl FnOnce(&Meter) -> T) -> T {
        let meter = Meter::start(self.left.get());
        let read = read(&meter);
        self.left.set(meter.left());
        read
    }
}
