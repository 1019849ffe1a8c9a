//! The rows that a projection uses, against the values and gradients of which they are a multiple.

use nalgebra::Vector3;
use pliant_constraints::{BlockConstraint, ScaledRows};

use crate::error::{CheckError, within};

/// Checks that the [scaled rows](BlockConstraint::scaled_rows) of a constraint are its values, its gradients times the
/// factor, and
/// s J W Jᵀ of these: a kind may compute them by a formula of its own, which must give the same. Rows that are said to be
/// [one vector](BlockConstraint::IS_VECTOR) must be one.
///
/// # Errors
///
/// The first number that differs by more than `tolerance` of the largest of its sort, or a factor that is not positive.
pub fn check_scaled_rows<C, const N: usize, const M: usize>(
    constraint: &C,
    x: &[Vector3<f64>; N],
    w: &[f64; N],
    tolerance: f64,
) -> Result<(), CheckError>
where
    C: BlockConstraint<f64, N, M>,
{
    let ScaledRows { factor, values, gradients, inverse_mass } = constraint.scaled_rows(x, w);
    let (plain_values, plain) = constraint.values_and_gradients(x);
    if !(factor > 0.0 && factor.is_finite()) {
        let detail = format!("the factor is {factor} at x = {x:?}");
        return Err(CheckError::new("scaled rows: a positive factor", factor.abs(), 0.0, detail));
    }
    if C::IS_VECTOR {
        check_vector(&plain)?;
    }
    let largest = |numbers: &mut dyn Iterator<Item = f64>| numbers.map(f64::abs).fold(0.0, f64::max);
    // Values may cancel, such as a length minus its rest length: the terms are as large as the gradient times
    // the stencil.
    let size = x.iter().map(|p| (p - x[0]).norm()).fold(0.0, f64::max);
    let steepest = largest(&mut plain.iter().flatten().flatten().copied());
    let of_values = largest(&mut plain_values.iter().copied()) + steepest * size;
    let of_gradients = largest(&mut gradients.iter().flatten().flatten().copied());
    for row in 0..M {
        within(
            "scaled rows: the values",
            (values[row] - plain_values[row]).abs(),
            tolerance * of_values,
            || format!("{} is not {} at x = {x:?}", values[row], plain_values[row]),
        )
        .map_err(|error| error.at_row(row))?;
        for point in 0..N {
            let expected = plain[row][point] * factor;
            let error = (gradients[row][point] - expected).norm();
            within("scaled rows: the gradients", error, tolerance * of_gradients, || {
                let found = gradients[row][point];
                format!("{found:?} is not {expected:?} at x = {x:?}, factor {factor}")
            })
            .map_err(|error| error.at_row(row).at_point(point))?;
        }
    }
    let matrix = constraint.inverse_mass_matrix(w, &plain);
    let of_matrix = factor * (0..M).map(|row| matrix[row][row].abs()).fold(0.0, f64::max);
    for row in 0..M {
        for column in 0..=row {
            let (found, expected) = (inverse_mass[row][column], matrix[row][column] * factor);
            within("scaled rows: the matrix", (found - expected).abs(), tolerance * of_matrix, || {
                format!("entry {row}, {column}: {found} is not {expected} at x = {x:?}, w = {w:?}")
            })
            .map_err(|error| error.at_row(row))?;
        }
    }
    Ok(())
}

/// Checks that rows are the axes of a vector Σ b_j x_j + c.
fn check_vector<const N: usize, const M: usize>(rows: &[[Vector3<f64>; N]; M]) -> Result<(), CheckError> {
    let property = "scaled rows: the axes of one vector";
    for (axis, row) in rows.iter().enumerate() {
        for (point, found) in row.iter().enumerate() {
            let mut expected = Vector3::zeros();
            expected[axis] = rows[0][point].x;
            within(property, (found - expected).norm(), 0.0, || format!("{found:?} is not {expected:?}"))
                .map_err(|error| error.at_row(axis).at_point(point))?;
        }
    }
    Ok(())
}
