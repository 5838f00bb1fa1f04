//! Another engine's merge held against the original: which bytes outside of the edit it altered, and the merge with
//! those bytes put back.
//!
//! # The model
//!
//! Where our own merge of the edit is trusted, it is what the other one should be: line for line and byte for byte, but
//! for the number of blank lines beside lines that it adds or takes out. Every other difference is a finding, and the repaired text is
//! our own merge: it holds the edit, and the original's bytes everywhere else.
//!
//! Where it isn't trusted, nothing is called clean. The merge is held against the original, and a difference is judged
//! only if no reading of the edit can have meant it: it lies away from what our own reading touches, neither the lines
//! that differ nor the ones next to them are in the snippet, and what is lost is nowhere else. The repair puts back just
//! what was judged. If a second look at it finds more, the merge is left as it is.
//!
//! # Cost
//!
//! One [`Engine::apply`](crate::Engine::apply) and two line diffs of the whole texts; without trust those of the repaired
//! text as well.

mod compare;
mod finding;
mod repair;
#[cfg(feature = "serde")]
mod report;
mod target;

pub use finding::{Finding, FindingKind};
#[cfg(feature = "serde")]
pub use report::VerifyReport;

use crate::engine::{Edit, Engine};
use crate::error::Error;
use crate::source::Source;
use compare::Comparison;
use target::{Parts, Target};

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
    /// Says whether our own merge is trusted and nothing was found.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.is_certain && self.findings.is_empty()
    }

    /// Gives what was found, in the order of the merge.
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// Gives the merge itself if nothing was found. Else: where our own merge is trusted that one, else the merge with
    /// the original's bytes put back where that is sure to be right.
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

    /// Says whether our own merge of the snippet is trusted, so that every place was judged; else only what no reading
    /// of the edit touches was.
    #[must_use]
    pub fn is_certain(&self) -> bool {
        self.is_certain
    }
}

/// Verifies a merge; see [`Engine::verify`].
pub(crate) fn verify(engine: &Engine, edit: &Edit<'_>, merged: &str) -> Result<Verification, Error> {
    crate::apply::admit(merged, crate::Input::Merge, engine.options())?;
    let outcome = engine.apply(edit)?;
    let [original, snippet, result] = [edit.original, outcome.snippet(), outcome.text()].map(Source::new);
    let parts = Parts { original: &original, snippet: &snippet, result: &result };
    let target = Target::new(parts, edit, &outcome);
    let (findings, repaired) = judge(&target, merged);
    let is_certain = target.is_certain;
    if is_certain || findings.is_empty() {
        return Ok(Verification { findings, left: Vec::new(), repaired, is_certain });
    }
    let (left, _) = judge(&target, &repaired);
    if left.iter().all(|finding| finding.kind == FindingKind::ReferenceLeft) {
        return Ok(Verification { findings, left, repaired, is_certain });
    }
    Ok(Verification { left: findings.clone(), findings, repaired: merged.to_owned(), is_certain })
}

/// Finds what is wrong with a merge, and repairs it.
fn judge(target: &Target<'_>, merged: &str) -> (Vec<Finding>, String) {
    let merged = Source::new(merged);
    let comparison = Comparison::new(target, &merged);
    let findings = finding::findings(target, &comparison, &merged);
    let repaired = match (findings.is_empty(), target.is_certain) {
        (true, _) => merged.text().to_owned(),
        (false, true) => target.text.text().to_owned(),
        (false, false) => repair::repair(target, &comparison, &merged),
    };
    (findings, repaired)
}

#[cfg(test)]
mod tests;
