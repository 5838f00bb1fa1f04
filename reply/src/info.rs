//! The words behind a code fence: its language, and sometimes a path.

use crate::path;

/// What the words of a fence say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Info<'a> {
    pub(crate) language: Option<&'a str>,
    pub(crate) path: Option<&'a str>,
}

/// The languages of what is typed or printed and not kept in a file, unless the file says so.
const TRANSCRIPTS: [&str; 12] =
    ["sh", "bash", "zsh", "shell", "console", "terminal", "powershell", "text", "txt", "plaintext", "output", "log"];

impl<'a> Info<'a> {
    /// Reads `go path/to/a.go`, `go:path/to/a.go`, `path/to/a.go` and `go title="path/to/a.go"`.
    ///
    /// `12:15:path` cites lines of a file that is there already, and names no file to be written.
    pub(crate) fn of(info: &'a str) -> Self {
        let mut words = info.split_whitespace();
        let Some(first) = words.next() else { return Self { language: None, path: None } };
        if let Some((language, path)) = first.split_once(':')
            && !language.is_empty()
            && !path.starts_with(['\\', '/'])
            && is_path(path)
        {
            if language.bytes().all(|byte| byte.is_ascii_digit()) {
                return Self { language: None, path: None };
            }
            return Self { language: Some(language), path: Some(path) };
        }
        let is_name = first.rsplit(['/', '\\']).next().is_some_and(|name| name.contains('.'));
        if is_name && is_path(first) {
            return Self { language: None, path: Some(first) };
        }
        let path = words.find_map(|word| match word.split_once('=') {
            Some((key, value)) => {
                let value = value.trim_matches(['"', '\'']);
                let names =
                    ["title", "file", "filename", "path", "filepath"].iter().any(|name| key.eq_ignore_ascii_case(name));
                (names && is_path(value)).then_some(value)
            }
            None => Some(word.trim_matches(['(', ')', '`', '"'])).filter(|word| is_path(word)),
        });
        Self { language: Some(first), path }
    }

    /// Says whether the fence holds a diff.
    pub(crate) fn is_diff(&self) -> bool {
        self.language
            .is_some_and(|language| ["diff", "udiff", "patch"].iter().any(|diff| language.eq_ignore_ascii_case(diff)))
    }

    /// Says whether a fence of this language, below the path of a file of another kind, is something typed or printed.
    pub(crate) fn is_transcript_beside(&self, path: &str) -> bool {
        let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
        let extension = name.rsplit_once('.').map(|(_, extension)| extension);
        let is = |text: &str| TRANSCRIPTS.iter().any(|transcript| text.eq_ignore_ascii_case(transcript));
        let is_plain = |text: &str| ["text", "txt", "plaintext"].iter().any(|plain| text.eq_ignore_ascii_case(plain));
        self.language.is_some_and(|language| {
            is(language)
                && extension.map_or(path::is_plain_name(name) && !is_plain(language), |extension| !is(extension))
        })
    }
}

/// Says whether a word behind a fence is a path. A word with a mere dot before it is an attribute, as in `.numberLines`.
fn is_path(text: &str) -> bool {
    let attribute = text.strip_prefix('.').is_some_and(|rest| !rest.contains(['.', '/', '\\']));
    path::is_file_like(text) && !attribute && !text.contains(['(', ')'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_in_the_words() {
        for (info, language, path) in [
            ("go cmd/x.go", Some("go"), Some("cmd/x.go")),
            ("go:cmd/x.go", Some("go"), Some("cmd/x.go")),
            ("cmd/x.go", None, Some("cmd/x.go")),
            ("ts title=\"src/a.ts\"", Some("ts"), Some("src/a.ts")),
            ("ts {1,3} file=src/a.ts", Some("ts"), Some("src/a.ts")),
            ("makefile src/Makefile", Some("makefile"), Some("src/Makefile")),
            ("rust", Some("rust"), None),
            ("rust,no_run", Some("rust,no_run"), None),
            ("js {1,3-5}", Some("js"), None),
            ("text/html", Some("text/html"), None),
            ("{.python .numberLines}", Some("{.python"), None),
            ("12:15:src/a.ts", None, None),
            ("C:\\x\\a.ts", None, Some("C:\\x\\a.ts")),
            ("c++", Some("c++"), None),
            ("", None, None),
        ] {
            assert_eq!(Info::of(info), Info { language, path }, "{info}");
        }
    }

    #[test]
    fn transcripts() {
        assert!(Info::of("sh").is_transcript_beside("src/a.rs"));
        assert!(!Info::of("sh").is_transcript_beside("run.sh"));
        assert!(!Info::of("text").is_transcript_beside("notes"));
        assert!(!Info::of("rust").is_transcript_beside("src/a.rs"));
    }
}
