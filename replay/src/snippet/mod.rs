//! Writes the snippet that a model would have written for a real change.
//!
//! A style chooses which old lines are shown ([`plan`]) or how they are written down; the truth is always the new file, and always
//! derivable from original, snippet and description by a careful reader. [`negative`] is the contrary: cases where nobody can know.

mod bare;
mod blanks;
mod blocks;
mod context;
mod crlf;
mod declaration;
mod describe;
mod edges;
mod hunks;
mod negative;
mod plan;
mod plusminus;
mod reference;
mod removal;
mod shift;
mod structure;
mod whole;
mod wording;
mod wrapped;

#[cfg(test)]
mod tests;

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use crate::change::{Change, Text};
use crate::error::Error;
use crate::language::family;
use crate::packages::Half;
use crate::rng::Rng;

pub use describe::DescriptionKind;

use plan::{Item, View};

/// Styles that are sampled and counted together. Each group has cases of its own, so that a new style changes no other
/// group's figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Group {
    /// Snippets with references, and their like: the ordinary cases.
    Lazy,
    /// Other shapes: diffs, patches, blocks, pairs, bare declarations, wrapped texts.
    Shape,
    /// Hard negatives.
    Hard,
}

impl Group {
    /// All groups, in the order of the tables.
    pub const ALL: [Self; 3] = [Self::Lazy, Self::Shape, Self::Hard];
}

macro_rules! styles {
    ($($(#[$doc:meta])* $variant:ident = $name:literal, $group:ident;)*) => {
        /// How a snippet is written, or in what way it can't be placed.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Style { $($(#[$doc])* $variant,)* }

        impl Style {
            /// All styles, in the order of the tables.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// Gives the style's name.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// Gives the group the style is sampled and counted in.
            #[must_use]
            pub fn group(self) -> Group {
                match self { $(Self::$variant => Group::$group,)* }
            }
        }
    };
}

styles! {
    /// Each changed run with one to three lines around it.
    Context = "context", Lazy;
    /// With enclosing headers and closing lines, references at the depth of what they elide.
    Structure = "structure", Lazy;
    /// The whole changed declaration.
    Declaration = "declaration", Lazy;
    /// Removal markers where lines vanish.
    Removal = "removal", Lazy;
    /// No reference at the start or the end.
    Edges = "edges", Lazy;
    /// Other phrases and comment signs.
    Wording = "wording", Lazy;
    /// Trailing blanks, doubled or dropped blank lines beside references.
    Blanks = "blanks", Lazy;
    /// The whole snippet at another indentation, or with the other kind of it.
    Shift = "shift", Lazy;
    /// A CRLF original, a LF snippet.
    Crlf = "crlf", Lazy;
    /// Lines marked `+` and `-`.
    PlusMinus = "plusminus", Lazy;
    /// The whole new file.
    Whole = "whole", Lazy;
    /// Search/replace blocks.
    SearchReplace = "search_replace", Shape;
    /// A unified diff, its numbers right, wrong or missing.
    Unified = "unified", Shape;
    /// A patch whose `@@` lines name scopes.
    Patch = "patch", Shape;
    /// Old and new texts, parts of lines among them.
    Pairs = "pairs", Shape;
    /// The changed declaration and nothing else.
    Bare = "bare", Shape;
    /// Another style in a code fence.
    Fenced = "fenced", Shape;
    /// With the line numbers of a view.
    Numbered = "numbered", Shape;
    /// The context fits two places.
    Twin = "twin", Hard;
    /// The function whose body is elided isn't in the file.
    Absent = "absent", Hard;
    /// Only new code between two references.
    Gap = "gap", Hard;
    /// The snippet ends in the middle of a block.
    Cut = "cut", Hard;
}

impl Style {
    /// Says whether only a doubt is a right answer.
    #[must_use]
    pub fn is_hard(self) -> bool {
        self.group() == Group::Hard
    }
}

impl fmt::Display for Style {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for Style {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        let found = Self::ALL.iter().find(|style| style.as_str() == name);
        found.copied().ok_or_else(|| Error::UnknownStyle { name: name.to_owned() })
    }
}

/// One question to the engine, with its answer.
#[derive(Debug, Clone)]
pub struct Case {
    /// Repository or package, path, commit, style, kind of description and seed.
    pub id: String,
    /// Repository or package.
    pub package: String,
    /// The file's path in it.
    pub path: String,
    /// The file's language, as [`crate::language_of`] names it; TSX counts as TypeScript.
    pub language: &'static str,
    /// The package's half; `None` for a repository's history.
    pub half: Option<Half>,
    /// How the snippet is written.
    pub style: Style,
    /// What the description says.
    pub description_kind: DescriptionKind,
    /// The file as it is.
    pub original: String,
    /// What the model wrote; for old and new texts, one pair after the other for people to read.
    pub snippet: String,
    /// Old and new texts, each of which stands once.
    pub pairs: Vec<(String, String)>,
    /// What it said about it.
    pub description: String,
    /// The new file. For a hard style nobody can know it.
    pub wanted: String,
}

/// What a line of a snippet is, while it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    /// An old line that stays.
    Keep,
    /// A new line.
    Add,
    /// An old line that goes, shown with a `-`.
    Minus,
    /// A reference.
    Reference,
    /// A removal marker.
    Marker,
}

/// A line of a snippet, while it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Line {
    text: String,
    role: Role,
}

