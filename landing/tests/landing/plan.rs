//! What a reply comes to: operations in order, each on the result of those before.

use treegraft::{ReasonKind, Status};
use treegraft_landing::{Action, Attributes, Doubt, FilePath, Memory, Node, Plan, PlannedFile, commit};
use treegraft_reply::{FileBlock, Form, Operation, Reply, parse};

use crate::support::{
    block, file, path, planned, random_files, random_operation, remove, rename, reply, reset, snippet,
};

const CODE: &str = "def one():\n    return 1\n\n\ndef two():\n    return 2\n\n\ndef three():\n    return 3\n";

fn files() -> Memory {
    Memory::new([("a.txt", "a\n"), ("b.txt", "b\n"), ("sub/c.txt", "c\n"), ("code.py", CODE)]).unwrap()
}

/// Lands operations and lists the files that are there then.
#[track_caller]
fn landed(operations: impl IntoIterator<Item = Operation>) -> Vec<(String, String)> {
    let files = files();
    let plan = planned(operations, &files);
    assert_ne!(plan.status(), Status::Refused, "{plan:#?}");
    commit(&plan, &files, true).unwrap();
    let text = |(path, node): (FilePath, Node)| match node {
        Node::File { content, .. } => (path.to_string(), String::from_utf8(content).unwrap()),
        Node::Link { target } => (path.to_string(), target),
    };
    files.nodes().into_iter().map(text).filter(|(path, text)| !path.starts_with(".treegraft") && text != CODE).collect()
}

#[track_caller]
fn check(operations: impl IntoIterator<Item = Operation>, wanted: &[(&str, &str)]) {
    let landed = landed(operations);
    let landed: Vec<(&str, &str)> = landed.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    assert_eq!(landed, wanted);
}

/// Gives what is planned for the only file.
fn only(plan: &Plan) -> &PlannedFile {
    let [only] = plan.files() else { panic!("{plan:#?}") };
    only
}

#[test]
fn operations_are_done_in_order() {
    let rest = [("b.txt", "b\n"), ("sub/c.txt", "c\n")];
    let with = |first: &[(&'static str, &'static str)]| [first, &rest].concat();
    check([block("a.txt", "1\n"), block("a.txt", "2\n")], &with(&[("a.txt", "2\n")]));
    check([rename("a.txt", "a/b.txt"), block("a/b.txt", "2\n")], &with(&[("a/b.txt", "2\n")]));
    check([block("a.txt", "2\n"), rename("a.txt", "Z.txt")], &with(&[("Z.txt", "2\n")]));
    check([rename("a.txt", "Z.txt"), rename("Z.txt", "Y.txt")], &with(&[("Y.txt", "a\n")]));
    check([rename("a.txt", "Z.txt"), rename("Z.txt", "a.txt")], &with(&[("a.txt", "a\n")]));
    check([rename("a.txt", "Z.txt"), block("a.txt", "new\n")], &with(&[("Z.txt", "a\n"), ("a.txt", "new\n")]));
    check([remove("a.txt"), block("a.txt", "new\n")], &with(&[("a.txt", "new\n")]));
    check([block("a.txt", "2\n"), remove("a.txt")], &rest);
    check([block("Z.txt", "2\n"), remove("Z.txt")], &with(&[("a.txt", "a\n")]));
    check(
        [rename("a.txt", "t"), rename("b.txt", "a.txt"), rename("t", "b.txt")],
        &[("a.txt", "b\n"), ("b.txt", "a\n"), ("sub/c.txt", "c\n")],
    );
}

#[test]
fn a_reset_drops_what_was_done_so_far() {
    let rest = [("a.txt", "a\n"), ("b.txt", "b\n"), ("sub/c.txt", "c\n")];
    check([block("a.txt", "2\n"), reset("a.txt")], &rest);
    check([rename("a.txt", "Z.txt"), block("Z.txt", "2\n"), reset("Z.txt")], &rest);
    check([rename("a.txt", "Z.txt"), block("Z.txt", "2\n"), reset("a.txt")], &rest);
    check([remove("a.txt"), reset("a.txt")], &rest);
    check([block("Z.txt", "2\n"), reset("Z.txt")], &rest);
    check([remove("a.txt"), block("a.txt", "new\n"), reset("a.txt")], &rest);
    check([rename("a.txt", "Z.txt"), block("a.txt", "new\n"), reset("a.txt")], &rest);
    check([rename("a.txt", "Z.txt"), rename("b.txt", "a.txt"), reset("a.txt")], &rest);
    check([remove("a.txt"), reset("a.txt"), remove("a.txt")], &rest[1..]);
    check([reset("a.txt")], &rest);
    check([reset("Z.txt")], &rest);
    check(
        [block("a.txt", "2\n"), reset("a.txt"), block("a.txt", "3\n")],
        &[("a.txt", "3\n"), ("b.txt", "b\n"), ("sub/c.txt", "c\n")],
    );
    // The old place is taken: nothing is overwritten for it.
    let plan = planned([rename("a.txt", "Z.txt"), block("a.txt", "new\n"), reset("Z.txt")], &files());
    assert_eq!(plan.files().iter().find_map(PlannedFile::error).unwrap().code(), "exists");
}

