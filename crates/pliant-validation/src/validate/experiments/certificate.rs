//! Whether the residual predicts the error.

use nalgebra::Vector3;
use pliant_solver::{Certificate, Requirement, Settings};

use super::super::check::Check;
use super::super::experiment::{Experiment, Findings, Scope};
use super::super::figure::{Figure, Table};
use super::super::number::short;
use super::super::statics::{System, equilibrium};
use super::{cantilever, chain};
use crate::problem::Problem;
use crate::scenes::beam::{Beam, Settled, Settling};
use crate::scenes::chain::EDGES;
use crate::scenes::{Scheme, single_substeps};

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "certificate",
    title: "Residual predicts error",
    what: "
A residual can be taken without knowing the answer; it is worth something if the error follows it. A hanging chain and a cantilever settle with many combinations of substeps and iterations. The *error* is the largest distance of a vertex from the converged
answer (Hooke's law; Newton's method on the same mesh). A residual is said to predict it *within a factor f* if of any two runs the one with the smaller residual has an error of at most f
times the other's. Runs count whose error is below 5 % of the length, and above rounding.

On the chain the error can be bounded: it is at most the sum of all residuals. So a requirement is a promise: where `--require 'residual.edges<=r'` is met by a chain that hangs still, every link
has its length within r, the node behind i links its place within i r, and the end of N links within N r. The chain is run with more and more substeps until the requirement is met, and measured then.
",
    measure,
};

/// Runs with a larger error, relative to the length, do not count.
const LARGEST: f64 = 0.05;

const ROWS_ONLY: &str = "after a few iterations the rows of an elastic material are solved to rounding, and what is left of the error is that of the equation of motion: \
    forces were applied along gradients that have turned since. A certificate of nonlinear constraints needs both residuals: |C + α̃λ| is small here although the answer is not exact, and \
    the residual of the equation of motion tells by how much.";

/// Residuals below are not drawn: rounding.
const ROUNDING: f64 = 1e-12;

/// The results of a run.
struct Point {
    substeps: u32,
    iterations: u32,
    /// m
    error: f64,
    /// By the names of the residuals.
    residuals: Vec<f64>,
}

fn measure(scope: Scope) -> Result<Findings, Problem> {
    let mut findings = Findings::default();
    of_chain(&mut findings)?;
    of_requirement(&mut findings, scope)?;
    if scope.is_full() {
        of_cantilever(&mut findings)?;
    }
    Ok(findings)
}

/// The factor within which a residual predicts the error.
fn factor(points: &[Point], residual: usize) -> f64 {
    let mut worst = 1.0_f64;
    for a in points {
        for b in points {
            if a.residuals[residual] <= b.residuals[residual] {
                worst = worst.max(a.error / b.error);
            }
        }
    }
    worst
}

fn of_chain(findings: &mut Findings) -> Result<(), Problem> {
    let chain = chain::CHAIN;
    let answer = chain.at_rest();
    let mut points = Vec::new();
    for substeps in [1, 2, 5, 10, 20, 50] {
        for iterations in [1, 2, 3, 5, 10, 20, 50] {
            let hung =
                chain.hang(1.0 / (60.0 * f64::from(substeps)), Scheme::sweeps(iterations), 2.0, 20.0)?;
            let error = hung.heights.iter().zip(&answer).map(|(y, a)| (y - a).abs()).fold(0.0, f64::max);
            let largest = hung.residuals.iter().map(|r| r.abs()).fold(0.0, f64::max);
            let sum = hung.residuals.iter().map(|r| r.abs()).sum();
            points.push(Point { substeps, iterations, error, residuals: vec![sum, largest] });
        }
    }
    points.retain(|p| (1e-9..LARGEST * 2.0).contains(&p.error));
    let worst = points.iter().map(|p| p.error / p.residuals[0]).fold(0.0, f64::max);
    let name = format!("chain, {} runs, largest error over the sum of the residuals", points.len());
    findings.check(Check::at_most(name, 1.0 + 1e-6, worst).from("a bound"));
    let names = [("sum of |C + α̃λ|", "m"), ("largest |C + α̃λ|", "m")];
    publish(findings, "chain", &names, &points);
    Ok(())
}

