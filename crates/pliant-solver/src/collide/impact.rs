//! [`Impact`]: the velocity that a contact gives back.
//!
//! A contact with weights b and normal n is approached with v = n·Σ b_i v_i, found from the prediction of the
//! substep, by which the two would come too near. After velocities are derived it is left with −e v at least:
//!
//! ```text
//! p = max(0, −e v − n·Σ b_i v_i) / Σ w_i b_i²          v_i += w_i b_i p n
//! ```
//!
//! Impulses of a contact sum to zero. What comes slower than the weight of a body at rest does not bounce.
//!
//! Source: Müller, Macklin, Chentanez, Jeschke & Kim, "Detailed rigid body simulation with extended position
//! based dynamics" (2020), section 3.6, for the points of two surfaces.

use nalgebra::Vector3;
use pliant_kernel::{Particle, Scalar, Velocity, widen};

use super::narrow::Near;
use super::skin::Stencil;

/// A contact that gives velocity back.
#[derive(Debug, Clone, Copy)]
pub(super) struct Impact {
    pub(super) stencil: Stencil,
    pub(super) normal: Vector3<f64>,
    /// The speed with which the two come together, m/s, and the share of it with which they part.
    pub(super) speed: f64,
    pub(super) restitution: f64,
}

impl Impact {
    /// What a pair of these particles that comes too near in a substep of `h`, s, gives back.
    pub(super) fn new<T: Scalar>(stencil: Stencil, near: &Near<T>, restitution: T, h: f64) -> Self {
        Self {
            stencil,
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
        let w = |v: u32| now[v as usize].w.to_f64();
        let leaves: f64 = self.stencil.iter().map(|(v, b)| self.normal.dot(&of(v)) * b).sum();
        let inverse_mass: f64 = self.stencil.iter().map(|(v, b)| w(v) * b * b).sum();
        let missing = self.restitution * self.speed - leaves;
        if missing.is_nan() || missing <= 0.0 || inverse_mass <= 0.0 {
            return 0.0;
        }
        let impulse = missing / inverse_mass;
        let mut energy = 0.0;
        for (v, b) in self.stencil.iter().filter(|&(v, _)| w(v) > 0.0) {
            let own = &mut velocity[v as usize].v;
            let before = widen(own);
            let after = before + self.normal * (w(v) * b * impulse);
            energy += 0.5 * (after.norm_squared() - before.norm_squared()) / w(v);
            *own = pliant_constraints::splat_vector(&after);
        }
        energy
    }
}
