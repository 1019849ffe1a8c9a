//! Obstacles: never entered by more than the residual, friction by Coulomb's law, restitution by Newton's.

use std::sync::Arc;

use nalgebra::Vector3;
use pliant_mesh::{ConvexHull, DistanceGrid, HeightField, Split, TetMesh, TriMesh};
use pliant_solver::{
    Assembly, Body, Compliance, Float, FrameReport, Motion, Obstacle, Plan, Settings, Shape, Simulation,
};

const FRAME: f64 = 1.0 / 60.0;
const G: f64 = 9.81;

fn contact_residual(report: &FrameReport) -> f64 {
    report.residual("contacts").unwrap().max.value
}

/// A single particle at `x` with velocity `v`.
fn particle(x: Vector3<f64>, v: Vector3<f64>, obstacle: Obstacle, substeps: u32) -> Simulation<f64> {
    particle_iterated(x, v, obstacle, substeps, 1)
}

fn particle_iterated(
    x: Vector3<f64>,
    v: Vector3<f64>,
    obstacle: Obstacle,
    substeps: u32,
    iterations: u32,
) -> Simulation<f64> {
    let mut a = Assembly::new(vec![x], vec![2.0]).unwrap();
    a.velocities(vec![v]).unwrap();
    a.obstacle(obstacle);
    let gravity = Vector3::new(0.0, -G, 0.0);
    a.settings(Settings { substeps, iterations, gravity, ..Settings::default() });
    a.build().unwrap()
}

fn dropped_block<T: Float>(plan: Plan, obstacle: Obstacle) -> Simulation<T> {
    let block = TetMesh::block([3, 3, 3], [0.3, 0.3, 0.3], Split::Kuhn).unwrap();
    let raised = block.positions().iter().map(|x| x + Vector3::new(-0.15, 0.2, -0.15)).collect();
    let block = block.with_positions(raised).unwrap();
    let body = Body::solid(block)
        .stretch(Compliance::new(1e-6))
        .volume(Compliance::RIGID)
        .velocity(Vector3::new(0.2, -2.0, 0.0));
    Simulation::builder().plan(plan).iterations(3).body(body).obstacle(obstacle).build_as().unwrap()
}

/// The depth of the deepest particle below a surface, m, and the report, frame by frame.
fn deepest<T: Float>(
    mut sim: Simulation<T>,
    frames: u32,
    gap: impl Fn(&Vector3<f64>) -> f64,
    allowed: impl Fn(&FrameReport) -> f64,
) -> FrameReport {
    let mut report = sim.report();
    let mut touched = 0;
    for frame in 0..frames {
        report = sim.step(FRAME).unwrap();
        touched = touched.max(report.contacts);
        let depth = sim.positions().iter().map(|x| -gap(x)).fold(0.0, f64::max);
        assert!(
            depth <= allowed(&report),
            "frame {frame}: {depth:e} below, residual {:e}",
            contact_residual(&report)
        );
    }
    assert!(touched > 0, "it has never touched");
    assert!(contact_residual(&report) < 1e-6, "contacts come last in every iteration: {report}");
    report
}

#[test]
fn no_particle_is_below_the_floor_by_more_than_the_residual() {
    for plan in [Plan::Sequential, Plan::Ordered, Plan::Clustered] {
        let floor = Obstacle::floor(0.0).friction(0.3);
        let allowed = |r: &FrameReport| contact_residual(r) + 1e-15;
        let report = deepest(dropped_block::<f64>(plan, floor.clone()), 120, |x| x.y, allowed);
        // The contacts come last in every iteration, so only rounding remains.
        assert!(contact_residual(&report) < 1e-12, "{plan:?}");
        let allowed = |r: &FrameReport| contact_residual(r) + 1e-7;
        let report = deepest(dropped_block::<f32>(plan, floor), 120, |x| x.y, allowed);
        assert!(contact_residual(&report) < 1e-6);
    }
}

