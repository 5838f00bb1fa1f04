//! What is done to a file, as `git apply` takes it.

use imara_diff::{Algorithm, Diff, InternedInput};
use treegraft::{ByteRange, LineRange, Replacement, unified};

use crate::files::Node;
use crate::path::FilePath;
use crate::plan::PlannedEdit;

/// Lines of context around a hunk: what `diff -u` and git take.
const CONTEXT: usize = 3;

/// Writes a diff with git's header lines. Empty if nothing changes.
pub(crate) fn write(
    before: Option<&(FilePath, Node)>,
    after: Option<&(FilePath, Node)>,
    edits: &[PlannedEdit],
) -> String {
    let Some(name) = after.or(before).map(|(path, _)| path) else { return String::new() };
    if before == after {
        return String::new();
    }
    let old_name = quoted("a/", before.map_or(name, |(path, _)| path));
    let new_name = quoted("b/", name);
    let mut out = format!("diff --git {old_name} {new_name}\n");
    match (before, after) {
        (None, Some((_, node))) => out += &format!("new file mode {:o}\n", mode(node)),
        (Some((_, node)), None) => out += &format!("deleted file mode {:o}\n", mode(node)),
        (Some((from, _)), Some((to, _))) if from != to => {
            out += &format!("rename from {}\nrename to {}\n", quoted("", from), quoted("", to));
        }
        _ => {}
    }
    let old_label = if before.is_some() { old_name } else { "/dev/null".to_owned() };
    let new_label = if after.is_some() { new_name } else { "/dev/null".to_owned() };
    match (text(before.map(|(_, node)| node)), text(after.map(|(_, node)| node))) {
        (Some(old), Some(new)) if old != new => {
            let of_edit = match edits {
                // The engine knows best what it changed.
                [only] if only.original.as_deref() == Some(old) && only.outcome.text() == new => {
                    Some(only.outcome.replacements())
                }
                _ => None,
            };
            let found;
            let replacements = match of_edit {
                Some(replacements) => replacements,
                None => {
                    found = replacements(old, new);
                    &found
                }
            };
            out += &unified(old, replacements, &old_label, &new_label, CONTEXT);
        }
        (Some(_), Some(_)) => {}
        _ if before.map(|(_, node)| node) == after.map(|(_, node)| node) => {}
        _ => out += &format!("Binary files {old_label} and {new_label} differ\n"),
    }
    out
}

/// Finds the lines that differ, with hunks slid to where a person would put them.
fn replacements(old: &str, new: &str) -> Vec<Replacement> {
    let input = InternedInput::new(old, new);
    let mut diff = Diff::compute(Algorithm::Histogram, &input);
    diff.postprocess_lines(&input);
    let (old_starts, new_starts) = (line_starts(old), line_starts(new));
    let bytes = |starts: &[usize], lines: &std::ops::Range<u32>| {
        ByteRange::new(starts[lines.start as usize], starts[lines.end as usize])
    };
    diff.hunks()
        .map(|hunk| {
            let (range, new_range) = (bytes(&old_starts, &hunk.before), bytes(&new_starts, &hunk.after));
            Replacement {
                id: String::new(),
                bytes: range,
                old_lines: LineRange::new(hunk.before.start as usize, hunk.before.end as usize),
                new_lines: LineRange::new(hunk.after.start as usize, hunk.after.end as usize),
                old: old[range.start..range.end].to_owned(),
                new: new[new_range.start..new_range.end].to_owned(),
                summary: String::new(),
            }
        })
        .collect()
}

/// Gives the byte offset of each line, and of the end. Only `\n` ends a line here, as for git.
fn line_starts(text: &str) -> Vec<usize> {
    let mut start = 0;
    let mut starts = vec![0];
    for line in text.split_inclusive('\n') {
        start += line.len();
        starts.push(start);
    }
    starts
}

/// Gives the text of a file, of one that isn't there the empty one; `None` if git would not call it text.
fn text(node: Option<&Node>) -> Option<&str> {
    match node {
        None => Some(""),
        Some(Node::File { content, .. }) => std::str::from_utf8(content).ok().filter(|text| !text.contains('\0')),
        Some(Node::Link { target }) => Some(target),
    }
}

/// Gives the mode as git knows it.
fn mode(node: &Node) -> u32 {
    match node {
        Node::Link { .. } => 0o120_000,
        Node::File { attributes: Some(attributes), .. } if attributes.mode & 0o111 != 0 => 0o100_755,
        Node::File { .. } => 0o100_644,
    }
}

/// Writes a path as git reads it. Control characters and backslashes are in no path.
fn quoted(prefix: &str, path: &FilePath) -> String {
    if path.as_str().contains('"') {
        format!("\"{prefix}{}\"", path.as_str().replace('"', "\\\""))
    } else {
        format!("{prefix}{path}")
    }
}
