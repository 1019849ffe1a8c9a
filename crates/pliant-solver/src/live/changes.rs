//! [`Changes`]: what calls have changed while a simulation ran, as records and snapshots keep it.
//!
//! What the simulation was built with is left out, since it is there wherever the changes are taken up: bodies, pins and
//! obstacles that nobody changed, and the data of hulls, height fields and grids of distances.

use std::collections::BTreeMap;
use std::sync::Arc;

use nalgebra::Vector3;

use crate::describe::motion::Motion;
use crate::describe::obstacle::{Obstacle, Shape};
use crate::live::state::{Grabbed, Live, Medium, Standing};
use crate::passes::kinematics::HeldPin;
use crate::set::constraint_set::Resistance;

/// What calls have changed while a simulation ran, see [`Record::live`](crate::Record::live).
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
    /// What it holds and where, m; none of a pin that the simulation was built with.
    added: Option<(Vec<u32>, Vec<Vector3<f64>>)>,
    /// Its motion, where it is not that of the simulation as built.
    motion: Option<Motion>,
    goal: Option<Vec<Vector3<f64>>>,
}

/// An obstacle.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Stands {
    id: u64,
    /// None of an obstacle that the simulation was built with.
    added: Option<Added>,
    motion: Option<Motion>,
    goal: Option<[Vector3<f64>; 2]>,
}

/// An obstacle that the simulation was not built with.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Added {
    /// None of a shape with data of its own: it has to be there.
    shape: Option<Shape>,
    static_friction: f64,
    kinetic_friction: f64,
    restitution: f64,
    motion: Motion,
}

/// How many of something a simulation has.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Room {
    pub(crate) particles: usize,
    pub(crate) sets: usize,
}

/// Why changes are not of a simulation.
pub(crate) type Misfit = &'static str;

impl Changes {
    /// Those of a simulation; none where nothing was changed.
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

    /// What they make of a simulation whose present state is given.
    pub(crate) fn apply(
        &self,
        (live, pins): (&Live, &[HeldPin]),
        room: Room,
    ) -> Result<(Live, Vec<HeldPin>), Misfit> {
        let exists = |v: u32| (v as usize) < room.particles;
        let held = self.grabs.iter().map(|grab| grab.particle).chain(self.forces.keys().copied());
        if !held.chain(self.pins.iter().flat_map(Pin::particles)).all(exists) {
            return Err("a particle is held or pushed that is not there");
        }
        if self.compliances.keys().any(|&set| set >= room.sets) {
            return Err("the compliance of a group was changed that is not there");
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
                return Err("this simulation was changed, and what it was built with is not known any more");
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

    /// Those that the simulation was built with are there already, in the same order.
    fn apply<'p>(&self, there: &mut impl Iterator<Item = &'p HeldPin>) -> Result<HeldPin, Misfit> {
        let mut pin = match &self.added {
            None => there.next().ok_or("it has more pins than the simulation was built with")?.clone(),
            Some((particles, rest)) => HeldPin {
                id: self.id,
                built: false,
                particles: particles.as_slice().into(),
                rest: rest.as_slice().into(),
                motion: Arc::default(),
                changed: self.changed,
                goal: None,
                release: None,
                released: self.released,
                targets: None,
            },
        };
        match &self.motion {
            Some(motion) => pin.motion = Arc::new(motion.clone()),
            None if pin.changed || !pin.built => {
                return Err("the motion of a pin is not known any more");
            }
            None => {}
        }
        let points = pin.particles.len();
        let fits = pin.rest.len() == points && self.goal.as_ref().is_none_or(|goal| goal.len() == points);
        (pin.id, pin.released, pin.changed) = (self.id, self.released, self.changed);
        pin.goal = self.goal.as_deref().map(Into::into);
        let is_sound = fits && pin.motion.problem(Some(points)).is_none();
        is_sound.then_some(pin).ok_or("a pin does not lead as many particles as it holds")
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
        let missing = "an obstacle is not there: add those with data of their own first, in the same order";
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
        is_sound.then(standing).ok_or("an obstacle is none that can be simulated")
    }
}
