//! [`Snapshot`]: the state of a simulation, to be restored.

use std::sync::Arc;

use pliant_kernel::{Particle, Velocity};

use crate::auto::Auto;
use crate::collide::history::History;
use crate::collide::memory::Remembered;
use crate::describe::scene::Scene;
use crate::live::state::{Cue, Live};
use crate::observe::monitor::Monitor;
use crate::passes::kinematics::HeldPin;
use crate::set::contact::LocalFrame;
use crate::set::seams::Seams;
use crate::world::World;
use pliant_kernel::Scalar;

/// The state of a simulation between two frames, in memory: what must be restored to step again, with the
/// same or other settings, and to get the same bits for the same settings.
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
pub struct Snapshot<T: Scalar> {
    pub(crate) now: Vec<Particle<T>>,
    pub(crate) previous: Vec<Particle<T>>,
    pub(crate) velocity: Vec<Velocity<T>>,
    pub(crate) pins: Vec<HeldPin>,
    pub(crate) obstacles: Vec<LocalFrame<T>>,
    /// Which rows of seams are closed.
    pub(crate) closed: Vec<bool>,
    /// The contacts of the last substep.
    pub(crate) remembered: Vec<Remembered<T>>,
    /// How the lists of pairs came about.
    pub(crate) history: Option<Arc<History<T>>>,
    pub(crate) monitor: Option<Monitor<T>>,
    /// What was learnt about methods and substeps, if these are chosen.
    pub(crate) auto: Option<Auto>,
    pub(crate) time: f64,
    pub(crate) frame: u64,
    pub(crate) cues: Vec<Cue>,
    /// What was changed while the simulation ran.
    pub(crate) live: Live,
    pub(crate) scene: Option<Arc<Scene>>,
}

impl<T: Scalar> Snapshot<T> {
    /// The simulation of the state: its description and its handles.
    pub(crate) fn bodies(&self) -> (Option<&Arc<Scene>>, &Live) {
        (self.scene.as_ref(), &self.live)
    }
}

impl<T: Scalar> World<T> {
    pub(crate) fn snapshot_here(&self) -> Snapshot<T> {
        Snapshot {
            now: self.fine.particles.now.clone(),
            previous: self.fine.particles.previous.clone(),
            velocity: self.fine.particles.velocity.clone(),
            pins: self.kinematics.pins.clone(),
            obstacles: self.contacts.poses(),
            closed: self.seams.as_ref().map_or_else(Vec::new, Seams::closed),
            remembered: self.fine.remembered(),
            history: self.fine.history(),
            monitor: self.monitor.clone(),
            auto: self.auto.clone(),
            time: self.time,
            frame: self.frame,
            cues: self.cues.clone(),
            live: self.live.clone(),
            scene: self.scene.clone(),
        }
    }

    pub(crate) fn restore_here(&mut self, snapshot: &Snapshot<T>) {
        assert_eq!(snapshot.now.len(), self.fine.particles.now.len(), "a state of other particles");
        let built = |pins: &[HeldPin]| pins.iter().filter(|pin| pin.built).count();
        assert_eq!(built(&snapshot.pins), built(&self.kinematics.pins), "a state of other pins");
        self.fine.particles.now.copy_from_slice(&snapshot.now);
        self.fine.particles.previous.copy_from_slice(&snapshot.previous);
        self.fine.particles.velocity.copy_from_slice(&snapshot.velocity);
        self.take_live(&snapshot.live, &snapshot.pins);
        self.take_cues(&snapshot.cues);
        self.contacts.set_poses(&snapshot.obstacles);
        self.take_closed(&snapshot.closed);
        self.monitor.clone_from(&snapshot.monitor);
        self.auto.clone_from(&snapshot.auto);
        self.time = snapshot.time;
        self.frame = snapshot.frame;
        self.last_h = 0.0;
        self.guard.forget();
        self.contacts.forget();
        self.fine.sets.iter_mut().for_each(|running| running.set.forget());
        self.fine.remember(&snapshot.remembered);
        self.fine.recall(snapshot.history.as_ref());
    }
}
