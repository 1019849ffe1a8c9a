//! `cargo xtask reach`: the fastest setting of every method that meets a bound on the error.
//!
//! Every row is a scene with bounds on its errors. Each method has one number to set: substeps, iterations or
//! an accuracy. The search finds the cheapest value that meets all bounds; the time of its frames is the
//! result for the method.

mod clock;
mod frames;
mod page;
mod plot;
mod row;
mod search;
mod sewn;
mod step;

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::converge::processor;
use crate::{Outcome, workspace};
use row::{Kind, Row};

/// After the loosest accuracy that holds in a single step, so many closer ones are tried.
const BEYOND: usize = 2;

/// Find the fastest setting of every method that holds an error, in the scenes of the page on reaching an
/// accuracy; write that page.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Rows to measure, separated by commas
    #[arg(long, value_delimiter = ',', value_name = "ROW", required_unless_present = "all")]
    scene: Vec<Row>,
    /// Measure every row
    #[arg(long, conflicts_with = "scene")]
    all: bool,
    /// Methods, separated by commas; results of the others stay [default: all that apply to a row]
    #[arg(long, value_delimiter = ',', value_name = "METHOD")]
    methods: Vec<Way>,
    /// Frames simulated per try, 1/60 s each; bounds hold for all of them
    #[arg(long, default_value_t = 120, value_parser = clap::value_parser!(u32).range(1..))]
    frames: u32,
    /// Seconds for all tries of one method in one row; settings that would not end in time are left out
    #[arg(long, value_name = "SECONDS", default_value_t = 120.0)]
    budget: f64,
    /// Number of threads
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Print the rows as one JSON object and write nothing
    #[arg(long)]
    json: bool,
}

/// How a scene is solved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, clap::ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Way {
    /// The textbook loop in the order of the mesh
    Textbook,
    /// Sweeps over clusters, the default
    Sweeps,
    /// The same, with tethers to the pins
    Tethers,
    /// Coarse levels before each sweep
    Coarse,
    /// The same, with tethers to the pins
    CoarseTethers,
    /// Newton's method on the implicit step
    Newton,
    /// The solver chooses
    Auto,
}

impl Args {
    /// Reports progress, unless the output is for programs.
    fn say(&self, row: Row, what: &str) {
        if !self.json {
            println!("{:14} {what}", row.name());
        }
    }
}

impl Way {
    /// Its name in tables.
    fn name(self) -> &'static str {
        match self {
            Self::Textbook => "textbook",
            Self::Sweeps => "sweeps",
            Self::Tethers => "sweeps, tethers",
            Self::Coarse => "coarse",
            Self::CoarseTethers => "coarse, tethers",
            Self::Newton => "newton",
            Self::Auto => "auto",
        }
    }
}

/// The result of a method in a row.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Reached {
    /// The value of its setting.
    pub(crate) setting: f64,
    /// The meaning of that value.
    pub(crate) what: String,
    /// Median time of a frame, or of the implicit step, ms.
    pub(crate) ms: f64,
    /// Errors by name: median, 95th percentile and largest over the frames.
    pub(crate) errors: BTreeMap<String, [f64; 3]>,
    /// Change of the energy over the run, J; none where the scene is one step.
    pub(crate) energy: Option<f64>,
    /// Whether the bounds are held: if not, this is the try that came nearest.
    pub(crate) held: bool,
}

/// A measured row.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Measured {
    processor: String,
    threads: usize,
    frames: u32,
    /// Number of particles.
    particles: usize,
    /// By method.
    ways: BTreeMap<Way, Reached>,
}

impl Measured {
    /// Whether all but the methods is the same.
    fn is_like(&self, other: &Self) -> bool {
        let of = |row: &Self| (row.processor.clone(), row.threads, row.frames, row.particles);
        of(self) == of(other)
    }
}

