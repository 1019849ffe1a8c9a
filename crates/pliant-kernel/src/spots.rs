//! [`Spots`]: eight particles whose positions are read side by side.

use std::marker::PhantomData;

use nalgebra::Vector3;

use crate::lanes::{Lanes, PACK, offset, particle_at, read_again};
use crate::number::Number;
use crate::particles::Particle;

/// Eight particles, read by a [job](crate::LaneJob) of your own from any places.
///
/// Invariant: every offset is a multiple of the size of a particle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spots<T: Number>([u32; PACK], PhantomData<T>);

impl<T: Number> Spots<T> {
    /// These particles.
    ///
    /// # Panics
    ///
    /// If one is beyond [`most_particles`](crate::most_particles).
    #[must_use]
    pub fn new(particles: [u32; PACK]) -> Self {
        let [spots] = Self::of_rows(&[particles]);
        spots
    }

    /// Those of several rows of particles. Inlined into jobs, as `map` with [`new`](Self::new) is not.
    ///
    /// # Panics
    ///
    /// As [`new`](Self::new).
    #[must_use]
    #[inline(always)]
    pub fn of_rows<const N: usize>(rows: &[[u32; PACK]; N]) -> [Self; N] {
        let most = crate::lanes::most_particles::<T>();
        let mut spots = [Self([0; PACK], PhantomData); N];
        let mut fit = true;
        for row in rows {
            for &v in row {
                fit &= (v as usize) < most;
            }
        }
        assert!(fit, "offsets of particles must fit into 32 bits");
        for (spots, row) in spots.iter_mut().zip(rows) {
            for (to, &v) in spots.0.iter_mut().zip(row) {
                *to = offset::<T>(v);
            }
        }
        spots
    }

    /// The particle in a lane.
    ///
    /// # Panics
    ///
    /// If there are not as many lanes.
    #[must_use]
    #[inline(always)]
    pub fn particle(&self, lane: usize) -> usize {
        particle_at::<T>(self.0[lane]) as usize
    }

    /// Positions and inverse masses of the particles in the lanes from `lane` on.
    ///
    /// # Panics
    ///
    /// If one does not exist, or there are not as many lanes.
    #[inline(always)]
    pub fn gather<L: Lanes<T>>(&self, from: &[Particle<T>], lane: usize) -> (Vector3<L>, L) {
        #[allow(clippy::cast_possible_truncation, reason = "it is at most the largest offset")]
        let end = size_of_val(from).min(u32::MAX as usize) as u32;
        assert!(!L::any(L::are_from(&self.0[lane..], end)), "a particle does not exist");
        // SAFETY: the offsets are below the end of the list and multiples of the size of its particles (invariant), and
        // no thread writes to borrowed data. A job names lanes that its processor has.
        unsafe { L::gather(from.as_ptr(), read_again(&self.0[lane..])) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lanes::{LaneJob, Portable, Simd, Wide};

    struct Sum<'a>(&'a Spots<f32>, &'a [Particle<f32>]);

    impl LaneJob<f32> for Sum<'_> {
        type Out = f32;
        type Portable = Portable<f32, PACK>;

        #[inline(always)]
        fn run<L: Lanes<f32>>(self) -> f32 {
            let mut all = [0.0; PACK];
            for lane in (0..PACK).step_by(L::WIDTH) {
                let (x, w): (Vector3<L>, L) = self.0.gather(self.1, lane);
                (x.x * w).store(&mut all[lane..]);
            }
            all.iter().sum()
        }
    }

    fn sum(spots: &Spots<f32>, simd: Simd) -> f32 {
        let list: Vec<_> =
            (0..10_u8).map(|i| Particle::new(Vector3::new(f32::from(i), 0.0, 0.0), 2.0)).collect();
        f32::dispatch(Sum(spots, &list), simd)
    }

    #[test]
    fn particles_are_read_where_they_are() {
        let spots = Spots::new([9, 0, 3, 3, 1, 2, 8, 7]);
        assert_eq!(sum(&spots, Simd::detect()), 66.0);
        assert_eq!(sum(&spots, Simd::portable()), 66.0);
        assert_eq!(std::array::from_fn(|lane| spots.particle(lane)), [9, 0, 3, 3, 1, 2, 8, 7]);
    }

    #[test]
    #[should_panic(expected = "must fit into 32 bits")]
    fn one_beyond_the_last_offset_is_refused() {
        let _ = Spots::<f32>::of_rows(&[[0; PACK], [0, 0, 0, 1 << 28, 0, 0, 0, 0]]);
    }

    #[test]
    #[should_panic(expected = "does not exist")]
    fn one_that_does_not_exist_is_refused() {
        sum(&Spots::new([9, 0, 3, 3, 1, 10, 8, 7]), Simd::detect());
    }
}
