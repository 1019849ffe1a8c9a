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
    /// Where the particles are.
    pub(crate) now: Vec<Particle<T>>,
    /// Where they were at the start of the substep.
    pub(crate) previous: Vec<Vector3<T>>,
    /// Velocities, m/s.
    pub(crate) velocity: Vec<Vector3<T>>,
    /// Inverse masses of the particles when nothing pins them, 1/kg.
    pub(crate) free_w: Vec<T>,
}

impl<T: Float> Particles<T> {
    pub(crate) fn new(x: &[Vector3<f64>], v: &[Vector3<f64>], w: &[f64]) -> Self {
        let now: Vec<_> =
            x.iter().zip(w).map(|(x, &w)| Particle { x: splat_vector(x), w: T::splat(w) }).collect();
        Self {
            previous: now.iter().map(|p| p.x).collect(),
            velocity: v.iter().map(splat_vector).collect(),
            free_w: w.iter().map(|&w| T::splat(w)).collect(),
            now,
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.now.len()
    }
}

/// A vector of the state as `f64`, exactly.
#[inline]
pub(crate) fn widen<T: Float>(v: &Vector3<T>) -> Vector3<f64> {
    Vector3::new(v.x.to_f64(), v.y.to_f64(), v.z.to_f64())
}
