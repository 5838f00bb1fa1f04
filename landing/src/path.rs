//! Paths that a reply may name: relative, plain, and the same thing on every system.
//!
//! A [`FilePath`] has passed [`FilePath::new`]; there is no other way to get one. What it names lies below the root as
//! far as its letters go; whether a link leads elsewhere only the files can tell ([`crate::Files::resolve`]).
//!
//! A reply comes from a model, which may have read anything. So everything is refused that one system or another
//! takes for something else than a file below the root, also on systems that don't: a repository travels.
//!
//! # Limits
//!
//! [`LONGEST_PATH`] and [`LONGEST_NAME`], in bytes; [`DEEPEST_PATH`], in names.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Longest path in bytes. Windows takes 260 characters by default, Linux 4,096 bytes with the root before it.
pub const LONGEST_PATH: usize = 1024;

/// Longest name of a file or folder in bytes, as file systems have it.
pub const LONGEST_NAME: usize = 255;

/// Most names in a path. More: each is looked up, and a reply may have thousands of paths; fewer: real trees are
/// refused.
pub const DEEPEST_PATH: usize = 64;

/// The folder under the root where journal and history are kept; no reply may name it.
pub(crate) const OWN_FOLDER: &str = ".treegraft";

/// What the names of our temporary files beside the files of others begin with.
pub(crate) const OWN_TEMPORARY: &str = ".treegraft-";

/// Names that Windows takes for devices, whatever follows behind a dot.
const DEVICES: [&str; 7] = ["con", "prn", "aux", "nul", "conin$", "conout$", "clock$"];

/// A path below the root: names with `/` between, checked.
///
/// # Examples
///
/// ```
/// use treegraft_landing::{FilePath, PathFault};
///
/// assert_eq!(FilePath::new("./src/main.rs")?.as_str(), "src/main.rs");
/// assert_eq!(FilePath::new("../main.rs"), Err(PathFault::Parent));
/// assert_eq!(FilePath::new("src/con.txt"), Err(PathFault::Device));
/// # Ok::<(), PathFault>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String")]
pub struct FilePath(String);

/// Why a path is refused as it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum PathFault {
    /// Nothing, or only dots and slashes that name the root itself.
    #[error("the path is empty")]
    Empty,
    /// It begins at the top of the file system, with `/` or `~`.
    #[error("the path is absolute")]
    Absolute,
    /// A name is `..`.
    #[error("the path leads upwards with `..`")]
    Parent,
    /// It ends with a slash, or a name is empty.
    #[error("the path names a folder, or has an empty name in it")]
    Folder,
    /// It has a backslash: a Windows path, or a share.
    #[error("the path has a backslash in it")]
    Backslash,
    /// It has a colon: a drive, or a stream of a file.
    #[error("the path has a colon in it")]
    Colon,
    /// It has a control character, or one that is invisible or turns the reading direction.
    #[error("the path has a control character or an invisible one in it")]
    Invisible,
    /// A name ends with a dot or a blank, which Windows drops, or begins with a blank.
    #[error("a name in the path begins with a blank or ends with a dot or a blank")]
    Blank,
    /// A name is that of a device on Windows, such as `NUL` or `con.txt`.
    #[error("a name in the path is that of a device")]
    Device,
    /// It lies in a `.git` folder.
    #[error("the path lies in a `.git` folder")]
    Git,
    /// It lies in the folder of the journal.
    #[error("the path lies in treegraft's own folder")]
    Own,
    /// It is over the limit as a whole, in one name, or in how many there are.
    #[error("the path is too long or too deep")]
    TooLong,
}

impl PathFault {
    /// Gives the stable code used in reports, such as `path_absolute`.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Empty => "path_empty",
            Self::Absolute => "path_absolute",
            Self::Parent => "path_parent",
            Self::Folder => "path_folder",
            Self::Backslash => "path_backslash",
            Self::Colon => "path_colon",
            Self::Invisible => "path_invisible",
            Self::Blank => "path_blank",
            Self::Device => "path_device",
            Self::Git => "path_git",
            Self::Own => "path_own",
            Self::TooLong => "path_too_long",
        }
    }
}

impl FilePath {
    /// Checks a path. A leading `./` is dropped; nothing else is mended.
    ///
    /// # Errors
    ///
    /// What is wrong with it first, in the order of [`PathFault`].
    pub fn new(path: &str) -> Result<Self, PathFault> {
        let path = path.trim_start_matches("./");
        check(path)?;
        Ok(Self(path.to_owned()))
    }

