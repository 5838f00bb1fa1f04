//! A folder to work in, and the command run in it.

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// A small file, a snippet for it, and what must come of them.
pub(crate) const ORIGINAL: &str = "fn one() -> u32 {\n    1\n}\n\nfn two() -> u32 {\n    2\n}\n";
pub(crate) const SNIPPET: &str = "// ... existing code ...\n\nfn two() -> u32 {\n    1 + 1\n}\n";
pub(crate) const RESULT: &str = "fn one() -> u32 {\n    1\n}\n\nfn two() -> u32 {\n    1 + 1\n}\n";
pub(crate) const DIFF: &str =
    "--- a/a.rs\n+++ b/a.rs\n@@ -3,5 +3,5 @@\n }\n \n fn two() -> u32 {\n-    2\n+    1 + 1\n }\n";

/// A snippet whose result has a syntax error, and that result.
pub(crate) const DOUBTFUL: &str = "// ... existing code ...\n\nfn two() -> u32 {\n    1 + + ) 1\n}\n";
pub(crate) const DOUBTFUL_RESULT: &str = "fn one() -> u32 {\n    1\n}\n\nfn two() -> u32 {\n    1 + + ) 1\n}\n";

/// A temporary folder.
pub(crate) struct Folder(TempDir);

impl Folder {
    /// Makes an empty folder.
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// Makes a folder with the small file `a.rs`, the snippet `s` and the doubtful one `d`.
    pub(crate) fn with_example() -> Self {
        Self::new().file("a.rs", ORIGINAL).file("s", SNIPPET).file("d", DOUBTFUL)
    }

    /// Adds a file.
    pub(crate) fn file(self, name: &str, content: impl AsRef<[u8]>) -> Self {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
        self
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// Lists the folder, to see that nothing was left behind.
    pub(crate) fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(self.0.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    /// Makes the command, to be run in the folder and free of the surroundings' wishes.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_treegraft"));
        command.args(arguments).current_dir(self.0.path());
        for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "FORCE_COLOR"] {
            command.env_remove(name);
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Runs the command without input.
    pub(crate) fn run(&self, arguments: &[&str]) -> Run {
        self.run_with(arguments, "")
    }

    /// Runs the command with input.
    pub(crate) fn run_with(&self, arguments: &[&str], input: impl AsRef<[u8]>) -> Run {
        run(self.command(arguments), input.as_ref())
    }
}

/// What a run gave.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) status: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// Runs a command with input.
pub(crate) fn run(mut command: Command, input: &[u8]) -> Run {
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    // A command may end without having read its input.
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    Run {
        status: output.status.code().expect("ended by itself"),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

impl Run {
    /// Asserts the exit status.
    #[track_caller]
    pub(crate) fn ends(self, status: i32) -> Self {
        assert_eq!(self.status, status, "stdout:\n{}\nstderr:\n{}", self.out, self.err);
        self
    }

    /// Asserts that each of `parts` was said on standard error.
    #[track_caller]
    pub(crate) fn says(self, parts: &[&str]) -> Self {
        for part in parts {
            assert!(self.err.contains(part), "`{part}` is missing in\n{}", self.err);
        }
        self
    }

    /// Reads standard output as one JSON object.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {}", self.out))
    }
}
