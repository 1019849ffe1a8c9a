//! [`Particles`]: the state that a simulation moves.

use nalgebra::Vector3;
use pliant_constraints::splat_vector;

use crate::float::Float;

/// A position and the inverse mass that goes with it, side by side because every projection reads both.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C)]
pub struct Particle<T: Float> {
    /// Position, m.
    pub x: Vector3<T>,
    /// Inverse mass, 1/kg; zero while the particle is pinned.
    pub w: T,
}

/// Positions, velocities and inverse masses of all particles of a simulation.
#[derive(Debug, Clone)]
pub(crate) struct Particles<T: Float> {
    /// Where the particles are; dummies of the packs follow.
    pub(crate) now: Vec<Particle<T>>,
    /// Where they were at the start of the substep.
    pub(crate) previous: Vec<Vector3<T>>,
    /// Velocities, m/s.
    pub(crate) velocity: Vec<Vector3<T>>,
    /// Inverse masses of the particles when nothing pins them, 1/kg.
    pub(crate) free_w: Vec<T>,
}

impl<T: Float> Particles<T> {
    /// Particles in the given order (all, in the caller's numbering), followed by dummies without mass that no force moves.
    pub(crate) fn new(
        x: &[Vector3<f64>],
        v: &[Vector3<f64>],
        w: &[f64],
        order: impl Fn(usize) -> usize,
        dummies: usize,
    ) -> Self {
        let particle = |i: usize| Particle { x: splat_vector(&x[order(i)]), w: T::splat(w[order(i)]) };
        let mut now: Vec<_> = (0..x.len()).map(particle).collect();
        let previous = now.iter().map(|p| p.x).collect();
        now.extend((0..dummies).map(|i| Particle {
            // Any place will do where no two are alike: a dummy constraint must stay finite.
            x: Vector3::new(T::splat(i as f64), T::splat((i * i % 7) as f64), T::splat((i % 5) as f64)),
            w: T::zero(),
        }));
        Self {
            previous,
            velocity: (0..x.len()).map(|i| splat_vector(&v[order(i)])).collect(),
            free_w: (0..x.len()).map(|i| T::splat(w[order(i)])).collect(),
            now,
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.velocity.len()
    }
}

/// A vector of the state as `f64`, exactly.
#[inline]
pub(crate) fn widen<T: Float>(v: &Vector3<T>) -> Vector3<f64> {
    Vector3::new(v.x.to_f64(), v.y.to_f64(), v.z.to_f64())
}
