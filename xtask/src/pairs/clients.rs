//! One function a client: each brings one archive into a folder and gives its path.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

/// Runs a client; on failure the last lines it said are the error.
pub(super) fn run(command: &mut Command) -> Result<String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().with_context(|| format!("cannot run {name}: is it installed?"))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        let tail: Vec<&str> = said.lines().rev().filter(|line| !line.trim().is_empty()).take(3).collect();
        let tail: Vec<&str> = tail.into_iter().rev().collect();
        bail!("{name} failed ({}): {}", output.status, tail.join(" / "));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Brings a wheel: it holds the sources and needs no build.
pub(super) fn pip(name: &str, version: &str, dir: &Path) -> Result<PathBuf> {
    run(Command::new("python3")
        .args(["-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:"])
        .args(["--disable-pip-version-check", "--dest"])
        .arg(dir)
        .arg(format!("{name}=={version}")))?;
    only_file(dir)
}

/// Brings a tarball; nothing of it is run.
pub(super) fn npm(name: &str, version: &str, dir: &Path) -> Result<PathBuf> {
    run(Command::new("npm")
        .args(["pack", "--silent", "--ignore-scripts", "--pack-destination"])
        .arg(dir)
        .arg(format!("{name}@{version}"))
        .current_dir(dir))?;
    only_file(dir)
}

/// Brings a crate: `cargo info` downloads exactly one, without its dependencies.
pub(super) fn cargo(name: &str, version: &str, dir: &Path) -> Result<PathBuf> {
    run(Command::new("cargo").args(["info", "--quiet", &format!("{name}@{version}")]).current_dir(dir))?;
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from).or_else(|| {
        let home = std::env::var_os("HOME").or_else(|| std::env::var_os("USERPROFILE"))?;
        Some(PathBuf::from(home).join(".cargo"))
    });
    let cache = home.context("neither CARGO_HOME nor a home folder is known")?.join("registry").join("cache");
    let wanted = format!("{name}-{version}.crate");
    for registry in fs::read_dir(&cache).with_context(|| format!("cannot read {}", cache.display()))? {
        let found = registry?.path().join(&wanted);
        if found.is_file() {
            return Ok(found);
        }
    }
    bail!("cargo left no {wanted} in {}", cache.display());
}

fn only_file(dir: &Path) -> Result<PathBuf> {
    let mut files: Vec<PathBuf> =
        fs::read_dir(dir)?.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>()?;
    match (files.pop(), files.is_empty()) {
        (Some(file), true) => Ok(file),
        _ => bail!("the client did not leave exactly one file in {}", dir.display()),
    }
}
