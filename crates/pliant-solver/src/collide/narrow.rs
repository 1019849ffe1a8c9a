//! [`Narrow`]: closest points at the start of a substep, and the pairs that come near in it.

use nalgebra::Vector3;
use pliant_constraints::select_vector;
use pliant_kernel::{LaneJob, Lanes, PACK, Particle, Portable, Scalar, Simd, Team, side_by_side};

use super::candidates::{NEAR, Pack};

/// Speed at which what starts too near is eased apart, m/s.
const EASING: f64 = 0.5;

/// A pair that is near.
#[derive(Debug, Clone, Copy)]
pub(super) struct Near<T: Scalar> {
    /// Its place in the list of pairs.
    pub(super) pair: u32,
    /// Unit vector from the second element to the first, and the weights of the points.
    pub(super) normal: Vector3<T>,
    pub(super) weights: [T; 4],
    /// The distance to keep in this substep, m.
    pub(super) distance: T,
    /// How much nearer the two are predicted to come along the normal in this substep, m, if that is too near; or else zero.
    pub(super) impact: T,
}

/// Packs that are looked at together.
const PIECE: usize = 128;

/// What is asked of packs at the start of a substep.
#[derive(Clone, Copy)]
pub(super) struct Narrow<'a, T: Scalar> {
    /// Where particles are at the start of the substep, and where they are predicted at its end.
    pub(super) previous: &'a [Particle<T>],
    pub(super) now: &'a [Particle<T>],
    /// Where the odometer stands, and where it may stand at the end of the substep, m.
    pub(super) odometer: T,
    pub(super) ahead: T,
    /// Length of the substep, s.
    pub(super) h: T,
}

impl<T: Scalar> Narrow<'_, T> {
    /// Looks at the packs that are awake, by a team. What is near is listed by pieces, whose lists keep their room.
    pub(super) fn run_on(
        self,
        packs: &mut [Pack<T>],
        found: &mut Vec<Vec<Near<T>>>,
        simd: Simd,
        team: Team<'_>,
    ) {
        found.resize_with(packs.len().div_ceil(PIECE).max(found.len()), Vec::new);
        found.iter_mut().for_each(Vec::clear);
        team.for_each(packs.chunks_mut(PIECE).zip(found), |(packs, found)| {
            T::dispatch(Piece { search: self, packs, found }, simd);
        });
    }
}

/// Some packs at work.
struct Piece<'a, T: Scalar> {
    search: Narrow<'a, T>,
    packs: &'a mut [Pack<T>],
    found: &'a mut Vec<Near<T>>,
}

/// Closest points of eight pairs, lane by lane.
struct Closest<T> {
    normal: [[T; PACK]; 3],
    weights: [[T; PACK]; 4],
    distance: [T; PACK],
    approach: [T; PACK],
    active: [T; PACK],
}

impl<T: Scalar> LaneJob<T> for Piece<'_, T> {
    type Out = ();
    type Portable = Portable<T, { side_by_side(PACK) }>;

    #[inline(always)]
    fn run<L: Lanes<T>>(self) {
        let Self { search: Narrow { previous, now, odometer, ahead, h }, packs, found } = self;
        let easing = T::splat(EASING) * h;
        let zero = [T::zero(); PACK];
        let mut closest =
            Closest { normal: [zero; 3], weights: [zero; 4], distance: zero, approach: zero, active: zero };
        for pack in packs {
            if ahead < pack.wake {
                continue;
            }
            look::<T, L>(pack, previous, now, &mut closest);
            let mut least = T::splat(f64::INFINITY);
            let mut room = least;
            for lane in (0..PACK).filter(|lane| pack.live >> lane & 1 == 1) {
                least = least.min(closest.distance[lane]);
                room = room.min(closest.distance[lane] - T::splat(NEAR) * pack.keep[lane]);
            }
            (pack.least, pack.since, pack.wake) = (least, odometer, odometer + room);
            for lane in (0..PACK).filter(|lane| pack.live >> lane & 1 == 1) {
                if closest.active[lane] > T::zero() {
                    let (now, approach) = (closest.distance[lane], closest.approach[lane]);
                    let distance = pack.keep[lane].min(now + easing);
                    let [x, y, z] = closest.normal;
                    found.push(Near {
                        pair: pack.first + lane as u32,
                        normal: Vector3::new(x[lane], y[lane], z[lane]),
                        weights: std::array::from_fn(|k| closest.weights[k][lane]),
                        distance,
                        impact: if now - approach < distance { approach } else { T::zero() },
                    });
                }
            }
        }
    }
}

/// Closest points at the start, and whether a pair is near at its end.
#[inline(always)]
fn look<T: Scalar, L: Lanes<T>>(
    pack: &Pack<T>,
    previous: &[Particle<T>],
    now: &[Particle<T>],
    closest: &mut Closest<T>,
) {
    for lane in (0..PACK).step_by(L::WIDTH) {
        let (x, y) = (positions::<T, L>(pack, previous, lane), positions::<T, L>(pack, now, lane));
        let near = pack.elements.closest(&x);
        let distance = near.distance_squared.sqrt();
        let [a, b, c, d] = near.weights;
        let touches = distance.le(L::zero());
        // Where the two touch there is no direction.
        let nothing = Vector3::new(L::zero(), L::zero(), L::zero());
        let normal = select_vector(touches, nothing, near.delta * (L::one() / distance));
        let then = normal.dot(&(y[0] * a + y[1] * b + y[2] * c + y[3] * d));
        let keep = L::load(&pack.keep[lane..]);
        let comes = L::select(then.le(keep * L::splat(NEAR)), L::one(), L::zero());
        L::select(touches, L::zero(), comes).store(&mut closest.active[lane..]);
        distance.store(&mut closest.distance[lane..]);
        (distance - then).store(&mut closest.approach[lane..]);
        for k in 0..3 {
            normal[k].store(&mut closest.normal[k][lane..]);
        }
        for k in 0..4 {
            near.weights[k].store(&mut closest.weights[k][lane..]);
        }
    }
}

/// Where the four points of pairs are.
#[inline(always)]
pub(super) fn positions<T: Scalar, L: Lanes<T>>(
    pack: &Pack<T>,
    at: &[Particle<T>],
    lane: usize,
) -> [Vector3<L>; 4] {
    let mut x = [Vector3::new(L::zero(), L::zero(), L::zero()); 4];
    for (x, spots) in x.iter_mut().zip(&pack.spots) {
        (*x, _) = spots.gather::<L>(at, lane);
    }
    x
}
