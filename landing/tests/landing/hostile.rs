//! Replies of random pieces: whatever comes in, nothing panics, and what is landed can be taken back.

use treegraft::{Engine, Status};
use treegraft_landing::{FilePath, Memory, Node, commit, history, plan, undo};
use treegraft_reply::parse;

use crate::support::random_files;

/// What replies are made of, and what stands in the way.
const PIECES: &[&str] = &[
    "\n",
    "\n\n",
    " ",
    "- ",
    "**",
    "`",
    "a.txt",
    "b.txt",
    "sub/c.txt",
    "sub",
    "new/g.txt",
    "../x",
    "/etc/x",
    ".git/config",
    "A.TXT",
    "nul",
    "é",
    "\u{0}",
    "\u{202e}",
    "\r\n",
    ":",
    ":\n",
    " → ",
    "### Move Files\n",
    "### Remove Files\n",
    "### Reset Changes\n",
    "<EndPlandexFileOps/>\n",
    "- `a.txt` → `b/a.txt`\n",
    "- `b.txt`\n",
    "- `a.txt`\n",
    "- `sub/c.txt`\n",
    "<PlandexBlock lang=\"text\" path=\"a.txt\">\n",
    "<PlandexBlock lang=\"text\" path=\"sub/c.txt\">\n",
    "<PlandexBlock lang=\"text\" path=\"new/h.txt\">\n",
    "</PlandexBlock>\n",
    "- a.txt:\n",
    "// ... existing code ...\n",
    "one\n",
    "two\n",
    "```\n",
    "```text a.txt\n",
    "<<<<<<< SEARCH\n",
    "=======\n",
    ">>>>>>> REPLACE\n",
    "*** Begin Patch\n",
    "*** Add File: n.txt\n",
    "*** Update File: a.txt\n",
    "*** Delete File: b.txt\n",
    "+one\n",
    "-two\n",
    "*** End Patch\n",
    "Type: overwrite\n",
    "--- a/a.txt\n",
    "+++ b/a.txt\n",
    "@@ -1 +1 @@\n",
    "<PlandexFinish/>",
];

#[test]
fn random_replies_are_landed_whole_and_undone_or_refused() {
    let (mut n_landed, mut n_refused) = (0, 0);
    for seed in 0..4000 {
        let mut random = fastrand::Rng::with_seed(seed);
        let files = Memory::default();
        for (path, node) in random_files(&mut random) {
            files.insert(path, node);
        }
        let listed = || -> Vec<(FilePath, Node)> {
            files.nodes().into_iter().filter(|(path, _)| !path.as_str().starts_with(".treegraft")).collect()
        };
        let before = listed();
        let text: String = (0..random.usize(1..30)).map(|_| *random.choice(PIECES).unwrap()).collect();
        let plan = plan(&parse(&text), &files, &Engine::default());
        assert_eq!(listed(), before, "a plan changes nothing: {text:?}");
        for file in plan.files() {
            let _ = file.diff();
        }
        let _ = serde_json::to_string(&treegraft_landing::LandReport::new(&plan, None)).unwrap();
        match commit(&plan, &files, true) {
            Ok(Some(id)) => {
                n_landed += 1;
                assert_ne!(listed(), before, "{text:?}");
                assert_eq!(history(&files).unwrap()[0].id, id);
                undo(&files, Some(id)).unwrap();
                assert_eq!(listed(), before, "{text:?}");
            }
            Ok(None) => assert_eq!(listed(), before, "{text:?}"),
            Err(error) => {
                n_refused += 1;
                assert_eq!(plan.status(), Status::Refused, "{text:?}: {error:?}");
                assert_eq!(listed(), before, "{text:?}");
            }
        }
    }
    assert!(n_landed > 100 && n_refused > 100, "{n_landed} {n_refused}");
}
