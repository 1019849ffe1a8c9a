//! Snapshots as bytes, for files.

use std::sync::Arc;

use pliant_constraints::{FrictionalContact, Kind};
use pliant_kernel::{Particle, Scalar, Velocity};
use serde::{Deserialize, Serialize};

use crate::auto::Auto;
use crate::collide::memory::Remembered;
use crate::live::changes::{Changes, Misfit, Room};
use crate::live::state::Cue;
use crate::observe::monitor::Monitor;
use crate::set::contact::LocalFrame;
use crate::state::kept_history::KeptHistory;
use crate::state::seal::{Seal, SealError};
use crate::state::snapshot::Snapshot;
use crate::world::World;

/// The format of a snapshot. Every change of [`Kept`], or of its parts, needs another version.
const SEAL: Seal = Seal { magic: *b"pliant-s", version: 6 };

/// Bytes that are not a snapshot of a simulation.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SnapshotError {
    /// They are damaged, or of another kind of file.
    #[error("the snapshot {0}")]
    Bytes(#[from] SealError),
    /// They belong to another simulation.
    #[error(
        "the snapshot is of another simulation: it has {found} {what}, and this one has {expected}; build \
        the simulation from the same bodies with the same settings"
    )]
    Other {
        /// What differs.
        what: &'static str,
        /// Its number in the snapshot.
        found: u64,
        /// Its number in the simulation.
        expected: u64,
    },
    /// The changes by calls do not fit.
    #[error(
        "the snapshot is of another simulation: {0}; build the simulation from the same bodies with the \
        same settings"
    )]
    Changes(&'static str),
}

/// A snapshot, without what the simulation was built with.
#[derive(Serialize, Deserialize)]
#[serde(bound(serialize = "T: Serialize", deserialize = "T: Deserialize<'de>"))]
pub struct Kept<T> {
    frame: u64,
    time: f64,
    cues: Vec<Cue>,
    /// Positions and inverse masses.
    now: Vec<[T; 4]>,
    previous: Vec<[T; 4]>,
    velocity: Vec<[T; 3]>,
    /// Poses of the surfaces of obstacles.
    obstacles: Vec<[T; 12]>,
    /// Whether pins were released.
    released: Vec<bool>,
    /// Which rows of seams are closed.
    closed: Vec<bool>,
    /// The particles and numbers of the contacts of the last substep.
    contacts: Vec<([u32; 4], [T; NUMBERS])>,
    history: Option<KeptHistory<T>>,
    monitor: Option<MonitorState<T>>,
    /// What was learnt about methods and substeps.
    learnt: Option<Vec<f64>>,
    changes: Option<Changes>,
}

/// Snapshots of simulations in either precision.
#[derive(Serialize, Deserialize)]
pub enum Any {
    Single(Kept<f32>),
    Double(Kept<f64>),
}

/// A scalar that snapshots are kept in.
pub trait Width: Scalar {
    fn wrap(kept: Kept<Self>) -> Any;
    /// An error with the number of bits of every number, if that differs.
    fn unwrap(any: Any) -> Result<Kept<Self>, u64>;
}

impl Width for f32 {
    fn wrap(kept: Kept<Self>) -> Any {
        Any::Single(kept)
    }

    fn unwrap(any: Any) -> Result<Kept<Self>, u64> {
        match any {
            Any::Single(kept) => Ok(kept),
            Any::Double(_) => Err(64),
        }
    }
}

impl Width for f64 {
    fn wrap(kept: Kept<Self>) -> Any {
        Any::Double(kept)
    }

    fn unwrap(any: Any) -> Result<Kept<Self>, u64> {
        match any {
            Any::Double(kept) => Ok(kept),
            Any::Single(_) => Err(32),
        }
    }
}

/// The data for certificates.
#[derive(Serialize, Deserialize)]
#[serde(bound(serialize = "T: Serialize", deserialize = "T: Deserialize<'de>"))]
struct MonitorState<T> {
    predicted: Vec<[T; 4]>,
    touched: Vec<bool>,
    /// Work of contacts, pins and wind, J.
    work: [f64; 3],
    /// Whether it is settled, and whether a frame was stepped.
    flags: [bool; 2],
}

fn numbers<T: Scalar>(particles: &[Particle<T>]) -> Vec<[T; 4]> {
    particles.iter().map(|particle| [particle.x.x, particle.x.y, particle.x.z, particle.w]).collect()
}

fn particles<T: Scalar>(numbers: Vec<[T; 4]>) -> Vec<Particle<T>> {
    numbers.into_iter().map(|[x, y, z, w]| Particle::new([x, y, z].into(), w)).collect()
}

/// How many numbers a contact has.
const NUMBERS: usize = <FrictionalContact<f64> as Kind<4, 3>>::REST;

fn numbers_of<T: Scalar>(contact: &FrictionalContact<T>) -> [T; NUMBERS] {
    let mut numbers = [T::zero(); NUMBERS];
    FrictionalContact::rest_of(contact, &mut numbers);
    numbers
}

