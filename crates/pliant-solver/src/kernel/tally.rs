//! [`Tally`]: sums over particles, eight at a time: masses, momenta, energies and what is left of the equation of motion.
//!
//! Particles are turned into lanes as for a projection and added up in `f64`, in four sums that do not depend on the width of the registers.

use nalgebra::Vector3;

use super::lanes::{Lanes, PACK, offset};
use crate::float::Float;
use crate::particles::{Particle, Velocity};
use crate::summary::Peak;

/// Sums kept side by side.
const SUMS: usize = 4;

/// Sums over particles.
#[derive(Debug, Clone, Copy, Default)]
pub struct Sums {
    /// Number of particles that can move, and of those that cannot.
    pub(crate) free: usize,
    pub(crate) held: usize,
    /// Σ m, kg.
    pub(crate) mass: f64,
    /// Σ m x, kg·m.
    pub(crate) moment: Vector3<f64>,
    /// Σ m v, kg·m/s.
    pub(crate) linear: Vector3<f64>,
    /// Σ x × m v, kg·m²/s.
    pub(crate) angular: Vector3<f64>,
    /// Σ m v², J.
    pub(crate) square_speed: f64,
    /// Σ |e|², m².
    pub(crate) squares: f64,
    /// Σ m |e|², kg·m².
    pub(crate) weighted_squares: f64,
    /// Largest |e|², m², and its particle in the numbering of the simulation.
    pub(crate) largest: Peak,
}

impl Sums {
    pub(crate) fn add(&mut self, other: &Self) {
        self.free += other.free;
        self.held += other.held;
        self.mass += other.mass;
        self.moment += other.moment;
        self.linear += other.linear;
        self.angular += other.angular;
        self.square_speed += other.square_speed;
        self.squares += other.squares;
        self.weighted_squares += other.weighted_squares;
        self.largest.merge(&other.largest);
    }
}

/// Particles to be summed up; all lists are of the same length.
pub struct Tally<'a, T: Float> {
    /// Number of the first particle.
    pub(crate) first: usize,
    pub(crate) now: &'a [Particle<T>],
    pub(crate) velocity: &'a [Velocity<T>],
    /// What the equation of motion needs, if it is known.
    pub(crate) explained: Option<Explained<'a, T>>,
}

/// What explains where particles are.
#[derive(Clone, Copy)]
pub(crate) struct Explained<'a, T: Float> {
    /// Predictions of the last substep.
    pub(crate) predicted: &'a [Particle<T>],
    /// Pulls of the constraints, kg·m.
    pub(crate) pull: &'a [Particle<T>],
}

/// Components of eight particles, one after the other.
type Components<T> = [[T; PACK]; 4];

/// The components of eight particles, or of what is laid out like them.
///
/// # Safety
///
/// `start` points to eight of them, which nobody writes.
#[inline(always)]
unsafe fn components<T: Float, L: Lanes<T>>(start: *const Particle<T>) -> Components<T> {
    const { assert!(PACK == 8) }
    let at = [0, 1, 2, 3, 4, 5, 6, 7].map(offset::<T>);
    let mut all = [[T::zero(); PACK]; 4];
    for lane in (0..PACK).step_by(L::WIDTH) {
        // SAFETY: as the caller promises.
        let (x, w) = unsafe { L::gather(start, &at[lane..]) };
        x.x.store(&mut all[0][lane..]);
        x.y.store(&mut all[1][lane..]);
        x.z.store(&mut all[2][lane..]);
        w.store(&mut all[3][lane..]);
    }
    all
}

/// Sums in the making.
struct Running {
    count: [f64; SUMS],
    mass: [f64; SUMS],
    moment: [[f64; SUMS]; 3],
    linear: [[f64; SUMS]; 3],
    angular: [[f64; SUMS]; 3],
    square_speed: [f64; SUMS],
    squares: [f64; SUMS],
    weighted_squares: [f64; SUMS],
    largest: [f64; SUMS],
    /// Places of the largest, counted in steps of four.
    place: [f64; SUMS],
}