#[test]
fn several_blocks_build_on_each_other() {
    let files = files();
    let first = "# ... existing code ...\n\ndef two():\n    return 22\n\n# ... existing code ...\n";
    let second =
        "# ... existing code ...\n\ndef two():\n    print(\"two\")\n    return 22\n\n# ... existing code ...\n";
    let plan = planned([snippet("code.py", first, ""), snippet("code.py", second, "")], &files);
    let planned = only(&plan);
    assert_eq!((planned.status(), planned.action(), planned.edits().len()), (Status::Trusted, Action::Edit, 2));
    assert!(planned.edits()[1].original.as_deref().unwrap().contains("return 22"));
    assert!(
        planned
            .diff()
            .ends_with(" def two():\n-    return 2\n+    print(\"two\")\n+    return 22\n \n \n def three():\n")
    );
}

#[test]
fn a_block_after_a_move_is_merged_into_the_moved_file() {
    let second = "# ... existing code ...\n\ndef two():\n    return 22\n\n# ... existing code ...\n";
    let plan = planned([rename("code.py", "pkg/code.py"), snippet("pkg/code.py", second, "")], &files());
    let planned = only(&plan);
    assert_eq!((planned.status(), planned.action()), (Status::Trusted, Action::Move));
    assert_eq!((planned.name(), planned.moved_from().unwrap().as_str()), ("pkg/code.py", "code.py"));
    assert_eq!(
        planned.diff(),
        "diff --git a/code.py b/pkg/code.py\nrename from code.py\nrename to pkg/code.py\n--- a/code.py\n\
         +++ b/pkg/code.py\n@@ -3,7 +3,7 @@\n \n \n def two():\n-    return 2\n+    return 22\n \n \n def three():\n"
    );
}

#[test]
fn the_content_of_a_new_file_is_the_file() {
    for content in
        ["", "\n\n", "x\r\ny\r\n", "\u{feff}x\n", "a\n\n\n", "def f():\n    return [...]\n", "- a\n- b\n", "tab\t \n"]
    {
        let plan = planned([snippet("new.py", content, "")], &files());
        let planned = only(&plan);
        assert_eq!(planned.action(), Action::Make);
        let Some(Node::File { content: found, attributes: None }) = planned.after() else { panic!("{planned:?}") };
        assert_eq!(found, content.as_bytes());
    }
    let plan = planned([snippet("new.py", "def f():\n    return 1\n", "")], &files());
    assert_eq!(plan.status(), Status::Trusted);
}

#[test]
fn a_lazy_snippet_for_a_file_that_is_not_there_is_flagged() {
    for content in [
        "# ... existing code ...\n\ndef two():\n    return 22\n",
        "def two():\n    return 22\n\n# ... existing code ...\n",
        "def one():\n    # ... existing code ...\n    return 1\n",
        "import os\n# ... rest of file unchanged ...\n",
    ] {
        let plan = planned([snippet("missing.py", content, "")], &files());
        let planned = only(&plan);
        let kinds: Vec<&str> = planned.doubts().iter().map(Doubt::kind).collect();
        assert_eq!(planned.status(), Status::NeedsVerify);
        assert!(kinds.contains(&"reference_without_source"), "{content}: {kinds:?}");
        let Some(Node::File { content: found, .. }) = planned.after() else { panic!("{planned:?}") };
        assert_eq!(found, content.as_bytes());
    }
    let Doubt::Edit { reason, .. } =
        &only(&planned([snippet("missing.py", "import os\n# ... existing code ...\n", "")], &files())).doubts()[0]
            .clone()
    else {
        panic!("a reason of the edit")
    };
    assert_eq!((reason.kind, reason.snippet_lines.unwrap().one_based()), (ReasonKind::ReferenceWithoutSource, (2, 2)));
    let plan = planned([snippet("missing.py", "+def f():\n+    return 1\n", "")], &files());
    assert_eq!(only(&plan).doubts()[0].kind(), "snippet_suspicious");
}

