//! Changes survive a checkpoint, and do not depend on threads.

use nalgebra::Vector3;
use pliant_mesh::{ConvexHull, TriMesh};
use pliant_solver::{
    Body, Certificate, Compliance, Float, Grab, Lanes, Method, Motion, Obstacle, Plan, Settings, Simulation,
    Snapshot, Stiffness, Wind,
};

use super::{DT, run, sheet, watched};

fn build<T: Float>(plan: Plan) -> Simulation<T> {
    let scene = watched(sheet().contact_radius(0.002).pin_vertices([0, 8])).plan(plan);
    scene.obstacle(Obstacle::floor(-0.4)).build_as().unwrap()
}

/// All changes at once, and a few frames.
fn change<T: Float>(sim: &mut Simulation<T>) -> Grab {
    run(sim, 3);
    let hand = sim.grab(80, Stiffness::new(300.0)).unwrap();
    let gone = sim.grab(40, Stiffness::new(10.0)).unwrap();
    let pin = sim.pin([72]).unwrap();
    let first = sim.pins().next().unwrap();
    sim.set_motion(0, Motion::linear(Vector3::new(0.0, 0.1, 0.0))).unwrap();
    sim.set_force(20, Vector3::new(0.0, 0.2, 0.1)).unwrap();
    sim.set_gravity([0.5, -8.0, 0.0]).unwrap();
    sim.set_wind(Some(Wind { velocity: Vector3::new(2.0, 0.0, 0.5), ..Wind::default() })).unwrap();
    sim.set_damping(0.5).unwrap();
    sim.set_compliance("edges", 3e-6).unwrap();
    sim.scale_stiffness("bending", 2.0).unwrap();
    let ball = sim.add_obstacle(Obstacle::sphere(Vector3::new(0.1, -0.3, 0.0), 0.1)).unwrap();
    let floor = sim.obstacles().next().unwrap();
    run(sim, 3);
    let pinned = sim.position(72);
    sim.move_to(hand, sim.position(80) + Vector3::new(0.0, 0.03, 0.0)).unwrap();
    sim.lead(pin, &[pinned + Vector3::x() * 0.01]).unwrap();
    sim.lead(first, &[Vector3::new(-0.25, 0.02, -0.25), Vector3::new(0.25, 0.02, -0.25)]).unwrap();
    sim.move_obstacle(ball, Vector3::new(0.0, 0.02, 0.0), Vector3::zeros()).unwrap();
    run(sim, 1);
    sim.let_go(gone).unwrap();
    sim.remove_obstacle(floor).unwrap();
    // In progress when the state is taken.
    sim.move_to(hand, sim.position(80) + Vector3::new(0.0, 0.03, 0.0)).unwrap();
    sim.lead(pin, &[pinned + Vector3::x() * 0.02]).unwrap();
    sim.move_obstacle(ball, Vector3::new(0.0, 0.04, 0.0), Vector3::zeros()).unwrap();
    hand
}

fn go_on<T: Float>(sim: &mut Simulation<T>, hand: Grab) -> u64 {
    run(sim, 4);
    sim.move_to(hand, sim.position(80) + Vector3::new(0.01, 0.0, 0.0)).unwrap();
    run(sim, 4);
    sim.let_go(hand).unwrap();
    let pin = sim.pins().last().unwrap();
    sim.unpin(pin).unwrap();
    sim.clear_forces();
    run(sim, 4)
}

fn survives<T: Float>(plan: Plan) {
    let mut sim: Simulation<T> = build(plan);
    let hand = change(&mut sim);
    let taken = sim.snapshot();
    let bytes = taken.to_bytes();
    let once = go_on(&mut sim, hand);
    sim.restore(&taken);
    assert_eq!(go_on(&mut sim, hand), once, "in memory, {plan:?}");
    let mut other = build(plan);
    let read = Snapshot::from_bytes(&bytes, &other).unwrap();
    assert_eq!(read.to_bytes(), bytes);
    other.restore(&read);
    assert_eq!(go_on(&mut other, hand), once, "from a file, {plan:?}");
    for cut in 0..bytes.len() {
        assert!(Snapshot::<T>::from_bytes(&bytes[..cut], &other).is_err());
    }
}

#[test]
fn all_changes_survive_a_checkpoint() {
    survives::<f32>(Plan::Clustered);
    survives::<f64>(Plan::Clustered);
    survives::<f32>(Plan::Sequential);
    survives::<f64>(Plan::Ordered);
}

