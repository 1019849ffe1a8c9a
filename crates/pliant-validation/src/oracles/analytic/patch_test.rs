//! `patch_test`: a block of several tetrahedra in a homogeneous deformation is one big element.

use nalgebra::{Matrix3, Vector3};
use pliant_constraints::{Lame, NeoHookeanTet, StVkTet};
use pliant_mesh::tet_volume;
use serde::Deserialize;
use serde_json::Value;

use super::super::verdict::{Problem, Tally};
use super::mesh::Mesh;
use super::number_in;

#[derive(Deserialize)]
struct Case {
    #[serde(rename = "F")]
    f: [[f64; 3]; 3],
    mu: f64,
    lambda: f64,
    energy_neohookean: Option<f64>,
    energy_stvk: Option<f64>,
    volume: f64,
}

/// Sums over the elements of the block.
struct Sums {
    /// J
    energy: f64,
    /// On every vertex, N.
    forces: Vec<Vector3<f64>>,
}

pub(crate) fn judge(json: &Value) -> Result<Tally, Problem> {
    let cases: Vec<Case> = serde_json::from_value(json["cases"].clone())?;
    let setup = json["setup"].as_str().unwrap_or_default();
    let cells = number_in(setup, "cube ").filter(|&n| (1.0..=16.0).contains(&n)).unwrap_or(2.0);
    let block = Mesh::kuhn([cells as u32; 3], 1.0 / cells);
    let mut tally = Tally::default();
    for (n, case) in cases.iter().enumerate() {
        tally.case();
        one(&mut tally, case, &block).map_err(|problem| Problem(format!("case {n}: {}", problem.0)))?;
    }
    Ok(tally)
}

fn one(tally: &mut Tally, case: &Case, block: &Mesh) -> Result<(), Problem> {
    let f = Matrix3::from_fn(|row, column| case.f[row][column]);
    let deformed = |x: [Vector3<f64>; 4]| x.map(|x| f * x);
    let total: f64 = block.tets.iter().map(|tet| tet_volume(&deformed(block.corners(tet)))).sum();
    for (expected, what) in [(f.determinant(), "det F"), (case.volume, "volume")] {
        tally.check(total - expected, 1e-13 * expected.abs().max(1.0), || what.into());
    }

    let moduli = Lame { mu: case.mu, lambda: case.lambda };
    if let Some(expected) = case.energy_neohookean {
        // The file's energy is zero at F = I but for the volume's share: ½μ(tr FᵀF − 3) + ½λ(det F − γ)².
        let shift = 1.5 * case.mu;
        let sums = sum(block, |rest| {
            let tet = NeoHookeanTet::with_moduli(rest, moduli)?;
            let x = deformed(*rest);
            Ok((tet.energy(&x) - shift * tet_volume(rest), tet.energy_gradient(&x)))
        })?;
        check(tally, block, &sums, expected, "neo-Hookean");
    }
    if let Some(expected) = case.energy_stvk {
        let sums = sum(block, |rest| {
            let tet = StVkTet::elastic(rest, moduli)?;
            let x = deformed(*rest);
            Ok((tet.energy(&x), tet.energy_gradient(&x)))
        })?;
        check(tally, block, &sums, expected, "StVK");
    }
    Ok(())
}

fn sum(
    block: &Mesh,
    element: impl Fn(&[Vector3<f64>; 4]) -> Result<(f64, [Vector3<f64>; 4]), Problem>,
) -> Result<Sums, Problem> {
    let mut sums = Sums { energy: 0.0, forces: vec![Vector3::zeros(); block.verts.len()] };
    for tet in &block.tets {
        let (energy, gradient) = element(&block.corners(tet))?;
        sums.energy += energy;
        for (&v, g) in tet.iter().zip(&gradient) {
            sums.forces[v as usize] -= g;
        }
    }
    Ok(sums)
}

fn check(tally: &mut Tally, block: &Mesh, sums: &Sums, expected: f64, law: &str) {
    tally.check(sums.energy - expected, 1e-12 * expected.abs(), || format!("{law}, energy"));
    let largest = sums.forces.iter().map(nalgebra::Matrix::norm).fold(0.0, f64::max);
    let inside = |x: &[f64; 3]| x.iter().all(|c| (1e-9..1.0 - 1e-9).contains(c));
    for (x, force) in block.verts.iter().zip(&sums.forces).filter(|(x, _)| inside(x)) {
        tally.check(force.norm(), 1e-9 * largest, || format!("{law}, force at the inner vertex {x:?}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn worst(factor: f64) -> f64 {
        let (mu, lambda, stretch) = (2.0, 5.0, 1.1_f64);
        let strain: f64 = 0.5 * (stretch * stretch - 1.0);
        let json = serde_json::json!({
            "setup": "unit cube 3x3x3 cells",
            "cases": [{
                "F": [[stretch, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
                "mu": mu,
                "lambda": lambda,
                "volume": stretch,
                "energy_neohookean": 0.5 * mu * (stretch * stretch - 1.0)
                    + 0.5 * lambda * (stretch - 1.0 - mu / lambda).powi(2),
                "energy_stvk": factor * (mu + 0.5 * lambda) * strain * strain,
            }]
        });
        judge(&json).unwrap().worst
    }

    #[test]
    fn a_stretched_cube_has_the_energies_of_the_formulas() {
        assert!(worst(1.0) < 0.1);
        assert!(worst(1.0 + 1e-11) > 1.0);
    }
}
