//! [`Contacts`]: the obstacles of a running simulation and the multipliers of every particle against them.

mod approach;
mod change;
mod geometry;
mod near;
mod passage;
mod thin;

use std::ops::Range;

use nalgebra::Vector3;
use pliant_constraints::{contact_step, friction_step, splat_vector};
use pliant_kernel::{PACK, Particle, Particles, Peak, Simd, Team, widen};

use crate::describe::motion::{Motion, Pose};
use crate::describe::obstacle::Obstacle;
use pliant_kernel::Scalar;

use geometry::Geometry;
use near::Near;
pub(crate) use thin::Passage;
use thin::Thin;

/// Particles handled by one task.
const CHUNK: usize = 4096;

/// All obstacles, each with the state of its contacts.
pub(crate) struct Contacts<T: Scalar> {
    surfaces: Vec<Surface<T>>,
    /// Half-thickness of every particle, m: the gap that it keeps.
    radius: Vec<T>,
    /// Whether what presses was solved together with the bodies: only what is left of its gap is closed, and friction stays.
    carried: bool,
}

/// One surface: a container has six.
struct Surface<T: Scalar> {
    geometry: Geometry<T>,
    /// `None` if nothing is behind it.
    thin: Option<Thin>,
    static_friction: T,
    kinetic_friction: T,
    restitution: T,
    motion: Motion,
    /// Pose at the end of the substep, and at its start.
    now: LocalFrame<T>,
    before: LocalFrame<T>,
    contacts: Vec<Contact<T>>,
}

/// A particle that presses on a surface.
pub(crate) struct Pressed {
    pub(crate) particle: usize,
    /// Distance of the particle from the surface, m, and the normal of the surface.
    pub(crate) gap: f64,
    pub(crate) normal: Vector3<f64>,
    /// λn and friction over the inverse mass, kg·m.
    pub(crate) push: Vector3<f64>,
}

/// A place of a particle beside a surface.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Footing {
    pub(crate) surface: usize,
    pub(crate) particle: usize,
    /// How far the particle is from where it touches, m, negative inside, and the normal of the surface.
    pub(crate) gap: f64,
    pub(crate) normal: Vector3<f64>,
    /// How far it has slipped over the surface in the substep, m.
    pub(crate) slip: Vector3<f64>,
    /// The coefficients of friction.
    pub(crate) statics: f64,
    pub(crate) kinetics: f64,
}

/// A pose in the scalar of the simulation: the columns of R, and t.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LocalFrame<T: Scalar> {
    axes: [Vector3<T>; 3],
    origin: Vector3<T>,
}

impl<T: Scalar> LocalFrame<T> {
    /// The columns of R, then t.
    #[cfg(feature = "serde")]
    pub(crate) fn columns(self) -> [T; 12] {
        let [a, b, c] = self.axes;
        let columns = [a, b, c, self.origin];
        std::array::from_fn(|k| columns[k / 3][k % 3])
    }

    /// The pose of these [`columns`](Self::columns).
    #[cfg(feature = "serde")]
    pub(crate) fn from_columns(numbers: &[T; 12]) -> Self {
        let column = |k: usize| Vector3::from_fn(|row, _| numbers[3 * k + row]);
        Self { axes: [column(0), column(1), column(2)], origin: column(3) }
    }
}

/// The contact of a particle and a surface during a substep.
#[derive(Debug, Clone, Copy)]
struct Contact<T: Scalar> {
    lambda: T,
    /// Displacement by friction, m.
    friction: Vector3<T>,
}

impl<T: Scalar> Contact<T> {
    fn none() -> Self {
        Self { lambda: T::zero(), friction: Vector3::zeros() }
    }
}

impl<T: Scalar> LocalFrame<T> {
    fn new(pose: &Pose) -> Self {
        Self {
            axes: [0, 1, 2].map(|k| splat_vector(&pose.rotation.column(k).into_owned())),
            origin: splat_vector(&pose.translation),
        }
    }

    fn to_local(self, x: &Vector3<T>) -> Vector3<T> {
        let d = x - self.origin;
        Vector3::new(self.axes[0].dot(&d), self.axes[1].dot(&d), self.axes[2].dot(&d))
    }

    fn turn(self, v: &Vector3<T>) -> Vector3<T> {
        self.axes[0] * v.x + self.axes[1] * v.y + self.axes[2] * v.z
    }

    fn to_world(self, x: &Vector3<T>) -> Vector3<T> {
        self.turn(x) + self.origin
    }
}

impl<T: Scalar> Surface<T> {
    /// Signed distance and outward normal in the world.
    fn gap(&self, x: &Vector3<T>) -> (T, Vector3<T>) {
        let (gap, normal) = self.geometry.gap(&self.now.to_local(x));
        (gap, self.now.turn(&normal))
    }

