//! Derivatives by finite differences, with an estimate of their own error.
//!
//! Central differences at halved steps are extrapolated to step zero (Richardson); the table entry that agrees best with its
//! neighbours is taken, and the disagreement is the error. Source: Ridders, "Accurate computation of F'(x) and F'(x) F''(x)" (1982).

use nalgebra::Vector3;
use pliant_constraints::BlockConstraint;

use crate::error::{CheckError, within};

/// A number and an estimate of its error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The number.
    pub value: f64,
    /// How far it may be off.
    pub error: f64,
}

/// Halvings of the step: from a tenth of a stencil's smallest distance down to 10⁻⁶ of it, so that a feature much smaller than the
/// distances (the height of a thin triangle) is still resolved.
const HALVINGS: usize = 17;

/// Columns of the extrapolation table: beyond these rounding gains more than the truncation error loses.
const COLUMNS: usize = 6;

/// The derivative of `f` at `x`.
///
/// `step` is the first and largest step: the function should be smooth that far around `x`, and must be somewhere below it.
///
/// ```
/// let slope = pliant_testkit::derivative(f64::sin, 1.0, 0.1);
/// assert!((slope.value - 1.0_f64.cos()).abs() < 1e-12);
/// assert!(slope.error < 1e-10);
/// ```
pub fn derivative(f: impl Fn(f64) -> f64, x: f64, step: f64) -> Estimate {
    let mut best = Estimate { value: f64::NAN, error: f64::INFINITY };
    let mut above = [0.0; COLUMNS];
    let mut step = step;
    for row in 0..HALVINGS {
        // The step that is really taken, after rounding.
        let (up, down) = (x + step, x - step);
        let mut current = [0.0; COLUMNS];
        let (above_x, below_x) = (f(up), f(down));
        current[0] = (above_x - below_x) / (up - down);
        // Two roundings may agree by chance: the error is never less than what rounding f and x does.
        let size = above_x.abs().max(below_x.abs()) + current[0].abs() * x.abs();
        let rounding = f64::EPSILON * size / step;
        let mut factor = 1.0;
        for column in 1..=row.min(COLUMNS - 1) {
            factor *= 4.0;
            current[column] =
                current[column - 1] + (current[column - 1] - above[column - 1]) / (factor - 1.0);
            let change = (current[column] - current[column - 1]).abs();
            let error = change.max((current[column] - above[column - 1]).abs()).max(rounding);
            if error < best.error {
                best = Estimate { value: current[column], error };
            }
        }
        above = current;
        step *= 0.5;
    }
    best
}

/// The Jacobian of a constraint by finite differences: `[row][point]`, each with the largest error of its components.
pub fn jacobian<C, const N: usize, const M: usize>(
    constraint: &C,
    x: &[Vector3<f64>; N],
) -> [[(Vector3<f64>, f64); N]; M]
where
    C: BlockConstraint<f64, N, M>,
{
    let step = 0.1 * smallest_distance(x);
    std::array::from_fn(|row| {
        std::array::from_fn(|point| {
            let mut gradient = (Vector3::zeros(), 0.0_f64);
            for axis in 0..3 {
                let along = |t: f64| {
                    let mut moved = *x;
                    moved[point][axis] = t;
                    constraint.values(&moved)[row]
                };
                let slope = derivative(along, x[point][axis], step);
                gradient.0[axis] = slope.value;
                gradient.1 = gradient.1.max(slope.error);
            }
            gradient
        })
    })
}

/// Compares the gradients of a constraint with finite differences.
///
/// A gradient may be off by `tolerance` times the longest gradient of its row, and by what the finite differences do not know themselves.
///
/// # Errors
///
/// The first row and point where they disagree; also where the finite differences have no digits, as at a kink.
///
/// ```
/// use nalgebra::Vector3;
/// use pliant_constraints::Distance;
/// use pliant_testkit::check_gradient;
///
/// let x = [Vector3::zeros(), Vector3::new(1.0, 2.0, 3.0)];
/// check_gradient(&Distance { rest: 1.0 }, &x, 1e-9)?;
/// # Ok::<(), pliant_testkit::CheckError>(())
/// ```
pub fn check_gradient<C, const N: usize, const M: usize>(
    constraint: &C,
    x: &[Vector3<f64>; N],
    tolerance: f64,
) -> Result<(), CheckError>
where
    C: BlockConstraint<f64, N, M>,
{
    let (values, gradients) = constraint.values_and_gradients(x);
    let alone = constraint.values(x);
    let numerical = jacobian(constraint, x);
    for row in 0..M {
        let scale = gradients[row].iter().map(Vector3::norm).fold(0.0, f64::max);
        let noise = f64::EPSILON * 8.0 * (values[row].abs() + scale * reach(x));
        within(
            "value beside a gradient against value alone",
            (values[row] - alone[row]).abs(),
            noise,
            || format!("{} and {} at x = {x:?}", values[row], alone[row]),
        )
        .map_err(|e| e.at_row(row))?;
        for point in 0..N {
            let (expected, uncertain) = numerical[row][point];
            let found = gradients[row][point];
            let detail = || {
                format!(
                    "gradient {:?}, finite differences {:?} ± {uncertain:.1e} at x = {x:?}",
                    found.as_slice(),
                    expected.as_slice()
                )
            };
            let placed = |e: CheckError| e.at_row(row).at_point(point);
            within("finite differences", uncertain, 1e-2 * scale + f64::MIN_POSITIVE, detail)
                .map_err(placed)?;
            let allowed = tolerance * scale + 4.0 * uncertain;
            within("gradient against finite differences", (found - expected).norm(), allowed, detail)
                .map_err(placed)?;
        }
    }
    Ok(())
}

/// The smallest distance between two points of a stencil that do not coincide, m; for a single point the size of its coordinates.
pub(crate) fn smallest_distance<const N: usize>(x: &[Vector3<f64>; N]) -> f64 {
    let mut smallest = f64::INFINITY;
    for a in 0..N {
        for b in 0..a {
            let d = (x[a] - x[b]).norm();
            if d > 0.0 {
                smallest = smallest.min(d);
            }
        }
    }
    if smallest.is_finite() { smallest } else { reach(x).max(1.0) }
}

/// The largest distance of a point from the origin, m.
pub(crate) fn reach<const N: usize>(x: &[Vector3<f64>; N]) -> f64 {
    x.iter().map(Vector3::norm).fold(0.0, f64::max)
}
