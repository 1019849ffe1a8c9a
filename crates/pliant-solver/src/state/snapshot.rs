//! [`Snapshot`]: the state of a simulation, to come back to.

use std::sync::Arc;

use nalgebra::Vector3;
use pliant_kernel::{Particle, Velocity};

use crate::auto::Auto;
use crate::describe::scene::Scene;
use crate::live::numbers;
use crate::live::state::Live;
use crate::observe::watch::Watch;
use crate::passes::kinematics::HeldPin;
use crate::set::contact::Frame;
use crate::world::World;
use pliant_kernel::Scalar;

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
pub struct Snapshot<T: Scalar> {
    now: Vec<Particle<T>>,
    previous: Vec<Particle<T>>,
    velocity: Vec<Velocity<T>>,
    pins: Vec<HeldPin>,
    obstacles: Vec<Frame<T>>,
    watch: Option<Watch<T>>,
    /// What was learnt about methods and substeps, where these are chosen.
    auto: Option<Auto>,
    time: f64,
    frame: u64,
    /// What was changed while the simulation ran.
    live: Live,
    scene: Option<Arc<Scene>>,
}

impl<T: Scalar> Snapshot<T> {
    /// What it is a state of: what was built, and the handles.
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
            watch: self.watch.clone(),
            auto: self.auto.clone(),
            time: self.time,
            frame: self.frame,
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
        self.contacts.set_poses(&snapshot.obstacles);
        self.watch.clone_from(&snapshot.watch);
        self.auto.clone_from(&snapshot.auto);
        self.time = snapshot.time;
        self.frame = snapshot.frame;
        self.last_h = 0.0;
        self.guard.forget();
        self.fine.sets.iter_mut().for_each(|running| running.set.forget());
    }
}

/// Numbers that are no snapshot of a simulation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the numbers are no state of this simulation")]
pub struct SnapshotError;

/// How many numbers stand before the lists.
const HEAD: usize = 16;

