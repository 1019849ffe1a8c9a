//! [`BodyId`]: bodies by handle, and their data.

use std::ops::Range;

use nalgebra::Vector3;
use pliant_kernel::{Particle, Scalar, Velocity, widen};

use crate::body_range::BodyRange;
use crate::live::error::LiveError;
use crate::world::World;

/// The handle of a body of one simulation: it stays valid while other bodies are added and removed.
///
/// ```
/// use pliant_mesh::TriMesh;
/// use pliant_solver::{Body, Simulation};
///
/// let sheet = Body::cloth(TriMesh::grid([6, 6], [0.5, 0.5])?).name("sheet").pin_vertices([0, 5]);
/// let mut sim = Simulation::builder().body(sheet).build()?;
/// let sheet = sim.body("sheet").ok_or("no sheet")?;
/// let mut positions = vec![[0.0_f32; 3]; sim.positions_of(sheet).len()];
/// for _ in 0..3 {
///     sim.advance(1.0 / 60.0)?;
///     sim.copy_positions(sheet, &mut positions)?; // nothing is allocated
/// }
/// assert_eq!(f64::from(positions[35][1]), sim.positions_of(sheet)[35].y);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BodyId(pub(crate) u64);

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::BodyId {}
    impl Sealed for std::ops::Range<usize> {}
}

/// Some particles that follow one another: a body, by its [handle](BodyId), or a range of the caller's numbering.
pub trait ParticleRange: sealed::Sealed {
    /// The particles; `None` if they do not exist.
    #[doc(hidden)]
    fn among(self, ranges: &[BodyRange], bodies: &[u64], particles: usize) -> Option<Range<usize>>;
}

impl ParticleRange for BodyId {
    fn among(self, ranges: &[BodyRange], bodies: &[u64], _: usize) -> Option<Range<usize>> {
        let at = bodies.iter().position(|&id| id == self.0)?;
        Some(ranges[at].particles.clone())
    }
}

impl ParticleRange for Range<usize> {
    fn among(self, _: &[BodyRange], _: &[u64], particles: usize) -> Option<Range<usize>> {
        (self.start <= self.end && self.end <= particles).then_some(self)
    }
}

impl<T: Scalar> World<T> {
    /// The body with a name, the first of several. Searches the names.
    #[must_use]
    pub fn body(&self, name: &str) -> Option<BodyId> {
        let at = self.body_ranges.iter().position(|part| part.name == name)?;
        Some(BodyId(self.live.bodies[at]))
    }

    /// All bodies, in the order of their particles.
    pub fn bodies(&self) -> impl ExactSizeIterator<Item = BodyId> {
        self.live.bodies.iter().map(|&id| BodyId(id))
    }

    /// Name and particles of a body; `None` if it was removed.
    #[must_use]
    pub fn body_range(&self, body: BodyId) -> Option<&BodyRange> {
        let at = self.live.bodies.iter().position(|&id| id == body.0)?;
        Some(&self.body_ranges[at])
    }

    /// The particles that are meant.
    pub(crate) fn range(&self, which: impl ParticleRange) -> Option<Range<usize>> {
        which.among(&self.body_ranges, &self.live.bodies, self.len())
    }

    fn range_or_panic(&self, which: impl ParticleRange) -> Range<usize> {
        self.range(which).expect("a range beyond the particles, or a body that was removed")
    }

    /// Positions of a body or of a range of particles, m.
    ///
    /// # Panics
    ///
    /// If the range reaches beyond the particles, or the body was removed.
    #[must_use]
    pub fn positions_of(&self, which: impl ParticleRange) -> Vec<Vector3<f64>> {
        let particles = self.range_or_panic(which);
        particles.map(|i| widen(&self.fine.particles.now[self.internal(i)].x)).collect()
    }

    /// Velocities of a body or of a range of particles, m/s.
    ///
    /// # Panics
    ///
    /// If the range reaches beyond the particles, or the body was removed.
    #[must_use]
    pub fn velocities_of(&self, which: impl ParticleRange) -> Vec<Vector3<f64>> {
        let particles = self.range_or_panic(which);
        particles.map(|i| widen(&self.fine.particles.velocity[self.internal(i)].v)).collect()
    }

    /// Masses of a body or of a range of particles, kg, whether they are pinned or not; infinite for
    /// particles that are fixed permanently.
    ///
    /// # Panics
    ///
    /// If the range reaches beyond the particles, or the body was removed.
    #[must_use]
    pub fn masses_of(&self, which: impl ParticleRange) -> Vec<f64> {
        let particles = self.range_or_panic(which);
        particles.map(|i| 1.0 / self.fine.particles.free_w[self.internal(i)].to_f64()).collect()
    }

    /// Positions of the vertices of a body in its shape at rest, m, from which its constraints are made;
    /// `None` if it was removed, or the simulation was built from an [`Assembly`](crate::Assembly), which has
    /// no meshes.
    #[must_use]
    pub fn rest_positions_of(&self, body: BodyId) -> Option<&[Vector3<f64>]> {
        let at = self.live.bodies.iter().position(|&id| id == body.0)?;
        Some(self.scene.as_ref()?.bodies.get(at)?.positions())
    }

    /// Writes the positions of a body or of a range of particles, m, into a list of `f32` or `f64`, without allocating.
    ///
    /// # Errors
    ///
    /// If they do not exist, or the list does not have their length.
    pub fn copy_positions<S: Scalar>(
        &self,
        which: impl ParticleRange,
        into: &mut [[S; 3]],
    ) -> Result<(), LiveError> {
        let now: &[Particle<T>] = &self.fine.particles.now;
        self.copy(which, "positions", into, |i| now[i].x)
    }

    /// Writes the velocities of a body or of a range of particles, m/s, into a list of `f32` or `f64`,
    /// without allocating.
    ///
    /// # Errors
    ///
    /// If they do not exist, or the list does not have their length.
    pub fn copy_velocities<S: Scalar>(
        &self,
        which: impl ParticleRange,
        into: &mut [[S; 3]],
    ) -> Result<(), LiveError> {
        let velocity: &[Velocity<T>] = &self.fine.particles.velocity;
        self.copy(which, "velocities", into, |i| velocity[i].v)
    }

    fn copy<S: Scalar>(
        &self,
        which: impl ParticleRange,
        what: &'static str,
        into: &mut [[S; 3]],
        of: impl Fn(usize) -> Vector3<T>,
    ) -> Result<(), LiveError> {
        let particles = self.range(which).ok_or(LiveError::Gone { what: "body or range of particles" })?;
        if into.len() != particles.len() {
            return Err(LiveError::Length { what, found: into.len(), expected: particles.len() });
        }
        for (i, out) in particles.zip(into) {
            *out = of(self.internal(i)).map(|c| S::splat(c.to_f64())).into();
        }
        Ok(())
    }

    /// Number in the simulation of a particle of the caller's.
    pub(crate) fn checked_particle(&self, particle: usize) -> Result<u32, LiveError> {
        if particle >= self.len() {
            return Err(LiveError::NoParticle { particle, particles: self.len() });
        }
        #[allow(clippy::cast_possible_truncation, reason = "particles are numbered by u32")]
        Ok(self.internal(particle) as u32)
    }
}
