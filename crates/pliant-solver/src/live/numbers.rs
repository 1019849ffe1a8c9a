//! What was changed while a simulation runs, as numbers: the end of a [snapshot's](crate::Snapshot::to_numbers). The encoding is private.

use std::sync::Arc;

use nalgebra::Vector3;

use crate::describe::motion::{Keyframe, Motion, Samples};
use crate::describe::obstacle::{Obstacle, Shape};
use crate::describe::settings::Wind;
use crate::live::state::{Grabbed, Live, Medium, Standing};
use crate::passes::kinematics::HeldPin;
use crate::set::constraint_set::Resistance;

/// The changes as numbers; none where nothing was changed.
pub(crate) fn write(live: &Live, pins: &[HeldPin]) -> Vec<f64> {
    let mut out = Writer(Vec::new());
    if !live.touched {
        return out.0;
    }
    out.count(live.next as usize);
    out.flag(live.acted);
    out.list(pins, Writer::pin);
    out.option(live.medium.as_ref(), Writer::medium);
    out.list(&live.obstacles, Writer::standing);
    out.list(&live.grabs, |out, grab| {
        out.count(grab.id as usize);
        out.count(grab.particle as usize);
        out.0.push(grab.stiffness);
        out.vectors(&[grab.to, grab.now]);
    });
    out.count(live.forces.len());
    for (&particle, force) in live.forces.iter() {
        out.count(particle as usize);
        out.vectors(&[*force]);
    }
    out.count(live.compliances.len());
    for (&set, resistance) in &live.compliances {
        let (sort, value) = match resistance {
            Resistance::Compliance(value) => (0.0, *value),
            Resistance::Stiffer(factor) => (1.0, *factor),
        };
        out.count(set);
        out.0.extend([sort, value]);
    }
    out.0
}

/// The changes that numbers say, in a simulation whose present ones are given; none if they do not fit.
pub(crate) fn read(
    numbers: &[f64],
    (live, pins): (&Live, &[HeldPin]),
    particles: usize,
) -> Option<(Live, Vec<HeldPin>)> {
    if numbers.is_empty() {
        let obstacles: Vec<_> = live.obstacles.iter().filter(|standing| standing.built).cloned().collect();
        let mut pins: Vec<_> = pins.iter().filter(|pin| pin.built).cloned().collect();
        if live.touched {
            // It is not known what those of a simulation that was changed were.
            if obstacles.len() != live.built_obstacles || pins.iter().any(|pin| pin.changed) {
                return None;
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
            compliances: std::collections::BTreeMap::new(),
            ..live.clone()
        };
        return Some((live, pins));
    }
    let mut from = Reader(numbers);
    let (next, acted) = (from.count()? as u64, from.flag()?);
    let mut built = pins.iter().filter(|pin| pin.built);
    let pins = from.list(|from| from.pin(&mut built, particles))?;
    let medium = from.option(Reader::medium)?;
    let obstacles = from.list(|from| from.standing(&live.obstacles))?;
    let particle = |from: &mut Reader<'_>| {
        let particle = from.count().filter(|&v| v < particles)?;
        u32::try_from(particle).ok()
    };
    let grabs = from.list(|from| {
        let (id, particle, stiffness) = (from.count()? as u64, particle(from)?, from.number()?);
        let (to, now) = (from.vector()?, from.vector()?);
        Some(Grabbed { id, particle, stiffness, from: now, to, before: now, now })
    })?;
    let forces = from.list(|from| Some((particle(from)?, from.vector()?)))?;
    let compliances = from.list(|from| {
        let (set, sort, value) = (from.count()?, from.number()?, from.number()?);
        let resistance = if sort == 0.0 { Resistance::Compliance(value) } else { Resistance::Stiffer(value) };
        Some((set, resistance))
    })?;
    let read = Live {
        next,
        touched: true,
        acted,
        grabs,
        forces: Arc::new(forces.into_iter().collect()),
        medium,
        obstacles,
        compliances: compliances.into_iter().collect(),
        ..live.clone()
    };
    from.0.is_empty().then_some((read, pins))
}

struct Writer(Vec<f64>);

impl Writer {
    #[allow(clippy::cast_precision_loss, reason = "counts far below 2^53")]
    fn count(&mut self, n: usize) {
        self.0.push(n as f64);
    }

    fn flag(&mut self, is: bool) {
        self.0.push(f64::from(u8::from(is)));
    }

