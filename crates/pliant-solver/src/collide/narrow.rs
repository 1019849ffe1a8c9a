//! [`Narrow`]: closest points at the start of a substep, and the pairs that come near in it.

use nalgebra::Vector3;
use pliant_constraints::{FrictionalContact, Kind, Real};
use pliant_kernel::{LaneJob, Lanes, PACK, Particle, PieceMut, Portable, Scalar, Simd, Team, side_by_side};

use super::candidates::{self, Candidates, PIECE, Pack, Slots};
use super::eight::positions;
use super::elements::NEAR;
use super::idle::IDLE;
use super::reach::Reach;

/// The share of the distance to keep by which a contact may have slid, or been lifted, for the next substep to know where
/// it stuck; and the speed at which that is undone at most, m/s: pressure that grows must not make much of it at once.
const REMEMBERED: f64 = 0.01;
const UNDOING: f64 = 0.05;

/// Speed at which what starts too near is eased apart, m/s.
const EASING: f64 = 0.5;

/// By this share of the distance to keep, what is known to be near or not has to be so more than clearly.
const SURE: f64 = 1e-3;

/// How far a contact may have slid for a substep of length `h`, s, to undo it, m.
#[inline(always)]
pub(super) fn remembered<R: Real>(keep: R, h: R) -> R {
    (keep * R::splat(REMEMBERED)).min(h * R::splat(UNDOING))
}

/// A pair that is near.
#[derive(Debug, Clone, Copy)]
pub(super) struct Near<T: Scalar> {
    /// Its place in the list of pairs, and whether it has a place among rows, which is written.
    pub(super) pair: u32,
    pub(super) slotted: bool,
    /// Unit vector from the second element to the first, and the weights of the points.
    pub(super) normal: Vector3<T>,
    pub(super) weights: [T; 4],
    /// The distance to keep in this substep, m.
    pub(super) distance: T,
    /// How much nearer the two are predicted to come along the normal in this substep, m, if that is too
    /// near; or else zero.
    pub(super) impact: T,
}

/// What was found in some packs.
pub(super) struct Found<T: Scalar> {
    pub(super) near: Vec<Near<T>>,
    /// Contacts that were written in their places, and packs without places that were looked at.
    pub(super) written: usize,
    pub(super) looked: usize,
}

impl<T: Scalar> Default for Found<T> {
    fn default() -> Self {
        Self { near: Vec::new(), written: 0, looked: 0 }
    }
}

/// What is asked of packs at the start of a substep.
#[derive(Clone, Copy)]
pub(super) struct Narrow<'a, T: Scalar> {
    /// Where particles are at the start of the substep, and where they are predicted at its end.
    pub(super) previous: &'a [Particle<T>],
    pub(super) now: &'a [Particle<T>],
    pub(super) reach: &'a Reach<T>,
    /// Length of the substep, s.
    pub(super) h: T,
    /// Whether contacts may give velocity back, and so have to be listed, and whether they may give way.
    pub(super) bounces: bool,
    pub(super) gives_way: bool,
}

impl<T: Scalar> Narrow<'_, T> {
    /// Looks at the packs that are awake, by a team. What is near is written in its place, or listed by
    /// pieces, whose lists keep their room.
    pub(super) fn run_on(
        self,
        candidates: &mut Candidates<T>,
        found: &mut Vec<Found<T>>,
        simd: Simd,
        team: Team<'_>,
    ) {
        let count = candidates.all().map(|list| list.pieces().count()).iter().sum::<usize>();
        let Candidates { slots: [first, second], others, .. } = candidates;
        found.resize_with(count.max(found.len()), Found::default);
        for found in &mut *found {
            found.near.clear();
            (found.written, found.looked) = (0, 0);
        }
        let listed = others.pieces().map(|packs| (packs, None));
        let slotted = [first, second].into_iter().flat_map(|Slots { list, rows }| {
            let pieces = list.pieces().zip(rows.pieces_mut(PIECE));
            pieces.map(|(packs, rows)| (packs, Some(rows)))
        });
        team.for_each(slotted.chain(listed).zip(found), |((packs, rows), found)| match rows {
            Some(rows) => T::dispatch(Write { search: self, packs, rows, found }, simd),
            None => T::dispatch(Piece { search: self, packs, found }, simd),
        });
    }
}

