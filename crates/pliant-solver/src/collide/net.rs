//! [`Net`]: what would cross is cut back.
//!
//! After the sweeps every pair is held against a plane between the closest points of the start of the substep, in a frame that moves with the island. With normal n and heights along it,
//!
//! ```text
//! gap = min_A p − max_B p          α = (min_A p − min_A x)⁺          β = (max_B x − max_B p)⁺          room = gap − min(g, gap)
//! ```
//!
//! nothing can cross as long as α + β ≤ room. Otherwise the plane is put so that the two sides share the room as they want it, and particles beyond it are cut back along their way: x_i = p_i + u + t_i (x_i − p_i − u), with the least t_i
//! of all pairs of a particle. All move linearly, and end on their side of a plane at rest in the frame that was measured to part them at the start; half-spaces are convex, so that every smaller t is as good: pairs
//! may be taken in any order, each once.
//!
//! Particles that are held are not cut back: they get the room that they take, and the other side is put behind the plane that they leave. What was put there counts as held when all pairs are held again. Where two such leave no room the
//! pair is pinched: it is counted, and may cross.
//!
//! Source: planes between closest points as in "Divide and Truncate" (SIGGRAPH 2026); the frame, the measured heights and the distance g are ours: see the page on contact in the book.

use nalgebra::Vector3;
use pliant_constraints::norm;
use pliant_contact::NearPair;
use pliant_kernel::{LaneJob, Lanes, PACK, Particle, Portable, Scalar, Simd, Team, side_by_side, widen};

use super::candidates::{Candidates, List, Stretch};
use super::elements::Elements;
use super::narrow::positions;
use super::reach::Reach;

/// What the net did in a substep.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Cut {
    /// Particles that were cut back.
    pub(super) truncated: usize,
    /// Pairs whose points did not move towards each other at all, because they could not be distinguished.
    pub(super) frozen: usize,
    /// Pairs that held particles left no room, and the first of them.
    pub(super) pinched: usize,
    pub(super) first_pinched: Option<(Elements, [u32; 4])>,
    /// Particles that were put behind the plane that a held side left.
    pub(super) projected: usize,
    /// What was taken: Σ m |Δv|, kg·m/s, and kinetic energy beside the island's, J.
    pub(super) momentum: f64,
    pub(super) energy: f64,
}

impl Cut {
    /// Adds what was done when all pairs were held once more: that finds again what could not be moved.
    pub(super) fn go_on(&mut self, next: &Self) {
        *self = Self {
            truncated: self.truncated + next.truncated,
            projected: self.projected + next.projected,
            momentum: self.momentum + next.momentum,
            energy: self.energy + next.energy,
            ..*next
        };
    }

    /// Takes down a pair that has no room.
    fn pinch(&mut self, elements: Elements, points: [u32; 4]) {
        self.pinched += 1;
        self.first_pinched = self.first_pinched.or(Some((elements, points)));
    }
}

/// Which pairs use up their room?
#[derive(Clone, Copy)]
pub(super) struct Crowded<'a, T: Scalar> {
    pub(super) previous: &'a [Particle<T>],
    pub(super) now: &'a [Particle<T>],
    /// The displacement of the island of every body, m.
    pub(super) frames: &'a [Vector3<T>],
    pub(super) reach: &'a Reach<T>,
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
    packs: Stretch<'a, T>,
    found: &'a mut Vec<(Elements, u32)>,
}

