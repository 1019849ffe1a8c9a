//! [`Spring`]: a damped oscillator that follows a moving target, solved exactly.
//!
//! ```text
//! y″ + 2ζω y′ + ω² (y − r(t)) = 0        r(t) = r₀ + u t over a step
//! ```
//!
//! With z = y − r(t) + (2ζ/ω) u the equation is homogeneous, z″ + 2ζω z′ + ω² z = 0, and a step of length h
//! is a linear map,
//!
//! ```text
//! z₁ = (c + ζω s) z₀ + s z₀′        z₁′ = −ω² s z₀ + (c − ζω s) z₀′
//! c = e^(−ζωh) cos ω_d h,  s = e^(−ζωh) sin(ω_d h)/ω_d        ω_d = ω √(1 − ζ²)
//! ```
//!
//! with cosh and sinh where ζ > 1. That is the solution, not an approximation: it is stable for every h, and
//! a motion sampled at another rate gives the same answer as far as straight lines between the samples
//! describe it.

use nalgebra::Vector3;

use crate::error::BindError;

/// A spring between a vertex and where it should be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spring {
    /// Angular frequency without damping ω, rad/s.
    pub frequency: f64,
    /// Damping ratio ζ: below 1 it swings, at 1 it comes to rest soonest, above it creeps.
    pub damping: f64,
}

impl Default for Spring {
    /// ω = 22.22 rad/s and ζ = 0.276, the response of the published jiggle at its defaults.
    fn default() -> Self {
        Self { frequency: 22.22, damping: 0.276 }
    }
}

impl Spring {
    /// The spring that swings and decays as the published jiggle does at its own rate, with damping D,
    /// stiffness k and step h in seconds.
    ///
    /// The published step is a linear map with determinant D and trace 1 + D − hDk. Its eigenvalues are
    /// e^(−ζωh ± iω_d h) for
    ///
    /// ```text
    /// ζω h = −½ ln D        cos(ω_d h) = (1 + D − hDk)/(2√D)
    /// ```
    ///
    /// None where they are not complex: it does not swing then.
    ///
    /// ```
    /// let spring = pliant_deform::Spring::like_published(0.6, 25.0, 1.0 / 24.0).expect("it swings");
    /// assert!((spring.frequency - 22.22).abs() < 0.01 && (spring.damping - 0.276).abs() < 0.001);
    /// ```
    #[must_use]
    pub fn like_published(damping: f64, stiffness: f64, step: f64) -> Option<Self> {
        let cosine = (1.0 + damping - step * damping * stiffness) / (2.0 * damping.sqrt());
        let decay = -0.5 * libm::log(damping) / step;
        let swing = libm::acos(cosine) / step;
        let frequency = (decay * decay + swing * swing).sqrt();
        (frequency > 0.0 && frequency.is_finite()).then_some(Self { frequency, damping: decay / frequency })
    }

    pub(crate) fn check(self) -> Result<(), BindError> {
        if !(self.frequency > 0.0 && self.frequency.is_finite()) {
            let range = "positive and finite, in radians per second";
            return Err(BindError::Number {
                what: "the frequency of a spring",
                value: self.frequency,
                range,
            });
        }
        crate::error::check_length("the damping ratio of a spring", self.damping)
    }

    /// The map of a step of `h` seconds.
    pub(crate) fn step(self, h: f64) -> Step {
        let (omega, zeta) = (self.frequency, self.damping);
        let decay = zeta * omega;
        // (ω_d h)², negative where it is overdamped.
        let q = (1.0 - zeta * zeta) * (omega * h) * (omega * h);
        let (c, s) = if q.abs() < 1e-8 {
            // Near critical damping the quotients are 0/0; their series is exact to rounding here.
            let e = libm::exp(-decay * h);
            (e * (1.0 - q / 2.0), e * h * (1.0 - q / 6.0))
        } else if q > 0.0 {
            let e = libm::exp(-decay * h);
            let swing = omega * (1.0 - zeta * zeta).sqrt();
            (e * libm::cos(swing * h), e * libm::sin(swing * h) / swing)
        } else {
            // The slow rate ζω − r as ω²/(ζω + r), without cancellation.
            let r = omega * (zeta * zeta - 1.0).sqrt();
            let slow = libm::exp(-omega * omega / (decay + r) * h);
            let fast = libm::exp(-(decay + r) * h);
            (0.5 * (slow + fast), 0.5 * (slow - fast) / r)
        };
        Step { map: [[c + decay * s, s], [-omega * omega * s, c - decay * s]], lag: 2.0 * zeta / omega, h }
    }
}

/// The map of a step.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Step {
    map: [[f64; 2]; 2],
    /// How far it lags behind a target that moves steadily, s.
    lag: f64,
    h: f64,
}