impl<T: Scalar> Snapshot<T> {
    pub(crate) fn to_numbers_here(&self) -> Vec<f64> {
        let flag = |is: bool| f64::from(u8::from(is));
        let learnt = self.auto.as_ref().map_or_else(Vec::new, Auto::to_numbers);
        let watch = self.watch.as_ref();
        let predicted = watch.map_or(&[][..], |watch| &watch.predicted);
        let touched = watch.map_or(&[][..], |watch| &watch.touched);
        let work = watch.map_or([0.0; 3], Watch::work);
        let [settled, stepped] = watch.map_or([false; 2], Watch::flags);
        #[allow(clippy::cast_precision_loss, reason = "counts far below 2^53")]
        let count = |n: usize| n as f64;
        #[allow(
            clippy::cast_precision_loss,
            reason = "a simulation of 2^53 frames takes longer than any run"
        )]
        let frame = self.frame as f64;
        let mut all = vec![
            frame,
            self.time,
            count(self.now.len()),
            count(self.previous.len()),
            count(self.velocity.len()),
            count(self.pins.len()),
            count(self.obstacles.len()),
            flag(self.watch.is_some()),
            count(predicted.len()),
            count(touched.len()),
            work[0],
            work[1],
            work[2],
            flag(settled),
            flag(stepped),
            count(learnt.len()),
        ];
        for particle in self.now.iter().chain(&self.previous).chain(predicted) {
            all.extend([particle.x.x, particle.x.y, particle.x.z, particle.w].map(T::to_f64));
        }
        for velocity in &self.velocity {
            all.extend([velocity.v.x, velocity.v.y, velocity.v.z].map(T::to_f64));
        }
        for frame in &self.obstacles {
            all.extend(frame.to_numbers());
        }
        all.extend(self.pins.iter().map(|pin| flag(pin.released)));
        all.extend(touched.iter().map(|&is| flag(is)));
        all.extend(learnt);
        all.extend(numbers::write(&self.live, &self.pins));
        all
    }

    pub(crate) fn from_numbers_here(numbers: &[f64], simulation: &World<T>) -> Result<Self, SnapshotError> {
        let present = simulation.snapshot_here();
        let (head, mut rest) = numbers.split_at_checked(HEAD).ok_or(SnapshotError)?;
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked to be a count")]
        let counted = |n: f64| {
            let is_count = n >= 0.0 && n <= numbers.len() as f64 && n.fract() == 0.0;
            is_count.then_some(n as usize).ok_or(SnapshotError)
        };
        let has_watch = head[7] == 1.0;
        let watched = present.watch.as_ref().map_or(0, |watch| watch.touched.len());
        let expected = [
            present.now.len(),
            present.previous.len(),
            present.velocity.len(),
            counted(head[5])?,
            counted(head[6])?,
        ];
        #[allow(clippy::cast_precision_loss, reason = "counts far below 2^53")]
        let mut auto = present.auto.clone();
        let learnt = auto.as_ref().map_or(0, |auto| auto.to_numbers().len());
        #[allow(clippy::cast_precision_loss, reason = "counts far below 2^53")]
        let fits = expected.iter().zip(&head[2..7]).all(|(&n, &found)| found == n as f64)
            && has_watch == present.watch.is_some()
            && head[9] == watched as f64
            && head[15] == learnt as f64
            && (head[8] == 0.0 || head[8] == watched as f64);
        if !(fits && head[0] >= 0.0 && head[1].is_finite()) {
            return Err(SnapshotError);
        }
        let predicted = if head[8] == 0.0 { 0 } else { watched };
        let [now, previous, velocity, released, obstacles] = expected;
        let state =
            4 * (now + previous + predicted) + 3 * velocity + 12 * obstacles + released + watched + learnt;
        let (state, changes) = rest.split_at_checked(state).ok_or(SnapshotError)?;
        rest = state;
        let present_changes = (&present.live, &present.pins[..]);
        let (live, mut pins) =
            numbers::read(changes, present_changes, simulation.len()).ok_or(SnapshotError)?;
        let surfaces: usize = live.obstacles.iter().map(|at| at.obstacle.shape.surfaces()).sum();
        if pins.len() != released || surfaces != obstacles {
            return Err(SnapshotError);
        }
        let mut take = |count: usize| {
            let (list, left) = rest.split_at(count);
            rest = left;
            list
        };
        let particle =
            |n: &[f64; 4]| Particle::new(Vector3::new(n[0], n[1], n[2]).map(T::splat), T::splat(n[3]));
        let mut particles =
            |count: usize| take(4 * count).as_chunks().0.iter().map(particle).collect::<Vec<_>>();
        let (now, previous, predicted) = (particles(now), particles(previous), particles(predicted));
        let velocity = take(3 * velocity).as_chunks::<3>().0;
        let obstacles = take(12 * obstacles).as_chunks::<12>().0;
        let (released, touched) = (take(released), take(watched));
        if auto.as_mut().is_some_and(|auto| !auto.take_up(take(learnt))) {
            return Err(SnapshotError);
        }
        for (pin, &released) in pins.iter_mut().zip(released) {
            pin.released = released == 1.0;
        }
        let flags = |list: &[f64]| list.iter().map(|&flag| flag == 1.0).collect::<Vec<bool>>();
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "it was a number of frames"
        )]
        let frame = head[0] as u64;
        Ok(Self {
            now,
            previous,
            velocity: velocity.iter().map(|&v| Velocity::new(Vector3::from(v).map(T::splat))).collect(),
            pins,
            obstacles: obstacles.iter().map(Frame::from_numbers).collect(),
            watch: has_watch.then(|| {
                Watch::from_parts(
                    predicted,
                    flags(touched),
                    [head[10], head[11], head[12]],
                    [head[13] == 1.0, head[14] == 1.0],
                )
            }),
            auto,
            time: head[1],
            frame,
            live,
            scene: present.scene,
        })
    }
}
