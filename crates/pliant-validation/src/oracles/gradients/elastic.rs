//! The kinds that are elastic energies: their files give a rest shape and moduli instead of a rest value.

use nalgebra::{Matrix4, Vector3};
use pliant_constraints::{
    Elastic, IsometricBending, Lame, MembraneEnergy, NeoHookeanTet, PlaneStiffness, RestTriangle, StVkTet,
};
use serde::Deserialize;
use serde_json::Value;

use super::{Case, compare, points};
use crate::oracles::verdict::{Problem, Tally};

/// The data of a case of an elastic kind in addition to those of every case.
#[derive(Deserialize)]
struct Element {
    rest: Vec<[f64; 3]>,
    #[serde(default)]
    mu: f64,
    #[serde(default)]
    lambda: f64,
    #[serde(default)]
    thickness: f64,
    #[serde(default)]
    min_separate_distance: f64,
    /// Absent where the file's own rest shape is singular.
    segment_and_line_rule_agree: Option<bool>,
    compliance: Option<f64>,
    #[serde(rename = "Q")]
    q: Option<[[f64; 4]; 4]>,
    hess: Option<[[f64; 9]; 9]>,
}

impl Element {
    fn moduli(&self) -> Lame {
        Lame { mu: self.mu, lambda: self.lambda }
    }

    fn rest<const N: usize>(&self, case: &Case) -> Result<[Vector3<f64>; N], Problem> {
        points(&self.rest).ok_or_else(|| Problem(format!("{case} has not {N} rest positions")))
    }
}

/// Judges the cases of an elastic kind; `None` for other kinds.
pub(super) fn judge(kind: &str, cases: &[Value]) -> Option<Result<Tally, Problem>> {
    let one: One = match kind {
        "isometric_bending" => isometric_bending,
        "stvk_stitch" => stvk_stitch,
        "stvk_tet" => stvk_tet,
        "neohookean_hydrostatic" => |tally, case, element| neo_hookean(tally, case, element, 0),
        "neohookean_deviatoric" => |tally, case, element| neo_hookean(tally, case, element, 1),
        _ => return None,
    };
    Some(all(cases, one))
}

type One = fn(&mut Tally, &Case, &Element) -> Result<(), Problem>;

fn all(cases: &[Value], one: One) -> Result<Tally, Problem> {
    let mut tally = Tally::default();
    for json in cases {
        let case: Case = serde_json::from_value(json.clone())?;
        let element: Element = serde_json::from_value(json.clone())?;
        tally.case();
        one(&mut tally, &case, &element)?;
    }
    Ok(tally)
}

fn stvk_tet(tally: &mut Tally, case: &Case, element: &Element) -> Result<(), Problem> {
    let tet = StVkTet::elastic(&element.rest(case)?, element.moduli())?;
    compare(tally, case, |x| (tet.energy(x), tet.energy_gradient(x)))
}

fn neo_hookean(tally: &mut Tally, case: &Case, element: &Element, row: usize) -> Result<(), Problem> {
    let tet = NeoHookeanTet::with_moduli(&element.rest(case)?, element.moduli())?;
    compare(tally, case, |x| {
        let (values, gradients) = tet.kind.unscaled(x);
        (values[row], gradients[row])
    })?;
    if let Some(expected) = element.compliance {
        let scale = if row == 0 { tet.kind.scale } else { 1.0 };
        let found = tet.compliance / (scale * scale);
        tally.check(found / expected - 1.0, 1e-9, || format!("{case}, compliance"));
    }
    Ok(())
}

fn stvk_stitch(tally: &mut Tally, case: &Case, element: &Element) -> Result<(), Problem> {
    let rest = RestTriangle::lifted(&element.rest(case)?, element.min_separate_distance)?;
    let stiffness = PlaneStiffness::isotropic(element.moduli())?;
    let sheet = MembraneEnergy::new(&rest, &stiffness, 2.0 * element.thickness * rest.area)?;
    // If the file has another rest shape, the numbers need only be finite.
    let other = case.only_finite || element.segment_and_line_rule_agree == Some(false);
    let case = &Case { only_finite: other, ..case.clone() };
    compare(tally, case, |x| (sheet.energy(x), sheet.gradient(x)))?;

    let x = case.points()?;
    let (hessian, projected) = (sheet.hessian(&x), sheet.projected_hessian(&x));
    let finite = hessian.iter().chain(projected.iter()).all(|entry| entry.is_finite());
    tally.require(finite, || format!("{case}: the Hessian is not finite"));
    let rows: Elastic<_> = sheet.rows();
    let finite = rows.energy(&x).is_finite() && rows.energy_gradient(&x).iter().all(|g| g.norm().is_finite());
    tally.require(finite, || format!("{case}: the rows are not finite"));
    if other {
        return Ok(());
    }
    let (Some(expected), Some(tolerance)) = (&element.hess, case.tol.as_ref().and_then(|tol| tol.hess))
    else {
        return Err(Problem(format!("{case} has no Hessian or tolerance to compare with")));
    };
    for (r, row) in expected.iter().enumerate() {
        for (c, entry) in row.iter().enumerate() {
            tally.check(hessian[(r, c)] - entry, tolerance, || format!("{case}, Hessian ({r}, {c})"));
        }
    }
    // The same by rows, as a solver has it.
    compare(tally, case, |x| (rows.energy(x), rows.energy_gradient(x)))
}

fn isometric_bending(tally: &mut Tally, case: &Case, element: &Element) -> Result<(), Problem> {
    let given = Matrix4::from(element.q.ok_or_else(|| Problem(format!("{case} has no Q")))?);
    // Q = KKᵀ·3/(A0+A1): the largest entry of the diagonal recovers K.
    let j = given.diagonal().imax();
    let k = given.column(j) / given[(j, j)].sqrt();
    let bend = Elastic { kind: IsometricBending { weights: [k[1], k[2], k[3]] }, compliance: 1.0 };
    compare(tally, case, |x| (bend.energy(x), bend.energy_gradient(x)))?;

    let own = IsometricBending::elastic(&element.rest(case)?, 1.0)?;
    let [k1, k2, k3] = own.kind.weights;
    let k = nalgebra::Vector4::new(-(k1 + k2 + k3), k1, k2, k3);
    let own = k * k.transpose() / own.compliance;
    let tolerance = if case.class == "thin_rest_wing" { 1e-6 } else { 1e-9 };
    tally.check((own - given).amax(), tolerance * given.amax(), || format!("{case}, Q of the rest shape"));
    Ok(())
}
