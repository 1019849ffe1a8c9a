//! [`Changes`]: the changes by calls while a simulation ran, as records and snapshots keep them.
//!
//! The parts with which the simulation was built are left out, because they exist wherever the changes are
//! applied: unchanged bodies, pins and obstacles, and the data of hulls, height fields and distance grids.

use std::collections::BTreeMap;
use std::sync::Arc;

use nalgebra::Vector3;

use crate::describe::motion::Motion;
use crate::describe::obstacle::{Obstacle, Shape};
use crate::live::state::{Grabbed, Live, Medium, Standing};
use crate::passes::kinematics::HeldPin;
use crate::set::constraint_set::Resistance;

/// The changes by calls while a simulation ran, see [`Record::live`](crate::Record::live).
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Changes {
    /// The number of the next handle.
    next: u64,
    acted: bool,
    pins: Vec<Pin>,
    medium: Option<Medium>,
    obstacles: Vec<Stands>,
    grabs: Vec<Grabbed>,
    forces: BTreeMap<u32, Vector3<f64>>,
    compliances: BTreeMap<usize, Resistance>,
}

/// A pin.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Pin {
    id: u64,
    released: bool,
    changed: bool,
    /// Its particles and their places, m; `None` for a pin that the simulation was built with.
    added: Option<(Vec<u32>, Vec<Vector3<f64>>)>,
    /// Its motion, if it differs from that of the simulation as built.
    motion: Option<Motion>,
    goal: Option<Vec<Vector3<f64>>>,
}

/// An obstacle.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Stands {
    id: u64,
    /// `None` for an obstacle that the simulation was built with.
    added: Option<Added>,
    motion: Option<Motion>,
    goal: Option<[Vector3<f64>; 2]>,
}

/// An obstacle that the simulation was not built with.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Added {
    /// `None` for a shape with data of its own, which must exist already.
    shape: Option<Shape>,
    static_friction: f64,
    kinetic_friction: f64,
    restitution: f64,
    motion: Motion,
}

/// The numbers of particles and other parts of a simulation.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Room {
    pub(crate) particles: usize,
    pub(crate) sets: usize,
}

/// Why changes do not fit a simulation.
pub(crate) type Misfit = &'static str;

impl Changes {
    /// The changes of a simulation; `None` if nothing was changed.
    pub(crate) fn of(live: &Live, pins: &[HeldPin]) -> Option<Self> {
        live.touched.then(|| Self {
            next: live.next,
            acted: live.acted,
            pins: pins.iter().map(Pin::of).collect(),
            medium: live.medium,
            obstacles: live.obstacles.iter().map(Stands::of).collect(),
            grabs: live.grabs.clone(),
            forces: (*live.forces).clone(),
            compliances: live.compliances.clone(),
        })
    }

    /// Applies them to a simulation with this present state.
    pub(crate) fn apply(
        &self,
        (live, pins): (&Live, &[HeldPin]),
        room: Room,
    ) -> Result<(Live, Vec<HeldPin>), Misfit> {
        let exists = |v: u32| (v as usize) < room.particles;
        let held = self.grabs.iter().map(|grab| grab.particle).chain(self.forces.keys().copied());
        if !held.chain(self.pins.iter().flat_map(Pin::particles)).all(exists) {
            return Err("it holds or pushes a particle that does not exist");
        }
        if self.compliances.keys().any(|&set| set >= room.sets) {
            return Err("it changes the compliance of a group that does not exist");
        }
        let mut built = pins.iter().filter(|pin| pin.built);
        let pins = self.pins.iter().map(|pin| pin.apply(&mut built)).collect::<Result<Vec<_>, _>>()?;
        if built.next().is_some() {
            return Err("it has fewer pins than the simulation was built with");
        }
        let obstacles = self.obstacles.iter().map(|stands| stands.apply(&live.obstacles));
        let read = Live {
            next: self.next,
            touched: true,
            acted: self.acted,
            grabs: self.grabs.clone(),
            forces: Arc::new(self.forces.clone()),
            medium: self.medium,
            obstacles: obstacles.collect::<Result<_, _>>()?,
            compliances: self.compliances.clone(),
            ..live.clone()
        };
        Ok((read, pins))
    }