pub(crate) fn run(args: &Args) -> Outcome {
    let rows: &[Row] = if args.all { &Row::ALL } else { &args.scene };
    let folder = workspace::root().join("docs/src/performance");
    let data = folder.join("reach.json");
    let mut results: BTreeMap<Row, Measured> = if args.json { BTreeMap::new() } else { earlier(&data)? };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(args.threads).build()?;
    for &row in rows {
        match pool.install(|| measure(args, row).map_err(|error| error.to_string()))? {
            None => args.say(row, "skipped, its mesh is not there"),
            Some(measured) => add(&mut results, row, measured),
        }
        if !args.json {
            // After every row, so that an interrupted run keeps its results.
            std::fs::write(&data, serde_json::to_string_pretty(&results)? + "\n")?;
            std::fs::write(folder.join("reach.md"), page::page(&results))?;
            std::fs::write(folder.join("reach.svg"), plot::plot(&results))?;
        }
    }
    if args.json {
        println!("{}", serde_json::to_string_pretty(&results)?);
    } else {
        println!("reach: {}", folder.join("reach.md").display());
    }
    Ok(())
}

/// Adds a row. Methods of it that were not measured now stay, if everything else is the same.
fn add(results: &mut BTreeMap<Row, Measured>, row: Row, measured: Measured) {
    match results.get_mut(&row) {
        Some(before) if before.is_like(&measured) => before.ways.extend(measured.ways),
        _ => drop(results.insert(row, measured)),
    }
}

/// The existing rows.
fn earlier(data: &Path) -> Result<BTreeMap<Row, Measured>, String> {
    match std::fs::read_to_string(data) {
        Ok(text) => serde_json::from_str(&text)
            .map_err(|error| format!("{} is not what this command writes: {error}", data.display())),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(BTreeMap::new()),
        Err(error) => Err(format!("{}: {error}", data.display())),
    }
}

/// All methods in a row; none if its mesh is missing.
fn measure(args: &Args, row: Row) -> Result<Option<Measured>, Box<dyn std::error::Error>> {
    let ways: Vec<Way> = row
        .ways()
        .iter()
        .copied()
        .filter(|way| args.methods.is_empty() || args.methods.contains(way))
        .collect();
    let mut measured = Measured {
        processor: processor(),
        threads: args.threads,
        frames: args.frames,
        particles: 0,
        ways: BTreeMap::new(),
    };
    match row.kind() {
        Kind::Frames(hung, bounds) => {
            let Some(subject) = frames::Subject::new(hung)? else { return Ok(None) };
            measured.particles = subject.particles();
            for way in ways {
                let reached = search::cheapest(&way.ladder_of_frames(), args.budget, |setting| {
                    subject.attempt(way, setting, args.frames, bounds)
                })?;
                args.say(row, &format!("{:16} {}", way.name(), page::line(&reached)));
                measured.ways.insert(way, reached);
            }
        }
        Kind::Step(mesh) => {
            let Some(subject) = step::Subject::new(mesh)? else { return Ok(None) };
            measured.frames = 1;
            measured.particles = subject.particles();
            for way in ways {
                let (ladder, attempt) = (way.ladder_of_steps(), |setting| subject.attempt(way, setting));
                let reached = search::cheapest(&ladder, args.budget, attempt)?;
                let rungs = if way == Way::Newton { BEYOND } else { 0 };
                let reached = search::fastest_near(&ladder, reached, rungs, attempt)?;
                args.say(row, &format!("{:16} {}", way.name(), page::line(&reached)));
                measured.ways.insert(way, reached);
            }
        }
    }
    Ok(Some(measured))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn methods_that_are_not_measured_again_stay() {
        let of = |way: Way, frames: u32| Measured {
            processor: String::new(),
            threads: 1,
            frames,
            particles: 8,
            ways: BTreeMap::from([(
                way,
                Reached {
                    setting: 1.0,
                    what: String::new(),
                    ms: 1.0,
                    errors: BTreeMap::new(),
                    energy: None,
                    held: true,
                },
            )]),
        };
        let mut results = BTreeMap::new();
        add(&mut results, Row::Block50k, of(Way::Sweeps, 120));
        add(&mut results, Row::Block50k, of(Way::Coarse, 120));
        assert_eq!(results[&Row::Block50k].ways.len(), 2);
        add(&mut results, Row::Block50k, of(Way::Auto, 60));
        assert_eq!(results[&Row::Block50k].ways.len(), 1);
    }
}
