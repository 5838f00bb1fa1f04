//! Hostile paths: each is refused in every operation, and nothing beside the root, or in it, is touched.

use std::fs;
use std::path::Path;

use tempfile::TempDir;
use treegraft::Status;
use treegraft_landing::{Disk, Error, Plan, commit, recover};
use treegraft_reply::{Operation, Reply};

use crate::support::{block, planned, remove, rename, reset, snapshot};

/// Paths that are refused by their letters, with the code.
const BY_LETTERS: &[(&str, &str)] = &[
    ("", "path_empty"),
    (".", "path_empty"),
    ("./", "path_empty"),
    ("/etc/passwd", "path_absolute"),
    ("//server/share/x", "path_absolute"),
    ("~/x", "path_absolute"),
    ("..", "path_parent"),
    ("../outside/secret", "path_parent"),
    ("sub/../../outside/secret", "path_parent"),
    ("./../outside/secret", "path_parent"),
    ("sub/..", "path_parent"),
    ("..\\outside\\secret", "path_parent"),
    ("sub\\..\\..\\outside\\secret", "path_parent"),
    ("sub/", "path_folder"),
    ("sub//a.txt", "path_folder"),
    ("sub/./a.txt", "path_folder"),
    ("sub\\a.txt", "path_backslash"),
    ("\\\\server\\share\\x", "path_backslash"),
    ("\\\\?\\C:\\x", "path_backslash"),
    ("\\x", "path_backslash"),
    ("C:\\x", "path_backslash"),
    ("C:x", "path_colon"),
    ("C:/x", "path_colon"),
    ("a.txt:stream", "path_colon"),
    ("a.txt::$DATA", "path_colon"),
    ("a\0b", "path_invisible"),
    ("a\nb", "path_invisible"),
    ("a\rb", "path_invisible"),
    ("a\u{1b}[2Jb", "path_invisible"),
    ("a\u{202e}txt.exe", "path_invisible"),
    (".g\u{200c}it/config", "path_invisible"),
    ("a.txt.", "path_blank"),
    ("a.txt ", "path_blank"),
    ("sub./a.txt", "path_blank"),
    (".git /config", "path_blank"),
    ("... ", "path_blank"),
    ("NUL", "path_device"),
    ("con.txt", "path_device"),
    ("sub/AUX.c", "path_device"),
    ("com1", "path_device"),
    ("lpt9.tar.gz", "path_device"),
    ("CONIN$", "path_device"),
    (".git/config", "path_git"),
    (".GIT/hooks/post-checkout", "path_git"),
    ("sub/.git/config", "path_git"),
    ("GIT~1/config", "path_git"),
    (".git", "path_git"),
    (".treegraft/pending/manifest", "path_own"),
    (".TREEGRAFT/x", "path_own"),
    ("TREEGR~1/x", "path_own"),
    (".treegraft-landing-1-0", "path_own"),
];

/// Makes a root with files and traps, and something beside it that must not be touched.
fn outer() -> TempDir {
    let outer = tempfile::tempdir().unwrap();
    for (name, content) in [
        ("outside/secret", "secret\n"),
        ("outside/a.txt", "a\n"),
        ("root/a.txt", "a\n"),
        ("root/sub/a.txt", "a\n"),
        ("root/.git/config", "[core]\n"),
        ("root/.git/hooks/sample", "#!/bin/sh\n"),
    ] {
        let path = outer.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    outer
}

fn code(plan: &Plan) -> &'static str {
    plan.files().iter().find_map(|file| file.error()).map_or("fine", Error::code)
}

/// All operations that name a path.
fn operations(path: &str) -> Vec<Operation> {
    vec![block(path, "pwned\n"), rename("a.txt", path), rename(path, "b.txt"), remove(path), reset(path)]
}

#[track_caller]
fn check_refused(outer: &Path, path: &str, code_wanted: &str, operations: Vec<Operation>) {
    let before = snapshot(outer);
    let disk = Disk::open(&outer.join("root")).unwrap();
    for operation in operations {
        let told = format!("{operation}");
        // What is beside it in the reply is not landed either.
        let plan = planned([block("fine.txt", "fine\n"), operation], &disk);
        assert_eq!((plan.status(), code(&plan)), (Status::Refused, code_wanted), "{path:?}: {told}");
        assert!(matches!(commit(&plan, &disk, true), Err(Error::Refused)));
    }
    assert_eq!(snapshot(outer), before, "{path:?}");
}

#[test]
fn no_path_leaves_the_root_by_its_letters() {
    let outer = outer();
    assert!(BY_LETTERS.len() >= 40);
    for (path, code) in BY_LETTERS {
        check_refused(outer.path(), path, code, operations(path));
    }
    let (name, path) = ("x".repeat(300), "x/".repeat(600) + "x");
    check_refused(outer.path(), &name, "path_too_long", operations(&name));
    check_refused(outer.path(), &path, "path_too_long", operations(&path));
}

