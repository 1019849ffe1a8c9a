//! Frames that must not allocate memory.

use std::ops::Range;

use nalgebra::Vector3;
use pliant_mesh::{Split, TetMesh, TriMesh};
use pliant_solver::{Body, Collide, Compliance, Continuum, Method, Obstacle, Settings, Simulation};

const DT: f64 = 1.0 / 60.0;

#[test]
fn contact_in_a_steady_state_takes_no_new_memory() {
    let sheet = |side: f64, height: f64| {
        let mesh = TriMesh::grid([13, 13], [side; 2]).unwrap();
        let mesh = mesh.translated(Vector3::new(0.003, height, 0.002)).unwrap();
        let body = Body::cloth(mesh).stretch(Compliance::new(1e-6)).contact_radius(0.0015);
        body.collide(Collide::new().friction(0.4))
    };
    // Two sheets on a plate: the upper one slides a little, the lists are made anew in every frame.
    let mut sim: Simulation = Simulation::builder()
        .settings(Settings { substeps: 10, drag: 1.0, ..Settings::default() })
        .body(sheet(0.4, 0.0).pin(|_| true))
        .body(sheet(0.3, 0.0031))
        .body(sheet(0.2, 0.0062))
        .build()
        .unwrap();
    let [first, later] = allocations(&mut sim, 61..71);
    assert!(first > 10, "{first}: nothing is counted");
    assert_eq!(later, 0);
    assert!(sim.report().collisions.unwrap().contacts > 100, "they touch");
}

/// The allocations of the first frame, and of some later ones.
fn allocations(sim: &mut Simulation, frames: Range<usize>) -> [u64; 2] {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    // The worker of the pool does all the work, and counts for itself.
    let mut count = |frames: usize| {
        let mut step = || (0..frames).for_each(|_| sim.advance(DT).unwrap());
        pool.install(|| allocation_counter::measure(&mut step)).count_total
    };
    let (first, _) = (count(1), count(frames.start - 1));
    [first, count(frames.len())]
}

/// Coarse levels, and Newton steps of solids, that hang or lie on a floor, and of rigid cloth.
#[test]
fn every_method_in_a_steady_state_takes_no_new_memory() {
    let block = || TetMesh::block([6, 4, 5], [0.3, 0.2, 0.25], Split::Kuhn).unwrap();
    let elastic = || Body::solid(block()).continuum(Continuum::neo_hookean(1e5, 0.4));
    let sheet = || Body::cloth(TriMesh::grid([20, 20], [0.5; 2]).unwrap()).pin_vertices([0, 19]);
    let water = Body::solid(block()).stretch(Compliance::new(1e-4)).volume(Compliance::RIGID);
    for (what, method, body) in [
        ("a rigid block", Method::Coarse, Body::solid(block()).pin(|x| x.y > 0.199)),
        ("a sheet", Method::Coarse, sheet()),
        ("an elastic block that hangs", Method::Newton, elastic().pin(|x| x.y > 0.199)),
        ("an elastic block on the floor", Method::Newton, elastic()),
        ("a body of rigid volumes on the floor", Method::Newton, water),
        ("a sheet", Method::Newton, sheet()),
    ] {
        let floor = Obstacle::plane(Vector3::y(), -0.01).friction(0.5);
        let builder = Simulation::builder().method(method).substeps(2).drag(1.0).body(body);
        let mut sim = builder.obstacle(floor).build().unwrap();
        let [first, later] = allocations(&mut sim, 90..110);
        assert!(first > 0, "{what}, {method:?}: nothing is counted");
        assert_eq!(later, 0, "{what}, {method:?}");
    }
}
