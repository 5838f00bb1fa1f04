//! Landings on a real disk: modes, links, files that changed, two at once, and a folder of ours that isn't.

use std::fs;
use std::path::Path;
use std::sync::Barrier;
use std::thread;
use std::time::Duration;

use tempfile::TempDir;
use treegraft::Status;
use treegraft_landing::{Disk, Error, KEPT_LANDINGS, Recovery, commit, history, is_pending, recover, undo};

use crate::support::{block, planned, remove, rename, reset, snapshot};

/// Makes a folder with files.
fn root(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in files {
        write(folder.path(), name, content);
    }
    folder
}

fn write(root: &Path, name: &str, content: &str) {
    let path = root.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, content).unwrap();
}

fn read(root: &TempDir, name: &str) -> String {
    fs::read_to_string(root.path().join(name)).unwrap()
}

fn disk(root: &TempDir) -> Disk {
    Disk::open(root.path()).unwrap()
}

#[test]
fn files_are_made_changed_moved_and_removed_and_come_back() {
    let root = root(&[("a.txt", "one\ntwo\nthree\n"), ("old/b.txt", "b\n"), ("c.txt", "c\n")]);
    let disk = disk(&root);
    let before = snapshot(root.path());
    let plan = planned(
        [
            block("a.txt", "one\n2\nthree\n"),
            rename("old/b.txt", "new/deep/b.txt"),
            remove("c.txt"),
            block("d/e.txt", "e\n"),
        ],
        &disk,
    );
    assert_eq!(plan.status(), Status::Trusted);
    assert_eq!(snapshot(root.path()), before, "a plan changes nothing");
    assert_eq!(commit(&plan, &disk, false).unwrap(), Some(1));
    let files = [read(&root, "a.txt"), read(&root, "new/deep/b.txt"), read(&root, "d/e.txt")];
    assert_eq!(files, ["one\n2\nthree\n", "b\n", "e\n"]);
    assert!(!root.path().join("c.txt").exists() && !root.path().join("old/b.txt").exists());
    assert_eq!(read(&root, ".treegraft/.gitignore"), "*\n");
    let after = snapshot(root.path());

    let undone = undo(&disk, None).unwrap();
    assert_eq!((undone.id, undone.undoes), (2, Some(1)));
    assert_eq!(snapshot(root.path()), before, "new folders are gone as well");
    assert!(matches!(undo(&disk, None), Err(Error::NothingToUndo)));
    assert!(matches!(undo(&disk, Some(1)), Err(Error::UndoneAlready { id: 1 })));
    undo(&disk, Some(2)).unwrap();
    assert_eq!(snapshot(root.path()), after, "an undo is undone");
    undo(&disk, None).unwrap();
    assert_eq!(snapshot(root.path()), before, "and the landing once more");
}

#[test]
fn landings_are_undone_one_by_one() {
    let root = root(&[("a.txt", "0\n")]);
    let disk = disk(&root);
    for n in 1..=3 {
        commit(&planned([block("a.txt", &format!("{n}\n"))], &disk), &disk, true).unwrap();
    }
    assert!(matches!(undo(&disk, Some(2)), Err(Error::Changed { .. })), "3 stands on it");
    for n in (0..3).rev() {
        undo(&disk, None).unwrap();
        assert_eq!(read(&root, "a.txt"), format!("{n}\n"));
    }
    assert!(matches!(undo(&disk, None), Err(Error::NothingToUndo)));
    let undone: Vec<bool> = history(&disk).unwrap().iter().map(|landing| landing.is_undone).collect();
    assert_eq!(undone, [false, false, false, true, true, true]);
}

#[test]
fn the_last_landings_are_kept() {
    let root = root(&[("a.txt", "0\n")]);
    let disk = disk(&root);
    for n in 0..KEPT_LANDINGS as u64 + 5 {
        let id = commit(&planned([block("a.txt", &format!("n{n}\n"))], &disk), &disk, true).unwrap();
        assert_eq!(id, Some(n + 1));
    }
    let kept = history(&disk).unwrap();
    assert_eq!((kept.len(), kept[0].id, kept[KEPT_LANDINGS - 1].id), (KEPT_LANDINGS, 25, 6));
    assert_eq!(fs::read_dir(root.path().join(".treegraft/landings")).unwrap().count(), KEPT_LANDINGS);
    assert!(matches!(undo(&disk, Some(5)), Err(Error::NoSuchLanding { id: 5 })));
}

