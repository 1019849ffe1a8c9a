//! Access to particles for passes of your own, in the caller's numbering.

use nalgebra::Vector3;
use pliant_constraints::splat_vector;
use pliant_kernel::{Scalar, widen};

use super::World;

impl<T: Scalar> World<T> {
    /// Position of a particle, m.
    ///
    /// # Panics
    ///
    /// If there is no such particle.
    #[must_use]
    pub fn position(&self, particle: usize) -> Vector3<f64> {
        widen(&self.fine.particles.now[self.internal(particle)].x)
    }

    /// Velocity of a particle, m/s.
    ///
    /// # Panics
    ///
    /// If there is no such particle.
    #[must_use]
    pub fn velocity(&self, particle: usize) -> Vector3<f64> {
        widen(&self.fine.particles.velocity[self.internal(particle)].v)
    }

    /// Inverse mass of a particle, 1/kg; zero while it is fixed or held.
    ///
    /// # Panics
    ///
    /// If there is no such particle.
    #[must_use]
    pub fn inverse_mass(&self, particle: usize) -> f64 {
        self.fine.particles.now[self.internal(particle)].w.to_f64()
    }

    /// Moves a particle that can move to `x`, m. After the prediction its velocity follows from this, as for
    /// a projection.
    ///
    /// # Panics
    ///
    /// If there is no such particle.
    pub fn put(&mut self, particle: usize, x: Vector3<f64>) {
        let at = self.internal(particle);
        let particle = &mut self.fine.particles.now[at];
        if particle.w > T::zero() {
            particle.x = splat_vector(&x);
        }
    }

    /// Changes the velocity of a particle that can move by `by`, m/s, and returns the kinetic energy, J, that
    /// this gave it. Call it before the prediction; afterwards velocities follow from positions.
    ///
    /// # Panics
    ///
    /// If there is no such particle.
    pub fn accelerate(&mut self, particle: usize, by: Vector3<f64>) -> f64 {
        let at = self.internal(particle);
        let w = self.fine.particles.now[at].w.to_f64();
        if w <= 0.0 {
            return 0.0;
        }
        let velocity = &mut self.fine.particles.velocity[at].v;
        let before = widen(velocity);
        *velocity = splat_vector(&(before + by));
        0.5 * (widen(velocity).norm_squared() - before.norm_squared()) / w
    }
}