    /// Whether a point in the world is certainly farther away than `radius`, m.
    fn is_clear(&self, x: &Vector3<T>, radius: T) -> bool {
        self.geometry.is_clear(&self.now.to_local(x), radius)
    }

    /// The particles that press on it.
    fn pressed<'a>(&'a self, now: &'a [Particle<T>]) -> impl Iterator<Item = Pressed> + 'a {
        let touching = self.contacts.iter().enumerate().filter(|(_, c)| c.lambda > T::zero());
        touching.filter(|(i, _)| now[*i].w > T::zero()).map(|(particle, contact)| {
            let Particle { x, w, .. } = &now[particle];
            let (gap, normal) = self.gap(x);
            let normal = widen(&normal);
            let push = normal * contact.lambda.to_f64() + widen(&contact.friction) / w.to_f64();
            Pressed { particle, gap: gap.to_f64(), normal, push }
        })
    }

    /// Where the point of the obstacle that is at `x` now was at the start of the substep.
    fn origin_of(&self, x: &Vector3<T>) -> Vector3<T> {
        self.before.to_world(&self.now.to_local(x))
    }
}

impl<T: Scalar> Contacts<T> {
    /// Contacts of `radius.len()` particles with checked obstacles.
    pub(crate) fn new(obstacles: &[Obstacle], radius: &[f64]) -> Self {
        let radius = radius.iter().map(|&r| T::splat(r)).collect();
        let mut contacts = Self { surfaces: Vec::new(), radius, carried: false };
        for obstacle in obstacles {
            contacts.add(obstacle, &obstacle.motion, 0.0);
        }
        contacts
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.surfaces.is_empty()
    }

    /// Whether any obstacle gives velocity back.
    pub(crate) fn bounces(&self) -> bool {
        self.surfaces.iter().any(|s| s.restitution > T::zero())
    }

    /// Moves the obstacles to the end of a substep and forgets the contacts of the last one.
    pub(crate) fn begin(&mut self, time: f64) {
        for surface in &mut self.surfaces {
            surface.before = surface.now;
            if !surface.motion.is_fixed() {
                surface.now = LocalFrame::new(&surface.motion.pose(time));
            }
        }
        self.forget();
    }

    /// Forgets the contacts: there are none until the next substep.
    pub(crate) fn forget(&mut self) {
        self.carried = false;
        for surface in &mut self.surfaces {
            surface.contacts.fill(Contact::none());
        }
    }

    /// Projects every particle out of every obstacle, with friction.
    pub(crate) fn solve(
        &mut self,
        now: &mut [Particle<T>],
        previous: &[Particle<T>],
        simd: Simd,
        team: Team<'_>,
    ) {
        for surface in &mut self.surfaces {
            let mut contacts = std::mem::take(&mut surface.contacts);
            let chunk = if contacts.len() > CHUNK { CHUNK } else { contacts.len().max(1) };
            let now = &mut now[..contacts.len()];
            let chunks = now.chunks_mut(chunk).zip(previous.chunks(chunk));
            let chunks = chunks.zip(contacts.chunks_mut(chunk).zip(self.radius.chunks(chunk)));
            let (this, carried) = (&*surface, self.carried);
            team.for_each(chunks, |((now, previous), (contacts, radius))| {
                let mut may_touch = [0; CHUNK / PACK];
                let may_touch = &mut may_touch[..now.len().div_ceil(PACK)];
                let (geometry, LocalFrame { axes, origin }) = (&this.geometry, &this.now);
                let near = Near { geometry, axes, origin, particles: now, radius, may_touch };
                T::dispatch(near, simd);
                for (bits, first) in may_touch.iter().zip((0..).step_by(PACK)) {
                    for i in first..(first + PACK).min(now.len()) {
                        let contact = &mut contacts[i];
                        if bits >> (i - first) & 1 == 1 || contact.lambda > T::zero() {
                            solve_contact(this, &mut now[i], &previous[i].x, contact, radius[i], carried);
                        }
                    }
                }
            });
            surface.contacts = contacts;
        }
    }

    /// Projects some particles out of every obstacle, with friction, where the others have not moved since
    /// the last [`solve`](Self::solve).
    pub(crate) fn solve_some(&mut self, some: &[u32], now: &mut [Particle<T>], previous: &[Particle<T>]) {
        for surface in &mut self.surfaces {
            let mut contacts = std::mem::take(&mut surface.contacts);
            for &v in some {
                let v = v as usize;
                let (p, before) = (&mut now[v], &previous[v].x);
                solve_contact(surface, p, before, &mut contacts[v], self.radius[v], self.carried);
            }
            surface.contacts = contacts;
        }
    }

