//! [`check_potential`]: energy, gradient and stiffness of a constraint against finite differences.

use nalgebra::{DMatrix, Matrix3, Vector3};
use pliant_constraints::{BlockConstraint, Potential, potential, potential_energy};

use crate::check_hessian;
use crate::difference::{derivative, smallest_distance};
use crate::error::{CheckError, within};

/// A constraint minus its values at one place: it is satisfied there, so that the Hessian of its energy is
/// the stiffness.
struct Satisfied<'a, C, const M: usize>(&'a C, [f64; M]);

impl<C: BlockConstraint<f64, N, M>, const N: usize, const M: usize> BlockConstraint<f64, N, M>
    for Satisfied<'_, C, M>
{
    fn values(&self, x: &[Vector3<f64>; N]) -> [f64; M] {
        let values = self.0.values(x);
        std::array::from_fn(|row| values[row] - self.1[row])
    }

    fn values_and_gradients(&self, x: &[Vector3<f64>; N]) -> ([f64; M], [[Vector3<f64>; N]; M]) {
        (self.values(x), self.0.values_and_gradients(x).1)
    }
}

/// Checks the [`potential`] of a constraint with a compliance: the gradient against finite differences of the
/// energy, and the stiffness against those of the gradient, at the same place, with the values there
/// subtracted, so that it is the whole Hessian. For constraints that are invariant under translations.
///
/// # Errors
///
/// The first number that disagrees.
///
/// ```
/// use nalgebra::Vector3;
/// use pliant_constraints::Distance;
/// use pliant_testkit::check_potential;
///
/// let x = [Vector3::zeros(), Vector3::new(1.2, 0.3, -0.4)];
/// check_potential(&Distance { rest: 1.0 }, &x, 1e-3, 1e-6)?;
/// # Ok::<(), pliant_testkit::CheckError>(())
/// ```
pub fn check_potential<C, const N: usize, const M: usize>(
    constraint: &C,
    x: &[Vector3<f64>; N],
    compliance: f64,
    tolerance: f64,
) -> Result<(), CheckError>
where
    C: BlockConstraint<f64, N, M>,
{
    let Some(here) = potential(constraint, x, compliance) else { return Ok(()) };
    let (values, size) = (constraint.values(x), smallest_distance(x));
    let largest = here.stiffness.iter().flatten().map(Matrix3::amax).fold(0.0, f64::max);
    for (point, found) in here.gradient.iter().enumerate() {
        for axis in 0..3 {
            let along = |t: f64| {
                let mut moved = *x;
                moved[point][axis] = t;
                potential_energy(constraint, &moved, compliance)
            };
            let slope = derivative(along, x[point][axis], 0.1 * size);
            // The tolerance includes the change over a thousandth of the smallest distance.
            let allowed = 10.0 * slope.error + tolerance * (found.amax() + 1e-3 * largest * size);
            within("gradient of the energy", (found[axis] - slope.value).abs(), allowed, || {
                format!("{found:?} at point {point}, finite differences {slope:?} at x = {x:?}")
            })?;
        }
    }
    let satisfied = Satisfied(constraint, values);
    let of = |x: &[Vector3<f64>; N]| potential(&satisfied, x, compliance);
    let Some(Potential { energy, stiffness, .. }) = of(x) else { return Ok(()) };
    within("energy of what is satisfied", energy.abs(), 0.0, || format!("at x = {x:?}"))?;
    let dense = DMatrix::from_fn(3 * N, 3 * N, |r, c| stiffness[r / 3][c / 3][(r % 3, c % 3)]);
    check_hessian(|x| of(x).map_or([Vector3::zeros(); N], |p| p.gradient), &dense, x, tolerance)
}
