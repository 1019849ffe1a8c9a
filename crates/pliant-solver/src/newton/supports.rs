//! [`Supports`]: particles that obstacles carry, as rows of a Newton step.
//!
//! A support keeps its particle on the surface by F = λ − k g along the normal, where g is the gap that is left, and
//! pulls as well as it pushes within a step, so that a step sees a smooth φ. Between steps λ becomes F, supports that pulled
//! are dropped, and particles that went into a surface get one. Friction does the same along the surface: where it sticks, it is a
//! multiplier and a spring to where the point of the surface was at the start of the substep; where it slips, a spring whose force
//! is μF at the last slip. The multipliers start as what balances the particle where it is, so a body at rest is in balance from
//! the start.

use nalgebra::{Matrix3, Vector3};
use pliant_kernel::{Particle, Scalar, widen};

use crate::set::contact::{Contacts, Footing};

/// The stiffness of a support over that of the particle in the matrix.
const STIFF: f64 = 10.0;

/// A particle lies on a surface at the start of a substep if it meets it within this share of its way to the prediction.
const AT_START: f64 = 0.01;

/// How many steps find the normal force that friction goes by. Later ones keep it: friction is the gradient of a potential
/// then, and steps do not circle around the answer.
const LOADS: u32 = 2;

/// A particle that a surface carries.
#[derive(Debug, Clone, Copy)]
struct Support {
    at: Footing,
    /// Where the particle was when the footing was found, m.
    from: Vector3<f64>,
    /// k, kg; zero before a matrix has it.
    stiffness: f64,
    /// λ, kg·m.
    push: f64,
    /// The normal force that friction goes by, kg·m.
    load: f64,
    grip: Grip,
    /// The number of steps that it has been through.
    steps: u32,
}

/// The friction of a support.
#[derive(Debug, Clone, Copy)]
enum Grip {
    /// There is none, or it is not known yet.
    Open,
    /// It sticks, and pulls with this, kg·m, and a spring of the stiffness of the support.
    Sticks(Vector3<f64>),
    /// It begins to slip in this direction, against a force of constant size.
    Starts(Vector3<f64>),
    /// It slips, against a spring of this stiffness, kg, whose force has the right size at the last slip.
    Slips(f64),
}

impl Support {
    /// A support of a particle at `from`, which gets its stiffness and forces with the next matrix.
    fn new(at: Footing, from: Vector3<f64>) -> Self {
        Self { at, from, stiffness: 0.0, push: 0.0, load: 0.0, grip: Grip::Open, steps: 0 }
    }

    /// How far the particle is from the surface, m.
    fn gap(&self, x: &Vector3<f64>) -> f64 {
        self.at.gap + self.at.normal.dot(&(x - self.from))
    }

    /// How far it has slipped over the surface in the substep, m.
    fn slip(&self, x: &Vector3<f64>) -> Vector3<f64> {
        self.at.slip + self.along(&(x - self.from))
    }

    /// The part of a vector along the surface.
    fn along(&self, v: &Vector3<f64>) -> Vector3<f64> {
        v - self.at.normal * self.at.normal.dot(v)
    }

    /// F, kg·m.
    fn normal_force(&self, x: &Vector3<f64>) -> f64 {
        self.push - self.stiffness * self.gap(x)
    }

    /// Friction, kg·m.
    fn friction(&self, x: &Vector3<f64>) -> Vector3<f64> {
        match self.grip {
            Grip::Open => Vector3::zeros(),
            Grip::Sticks(pull) => pull - self.slip(x) * self.stiffness,
            Grip::Starts(way) => {
                let slip = self.slip(x);
                -way * (self.at.kinetics * self.load) - (slip - way * way.dot(&slip)) * self.stiffness
            }
            Grip::Slips(stiffness) => self.slip(x) * -stiffness,
        }
    }

    /// Finds λ and the friction that balance the particle, as far as they may, from −∇φ without them.
    fn balance(&mut self, residual: &Vector3<f64>) {
        self.push = (-self.at.normal.dot(residual)).max(0.0);
        self.load = self.push;
        if self.at.statics > 0.0 {
            let drive = self.along(residual);
            let size = drive.norm();
            self.grip = if size <= self.at.statics * self.load {
                Grip::Sticks(-drive)
            } else {
                Grip::Starts(drive / size)
            };
        }
    }

    /// What it adds to the block of its particle.
    fn block(&self) -> Matrix3<f64> {
        let normal = self.at.normal * self.at.normal.transpose();
        let plane = Matrix3::identity() - normal;
        normal * self.stiffness
            + match self.grip {
                Grip::Open => Matrix3::zeros(),
                Grip::Sticks(_) => plane * self.stiffness,
                Grip::Starts(way) => (plane - way * way.transpose()) * self.stiffness,
                Grip::Slips(stiffness) => plane * stiffness,
            }
    }

