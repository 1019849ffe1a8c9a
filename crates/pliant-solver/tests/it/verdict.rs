//! The verdict on a run: wrong answers are reported with a remedy, and the remedy is tried.

use nalgebra::Vector3;
use pliant_mesh::{Split, TetMesh, TriMesh};
use pliant_solver::{
    Body, Certificate, Collide, Compliance, Concern, Continuum, Finding, Float, Grade, Judgement, Obstacle,
    Plan, Settings, Simulation, SweepOrder,
};

/// Settings of a run that is certified.
fn settings(substeps: u32) -> Settings {
    Settings { certificate: true, substeps, ..Settings::default() }
}

/// The judgement on some frames, 1/60 s each.
fn judge<T: Float>(sim: &mut Simulation<T>, frames: u32) -> Judgement {
    let mut certificate = Certificate::begin(sim);
    for _ in 0..frames {
        certificate.take(&sim.step(1.0 / 60.0).expect("finite numbers"));
    }
    certificate.judgement()
}

fn finding(judgement: &Judgement, concern: Concern) -> Option<&Finding> {
    judgement.findings.iter().find(|finding| finding.concern == concern)
}

/// A solid moved by a vector, m.
fn moved(mesh: &TetMesh, by: [f64; 3]) -> TetMesh {
    let positions = mesh.positions().iter().map(|x| x + Vector3::from(by)).collect();
    mesh.with_positions(positions).expect("finite positions")
}

/// In double precision, because with many substeps single precision rounds velocities by more than a substep
/// changes them. A ball of rubber with soft edges and rigid volumes, which a fixed order shakes apart.
fn ball(settings: Settings, height: f64) -> Simulation<f64> {
    let mesh = TetMesh::ball(0.5, 5).expect("a ball");
    let rubber = Body::solid(moved(&mesh, [0.0, 0.5 + height, 0.0]))
        .name("ball")
        .density(1000.0)
        .stretch(Compliance::new(2e-5))
        .volume(Compliance::RIGID);
    let floor = Obstacle::floor(0.0).friction(0.5);
    Simulation::builder().settings(settings).body(rubber).obstacle(floor).build_as().expect("a simulation")
}

#[test]
fn a_fixed_order_creates_energy_where_substeps_are_many_and_others_do_not() {
    let of = |order| {
        let settings = Settings { order, damping: 2.0, ..settings(960) };
        judge(&mut ball(settings, 0.5), 40)
    };
    let fixed = of(SweepOrder::Fixed);
    let found = finding(&fixed, Concern::Energy).expect("energy from nowhere");
    assert_eq!(found.grade, Grade::Untrusted, "{found}");
    assert!(found.cure.contains("random"), "{}", found.cure);
    // The remedy of the finding.
    let symmetric = of(SweepOrder::Symmetric);
    let left =
        |judgement: &Judgement| finding(judgement, Concern::Energy).map_or(0.0, |found| found.worst.value);
    assert!(left(&symmetric) < 0.2 * found.worst.value, "{symmetric:?}");
    let random = of(SweepOrder::Auto);
    assert!(left(&random) < 0.2 * found.worst.value, "{random:?}");
}

#[test]
fn energy_that_appears_in_one_frame_is_named_though_more_was_lost_before() {
    // Volumes without compliance that are far from solved throw the ball up again, half as high.
    let mut sim = ball(Settings { certificate: true, ..Settings::book_solid() }, 0.5);
    let judgement = judge(&mut sim, 60);
    let found = finding(&judgement, Concern::Energy).expect("a bounce without anything elastic");
    assert_eq!(found.grade, Grade::Rough, "{found}");
    assert!(found.what.contains("in one frame"), "{found}");
    let fall = (2.0 * 0.5 / 9.81_f64).sqrt();
    assert!((fall..fall + 0.3).contains(&found.worst.time), "{found:?}");
}

#[test]
fn what_rests_without_gravity_stays_at_rest_with_many_substeps() {
    let order = SweepOrder::Symmetric;
    let settings = Settings { gravity: Vector3::zeros(), order, ..settings(240) };
    let mut sim = ball(settings, 1.0);
    let judgement = judge(&mut sim, 60);
    assert_eq!(judgement.grade(), Grade::Good, "{judgement:?}");
    assert!(sim.velocities().iter().all(|v| v.norm() < 1e-3));
}

#[test]
fn a_seed_is_another_run_of_the_same_scene_and_the_same_seed_is_the_same() {
    let hash = |seed| {
        let mut sim = ball(Settings { seed, order: SweepOrder::Random, ..settings(20) }, 0.0);
        (0..20).for_each(|_| sim.advance(1.0 / 60.0).expect("finite numbers"));
        sim.state_hash()
    };
    assert_eq!(hash(1), hash(1));
    assert_ne!(hash(1), hash(2));
}

