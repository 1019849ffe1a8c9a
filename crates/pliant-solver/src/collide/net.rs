//! [`Net`]: what would cross is cut back.
//!
//! After the sweeps every pair is held against a plane between the closest points of the start of the
//! substep, in a frame that moves with the island. With normal n and heights along it,
//!
//! ```text
//! gap = min_A p − max_B p          α = (min_A p − min_A x)⁺          β = (max_B x − max_B p)⁺          room = gap − min(g, gap)
//! ```
//!
//! nothing can cross as long as α + β ≤ room. Otherwise the plane is put so that the two sides share the room
//! as they want it, and particles beyond it are cut back along their way: x_i = p_i + u + t_i (x_i − p_i −
//! u), with the least t_i of all pairs of a particle. All move linearly, and end on their side of a plane at
//! rest in the frame that was measured to part them at the start; half-spaces are convex, so that every
//! smaller t is as good: pairs may be taken in any order, each once.
//!
//! Particles that are held are not cut back: they get the room that they take, and the other side is put
//! behind the plane that they leave. What was put there counts as held when all pairs are held again. Where
//! two such leave no room the pair is pinched: it is counted, and may cross.
//!
//! Of a vertex of a [skin](super::skin) the corners of its tetrahedron are cut back: it counts with the most
//! that it may get towards the plane whatever their shares are.
//!
//! Source: planes between closest points as in "Divide and Truncate" (SIGGRAPH 2026); the frame, the measured
//! heights and the distance g are ours: see the page on contact in the book.

use nalgebra::Vector3;
use pliant_contact::NearPair;
use pliant_kernel::{Particle, Scalar, widen};

use super::elements::Elements;
use super::skin::{Carried, Skins};

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

    /// Takes down that a particle of this mass, kg, goes `kept` instead of `way`, m, in a substep of length `h`, s.
    pub(super) fn take(&mut self, mass: f64, way: &Vector3<f64>, kept: &Vector3<f64>, h: f64) {
        self.momentum += mass * (way - kept).norm() / h;
        self.energy += 0.5 * mass * (way.norm_squared() - kept.norm_squared()) / (h * h);
    }

    /// Takes down a pair that has no room.
    fn pinch(&mut self, elements: Elements, points: [u32; 4]) {
        self.pinched += 1;
        self.first_pinched = self.first_pinched.or(Some((elements, points)));
    }
}

/// A substep whose sweeps are over.
pub(super) struct Swept<'a, T: Scalar> {
    /// Where particles were at its start, and where they are.
    pub(super) previous: &'a [Particle<T>],
    pub(super) now: &'a [Particle<T>],
    /// The distance g that is never given up, m.
    pub(super) least: f64,
    pub(super) skins: &'a Skins<T>,
}

/// How far a point gets towards the other side of a pair, m.
#[derive(Debug, Clone, Copy)]
struct Way {
    /// At most, and by what is held alone.
    most: f64,
    held: f64,
    /// Whether anything of it can be cut back.
    is_free: bool,
}

/// How far a side of a pair comes towards the other, m: at most, and by what is held alone, if anything is.
struct Side {
    most: f64,
    held: f64,
}

