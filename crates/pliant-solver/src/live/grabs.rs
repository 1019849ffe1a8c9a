//! [`Grab`]: springs that drag particles.
//!
//! A spring of stiffness k between a particle and a target is a constraint C = x − target of the compliance
//! 1/k, projected in every iteration after the materials: an implicit spring, stable for every k and every
//! length of the substep. Targets move evenly through the frame, so that a particle dragged by a mouse at 60
//! Hz is not jerked 60 times a second.

use nalgebra::Vector3;
use pliant_constraints::PointTarget;
use pliant_kernel::{Item, Scalar, widen};

use crate::describe::compliance::Stiffness;
use crate::float::Float;
use crate::level::RunningSet;
use crate::live::error::{LiveError, checked, finite};
use crate::live::state::Grabbed;
use crate::set::entries::the_same;
use crate::set::frozen::{Given, KindGroup, Planner};
use crate::simulation::Simulation;
use crate::world::World;

/// The handle of a spring that drags a particle: made by [`Simulation::grab`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Grab(u64);

/// Name of the group of the springs in reports.
const NAME: &str = "grabs";

impl<T: Float> Simulation<T> {
    /// Grabs a particle: a spring of `stiffness`, N/m, and zero length pulls it to a target, which is the
    /// present place of the particle until it is [moved](Self::move_to). The spring is solved implicitly with
    /// all other constraints, so that no stiffness is too large: one far above m/h² of the particle brings it
    /// to the target within a substep. The spring has no effect while the particle is pinned.
    ///
    /// Reports list the springs as the group "grabs", their energy is elastic energy, and their work is that
    /// of pins. Costs O(springs); nothing is planned again, except with
    /// [`Method::Newton`](crate::Method::Newton), whose system is.
    ///
    /// ```
    /// use nalgebra::Vector3;
    /// use pliant_mesh::TriMesh;
    /// use pliant_solver::{Body, Compliance, Simulation, Stiffness};
    ///
    /// let sheet = Body::cloth(TriMesh::grid([6, 6], [0.5, 0.5])?).stretch(Compliance::new(1e-6)).pin_vertices([0, 5]);
    /// let mut sim = Simulation::builder().body(sheet).build()?;
    /// let hand = sim.grab(35, Stiffness::new(500.0))?;
    /// let mut target = sim.position(35);
    /// for _ in 0..30 {
    ///     target += Vector3::new(0.0, 0.01, 0.0);
    ///     sim.move_to(hand, target)?;
    ///     sim.advance(1.0 / 60.0)?;
    /// }
    /// assert!((sim.position(35) - target).norm() < 0.02);
    /// sim.let_go(hand)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If there is no such particle, or the stiffness is not a positive number.
    pub fn grab(&mut self, particle: usize, stiffness: impl Into<Stiffness>) -> Result<Grab, LiveError> {
        let stiffness = stiffness.into().value();
        let internal = self.world.checked_particle(particle)?;
        let stiffness = checked("stiffness of a grab", stiffness, "a positive number, N/m", stiffness > 0.0)?;
        let id = self.world.live.take_number();
        let at = self.world.position(particle);
        let mut grabs = self.world.live.grabs.clone();
        grabs.push(Grabbed { id, particle: internal, stiffness, from: at, to: at, before: at, now: at });
        T::regrab(&mut self.world, grabs);
        T::refit(self);
        Ok(Grab(id))
    }

    /// Moves the target of a grab to `target`, m, evenly in the course of the next frame. The last call
    /// before a frame counts. Costs O(springs).
    ///
    /// # Errors
    ///
    /// If the spring was released, or the target is not finite.
    pub fn move_to(&mut self, grab: Grab, target: impl Into<Vector3<f64>>) -> Result<(), LiveError> {
        let target = finite("target of a grab", target.into())?;
        let found = self.world.live.grabs.iter_mut().find(|held| held.id == grab.0);
        found.ok_or(LiveError::Gone { what: "grab" })?.to = target;
        Ok(())
    }

    /// Releases a grabbed particle. Its velocity does not change; the energy of the spring is lost. Costs as
    /// [`grab`](Self::grab).
    ///
    /// # Errors
    ///
    /// If the spring was released.
    pub fn let_go(&mut self, grab: Grab) -> Result<(), LiveError> {
        let mut grabs = self.world.live.grabs.clone();
        grabs.retain(|held| held.id != grab.0);
        if grabs.len() == self.world.live.grabs.len() {
            return Err(LiveError::Gone { what: "grab" });
        }
        T::regrab(&mut self.world, grabs);
        Ok(())
    }
}

