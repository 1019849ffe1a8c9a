//! `cargo xtask converge`: the time of a frame for a given error, for each order of projection.
//!
//! An order that is fast per projection may need more substeps for the same accuracy. So every order runs
//! every scene with more and more substeps; the remaining error and the time of a frame make a curve, and the
//! curves are read at the same error. The result is a page of the book with its data and a plot.

pub(crate) mod measure;
mod page;
mod plot;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use serde::{Deserialize, Serialize};

use crate::bench::Scene;
use crate::{Outcome, workspace};
use measure::{Method, Point, Subject};

/// Measure the time of a frame against the error left, for orders of projection and numbers of substeps;
/// write a page of the book.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Scenes to measure, separated by commas
    #[arg(long, value_delimiter = ',', default_value = "block50k,block500k,cloth100,cloth316")]
    scenes: Vec<Scene>,
    /// Orders of projection, separated by commas
    #[arg(long, value_delimiter = ',', default_value = "textbook,ordered,clustered,coarse")]
    methods: Vec<Method>,
    /// Numbers of substeps per frame, separated by commas
    #[arg(long, value_delimiter = ',', default_value = "1,2,3,4,8,10,16,32,64,128,256", value_parser = clap::value_parser!(u32).range(1..))]
    substeps: Vec<u32>,
    /// Frames simulated per run, 1/60 s each; errors are medians over the last half of them
    #[arg(long, default_value_t = 120, value_parser = clap::value_parser!(u32).range(1..))]
    frames: u32,
    /// Seconds for all runs of one order in one scene; runs that would not end in time are left out
    #[arg(long, value_name = "SECONDS", default_value_t = 120.0)]
    budget: f64,
    /// Number of threads
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Folder of the page, its data and its plot; scenes that it has and that are not measured now stay
    /// [default: docs/src/performance]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// The JSON file: scenes by name.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Results {
    scenes: BTreeMap<String, SceneResults>,
}

/// The curves of a scene, and how they were measured.
#[derive(Debug, Serialize, Deserialize)]
struct SceneResults {
    processor: String,
    threads: usize,
    frames: u32,
    /// By method.
    curves: BTreeMap<Method, Vec<Point>>,
}

pub(crate) fn run(args: &Args) -> Outcome {
    let folder = args.out.clone().unwrap_or_else(|| workspace::root().join("docs/src/performance"));
    std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let data = folder.join("time-to-error.json");
    let mut results = earlier(&data)?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(args.threads).build()?;
    for &scene in &args.scenes {
        let measured = pool.install(|| sweep(args, scene))?;
        results.scenes.insert(scene.name(), measured);
        // After every scene, so that an interrupted run keeps its results.
        write(&folder, &data, &results)?;
    }
    println!("converge: {}", folder.join("time-to-error.md").display());
    Ok(())
}

/// The existing results.
fn earlier(data: &Path) -> Result<Results, String> {
    match std::fs::read_to_string(data) {
        Ok(text) => serde_json::from_str(&text)
            .map_err(|error| format!("{} is not what this command writes: {error}", data.display())),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Results::default()),
        Err(error) => Err(format!("{}: {error}", data.display())),
    }
}

fn write(folder: &Path, data: &Path, results: &Results) -> Outcome {
    std::fs::write(data, serde_json::to_string_pretty(results)? + "\n")?;
    std::fs::write(folder.join("time-to-error.svg"), plot::plot(results))?;
    std::fs::write(folder.join("time-to-error.md"), page::page(results))?;
    Ok(())
}

/// All curves of a scene.
fn sweep(args: &Args, scene: Scene) -> Result<SceneResults, String> {
    let subject = Subject::new(scene);
    let mut substeps = args.substeps.clone();
    substeps.sort_unstable();
    substeps.dedup();
    let mut curves = BTreeMap::new();
    for &method in &args.methods {
        let start = Instant::now();
        let mut points: Vec<Point> = Vec::new();
        for &n in &substeps {
            let left = args.budget - start.elapsed().as_secs_f64();
            let expected = points.last().map_or(0.0, |last| {
                1e-3 * last.ms_per_frame * f64::from(args.frames) * f64::from(n) / f64::from(last.substeps)
            });
            if left <= expected {
                println!(
                    "{:10} {method:10} from {n} substeps on left out: {expected:.0} s expected, {left:.0} s left",
                    scene.name()
                );
                break;
            }
            let point = subject.measure(method, n, args.frames)?;
            println!("{:10} {method:10} {point}", scene.name());
            points.push(point);
        }
        curves.insert(method, points);
    }
    Ok(SceneResults { processor: processor(), threads: args.threads, frames: args.frames, curves })
}

/// Name of the processor, if the system reports it.
pub(crate) fn processor() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = text.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    name.map_or_else(|| format!("unknown ({})", std::env::consts::ARCH), |(_, name)| name.to_owned())
}
