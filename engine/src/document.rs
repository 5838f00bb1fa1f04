//! A file that is kept warm between edits, and a bounded store of such files.
//!
//! A [`Document`] holds a text and what a pass over it would find: its lines, their indents, and the
//! [`Digests`](crate::digest::Digests) of its blocks. An edit made from it takes the same way through the engine as any
//! other and comes to the same outcome; where a pass over the text is due, it looks into few blocks instead. Of what was
//! parsed the windows of the last results are kept ([`Trees`]), for the next edits of the same places; a tree of the
//! whole would take longer to be moved than a window to be parsed.
//!
//! # Cost
//!
//! Made in some cold edits' time. A replacement makes the blocks around it anew (some hundred lines), and moves what lies
//! behind it: a copy of the text and an addition for each line and block, some hundredths of a cold edit's time. Memory
//! beyond the text: about 14 bytes a line and an eighth of the text; [`Document::n_bytes`] counts it.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::apply::LARGEST_SOURCE;
use crate::diff;
use crate::digest::Digests;
use crate::engine::{Edit, Pair};
use crate::error::{Error, Input};
use crate::outcome::Outcome;
use crate::range::ByteRange;
use crate::replacement::Replacement;
use crate::source::{BYTE_ORDER_MARK, LineTable, Source};
use crate::treesitter::{Language, Trees};

/// Replacements that are put in one by one. More are put in by making everything anew: each moves all that lies behind it.
const FEW: usize = 32;

/// The trees that are kept of a document may take one part of so many of its text. Smaller: memory beyond the text; larger:
/// fewer places are read from memory.
const SHARE_OF_TREES: usize = 2;

/// What they may take at least, in bytes: the tree of one window.
const LEAST_OF_TREES: usize = 64 << 10;

/// A file that is kept warm between edits.
///
/// # Examples
///
/// ```
/// use treegraft::{Document, Engine};
///
/// let engine = Engine::default();
/// let mut document = Document::new("shapes.py", "def area(r):\n    return 3 * r ** 2\n")?;
/// for (old, new) in [("3 *", "3.14 *"), ("r ** 2", "r * r")] {
///     let snippet = document.text().replace(old, new);
///     let outcome = engine.apply(&document.edit(&snippet))?;
///     assert!(outcome.verdict().is_trusted());
///     document.accept(&outcome)?;
/// }
/// assert_eq!(document.text(), "def area(r):\n    return 3.14 * r * r\n");
/// # Ok::<(), treegraft::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Document {
    path: String,
    language: Option<Language>,
    text: String,
    lines: LineTable,
    digests: Digests,
    trees: Trees,
    /// Another one after each change: whatever was made from the document says with it which text it saw.
    state: Arc<()>,
}

impl Document {
    /// Takes the text of the file `path` in (only its name counts, nothing is read).
    ///
    /// # Errors
    ///
    /// [`Error::NotText`], and [`Error::TooLarge`] for 4 GiB and more. The limit of an engine holds when an edit is applied.
    pub fn new(path: impl Into<String>, text: impl Into<String>) -> Result<Self, Error> {
        let (path, text) = (path.into(), text.into());
        let language = Language::from_path(&path);
        admit(&text)?;
        let (lines, digests) = known(&text, language);
        Ok(Self { path, language, text, lines, digests, trees: Trees::default(), state: Arc::default() })
    }

    /// Sets the language; without it the path decides.
    ///
    /// # Cost
    ///
    /// That of [`Document::new`], if the path says another.
    #[must_use]
    pub fn language(mut self, language: Language) -> Self {
        if self.language != Some(language) {
            self.language = Some(language);
            (self.lines, self.digests) = known(&self.text, self.language);
            self.trees = Trees::default();
        }
        self
    }

    /// Gives the file's path, as it was handed in.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Gives the text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Counts the bytes that are held: the text and what is known of it.
    #[must_use]
    pub fn n_bytes(&self) -> usize {
        size_of::<Self>()
            + self.path.capacity()
            + self.text.capacity()
            + self.lines.n_bytes()
            + self.digests.n_bytes()
            + self.trees.n_bytes()
    }

    /// Makes an edit of the file, as [`Edit::new`] does.
    #[must_use]
    pub fn edit<'a>(&'a self, snippet: &'a str) -> Edit<'a> {
        self.keep(Edit::new(&self.path, &self.text, snippet))
    }

    /// Makes an edit of old texts and their new versions, as [`Edit::pairs`] does.
    #[must_use]
    pub fn pairs<'a>(&'a self, pairs: &[Pair<'a>]) -> Edit<'a> {
        self.keep(Edit::pairs(&self.path, &self.text, pairs))
    }

    fn keep<'a>(&'a self, edit: Edit<'a>) -> Edit<'a> {
        Edit { document: Some(self), language: self.language, ..edit }
    }

    /// Gives the text with all that is known of it.
    pub(crate) fn source(&self) -> Source<'_> {
        Source::kept(&self.text, &self.lines, &self.digests, &self.trees)
    }

    /// Gives what stands for the text as it is now.
    pub(crate) fn state(&self) -> &Arc<()> {
        &self.state
    }

