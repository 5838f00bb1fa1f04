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
    let (Some((old_path, _)), Some((new_path, _))) = (before.or(after), after.or(before)) else {
        return String::new();
    };
    if before == after {
        return String::new();
    }
    let header = format!("diff --git {} {}\n", quoted("a/", old_path), quoted("b/", new_path));
    let kind = match (before, after) {
        (None, Some((_, node))) => format!("new file mode {:o}\n", mode(node)),
        (Some((_, node)), None) => format!("deleted file mode {:o}\n", mode(node)),
        _ if old_path != new_path => {
            format!("rename from {}\nrename to {}\n", quoted("", old_path), quoted("", new_path))
        }
        _ => String::new(),
    };
    let label = |prefix: &str, side: Option<&(FilePath, Node)>| {
        side.map_or_else(|| "/dev/null".to_owned(), |(path, _)| format!("{prefix}{path}"))
    };
    let (before, old_label) = (before.map(|(_, node)| node), label("a/", before));
    let (after, new_label) = (after.map(|(_, node)| node), label("b/", after));
    let hunks = match (text(before), text(after)) {
        _ if before == after => String::new(),
        (Some(old), Some(new)) => hunks(old, new, &old_label, &new_label, edits),
        _ => format!("Binary files {old_label} and {new_label} differ\n"),
    };
    header + &kind + &hunks
}

fn hunks(old: &str, new: &str, old_label: &str, new_label: &str, edits: &[PlannedEdit]) -> String {
    // The engine knows best what it changed; what several blocks changed together nobody knows yet.
    if let [only] = edits
        && only.original.as_deref() == Some(old)
        && only.outcome.text() == new
    {
        return unified(old, only.outcome.replacements(), old_label, new_label, CONTEXT);
    }
    unified(old, &replacements(old, new), old_label, new_label, CONTEXT)
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