    /// Names a file of our own below [`OWN_FOLDER`].
    pub(crate) fn own(name: &str) -> Self {
        Self(format!("{OWN_FOLDER}/{name}"))
    }

    /// Names our own folder.
    pub(crate) fn own_folder() -> Self {
        Self(OWN_FOLDER.to_owned())
    }

    /// Names what lies in this folder under a name of ours.
    pub(crate) fn child(&self, name: &str) -> Self {
        Self(format!("{self}/{name}"))
    }

    /// Names what lies beside this file under a name of ours.
    pub(crate) fn beside(&self, name: &str) -> Self {
        self.parent().map_or_else(|| Self(name.to_owned()), |folder| folder.child(name))
    }

    /// Gives the path with `/` between names, without one at either end.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Gives the folder it lies in; `None` for the root.
    #[must_use]
    pub fn parent(&self) -> Option<Self> {
        self.0.rsplit_once('/').map(|(folder, _)| Self(folder.to_owned()))
    }

    /// Gives the last name.
    #[must_use]
    pub fn name(&self) -> &str {
        self.0.rsplit_once('/').map_or(&self.0, |(_, name)| name)
    }

    /// Gives the folders it lies in, the outermost first, without the root.
    pub fn folders(&self) -> impl Iterator<Item = Self> {
        self.0.match_indices('/').map(|(at, _)| Self(self.0[..at].to_owned()))
    }
}

impl TryFrom<String> for FilePath {
    type Error = PathFault;

    fn try_from(path: String) -> Result<Self, PathFault> {
        check(&path)?;
        Ok(Self(path))
    }
}

impl fmt::Display for FilePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Writes a name as systems see it that don't tell upper from lower case. Twins by this are one file there.
pub(crate) fn folded(name: &str) -> String {
    // Upwards first: `ß` and `SS`, `ſ` and `s` meet only there. Letter by letter, since the lower case of a final sigma
    // depends on what stands around it.
    name.chars().flat_map(char::to_uppercase).flat_map(char::to_lowercase).collect()
}

fn check(path: &str) -> Result<(), PathFault> {
    if path.is_empty() || path == "." {
        return Err(PathFault::Empty);
    }
    if path.starts_with('/') || path == "~" || path.starts_with("~/") {
        return Err(PathFault::Absolute);
    }
    if path.split(['/', '\\']).any(|name| name == "..") {
        return Err(PathFault::Parent);
    }
    if path.split('/').any(|name| name.is_empty() || name == ".") {
        return Err(PathFault::Folder);
    }
    if path.contains('\\') {
        return Err(PathFault::Backslash);
    }
    if path.contains(':') {
        return Err(PathFault::Colon);
    }
    if path.contains(is_invisible) {
        return Err(PathFault::Invisible);
    }
    if path.len() > LONGEST_PATH || path.split('/').count() > DEEPEST_PATH {
        return Err(PathFault::TooLong);
    }
    path.split('/').try_for_each(check_name)
}

fn check_name(name: &str) -> Result<(), PathFault> {
    if name.ends_with('.') || name.ends_with(char::is_whitespace) || name.starts_with(char::is_whitespace) {
        return Err(PathFault::Blank);
    }
    let folded = folded(name);
    if is_device(&folded) {
        return Err(PathFault::Device);
    }
    if folded == ".git" || is_short_name(&folded, "git") {
        return Err(PathFault::Git);
    }
    if folded == OWN_FOLDER || folded.starts_with(OWN_TEMPORARY) || is_short_name(&folded, "treegr") {
        return Err(PathFault::Own);
    }
    if name.len() > LONGEST_NAME {
        return Err(PathFault::TooLong);
    }
    Ok(())
}

/// Says whether a folded name is that of a device: up to its first dot, without blanks before that.
fn is_device(folded: &str) -> bool {
    let stem = folded.split('.').next().unwrap_or_default().trim_end();
    let is_port = |stem: &str| {
        let number = stem.strip_prefix("com").or_else(|| stem.strip_prefix("lpt"));
        number.is_some_and(|number| {
            let mut digits = number.chars();
            // Windows takes the superscripts for digits.
            matches!((digits.next(), digits.next()), (Some('0'..='9' | '¹' | '²' | '³'), None))
        })
    };
    DEVICES.contains(&stem) || is_port(stem)
}

/// Says whether a folded name is the short one that Windows gives a longer name: `git~1` for `.git`.
fn is_short_name(folded: &str, start: &str) -> bool {
    let number = folded.strip_prefix(start).and_then(|rest| rest.strip_prefix('~'));
    number.is_some_and(|number| number.starts_with(|c: char| c.is_ascii_digit()))
}