    /// Takes the result of an edit over.
    ///
    /// # Cost
    ///
    /// That of the outcome's replacements.
    ///
    /// # Errors
    ///
    /// [`Error::Stale`] where the edit was made from the document before it changed, or from another text that differs
    /// where something is replaced; then nothing changes.
    pub fn accept(&mut self, outcome: &Outcome) -> Result<(), Error> {
        let (Some(first), reads) = (outcome.replacements().first(), &outcome.reads) else { return Ok(()) };
        if reads.as_ref().is_some_and(|(state, _)| !Arc::ptr_eq(state, &self.state)) {
            return Err(Error::Stale { offset: first.bytes.start });
        }
        self.replace(outcome.replacements())?;
        if let Some((_, reads)) = reads {
            let most = (self.text.len() / SHARE_OF_TREES).max(LEAST_OF_TREES);
            self.trees.keep(reads.clone(), most);
        }
        Ok(())
    }

    /// Puts some replacements in, which must rise and be disjoint.
    ///
    /// # Examples
    ///
    /// ```
    /// use treegraft::{Document, Engine, Error};
    ///
    /// let mut document = Document::new("a.txt", "one\ntwo\nthree\n")?;
    /// let outcome = treegraft::apply("a.txt", document.text(), "one\n2\nthree\n")?;
    /// document.replace(outcome.replacements())?;
    /// assert_eq!(document.text(), "one\n2\nthree\n");
    /// assert_eq!(document.replace(outcome.replacements()), Err(Error::Stale { offset: 4 }));
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::Stale`] where an old text isn't the document's, [`Error::NotText`] and [`Error::TooLarge`]; then nothing
    /// changes.
    pub fn replace(&mut self, replacements: &[Replacement]) -> Result<(), Error> {
        let mut at = 0;
        for one in replacements {
            let ByteRange { start, end } = one.bytes;
            if start < at || self.text.get(start..end) != Some(&one.old) {
                return Err(Error::Stale { offset: start });
            }
            admit(&one.new)?;
            at = end;
        }
        let n_more: usize = replacements.iter().map(|one| one.new.len()).sum();
        admit_size(self.text.len() + n_more)?;
        if replacements.len() > FEW {
            let text = diff::rebuild(&self.source(), replacements);
            (self.lines, self.digests) = known(&text, self.language);
            self.trees = Trees::default();
            self.state = Arc::default();
            self.text = text;
        } else {
            for one in replacements.iter().rev() {
                self.splice(one.bytes, &one.new);
            }
        }
        Ok(())
    }

    /// Takes another version of the text over, whatever changed.
    ///
    /// # Cost
    ///
    /// A comparison of both texts from both ends, and what a replacement of all between the equal ends costs.
    ///
    /// # Errors
    ///
    /// [`Error::NotText`] and [`Error::TooLarge`]; then nothing changes.
    pub fn set_text(&mut self, text: &str) -> Result<(), Error> {
        admit(text)?;
        let old: &str = &self.text;
        let head = equal_head(old.as_bytes(), text.as_bytes());
        let head = (0..=head).rev().find(|&at| old.is_char_boundary(at) && text.is_char_boundary(at)).unwrap_or(0);
        let tail = equal_tail(&old.as_bytes()[head..], &text.as_bytes()[head..]);
        let is_border =
            |tail: &usize| old.is_char_boundary(old.len() - tail) && text.is_char_boundary(text.len() - tail);
        let tail = (0..=tail).rev().find(is_border).unwrap_or(0);
        let bytes = ByteRange::new(head, old.len() - tail);
        let new = &text[head..text.len() - tail];
        if !(bytes.is_empty() && new.is_empty()) {
            self.splice(bytes, new);
        }
        Ok(())
    }

    /// Puts `new` in the place of some bytes, which begin and end between characters.
    fn splice(&mut self, bytes: ByteRange, new: &str) {
        let ended = self.text.ends_with('\n');
        let had_mark = self.text.starts_with(BYTE_ORDER_MARK);
        let text = &mut self.text;
        text.replace_range(bytes.start..bytes.end, new);
        let starts_alike =
            text.starts_with(BYTE_ORDER_MARK) == had_mark && (!had_mark || bytes.start >= BYTE_ORDER_MARK.len());
        self.state = Arc::default();
        let lines = if starts_alike { self.lines.replace(bytes, new, ended) } else { None };
        if let Some((old_lines, new_lines)) = lines {
            self.digests.replace(&Source::of_lines(text, &self.lines), old_lines, new_lines);
            let (start, end) = (self.lines.start(new_lines.start), self.lines.start(new_lines.end));
            let old_bytes = ByteRange::new(start, end - new.len() + bytes.len());
            self.trees.replace((old_lines, new_lines), (old_bytes, end - start));
        } else {
            (self.lines, self.digests) = known(text, self.language);
            self.trees = Trees::default();
        }
    }
}

/// Finds all that is kept of a text.
fn known(text: &str, language: Option<Language>) -> (LineTable, Digests) {
    let lines = LineTable::new(text);
    let digests = Digests::new(&Source::of_lines(text, &lines), language);
    (lines, digests)
}

fn admit(text: &str) -> Result<(), Error> {
    admit_size(text.len())?;
    match memchr::memchr(0, text.as_bytes()) {
        Some(offset) => Err(Error::NotText { input: Input::Original, offset }),
        None => Ok(()),
    }
}

fn admit_size(bytes: usize) -> Result<(), Error> {
    if bytes > LARGEST_SOURCE {
        return Err(Error::TooLarge { input: Input::Original, bytes, limit: LARGEST_SOURCE });
    }
    Ok(())
}

/// Bytes that are compared at once. Larger: more is compared twice where texts part; smaller: more comparisons.
const COMPARED: usize = 1024;

/// Counts the bytes that are equal from the start.
fn equal_head(a: &[u8], b: &[u8]) -> usize {
    let n = a.chunks(COMPARED).zip(b.chunks(COMPARED)).take_while(|(a, b)| a == b).map(|(a, _)| a.len()).sum::<usize>();
    n + a[n..].iter().zip(&b[n..]).take_while(|(a, b)| a == b).count()
}

/// Counts the bytes that are equal from the end.
fn equal_tail(a: &[u8], b: &[u8]) -> usize {
    let n =
        a.rchunks(COMPARED).zip(b.rchunks(COMPARED)).take_while(|(a, b)| a == b).map(|(a, _)| a.len()).sum::<usize>();
    n + a[..a.len() - n].iter().rev().zip(b[..b.len() - n].iter().rev()).take_while(|(a, b)| a == b).count()
}

/// Documents that are kept for the next edit, as many as fit into some bytes; the one that wasn't asked for longest goes
/// first.
///
/// A document is taken out while an edit of it is under way, so a server that holds the store in a mutex holds the mutex
/// for a moment only.
///
/// # Cost
///
/// Finding and evicting a document take the logarithm of their number.
///
/// # Examples
///
/// ```
/// use treegraft::{Documents, Engine};
///
/// let engine = Engine::default();
/// let mut documents = Documents::new(64 << 20);
/// let mut text = String::from("one\ntwo\nthree\n");
/// for snippet in ["one\n2\nthree\n", "one\n2\n3\n"] {
///     let mut document = documents.take("a.txt", &text)?;
///     let outcome = engine.apply(&document.edit(snippet))?;
///     text = outcome.text().to_owned();
///     document.accept(&outcome)?;
///     documents.put(document);
/// }
/// assert_eq!(text, "one\n2\n3\n");
/// assert_eq!(documents.len(), 1);
/// # Ok::<(), treegraft::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Documents {
    limit: usize,
    n_bytes: usize,
    /// How often a document was put in.
    n_puts: u64,
    /// Each with the number of the put that brought it.
    by_path: BTreeMap<String, (u64, Document)>,
    /// The paths by these numbers, the oldest first.
    by_age: BTreeMap<u64, String>,
}