/// A path with a slip in it must not quietly make a second file.
#[test]
fn a_change_that_is_announced_for_a_file_that_is_not_there_is_flagged() {
    let kinds = |description: &str| -> Vec<&'static str> {
        let plan = planned([snippet("cod.py", "def two():\n    return 22\n", description)], &files());
        only(&plan).doubts().iter().map(Doubt::kind).collect()
    };
    for description in [
        "Type: replace\nSummary: a better two\nReplace: lines 5-6",
        "**Type:** remove",
        "I'll do it.\n- Type: append",
        "Replace: line 3",
        "Remove: 3-4",
    ] {
        assert_eq!(kinds(description), ["range_not_applied"], "{description}");
    }
    for description in [
        "",
        "Type: add\nSummary: a new file",
        "I'll replace: the old one",
        "Note: replace line 3",
        "Replace: the old parser",
    ] {
        assert_eq!(kinds(description), [""; 0], "{description}");
    }
}

#[test]
fn a_file_that_the_reply_calls_new_but_is_there_is_flagged() {
    let whole = |path: &str, content: &str| {
        let Operation::File(block) = snippet(path, content, "") else { unreachable!() };
        Operation::File(FileBlock { form: Form::Whole, ..block })
    };
    assert_eq!(planned([whole("new.txt", "x\n")], &files()).status(), Status::Trusted);
    let plan = planned([whole("code.py", &CODE.replace('3', "33"))], &files());
    assert!(only(&plan).doubts().contains(&Doubt::NotNew));
}

#[test]
fn files_that_are_no_text_are_moved_and_removed_but_not_edited() {
    let files = files();
    let binary =
        Node::File { content: vec![0, 159, 146, 150], attributes: Some(Attributes { mode: 0o600, owner: None }) };
    files.insert(path("logo.png"), binary.clone());
    files.insert(path("other.png"), binary.clone());
    let plan = planned([block("logo.png", "x\n")], &files);
    assert_eq!(only(&plan).error().unwrap().code(), "not_utf8");
    let plan = planned([rename("logo.png", "img/logo.png"), remove("other.png")], &files);
    assert_eq!(plan.status(), Status::Trusted);
    assert_eq!(plan.files()[0].diff().lines().count(), 3, "a rename without content");
    assert!(plan.files()[1].diff().ends_with("\nBinary files a/other.png and /dev/null differ\n"));
    commit(&plan, &files, false).unwrap();
    assert!(files.nodes().contains(&(path("img/logo.png"), binary)));
}

#[test]
fn a_new_file_has_no_mode_of_its_own_and_a_changed_one_keeps_its() {
    let files = files();
    files.insert(path("run.sh"), file("echo 1\n", 0o755));
    let plan = planned([block("run.sh", "echo 2\n"), block("new.sh", "echo\n")], &files);
    let mode = |n: usize| match plan.files()[n].after() {
        Some(Node::File { attributes, .. }) => attributes.map(|attributes| attributes.mode),
        _ => None,
    };
    assert_eq!((mode(0), mode(1)), (Some(0o755), None));
}

#[test]
fn an_empty_snippet_never_empties_a_file() {
    let plan = planned([snippet("a.txt", "", "")], &files());
    assert_eq!(only(&plan).error().unwrap().code(), "empty_snippet");
}

#[test]
fn what_the_reader_doubts_is_doubted() {
    let text = "- a.txt:\n<PlandexBlock lang=\"text\" path=\"a.txt\">\nb\n}</PlandexBlock>\n\n### Remove Files\n-\n";
    let plan = treegraft_landing::plan(&parse(text), &files(), &treegraft::Engine::default());
    let doubts = only(&plan).doubts();
    assert!(doubts.iter().any(|doubt| doubt.kind() == "close_on_code_line"), "{doubts:?}");
    assert!(plan.doubts().iter().any(|warning| warning.code.as_str() == "empty_path"));
    let lost = treegraft_landing::plan(
        &parse("### Move Files\n- a.txt\n<EndPlandexFileOps/>\n### Remove Files\n- b.txt\n<EndPlandexFileOps/>\n"),
        &files(),
        &treegraft::Engine::default(),
    );
    assert_eq!(lost.status(), Status::NeedsVerify, "an operation that was lost is no trusted reply");
}

