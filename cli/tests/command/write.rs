//! `--write`, `--output` and `--accept-unverified`: when files are written, and how.

use std::fs;

use crate::support::{DIFF, DOUBTFUL_RESULT, Folder, ORIGINAL, RESULT};

#[test]
fn a_trusted_result_is_written_in_place() {
    let folder = Folder::with_example();
    let run = folder.run(&["apply", "a.rs", "-s", "s", "--write"]).ends(0).says(&["trusted", "wrote: a.rs"]);
    assert_eq!(run.out, DIFF);
    assert_eq!(folder.read("a.rs"), RESULT);
    assert_eq!(folder.names(), ["a.rs", "d", "s"]);
}

#[test]
fn a_doubtful_result_is_withheld_unless_accepted() {
    let folder = Folder::with_example();
    folder.run(&["apply", "a.rs", "-s", "d", "--write"]).ends(1).says(&["not written: --accept-unverified"]);
    assert_eq!(folder.read("a.rs"), ORIGINAL);
    folder.run(&["apply", "a.rs", "-s", "d", "--output", "b.rs"]).ends(1);
    assert!(!folder.path("b.rs").exists());
    let run = folder.run(&["apply", "a.rs", "-s", "d", "--write", "--accept-unverified"]).ends(1);
    run.says(&["needs a look", "wrote: a.rs"]);
    assert_eq!(folder.read("a.rs"), DOUBTFUL_RESULT);
}

#[test]
fn output_is_made_or_replaced() {
    let folder = Folder::with_example();
    for _ in 0..2 {
        folder.run(&["apply", "a.rs", "-s", "s", "--output", "b.rs"]).ends(0);
        assert_eq!((folder.read("a.rs"), folder.read("b.rs")), (ORIGINAL.to_owned(), RESULT.to_owned()));
        fs::write(folder.path("b.rs"), "something else").unwrap();
    }
}

#[test]
fn output_equal_to_the_original_is_write() {
    let folder = Folder::with_example().file("sub/x", "");
    folder.run(&["apply", "a.rs", "-s", "s", "--output", "sub/../a.rs"]).ends(0).says(&["wrote: a.rs"]);
    assert_eq!(folder.read("a.rs"), RESULT);
}

#[test]
fn what_is_applied_already_is_not_touched() {
    let folder = Folder::with_example().file("a.rs", RESULT);
    let before = fs::metadata(folder.path("a.rs")).unwrap().modified().unwrap();
    folder.run(&["apply", "a.rs", "-s", "s", "--write"]).ends(0).says(&["unchanged", "left as it is: a.rs"]);
    assert_eq!(fs::metadata(folder.path("a.rs")).unwrap().modified().unwrap(), before);
}

#[test]
fn json_and_write_go_together() {
    let folder = Folder::with_example();
    let run = folder.run(&["apply", "a.rs", "-s", "s", "--json", "--write"]).ends(0);
    assert_eq!(run.json()["status"], "trusted");
    assert_eq!(folder.read("a.rs"), RESULT);
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::*;

    #[test]
    fn the_mode_is_kept_and_links_are_followed() {
        let folder = Folder::with_example();
        fs::set_permissions(folder.path("a.rs"), fs::Permissions::from_mode(0o751)).unwrap();
        symlink("a.rs", folder.path("link.rs")).unwrap();
        folder.run(&["apply", "link.rs", "-s", "s", "--write"]).ends(0).says(&["wrote: link.rs"]);
        assert_eq!(folder.read("a.rs"), RESULT);
        assert!(fs::symlink_metadata(folder.path("link.rs")).unwrap().is_symlink());
        let mode = fs::metadata(folder.path("a.rs")).unwrap().permissions().mode();
        assert_eq!(mode & 0o7777, 0o751);
    }

    #[test]
    fn output_through_a_link_to_the_original_is_write() {
        let folder = Folder::with_example();
        symlink("a.rs", folder.path("link.rs")).unwrap();
        folder.run(&["apply", "a.rs", "-s", "s", "--output", "link.rs"]).ends(0);
        assert_eq!(folder.read("a.rs"), RESULT);
        assert!(fs::symlink_metadata(folder.path("link.rs")).unwrap().is_symlink());
    }

    #[test]
    fn a_read_only_file_stays_as_it_is() {
        let folder = Folder::with_example();
        fs::set_permissions(folder.path("a.rs"), fs::Permissions::from_mode(0o444)).unwrap();
        folder.run(&["apply", "a.rs", "-s", "s", "--write"]).ends(2).says(&[
            "error: the file is read-only",
            "--> a.rs",
            "help: make it writable first",
        ]);
        assert_eq!(folder.read("a.rs"), ORIGINAL);
        let run = folder.run(&["apply", "a.rs", "-s", "s", "--write", "--json"]).ends(2);
        assert_eq!(run.json()["error"]["code"], "read_only");
        folder.run(&["apply", "a.rs", "-s", "s"]).ends(0);
    }
}