/// An error unless the snapshot and the simulation have the same number of something.
fn same(what: &'static str, found: usize, expected: usize) -> Result<(), SnapshotError> {
    let (count, known) = (found as u64, expected as u64);
    if found == expected { Ok(()) } else { Err(SnapshotError::Other { what, found: count, expected: known }) }
}

impl<T: Width> Snapshot<T> {
    pub(crate) fn to_bytes_here(&self) -> Vec<u8> {
        let monitor = self.monitor.as_ref().map(|monitor| MonitorState {
            predicted: numbers(&monitor.predicted),
            touched: monitor.touched.clone(),
            work: monitor.work(),
            flags: monitor.flags(),
        });
        let kept = Kept {
            frame: self.frame,
            time: self.time,
            cues: self.cues.clone(),
            now: numbers(&self.now),
            previous: numbers(&self.previous),
            velocity: self.velocity.iter().map(|velocity| velocity.v.into()).collect(),
            obstacles: self.obstacles.iter().map(|frame| frame.columns()).collect(),
            released: self.pins.iter().map(|pin| pin.released).collect(),
            closed: self.closed.clone(),
            contacts: self.remembered.iter().map(|of| (of.points, numbers_of(&of.contact))).collect(),
            history: self.history.as_ref().map(|history| KeptHistory::of(history)),
            monitor,
            learnt: self.auto.as_ref().map(Auto::to_numbers),
            changes: Changes::of(&self.live, &self.pins),
        };
        SEAL.close(&T::wrap(kept))
    }

    pub(crate) fn from_bytes_here(bytes: &[u8], simulation: &World<T>) -> Result<Self, SnapshotError> {
        let present = simulation.snapshot_here();
        let bits = 8 * size_of::<T>() as u64;
        let other = |found| SnapshotError::Other { what: "bits in every number", found, expected: bits };
        let kept = T::unwrap(SEAL.open(bytes)?).map_err(other)?;
        same("particles", kept.now.len(), present.now.len())?;
        same("particles before", kept.previous.len(), present.previous.len())?;
        same("velocities", kept.velocity.len(), present.velocity.len())?;
        same("rows of seams", kept.closed.len(), present.closed.len())?;
        let monitored = present.monitor.as_ref().map_or(0, |monitor| monitor.touched.len());
        same(
            "particles in its certificate",
            kept.monitor.as_ref().map_or(0, |w| w.touched.len()),
            monitored,
        )?;
        same("certificates", usize::from(kept.monitor.is_some()), usize::from(present.monitor.is_some()))?;
        if let Some(predicted) = kept.monitor.as_ref().map(|w| w.predicted.len()).filter(|&n| n > 0) {
            same("predicted particles", predicted, monitored)?;
        }
        let mut auto = present.auto.clone();
        same("choices of methods", usize::from(kept.learnt.is_some()), usize::from(auto.is_some()))?;
        if let (Some(auto), Some(learnt)) = (&mut auto, &kept.learnt)
            && !auto.take_up(learnt)
        {
            return Err(SnapshotError::Changes("it chooses among other methods"));
        }
        let wrong = |why: Misfit| SnapshotError::Changes(why);
        let room = Room { particles: simulation.len(), sets: simulation.fine.sets.len() };
        let (live, mut pins) = match &kept.changes {
            Some(changes) => changes.apply((&present.live, &present.pins), room).map_err(wrong)?,
            None => Changes::none(&present.live, &present.pins).map_err(wrong)?,
        };
        same("pins", kept.released.len(), pins.len())?;
        let surfaces = live.obstacles.iter().map(|standing| standing.obstacle.shape.surfaces()).sum();
        same("surfaces of obstacles", kept.obstacles.len(), surfaces)?;
        let history = kept.history.map(KeptHistory::open);
        let fits = |history: &_| simulation.fine.sets.iter().any(|running| running.set.fits(history));
        if history.as_ref().is_some_and(|history| !fits(history)) {
            return Err(SnapshotError::Changes("its lists of near pairs are of other surfaces"));
        }
        if !kept.time.is_finite() {
            return Err(SealError::Form("its time is not finite".into()).into());
        }
        for (pin, released) in pins.iter_mut().zip(kept.released) {
            pin.released = released;
        }
        Ok(Self {
            now: particles(kept.now),
            previous: particles(kept.previous),
            velocity: kept.velocity.into_iter().map(|v| Velocity::new(v.into())).collect(),
            pins,
            obstacles: kept.obstacles.iter().map(LocalFrame::from_columns).collect(),
            closed: kept.closed,
            remembered: kept
                .contacts
                .iter()
                .map(|(points, numbers)| Remembered {
                    points: *points,
                    contact: FrictionalContact::from_rest(numbers),
                })
                .collect(),
            history: history.map(Arc::new),
            monitor: kept
                .monitor
                .map(|w| Monitor::from_parts(particles(w.predicted), w.touched, w.work, w.flags)),
            auto,
            time: kept.time,
            frame: kept.frame,
            cues: kept.cues,
            live,
            scene: present.scene,
        })
    }
}