impl<T: Scalar> World<T> {
    /// The force with which a grab pulls its particle, N; `None` if it was released.
    #[must_use]
    pub fn grab_force(&self, grab: Grab) -> Option<Vector3<f64>> {
        let held = self.live.grabs.iter().find(|held| held.id == grab.0)?;
        Some((held.now - widen(&self.fine.particles.now[held.particle as usize].x)) * held.stiffness)
    }

    /// Replaces the springs; those that remain keep their multipliers.
    #[allow(clippy::needless_pass_by_value, reason = "the signature of an entry")]
    pub(crate) fn regrab_here(&mut self, grabs: Vec<Grabbed>) {
        if grabs.is_empty() && self.live.grabs.is_empty() {
            return;
        }
        let stencils: Vec<_> = grabs.iter().map(|grab| [grab.particle]).collect();
        let item = |i: usize| {
            let Grabbed { particle, stiffness, now, .. } = grabs[i];
            #[allow(clippy::cast_possible_truncation, reason = "there are fewer than 2^32 springs")]
            Item::new([particle], &PointTarget { target: now }, 1.0 / stiffness, i as u32)
        };
        let is_held = |&i: &u32| {
            let particle = grabs[i as usize].particle as usize;
            self.fine.particles.now[particle].w <= T::zero()
        };
        let given = Given {
            stencils: &stencils,
            item: &item,
            uniform: the_same(grabs.iter().map(|grab| T::splat(1.0 / grab.stiffness)), T::zero()),
            #[allow(clippy::cast_possible_truncation, reason = "there are fewer than 2^32 springs")]
            dropped: (0..grabs.len() as u32).filter(is_held).collect(),
        };
        let particles = grabs.iter().map(|grab| grab.particle as usize + 1).max().unwrap_or_default();
        let set: KindGroup<T, PointTarget<f64>, 1, 3> =
            KindGroup::new(&given, Planner::Sequential, particles);
        let mut running = RunningSet::elastic(NAME, "m", Box::new(set));
        if let Some(old) = self.live.grab_set {
            let old = &mut self.fine.sets[old];
            let multipliers = old.set.multipliers();
            let kept = |grab: &Grabbed| {
                let at = self.live.grabs.iter().position(|old| old.id == grab.id);
                at.map_or([0.0; 3], |at| std::array::from_fn(|row| multipliers[3 * at + row]))
            };
            running.set.set_multipliers(&grabs.iter().flat_map(kept).collect::<Vec<_>>());
            running.time = old.time;
            *old = running;
        } else {
            self.live.grab_set = Some(self.fine.sets.len());
            self.fine.sets.push(running);
        }
        self.live.grabs = grabs;
        self.live.act();
        // A system that was planned once can be planned again.
        self.newton.system = None;
        let _ = self.take_up(self.method);
    }

    /// Moves the targets to their places at the end, s, of a substep of length `h`, s.
    pub(crate) fn move_grabs(&mut self, end: f64, h: f64) {
        let Some(set) = self.live.grab_set else { return };
        let share = (end - self.time) / (h * f64::from(self.last_substeps));
        for (i, grab) in self.live.grabs.iter_mut().enumerate() {
            grab.before = grab.now;
            if grab.now == grab.to {
                continue;
            }
            // At the end of a frame the target is exact, whatever the rounding of summed times.
            grab.now = if share > 1.0 - 1e-6 { grab.to } else { grab.from.lerp(&grab.to, share) };
            self.fine.sets[set].set.set_rest(i, grab.now.as_slice());
        }
    }

    /// Work, J, of the targets in the present substep of length `h`, s, as [that of soft pins](World::pin_work).
    pub(crate) fn grab_work(&self, h: f64) -> f64 {
        let Some(set) =
            self.live.grab_set.filter(|_| self.live.grabs.iter().any(|grab| grab.now != grab.before))
        else {
            return 0.0;
        };
        let set = &self.fine.sets[set].set;
        let mut work = 0.0;
        let places = set.touching(&|_| true).unwrap_or_default();
        set.impulses(&places, &self.fine.particles.now, &mut |i, _, impulse| {
            let grab = &self.live.grabs[i];
            work += impulse.dot(&(grab.now - grab.before));
        });
        work / (h * h)
    }
}
