//! Bodies that meet others by fine surfaces that they carry.

use nalgebra::Vector3;
use pliant_mesh::{Embedding, Split, TetMesh, TriMesh};
use pliant_solver::{
    Body, Collide, Compliance, Float, Lanes, Motion, Pin, Settings, Simulation, SimulationBuilder,
};

const DT: f64 = 1.0 / 60.0;
/// Half of the thickness, m.
const RADIUS: f64 = 0.0015;
/// Radius of a ball, and half of the side of the block that carries it, m.
const BALL: f64 = 0.04;
const HALF: f64 = 0.05;

fn settings(substeps: u32) -> Settings {
    Settings { substeps, certificate: true, ..Settings::default() }
}

fn collides(body: Body) -> Body {
    body.contact_radius(RADIUS).collide(Collide::new().friction(0.3))
}

fn plate(at: Vector3<f64>) -> Body {
    let mesh = TriMesh::grid([3, 3], [2.0, 2.0]).unwrap().translated(at).unwrap();
    collides(Body::cloth(mesh))
}

fn block(at: Vector3<f64>) -> TetMesh {
    let mesh = TetMesh::block([2; 3], [2.0 * HALF; 3], Split::Five).unwrap();
    mesh.translated(at - Vector3::repeat(HALF)).unwrap()
}

fn ball(at: Vector3<f64>) -> TriMesh {
    TriMesh::icosphere(BALL, 5).unwrap().translated(at).unwrap()
}

/// A soft ball with its middle at a place, carried by a block that is larger than it.
fn carried(at: Vector3<f64>) -> Body {
    collides(Body::solid(block(at)).stretch(Compliance::new(1e-5)).skin(ball(at)))
}

/// Where the ball of a body is that started at a place.
fn skin<T: Float>(sim: &Simulation<T>, body: usize, at: Vector3<f64>) -> Vec<Vector3<f64>> {
    let embedding = Embedding::new(&block(at), ball(at).positions()).unwrap();
    embedding.apply(&sim.positions_of(sim.body_ranges()[body].particles.clone()))
}

fn lowest(x: &[Vector3<f64>]) -> f64 {
    x.iter().map(|x| x.y).fold(f64::INFINITY, f64::min)
}

fn crossings<T: Float>(sim: &Simulation<T>) -> usize {
    sim.report().collisions.expect("bodies collide").intersections
}

/// Three balls that fall on a plate and each other.
fn heap() -> SimulationBuilder {
    let mut scene = Simulation::builder().settings(settings(20)).body(plate(Vector3::zeros()).pin(|_| true));
    for at in places() {
        scene = scene.body(carried(at));
    }
    scene
}

fn places() -> [Vector3<f64>; 3] {
    [[0.0, 0.05, 0.0], [0.088, 0.05, 0.01], [0.04, 0.14, 0.005]].map(Vector3::from)
}

#[test]
fn balls_lie_on_each_other_while_their_blocks_overlap() {
    let mut sim: Simulation = heap().build().unwrap();
    for frame in 0..90 {
        sim.advance(DT).unwrap();
        assert_eq!(crossings(&sim), 0, "frame {frame}");
    }
    let skins: Vec<_> = (0..3).map(|k| skin(&sim, k + 1, places()[k])).collect();
    let heights: Vec<_> = skins.iter().map(|x| lowest(x)).collect();
    let height = heights.iter().copied().fold(f64::INFINITY, f64::min);
    assert!((height - 2.0 * RADIUS).abs() < 0.05 * 2.0 * RADIUS, "balls lie at {heights:?}");
    let cage = sim.positions_of(sim.body_ranges()[1].particles.clone());
    assert!(lowest(&cage) < -0.004, "its block reaches through the plate: {}", lowest(&cage));
    let nearest = skins[0]
        .iter()
        .flat_map(|a| skins[1].iter().chain(&skins[2]).map(move |b| (a - b).norm()))
        .fold(f64::INFINITY, f64::min);
    assert!(nearest > RADIUS, "{nearest}");
    assert!(sim.report().collisions.unwrap().contacts > 0);
}

