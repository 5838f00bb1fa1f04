//! A run: changes to cases, cases to measured ones, and what is asked to be shown.

use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use rayon::prelude::*;

use crate::change::Change;
use crate::error::Error;
use crate::language::family;
use crate::measure::{Measured, measure};
use crate::misses::{self, Only};
use crate::report::Report;
use crate::rng::Rng;
use crate::snippet::{self, Case, Group, Style};
use crate::{source, table};

/// Ordinary cases for each hard negative.
const HARD_SHARE: usize = 4;
/// Ordinary cases for each case of another shape.
const SHAPE_SHARE: usize = 2;
/// A style that fits few changes is preferred this many times where it fits, so that its row in the table means something.
const RARE_STYLE: u64 = 6;

/// Where changes come from.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Source {
    /// A git repository's history.
    Git(PathBuf),
    /// A folder with `old/` and `new/`, or a folder of such folders.
    Pairs(PathBuf),
}

/// Which packages are measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Split {
    /// All of them.
    #[default]
    All,
    /// The half that may be looked at case by case.
    Tune,
    /// The half that is looked at only in totals.
    Held,
}

/// What to measure and what to show of it.
#[derive(Debug, Clone)]
pub struct Options {
    /// Where changes come from.
    pub source: Source,
    /// The list that says which half a package belongs to; without it a package's name decides.
    pub packages: Option<PathBuf>,
    /// At most this many ordinary cases, half as many of other shapes, and a quarter as many hard negatives. Where
    /// styles are named, as many of other shapes.
    pub max: Option<usize>,
    /// What all choices depend on.
    pub seed: u64,
    /// Styles to use; all if empty.
    pub styles: Vec<Style>,
    /// The half to measure.
    pub split: Split,
    /// Take a pair's whole difference as one change instead of walking it in steps.
    pub whole_changes: bool,
    /// Only cases whose id contains this.
    pub id: Option<String>,
    /// How many misses to show.
    pub show_misses: usize,
    /// Which misses to show.
    pub only: Only,
    /// Tables in Markdown instead of plain text.
    pub markdown: bool,
    /// Where to keep all cases.
    pub json: Option<PathBuf>,
    /// Whether to show progress on standard error when it is a terminal.
    pub progress: bool,
}

impl Options {
    /// Makes the options of a plain run over `source`.
    #[must_use]
    pub fn new(source: Source) -> Self {
        Self {
            source,
            packages: None,
            max: None,
            seed: 1,
            styles: Vec::new(),
            split: Split::All,
            whole_changes: false,
            id: None,
            show_misses: 0,
            only: Only::Any,
            markdown: false,
            json: None,
            progress: true,
        }
    }
}

/// Measures the engine on a source and writes the tables (and misses) to `out`.
///
/// # Errors
///
/// Only what keeps the run from being made; see [`Error`].
pub fn run(options: &Options, out: &mut dyn Write) -> Result<Report, Error> {
    let spinner = bar(options, None, "reading changes");
    let changes = source::collect(options)?;
    spinner.finish_and_clear();
    let cases = cases(&changes, options);
    drop(changes);
    let bar = bar(options, Some(cases.len()), "cases");
    let measured = quietly(|| {
        cases
            .into_par_iter()
            .map(|case| {
                let measured = measure(case);
                bar.inc(1);
                measured
            })
            .collect::<Vec<Measured>>()
    });
    bar.finish_and_clear();
    let report = Report { cases: measured };
    // First, so that a reader who stops reading still has all of it.
    if let Some(path) = &options.json {
        crate::report::write_json(&report, path)?;
    }
    let io = |error| Error::write("the report", error);
    misses::write(&report, options, out).map_err(io)?;
    table::write(&report, options.markdown, out).map_err(io)?;
    Ok(report)
}

/// Runs `work` without the panic messages of the engine on standard error: a panic is a figure in the table.
fn quietly<T>(work: impl FnOnce() -> T) -> T {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let result = work();
    std::panic::set_hook(hook);
    result
}

