//! Substeps chosen frame by frame: the bound is kept, at a lower cost than with a fixed number if the
//! difficulty changes, and without other harm.

use nalgebra::Vector3;
use pliant_mesh::{TetMesh, TriMesh};
use pliant_solver::{
    Adaptive, AdaptiveStep, Body, Certificate, Collide, Compliance, FrameCertificate, Keyframe, Motion,
    Obstacle, Pin, Requirement, Settings, Simulation, StepError,
};

const H: f64 = 1.0 / 60.0;

/// A scene whose difficulty changes, its number of frames and its requirement.
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
    let body = Body::cloth(mesh).area_density(0.3).stretch(Compliance::new(1e-5)).pin_with(pins);
    Simulation::builder().settings(Settings { drag: 1.5, ..settings }).body(body).build_as().unwrap()
}

fn ball(settings: Settings) -> Simulation<f64> {
    let body = Body::solid(TetMesh::ball(0.2, 2).unwrap())
        .density(500.0)
        .stretch(Compliance::new(1e-5))
        .volume(Compliance::new(1e-9));
    let floor = Obstacle::floor(-0.8).friction(0.5);
    let settings = Settings { damping: 3.0, ..settings };
    Simulation::builder().settings(settings).body(body).obstacle(floor).build_as().unwrap()
}

fn let_go(settings: Settings) -> Simulation<f64> {
    let mesh = TriMesh::grid([8, 8], [0.5, 0.5]).unwrap();
    let pin = Pin::vertices([0]).release_at(0.55);
    let body = Body::cloth(mesh).area_density(0.2).stretch(Compliance::new(1e-5)).pin_with(pin);
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
        // A simulation that fails does not keep the bound either.
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
    let mut adaptive = Adaptive::new(1..=800).starting_with(10);
    let steps: Vec<_> =
        (0..case.frames).map(|_| adaptive.step(&mut sim, &mut certificate, H).unwrap()).collect();
    assert!(certificate.is_met(), "{}:\n{certificate}", case.name);
    assert_eq!(certificate.frames(), u64::from(case.frames));
    (steps, sim.state_hash())
}