#[test]
fn a_file_that_changed_stops_all() {
    let root = root(&[("a.txt", "a\n"), ("b.txt", "b\n")]);
    let disk = disk(&root);
    let plan = || planned([block("a.txt", "a2\n"), block("b.txt", "b2\n"), block("c.txt", "c\n")], &disk);
    let meddlings: [fn(&Path); 4] = [
        |root| fs::write(root.join("b.txt"), "theirs\n").unwrap(),
        |root| fs::remove_file(root.join("b.txt")).unwrap(),
        |root| fs::write(root.join("c.txt"), "theirs\n").unwrap(),
        |root| {
            fs::remove_file(root.join("b.txt")).unwrap();
            fs::create_dir(root.join("b.txt")).unwrap();
        },
    ];
    for meddle in meddlings {
        let plan = plan();
        meddle(root.path());
        let before = snapshot(root.path());
        assert!(matches!(commit(&plan, &disk, true), Err(Error::Changed { .. })));
        assert_eq!(snapshot(root.path()), before);
        let _ = fs::remove_dir(root.path().join("b.txt"));
        let _ = fs::remove_file(root.path().join("c.txt"));
        write(root.path(), "b.txt", "b\n");
    }
    commit(&plan(), &disk, true).unwrap();
    write(root.path(), "a.txt", "later work\n");
    let before = snapshot(root.path());
    assert!(matches!(undo(&disk, None), Err(Error::Changed { path }) if path.as_str() == "a.txt"));
    assert_eq!(snapshot(root.path()), before);
}

#[test]
fn a_refused_or_doubtful_file_stops_all() {
    let root = root(&[("a.txt", "a\n"), ("b.py", "x = 1\n")]);
    let disk = disk(&root);
    let before = snapshot(root.path());
    let plan = planned([block("a.txt", "a2\n"), block("../b", "b\n")], &disk);
    assert!(matches!(commit(&plan, &disk, true), Err(Error::Refused)));
    let plan = planned([block("a.txt", "a2\n"), block("b.py", "x = (\n")], &disk);
    assert!(matches!(commit(&plan, &disk, false), Err(Error::Unverified)));
    assert_eq!(snapshot(root.path()), before);
    assert!(!root.path().join(".treegraft").exists(), "not even a journal is begun");
    commit(&plan, &disk, true).unwrap();
    assert_eq!(read(&root, "b.py"), "x = (\n");
}

#[test]
fn what_changes_nothing_leaves_nothing() {
    let root = root(&[("a.txt", "a\n")]);
    let disk = disk(&root);
    let plan =
        planned([block("a.txt", "a\n"), block("n.txt", "n\n"), remove("n.txt"), block("m", "m\n"), reset("m")], &disk);
    assert_eq!(plan.status(), Status::Trusted);
    assert_eq!(commit(&plan, &disk, false).unwrap(), None);
    assert_eq!(snapshot(root.path()).len(), 1);
    assert!(!root.path().join(".treegraft").exists());
}

