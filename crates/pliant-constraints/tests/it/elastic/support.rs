//! Support for the tests of several kinds.

use nalgebra::{Matrix3, Vector3};
use pliant_constraints::{BlockConstraint, Elastic, Lame, Update, project};
use pliant_testkit::{
    EnergyOf, Suite, check_momentum, config, degenerate, positive_weights, stencil, weights,
};
use proptest::prelude::*;

/// A tetrahedron of positive volume with the same points.
pub(crate) fn oriented(x: &[Vector3<f64>; 4]) -> [Vector3<f64>; 4] {
    if volume(x) < 0.0 { [x[0], x[2], x[1], x[3]] } else { *x }
}

/// Signed volume.
pub(crate) fn volume(x: &[Vector3<f64>; 4]) -> f64 {
    (x[1] - x[0]).cross(&(x[2] - x[0])).dot(&(x[3] - x[0])) / 6.0
}

/// Young's modulus, Pa, over six orders of magnitude.
pub(crate) fn young() -> impl Strategy<Value = f64> {
    (2.0..=8.0).prop_map(|e: f64| 10.0_f64.powf(e))
}

/// Moduli of a solid.
pub(crate) fn solid() -> impl Strategy<Value = Lame> {
    (young(), -0.9..0.49).prop_map(|(young, poisson)| Lame::solid(young, poisson).unwrap())
}

/// Moduli of a sheet.
pub(crate) fn sheet() -> impl Strategy<Value = Lame> {
    (young(), -0.9..0.9).prop_map(|(young, poisson)| Lame::plane_stress(young, poisson).unwrap())
}

/// A matrix that may stretch, shear, flatten and mirror.
pub(crate) fn any_map() -> impl Strategy<Value = Matrix3<f64>> {
    prop::array::uniform::<_, 9>(-1.5..=1.5_f64).prop_map(|entries| Matrix3::from_column_slice(&entries))
}

/// The force on a point is to be compared with this: modulus times volume over length.
pub(crate) fn force_scale<const N: usize, const M: usize, K: BlockConstraint<f64, N, M>>(
    element: &Elastic<K>,
    x: &[Vector3<f64>; N],
) -> f64 {
    let (_, gradients) = element.kind.values_and_gradients(x);
    let steepest = gradients.iter().flatten().map(Vector3::norm).fold(0.0, f64::max);
    steepest / element.compliance
}

/// Substeps of 10 ms of free points of 1 kg, losing a tenth of their velocity each time; `visit` sees the
/// positions of each.
pub(crate) fn relax<const N: usize, const M: usize, K: BlockConstraint<f64, N, M>>(
    element: &Elastic<K>,
    floor: f64,
    x: [Vector3<f64>; N],
    substeps: usize,
    mut visit: impl FnMut(&[Vector3<f64>; N]),
) -> [Vector3<f64>; N] {
    let h = 0.01;
    let update = Update::xpbd().with_gradient_floor(floor);
    let mut x = x;
    let mut v = [Vector3::zeros(); N];
    for _ in 0..substeps {
        let before = x;
        for j in 0..N {
            x[j] += v[j] * h;
        }
        let mut lambda = [0.0; M];
        for _ in 0..4 {
            let dx = project(&element.kind, &x, &[1.0; N], element.compliance / (h * h), update, &mut lambda);
            for j in 0..N {
                x[j] += dx[j];
            }
        }
        for j in 0..N {
            v[j] = (x[j] - before[j]) * (0.9 / h);
        }
        visit(&x);
    }
    x
}

/// Whether every coordinate is a number.
pub(crate) fn finite<const N: usize>(x: &[Vector3<f64>; N]) -> bool {
    x.iter().all(|p| p.iter().all(|c| c.is_finite()))
}

/// The properties of the rows of an element, one test each.
macro_rules! row_suite {
    ($n:literal points, $make:expr) => {
        mod rows {
            use super::*;
            use pliant_testkit::{Suite, stencil};

            /// Well-shaped rest shapes: the inverse of others has fewer digits, and so has everything that follows.
            fn suite() -> Suite<$n> {
                let mut suite = Suite::new().with_stencils(stencil::<$n>());
                // At zero compliance the rows nearly depend on each other more often than those of a single one vanish.
                suite.projection_tolerance = 1e-8;
                suite
            }

            #[test]
            fn gradients() {
                suite().gradients($make);
            }
            #[test]
            fn scaled_rows() {
                suite().scaled_rows($make);
            }
            #[test]
            fn translation() {
                suite().translation($make);
            }
            #[test]
            fn rotation() {
                suite().rotation($make);
            }
            #[test]
            fn rigid_motion() {
                suite().rigid_motion($make);
            }
            #[test]
            fn linearised() {
                suite().linearised($make);
            }
            #[test]
            fn damped() {
                suite().damped($make);
            }
            #[test]
            fn finite() {
                suite().finite($make);
            }
            #[test]
            fn momentum() {
                crate::elastic::support::check_momentum_of($make);
            }
        }
    };
}
pub(crate) use row_suite;

/// The properties of the energy of an element of well-shaped rest shapes.
pub(crate) fn check_energy_of<K: BlockConstraint<f64, N, M>, const N: usize, const M: usize>(
    make: impl Fn(&[Vector3<f64>; N]) -> Elastic<K>,
) {
    let energy = |rest: &[Vector3<f64>; N]| EnergyOf::<_, M>(make(rest));
    let suite = Suite::new().with_stencils(stencil::<N>());
    suite.gradients(energy);
    suite.translation(energy);
    suite.rotation(energy);
    suite.rigid_motion(energy);
    suite.momentum(energy);
    proptest!(config(256), |(rest in stencil::<N>(), x in prop_oneof![stencil::<N>(), degenerate::<N>()])| {
        let energy = make(&rest).energy(&x);
        prop_assert!(energy >= 0.0, "{energy} at {x:?}");
    });
}

/// Momentum of projections with a compliance, points fixed or not, and of rigid ones of free points.
///
/// Rigid rows that contradict each other because of fixed points have multipliers without correct digits, and
/// momentum is a sum of those.
pub(crate) fn check_momentum_of<K: BlockConstraint<f64, N, M>, const N: usize, const M: usize>(
    make: impl Fn(&[Vector3<f64>; N]) -> K,
) {
    let drawn = (stencil::<N>(), stencil::<N>(), weights::<N>(), positive_weights::<N>(), -2.0..4.0_f64);
    proptest!(config(256), |((rest, x, w, free, softness) in drawn)| {
        let element = make(&rest);
        let (_, gradients) = element.values_and_gradients(&x);
        let row = |g: &[Vector3<f64>; N]| g.iter().zip(&w).map(|(g, w)| w * g.norm_squared()).sum::<f64>();
        let mass: f64 = gradients.iter().map(row).sum();
        let alpha_tilde = (mass + 1e-6) * 10.0_f64.powf(softness);
        let lambda = element.values(&x).map(|c| 0.3 * c / alpha_tilde);
        check_momentum(&element, &x, &w, alpha_tilde, lambda, 1e-11)?;
        check_momentum(&element, &x, &free, 0.0, [0.0; M], 1e-6)?;
    });
}
