//! A beam of neo-Hookean tetrahedra bends as far as Newton's method says on the same mesh.

use nalgebra::Vector3;
use pliant_mesh::{Split, TetMesh};

use super::super::check::Check;
use super::super::experiment::{Experiment, Findings, Scope};
use super::super::figure::{Figure, Table};
use super::super::number::{percent, short};
use super::super::statics::equilibrium;
use crate::problem::Problem;
use crate::scenes::beam::{Beam, Settling};

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "cantilever",
    title: "Cantilever",
    what: "
A beam of 1 × 0.2 × 0.2 m, ρ = 1000 kg/m³, neo-Hookean with E = 10 MPa and ν = 0.3, is held at one end and let go unloaded; it settles under drag. On a mesh of 10 × 2 × 2 cells, six tetrahedra each,
the static answer is a deflection of 0.01951 m, published as that of a Newton solver of another program and found here by a Newton solver that shares nothing with the time integrator. The error of XPBD with one
iteration falls with the square of the substep; with another order of projection, an independent program measured +6.5, +1.6 and +0.40 % at 160, 320 and 640 substeps.

Linear tetrahedra lock: beam theory's 0.0368 m (Euler–Bernoulli) or 0.0383 m (Timoshenko) is not the answer on this mesh. It is approached as the mesh is refined.
",
    measure,
};

/// Deflection of the middle of the end by Newton's method on the mesh of 10 × 2 × 2 cells, and of 20 × 4 × 4,
/// m: published with the reference numbers of this method.
pub(super) const PUBLISHED: [f64; 2] = [0.019_510_113_499_820, 0.029_85];

/// By beam theory, m: ρgAL⁴/(8EI), and with the shear of Timoshenko.
const EULER_BERNOULLI: f64 = 0.036_787_5;
const TIMOSHENKO: f64 = 0.038_317_86;

/// Relative errors of an independent program with another order of projection, by substeps.
const ELSEWHERE: [(u32, f64); 3] = [(160, 0.064_5), (320, 0.016_1), (640, 0.004_0)];

/// The beam with that many cells along its thickness, and five times as many along its length.
pub(super) fn beam(cells: usize) -> Result<Beam, Problem> {
    let mesh = TetMesh::block([5 * cells, cells, cells], [1.0, 0.2, 0.2], Split::Kuhn)?;
    let (near, far) =
        mesh.positions().iter().fold((f64::MAX, f64::MIN), |(near, far), x| (near.min(x.x), far.max(x.x)));
    let end: Vec<usize> =
        (0..mesh.positions().len()).filter(|&v| mesh.positions()[v].x > far - 1e-9).collect();
    let centre = end.iter().map(|&v| mesh.positions()[v]).sum::<Vector3<f64>>() / end.len() as f64;
    let middle = |&v: &usize| (mesh.positions()[v] - centre).norm() < 1e-9;
    let tip =
        end.into_iter().find(middle).ok_or_else(|| Problem("no vertex in the middle of the end".into()))?;
    // The scene holds what lies at x = 0.
    let shifted = mesh.positions().iter().map(|x| x - Vector3::x() * near).collect();
    let mesh = mesh.with_positions(shifted)?;
    Ok(Beam { mesh, young: 1e7, poisson: 0.3, density: 1000.0, g: 9.81, tip })
}

fn deflection(beam: &Beam, positions: &[Vector3<f64>]) -> f64 {
    beam.mesh.positions()[beam.tip].y - positions[beam.tip].y
}