    fn vectors(&mut self, list: &[Vector3<f64>]) {
        self.0.extend(list.iter().flat_map(Vector3::iter));
    }

    fn list<X>(&mut self, list: &[X], one: impl Fn(&mut Self, &X)) {
        self.count(list.len());
        list.iter().for_each(|x| one(self, x));
    }

    fn option<X>(&mut self, x: Option<X>, one: impl Fn(&mut Self, X)) {
        self.flag(x.is_some());
        if let Some(x) = x {
            one(self, x);
        }
    }

    fn points(&mut self, list: &[Vector3<f64>]) {
        self.count(list.len());
        self.vectors(list);
    }

    fn motion(&mut self, motion: &Motion) {
        match motion {
            Motion::Fixed => self.count(0),
            Motion::Velocity { linear, angular, pivot } => {
                self.count(1);
                self.vectors(&[*linear, *angular, *pivot]);
            }
            Motion::Keyframes { pivot, keys } => {
                self.count(2);
                self.vectors(&[*pivot]);
                self.list(keys, |out, key| {
                    out.0.push(key.time);
                    out.vectors(&[key.translation, key.rotation]);
                });
            }
            Motion::Samples(samples) => {
                self.count(3);
                self.0.extend([samples.start, samples.rate]);
                self.list(&samples.frames, |out, frame| out.points(frame));
            }
        }
    }

    fn pin(&mut self, pin: &HeldPin) {
        self.count(pin.id as usize);
        for is in [pin.built, pin.released, pin.changed] {
            self.flag(is);
        }
        if !pin.built {
            self.count(pin.particles.len());
            pin.particles.iter().for_each(|&v| self.count(v as usize));
            self.points(&pin.rest);
        }
        if !pin.built || pin.changed {
            self.motion(&pin.motion);
        }
        self.option(pin.goal.as_deref(), Self::points);
    }

    fn medium(&mut self, medium: &Medium) {
        self.vectors(&[medium.gravity]);
        self.0.extend([medium.damping, medium.drag]);
        self.option(medium.wind, |out, wind| {
            out.vectors(&[wind.velocity]);
            out.0.extend([wind.density, wind.drag, wind.lift]);
        });
    }

    fn standing(&mut self, standing: &Standing) {
        self.count(standing.id as usize);
        self.flag(standing.built);
        if !standing.built {
            let Obstacle { shape, static_friction, kinetic_friction, restitution, motion } =
                &*standing.obstacle;
            self.0.extend([*static_friction, *kinetic_friction, *restitution]);
            self.shape(shape);
            self.motion(motion);
        }
        self.option(standing.motion.as_deref(), Writer::motion);
        self.option(standing.goal, |out, goal| out.vectors(&goal));
    }

    /// Shapes with data of their own are not written: they must be there.
    fn shape(&mut self, shape: &Shape) {
        match shape {
            Shape::Plane { normal, offset } => {
                self.count(1);
                self.vectors(&[*normal]);
                self.0.push(*offset);
            }
            Shape::Sphere { centre, radius } => {
                self.count(2);
                self.vectors(&[*centre]);
                self.0.push(*radius);
            }
            Shape::Box { centre, half_extents } => {
                self.count(3);
                self.vectors(&[*centre, *half_extents]);
            }
            Shape::Container { min, max } => {
                self.count(4);
                self.vectors(&[*min, *max]);
            }
            Shape::Capsule { from, to, radius } => {
                self.count(5);
                self.vectors(&[*from, *to]);
                self.0.push(*radius);
            }
            Shape::Hull(_) | Shape::HeightField(_) | Shape::DistanceGrid(_) => self.count(0),
        }
    }
}

struct Reader<'a>(&'a [f64]);

