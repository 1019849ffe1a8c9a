//! `cargo xtask bench`: whole frames of a standard scene, against the textbook loop in the same process.

use std::time::Instant;

use clap::{Parser, ValueEnum};
use pliant_benches::scenes::{
    DT, SUBSTEPS, block, hung_block, hung_sheet, sheet, textbook_block, textbook_sheet,
};
use pliant_benches::textbook::Textbook;
use pliant_solver::{BuildError, Float, Plan, Simulation};
use serde::Serialize;

use crate::Outcome;

/// Frames measured.
const FRAMES: usize = 60;

/// Measure whole frames of a standard scene: time per frame and per constraint, setup, memory, accuracy, and
/// the ratio to the textbook loop.
#[derive(Parser)]
pub(crate) struct Args {
    /// The scene: a block hung by its top layer, or a sheet hung by two corners
    #[arg(long)]
    scene: Scene,
    /// Number of threads
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Precision of the state
    #[arg(long, default_value = "f32")]
    precision: Precision,
    /// The plan to measure
    #[arg(long, default_value = "clustered")]
    plan: PlanArg,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Scenes: Kuhn blocks of the unit cube by number of tetrahedra, sheets of 1 m by vertices along a side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Scene {
    Block5k,
    Block50k,
    Block500k,
    Block2m,
    Cloth20,
    Cloth50,
    Cloth100,
    Cloth316,
    Cloth1000,
}

/// The size of a scene.
#[derive(Debug, Clone, Copy)]
pub(crate) enum SceneSize {
    /// Cells along an edge of the block.
    Block(usize),
    /// Vertices along a side of the sheet.
    Sheet(u32),
}

impl SceneSize {
    /// The simulation of it, and how long it took to build from its mesh, s.
    pub(crate) fn simulation<T: Float>(self, plan: Plan) -> Result<(Simulation<T>, f64), BuildError> {
        fn timed<S>(build: impl FnOnce() -> Result<S, BuildError>) -> Result<(S, f64), BuildError> {
            let start = Instant::now();
            build().map(|built| (built, start.elapsed().as_secs_f64()))
        }
        match self {
            Self::Block(cells) => {
                let mesh = block(cells);
                timed(|| hung_block(mesh, plan))
            }
            Self::Sheet(side) => {
                let mesh = sheet(side as usize);
                timed(|| hung_sheet(mesh, side, plan))
            }
        }
    }

    /// The textbook loop on it.
    pub(crate) fn textbook(self) -> Textbook {
        match self {
            Self::Block(cells) => textbook_block(&block(cells)),
            Self::Sheet(side) => textbook_sheet(&sheet(side as usize), side),
        }
    }
}

impl Scene {
    pub(crate) fn size(self) -> SceneSize {
        match self {
            Self::Block5k => SceneSize::Block(9),
            Self::Block50k => SceneSize::Block(20),
            Self::Block500k => SceneSize::Block(44),
            Self::Block2m => SceneSize::Block(69),
            Self::Cloth20 => SceneSize::Sheet(20),
            Self::Cloth50 => SceneSize::Sheet(50),
            Self::Cloth100 => SceneSize::Sheet(100),
            Self::Cloth316 => SceneSize::Sheet(316),
            Self::Cloth1000 => SceneSize::Sheet(1000),
        }
    }

