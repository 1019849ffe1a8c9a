//! What swings lose, at equal substeps.

use pliant_mesh::TriMesh;
use pliant_solver::{Body, Float, Method, Settings, Simulation};

use super::super::super::check::Check;
use super::super::super::experiment::{Findings, Scope};
use super::super::super::figure::Table;
use super::super::super::number::short;
use super::super::cantilever;
use crate::problem::Problem;
use crate::scenes::Scheme;

const FRAME: f64 = 1.0 / 60.0;
const FRAMES: usize = 60;

pub(super) fn measure(scope: Scope, findings: &mut Findings) -> Result<(), Problem> {
    beam(scope, findings)?;
    if scope.is_full() {
        sheet(findings)?;
    }
    Ok(())
}

/// Energies of a second, J.
struct Swing {
    /// What is lost in the end.
    lost: f64,
    /// The largest rise in a frame.
    rise: f64,
    /// The most that was kinetic at the end of a frame.
    kinetic: f64,
}

fn swing<T: Float>(body: Body, substeps: u32, scheme: Scheme) -> Result<Swing, Problem> {
    let settings = Settings { substeps, ..scheme.settings() };
    let mut sim = Simulation::builder().settings(settings).body(body).build_as::<T>()?;
    let total = |sim: &Simulation<T>| {
        let energy = sim.report().energy;
        energy.kinetic + energy.potential + energy.elastic
    };
    let start = total(&sim);
    let (mut swing, mut before) = (Swing { lost: 0.0, rise: 0.0, kinetic: 0.0 }, start);
    for _ in 0..FRAMES {
        sim.advance(FRAME)?;
        let now = total(&sim);
        swing.rise = swing.rise.max(now - before);
        swing.kinetic = swing.kinetic.max(sim.report().energy.kinetic);
        (before, swing.lost) = (now, start - now);
    }
    Ok(swing)
}

/// The cantilever, released without load.
fn beam(scope: Scope, findings: &mut Findings) -> Result<(), Problem> {
    let beam = cantilever::beam(2)?;
    let body = beam.body(true);
    let columns = ["substeps", "ten sweeps", "newton"];
    let mut table = Table::new("The cantilever: energy lost in a second (J)", columns);
    for &substeps in scope.pick(&[20_u32], &[5, 20, 80]) {
        let swept = swing::<f64>(body.clone(), substeps, Scheme::sweeps(10))?;
        let newton = swing::<f64>(body.clone(), substeps, Scheme::by(Method::Newton, 1e-3))?;
        let of = |what: &str| format!("cantilever that swings, newton, {substeps} substeps, {what}");
        let name = of("largest rise of the energy in a frame, over the most that is kinetic");
        findings.check(Check::at_most(name, 1e-3, newton.rise / newton.kinetic).from("it gains none"));
        // In the longest substeps sweeps gain some instead.
        if swept.lost > 0.0 {
            let name = of("energy lost in a second over that of ten sweeps");
            let ratio = newton.lost / swept.lost;
            findings.check(Check::at_most(name, 1.1, ratio).from("damps no more than sweeps"));
        }
        table.row([substeps.to_string(), short(swept.lost), short(newton.lost)]);
    }
    findings.tables.push(table);
    Ok(())
}

/// A sheet with rigid edges.
fn sheet(findings: &mut Findings) -> Result<(), Problem> {
    let columns =
        ["method", "substeps", "most kinetic energy (J)", "lost in a second (J)", "largest rise (J)"];
    let mut table = Table::new("The sheet, by its two corners", columns);
    for substeps in [3, 10, 30] {
        for method in [Method::Sweeps, Method::Coarse, Method::Newton] {
            let scheme = if method == Method::Sweeps { Scheme::sweeps(1) } else { Scheme::by(method, 1e-2) };
            let body = Body::cloth(TriMesh::grid([31, 31], [1.0; 2])?).pin_vertices([0, 30]);
            let swing = swing::<f32>(body, substeps, scheme)?;
            if method != Method::Sweeps {
                let name = format!(
                    "sheet that falls, {}, {substeps} substeps, largest rise of the energy in a frame, over 0.9 J",
                    method.name()
                );
                let check = Check::at_most(name, 0.05, swing.rise / 0.9);
                findings.check(check.from("folds that snap, no more").drifting(0.5));
            }
            let numbers = [swing.kinetic, swing.lost, swing.rise].map(short);
            table.row([method.name().to_owned(), substeps.to_string()].into_iter().chain(numbers));
        }
    }
    findings.tables.push(table);
    Ok(())
}
