//! `cargo xtask validate`: the validation book.
//!
//! An experiment runs scenes with known answers and states the expected value, the measured one and the
//! tolerance. All measurements go into `results.json`; the pages of the book are made from that file alone.
//! So the book is checked by measuring again and comparing numbers, not texts.

mod book;
mod check;
mod experiment;
mod experiments;
mod figure;
mod number;
mod results;
mod statics;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use crate::problem::Problem;
use crate::{Outcome, workspace};
use check::Verdict;
use experiment::{Experiment, Findings, Scope};
use experiments::EXPERIMENTS;
use results::Results;

/// Measure what the validation book claims: expected, measured, tolerance and verdict of every experiment;
/// rewrite the pages of those measured.
///
/// Exit status 1 if a verdict is red.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct Args {
    /// Experiments to run, such as cantilever [default: all].
    #[arg(value_name = "EXPERIMENT")]
    only: Vec<String>,
    /// List the experiments and run none.
    #[arg(long)]
    list: bool,
    /// Write nothing; fail also where the committed book differs by more than its tolerance from what is measured.
    #[arg(long)]
    check: bool,
    /// Measure only the rows that take little time; writes nothing.
    #[arg(long)]
    quick: bool,
    /// Folder of the book's pages and of results.json [default: docs/src/validation].
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// An experiment that was run, and how long that took, s.
struct Run {
    experiment: &'static Experiment,
    findings: Result<Findings, Problem>,
    seconds: f64,
}

pub(crate) fn run(args: &Args) -> Outcome {
    let chosen = choose(&args.only)?;
    if args.list {
        for experiment in chosen {
            println!("{:18} {}", experiment.name, experiment.title);
        }
        return Ok(());
    }
    let folder = args.out.clone().unwrap_or_else(|| workspace::root().join("docs/src/validation"));
    let scope = if args.quick { Scope::Quick } else { Scope::Full };
    let start = Instant::now();
    let runs = side_by_side(&chosen, scope);
    let mut complaints = runs.iter().flat_map(red).collect::<Vec<_>>();
    if args.check {
        complaints.extend(stale(&folder, &runs, scope).map_err(|problem| problem.0)?);
    } else if scope == Scope::Full {
        write(&folder, runs).map_err(|problem| problem.0)?;
        println!("validate: {}", folder.join("results.md").display());
    }
    println!("validate: {:.0} s", start.elapsed().as_secs_f64());
    if complaints.is_empty() { Ok(()) } else { Err(complaints.join("\n       ").into()) }
}

fn choose(names: &[String]) -> Result<Vec<&'static Experiment>, String> {
    if let Some(unknown) = names.iter().find(|name| EXPERIMENTS.iter().all(|e| e.name != **name)) {
        let all: Vec<&str> = EXPERIMENTS.iter().map(|e| e.name).collect();
        return Err(format!("there is no experiment {unknown}: there are {}", all.join(", ")));
    }
    let asked_for = |e: &&Experiment| names.is_empty() || names.iter().any(|name| name == e.name);
    Ok(EXPERIMENTS.iter().filter(asked_for).collect())
}