#[test]
fn too_many_operations_are_refused() {
    let operations = (0..=treegraft_landing::MOST_OPERATIONS).map(|n| block(&format!("f{n}"), "x\n"));
    let plan = treegraft_landing::plan(&reply(operations), &Memory::default(), &treegraft::Engine::default());
    assert_eq!(plan.files().last().unwrap().error().unwrap().code(), "too_many");
    assert_eq!(plan.status(), Status::Refused);
}

#[test]
fn too_much_text_is_refused_before_it_is_made() {
    let big = "x\n".repeat(1 << 20);
    let operations = [block("new.txt", &big)].into_iter().chain((0..600).map(|n| block("new.txt", &format!("{n}\n"))));
    let plan = planned(operations, &files());
    assert_eq!(only(&plan).error().unwrap().code(), "too_much");
}

/// Folders are claimed by their names alone, not by whole paths: a reply of deep ones takes no room of its square.
#[test]
fn many_deep_paths_are_planned() {
    let deep = |n: usize| format!("{n}/{}f", "d/".repeat(treegraft_landing::DEEPEST_PATH - 2));
    let plan = planned((0..2000).map(|n| block(&deep(n), "x\n")), &files());
    assert_eq!((plan.status(), plan.files().len()), (Status::Trusted, 2000));
}

#[test]
fn the_order_of_files_is_that_of_the_reply() {
    let plan = planned(
        [block("z", "z\n"), rename("b.txt", "y"), block("a.txt", "2\n"), remove("../x"), block("z", "y\n")],
        &files(),
    );
    let names: Vec<&str> = plan.files().iter().map(PlannedFile::name).collect();
    assert_eq!(names, ["z", "y", "a.txt", "../x"]);
}

/// The naive twin: each operation is a landing of its own. A reset alone knows what was before, and is left out.
#[test]
fn a_reply_comes_to_what_its_operations_do_one_by_one() {
    let (mut n_landed, mut n_refused) = (0, 0);
    for seed in 0..1000 {
        let mut random = fastrand::Rng::with_seed(seed);
        let start = random_files(&mut random);
        let make = || {
            let files = Memory::default();
            for (path, node) in start.clone() {
                files.insert(path, node);
            }
            files
        };
        let operations: Vec<Operation> = (0..random.usize(1..8))
            .map(|_| random_operation(&mut random))
            .filter(|operation| !matches!(operation, Operation::Reset { .. }))
            .collect();
        let (at_once, one_by_one) = (make(), make());
        let plan = planned(operations.clone(), &at_once);
        let landed = operations.into_iter().all(|operation| {
            let plan = planned([operation], &one_by_one);
            commit(&plan, &one_by_one, true).is_ok()
        });
        assert_eq!(plan.status() != Status::Refused, landed, "{seed}: {plan:#?}");
        if landed {
            n_landed += 1;
            commit(&plan, &at_once, true).unwrap();
            let ours = |(path, _): &(FilePath, Node)| !path.as_str().starts_with(".treegraft");
            let listed = |files: &Memory| files.nodes().into_iter().filter(ours).collect::<Vec<_>>();
            assert_eq!(listed(&at_once), listed(&one_by_one), "{seed}: {plan:#?}");
        } else {
            n_refused += 1;
        }
    }
    assert!(n_landed > 200 && n_refused > 200, "{n_landed} {n_refused}");
}

