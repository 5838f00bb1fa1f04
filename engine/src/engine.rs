//! The entry: an [`Engine`] applies an [`Edit`] and gives an [`Outcome`](crate::Outcome).

use crate::Outcome;
use crate::budget::Budget;
use crate::document::Document;
use crate::error::{Error, Input};
use crate::outcome::Shape;
use crate::source::Source;
use crate::treesitter::Language;
use crate::validate::Validation;
use crate::verify::Verification;

/// Limits and defaults of an [`Engine`]. Each edit may set its own budget.
///
/// # Examples
///
/// ```
/// let mut options = treegraft::Options::default();
/// options.max_bytes = 1 << 20;
/// let refused = treegraft::Engine::new(options).apply(&treegraft::Edit::new("a.txt", &"x\n".repeat(1 << 20), "y\n"));
/// assert_eq!(refused.unwrap_err().code(), "too_large");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// What each parse may take: the two outlines and the syntax check. Default: 500 ms each.
    pub budget: Budget,
    /// Parse only what an edit touches, where that is sure to say what a parse of the whole file would. Default: true;
    /// without, an edit of a large file takes as long as two parses of it. Made for holding one against the other.
    pub windows: bool,
    /// Largest original and largest snippet, in bytes. Default: 256 MiB.
    pub max_bytes: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self { budget: Budget::default(), windows: true, max_bytes: 256 << 20 }
    }
}

/// An old text and what takes its place, at as many places as it is expected to have.
///
/// # Examples
///
/// ```
/// use treegraft::{Edit, Engine, Pair};
///
/// let pairs = [Pair::new("area(", "area_of(").count(2)];
/// let original = "fn area(r: f64) -> f64 { r * r }\nfn main() { area(2.0); }\n";
/// let outcome = Engine::default().apply(&Edit::pairs("a.rs", original, &pairs))?;
/// assert_eq!(outcome.text(), "fn area_of(r: f64) -> f64 { r * r }\nfn main() { area_of(2.0); }\n");
/// assert!(outcome.verdict().is_trusted());
/// # Ok::<(), treegraft::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Pair<'a> {
    /// The text that is there now; it may be a part of a line, or several lines.
    pub old: &'a str,
    /// The text that takes its place.
    pub new: &'a str,
    /// At how many places the old text stands, all of which change. Default: 1.
    pub count: usize,
}

impl<'a> Pair<'a> {
    /// Makes a pair whose old text is expected once.
    #[must_use]
    pub fn new(old: &'a str, new: &'a str) -> Self {
        Self { old, new, count: 1 }
    }

    /// Sets at how many places the old text is expected.
    #[must_use]
    pub fn count(mut self, count: usize) -> Self {
        self.count = count;
        self
    }
}

/// One edit: a file, what a model wrote for it, and what is known beside that.
#[derive(Debug, Clone)]
pub struct Edit<'a> {
    pub(crate) path: &'a str,
    pub(crate) original: &'a str,
    /// What is kept of the original, if it is.
    pub(crate) document: Option<&'a Document>,
    pub(crate) snippet: &'a str,
    pub(crate) pairs: Vec<Pair<'a>>,
    pub(crate) shape: Option<Shape>,
    pub(crate) description: &'a str,
    pub(crate) language: Option<Language>,
    pub(crate) add_missing_edges: bool,
    pub(crate) budget: Option<Budget>,
}

impl<'a> Edit<'a> {
    /// Makes an edit of the file `path` (only its name counts, nothing is read).
    ///
    /// # Examples
    ///
    /// ```
    /// let edit = treegraft::Edit::new("a.py", "x = 1\n", "x = 2\n").description("Type: replace\nReplace: line 1");
    /// # let _ = edit;
    /// ```
    #[must_use]
    pub fn new(path: &'a str, original: &'a str, snippet: &'a str) -> Self {
        Self {
            path,
            original,
            document: None,
            snippet,
            pairs: Vec::new(),
            shape: None,
            description: "",
            language: Language::from_path(path),
            add_missing_edges: true,
            budget: None,
        }
    }

