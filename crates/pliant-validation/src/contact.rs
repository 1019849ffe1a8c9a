//! `cargo xtask contact`: whether surfaces pass through each other, and the cost of keeping them apart.
//!
//! Four scenes, the same as those on which other programs were measured, run frame by frame: crossings are
//! counted exactly in each, and the time of a frame is that of the solver alone.

mod scenes;

use std::time::Instant;

use pliant_solver::{Certificate, Judgement, Simulation, Tally};
use serde::Serialize;

use crate::Outcome;
use scenes::{Change, Which};

/// Run the scenes of contact, count crossings in every frame, and measure the time of a frame.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The scene; all of them if it is not given
    #[arg(long, value_enum)]
    scene: Option<Which>,
    /// Seed of the jitter of the vertices, 0.1 mm
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Number of seeds, from the given one on
    #[arg(long, default_value_t = 1)]
    seeds: u64,
    /// Number of frames, in place of that of the scene
    #[arg(long)]
    frames: Option<u64>,
    /// Squares along a side of a sheet, in place of those of the scene
    #[arg(long)]
    cells: Option<usize>,
    /// Full turns of the twist
    #[arg(long, default_value_t = 4)]
    turns: u32,
    /// Substeps of a frame
    #[arg(long, default_value_t = 20)]
    substeps: u32,
    /// Step a frame again with more substeps where something is pinched
    #[arg(long)]
    divide: bool,
    /// Leave contact out, to measure the cost of the rest
    #[arg(long)]
    without: bool,
    /// Begin S1 with the last frame of a run without contact: tangled
    #[arg(long)]
    tangled: bool,
    /// Keep the data of a whole certificate, and judge by it
    #[arg(long)]
    certificate: bool,
    /// Print a line for every frame
    #[arg(long)]
    every: bool,
    /// Print a JSON object for each run
    #[arg(long)]
    json: bool,
}

/// The figures of a run.
#[derive(Debug, Serialize)]
struct Figures {
    scene: String,
    seed: u64,
    frames: u64,
    substeps: u32,
    threads: usize,
    /// Frames in which something crosses, and the largest number of crossing pairs in one.
    bad: u64,
    worst: usize,
    /// Mean and largest time of a frame, ms.
    mean: f64,
    longest: f64,
    /// Time to count the crossings of a frame, with the rest of a report, ms.
    report: f64,
    /// Detections per frame: of all pairs, of those of strays, and for the net.
    detections: [f64; 3],
    /// Pairs and contacts, means of the last substeps of the frames.
    pairs: f64,
    contacts: f64,
    /// Mean and largest share of particles that are cut back in a substep.
    truncated: f64,
    most_truncated: f64,
    frozen: usize,
    pinched: usize,
    /// The total correction by the net.
    momentum: f64,
    energy: f64,
    /// Mean height of the middle of every body in the last frame, m.
    heights: Vec<f64>,
    /// Largest stretch in the last frame.
    stretch: f64,
    kinetic: f64,
    hash: String,
    verdict: Option<String>,
}

pub(crate) fn run(args: &Args) -> Outcome {
    let scenes = match args.scene {
        Some(scene) => vec![scene],
        None => vec![Which::S1, Which::S2, Which::S3, Which::S4],
    };
    for scene in scenes {
        for seed in args.seed..args.seed + args.seeds {
            let figures = measure(args, scene, seed)?;
            if args.json {
                println!("{}", serde_json::to_string(&figures)?);
            } else {
                print(&figures);
            }
        }
    }
    Ok(())
}

