//! [`Tally`]: sums over particles, eight at a time: masses, momenta, energies and the residual of the equation of motion.
//!
//! Particles are turned into lanes as for a projection. What a particle adds is computed with the precision
//! that its position and velocity have; the sums are made in `f64`.

use nalgebra::Vector3;
use pliant_constraints::cross;

use crate::findings::spread;
use crate::lanes::{LaneJob, Lanes, PACK, Portable, Simd, Wide, offset};
use crate::largest::Largest;
use crate::number::Number;
use crate::particles::{Particle, Velocity};
use crate::summary::Peak;

/// Number of sums.
const TERMS: usize = 14;

/// Particles whose terms are added up in lanes before they are in `f64`: so few that no digit is lost.
const RUN: usize = 8 * PACK;

/// Power of two by which residuals are multiplied before they are squared, so that small ones are not lost.
const SCALE: f64 = (1_u64 << 20) as f64;

/// Sums over particles.
#[derive(Debug, Clone, Copy, Default)]
pub struct Sums {
    /// Number of particles that can move.
    pub free: usize,
    /// Number of those that cannot.
    pub held: usize,
    /// Σ m, kg.
    pub mass: f64,
    /// Σ m x, kg·m.
    pub moment: Vector3<f64>,
    /// Σ m v, kg·m/s.
    pub linear: Vector3<f64>,
    /// Σ x × m v, kg·m²/s.
    pub angular: Vector3<f64>,
    /// Σ m v², J.
    pub square_speed: f64,
    /// Σ |e|², m².
    pub squares: f64,
    /// Σ m |e|², kg·m².
    pub weighted_squares: f64,
    /// Largest |e|², m², and its particle in the numbering of the simulation.
    pub largest: Peak,
}

impl Sums {
    /// Adds the sums over other particles.
    pub fn add(&mut self, other: &Self) {
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
pub struct Tally<'a, T: Number> {
    /// Number of the first particle.
    pub first: usize,
    /// Where the particles are.
    pub now: &'a [Particle<T>],
    /// Their velocities.
    pub velocity: &'a [Velocity<T>],
    /// The data of the equation of motion, if it is known.
    pub explained: Option<Explained<'a, T>>,
}

/// The data that explain the positions of particles.
#[derive(Clone, Copy)]
pub struct Explained<'a, T: Number> {
    /// Predictions of the last substep.
    pub predicted: &'a [Particle<T>],
    /// Pulls of the constraints, kg·m.
    pub impulses: &'a [Particle<T>],
}

/// The numbers of the first eight particles that lie one after the other, from `lane` on.
///
/// # Safety
///
/// `start` points to eight of them, which no thread writes.
#[inline(always)]
unsafe fn gather<T: Number, L: Lanes<T>>(start: *const Particle<T>, lane: usize) -> (Vector3<L>, L) {
    const { assert!(PACK == 8) }
    let at = [0, 1, 2, 3, 4, 5, 6, 7].map(offset::<T>);
    // SAFETY: as the caller promises.
    unsafe { L::gather(start, &at[lane..]) }
}

impl<T: Wide> Tally<'_, T> {
    /// The sums, in the widest lanes that `simd` allows.
    pub fn sums(self, simd: Simd) -> Sums {
        T::dispatch(self, simd)
    }
}

impl<T: Number> LaneJob<T> for Tally<'_, T> {
    type Out = Sums;
    type Portable = Portable<T, PACK>;

    #[inline(always)]
    fn run<L: Lanes<T>>(self) -> Sums {
        self.go::<L>()
    }
}