    /// The particles that touch an obstacle with restitution, each once.
    pub(crate) fn bouncing(&self) -> impl Iterator<Item = usize> + '_ {
        let touches = |surface: &Surface<T>, i: usize| {
            surface.restitution > T::zero() && surface.contacts[i].lambda > T::zero()
        };
        (0..self.radius.len()).filter(move |&i| self.surfaces.iter().any(|surface| touches(surface, i)))
    }

    /// The velocity after an impact. `before` is the velocity with which the particle came, gravity of the
    /// substep included; `rest_speed` the speed below which an impact does not bounce, m/s; `inverse_h` is
    /// 1/h.
    pub(crate) fn bounce(
        &self,
        i: usize,
        x: &Vector3<T>,
        before: &Vector3<T>,
        mut velocity: Vector3<T>,
        rest_speed: T,
        inverse_h: T,
    ) -> Vector3<T> {
        for surface in &self.surfaces {
            if surface.restitution > T::zero() && surface.contacts[i].lambda > T::zero() {
                let (_, normal) = surface.gap(x);
                let carried = (x - surface.origin_of(x)) * inverse_h;
                let approach = normal.dot(&(before - carried));
                if approach < -rest_speed {
                    let wanted = -(surface.restitution * approach);
                    let leaving = normal.dot(&(velocity - carried));
                    velocity += normal * (wanted - leaving).max(T::zero());
                }
            }
        }
        velocity
    }

    /// The push of every contact, λn and friction over the inverse mass, kg·m, with surface and particle.
    fn pushes<'a>(
        &'a self,
        now: &'a [Particle<T>],
    ) -> impl Iterator<Item = (&'a Surface<T>, usize, Vector3<f64>)> + 'a {
        self.surfaces.iter().flat_map(move |surface| {
            surface.pressed(now).map(move |pressed| (surface, pressed.particle, pressed.push))
        })
    }

    /// What presses on some of the surfaces.
    pub(crate) fn pressed<'a>(
        &'a self,
        surfaces: Range<usize>,
        now: &'a [Particle<T>],
    ) -> impl Iterator<Item = Pressed> + 'a {
        self.surfaces[surfaces].iter().flat_map(|surface| surface.pressed(now))
    }

    /// The number of surfaces.
    pub(crate) fn surfaces(&self) -> usize {
        self.surfaces.len()
    }

    /// Whether a particle presses on a surface.
    pub(crate) fn presses(&self, surface: usize, particle: usize) -> bool {
        self.surfaces[surface].contacts[particle].lambda > T::zero()
    }

    /// Whether a particle at `x` is nearer to a surface than it may be.
    pub(crate) fn is_inside(&self, surface: usize, particle: usize, x: &Vector3<T>) -> bool {
        let (surface, radius) = (&self.surfaces[surface], self.radius[particle]);
        !surface.is_clear(x, radius) && surface.gap(x).0 < radius
    }

    /// The share of its straight way `from` the start of the substep `to` its end that a particle, which is inside a surface
    /// there, goes until it touches; zero if it is inside from the start.
    pub(crate) fn way_to(&self, surface: usize, particle: usize, from: &Vector3<T>, to: &Vector3<T>) -> f64 {
        let (of, radius) = (&self.surfaces[surface], self.radius[particle]);
        let start = (of.geometry.gap(&of.before.to_local(from)).0 - radius).to_f64().max(0.0);
        let end = (of.gap(to).0 - radius).to_f64();
        start / (start - end)
    }

    /// The place of a particle at `x`, which was at `before` at the start of the substep, beside a surface.
    pub(crate) fn footing(
        &self,
        surface: usize,
        particle: usize,
        x: &Vector3<T>,
        before: &Vector3<T>,
    ) -> Footing {
        let of = &self.surfaces[surface];
        let (gap, normal) = of.gap(x);
        let (normal, slip) = (widen(&normal), widen(&(of.origin_of(x) - before)));
        Footing {
            surface,
            particle,
            gap: (gap - self.radius[particle]).to_f64(),
            normal,
            slip: slip - normal * normal.dot(&slip),
            statics: of.static_friction.to_f64(),
            kinetics: of.kinetic_friction.to_f64(),
        }
    }

    /// Forgets the contacts; what presses from now on is solved together with the bodies.
    pub(crate) fn carry(&mut self) {
        self.forget();
        self.carried = true;
    }

    /// Has a surface press on a particle with λ, kg·m, and displace it by `friction`, m.
    pub(crate) fn press(&mut self, surface: usize, particle: usize, lambda: f64, friction: Vector3<f64>) {
        self.surfaces[surface].contacts[particle] =
            Contact { lambda: T::splat(lambda), friction: splat_vector(&friction) };
    }

    /// Adds the impulses of the contacts on their particles, kg·m, to `impulses`.
    pub(crate) fn add_impulses(&self, now: &[Particle<T>], impulses: &mut [Particle<T>]) {
        for (_, i, push) in self.pushes(now) {
            impulses[i].x += splat_vector(&push);
        }
    }

    /// The work of the contacts in a substep of length `h`, s, before velocities are derived, J: every
    /// impulse times the mean of the velocities before and after the substep, which is the kinetic energy
    /// that it gives. `gravity`, m/s², has been added to the velocities; it acts at the same time, so that
    /// resting particles do no work. Calls `touch` with every particle in contact and its displacement
    /// relative to the obstacle, m.
    pub(crate) fn work(
        &self,
        particles: &Particles<T>,
        gravity: &Vector3<f64>,
        h: f64,
        mut touch: impl FnMut(usize, f64),
    ) -> f64 {
        let Particles { now, previous, velocity, .. } = particles;
        self.pushes(now)
            .map(|(surface, i, push)| {
                touch(i, widen(&(surface.origin_of(&now[i].x) - previous[i].x)).norm());
                let after = (widen(&now[i].x) - widen(&previous[i].x)) / h;
                push.dot(&(widen(&velocity[i].v) - gravity * h + after)) * (0.5 / h)
            })
            .sum()
    }

    /// Multiplier and friction of every surface and particle.
    pub(crate) fn state(&self) -> Vec<[f64; 4]> {
        let of = |c: &Contact<T>| [c.lambda, c.friction.x, c.friction.y, c.friction.z].map(T::to_f64);
        self.surfaces.iter().flat_map(|surface| surface.contacts.iter().map(of)).collect()
    }

    /// Moves the surfaces to their places at `time`, s, and sets their multipliers and friction, surface by surface.
    pub(crate) fn set_state(&mut self, time: f64, state: &[[f64; 4]]) {
        self.begin(time);
        let contacts = self.surfaces.iter_mut().flat_map(|surface| &mut surface.contacts);
        for (contact, &[lambda, x, y, z]) in contacts.zip(state) {
            *contact = Contact { lambda: T::splat(lambda), friction: splat_vector(&Vector3::new(x, y, z)) };
        }
    }

    /// Poses of the surfaces at the end of the last substep.
    pub(crate) fn poses(&self) -> Vec<LocalFrame<T>> {
        self.surfaces.iter().map(|surface| surface.now).collect()
    }

    /// Restores the poses of the surfaces.
    pub(crate) fn set_poses(&mut self, poses: &[LocalFrame<T>]) {
        for (surface, pose) in self.surfaces.iter_mut().zip(poses) {
            surface.now = *pose;
        }
    }

    /// Largest residual of the contacts, m: the depth if there is no multiplier, |C| if there is one; and the
    /// number of contacts.
    pub(crate) fn residual(&self, now: &[Particle<T>]) -> (Peak, f64, usize) {
        let (mut peak, mut squares, mut count) = (Peak::default(), 0.0, 0);
        for surface in &self.surfaces {
            for (i, (p, contact)) in now.iter().zip(&surface.contacts).enumerate() {
                let touching = contact.lambda > T::zero();
                if p.w <= T::zero() || !touching && surface.is_clear(&p.x, self.radius[i]) {
                    continue;
                }
                let gap = surface.gap(&p.x).0 - self.radius[i];
                if touching || gap < T::zero() {
                    let r = if touching { gap.abs() } else { -gap };
                    peak.take(r.to_f64(), i);
                    squares += r.to_f64() * r.to_f64();
                    count += 1;
                }
            }
        }
        (peak, squares, count)
    }
}

#[inline]
fn solve_contact<T: Scalar>(
    surface: &Surface<T>,
    p: &mut Particle<T>,
    previous: &Vector3<T>,
    contact: &mut Contact<T>,
    radius: T,
    carried: bool,
) {
    let zero = T::zero();
    if p.w <= zero {
        return;
    }
    if contact.lambda <= zero && surface.is_clear(&p.x, radius) {
        return;
    }
    let (gap, normal) = surface.gap(&p.x);
    let gap = gap - radius;
    if gap >= zero && contact.lambda <= zero {
        return;
    }
    let keeps_friction = carried && contact.lambda > zero;
    let (push, lambda) = contact_step(gap, p.w, contact.lambda);
    p.x += normal * push;
    contact.lambda = lambda;
    if surface.static_friction > zero && !keeps_friction {
        // Friction is clamped as a whole, like the multiplier: the friction of earlier iterations is removed
        // from the slip and computed again.
        let slip = surface.origin_of(&p.x) - previous;
        let tangential = slip - normal * normal.dot(&slip) - contact.friction;
        let friction =
            friction_step(&tangential, p.w * lambda, surface.static_friction, surface.kinetic_friction);
        p.x += friction - contact.friction;
        contact.friction = friction;
    }
}