    /// A simulation in which nothing was changed, from the present state of one like it.
    #[cfg(feature = "serde")]
    pub(crate) fn none(live: &Live, pins: &[HeldPin]) -> Result<(Live, Vec<HeldPin>), Misfit> {
        let obstacles: Vec<_> = live.obstacles.iter().filter(|standing| standing.built).cloned().collect();
        let mut pins: Vec<_> = pins.iter().filter(|pin| pin.built).cloned().collect();
        if live.touched {
            if obstacles.len() != live.built_obstacles || pins.iter().any(|pin| pin.changed) {
                return Err(
                    "this simulation was changed, and the state that it was built with is no longer \
                known",
                );
            }
            pins.iter_mut().for_each(|pin| pin.goal = None);
        }
        let obstacles =
            obstacles.into_iter().map(|standing| Standing { motion: None, goal: None, ..standing });
        let live = Live {
            touched: false,
            acted: false,
            grabs: Vec::new(),
            forces: Arc::default(),
            medium: None,
            obstacles: obstacles.collect(),
            compliances: BTreeMap::new(),
            ..live.clone()
        };
        Ok((live, pins))
    }
}

impl Pin {
    fn of(pin: &HeldPin) -> Self {
        Self {
            id: pin.id,
            released: pin.released,
            changed: pin.changed,
            added: (!pin.built).then(|| (pin.particles.to_vec(), pin.rest.to_vec())),
            motion: (!pin.built || pin.changed).then(|| (*pin.motion).clone()),
            goal: pin.goal.as_deref().map(<[_]>::to_vec),
        }
    }

    fn particles(&self) -> impl Iterator<Item = u32> + '_ {
        self.added.iter().flat_map(|(particles, _)| particles.iter().copied())
    }

    /// The pins that the simulation was built with exist already, in the same order.
    fn apply<'p>(&self, there: &mut impl Iterator<Item = &'p HeldPin>) -> Result<HeldPin, Misfit> {
        let mut pin = match &self.added {
            None => there.next().ok_or("it has more pins than the simulation was built with")?.clone(),
            Some((particles, rest)) => HeldPin {
                id: self.id,
                built: false,
                particles: particles.as_slice().into(),
                rest: rest.as_slice().into(),
                motion: Arc::default(),
                cue: None,
                begun: f64::INFINITY,
                shrink: None,
                changed: self.changed,
                goal: None,
                release: None,
                released: self.released,
                targets: None,
            },
        };
        match &self.motion {
            Some(motion) => pin.give(motion.clone()),
            None if pin.changed || !pin.built => {
                return Err("the motion of a pin is no longer known");
            }
            None => {}
        }
        let points = pin.particles.len();
        let fits = pin.rest.len() == points && self.goal.as_ref().is_none_or(|goal| goal.len() == points);
        (pin.id, pin.released, pin.changed) = (self.id, self.released, self.changed);
        pin.goal = self.goal.as_deref().map(Into::into);
        let is_sound = fits && pin.motion.problem(Some(points)).is_none();
        is_sound.then_some(pin).ok_or("a pin has another number of goals than of particles")
    }
}

impl Stands {
    fn of(standing: &Standing) -> Self {
        let added = || {
            let Obstacle { shape, static_friction, kinetic_friction, restitution, motion } =
                (*standing.obstacle).clone();
            let is_plain = !matches!(shape, Shape::Hull(_) | Shape::HeightField(_) | Shape::DistanceGrid(_));
            let shape = is_plain.then_some(shape);
            Added { shape, static_friction, kinetic_friction, restitution, motion }
        };
        Self {
            id: standing.id,
            added: (!standing.built).then(added),
            motion: standing.motion.as_deref().cloned(),
            goal: standing.goal,
        }
    }

    fn apply(&self, present: &[Standing]) -> Result<Standing, Misfit> {
        let built = self.added.is_none();
        let known = present.iter().find(|standing| standing.id == self.id && standing.built == built);
        let missing = "an obstacle is missing: add those with data of their own first, in the same order";
        let obstacle = match &self.added {
            None => Arc::clone(&known.ok_or(missing)?.obstacle),
            Some(added) => {
                let Added { shape, static_friction, kinetic_friction, restitution, motion } = added.clone();
                let shape = match shape {
                    Some(shape) => shape,
                    None => known.ok_or(missing)?.obstacle.shape.clone(),
                };
                Arc::new(Obstacle { shape, static_friction, kinetic_friction, restitution, motion })
            }
        };
        let is_sound = obstacle.check(0).is_ok()
            && self.motion.as_ref().is_none_or(|motion| motion.problem(None).is_none());
        let standing = || Standing {
            id: self.id,
            obstacle,
            built,
            motion: self.motion.clone().map(Arc::new),
            goal: self.goal,
        };
        is_sound.then(standing).ok_or("an obstacle is invalid")
    }
}
