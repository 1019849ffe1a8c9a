//! [`Live`]: the changes by calls while a simulation runs, as a snapshot keeps them.

use std::collections::BTreeMap;
use std::sync::Arc;

use nalgebra::Vector3;

use crate::describe::motion::Motion;
use crate::describe::obstacle::Obstacle;
use crate::describe::settings::Settings;
use crate::describe::wind::Wind;
use crate::set::constraint_set::Resistance;

/// The handle of an obstacle of one simulation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ObstacleId(pub(crate) u64);

/// The changes by calls while a simulation runs.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Live {
    /// The number of the next handle.
    pub(crate) next: u64,
    /// Whether anything was changed.
    pub(crate) touched: bool,
    /// Whether external work was done, or may have been done.
    pub(crate) acted: bool,
    /// The handle of every body, in their order.
    pub(crate) bodies: Vec<u64>,
    /// The springs that drag, in the order in which they were made.
    pub(crate) grabs: Vec<Grabbed>,
    /// The set that projects them, once there is one.
    pub(crate) grab_set: Option<usize>,
    /// Forces, N, by the numbers of the particles in the simulation.
    pub(crate) forces: Arc<BTreeMap<u32, Vector3<f64>>>,
    /// The medium as built, and the changed one.
    pub(crate) built: Medium,
    pub(crate) medium: Option<Medium>,
    pub(crate) obstacles: Vec<Standing>,
    /// How many there were at the start.
    pub(crate) built_obstacles: usize,
    /// Groups with other compliances than they were built with, by the numbers of their sets.
    pub(crate) compliances: BTreeMap<usize, Resistance>,
}

/// A moment with a name, which is part of the state of a simulation.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Cue {
    /// Its name.
    pub name: String,
    /// When it was, s.
    pub time: f64,
}

/// A spring between a particle and a target.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Grabbed {
    pub(crate) id: u64,
    /// The particle, in the numbering of the simulation.
    pub(crate) particle: u32,
    /// The stiffness, N/m.
    pub(crate) stiffness: f64,
    /// Target at the start of the next or present frame, and at its end, m.
    pub(crate) from: Vector3<f64>,
    pub(crate) to: Vector3<f64>,
    /// Target at the start of the present substep and at its end, m.
    pub(crate) before: Vector3<f64>,
    pub(crate) now: Vector3<f64>,
}

/// The medium in which bodies move.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Medium {
    /// m/s².
    pub(crate) gravity: Vector3<f64>,
    pub(crate) wind: Option<Wind>,
    /// 1/s.
    pub(crate) damping: f64,
    /// 1/s.
    pub(crate) drag: f64,
}

impl Medium {
    /// The medium of the settings.
    pub(crate) fn of(settings: &Settings) -> Self {
        let Settings { gravity, wind, damping, drag, .. } = *settings;
        Self { gravity, wind, damping, drag }
    }

    /// The settings with this medium.
    pub(crate) fn put(self, settings: &mut Settings) {
        let Self { gravity, wind, damping, drag } = self;
        (settings.gravity, settings.wind, settings.damping, settings.drag) = (gravity, wind, damping, drag);
    }
}

/// An obstacle of a running simulation.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Standing {
    pub(crate) id: u64,
    /// The obstacle as built or added; its motion may have been replaced since.
    pub(crate) obstacle: Arc<Obstacle>,
    /// Whether the simulation was built with it.
    pub(crate) built: bool,
    /// The motion that it was given, if it differs from that of the obstacle.
    pub(crate) motion: Option<Arc<Motion>>,
    /// Its pose at the end of the next frame: displacement, m, and rotation vector, rad.
    pub(crate) goal: Option<[Vector3<f64>; 2]>,
}

impl Standing {
    /// How it moves.
    pub(crate) fn motion(&self) -> &Motion {
        self.motion.as_deref().unwrap_or(&self.obstacle.motion)
    }
}

impl Live {
    /// The state of a simulation that has just been built with this many bodies and pins, and these obstacles.
    pub(crate) fn begin(settings: &Settings, bodies: usize, pins: usize, obstacles: &[Obstacle]) -> Self {
        let standing = |(id, obstacle): (u64, &Obstacle)| Standing {
            id,
            obstacle: Arc::new(obstacle.clone()),
            built: true,
            motion: None,
            goal: None,
        };
        Self {
            next: bodies.max(pins).max(obstacles.len()) as u64,
            bodies: (0..bodies as u64).collect(),
            obstacles: (0..).zip(obstacles).map(standing).collect(),
            built_obstacles: obstacles.len(),
            built: Medium::of(settings),
            ..Self::default()
        }
    }

    /// Records that external work is done on the particles.
    pub(crate) fn act(&mut self) {
        (self.touched, self.acted) = (true, true);
    }

    /// The number of a new handle.
    pub(crate) fn take_number(&mut self) -> u64 {
        self.touched = true;
        self.next += 1;
        self.next - 1
    }
}