#[test]
fn the_boundary_as_a_skin_is_no_different_from_the_boundary() {
    let cube = |skin: bool| {
        let mesh = block(Vector3::new(0.01, HALF + 0.02, 0.0));
        let boundary = mesh.surface().mesh;
        let body = Body::solid(mesh).stretch(Compliance::new(1e-6));
        let body = collides(if skin { body.skin(boundary) } else { body });
        let scene = Simulation::builder().settings(settings(20));
        let mut sim: Simulation<f64> =
            scene.body(plate(Vector3::zeros()).pin(|_| true)).body(body).build_as().unwrap();
        (0..60).for_each(|_| sim.advance(DT).unwrap());
        assert_eq!(crossings(&sim), 0);
        sim.positions_of(sim.body_ranges()[1].particles.clone())
    };
    let (own, carried) = (cube(false), cube(true));
    let farthest = own.iter().zip(&carried).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
    // Contacts are projected in another order.
    assert!(farthest < 2e-4, "{farthest}");
}

#[test]
fn a_skin_that_sticks_does_not_creep() {
    let angle = (0.95 * 0.3_f64).atan();
    let gravity = Vector3::new(angle.sin(), -angle.cos(), 0.0) * 9.81;
    let mesh = block(Vector3::new(0.01, HALF + 2.0 * RADIUS, 0.0));
    let boundary = mesh.surface().mesh;
    let body = collides(Body::solid(mesh).stretch(Compliance::new(1e-6)).skin(boundary));
    let scene = Simulation::builder().settings(Settings { gravity, ..settings(20) });
    let mut sim: Simulation<f64> =
        scene.body(plate(Vector3::zeros()).pin(|_| true)).body(body).build_as().unwrap();
    let place = |sim: &Simulation<f64>| {
        let x = sim.positions_of(sim.body_ranges()[1].particles.clone());
        x.iter().map(|x| x.x).sum::<f64>() / x.len() as f64
    };
    (0..30).for_each(|_| sim.advance(DT).unwrap());
    let from = place(&sim);
    (0..60).for_each(|_| sim.advance(DT).unwrap());
    let way = place(&sim) - from;
    assert!(way.abs() < 1e-4, "crept {way} m");
}

#[test]
fn the_bits_depend_neither_on_threads_and_lanes_nor_on_a_pause() {
    let run = |threads: usize, lanes: Lanes, paused: bool| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut sim: Simulation = heap().lanes(lanes).build().unwrap();
            (0..14).for_each(|_| sim.advance(DT).unwrap());
            if paused {
                let saved = sim.snapshot();
                sim = heap().lanes(lanes).build().unwrap();
                sim.restore(&saved);
            }
            (0..8).for_each(|_| sim.advance(DT).unwrap());
            assert!(sim.report().collisions.unwrap().contacts > 10, "they lie on each other");
            sim.state_hash()
        })
    };
    let one = run(1, Lanes::Auto, false);
    for (threads, lanes, paused) in
        [(2, Lanes::Auto, false), (3, Lanes::Auto, true), (2, Lanes::Portable, false)]
    {
        assert_eq!(run(threads, lanes, paused), one, "{threads} threads");
    }
}

#[test]
fn bullets_do_not_pass() {
    let up =
        Motion::Velocity { linear: Vector3::y() * 10.0, angular: Vector3::zeros(), pivot: Vector3::zeros() };
    let pins = [Pin::select(|_| true), Pin::select(|_| true).motion(up)];
    let at = Vector3::new(0.013, 0.4, 0.02);
    for substeps in [4, 20] {
        for pin in &pins {
            let down = Vector3::new(0.3, -50.0, 0.2);
            let mut sim: Simulation = Simulation::builder()
                .settings(settings(substeps))
                .body(plate(Vector3::zeros()).pin_with(pin.clone()))
                .body(carried(at).velocity(down))
                .build()
                .unwrap();
            for frame in 0..8 {
                sim.advance(DT).unwrap();
                assert_eq!(crossings(&sim), 0, "{substeps} substeps, frame {frame}");
            }
            let height = sim.positions_of(sim.body_ranges()[0].particles.clone())[0].y;
            let low = lowest(&skin(&sim, 1, at));
            assert!(low > height, "{substeps} substeps: {low} is below {height}");
        }
    }
}

