//! Constraints over many particles at once read the state through [`State64`], in `f64` whatever it is stored in.

use nalgebra::Vector3;
use pliant_constraints::{Points, Update, splat_vector};

use crate::float::Float;
use crate::particles::{Particle, widen};

/// Particles as [`Points`].
pub(crate) struct State64<'a, T: Float>(pub(crate) &'a [Particle<T>]);

impl<T: Float> Points for State64<'_, T> {
    #[inline]
    fn position(&self, v: u32) -> Vector3<f64> {
        widen(&self.0[v as usize].x)
    }

    #[inline]
    fn inverse_mass(&self, v: u32) -> f64 {
        self.0[v as usize].w.to_f64()
    }
}

/// Moves a particle by `dx`, m, rounding once.
pub(crate) fn displace<T: Float>(particle: &mut Particle<T>, dx: &Vector3<f64>) {
    particle.x = splat_vector(&(widen(&particle.x) + dx));
}

/// A rule of projection in `f64`.
pub(crate) fn update64<T: Float>(update: Update<T>) -> Update<f64> {
    Update {
        scale: update.scale.to_f64(),
        memory: update.memory.to_f64(),
        gradient_floor: update.gradient_floor.to_f64(),
    }
}