/// A met requirement gives the error that it promises.
fn of_requirement(findings: &mut Findings, scope: Scope) -> Result<(), Problem> {
    const FRAME: f64 = 1.0 / 60.0;
    const FRAMES: u32 = 20 * 60;
    let (chain, answer) = (chain::CHAIN, chain::CHAIN.at_rest());
    let mut table = Table::new(
        "A requirement on the chain, the fewest of 1, 2, 5, 10, 20, … substeps that meet it, and the error of the end",
        ["required", "iterations", "substeps", "largest |C + α̃λ|, m", "promised, m", "error, m"],
    );
    let mut share = 0.0_f64;
    for &bound in scope.pick(&[1e-3, 1e-4], &[1e-3, 1e-4, 1e-5, 1e-6]) {
        let text = format!("residual.{EDGES}<={bound:e}");
        let required: Requirement = text.parse()?;
        for iterations in [1, 5] {
            let hung = |substeps| -> Result<_, Problem> {
                let settings =
                    Settings { substeps, drag: 2.0, ..single_substeps(chain.g, Scheme::sweeps(iterations)) };
                let mut sim = chain.build(settings)?;
                for _ in 1..FRAMES {
                    sim.advance(FRAME)?;
                }
                let mut certificate = Certificate::begin(&sim).with_requirements([required.clone()])?;
                let report = sim.step(FRAME)?;
                certificate.take(&report);
                let residual = report.residual(EDGES).map_or(f64::NAN, |r| r.max.value);
                Ok(certificate.is_met().then(|| (substeps, sim.positions(), residual)))
            };
            let met = [1, 2, 5, 10, 20, 50, 100, 200, 500].into_iter().find_map(|n| hung(n).transpose());
            let (substeps, positions, residual) =
                met.ok_or_else(|| Problem(format!("no number of substeps is enough for {text}")))??;
            let away = |(x, y): (&Vector3<f64>, &f64)| (x - Vector3::y() * *y).norm();
            let errors: Vec<f64> = positions.iter().zip(&answer).map(away).collect();
            let (promised, error) = (f64::from(chain.links) * bound, errors[errors.len() - 1]);
            let name =
                format!("chain, --require '{text}' with {}, error of the end (m)", counted(iterations));
            findings.check(Check::at_most(name, promised, error).from("N r"));
            let promises = (1..=chain.links).map(|link| f64::from(link) * bound);
            share = errors[1..].iter().zip(promises).map(|(e, promise)| e / promise).fold(share, f64::max);
            let counts = [iterations, substeps].map(|count| count.to_string());
            let numbers = [residual, promised, error].map(short);
            table.row([format!("`{text}`")].into_iter().chain(counts).chain(numbers));
        }
    }
    if scope.is_full() {
        let name = "chain, all requirements, largest error of a node over what is promised behind i links";
        findings.check(Check::at_most(name, 1.0, share).from("i r"));
    }
    findings.tables.push(table);
    Ok(())
}

fn of_cantilever(findings: &mut Findings) -> Result<(), Problem> {
    let beam = cantilever::beam(2)?;
    let answer = equilibrium(&beam)?;
    let (mut points, mut apart) = (Vec::new(), 0.0_f64);
    for substeps in [40, 80, 160, 320, 640] {
        for iterations in [1, 2, 5, 10] {
            if substeps * iterations > 1600 {
                continue;
            }
            let settled = beam.settle(&Settling {
                substeps,
                scheme: Scheme::sweeps(iterations),
                ..Settling::default()
            })?;
            let away = settled.positions.iter().zip(&answer).map(|(x, a)| (x - a).norm());
            let error = away.fold(0.0, f64::max);
            let outside = motion(&beam, &settled)?;
            apart = apart.max((settled.motion / outside - 1.0).abs());
            points.push(Point { substeps, iterations, error, residuals: residuals(&beam, &settled)? });
        }
    }
    points.retain(|p| p.error < LARGEST);
    let name = "cantilever, the report's residual of the equation of motion against one taken from multipliers and gradients, relative";
    findings.check(Check::at_most(name, 0.01, apart).from("the same equation"));
    let names = [
        ("largest |C + α̃λ|", "1"),
        ("RMS of C + α̃λ", "1"),
        ("equation of motion", "m"),
        ("equation of motion over h²g", "1"),
        ("bound on the error of a substep", "m"),
        ("net force", "share of the weight"),
    ];
    publish(findings, "cantilever", &names, &points);
    Ok(())
}

