//! From two triangles whose boxes meet to the pairs of their vertices and edges that go on the list.

use nalgebra::Vector3;
use pliant_constraints::Real;

use super::boxes::Hull;
use super::calm::Calm;
use super::rules::{Paths, Rules};
use crate::{Closest, Surface, edge_edge, vertex_triangle};

/// The corner after each.
const NEXT: [usize; 3] = [1, 2, 0];
/// The share of the distance at rest that two parts of one body keep.
const REST: f64 = 0.95;

/// A pair that may come near.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NearPair<T> {
    /// The four particles, in the order of the weights of [`Closest`].
    pub points: [u32; 4],
    /// Numbers of vertex (as a particle) and triangle, or of the two edges.
    pub elements: [u32; 2],
    /// The distance that the two keep, m: the sum of the radii of their bodies (of edges the share of it that
    /// [`Rules::edge_share`] says), or 0.95 of their distance at rest if that is less. 0 where a body rests in contact with itself: there is
    /// nothing to keep apart.
    pub keep: T,
}

/// The two lists.
pub(super) struct Lists<T> {
    pub(super) vertex_triangle: Vec<NearPair<T>>,
    pub(super) edge_edge: Vec<NearPair<T>>,
}

impl<T> Default for Lists<T> {
    fn default() -> Self {
        Self { vertex_triangle: Vec::new(), edge_edge: Vec::new() }
    }
}

impl<T: Copy> Lists<T> {
    pub(super) fn clear(&mut self) {
        self.vertex_triangle.clear();
        self.edge_edge.clear();
    }

    pub(super) fn append(&mut self, other: &Self) {
        self.vertex_triangle.extend_from_slice(&other.vertex_triangle);
        self.edge_edge.extend_from_slice(&other.edge_edge);
    }
}

/// What a task looks at, and where it writes.
pub(super) struct Search<'a, T: Real> {
    pub(super) surface: &'a Surface,
    pub(super) paths: &'a Paths<'a, T>,
    pub(super) rules: &'a Rules<'a>,
    pub(super) points: &'a [Hull],
    pub(super) calm: &'a Calm,
    pub(super) lists: &'a mut Lists<T>,
    /// Pairs with one of these particles only.
    pub(super) only: Option<&'a [bool]>,
    /// The sum of the radii of the two bodies at hand, m.
    pub(super) sum: f64,
    /// Whether they are one.
    pub(super) one_body: bool,
}

