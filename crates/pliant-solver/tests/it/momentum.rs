//! Momentum of whole steps: linear to rounding, angular to first order in the substep, both untouched by damping.

use nalgebra::{Matrix3, Vector3};
use pliant_constraints::{Dihedral, Distance, TetVolume};
use pliant_mesh::{TetMesh, TriMesh, lumped_mass_tets, lumped_mass_triangles};
use pliant_solver::{Assembly, Constraints, FrameReport, Plan, Settings, Simulation};

const SPIN: Vector3<f64> = Vector3::new(0.5, 3.0, -1.0);

/// Settings without gravity.
fn floating(plan: Plan, substeps: u32) -> Settings {
    Settings { substeps, plan, gravity: Vector3::zeros(), ..Settings::default() }
}

fn velocities(x: &[Vector3<f64>]) -> Vec<Vector3<f64>> {
    x.iter().map(|x| Vector3::new(0.4, -0.2, 0.1) + SPIN.cross(x)).collect()
}

fn lengths(x: &[Vector3<f64>], edges: &[[u32; 2]], share: f64) -> Vec<Distance<f64>> {
    let length = |[a, b]: &[u32; 2]| (x[*a as usize] - x[*b as usize]).norm();
    edges.iter().map(|e| Distance { rest: share * length(e) }).collect()
}

/// A ball in free flight, spinning, of the given size relative to its rest size.
fn strained_ball(settings: Settings, share: f64) -> Simulation<f64> {
    let mesh = TetMesh::ball(0.4, 3).unwrap();
    let x = mesh.positions();
    let w = lumped_mass_tets(&mesh, 100.0).iter().map(|m| 1.0 / m).collect();
    let mut a = Assembly::new(x.to_vec(), w).unwrap();
    a.velocities(velocities(x)).unwrap();
    let volumes = (0..mesh.tets().len()).map(|t| TetVolume { rest: mesh.tet_volume(t) }).collect();
    a.add(Constraints::new("edges", mesh.edges(), lengths(x, &mesh.edges(), share), vec![1e-4]).unwrap());
    a.add(Constraints::new("volumes", mesh.tets().to_vec(), volumes, vec![0.0]).unwrap());
    a.settings(settings);
    a.build().unwrap()
}

/// A ball whose edges are too long while its tetrahedra are at rest.
fn ball(settings: Settings) -> Simulation<f64> {
    strained_ball(settings, 0.95)
}

/// A sheet in free flight, spinning, bent at rest and flat now.
fn sheet(settings: Settings) -> Simulation<f64> {
    let mesh = TriMesh::grid([9, 7], [0.8, 0.6]).unwrap();
    let x = mesh.positions();
    let w = lumped_mass_triangles(&mesh, 2.0).iter().map(|m| 1.0 / m).collect();
    let mut a = Assembly::new(x.to_vec(), w).unwrap();
    a.velocities(velocities(x)).unwrap();
    let hinges = mesh.hinges().stencils();
    let bends = vec![Dihedral { rest: 0.01 }; hinges.len()];
    a.add(Constraints::new("edges", mesh.edges(), lengths(x, &mesh.edges(), 1.0), vec![0.0]).unwrap());
    a.add(Constraints::new("bending", hinges, bends, vec![1e-2]).unwrap());
    a.settings(settings);
    a.build().unwrap()
}

/// Reports before the first and after the last frame.
fn fly(mut sim: Simulation<f64>, frames: u32) -> (FrameReport, FrameReport) {
    let before = sim.report();
    for _ in 0..frames {
        sim.advance(1.0 / 60.0).unwrap();
    }
    (before, sim.report())
}

#[test]
fn linear_momentum_is_kept_to_rounding() {
    for plan in [Plan::Sequential, Plan::Ordered, Plan::Clustered] {
        for make in [ball, sheet] {
            let (before, after) = fly(make(floating(plan, 10)), 30);
            let size = before.linear_momentum.norm();
            let drift = (after.linear_momentum - before.linear_momentum).norm();
            assert!(drift < 1e-11 * size, "{plan:?}: {drift:e} of {size}");
            assert!(after.energy.kinetic > 0.1 * before.energy.kinetic, "it does not stand still");
        }
    }
}

#[test]
fn angular_momentum_is_kept_to_first_order_in_the_substep() {
    // The loss is that of the time integrator, not of the projections: the slope of its logarithm is one.
    let loss = |substeps: u32| {
        let (before, after) = fly(strained_ball(floating(Plan::Sequential, substeps), 1.0), 20);
        (after.angular_momentum - before.angular_momentum).norm() / before.angular_momentum.norm()
    };
    let losses = [10, 20, 40, 80].map(loss);
    for pair in losses.windows(2) {
        let slope = (pair[0] / pair[1]).log2();
        assert!((slope - 1.0).abs() < 0.1, "slope {slope} of {losses:?}");
    }
    assert!(losses[0] < 0.05, "{losses:?}");
}

#[test]
fn damping_takes_vibration_and_no_momentum() {
    for make in [ball, sheet] {
        let settings = floating(Plan::Sequential, 20);
        let run = |settings| {
            let mut sim = make(settings);
            let before = sim.report();
            (0..4).for_each(|_| sim.advance(1.0 / 60.0).unwrap());
            let after = sim.report();
            let linear = (after.linear_momentum - before.linear_momentum).norm();
            let angular = (after.angular_momentum - before.angular_momentum).norm();
            assert!(linear < 1e-11 * before.linear_momentum.norm(), "{linear:e}");
            (angular, vibration(&sim), after.energy.kinetic)
        };
        let free = run(settings.clone());
        let damped = run(Settings { damping: 40.0, ..settings });
        // Angular momentum is lost by the integrator, and hardly more with damping than without.
        assert!(damped.0 < 1.2 * free.0 + 1e-9, "{} {}", damped.0, free.0);
        assert!(damped.1 < 0.3 * free.1, "vibration {:e} of {:e}", damped.1, free.1);
        assert!(damped.2 > 0.5 * free.2, "the rigid motion stays: {} of {}", damped.2, free.2);
    }
}

/// Kinetic energy of all motion that is not rigid, J.
fn vibration(sim: &Simulation<f64>) -> f64 {
    let m: Vec<f64> = sim.inverse_masses().iter().map(|w| 1.0 / w).collect();
    let (x, v) = (sim.positions(), sim.velocities());
    let mass: f64 = m.iter().sum();
    let mean = |of: &[Vector3<f64>]| of.iter().zip(&m).map(|(a, m)| a * *m).sum::<Vector3<f64>>() / mass;
    let (centre, velocity) = (mean(&x), mean(&v));
    let (mut inertia, mut spin) = (Matrix3::zeros(), Vector3::zeros());
    for ((x, v), m) in x.iter().zip(&v).zip(&m) {
        let r = x - centre;
        inertia += (Matrix3::identity() * r.norm_squared() - r * r.transpose()) * *m;
        spin += r.cross(&(v - velocity)) * *m;
    }
    let omega = inertia.try_inverse().unwrap() * spin;
    let rest = x.iter().zip(&v).map(|(x, v)| v - velocity - omega.cross(&(x - centre)));
    rest.zip(&m).map(|(v, m)| 0.5 * m * v.norm_squared()).sum()
}

#[test]
fn drag_takes_momentum_as_it_says() {
    let settings = Settings { drag: 0.7, ..floating(Plan::Sequential, 10) };
    let (before, after) = fly(ball(settings), 60);
    let expected = before.linear_momentum * (-0.7_f64).exp();
    assert!((after.linear_momentum - expected).norm() < 1e-10 * expected.norm());
}