impl<T: Float> Tally<'_, T> {
    /// The sums, with lanes of the type `L`, whose instructions the caller has.
    #[inline(always)]
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::needless_range_loop,
        reason = "numbers of particles; loops instead of closures: what is not inlined cannot use the instructions"
    )]
    pub(super) fn go<L: Lanes<T>>(self) -> Sums {
        let zero = [0.0; SUMS];
        let mut sums = Running {
            count: zero,
            mass: zero,
            moment: [zero; 3],
            linear: [zero; 3],
            angular: [zero; 3],
            square_speed: zero,
            squares: zero,
            weighted_squares: zero,
            largest: zero,
            place: zero,
        };
        const { assert!(size_of::<Particle<T>>() == size_of::<Velocity<T>>()) }
        let nothing = Particle::new(Vector3::zeros(), T::zero());
        let mut rest = [[nothing; PACK]; 4];
        let mut steps = 0.0;
        let n = self.now.len();
        assert_eq!(self.velocity.len(), n, "a velocity for every particle");
        if let Some(explained) = self.explained {
            assert_eq!([explained.predicted.len(), explained.pull.len()], [n, n], "one for every particle");
        }
        for start in (0..n).step_by(PACK) {
            let mut lists =
                [self.now.as_ptr(), self.velocity.as_ptr().cast(), std::ptr::null(), std::ptr::null()];
            if let Some(explained) = self.explained {
                (lists[2], lists[3]) = (explained.predicted.as_ptr(), explained.pull.as_ptr());
            }
            if start + PACK <= n {
                for list in &mut lists {
                    *list = list.wrapping_add(start);
                }
            } else {
                // Of eight that are not all there the last have no mass.
                for k in 0..n - start {
                    rest[0][k] = self.now[start + k];
                    rest[1][k] = Particle::new(self.velocity[start + k].v, T::zero());
                    if let Some(explained) = self.explained {
                        (rest[2][k], rest[3][k]) =
                            (explained.predicted[start + k], explained.pull[start + k]);
                    }
                }
                lists = [rest[0].as_ptr(), rest[1].as_ptr(), rest[2].as_ptr(), rest[3].as_ptr()];
            }
            // SAFETY: eight particles are left of the lists, which are of one length (asserted), or the lists are arrays of eight; velocities are laid out like particles.
            unsafe {
                let x = components::<T, L>(lists[0]);
                let v = components::<T, L>(lists[1]);
                if self.explained.is_some() {
                    let (predicted, pull) = (components::<T, L>(lists[2]), components::<T, L>(lists[3]));
                    take(&mut sums, &x, &v, Some([&predicted, &pull]), &mut steps);
                } else {
                    take(&mut sums, &x, &v, None, &mut steps);
                }
            }
        }
        let total = |sums: [f64; SUMS]| sums.iter().sum::<f64>();
        let vector = |sums: [[f64; SUMS]; 3]| Vector3::from(sums.map(total));
        let mut largest = Peak::default();
        for k in 0..SUMS {
            if sums.largest[k] > 0.0 {
                largest.take(sums.largest[k], self.first + SUMS * (sums.place[k] as usize) + k);
            }
        }
        let free = total(sums.count) as usize;
        Sums {
            free,
            held: self.now.len() - free,
            mass: total(sums.mass),
            moment: vector(sums.moment),
            linear: vector(sums.linear),
            angular: vector(sums.angular),
            square_speed: total(sums.square_speed),
            squares: total(sums.squares),
            weighted_squares: total(sums.weighted_squares),
            largest,
        }
    }
}

/// Adds eight particles.
#[inline(always)]
#[allow(
    clippy::needless_range_loop,
    reason = "loops instead of closures: what is not inlined cannot use the instructions"
)]
fn take<T: Float>(
    sums: &mut Running,
    x: &Components<T>,
    v: &Components<T>,
    explained: Option<[&Components<T>; 2]>,
    steps: &mut f64,
) {
    for part in (0..PACK).step_by(SUMS) {
        let mut momentum = [[0.0; SUMS]; 3];
        let mut place = [[0.0; SUMS]; 3];
        let (mut mass, mut weight) = ([0.0; SUMS], [0.0; SUMS]);
        for k in 0..SUMS {
            let w = x[3][part + k].to_f64();
            let free = w > 0.0;
            weight[k] = w;
            mass[k] = if free { 1.0 / w } else { 0.0 };
            sums.count[k] += if free { 1.0 } else { 0.0 };
            sums.mass[k] += mass[k];
        }
        let mut speed = [0.0; SUMS];
        for axis in 0..3 {
            for k in 0..SUMS {
                let velocity = v[axis][part + k].to_f64();
                place[axis][k] = x[axis][part + k].to_f64();
                momentum[axis][k] = mass[k] * velocity;
                sums.moment[axis][k] += mass[k] * place[axis][k];
                sums.linear[axis][k] += momentum[axis][k];
                speed[k] += momentum[axis][k] * velocity;
            }
        }
        for k in 0..SUMS {
            sums.square_speed[k] += speed[k];
        }
        for axis in 0..3 {
            let (b, c) = ((axis + 1) % 3, (axis + 2) % 3);
            for k in 0..SUMS {
                sums.angular[axis][k] += place[b][k] * momentum[c][k] - place[c][k] * momentum[b][k];
            }
        }
        if let Some([predicted, pull]) = explained {
            let mut square = [0.0; SUMS];
            for axis in 0..3 {
                for k in 0..SUMS {
                    let e = place[axis][k]
                        - predicted[axis][part + k].to_f64()
                        - weight[k] * pull[axis][part + k].to_f64();
                    square[k] += e * e;
                }
            }
            for k in 0..SUMS {
                let counted = if mass[k] > 0.0 { square[k] } else { 0.0 };
                sums.squares[k] += counted;
                sums.weighted_squares[k] += mass[k] * counted;
                let larger = counted > sums.largest[k];
                sums.largest[k] = if larger { counted } else { sums.largest[k] };
                sums.place[k] = if larger { *steps } else { sums.place[k] };
            }
        }
        *steps += 1.0;
    }
}
