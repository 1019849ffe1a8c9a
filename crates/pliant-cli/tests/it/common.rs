//! The built program in a folder of its own.

pub(crate) mod browser;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

/// A small scene of both kinds of body: a pinned sheet and a ball above a floor.
pub(crate) const SCENE: &str = r#"name = "small"
frames = 4
frame_rate = 60

[solver]
substeps = 4

[[body]]
name = "sheet"
mesh = { grid = { vertices = [6, 6], size = [0.5, 0.5] } }
translate = [0.0, 1.0, 0.0]
edges = { compliance = 1e-6 }
bending = { compliance = 10.0 }

[[body.pin]]
vertices = [0, 5]

[[body]]
name = "ball"
mesh = { ball = { radius = 0.2, shells = 2 } }
rest_on = 0.02
edges = { compliance = 1e-5 }
visual = { icosphere = { radius = 0.21, frequency = 4 } }

[[obstacle]]
floor = {}
friction = 0.5
"#;

/// A folder for one test.
pub(crate) struct Bench {
    folder: tempfile::TempDir,
}

/// The result of running the program.
pub(crate) struct Ran {
    pub(crate) status: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Bench {
    pub(crate) fn new() -> Self {
        let bench = Self { folder: tempfile::tempdir().unwrap() };
        bench.write("small.toml", SCENE);
        bench
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub(crate) fn json(&self, name: &str) -> serde_json::Value {
        serde_json::from_str(&self.read(name)).unwrap()
    }

    pub(crate) fn exists(&self, name: &str) -> bool {
        self.path(name).exists()
    }

    /// The program, to be started in the folder.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pliant"));
        command.args(args).current_dir(self.folder.path()).env_remove("RUST_BACKTRACE");
        command
    }

    /// Starts the program in the folder; its errors are not shown.
    pub(crate) fn spawn(&self, args: &[&str]) -> Child {
        self.command(args).stderr(Stdio::null()).spawn().unwrap()
    }

    /// The state hash of a finished run.
    pub(crate) fn hash(&self, run: &str) -> String {
        self.json(&format!("{run}/run.json"))["summary"]["state_hash"].as_str().unwrap().to_owned()
    }

    /// Runs the program in the folder.
    pub(crate) fn pliant(&self, args: &[&str]) -> Ran {
        let output: Output = self.command(args).output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        Ran { status: output.status.code().unwrap(), out: text(output.stdout), err: text(output.stderr) }
    }

    /// Runs the program, which must succeed.
    pub(crate) fn good(&self, args: &[&str]) -> Ran {
        let ran = self.pliant(args);
        assert_eq!(ran.status, 0, "pliant {}\n{}{}", args.join(" "), ran.out, ran.err);
        ran
    }

    /// Runs the program, which must refuse with status 2, one paragraph, and every one of the `parts` in it.
    pub(crate) fn refused(&self, args: &[&str], parts: &[&str]) -> String {
        self.ends_with_status(2, args, parts)
    }

    pub(crate) fn ends_with_status(&self, status: i32, args: &[&str], parts: &[&str]) -> String {
        let ran = self.pliant(args);
        let what = format!("pliant {}\n{}{}", args.join(" "), ran.out, ran.err);
        assert_eq!(ran.status, status, "{what}");
        assert!(!ran.err.contains("panicked"), "{what}");
        let begin = ran.err.find("error: ").unwrap_or_else(|| panic!("no error is told: {what}"));
        let paragraph = ran.err[begin..].split("\n\n").next().unwrap();
        for part in parts {
            assert!(paragraph.contains(part), "{part:?} is missing in\n{what}");
        }
        paragraph.to_owned()
    }

    /// All files below a folder, sorted, with slashes.
    pub(crate) fn files(&self, name: &str) -> Vec<String> {
        fn walk(root: &Path, at: &Path, found: &mut Vec<String>) {
            for entry in fs::read_dir(at).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    walk(root, &path, found);
                } else {
                    let relative = path.strip_prefix(root).unwrap();
                    found.push(
                        relative
                            .components()
                            .map(|c| c.as_os_str().to_str().unwrap())
                            .collect::<Vec<_>>()
                            .join("/"),
                    );
                }
            }
        }
        let root = self.path(name);
        let mut found = Vec::new();
        walk(&root, &root, &mut found);
        found.sort();
        found
    }
}

/// Waits for a file of a run that must not end before. A run that hangs fails the test after ten minutes; its
/// speed does not matter.
pub(crate) fn wait_for(bench: &Bench, file: &str, child: &mut Child) {
    for _ in 0..600_000 {
        // In this order: the run may end between the two checks.
        let ended = child.try_wait().unwrap().is_some();
        if bench.exists(file) {
            return;
        }
        assert!(!ended, "the run ended without {file}");
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    child.kill().unwrap();
    panic!("{file} does not appear");
}