/// Some packs at work.
struct Piece<'a, T: Scalar> {
    search: Narrow<'a, T>,
    packs: &'a candidates::Piece<T>,
    found: &'a mut Found<T>,
}

/// Some packs at work whose contacts have places.
struct Write<'a, T: Scalar> {
    search: Narrow<'a, T>,
    packs: &'a candidates::Piece<T>,
    rows: PieceMut<'a, T>,
    found: &'a mut Found<T>,
}

/// Closest points of eight pairs, lane by lane.
pub(super) struct Closest<T> {
    normal: [[T; PACK]; 3],
    weights: [[T; PACK]; 4],
    distance: [T; PACK],
    approach: [T; PACK],
    pub(super) active: [T; PACK],
}

impl<T: Scalar> Default for Closest<T> {
    fn default() -> Self {
        let zero = [T::zero(); PACK];
        Self { normal: [zero; 3], weights: [zero; 4], distance: zero, approach: zero, active: zero }
    }
}

impl<T: Scalar> Closest<T> {
    /// The pair in a lane, if it is near.
    fn near(&self, pack: &Pack<T>, lane: usize, slotted: bool, easing: T) -> Option<Near<T>> {
        if self.active[lane] <= T::zero() {
            return None;
        }
        let now = self.distance[lane];
        let distance = pack.keep[lane].min(now + easing);
        Some(Near {
            pair: pack.first + lane as u32,
            slotted,
            normal: Vector3::from(self.normal.map(|row| row[lane])),
            weights: self.weights.map(|row| row[lane]),
            distance,
            impact: if now - self.approach[lane] < distance { self.approach[lane] } else { T::zero() },
        })
    }
}

impl<T: Scalar> LaneJob<T> for Piece<'_, T> {
    type Out = ();
    type Portable = Portable<T, { side_by_side(PACK) }>;

    #[inline(always)]
    fn run<L: Lanes<T>>(self) {
        let Self { search: Narrow { previous, now, reach, h, .. }, packs, found } = self;
        let easing = T::splat(EASING) * h;
        let mut closest = Closest::default();
        for pack in packs.near(reach) {
            found.looked += 1;
            for lane in (0..PACK).step_by(L::WIDTH) {
                look::<T, L>(pack, (previous, now), None, lane, &mut closest);
            }
            let live = (0..PACK).filter(|lane| pack.live >> lane & 1 == 1);
            found.near.extend(live.filter_map(|lane| closest.near(pack, lane, false, easing)));
        }
    }
}

/// The kind of the rows.
type Contact = FrictionalContact<f64>;