fn bar(options: &Options, n: Option<usize>, what: &'static str) -> ProgressBar {
    let bar = match n {
        Some(n) => ProgressBar::new(n as u64),
        None => ProgressBar::new_spinner(),
    };
    if !options.progress || !std::io::stderr().is_terminal() {
        bar.set_draw_target(ProgressDrawTarget::hidden());
    }
    let template = if n.is_some() { "{bar:30} {pos}/{len} {msg} ({eta})" } else { "{spinner} {msg}" };
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar.set_message(what);
    bar.enable_steady_tick(Duration::from_millis(100));
    bar
}

/// Writes the cases, group by group, each evenly over languages and packages.
fn cases(changes: &[Change], options: &Options) -> Vec<Case> {
    let styles = |group: Group| -> Vec<Style> {
        let wanted = |style: &Style| options.styles.is_empty() || options.styles.contains(style);
        Style::ALL.iter().copied().filter(|style| style.group() == group && wanted(style)).collect()
    };
    let share = |group: Group| match group {
        Group::Shape if options.styles.is_empty() => SHAPE_SHARE,
        Group::Lazy | Group::Shape => 1,
        Group::Hard => HARD_SHARE,
    };
    let order = order(changes, options.seed);
    let mut all = Vec::new();
    for group in Group::ALL {
        let styles = styles(group);
        if styles.is_empty() {
            continue;
        }
        let max = options.max.map_or(usize::MAX, |max| max.div_ceil(share(group)));
        let mut found: Vec<Case> = Vec::new();
        // In portions, so that no more are written than asked for.
        for portion in order.chunks(512) {
            if found.len() >= max {
                break;
            }
            let written: Vec<Option<Case>> =
                portion.par_iter().map(|&n| case(&changes[n], &styles, options.seed)).collect();
            found.extend(written.into_iter().flatten().take(max - found.len()));
        }
        all.extend(found);
    }
    if let Some(part) = &options.id {
        all.retain(|case| case.id.contains(part.as_str()));
    }
    all.sort_by(|a, b| (a.style.group(), &a.id).cmp(&(b.style.group(), &b.id)));
    all
}

/// Writes the first case, in an order that seed and change decide, that the change has something to say in.
fn case(change: &Change, styles: &[Style], seed: u64) -> Option<Case> {
    let id = change.origin.id();
    let mut order: Vec<(u64, Style)> = styles
        .iter()
        .map(|&style| {
            let rank = Rng::new(seed, &[&id, style.as_str(), "order"]).next();
            (
                if matches!(style, Style::Removal | Style::Twin | Style::Gap | Style::Cut) {
                    rank / RARE_STYLE
                } else {
                    rank
                },
                style,
            )
        })
        .collect();
    order.sort_unstable();
    // A whole file fits nearly every change; as a stopgap for other styles it would outweigh them.
    let stopgap = |n: usize, style: Style| n > 0 && style == Style::Whole;
    let mut order = order.into_iter().enumerate().filter(|&(n, (_, style))| !stopgap(n, style));
    order.find_map(|(_, (_, style))| snippet::write(change, style, seed))
}

/// Orders changes so that each beginning of the order is spread evenly over languages, and within one over packages and files.
fn order(changes: &[Change], seed: u64) -> Vec<usize> {
    use std::collections::BTreeMap;
    let mut order: Vec<usize> = (0..changes.len()).collect();
    order.sort_by_cached_key(|&n| (Rng::new(seed, &[&changes[n].origin.id(), "sample"]).next(), n));
    // A change's rank is how many of its package, and then of its language, come before it.
    let mut of_package: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    let mut ranked: Vec<(usize, usize)> = order
        .iter()
        .map(|&n| {
            let origin = &changes[n].origin;
            let rank = of_package.entry((family(origin.language), &origin.package)).or_default();
            *rank += 1;
            (*rank, n)
        })
        .collect();
    ranked.sort_by_key(|&(rank, _)| rank);
    let mut of_language: BTreeMap<&str, usize> = BTreeMap::new();
    let mut ranked: Vec<(usize, usize)> = ranked
        .into_iter()
        .map(|(_, n)| {
            let rank = of_language.entry(family(changes[n].origin.language)).or_default();
            *rank += 1;
            (*rank, n)
        })
        .collect();
    ranked.sort_by_key(|&(rank, _)| rank);
    ranked.into_iter().map(|(_, n)| n).collect()
}
