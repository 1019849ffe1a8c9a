//! Momentum of one projection: [`check_momentum`].
//!
//! A constraint between free points can only push them against each other: Σ m_j Δx_j = 0 and Σ x_j × m_j
//! Δx_j = 0. A fixed point absorbs momentum, so fewer laws hold:
//!
//! | fixed points | holds |
//! |---|---|
//! | none | linear and angular momentum |
//! | one | angular momentum about it |
//! | two | its component along the line through both |
//! | more | only that fixed points do not move |

use nalgebra::Vector3;
use pliant_constraints::{BlockConstraint, Update, project};

use crate::error::{CheckError, within};
use crate::invariance::centroid;

/// Projects a constraint once and checks the momentum of its displacements.
///
/// `w` are inverse masses, 1/kg, some of which may be zero; `alpha_tilde` is α/h². Only for constraints that
/// are not tied to a fixed frame.
///
/// # Errors
///
/// The first law that does not hold to `tolerance` of the sum of the terms' lengths.
///
/// ```
/// use nalgebra::Vector3;
/// use pliant_constraints::Distance;
/// use pliant_testkit::check_momentum;
///
/// let x = [Vector3::zeros(), Vector3::new(1.0, 2.0, 3.0)];
/// check_momentum(&Distance { rest: 1.0 }, &x, &[1.0, 3.0], 0.5, [-0.1], 1e-14)?;
/// # Ok::<(), pliant_testkit::CheckError>(())
/// ```
pub fn check_momentum<C, const N: usize, const M: usize>(
    constraint: &C,
    x: &[Vector3<f64>; N],
    w: &[f64; N],
    alpha_tilde: f64,
    lambda: [f64; M],
    tolerance: f64,
) -> Result<(), CheckError>
where
    C: BlockConstraint<f64, N, M>,
{
    let mut after = lambda;
    let dx = project(constraint, x, w, alpha_tilde, Update::xpbd(), &mut after);
    let fixed: Vec<usize> = (0..N).filter(|&j| w[j] == 0.0).collect();
    for &j in &fixed {
        within("a fixed point moved", dx[j].norm(), 0.0, || {
            format!("by {:?} at x = {x:?}", dx[j].as_slice())
        })
        .map_err(|e| e.at_point(j))?;
    }
    let free = || (0..N).filter(|&j| w[j] != 0.0);
    let detail = |sum: Vector3<f64>| format!("sum {:?}, Δx {dx:?} at x = {x:?}, w = {w:?}", sum.as_slice());
    if fixed.is_empty() {
        let sum: Vector3<f64> = free().map(|j| dx[j] / w[j]).sum();
        let scale: f64 = free().map(|j| dx[j].norm() / w[j]).sum();
        within("linear momentum of a projection", sum.norm(), tolerance * scale, || detail(sum))?;
    }
    let about = fixed.first().map_or_else(|| centroid(x), |&j| x[j]);
    let torque: Vector3<f64> = free().map(|j| (x[j] - about).cross(&dx[j]) / w[j]).sum();
    let scale: f64 = free().map(|j| (x[j] - about).norm() * dx[j].norm() / w[j]).sum();
    match fixed[..] {
        [] | [_] => {
            within("angular momentum of a projection", torque.norm(), tolerance * scale, || detail(torque))
        }
        [a, b] if x[a] != x[b] => {
            let axis = (x[b] - x[a]).normalize();
            let along = torque.dot(&axis).abs();
            within("angular momentum about the fixed line", along, tolerance * scale, || detail(torque))
        }
        _ => Ok(()),
    }
}
