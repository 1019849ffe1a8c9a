//! Solids that start inside out, and how the material laws respond by themselves.

use nalgebra::Vector3;
use pliant_mesh::{Split, TetMesh};
use pliant_solver::{Body, Continuum, Simulation};

use super::{FRAME, Numbers, run};

fn block() -> TetMesh {
    TetMesh::block([3, 3, 3], [0.3; 3], Split::Kuhn).unwrap()
}

fn recovers(start: Vec<Vector3<f64>>, name: &str) {
    let body = Body::solid(block()).continuum(Continuum::neo_hookean(1e5, 0.45).plain()).start(start);
    let builder = Simulation::builder().gravity([0.0; 3]).substeps(40).damping(4.0).recover(false);
    let mut sim = builder.body(body).build_as::<f64>().unwrap();
    let before = sim.report().volume.unwrap();
    let really = (0..block().tets().len())
        .filter(|&t| block().with_positions(sim.positions()).unwrap().tet_volume(t) <= 0.0)
        .count();
    assert!(really > 20, "{name}: {really} are flat or inside out");
    assert_eq!(before.inverted, really, "{name}");
    run(&mut sim, 119);
    let after = sim.step(FRAME).unwrap();
    let volume = after.volume.unwrap();
    assert_eq!(volume.inverted, 0, "{name}: {after}");
    assert!(volume.max.value < 0.05, "{name}: {after}");
}

#[test]
fn a_neo_hookean_block_recovers_from_random_places() {
    let mut random = Numbers(3);
    recovers(block().positions().iter().map(|_| random.vector() * 0.3).collect(), "random");
}

#[test]
fn a_neo_hookean_block_recovers_from_being_flattened() {
    recovers(block().positions().iter().map(|x| Vector3::new(x.x, 0.0, x.z)).collect(), "flattened");
}

#[test]
fn a_mirrored_stvk_block_stores_no_energy_and_is_counted() {
    let mirrored = block().positions().iter().map(|x| Vector3::new(x.x, x.y, -x.z)).collect();
    let body = Body::solid(block()).continuum(Continuum::stvk(1e5, 0.3)).start(mirrored);
    let mut sim =
        Simulation::builder().gravity([0.0; 3]).recover(false).body(body).build_as::<f64>().unwrap();
    let report = sim.step(FRAME).unwrap();
    assert!(report.energy.elastic.abs() < 1e-12);
    let volume = report.volume.unwrap();
    assert_eq!((volume.inverted, volume.first_inverted), (block().tets().len(), Some(0)));
}