/// Largest |x − x̃ − W Σ ∇C λ| of a beam at rest, m, without the solver: gravity and the forces that the
/// multipliers stand for.
fn motion(beam: &Beam, settled: &Settled) -> Result<f64, Problem> {
    let (masses, forces) = (beam.masses(), beam.forces_of(settled)?);
    let free = |v: &usize| beam.mesh.positions()[*v].x > 1e-9;
    let left = |v: usize| (forces[v] / masses[v] - Vector3::y() * beam.g).norm();
    let acceleration = (0..masses.len()).filter(free).map(left).fold(0.0, f64::max);
    Ok(acceleration * settled.h * settled.h)
}

/// Residuals of a beam at rest: those of its rows; that of the equation of motion, m and relative to h²g; the
/// bound on the error of a substep; and the force, relative to the weight, that elasticity and gravity leave
/// on the vertices.
fn residuals(beam: &Beam, settled: &Settled) -> Result<Vec<f64>, Problem> {
    let weight = beam.masses().iter().sum::<f64>() * beam.g;
    let net = System::new(beam)?.net_force(&settled.positions);
    let net = net.iter().map(nalgebra::Matrix::norm).sum::<f64>() / weight;
    let [largest, rms] = settled.residual;
    let relative = settled.motion / (settled.h * settled.h * beam.g);
    Ok(vec![largest, rms, settled.motion, relative, settled.step_error, net])
}

fn publish(findings: &mut Findings, scene: &str, names: &[(&str, &str)], points: &[Point]) {
    for (i, (name, _)) in names.iter().enumerate() {
        let factor = factor(points, i);
        let label = format!("{scene}, {} runs, {name} predicts the error within a factor of", points.len());
        if name.contains("bound") {
            // Of one substep; the error of many of them is not bounded by it.
            findings.check(Check::reported(label, factor));
            continue;
        }
        let check = Check::at_most(label, 2.0, factor).from("monotone within a factor of 2");
        let of_rows = name.contains("C + α̃λ");
        findings.check(if scene == "cantilever" && of_rows { check.known(ROWS_ONLY) } else { check });
    }
    let heads = ["substeps", "iterations", "error, m"].map(str::to_owned);
    let columns =
        heads.into_iter().chain(names.iter().map(|(name, unit)| format!("{name}, {unit}"))).collect();
    let mut table = Table { title: format!("The {scene}"), columns, rows: Vec::new() };
    for point in points {
        let head = [point.substeps.to_string(), point.iterations.to_string(), short(point.error)];
        table.row(head.into_iter().chain(point.residuals.iter().map(|r| short(*r))));
    }
    findings.tables.push(table);
    let mut counts: Vec<u32> = points.iter().map(|p| p.iterations).collect();
    counts.sort_unstable();
    counts.dedup();
    for (i, (name, unit)) in names.iter().enumerate() {
        let file = format!("{scene}-{}", i + 1);
        let title = format!("The {scene}: error against residual");
        let mut figure =
            Figure::logarithmic(&file, &title, &format!("{name} ({unit})"), "largest position error (m)");
        for &count in &counts {
            let mut curve: Vec<_> = points
                .iter()
                .filter(|p| p.iterations == count && p.residuals[i] > ROUNDING)
                .map(|p| (p.residuals[i], p.error))
                .collect();
            curve.sort_by(|a, b| a.0.total_cmp(&b.0));
            if !curve.is_empty() {
                figure.curve(counted(count), curve);
            }
        }
        findings.figures.push(figure);
    }
}

fn counted(iterations: u32) -> String {
    format!("{iterations} iteration{}", if iterations == 1 { "" } else { "s" })
}
