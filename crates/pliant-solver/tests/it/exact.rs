//! Properties that hold exactly: free fall, springs against implicit Euler, the weight of a hanging body, mass.

use nalgebra::Vector3;
use pliant_constraints::Distance;
use pliant_mesh::{Split, TetMesh, TriMesh, lumped_mass_tets, lumped_mass_triangles};
use pliant_solver::book::Multiplier;
use pliant_solver::{Assembly, Body, Constraints, Plan, Settings, Simulation};

const G: f64 = 9.81;

/// A mass on a vertical spring of rest length 1 m from the origin, released at rest length; steps are substeps.
fn spring(mass: f64, compliance: f64, g: f64, iterations: u32, multiplier: Multiplier) -> Simulation<f64> {
    let mut a = Assembly::new(vec![Vector3::zeros(), -Vector3::y()], vec![0.0, 1.0 / mass]).unwrap();
    a.add(Constraints::new("spring", vec![[0, 1]], vec![Distance { rest: 1.0 }], vec![compliance]).unwrap());
    a.settings(Settings {
        substeps: 1,
        iterations,
        gravity: Vector3::new(0.0, -g, 0.0),
        multiplier,
        ..Settings::default()
    });
    a.build().unwrap()
}

/// Substeps in which the oscillation decays to 10⁻⁹: each takes the factor 1/√(1 + ω²h²).
fn settling(mass: f64, compliance: f64, h: f64) -> u32 {
    (2.0 * 21.0 / (h * h / (compliance * mass)).ln_1p()) as u32
}

fn stretch(sim: &Simulation<f64>) -> f64 {
    -sim.positions()[1].y - 1.0
}

#[test]
fn free_fall_is_that_of_symplectic_euler() {
    for (h, n) in [(1.0 / 512.0, 512_u32), (1.0 / 64.0, 100), (1.0 / 600.0, 120)] {
        for plan in [Plan::Sequential, Plan::Ordered, Plan::Clustered] {
            let mut a = Assembly::new(vec![Vector3::zeros(); 3], vec![1.0, 0.1, 250.0]).unwrap();
            a.settings(Settings {
                substeps: n,
                gravity: Vector3::new(0.0, -G, 0.0),
                plan,
                ..Settings::default()
            });
            let mut sim = a.build::<f64>().unwrap();
            sim.advance(h * f64::from(n)).unwrap();
            let drop = G * h * h * f64::from(n) * f64::from(n + 1) / 2.0;
            for (x, v) in sim.positions().iter().zip(sim.velocities()) {
                assert!((x.y + drop).abs() <= 1e-12 * drop, "{} against {drop}", -x.y);
                assert!((v.y + G * h * f64::from(n)).abs() <= 1e-12 * G * h * f64::from(n));
                assert!(x.x == 0.0 && x.z == 0.0);
            }
        }
    }
}

#[test]
fn a_falling_block_keeps_its_shape() {
    let mesh = TetMesh::block([3, 2, 2], [0.3, 0.2, 0.2], Split::Kuhn).unwrap();
    let volumes: Vec<f64> = (0..mesh.tets().len()).map(|t| mesh.tet_volume(t)).collect();
    let mut sim = Simulation::builder().body(Body::solid(mesh.clone())).build_as::<f64>().unwrap();
    for _ in 0..30 {
        sim.advance(1.0 / 60.0).unwrap();
    }
    let fallen = mesh.with_positions(sim.positions()).unwrap();
    for (t, rest) in volumes.iter().enumerate() {
        assert!((fallen.tet_volume(t) / rest - 1.0).abs() < 1e-9, "tetrahedron {t}");
    }
    assert!((fallen.volume() / mesh.volume() - 1.0).abs() < 1e-9);
    let report = sim.report();
    assert!(report.stretch.unwrap().max.value < 1e-12);
}