impl Line {
    fn new(role: Role, text: impl Into<String>) -> Self {
        Self { text: text.into(), role }
    }
}

/// A snippet before its description is written: the lines, and the change it is about where that isn't the one asked for.
struct Draft {
    lines: Vec<Line>,
    change: Option<Change>,
    pairs: Vec<(String, String)>,
}

impl From<Vec<Line>> for Draft {
    fn from(lines: Vec<Line>) -> Self {
        Self { lines, change: None, pairs: Vec::new() }
    }
}

/// Writes the snippet of `change` in `style`; `None` where the style has nothing to say of it or the truth couldn't be derived.
pub(crate) fn write(change: &Change, style: Style, seed: u64) -> Option<Case> {
    let id = change.origin.id();
    let mut rng = Rng::new(seed, &[&id, style.as_str()]);
    let view = View::new(change);
    let draft = match style {
        Style::Context => context::write(&view, &mut rng)?.into(),
        Style::Structure => structure::write(&view, &mut rng)?.into(),
        Style::Declaration => declaration::write(&view, &mut rng)?.into(),
        Style::Removal => removal::write(&view, &mut rng)?.into(),
        Style::Edges => edges::write(&view, &mut rng)?.into(),
        Style::Wording => wording::write(&view, &mut rng)?.into(),
        Style::Blanks => blanks::write(&view, &mut rng)?.into(),
        Style::Shift => shift::write(&view, &mut rng)?.into(),
        Style::Crlf => crlf::write(&view, &mut rng)?,
        Style::PlusMinus => plusminus::write(&view, &mut rng)?.into(),
        Style::Whole => whole::write(&view)?.into(),
        Style::SearchReplace => hunks::search_replace(&view, &mut rng)?.into(),
        Style::Unified => hunks::unified(&view, &mut rng)?.into(),
        Style::Patch => hunks::patch(&view, &mut rng)?.into(),
        Style::Pairs => hunks::pairs(&view, &mut rng)?,
        Style::Bare => bare::write(&view, &mut rng)?.into(),
        Style::Fenced => wrapped::fenced(&view, &mut rng)?.into(),
        Style::Numbered => wrapped::numbered(&view, &mut rng)?.into(),
        Style::Twin => negative::twin(&view, &mut rng)?,
        Style::Absent => negative::absent(&view, &mut rng)?,
        Style::Gap => negative::gap(&view, &mut rng)?,
        Style::Cut => negative::cut(&view, &mut rng)?,
    };
    let change = draft.change.as_ref().unwrap_or(change);
    let (kind, description) = describe::describe(change, style, &mut rng);
    let mut snippet: String = draft.lines.iter().map(|line| line.text.as_str()).collect::<Vec<_>>().join("\n");
    snippet.push('\n');
    let origin = &change.origin;
    Some(Case {
        id: format!("{id}#{style}.{kind}.{seed}"),
        package: origin.package.clone(),
        path: origin.path.clone(),
        language: family(origin.language),
        half: origin.half,
        style,
        description_kind: kind,
        original: change.old.join(),
        snippet,
        pairs: draft.pairs,
        description,
        wanted: change.new.join(),
    })
}

/// Writes parts down; `reference` words each gap.
fn render(view: &View<'_>, items: &[Item], mut reference: impl FnMut(&Range<usize>) -> String) -> Vec<Line> {
    let Text { lines: new, .. } = &view.change.new;
    items
        .iter()
        .filter_map(|item| match item {
            Item::Keep(n) => Some(Line::new(Role::Keep, view.old[*n].as_str())),
            Item::Add(n) => Some(Line::new(Role::Add, new[*n].as_str())),
            Item::Gap(range) => Some(Line::new(Role::Reference, reference(range))),
            Item::Cut(_) => None,
        })
        .collect()
}

/// Writes parts down with the usual reference.
fn render_plain(view: &View<'_>, items: &[Item]) -> Vec<Line> {
    render(view, items, |gap| reference::usual(view, gap))
}
