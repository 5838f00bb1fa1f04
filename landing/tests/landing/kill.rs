//! Landings in a process that is killed at random moments.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Instant;

use treegraft_landing::{Disk, Recovery, commit, history, recover};

use crate::support::{block, planned, remove, rename};

/// How often the process is killed.
const N_KILLS: usize = 100;

/// Where the child lands; it is only a child if this is set.
const ROOT: &str = "TREEGRAFT_TEST_KILL_ROOT";

const FILES: [&str; 4] = ["a.txt", "b.txt", "sub/c.txt", "sub/deep/d.txt"];

/// Lands one generation after the other: all files get its number, one wanders, one comes and goes.
fn land(disk: &Disk, root: &Path) -> u64 {
    let n = generation(root) + 1;
    let text = format!("{n}\n");
    let mut operations: Vec<_> = FILES.iter().map(|name| block(name, &text)).collect();
    operations.push(if n.is_multiple_of(2) {
        rename("odd/w.txt", "even/w.txt")
    } else {
        rename("even/w.txt", "odd/w.txt")
    });
    operations.push(if n.is_multiple_of(2) { block("new/folder/e.txt", &text) } else { remove("new/folder/e.txt") });
    commit(&planned(operations, disk), disk, true).unwrap();
    n
}

fn generation(root: &Path) -> u64 {
    fs::read_to_string(root.join(FILES[0])).unwrap().trim().parse().unwrap()
}

/// Asserts that all files are of one generation, and that nothing else is there.
fn check(root: &Path) -> u64 {
    let n = generation(root);
    let text = format!("{n}\n");
    let mut wanted: Vec<(String, String)> = FILES.iter().map(|name| ((*name).to_owned(), text.clone())).collect();
    let is_even = n.is_multiple_of(2);
    wanted.push((if is_even { "even/w.txt" } else { "odd/w.txt" }.to_owned(), "wanders\n".to_owned()));
    if is_even {
        wanted.push(("new/folder/e.txt".to_owned(), text));
    }
    wanted.sort();
    let mut found = Vec::new();
    for path in crate::support::snapshot(root).into_keys().filter(|path| path.is_file()) {
        let name = path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
        found.push((name, fs::read_to_string(path).unwrap()));
    }
    assert_eq!(found, wanted);
    n
}

#[test]
fn a_process_that_is_killed_leaves_all_old_or_all_new() {
    // In memory where that is to be had: a disk that syncs makes landings slow, and death is the same.
    let folder = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap();
    let root = folder.path();
    for (name, content) in
        FILES.iter().map(|name| (*name, "0\n")).chain([("even/w.txt", "wanders\n"), ("new/folder/e.txt", "0\n")])
    {
        let path = root.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    let disk = Disk::open(root).unwrap();
    let mut random = fastrand::Rng::new();
    let (mut n_rolled_back, mut last) = (0, check(root));
    // A kill comes within the time of some landings, however long that is here.
    let start = Instant::now();
    land(&disk, root);
    let window = 4 * start.elapsed();
    for _ in 0..N_KILLS {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "kill::child", "--ignored", "--nocapture"])
            .env(ROOT, root)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        // It has begun once it says so; then it dies at any moment of some landing.
        assert!(lines.any(|line| line.unwrap().ends_with("landed")));
        thread::sleep(window.mul_f64(random.f64()));
        child.kill().unwrap();
        child.wait().unwrap();
        n_rolled_back += usize::from(recover(&disk).unwrap() != Recovery::Nothing);
        let now = check(root);
        assert!(now > last, "what was told to be landed is there");
        assert!(!history(&disk).unwrap().is_empty());
        last = now;
    }
    land(&disk, root);
    assert_eq!(check(root), last + 1, "it goes on from there");
    println!("{N_KILLS} kills, {n_rolled_back} landings rolled back, generation {last}");
}

/// Not a test: what is killed.
#[test]
#[ignore = "started by the test above"]
fn child() {
    let Some(root) = std::env::var_os(ROOT) else { return };
    let root = Path::new(&root);
    let disk = Disk::open(root).unwrap();
    let _ = recover(&disk).unwrap();
    loop {
        land(&disk, root);
        println!("landed");
    }
}