fn measure(args: &Args, scene: Which, seed: u64) -> Result<Figures, Box<dyn std::error::Error>> {
    let mut change = Change {
        cells: args.cells,
        seed,
        collide: !args.without,
        substeps: args.substeps,
        turns: args.turns,
        divide: args.divide,
        certificate: args.certificate,
        start: None,
    };
    if args.tangled && scene == Which::S1 {
        change.start = Some(tangle(scene, &change)?);
    }
    let frames = args.frames.unwrap_or_else(|| scene.frames(&change));
    let mut sim: Simulation = scene.build(&change)?.build()?;
    let mut certificate = args.certificate.then(|| Certificate::begin(&sim));
    let mut figures = Figures {
        scene: format!("{scene:?}"),
        seed,
        frames,
        substeps: args.substeps,
        threads: rayon::current_num_threads(),
        bad: 0,
        worst: 0,
        mean: 0.0,
        longest: 0.0,
        report: 0.0,
        detections: [0.0; 3],
        pairs: 0.0,
        contacts: 0.0,
        truncated: 0.0,
        most_truncated: 0.0,
        frozen: 0,
        pinched: 0,
        momentum: 0.0,
        energy: 0.0,
        heights: Vec::new(),
        stretch: 0.0,
        kinetic: 0.0,
        hash: String::new(),
        verdict: None,
    };
    for frame in 1..=frames {
        let begun = Instant::now();
        sim.advance(1.0 / 60.0)?;
        let time = 1e3 * begun.elapsed().as_secs_f64();
        let begun = Instant::now();
        let report = sim.report();
        figures.report += 1e3 * begun.elapsed().as_secs_f64();
        figures.mean += time;
        figures.longest = figures.longest.max(time);
        figures.stretch = report.stretch.map_or(0.0, |stretch| stretch.max.value);
        figures.kinetic = report.energy.kinetic;
        figures.hash = format!("{:016x}", report.state_hash);
        if let Some(certificate) = &mut certificate {
            certificate.take(&report);
        }
        let Some(tally) = &report.collisions else { continue };
        take(&mut figures, tally);
        if args.every {
            println!(
                "{frame:4} {time:7.2} ms, {} crossings, {} pairs, {} contacts, {:?} detections, {} truncated, {} frozen, {} pinched, stretch {:.3}, kinetic {:.2e}{}",
                tally.intersections,
                tally.pairs,
                tally.contacts,
                tally.detections,
                tally.truncated,
                tally.frozen,
                tally.pinched,
                figures.stretch,
                figures.kinetic,
                tally.first.as_ref().map_or_else(String::new, |first| format!(", first {first:?}")),
            );
        }
    }
    let height = |part: &pliant_solver::BodyRange| {
        // Corners hang over those below: in the middle all lie on each other.
        let mut middle = sim.positions_of(part.particles.clone());
        middle.retain(|x| x.x.abs().max(x.z.abs()) < 0.1);
        middle.iter().map(|x| x.y).sum::<f64>() / middle.len().max(1) as f64
    };
    figures.heights = sim.body_ranges().iter().map(height).collect();
    let n = frames.max(1) as f64;
    let means = [
        &mut figures.mean,
        &mut figures.report,
        &mut figures.pairs,
        &mut figures.contacts,
        &mut figures.truncated,
    ];
    means.into_iter().chain(&mut figures.detections).for_each(|sum| *sum /= n);
    figures.verdict = certificate.map(|certificate| {
        let judgement: Judgement = certificate.judgement();
        judgement.to_string()
    });
    Ok(figures)
}

/// The end of a scene without contact.
fn tangle(scene: Which, change: &Change) -> Result<Vec<nalgebra::Vector3<f64>>, Box<dyn std::error::Error>> {
    let without = Change { collide: false, ..change.clone() };
    let mut sim: Simulation = scene.build(&without)?.build()?;
    for _ in 0..scene.frames(change) {
        sim.advance(1.0 / 60.0)?;
    }
    Ok(sim.positions())
}

fn take(figures: &mut Figures, tally: &Tally) {
    figures.bad += u64::from(tally.intersections > 0);
    figures.worst = figures.worst.max(tally.intersections);
    figures.pairs += tally.pairs as f64;
    figures.contacts += tally.contacts as f64;
    figures.truncated += tally.truncated_share;
    figures.most_truncated = figures.most_truncated.max(tally.truncated_share);
    figures.frozen += tally.frozen;
    figures.pinched += tally.pinched;
    figures.momentum += tally.momentum;
    figures.energy += tally.energy;
    for (sum, one) in figures.detections.iter_mut().zip(tally.detections) {
        *sum += one as f64;
    }
}

fn print(figures: &Figures) {
    let Figures { scene, seed, frames, bad, worst, mean, longest, report, .. } = figures;
    println!(
        "{scene} seed {seed}: {bad} of {frames} frames with a crossing, at most {worst}; {mean:.2} ms a frame, at most {longest:.1}; report {report:.2} ms"
    );
    let [all, strays, net] = figures.detections;
    println!(
        "   {:.0} pairs, {:.0} contacts, {all:.1}, {strays:.1} and {net:.1} detections a frame; cut back {:.2e} of the particles in a substep, at most {:.2e}, {} frozen, {} pinched, {:.2e} kg·m/s, {:.2e} J",
        figures.pairs,
        figures.contacts,
        figures.truncated,
        figures.most_truncated,
        figures.frozen,
        figures.pinched,
        figures.momentum,
        figures.energy
    );
    println!("   stretch {:.4}, kinetic {:.2e} J, state {}", figures.stretch, figures.kinetic, figures.hash);
    if figures.scene == "S3" {
        let heights: Vec<_> = figures.heights.iter().map(|height| format!("{:.2}", 1e3 * height)).collect();
        println!("   heights {} mm", heights.join(", "));
    }
    if let Some(verdict) = &figures.verdict {
        println!("   {verdict}");
    }
}
