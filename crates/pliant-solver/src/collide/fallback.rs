//! [`Fallback`]: where particles go whose own ways are cut back altogether.
//!
//! As a rule they go with their [island](super::islands): a translation keeps all distances. Where held parts
//! move on their own, like the legs of a body that walks, no translation suits all: what lies on a leg would
//! be cut back to where the leg is no more. There every particle gets a displacement of its own. What is held
//! goes its way, what touches it is taken along, and layers between two parts share the difference:
//!
//! ```text
//! Δu_k = −w_k b_k/(Σ w b²) Σ b u          u_k += Σ (|b_k|/d) Δu_k / Σ (|b_k|/d)
//! ```
//!
//! with the sums over the contacts and edges of a particle, of weights b and length d: their differences even
//! out, the more the shorter they are, so that a layer between two plates goes linearly between them. That is
//! done some times, from the ways of the substep on. Then pairs that would be brought too near
//! each other are parted along their normals, until none is left. The net starts from there: a pair counts as
//! carried if a plane between the closest points of the start still parts it, or if it is as far apart as it
//! has to be in a direction within 60° of the one before. What nothing parts is pinched.
//!
//! Source: Baraff, Witkin & Kass, Untangling Cloth (2003), section 4, have what is pinched follow the surfaces
//! that pinch it. That it is only where ways are cut back to, and that layers share what is between two
//! surfaces, is ours.

use nalgebra::Vector3;
use pliant_constraints::{Real, norm};
use pliant_contact::{NearPair, Surface};
use pliant_kernel::{Particle, Scalar, Team, widen};
use pliant_mesh::Adjacency;

use super::elements::Elements;
use super::pulls::Pulls;

/// How often displacements are averaged: a few times, which is enough as a rule, and often.
const SWEEPS: [usize; 2] = [2, 16];
/// How often pairs are parted one after the other, and how often those that cannot be are left first.
const PASSES: usize = 8;
const LEAVINGS: usize = 2;
/// How near pairs may be brought, and how far those that are brought nearer are parted, as shares of the
/// distance g that is never given up.
const CARRIED: f64 = 0.5;
const PARTED: f64 = 0.75;
/// What was nearer before comes no nearer but for this share.
const ROUNDED: f64 = 1e-3;
/// How much the direction between closest points may turn: its cosine.
const TURNED: f64 = 0.5;

/// Where particles go that do not go with their islands.
pub(super) struct Fallback<T: Scalar> {
    /// Where every particle of the surface goes, with its inverse mass.
    to: Vec<Particle<T>>,
    is_own: bool,
    /// Displacements, m, and what evens them out.
    ways: Vec<Vector3<T>>,
    pulls: Pulls<T>,
    /// No displacement, for every body.
    still: Vec<Vector3<T>>,
    /// Particles that were parted from others since they were asked for, once each.
    parted: Vec<u32>,
    is_parted: Vec<bool>,
    /// The pass over all pairs in which every particle was moved last, from one on.
    moved: Vec<u32>,
    /// Particles that have no room, and stay where they are taken along.
    left: Vec<u32>,
    is_left: Vec<bool>,
}

impl<T: Scalar> Fallback<T> {
    pub(super) fn new(particles: usize, bodies: usize) -> Self {
        Self {
            to: vec![Particle::new(Vector3::zeros(), T::zero()); particles],
            is_own: false,
            ways: vec![Vector3::zeros(); particles],
            pulls: Pulls::new(particles),
            still: vec![Vector3::zeros(); bodies],
            parted: Vec::new(),
            is_parted: vec![false; particles],
            moved: vec![0; particles],
            left: Vec::new(),
            is_left: vec![false; particles],
        }
    }

    /// All go with their islands.
    pub(super) fn start(&mut self) {
        self.is_own = false;
        for v in self.left.drain(..) {
            self.is_left[v as usize] = false;
        }
    }

    /// Where particles are cut back to, if each goes by itself.
    pub(super) fn own(&self) -> Option<&[Particle<T>]> {
        self.is_own.then_some(&self.to)
    }

