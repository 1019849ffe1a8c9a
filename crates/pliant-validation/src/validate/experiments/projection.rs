//! Single projections.

use nalgebra::Vector3;
use pliant_constraints::{
    BlockConstraint, Coincidence, Dihedral, Distance, IsometricBending, Lame, NeoHookeanTet, StVkMembrane,
    StVkTet, TetVolume, Update, project,
};

use super::super::check::Check;
use super::super::experiment::{Experiment, Findings, Scope};
use super::super::figure::Table;
use super::super::number::short;
use super::random::Numbers;
use crate::problem::Problem;

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "projection",
    title: "Single projections",
    what: "
One projection of a rigid distance satisfies it exactly. One projection of the volume of the tetrahedron (0,0,0), (1,0,0), (0,1,0), (0,0,2) with V₀ = 1/6 and equal masses gives the places below, worked out
by hand. A constraint between free points can only push them against each other: Σ m Δx = 0, and Σ x × m Δx = 0 for every multiplier
but for blocks whose rows turn with the body (isometric bending, coincident points), where it holds for λ = 0. Two hundred random stencils of each kind, with masses between 0.2 and 5 kg and random compliance.
",
    measure,
};

fn measure(_: Scope) -> Result<Findings, Problem> {
    let mut findings = Findings::default();
    distance(&mut findings);
    volume(&mut findings);
    momenta(&mut findings)?;
    Ok(findings)
}

fn distance(findings: &mut Findings) {
    let x = [Vector3::new(0.3, -0.2, 0.1), Vector3::new(1.7, 0.4, -0.6)];
    let w = [1.0, 0.25];
    let constraint = Distance { rest: 1.0 };
    let dx = project(&constraint, &x, &w, 0.0, Update::xpbd(), &mut [0.0]);
    let left: f64 = constraint.values(&[x[0] + dx[0], x[1] + dx[1]])[0];
    findings.check(
        Check::at_most("distance, what is left of C (m)", 1e-15, left.abs()).from("linear along the edge"),
    );
    let sum = (dx[0] / w[0] + dx[1] / w[1]).norm();
    findings.check(Check::at_most("distance, Σ m Δx (kg·m)", 1e-15, sum).from("momentum"));
}

fn volume(findings: &mut Findings) {
    let mut x = [Vector3::zeros(), Vector3::x(), Vector3::y(), Vector3::z() * 2.0];
    let constraint = TetVolume { rest: 1.0 / 6.0 };
    let ninth = 1.0 / 9.0;
    let expected = [
        Vector3::new(ninth, ninth, ninth / 2.0),
        Vector3::new(8.0 * ninth, 0.0, 0.0),
        Vector3::new(0.0, 8.0 * ninth, 0.0),
        Vector3::new(0.0, 0.0, 35.0 / 18.0),
    ];
    let mut residuals = Vec::new();
    for n in 0..4 {
        let dx = project(&constraint, &x, &[1.0; 4], 0.0, Update::xpbd(), &mut [0.0]);
        for (x, dx) in x.iter_mut().zip(dx) {
            *x += dx;
        }
        let c: f64 = constraint.values(&x)[0];
        if n == 0 {
            let worst = x.iter().zip(&expected).map(|(a, b)| (a - b).amax()).fold(0.0, f64::max);
            findings.check(
                Check::at_most("volume, worst coordinate (m)", 1e-15, worst).from("(1/9, 1/9, 1/18), …"),
            );
            let v = c + constraint.rest;
            findings.check(
                Check::near("volume after one projection (m³)", 0.184_727_938, v, 5.01e-10).from("by hand"),
            );
        } else {
            residuals.push(c.abs());
        }
    }
    let names = ["second", "third", "fourth"];
    for ((name, residual), expected) in names.iter().zip(residuals).zip([2.613e-4, 5.476e-8, 2.4e-15]) {
        // The last is rounding.
        let tolerance = if expected < 1e-12 { 3e-15 } else { 5.1e-4 * expected };
        let name = format!("volume, residual after the {name} projection (m³)");
        findings.check(Check::near(name, expected, residual, tolerance).from("Newton's method"));
    }
}