/// Says whether a character can't be seen where a path is shown, or changes how the rest is read: control characters,
/// separators of lines, marks of direction, joiners and other fillers that some file systems ignore.
fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}'
                | '\u{180b}'..='\u{180f}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{fe00}'..='\u{fe0f}'
                | '\u{fff0}'..='\u{fffb}'
                | '\u{e0000}'..='\u{e0fff}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(path: &str, code: &str) {
        assert_eq!(FilePath::new(path).map_or_else(PathFault::code, |_| "fine"), code, "{path:?}");
    }

    #[test]
    fn plain_paths_pass() {
        for path in [
            "a",
            "a/b/c.rs",
            "./a.rs",
            ".gitignore",
            ".github/workflows/ci.yml",
            "a b/c d.txt",
            "naïve/日本.md",
            "...a",
            ".treegraftrc",
            "console.log",
            "com10/x",
            "auxiliary.c",
            "[slug]/page.tsx",
            "what?.md",
            "a*b",
            "git~x",
            "~a",
            "nul1",
            "lpt",
            "a..b",
        ] {
            check(path, "fine");
        }
        assert_eq!(FilePath::new("././a/b").unwrap().as_str(), "a/b");
    }

    #[test]
    fn the_parts_of_a_path() {
        let path = FilePath::new("a/b/c.rs").unwrap();
        assert_eq!((path.name(), path.parent().unwrap().as_str()), ("c.rs", "a/b"));
        assert_eq!(path.folders().map(|folder| folder.0).collect::<Vec<_>>(), ["a", "a/b"]);
        let path = FilePath::new("c.rs").unwrap();
        assert_eq!((path.name(), path.parent(), path.folders().count()), ("c.rs", None, 0));
        assert_eq!(path.beside(".t").as_str(), ".t");
    }

    #[test]
    fn twins_fold_to_one() {
        for (one, other) in
            [("A.rs", "a.RS"), ("straße", "STRASSE"), ("ſ", "s"), ("\u{212a}", "k"), ("ΟΔΟΣ", "οδος"), ("ﬁ", "FI")]
        {
            assert_eq!(folded(one), folded(other));
        }
        assert_ne!(folded("a"), folded("b"));
    }

    #[test]
    fn what_is_no_file_below_the_root_is_refused() {
        for path in ["", ".", "./", "././."] {
            check(path, "path_empty");
        }
        for path in ["/etc/passwd", "//server/share", "~/x", "~", ".//etc/passwd"] {
            check(path, "path_absolute");
        }
        for path in ["..", "../x", "a/../../x", "a/..", "..\\x", "a\\..\\..\\x", "./../x"] {
            check(path, "path_parent");
        }
        for path in ["a/", "a//b", "a/./b"] {
            check(path, "path_folder");
        }
        for path in ["\\\\server\\share\\x", "a\\b", "\\x", "\\\\?\\C:\\x"] {
            check(path, "path_backslash");
        }
        for path in ["C:x", "C:/x", "a.txt:stream", "a.txt::$DATA"] {
            check(path, "path_colon");
        }
        for path in
            ["a\0b", "a\nb", "a\u{1b}[0m", "a\u{202e}b", ".g\u{200c}it/config", "\u{feff}a", "a\u{7f}", "a\u{85}b"]
        {
            check(path, "path_invisible");
        }
        for path in ["a.", "a ", "a./b", "a /b", ".git./config", ".git /x", "...", " a", "a\u{a0}"] {
            check(path, "path_blank");
        }
        for path in
            ["NUL", "nul.txt", "con.txt", "a/Aux.c", "COM1", "lpt9.log", "com¹.x", "con .txt", "CONIN$", "prn.tar.gz"]
        {
            check(path, "path_device");
        }
        for path in [".git/hooks/pre-commit", ".GIT/config", "sub/.git/config", ".git", "git~1/config", ".gıt/x"] {
            check(path, "path_git");
        }
        for path in
            [".treegraft/journal", ".TreeGraft/x", "sub/.treegraft/x", "treegr~1/x", ".treegraft-3-0", ".treegraft"]
        {
            check(path, "path_own");
        }
        let (long, wide) = ("x".repeat(LONGEST_NAME + 1), format!("{}/", "x".repeat(200)).repeat(6) + "x");
        for path in [long, wide, "x/".repeat(DEEPEST_PATH) + "x"] {
            check(&path, "path_too_long");
        }
        check(&("x/".repeat(DEEPEST_PATH - 1) + "x"), "fine");
        check(&"x".repeat(LONGEST_NAME), "fine");
    }
}
