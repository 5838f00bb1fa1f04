//! Another engine's merge held against the original: which bytes outside of the edit it altered, and the merge with
//! those bytes put back.
//!
//! # The model
//!
//! The ledger of our own merge says of each original line whether it stays or goes, and which snippet lines are written.
//! The lines that stay are aligned with the other merge: first those that are equal byte for byte, then in between
//! those that differ in white space at their ends alone. A line that stays must be in the merge, byte for byte. What
//! else the merge holds must be what the snippet writes, wherever the other engine put it, and as often.
//!
//! Where our own merge is not trusted its places are no measure. Then whatever lies at a change that the snippet
//! accounts for, ours or the other's, belongs to the edit: new text of the snippet stands there, or lines that the
//! snippet shows one right after the other have come together. What lies away from that is still judged.
//!
//! # Repair
//!
//! The repaired text is the merge with the original's bytes wherever a finding says that they were altered: lost lines
//! come back, lines from nowhere go, white space, line ends, the final newline and the byte order mark are the file's.
//! No line that comes from the snippet is ever taken out. Where lost lines and text of the edit stand together and
//! nothing says in which order, the merge is left as it is and the finding remains.
//!
//! # Cost
//!
//! One [`Engine::apply`](crate::Engine::apply) and two line diffs of the whole texts.

mod compare;
mod finding;
mod repair;
#[cfg(feature = "serde")]
mod report;
mod script;

pub use finding::{Finding, FindingKind};
#[cfg(feature = "serde")]
pub use report::VerifyReport;

use crate::engine::{Edit, Engine};
use crate::error::Error;
use crate::outcome::Outcome;
use crate::source::Source;
use compare::Comparison;
use script::Script;

/// What [`Engine::verify`](crate::Engine::verify) found in another engine's merge.
///
/// # Examples
///
/// ```
/// use treegraft::{Edit, Engine, FindingKind};
///
/// let original = "import os\nimport sys\n\n# Prints the folder.\ndef main():\n    print(os.getcwd())\n";
/// let snippet = "# ... existing code ...\ndef main():\n    print(os.getcwd(), sys.argv)\n";
/// let merged = "import os\n\n# Prints the folder\ndef main():\n    print(os.getcwd(), sys.argv)";
/// let verification = Engine::default().verify(&Edit::new("a.py", original, snippet), merged)?;
/// let kinds: Vec<FindingKind> = verification.findings().iter().map(|finding| finding.kind).collect();
/// assert_eq!(kinds, [FindingKind::Lost, FindingKind::Altered, FindingKind::FinalNewline]);
/// assert!(verification.left().is_empty());
/// assert_eq!(verification.repaired(), original.replace("getcwd()", "getcwd(), sys.argv"));
/// # Ok::<(), treegraft::Error>(())
/// ```
#[derive(Debug, Clone)]
#[must_use]
pub struct Verification {
    findings: Vec<Finding>,
    left: Vec<Finding>,
    repaired: String,
    is_certain: bool,
}

impl Verification {
    /// Says whether nothing was found.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.findings.is_empty()
    }

    /// Gives what was found, in the order of the merge.
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// Gives the merge with the original's bytes put back; the merge itself if nothing was found.
    #[must_use]
    pub fn repaired(&self) -> &str {
        &self.repaired
    }

    /// Takes the repaired text out.
    #[must_use]
    pub fn into_repaired(self) -> String {
        self.repaired
    }

    /// Gives what is still to be found in [`Verification::repaired`]; its lines are those of the repaired text.
    #[must_use]
    pub fn left(&self) -> &[Finding] {
        &self.left
    }

    /// Says whether our own merge of the snippet is trusted, so that every place was judged; else what lies at the
    /// edit was passed over.
    #[must_use]
    pub fn is_certain(&self) -> bool {
        self.is_certain
    }
}

/// Verifies a merge; see [`Engine::verify`].
pub(crate) fn verify(engine: &Engine, edit: &Edit<'_>, merged: &str) -> Result<Verification, Error> {
    crate::apply::admit(merged, crate::Input::Merge, engine.options())?;
    let outcome = engine.apply(edit)?;
    let (findings, repaired) = judge(edit.original, &outcome, merged);
    let left = if findings.is_empty() { Vec::new() } else { judge(edit.original, &outcome, &repaired).0 };
    Ok(Verification { findings, left, repaired, is_certain: outcome.verdict().is_trusted() })
}

fn judge(original: &str, outcome: &Outcome, merged: &str) -> (Vec<Finding>, String) {
    let (original, snippet, merged) = (Source::new(original), Source::new(outcome.snippet()), Source::new(merged));
    let script = Script::of(&original, &snippet, outcome);
    let comparison = Comparison::new(&script, &merged);
    let findings = finding::findings(&script, &comparison, &merged);
    if findings.is_empty() {
        return (findings, merged.text().to_owned());
    }
    let repaired = repair::repair(&script, &comparison, &merged);
    (findings, repaired)
}

#[cfg(test)]
mod tests;
