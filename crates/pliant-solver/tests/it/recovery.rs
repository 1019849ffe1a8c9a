//! Solids recover from tetrahedra that are inside out, however they came to be.

use nalgebra::Vector3;
use pliant_mesh::{Split, TetMesh};
use pliant_solver::{
    Body, Collide, Compliance, Continuum, Float, FrameReport, Lanes, Obstacle, Simulation, Snapshot,
};

const FRAME: f64 = 1.0 / 30.0;

/// Numbers in [−1, 1) that look random.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
}

/// A cube of a metre, half a metre above the ground, with vertices displaced so that there are slivers.
fn cube(cells: usize) -> TetMesh {
    let block = TetMesh::block([cells; 3], [1.0; 3], Split::Kuhn).unwrap();
    let volume = block.tet_volume(0);
    let mut at = vec![Vec::new(); block.positions().len()];
    for (t, tet) in block.tets().iter().enumerate() {
        tet.iter().for_each(|&v| at[v as usize].push(t));
    }
    let mut random = Numbers(5);
    let mut positions = block.positions().to_vec();
    for v in 0..positions.len() {
        let before = positions[v];
        let by = Vector3::from_fn(|_, _| random.next()) * (0.6 / cells as f64);
        positions[v] += by;
        let smallest = |positions: &[Vector3<f64>]| {
            let volume_of = |&t: &usize| {
                let x = block.tets()[t].map(|v| positions[v as usize]);
                (x[1] - x[0]).dot(&(x[2] - x[0]).cross(&(x[3] - x[0]))) / 6.0
            };
            at[v].iter().map(volume_of).fold(f64::INFINITY, f64::min)
        };
        if smallest(&positions) < 0.02 * volume {
            positions[v] = before;
        }
    }
    let low = positions.iter().map(|x| x.y).fold(f64::INFINITY, f64::min);
    positions.iter_mut().for_each(|x| x.y += 0.5 - low);
    block.with_positions(positions).unwrap()
}

fn thrown<T: Float>(mesh: TetMesh, material: Continuum, recover: bool, lanes: Lanes) -> Simulation<T> {
    let body = Body::solid(mesh).density(1000.0).continuum(material).velocity(Vector3::new(1.0, -2.0, 0.5));
    let builder = Simulation::builder().substeps(20).recover(recover).lanes(lanes);
    builder.body(body).obstacle(Obstacle::floor(0.0).friction(0.5)).build_as().unwrap()
}

fn soft() -> Continuum {
    Continuum::neo_hookean(2e4, 0.4)
}

fn last<T: Float>(sim: &mut Simulation<T>, frames: usize) -> FrameReport {
    (0..frames).for_each(|_| sim.advance(FRAME).unwrap());
    sim.report()
}

#[test]
fn what_the_floor_flattens_opens_again() {
    let inverted = |recover| {
        let report = last(&mut thrown::<f32>(cube(10), soft(), recover, Lanes::Auto), 90);
        report.volume.unwrap().inverted
    };
    assert!(inverted(false) > 0);
    assert_eq!(inverted(true), 0);
}

#[test]
fn a_liquid_has_no_inverted_elements_at_the_end_of_a_frame() {
    // Edges hardly matter, and a sweep over the volumes is far from a solution.
    let inverted = |recover, frames| {
        let ball = TetMesh::ball(0.4, 4).unwrap().translated(Vector3::y() * 0.7).unwrap();
        let body = Body::solid(ball).density(2187.0);
        let body = body.stretch(Compliance::new(0.16)).volume(Compliance::RIGID);
        let builder = Simulation::builder().substeps(5).recover(recover).body(body);
        let obstacle = Obstacle::sphere(Vector3::y() * -0.1, 0.3).friction(0.5);
        let mut sim = builder.obstacle(obstacle).build_as::<f32>().unwrap();
        (0..frames).map(|_| last(&mut sim, 1).volume.unwrap().inverted).max().unwrap()
    };
    assert!(inverted(false, 30) > 10);
    assert_eq!(inverted(true, 30), 0);
}

