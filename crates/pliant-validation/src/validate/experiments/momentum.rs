//! Momentum of whole steps.

use nalgebra::Vector3;
use pliant_constraints::{Dihedral, Distance, TetVolume};
use pliant_mesh::{TetMesh, TriMesh, lumped_mass_tets, lumped_mass_triangles};
use pliant_solver::{Assembly, Constraints, FrameReport, Plan, Settings, Simulation};

use super::super::check::Check;
use super::super::experiment::{Experiment, Findings, Scope};
use super::super::figure::{Figure, Table};
use super::super::number::{percent, short};
use crate::problem::Problem;

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "momentum",
    title: "Momentum and its order of convergence",
    what: "
A ball of tetrahedra and a bent sheet tumble through empty space. Projections and damping push points only against each other, so linear momentum is kept to rounding. Angular momentum is
kept by every projection, but positions are moved along gradients that have turned within the substep: the time integrator loses a share of it that falls with the first power of h. What must hold is the
slope, 1.0 ± 0.1, not equality. Drag is the exception that is asked for: exp(−rate·t).
",
    measure,
};

const SPIN: Vector3<f64> = Vector3::new(0.5, 3.0, -1.0);

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

/// A ball of edges and volumes, of the given size relative to that of its edges at rest.
pub(super) fn ball(settings: Settings, share: f64) -> Result<Simulation<f64>, Problem> {
    let mesh = TetMesh::ball(0.4, 3)?;
    let x = mesh.positions();
    let w = lumped_mass_tets(&mesh, 100.0).iter().map(|m| 1.0 / m).collect();
    let mut assembly = Assembly::new(x.to_vec(), w)?;
    assembly.velocities(velocities(x))?;
    let volumes = (0..mesh.tets().len()).map(|t| TetVolume { rest: mesh.tet_volume(t) }).collect();
    let edges = mesh.edges();
    assembly.add(Constraints::new("edges", edges.clone(), lengths(x, &edges, share), vec![1e-4])?);
    assembly.add(Constraints::new("volumes", mesh.tets().to_vec(), volumes, vec![0.0])?);
    assembly.settings(settings);
    Ok(assembly.build()?)
}

/// A sheet that is bent at rest and flat now.
pub(super) fn sheet(settings: Settings) -> Result<Simulation<f64>, Problem> {
    let mesh = TriMesh::grid([9, 7], [0.8, 0.6])?;
    let x = mesh.positions();
    let w = lumped_mass_triangles(&mesh, 2.0).iter().map(|m| 1.0 / m).collect();
    let mut assembly = Assembly::new(x.to_vec(), w)?;
    assembly.velocities(velocities(x))?;
    let hinges = mesh.hinges().stencils();
    let bends = vec![Dihedral { rest: 0.01 }; hinges.len()];
    let edges = mesh.edges();
    assembly.add(Constraints::new("edges", edges.clone(), lengths(x, &edges, 1.0), vec![0.0])?);
    assembly.add(Constraints::new("bending", hinges, bends, vec![1e-2])?);
    assembly.settings(settings);
    Ok(assembly.build()?)
}

/// Reports before the first and after the last frame.
pub(super) fn fly(mut sim: Simulation<f64>, frames: u32) -> Result<(FrameReport, FrameReport), Problem> {
    let before = sim.report();
    for _ in 0..frames {
        sim.advance(1.0 / 60.0)?;
    }
    Ok((before, sim.report()))
}

fn measure(_: Scope) -> Result<Findings, Problem> {
    let mut findings = Findings::default();
    for (name, plan) in
        [("sequential", Plan::Sequential), ("ordered", Plan::Ordered), ("clustered", Plan::Clustered)]
    {
        for damping in [0.0, 40.0] {
            let settings = || Settings { damping, ..floating(plan, 10) };
            for (what, sim) in [("ball", ball(settings(), 0.95)?), ("sheet", sheet(settings())?)] {
                let (before, after) = fly(sim, 30)?;
                let drift =
                    (after.linear_momentum - before.linear_momentum).norm() / before.linear_momentum.norm();
                let name =
                    format!("{what}, {name} plan, damping {damping} 1/s, relative drift of linear momentum");
                findings.check(Check::at_most(name, 1e-11, drift).from("kept to rounding"));
            }
        }
    }

    let counts = [5_u32, 10, 20, 40, 80];
    let mut losses = Vec::new();
    let mut table = Table::new(
        "Angular momentum lost by the ball in 20 frames",
        ["substeps", "lost", "slope from the line above"],
    );
    for substeps in counts {
        let (before, after) = fly(ball(floating(Plan::Sequential, substeps), 1.0)?, 20)?;
        let loss = (after.angular_momentum - before.angular_momentum).norm() / before.angular_momentum.norm();
        let slope = losses.last().map(|earlier: &f64| (earlier / loss).log2());
        if let (Some(slope), true) = (slope, substeps >= 20) {
            let name = format!(
                "order in h of the loss of angular momentum, {} to {substeps} substeps",
                substeps / 2
            );
            findings.check(Check::near(name, 1.0, slope, 0.1).from("first-order integrator"));
        }
        table.row([substeps.to_string(), percent(loss), slope.map_or_else(String::new, short)]);
        losses.push(loss);
    }
    let mut figure = Figure::logarithmic(
        "angular",
        "Angular momentum lost in 20 frames",
        "substeps per frame",
        "relative loss",
    );
    figure.curve("ball", counts.into_iter().zip(&losses).map(|(n, l)| (f64::from(n), *l)));
    figure.curve("slope 1", counts.into_iter().map(|n| (f64::from(n), losses[4] * 80.0 / f64::from(n))));
    findings.tables.push(table);
    findings.figures.push(figure);

    let (before, after) = fly(ball(Settings { drag: 0.7, ..floating(Plan::Sequential, 10) }, 0.95)?, 60)?;
    let expected = before.linear_momentum * (-0.7_f64).exp();
    let error = (after.linear_momentum - expected).norm() / expected.norm();
    let name = "ball, drag 0.7 1/s, one second, relative error of linear momentum";
    findings.check(Check::at_most(name, 1e-10, error).from("exp(−0.7)"));
    Ok(findings)
}