#[test]
fn spheres_and_boxes_keep_particles_out_and_containers_in() {
    let allowed = |r: &FrameReport| contact_residual(r) + 1e-12;
    let centre = Vector3::new(0.0, -0.4, 0.0);
    let sphere = dropped_block::<f64>(Plan::Auto, Obstacle::sphere(centre, 0.5));
    deepest(sphere, 60, |x| (x - centre).norm() - 0.5, allowed);

    let half = Vector3::new(0.2, 0.1, 0.2);
    let solid = dropped_block::<f64>(Plan::Auto, Obstacle::solid_box(Vector3::zeros(), half));
    let outside = |x: &Vector3<f64>| (0..3).map(|k| x[k].abs() - half[k]).fold(f64::NEG_INFINITY, f64::max);
    deepest(solid, 60, outside, allowed);

    let (min, max) = (Vector3::new(-0.2, 0.0, -0.3), Vector3::new(0.25, 2.0, 0.3));
    let room = dropped_block::<f64>(Plan::Auto, Obstacle::container(min, max));
    let inside =
        |x: &Vector3<f64>| (0..3).map(|k| (x[k] - min[k]).min(max[k] - x[k])).fold(f64::INFINITY, f64::min);
    // Corners belong to several walls, which are solved one after the other.
    deepest(room, 90, inside, |r| contact_residual(r) + 1e-9);
}

/// A rod, a hull, ground and a solid on a grid, each with its highest point or flat top at the height 0.1 m
/// over the origin.
fn with_data() -> Vec<(Obstacle, Gap)> {
    let (from, to) = (Vector3::new(-0.3, -0.1, 0.0), Vector3::new(0.3, -0.1, 0.0));
    let half = Vector3::new(0.25, 0.1, 0.25);
    let sign = |c: usize, k: usize| if c >> k & 1 == 1 { 1.0 } else { -1.0 };
    let corners: Vec<_> = (0..8).map(|c| Vector3::from_fn(|k, _| sign(c, k) * half[k])).collect();
    let hull = Arc::new(ConvexHull::new(&corners).unwrap());
    let rows = [[0.1; 5]; 5];
    let ground = Arc::new(HeightField::new(Vector3::new(-1.0, 0.0, -1.0), [0.5; 2], &rows).unwrap());
    let ball = TriMesh::icosphere(0.4, 12).unwrap().translated(Vector3::y() * -0.3).unwrap();
    let solid = Arc::new(DistanceGrid::new(&ball, 0.03, 0.1).unwrap());
    let (hull_gap, ground_gap, solid_gap) = (Arc::clone(&hull), Arc::clone(&ground), Arc::clone(&solid));
    vec![
        (
            Obstacle::capsule(from, to, 0.2),
            Box::new(move |x| pliant_mesh::nearest_on_segment(x, &[from, to]).distance() - 0.2),
        ),
        (Obstacle::hull(hull), Box::new(move |x| hull_gap.gap(x).0)),
        (Obstacle::height_field(ground), Box::new(move |x| ground_gap.gap(x).0)),
        (Obstacle::distance_grid(solid), Box::new(move |x| solid_gap.gap(x).0)),
    ]
}

/// The signed distance of a point, m.
type Gap = Box<dyn Fn(&Vector3<f64>) -> f64>;

#[test]
fn shapes_with_data_of_their_own_keep_particles_out() {
    for (obstacle, gap) in with_data() {
        // The gradient of a grid is slightly shorter than that of a distance, so one projection leaves a part
        // of a large depth.
        let slack = if matches!(obstacle.shape, Shape::DistanceGrid(_)) { 2e-3 } else { 1e-9 };
        let allowed = |r: &FrameReport| contact_residual(r) + 1e-12;
        let mut sim = dropped_block::<f64>(Plan::Auto, obstacle);
        for _ in 0..60 {
            let report = sim.step(FRAME).unwrap();
            let depth = sim.positions().iter().map(|x| -gap(x)).fold(0.0, f64::max);
            assert!(depth <= allowed(&report), "{depth:e} below, residual {:e}", contact_residual(&report));
            assert!(contact_residual(&report) <= slack, "{:e}", contact_residual(&report));
        }
    }
}

