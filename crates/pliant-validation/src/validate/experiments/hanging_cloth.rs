//! How far cloth stretches by its own weight, against substeps, at equal work.

use nalgebra::Vector3;
use pliant_mesh::TriMesh;
use pliant_solver::{Body, Compliance, Simulation};

use super::super::check::Check;
use super::super::experiment::{Experiment, Findings, Scope};
use super::super::figure::{Figure, Table};
use super::super::number::percent;
use crate::problem::Problem;

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "hanging-cloth",
    title: "Hanging cloth: substeps against iterations",
    what: "
A square metre of cloth of 40 × 40 vertices hangs by two corners; its edges have no compliance, so all stretch is error of the solver. The same number of projections per edge
and frame is spent as few substeps of many iterations or as many substeps of one, `f32`, clustered plan. Small steps should win at equal work (Macklin et al. 2019).
Strains are those after three seconds, with a drag of 1 1/s.
",
    measure,
};

const VERTICES: usize = 40;

fn measure(scope: Scope) -> Result<Findings, Problem> {
    let mut findings = Findings::default();
    let columns = ["projections per frame", "substeps × iterations", "largest stretch", "mean strain"];
    let mut table = Table::new("Strain at equal work", columns);
    let mut figure = Figure::logarithmic(
        "work",
        "Largest stretch at equal work",
        "substeps per frame",
        "largest stretch of an edge",
    );
    for &work in scope.pick(&[16_u32, 64], &[16, 64, 256]) {
        let mut curve = Vec::new();
        let mut substeps = 1;
        while substeps <= work {
            let (largest, mean) = hang(substeps, work / substeps)?;
            curve.push((f64::from(substeps), largest));
            let settings = format!("{substeps} × {}", work / substeps);
            findings.check(Check::reported(format!("{settings}, largest stretch"), largest).drifting(0.05));
            table.row([work.to_string(), settings, percent(largest), percent(mean)]);
            substeps *= 4;
        }
        let (few, many) = (curve.first().map_or(f64::NAN, |p| p.1), curve.last().map_or(f64::NAN, |p| p.1));
        let name =
            format!("{work} projections: largest stretch with substeps only, over that with iterations only");
        findings.check(Check::at_most(name, 1.0, many / few).from("Macklin et al. 2019"));
        figure.curve(format!("{work} projections"), curve);
    }
    findings.tables.push(table);
    findings.figures.push(figure);
    Ok(findings)
}

/// Largest stretch and mean strain of the edges.
fn hang(substeps: u32, iterations: u32) -> Result<(f64, f64), Problem> {
    let grid = TriMesh::grid([VERTICES, VERTICES], [1.0, 1.0])?;
    let upright = grid.positions().iter().map(|x| Vector3::new(x.x, -x.z, 0.0)).collect();
    let mesh = grid.with_positions(upright)?;
    let top = mesh.positions().iter().map(|x| x.y).fold(f64::MIN, f64::max);
    let corner = move |x: &Vector3<f64>| x.y > top - 1e-9 && x.x.abs() > 0.5 - 1e-9;
    let body = Body::cloth(mesh)
        .area_density(0.2)
        .stretch(Compliance::RIGID)
        .bend(Compliance::new(1e-1))
        .pin(corner);
    let mut sim =
        Simulation::builder().substeps(substeps).iterations(iterations).drag(1.0).body(body).build()?;
    for _ in 0..180 {
        sim.advance(1.0 / 60.0)?;
    }
    let stretch = sim.report().stretch.ok_or_else(|| Problem("cloth has edges".into()))?;
    Ok((stretch.max.value, stretch.mean))
}
