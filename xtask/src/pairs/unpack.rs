//! Unpacks the source files of an archive, and nothing else.
//!
//! Only regular files with a plain relative path are written: links, devices, absolute paths and `..` are passed over,
//! so that no archive can write outside its folder. The first folder is left out where all archives of a kind have one.
//!
//! # Limits
//!
//! A file may have 1 MiB, a release 20,000 files.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Component, Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use treegraft_replay::language_of;

/// Larger files are data; replay would pass them over anyway.
const MAX_FILE_BYTES: u64 = 1 << 20;
/// More files than any listed package has; a bound against a broken archive.
const MAX_FILES: usize = 20_000;

/// Unpacks the files of `languages` into `to`; gives how many.
pub(super) fn unpack(archive: &Path, to: &Path, languages: &[String]) -> Result<usize> {
    let mut sink = Sink { to, languages, n: 0 };
    let name = archive.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let file = || File::open(archive).with_context(|| format!("cannot open {}", archive.display()));
    match name.rsplit_once('.').map(|(_, extension)| extension) {
        Some("whl" | "zip") => {
            let mut zip = zip::ZipArchive::new(file()?)?;
            for index in 0..zip.len() {
                let entry = zip.by_index(index)?;
                if entry.is_file() && !entry.is_symlink() {
                    let path = PathBuf::from(entry.name()?.as_ref());
                    let size = entry.size();
                    sink.take(&path, size, entry)?;
                }
            }
        }
        Some("gz" | "tgz" | "crate") => tar(flate2::read::GzDecoder::new(file()?), &mut sink)?,
        Some(extension @ ("xz" | "bz2")) => {
            let program = if extension == "xz" { "xz" } else { "bzip2" };
            let mut child = Command::new(program).arg("-dc").stdin(file()?).stdout(Stdio::piped()).spawn()?;
            let output = child.stdout.take().context("no output to read")?;
            let read = tar(output, &mut sink);
            let status = child.wait()?;
            read?;
            if !status.success() {
                bail!("{program} failed ({status})");
            }
        }
        _ => bail!("unknown kind of archive"),
    }
    Ok(sink.n)
}

fn tar(reader: impl Read, sink: &mut Sink<'_>) -> Result<()> {
    let mut archive = tar::Archive::new(reader);
    for entry in archive.entries()? {
        let entry = entry?;
        if entry.header().entry_type().is_file() {
            let path = entry.path()?.into_owned();
            let size = entry.size();
            // The first folder carries the release in its name.
            let inner: PathBuf =
                path.components().filter(|component| *component != Component::CurDir).skip(1).collect();
            sink.take(&inner, size, entry)?;
        }
    }
    Ok(())
}

struct Sink<'a> {
    to: &'a Path,
    languages: &'a [String],
    n: usize,
}

impl Sink<'_> {
    fn take(&mut self, path: &Path, size: u64, reader: impl Read) -> Result<()> {
        let Some(path) = plain(path) else { return Ok(()) };
        let wanted = path.to_str().and_then(language_of).is_some_and(|language| self.wants(language));
        if !wanted || size > MAX_FILE_BYTES {
            return Ok(());
        }
        if self.n == MAX_FILES {
            bail!("more than {MAX_FILES} files");
        }
        let target = self.to.join(&path);
        if let Some(parent) = target.parent() {
            fs::create_dir_all(parent)?;
        }
        let mut bytes = Vec::new();
        reader.take(MAX_FILE_BYTES).read_to_end(&mut bytes)?;
        fs::write(&target, bytes).with_context(|| format!("cannot write {}", target.display()))?;
        self.n += 1;
        Ok(())
    }

    /// JSX and TSX belong to their languages here.
    fn wants(&self, language: &str) -> bool {
        let language = if language == "tsx" { "typescript" } else { language };
        self.languages.iter().any(|wanted| wanted == language)
    }
}

/// Gives the path if it is relative and made of plain names only.
fn plain(path: &Path) -> Option<PathBuf> {
    let mut out = PathBuf::new();
    for component in path.components() {
        match component {
            Component::Normal(name) => out.push(name),
            Component::CurDir => {}
            Component::ParentDir | Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    (!out.as_os_str().is_empty()).then_some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn archive(entries: &[(&str, tar::EntryType, &str)]) -> Vec<u8> {
        let mut builder = tar::Builder::new(Vec::new());
        for (path, kind, text) in entries {
            let mut header = tar::Header::new_gnu();
            // Written into the header as it is: the builder would refuse the paths that are tested here.
            let name = path.as_bytes();
            header.as_mut_bytes()[..name.len()].copy_from_slice(name);
            header.set_entry_type(*kind);
            header.set_size(text.len() as u64);
            header.set_mode(0o644);
            header.set_cksum();
            builder.append(&header, text.as_bytes()).unwrap();
        }
        builder.into_inner().unwrap()
    }

    #[test]
    fn only_plain_files_of_the_language_leave_an_archive() {
        let dir = tempfile::tempdir().unwrap();
        let to = dir.path().join("to");
        fs::create_dir(&to).unwrap();
        let bytes = archive(&[
            ("pkg-1/src/a.py", tar::EntryType::Regular, "x = 1\n"),
            ("pkg-1/README", tar::EntryType::Regular, "text"),
            ("pkg-1/../../evil.py", tar::EntryType::Regular, "x"),
            ("/abs/evil.py", tar::EntryType::Regular, "y"),
            ("pkg-1/link.py", tar::EntryType::Symlink, ""),
        ]);
        let languages = ["python".to_owned()];
        let mut sink = Sink { to: &to, languages: &languages, n: 0 };
        tar(bytes.as_slice(), &mut sink).unwrap();
        assert_eq!(fs::read_to_string(to.join("src/a.py")).unwrap(), "x = 1\n");
        assert!(!dir.path().join("evil.py").exists());
        assert!(!to.join("link.py").exists());
        assert!(!Path::new("/abs/evil.py").exists());
    }
}
