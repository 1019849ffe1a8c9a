//! [`Off`]: how far particles are off their paths: on the mean, and which of them by too much.

use nalgebra::Vector3;
use pliant_constraints::{difference, splat_vector, sum, times};
use pliant_kernel::{LaneJob, Lanes, PACK, Particle, Portable, Scalar, Spots, side_by_side, widen};

use crate::collide::eight::spots_of;

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
}

/// Sums up how far some particles are off their paths, m.
pub(super) struct Mean<'a, T: Scalar> {
    pub(super) vertices: &'a [u32],
    pub(super) off: Off<'a, T>,
}

impl<T: Scalar> LaneJob<T> for Mean<'_, T> {
    type Out = Vector3<f64>;
    type Portable = Portable<T, { side_by_side(PACK) }>;

    #[inline(always)]
    fn run<L: Lanes<T>>(self) -> Vector3<f64> {
        let Self { vertices, off } = self;
        // One sum for every lane, so that they do not depend on how many there are at once.
        let mut sums = [[T::zero(); PACK]; 3];
        let eights = vertices.chunks_exact(PACK);
        let rest = eights.remainder();
        for lane in (0..PACK).step_by(L::WIDTH) {
            let mut sum = Vector3::new(L::zero(), L::zero(), L::zero());
            for eight in eights.clone() {
                sum += off.of::<L>(&spots_of(eight), lane);
            }
            for axis in 0..3 {
                sum[axis].store(&mut sums[axis][lane..]);
            }
        }
        let mut total = Vector3::from_fn(|axis, _| sums[axis].iter().map(|sum| sum.to_f64()).sum());
        for &v in rest {
            let v = v as usize;
            let path = off.anchors[v].x + off.steps[v].x * T::splat(f64::from(off.age));
            total += widen(&(off.now[v].x - path));
        }
        total
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
        let drift = splat_vector::<L>(&widen(drift));
        // Half of the slack, less what is rounded.
        let half = L::splat(0.499 * slack);
        marked.clear();
        for eight in vertices.chunks(PACK) {
            let spots = spots_of(eight);
            let mut keep = 0;
            for lane in (0..PACK).step_by(L::WIDTH) {
                let off = difference(&off.of::<L>(&spots, lane), &drift);
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