    /// The support after a step that has brought its particle to `x`, and what was wrong with it; there is none if it pulled.
    fn next(&self, x: Vector3<f64>, at: Footing) -> (Option<Self>, Wrong) {
        let push = self.normal_force(&x);
        if push <= 0.0 {
            return (None, self.wrong_force(-push));
        }
        let (slip, pull) = (self.slip(&x), self.friction(&x));
        let steps = self.steps + 1;
        let load = if steps > LOADS && self.load > 0.0 { self.load } else { push };
        let (most, size, force) = (at.statics * load, pull.norm(), at.kinetics * load);
        let (grip, wrong) = match self.grip {
            Grip::Open => (Grip::Open, Wrong::default()),
            Grip::Sticks(_) if size <= most => (Grip::Sticks(pull), Wrong::default()),
            Grip::Sticks(_) => (Grip::Starts(-pull / size), self.wrong_force(size - force)),
            Grip::Starts(way) if slip.dot(&way) <= 0.0 => {
                (Grip::Sticks(Vector3::zeros()), Wrong { way: slip.norm(), ..Wrong::default() })
            }
            Grip::Starts(_) | Grip::Slips(_) => {
                let length = slip.norm();
                if length * self.stiffness > force {
                    (Grip::Slips(force / length), self.wrong_force((size - force).abs()))
                } else {
                    (Grip::Sticks(Vector3::zeros()), Wrong { way: length, ..Wrong::default() })
                }
            }
        };
        (Some(Self { at, from: x, push, load, grip, steps, ..*self }), wrong)
    }

    /// What a force that is wrong moves: its particle against what else holds it.
    fn wrong_force(&self, force: f64) -> Wrong {
        Wrong { force, way: force * STIFF / self.stiffness }
    }
}

/// What was wrong with a support.
#[derive(Debug, Clone, Copy, Default)]
struct Wrong {
    /// A force, kg·m, which moves the whole body.
    force: f64,
    /// How far it moves its particle, m.
    way: f64,
}

/// The particles that obstacles carry in a substep, surface by surface.
#[derive(Debug, Default)]
pub(super) struct Supports {
    list: Vec<Support>,
    next: Vec<Support>,
}

impl Supports {
    pub(super) fn clear(&mut self) {
        self.list.clear();
    }

    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Finds the particles that lie on a surface at the start of the substep and would go into it. Returns whether any
    /// particle presses on a surface after the sweeps, or would go into one.
    pub(super) fn find<T: Scalar>(
        &mut self,
        contacts: &Contacts<T>,
        now: &[Particle<T>],
        predicted: &[Vector3<T>],
        previous: &[Particle<T>],
    ) -> bool {
        self.list.clear();
        let mut lands = false;
        for surface in 0..contacts.surfaces() {
            for (particle, ((p, x), q)) in now.iter().zip(predicted).zip(previous).enumerate() {
                if p.w <= T::zero() {
                    continue;
                }
                let goes_in = contacts.is_inside(surface, particle, x);
                lands |= goes_in || contacts.presses(surface, particle);
                if goes_in && contacts.way_to(surface, particle, &q.x, x) <= AT_START {
                    let at = contacts.footing(surface, particle, &q.x, &q.x);
                    self.list.push(Support::new(at, widen(&q.x)));
                }
            }
        }
        lands
    }

    /// Adds the supports to the blocks of their particles, which hold everything else by now. Those that are new get their
    /// stiffness, and the forces that balance their particles.
    pub(super) fn stiffen<T: Scalar>(
        &mut self,
        residual: &[Particle<T>],
        blocks: &mut [[f32; 9]],
        place: impl Fn(usize) -> usize,
    ) {
        for support in &mut self.list {
            let Footing { particle, normal, .. } = support.at;
            let Some(block) = blocks.get_mut(place(particle)) else { continue };
            if support.stiffness <= 0.0 {
                let of = Matrix3::from_iterator(block.iter().map(|&value| f64::from(value)));
                support.stiffness = STIFF * normal.dot(&(of * normal));
                support.balance(&widen(&residual[particle].x));
            }
            for (value, more) in block.iter_mut().zip(support.block().iter()) {
                *value += *more as f32;
            }
        }
    }

    /// Adds their forces to −∇φ.
    pub(super) fn push<T: Scalar>(&self, now: &[Particle<T>], residual: &mut [Particle<T>]) {
        for support in self.list.iter().filter(|support| support.stiffness > 0.0) {
            let x = widen(&now[support.at.particle].x);
            let force = support.at.normal * support.normal_force(&x) + support.friction(&x);
            for (sum, force) in residual[support.at.particle].x.iter_mut().zip(force.iter()) {
                *sum += T::splat(*force);
            }
        }
    }