impl Step {
    /// Follows a target that goes from `r0` to `r1`, m, with position and velocity as state.
    pub(crate) fn follow(
        &self,
        state: [Vector3<f64>; 2],
        r0: &Vector3<f64>,
        r1: &Vector3<f64>,
    ) -> [Vector3<f64>; 2] {
        if self.h == 0.0 {
            return state;
        }
        let [y, v] = state;
        let u = (r1 - r0) / self.h;
        let behind = u * self.lag;
        let (z, dz) = (y - r0 + behind, v - u);
        let [[a, b], [c, d]] = self.map;
        [(z * a + dz * b - behind) + r1, z * c + dz * d + u]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The same motion by very many small steps of a Runge–Kutta method of fourth order.
    fn integrate(spring: Spring, h: f64, y: f64, v: f64, r0: f64, r1: f64) -> [f64; 2] {
        let n = 4000;
        let dt = h / f64::from(n);
        let acceleration = |t: f64, y: f64, v: f64| {
            let r = r0 + (r1 - r0) * t / h;
            -2.0 * spring.damping * spring.frequency * v - spring.frequency * spring.frequency * (y - r)
        };
        let (mut y, mut v) = (y, v);
        for i in 0..n {
            let t = f64::from(i) * dt;
            let k1 = (v, acceleration(t, y, v));
            let k2 =
                (v + dt / 2.0 * k1.1, acceleration(t + dt / 2.0, y + dt / 2.0 * k1.0, v + dt / 2.0 * k1.1));
            let k3 =
                (v + dt / 2.0 * k2.1, acceleration(t + dt / 2.0, y + dt / 2.0 * k2.0, v + dt / 2.0 * k2.1));
            let k4 = (v + dt * k3.1, acceleration(t + dt, y + dt * k3.0, v + dt * k3.1));
            y += dt / 6.0 * (k1.0 + 2.0 * k2.0 + 2.0 * k3.0 + k4.0);
            v += dt / 6.0 * (k1.1 + 2.0 * k2.1 + 2.0 * k3.1 + k4.1);
        }
        [y, v]
    }

    fn damping() -> impl Strategy<Value = f64> {
        prop_oneof![0.0..1.0_f64, Just(1.0), 0.999_999..1.000_001_f64, 1.0..5.0_f64]
    }

    proptest! {
        #![proptest_config(pliant_testkit::config(64))]
        #[test]
        fn a_step_is_the_solution_for_a_linear_target(
            frequency in 0.5..40.0_f64, damping in damping(), h in 0.001..0.2_f64,
            y in -1.0..1.0_f64, v in -5.0..5.0_f64, r0 in -1.0..1.0_f64, r1 in -1.0..1.0_f64,
        ) {
            let spring = Spring { frequency, damping };
            let on_x = |x: f64| Vector3::x() * x;
            let [found, speed] = spring.step(h).follow([on_x(y), on_x(v)], &on_x(r0), &on_x(r1));
            let [expected, expected_speed] = integrate(spring, h, y, v, r0, r1);
            prop_assert!((found.x - expected).abs() < 1e-8, "{} {expected}", found.x);
            prop_assert!((speed.x - expected_speed).abs() < 1e-6, "{} {expected_speed}", speed.x);
        }

        #[test]
        fn a_step_in_two_halves_is_the_step(damping in damping(), h in 1e-4..0.5_f64, u in -3.0..3.0_f64) {
            let spring = Spring { damping, ..Spring::default() };
            let r = |t: f64| Vector3::x() * (u * t);
            let start = [Vector3::x() * 0.3, Vector3::y()];
            let whole = spring.step(h).follow(start, &r(0.0), &r(h));
            let half = spring.step(h / 2.0);
            let halves = half.follow(half.follow(start, &r(0.0), &r(h / 2.0)), &r(h / 2.0), &r(h));
            prop_assert!((whole[0] - halves[0]).norm() < 1e-12 && (whole[1] - halves[1]).norm() < 1e-10);
        }

        #[test]
        fn it_is_stable_for_every_step(frequency in 1e-3..1e6_f64, damping in damping(), h in 0.0..1e6_f64) {
            let [[a, b], [c, d]] = Spring { frequency, damping }.step(h).map;
            prop_assert!([a, b, c, d].iter().all(|x| x.is_finite()));
            // Both eigenvalues lie in the unit circle: |det| ≤ 1 and |trace| ≤ 1 + det.
            let (det, trace) = (a * d - b * c, a + d);
            prop_assert!(det <= 1.0 + 1e-9 && trace.abs() <= 1.0 + det + 1e-9, "{det} {trace}");
        }
    }
}