impl<T: Scalar> LaneJob<T> for Write<'_, T> {
    type Out = ();
    type Portable = Portable<T, { side_by_side(PACK) }>;

    #[inline(always)]
    #[allow(clippy::needless_range_loop, reason = "by number, values stay in registers")]
    fn run<L: Lanes<T>>(self) {
        let Self { search, packs, mut rows, found } = self;
        rows.restart();
        let Narrow { previous, now, reach, h, bounces, gives_way } = search;
        let easing = T::splat(EASING) * h;
        let mut closest = Closest::default();
        let packs = packs.bunches(reach).flat_map(|(packs, way)| packs.iter().map(move |pack| (pack, way)));
        // Most of them are near.
        let (rows, _) = rows.rows.as_chunks_mut::<{ Contact::REST + 1 }>();
        for ((pack, way), rows) in packs.zip(rows) {
            let way = (!bounces).then_some(way);
            for lane in (0..PACK).step_by(L::WIDTH) {
                let at = look::<T, L>(pack, (previous, now), way, lane, &mut closest);
                let load = |row: &[T; PACK]| L::load(&row[lane..]);
                // By number, so that none is copied as memory: that waits for what was just written.
                let mut rest = [L::zero(); Contact::REST];
                for k in 0..Contact::REST {
                    rest[k] = load(&rows[k]);
                }
                let before = Contact::from_rest(&rest);
                let keep = load(&pack.keep);
                let eased = keep.min(load(&closest.distance) + L::splat(easing.to_f64()));
                // What gives way needs no easing, which would take its force away.
                let distance = if gives_way {
                    L::select(load(&rows[Contact::REST]).le(L::zero()), eased, keep)
                } else {
                    eased
                };
                let is_near = L::zero().lt(load(&closest.active));
                let normal = Vector3::from(closest.normal.each_ref().map(load));
                let slip = before.slip_left(&at, &normal, remembered(keep, L::splat(h.to_f64())));
                let contact = FrictionalContact {
                    normal,
                    weights: closest.weights.each_ref().map(load),
                    distance: L::select(is_near, distance, L::splat(IDLE)),
                    friction: before.friction,
                    slip: slip * L::select(is_near, L::one(), L::zero()),
                };
                Contact::rest_of(&contact, &mut rest);
                for k in 0..Contact::REST {
                    rest[k].store(&mut rows[k][lane..]);
                }
            }
            for lane in (0..PACK).filter(|&lane| closest.active[lane] > T::zero()) {
                found.written += 1;
                if bounces {
                    found.near.extend(closest.near(pack, lane, true, easing));
                }
            }
        }
    }
}

/// Closest points of some lanes at the start, and whether a pair is near at its end. Returns where the points are at the
/// start. With the longest `way` of all points, m, where they end is looked at only if that leaves it open whether they
/// are near then; how far they approach each other is not found.
#[inline(always)]
pub(super) fn look<T: Scalar, L: Lanes<T>>(
    pack: &Pack<T>,
    (previous, now): (&[Particle<T>], &[Particle<T>]),
    way: Option<T>,
    lane: usize,
    closest: &mut Closest<T>,
) -> [Vector3<L>; 4] {
    let (zero, one) = (L::zero(), L::one());
    let x = positions::<T, L>(&pack.spots, previous, lane);
    let near = pack.elements.closest(&x);
    let distance = near.distance_squared.sqrt();
    let touches = distance.le(zero);
    // Where the two touch there is no direction.
    let normal = near.delta * L::select(touches, zero, one / distance);
    let bound = L::load(&pack.keep[lane..]) * L::splat(NEAR);
    // One where a pair is near at the end, zero where it is not, and less where that is open.
    let mut comes = -one;
    if let Some(way) = way {
        let (both, sure) = (L::splat(2.0 * way.to_f64()), L::splat(SURE));
        let far = L::select((bound + sure * bound).lt(distance - both), zero, comes);
        comes = L::select((distance + both).lt(bound - sure * bound), one, far);
    }
    if way.is_none() || L::any(comes.lt(zero)) {
        let y = positions::<T, L>(&pack.spots, now, lane);
        let [a, b, c, d] = near.weights;
        let then = normal.dot(&(y[0] * a + y[1] * b + y[2] * c + y[3] * d));
        (distance - then).store(&mut closest.approach[lane..]);
        let looked = L::select(then.le(bound), one, zero);
        comes = L::select(comes.lt(zero), looked, comes);
    }
    L::select(touches, zero, comes).store(&mut closest.active[lane..]);
    distance.store(&mut closest.distance[lane..]);
    for k in 0..3 {
        normal[k].store(&mut closest.normal[k][lane..]);
    }
    for k in 0..4 {
        near.weights[k].store(&mut closest.weights[k][lane..]);
    }
    x
}
