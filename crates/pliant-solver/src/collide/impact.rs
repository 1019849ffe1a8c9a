//! [`Impact`]: the velocity that a contact gives back.
//!
//! A contact with weights b and normal n is approached with v = n·Σ b_i v_i, found from the prediction of the substep, by which the two would come too near. After velocities are derived it is left with −e v at least:
//!
//! ```text
//! p = max(0, −e v − n·Σ b_i v_i) / Σ w_i b_i²          v_i += w_i b_i p n
//! ```
//!
//! Impulses of a contact sum to zero. What comes slower than the weight of a body at rest does not bounce.
//!
//! Source: Müller, Macklin, Chentanez, Jeschke & Kim, "Detailed rigid body simulation with extended position based dynamics" (2020), section 3.6, for the points of two surfaces.

use nalgebra::Vector3;
use pliant_kernel::{Particle, Scalar, Velocity, widen};

use super::narrow::Near;

/// A contact that gives velocity back.
#[derive(Debug, Clone, Copy)]
pub(super) struct Impact {
    pub(super) points: [u32; 4],
    pub(super) weights: [f64; 4],
    pub(super) normal: Vector3<f64>,
    /// The speed with which the two come together, m/s, and the share of it with which they part.
    pub(super) speed: f64,
    pub(super) restitution: f64,
}

impl Impact {
    /// What a pair that comes too near in a substep of `h`, s, gives back.
    pub(super) fn new<T: Scalar>(points: [u32; 4], near: &Near<T>, restitution: T, h: f64) -> Self {
        Self {
            points,
            weights: near.weights.map(T::to_f64),
            normal: widen(&near.normal),
            speed: near.impact.to_f64() / h,
            restitution: restitution.to_f64(),
        }
    }

    /// Gives the velocity back, and returns the energy that this takes, J. `h` is the length of the substep, s.
    pub(super) fn give_back<T: Scalar>(
        &self,
        velocity: &mut [Velocity<T>],
        now: &[Particle<T>],
        previous: &[Particle<T>],
        h: f64,
    ) -> f64 {
        let of = |v: u32| {
            let v = v as usize;
            // What is held goes where it is put.
            if now[v].w > T::zero() {
                widen(&velocity[v].v)
            } else {
                (widen(&now[v].x) - widen(&previous[v].x)) / h
            }
        };
        let v = self.points.map(of);
        let w = self.points.map(|v| now[v as usize].w.to_f64());
        let leaves: f64 = v.iter().zip(self.weights).map(|(v, b)| self.normal.dot(v) * b).sum();
        let inverse_mass: f64 = w.iter().zip(self.weights).map(|(w, b)| w * b * b).sum();
        let missing = self.restitution * self.speed - leaves;
        if missing.is_nan() || missing <= 0.0 || inverse_mass <= 0.0 {
            return 0.0;
        }
        let impulse = missing / inverse_mass;
        let mut energy = 0.0;
        for k in (0..4).filter(|&k| w[k] > 0.0) {
            let change = self.normal * (w[k] * self.weights[k] * impulse);
            let after = v[k] + change;
            energy += 0.5 * (after.norm_squared() - v[k].norm_squared()) / w[k];
            velocity[self.points[k] as usize].v = pliant_constraints::splat_vector(&after);
        }
        energy
    }
}
