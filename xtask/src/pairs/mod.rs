//! Brings pairs of releases with the ordinary package clients and unpacks their source files.
//!
//! The cache is laid out `CACHE/<package>/{old,new}/...`; a package that is there is not brought again.

mod apt;
mod clients;
mod unpack;

use std::fs;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result, bail};
use treegraft_replay::packages::{Ecosystem, Package, Packages};

use apt::Apt;

/// Brings all packages of the list (or those whose name contains `only`); gives how many failed.
pub(crate) fn bring(list: &Path, cache: &Path, only: Option<&str>, force: bool) -> Result<usize> {
    let list = Packages::read(list)?;
    let wanted: Vec<&Package> =
        list.packages.iter().filter(|package| only.is_none_or(|part| package.name.contains(part))).collect();
    if wanted.is_empty() {
        bail!("no package of the list has `{}` in its name", only.unwrap_or_default());
    }
    fs::create_dir_all(cache).with_context(|| format!("cannot make {}", cache.display()))?;
    let mut apt = None;
    let mut failed = 0;
    for (n, package) in wanted.iter().enumerate() {
        let label = format!("[{}/{}] {} {} -> {}", n + 1, wanted.len(), package.name, package.old, package.new);
        let target = cache.join(package.folder());
        if !force && target.join(STAMP).is_file_with(&stamp(package)) {
            say(&format!("{label}: there"));
            continue;
        }
        match bring_one(package, &target, &list.apt_suites, &mut apt) {
            Ok((old, new)) => say(&format!("{label}: {old} and {new} files")),
            Err(error) => {
                failed += 1;
                say(&format!("{label}: error: {error:#}"));
            }
        }
    }
    say(&format!("{} packages in {}, {failed} failed", wanted.len() - failed, cache.display()));
    Ok(failed)
}

/// Says what was unpacked, so that a change of the list brings the package anew.
const STAMP: &str = ".pair";

fn stamp(package: &Package) -> String {
    format!("{} {} {} {}\n", package.name, package.old, package.new, package.languages.join(","))
}

trait IsFileWith {
    fn is_file_with(&self, text: &str) -> bool;
}

impl IsFileWith for Path {
    fn is_file_with(&self, text: &str) -> bool {
        fs::read_to_string(self).is_ok_and(|found| found == text)
    }
}

/// Unpacks both releases beside the target and renames at the end, so that an interrupted run leaves no half package.
fn bring_one(package: &Package, target: &Path, suites: &[String], apt: &mut Option<Apt>) -> Result<(usize, usize)> {
    let parent = target.parent().context("the cache has no parent folder")?;
    let work = tempfile::Builder::new().prefix(".bringing-").tempdir_in(parent)?;
    let pair = work.path().join("pair");
    let mut counts = [0; 2];
    for (side, version, count) in [("old", &package.old, 0), ("new", &package.new, 1)] {
        let download = work.path().join(format!("download-{side}"));
        fs::create_dir_all(&download)?;
        let archive = match package.ecosystem {
            Ecosystem::Pip => clients::pip(&package.name, version, &download)?,
            Ecosystem::Npm => clients::npm(&package.name, version, &download)?,
            Ecosystem::Cargo => clients::cargo(&package.name, version, &download)?,
            Ecosystem::Apt => {
                let apt = match apt {
                    Some(apt) => apt,
                    None => apt.insert(Apt::new(suites)?),
                };
                apt.source(&package.name, version, &download)?
            }
        };
        let to = pair.join(side);
        fs::create_dir_all(&to)?;
        counts[count] = unpack::unpack(&archive, &to, &package.languages)
            .with_context(|| format!("cannot unpack {}", archive.display()))?;
        if counts[count] == 0 {
            bail!("release {version} holds no file of {}", package.languages.join(", "));
        }
    }
    fs::write(pair.join(STAMP), stamp(package))?;
    if target.exists() {
        fs::remove_dir_all(target)?;
    }
    fs::rename(&pair, target)?;
    Ok((counts[0], counts[1]))
}

/// Writes a line to standard error; a closed pipe doesn't matter here.
pub(crate) fn say(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}
