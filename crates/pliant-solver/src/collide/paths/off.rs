//! [`Off`]: how far particles are off their paths: on the mean, and which of them by too much.
//!
//! Numbers of particles mostly follow each other. Such a stretch is read in one go, with the same results.

use nalgebra::Vector3;
use pliant_constraints::{difference, splat_vector, sum, times};
use pliant_kernel::{LaneJob, Lanes, PACK, Particle, Portable, Scalar, Spots, side_by_side, widen};

use crate::collide::eight::spots_of;

/// Particles of which it is found out together whether any is off its path by too much.
const BLOCK: usize = 64;
/// Less than what may be, by what is rounded.
const ROUNDED: f64 = 0.999;

/// Particles, their paths, and for how many substeps these have lasted.
#[derive(Clone, Copy)]
pub(super) struct Off<'a, T: Scalar> {
    pub(super) now: &'a [Particle<T>],
    pub(super) anchors: &'a [Particle<T>],
    pub(super) steps: &'a [Particle<T>],
    pub(super) age: u32,
}

impl<T: Scalar> Off<'_, T> {
    /// How far those in the lanes from `lane` on are off their paths, m.
    #[inline(always)]
    fn of<L: Lanes<T>>(&self, spots: &Spots<T>, lane: usize) -> Vector3<L> {
        let [(x, _), (anchor, _), (step, _)] = [
            spots.gather::<L>(self.now, lane),
            spots.gather::<L>(self.anchors, lane),
            spots.gather::<L>(self.steps, lane),
        ];
        difference(&x, &sum(&anchor, &times(&step, L::splat(f64::from(self.age)))))
    }

    /// The particles of a list, if their numbers follow each other.
    #[inline(always)]
    fn stretch(&self, vertices: &[u32]) -> Option<Self> {
        let first = vertices.first().map_or(0, |&first| first as usize);
        let end = vertices.last().map_or(0, |&last| last as usize + 1);
        (end - first == vertices.len()).then(|| Self {
            now: &self.now[first..end],
            anchors: &self.anchors[first..end],
            steps: &self.steps[first..end],
            age: self.age,
        })
    }

    /// How far each of all is off its path, m; the fourth numbers mean nothing: with them a particle fills a register.
    #[inline(always)]
    fn all(&self) -> impl Iterator<Item = [T; 4]> {
        let age = T::splat(f64::from(self.age));
        let paths = self.anchors.iter().zip(self.steps);
        self.now.iter().zip(paths).map(move |(now, (anchor, step))| {
            let [now, anchor, step] = [now, anchor, step].map(|p| [p.x.x, p.x.y, p.x.z, p.w]);
            std::array::from_fn(|k| now[k] - (anchor[k] + step[k] * age))
        })
    }
}

/// The square of the distance from how far all are off together, m².
#[inline(always)]
fn beside<T: Scalar>(off: &[T; 4], drift: &Vector3<T>) -> T {
    let [x, y, z] = [off[0] - drift.x, off[1] - drift.y, off[2] - drift.z];
    x * x + y * y + z * z
}

/// Sums up how far some particles are off their paths, m, and finds how far the farthest is from where all of them were
/// before: infinity where that is not known.
pub(super) struct Mean<'a, T: Scalar> {
    pub(super) vertices: &'a [u32],
    pub(super) off: Off<'a, T>,
    pub(super) drift: &'a Vector3<T>,
}

impl<T: Scalar> LaneJob<T> for Mean<'_, T> {
    type Out = (Vector3<f64>, f64);
    type Portable = Portable<T, { side_by_side(PACK) }>;

    #[inline(always)]
    fn run<L: Lanes<T>>(self) -> (Vector3<f64>, f64) {
        let Self { vertices, off, drift } = self;
        let eights = vertices.chunks_exact(PACK);
        let rest = eights.remainder();
        // One sum for every lane, so that they do not depend on how many there are at once.
        let mut sums = [[T::zero(); 4]; PACK];
        let mut farthest = [T::splat(f64::INFINITY); PACK];
        if let Some(stretch) = off.stretch(&vertices[..vertices.len() - rest.len()]) {
            farthest = [T::zero(); PACK];
            for (place, off) in stretch.all().enumerate() {
                let (sum, farthest) = (&mut sums[place % PACK], &mut farthest[place % PACK]);
                for k in 0..4 {
                    sum[k] += off[k];
                }
                *farthest = farthest.max(beside(&off, drift));
            }
        } else {
            let mut rows = [[T::zero(); PACK]; 3];
            for lane in (0..PACK).step_by(L::WIDTH) {
                let mut sum = Vector3::new(L::zero(), L::zero(), L::zero());
                for eight in eights.clone() {
                    sum += off.of::<L>(&spots_of(eight), lane);
                }
                for axis in 0..3 {
                    sum[axis].store(&mut rows[axis][lane..]);
                }
            }
            sums = std::array::from_fn(|lane| [rows[0][lane], rows[1][lane], rows[2][lane], T::zero()]);
        }
        let mut total = Vector3::from_fn(|axis, _| sums.iter().map(|sum| sum[axis].to_f64()).sum());
        for v in rest {
            if let Some(one) = off.stretch(&[*v]).and_then(|one| one.all().next()) {
                total += widen(&Vector3::new(one[0], one[1], one[2]));
                farthest[0] = farthest[0].max(beside(&one, drift));
            }
        }
        (total, farthest.into_iter().fold(T::zero(), T::max).to_f64().sqrt())
    }
}

