//! Energies: [`EnergyOf`] an elastic element as a function with a gradient, and [`check_hessian`].

use nalgebra::{DMatrix, Vector3};
use pliant_constraints::{BlockConstraint, Constraint, Elastic};

use crate::difference::{derivative, smallest_distance};
use crate::error::{CheckError, within};

/// The energy of an elastic element of `M` rows, seen as one scalar function of the positions.
///
/// The checks of constraints then show that the gradient of the energy is right, that it conserves momentum,
/// and that it is invariant under rigid motions.
///
/// ```
/// use pliant_constraints::{Lame, StVkTet};
/// use pliant_testkit::{EnergyOf, check_gradient, stencil};
/// use proptest::prelude::*;
///
/// proptest!(|(rest in stencil::<4>(), x in stencil::<4>())| {
///     let tet = StVkTet::elastic(&rest, Lame { mu: 1.0, lambda: 1.0 })?;
///     check_gradient(&EnergyOf::<_, 6>(tet), &x, 1e-7)?;
/// });
/// ```
#[derive(Debug, Clone, Copy)]
pub struct EnergyOf<K, const M: usize>(pub Elastic<K>);

impl<K: BlockConstraint<f64, N, M>, const N: usize, const M: usize> Constraint<f64, N> for EnergyOf<K, M> {
    fn value(&self, x: &[Vector3<f64>; N]) -> f64 {
        self.0.energy(x)
    }

    fn value_and_gradient(&self, x: &[Vector3<f64>; N]) -> (f64, [Vector3<f64>; N]) {
        (self.0.energy(x), self.0.energy_gradient(x))
    }
}

/// Compares the Hessian of an energy with finite differences of its gradient, and checks that it is symmetric
/// and invariant under translations.
///
/// Row and column 3j + a belong to axis a of point j. The error of an entry may be `tolerance` times the
/// largest entry, plus the uncertainty of the finite differences.
///
/// # Errors
///
/// The first entry where they disagree; also a matrix of the wrong size.
///
/// ```
/// use nalgebra::{DMatrix, Vector3};
/// use pliant_testkit::check_hessian;
///
/// // A spring of zero length between two points.
/// let gradient = |x: &[Vector3<f64>; 2]| [x[0] - x[1], x[1] - x[0]];
/// let hessian = DMatrix::from_fn(6, 6, |r, c| f64::from(r == c) - f64::from(r.abs_diff(c) == 3));
/// check_hessian(gradient, &hessian, &[Vector3::zeros(), Vector3::x()], 1e-9)?;
/// # Ok::<(), pliant_testkit::CheckError>(())
/// ```
pub fn check_hessian<const N: usize>(
    gradient: impl Fn(&[Vector3<f64>; N]) -> [Vector3<f64>; N],
    hessian: &DMatrix<f64>,
    x: &[Vector3<f64>; N],
    tolerance: f64,
) -> Result<(), CheckError> {
    let size = 3 * N;
    within(
        "size of the Hessian",
        (hessian.nrows().abs_diff(size) + hessian.ncols().abs_diff(size)) as f64,
        0.0,
        || format!("{} × {} for {N} points", hessian.nrows(), hessian.ncols()),
    )?;
    let largest = hessian.amax();
    let asymmetry = (hessian - hessian.transpose()).amax();
    within("symmetry of the Hessian", asymmetry, 1e-13 * largest, || format!("{hessian} at x = {x:?}"))?;
    for row in 0..size {
        for axis in 0..3 {
            let sum: f64 = (0..N).map(|j| hessian[(row, 3 * j + axis)]).sum();
            within("Hessian under a translation", sum.abs(), 1e-12 * largest, || {
                format!("row {row}, axis {axis} of {hessian} at x = {x:?}")
            })?;
        }
    }
    let step = 0.1 * smallest_distance(x);
    for column in 0..size {
        let (point, axis) = (column / 3, column % 3);
        for row in 0..size {
            let along = |t: f64| {
                let mut moved = *x;
                moved[point][axis] = t;
                gradient(&moved)[row / 3][row % 3]
            };
            let slope = derivative(along, x[point][axis], step);
            let found = hessian[(row, column)];
            let detail =
                || format!("entry ({row}, {column}) is {found}, finite differences {slope:?} at x = {x:?}");
            within("finite differences", slope.error, 1e-2 * largest, detail)?;
            let allowed = tolerance * largest + 4.0 * slope.error;
            within("Hessian against finite differences", (found - slope.value).abs(), allowed, detail)?;
        }
    }
    Ok(())
}
