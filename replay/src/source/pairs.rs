//! Pairs of releases: files of equal path in `old` and `new`.
//!
//! Two releases lie many commits apart, so a file's difference is walked in steps of one to four neighbouring hunks: step n starts
//! from the text that the steps before it have made. Each step leaves the brackets around it as they were, so that no
//! step ends inside a block whose other half a later one brings.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::{MAX_CHANGED_LINES, admit};
use crate::change::{Change, Origin, loose_brackets};
use crate::error::Error;
use crate::packages::{Half, Packages};
use crate::rng::Rng;
use crate::{Options, Split, language_of};

/// Hunks of one step: a commit's worth. More make each case harder than a real edit, fewer leave out edits in two places.
const HUNKS_PER_STEP: usize = 4;
/// Steps of one file that are kept: large files would outweigh the rest.
const STEPS_PER_FILE: usize = 8;

/// Reads all pairs below `dir`.
pub(super) fn collect(dir: &Path, options: &Options) -> Result<Vec<Change>, Error> {
    let packages = match &options.packages {
        Some(path) => Some(Packages::read(path)?),
        None => None,
    };
    let mut roots = Vec::new();
    if is_pair(dir) {
        roots.push(dir.to_path_buf());
    } else {
        roots.extend(entries(dir)?.into_iter().filter(|path| is_pair(path)));
    }
    if roots.is_empty() {
        return Err(Error::NoPairs { path: dir.to_path_buf() });
    }
    let mut files = Vec::new();
    for root in roots {
        let package = root.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let half = packages.as_ref().and_then(|packages| packages.half_of(&package)).unwrap_or_else(|| half(&package));
        if matches!((options.split, half), (Split::Tune, Half::Held) | (Split::Held, Half::Tune)) {
            continue;
        }
        let mut found = Vec::new();
        walk(&root.join("old"), &mut found)?;
        for old in found {
            let Ok(path) = old.strip_prefix(root.join("old")) else { continue };
            let new = root.join("new").join(path);
            let path = path.to_string_lossy().replace('\\', "/");
            if let Some(language) = language_of(&path) {
                let origin =
                    Origin { package: package.clone(), path, commit: String::new(), language, half: Some(half) };
                files.push((origin, old, new));
            }
        }
    }
    let changes: Vec<Vec<Change>> = files
        .into_par_iter()
        .map(|(origin, old, new)| {
            let (Ok(old), Ok(new)) = (fs::read(old), fs::read(new)) else { return Vec::new() };
            admit(origin, &old, &new).map_or_else(Vec::new, |change| steps(&change, options))
        })
        .collect();
    Ok(changes.into_iter().flatten().collect())
}

fn half(package: &str) -> Half {
    if Rng::new(0, &["half", package]).one_in(2) { Half::Tune } else { Half::Held }
}

fn is_pair(dir: &Path) -> bool {
    dir.join("old").is_dir() && dir.join("new").is_dir()
}

/// Lists a folder in the order of names.
fn entries(dir: &Path) -> Result<Vec<PathBuf>, Error> {
    let read = fs::read_dir(dir).map_err(|error| Error::read(dir, error))?;
    let mut paths: Vec<PathBuf> = read
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()
        .map_err(|error| Error::read(dir, error))?;
    paths.sort();
    Ok(paths)
}

/// Collects the files below `dir`; links are not followed.
fn walk(dir: &Path, files: &mut Vec<PathBuf>) -> Result<(), Error> {
    for path in entries(dir)? {
        let meta = fs::symlink_metadata(&path).map_err(|error| Error::read(&path, error))?;
        if meta.is_dir() {
            walk(&path, files)?;
        } else if meta.is_file() {
            files.push(path);
        }
    }
    Ok(())
}

/// Walks a file's difference in steps.
fn steps(change: &Change, options: &Options) -> Vec<Change> {
    if options.whole_changes {
        let mut change = change.clone();
        "release".clone_into(&mut change.origin.commit);
        return if change.n_changed() <= MAX_CHANGED_LINES { vec![change] } else { Vec::new() };
    }
    let mut rng = Rng::new(options.seed, &["steps", &change.origin.id()]);
    let ranges = ranges(change, &mut rng);
    let mut order: Vec<usize> = (0..ranges.len()).collect();
    order.sort_by_cached_key(|_| rng.next());
    order.truncate(STEPS_PER_FILE);
    order.sort_unstable();
    order
        .into_iter()
        .map(|n| {
            let mut step = change.step(ranges[n].clone());
            step.origin.commit = format!("step{n}");
            step
        })
        .filter(|step| step.n_changed() <= MAX_CHANGED_LINES && super::says_something(step))
        .collect()
}

fn ranges(change: &Change, rng: &mut Rng) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    let mut start = 0;
    while start < change.hunks.len() {
        let mut end = (start + 1 + rng.below(HUNKS_PER_STEP)).min(change.hunks.len());
        while !is_closed(change, start..end) && end < change.hunks.len() {
            end += 1;
        }
        ranges.push(start..end);
        start = end;
    }
    ranges
}

/// Says whether the hunks leave the brackets around them as they were: the text from the first to the last of them leaves
/// the same ones open, and closes the same ones, before and after.
fn is_closed(change: &Change, hunks: Range<usize>) -> bool {
    let (Some(first), Some(last)) = (change.hunks.get(hunks.start), change.hunks.get(hunks.end - 1)) else {
        return true;
    };
    let old = &change.old.lines[first.before.start..last.before.end];
    let new = &change.new.lines[first.after.start..last.after.end];
    loose_brackets(old) == loose_brackets(new)
}