fn measure(scope: Scope) -> Result<Findings, Problem> {
    let mut findings = Findings::default();
    let coarse = beam(2)?;
    let newton = deflection(&coarse, &equilibrium(&coarse)?);
    let check =
        Check::near("10 × 2 × 2 cells, Newton's method here, deflection (m)", PUBLISHED[0], newton, 1e-9);
    findings.check(check.from("Newton's method elsewhere, published"));

    let columns = ["substeps", "deflection, m", "error", "error elsewhere"];
    let mut table = Table::new("XPBD on 10 × 2 × 2 cells, one iteration", columns);
    let mut errors: Vec<(u32, f64)> = Vec::new();
    for &(substeps, elsewhere) in scope.pick(&ELSEWHERE[..2], &ELSEWHERE) {
        let settled = coarse.settle(&Settling { substeps, ..Settling::default() })?;
        let error = settled.deflection / PUBLISHED[0] - 1.0;
        let name = format!("10 × 2 × 2 cells, {substeps} substeps, relative error of the deflection");
        let allowed = (1.5 * elsewhere).max(0.01);
        let check = Check::at_most(name, allowed, error.abs());
        findings.check(check.from("1 %, or 1.5 times what is measured elsewhere"));
        table.row([substeps.to_string(), short(settled.deflection), percent(error), percent(elsewhere)]);
        if let Some((fewer, earlier)) = errors.last() {
            let order = (earlier / error).log2();
            let name = format!("order in h of the error, {fewer} to {substeps} substeps");
            findings.check(Check::near(name, 2.0, order, 0.2).from("second order"));
        }
        errors.push((substeps, error));
    }
    findings.tables.push(table);
    let mut figure = Figure::logarithmic(
        "substeps",
        "Cantilever: error against substeps",
        "substeps per frame",
        "relative error of the deflection",
    );
    figure.curve("here", errors.iter().map(|(n, e)| (f64::from(*n), e.abs())));
    figure.curve("elsewhere, another order of projection", ELSEWHERE.map(|(n, e)| (f64::from(n), e)));
    findings.figures.push(figure);
    if scope.is_full() {
        refine(&mut findings, newton)?;
    }
    Ok(findings)
}

/// Towards beam theory.
fn refine(findings: &mut Findings, coarsest: f64) -> Result<(), Problem> {
    let columns = ["cells", "tetrahedra", "deflection by Newton, m", "below Timoshenko"];
    let mut table = Table::new("Refinement", columns);
    let mut curve = Vec::new();
    for cells in [2, 4, 8, 12] {
        let beam = beam(cells)?;
        let found = if cells == 2 { coarsest } else { deflection(&beam, &equilibrium(&beam)?) };
        curve.push((cells as f64, found));
        let below = 1.0 - found / TIMOSHENKO;
        let size = format!("{} × {cells} × {cells}", 5 * cells);
        table.row([size.clone(), beam.mesh.tets().len().to_string(), short(found), percent(below)]);
        let name = format!("{size} cells, Newton's method here, deflection (m)");
        match cells {
            4 => {
                findings.check(
                    Check::near(name, PUBLISHED[1], found, 5.1e-6)
                        .from("Newton's method elsewhere, published"),
                );
                let settled = beam.settle(&Settling { substeps: 640, ..Settling::default() })?;
                let error = settled.deflection / found - 1.0;
                let name = format!("{size} cells, XPBD with 640 substeps, relative error of the deflection");
                findings.check(Check::at_most(name, 0.05, error.abs()).from("Newton's method here"));
            }
            8 | 12 => {
                let coarser = curve[curve.len() - 2].1;
                findings.check(
                    Check::between(name, coarser, TIMOSHENKO, found).from("a coarser mesh, and Timoshenko"),
                );
            }
            _ => {}
        }
    }
    // The extrapolation from two meshes, without their error of second order in the size of the cells.
    let [(n, coarse), (m, fine)] = [curve[2], curve[3]];
    let limit = (m * m * fine - n * n * coarse) / (m * m - n * n);
    let check =
        Check::near("extrapolated from the two finest meshes (m)", TIMOSHENKO, limit, 0.05 * TIMOSHENKO);
    findings.check(check.from("Timoshenko's beam, within 5 %"));
    let mut figure =
        Figure::linear("refinement", "Cantilever: refinement", "cells along the thickness", "deflection (m)");
    figure.curve("Newton's method on the mesh", curve);
    figure.curve("Timoshenko", [(2.0, TIMOSHENKO), (12.0, TIMOSHENKO)]);
    figure.curve("Euler–Bernoulli", [(2.0, EULER_BERNOULLI), (12.0, EULER_BERNOULLI)]);
    findings.tables.push(table);
    findings.figures.push(figure);
    Ok(())
}