#[test]
fn a_spring_is_implicit_euler_for_any_number_of_iterations() {
    let (mass, alpha, h) = (0.5, 1e-3, 1.0 / 1200.0);
    let (omega2, static_stretch) = (1.0 / (alpha * mass), alpha * mass * G);
    for iterations in [1, 5, 20] {
        let mut sim = spring(mass, alpha, G, iterations, Multiplier::Accumulated);
        // Implicit Euler on s'' = g − ω² s.
        let (mut s, mut v) = (0.0, 0.0);
        for n in 0..600 {
            sim.advance(h).unwrap();
            v = (v + h * (G - omega2 * s)) / (1.0 + omega2 * h * h);
            s += h * v;
            assert!((stretch(&sim) - s).abs() < 1e-11, "substep {n}, {iterations} iterations");
        }
        // The oscillation decays by 1/√(1 + ω²h²) and turns by atan(ωh) per substep.
        let (decay, turn) = ((1.0 + omega2 * h * h).sqrt().recip(), (omega2.sqrt() * h).atan());
        let closed = |n: f64| static_stretch * (1.0 - decay.powf(n) * (n * turn).cos());
        assert!((stretch(&sim) - closed(600.0)).abs() < 1e-11);
    }
}

#[test]
fn what_hangs_stretches_by_compliance_times_weight() {
    let (mass, alpha, g) = (0.5, 1e-3, 9.8);
    for h in [1.0 / 60.0, 1.0 / 240.0, 1.0 / 600.0] {
        for iterations in [1, 5, 20] {
            let mut sim = spring(mass, alpha, g, iterations, Multiplier::Accumulated);
            for _ in 0..settling(mass, alpha, h) {
                sim.advance(h).unwrap();
            }
            let error = (stretch(&sim) - 0.0049).abs();
            assert!(error < 1e-9, "{error:e} at h = {h}, {iterations} iterations");
            // The multiplier is the weight, times h².
            let lambda = sim.multipliers("spring").unwrap()[0];
            assert!((lambda / (h * h) + mass * g).abs() < 1e-5, "{}", lambda / (h * h));
        }
    }
}

#[test]
fn without_the_multiplier_what_hangs_gets_stiffer_with_the_iterations() {
    let (mass, alpha, g, h) = (0.5, 1e-3, 9.8, 1.0 / 600.0);
    for iterations in [1_u32, 5, 20] {
        let mut sim = spring(mass, alpha, g, iterations, Multiplier::Forgotten);
        for _ in 0..settling(mass, alpha, h) {
            sim.advance(h).unwrap();
        }
        let alpha_tilde = alpha / (h * h);
        let r = (alpha_tilde / (1.0 / mass + alpha_tilde)).powi(iterations as i32);
        let expected = g * h * h * r / (1.0 - r);
        assert!((stretch(&sim) - expected).abs() < 1e-9, "{iterations}: {} and {expected}", stretch(&sim));
    }
}

#[test]
fn lumped_masses_add_up() {
    let block = TetMesh::block([5, 4, 3], [0.5, 0.4, 0.3], Split::Five).unwrap();
    let sheet = TriMesh::grid([7, 9], [0.6, 0.8]).unwrap();
    let solid =
        Simulation::builder().body(Body::solid(block.clone()).density(1234.5)).build_as::<f64>().unwrap();
    let cloth =
        Simulation::builder().body(Body::cloth(sheet.clone()).area_density(0.3)).build_as::<f64>().unwrap();
    let total = |w: Vec<f64>| w.iter().map(|w| 1.0 / w).sum::<f64>();
    let expected = 1234.5 * 0.5 * 0.4 * 0.3;
    assert!((total(solid.inverse_masses()) / expected - 1.0).abs() < 1e-12);
    assert!((lumped_mass_tets(&block, 1234.5).iter().sum::<f64>() / expected - 1.0).abs() < 1e-12);
    let expected = 0.3 * 0.6 * 0.8;
    assert!((total(cloth.inverse_masses()) / expected - 1.0).abs() < 1e-12);
    assert!((lumped_mass_triangles(&sheet, 0.3).iter().sum::<f64>() / expected - 1.0).abs() < 1e-12);
}