#[test]
fn directions_are_the_same_for_all_threads_lanes_and_after_a_restart() {
    for (order, plan) in [
        (SweepOrder::Random, Plan::Clustered),
        (SweepOrder::Symmetric, Plan::Clustered),
        (SweepOrder::Random, Plan::Ordered),
        (SweepOrder::Symmetric, Plan::Sequential),
    ] {
        let run = |threads: usize, lanes, restart: bool| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
            pool.install(|| {
                let block = TetMesh::block([14, 14, 14], [1.0; 3], Split::Kuhn).expect("a block");
                let body = Body::solid(moved(&block, [0.0, 1.0, 0.0]))
                    .stretch(Compliance::new(1e-6))
                    .volume(Compliance::RIGID);
                let settings = Settings { order, plan, lanes, ..settings(20) };
                let builder = Simulation::builder().settings(settings).body(body);
                let mut sim: Simulation =
                    builder.obstacle(Obstacle::floor(0.0)).build().expect("a simulation");
                for frame in 0..6 {
                    if restart && frame == 3 {
                        let kept = sim.snapshot();
                        sim.advance(1.0 / 60.0).expect("finite numbers");
                        sim.restore(&kept);
                    }
                    sim.advance(1.0 / 60.0).expect("finite numbers");
                }
                sim.state_hash()
            })
        };
        let one = run(1, pliant_solver::Lanes::Auto, false);
        assert_eq!(one, run(3, pliant_solver::Lanes::Auto, false), "{order:?} {plan:?}");
        assert_eq!(one, run(2, pliant_solver::Lanes::Portable, true), "{order:?} {plan:?}");
    }
}

#[test]
fn the_clustered_order_and_its_reverse_are_projected_as_the_plan_says() {
    // A fixed and a random order differ only in direction: with a seed whose first directions are all forward
    // they are the same.
    let hash = |order, seed| {
        let mut sim = ball(Settings { order, seed, ..settings(1) }, 0.0);
        sim.advance(1.0 / 60.0).expect("finite numbers");
        sim.state_hash()
    };
    let fixed = hash(SweepOrder::Fixed, 0);
    let equal = (0..8).filter(|&seed| hash(SweepOrder::Random, seed) == fixed).count();
    assert!((1..8).contains(&equal), "{equal} of eight coins fall forward");
}

#[test]
fn a_start_that_is_restored_has_no_contacts_of_later() {
    let mut sim = ball(settings(10), 0.3);
    let start = sim.snapshot();
    let mut touched = 0;
    for _ in 0..40 {
        touched +=
            sim.step(1.0 / 60.0).expect("finite numbers").residual("contacts").map_or(0, |r| r.constraints);
    }
    assert!(touched > 0, "the ball reaches the floor");
    sim.restore(&start);
    let judgement = judge(&mut sim, 2);
    assert!(finding(&judgement, Concern::Start).is_none(), "{:?}", judgement.findings);
}

#[test]
fn a_start_inside_an_obstacle_is_named_with_its_depth() {
    let judgement = judge(&mut ball(settings(10), -0.4), 2);
    let found = finding(&judgement, Concern::Start).expect("a start inside the floor");
    assert_eq!((found.grade, found.worst.frame), (Grade::Untrusted, 0), "{found}");
    assert!(found.what.contains("4.000e-1 m inside"), "{found}");
    // Apart from each other, as the finding advises.
    assert!(finding(&judge(&mut ball(settings(10), 0.01), 2), Concern::Start).is_none());
}

/// Two sheets of paper at rest, without gravity, `gap` apart and 1 mm kept.
fn papers(gap: f64) -> Simulation<f64> {
    let sheet = |height: f64| {
        let mesh = TriMesh::grid([7, 5], [0.09, 0.06]).unwrap();
        let mesh = mesh.translated(Vector3::y() * height).unwrap();
        Body::cloth(mesh).stretch(Compliance::RIGID).contact_radius(5e-4).collide(Collide::new())
    };
    let settings = Settings { gravity: Vector3::zeros(), ..settings(960) };
    Simulation::builder().settings(settings).body(sheet(0.0)).body(sheet(gap)).build_as().unwrap()
}

#[test]
fn surfaces_that_start_too_near_are_reported_as_what_creates_energy() {
    let judgement = judge(&mut papers(0.99e-3), 2);
    let found = finding(&judgement, Concern::Energy).expect("they are pushed apart");
    assert!(found.cure.contains("start farther apart"), "{found}");
    // As it advises.
    assert!(finding(&judge(&mut papers(1.01e-3), 2), Concern::Energy).is_none());
}

#[test]
fn what_single_precision_cannot_resolve_is_said() {
    fn far<T: Float>() -> Judgement {
        let mesh = TetMesh::ball(0.5, 4).expect("a ball");
        let body = Body::solid(moved(&mesh, [1e6, 0.0, 0.0]))
            .stretch(Compliance::new(2e-5))
            .volume(Compliance::RIGID);
        let builder = Simulation::builder().settings(settings(10)).body(body);
        judge(&mut builder.build_as::<T>().expect("a simulation"), 5)
    }
    let judgement = far::<f32>();
    let found = finding(&judgement, Concern::Resolution).expect("too far for f32");
    assert_eq!(found.grade, Grade::Untrusted, "{found}");
    assert!(found.cure.contains("f64"));
    assert_eq!(far::<f64>().grade(), Grade::Good, "the cure helps");
}

