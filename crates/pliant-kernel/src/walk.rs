//! [`Walk`]: velocities and prediction, four numbers per particle at a time.
//!
//! ```text
//! VELOCITY:   v ← (v + (x − (x_previous + h v))/h) keep          PREDICT:   v ← v + h g,   x_previous ← x,   x ← x + h v
//! ```
//!
//! The first is (x − x_previous)/h, written as the prediction's velocity plus the change by the constraints:
//! where none act, not a bit is lost. Both in one walk give the same bits as one after the other. The fourth
//! number of a particle, its inverse mass, goes through the same arithmetic and keeps its value.

use crate::lanes::{LaneJob, Lanes, PACK, Portable, Simd, Wide, fetch};
use crate::number::Number;
use crate::particles::{Particle, Particles, Velocity};
use crate::team::Team;

/// Particles handled by one task, at most.
const CHUNK: usize = 4096;

/// Particles that are not worth sharing.
const FEW: usize = 512;

/// Particles of a task are a multiple of this: an even number, and whole cache lines.
const UNIT: usize = 8;

/// How many bytes ahead the data of particles are prefetched: processors prefetch by themselves, but stop at
/// the end of every page.
const AHEAD: usize = 1024;

/// The parameters of a walk.
#[derive(Debug, Clone, Copy)]
pub struct Step<T> {
    /// Length of the substep, s.
    pub h: T,
    /// Its inverse, 1/s.
    pub inverse_h: T,
    /// Share of the velocity that drag leaves.
    pub keep: T,
    /// Whether velocities that are derived leave the predictions in the place of the previous positions,
    /// which are no longer needed.
    pub leave: bool,
    /// Change of velocity by gravity, m/s, as x, y, z, 0 and again.
    pub gravity: [T; PACK],
}

/// A range of particles at work.
struct Walk<'a, T: Number> {
    now: &'a mut [Particle<T>],
    previous: &'a mut [Particle<T>],
    velocity: &'a mut [Velocity<T>],
    step: Step<T>,
}

/// The numbers of particles or velocities.
trait Flat<T> {
    fn flat(&mut self) -> &mut [T];
}

macro_rules! flat {
    ($Of:ident) => {
        impl<T: Number> Flat<T> for [$Of<T>] {
            #[inline(always)]
            fn flat(&mut self) -> &mut [T] {
                const { assert!(size_of::<$Of<T>>() == 4 * size_of::<T>()) };
                // SAFETY: four numbers without padding in between (asserted), laid out as in C.
                unsafe { std::slice::from_raw_parts_mut(self.as_mut_ptr().cast::<T>(), 4 * self.len()) }
            }
        }
    };
}

flat!(Particle);
flat!(Velocity);

/// Derives velocities if `VELOCITY`, then predicts if `PREDICT`, for every free particle. Returns whether all
/// velocities that were derived are finite.
pub fn walk<T: Wide, const VELOCITY: bool, const PREDICT: bool>(
    particles: &mut Particles<T>,
    step: Step<T>,
    simd: Simd,
    team: Team<'_>,
) -> bool {
    let Particles { now, previous, velocity, .. } = particles;
    let n = velocity.len();
    if team.threads() == 1 || n <= FEW {
        let all = Walk { now: &mut now[..n], previous, velocity, step };
        return T::dispatch(Job::<T, VELOCITY, PREDICT>(all), simd);
    }
    let finite = std::sync::atomic::AtomicBool::new(true);
    // Equal shares, so that members keep to the part of space where their constraints are.
    let tasks = team.threads() * n.div_ceil(team.threads() * CHUNK);
    let size = n.div_ceil(tasks).next_multiple_of(UNIT);
    let chunks = now[..n].chunks_mut(size).zip(previous.chunks_mut(size)).zip(velocity.chunks_mut(size));
    team.for_each(chunks, |((now, previous), velocity)| {
        let part = Walk { now, previous, velocity, step };
        if !T::dispatch(Job::<T, VELOCITY, PREDICT>(part), simd) {
            finite.store(false, std::sync::atomic::Ordering::Relaxed);
        }
    });
    finite.into_inner()
}

/// A walk in one of its forms.
struct Job<'a, T: Number, const VELOCITY: bool, const PREDICT: bool>(Walk<'a, T>);

impl<T: Number, const VELOCITY: bool, const PREDICT: bool> LaneJob<T> for Job<'_, T, VELOCITY, PREDICT> {
    type Out = bool;
    type Portable = Portable<T, PACK>;

    #[inline(always)]
    fn run<L: Lanes<T>>(self) -> bool {
        self.0.go::<L, VELOCITY, PREDICT>()
    }
}

impl<T: Number> Walk<'_, T> {
    /// The walk in lanes of the type `L`; the number of particles is even.
    #[inline(always)]
    #[allow(clippy::eq_op, reason = "v - v is zero only if v is finite")]
    fn go<L: Lanes<T>, const VELOCITY: bool, const PREDICT: bool>(self) -> bool {
        let Walk { now, previous, velocity, step } = self;
        let (h, inverse_h) = (L::load(&[step.h; PACK]), L::load(&[step.inverse_h; PACK]));
        let (keep, gravity) = (L::load(&[step.keep; PACK]), L::load(&step.gravity));
        let mut nothing = L::zero();
        let rows = now.flat().chunks_exact_mut(L::WIDTH).zip(previous.flat().chunks_exact_mut(L::WIDTH));
        for ((now, previous), velocity) in rows.zip(velocity.flat().chunks_exact_mut(L::WIDTH)) {
            fetch(now.as_ptr().wrapping_byte_add(AHEAD));
            fetch(previous.as_ptr().wrapping_byte_add(AHEAD));
            fetch(velocity.as_ptr().wrapping_byte_add(AHEAD));
            let (mut x, mut before, mut v) = (L::load(now), L::load(previous), L::load(velocity));
            let fixed = x.fourths().le(L::zero());
            if VELOCITY {
                let predicted = before + v * h;
                let derived = (v + (x - predicted) * inverse_h) * keep;
                v = L::select(fixed, v, derived);
                if !PREDICT && step.leave {
                    L::select(fixed, before, predicted).store(previous);
                }
                // Zero for every finite number, NaN otherwise.
                nothing += v - v;
            }
            if PREDICT {
                let faster = v + gravity;
                before = L::select(fixed, before, x);
                v = L::select(fixed, v, faster);
                x = L::select(fixed, x, x + faster * h);
                before.store(previous);
                x.store(now);
            }
            v.store(velocity);
        }
        nothing == L::zero()
    }
}