impl Documents {
    /// Makes an empty store for documents of `limit` bytes together, texts and all that is known of them.
    #[must_use]
    pub fn new(limit: usize) -> Self {
        Self { limit, n_bytes: 0, n_puts: 0, by_path: BTreeMap::new(), by_age: BTreeMap::new() }
    }

    /// Takes the document of a file out, with `text` as its text: the one that is kept, brought up to date, or a new one.
    ///
    /// # Errors
    ///
    /// Those of [`Document::new`]; what is kept stays.
    pub fn take(&mut self, path: &str, text: &str) -> Result<Document, Error> {
        admit(text)?;
        match self.remove(path) {
            Some(mut document) => {
                document.set_text(text)?;
                Ok(document)
            }
            None => Document::new(path, text),
        }
    }

    /// Keeps a document in the place of any other of its path. One that is larger than the store is not kept.
    pub fn put(&mut self, document: Document) {
        self.remove(document.path());
        let n_bytes = document.n_bytes();
        if n_bytes > self.limit {
            return;
        }
        self.n_bytes += n_bytes;
        self.n_puts += 1;
        self.by_age.insert(self.n_puts, document.path.clone());
        self.by_path.insert(document.path.clone(), (self.n_puts, document));
        while self.n_bytes > self.limit
            && let Some((_, path)) = self.by_age.pop_first()
        {
            self.forget(&path);
        }
    }

    /// Takes the document of a file out as it is.
    pub fn remove(&mut self, path: &str) -> Option<Document> {
        let (age, document) = self.forget(path)?;
        self.by_age.remove(&age);
        Some(document)
    }

    fn forget(&mut self, path: &str) -> Option<(u64, Document)> {
        let found = self.by_path.remove(path)?;
        self.n_bytes -= found.1.n_bytes();
        Some(found)
    }

    /// Counts the documents.
    #[must_use]
    pub fn len(&self) -> usize {
        self.by_path.len()
    }

    /// Says whether there is no document.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.by_path.is_empty()
    }

    /// Counts the bytes of all documents together: at most the limit.
    #[must_use]
    pub fn n_bytes(&self) -> usize {
        self.n_bytes
    }
}
