//! Debian source packages from more suites than the machine itself uses.
//!
//! The machine's own configuration is only read: its mirror and keyring go into a private list of sources for the
//! suites asked for, in a folder that vanishes with [`Apt`].

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, anyhow, bail};

use super::clients::run;

/// A private apt configuration.
pub(super) struct Apt {
    root: tempfile::TempDir,
}

impl Apt {
    /// Sets up the configuration and fetches the suites' lists.
    pub(super) fn new(suites: &[String]) -> Result<Self> {
        let (mirror, keyring) = main_mirror(Path::new("/etc"))?;
        let root = tempfile::tempdir()?;
        for dir in ["parts", "lists/partial", "cache/archives/partial"] {
            fs::create_dir_all(root.path().join(dir))?;
        }
        let mut sources = format!("Types: deb-src\nURIs: {mirror}\nSuites: {}\nComponents: main\n", suites.join(" "));
        if let Some(keyring) = keyring {
            let _ = writeln!(sources, "Signed-By: {keyring}");
        }
        fs::write(root.path().join("parts/pairs.sources"), sources)?;
        let apt = Self { root };
        super::say("fetching the lists of source packages");
        run(&mut apt.command("apt-get", &["update", "--quiet"]))?;
        Ok(apt)
    }

    fn command(&self, program: &str, args: &[&str]) -> Command {
        let at = |part: &str| self.root.path().join(part).display().to_string();
        let mut command = Command::new(program);
        for option in [
            "Dir::Etc::sourcelist=/dev/null".to_owned(),
            format!("Dir::Etc::sourceparts={}", at("parts")),
            format!("Dir::State::lists={}", at("lists")),
            format!("Dir::Cache={}", at("cache")),
            "Acquire::Languages=none".to_owned(),
            // The lists lie in a folder that only the caller can read.
            "APT::Sandbox::User=root".to_owned(),
        ] {
            command.arg("-o").arg(option);
        }
        command.args(args);
        command
    }

    /// Brings the upstream archive of a source package.
    pub(super) fn source(&self, name: &str, upstream: &str, dir: &Path) -> Result<PathBuf> {
        let table = run(&mut self.command("apt-cache", &["madison", name]))?;
        let mut versions: Vec<&str> = table
            .lines()
            .filter(|line| line.trim_end().ends_with("Sources"))
            .filter_map(|line| line.split('|').nth(1).map(str::trim))
            .collect();
        versions.dedup();
        let fitting: Vec<String> = versions
            .iter()
            .filter(|version| is_upstream(version, upstream))
            .map(|version| format!("{name}={version}"))
            .collect();
        let mut failure = anyhow!("no suite has version {upstream} (there are: {})", versions.join(", "));
        for wanted in fitting {
            // A suite's list can name a revision that its mirror has dropped; any revision has the same upstream archive.
            let args = ["source", "--quiet", "--download-only", "--only-source", &wanted];
            match run(self.command("apt-get", &args).current_dir(dir)) {
                Ok(_) => return upstream_archive(dir),
                Err(error) => failure = error,
            }
        }
        // A revision's other files may be gone while the upstream archive came.
        upstream_archive(dir).map_err(|_| failure)
    }
}

fn upstream_archive(dir: &Path) -> Result<PathBuf> {
    for entry in fs::read_dir(dir)? {
        let path = entry?.path();
        let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if file.contains(".orig.tar.") && path.extension().is_none_or(|extension| extension != "asc") {
            return Ok(path);
        }
    }
    bail!("the source package has no upstream archive");
}

/// Says whether a Debian version such as `1:0.7.0+dfsg-1` packages `upstream`.
fn is_upstream(version: &str, upstream: &str) -> bool {
    let version = version.split_once(':').map_or(version, |(_, rest)| rest);
    version.strip_prefix(upstream).is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_digit() || c == '.'))
}

/// Reads the address and keyring of the machine's main archive: the first source that carries its own suite.
fn main_mirror(etc: &Path) -> Result<(String, Option<String>)> {
    let release = fs::read_to_string(etc.join("os-release")).context("this is no Debian machine")?;
    let suite = release
        .lines()
        .find_map(|line| line.strip_prefix("VERSION_CODENAME="))
        .context("os-release names no suite")?
        .trim_matches('"');
    let mut files = vec![etc.join("apt/sources.list")];
    if let Ok(parts) = fs::read_dir(etc.join("apt/sources.list.d")) {
        let mut parts: Vec<PathBuf> = parts.filter_map(|entry| entry.ok().map(|entry| entry.path())).collect();
        parts.sort();
        files.extend(parts);
    }
    for file in files {
        let Ok(text) = fs::read_to_string(&file) else { continue };
        let found = match file.extension().and_then(|extension| extension.to_str()) {
            Some("sources") => text.split("\n\n").find_map(|stanza| mirror_of_stanza(stanza, suite)),
            Some("list") => text.lines().find_map(|line| mirror_of_line(line, suite)).map(|mirror| (mirror, None)),
            _ => None,
        };
        if let Some(found) = found {
            return Ok(found);
        }
    }
    bail!("no configured source of packages carries {suite}")
}

fn mirror_of_stanza(stanza: &str, suite: &str) -> Option<(String, Option<String>)> {
    let field = |name: &str| {
        stanza.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':')).map(|value| value.trim().to_owned())
    };
    field("Suites")?.split_whitespace().any(|s| s == suite).then_some(())?;
    Some((field("URIs")?.split_whitespace().next()?.to_owned(), field("Signed-By").filter(|key| key.starts_with('/'))))
}

fn mirror_of_line(line: &str, suite: &str) -> Option<String> {
    let line = line.strip_prefix("deb ")?;
    let line = if line.trim_start().starts_with('[') { line.split_once(']')?.1 } else { line };
    let mut words = line.split_whitespace();
    let uri = words.next()?;
    (words.next()? == suite).then(|| uri.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_upstream_version_is_found_in_a_debian_version() {
        assert!(is_upstream("1:0.7.0+dfsg-1", "0.7.0"));
        assert!(is_upstream("1.6-2.1+deb12u2", "1.6"));
        assert!(!is_upstream("1.6.1-2", "1.6"));
        assert!(!is_upstream("1.60-2", "1.6"));
    }

    #[test]
    fn the_main_archive_is_read_from_both_forms() {
        let stanza = "Types: deb\nURIs: mirror:/debian\nSuites: stable stable-updates\nSigned-By: /keys/a.gpg";
        assert_eq!(mirror_of_stanza(stanza, "stable"), Some(("mirror:/debian".into(), Some("/keys/a.gpg".into()))));
        assert_eq!(mirror_of_stanza(stanza, "old"), None);
        assert_eq!(
            mirror_of_line("deb [arch=amd64] mirror:/debian stable main", "stable"),
            Some("mirror:/debian".into())
        );
    }
}