#[test]
fn frames_that_are_solved_again_go_to_the_same_places() {
    let build = || {
        let body = sheet().stretch(Compliance::new(1e-5)).pin_vertices([0, 8]);
        let settings = Settings { method: Method::Auto, accuracy: 1e-4, substeps: 1, ..Settings::default() };
        Simulation::builder().settings(settings).body(body).build().unwrap()
    };
    let mut sim = build();
    let hand = sim.grab(80, Stiffness::new(1e9)).unwrap();
    let pin = sim.pin([40]).unwrap();
    let drag = |sim: &mut Simulation| {
        for _ in 0..5 {
            let up = Vector3::new(0.0, 0.01, 0.0);
            let (target, place) = (sim.position(80) + up, sim.position(40) + up);
            sim.move_to(hand, target).unwrap();
            sim.lead(pin, &[place]).unwrap();
            sim.advance(DT).unwrap();
            assert!((sim.position(80) - target).norm() < 1e-4 && (sim.position(40) - place).norm() < 1e-6);
        }
        sim.state_hash()
    };
    drag(&mut sim);
    let bytes = sim.snapshot().to_bytes();
    let once = drag(&mut sim);
    let mut other = build();
    other.restore(&Snapshot::from_bytes(&bytes, &other).unwrap());
    assert_eq!(drag(&mut other), once);
}

#[test]
fn going_back_undoes_all_changes() {
    let mut sim: Simulation = build(Plan::Auto);
    let start = sim.snapshot();
    let plain = run(&mut sim, 12);
    sim.restore(&start);
    let hand = change(&mut sim);
    assert_ne!(go_on(&mut sim, hand), plain);
    sim.restore(&start);
    assert_eq!(run(&mut sim, 12), plain);
    assert!(sim.report().bodies[0].free || !sim.pins().count() > 0);
}

#[test]
fn threads_and_lanes_do_not_matter() {
    let hash = |threads: usize, lanes: Lanes| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            // Large enough for several threads.
            let mesh = TriMesh::grid([90, 90], [0.5, 0.5]).unwrap();
            let body = Body::cloth(mesh)
                .area_density(1.6)
                .stretch(Compliance::new(1e-6))
                .bend(Compliance::new(1e3))
                .pin_vertices([0, 8]);
            let mut sim = watched(body).lanes(lanes).obstacle(Obstacle::floor(-0.4)).build().unwrap();
            let hand = change(&mut sim);
            go_on(&mut sim, hand)
        })
    };
    let once = hash(1, Lanes::Auto);
    assert_eq!(hash(3, Lanes::Auto), once);
    assert_eq!(hash(2, Lanes::Portable), once);
}

#[test]
fn a_record_says_what_was_changed() {
    let mut sim: Simulation = build(Plan::Auto);
    change(&mut sim);
    let report = sim.step(DT).unwrap();
    let mut other: Simulation = build(Plan::Auto);
    other.replay(&sim.record()).unwrap();
    let again = other.report();
    assert_eq!(again.residuals, report.residuals);
    assert_eq!(again.energy, report.energy);
    assert_eq!(again.bodies, report.bodies);
    assert_eq!(again.state_hash, report.state_hash);
}

#[test]
fn obstacles_with_data_of_their_own_have_to_be_there() {
    let corners = [[0.0, 0.0, 0.0], [0.3, 0.0, 0.0], [0.0, 0.1, 0.0], [0.0, 0.0, 0.3]].map(Vector3::from);
    let wedge = Obstacle::hull(ConvexHull::new(&corners.map(|x| x - Vector3::y() * 0.2)).unwrap());
    let mut sim: Simulation = build(Plan::Auto);
    let id = sim.add_obstacle(wedge.clone()).unwrap();
    sim.move_obstacle(id, Vector3::y() * 0.1, Vector3::zeros()).unwrap();
    run(&mut sim, 5);
    let bytes = sim.snapshot().to_bytes();
    let once = run(&mut sim, 10);
    let mut other: Simulation = build(Plan::Auto);
    assert!(Snapshot::from_bytes(&bytes, &other).is_err());
    other.add_obstacle(wedge).unwrap();
    other.restore(&Snapshot::from_bytes(&bytes, &other).unwrap());
    assert_eq!(run(&mut other, 10), once);
}

#[test]
fn certificates_go_on_after_a_checkpoint() {
    let mut sim: Simulation = build(Plan::Auto);
    let hand = change(&mut sim);
    let taken = sim.snapshot();
    let mut certificate = Certificate::begin(&sim);
    run(&mut sim, 2);
    let once = certificate.take(&sim.report());
    sim.restore(&taken);
    let mut certificate = Certificate::begin(&sim);
    run(&mut sim, 2);
    assert_eq!(certificate.take(&sim.report()), once);
    sim.let_go(hand).unwrap();
}