/// Runs as many experiments at a time as there are processors: most scenes are too small for more than one thread.
fn side_by_side(chosen: &[&'static Experiment], scope: Scope) -> Vec<Run> {
    let next = AtomicUsize::new(0);
    let worker = || {
        let mut runs = Vec::new();
        while let Some(experiment) = chosen.get(next.fetch_add(1, Ordering::Relaxed)) {
            runs.push(measure(experiment, scope));
        }
        runs
    };
    let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    std::thread::scope(|threads| {
        let started: Vec<_> = (0..processors.min(chosen.len())).map(|_| threads.spawn(worker)).collect();
        // A panic in a scene is a fault of the program, not a finding.
        started.into_iter().flat_map(|thread| thread.join().expect("experiments do not panic")).collect()
    })
}

/// Runs an experiment and reports the result in a line.
fn measure(experiment: &'static Experiment, scope: Scope) -> Run {
    let start = Instant::now();
    // On one thread, so that times can be compared.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    let findings = pool.map_err(Problem::from).and_then(|pool| pool.install(|| (experiment.measure)(scope)));
    let seconds = start.elapsed().as_secs_f64();
    let word = match &findings {
        Ok(findings) => findings.summary(),
        Err(problem) => format!("could not be run: {}", problem.0),
    };
    println!("{:18} {seconds:6.1} s  {word}", experiment.name);
    Run { experiment, findings, seconds }
}

/// The red checks of a run.
fn red(run: &Run) -> Vec<String> {
    let name = run.experiment.name;
    match &run.findings {
        Err(problem) => vec![format!("{name} could not be run: {}", problem.0)],
        Ok(findings) if findings.checks.is_empty() => vec![format!("{name} has checked nothing")],
        Ok(findings) => {
            let red = findings.checks.iter().filter(|check| check.verdict() == Verdict::Missed);
            red.map(|check| format!("{name}: {check}")).collect()
        }
    }
}

/// Where the committed book differs from the measurement, or from the pages of its own numbers.
fn stale(folder: &Path, runs: &[Run], scope: Scope) -> Result<Vec<String>, Problem> {
    let committed = Results::read(folder)?;
    let mut complaints = Vec::new();
    for run in runs {
        if let Ok(findings) = &run.findings {
            complaints.extend(committed.differences(run.experiment.name, findings, scope));
        }
    }
    complaints.extend(book::differences(folder, &committed));
    if !complaints.is_empty() {
        complaints.push("to measure the book again: cargo xtask validate".to_owned());
    }
    Ok(complaints)
}

fn write(folder: &Path, runs: Vec<Run>) -> Result<(), Problem> {
    let mut results = Results::read_or_new(folder)?;
    let mut measured = Vec::new();
    for run in runs {
        if let Ok(findings) = run.findings {
            measured.push(run.experiment);
            results.take(run.experiment.name, findings, run.seconds);
        }
    }
    results.write(folder)?;
    book::write(folder, &results, &measured)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quick(only: &str, out: &Path) -> Args {
        let out = Some(out.to_path_buf());
        Args { only: vec![only.to_owned()], check: true, quick: true, out, list: false }
    }

    /// The cheapest experiment with its book in a folder of its own.
    fn written() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let args = Args { check: false, quick: false, ..quick("spring", folder.path()) };
        run(&args).unwrap();
        folder
    }

    #[test]
    fn a_fresh_book_passes_and_a_changed_number_or_page_does_not() {
        let folder = written();
        let args = quick("spring", folder.path());
        run(&args).unwrap();

        let data = folder.path().join("results.json");
        let text = std::fs::read_to_string(&data).unwrap();
        let mut json: serde_json::Value = serde_json::from_str(&text).unwrap();
        let check = &mut json["experiments"]["spring"]["checks"][0];
        check["measured"] = (check["measured"].as_f64().unwrap() + 1.0).into();
        std::fs::write(&data, json.to_string()).unwrap();
        let error = run(&args).unwrap_err().to_string();
        assert!(error.contains("spring") && error.contains("was"), "{error}");

        std::fs::write(&data, text).unwrap();
        run(&args).unwrap();
        let page = folder.path().join("spring.md");
        let words = std::fs::read_to_string(&page).unwrap();
        std::fs::write(&page, words.replace("met", "exceeded")).unwrap();
        let error = run(&args).unwrap_err().to_string();
        assert!(error.contains("spring.md"), "{error}");
    }

    #[test]
    fn what_is_red_fails() {
        let experiment = &EXPERIMENTS[0];
        let run = |checks| Run {
            experiment,
            findings: Ok(Findings { checks, ..Findings::default() }),
            seconds: 0.0,
        };
        let good = check::Check::near("length", 1.0, 1.0 + 1e-4, 1e-3);
        let bad = check::Check::near("length", 1.0, 1.01, 1e-3);
        assert!(red(&run(vec![good.clone()])).is_empty());
        assert_eq!(red(&run(vec![good, bad])).len(), 1);
        assert_eq!(red(&run(vec![])).len(), 1, "nothing checked is no proof");
        let failed = Run { experiment, findings: Err(Problem("no".into())), seconds: 0.0 };
        assert_eq!(red(&failed).len(), 1);
    }

    #[test]
    fn unknown_names_are_refused() {
        let args = Args { only: vec!["rubber".to_owned()], ..Args::default() };
        let error = super::run(&args).unwrap_err().to_string();
        assert!(error.contains("rubber") && error.contains("cantilever"), "{error}");
    }

    #[test]
    fn without_a_book_there_is_nothing_to_check() {
        let folder = tempfile::tempdir().unwrap();
        let error = run(&quick("spring", folder.path())).unwrap_err().to_string();
        assert!(error.contains("results.json"), "{error}");
    }

    #[test]
    fn every_experiment_has_a_page_in_the_book() {
        let summary = std::fs::read_to_string(workspace::root().join("docs/src/SUMMARY.md")).unwrap();
        for experiment in &EXPERIMENTS {
            let page = format!("(validation/{}.md)", experiment.name);
            assert!(summary.contains(&page), "{page} is not in SUMMARY.md");
            let twice = EXPERIMENTS.iter().filter(|e| e.name == experiment.name).count();
            assert_eq!(twice, 1, "{}", experiment.name);
        }
    }
}