#[test]
fn shapes_with_data_of_their_own_give_back_and_hold_as_others_do() {
    for (obstacle, _) in with_data() {
        // Half of the speed comes back, a quarter of the height.
        let start = Vector3::y() * 0.6;
        let mut sim = particle(start, Vector3::zeros(), obstacle.clone().restitution(0.5), 40);
        let (mut touched, mut highest) = (false, 0.0_f64);
        for _ in 0..50 {
            sim.advance(FRAME).unwrap();
            let (x, v) = (sim.positions()[0], sim.velocities()[0]);
            touched |= v.y > 0.0;
            if touched {
                highest = highest.max(x.y + v.y.max(0.0).powi(2) / (2.0 * G));
            }
        }
        assert!((highest - 0.1 - 0.125).abs() < 0.02, "{:?}: {highest}", obstacle.shape);
        // Sliding along x is stopped.
        let slide = |friction: f64| {
            let above = Vector3::y() * 0.1;
            let mut sim = particle(above, Vector3::x() * 0.3, obstacle.clone().friction(friction), 20);
            (0..12).for_each(|_| sim.advance(FRAME).unwrap());
            sim.positions()[0].x
        };
        assert!(
            slide(0.0) > 0.055 && slide(1.0) < 0.01,
            "{:?}: {} {}",
            obstacle.shape,
            slide(0.0),
            slide(1.0)
        );
    }
}

#[test]
fn a_contact_radius_is_kept_as_a_gap() {
    let sheet = TriMesh::grid([6, 6], [0.3, 0.3]).unwrap();
    let raised = sheet.positions().iter().map(|x| x + Vector3::y() * 0.1).collect();
    let sheet = sheet.with_positions(raised).unwrap();
    let body = Body::cloth(sheet).contact_radius(0.01).bend(Compliance::new(1e-2));
    let sim = Simulation::builder()
        .body(body)
        .obstacle(Obstacle::floor(0.0).friction(0.5))
        .build_as::<f64>()
        .unwrap();
    deepest(sim, 60, |x| x.y - 0.01, |r| contact_residual(r) + 1e-12);
}

/// Distance slid down a slope of the given angle from rest, m, after a second.
fn slides(angle: f64, friction: f64, substeps: u32, iterations: u32) -> f64 {
    let normal = Vector3::new(angle.sin(), angle.cos(), 0.0);
    let downhill = Vector3::new(angle.cos(), -angle.sin(), 0.0);
    let slope = Obstacle::plane(normal, 0.0).friction(friction);
    let zero = Vector3::zeros();
    let mut sim = particle_iterated(zero, zero, slope, substeps, iterations);
    for _ in 0..60 {
        sim.advance(FRAME).unwrap();
    }
    let x = sim.positions()[0];
    assert!(normal.dot(&x).abs() < 1e-12, "it stays on the slope");
    downhill.dot(&x)
}

#[test]
fn on_a_slope_it_sticks_or_slides_by_coulombs_law() {
    for friction in [0.2, 0.5, 1.0] {
        let critical = f64::atan(friction);
        assert!(
            slides(critical - 0.01, friction, 10, 3).abs() < 1e-12,
            "below the angle of friction it sticks"
        );
        for angle in [critical + 0.01, critical + 0.2] {
            let acceleration = G * (angle.sin() - friction * angle.cos());
            for (substeps, iterations) in [(10, 1), (10, 4), (40, 2)] {
                // A second of symplectic Euler.
                let h = FRAME / f64::from(substeps);
                let expected = 0.5 * acceleration * (1.0 + h);
                let found = slides(angle, friction, substeps, iterations);
                assert!((found / expected - 1.0).abs() < 1e-9, "{found} instead of {expected}");
            }
        }
    }
    assert!(
        (slides(0.3, 0.0, 10, 1) / (0.5 * G * 0.3_f64.sin()) - 1.0).abs() < 2e-3,
        "no friction, no brake"
    );
}

