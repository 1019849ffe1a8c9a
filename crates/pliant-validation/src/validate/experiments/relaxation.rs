//! Mesh relaxation as a deformer.

use nalgebra::Vector3;
use pliant_deform::{Deformer, EdgeConstraints, FrameTime, Relax, RelaxSettings, Sweep, edge_strain};
use pliant_mesh::{Caps, TriMesh};

use super::super::check::Check;
use super::super::experiment::{Experiment, Findings, Scope};
use super::super::figure::{Figure, Table};
use super::super::number::percent;
use crate::problem::Problem;

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "relaxation",
    title: "Relaxation of a skin",
    what: "
One edge of rest length 1 with the published strengths, push 0.1 and pull 0.5: ten iterations make 1.0009765625 of length 2 and 0.82566078 of length 0.5, because each removes
a fixed share of what is too long or too short. On a tube that is bent by a right angle the root mean square of the edges' strain must fall with every iteration.
",
    measure,
};

fn measure(_: Scope) -> Result<Findings, Problem> {
    let mut findings = Findings::default();
    let sweeps = [
        ("sequential", Sweep::Sequential),
        ("Jacobi mean", Sweep::JacobiMean),
        ("coloured", Sweep::Coloured),
    ];
    for (name, sweep) in sweeps {
        // The coloured sweep computes in single precision.
        let rounding = if sweep == Sweep::Coloured { 2e-7 } else { 0.0 };
        for (length, expected, given) in [(2.0, 1.000_976_562_5, 1e-12), (0.5, 0.825_660_78, 5.01e-9)] {
            let edges = EdgeConstraints::new(2, vec![[0, 1]], vec![1.0])?;
            let rest = [Vector3::zeros(), Vector3::y()];
            let settings = RelaxSettings { sweep, ..RelaxSettings::default() };
            let mut x = vec![Vector3::zeros(), Vector3::y() * length];
            Relax::of_edges(&rest, edges, settings)?.deform(&FrameTime::default(), &mut x)?;
            let name = format!("{name}, length {length} after ten iterations");
            let found = (x[1] - x[0]).norm();
            findings.check(Check::near(name, expected, found, given + rounding).from("publication"));
        }
    }

    let tube = TriMesh::cylinder(0.25, 2.0, 20, 30, Caps::Open)?;
    let bend = |p: &Vector3<f64>| {
        let angle = std::f64::consts::FRAC_PI_2 * (p.y / 0.4 + 0.5).clamp(0.0, 1.0);
        let (sin, cos) = angle.sin_cos();
        Vector3::new(p.x * cos - p.y * sin, p.x * sin + p.y * cos, p.z)
    };
    let bent: Vec<_> = tube.positions().iter().map(bend).collect();
    let edges = tube.edges();
    let length = |e: &[u32; 2]| (tube.positions()[e[0] as usize] - tube.positions()[e[1] as usize]).norm();
    let lengths: Vec<f64> = edges.iter().map(length).collect();
    let mut table = Table::new(
        "Strain of a bent tube, root mean square",
        ["iterations", "sequential", "Jacobi mean", "coloured"],
    );
    let counts = [0_u32, 1, 2, 5, 10, 20, 50];
    let mut curves = [const { Vec::new() }; 3];
    for iterations in counts {
        let mut row = vec![iterations.to_string()];
        for ((_, sweep), curve) in sweeps.iter().zip(&mut curves) {
            let settings = RelaxSettings { iterations, sweep: *sweep, ..RelaxSettings::default() };
            let mut x = bent.clone();
            Relax::new(&tube, settings)?.deform(&FrameTime::default(), &mut x)?;
            let rms = edge_strain(&x, &edges, &lengths).rms;
            row.push(percent(rms));
            curve.push((f64::from(iterations), rms));
        }
        table.row(row);
    }
    let mut figure =
        Figure::linear("strain", "Relaxation of a bent tube", "iterations", "root mean square of the strain");
    for ((name, _), curve) in sweeps.into_iter().zip(curves) {
        let rise = curve.windows(2).map(|pair| pair[1].1 / pair[0].1).fold(0.0, f64::max);
        let check = Check::at_most(
            format!("{name}, bent tube: strain over that of fewer iterations, at most"),
            1.0,
            rise,
        );
        findings.check(check.from("falls monotonically"));
        figure.curve(name, curve);
    }
    findings.tables.push(table);
    findings.figures.push(figure);
    Ok(findings)
}
