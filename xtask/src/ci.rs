//! `cargo xtask ci`: the steps of `.ci/run`, all of them even when one fails, with a summary at the end.

use std::process::Command;
use std::time::{Duration, Instant};

use crate::{Outcome, python, workspace};

/// Run the steps of .ci/run and sum up: tests, the state's bits and the size of the code in a release build,
/// format, lints, crates by themselves, documentation, packaging, tidy, validation, oracles.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Run only the steps of these names.
    #[arg(value_name = "STEP")]
    only: Vec<String>,
}

struct Step {
    name: &'static str,
    arguments: &'static [&'static str],
    environment: Option<(&'static str, &'static str)>,
    needs: Needs,
}

/// What may be missing; the step is then skipped.
enum Needs {
    Nothing,
    /// A cargo subcommand that is a toolchain component.
    Component(&'static str),
    /// The folder of reference data; its oracles are the step's last argument.
    Oracles,
    /// Python with what the tests of its package take.
    Python,
}

const fn step(name: &'static str, arguments: &'static [&'static str]) -> Step {
    Step { name, arguments, environment: None, needs: Needs::Nothing }
}

const STEPS: [Step; 13] = [
    step("tests", &["test", "--workspace"]),
    step("release", &["test", "--release", "--package", "pliant-solver", "--test", "it", "clustered::"]),
    step("size", &["xtask", "size"]),
    Step { needs: Needs::Component("fmt"), ..step("format", &["fmt", "--all", "--check"]) },
    Step {
        needs: Needs::Component("clippy"),
        ..step("lints", &["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"])
    },
    step("apart", &["xtask", "apart"]),
    Step {
        environment: Some(("RUSTDOCFLAGS", "-D warnings")),
        ..step("docs", &["doc", "--workspace", "--no-deps"])
    },
    step(
        "packages",
        &[
            "package",
            "--workspace",
            "--exclude",
            "xtask",
            "--exclude",
            "pliant-benches",
            "--exclude",
            "pliant-equations",
            "--exclude",
            "pliant-validation",
            "--exclude",
            "pliant-python",
            "--exclude",
            "pliant-wasm",
            "--allow-dirty",
            "--no-verify",
        ],
    ),
    Step { needs: Needs::Python, ..step("python", &["xtask", "python"]) },
    step("tidy", &["xtask", "tidy"]),
    step("validate", &["xtask", "validate", "--check", "--quick"]),
    step("stability", &["xtask", "stability", "--quick"]),
    Step { needs: Needs::Oracles, ..step("oracles", &["xtask", "oracles", "--dir"]) },
];

enum Verdict {
    /// How long it took, and how many of its tests had no reference data and were skipped.
    Passed(Duration, usize),
    Failed(Duration),
    Skipped(String),
}

pub(crate) fn run(args: &Args) -> Outcome {
    if let Some(unknown) = args.only.iter().find(|name| STEPS.iter().all(|step| step.name != **name)) {
        let names = STEPS.map(|step| step.name).join(", ");
        return Err(format!("there is no step {unknown}: the steps are {names}").into());
    }
    let chosen =
        STEPS.iter().filter(|step| args.only.is_empty() || args.only.iter().any(|name| name == step.name));
    let mut verdicts = Vec::new();
    for step in chosen {
        println!("\n=== {}: cargo {}", step.name, step.arguments.join(" "));
        verdicts.push((step.name, execute(step)?));
    }

    println!();
    for (name, verdict) in &verdicts {
        match verdict {
            Verdict::Passed(time, 0) => println!("{name:10} passed   {:6.1} s", time.as_secs_f64()),
            Verdict::Passed(time, skipped) => {
                let of = "skipped without reference data (PLIANT_SHARED)";
                println!("{name:10} passed   {:6.1} s, {skipped} {of}", time.as_secs_f64());
            }
            Verdict::Failed(time) => println!("{name:10} FAILED   {:6.1} s", time.as_secs_f64()),
            Verdict::Skipped(reason) => println!("{name:10} skipped  {reason}"),
        }
    }
    let failed = verdicts.iter().filter(|(_, verdict)| matches!(verdict, Verdict::Failed(_))).count();
    if failed == 0 { Ok(()) } else { Err(format!("ci: {failed} of {} steps failed", verdicts.len()).into()) }
}

fn execute(step: &Step) -> Result<Verdict, std::io::Error> {
    let mut command = workspace::cargo();
    command.args(step.arguments);
    command.envs(step.environment);
    match step.needs {
        Needs::Component(name) if !has_component(name) => {
            return Ok(Verdict::Skipped(format!("cargo {name} is not installed")));
        }
        Needs::Python if !python::is_there() => {
            return Ok(Verdict::Skipped(python::MISSING.to_owned()));
        }
        Needs::Nothing | Needs::Component(_) | Needs::Python => {}
        Needs::Oracles => {
            match workspace::shared().map(|shared| shared.join("oracles")).filter(|path| path.is_dir()) {
                Some(oracles) => drop(command.arg(oracles)),
                None => return Ok(Verdict::Skipped("the oracles are not there (PLIANT_SHARED)".to_owned())),
            }
        }
    }
    // Tests that find no reference data add a line each.
    let list = std::env::temp_dir().join(format!("pliant-skipped-{}", std::process::id()));
    std::fs::write(&list, "")?;
    let start = Instant::now();
    let status = command.env("PLIANT_SKIPPED", &list).status()?;
    let time = start.elapsed();
    let skipped = std::fs::read_to_string(&list)?.lines().count();
    std::fs::remove_file(&list)?;
    Ok(if status.success() { Verdict::Passed(time, skipped) } else { Verdict::Failed(time) })
}

fn has_component(name: &str) -> bool {
    let mut command: Command = workspace::cargo();
    command.args([name, "--version"]).output().is_ok_and(|output| output.status.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The step as `.ci/run` writes it.
    fn line(step: &Step) -> String {
        let environment =
            step.environment.map(|(name, value)| format!("env {name}='{value}' ")).unwrap_or_default();
        let oracles = if matches!(step.needs, Needs::Oracles) { " \"$shared/oracles\"" } else { "" };
        format!("step {} {environment}cargo {}{oracles}", step.name, step.arguments.join(" "))
    }

    #[test]
    fn the_script_runs_the_same_steps() {
        let script = std::fs::read_to_string(workspace::root().join(".ci/run")).unwrap();
        let listed: Vec<&str> =
            script.lines().map(str::trim).filter(|line| line.starts_with("step ")).collect();
        assert_eq!(listed, STEPS.iter().map(line).collect::<Vec<_>>());
    }
}
