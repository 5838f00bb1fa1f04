//! Replies that are rendered from known operations.
#![allow(clippy::format_push_string, reason = "a template reads better whole")]

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use treegraft_reply::{Form, Operation, Reply};

/// A reply, and what is to be read of it.
#[derive(Clone, Debug)]
pub(crate) struct Rendered {
    pub(crate) text: String,
    pub(crate) wanted: Vec<Wanted>,
    /// Whether a body holds a line that rightly casts doubt on it.
    pub(crate) has_odd_body: bool,
}

/// An operation without its places: what it is, its path or paths, its form, content and description.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Wanted {
    name: String,
    form: Option<Form>,
    content: String,
    description: Option<String>,
}

impl Wanted {
    /// Says whether `found` is the beginning of this operation, cut behind one of its search/replace blocks.
    pub(crate) fn is_search_and_begins_with(&self, found: &Self) -> bool {
        self.form == Some(Form::SearchReplace)
            && (&self.name, self.form, &self.description) == (&found.name, found.form, &found.description)
            && self.content.starts_with(&found.content)
            && found.content.ends_with(">>>>>>> REPLACE\n")
    }
}

/// What was read, in the same form.
pub(crate) fn summary(reply: &Reply) -> Vec<Wanted> {
    let of = |operation: &Operation| {
        let block = operation.as_file();
        Wanted {
            name: operation.to_string(),
            form: block.map(|block| block.form),
            content: block.map(|block| block.content.clone()).unwrap_or_default(),
            description: block.map(|block| block.description.clone()),
        }
    };
    reply.operations.iter().map(of).collect()
}

/// One thing that a reply does.
#[derive(Clone, Debug)]
enum Act {
    /// A tagged block with a label of this form, `{}` being the path; an empty form is none.
    Block { label: &'static str, path: &'static str, body: Vec<&'static str> },
    /// A fence with a line above of this form, or with the path behind it.
    Fence { label: &'static str, path: &'static str, body: Vec<&'static str> },
    /// Search/replace blocks, each in a fence or in none.
    Search { path: &'static str, blocks: Vec<(Vec<&'static str>, bool)> },
    /// A patch, in a fence or in none.
    Patch { files: Vec<(Change, &'static str, Vec<&'static str>)>, fenced: bool },
    /// A fence of diffs.
    Diff { files: Vec<(Change, &'static str, Vec<&'static str>)>, git: bool },
    /// A section: its heading, its lines, and whether the paths are in backticks.
    Section { kind: usize, paths: Vec<&'static str>, quoted: bool },
}

#[derive(Clone, Copy, Debug)]
enum Change {
    Update,
    Add,
    Delete,
    Move,
}

const HEADINGS: [&str; 3] = ["### Move Files", "### Remove Files", "### Reset Changes"];

/// Replies of tagged blocks, and replies of fences; both with patches and search/replace blocks, diffs only in the latter.
pub(crate) fn reply() -> impl Strategy<Value = Rendered> {
    let tagged = prop_oneof![4 => block(), 2 => section(), 1 => patch(), 1 => search()];
    let fenced = prop_oneof![3 => fence(), 1 => section(), 2 => patch(), 2 => search(), 2 => diff()];
    let acts = prop_oneof![vec((prose(), tagged), 0..6), vec((prose(), fenced), 0..6)];
    (acts, prose()).prop_map(|(acts, end)| render(&acts, &end))
}

fn path() -> impl Strategy<Value = &'static str> {
    select(vec![
        "a.go",
        "src/b.rs",
        "lib/größe.rb",
        "web/[id].tsx",
        "docs/c.md",
        "d/e/f.py",
        ".env.sample",
        "x/Makefile",
    ])
}

fn prose() -> impl Strategy<Value = Vec<&'static str>> {
    let line = select(vec![
        "",
        "Now the next part.",
        "- It reads `src/x.rs`.",
        "1. First.",
        "**Updating `a.go`:** it waits.",
        "if a < b then <c> and <Plan",
        "größe → 🙂",
        "\tindented",
        "### Notes",
    ]);
    vec(line, 0..5)
}

/// Lines of a body. None closes a block or fence; many look like something else.
fn body() -> impl Strategy<Value = Vec<&'static str>> {
    let line = select(vec![
        "",
        "    let a = 1;",
        "\treturn ü",
        "// ... existing code ...",
        "- file: not/a/label.md",
        "### Remove Files",
        "- `x`",
        "<EndPlandexFileOps/>",
        "<PlandexFinish/>",
        "<PlandexBlock lang=\"go\" path=\"z.go\">",
        "x := \"</PlandexBlock>\"",
        "<<<<<<< SEARCH",
        ">>>>>>> REPLACE",
        "*** Begin Patch",
        "--- a/x",
        "+++ b/x",
        "`a` ``b``",
        "}",
    ]);
    // The first line decides what a fence holds, and a blank one is no line of a patch.
    vec(line, 0..8).prop_map(|lines| std::iter::once("first").chain(lines).chain(["last"]).collect())
}

