//! Free fall, and masses.

use nalgebra::Vector3;
use pliant_mesh::{Split, TetMesh, TriMesh};
use pliant_solver::{Assembly, Body, Plan, Settings, Simulation};

use super::super::check::Check;
use super::super::experiment::{Experiment, Findings, Scope};
use crate::problem::Problem;

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "free-fall",
    title: "Free fall and mass",
    what: "
Without active constraints the time integrator is symplectic Euler: n substeps of h from rest fall by g h² n(n + 1)/2, which is not ½gt². A body that
falls freely is not deformed at all. Lumped masses add up to density times volume (or area).
",
    measure,
};

const G: f64 = 9.81;

fn measure(_: Scope) -> Result<Findings, Problem> {
    let mut findings = Findings::default();
    for (name, h, n) in
        [("1/512", 1.0 / 512.0, 512_u32), ("1/64", 1.0 / 64.0, 100), ("1/600", 1.0 / 600.0, 120)]
    {
        let mut worst = 0.0_f64;
        for plan in [Plan::Sequential, Plan::Ordered, Plan::Clustered] {
            worst = worst.max(fall(h, n, plan)?);
        }
        let name = format!("{n} substeps of {name} s, every plan, relative error of drop and speed");
        findings.check(Check::at_most(name, 1e-12, worst).from("g h² n(n + 1)/2, g h n"));
    }

    let mesh = TetMesh::block([3, 2, 2], [0.3, 0.2, 0.2], Split::Kuhn)?;
    let mut sim = Simulation::builder().body(Body::solid(mesh.clone())).build_as::<f64>()?;
    for _ in 0..60 {
        sim.advance(1.0 / 60.0)?;
    }
    let now = mesh.with_positions(sim.positions())?;
    let change = |t| (now.tet_volume(t) / mesh.tet_volume(t) - 1.0).abs();
    let worst = (0..mesh.tets().len()).map(change).fold(0.0, f64::max);
    let falls = "falls undeformed";
    findings
        .check(Check::at_most("block after a second of fall, worst volume error", 1e-9, worst).from(falls));
    let stretch = sim.report().stretch.map_or(f64::NAN, |s| s.max.value);
    findings.check(Check::at_most("the same, worst stretch", 1e-12, stretch).from(falls));

    let block = TetMesh::block([5, 4, 3], [0.5, 0.4, 0.3], Split::Five)?;
    let block = Simulation::builder().body(Body::solid(block).density(1234.5)).build_as::<f64>()?;
    let error = mass(&block.inverse_masses()) / (1234.5 * 0.5 * 0.4 * 0.3) - 1.0;
    findings.check(Check::at_most("total mass of a block, relative error", 1e-12, error.abs()).from("ρV"));
    let sheet = TriMesh::grid([7, 9], [0.6, 0.8])?;
    let sheet = Simulation::builder().body(Body::cloth(sheet).area_density(0.3)).build_as::<f64>()?;
    let error = mass(&sheet.inverse_masses()) / (0.3 * 0.6 * 0.8) - 1.0;
    findings.check(Check::at_most("total mass of a sheet, relative error", 1e-12, error.abs()).from("ρA"));
    Ok(findings)
}

fn mass(inverse: &[f64]) -> f64 {
    inverse.iter().map(|w| 1.0 / w).sum()
}

/// Largest relative error of drop and speed of three particles.
fn fall(h: f64, n: u32, plan: Plan) -> Result<f64, Problem> {
    let mut assembly = Assembly::new(vec![Vector3::zeros(); 3], vec![1.0, 0.1, 250.0])?;
    let gravity = Vector3::new(0.0, -G, 0.0);
    assembly.settings(Settings { substeps: n, gravity, plan, ..Settings::default() });
    let mut sim = assembly.build::<f64>()?;
    let n = f64::from(n);
    sim.advance(h * n)?;
    let (drop, speed) = (G * h * h * n * (n + 1.0) / 2.0, G * h * n);
    let error =
        |(x, v): (&Vector3<f64>, &Vector3<f64>)| (x.y / drop + 1.0).abs().max((v.y / speed + 1.0).abs());
    Ok(sim.positions().iter().zip(&sim.velocities()).map(error).fold(0.0, f64::max))
}
