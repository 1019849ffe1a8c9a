//! [`Live`]: what calls while a simulation runs have changed, as a snapshot keeps it.

use std::collections::BTreeMap;
use std::sync::Arc;

use nalgebra::Vector3;

use crate::describe::motion::Motion;
use crate::describe::obstacle::Obstacle;
use crate::describe::settings::{Settings, Wind};
use crate::set::constraint_set::Resistance;

/// What calls while a simulation runs have changed.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Live {
    /// The number of the next handle.
    pub(crate) next: u64,
    /// Whether anything was changed.
    pub(crate) touched: bool,
    /// Whether something from outside has done work, or may have.
    pub(crate) acted: bool,
    /// The handle of every body, in their order.
    pub(crate) bodies: Vec<u64>,
    /// The springs that drag, in the order in which they were made.
    pub(crate) grabs: Vec<Grabbed>,
    /// The set that projects them, once there was one.
    pub(crate) grab_set: Option<usize>,
    /// Forces, N, by the numbers of the particles in the simulation.
    pub(crate) forces: Arc<BTreeMap<u32, Vector3<f64>>>,
    /// The medium as built, and what was changed of it.
    pub(crate) built: Medium,
    pub(crate) medium: Option<Medium>,
    pub(crate) obstacles: Vec<Standing>,
    /// How many there were at the start.
    pub(crate) built_obstacles: usize,
    /// Groups of other compliances than were built, by the numbers of their sets.
    pub(crate) compliances: BTreeMap<usize, Resistance>,
}

/// A spring between a particle and a target.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Grabbed {
    pub(crate) id: u64,
    /// In the numbering of the simulation.
    pub(crate) particle: u32,
    /// N/m.
    pub(crate) stiffness: f64,
    /// Target at the start of the frame that comes, or is at work, and at its end, m.
    pub(crate) from: Vector3<f64>,
    pub(crate) to: Vector3<f64>,
    /// Target at the start of the present substep and at its end, m.
    pub(crate) before: Vector3<f64>,
    pub(crate) now: Vector3<f64>,
}

/// What bodies move in.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Medium {
    /// m/s².
    pub(crate) gravity: Vector3<f64>,
    pub(crate) wind: Option<Wind>,
    /// 1/s.
    pub(crate) damping: f64,
    /// 1/s.
    pub(crate) drag: f64,
}

impl Medium {
    /// That of the settings.
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
    /// As built or added; its motion may be another one by now.
    pub(crate) obstacle: Arc<Obstacle>,
    /// Whether the simulation was built with it.
    pub(crate) built: bool,
    /// The motion that it was given, if not that of the obstacle.
    pub(crate) motion: Option<Arc<Motion>>,
    /// Where the next frame takes it, displacement, m, and rotation vector, rad.
    pub(crate) goal: Option<[Vector3<f64>; 2]>,
}

impl Standing {
    /// How it moves.
    pub(crate) fn motion(&self) -> &Motion {
        self.motion.as_deref().unwrap_or(&self.obstacle.motion)
    }
}

impl Live {
    /// Of a simulation with so many bodies and pins, and these obstacles, that has just been built.
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

    /// Something from outside works on the particles.
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