/// Lines that are safe between markers of any kind.
fn hunk() -> impl Strategy<Value = Vec<&'static str>> {
    vec(select(vec!["-a = 1", "+a = 2", " b", "@@ def f():", "+", "+```", "-    ü", "+<PlandexFinish/>", " "]), 1..6)
}

fn block() -> impl Strategy<Value = Act> {
    let label = select(vec![
        "",
        "- {}:",
        "- file: {}",
        "**{}**",
        "### {}:",
        "-{}:",
        "- {}:\n",
        "- `{}`:\n\n",
        "- {} (update):",
    ]);
    (label, path(), body()).prop_map(|(label, path, body)| Act::Block { label, path, body })
}

fn fence() -> impl Strategy<Value = Act> {
    let label = select(vec!["", "{}", "`{}`:", "**{}**\n", "- {}:", "File: {}", "## {}", "{} (new)"]);
    (label, path(), body()).prop_map(|(label, path, body)| Act::Fence { label, path, body })
}

fn search() -> impl Strategy<Value = Act> {
    (path(), vec((vec(select(vec!["a = 1", "", "    b", "```", "- x.go:"]), 0..4), any::<bool>()), 1..4))
        .prop_map(|(path, blocks)| Act::Search { path, blocks })
}

fn files() -> impl Strategy<Value = Vec<(Change, &'static str, Vec<&'static str>)>> {
    vec((select(vec![Change::Update, Change::Add, Change::Delete, Change::Move]), path(), hunk()), 1..4)
}

fn patch() -> impl Strategy<Value = Act> {
    (files(), any::<bool>()).prop_map(|(files, fenced)| Act::Patch { files, fenced })
}

fn diff() -> impl Strategy<Value = Act> {
    (files(), any::<bool>()).prop_map(|(files, git)| Act::Diff { files, git })
}

fn section() -> impl Strategy<Value = Act> {
    (0..3_usize, proptest::sample::subsequence(vec!["a.go", "old/b.c", "c d.txt", "größe.rb"], 0..=4), any::<bool>())
        .prop_map(|(kind, paths, quoted)| Act::Section { kind, paths, quoted })
}

fn lines(lines: &[&str]) -> String {
    lines.iter().flat_map(|line| [line, "\n"]).collect()
}