impl<T: Number> Tally<'_, T> {
    /// The sums, with lanes of the type `L`, whose instructions the caller has.
    #[inline(always)]
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::needless_range_loop,
        reason = "numbers of particles; loops instead of closures: what is not inlined cannot use the instructions"
    )]
    fn go<L: Lanes<T>>(self) -> Sums {
        const { assert!(size_of::<Particle<T>>() == size_of::<Velocity<T>>()) }
        let n = self.now.len();
        assert_eq!(self.velocity.len(), n, "a velocity for every particle");
        let mut lists =
            [self.now.as_ptr(), self.velocity.as_ptr().cast(), std::ptr::null(), std::ptr::null()];
        if let Some(Explained { predicted, impulses }) = self.explained {
            assert_eq!([predicted.len(), impulses.len()], [n, n], "one for every particle");
            (lists[2], lists[3]) = (predicted.as_ptr(), impulses.as_ptr());
        }
        let is_explained = self.explained.is_some();
        let tail = self.tail();
        let zero = L::zero();
        let mut sums = [[0.0; PACK]; TERMS];
        let mut largest = Largest::<T, L>::new();
        for first in (0..n).step_by(RUN) {
            let mut run = [[zero; 2]; TERMS];
            for start in (first..n.min(first + RUN)).step_by(PACK) {
                let from = |list: usize| {
                    if start + PACK <= n { lists[list].wrapping_add(start) } else { tail[list].as_ptr() }
                };
                let [now, velocity, predicted, impulses] = [from(0), from(1), from(2), from(3)];
                let mut squares = [T::zero(); PACK];
                let mut larger = false;
                for part in 0..PACK / L::WIDTH {
                    let lane = part * L::WIDTH;
                    // SAFETY: eight particles are left of the lists, which are of one length (asserted), or
                    // it is the tail of eight; velocities are laid out like particles.
                    let ((x, w), (v, _)) =
                        unsafe { (gather::<T, L>(now, lane), gather::<T, L>(velocity, lane)) };
                    let held = w.le(zero);
                    let (free, mass) = (L::select(held, zero, L::one()), L::select(held, zero, L::one() / w));
                    let momentum = v * mass;
                    let (moment, angular) = (x * mass, cross(&x, &momentum));
                    let mut square = zero;
                    if is_explained {
                        // SAFETY: as above; the lists are there.
                        let ((predicted, _), (impulses, _)) =
                            unsafe { (gather::<T, L>(predicted, lane), gather::<T, L>(impulses, lane)) };
                        let e = (x - predicted - impulses * w) * L::splat(SCALE);
                        square = L::select(held, zero, e.dot(&e));
                        larger |= largest.is_below(square);
                        square.store(&mut squares[lane..]);
                    }
                    let terms: [L; TERMS] = [
                        free,
                        mass,
                        moment.x,
                        moment.y,
                        moment.z,
                        momentum.x,
                        momentum.y,
                        momentum.z,
                        angular.x,
                        angular.y,
                        angular.z,
                        momentum.dot(&v),
                        square,
                        square * mass,
                    ];
                    for q in 0..TERMS {
                        run[q][part] += terms[q];
                    }
                }
                if larger {
                    let mut numbers = [0; PACK];
                    for k in 0..PACK {
                        numbers[k] = (self.first + start + k) as u32;
                    }
                    largest.take(&squares, &numbers);
                }
            }
            for q in 0..TERMS {
                let lanes = spread::<T, L>(&run[q]);
                for k in 0..PACK {
                    sums[q][k] += lanes[k].to_f64();
                }
            }
        }
        let total = |term: usize| sums[term].iter().sum::<f64>();
        let vector = |term: usize| Vector3::new(total(term), total(term + 1), total(term + 2));
        let Peak { value, at } = largest.peak();
        let free = total(0) as usize;
        Sums {
            free,
            held: n - free,
            mass: total(1),
            moment: vector(2),
            linear: vector(5),
            angular: vector(8),
            square_speed: total(11),
            squares: total(12) / (SCALE * SCALE),
            weighted_squares: total(13) / (SCALE * SCALE),
            largest: Peak { value: value / (SCALE * SCALE), at },
        }
    }

    /// The last particles where they are not eight, filled up with some that have no mass.
    fn tail(&self) -> [[Particle<T>; PACK]; 4] {
        let mut tail = [[Particle::new(Vector3::zeros(), T::zero()); PACK]; 4];
        let n = self.now.len();
        let start = n - n % PACK;
        for (k, i) in (start..n).enumerate() {
            tail[0][k] = self.now[i];
            tail[1][k] = Particle::new(self.velocity[i].v, T::zero());
            if let Some(Explained { predicted, impulses }) = self.explained {
                (tail[2][k], tail[3][k]) = (predicted[i], impulses[i]);
            }
        }
        tail
    }
}