#[test]
fn the_net_leaves_no_element_inside_out() {
    let inverted = |recover, speed: f64| {
        let mesh = |y: f64, turn: f64| {
            let ball = TetMesh::ball(0.12, 4).unwrap();
            let turn = nalgebra::Rotation3::from_axis_angle(&Vector3::z_axis(), turn);
            let positions = ball.positions().iter().map(|x| turn * x + Vector3::y() * y).collect();
            ball.with_positions(positions).unwrap()
        };
        let body = |y, turn, speed: f64| {
            let body = Body::solid(mesh(y, turn)).density(300.0).stretch(Compliance::new(2.5e-4));
            body.contact_radius(0.002).collide(Collide::new()).velocity(Vector3::y() * speed)
        };
        let bodies = Simulation::builder().substeps(5).recover(recover).gravity([0.0; 3]);
        let bodies = bodies.body(body(0.0, 0.0, speed)).body(body(0.26, 0.3, -speed));
        let mut sim = bodies.build_as::<f32>().unwrap();
        let reports: Vec<_> = (0..30).map(|_| last(&mut sim, 1)).collect();
        let truncated = reports.iter().map(|r| r.collisions.as_ref().unwrap().truncated).max().unwrap();
        (truncated, reports.iter().map(|r| r.volume.unwrap().inverted).max().unwrap())
    };
    let (truncated, most) = inverted(false, 1.0);
    assert!(truncated > 10 && most > 10, "{truncated}, {most}");
    assert_eq!(inverted(true, 1.0).1, 0);
}

#[test]
fn threads_and_lanes_do_not_change_a_bit() {
    let run = |threads, lanes| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut sim = thrown::<f32>(cube(15), soft(), true, lanes);
            let mut next = |_| {
                sim.advance(FRAME).unwrap();
                sim.state_hash()
            };
            (0..20).map(&mut next).collect::<Vec<_>>()
        })
    };
    let one = run(1, Lanes::Auto);
    let idle = last(&mut thrown::<f32>(cube(15), soft(), false, Lanes::Auto), 20);
    assert!(one[19] != idle.state_hash, "the guard has something to do");
    assert_eq!(one, run(3, Lanes::Auto));
    assert_eq!(one, run(1, Lanes::Portable));
    assert_eq!(one, run(3, Lanes::Portable));
}

#[test]
fn a_run_that_is_taken_up_again_is_the_same() {
    let build = || thrown::<f32>(cube(8), soft(), true, Lanes::Auto);
    let (mut whole, mut other) = (build(), build());
    let before = last(&mut whole, 16);
    let bytes = whole.snapshot().to_bytes();
    // The other simulation has been in another state meanwhile.
    last(&mut other, 19);
    other.restore(&Snapshot::from_bytes(&bytes, &other).unwrap());
    let (one, two) = (last(&mut whole, 6), last(&mut other, 6));
    assert!(one.state_hash == two.state_hash && one.state_hash != before.state_hash);
    let mut idle = thrown::<f32>(cube(8), soft(), false, Lanes::Auto);
    assert!(last(&mut idle, 22).state_hash != one.state_hash, "the guard has something to do");
}

#[test]
fn solids_recover_in_free_space_and_keep_their_momentum() {
    let block = || TetMesh::block([3, 3, 3], [0.3; 3], Split::Kuhn).unwrap();
    let solids = [
        ("neo-Hookean", Body::solid(block()).continuum(Continuum::neo_hookean(1e5, 0.45))),
        ("plain", Body::solid(block()).continuum(Continuum::neo_hookean(1e5, 0.45).plain())),
        ("StVK", Body::solid(block()).continuum(Continuum::stvk(1e5, 0.3))),
        (
            "edges and volumes",
            Body::solid(block()).stretch(Compliance::new(1e-4)).volume(Compliance::new(1e-9)),
        ),
    ];
    for (name, body) in solids {
        let start = block().positions().iter().map(|x| Vector3::new(x.x, 0.0, x.z)).collect();
        let body = body.start(start).velocity(Vector3::new(0.3, -0.2, 0.1));
        let builder = Simulation::builder().gravity([0.0; 3]).substeps(40).damping(4.0);
        let mut sim = builder.body(body).build_as::<f64>().unwrap();
        let before = sim.report();
        let after = last(&mut sim, 60);
        let lost = (after.linear_momentum - before.linear_momentum).norm() / before.linear_momentum.norm();
        assert!(lost < 1e-9, "{name}: {lost:e}");
        // Saint Venant–Kirchhoff material does not help: its mirror images are at rest.
        let left = if name == "StVK" { 3 } else { 0 };
        assert!(after.volume.unwrap().inverted <= left, "{name}: {after}");
        assert!(after.energy.total() < before.energy.total(), "{name}: {:?}", [before.energy, after.energy]);
    }
}
