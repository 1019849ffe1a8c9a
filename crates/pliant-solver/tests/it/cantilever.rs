//! A beam of neo-Hookean tetrahedra that is held at one end hangs as far down as with Newton's method on the
//! same mesh, and the error falls with the square of the substep.

use nalgebra::Vector3;
use pliant_mesh::{Split, TetMesh};
use pliant_solver::{Body, Continuum, Settings, Simulation};

/// Deflection of the middle of the end of 1 × 0.2 × 0.2 m with E = 10 MPa, ν = 0.3 and 1000 kg/m³, cells of 0.1 m, m.
const STATIC: f64 = 0.019_510_113_5;

fn deflection(substeps: u32) -> f64 {
    let mesh = TetMesh::block([10, 2, 2], [1.0, 0.2, 0.2], Split::Kuhn).unwrap();
    let (near, far) =
        mesh.positions().iter().fold((f64::MAX, f64::MIN), |(near, far), x| (near.min(x.x), far.max(x.x)));
    let end: Vec<_> = (0..mesh.positions().len()).filter(|&v| mesh.positions()[v].x > far - 1e-9).collect();
    // Nine vertices; the one at their centre.
    let centre = end.iter().map(|&v| mesh.positions()[v]).sum::<Vector3<f64>>() / end.len() as f64;
    let tip = end.into_iter().find(|&v| (mesh.positions()[v] - centre).norm() < 1e-9).unwrap();
    let rest = mesh.positions()[tip].y;
    let beam = Body::solid(mesh)
        .density(1000.0)
        .continuum(Continuum::neo_hookean(1e7, 0.3).plain())
        .pin(move |x| x.x < near + 1e-9);
    let settings = Settings { substeps, drag: 15.0, ..Settings::default() };
    let mut sim: Simulation<f64> = Simulation::builder().settings(settings).body(beam).build_as().unwrap();
    for _ in 0..90 {
        sim.advance(1.0 / 60.0).unwrap();
    }
    rest - sim.positions()[tip].y
}

#[test]
fn a_cantilever_converges_to_its_static_deflection() {
    let errors = [160, 320].map(|substeps| deflection(substeps) / STATIC - 1.0);
    assert!(errors[0].abs() < 5e-3 && errors[1].abs() < 1.5e-3, "{errors:?}");
    let order = (errors[0] / errors[1]).log2();
    assert!((order - 2.0).abs() < 0.2, "{errors:?}: order {order}");
}