/// Git takes what is shown and makes of it what a landing makes.
#[test]
fn git_applies_the_diff() {
    use std::fs;
    use std::io::Write as _;
    use std::process::{Command, Stdio};

    use treegraft_landing::Disk;

    let make = || {
        let folder = tempfile::tempdir().unwrap();
        for (name, content) in [
            ("a b.txt", "a\n"),
            ("q\".txt", "q\n"),
            ("mv.txt", "m\n"),
            ("code.py", CODE),
            ("rm.txt", "r"),
            ("pure", "p\n"),
        ] {
            fs::write(folder.path().join(name), content).unwrap();
        }
        folder
    };
    let (ours, theirs) = (make(), make());
    let second = "# ... existing code ...\n\ndef two():\n    return 22\n\n# ... existing code ...\n";
    let operations = [
        block("a b.txt", "2\n"),
        block("q\".txt", "2"),
        rename("mv.txt", "sub/é.txt"),
        block("sub/é.txt", "m\nm2\n"),
        rename("pure", "sub/pure"),
        snippet("code.py", second, ""),
        block("code.py", &CODE.replace('1', "11")),
        remove("rm.txt"),
        block("new/n.txt", "n\n"),
        block("new/empty", ""),
        block("crlf", "x\r\ny\r\n"),
    ];
    let disk = Disk::open(ours.path()).unwrap();
    let plan = planned(operations, &disk);
    let diff: String = plan.files().iter().map(PlannedFile::diff).collect();
    commit(&plan, &disk, true).unwrap();
    let mut git = Command::new("git")
        .args(["apply", "--whitespace=nowarn"])
        .current_dir(theirs.path())
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    git.stdin.take().unwrap().write_all(diff.as_bytes()).unwrap();
    assert!(git.wait().unwrap().success(), "{diff}");
    let listed = |folder: &tempfile::TempDir| -> Vec<_> {
        let strip =
            |(path, what): (std::path::PathBuf, String)| (path.strip_prefix(folder.path()).unwrap().to_owned(), what);
        crate::support::snapshot(folder.path()).into_iter().map(strip).collect()
    };
    assert_eq!(listed(&ours), listed(&theirs), "{diff}");
}

/// Where the system doesn't tell upper from lower case, two spellings must not become two files.
#[test]
fn another_spelling_of_a_file_that_is_there_is_refused() {
    for operation in [remove("A.TXT"), rename("A.TXT", "d.txt"), rename("b.txt", "A.TXT")] {
        let told = operation.to_string();
        let plan = planned([block("a.txt", "x\n"), operation], &Reader { files: files(), folds: true });
        let code = plan.files().iter().find_map(PlannedFile::error).unwrap().code();
        assert!(matches!(code, "case_twin" | "exists"), "{told}: {code}");
    }
    let folding = Reader { files: files(), folds: true };
    assert_eq!(only(&planned([block("A.TXT", "x\n")], &folding)).error().unwrap().code(), "case_twin");
    let plan = planned([block("a.txt", "x\n"), block("A.TXT", "y\n"), rename("b.txt", "d.txt")], &folding);
    assert_eq!((plan.status(), plan.files().len()), (Status::Trusted, 2), "one file, as the system has it");
}

/// A plan needs files to read alone, wherever they are kept.
#[test]
fn replies_are_planned_on_files_elsewhere() {
    let plan = planned([block("a.txt", "2\n")], &Reader { files: files(), folds: false });
    assert_eq!(only(&plan).status(), Status::Trusted);
}

/// Files that can be read and not written.
struct Reader {
    files: Memory,
    /// Whether upper and lower case are one.
    folds: bool,
}

impl Reader {
    /// Spells a path as it is spelled there.
    fn spelled(&self, path: &FilePath) -> FilePath {
        let is_it = |(other, _): &(FilePath, Node)| {
            other == path || self.folds && other.as_str().eq_ignore_ascii_case(path.as_str())
        };
        self.files.nodes().into_iter().find(is_it).map_or_else(|| path.clone(), |(path, _)| path)
    }
}

impl treegraft_landing::Files for Reader {
    fn resolve(&self, path: &FilePath, last: treegraft_landing::Last) -> Result<FilePath, treegraft_landing::Error> {
        match last {
            treegraft_landing::Last::Followed => Ok(self.spelled(path)),
            treegraft_landing::Last::Kept => self.files.resolve(path, last),
        }
    }

    fn entry(&self, path: &FilePath) -> std::io::Result<treegraft_landing::Entry> {
        self.files.entry(&self.spelled(path))
    }

    fn read(&self, path: &FilePath, limit: usize) -> std::io::Result<Vec<u8>> {
        self.files.read(&self.spelled(path), limit)
    }

    fn names(&self, folder: Option<&FilePath>) -> std::io::Result<Vec<String>> {
        self.files.names(folder)
    }
}

#[test]
fn an_empty_reply_is_an_empty_plan() {
    let plan = treegraft_landing::plan(&Reply::default(), &files(), &treegraft::Engine::default());
    assert!(plan.files().is_empty());
    assert_eq!(commit(&plan, &files(), false).unwrap(), None);
}
