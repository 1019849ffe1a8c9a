//! A rigid pendulum keeps time and length.

use super::super::check::Check;
use super::super::experiment::{Experiment, Findings, Scope};
use super::super::figure::{Figure, Table};
use super::super::number::short;
use crate::problem::Problem;
use crate::scenes::Scheme;
use crate::scenes::pendulum::Pendulum;

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "pendulum",
    title: "Pendulum",
    what: "
A mass on a rigid edge of 1 m, let go at 5° from the vertical, swings for 10 s, one iteration per substep of a frame of 1/60 s. Its period is 2π√(L/g)(1 + θ²/16 + …) =
2.0070215 s. Projection along the rod loses a little energy in every substep, which is a property of the method: what is left of the amplitude after
10 s was measured by an independent program with the same integrator.
",
    measure,
};

pub(super) const PENDULUM: Pendulum =
    Pendulum { length: 1.0, mass: 1.0, angle: 5.0_f64.to_radians(), g: 9.81, alpha: 0.0 };

/// Of the finite swing, s.
pub(super) const PERIOD: f64 = 2.007_021_497_673_457;

/// Substeps and the share of the amplitude left, by an independent sequential program.
pub(super) const LEFT: [(f64, f64); 4] =
    [(5.0, 0.876_488_919_7), (10.0, 0.936_185_406_2), (20.0, 0.967_560_687_6), (40.0, 0.983_644_921_0)];

fn measure(_: Scope) -> Result<Findings, Problem> {
    let mut findings = Findings::default();
    let columns = ["substeps", "period, s", "amplitude after 10 s"];
    let mut table = Table::new("Period and what is left of the amplitude", columns);
    let (mut lost, mut falls) = (Vec::new(), true);
    for (substeps, left) in LEFT {
        let swing = PENDULUM.swing(1.0 / (60.0 * substeps), Scheme::sweeps(1))?;
        let of = |what: &str| format!("{substeps} substeps, {what}");
        if substeps >= 10.0 {
            findings.check(
                Check::near(of("period (s)"), PERIOD, swing.period, 1e-3 * PERIOD)
                    .from("2π√(L/g)(1 + θ²/16 + …)"),
            );
        }
        findings.check(
            Check::at_most(of("largest error of the length (m)"), 1e-12, swing.length_error).from("rigid"),
        );
        findings.check(
            Check::near(of("amplitude left"), left, swing.amplitude, 1e-3).from("independent program"),
        );
        falls &= swing.falling;
        lost.push((substeps, 1.0 - swing.amplitude));
        table.row([substeps.to_string(), short(swing.period), short(swing.amplitude)]);
    }
    let name = "runs in which every swing is smaller than the one before";
    findings.check(Check::at_least(name, 1.0, f64::from(u8::from(falls))).from("the method gains no energy"));
    let slope = (lost[2].1 / lost[3].1).log2();
    findings.check(
        Check::near("order of the loss in the substep", 1.0, slope, 0.1).from("first-order integrator"),
    );
    let mut figure = Figure::logarithmic(
        "loss",
        "What a pendulum loses in 10 s",
        "substeps per frame",
        "share of the amplitude lost",
    );
    figure.curve("", lost);
    findings.figures.push(figure);
    findings.tables.push(table);
    Ok(findings)
}
