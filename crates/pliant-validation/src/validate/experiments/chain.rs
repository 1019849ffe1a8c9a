//! A hanging chain: every link bears what hangs below it.

use super::super::check::Check;
use super::super::experiment::{Experiment, Findings, Scope};
use super::super::figure::{Figure, Table};
use super::super::number::{percent, short};
use crate::problem::Problem;
use crate::scenes::Scheme;
use crate::scenes::chain::{Chain, EDGES, Hung};

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "chain",
    title: "Hanging chain",
    what: "
N links of compliance α between nodes of mass m: by Hooke's law link i is stretched by α·g·(mass below), the whole chain by αmgN(N + 1)/2. Projected from
the top down, one iteration leaves the chain longer by g h² N(N − 1)/2 exactly; more iterations remove that. The residual |C + α̃λ| says how much is left
without knowing the answer: on a chain that hangs still it *is* the error of the link's length, because the multipliers of all links balance the weights exactly.
",
    measure,
};

/// 20 links, as published.
pub(super) const CHAIN: Chain = Chain { links: 20, mass: 0.05, spacing: 0.1, compliance: 1e-4, g: 9.81 };
const DRAG: f64 = 2.0;
const SECONDS: f64 = 20.0;

fn measure(scope: Scope) -> Result<Findings, Problem> {
    let mut findings = Findings::default();
    let (extension, h) = (CHAIN.extension(), 1.0 / 600.0);
    let relative = |hung: &Hung| (-hung.heights[20] - 2.0) / extension - 1.0;
    for (iterations, published, tolerance, residual, factor) in
        [(1, 0.5, 0.02, 5.2e-4, 1.05), (10, 2e-5, 1e-5, 2.2e-8, 1.5)]
    {
        let hung = CHAIN.hang(h, Scheme::sweeps(iterations), DRAG, SECONDS)?;
        let of = |what: &str| format!("20 links, h = 1/600 s, {iterations} iterations, {what}");
        let source = "published with the method's reference numbers";
        findings.check(
            Check::near(of("relative error of the extension"), published, relative(&hung), tolerance)
                .from(source),
        );
        let found = hung.report.residual(EDGES).map_or(f64::NAN, |r| r.max.value);
        findings.check(
            Check::between(of("largest residual (m)"), residual / factor, residual * factor, found)
                .from(source),
        );
        if iterations == 1 {
            let n = f64::from(CHAIN.links);
            let sag = CHAIN.g * h * h * n * (n - 1.0) / 2.0;
            let off = -hung.heights[20] - 2.0 - extension;
            findings
                .check(Check::near(of("sag below the answer (m)"), sag, off, 1e-6).from("g h² N(N − 1)/2"));
        }
    }
    let ten = Chain { links: 10, mass: 0.1, compliance: 1e-3, ..CHAIN };
    let hung = ten.hang(h, Scheme::sweeps(10), DRAG, SECONDS)?;
    let off = |(found, expected): (&f64, f64)| (found - expected).abs();
    let worst = hung.heights.iter().zip(ten.at_rest()).map(off).fold(0.0, f64::max);
    let name = "10 links, h = 1/600 s, 10 iterations, worst node (m)";
    findings.check(Check::at_most(name, 1e-3 * ten.extension(), worst).from("αg · mass below"));

    let counts = scope.pick(&[1_u32, 10], &[1, 2, 3, 5, 10, 20]).to_vec();
    let mut table = Table::new(
        "Relative error of the extension, and largest residual, m",
        ["h", "iterations", "error", "residual"],
    );
    let mut figure = Figure::logarithmic(
        "iterations",
        "Error of a hanging chain",
        "iterations per substep",
        "relative error of the extension",
    );
    for per_second in [120.0, 600.0, 3000.0] {
        let mut points = Vec::new();
        for &iterations in &counts {
            let hung = CHAIN.hang(1.0 / per_second, Scheme::sweeps(iterations), DRAG, SECONDS)?;
            let residual = hung.report.residual(EDGES).map_or(f64::NAN, |r| r.max.value);
            let error = relative(&hung).abs();
            table.row([format!("1/{per_second} s"), iterations.to_string(), percent(error), short(residual)]);
            points.push((f64::from(iterations), error.max(1e-12)));
        }
        figure.curve(format!("h = 1/{per_second} s"), points);
    }
    findings.tables.push(table);
    findings.figures.push(figure);
    Ok(findings)
}
