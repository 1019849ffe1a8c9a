//! [`Snapshot`]: the state of a simulation, to come back to.

use crate::contact::Frame;
use crate::float::Float;
use crate::particles::{Particle, Velocity};
use crate::simulation::Simulation;
use crate::watch::Watch;

/// The state of a simulation between two frames, in memory: what has to be put back to step again, with the same or with other settings, and get the same bits for the same settings.
///
/// ```
/// use pliant_mesh::TriMesh;
/// use pliant_solver::{Body, Simulation};
///
/// let cloth = Body::cloth(TriMesh::grid([6, 6], [0.5, 0.5])?).pin_vertices([0, 5]);
/// let mut sim: Simulation = Simulation::builder().body(cloth).build()?;
/// sim.advance(1.0 / 60.0)?;
/// let before = sim.snapshot();
/// sim.advance(1.0 / 60.0)?;
/// let once = sim.state_hash();
/// sim.restore(&before);
/// sim.advance(1.0 / 60.0)?;
/// assert_eq!(sim.state_hash(), once);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Snapshot<T: Float> {
    now: Vec<Particle<T>>,
    previous: Vec<Particle<T>>,
    velocity: Vec<Velocity<T>>,
    /// Whether every pin has let go.
    released: Vec<bool>,
    obstacles: Vec<Frame<T>>,
    watch: Option<Watch<T>>,
    time: f64,
    frame: u64,
}

impl<T: Float> Simulation<T> {
    /// The present state.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot<T> {
        Snapshot {
            now: self.particles.now.clone(),
            previous: self.particles.previous.clone(),
            velocity: self.particles.velocity.clone(),
            released: self.kinematics.pins.iter().map(|pin| pin.released).collect(),
            obstacles: self.contacts.poses(),
            watch: self.watch.clone(),
            time: self.time,
            frame: self.frame,
        }
    }

    /// Goes back to a state. Multipliers are not part of it: until the next step reports tell residuals as before the first one. Motions that pins were given by
    /// [`set_motion`](Self::set_motion) meanwhile stay.
    ///
    /// # Panics
    ///
    /// If the state is that of a simulation of other particles, pins or obstacles.
    pub fn restore(&mut self, snapshot: &Snapshot<T>) {
        let pins = &mut self.kinematics.pins;
        assert_eq!(snapshot.now.len(), self.particles.now.len(), "a state of other particles");
        assert_eq!(snapshot.released.len(), pins.len(), "a state of other pins");
        let mut repin = false;
        for (pin, &released) in pins.iter_mut().zip(&snapshot.released) {
            repin |= std::mem::replace(&mut pin.released, released) != released;
        }
        self.particles.now.copy_from_slice(&snapshot.now);
        self.particles.previous.copy_from_slice(&snapshot.previous);
        self.particles.velocity.copy_from_slice(&snapshot.velocity);
        if repin {
            self.repin();
        }
        self.contacts.set_poses(&snapshot.obstacles);
        self.watch.clone_from(&snapshot.watch);
        self.time = snapshot.time;
        self.frame = snapshot.frame;
        self.last_h = 0.0;
    }
}