    /// Finds the supports again after a step. Returns how far particles are from where right supports would have had them,
    /// in the norm of M, and whether any was wrong.
    pub(super) fn revise<T: Scalar>(
        &mut self,
        contacts: &Contacts<T>,
        now: &[Particle<T>],
        previous: &[Particle<T>],
    ) -> (f64, bool) {
        let Self { list, next } = self;
        next.clear();
        let (mut squares, mut forces, mut mass, mut changed) = (0.0, 0.0, 0.0, false);
        for p in now.iter().filter(|p| p.w > T::zero()) {
            mass += 1.0 / p.w.to_f64();
        }
        let mut known = list.iter().peekable();
        for surface in 0..contacts.surfaces() {
            for (particle, (p, q)) in now.iter().zip(previous).enumerate() {
                let had = known.next_if(|s| (s.at.surface, s.at.particle) == (surface, particle));
                if had.is_none() && (p.w <= T::zero() || !contacts.is_inside(surface, particle, &p.x)) {
                    continue;
                }
                let x = widen(&p.x);
                let at = contacts.footing(surface, particle, &p.x, &q.x);
                let (support, wrong) = match had {
                    Some(support) => support.next(x, at),
                    None => (Some(Support::new(at, x)), Wrong { way: -at.gap, force: 0.0 }),
                };
                squares += wrong.way * wrong.way / p.w.to_f64();
                forces += wrong.force;
                changed |= wrong.way > 0.0;
                next.extend(support);
            }
        }
        std::mem::swap(list, next);
        (squares.sqrt() + forces / f64::sqrt(mass), changed)
    }

    /// Gives the contacts the forces of the supports, as they were found after the last step.
    pub(super) fn press<T: Scalar>(&self, contacts: &mut Contacts<T>, now: &[Particle<T>]) {
        contacts.carry();
        for support in self.list.iter().filter(|support| support.push > 0.0) {
            let Footing { surface, particle, statics, kinetics, .. } = support.at;
            let friction = match support.grip {
                Grip::Open => Vector3::zeros(),
                Grip::Sticks(pull) => pull,
                Grip::Starts(way) => way * (-kinetics * support.push),
                Grip::Slips(stiffness) => support.at.slip * -stiffness,
            };
            // Steps may have ended before every support was right.
            let (size, force) = (friction.norm(), support.push);
            let share = if size > statics * force { kinetics * force / size } else { 1.0 };
            contacts.press(surface, particle, force, friction * (share * now[particle].w.to_f64()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn support(grip: Grip) -> Support {
        let normal = Vector3::new(2.0, 3.0, 6.0) / 7.0;
        let across = |v: Vector3<f64>| v - normal * normal.dot(&v);
        let at = Footing {
            surface: 0,
            particle: 0,
            gap: 0.01,
            normal,
            slip: across(Vector3::new(0.02, 0.01, -0.03)),
            statics: 0.6,
            kinetics: 0.4,
        };
        let from = Vector3::new(0.1, 0.2, 0.3);
        Support { at, from, stiffness: 7.0, push: 2.0, load: 1.5, grip, steps: 0 }
    }

    /// The block is what the force changes by, with the other sign.
    #[test]
    fn blocks_are_derivatives_of_forces() {
        let normal = support(Grip::Open).at.normal;
        let way = normal.cross(&Vector3::y()).normalize();
        for grip in [Grip::Open, Grip::Sticks(way * 0.3), Grip::Starts(way), Grip::Slips(2.5)] {
            let support = support(grip);
            let force = |x: Vector3<f64>| normal * support.normal_force(&x) + support.friction(&x);
            let x = Vector3::new(0.12, 0.17, 0.31);
            for axis in 0..3 {
                let step = Vector3::from_fn(|k, _| if k == axis { 1e-3 } else { 0.0 });
                let slope = (force(x + step) - force(x - step)) / 2e-3;
                assert!((slope + support.block().column(axis)).norm() < 1e-9, "{grip:?}, axis {axis}");
            }
        }
    }

    /// What a particle is pushed into is balanced, and friction as far as the law allows.
    #[test]
    fn a_particle_at_rest_is_in_balance_from_the_start() {
        let mut support = support(Grip::Open);
        let Footing { normal, .. } = support.at;
        let way = normal.cross(&Vector3::y()).normalize();
        (support.at.gap, support.at.slip) = (0.0, Vector3::zeros());
        let residual = normal * -3.0 + way * 1.7;
        support.balance(&residual);
        let x = support.from;
        let left = residual + normal * support.normal_force(&x) + support.friction(&x);
        assert!(left.norm() < 1e-12, "{left}");
        support.balance(&(residual + way * 0.2));
        assert!((support.friction(&x) + way * 1.2).norm() < 1e-12, "it slips, with 0.4 of 3");
        support.balance(&-residual);
        assert_eq!(support.normal_force(&x), 0.0, "a surface does not pull");
    }
}