#[test]
fn static_friction_holds_what_kinetic_friction_would_not() {
    let angle = 0.5_f64;
    let normal = Vector3::new(angle.sin(), angle.cos(), 0.0);
    let slope = Obstacle { static_friction: 0.7, kinetic_friction: 0.3, ..Obstacle::plane(normal, 0.0) };
    assert!(angle.tan() < 0.7 && angle.tan() > 0.3);
    let moved = |speed: f64| {
        let downhill = Vector3::new(angle.cos(), -angle.sin(), 0.0);
        let mut sim = particle(Vector3::zeros(), downhill * speed, slope.clone(), 10);
        (0..60).for_each(|_| sim.advance(FRAME).unwrap());
        downhill.dot(&sim.positions()[0])
    };
    assert!(moved(0.0).abs() < 1e-12, "at rest it sticks");
    let acceleration = G * (angle.sin() - 0.3 * angle.cos());
    let expected = 1.0 + 0.5 * acceleration;
    assert!((moved(1.0) / expected - 1.0).abs() < 1e-2, "{} instead of {expected}", moved(1.0));
}

#[test]
fn friction_stops_what_slides_on_a_floor() {
    // v²/2μg, minus the part of the last substep, in which it sticks.
    let mut sim =
        particle(Vector3::zeros(), Vector3::new(2.0, 0.0, 1.0), Obstacle::floor(0.0).friction(0.5), 20);
    (0..60).for_each(|_| sim.advance(FRAME).unwrap());
    let x = sim.positions()[0];
    let expected = 5.0 / (2.0 * 0.5 * G);
    assert!((x.norm() / expected - 1.0).abs() < 0.01, "{} instead of {expected}", x.norm());
    assert!((x.z / x.x - 0.5).abs() < 1e-9, "along a straight line");
    assert!(sim.velocities()[0].xz().norm() < 1e-12, "at rest but for rounding");
}

#[test]
fn restitution_gives_back_its_share_of_the_speed() {
    for (e, fallen) in [(0.5, 1.0), (0.8, 1.0), (0.8, 0.3)] {
        let mut sim =
            particle(Vector3::y() * fallen, Vector3::zeros(), Obstacle::floor(0.0).restitution(e), 40);
        let (mut touched, mut highest) = (false, 0.0_f64);
        for _ in 0..60 {
            sim.advance(FRAME).unwrap();
            let v = sim.velocities()[0].y;
            touched |= v > 0.0;
            let y = sim.positions()[0].y;
            if touched {
                highest = highest.max(y + v.max(0.0).powi(2) / (2.0 * G));
            }
        }
        let expected = e * e * fallen;
        assert!((highest / expected - 1.0).abs() < 0.02, "e = {e}: {highest} instead of {expected}");
    }
    // Without restitution it does not bounce.
    let mut sim = particle(Vector3::y() * 0.5, Vector3::zeros(), Obstacle::floor(0.0), 40);
    for _ in 0..60 {
        sim.advance(FRAME).unwrap();
        assert!(sim.velocities()[0].y < 1e-9);
    }
    assert!(sim.positions()[0].y.abs() < 1e-12);
}

#[test]
fn a_moving_floor_carries_what_lies_on_it() {
    let motion = Motion::linear(Vector3::new(0.5, 0.2, 0.0));
    let floor = Obstacle::floor(0.0).friction(1.0).motion(motion);
    let mut sim = particle(Vector3::zeros(), Vector3::new(0.5, 0.2, 0.0), floor, 10);
    (0..60).for_each(|_| sim.advance(FRAME).unwrap());
    let x = sim.positions()[0];
    assert!((x - Vector3::new(0.5, 0.2, 0.0)).norm() < 1e-9, "{x:?}");
}
