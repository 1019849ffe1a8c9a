//! A beam wound up by two turns and back.

use nalgebra::Vector3;
use pliant_mesh::{Split, TetMesh};
use pliant_solver::{Body, Continuum, Keyframe, Motion, Pin, Settings, Simulation};

use super::super::check::Check;
use super::super::experiment::{Experiment, Findings, Scope};
use super::super::figure::{Figure, Table};
use super::super::number::short;
use crate::problem::Problem;

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "twist",
    title: "Twisted beam",
    what: "
A beam of 1 × 0.2 × 0.2 m, neo-Hookean with E = 100 kPa and ν = 0.3, 20 × 4 × 4 cells, 1000 kg/m³, without gravity. One end is held, the other turned by two full turns
in 4 s and back in 4 s, with a drag of 2 1/s throughout. One iteration per substep, `f32`. Positions must always be finite; how
many tetrahedra are ever inverted, and how far from its rest the beam is 2 and 12 s after the motion has ended, is measured against the substeps.

With every number of substeps the beam gives way after one and a half turns: its section is pinched, for a few frames some tetrahedra are inverted, and it slips by one full turn. (Nothing but its own elements
keeps one part of it from passing through another.) From then on it winds and unwinds as a beam should, as the energy shows: none is stored when the wheel stands at one turn, and where the wheel
has come back the beam is wound by one turn the other way, which puts a corner of the section 0.28 m from its rest.
",
    measure,
};

const FRAME: f64 = 1.0 / 60.0;

pub(super) struct Twisted {
    pub(super) finite: bool,
    /// The most in any frame, and in the end.
    pub(super) inverted: [usize; 2],
    /// Largest distance of a vertex from rest 2 s after the end of the motion and in the end, m.
    pub(super) away: [f64; 2],
    /// Time, s, and elastic energy, J.
    pub(super) energy: Vec<(f64, f64)>,
}

fn measure(scope: Scope) -> Result<Findings, Problem> {
    let mut findings = Findings::default();
    let columns = [
        "substeps",
        "most inverted",
        "inverted in the end",
        "from rest 2 s later, m",
        "from rest 12 s later, m",
        "energy then, J",
    ];
    let mut table = Table::new("Inverted tetrahedra of 1920, and distance from rest", columns);
    let title = "A beam wound by two turns and back";
    let mut figure = Figure::linear("energy", title, "time (s)", "elastic energy (J)");
    let mut distances = Vec::new();
    for &substeps in scope.pick(&[10], &[5, 10, 20, 40, 80]) {
        let Twisted { finite, inverted: [most, last], away, energy } = twist(substeps, Settings::default())?;
        let of = |what: &str| format!("{substeps} substeps, {what}");
        let finite = f64::from(u8::from(finite));
        let check = Check::at_least(of("1 if positions are always finite"), 1.0, finite);
        findings.check(check.from("robustness"));
        findings.check(Check::reported(of("most inverted tetrahedra in a frame"), most as f64).drifting(1.0));
        let check = Check::at_most(of("inverted tetrahedra in the end"), 0.0, last as f64);
        findings.check(check.from("comes to rest"));
        for (when, away) in ["2 s", "12 s"].into_iter().zip(away) {
            let name = of(&format!("distance from rest {when} later (m)"));
            findings.check(Check::reported(name, away).drifting(0.1));
        }
        let left = energy.last().map_or(f64::NAN, |(_, joules)| *joules);
        findings.check(Check::reported(of("elastic energy 12 s later (J)"), left).drifting(0.1));
        let [soon, late] = away;
        let counts = [substeps.to_string(), most.to_string(), last.to_string()];
        table.row(counts.into_iter().chain([soon, late, left].map(short)));
        distances.push(soon);
        if [10, 20, 80].contains(&substeps) {
            figure.curve(format!("{substeps} substeps"), energy);
        }
    }
    if let [.., before, finest] = distances[..] {
        let name = "distance from rest 2 s later, 40 against 80 substeps, relative difference";
        let check = Check::at_most(name, 0.02, (before / finest - 1.0).abs());
        findings.check(check.from("converges with the substeps"));
    }
    findings.tables.push(table);
    findings.figures.push(figure);
    Ok(findings)
}

/// Winds the beam and unwinds it, by the method of these settings.
pub(super) fn twist(substeps: u32, settings: Settings) -> Result<Twisted, Problem> {
    let mesh = TetMesh::block([20, 4, 4], [1.0, 0.2, 0.2], Split::Kuhn)?;
    let rest = mesh.positions().to_vec();
    let centre = Vector3::new(1.0, 0.1, 0.1);
    let turn = |time, turns: f64| Keyframe {
        time,
        translation: Vector3::zeros(),
        rotation: Vector3::x() * (std::f64::consts::TAU * turns),
    };
    let keys = vec![turn(0.0, 0.0), turn(4.0, 2.0), turn(8.0, 0.0)];
    let wheel = Pin::select(|x| x.x > 1.0 - 1e-9).motion(Motion::Keyframes { pivot: centre, keys });
    let body = Body::solid(mesh.clone())
        .density(1000.0)
        .continuum(Continuum::neo_hookean(1e5, 0.3).plain())
        .pin(|x| x.x < 1e-9)
        .pin_with(wheel);
    let mut sim = Simulation::builder()
        .settings(settings)
        .gravity([0.0; 3])
        .substeps(substeps)
        .drag(2.0)
        .recover(false)
        .body(body)
        .build()?;
    let from_rest = |x: &[Vector3<f64>]| x.iter().zip(&rest).map(|(x, r)| (x - r).norm()).fold(0.0, f64::max);
    let (mut most, mut finite, mut soon) = (0, true, f64::NAN);
    let mut energy = Vec::new();
    for frame in 1..=1200 {
        // A simulation that is no longer finite returns an error.
        if sim.advance(FRAME).is_err() {
            finite = false;
            break;
        }
        let report = sim.report();
        most = most.max(report.volume.map_or(0, |v| v.inverted));
        if frame % 10 == 0 {
            energy.push((report.time, report.energy.elastic));
        }
        if frame == 600 {
            soon = from_rest(&sim.positions());
        }
    }
    let x = sim.positions();
    finite &= x.iter().all(|x| x.iter().all(|c| c.is_finite()));
    let last = sim.report().volume.map_or(0, |v| v.inverted);
    Ok(Twisted { finite, inverted: [most, last], away: [soon, from_rest(&x)], energy })
}