    /// The name on the command line.
    pub(crate) fn name(self) -> String {
        format!("{self:?}").to_lowercase()
    }
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Precision {
    F32,
    F64,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum PlanArg {
    Clustered,
    Ordered,
    Sequential,
}

#[derive(Debug, Serialize)]
struct Measurement {
    scene: String,
    threads: usize,
    precision: &'static str,
    plan: String,
    ms_per_frame: f64,
    ns_per_edge: Option<f64>,
    ns_per_tet: Option<f64>,
    setup_s: f64,
    peak_mb: Option<f64>,
    stretch_max: f64,
    stretch_mean: f64,
    vol_err_max: Option<f64>,
    textbook_ms_per_frame: f64,
    ratio: f64,
    /// The fastest frames of both, and their ratio: the most reliable numbers on a busy machine.
    best_ms_per_frame: f64,
    best_textbook_ms_per_frame: f64,
    best_ratio: f64,
}

pub(crate) fn run(args: &Args) -> Outcome {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(args.threads).build()?;
    let measurement = pool.install(|| match args.precision {
        Precision::F32 => measure::<f32>(args),
        Precision::F64 => measure::<f64>(args),
    })?;
    if args.json {
        println!("{}", serde_json::to_string(&measurement)?);
    } else {
        println!("{measurement:#?}");
    }
    Ok(())
}

fn measure<T: Float>(args: &Args) -> Result<Measurement, String> {
    let plan = match args.plan {
        PlanArg::Clustered => Plan::Clustered,
        PlanArg::Ordered => Plan::Ordered,
        PlanArg::Sequential => Plan::Sequential,
    };
    let (mut sim, setup_s) = args.scene.size().simulation::<T>(plan).map_err(|e| e.to_string())?;
    let mut times = Vec::new();
    let mut sweeps: Vec<Vec<f64>> = Vec::new();
    let sweep_times =
        |sim: &Simulation<T>| sim.sweep_times().map(|(_, t)| t.as_secs_f64()).collect::<Vec<_>>();
    for _ in 0..FRAMES {
        let before = sweep_times(&sim);
        let start = Instant::now();
        sim.advance(DT).map_err(|e| e.to_string())?;
        times.push(start.elapsed().as_secs_f64());
        sweeps.push(sweep_times(&sim).iter().zip(before).map(|(after, before)| after - before).collect());
    }
    let peak_mb = peak_mb();
    let report = sim.report();
    let plans = sim.plan();
    let per_constraint = |group: &str| {
        let i = plans.iter().position(|plan| plan.name == group)?;
        let mut times: Vec<f64> = sweeps.iter().map(|frame| frame[i]).collect();
        Some(1e9 * median(&mut times) / (plans[i].active * SUBSTEPS as usize) as f64)
    };
    let (ns_per_edge, ns_per_tet) = (per_constraint("edges"), per_constraint("volumes"));
    let ms_per_frame = 1e3 * median(&mut times);
    let best_ms_per_frame = 1e3 * times[0];
    drop(sim);
    let (typical, best) = time_textbook(args.scene.size().textbook());
    let (textbook_ms_per_frame, best_textbook_ms_per_frame) = (1e3 * typical, 1e3 * best);
    Ok(Measurement {
        scene: args.scene.name(),
        threads: args.threads,
        precision: T::NAME,
        plan: format!("{:?}", args.plan).to_lowercase(),
        ms_per_frame,
        ns_per_edge,
        ns_per_tet,
        setup_s,
        peak_mb,
        stretch_max: report.stretch.map_or(0.0, |s| s.max.value),
        stretch_mean: report.stretch.map_or(0.0, |s| s.mean),
        vol_err_max: report.volume.map(|v| v.max.value),
        textbook_ms_per_frame,
        ratio: textbook_ms_per_frame / ms_per_frame,
        best_ms_per_frame,
        best_textbook_ms_per_frame,
        best_ratio: best_textbook_ms_per_frame / best_ms_per_frame,
    })
}

/// Median and least time of a textbook frame, s, over the frames that stay finite: the mesh-order sweep
/// diverges on large stiff sheets, and arithmetic with infinities takes another time.
fn time_textbook(mut book: Textbook) -> (f64, f64) {
    let mut times = Vec::new();
    for _ in 0..FRAMES {
        let start = Instant::now();
        #[allow(clippy::cast_possible_truncation, reason = "the baseline computes in f32")]
        book.frame(DT as f32, SUBSTEPS);
        let time = start.elapsed().as_secs_f64();
        if !book.particles().iter().all(|p| p.x.iter().all(|x| x.is_finite() && x.abs() < 1e6)) {
            break;
        }
        times.push(time);
    }
    (median(&mut times), times.first().copied().unwrap_or(f64::NAN))
}

pub(crate) fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Largest resident size of this process so far, MB, if the system reports it.
fn peak_mb() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: f64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024.0 / 1e6)
}
