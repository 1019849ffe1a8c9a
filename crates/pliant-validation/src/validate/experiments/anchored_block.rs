//! A stiff block held by one face: no element may collapse.

use pliant_mesh::{Split, TetMesh};
use pliant_solver::{Body, Compliance, Plan, Simulation};

use super::super::check::Check;
use super::super::experiment::{Experiment, Findings, Scope};
use super::super::figure::Figure;
use crate::problem::Problem;

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "anchored-block",
    title: "Anchored block",
    what: "
A unit cube of 8³ cells, six tetrahedra each, of 1000 kg/m³, with edges and volumes at zero compliance, is held by one face and let go. 20 substeps of one iteration,
`f32`. For two seconds every tetrahedron must keep its volume within 10 % and the whole within 1 %.
",
    measure,
};

const FRAMES: u32 = 120;

fn measure(_: Scope) -> Result<Findings, Problem> {
    let mut findings = Findings::default();
    let mesh = TetMesh::block([8, 8, 8], [1.0, 1.0, 1.0], Split::Kuhn)?;
    let mut figure =
        Figure::linear("volume", "Volume ratio of an anchored block", "time (s)", "volume ratio");
    for (name, plan) in [("sequential", Plan::Sequential), ("clustered", Plan::Clustered)] {
        let body = Body::solid(mesh.clone())
            .density(1000.0)
            .stretch(Compliance::RIGID)
            .volume(Compliance::RIGID)
            .pin(|x| x.x < 1e-9);
        let mut sim = Simulation::builder().plan(plan).substeps(20).body(body).build()?;
        let (mut low, mut high, mut inverted) = (f64::INFINITY, 0.0_f64, 0);
        let mut totals = Vec::new();
        let mut extremes = [Vec::new(), Vec::new()];
        for frame in 1..=FRAMES {
            sim.advance(1.0 / 60.0)?;
            let now = mesh.with_positions(sim.positions())?;
            let ratios: Vec<f64> =
                (0..now.tets().len()).map(|t| now.tet_volume(t) / mesh.tet_volume(t)).collect();
            let (least, most) =
                ratios.iter().fold((f64::INFINITY, 0.0_f64), |(l, h), &r| (l.min(r), h.max(r)));
            (low, high) = (low.min(least), high.max(most));
            inverted += ratios.iter().filter(|r| **r <= 0.0).count();
            let time = f64::from(frame) / 60.0;
            totals.push(now.volume() / mesh.volume());
            extremes[0].push((time, least));
            extremes[1].push((time, most));
        }
        let source = "kept by construction";
        let of = |what: &str| format!("{name} plan, {what}");
        findings.check(Check::at_least(of("least volume ratio of a tetrahedron"), 0.9, low).from(source));
        findings.check(
            Check::at_most(of("largest volume ratio of a tetrahedron"), 1.1, high)
                .from(source)
                .drifting(0.01),
        );
        let far = totals.iter().map(|r| (r - 1.0).abs()).fold(0.0, f64::max);
        findings.check(Check::at_most(of("worst error of the whole volume"), 0.01, far).from(source));
        findings
            .check(Check::at_most(of("inverted tetrahedra, all frames"), 0.0, inverted as f64).from(source));
        if plan == Plan::Clustered {
            let [least, most] = extremes;
            figure.curve("largest", most);
            figure.curve("whole block", totals.iter().enumerate().map(|(i, r)| ((i + 1) as f64 / 60.0, *r)));
            figure.curve("least", least);
        }
    }
    findings.figures.push(figure);
    Ok(findings)
}
