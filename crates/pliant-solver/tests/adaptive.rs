//! Substeps chosen frame by frame: the bound is kept, for less than any fixed number takes.
#![allow(clippy::unwrap_used, reason = "a panic is how a test says no")]
#![allow(clippy::needless_pass_by_value, reason = "the scenes are made by functions of one type")]

use nalgebra::Vector3;
use pliant_mesh::{TetMesh, TriMesh};
use pliant_solver::{
    Adaptive, AdaptiveStep, Body, Certificate, Keyframe, Motion, Obstacle, Pin, Requirement, Settings,
    Simulation, StepError,
};

const H: f64 = 1.0 / 60.0;

/// A scene whose difficulty changes, its frames and what is required.
struct Case {
    name: &'static str,
    frames: u32,
    required: &'static str,
    build: fn(Settings) -> Simulation<f64>,
}

const CASES: [Case; 3] = [
    Case {
        name: "a sheet is shaken and then left alone",
        frames: 90,
        required: "residual.edges<=2e-4",
        build: shaken,
    },
    Case { name: "a ball falls, lands and lies", frames: 80, required: "residual.edges<=5e-4", build: ball },
    Case {
        name: "a sheet swings until it is let go",
        frames: 80,
        required: "residual.edges<=3e-4",
        build: let_go,
    },
];

fn shaken(settings: Settings) -> Simulation<f64> {
    let key = |time: f64, x: f64| Keyframe {
        time,
        translation: Vector3::new(x, 0.0, 0.0),
        rotation: Vector3::zeros(),
    };
    let keys = vec![key(0.0, 0.0), key(0.3, 0.0), key(0.4, 0.2), key(0.5, -0.1), key(0.6, 0.0)];
    let motion = Motion::Keyframes { pivot: Vector3::zeros(), keys };
    let mesh = TriMesh::grid([9, 9], [0.4, 0.4]).unwrap();
    let pins = Pin::vertices([0, 8]).motion(motion);
    let body = Body::cloth(mesh).area_density(0.3).stretch(1e-5).pin_with(pins);
    Simulation::builder().settings(Settings { drag: 1.5, ..settings }).body(body).build_as().unwrap()
}

fn ball(settings: Settings) -> Simulation<f64> {
    let body = Body::solid(TetMesh::ball(0.2, 2).unwrap()).density(500.0).stretch(1e-5).volume(1e-9);
    let floor = Obstacle::floor(-0.8).friction(0.5);
    let settings = Settings { damping: 3.0, ..settings };
    Simulation::builder().settings(settings).body(body).obstacle(floor).build_as().unwrap()
}

fn let_go(settings: Settings) -> Simulation<f64> {
    let mesh = TriMesh::grid([8, 8], [0.5, 0.5]).unwrap();
    let pin = Pin::vertices([0]).release_at(0.55);
    let body = Body::cloth(mesh).area_density(0.2).stretch(1e-5).pin_with(pin);
    Simulation::builder().settings(settings).body(body).build_as().unwrap()
}

fn settings(substeps: u32, iterations: u32) -> Settings {
    Settings { substeps, iterations, certificate: true, ..Settings::default() }
}

fn begin(sim: &Simulation<f64>, required: &str) -> Certificate {
    Certificate::begin(sim).with_requirements([required.parse::<Requirement>().unwrap()]).unwrap()
}

/// Whether a fixed number of substeps and iterations keeps the bound in every frame.
fn fixed_is_enough(case: &Case, substeps: u32, iterations: u32) -> bool {
    let mut sim = (case.build)(settings(substeps, iterations));
    let mut certificate = begin(&sim, case.required);
    for _ in 0..case.frames {
        // A simulation that breaks down is not enough either.
        let Ok(report) = sim.step(H) else { return false };
        certificate.take(&report);
        if !certificate.is_met() {
            return false;
        }
    }
    true
}

fn adaptively(case: &Case) -> (Vec<AdaptiveStep>, u64) {
    let mut sim = (case.build)(settings(10, 1));
    let mut certificate = begin(&sim, case.required);
    let mut adaptive = Adaptive::new(1..=400).starting_with(10);
    let steps: Vec<_> =
        (0..case.frames).map(|_| adaptive.step(&mut sim, &mut certificate, H).unwrap()).collect();
    assert!(certificate.is_met(), "{}:\n{certificate}", case.name);
    assert_eq!(certificate.frames(), u64::from(case.frames));
    (steps, sim.state_hash())
}

#[test]
fn it_takes_fewer_projections_than_any_fixed_setting_that_keeps_the_bound() {
    for case in &CASES {
        let (steps, _) = adaptively(case);
        let spent: u32 = steps.iter().map(|step| step.spent).sum();
        let most = steps.iter().map(|step| step.frame.substeps).max().unwrap();
        let repeated = steps.iter().filter(|step| step.tries > 1).count();
        // Sweeps over all constraints, thrown away ones included; contacts are few beside them.
        let average = spent.div_ceil(case.frames);
        let mut enough = average;
        while !fixed_is_enough(case, enough, 1) {
            enough += 1 + enough / 10;
        }
        let needed = (enough * 10 / 11..=enough).find(|&n| fixed_is_enough(case, n, 1)).unwrap();
        eprintln!(
            "{}, {}: {spent} substeps, {:.1} a frame, at most {most}, {repeated} of {} frames repeated; fixed: {needed} a frame",
            case.name,
            case.required,
            f64::from(spent) / f64::from(case.frames),
            case.frames
        );
        for iterations in [1, 2, 3, 5] {
            for substeps in 1..=average / iterations {
                assert!(
                    !fixed_is_enough(case, substeps, iterations),
                    "{}: {substeps} substeps of {iterations} iterations are enough, and {spent} were spent on {} frames",
                    case.name,
                    case.frames
                );
            }
        }
        assert!(needed * case.frames > spent);
    }
}

#[test]
fn the_same_substeps_every_time_and_for_every_number_of_threads() {
    let case = &CASES[1];
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let (steps, hash) = pool.install(|| adaptively(case));
        (steps.iter().map(|step| (step.frame.substeps, step.spent)).collect::<Vec<_>>(), hash)
    };
    let one = run(1);
    assert!(run(3) == one && run(1) == one);
}

#[test]
fn what_cannot_be_met_stays_within_the_limits() {
    let mut sim = shaken(settings(10, 1));
    let mut certificate = begin(&sim, "residual.edges<=1e-12");
    let mut adaptive = Adaptive::new(3..=12);
    for _ in 0..5 {
        let step = adaptive.step(&mut sim, &mut certificate, H).unwrap();
        assert_eq!(step.frame.substeps, 12);
    }
    assert_eq!(certificate.verdicts()[0].unmet, 5);
    assert!(matches!(adaptive.step(&mut sim, &mut certificate, -1.0), Err(StepError::TimeStep { .. })));
}
