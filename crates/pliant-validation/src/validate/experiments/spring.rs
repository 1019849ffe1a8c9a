//! A mass on a spring is implicit Euler, whatever the number of iterations.

use pliant_solver::book::Multiplier;

use super::super::check::Check;
use super::super::experiment::{Experiment, Findings, Scope};
use super::super::figure::{Figure, Table};
use super::super::number::short;
use crate::problem::Problem;
use crate::scenes::Scheme;
use crate::scenes::spring::Spring;

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "spring",
    title: "A spring is implicit Euler",
    what: "
A mass of 0.5 kg on one edge of compliance α = 1e-3 m/N. One XPBD substep with an accumulated multiplier is one step of implicit Euler, for any number of
iterations (Macklin, Müller & Chentanez 2016, section 3.5): v ← (v + h(g − ω²s))/(1 + ω²h²), s ← s + hv with ω² = 1/(αm). In closed form the oscillation
about the static stretch αmg takes the factor 1/√(1 + ω²h²) and turns by atan(ωh) in every substep.

What hangs still is stretched by αmg = 0.0049 m (g = 9.8 m/s²) for every substep and number of iterations. The form without multiplier, as the book's
listings have it, hangs at g h² rⁿ/(1 − rⁿ) with r = α̃/(w + α̃) instead: stiffer with every iteration and with every substep.
",
    measure,
};

const MASS: f64 = 0.5;
const ALPHA: f64 = 1e-3;

fn spring(h: f64, g: f64) -> Spring {
    Spring {
        mass: MASS,
        compliance: ALPHA,
        h,
        rest_length: 1.0,
        initial_stretch: 0.0,
        initial_downward_speed: 0.0,
        g,
        anchor: [0.0; 3],
        ground: false,
    }
}

fn measure(_: Scope) -> Result<Findings, Problem> {
    let mut findings = Findings::default();
    sequence(&mut findings)?;
    at_rest(&mut findings)?;
    Ok(findings)
}

/// Substep after substep.
fn sequence(findings: &mut Findings) -> Result<(), Problem> {
    let (h, g, n) = (1.0 / 1200.0, 9.81, 600);
    let omega2 = 1.0 / (ALPHA * MASS);
    let recurrence = (0..n).scan((0.0, 0.0), |(s, v), _| {
        *v = (*v + h * (g - omega2 * *s)) / (1.0 + omega2 * h * h);
        *s += h * *v;
        Some(*s)
    });
    let recurrence: Vec<f64> = recurrence.collect();
    let (decay, turn) = ((1.0 + omega2 * h * h).sqrt().recip(), (omega2.sqrt() * h).atan());
    let closed = |n: usize| ALPHA * MASS * g * (1.0 - decay.powi(n as i32) * (n as f64 * turn).cos());
    let time = |i: usize| h * (i + 1) as f64;
    let mut figure = Figure::linear("swing", "Stretch of a spring", "time (s)", "stretch (m)");
    for iterations in [1, 5, 20] {
        let found = spring(h, g).run(Multiplier::Accumulated, Scheme::sweeps(iterations), n)?;
        let worst = found.iter().zip(&recurrence).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        let name = format!("{n} substeps of 1/1200 s, {iterations} iterations, error (m)");
        findings.check(Check::at_most(name, 1e-11, worst).from("implicit Euler"));
        let worst = found.iter().enumerate().map(|(i, s)| (s - closed(i + 1)).abs()).fold(0.0, f64::max);
        let name = format!("{iterations} iterations, amplitude and phase, error (m)");
        findings.check(Check::at_most(name, 1e-11, worst).from("closed form"));
        if iterations == 20 {
            let shown = found.iter().enumerate().take(360);
            figure.curve("20 iterations", shown.map(|(i, s)| (time(i), *s)));
        }
    }
    let forgetful = spring(h, g).run(Multiplier::Forgotten, Scheme::sweeps(20), n)?;
    figure.curve(
        "20 iterations, multiplier forgotten",
        forgetful.iter().enumerate().take(360).map(|(i, s)| (time(i), *s)),
    );
    findings.figures.push(figure);
    Ok(())
}

/// Where the mass comes to rest.
fn at_rest(findings: &mut Findings) -> Result<(), Problem> {
    let g = 9.8;
    let columns = ["substep", "1 iteration", "5 iterations", "20 iterations"];
    let mut kept = Table::new("Static stretch, m, multiplier accumulated", columns);
    let mut lost = Table::new("Static stretch, m, multiplier forgotten", columns);
    for (name, h) in [("1/60 s", 1.0 / 60.0), ("1/240 s", 1.0 / 240.0), ("1/600 s", 1.0 / 600.0)] {
        let mut rows = [vec![name.to_owned()], vec![name.to_owned()]];
        for n in [1, 5, 20] {
            let stretch = spring(h, g).settle(Multiplier::Accumulated, Scheme::sweeps(n))?;
            rows[0].push(short(stretch));
            let check =
                Check::near(format!("static stretch, h = {name}, {n} iterations (m)"), 0.0049, stretch, 1e-9);
            findings.check(check.from("αmg"));
            let stretch = spring(h, g).settle(Multiplier::Forgotten, Scheme::sweeps(n))?;
            rows[1].push(short(stretch));
            let alpha_tilde = ALPHA / (h * h);
            let r = (alpha_tilde / (1.0 / MASS + alpha_tilde)).powi(n as i32);
            let expected = g * h * h * r / (1.0 - r);
            let name = format!("the same with the multiplier forgotten, h = {name}, {n} iterations (m)");
            findings.check(Check::near(name, expected, stretch, 1e-9).from("g h² rⁿ/(1 − rⁿ)"));
        }
        let [with, without] = rows;
        kept.row(with);
        lost.row(without);
    }
    findings.tables.extend([kept, lost]);
    Ok(())
}
