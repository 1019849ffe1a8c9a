//! `cargo xtask stability`: whether scenes gain energy or turn elements inside out, for any number of substeps.
//!
//! Every example of `pliant new` and scenes made at random, by a seed, run with few and with many substeps in
//! the precision that the scene takes by itself and in both others; the results are the verdicts of the
//! solver. A scene at rest without gravity must stay at rest.

mod random;
mod table;

use std::time::Instant;

use pliant_scene::model::{Count, Precision};
use pliant_scene::{Precise, Scene, templates};
use pliant_solver::{Certificate, Concern, Float, Grade, Judgement, Simulation};

use crate::{Outcome, workspace};

/// Run the examples and random scenes with few and many substeps, and judge their energy and their elements;
/// write a page of the book.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Fewer scenes, frames and substeps: about a minute; no page is written
    #[arg(long)]
    quick: bool,
    /// Number of random scenes [default: 200, quick 12]
    #[arg(long, value_name = "N")]
    scenes: Option<u64>,
    /// Frames of each run [default: 30, quick 8]
    #[arg(long, value_name = "N")]
    frames: Option<u32>,
    /// Numbers of substeps per frame, separated by commas [default: 5,15,60,240,960, quick 5,60]
    #[arg(long, value_delimiter = ',', value_parser = clap::value_parser!(u32).range(1..=10_000))]
    substeps: Vec<u32>,
    /// Number of the first random scene
    #[arg(long, default_value_t = 0)]
    seed: u64,
}

/// The one that a scene has by itself comes first. Single precision becomes double where rounding could ruin a run.
pub(crate) const PRECISIONS: [Precision; 3] = [Precision::Auto, Precision::F64, Precision::F32];

/// The result for a scene.
#[derive(Debug, Clone)]
pub(crate) struct Run {
    pub(crate) scene: String,
    pub(crate) substeps: u32,
    pub(crate) precision: &'static str,
    /// None if it broke down, with the message of the solver.
    pub(crate) judgement: Result<Judgement, String>,
}

impl Run {
    /// Whether it broke down, or is not to be trusted for a reason.
    fn fails_by(&self, concern: Concern) -> bool {
        let Ok(judgement) = &self.judgement else { return true };
        judgement.findings.iter().any(|f| f.concern == concern && f.grade == Grade::Untrusted)
    }

    /// Whether it gained energy, or numbers became infinite.
    fn creates(&self) -> bool {
        self.fails_by(Concern::Energy)
    }

    /// Whether elements are inside out at the end.
    fn inverts(&self) -> bool {
        self.fails_by(Concern::Inversion)
    }
}

pub(crate) fn run(args: &Args) -> Outcome {
    let frames = args.frames.unwrap_or(if args.quick { 8 } else { 30 });
    let scenes = args.scenes.unwrap_or(if args.quick { 12 } else { 200 });
    let substeps = match (&args.substeps[..], args.quick) {
        ([], true) => vec![5, 60],
        ([], false) => vec![5, 15, 60, 240, 960],
        (given, _) => given.to_vec(),
    };
    let begun = Instant::now();
    let mut runs = Vec::new();
    for template in templates() {
        // The presets of the book are kept as the book has them, which creates energy.
        if !template.name.starts_with("book-") {
            judge_all(template.name, &template.scene()?, &substeps, frames, &mut runs);
        }
    }
    for number in args.seed..args.seed + scenes {
        let text = random::scene(number);
        let scene =
            Scene::parse(&text, ".").map_err(|error| format!("random scene {number}: {error}\n{text}"))?;
        judge_all(&format!("random {number}"), &scene, &substeps, frames, &mut runs);
    }
    let failed: Vec<&Run> = runs.iter().filter(|run| run.inverts() || run.creates()).collect();
    for run in &failed {
        let Run { scene, substeps, precision, judgement } = run;
        let what = match judgement {
            Ok(judgement) => {
                judgement.findings.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
            }
            Err(error) => error.clone(),
        };
        println!("{scene}, {substeps} substeps, {precision}: {what}");
    }
    print!("{}", table::text(&runs, &substeps));
    println!("stability: {} runs in {:.0} s", runs.len(), begun.elapsed().as_secs_f64());
    if !args.quick {
        let page = workspace::root().join("docs/src/validation/stability.md");
        std::fs::write(&page, table::page(&runs, &substeps, frames, scenes))?;
        println!("stability: {}", page.display());
    }
    match failed.len() {
        0 => Ok(()),
        1 => Err("one run created energy, or left elements inside out".into()),
        n => Err(format!("{n} runs created energy, or left elements inside out").into()),
    }
}

fn judge_all(name: &str, scene: &Scene, substeps: &[u32], frames: u32, runs: &mut Vec<Run>) {
    for &n in substeps {
        for precision in PRECISIONS {
            let mut scene = scene.clone();
            scene.model.solver.substeps =
                Some(Count::new(n).expect("the substeps of this study are within their bounds"));
            scene.model.precision = precision;
            let judgement = match scene.build_precise() {
                Ok(Precise::Single(built)) => judge(built.simulation, &scene, frames),
                Ok(Precise::Double(built)) => judge(built.simulation, &scene, frames),
                Err(error) => Err(error.to_string()),
            };
            runs.push(Run { scene: name.to_owned(), substeps: n, precision: precision.name(), judgement });
        }
    }
}

fn judge<T: Float>(mut sim: Simulation<T>, scene: &Scene, frames: u32) -> Result<Judgement, String> {
    sim.set_certificate(true);
    let mut certificate = Certificate::begin(&sim);
    for _ in 0..frames.min(scene.model.frames.get()) {
        let report = sim.step(scene.time_step()).map_err(|error| error.to_string())?;
        certificate.take(&report);
    }
    Ok(certificate.judgement())
}
