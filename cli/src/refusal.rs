//! What `land` and `undo` say when a file, or all of them, is refused: the library's errors with what to do about it.

use std::io;
use std::path::Path;

use treegraft_landing::{Error, PathFault};

use crate::diagnostic::Diagnostic;

/// Makes a message of an error. `place` is where to look: `PATH`, `PATH (reply line 3)`; without it the file that the
/// error names.
pub(crate) fn told(error: &Error, place: Option<&str>, root: &Path) -> Diagnostic {
    let of_error = || error.path().map(ToString::to_string);
    let place = place.map(str::to_owned).or_else(of_error).unwrap_or_else(|| root.display().to_string());
    let say = Diagnostic::error(error.code(), error.to_string()).at(place.clone());
    match error {
        Error::Io { path: None, source, .. } if source.kind() == io::ErrorKind::NotFound => {
            Diagnostic::error("not_found", "no such folder")
                .at(place)
                .help("--root names the folder that paths start from")
        }
        Error::Io { doing, path, source } => {
            let file = path.as_ref().map_or_else(|| root.to_owned(), |path| root.join(path.as_str()));
            let told = Diagnostic::io(doing, &file, source).at(place);
            match source.kind() {
                io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => told.help("make room and try again"),
                _ => told,
            }
        }
        Error::HalfWay { cause, source } => say
            .detail(format!("the landing: {}", in_full(cause)))
            .detail(format!("putting back: {}", in_full(source)))
            .help("mend the cause, then run `treegraft undo --list`: it tries again before it lists"),
        Error::Interrupted { kept, .. } => {
            let own = root.join(".treegraft");
            let told = match kept {
                Some(kept) => {
                    say.detail(format!("its content before the landing is in {}", root.join(kept.as_str()).display()))
                }
                None => say.detail("the landing made it, or it was removed since"),
            };
            told.help(format!(
                "put the file back as it was before the landing and run the command again; or, to keep all files as they are now, \
                 remove {}",
                own.join("pending").display()
            ))
        }
        _ => match advice(error) {
            Some(advice) => say.help(advice),
            None => say,
        },
    }
}

/// Writes an error with its cause in one line.
fn in_full(error: &Error) -> String {
    let path = error.path().map(|path| format!(" ({path})")).unwrap_or_default();
    match error {
        Error::Io { source, .. } => format!("{error}{path}: {source}"),
        _ => format!("{error}{path}"),
    }
}

fn advice(error: &Error) -> Option<&'static str> {
    Some(match error {
        Error::Path { fault, .. } => match fault {
            PathFault::Absolute | PathFault::Parent | PathFault::Backslash | PathFault::Colon => {
                "a reply may name files below the root only, as `folder/file`; --root says where that is"
            }
            PathFault::Git => "what git keeps for itself is not for a model to write",
            PathFault::Own => "treegraft keeps its journal there",
            _ => "ask for the reply again with a plain path, as `folder/file`",
        },
        Error::LinkOut { .. } => "nothing is written through links that lead out of the root",
        Error::LinkToNothing { .. } => "make the file that the link names, or remove the link",
        Error::NotAFile { .. } => "a reply may make, change, move and remove single files only",
        Error::NotAFolder { .. } => "remove or move that file first, in a landing of its own",
        Error::NotFound { .. } => "check the spelling, and whether the reply moves or removes it twice",
        Error::Exists { .. } => "a move never supersedes a file: remove that one first, or choose another name",
        Error::CaseTwin { .. } => "use the spelling that is there, or rename that file first in two steps",
        Error::ReadOnly { .. } => "make it writable first (chmod u+w)",
        Error::Unterminated => "ask the model to go on, or take the block out of the reply to land the rest",
        Error::TooMany { .. } | Error::TooMuch { .. } => "land it in parts",
        Error::Engine(treegraft::Error::EmptySnippet) => {
            "check that the whole reply reached treegraft; to remove a file, the reply says so in `### Remove Files`"
        }
        Error::Engine(treegraft::Error::NotUtf8 { .. }) => {
            "convert it first, such as: iconv -f ISO-8859-1 -t UTF-8; binary files cannot be edited"
        }
        Error::Locked => "wait until it has ended and try again",
        Error::Damaged { .. } => "nothing was written; remove it, if you don't need it to undo a landing",
        Error::NothingToUndo => "`treegraft undo --list` shows what is kept; an undo is taken back by its number",
        Error::NoSuchLanding { .. } => "`treegraft undo --list` shows what is kept",
        Error::UndoneAlready { .. } => "to bring it back, undo the undo by its number; `treegraft undo --list` has it",
        _ => return None,
    })
}