    /// Places from which particles that are cut back move by as much as their bodies are said to, m: with
    /// their islands from the start of the substep, or not at all from where each goes by itself.
    pub(super) fn base<'a>(
        &'a self,
        previous: &'a [Particle<T>],
        islands: &'a [Vector3<T>],
    ) -> (&'a [Particle<T>], &'a [Vector3<T>]) {
        if self.is_own { (&self.to, &self.still) } else { (previous, islands) }
    }

    /// No displacement, for every body, m.
    pub(super) fn still(&self) -> &[Vector3<T>] {
        &self.still
    }

    /// Notes a contact of these points, whose weights add up to zero.
    pub(super) fn link(&mut self, points: [u32; 4], weights: [T; 4], previous: &[Particle<T>]) {
        self.pulls.link(points, weights, previous);
    }

    /// Finds where the particles of a surface, with their neighbours `around`, go in a substep; what touches those that are
    /// held goes along with them, and what is `far` from that as well. What was linked is forgotten.
    pub(super) fn find(
        &mut self,
        surface: &Surface,
        around: &Adjacency,
        (previous, now): (&[Particle<T>], &[Particle<T>]),
        far: bool,
        team: Team<'_>,
    ) {
        let Self { to, ways, pulls, .. } = self;
        for &v in surface.vertices() {
            let v = v as usize;
            ways[v] = now[v].x - previous[v].x;
        }
        pulls.find(around, (previous, now), team);
        for _ in 0..SWEEPS[usize::from(far)] {
            pulls.even_out(around, ways, team);
        }
        for &v in surface.vertices() {
            let v = v as usize;
            to[v] = along(v, ways, previous, now);
        }
        self.is_own = true;
    }

    /// Whether a pair is carried to its places on the right side, and no nearer than it may be. `least` is the
    /// distance g that is never given up, m.
    pub(super) fn carries(
        &self,
        pair: (Elements, &NearPair<T>),
        previous: &[Particle<T>],
        least: f64,
    ) -> bool {
        self.carriage(pair, previous).is_fine(least) > 0.0
    }

    fn carriage(
        &self,
        (elements, pair): (Elements, &NearPair<T>),
        previous: &[Particle<T>],
    ) -> Carriage<f64> {
        let [x, y] = [previous, &self.to].map(|list| pair.points.map(|v| widen(&list[v as usize].x)));
        Carriage::new(elements, &x, &y)
    }

    /// Parts those of the pairs that are not carried. Particles of pairs that cannot be parted stay where they
    /// are taken along: between two held parts without room that is between them. A pair is looked at again only if
    /// a point of it was moved since.
    pub(super) fn part_all<'a, I: Iterator<Item = (Elements, &'a NearPair<T>)>>(
        &mut self,
        pairs: impl Fn() -> I,
        (previous, now): (&[Particle<T>], &[Particle<T>]),
        least: f64,
    ) {
        self.moved.fill(0);
        let mut pass = 0;
        for leaving in 0..=LEAVINGS {
            for _ in 0..PASSES {
                pass += 1;
                let mut any = false;
                for pair in pairs() {
                    if pair.1.points.iter().any(|&v| self.moved[v as usize] + 1 >= pass) {
                        any |= self.part(pair, pass, previous, least);
                    }
                }
                if !any {
                    return;
                }
            }
            if leaving == LEAVINGS {
                return;
            }
            for pair in pairs() {
                if self.carries(pair, previous, least) {
                    continue;
                }
                for v in pair.1.points {
                    if !std::mem::replace(&mut self.is_left[v as usize], true) {
                        self.left.push(v);
                    }
                }
            }
            for &v in &self.left {
                self.to[v as usize] = along(v as usize, &self.ways, previous, now);
                self.moved[v as usize] = pass;
            }
        }
    }

    /// Parts the free points of a pair that is not carried, along the normal of the start; held points leave the
    /// room that they leave. Returns whether anything was moved, in this `pass`.
    fn part(
        &mut self,
        (elements, pair): (Elements, &NearPair<T>),
        pass: u32,
        previous: &[Particle<T>],
        least: f64,
    ) -> bool {
        let carriage = self.carriage((elements, pair), previous);
        if carriage.is_fine(least) > 0.0 {
            return false;
        }
        let room = carriage.room();
        let Carriage { normal, heights, split, .. } = carriage;
        let wanted = PARTED * least;
        let is_free = pair.points.map(|v| self.to[v as usize].w > T::zero() && !self.is_left[v as usize]);
        let held =
            |upper: bool| (0..4).filter(move |&k| !is_free[k] && (k < split) == upper).map(|k| heights[k]);
        let (most, fewest) =
            (held(false).fold(f64::NEG_INFINITY, f64::max), held(true).fold(f64::INFINITY, f64::min));
        let low = heights[..split].iter().copied().fold(f64::INFINITY, f64::min);
        let middle = low - 0.5 * room;
        let middle = middle.max(most + 0.5 * wanted).min(fewest - 0.5 * wanted);
        if !middle.is_finite() {
            return false;
        }
        let mut any = false;
        for k in (0..4).filter(|&k| is_free[k]) {
            let towards = if k < split { 1.0 } else { -1.0 };
            let missing = 0.5 * wanted - towards * (heights[k] - middle);
            if missing > 0.0 {
                let v = pair.points[k] as usize;
                self.to[v].x += pliant_constraints::splat_vector(&(normal * (towards * missing)));
                (any, self.moved[v]) = (true, pass);
                if !std::mem::replace(&mut self.is_parted[v], true) {
                    self.parted.push(pair.points[k]);
                }
            }
        }
        any
    }

    /// Shows the particles that were parted from others since the last call. Returns whether there were any.
    pub(super) fn take_parted(&mut self, see: impl FnOnce(&[u32])) -> bool {
        see(&self.parted);
        let any = !self.parted.is_empty();
        for v in self.parted.drain(..) {
            self.is_parted[v as usize] = false;
        }
        any
    }
}

