//! Any reply is planned without a panic; what is landed comes back by an undo, and what is refused leaves all as it was.
#![no_main]

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use treegraft::{Engine, Status};
use treegraft_landing::{FilePath, Memory, Node, commit, plan, undo};

#[derive(Debug, Arbitrary)]
enum Part<'a> {
    Piece(u8),
    Raw(&'a str),
}

const PIECES: [&str; 40] = [
    "\n",
    "- ",
    "`",
    "a.rs",
    "b.txt",
    "sub/c.txt",
    "sub",
    "new/d.txt",
    "../x",
    "/x",
    ".git/config",
    "A.RS",
    "nul",
    "\r\n",
    ":\n",
    " → ",
    "### Move Files\n",
    "### Remove Files\n",
    "### Reset Changes\n",
    "<EndPlandexFileOps/>\n",
    "- `a.rs` → `b/a.rs`\n",
    "- `b.txt`\n",
    "- `a.rs`\n",
    "- `sub/c.txt`\n",
    "<PlandexBlock lang=\"rust\" path=\"a.rs\">\n",
    "<PlandexBlock lang=\"text\" path=\"sub/c.txt\">\n",
    "<PlandexBlock lang=\"text\" path=\"new/d.txt\">\n",
    "</PlandexBlock>\n",
    "// ... existing code ...\n",
    "fn one() {}\n",
    "two\n",
    "```\n",
    "```rust a.rs\n",
    "<<<<<<< SEARCH\n",
    "=======\n",
    ">>>>>>> REPLACE\n",
    "*** Begin Patch\n*** Update File: a.rs\n",
    "*** Add File: n.txt\n",
    "*** End Patch\n",
    "Type: overwrite\n",
];

fn listed(files: &Memory) -> Vec<(FilePath, Node)> {
    files.nodes().into_iter().filter(|(path, _)| !path.as_str().starts_with(".treegraft")).collect()
}

fuzz_target!(|parts: Vec<Part<'_>>| {
    let piece = |part: &Part<'_>| match *part {
        Part::Piece(at) => PIECES[usize::from(at) % PIECES.len()].to_owned(),
        Part::Raw(text) => text.to_owned(),
    };
    let text: String = parts.iter().map(piece).collect();
    let files = Memory::new([("a.rs", "fn one() {}\n\nfn two() {}\n"), ("b.txt", "b\n"), ("sub/c.txt", "c\n")])
        .expect("these are plain paths");
    let before = listed(&files);
    let plan = plan(&treegraft_reply::parse(&text), &files, &Engine::default());
    plan.files().iter().for_each(|file| drop(file.diff()));
    assert_eq!(listed(&files), before);
    match commit(&plan, &files, true) {
        Ok(None) => {}
        Ok(id) => {
            undo(&files, id).expect("what was landed a moment ago can be undone");
        }
        Err(_) => assert_eq!(plan.status(), Status::Refused),
    }
    assert_eq!(listed(&files), before);
});