#[test]
fn free_bodies_keep_their_momentum() {
    let scene = Simulation::builder().settings(Settings { gravity: Vector3::zeros(), ..settings(40) });
    let mut sim: Simulation<f64> = scene
        .body(carried(Vector3::zeros()).velocity(Vector3::x()))
        .body(carried(Vector3::new(0.1, 0.02, 0.01)).velocity(-Vector3::x() * 0.5))
        .build_as()
        .unwrap();
    let before = sim.report();
    let (mut contacts, mut momentum) = (0, 0.0);
    for _ in 0..20 {
        let tally = sim.step(DT).unwrap().collisions.unwrap();
        assert_eq!(tally.intersections, 0);
        contacts = contacts.max(tally.contacts);
        momentum += tally.momentum;
    }
    let after = sim.report();
    assert!(contacts > 0 && momentum == 0.0, "{contacts} contacts, {momentum} taken by the net");
    let size: f64 = before.bodies.iter().map(|body| body.linear_momentum.norm()).sum();
    let change = (after.linear_momentum - before.linear_momentum).norm() / size;
    assert!(change < 1e-10, "{change}");
    let speeds = after.bodies.iter().map(|body| body.linear_momentum.x / body.mass);
    let [first, second] = speeds.collect::<Vec<_>>()[..] else { panic!("two bodies") };
    assert!(first < second, "they have met: {first} and {second} m/s");
}

#[test]
fn what_presses_is_named_by_the_vertices_of_the_skin() {
    let mut sim: Simulation = heap().build().unwrap();
    (0..60).for_each(|_| sim.advance(DT).unwrap());
    let particles = sim.positions().len();
    // Soft bodies tremble: the mean of half a second.
    let mut lift = 0.0;
    for _ in 0..30 {
        sim.advance(DT).unwrap();
        for contact in sim.contacts().iter().filter(|contact| contact.bodies.contains(&0)) {
            let up = if contact.bodies[0] == 0 { -contact.impulse.y } else { contact.impulse.y };
            lift += up / 30.0;
        }
    }
    let contacts = sim.contacts();
    let weight = 9.81 * sim.report().bodies[1..].iter().map(|body| body.mass).sum::<f64>();
    let force = lift * 60.0 * 20.0;
    assert!((force - weight).abs() < 0.2 * weight, "{force} N carry {weight} N");
    for contact in contacts {
        for (k, &v) in contact.particles.iter().enumerate() {
            let is_plate = contact.bodies[usize::from(contact.weights[k] <= 0.0)] == 0;
            assert!(contact.weights[k] == 0.0 || (v < particles) == is_plate);
        }
    }
}

#[test]
fn balls_that_start_in_each_other_are_counted_and_come_apart() {
    let scene = Simulation::builder().settings(Settings { gravity: Vector3::zeros(), ..settings(20) });
    let mut sim: Simulation = scene
        .body(carried(Vector3::zeros()))
        .body(carried(Vector3::new(2.0 * BALL - 0.002, 0.001, 0.003)))
        .build()
        .unwrap();
    let at_start = crossings(&sim);
    assert!(at_start > 0);
    for _ in 0..120 {
        sim.advance(DT).unwrap();
        assert!(crossings(&sim) <= at_start);
    }
    assert_eq!(crossings(&sim), 0);
}

#[test]
fn a_vertex_without_a_triangle_meets_nothing() {
    let at = Vector3::new(0.0, BALL + 0.01, 0.0);
    let mesh = ball(at);
    let mut x = vec![at];
    x.extend_from_slice(mesh.positions());
    let triangles = mesh.triangles().iter().map(|corners| corners.map(|v| v + 1)).collect();
    let body =
        Body::solid(block(at)).stretch(Compliance::new(1e-5)).skin(TriMesh::new(x, triangles).unwrap());
    let scene = Simulation::builder().settings(settings(20)).body(plate(Vector3::zeros()).pin(|_| true));
    let mut sim: Simulation = scene.body(collides(body)).build().unwrap();
    (0..30).for_each(|_| sim.advance(DT).unwrap());
    assert_eq!(crossings(&sim), 0);
    let low = lowest(&skin(&sim, 1, at));
    assert!((low - 2.0 * RADIUS).abs() < 0.05 * 2.0 * RADIUS, "{low}");
}

#[test]
fn cloth_has_no_skin() {
    let body = plate(Vector3::zeros()).skin(ball(Vector3::zeros()));
    let error = Simulation::builder().body(body).build().unwrap_err();
    assert!(error.to_string().contains("skin: only a solid can carry a skin"), "{error}");
}