#[test]
fn it_takes_hardly_more_projections_than_any_fixed_setting_that_keeps_the_bound() {
    for case in &CASES {
        let (steps, _) = adaptively(case);
        let spent: u32 = steps.iter().map(|step| step.spent).sum();
        let most = steps.iter().map(|step| step.frame.substeps).max().unwrap();
        let repeated = steps.iter().filter(|step| step.tries > 1).count();
        // Sweeps over all constraints, including discarded ones; contacts are few in comparison.
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
            for substeps in 1..=average * 6 / 10 / iterations {
                assert!(
                    !fixed_is_enough(case, substeps, iterations),
                    "{}: {substeps} substeps of {iterations} iterations are enough, and {spent} were spent on {} frames",
                    case.name,
                    case.frames
                );
            }
        }
        assert!(11 * needed * case.frames > 10 * spent);
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

/// A ball of stiff edges that falls by 1.3 m onto a floor, where it is in free fall for half a second.
fn falling(settings: Settings) -> Simulation<f64> {
    let body = Body::solid(TetMesh::ball(0.2, 3).unwrap())
        .density(500.0)
        .stretch(Compliance::new(1e-7))
        .volume(Compliance::new(1e-9));
    let floor = Obstacle::floor(-1.5).friction(0.5);
    Simulation::builder().settings(settings).body(body).obstacle(floor).build_as().unwrap()
}

/// A sheet of rigid edges that hangs from two corners: with few substeps it stretches by more than a tenth.
fn heavy(settings: Settings) -> Simulation<f64> {
    let mesh = TriMesh::grid([25, 25], [1.0, 1.0]).unwrap();
    let body = Body::cloth(mesh).area_density(0.2).stretch(Compliance::RIGID).pin_vertices([0, 24]);
    Simulation::builder().settings(settings).body(body).build_as().unwrap()
}

/// The final state of a run, and the largest energy that its solver created in a frame, J.
#[derive(Debug)]
struct End {
    stretch: f64,
    worst_stretch: f64,
    volume: f64,
    kinetic: f64,
    created: f64,
    spent: u32,
}

const START: u32 = 15;

type Build = fn(Settings) -> Simulation<f64>;

fn end_of(
    mut sim: Simulation<f64>,
    mut certificate: Certificate,
    frames: u32,
    mut step: impl FnMut(&mut Simulation<f64>, &mut Certificate) -> (FrameCertificate, u32),
) -> End {
    let (mut created, mut spent): (f64, u32) = (0.0, 0);
    let mut last = None;
    for _ in 0..frames {
        let (frame, cost) = step(&mut sim, &mut certificate);
        created = created.max(-frame.get("energy.loss").unwrap().value);
        spent += cost;
        last = Some(frame);
    }
    let last = last.unwrap();
    let value = |name: &str| last.get(name).map_or(0.0, |measure| measure.value);
    End {
        stretch: value("stretch.max"),
        worst_stretch: certificate.worst("stretch.max").unwrap().value,
        volume: value("volume.max"),
        kinetic: value("energy.kinetic"),
        created,
        spent,
    }
}

fn plainly(build: Build, frames: u32) -> End {
    let sim = build(settings(START, 1));
    let certificate = Certificate::begin(&sim);
    end_of(sim, certificate, frames, |sim, certificate| (certificate.take(&sim.step(H).unwrap()), START))
}

fn with(build: Build, frames: u32, required: &str, mut adaptive: Adaptive) -> (End, Vec<AdaptiveStep>) {
    let sim = build(settings(START, 1));
    let certificate = begin(&sim, required);
    let mut steps = Vec::new();
    let end = end_of(sim, certificate, frames, |sim, certificate| {
        let step = adaptive.step(sim, certificate, H).unwrap();
        steps.push(step.clone());
        (step.frame, step.spent)
    });
    (end, steps)
}

#[test]
fn what_nobody_asked_for_comes_to_no_harm() {
    let plain = plainly(falling, 120);
    let adaptive = Adaptive::new(1..=64 * START).starting_with(START);
    let (end, steps) = with(falling, 120, "stretch.max<=0.05", adaptive);
    eprintln!("{plain:?}\n{end:?}\n{:?}", steps.iter().map(|s| s.frame.substeps).collect::<Vec<_>>());
    assert!(end.worst_stretch <= plain.worst_stretch.max(0.05), "{end:?} {plain:?}");
    assert!(end.volume <= 1.2 * plain.volume + 1e-3, "{end:?} {plain:?}");
    assert!(end.kinetic <= 1.2 * plain.kinetic + 0.1, "{end:?} {plain:?}");
    // Its energy in the fall is about 110 J.
    assert!(end.created <= plain.created.max(2.0), "{end:?} {plain:?}");
}

#[test]
fn what_cannot_be_met_ends_no_worse_than_without() {
    let builds: [(Build, &str); 3] =
        [(falling, "stretch.max<=1e-12"), (heavy, "stretch.max<=1e-6"), (heavy, "distance.max<=0.1")];
    for (build, required) in builds {
        let plain = plainly(build, 90);
        let adaptive = Adaptive::new(START..=64 * START).starting_with(START).spending(12 * START);
        let (end, steps) = with(build, 90, required, adaptive);
        eprintln!(
            "{required}\n{plain:?}\n{end:?}\n{:?}",
            steps.iter().map(|s| s.frame.substeps).collect::<Vec<_>>()
        );
        assert!(end.stretch <= 1.05 * plain.stretch + 1e-3, "{required}: {end:?} {plain:?}");
        assert!(end.worst_stretch <= 1.05 * plain.worst_stretch + 1e-3, "{required}: {end:?} {plain:?}");
        assert!(end.volume <= 1.2 * plain.volume + 1e-3, "{required}: {end:?} {plain:?}");
        assert!(end.created <= plain.created.max(1.0), "{required}: {end:?} {plain:?}");
        assert!(end.spent <= 18 * START * 90, "{required}: {end:?}");
    }
}

#[test]
fn substeps_change_gradually_and_do_not_fall_before_an_impact() {
    let adaptive = Adaptive::new(1..=64 * START).starting_with(START);
    let (_, steps) = with(falling, 120, "stretch.max<=0.05", adaptive);
    let numbers: Vec<u32> = steps.iter().map(|step| step.frame.substeps).collect();
    for (pair, step) in numbers.windows(2).zip(&steps[1..]) {
        let (before, now) = (pair[0], pair[1]);
        assert!(f64::from(now) * 1.25 >= f64::from(before) || now + 1 == before, "{numbers:?}");
        // Every try may raise the number by a factor of four.
        assert!(now <= before * 4_u32.pow(step.tries), "{numbers:?}");
    }
    let landing = steps.iter().position(|step| step.report.contacts > 0).unwrap();
    assert!(numbers[landing - 8] < START, "few are enough for falling: {numbers:?}");
    for k in landing - 3..=landing {
        assert!(numbers[k] >= numbers[k - 1], "frame {k}, landing in {landing}: {numbers:?}");
    }
    assert!(numbers[landing] >= START, "{numbers:?}");
}

#[test]
fn a_memory_is_all_that_goes_on() {
    let make = || Adaptive::new(2..=300).starting_with(START).spending(12 * START);
    let (mut adaptive, mut other) = (make(), make());
    let mut sim = shaken(settings(START, 1));
    let mut certificate = begin(&sim, "residual.edges<=2e-4");
    let mut tried = 0;
    for _ in 0..45 {
        other = other.remembering(adaptive.memory());
        let (before, taken) = (sim.snapshot(), certificate.clone());
        let first = adaptive.step(&mut sim, &mut certificate, H).unwrap();
        sim.restore(&before);
        certificate = taken;
        let second = other.step(&mut sim, &mut certificate, H).unwrap();
        assert_eq!((first.spent, first.tries, first.frame), (second.spent, second.tries, second.frame));
        let bits = |adaptive: &Adaptive| adaptive.memory().map(f64::to_bits);
        assert_eq!(bits(&adaptive), bits(&other));
        tried += u32::from(first.tries > 1);
    }
    assert!(tried > 3, "nothing was learnt");
}

#[test]
fn bodies_that_meet_are_kept_apart_whatever_the_substeps() {
    let sheet = |height: f64| {
        let mesh = TriMesh::grid([9, 9], [0.16, 0.16]).unwrap().translated([0.01, height, 0.005]).unwrap();
        Body::cloth(mesh)
            .stretch(Compliance::new(1e-4))
            .contact_radius(0.0015)
            .collide(Collide::new().friction(0.3))
    };
    let plate = TriMesh::grid([3, 3], [0.3, 0.3]).unwrap();
    let plate = Body::cloth(plate).contact_radius(0.0015).collide(Collide::new()).pin(|_| true);
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let bodies = Simulation::builder().settings(settings(10, 1)).body(plate.clone());
            let mut sim: Simulation<f64> = bodies.body(sheet(0.05)).body(sheet(0.06)).build_as().unwrap();
            let mut certificate = begin(&sim, "stretch.max<=0.01");
            let mut adaptive = Adaptive::new(1..=200).starting_with(10);
            let mut substeps = Vec::new();
            for _ in 0..20 {
                let AdaptiveStep { report, frame, .. } =
                    adaptive.step(&mut sim, &mut certificate, H).unwrap();
                assert_eq!(report.collisions.unwrap().intersections, 0);
                substeps.push(frame.substeps);
            }
            assert!(sim.positions()[9..].iter().all(|x| x.y > 0.0), "they lie on the plate");
            (substeps, sim.state_hash())
        })
    };
    let (substeps, hash) = run(1);
    assert!(substeps.iter().any(|&n| n != substeps[0]), "{substeps:?}");
    assert_eq!(run(3), (substeps, hash));
}
