//! [`Particles`]: the state that a simulation moves.

use nalgebra::Vector3;
use pliant_constraints::splat_vector;

use crate::number::Number;

/// A position and the inverse mass that goes with it, side by side because every projection reads both.
/// Aligned, so that it is loaded at once.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C)]
pub struct Particle<T: Number> {
    /// Position, m.
    pub x: Vector3<T>,
    /// Inverse mass, 1/kg; zero while the particle is pinned.
    pub w: T,
    align: [T::Align; 0],
}

impl<T: Number> Particle<T> {
    /// A particle at `x`, m, with the inverse mass `w`, 1/kg.
    pub fn new(x: Vector3<T>, w: T) -> Self {
        Self { x, w, align: [] }
    }
}

/// A velocity, in the shape of a particle.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C)]
pub struct Velocity<T: Number> {
    /// Velocity, m/s.
    pub v: Vector3<T>,
    /// Always zero.
    padding: T,
    align: [T::Align; 0],
}

impl<T: Number> Velocity<T> {
    /// The velocity `v`, m/s.
    pub fn new(v: Vector3<T>) -> Self {
        Self { v, padding: T::zero(), align: [] }
    }
}

/// Positions, velocities and inverse masses of all particles of a simulation.
///
/// The lists end with particles without mass that nothing moves: one where the number is odd, so that
/// particles can be handled two by two, and for `now` and `previous` the dummies of the packs.
#[derive(Debug, Clone)]
pub struct Particles<T: Number> {
    /// Where the particles are.
    pub now: Vec<Particle<T>>,
    /// Where they were at the start of the substep, with the inverse mass that they had.
    pub previous: Vec<Particle<T>>,
    /// Velocities.
    pub velocity: Vec<Velocity<T>>,
    /// Inverse masses of the particles when nothing pins them, 1/kg.
    pub free_w: Vec<T>,
}

impl<T: Number> Particles<T> {
    /// Particles in the given order (all, in the caller's numbering), followed by dummies without mass that
    /// no force moves.
    pub fn new(
        x: &[Vector3<f64>],
        v: &[Vector3<f64>],
        w: &[f64],
        order: impl Fn(usize) -> usize,
        dummies: usize,
    ) -> Self {
        let n = x.len();
        let even = n.next_multiple_of(2);
        let mut now = Vec::with_capacity(n + dummies.max(1));
        now.extend((0..n).map(|i| Particle::new(splat_vector(&x[order(i)]), T::splat(w[order(i)]))));
        now.extend((0..dummies.max(even - n)).map(|i| {
            // Any positions will do if no two are equal: a dummy constraint must stay finite.
            let place =
                Vector3::new(T::splat(i as f64), T::splat((i * i % 7) as f64), T::splat((i % 5) as f64));
            Particle::new(place, T::zero())
        }));
        let mut velocity: Vec<_> = (0..n).map(|i| Velocity::new(splat_vector(&v[order(i)]))).collect();
        velocity.resize(even, Velocity::new(Vector3::zeros()));
        Self { previous: now.clone(), velocity, free_w: (0..n).map(|i| T::splat(w[order(i)])).collect(), now }
    }

    /// Number of particles, without those that only fill up the lists.
    pub fn len(&self) -> usize {
        self.free_w.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A vector of the state as `f64`, exactly.
#[inline]
pub fn widen<T: Number>(v: &Vector3<T>) -> Vector3<f64> {
    Vector3::new(v.x.to_f64(), v.y.to_f64(), v.z.to_f64())
}
