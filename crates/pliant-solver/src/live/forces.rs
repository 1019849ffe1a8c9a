//! External forces, impulses, velocities and positions.

use std::sync::Arc;

use nalgebra::Vector3;
use pliant_constraints::splat_vector;
use pliant_kernel::{Scalar, widen};

use crate::float::Float;
use crate::live::bodies::ParticleRange;
use crate::live::error::{LiveError, finite};
use crate::observe::moment::Work;
use crate::simulation::Simulation;
use crate::world::World;

impl<T: Float> Simulation<T> {
    /// Applies a force to a particle, N, in place of the one before, until it is set to zero or
    /// [cleared](Self::clear_forces). It has no effect on held particles. It acts like gravity, at the
    /// beginning of every substep; its work is reported with that of the wind. Costs O(log forces), and
    /// O(forces) in every substep.
    ///
    /// ```
    /// use nalgebra::Vector3;
    /// use pliant_mesh::TriMesh;
    /// use pliant_solver::{Body, Simulation};
    ///
    /// let sheet = Body::cloth(TriMesh::grid([3, 3], [0.2, 0.2])?).area_density(0.2);
    /// let mut sim = Simulation::builder().gravity(Vector3::zeros()).body(sheet).build()?;
    /// sim.set_force(4, Vector3::new(0.0, 0.8, 0.0))?; // a sheet of 8 g
    /// sim.advance(0.1)?;
    /// let momentum: f64 = sim.masses_of(0..9).iter().zip(sim.velocities()).map(|(m, v)| m * v.y).sum();
    /// assert!((momentum - 0.8 * 0.1).abs() < 1e-6);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If there is no such particle, or the force is not finite.
    pub fn set_force(&mut self, particle: usize, force: impl Into<Vector3<f64>>) -> Result<(), LiveError> {
        let internal = self.world.checked_particle(particle)?;
        let force = finite("force", force.into())?;
        let forces = Arc::make_mut(&mut self.world.live.forces);
        if force == Vector3::zeros() {
            forces.remove(&internal);
        } else {
            forces.insert(internal, force);
        }
        self.world.live.act();
        T::refit(self);
        Ok(())
    }

    /// Ends all [forces](Self::set_force). Costs O(forces).
    pub fn clear_forces(&mut self) {
        self.world.live.forces = Arc::default();
        T::refit(self);
    }

    /// Changes the velocity of a particle at once, by an impulse, N·s: Δv = w J. It has no effect on held
    /// particles. Costs O(1).
    ///
    /// # Errors
    ///
    /// If there is no such particle, or the impulse is not finite.
    pub fn apply_impulse(
        &mut self,
        particle: usize,
        impulse: impl Into<Vector3<f64>>,
    ) -> Result<(), LiveError> {
        let internal = self.world.checked_particle(particle)? as usize;
        let impulse = finite("impulse", impulse.into())?;
        let w = self.world.fine.particles.now[internal].w.to_f64();
        self.world.push(internal, impulse * w);
        Ok(())
    }

    /// Sets the velocities of a body or of a range of particles, m/s. Held particles keep their own. Costs
    /// O(particles).
    ///
    /// # Errors
    ///
    /// If they do not exist, there are not as many velocities, or one is not finite.
    pub fn set_velocities<S: Scalar>(
        &mut self,
        which: impl ParticleRange,
        velocities: &[[S; 3]],
    ) -> Result<(), LiveError> {
        let world = &mut self.world;
        for (internal, v) in world.checked_list(which, "velocities", velocities)? {
            let by = v - widen(&world.fine.particles.velocity[internal].v);
            world.push(internal, by);
        }
        Ok(())
    }

    /// Moves a body, or a range of particles, to other positions, m; velocities do not change. Held particles
    /// are not moved. Surfaces that are moved through others stay there: use it to reset a body, not to move
    /// one. The balance of energy leaves out the frame that follows. Costs O(particles).
    ///
    /// # Errors
    ///
    /// If they do not exist, there are not as many positions, or one is not finite.
    pub fn set_positions<S: Scalar>(
        &mut self,
        which: impl ParticleRange,
        positions: &[[S; 3]],
    ) -> Result<(), LiveError> {
        let world = &mut self.world;
        for (internal, x) in world.checked_list(which, "positions", positions)? {
            let particles = &mut world.fine.particles;
            if particles.now[internal].w > T::zero() {
                particles.now[internal].x = splat_vector(&x);
                particles.previous[internal].x = splat_vector(&x);
            }
        }
        world.live.act();
        world.pin_version += 1;
        world.guard.forget();
        world.fine.sets.iter_mut().for_each(|running| running.set.forget());
        Ok(())
    }
}

impl<T: Scalar> World<T> {
    /// Changes the velocity of a particle, in the numbering of the simulation, if it can move, and counts the work.
    fn push(&mut self, internal: usize, by: Vector3<f64>) {
        let w = self.fine.particles.now[internal].w.to_f64();
        self.live.act();
        if w > 0.0 {
            let velocity = &mut self.fine.particles.velocity[internal].v;
            let before = widen(velocity);
            *velocity = splat_vector(&(before + by));
            let work = 0.5 * (widen(velocity).norm_squared() - before.norm_squared()) / w;
            self.take_down(Work::Forces(work));
        }
    }

    /// Vectors with the numbers of their particles in the simulation.
    fn checked_list<S: Scalar>(
        &self,
        which: impl ParticleRange,
        what: &'static str,
        list: &[[S; 3]],
    ) -> Result<Vec<(usize, Vector3<f64>)>, LiveError> {
        let particles = self.range(which).ok_or(LiveError::Gone { what: "body or range of particles" })?;
        if list.len() != particles.len() {
            return Err(LiveError::Length { what, found: list.len(), expected: particles.len() });
        }
        let pairs = particles.zip(list);
        pairs.map(|(i, v)| Ok((self.internal(i), finite(what, Vector3::from(v.map(S::to_f64)))?))).collect()
    }

    /// Lets the forces act for `h`, s, and returns the kinetic energy that they gave, J.
    pub(crate) fn apply_forces(&mut self, h: f64) -> f64 {
        let mut work = 0.0;
        for (&v, force) in self.live.forces.iter() {
            let w = self.fine.particles.now[v as usize].w.to_f64();
            if w > 0.0 {
                let velocity = &mut self.fine.particles.velocity[v as usize].v;
                let before = widen(velocity);
                *velocity = splat_vector(&(before + force * (w * h)));
                work += 0.5 * (widen(velocity).norm_squared() - before.norm_squared()) / w;
            }
        }
        work
    }
}