/// The displacement of a particle beside an island that moves by `frame`, m.
fn way_of<T: Scalar>(v: u32, swept: &Swept<'_, T>, frame: &Vector3<T>) -> Vector3<f64> {
    widen(&(swept.now[v as usize].x - swept.previous[v as usize].x - frame))
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
        let Swept { previous, least, .. } = *swept;
        let x = pair.points.map(|v| widen(&previous[v as usize].x));
        let split = elements.split();
        let delta = elements.closest(&x).delta;
        let n = delta / delta.norm();
        let heights = x.map(|x| n.dot(&x));
        let way = |k: usize| self.way(pair.points[k], swept, frame, &if k < split { -n } else { n });
        let ways: [Way; 4] = std::array::from_fn(way);
        let low = heights[..split].iter().copied().fold(f64::INFINITY, f64::min);
        let high = heights[split..].iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let gap = low - high;
        if gap.is_nan() || gap <= 0.0 {
            // Nothing separates them: no particle moves.
            cut.frozen += 1;
            for &point in &pair.points {
                self.limit(point, 0.0, swept, None);
            }
            return;
        }
        let room = gap - least.min(gap);
        let side = |of: std::ops::Range<usize>, comes: &dyn Fn(usize, f64) -> f64| {
            let most = of.clone().map(|k| comes(k, ways[k].most)).fold(0.0, f64::max);
            // A side of which nothing is held gives way, also by more than all the room.
            let takes = of.clone().any(|k| !ways[k].is_free || ways[k].held != 0.0);
            let held = if takes {
                of.map(|k| comes(k, ways[k].held)).fold(0.0, f64::max)
            } else {
                f64::NEG_INFINITY
            };
            Side { most, held }
        };
        let upper = side(0..split, &|k, way| low - (heights[k] - way));
        let lower = side(split..4, &|k, way| heights[k] + way - high);
        let (up, down) = (lower.most, upper.most);
        if up + down <= room {
            return;
        }
        // The room of the lower side, as it wants it, but what is held gets what it takes.
        let share = (room * up / (up + down)).clamp(0.0, room);
        let plane = share.min(room - upper.held).max(lower.held);
        let (mut beyond, mut pinched) = ([false; 4], false);
        for k in 0..4 {
            let Way { most, held, is_free } = ways[k];
            let slack = if k < split { heights[k] - low + room - plane } else { high + plane - heights[k] };
            if !is_free {
                // What is rounded is not a pinch.
                pinched |= most - slack > 1e-9 * room;
            } else if slack - held < 0.0 {
                // What is held will be where this point is: no share of its way is enough by itself.
                beyond[k] = true;
            } else if most > slack {
                let towards = if k < split { -n } else { n };
                self.limit(pair.points[k], (slack - held) / (most - held), swept, Some((frame, &towards)));
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

    /// Leaves a pair where it is cut back to: held parts leave no room there.
    pub(super) fn give_up<T: Scalar>(
        &mut self,
        (elements, pair): (Elements, &NearPair<T>),
        swept: &Swept<'_, T>,
        cut: &mut Cut,
    ) {
        cut.pinch(elements, pair.points);
        for &point in &pair.points {
            self.limit(point, 0.0, swept, None);
        }
    }

    /// Whether a particle can be cut back.
    fn is_free<T: Scalar>(&self, v: u32, swept: &Swept<'_, T>) -> bool {
        swept.now[v as usize].w > T::zero() && !self.is_put[v as usize]
    }

    /// How far a point gets towards the other side of a pair, beside an island that moves by `frame`, m.
    fn way<T: Scalar>(
        &self,
        point: u32,
        swept: &Swept<'_, T>,
        frame: &Vector3<T>,
        towards: &Vector3<f64>,
    ) -> Way {
        let along = |v: u32| towards.dot(&way_of(v, swept, frame));
        let Some(vertex) = swept.skins.of(point) else {
            let (most, is_free) = (along(point), self.is_free(point, swept));
            return Way { most, held: if is_free { 0.0 } else { most }, is_free };
        };
        let mut way = Way { most: 0.0, held: 0.0, is_free: false };
        for (&corner, weight) in vertex.corners.iter().zip(vertex.weights) {
            let part = weight * along(corner);
            if self.is_free(corner, swept) {
                way.is_free = true;
                way.most += part.max(0.0);
            } else {
                way.most += part;
                way.held += part;
            }
        }
        way
    }

    /// Has the free particles of a point go no more than a share of their ways: those that bring it nearer
    /// along a direction, beside an island that moves as given, or all.
    fn limit<T: Scalar>(
        &mut self,
        point: u32,
        share: f64,
        swept: &Swept<'_, T>,
        towards: Option<(&Vector3<T>, &Vector3<f64>)>,
    ) {
        let Some(vertex) = swept.skins.of(point) else {
            if self.is_free(point, swept) {
                self.cut(point, share);
            }
            return;
        };
        for (&corner, weight) in vertex.corners.iter().zip(vertex.weights) {
            let comes = towards
                .is_none_or(|(frame, towards)| weight * towards.dot(&way_of(corner, swept, frame)) > 0.0);
            if comes && self.is_free(corner, swept) {
                self.cut(corner, share);
            }
        }
    }

    fn cut(&mut self, particle: u32, share: f64) {
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

    /// Whether particles are to be put behind planes.
    pub(super) fn pushes(&self) -> bool {
        !self.pushes.is_empty()
    }

    /// The particles that were put behind planes in this substep.
    pub(super) fn put(&self) -> &[u32] {
        &self.put
    }

    /// The particles that are cut back so far.
    pub(super) fn touched(&self) -> &[u32] {
        &self.touched
    }

    /// Moves the particles, and starts over. `frame` gives the displacement of the island of a particle, m.
    /// Returns whether particles were put behind planes, so that all pairs have to be held again, and if so
    /// the first of their pairs.
    pub(super) fn draw<T: Scalar>(
        &mut self,
        previous: &[Particle<T>],
        now: &mut [Particle<T>],
        (frame, skins): (impl Fn(u32) -> Vector3<T>, &Skins<T>),
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
            cut.take(mass, &way, &kept, h);
        }
        self.touched.clear();
        let mut first = None;
        for push in self.pushes.drain(..) {
            for k in (0..4).filter(|&k| push.of[k]) {
                let point = push.points[k];
                let one = Carried { corners: [point; 4], weights: [1.0, 0.0, 0.0, 0.0] };
                let Carried { corners, weights } = skins.of(point).copied().unwrap_or(one);
                let parts = corners.into_iter().zip(weights).filter(|(_, weight)| *weight != 0.0);
                let height: f64 =
                    parts.map(|(v, weight)| push.normal.dot(&widen(&now[v as usize].x)) * weight).sum();
                let missing = push.height - height;
                if missing <= 0.0 || missing.is_nan() {
                    continue;
                }
                cut.projected += 1;
                first = first.or(Some((push.elements, push.points)));
                // What is held stays: the others of a skin go farther.
                let is_free = corners.map(|v| now[v as usize].w > T::zero());
                let free = || (0..4).filter(|&c| is_free[c] && weights[c] != 0.0);
                let sum: f64 = free().map(|c| weights[c] * weights[c]).sum();
                for c in free() {
                    let v = corners[c] as usize;
                    let way = push.normal * (missing * (weights[c] / sum));
                    now[v].x += pliant_constraints::splat_vector(&way);
                    if !std::mem::replace(&mut self.is_put[v], true) {
                        self.put.push(corners[c]);
                    }
                }
            }
        }
        first
    }
}