#[test]
fn a_folder_is_no_file_and_a_file_no_folder() {
    let outer = outer();
    for operation in [block("sub", "x\n"), rename("a.txt", "sub"), rename("sub", "b"), remove("sub")] {
        check_refused(outer.path(), "sub", "not_a_file", vec![operation]);
    }
    for operation in [block("a.txt/b", "x\n"), rename("sub/a.txt", "a.txt/b")] {
        check_refused(outer.path(), "a.txt/b", "not_a_folder", vec![operation]);
    }
    let both = |one, other| vec![block(one, "x\n"), block(other, "y\n")];
    for pair in [both("new", "new/b"), both("new/b", "new")] {
        let disk = Disk::open(&outer.path().join("root")).unwrap();
        assert_eq!(code(&planned(pair, &disk)), "not_a_folder");
    }
}

#[test]
fn moves_never_supersede() {
    let outer = outer();
    for (operation, code) in [
        (rename("a.txt", "sub/a.txt"), "exists"),
        (rename("a.txt", "a.txt"), "onto_itself"),
        (rename("a.txt", "./a.txt"), "onto_itself"),
        (rename("a.txt", "A.txt"), "case_twin"),
        (rename("a.txt", "Sub/b.txt"), "case_twin"),
        (rename("missing", "b.txt"), "not_found"),
        (remove("missing"), "not_found"),
    ] {
        check_refused(outer.path(), "", code, vec![operation]);
    }
    let disk = Disk::open(&outer.path().join("root")).unwrap();
    let twice = planned([rename("a.txt", "b.txt"), rename("sub/a.txt", "b.txt")], &disk);
    assert_eq!(code(&twice), "exists");
    assert_eq!(code(&planned([rename("a.txt", "b.txt"), remove("a.txt")], &disk)), "not_found");
}

#[test]
fn case_twins_are_refused() {
    let outer = outer();
    for path in ["A.TXT", "SUB/new.txt", "sub/A.txt"] {
        check_refused(outer.path(), path, "case_twin", vec![block(path, "x\n"), rename("a.txt", path)]);
    }
    let disk = Disk::open(&outer.path().join("root")).unwrap();
    for (one, other) in [("new.txt", "New.txt"), ("n/a.txt", "N/b.txt"), ("straße", "STRASSE")] {
        let plan = planned([block(one, "x\n"), block(other, "y\n")], &disk);
        assert_eq!(code(&plan), "case_twin", "{one} {other}");
    }
    // Not even after the first is gone: on some systems the steps would meet.
    assert_eq!(code(&planned([remove("a.txt"), block("A.txt", "x\n")], &disk)), "case_twin");
}

