//! `cargo xtask sanitize`: the crate of disjoint writes under tools that detect a race or an invalid access
//! when it happens.
//!
//! ThreadSanitizer sees two threads that write to the same particle between two synchronisation points. The
//! plan is checked when it is made and debug builds mark each particle's writer, so the tests run in the
//! release profile, as users run the code. The standard library is not instrumented unless its source is
//! installed (`rustup component add rust-src`), so accesses that its locks protect look like races;
//! [`reports`] separates those from the ones that count.
//!
//! Miri interprets the unit tests where it is installed; it also sees accesses out of range and wrong aliasing.

mod reports;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::{Outcome, workspace};
use reports::Verdict;

/// Run the tests of the solver's disjoint writes under ThreadSanitizer, and under Miri where it is installed.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Use this tool only
    #[arg(long)]
    only: Option<Tool>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Tool {
    /// ThreadSanitizer, on the stable toolchain
    Thread,
    /// Miri
    Miri,
}

/// The tests that run under ThreadSanitizer: the unit tests of the kernel, and simulations large enough that
/// every pass is divided among threads.
const WATCHED: [&[&str]; 3] = [
    &["--package", "pliant-kernel", "--lib"],
    &[
        "--package",
        "pliant-solver",
        "--test",
        "it",
        "clustered::simulations_step_side_by_side_in_a_small_pool",
    ],
    &[
        "--package",
        "pliant-solver",
        "--test",
        "it",
        "determinism::many_elements_in_parallel_do_not_change_a_bit",
    ],
];

/// Races that are printed in full.
const SHOWN: usize = 3;

pub(crate) fn run(args: &Args) -> Outcome {
    let wanted = |tool| args.only.is_none_or(|only| only == tool);
    let mut runs = 0;
    if wanted(Tool::Thread) {
        match Thread::find()? {
            Ok(thread) => {
                for tests in WATCHED {
                    thread.watch(tests)?;
                    runs += 1;
                }
            }
            Err(absent) => println!("sanitize: ThreadSanitizer is skipped: {absent}"),
        }
    }
    if wanted(Tool::Miri) {
        if has_miri() {
            execute("Miri", miri_command())?;
            runs += 1;
        } else {
            println!(
                "sanitize: Miri is skipped: this toolchain has no `cargo miri` (it is a component of nightly)"
            );
        }
    }
    if runs == 0 {
        return Err("sanitize: nothing was checked, because no tool is installed".into());
    }
    println!("sanitize: {runs} runs, no objection");
    Ok(())
}

fn execute(tool: &str, mut command: Command) -> Outcome {
    let words: Vec<_> = command.get_args().map(|word| word.to_string_lossy().into_owned()).collect();
    println!("\n=== {tool}: cargo {}", words.join(" "));
    let start = Instant::now();
    let output = command.stderr(Stdio::inherit()).output()?;
    let told = String::from_utf8_lossy(&output.stdout);
    print!("{told}");
    if !output.status.success() {
        return Err(format!("sanitize: {tool} objects, or a test fails: {}", output.status).into());
    }
    if !told.lines().any(|line| line.starts_with("test ") && line.ends_with("... ok")) {
        return Err("sanitize: there are no such tests; were they renamed?".into());
    }
    println!("=== {tool}: ok, {:.0} s", start.elapsed().as_secs_f64());
    Ok(())
}

/// The toolchain with the parts that ThreadSanitizer needs.
struct Thread {
    host: String,
    /// Whether the source of the standard library is there, so that it can be instrumented too.
    has_source: bool,
    target_folder: PathBuf,
}

impl Thread {
    /// The toolchain, or why it cannot be used.
    fn find() -> Result<Result<Self, String>, Box<dyn std::error::Error>> {
        let Some(host) = workspace::host_triple() else {
            return Ok(Err("rustc -vV does not run".to_owned()));
        };
        let output =
            Command::new("rustc").args(["--print", "sysroot"]).current_dir(workspace::root()).output()?;
        let library = PathBuf::from(String::from_utf8(output.stdout)?.trim()).join("lib/rustlib");
        let runtimes = library.join(&host).join("lib");
        let is_runtime = |name: &str| name.contains("_rt.tsan.");
        let has_runtime = std::fs::read_dir(&runtimes)?
            .filter_map(Result::ok)
            .any(|entry| entry.file_name().to_str().is_some_and(is_runtime));
        if !has_runtime {
            return Ok(Err(format!("the toolchain has no runtime of it for {host}")));
        }
        Ok(Ok(Self {
            has_source: library.join("src/rust/library/std").is_dir(),
            target_folder: workspace::metadata()?.target_directory.join("sanitize").into(),
            host,
        }))
    }

    /// Runs tests and judges what was reported.
    fn watch(&self, tests: &[&str]) -> Outcome {
        let folder = self.target_folder.join("reports");
        if folder.is_dir() {
            std::fs::remove_dir_all(&folder)?;
        }
        std::fs::create_dir_all(&folder)?;
        let tests_passed = execute("ThreadSanitizer", self.command(tests, &folder));
        let mut text = String::new();
        for entry in std::fs::read_dir(&folder)? {
            text += &std::fs::read_to_string(entry?.path())?;
        }
        match reports::judge(&text) {
            Verdict::Good { dismissed } => {
                tests_passed?;
                println!(
                    "sanitize: no race in the kernel; {dismissed} reports on locks of the standard library dismissed"
                );
                Ok(())
            }
            Verdict::Races(races) => {
                // A test that also fails does so because of them.
                races.iter().take(SHOWN).for_each(|race| println!("\n{race}"));
                let (count, folder) = (races.len(), folder.display());
                Err(format!("sanitize: {count} races in the kernel; all reports are in {folder}").into())
            }
            Verdict::Unreadable => Err(format!(
                "sanitize: the reports in {} do not say where; install llvm-symbolizer",
                folder.display()
            )
            .into()),
        }
    }

    /// Tests, instrumented. `--target` keeps build scripts and procedural macros as they are.
    fn command(&self, tests: &[&str], reports: &Path) -> Command {
        let mut command = workspace::cargo();
        command.args(["test", "--release", "--target", &self.host]);
        command.arg("--target-dir").arg(&self.target_folder);
        if self.has_source {
            command.arg("-Zbuild-std");
        }
        command.args(tests);
        // The options are unstable; this variable admits them on a stable toolchain.
        command.env("RUSTC_BOOTSTRAP", "1");
        command.env("RUSTFLAGS", "-Zsanitizer=thread -Cunsafe-allow-abi-mismatch=sanitizer");
        // Reports are judged by their lines of code.
        command.env("CARGO_PROFILE_RELEASE_DEBUG", "line-tables-only");
        let log = reports.join("tsan");
        command.env("TSAN_OPTIONS", format!("exitcode=0 history_size=7 log_path={}", log.display()));
        command
    }
}

fn has_miri() -> bool {
    workspace::cargo().args(["miri", "--version"]).output().is_ok_and(|output| output.status.success())
}

fn miri_command() -> Command {
    let mut command = workspace::cargo();
    command.args(["miri", "test", "--package", "pliant-kernel", "--lib"]);
    // Property tests look for a file of earlier failures.
    command.env("MIRIFLAGS", "-Zmiri-disable-isolation");
    command.env("PROPTEST_CASES", "4");
    command
}