/// Where a particle is taken along to. What is held goes its way to the last bit.
fn along<T: Scalar>(
    v: usize,
    ways: &[Vector3<T>],
    previous: &[Particle<T>],
    now: &[Particle<T>],
) -> Particle<T> {
    let end = if now[v].w > T::zero() { previous[v].x + ways[v] } else { now[v].x };
    Particle::new(end, now[v].w)
}

/// A pair at the start of a substep, and where it is carried to; one, or several side by side.
pub(super) struct Carriage<R: Real> {
    /// The direction of the closest points at the start, their distance, and the same at the end, m.
    normal: Vector3<R>,
    distance: R,
    then: Vector3<R>,
    /// Heights along the normal of the start at the end, m.
    heights: [R; 4],
    split: usize,
}

impl<R: Real> Carriage<R> {
    /// A pair that is carried from `x` to `y`, m.
    #[inline(always)]
    pub(super) fn new(elements: Elements, x: &[Vector3<R>; 4], y: &[Vector3<R>; 4]) -> Self {
        let (delta, then) = (elements.closest(x).delta, elements.closest(y).delta);
        let distance = norm(&delta);
        let normal = delta * (R::one() / distance);
        // Beside the first, which rounds less.
        let mut heights = [R::zero(); 4];
        for k in 0..4 {
            heights[k] = normal.dot(&(y[k] - x[0]));
        }
        Self { normal, distance, then, heights, split: elements.split() }
    }

    /// One where the pair is on the right side, and no nearer than it may be; zero elsewhere. `least` is the
    /// distance g that is never given up, m.
    #[inline(always)]
    pub(super) fn is_fine(&self, least: f64) -> R {
        let (one, zero) = (R::one(), R::zero());
        let enough = R::splat(CARRIED * least).min(self.distance * R::splat(1.0 - ROUNDED));
        let distance = norm(&self.then);
        let turned = (distance * R::splat(TURNED)).le(self.normal.dot(&self.then));
        let far = R::select(enough.le(distance), R::select(turned, one, zero), zero);
        R::select(enough.le(self.room()), one, far)
    }

