//! Derivatives by finite differences, with an estimate of their own error.
//!
//! Central differences at halved steps are extrapolated to step zero (Richardson); the table entry that
//! agrees best with its neighbours is taken, and the disagreement is the error. Source: Ridders, "Accurate
//! computation of F'(x) and F'(x) F''(x)" (1982).

use nalgebra::Vector3;
use pliant_constraints::BlockConstraint;

use crate::error::{CheckError, within};

/// A number and an estimate of its error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The number.
    pub value: f64,
    /// Estimate of its error.
    pub error: f64,
}

/// Halvings of the step within one derivative.
const HALVINGS: usize = 9;

/// First steps that are tried, each a tenth of the one before: a stencil may have features much smaller than
/// its distances, such as the height of a thin triangle.
const TRIES: usize = 7;

/// The derivative of `f` at `x`.
///
/// `step` is the first and largest step; the function should be smooth that far around `x`.
///
/// ```
/// let slope = pliant_testkit::derivative(f64::sin, 1.0, 0.1);
/// assert!((slope.value - 1.0_f64.cos()).abs() < 1e-12);
/// assert!(slope.error < 1e-10);
/// ```
pub fn derivative(f: impl Fn(f64) -> f64, x: f64, step: f64) -> Estimate {
    let mut best = Estimate { value: f64::NAN, error: f64::INFINITY };
    let mut above = [0.0; HALVINGS];
    let mut step = step;
    for row in 0..HALVINGS {
        // The actual step, after rounding.
        let (up, down) = (x + step, x - step);
        let (above_x, below_x) = (f(up), f(down));
        let mut current = [0.0; HALVINGS];
        current[0] = (above_x - below_x) / (up - down);
        // Two roundings may agree by chance: the error is never less than that of rounding f and x.
        let size = above_x.abs().max(below_x.abs()) + current[0].abs() * x.abs();
        let rounding = f64::EPSILON * size / step;
        let mut factor = 1.0;
        for column in 1..=row {
            factor *= 4.0;
            current[column] =
                current[column - 1] + (current[column - 1] - above[column - 1]) / (factor - 1.0);
            let change = (current[column] - current[column - 1]).abs();
            let error = change.max((current[column] - above[column - 1]).abs()).max(rounding);
            if error < best.error {
                best = Estimate { value: current[column], error };
            }
        }
        // From here on rounding grows faster than truncation falls.
        if row > 1 && (current[row] - above[row - 1]).abs() > 10.0 * best.error {
            break;
        }
        above = current;
        step *= 0.5;
    }
    best
}

/// The Jacobian of a constraint by finite differences: `[row][point]`, each with the largest error of its components.
///
/// The constraint's own gradients give only the expected size of a derivative, with which an error is compared.
pub fn jacobian<C, const N: usize, const M: usize>(
    constraint: &C,
    x: &[Vector3<f64>; N],
) -> [[(Vector3<f64>, f64); N]; M]
where
    C: BlockConstraint<f64, N, M>,
{
    let (values, gradients) = constraint.values_and_gradients(x);
    std::array::from_fn(|row| {
        let enough = 1e-9 * longest(&gradients[row]) + undetectable(values[row], x);
        std::array::from_fn(|point| {
            let mut best = (Vector3::zeros(), f64::INFINITY);
            let mut step = 0.1 * smallest_distance(x);
            for _ in 0..TRIES {
                let found = gradient(constraint, x, row, point, step);
                // The largest step that is good enough: smaller ones may agree slightly better by chance.
                if found.1 < 0.1 * best.1 {
                    best = found;
                }
                if best.1 <= enough {
                    break;
                }
                step *= 0.1;
            }
            best
        })
    })
}

/// The gradient of a row with respect to one point, and the largest error of its components.
fn gradient<C, const N: usize, const M: usize>(
    constraint: &C,
    x: &[Vector3<f64>; N],
    row: usize,
    point: usize,
    step: f64,
) -> (Vector3<f64>, f64)
where
    C: BlockConstraint<f64, N, M>,
{
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
}

/// Slopes that are smaller than the rounding of the value itself.
fn undetectable<const N: usize>(value: f64, x: &[Vector3<f64>; N]) -> f64 {
    1e3 * f64::EPSILON * value.abs() / smallest_distance(x) + f64::MIN_POSITIVE
}

fn longest(gradients: &[Vector3<f64>]) -> f64 {
    gradients.iter().map(Vector3::norm).fold(0.0, f64::max)
}

/// Compares the gradients of a constraint with finite differences.
///
/// The error of a gradient may be `tolerance` times the longest gradient of its row, plus the uncertainty of
/// the finite differences.
///
/// # Errors
///
/// The first row and point where they disagree; also if the finite differences have no correct digits, as at a kink.
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
        let scale = longest(&gradients[row]);
        let noise = f64::EPSILON * 8.0 * (values[row].abs() + scale * reach(x));
        let undetectable = undetectable(values[row], x);
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
            within("finite differences", uncertain, 1e-2 * scale + undetectable, detail).map_err(placed)?;
            let allowed = tolerance * scale + 4.0 * uncertain;
            within("gradient against finite differences", (found - expected).norm(), allowed, detail)
                .map_err(placed)?;
        }
    }
    Ok(())
}

/// The smallest distance between two points of a stencil that do not coincide, m; for a single point the size
/// of its coordinates.
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
