//! [`PinId`]: vertices pinned, moved and released while a simulation runs.

use std::sync::Arc;

use nalgebra::Vector3;
use pliant_kernel::Scalar;

use crate::describe::motion::Motion;
use crate::float::Float;
use crate::live::error::{LiveError, finite};
use crate::passes::kinematics::HeldPin;
use crate::simulation::Simulation;
use crate::world::World;

/// The handle of a pin of one simulation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PinId(u64);

impl<T: Scalar> World<T> {
    /// The pins that hold: those that the simulation was built with and those that were
    /// [added](Simulation::pin) since.
    pub fn pins(&self) -> impl Iterator<Item = PinId> {
        self.kinematics.pins.iter().filter(|pin| !pin.released).map(|pin| PinId(pin.id))
    }

    /// The particles of a pin, in its order; `None` if it was removed.
    #[must_use]
    pub fn pinned(&self, pin: PinId) -> Option<Vec<usize>> {
        let found = self.kinematics.pins.iter().find(|held| held.id == pin.0)?;
        Some(found.particles.iter().map(|&v| self.caller(v as usize)).collect())
    }

    fn place_of_pin(&self, pin: PinId) -> Result<usize, LiveError> {
        let found = self.kinematics.pins.iter().position(|held| held.id == pin.0 && !held.released);
        found.ok_or(LiveError::Gone { what: "pin" })
    }
}

impl<T: Float> Simulation<T> {
    /// Pins particles where they are now, exactly, until they are [released](Self::unpin). They may be
    /// [moved](Self::lead) elsewhere.
    ///
    /// Sets with constraints whose particles are now all held, or no longer all held, are planned again; the
    /// others are only searched. The balance of energy leaves out the frame that follows.
    ///
    /// ```
    /// use nalgebra::Vector3;
    /// use pliant_mesh::TriMesh;
    /// use pliant_solver::{Body, Compliance, Simulation};
    ///
    /// let sheet = Body::cloth(TriMesh::grid([6, 6], [0.5, 0.5])?).stretch(Compliance::new(1e-6)).pin_vertices([0]);
    /// let mut sim = Simulation::builder().body(sheet).build()?;
    /// let corner = sim.pin([5])?;
    /// let up = sim.position(5) + Vector3::new(0.0, 0.02, 0.0);
    /// sim.lead(corner, &[up])?; // within the next frame
    /// sim.advance(1.0 / 60.0)?;
    /// assert!((sim.position(5) - up).norm() < 1e-6);
    /// sim.unpin(corner)?;
    /// sim.advance(1.0 / 60.0)?;
    /// assert!((sim.position(5) - up).norm() > 1e-3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If there are none, or one does not exist, is listed twice, or is held already.
    pub fn pin(&mut self, particles: impl IntoIterator<Item = usize>) -> Result<PinId, LiveError> {
        let world = &mut self.world;
        let (mut list, mut rest) = (Vec::new(), Vec::new());
        for particle in particles {
            let internal = world.checked_particle(particle)?;
            if world.fine.particles.now[internal as usize].w <= T::zero() {
                return Err(LiveError::Held { particle });
            }
            list.push(internal);
            rest.push(world.position(particle));
        }
        let mut sorted = list.clone();
        sorted.sort_unstable();
        if let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(LiveError::Twice { particle: world.caller(pair[0] as usize) });
        }
        if list.is_empty() {
            return Err(LiveError::Length { what: "particles to pin", found: 0, expected: 1 });
        }
        let id = world.live.take_number();
        world.live.act();
        world.kinematics.pins.push(HeldPin {
            id,
            built: false,
            particles: list.into(),
            rest: rest.into(),
            motion: Arc::new(Motion::Fixed),
            cue: None,
            begun: f64::INFINITY,
            shrink: None,
            changed: false,
            goal: None,
            release: None,
            released: false,
            targets: None,
        });
        T::repin(world);
        Ok(PinId(id))
    }

    /// Releases the particles of a pin. Velocities remain as the pin left them. Costs as [`pin`](Self::pin).
    ///
    /// # Errors
    ///
    /// If the pin was removed or released already.
    pub fn unpin(&mut self, pin: PinId) -> Result<(), LiveError> {
        let at = self.world.place_of_pin(pin)?;
        let pins = &mut self.world.kinematics.pins;
        if pins[at].built {
            pins[at].released = true;
        } else {
            pins.remove(at);
        }
        self.world.live.act();
        T::repin(&mut self.world);
        Ok(())
    }

    /// Moves the particles of a pin to `places`, m, evenly in the course of the next frame; they stay there
    /// until they are moved again. The last call before a frame counts. Replaces the motion of the pin. A
    /// soft pin moves its targets. Costs O(particles of the pin).
    ///
    /// # Errors
    ///
    /// If the pin was removed or released, there are not as many places as particles, or one is not finite.
    pub fn lead(&mut self, pin: PinId, places: &[Vector3<f64>]) -> Result<(), LiveError> {
        let at = self.world.place_of_pin(pin)?;
        let held = &mut self.world.kinematics.pins[at];
        if places.len() != held.particles.len() {
            let (found, expected) = (places.len(), held.particles.len());
            return Err(LiveError::Length { what: "places of a pin", found, expected });
        }
        for place in places {
            finite("place of a pin", *place)?;
        }
        held.goal = Some(places.into());
        self.world.live.act();
        Ok(())
    }
}