/// How far the lower edge of a sheet of springs sinks that hangs two metres above the origin, m, and the verdict.
fn sunk<T: Float>(substeps: u32) -> (f64, Judgement) {
    let sheet = TriMesh::grid([6, 6], [1.0, 1.0]).expect("a sheet");
    let upright = sheet.map_positions(|x| Vector3::new(x.x, 1.55 - x.z, 0.0)).expect("a sheet");
    let top = (0_u32..).zip(upright.positions()).filter(|(_, x)| x.y > 2.0).map(|(i, _)| i);
    let top: Vec<u32> = top.collect();
    let body = Body::cloth(upright).area_density(0.5).stretch(Compliance::new(0.02)).pin_vertices(top);
    let settings = Settings { drag: 3.0, ..settings(substeps) };
    let builder = Simulation::builder().settings(settings).body(body);
    let mut sim = builder.build_as::<T>().expect("a simulation");
    let lowest = |sim: &Simulation<T>| sim.positions().iter().fold(f64::INFINITY, |low, x| low.min(x.y));
    let before = lowest(&sim);
    let judgement = judge(&mut sim, 480);
    (before - lowest(&sim), judgement)
}

#[test]
fn weights_that_single_precision_rounds_are_said() {
    let (right, judgement) = sunk::<f64>(180);
    assert_eq!(judgement.grade(), Grade::Good, "{judgement:?}");
    let (wrong, judgement) = sunk::<f32>(180);
    assert!((wrong / right - 1.0).abs() > 0.04, "sinks by {wrong} m instead of {right} m");
    let found = finding(&judgement, Concern::Resolution).expect("gravity is rounded");
    assert!(found.what.contains("weights are wrong") && found.cure.contains("f64"), "{found}");
    let (_, judgement) = sunk::<f32>(30);
    assert_eq!(finding(&judgement, Concern::Resolution), None);
}

#[test]
fn cloth_that_stretches_far_is_not_to_be_trusted_and_more_substeps_help() {
    let of = |substeps| {
        let sheet = TriMesh::grid([41, 41], [1.0, 1.0]).expect("a sheet");
        let body = Body::cloth(sheet).area_density(0.2).stretch(Compliance::RIGID).pin_vertices([0, 40]);
        let mut sim: Simulation =
            Simulation::builder().settings(settings(substeps)).body(body).build().expect("a simulation");
        judge(&mut sim, 30)
    };
    let judgement = of(2);
    let found = finding(&judgement, Concern::Constraints).expect("stretched edges");
    assert_eq!(found.grade, Grade::Untrusted, "{found}");
    assert_eq!(found.cure, "Try 8 substeps.");
    let better = of(8);
    assert!(
        finding(&better, Concern::Constraints).is_none_or(|it| it.worst.value < found.worst.value),
        "{better:?}"
    );
    assert_eq!(finding(&of(128), Concern::Constraints), None);
}

/// A ball of 20 kPa that hits the floor at 6 m/s, faster than waves in it.
fn crushed(substeps: u32) -> Judgement {
    let mesh = TetMesh::ball(0.5, 4).expect("a ball");
    let soft = Body::solid(moved(&mesh, [0.0, 0.51, 0.0]))
        .density(1000.0)
        .continuum(Continuum::neo_hookean(2e4, 0.4))
        .velocity(Vector3::new(0.0, -6.0, 0.0));
    let floor = Obstacle::floor(0.0).friction(0.5);
    let builder = Simulation::builder().settings(settings(substeps)).body(soft).obstacle(floor);
    judge(&mut builder.build_as::<f64>().expect("a simulation"), 12)
}

#[test]
fn what_crushes_a_material_is_told_from_an_error_of_volumes() {
    let solved = crushed(400);
    let found = finding(&solved, Concern::Material).unwrap_or_else(|| panic!("{solved}"));
    assert!(found.what.contains("what its material does"), "{found}");
    assert!(found.grade == Grade::Rough && found.cure.contains("stiffer"), "{found}");
    assert!(finding(&solved, Concern::Volume).is_none(), "{solved}");
    let unsolved = crushed(1);
    let found = finding(&unsolved, Concern::Volume).unwrap_or_else(|| panic!("{unsolved}"));
    assert!(found.cure.contains("Try 4 substeps"), "{found}");
}

#[test]
fn accepted_concerns_do_not_count() {
    let judgement = judge(&mut ball(settings(10), -0.4), 1);
    assert_eq!(judgement.grade_without(|_| true), Grade::Good);
    assert!(Concern::ALL.iter().all(|concern| !concern.name().is_empty()));
}
