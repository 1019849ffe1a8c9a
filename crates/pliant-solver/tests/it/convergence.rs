//! Properties that hold by convergence: the hanging chain, the pendulum, and answers that do not depend on
//! the time step.

use nalgebra::Vector3;
use pliant_constraints::Distance;
use pliant_mesh::TriMesh;
use pliant_solver::book::Multiplier;
use pliant_solver::{Assembly, Body, Constraints, FrameReport, Plan, Settings, Simulation};

const G: f64 = 9.81;

/// A chain that hangs from the origin, links of 0.1 m listed from the top.
struct Chain {
    links: u32,
    /// The mass of every node, kg.
    mass: f64,
    /// /// The compliance, m/N.
    compliance: f64,
}

impl Chain {
    fn settle(&self, h: f64, iterations: u32, seconds: f64) -> (FrameReport, Vec<f64>) {
        let x = (0..=self.links).map(|i| Vector3::new(0.0, -0.1 * f64::from(i), 0.0)).collect();
        let mut w = vec![1.0 / self.mass; self.links as usize + 1];
        w[0] = 0.0;
        let mut a = Assembly::new(x, w).unwrap();
        let links: Vec<_> = (0..self.links).map(|i| [i, i + 1]).collect();
        let rest = vec![Distance { rest: 0.1 }; links.len()];
        a.add(Constraints::new("links", links, rest, vec![self.compliance]).unwrap());
        a.settings(Settings {
            substeps: 1,
            iterations,
            plan: Plan::Sequential,
            drag: 2.0,
            gravity: Vector3::new(0.0, -G, 0.0),
            ..Settings::default()
        });
        let mut sim = a.build::<f64>().unwrap();
        for _ in 0..(seconds / h) as u32 {
            sim.advance(h).unwrap();
        }
        (sim.report(), sim.positions().iter().map(|x| x.y).collect())
    }

    /// Height of the lowest node by Hooke's law: link i bears the mass below it.
    fn bottom(&self) -> f64 {
        let n = f64::from(self.links);
        -0.1 * n - self.compliance * self.mass * G * n * (n + 1.0) / 2.0
    }
}

#[test]
fn the_residual_predicts_the_error_of_a_hanging_chain() {
    let chain = Chain { links: 20, mass: 0.05, compliance: 1e-4 };
    let total = -2.0 - chain.bottom();
    let settle = |iterations| {
        let (report, y) = chain.settle(1.0 / 600.0, iterations, 20.0);
        let error = (chain.bottom() - y[20]) / total;
        (error, report.residual("links").unwrap().max.value)
    };
    let (error, residual) = settle(1);
    // One sweep from the top sags by g h² N(N−1)/2, half of the whole stretch.
    assert!((error - 0.5).abs() < 0.02, "{error}");
    assert!((residual / 5.2e-4 - 1.0).abs() < 0.05, "{residual:e}");
    let (error, residual) = settle(10);
    assert!(error.abs() < 2.5e-5, "{error:e}");
    assert!((residual / 2.2e-8).ln().abs() < 0.5, "{residual:e}");
}

#[test]
fn every_link_bears_what_hangs_below() {
    let chain = Chain { links: 10, mass: 0.1, compliance: 1e-3 };
    let (_, y) = chain.settle(1.0 / 600.0, 10, 15.0);
    for i in 0..10 {
        let stretch = y[i] - y[i + 1] - 0.1;
        let expected = 1e-3 * G * 0.1 * (10 - i) as f64;
        assert!((stretch / expected - 1.0).abs() < 1e-4, "link {i}: {stretch} instead of {expected}");
    }
}

fn pendulum(h: f64, seconds: f64) -> (Vec<f64>, f64) {
    let angle = 5.0_f64.to_radians();
    let x = Vector3::new(angle.sin(), -angle.cos(), 0.0);
    let mut a = Assembly::new(vec![Vector3::zeros(), x], vec![0.0, 1.0]).unwrap();
    a.add(Constraints::new("rod", vec![[0, 1]], vec![Distance { rest: 1.0 }], vec![0.0]).unwrap());
    let gravity = Vector3::new(0.0, -G, 0.0);
    a.settings(Settings { substeps: 1, gravity, ..Settings::default() });
    let mut sim = a.build::<f64>().unwrap();
    let (mut angles, mut worst) = (vec![angle], 0.0_f64);
    for _ in 0..(seconds / h) as usize {
        sim.advance(h).unwrap();
        let x = sim.positions()[1];
        worst = worst.max((x.norm() - 1.0).abs());
        angles.push(x.x.atan2(-x.y));
    }
    (angles, worst)
}

