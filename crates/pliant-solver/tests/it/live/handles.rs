//! Bodies by handle.

use nalgebra::Vector3;
use pliant_mesh::{Split, TetMesh};
use pliant_solver::{Assembly, Body, LiveError, Simulation};

use super::{DT, sheet};

fn two() -> Simulation<f64> {
    let block = TetMesh::block([2, 2, 2], [0.2; 3], Split::Kuhn).unwrap();
    let block = Body::solid(block).name("block").density(500.0).velocity(Vector3::x());
    let start: Vec<_> =
        (0..81).map(|i| Vector3::new(f64::from(i % 9) * 0.07, 1.0, f64::from(i / 9) * 0.07)).collect();
    Simulation::builder().body(block).body(sheet().start(start)).build_as().unwrap()
}

#[test]
fn bodies_are_found_by_name_and_asked_in_the_numbering_of_their_meshes() {
    let mut sim = two();
    sim.advance(DT).unwrap();
    let (block, cloth) = (sim.body("block").unwrap(), sim.body("sheet").unwrap());
    assert_eq!(sim.body("nobody"), None);
    assert_eq!(sim.bodies().collect::<Vec<_>>(), [block, cloth]);
    assert_eq!(sim.body_range(cloth).unwrap().particles, 27..108);
    assert_eq!(sim.positions_of(cloth), sim.positions()[27..]);
    assert_eq!(sim.velocities_of(block), sim.velocities()[..27]);
    assert!((sim.masses_of(block).iter().sum::<f64>() - 500.0 * 0.008).abs() < 1e-12);
    let rest = sim.rest_positions_of(cloth).unwrap();
    assert!((rest[1] - rest[0]).norm() < 0.0626, "at rest the edges are shorter than at the start");
}

#[test]
fn lists_are_filled_in_either_precision_and_must_fit() {
    let sim = two();
    let cloth = sim.body("sheet").unwrap();
    let (mut single, mut double) = (vec![[0.0_f32; 3]; 81], vec![[0.0_f64; 3]; 81]);
    sim.copy_positions(cloth, &mut single).unwrap();
    sim.copy_positions(27..108, &mut double).unwrap();
    for ((x, single), double) in sim.positions_of(cloth).iter().zip(&single).zip(&double) {
        assert_eq!(*x, Vector3::from(*double));
        assert_eq!(x.map(|c| c as f32), Vector3::from(*single));
    }
    sim.copy_velocities(0..27, &mut double[..27]).unwrap();
    assert_eq!(double[26], [1.0, 0.0, 0.0]);
    let wrong = LiveError::Length { what: "positions", found: 80, expected: 81 };
    assert_eq!(sim.copy_positions(cloth, &mut single[..80]), Err(wrong));
    assert!(matches!(sim.copy_positions(100..109, &mut single[..9]), Err(LiveError::Gone { .. })));
}

#[test]
fn what_has_no_meshes_has_no_rest_positions() {
    let mut assembly = Assembly::new(vec![Vector3::zeros(), Vector3::x()], vec![1.0, 0.0]).unwrap();
    assembly.body("points", 0..2);
    let sim: Simulation<f64> = assembly.build().unwrap();
    let points = sim.body("points").unwrap();
    assert_eq!(sim.rest_positions_of(points), None);
    assert_eq!(sim.masses_of(points), [1.0, f64::INFINITY]);
}