#[test]
fn two_landings_at_once_never_mix() {
    let root = root(&[]);
    for _ in 0..20 {
        for name in ["a.txt", "b.txt", "sub/c.txt"] {
            write(root.path(), name, "old\n");
        }
        let start = Barrier::new(4);
        let landed: Vec<_> = thread::scope(|scope| {
            let landing = |n: usize| {
                let (root, start) = (&root, &start);
                move || {
                    let disk = disk(root);
                    let text = format!("from {n}\n");
                    let plan =
                        planned([block("a.txt", &text), block("b.txt", &text), block("sub/c.txt", &text)], &disk);
                    start.wait();
                    commit(&plan, &disk, true)
                }
            };
            let threads: Vec<_> = (0..4).map(|n| scope.spawn(landing(n))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        let winners: Vec<usize> = (0..4).filter(|&n| landed[n].is_ok()).collect();
        let [winner] = winners[..] else { panic!("{landed:?}") };
        for (n, landed) in landed.iter().enumerate().filter(|(n, _)| *n != winner) {
            assert!(matches!(landed, Err(Error::Changed { .. })), "{n}: {landed:?}");
        }
        for name in ["a.txt", "b.txt", "sub/c.txt"] {
            assert_eq!(read(&root, name), format!("from {winner}\n"));
        }
    }
}

#[test]
fn a_landing_that_does_not_end_is_waited_for_and_then_refuses() {
    use treegraft_landing::Store as _;

    let root = root(&[("a.txt", "a\n")]);
    let disk = disk(&root).patience(Duration::from_millis(20));
    commit(&planned([block("a.txt", "b\n")], &disk), &disk, true).unwrap();
    let other = Disk::open(root.path()).unwrap();
    let held = other.lock().unwrap();
    let plan = planned([block("a.txt", "c\n")], &disk);
    assert!(matches!(commit(&plan, &disk, true), Err(Error::Locked)));
    assert!(matches!(undo(&disk, None), Err(Error::Locked)));
    assert_eq!(read(&root, "a.txt"), "b\n");
    drop(held);
    commit(&plan, &disk, true).unwrap();
}

#[test]
fn an_interrupted_landing_whose_files_changed_since_is_left_alone() {
    let root = root(&[("a.txt", "a\n"), ("b.txt", "b\n")]);
    let disk = disk(&root);
    commit(&planned([block("a.txt", "a2\n"), block("b.txt", "b2\n")], &disk), &disk, true).unwrap();
    // As if the process had ended before the last step.
    fs::rename(root.path().join(".treegraft/landings/1"), root.path().join(".treegraft/pending")).unwrap();
    write(root.path(), "b.txt", "later work\n");
    assert!(is_pending(&disk).unwrap());
    let before = snapshot(root.path());
    let refused = recover(&disk).unwrap_err();
    assert!(matches!(&refused, Error::Interrupted { path, kept: Some(kept) }
        if path.as_str() == "b.txt" && fs::read(root.path().join(kept.as_str())).unwrap() == b"b\n"));
    assert!(matches!(commit(&planned([block("c.txt", "c\n")], &disk), &disk, true), Err(Error::Interrupted { .. })));
    assert_eq!(snapshot(root.path()), before);
    write(root.path(), "b.txt", "b2\n");
    assert_eq!(recover(&disk).unwrap(), Recovery::RolledBack { n_files: 2 });
    assert_eq!((read(&root, "a.txt"), read(&root, "b.txt")), ("a\n".to_owned(), "b\n".to_owned()));
    assert_eq!(recover(&disk).unwrap(), Recovery::Nothing);
}

#[test]
fn kept_contents_that_are_damaged_are_not_put_back() {
    let root = root(&[("a.txt", "a\n")]);
    let disk = disk(&root);
    commit(&planned([block("a.txt", "b\n")], &disk), &disk, true).unwrap();
    write(root.path(), ".treegraft/landings/1/0", "forged\n");
    assert!(matches!(undo(&disk, None), Err(Error::Damaged { .. })));
    assert_eq!(read(&root, "a.txt"), "b\n");
    write(root.path(), ".treegraft/landings/1/manifest", "{}");
    assert!(matches!(undo(&disk, None), Err(Error::Damaged { .. })));
}

#[test]
fn a_manifest_that_names_what_no_reply_may_is_refused() {
    let root = root(&[("a.txt", "a\n")]);
    let disk = disk(&root);
    commit(&planned([block("a.txt", "b\n")], &disk), &disk, true).unwrap();
    let manifest = read(&root, ".treegraft/landings/1/manifest");
    for path in ["../a.txt", ".git/config", "/etc/passwd", ".treegraft/lock"] {
        let forged = manifest.replace("\"a.txt\"", &format!("{path:?}"));
        assert_ne!(forged, manifest);
        write(root.path(), ".treegraft/pending/manifest", &forged);
        assert!(matches!(recover(&disk), Err(Error::Damaged { .. })), "{path}");
    }
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};

    use super::*;

    fn mode(root: &TempDir, name: &str) -> u32 {
        fs::symlink_metadata(root.path().join(name)).unwrap().mode() & 0o7777
    }

    fn set_mode(root: &TempDir, name: &str, mode: u32) {
        fs::set_permissions(root.path().join(name), fs::Permissions::from_mode(mode)).unwrap();
    }

    #[test]
    fn modes_are_kept_by_landing_moving_and_undoing() {
        let root = root(&[("run.sh", "#!/bin/sh\necho 1\n"), ("key", "k\n"), ("gone", "g\n")]);
        for (name, bits) in [("run.sh", 0o755), ("key", 0o600), ("gone", 0o640)] {
            set_mode(&root, name, bits);
        }
        let disk = disk(&root);
        let before = snapshot(root.path());
        let plan = planned(
            [
                block("run.sh", "#!/bin/sh\necho 2\n"),
                rename("key", "sub/key"),
                block("sub/key", "k2\n"),
                remove("gone"),
            ],
            &disk,
        );
        commit(&plan, &disk, true).unwrap();
        assert_eq!((mode(&root, "run.sh"), mode(&root, "sub/key")), (0o755, 0o600));
        undo(&disk, None).unwrap();
        assert_eq!(snapshot(root.path()), before);
        // A mode that was changed since is someone's work as well.
        commit(&planned([block("key", "k3\n")], &disk), &disk, true).unwrap();
        set_mode(&root, "key", 0o644);
        assert!(matches!(undo(&disk, None), Err(Error::Changed { .. })));
        assert_eq!((mode(&root, "key"), read(&root, "key")), (0o644, "k3\n".to_owned()));
    }

    #[test]
    fn a_mode_that_changed_since_the_plan_stops_it() {
        let root = root(&[("a", "a\n")]);
        let disk = disk(&root);
        let plan = planned([block("a", "b\n")], &disk);
        set_mode(&root, "a", 0o755);
        assert!(matches!(commit(&plan, &disk, true), Err(Error::Changed { .. })));
        assert_eq!((mode(&root, "a"), read(&root, "a")), (0o755, "a\n".to_owned()));
    }

    #[test]
    fn links_within_the_root_are_followed_and_stay() {
        let root = root(&[("real/a.txt", "a\n"), ("b.txt", "b\n")]);
        symlink("real", root.path().join("folder")).unwrap();
        symlink("../b.txt", root.path().join("real/link")).unwrap();
        symlink(root.path().join("b.txt"), root.path().join("absolute")).unwrap();
        let disk = disk(&root);
        let before = snapshot(root.path());
        // The second block is for the same file as the first, by another path.
        let plan = planned(
            [
                block("folder/link", "b2\n"),
                block("absolute", "b3\n"),
                block("folder/a.txt", "a2\n"),
                block("folder/new.txt", "n\n"),
            ],
            &disk,
        );
        assert_eq!(plan.files().len(), 3);
        commit(&plan, &disk, true).unwrap();
        let found = [read(&root, "b.txt"), read(&root, "real/a.txt"), read(&root, "real/new.txt")];
        assert_eq!(found, ["b3\n", "a2\n", "n\n"]);
        let is_link = |name| fs::symlink_metadata(root.path().join(name)).unwrap().is_symlink();
        assert!(is_link("folder") && is_link("real/link") && is_link("absolute"));
        undo(&disk, None).unwrap();
        assert_eq!(snapshot(root.path()), before);
    }

    #[test]
    fn a_link_is_removed_itself_and_comes_back() {
        let root = root(&[("a.txt", "a\n"), ("sub/b.txt", "b\n")]);
        symlink("a.txt", root.path().join("link")).unwrap();
        symlink("nowhere", root.path().join("dangling")).unwrap();
        symlink("/etc/passwd", root.path().join("out")).unwrap();
        symlink("sub", root.path().join("folder")).unwrap();
        let disk = disk(&root);
        let before = snapshot(root.path());
        commit(&planned([remove("link"), remove("dangling"), remove("out")], &disk), &disk, false).unwrap();
        assert_eq!(snapshot(root.path()).len(), before.len() - 3);
        assert_eq!(read(&root, "a.txt"), "a\n");
        undo(&disk, None).unwrap();
        assert_eq!(snapshot(root.path()), before);
        // What replaces a link is a file.
        commit(&planned([remove("link"), block("link", "new\n")], &disk), &disk, false).unwrap();
        assert!(fs::symlink_metadata(root.path().join("link")).unwrap().is_file());
        assert_eq!(read(&root, "a.txt"), "a\n");
        undo(&disk, None).unwrap();
        assert_eq!(snapshot(root.path()), before);
        // One that came back is followed again.
        commit(&planned([remove("link"), reset("link"), block("link", "new\n")], &disk), &disk, false).unwrap();
        assert!(fs::symlink_metadata(root.path().join("link")).unwrap().is_symlink());
        assert_eq!(read(&root, "a.txt"), "new\n");
        undo(&disk, None).unwrap();
        assert_eq!(snapshot(root.path()), before);
        for operation in
            [remove("folder"), rename("link", "other"), block("dangling", "x\n"), rename("a.txt", "dangling")]
        {
            assert_eq!(planned([operation], &disk).status(), Status::Refused);
        }
    }

    #[test]
    fn a_read_only_file_is_refused_whoever_asks() {
        let root = root(&[("a.txt", "a\n")]);
        set_mode(&root, "a.txt", 0o444);
        let disk = disk(&root);
        for operation in [block("a.txt", "b\n"), remove("a.txt"), rename("a.txt", "b.txt")] {
            let plan = planned([operation], &disk);
            assert!(matches!(plan.files()[0].error(), Some(Error::ReadOnly { .. })));
        }
    }

    #[test]
    fn a_link_in_place_of_our_own_folders_is_refused() {
        let outer = root(&[("root/a.txt", "a\n"), ("root/src/precious", "p\n"), ("outside/precious", "p\n")]);
        let root = outer.path().join("root");
        let disk = Disk::open(&root).unwrap();
        let own = root.join(".treegraft");
        let refused = |what: &str| {
            let before = snapshot(outer.path());
            let plan = planned([block("a.txt", "b\n")], &disk);
            assert!(matches!(commit(&plan, &disk, true), Err(Error::Damaged { .. })), "{what}: commit");
            assert!(matches!(undo(&disk, None), Err(Error::Damaged { .. })), "{what}: undo");
            assert!(matches!(recover(&disk), Ok(Recovery::Nothing) | Err(Error::Damaged { .. })), "{what}: recover");
            let after = snapshot(outer.path());
            let kept = before.iter().all(|(path, item)| after.get(path) == Some(item));
            assert!(kept, "{what}: {before:?} {after:?}");
        };
        for target in ["src", "../outside", "nowhere"] {
            symlink(target, &own).unwrap();
            refused(&format!("own folder is a link to {target}"));
            fs::remove_file(&own).unwrap();
        }
        for name in ["pending", "landings", "lock", ".gitignore"] {
            for target in ["../src", "../../outside", "../src/precious"] {
                fs::create_dir(&own).unwrap();
                if name == ".gitignore" {
                    // It is ours, and made anew.
                    symlink(target, own.join(name)).unwrap();
                    commit(&planned([block("a.txt", "b\n")], &disk), &disk, true).unwrap();
                    undo(&disk, None).unwrap();
                    assert!(fs::symlink_metadata(own.join(name)).unwrap().is_file());
                } else {
                    symlink(target, own.join(name)).unwrap();
                    refused(&format!("{name} is a link to {target}"));
                }
                fs::remove_dir_all(&own).unwrap();
            }
        }
        assert_eq!(fs::read(root.join("src/precious")).unwrap(), b"p\n");
        assert_eq!(fs::read(outer.path().join("outside/precious")).unwrap(), b"p\n");
    }
}