impl<T: Scalar> LaneJob<T> for Piece<'_, T> {
    type Out = ();
    type Portable = Portable<T, { side_by_side(PACK) }>;

    #[inline(always)]
    fn run<L: Lanes<T>>(self) {
        let Self { search, packs, found } = self;
        let Crowded { previous, now, frames, reach, least } = search;
        // Twice as far, for what is rounded.
        for pack in packs.nearer(reach, least + least) {
            let mut crowded = [T::zero(); PACK];
            let mut frame = [[T::zero(); PACK]; 3];
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
                let x = positions::<T, L>(pack, previous, lane);
                let mut y = positions::<T, L>(pack, now, lane);
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
                let room = gap - gap.min(L::splat(least.to_f64()));
                // Not a number counts as crowded.
                L::select(used.le(room), L::zero(), L::one()).store(&mut crowded[lane..]);
            }
            for lane in (0..PACK).filter(|lane| pack.live >> lane & 1 == 1) {
                if crowded[lane] > T::zero() {
                    found.push((pack.elements, pack.first + lane as u32));
                }
            }
        }
    }
}

/// A substep whose sweeps are over.
pub(super) struct Swept<'a, T: Scalar> {
    /// Where particles were at its start, and where they are.
    pub(super) previous: &'a [Particle<T>],
    pub(super) now: &'a [Particle<T>],
    /// The distance g that is never given up, m.
    pub(super) least: f64,
}

/// A side of a pair as the net sees it.
struct Side {
    /// How far it comes towards the other: particles that can move, and particles that are held, m.
    free: f64,
    held: f64,
}

/// Shares of their ways that particles may go, and what is put behind planes.
pub(super) struct Net {
    shares: Vec<f64>,
    touched: Vec<u32>,
    pushes: Vec<Push>,
    /// Particles that were put behind planes in this substep, as flags and as a list: they stay there.
    is_put: Vec<bool>,
    put: Vec<u32>,
}

/// Points of a pair that are to end behind a plane.
struct Push {
    elements: Elements,
    points: [u32; 4],
    /// Which of them.
    of: [bool; 4],
    /// Towards their side.
    normal: Vector3<f64>,
    height: f64,
}

impl Net {
    pub(super) fn new(particles: usize) -> Self {
        Self {
            shares: vec![1.0; particles],
            touched: Vec::new(),
            pushes: Vec::new(),
            is_put: vec![false; particles],
            put: Vec::new(),
        }
    }

    /// Forgets what was put behind planes in the last substep.
    pub(super) fn start(&mut self) {
        for v in self.put.drain(..) {
            self.is_put[v as usize] = false;
        }
    }

    /// Forgets what was held.
    pub(super) fn clear(&mut self) {
        for v in self.touched.drain(..) {
            self.shares[v as usize] = 1.0;
        }
        self.pushes.clear();
    }

    /// Cuts the ways of the particles of a pair, whose displacements are seen in a frame that moves by `frame`, m.
    pub(super) fn hold<T: Scalar>(
        &mut self,
        (elements, pair): (Elements, &NearPair<T>),
        swept: &Swept<'_, T>,
        frame: &Vector3<T>,
        cut: &mut Cut,
    ) {
        let Swept { previous, now, least } = *swept;
        let x = pair.points.map(|v| widen(&previous[v as usize].x));
        let way = pair.points.map(|v| widen(&(now[v as usize].x - previous[v as usize].x - frame)));
        let is_free = pair.points.map(|v| now[v as usize].w > T::zero() && !self.is_put[v as usize]);
        let split = elements.split();
        let delta = elements.closest(&x).delta;
        let n = delta / delta.norm();
        let heights = x.map(|x| n.dot(&x));
        let low = heights[..split].iter().copied().fold(f64::INFINITY, f64::min);
        let high = heights[split..].iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let gap = low - high;
        if gap.is_nan() || gap <= 0.0 {
            // Nothing separates them: no particle moves.
            cut.frozen += 1;
            for k in (0..4).filter(|&k| is_free[k]) {
                self.limit(pair.points[k], 0.0);
            }
            return;
        }
        let room = gap - least.min(gap);
        let side = |of: std::ops::Range<usize>, comes: &dyn Fn(usize) -> f64| {
            let most = |free: bool| of.clone().filter(|&k| is_free[k] == free).map(comes).fold(0.0, f64::max);
            Side { free: most(true), held: most(false) }
        };
        let upper = side(0..split, &|k| low - (heights[k] + n.dot(&way[k])));
        let lower = side(split..4, &|k| heights[k] + n.dot(&way[k]) - high);
        let (up, down) = (lower.free.max(lower.held), upper.free.max(upper.held));
        if up + down <= room {
            return;
        }
        // The room of the lower side, as it wants it, but what is held gets what it takes.
        let plane = (room * up / (up + down)).min(room - upper.held).max(lower.held);
        let (mut beyond, mut pinched) = ([false; 4], false);
        for k in 0..4 {
            let towards = if k < split { -n.dot(&way[k]) } else { n.dot(&way[k]) };
            let slack = if k < split { heights[k] - low + room - plane } else { high + plane - heights[k] };
            if !is_free[k] {
                // What is rounded is no pinch.
                pinched |= towards - slack > 1e-9 * room;
            } else if slack < 0.0 {
                // What is held will be where this point is: no share of its way is enough by itself.
                beyond[k] = true;
            } else if towards > slack {
                self.limit(pair.points[k], slack / towards);
            }
        }
        if pinched {
            cut.pinch(elements, pair.points);
        }
        for upper in [true, false] {
            let of: [bool; 4] = std::array::from_fn(|k| beyond[k] && (k < split) == upper);
            if of.contains(&true) {
                let frame = n.dot(&widen(frame));
                let (normal, height) = if upper {
                    (n, high + plane + (gap - room) + frame)
                } else {
                    (-n, -(high + plane + frame))
                };
                self.pushes.push(Push { elements, points: pair.points, of, normal, height });
            }
        }
    }