#[test]
fn a_pendulum_keeps_time_and_length() {
    // The period of a finite swing: 2π√(L/g)(1 + θ²/16 + …).
    let expected = 2.007_021_497_673_457;
    let mut last_peak = 0.0;
    for substeps in [10.0, 20.0, 40.0] {
        let h = 1.0 / (60.0 * substeps);
        let (angles, length_error) = pendulum(h, 10.0);
        assert!(length_error < 1e-12);
        let crossings: Vec<f64> = angles
            .windows(2)
            .enumerate()
            .filter(|(_, pair)| pair[0] > 0.0 && pair[1] <= 0.0)
            .map(|(n, pair)| (n as f64 + pair[0] / (pair[0] - pair[1])) * h)
            .collect();
        let period = (crossings[crossings.len() - 1] - crossings[0]) / (crossings.len() - 1) as f64;
        assert!((period / expected - 1.0).abs() < 1e-3, "{period}");
        // Its loss in ten seconds falls with the substep.
        let peak = angles[angles.len() - (2.1 / h) as usize..].iter().copied().fold(0.0, f64::max);
        assert!(peak > last_peak && peak < angles[0], "{peak}");
        last_peak = peak;
    }
}

/// A small hanging net at rest: the sum of its heights.
fn net(h: f64, multiplier: Multiplier, iterations: u32) -> f64 {
    let n = 5_u32;
    let at = |i: u32, j: u32| i * n + j;
    let grid = (0..n).flat_map(|i| (0..n).map(move |j| (i, j)));
    let x: Vec<_> = grid.map(|(i, j)| Vector3::new(f64::from(j), 0.0, f64::from(i)) * 0.1).collect();
    let mut edges = Vec::new();
    for i in 0..n {
        for j in 0..n {
            if j + 1 < n {
                edges.push([at(i, j), at(i, j + 1)]);
            }
            if i + 1 < n {
                edges.push([at(i, j), at(i + 1, j)]);
            }
        }
    }
    let mut w = vec![1.0 / 0.02; x.len()];
    for corner in [at(0, 0), at(0, n - 1), at(n - 1, 0), at(n - 1, n - 1)] {
        w[corner as usize] = 0.0;
    }
    let mut a = Assembly::new(x, w).unwrap();
    let rest = vec![Distance { rest: 0.1 }; edges.len()];
    a.add(Constraints::new("edges", edges, rest, vec![2e-2]).unwrap());
    a.settings(Settings { substeps: 1, iterations, multiplier, drag: 3.0, ..Settings::default() });
    let mut sim: Simulation<f64> = a.build().unwrap();
    for _ in 0..(12.0 / h) as u32 {
        sim.advance(h).unwrap();
    }
    sim.positions().iter().map(|x| x.y).sum()
}

#[test]
fn a_chain_does_not_depend_on_the_time_step() {
    let chain = Chain { links: 8, mass: 0.1, compliance: 1e-3 };
    let total = -0.8 - chain.bottom();
    for (n, iterations) in [(60.0, 400), (120.0, 200), (240.0, 100), (480.0, 50), (960.0, 20), (1920.0, 10)] {
        let (_, y) = chain.settle(1.0 / n, iterations, 15.0);
        let error = (y[8] - chain.bottom()) / total;
        assert!(error.abs() < 1e-3, "{error:e} at h = 1/{n}");
    }
}

#[test]
fn a_net_does_not_depend_on_the_time_step() {
    // If directions turn within a substep, the answer depends on h in second order.
    let reference = net(1.0 / 1920.0, Multiplier::Accumulated, 20);
    assert!(reference < -0.5, "it hangs: {reference}");
    for (n, iterations) in [(240.0, 60), (480.0, 40), (960.0, 20)] {
        let sag = net(1.0 / n, Multiplier::Accumulated, iterations);
        assert!((sag / reference - 1.0).abs() < 1e-3, "{sag} at h = 1/{n}, {reference} at 1/1920");
    }
    // The book's form has no such answer.
    let stiffer = net(1.0 / 480.0, Multiplier::Forgotten, 40);
    assert!(stiffer > 0.6 * reference, "{stiffer} and {reference}");
}

/// Median over the second half of a second of the mean stretch of a rigid sheet of 20² vertices that falls
/// into two pins.
fn stretch_of_a_sheet(substeps: u32) -> f64 {
    let body = Body::cloth(TriMesh::grid([20; 2], [1.0; 2]).unwrap()).pin_vertices([0, 19]);
    let builder = Simulation::builder().plan(Plan::Clustered).substeps(substeps).body(body);
    let mut sim = builder.build_as::<f32>().unwrap();
    let mut stretches = Vec::new();
    for frame in 0..60 {
        sim.advance(1.0 / 60.0).unwrap();
        if frame >= 30 {
            stretches.push(sim.report().stretch.unwrap().mean);
        }
    }
    stretches.sort_by(f64::total_cmp);
    stretches[15]
}

#[test]
fn more_substeps_leave_less_stretch() {
    // An order of projection that pushes an error around its triangles in one direction keeps 0.3 % with any
    // number of substeps.
    let (few, many) = (stretch_of_a_sheet(32), stretch_of_a_sheet(128));
    assert!(few < 2e-3, "{few}");
    assert!(many < 0.5 * few, "32 substeps leave {few}, 128 leave {many}");
}