#[test]
fn a_block_that_the_reply_breaks_off_in_is_never_written() {
    let outer = outer();
    let text = "- sub/a.txt:\n<PlandexBlock lang=\"text\" path=\"sub/a.txt\">\nb\n</PlandexBlock>\n\n\
                - a.txt:\n<PlandexBlock lang=\"text\" path=\"a.txt\">\nhalf of";
    let reply: Reply = treegraft_reply::parse(text);
    assert!(reply.is_truncated());
    let disk = Disk::open(&outer.path().join("root")).unwrap();
    let before = snapshot(outer.path());
    let plan = treegraft_landing::plan(&reply, &disk, &treegraft::Engine::default());
    assert_eq!((plan.status(), code(&plan)), (Status::Refused, "unterminated"));
    assert!(matches!(commit(&plan, &disk, true), Err(Error::Refused)));
    assert_eq!(snapshot(outer.path()), before);
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::symlink;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::thread;

    use treegraft_landing::{Files as _, Store as _};

    use super::*;
    use crate::support::{file, path};

    #[test]
    fn no_link_leads_out_of_the_root() {
        let outer = outer();
        let root = outer.path().join("root");
        let absolute = outer.path().join("outside");
        for (name, target) in [
            ("out", Path::new("../outside")),
            ("absolute", &absolute),
            ("chain", Path::new("out")),
            ("up", Path::new("..")),
            ("sub/up", Path::new("../..")),
            ("file", Path::new("../outside/secret")),
            ("git", Path::new(".git")),
            ("config", Path::new(".git/config")),
            ("nothing", Path::new("../outside/nothing")),
            ("loop", Path::new("loop")),
        ] {
            symlink(target, root.join(name)).unwrap();
        }
        for path in [
            "out/secret",
            "out/new",
            "out/new/new",
            "absolute/secret",
            "absolute/new",
            "chain/secret",
            "up/outside/secret",
            "up/new",
            "up/root/a.txt",
            "sub/up/outside/secret",
            "git/config",
            "git/hooks/new",
        ] {
            let code = "link_out";
            check_refused(outer.path(), path, code, operations(path));
        }
        for path in ["file", "config", "out", "git"] {
            check_refused(outer.path(), path, "link_out", vec![block(path, "pwned\n")]);
        }
        for (path, code) in [("nothing", "link_to_nothing"), ("nothing/x", "link_to_nothing"), ("loop", "io")] {
            check_refused(outer.path(), path, code, vec![block(path, "pwned\n")]);
        }
        for path in ["file", "config"] {
            check_refused(outer.path(), path, "not_a_file", vec![rename(path, "b.txt")]);
            check_refused(outer.path(), path, "exists", vec![rename("a.txt", path)]);
        }
    }

    /// Whatever a plan has looked at before: a step that meets a link out fails by itself.
    #[test]
    fn no_step_is_led_out_of_the_root() {
        let outer = outer();
        let root = outer.path().join("root");
        let disk = Disk::open(&root).unwrap();
        for target in [Path::new("../outside"), &outer.path().join("outside")] {
            symlink(target, root.join("out")).unwrap();
            symlink(target.join("secret"), root.join("file")).unwrap();
            let before = snapshot(outer.path());
            let [secret, new, inner] = ["out/secret", "out/new", "a.txt"].map(path);
            assert!(disk.create(&new, &file("pwned\n", 0o644)).is_err());
            assert!(disk.rename(&inner, &new).is_err());
            assert!(disk.rename(&inner, &secret).is_err());
            assert!(disk.rename(&secret, &path("stolen")).is_err());
            assert!(disk.remove(&secret).is_err());
            assert!(disk.make_folder(&new).is_err());
            assert!(disk.remove_folder(&path("out")).is_err());
            assert!(disk.sync_folder(Some(&path("out"))).is_err());
            assert!(disk.read(&secret, 100).is_err());
            assert!(disk.read(&path("file"), 100).is_err());
            assert!(disk.entry(&secret).is_err());
            assert!(disk.names(Some(&path("out"))).is_err());
            assert_eq!(snapshot(outer.path()), before);
            fs::remove_file(root.join("out")).unwrap();
            fs::remove_file(root.join("file")).unwrap();
        }
    }

    #[test]
    fn a_folder_swapped_for_a_link_after_the_plan_leads_nowhere() {
        for target in ["../outside", ".git", "."] {
            let outer = outer();
            let root = outer.path().join("root");
            let disk = Disk::open(&root).unwrap();
            // `outside/a.txt` holds what `sub/a.txt` does, so content tells nothing.
            for operation in [block("sub/a.txt", "pwned\n"), block("sub/new/b.txt", "pwned\n"), remove("sub/a.txt")] {
                let plan = planned([operation], &disk);
                assert_eq!(plan.status(), Status::Trusted);
                fs::rename(root.join("sub"), root.join("kept")).unwrap();
                symlink(target, root.join("sub")).unwrap();
                let before = snapshot(outer.path());
                assert!(commit(&plan, &disk, true).is_err());
                assert_eq!(snapshot(outer.path()), before, "{target}");
                fs::remove_file(root.join("sub")).unwrap();
                fs::rename(root.join("kept"), root.join("sub")).unwrap();
            }
        }
    }

    #[test]
    fn a_folder_swapped_for_a_link_again_and_again_leads_nowhere() {
        let outer = outer();
        let root = outer.path().join("root");
        let outside = snapshot(&outer.path().join("outside"));
        let done = AtomicBool::new(false);
        thread::scope(|scope| {
            scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    let _ = fs::rename(root.join("sub"), root.join("kept"));
                    let _ = symlink("../outside", root.join("sub"));
                    let _ = fs::remove_file(root.join("sub"));
                    let _ = fs::rename(root.join("kept"), root.join("sub"));
                }
            });
            let disk = Disk::open(&root).unwrap();
            for n in 0..300 {
                let text = format!("pwned {n}\n");
                let plan = planned([block("sub/a.txt", &text), block(&format!("sub/new{n}"), &text)], &disk);
                let _ = commit(&plan, &disk, true);
                let _ = recover(&disk);
            }
            done.store(true, Ordering::Relaxed);
        });
        assert_eq!(snapshot(&outer.path().join("outside")), outside);
    }

    #[test]
    fn pipes_are_not_opened() {
        let outer = outer();
        let pipe = outer.path().join("root/pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        check_refused(
            outer.path(),
            "pipe",
            "not_a_file",
            vec![block("pipe", "x\n"), rename("pipe", "b"), remove("pipe")],
        );
    }
}