fn render(acts: &[(Vec<&'static str>, Act)], end: &[&'static str]) -> Rendered {
    let mut out = Rendered { text: String::new(), wanted: Vec::new(), has_odd_body: false };
    // The text since the last file block: what describes the next.
    let mut since = String::new();
    for (prose, act) in acts {
        let prose = lines(prose);
        out.text += &prose;
        since += &prose;
        match act {
            Act::Section { kind, paths, quoted } => {
                let text = section_text(*kind, paths, *quoted, &mut out.wanted);
                out.text += &text;
                since += &text;
            }
            Act::Block { label, path, body } => {
                let label = above(label, path);
                let content = lines(body);
                out.has_odd_body |= content.contains("<PlandexBlock lang");
                out.text += &format!("{label}<PlandexBlock lang=\"x\" path=\"{path}\">\n{content}</PlandexBlock>\n");
                out.file(path, Form::Block, content, &since);
                since.clear();
            }
            Act::Fence { label, path, body } => {
                let info = if label.is_empty() { format!("x {path}") } else { "x".to_owned() };
                let content = lines(body);
                out.text += &format!("{}`````{info}\n{content}`````\n", above(label, path));
                out.file(path, Form::Fence, content, &since);
                since.clear();
            }
            Act::Search { path, blocks } => {
                out.text += &format!("{path}\n");
                let mut content = String::new();
                for (body, fenced) in blocks {
                    let body = lines(body);
                    let block = format!("<<<<<<< SEARCH\n{body}=======\n{body}>>>>>>> REPLACE\n");
                    let (before, after) = if *fenced { ("````x\n", "````\n") } else { ("", "") };
                    out.text += &format!("{before}{block}{after}");
                    content += &block;
                }
                out.file(path, Form::SearchReplace, content, &since);
                since.clear();
            }
            Act::Patch { files, fenced } => {
                let (before, after) = if *fenced { ("````\n", "````\n") } else { ("", "") };
                let text = patch_text(files, &mut since, &mut out.wanted);
                out.text += &format!("{before}{text}{after}");
                // Prose that no file of the patch took is still there, with the fence around the patch.
                if files.iter().all(|(change, ..)| matches!(change, Change::Delete)) {
                    since += &format!("{before}{after}");
                }
            }
            Act::Diff { files, git } => {
                out.text += "````diff\n";
                out.text += &diff_text(files, *git, &mut since, &mut out.wanted);
                out.text += "````\n";
            }
        }
    }
    out.text += &lines(end);
    out
}

impl Rendered {
    fn file(&mut self, path: &str, form: Form, content: String, description: &str) {
        self.wanted.push(file(path, form, content, description));
    }
}

fn file(path: &str, form: Form, content: String, description: &str) -> Wanted {
    let description = Some(description.trim().to_owned());
    Wanted { name: format!("file | {path}"), form: Some(form), content, description }
}

fn other(name: String) -> Wanted {
    Wanted { name, form: None, content: String::new(), description: None }
}

fn above(label: &str, path: &str) -> String {
    if label.is_empty() { String::new() } else { label.replace("{}", path) + "\n" }
}

fn section_text(kind: usize, paths: &[&str], quoted: bool, wanted: &mut Vec<Wanted>) -> String {
    let quote = if quoted { "`" } else { "" };
    let mut text = format!("{}\n\n", HEADINGS[kind]);
    for path in paths {
        let (line, name) = match kind {
            0 => (format!("{quote}{path}{quote} → {quote}new/{path}{quote}"), format!("move | {path} → new/{path}")),
            1 => (format!("{quote}{path}{quote}"), format!("remove | {path}")),
            _ => (format!("{quote}{path}{quote}"), format!("reset | {path}")),
        };
        text += &format!("- {line}\n");
        wanted.push(other(name));
    }
    text + "<EndPlandexFileOps/>\n"
}

fn patch_text(files: &[(Change, &str, Vec<&str>)], since: &mut String, wanted: &mut Vec<Wanted>) -> String {
    let mut text = "*** Begin Patch\n".to_owned();
    for (change, path, hunk) in files {
        let hunk = lines(hunk);
        let update = format!("*** Begin Patch\n*** Update File: {path}\n{hunk}*** End Patch\n");
        match change {
            Change::Update => {
                text += &format!("*** Update File: {path}\n{hunk}");
                wanted.push(file(path, Form::Patch, update, since));
            }
            Change::Move => {
                text += &format!("*** Update File: {path}\n*** Move to: new/{path}\n{hunk}");
                wanted.push(file(path, Form::Patch, update, since));
                wanted.push(other(format!("move | {path} → new/{path}")));
            }
            Change::Add => {
                text += &format!("*** Add File: {path}\n{}", signed("+", &hunk));
                wanted.push(file(path, Form::Whole, hunk, since));
            }
            Change::Delete => {
                text += &format!("*** Delete File: {path}\n");
                wanted.push(other(format!("remove | {path}")));
                continue;
            }
        }
        since.clear();
    }
    text + "*** End Patch\n"
}

fn diff_text(files: &[(Change, &str, Vec<&str>)], git: bool, since: &mut String, wanted: &mut Vec<Wanted>) -> String {
    let mut text = String::new();
    for (change, path, hunk) in files {
        let hunk = format!("@@ -1 +1 @@\n{}", lines(hunk));
        let both = format!("--- a/{path}\n+++ b/{path}\n{hunk}");
        if git {
            text += &format!("diff --git a/{path} b/{path}\nindex 1..2 100644\n");
        }
        match change {
            Change::Update => {
                text += &both;
                wanted.push(file(path, Form::Diff, both, since));
            }
            Change::Move => {
                let both = both.replace("+++ b/", "+++ b/new/");
                text += &format!("diff --git a/{path} b/new/{path}\nrename from {path}\nrename to new/{path}\n{both}");
                wanted.push(file(path, Form::Diff, both, since));
                wanted.push(other(format!("move | {path} → new/{path}")));
            }
            Change::Add => {
                let signed = signed("+", &hunk);
                text += &format!("--- /dev/null\n+++ b/{path}\n@@ -0,0 +1 @@\n{signed}");
                wanted.push(file(path, Form::Whole, hunk, since));
            }
            Change::Delete => {
                text += &format!("--- a/{path}\n+++ /dev/null\n{hunk}");
                wanted.push(other(format!("remove | {path}")));
                continue;
            }
        }
        since.clear();
    }
    text
}

fn signed(sign: &str, text: &str) -> String {
    text.split_inclusive('\n').flat_map(|line| sign.chars().chain(line.chars())).collect()
}
