//! [`Crowded`]: the pairs that use up their room, found eight side by side. The [net](super::net) holds these.

use nalgebra::Vector3;
use pliant_constraints::norm;
use pliant_kernel::{LaneJob, Lanes, PACK, Particle, Portable, Scalar, Simd, Team, side_by_side};

use super::candidates::{self, Candidates, List, Pack};
use super::eight::positions;
use super::elements::Elements;
use super::fallback::Carriage;
use super::reach::Reach;

/// Which pairs use up their room?
#[derive(Clone, Copy)]
pub(super) struct Crowded<'a, T: Scalar> {
    /// Where particles are cut back to but for the displacements of islands, and where they are at the end of
    /// the substep.
    pub(super) previous: &'a [Particle<T>],
    pub(super) now: &'a [Particle<T>],
    /// Where they were at its start, if that is something else.
    pub(super) start: Option<&'a [Particle<T>]>,
    /// The displacement of the island of every body, m.
    pub(super) frames: &'a [Vector3<T>],
    pub(super) reach: &'a Reach<T>,
    /// How much more than it seems every point may go towards a plane, m; empty where none does.
    pub(super) spreads: &'a [T],
    /// The distance g that is never given up, m.
    pub(super) least: T,
}

impl<T: Scalar> Crowded<'_, T> {
    /// Looks at packs by a team. The places of the pairs are listed by pieces, whose lists keep their room.
    pub(super) fn run_on(
        self,
        candidates: &Candidates<T>,
        found: &mut Vec<Vec<(Elements, u32)>>,
        simd: Simd,
        team: Team<'_>,
    ) {
        let pieces = || candidates.all().into_iter().flat_map(List::pieces);
        found.resize_with(pieces().count().max(found.len()), Vec::new);
        found.iter_mut().for_each(Vec::clear);
        team.for_each(pieces().zip(found), |(packs, found)| {
            T::dispatch(Piece { search: self, packs, found }, simd);
        });
    }
}

/// Some packs at work.
struct Piece<'a, T: Scalar> {
    search: Crowded<'a, T>,
    packs: &'a candidates::Piece<T>,
    found: &'a mut Vec<(Elements, u32)>,
}

impl<T: Scalar> LaneJob<T> for Piece<'_, T> {
    type Out = ();
    type Portable = Portable<T, { side_by_side(PACK) }>;

    #[inline(always)]
    fn run<L: Lanes<T>>(self) {
        let Self { search, packs, found } = self;
        let Crowded { previous, now, frames, reach, spreads, least, start } = search;
        // Twice as far, for what is rounded.
        for pack in packs.nearer(reach, least + least) {
            let mut crowded = [T::zero(); PACK];
            let mut frame = [[T::zero(); PACK]; 3];
            let mut spread = [T::zero(); PACK];
            if !spreads.is_empty() {
                spread = std::array::from_fn(|lane| spread_of(pack, lane, spreads));
            }
            for lane in 0..PACK {
                let u = &frames[pack.body[lane] as usize];
                for k in 0..3 {
                    frame[k][lane] = u[k];
                }
            }
            for lane in (0..PACK).step_by(L::WIDTH) {
                let u = Vector3::new(
                    L::load(&frame[0][lane..]),
                    L::load(&frame[1][lane..]),
                    L::load(&frame[2][lane..]),
                );
                let x = positions::<T, L>(&pack.spots, previous, lane);
                let mut y = positions::<T, L>(&pack.spots, now, lane);
                for point in &mut y {
                    *point -= u;
                }
                let (delta, split) = (pack.elements.closest(&x).delta, pack.elements.split());
                // Heights as lengths along the normal.
                let n = delta * (L::one() / norm(&delta));
                let far = L::splat(f64::INFINITY);
                let (mut low, mut low_then, mut high, mut high_then) = (far, far, -far, -far);
                for k in 0..4 {
                    let (at, then) = (n.dot(&x[k]), n.dot(&y[k]));
                    if k < split {
                        (low, low_then) = (low.min(at), low_then.min(then));
                    } else {
                        (high, high_then) = (high.max(at), high_then.max(then));
                    }
                }
                let gap = low - high;
                let used = (low - low_then).max(L::zero()) + (high_then - high).max(L::zero());
                let used = used + L::load(&spread[lane..]);
                let room = gap - gap.min(L::splat(least.to_f64()));
                // Not a number counts as crowded.
                let mut amount = L::select(used.le(room), L::zero(), L::one());
                if let Some(start) = start {
                    let start = positions::<T, L>(&pack.spots, start, lane);
                    let carriage = Carriage::new(pack.elements, &start, &x);
                    amount = amount.max(L::one() - carriage.is_fine(least.to_f64()));
                }
                amount.store(&mut crowded[lane..]);
            }
            for lane in (0..PACK).filter(|lane| pack.live >> lane & 1 == 1) {
                if crowded[lane] > T::zero() {
                    found.push((pack.elements, pack.first + lane as u32));
                }
            }
        }
    }
}

/// How much more than it seems the two sides of a pair may come towards each other, m.
#[inline(always)]
fn spread_of<T: Scalar>(pack: &Pack<T>, lane: usize, spreads: &[T]) -> T {
    let of = |k: usize| spreads[pack.spots[k].particle(lane)];
    let split = pack.elements.split();
    let most = |points: std::ops::Range<usize>| points.map(of).fold(T::zero(), T::max);
    most(0..split) + most(split..4)
}