impl<T: Real + Into<f64>> Search<'_, T> {
    /// What two triangles represent, held against each other.
    #[inline(always)]
    pub(super) fn pair(&mut self, a: u32, b: u32) {
        let (of_a, of_b) = (self.surface.triangles()[a as usize], self.surface.triangles()[b as usize]);
        if !self.meet(of_a[0], of_b[0]) {
            return;
        }
        if self.one_body {
            let apart = f64::from(self.calm.apart(&of_a, &of_b));
            if apart > self.sum + 3.0_f64.sqrt() * self.rules.slack {
                return;
            }
        }
        let (hulls_a, hulls_b) =
            (of_a.map(|v| self.points[v as usize]), of_b.map(|v| self.points[v as usize]));
        self.corners(a, of_a, b, of_b, &hulls_b);
        self.corners(b, of_b, a, of_a, &hulls_a);
        let sides =
            |hulls: &[Hull; 3]| NEXT.map(|k| hulls[k]).into_iter().zip(*hulls).map(|(q, p)| p.around(q));
        let sides_b: [Hull; 3] = std::array::from_fn(|k| hulls_b[k].around(hulls_b[NEXT[k]]));
        let (owned_a, owned_b) = (self.surface.owned_sides(a as usize), self.surface.owned_sides(b as usize));
        for (i, side) in sides(&hulls_a).enumerate().filter(|(i, _)| owned_a >> i & 1 == 1) {
            let [p, q] = [of_a[i], of_a[NEXT[i]]];
            for j in (0..3).filter(|j| owned_b >> j & 1 == 1) {
                let [r, s] = [of_b[j], of_b[NEXT[j]]];
                if side.meets(&sides_b[j]) && p != r && p != s && q != r && q != s {
                    let elements =
                        [self.surface.owned_edge(a as usize, i), self.surface.owned_edge(b as usize, j)];
                    self.edges([p, q, r, s], elements);
                }
            }
        }
    }

    /// The vertices that `of` represents, against the triangle `b`.
    #[inline(always)]
    fn corners(&mut self, of: u32, corners: [u32; 3], b: u32, of_b: [u32; 3], hulls_b: &[Hull; 3]) {
        let owned = self.surface.owned_corners(of as usize);
        if owned == 0 {
            return;
        }
        let hull = hulls_b[0].around(hulls_b[1]).around(hulls_b[2]);
        for k in (0..3).filter(|k| owned >> k & 1 == 1) {
            let p = corners[k];
            if self.points[p as usize].meets(&hull) && !of_b.contains(&p) {
                self.vertex(p, of_b, b);
            }
        }
    }

    #[inline(always)]
    fn vertex(&mut self, p: u32, corners: [u32; 3], triangle: u32) {
        let points = [p, corners[0], corners[1], corners[2]];
        let closest = |x: &[Vector3<T>]| {
            let [p, a, b, c] = points.map(|v| x[v as usize]);
            vertex_triangle(&p, &[a, b, c])
        };
        if let Some(keep) = self.judge(points, 1, 1.0, closest) {
            self.lists.vertex_triangle.push(NearPair { points, elements: [p, triangle], keep });
        }
    }

    #[inline(always)]
    fn edges(&mut self, points: [u32; 4], elements: [u32; 2]) {
        let closest = |x: &[Vector3<T>]| {
            let [p, q, r, s] = points.map(|v| x[v as usize]);
            edge_edge(&[p, q], &[r, s])
        };
        if let Some(keep) = self.judge(points, 2, self.rules.edge_share, closest) {
            self.lists.edge_edge.push(NearPair { points, elements, keep });
        }
    }

    /// The distance that a pair keeps, if it goes on the list; its first `split` points are one side.
    #[inline(always)]
    fn judge(
        &self,
        points: [u32; 4],
        split: usize,
        share: f64,
        closest: impl Fn(&[Vector3<T>]) -> Closest<T>,
    ) -> Option<T> {
        if self.only.is_some_and(|only| !points.iter().any(|&v| only[v as usize])) {
            return None;
        }
        let (first, second) = points.split_at(split);
        if !self.rules.held.is_empty() && points.iter().all(|&v| self.rules.held[v as usize]) {
            return None;
        }
        let mut way = T::zero();
        for &a in first {
            for &b in second {
                let relative = self.paths.steps[a as usize] - self.paths.steps[b as usize];
                way = way.max(relative.dot(&relative));
            }
        }
        let way: f64 = f64::from(self.rules.horizon) * way.sqrt().into();
        let room = way + 3.0_f64.sqrt() * self.rules.slack;
        let distance: f64 = closest(self.paths.positions).distance().into();
        let room = room * 1.001 + self.noise(&points);
        let sum = self.sum;
        if distance > share * sum + room || self.rules.ties.between(first, second) {
            return None;
        }
        let Some(rest) = self.paths.rest.filter(|_| self.one_body) else {
            return Some(T::splat(share * sum));
        };
        let keep = (share * sum).min(REST * closest(rest).distance().into());
        (distance <= keep + room).then(|| T::splat(keep))
    }

    /// By how much rounding may make a distance too large, m: as the root of ε times the length of edges that are nearly parallel.
    #[inline(always)]
    fn noise(&self, points: &[u32; 4]) -> f64 {
        let [p, q, r, s] = points.map(|v| &self.paths.positions[v as usize]);
        let longest = (q - p).iter().chain(&(s - r)).fold(T::zero(), |longest, c| longest.max(c.abs()));
        4.0 * T::EPSILON.sqrt() * longest.into()
    }

    /// Notes the bodies of two particles, and says whether they meet at all.
    #[inline(always)]
    fn meet(&mut self, p: u32, q: u32) -> bool {
        let body = |v: u32| self.surface.body_of(v).map_or(0, |body| body as usize);
        let (a, b) = (body(p), body(q));
        self.sum = self.rules.radii[a] + self.rules.radii[b];
        self.one_body = a == b;
        let masks = self.rules.masks;
        if masks.is_empty() {
            return true;
        }
        if a == b {
            return masks[a].itself;
        }
        masks[a].groups & masks[b].hits != 0 && masks[b].groups & masks[a].hits != 0
    }
}