impl Reader<'_> {
    fn number(&mut self) -> Option<f64> {
        let (&first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(first)
    }

    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked to be a count")]
    fn count(&mut self) -> Option<usize> {
        self.number().filter(|&n| (0.0..9e15).contains(&n) && n.fract() == 0.0).map(|n| n as usize)
    }

    fn flag(&mut self) -> Option<bool> {
        self.number().map(|n| n == 1.0)
    }

    fn vector(&mut self) -> Option<Vector3<f64>> {
        Some(Vector3::new(self.number()?, self.number()?, self.number()?))
    }

    /// A list of things each of which takes at least one number.
    fn list<X>(&mut self, mut one: impl FnMut(&mut Self) -> Option<X>) -> Option<Vec<X>> {
        let count = self.count().filter(|&n| n <= self.0.len())?;
        (0..count).map(|_| one(self)).collect()
    }

    fn option<X>(&mut self, one: impl FnOnce(&mut Self) -> Option<X>) -> Option<Option<X>> {
        if self.flag()? { one(self).map(Some) } else { Some(None) }
    }

    fn points(&mut self) -> Option<Vec<Vector3<f64>>> {
        self.list(Self::vector)
    }

    fn motion(&mut self) -> Option<Motion> {
        Some(match self.count()? {
            0 => Motion::Fixed,
            1 => Motion::Velocity { linear: self.vector()?, angular: self.vector()?, pivot: self.vector()? },
            2 => Motion::Keyframes {
                pivot: self.vector()?,
                keys: self.list(|from| {
                    let time = from.number()?;
                    Some(Keyframe { time, translation: from.vector()?, rotation: from.vector()? })
                })?,
            },
            3 => Motion::Samples(Samples {
                start: self.number()?,
                rate: self.number()?,
                frames: self.list(Self::points)?,
            }),
            _ => return None,
        })
    }

    /// Those that were built are there already, in the same order.
    fn pin<'p>(
        &mut self,
        there: &mut impl Iterator<Item = &'p HeldPin>,
        particles: usize,
    ) -> Option<HeldPin> {
        let id = self.count()? as u64;
        let [built, released, changed] = [self.flag()?, self.flag()?, self.flag()?];
        let mut pin = if built {
            there.next()?.clone()
        } else {
            let list = self.list(|from| {
                let v = from.count().filter(|&v| v < particles)?;
                u32::try_from(v).ok()
            })?;
            let rest = self.points()?;
            HeldPin {
                id,
                built,
                particles: list.into(),
                rest: rest.into(),
                motion: Arc::new(Motion::Fixed),
                changed,
                goal: None,
                release: None,
                released,
                targets: None,
            }
        };
        if built && !changed && pin.changed {
            // What it was built with is not known any more.
            return None;
        }
        if !built || changed {
            pin.motion = Arc::new(self.motion()?);
        }
        let goal = self.option(Self::points)?;
        let points = pin.particles.len();
        let fits = pin.rest.len() == points && goal.as_ref().is_none_or(|goal| goal.len() == points);
        (pin.id, pin.released, pin.changed, pin.goal) = (id, released, changed, goal.map(Into::into));
        (fits && pin.motion.problem(Some(points)).is_none()).then_some(pin)
    }

    fn medium(&mut self) -> Option<Medium> {
        let (gravity, damping, drag) = (self.vector()?, self.number()?, self.number()?);
        let wind = self.option(|from| {
            let velocity = from.vector()?;
            Some(Wind { velocity, density: from.number()?, drag: from.number()?, lift: from.number()? })
        })?;
        Some(Medium { gravity, wind, damping, drag })
    }

    fn standing(&mut self, present: &[Standing]) -> Option<Standing> {
        let (id, built) = (self.count()? as u64, self.flag()?);
        let known = present.iter().find(|standing| standing.id == id && standing.built == built);
        let obstacle = if built {
            Arc::clone(&known?.obstacle)
        } else {
            let (static_friction, kinetic_friction, restitution) =
                (self.number()?, self.number()?, self.number()?);
            let shape = match self.shape()? {
                Some(shape) => shape,
                None => known?.obstacle.shape.clone(),
            };
            let motion = self.motion()?;
            Arc::new(Obstacle { shape, static_friction, kinetic_friction, restitution, motion })
        };
        obstacle.check(0).ok()?;
        let motion = self.option(Self::motion)?;
        let goal = self.option(|from| Some([from.vector()?, from.vector()?]))?;
        let is_sound = motion.as_ref().is_none_or(|motion| motion.problem(None).is_none());
        is_sound.then(|| Standing { id, obstacle, built, motion: motion.map(Arc::new), goal })
    }

    /// A shape; nothing for one with data of its own.
    fn shape(&mut self) -> Option<Option<Shape>> {
        Some(Some(match self.count()? {
            0 => return Some(None),
            1 => Shape::Plane { normal: self.vector()?, offset: self.number()? },
            2 => Shape::Sphere { centre: self.vector()?, radius: self.number()? },
            3 => Shape::Box { centre: self.vector()?, half_extents: self.vector()? },
            4 => Shape::Container { min: self.vector()?, max: self.vector()? },
            5 => Shape::Capsule { from: self.vector()?, to: self.vector()?, radius: self.number()? },
            _ => return None,
        }))
    }
}