/// Largest |Σ m Δx| and |Σ x × m Δx| of many projections, each relative to the sum of the terms' lengths.
fn momentum<C, const N: usize, const M: usize>(
    make: impl Fn(&[Vector3<f64>; N]) -> Result<C, Problem>,
    any_multiplier: bool,
) -> Result<[f64; 2], Problem>
where
    C: BlockConstraint<f64, N, M>,
{
    let mut numbers = Numbers(17);
    let mut worst = [0.0_f64; 2];
    for _ in 0..200 {
        // Corners of a tetrahedron, so that no stencil is flat, shaken at rest and again now.
        let corners = [Vector3::zeros(), Vector3::x(), Vector3::y(), Vector3::z()];
        let rest: [_; N] = std::array::from_fn(|j| corners[j] + numbers.around(0.15));
        let x = rest.map(|x| x + numbers.around(0.2));
        let w: [f64; N] = std::array::from_fn(|_| 0.2 + 4.8 * numbers.next());
        let alpha_tilde = numbers.next();
        let mut lambda = [0.0; M];
        if any_multiplier {
            lambda = lambda.map(|_| 0.2 * (numbers.next() - 0.5));
        }
        let dx = project(&make(&rest)?, &x, &w, alpha_tilde, Update::xpbd(), &mut lambda);
        let p: [_; N] = std::array::from_fn(|j| dx[j] / w[j]);
        let centre = x.iter().sum::<Vector3<f64>>() / N as f64;
        let turning = |j: usize| (x[j] - centre).cross(&p[j]);
        let size: f64 = p.iter().map(nalgebra::Matrix::norm).sum();
        let arm: f64 = (0..N).map(|j| (x[j] - centre).norm() * p[j].norm()).sum();
        worst[0] = worst[0].max(p.iter().sum::<Vector3<f64>>().norm() / size);
        worst[1] = worst[1].max((0..N).map(turning).sum::<Vector3<f64>>().norm() / arm);
    }
    Ok(worst)
}

fn momenta(findings: &mut Findings) -> Result<(), Problem> {
    let moduli = Lame { mu: 2.0, lambda: 3.0 };
    let rows = [
        ("distance", momentum(|x: &[_; 2]| Ok(Distance::at_rest(x)), true)?),
        ("coincidence (λ = 0)", momentum(|_: &[_; 2]| Ok(Coincidence), false)?),
        ("tetrahedron's volume", momentum(|x: &[_; 4]| Ok(TetVolume::at_rest(x)), true)?),
        ("dihedral angle", momentum(|x: &[_; 4]| Ok(Dihedral::at_rest(x)), true)?),
        ("isometric bending (λ = 0)", momentum(|x: &[_; 4]| Ok(IsometricBending::with_area(x)?.0), false)?),
        ("StVK membrane", momentum(|x: &[_; 3]| Ok(StVkMembrane::isotropic(x, moduli, 0.1)?.kind), true)?),
        ("StVK tetrahedron", momentum(|x: &[_; 4]| Ok(StVkTet::elastic(x, moduli)?.kind), true)?),
        (
            "neo-Hookean tetrahedron",
            momentum(|x: &[_; 4]| Ok(NeoHookeanTet::with_moduli(x, moduli)?.kind), true)?,
        ),
    ];
    let mut table =
        Table::new("Momentum of 200 projections of each kind, relative", ["kind", "linear", "angular"]);
    for (kind, [linear, angular]) in rows {
        findings.check(Check::at_most(format!("{kind}, |Σ m Δx|"), 1e-13, linear).from("momentum"));
        findings.check(Check::at_most(format!("{kind}, |Σ x × m Δx|"), 1e-12, angular).from("momentum"));
        table.row([kind.to_owned(), short(linear), short(angular)]);
    }
    findings.tables.push(table);
    Ok(())
}