    /// Makes an edit of old texts and their new versions. All old texts are looked for in the file as it is.
    ///
    /// # Examples
    ///
    /// ```
    /// use treegraft::{Edit, Engine, Pair, Shape};
    ///
    /// let pairs = [Pair::new("b = 2", "b = 3")];
    /// let outcome = Engine::default().apply(&Edit::pairs("a.py", "a = 1\nb = 2\n", &pairs))?;
    /// assert_eq!((outcome.shape(), outcome.text()), (Shape::Pairs, "a = 1\nb = 3\n"));
    /// # Ok::<(), treegraft::Error>(())
    /// ```
    #[must_use]
    pub fn pairs(path: &'a str, original: &'a str, pairs: &[Pair<'a>]) -> Self {
        Self { pairs: pairs.to_vec(), shape: Some(Shape::Pairs), ..Self::new(path, original, "") }
    }

    /// Makes an edit from bytes that may not be text.
    ///
    /// # Examples
    ///
    /// ```
    /// use treegraft::{Edit, Error, Input};
    ///
    /// let latin1 = b"# caf\xe9\n";
    /// let refused = Edit::from_bytes("menu.py", latin1, b"x = 1\n").unwrap_err();
    /// assert_eq!(refused, Error::NotUtf8 { input: Input::Original, offset: 5 });
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::NotUtf8`] with the first offending byte.
    pub fn from_bytes(path: &'a str, original: &'a [u8], snippet: &'a [u8]) -> Result<Self, Error> {
        let text = |bytes, input| {
            std::str::from_utf8(bytes).map_err(|error| Error::NotUtf8 { input, offset: error.valid_up_to() })
        };
        Ok(Self::new(path, text(original, Input::Original)?, text(snippet, Input::Snippet)?))
    }

    /// Cuts the original into lines, or takes what a document keeps.
    pub(crate) fn source(&self) -> Source<'a> {
        self.document.map_or_else(|| Source::new(self.original), Document::source)
    }

    /// Adds what the model said about the edit: `Type:`, `Summary:`, `Replace:` and `Remove:` fields.
    #[must_use]
    pub fn description(mut self, description: &'a str) -> Self {
        self.description = description;
        self
    }

    /// Sets the language; without it the path decides.
    #[must_use]
    pub fn language(mut self, language: Language) -> Self {
        self.language = Some(language);
        self
    }

    /// Sets the shape the snippet is read as; without it the text decides.
    ///
    /// A text that can't be read so is refused with [`Error::OtherShape`].
    ///
    /// # Examples
    ///
    /// ```
    /// use treegraft::{Edit, Engine, Shape};
    ///
    /// let edit = Edit::new("a.txt", "one\n", "+one\n").shape(Shape::SearchReplace);
    /// let refused = Engine::default().apply(&edit).unwrap_err();
    /// assert_eq!(refused.code(), "other_shape");
    /// ```
    #[must_use]
    pub fn shape(mut self, shape: Shape) -> Self {
        self.shape = Some(shape);
        self
    }

    /// Says whether a reference is implied where the snippet starts or ends without one. Default: true.
    #[must_use]
    pub fn add_missing_edges(mut self, yes: bool) -> Self {
        self.add_missing_edges = yes;
        self
    }

    /// Sets what each parse may take, the two outlines and the syntax check; without it [`Options::budget`] holds. A
    /// [`Duration`](std::time::Duration) sets the time alone.
    #[must_use]
    pub fn budget(mut self, budget: impl Into<Budget>) -> Self {
        self.budget = Some(budget.into());
        self
    }
}

/// Applies edits. One per process: it is `Send + Sync` and keeps no state between edits but its options.
///
/// # Examples
///
/// ```
/// use treegraft::{Edit, Engine};
///
/// let engine = Engine::default();
/// let outcome = std::thread::scope(|scope| {
///     scope.spawn(|| engine.apply(&Edit::new("a.txt", "", "first\n"))).join().expect("the engine never panics")
/// })?;
/// assert_eq!(outcome.text(), "first\n");
/// # Ok::<(), treegraft::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Engine {
    options: Options,
}

impl Engine {
    /// Makes an engine.
    #[must_use]
    pub fn new(options: Options) -> Self {
        Self { options }
    }

