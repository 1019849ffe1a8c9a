//! [`angle`]: the angle of a point of the plane, in every width of lanes with the same bits.
//!
//! ```text
//! t = min(|x|, |y|)/max(|x|, |y|)     t > tan π/8:  atan t = π/4 + atan((t − 1)/(t + 1))     atan u ≈ u + u z p(z),  z = u²,  |u| ≤ tan π/8
//! ```
//!
//! The octant is found by comparisons and chosen without branches, so that lanes stay together. The
//! polynomials p are the minimax ones of relative error (Remez exchange in 60 digits): 1.3e-18 with eleven
//! coefficients, for `f64`, and 6.7e-10 with five, for `f32`. Results differ from the exact angle by a few
//! units in the last place.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};

use crate::real::Real;

/// tan π/8.
const STEEP: f64 = 0.414_213_562_373_095_05;

/// Coefficients of p for `f64`, that of the lowest power first.
const LONG: [f64; 11] = [
    -0.333_333_333_333_332,
    0.199_999_999_999_532_48,
    -0.142_857_142_801_665_98,
    0.111_111_107_821_566_53,
    -0.090_908_977_252_954_9,
    0.076_920_597_181_647_19,
    -0.066_630_992_117_460_68,
    0.058_478_593_291_892_22,
    -0.050_391_906_695_519_68,
    0.038_062_145_909_267_8,
    -0.017_905_045_916_245_81,
];

/// Coefficients of p for `f32`.
const SHORT: [f64; 5] = [
    -0.333_333_151_886_311_45,
    0.199_984_715_163_874_3,
    -0.142_435_333_596_054_84,
    0.105_938_138_286_506_48,
    -0.060_782_216_369_757_44,
];

/// The angle of the point (`x`, `y`), radians, in [−π, π]: what `y.atan2(x)` gives, within a few units in the
/// last place, but 0 at the origin and π where `y` is −0 and `x` negative.
///
/// NaN where a coordinate is NaN or both are infinite. Coordinates whose sum overflows count as equal.
///
/// ```
/// let angle = pliant_constraints::angle(1.0_f64, -1.0);
/// assert!((angle - 0.75 * std::f64::consts::PI).abs() < 1e-15);
/// ```
#[inline(always)]
pub fn angle<T: Real>(y: T, x: T) -> T {
    let (across, up) = (x.abs(), y.abs());
    let is_steep = across.lt(up);
    // Chosen by the mask, so that NaN stays.
    let (large, small) = (T::select(is_steep, up, across), T::select(is_steep, across, up));
    let large = T::select(large.le(T::zero()), T::one(), large);
    let is_diagonal = (large * T::splat(STEEP)).lt(small);
    let u = T::select(is_diagonal, small - large, small) / T::select(is_diagonal, small + large, large);
    let z = u * u;
    let p = if T::EPSILON > 1e-10 { polynomial(&SHORT, z) } else { polynomial(&LONG, z) };
    let octant = u + u * (z * p) + T::select(is_diagonal, T::splat(FRAC_PI_4), T::zero());
    let quadrant = T::select(is_steep, T::splat(FRAC_PI_2) - octant, octant);
    let half = T::select(x.lt(T::zero()), T::splat(PI) - quadrant, quadrant);
    T::select(y.lt(T::zero()), -half, half)
}

/// Σ c_i zⁱ, by Horner's rule.
#[inline(always)]
fn polynomial<T: Real, const N: usize>(coefficients: &[f64; N], z: T) -> T {
    let mut sum = T::splat(coefficients[N - 1]);
    for i in (0..N - 1).rev() {
        sum = sum * z + T::splat(coefficients[i]);
    }
    sum
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Distance in units of the last place of the larger.
    fn units(a: f64, b: f64, epsilon: f64) -> f64 {
        (a - b).abs() / (epsilon * a.abs().max(b.abs()).max(f64::MIN_POSITIVE))
    }

    proptest! {
        #![proptest_config(pliant_testkit::config(4096))]

        #[test]
        fn it_is_the_arc_tangent(
            turn in -1.0..1.0_f64,
            (size, small) in (-30..30_i32, -40..1_i32),
            swap in any::<bool>(),
        ) {
            // Every direction, and those close to the axes.
            let (sin, cos) = libm::sincos(PI * turn);
            let (mut x, mut y) = (cos * 10_f64.powi(size), sin * 10_f64.powi(size) * 2_f64.powi(small));
            if swap {
                (x, y) = (y, x);
            }
            let exact = libm::atan2(y, x);
            prop_assert!(units(angle(y, x), exact, f64::EPSILON) <= 3.0, "{} for {exact}", angle(y, x));
            let (x, y) = (x as f32, y as f32);
            let exact = libm::atan2(f64::from(y), f64::from(x));
            let found = f64::from(angle(y, x));
            prop_assert!(units(found, exact, f64::from(f32::EPSILON)) <= 3.0, "{found} for {exact} in f32");
        }
    }

    #[test]
    fn the_axes_and_diagonals_are_exact() {
        for (y, x, expected) in [
            (0.0, 1.0, 0.0),
            (1.0, 1.0, FRAC_PI_4),
            (3.0, 0.0, FRAC_PI_2),
            (2.0, -2.0, PI - FRAC_PI_4),
            (0.0, -1.0, PI),
            (-1.0, 0.0, -FRAC_PI_2),
            (-5.0, 5.0, -FRAC_PI_4),
            (0.0, 0.0, 0.0),
            (1.0, f64::INFINITY, 0.0),
        ] {
            assert_eq!(angle(y, x), expected, "({x}, {y})");
        }
    }

    #[test]
    fn what_is_not_a_number_stays_so() {
        assert!(angle(f64::NAN, 1.0).is_nan());
        assert!(angle(1.0, f64::NAN).is_nan());
        assert!(angle(f64::NAN, f64::NAN).is_nan());
    }
}
