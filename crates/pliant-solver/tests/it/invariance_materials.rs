//! Elastic materials hang as in statics, whatever the time step and the number of iterations: by convergence,
//! as the equations are nonlinear.

use nalgebra::Vector3;
use pliant_mesh::{Split, TetMesh, TriMesh};
use pliant_solver::book::Multiplier;
use pliant_solver::{Body, Continuum, Membrane, Settings, Simulation};

const G: f64 = 9.81;

/// Height of all particles together, m, after a body has settled.
fn settle(body: Body, h: f64, iterations: u32, multiplier: Multiplier) -> f64 {
    let settings = Settings {
        substeps: 1,
        iterations,
        multiplier,
        gravity: Vector3::new(0.0, -G, 0.0),
        drag: 10.0,
        ..Settings::default()
    };
    let mut sim: Simulation<f64> = Simulation::builder().settings(settings).body(body).build_as().unwrap();
    for _ in 0..(4.0 / h) as u32 {
        sim.advance(h).unwrap();
    }
    sim.positions().iter().map(|x| x.y).sum()
}

/// A strip a tenth of a metre wide that hangs by its upper end.
fn strip(of: Continuum) -> (TetMesh, Body) {
    let mesh = TetMesh::block([1, 4, 1], [0.1, 0.4, 0.1], Split::Kuhn).unwrap();
    let top = mesh.positions().iter().map(|x| x.y).fold(f64::MIN, f64::max);
    let body = Body::solid(mesh.clone()).density(1000.0).continuum(of);
    (mesh, body.pin(move |x| x.y > top - 1e-9))
}

fn rubber() -> Continuum {
    Continuum::neo_hookean(4e4, 0.3).plain()
}

fn stvk() -> Continuum {
    Continuum::stvk(4e4, 0.3)
}

/// A sheet of knitwear stood upright that hangs by its upper edge.
fn sheet() -> (TriMesh, Body) {
    let grid = TriMesh::grid([4, 6], [0.3, 0.5]).unwrap();
    let x: Vec<_> = grid.positions().iter().map(|x| Vector3::new(x.x, x.z, 0.0)).collect();
    let mesh = TriMesh::new(x, grid.triangles().to_vec()).unwrap();
    let top = mesh.positions().iter().map(|x| x.y).fold(f64::MIN, f64::max);
    let body = Body::cloth(mesh.clone()).area_density(0.3).membrane(Membrane::isotropic(1e4, 0.3, 1e-3));
    (mesh, body.pin(move |x| x.y > top - 1e-9))
}

type Case = (&'static str, f64, fn() -> Body);

/// A hanging body, with its unloaded height, m.
fn cases() -> [Case; 3] {
    let height = |x: &[Vector3<f64>]| x.iter().map(|x| x.y).sum();
    let solid = height(strip(rubber()).0.positions());
    let cloth = height(sheet().0.positions());
    [
        ("neo-Hookean", solid, || strip(rubber()).1),
        ("StVK", solid, || strip(stvk()).1),
        ("membrane", cloth, || sheet().1),
    ]
}

/// Iterations that solve the equations of a substep to rounding.
const MANY: u32 = 10;

#[test]
fn materials_do_not_depend_on_the_time_step() {
    for (name, unloaded, body) in cases() {
        let sag = |n: f64| unloaded - settle(body(), 1.0 / n, MANY, Multiplier::Accumulated);
        let [coarse, middle, fine] = [480.0, 960.0, 1920.0].map(sag);
        // Gradients turn within a substep, so the answer depends on h in second order: the extrapolated value
        // has no error of that order.
        let limit = fine + (fine - middle) / 3.0;
        assert!(limit > 0.1, "{name} hangs: {limit}");
        let error = |sag: f64| (sag / limit - 1.0).abs();
        let order = (error(coarse) / error(middle)).log2();
        assert!((order - 2.0).abs() < 0.15, "{name}: {coarse}, {middle}, {fine}: order {order}");
        assert!(error(coarse) < 5e-3 && error(fine) < 5e-4, "{name}: {coarse}, {middle}, {fine}");
    }
}

#[test]
fn materials_do_not_depend_on_the_iterations() {
    for (name, unloaded, body) in cases() {
        let sag = |n, multiplier| unloaded - settle(body(), 1.0 / 480.0, n, multiplier);
        let converged = sag(40, Multiplier::Accumulated);
        for (n, tolerance) in [(1, 2e-2), (2, 1e-3), (5, 1e-7), (10, 1e-11), (20, 1e-11)] {
            let error = sag(n, Multiplier::Accumulated) / converged - 1.0;
            assert!(error.abs() < tolerance, "{name}: {error:e} with {n} iterations");
        }
        // The book's form gets stiffer with every iteration: the test detects a solver that forgets
        // multipliers.
        let forgetful = sag(5, Multiplier::Forgotten);
        assert!(forgetful < 0.5 * converged, "{name}: {forgetful} and {converged}");
    }
}
