//! The figures of a run, and the file that keeps all its cases.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::time::Duration;

use serde::Serialize;

use crate::error::Error;
use crate::measure::{Measured, Status};
use crate::snippet::Group;

/// All measured cases of a run, in a fixed order: ordinary ones first, each kind by id.
#[derive(Debug, Clone)]
pub struct Report {
    /// The cases.
    pub cases: Vec<Measured>,
}

/// The figures of one row of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Cases.
    pub n: usize,
    /// Byte for byte the new file.
    pub exact: usize,
    /// The new file but for blank lines and trailing blanks.
    pub right: usize,
    /// Right, and trusted.
    pub trusted_right: usize,
    /// Right, but with a doubt.
    pub flagged_right: usize,
    /// Wrong, with a doubt.
    pub flagged_wrong: usize,
    /// Wrong, and trusted.
    pub silent: usize,
    /// No result.
    pub refused: usize,
    /// Panics.
    pub panicked: usize,
    /// Half of the edits took no longer.
    pub median: Duration,
    /// Ninety-nine of a hundred edits took no longer.
    pub p99: Duration,
}

impl Counts {
    /// Counts cases.
    pub fn of<'a>(cases: impl IntoIterator<Item = &'a Measured>) -> Self {
        let mut counts = Self::default();
        let mut times = Vec::new();
        for case in cases {
            let trusted = case.status == Status::Trusted;
            counts.n += 1;
            counts.exact += usize::from(case.exact);
            counts.right += usize::from(case.right);
            counts.trusted_right += usize::from(case.right && trusted);
            counts.flagged_right += usize::from(case.right && case.status == Status::NeedsVerify);
            counts.flagged_wrong += usize::from(!case.right && case.status == Status::NeedsVerify);
            counts.silent += usize::from(case.is_silent());
            counts.refused += usize::from(case.status == Status::Refused);
            counts.panicked += usize::from(case.status == Status::Panicked);
            times.push(case.time);
        }
        times.sort_unstable();
        let at = |percent: usize| times.get((times.len() * percent).div_ceil(100).saturating_sub(1)).copied();
        counts.median = at(50).unwrap_or_default();
        counts.p99 = at(99).unwrap_or_default();
        counts
    }
}

impl Report {
    /// Counts the cases of a group.
    #[must_use]
    pub fn totals(&self, group: Group) -> Counts {
        Counts::of(self.cases.iter().filter(|case| case.case.style.group() == group))
    }
}

#[derive(Serialize)]
// Each is a column of its own in whatever reads the file.
#[allow(clippy::struct_excessive_bools)]
struct Record<'a> {
    id: &'a str,
    package: &'a str,
    path: &'a str,
    language: &'a str,
    half: Option<&'static str>,
    style: &'static str,
    description_kind: &'static str,
    hard: bool,
    original: &'a str,
    snippet: &'a str,
    description: &'a str,
    wanted: &'a str,
    got: Option<&'a str>,
    verdict: &'static str,
    reasons: &'a [String],
    ledger: &'a [String],
    exact: bool,
    right: bool,
    silent: bool,
    elapsed_us: u64,
}

/// Keeps all cases, one JSON object a line.
pub(crate) fn write_json(report: &Report, path: &Path) -> Result<(), Error> {
    let failed = |error| Error::write(path.display().to_string(), error);
    let mut out = BufWriter::new(File::create(path).map_err(failed)?);
    for measured in &report.cases {
        let case = &measured.case;
        let record = Record {
            id: &case.id,
            package: &case.package,
            path: &case.path,
            language: case.language,
            half: case.half.map(crate::packages::Half::as_str),
            style: case.style.as_str(),
            description_kind: case.description_kind.as_str(),
            hard: case.style.is_hard(),
            original: &case.original,
            snippet: &case.snippet,
            description: &case.description,
            wanted: &case.wanted,
            got: measured.got.as_deref(),
            verdict: measured.status.as_str(),
            reasons: &measured.reasons,
            ledger: &measured.ledger,
            exact: measured.exact,
            right: measured.right,
            silent: measured.is_silent(),
            elapsed_us: u64::try_from(measured.time.as_micros()).unwrap_or(u64::MAX),
        };
        serde_json::to_writer(&mut out, &record).map_err(|error| failed(error.into()))?;
        out.write_all(b"\n").map_err(failed)?;
    }
    out.flush().map_err(failed)
}