/// Lists the particles that are flagged, and those that are not where they are expected.
pub(super) struct Astray<'a, T: Scalar> {
    pub(super) vertices: &'a [u32],
    pub(super) off: Off<'a, T>,
    /// How far all are off their paths together, m, and how far two more may be.
    pub(super) drift: &'a Vector3<T>,
    pub(super) slack: f64,
    pub(super) flags: &'a [bool],
    pub(super) marked: &'a mut Vec<u32>,
}

impl<T: Scalar> LaneJob<T> for Astray<'_, T> {
    type Out = ();
    type Portable = Portable<T, { side_by_side(PACK) }>;

    #[inline(always)]
    fn run<L: Lanes<T>>(self) {
        let Self { vertices, off, drift, slack, flags, marked } = self;
        // Half of the slack, less what is rounded.
        let half = 0.499 * slack;
        let near = T::splat(ROUNDED * half * half);
        let (half, all) = (L::splat(half), splat_vector::<L>(&widen(drift)));
        marked.clear();
        for block in vertices.chunks(BLOCK) {
            if let Some(stretch) = off.stretch(block) {
                // What is not a number is nowhere near.
                let mut are_near = true;
                stretch.all().for_each(|off| are_near &= beside(&off, drift) <= near);
                let flags = &flags[block[0] as usize..][..block.len()];
                if are_near && !flags.iter().fold(false, |any, flag| any | flag) {
                    continue;
                }
            }
            for eight in block.chunks(PACK) {
                let spots = spots_of(eight);
                let mut keep = 0;
                for lane in (0..PACK).step_by(L::WIDTH) {
                    let off = difference(&off.of::<L>(&spots, lane), &all);
                    keep |= L::bits(off.dot(&off).le(half * half)) << lane;
                }
                for (lane, &v) in eight.iter().enumerate() {
                    if keep >> lane & 1 == 0 || flags[v as usize] {
                        marked.push(v);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant_kernel::{Simd, Wide as _};

    /// Particles, anchors and steps, with another particle in between from a place on; and the numbers of the others.
    fn ways(count: usize, hole: Option<usize>) -> ([Vec<Particle<f32>>; 3], Vec<u32>) {
        let mut state = 7_u32;
        let mut unit = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / 16_777_216.0
        };
        let mut all = [const { Vec::new() }; 3];
        let mut numbers = Vec::new();
        for v in 0..count {
            if hole == Some(v) {
                all.iter_mut().for_each(|of| of.push(Particle::new(Vector3::repeat(f32::NAN), 0.0)));
            }
            numbers.push(all[0].len() as u32);
            let at = Vector3::new(unit(), unit(), unit());
            let by = Vector3::new(unit(), unit(), unit()) * 1e-3;
            // One in fifty strays.
            let off = if unit() < 0.02 { 2e-3 } else { 1e-4 } * unit();
            all[0].push(Particle::new(at + by * 5.0 + Vector3::new(off, 2e-4, -off), 1.0));
            all[1].push(Particle::new(at, 0.0));
            all[2].push(Particle::new(by, 0.0));
        }
        (all, numbers)
    }

    #[test]
    fn a_stretch_of_particles_gives_what_single_ones_give() {
        let drift = Vector3::new(0.0, 2e-4, 0.0);
        for (count, simd) in [(200, Simd::detect()), (203, Simd::portable()), (7, Simd::detect())] {
            let [one, two] = [None, Some(count / 2)].map(|hole| {
                let ([now, anchors, steps], vertices) = ways(count, hole);
                let off = Off { now: &now, anchors: &anchors, steps: &steps, age: 5 };
                assert_eq!(off.stretch(&vertices).is_some(), hole.is_none());
                let (sum, farthest) = f32::dispatch(Mean { vertices: &vertices, off, drift: &drift }, simd);
                let mut flags = vec![false; now.len()];
                flags[vertices[count / 3] as usize] = true;
                let mut marked = Vec::new();
                let flags = &flags[..];
                let slack = 1e-3;
                f32::dispatch(
                    Astray { vertices: &vertices, off, drift: &drift, slack, flags, marked: &mut marked },
                    simd,
                );
                let far = |v: &u32| {
                    let v = *v as usize;
                    let path = anchors[v].x + steps[v].x * 5.0;
                    (now[v].x - path - drift).norm()
                };
                let places = vertices.iter().enumerate().filter(|(_, v)| marked.contains(v));
                let wanted = vertices.iter().filter(|v| far(v) > 0.499e-3 || flags[**v as usize]);
                assert!(marked.iter().eq(wanted), "{marked:?}");
                let most = vertices.iter().map(far).fold(0.0, f32::max);
                (sum, farthest, most, places.map(|(place, _)| place).collect::<Vec<_>>())
            });
            assert_eq!((one.0, &one.3), (two.0, &two.3));
            assert!((one.1 - f64::from(one.2)).abs() < 1e-7, "{} {}", one.1, one.2);
            // Less than eight are looked at one by one.
            let is_known = count < PACK;
            assert!(
                (one.3.len() > 1 || is_known) && (two.1 == f64::INFINITY) != is_known,
                "{} {}",
                one.3.len(),
                two.1
            );
        }
    }
}