    /// Gives the limits this engine works in.
    #[must_use]
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Merges a snippet into its file.
    ///
    /// # Examples
    ///
    /// ```
    /// use treegraft::{Edit, Engine, Options};
    ///
    /// let original = "fn one() -> u32 {\n    1\n}\n\nfn two() -> u32 {\n    2\n}\n";
    /// let snippet = "// ... existing code ...\n\nfn two() -> u32 {\n    1 + 1\n}\n";
    /// let outcome = Engine::new(Options::default()).apply(&Edit::new("a.rs", original, snippet))?;
    /// assert!(outcome.verdict().is_trusted());
    /// assert_eq!(outcome.text(), "fn one() -> u32 {\n    1\n}\n\nfn two() -> u32 {\n    1 + 1\n}\n");
    /// # Ok::<(), treegraft::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Only what can't be worked on at all; see [`Error`]. Every doubt is in the outcome's verdict.
    pub fn apply(&self, edit: &Edit<'_>) -> Result<Outcome, Error> {
        crate::apply::apply(edit, &self.options)
    }

    /// Holds another engine's merge of an edit against our own and against the original: says where it differs, and
    /// gives the text with that put right.
    ///
    /// Where our own merge is trusted, it is what the other one must be, but for the number of blank lines at the edge of
    /// the edit. Where it isn't, no merge is clean, and only what no reading of the edit touches is judged.
    ///
    /// # Examples
    ///
    /// ```
    /// use treegraft::{Edit, Engine, FindingKind};
    ///
    /// let edit = Edit::new("a.py", "import os\n\nx = 1\ny = 2\n", "# ... existing code ...\nx = 1\ny = 3\n");
    /// let verification = Engine::default().verify(&edit, "x = 1\ny = 3\n")?;
    /// assert_eq!(verification.findings()[0].kind, FindingKind::Lost);
    /// assert_eq!(verification.repaired(), "import os\n\nx = 1\ny = 3\n");
    /// # Ok::<(), treegraft::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of [`Engine::apply`], and [`Error::TooLarge`] and [`Error::NotText`] for the merge.
    pub fn verify(&self, edit: &Edit<'_>, merged: &str) -> Result<Verification, Error> {
        crate::verify::verify(self, edit, merged)
    }

    /// Merges many snippets into their files, on all threads of the rayon pool it is called in. Each edit has its own
    /// budget, and one that is slow holds no other up.
    ///
    /// # Cost
    ///
    /// That of the edits, divided by the threads; all outcomes are held at once. Who streams edits calls
    /// [`Engine::apply`] from threads of their own.
    ///
    /// # Examples
    ///
    /// ```
    /// use treegraft::{Edit, Engine};
    ///
    /// let edits = [Edit::new("a.txt", "", "one\n"), Edit::new("b.txt", "", "two\n"), Edit::new("c.txt", "x\n", "")];
    /// let outcomes = Engine::default().apply_many(&edits);
    /// assert_eq!(outcomes[0].as_ref().map(treegraft::Outcome::text), Ok("one\n"));
    /// assert_eq!(outcomes[1].as_ref().map(treegraft::Outcome::text), Ok("two\n"));
    /// assert!(outcomes[2].is_err());
    /// ```
    ///
    /// # Errors
    ///
    /// For each edit, in its place, what [`Engine::apply`] gives.
    #[cfg(feature = "parallel")]
    #[must_use]
    pub fn apply_many(&self, edits: &[Edit<'_>]) -> Vec<Result<Outcome, Error>> {
        use rayon::prelude::*;

        edits.par_iter().map(|edit| self.apply(edit)).collect()
    }

    /// Checks the syntax of a whole text within the budget; all its errors count as new.
    ///
    /// # Examples
    ///
    /// ```
    /// use treegraft::{Engine, Language, SyntaxStatus};
    ///
    /// let checked = Engine::default().check("def f(:\n    pass\n", Some(Language::Python))?;
    /// assert_eq!(checked.status, SyntaxStatus::Invalid);
    /// assert_eq!(checked.new_errors[0].lines.one_based(), (1, 1));
    /// # Ok::<(), treegraft::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::TooLarge`] and [`Error::NotText`].
    pub fn check(&self, text: &str, language: Option<Language>) -> Result<Validation, Error> {
        crate::apply::admit(text, Input::Original, &self.options)?;
        Ok(crate::validate::syntax::check(text, language, self.options.budget))
    }
}