    fn limit(&mut self, particle: u32, share: f64) {
        let own = &mut self.shares[particle as usize];
        if *own >= 1.0 && share < 1.0 {
            self.touched.push(particle);
        }
        *own = own.min(share);
    }

    /// The share of its way that a particle may go.
    pub(super) fn share(&self, particle: u32) -> f64 {
        self.shares[particle as usize]
    }

    /// The particles that are cut back so far.
    pub(super) fn touched(&self) -> &[u32] {
        &self.touched
    }

    /// Moves the particles, and starts over. `frame` gives the displacement of the island of a particle, m. Returns whether particles were put behind planes, so that all pairs have to be held again, and if so the first of their pairs.
    pub(super) fn draw<T: Scalar>(
        &mut self,
        previous: &[Particle<T>],
        now: &mut [Particle<T>],
        frame: impl Fn(u32) -> Vector3<T>,
        h: f64,
        cut: &mut Cut,
    ) -> Option<(Elements, [u32; 4])> {
        for &v in &self.touched {
            let share = std::mem::replace(&mut self.shares[v as usize], 1.0);
            let (p, from) = (&mut now[v as usize], widen(&previous[v as usize].x));
            let u = widen(&frame(v));
            let way = widen(&p.x) - from - u;
            // Towards the start: what is rounded must not end beyond.
            let kept = way * (share * (1.0 - 4.0 * T::EPSILON));
            p.x = pliant_constraints::splat_vector(&(from + u + kept));
            let mass = 1.0 / p.w.to_f64();
            cut.truncated += 1;
            cut.momentum += mass * (way - kept).norm() / h;
            cut.energy += 0.5 * mass * (way.norm_squared() - kept.norm_squared()) / (h * h);
        }
        self.touched.clear();
        let mut first = None;
        for push in self.pushes.drain(..) {
            for k in (0..4).filter(|&k| push.of[k]) {
                let v = push.points[k] as usize;
                let p = &mut now[v];
                let missing = push.height - push.normal.dot(&widen(&p.x));
                if missing > 0.0 {
                    p.x += pliant_constraints::splat_vector(&(push.normal * missing));
                    cut.projected += 1;
                    first = first.or(Some((push.elements, push.points)));
                    if !std::mem::replace(&mut self.is_put[v], true) {
                        self.put.push(push.points[k]);
                    }
                }
            }
        }
        first
    }
}
