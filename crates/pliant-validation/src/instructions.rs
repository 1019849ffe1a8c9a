//! `cargo xtask instructions`: counts the instructions of a frame, so that a change can be judged on a busy machine.

use std::env;
use std::process::Command;

use clap::Parser;
use pliant_benches::scenes::{DT, SUBSTEPS};
use pliant_solver::{Plan, Simulation};
use serde::Serialize;

use crate::Outcome;
use crate::bench::Scene;

/// Frames whose instructions are counted, after as many that are not.
const FRAMES: u32 = 2;

/// Count the instructions of a frame and of the textbook loop with Valgrind; report that it was skipped if
/// Valgrind is missing.
#[derive(Parser)]
pub(crate) struct Args {
    /// The scenes
    #[arg(long, value_delimiter = ',', default_value = "block5k,cloth100")]
    scene: Vec<Scene>,
    /// Print one JSON object per scene
    #[arg(long)]
    json: bool,
    /// Step a scene by so many frames without counting
    #[arg(long, hide = true)]
    frames: Option<u32>,
    /// With --frames: step the textbook loop
    #[arg(long, hide = true)]
    textbook: bool,
}

#[derive(Debug, Serialize)]
struct Count {
    scene: String,
    /// Instructions of a frame.
    per_frame: u64,
    /// Those of a frame over its projections: edges, and tetrahedra if there are any.
    per_projection: f64,
    textbook_per_frame: u64,
    ratio: f64,
}

pub(crate) fn run(args: &Args) -> Outcome {
    if let Some(frames) = args.frames {
        return args.scene.iter().try_for_each(|&scene| step(scene, frames, args.textbook));
    }
    if Command::new("valgrind").arg("--version").output().is_err() {
        println!("skipped: there is no valgrind");
        return Ok(());
    }
    for &scene in &args.scene {
        let (per_frame, textbook_per_frame) = (per_frame(scene, false)?, per_frame(scene, true)?);
        let count = Count {
            scene: scene.name(),
            per_frame,
            per_projection: per_frame as f64 / projections(scene)?,
            textbook_per_frame,
            ratio: textbook_per_frame as f64 / per_frame as f64,
        };
        if args.json {
            println!("{}", serde_json::to_string(&count)?);
        } else {
            println!(
                "{:10} {:>12} instructions per frame, {:.1} per projection; textbook {}, {:.2} times as many",
                count.scene, count.per_frame, count.per_projection, count.textbook_per_frame, count.ratio
            );
        }
    }
    Ok(())
}

/// Instructions of a frame: the difference to a run with twice as many frames.
fn per_frame(scene: Scene, textbook: bool) -> Result<u64, Box<dyn std::error::Error>> {
    let (few, many) = (count(scene, FRAMES, textbook)?, count(scene, 2 * FRAMES, textbook)?);
    Ok(many.saturating_sub(few) / u64::from(FRAMES))
}

/// Instructions of a process that steps a scene by a number of frames.
fn count(scene: Scene, frames: u32, textbook: bool) -> Result<u64, Box<dyn std::error::Error>> {
    let mut valgrind = Command::new("valgrind");
    valgrind.args(["--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]);
    valgrind.arg(env::current_exe()?).args(["instructions", "--scene", &scene.name()]);
    valgrind.args(["--frames", &frames.to_string()]).args(textbook.then_some("--textbook"));
    let ran = valgrind.output()?;
    let said = String::from_utf8_lossy(&ran.stderr);
    if !ran.status.success() {
        return Err(format!("valgrind failed: {}", said.trim()).into());
    }
    instructions(&said).ok_or_else(|| format!("valgrind did not say how many instructions: {said}").into())
}

/// The number in the line "I refs: 1,234" of Valgrind's output.
fn instructions(said: &str) -> Option<u64> {
    let line = said.lines().find(|line| line.contains("refs:") && line.contains(" I "))?;
    let digits: String = line.rsplit(':').next()?.chars().filter(char::is_ascii_digit).collect();
    digits.parse().ok()
}

fn step(scene: Scene, frames: u32, textbook: bool) -> Outcome {
    if textbook {
        let mut book = scene.size().textbook();
        for _ in 0..frames {
            #[allow(clippy::cast_possible_truncation, reason = "the baseline computes in f32")]
            book.frame(DT as f32, SUBSTEPS);
        }
        return Ok(());
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let mut sim = simulation(scene)?;
    Ok(pool.install(|| (0..frames).try_for_each(|_| sim.advance(DT)))?)
}

fn simulation(scene: Scene) -> Result<Simulation<f32>, pliant_solver::BuildError> {
    scene.size().simulation(Plan::Clustered).map(|(built, _)| built)
}

/// Projections of a frame.
fn projections(scene: Scene) -> Result<f64, pliant_solver::BuildError> {
    let active: usize = simulation(scene)?.plan().iter().map(|group| group.active).sum();
    Ok((active * SUBSTEPS as usize) as f64)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_count_is_found_in_what_valgrind_says() {
        let said = "==1== Cachegrind, a cache profiler\n==1== \n==1== I   refs:      12,345,678\n";
        assert_eq!(super::instructions(said), Some(12_345_678));
        assert_eq!(super::instructions("==1== I refs:        99\n"), Some(99));
        assert_eq!(super::instructions("nothing"), None);
    }
}