    /// The room between the heights of the two sides, m.
    #[inline(always)]
    fn room(&self) -> R {
        let [a, b, c, d] = self.heights;
        if self.split == 1 { a - b.max(c.max(d)) } else { a.min(b) - c.max(d) }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const LEAST: f64 = 1e-4;

    fn pair(points: [u32; 4]) -> NearPair<f64> {
        NearPair { points, elements: [0; 2], keep: 1e-3, distance: 1e-3, way: 0.0 }
    }

    fn particles(x: &[[f64; 3]], w: &[f64]) -> Vec<Particle<f64>> {
        x.iter().zip(w).map(|(&x, &w)| Particle::new(Vector3::from(x), w)).collect()
    }

    /// Three triangles above each other, 1 mm apart, of which the outer ones are held.
    fn layers() -> (Surface, Vec<Particle<f64>>) {
        let triangle = |k: u32| [3 * k, 3 * k + 1, 3 * k + 2];
        let surface = Surface::new(9, &[&[triangle(0)], &[triangle(1)], &[triangle(2)]]).unwrap();
        let corner = |v: usize| [[0.0, 0.0], [0.01, 0.0], [0.0, 0.01]][v % 3];
        let x: Vec<_> = (0..9).map(|v| [corner(v)[0], 1e-3 * (v / 3) as f64, corner(v)[1]]).collect();
        let w: Vec<_> = (0..9).map(|v| if v / 3 == 1 { 1.0 } else { 0.0 }).collect();
        (surface, particles(&x, &w))
    }

    #[test]
    fn layers_share_the_difference_of_what_is_held() {
        let (surface, previous) = layers();
        let mut now = previous.clone();
        let (below, above) = (Vector3::new(0.02, 0.03, 0.0), Vector3::new(-0.01, 0.0298, 0.01));
        (0..3).for_each(|v| now[v].x += below);
        (6..9).for_each(|v| now[v].x += above);
        let mut fallback = Fallback::new(9, 3);
        for v in 0..3_u32 {
            // A vertex of the middle on each of the others, at their corners.
            for (first, sign) in [(0, 1.0), (6, -1.0)] {
                let mut weights = [sign, 0.0, 0.0, 0.0];
                weights[1 + v as usize] = -sign;
                fallback.link([3 + v, first, first + 1, first + 2], weights, &previous);
            }
        }
        assert!(fallback.own().is_none());
        let around = Adjacency::of_edges(9, surface.edges());
        fallback.find(&surface, &around, (&previous, &now), true, Team::alone());
        let to = fallback.own().unwrap();
        for v in 0..9 {
            let way = to[v].x - previous[v].x;
            match v / 3 {
                0 | 2 => assert_eq!(to[v].x, now[v].x),
                _ => assert!((way - (below + above) * 0.5).norm() < 1e-9, "{way}"),
            }
        }
        fallback.start();
        assert!(fallback.own().is_none());
    }

    #[test]
    fn what_turns_with_what_it_lies_on_is_carried_though_no_plane_parts_it() {
        let x = [[0.003, 2e-4, 0.003], [0.0, 0.0, 0.0], [0.0, 0.0, 0.01], [0.01, 0.0, 0.0]];
        let previous = particles(&x, &[1.0, 0.0, 0.0, 0.0]);
        let turned = |angle: f64| -> Vec<Particle<f64>> {
            let turn = nalgebra::Rotation3::from_axis_angle(&Vector3::z_axis(), angle);
            previous.iter().map(|p| Particle::new(turn * p.x, p.w)).collect()
        };
        let carries = |to| {
            let of = (Elements::VertexTriangle, &pair([0, 1, 2, 3]));
            Fallback { to, ..Fallback::new(4, 1) }.carries(of, &previous, LEAST)
        };
        assert!(carries(turned(0.0)) && carries(turned(0.5)));
        // Beyond 60° it might have come round the other way.
        assert!(!carries(turned(1.2)));
        // Through it, and too near.
        let at = |height: f64| {
            let mut to = previous.clone();
            to[0].x.y = height;
            to
        };
        assert!(!carries(at(-2e-4)) && !carries(at(0.4e-4)) && carries(at(0.6e-4)));
    }

    proptest! {
        #![proptest_config(pliant_testkit::config(256))]

        #[test]
        fn what_is_parted_is_carried(
            elements in prop_oneof![Just(Elements::VertexTriangle), Just(Elements::EdgeEdge)],
            x in proptest::array::uniform4(proptest::array::uniform3(-1.0..1.0)),
            ways in proptest::array::uniform4(proptest::array::uniform3(-1.0..1.0)),
            held in 0..3_usize,
        ) {
            let previous = particles(&x, &[1.0; 4]);
            let of = (elements, &pair([0, 1, 2, 3]));
            let points: [Vector3<f64>; 4] = std::array::from_fn(|k| previous[k].x);
            prop_assume!(elements.closest(&points).delta.norm() > 1e-3);
            let mut to = previous.clone();
            for (k, (p, way)) in to.iter_mut().zip(ways).enumerate() {
                p.x += Vector3::from(way);
                // All of one side, or nothing, is held.
                let upper = k < elements.split();
                if (held == 1 && upper) || (held == 2 && !upper) {
                    p.w = 0.0;
                }
            }
            let before = to.clone();
            let mut fallback = Fallback { to, ..Fallback::new(4, 1) };
            let was_fine = fallback.carries(of, &previous, LEAST);
            prop_assert_eq!(fallback.part(of, 1, &previous, LEAST), !was_fine);
            prop_assert!(fallback.carries(of, &previous, LEAST));
            let mut parted = Vec::new();
            prop_assert_eq!(fallback.take_parted(|particles| parted = particles.to_vec()), !was_fine);
            for (v, (p, before)) in (0..).zip(fallback.to.iter().zip(&before)) {
                prop_assert_eq!(p.x != before.x, parted.contains(&v));
                prop_assert!(p.w > 0.0 || p.x == before.x);
            }
        }

        #[test]
        fn what_was_not_moved_need_not_be_looked_at_again(
            x in proptest::collection::vec(proptest::array::uniform3(-1.0..1.0), 12),
            ways in proptest::collection::vec(proptest::array::uniform3(-1.0..1.0), 12),
            held in proptest::collection::vec(proptest::bool::weighted(0.2), 12),
            of in proptest::collection::vec((any::<bool>(), Just((0..12).collect::<Vec<u32>>()).prop_shuffle()), 1..16),
        ) {
            let w: Vec<_> = held.iter().map(|held| if *held { 0.0 } else { 1.0 }).collect();
            let previous = particles(&x, &w);
            let mut now = previous.clone();
            now.iter_mut().zip(&ways).for_each(|(p, way)| p.x += Vector3::from(*way));
            let pairs: Vec<_> = of
                .iter()
                .map(|(edges, points)| {
                    let elements = if *edges { Elements::EdgeEdge } else { Elements::VertexTriangle };
                    (elements, pair([points[0], points[1], points[2], points[3]]))
                })
                .collect();
            let all = || pairs.iter().map(|(elements, pair)| (*elements, pair));
            let begin = || {
                let ways = ways.iter().map(|&way| Vector3::from(way)).collect();
                Fallback { to: now.clone(), ways, ..Fallback::new(12, 1) }
            };
            let mut fallback = begin();
            fallback.part_all(all, (&previous, &now), LEAST);
            // One pass after the other over all of them.
            let mut each = begin();
            'passes: for leaving in 0..=LEAVINGS {
                for _ in 0..PASSES {
                    let moved = all().filter(|pair| each.part(*pair, 1, &previous, LEAST)).count();
                    if moved == 0 {
                        break 'passes;
                    }
                }
                if leaving < LEAVINGS {
                    for pair in all().filter(|pair| !each.carries(*pair, &previous, LEAST)).collect::<Vec<_>>() {
                        pair.1.points.iter().for_each(|&v| each.is_left[v as usize] = true);
                    }
                    for v in (0..12).filter(|&v| each.is_left[v]).collect::<Vec<_>>() {
                        each.to[v] = along(v, &each.ways, &previous, &now);
                    }
                }
            }
            for (a, b) in fallback.to.iter().zip(&each.to) {
                prop_assert_eq!(a.x, b.x);
            }
        }
    }
}
