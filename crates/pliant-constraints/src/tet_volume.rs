//! [`TetVolume`]: a tetrahedron of given signed volume.
//!
//! ```text
//! C = (x1−x0)×(x2−x0)·(x3−x0)/6 − V₀
//! ∂C/∂x0 = (x3−x1)×(x2−x1)/6      ∂C/∂x1 = (x2−x0)×(x3−x0)/6
//! ∂C/∂x2 = (x3−x0)×(x1−x0)/6      ∂C/∂x3 = (x1−x0)×(x2−x0)/6
//! ```
//!
//! Unit of C: m³. Unit of the compliance: m³/Pa. The length of each gradient is a third of the area of the
//! opposite face.
//!
//! Source: Müller, Heidelberger, Teschner & Gross 2007; *phys-sim-book*, "Volume conservation constraints",
//! whose text (not its program) has the signs of the first and third gradient reversed.
//!
//! *Hazard.* When the four points collapse towards a line all gradients vanish while C does not, and one
//! projection would throw the points apart without bound: below 1e-7 of the rest tetrahedron's |6V₀|^(2/3)
//! the gradient counts as zero. The value does not distinguish an inverted tetrahedron from one that lacks
//! twice its volume, so it turns most, not all, of them back.

use nalgebra::Vector3;

use crate::constraint::{
    BuiltIn, Constraint, Deformation, Kind, Rigidity, ScaledRows, rest_is_one_number, weighted_product,
};
use crate::real::{Real, cross, times};

/// Keeps the signed volume of four points at `rest`.
///
/// ```
/// use nalgebra::Vector3;
/// use pliant_constraints::{Constraint, TetVolume};
///
/// let x = [Vector3::zeros(), Vector3::x(), Vector3::y(), Vector3::z()];
/// let (volume, gradients) = TetVolume { rest: 0.1 }.value_and_gradient(&x);
/// assert_eq!(volume, 1.0 / 6.0 - 0.1);
/// assert_eq!(gradients[3], Vector3::z() / 6.0);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TetVolume<T> {
    /// Rest volume V₀, m³.
    pub rest: T,
}

impl<T: Real> TetVolume<T> {
    /// The constraint that is satisfied at the given positions.
    #[must_use]
    pub fn at_rest(x: &[Vector3<T>; 4]) -> Self {
        Self { rest: TetVolume { rest: T::zero() }.lack(six_volumes(x)) }
    }
}

/// Six times the signed volume.
#[inline(always)]
fn six_volumes<T: Real>(x: &[Vector3<T>; 4]) -> T {
    cross(&(x[1] - x[0]), &(x[2] - x[0])).dot(&(x[3] - x[0]))
}

/// Six times the signed volume, and its gradients.
#[inline(always)]
fn six_volumes_and_gradients<T: Real>(x: &[Vector3<T>; 4]) -> (T, [Vector3<T>; 4]) {
    let (a, b, c) = (x[1] - x[0], x[2] - x[0], x[3] - x[0]);
    let (g1, g2, g3) = (cross(&b, &c), cross(&c, &a), cross(&a, &b));
    // The gradients sum to zero, so this is the cross product of the docs, cheaper and with exact momentum.
    (g3.dot(&c), [-(g1 + g2 + g3), g1, g2, g3])
}

impl<T: Real> TetVolume<T> {
    /// C from six volumes; exactly zero where the constraint was made.
    #[inline(always)]
    fn lack(&self, six_volumes: T) -> T {
        six_volumes * T::splat(1.0 / 6.0) - self.rest
    }
}

impl<T: Real> Constraint<T, 4> for TetVolume<T> {
    #[inline(always)]
    fn value(&self, x: &[Vector3<T>; 4]) -> T {
        self.lack(six_volumes(x))
    }

    #[inline(always)]
    fn value_and_gradient(&self, x: &[Vector3<T>; 4]) -> (T, [Vector3<T>; 4]) {
        let (six_volumes, mut gradients) = six_volumes_and_gradients(x);
        for gradient in &mut gradients {
            *gradient = times(gradient, T::splat(1.0 / 6.0));
        }
        (self.lack(six_volumes), gradients)
    }

    #[inline(always)]
    fn scaled_row(&self, x: &[Vector3<T>; 4], w: &[T; 4]) -> ScaledRows<T, 4, 1> {
        let (six_volumes, gradients) = six_volumes_and_gradients(x);
        ScaledRows {
            factor: T::splat(6.0),
            values: [self.lack(six_volumes)],
            inverse_mass: [[weighted_product(w, &gradients, &gradients) * T::splat(1.0 / 6.0)]],
            gradients: [gradients],
        }
    }
}

impl Kind<4, 1> for TetVolume<f64> {
    const BUILT_IN: Option<BuiltIn> = Some(BuiltIn::HERE);
    type At<T: Real> = TetVolume<T>;
    const UNIT: &'static str = "m³";
    const RIGIDITY: Rigidity = Rigidity::Flows;
    rest_is_one_number!(TetVolume);

    fn gradient_floor(&self) -> f64 {
        let length = libm::cbrt(6.0 * self.rest.abs());
        let area = length * length;
        (1e-7 * area) * (1e-7 * area)
    }

    fn least_gradient_floor(kinds: &[Self]) -> f64 {
        // The smaller the volume, the lower the floor: one root does for all.
        let volumes = kinds.iter().map(|tet| tet.rest.abs()).filter(|&volume| volume > 0.0);
        volumes.reduce(f64::min).map_or(0.0, |rest| Self { rest }.gradient_floor())
    }

    #[inline(always)]
    fn deformation<T: Real>(tet: &Self::At<T>, values: &[T; 1]) -> Deformation<T> {
        Deformation::Volume(values[0] / tet.rest)
    }
}
