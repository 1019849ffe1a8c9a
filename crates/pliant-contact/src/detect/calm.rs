//! [`Calm`]: where a surface is smooth enough to be out of its own way.
//!
//! Most boxes that meet are those of neighbours in one sheet, and most of these are nowhere near each other. Let the triangles around a vertex w be a fan whose normals lie within 60° of their sum N, and
//! which goes round once at most where it is projected along N. Then the fan does not overlap itself in projection, and two elements of it that share no particle are apart by at least
//!
//! ```text
//! r(w) = min over the triangles of  2 A (n·N) / longest side
//! ```
//!
//! *Proof.* In projection a wedge of the fan lies on one side of the lines through its two spokes. A corner a of the fan outside of it is beyond one of these, at least as far as from the next spoke – an altitude of a triangle – or, where the
//! angle is blunt, as far as from w. The distance of two segments that do not cross is that of an end of one from the other. And no distance grows when it is projected.
//!
//! So pairs of triangles that share w need not be looked at as long as r(w) exceeds what counts as near, with what two particles of the fan may move towards each other. Normal cones: Volino and Magnenat-Thalmann (1994).

use nalgebra::Vector3;
use pliant_constraints::{Real, cross, norm};

use super::rules::Paths;
use crate::Surface;

/// Cosine of the largest angle between a normal and the sum of all.
const CONE: f64 = 0.5;

/// The fans of a surface, and how far the elements of each stay apart.
#[derive(Default)]
pub(super) struct Calm {
    /// Where the spokes of every particle begin, and where the last ones end.
    starts: Vec<u32>,
    /// The other ends of the spokes, in their order around the particle.
    spokes: Vec<u32>,
    closed: Vec<bool>,
    /// r(w), less what particles of the fan move towards each other, m; zero where nothing is known.
    apart: Vec<f32>,
    /// The corners that are looked at.
    corners: Vec<u32>,
}

impl Calm {
    /// Orders the triangles around every particle; where they are no fan there are no spokes.
    pub(super) fn prepare(&mut self, surface: &Surface) {
        let particles = surface.particles();
        *self = Self::default();
        let mut around: Vec<Vec<[u32; 2]>> = vec![Vec::new(); particles];
        for &[a, b, c] in surface.triangles() {
            for [w, from, to] in [[a, b, c], [b, c, a], [c, a, b]] {
                around[w as usize].push([from, to]);
            }
        }
        self.apart.resize(particles, 0.0);
        self.starts.push(0);
        for sides in &mut around {
            let is_closed = order(sides, &mut self.spokes);
            self.closed.push(is_closed);
            self.starts.push(self.spokes.len() as u32);
        }
    }

    /// Looks at the fans of all particles.
    pub(super) fn look<T: Real + Into<f64>>(
        &mut self,
        surface: &Surface,
        paths: &Paths<'_, T>,
        horizon: u32,
    ) {
        for &w in surface.vertices() {
            self.apart[w as usize] = self.reach(w, paths, horizon);
        }
    }

    /// Looks at the fans of the corners of some triangles.
    pub(super) fn look_around<T: Real + Into<f64>>(
        &mut self,
        surface: &Surface,
        triangles: &[u32],
        paths: &Paths<'_, T>,
        horizon: u32,
    ) {
        // Neighbours share corners.
        let mut corners = std::mem::take(&mut self.corners);
        corners.clear();
        corners.extend(triangles.iter().flat_map(|&triangle| surface.triangles()[triangle as usize]));
        corners.sort_unstable();
        corners.dedup();
        for &w in &corners {
            self.apart[w as usize] = self.reach(w, paths, horizon);
        }
        self.corners = corners;
    }

    /// By how much two elements of triangles around a particle that they share are apart at least, m.
    #[inline(always)]
    pub(super) fn apart(&self, first: &[u32; 3], second: &[u32; 3]) -> f32 {
        let mut apart = 0.0_f32;
        for w in first {
            if second.contains(w) {
                apart = apart.max(self.apart[*w as usize]);
            }
        }
        apart
    }

    fn reach<T: Real + Into<f64>>(&self, w: u32, paths: &Paths<'_, T>, horizon: u32) -> f32 {
        let of = self.starts[w as usize] as usize..self.starts[w as usize + 1] as usize;
        let spokes = &self.spokes[of];
        let count = if self.closed[w as usize] { spokes.len() } else { spokes.len().saturating_sub(1) };
        if count == 0 {
            return 0.0;
        }
        let (x, step) = (&paths.positions[w as usize], &paths.steps[w as usize]);
        let end = |i: usize| paths.positions[spokes[i % spokes.len()] as usize] - x;
        let mut all = Vector3::new(T::zero(), T::zero(), T::zero());
        for i in 0..count {
            all += cross(&end(i), &end(i + 1));
        }
        let length: f64 = norm(&all).into();
        if length.is_nan() || length <= 0.0 {
            return 0.0;
        }
        let all = all * T::splat(1.0 / length);
        let first = end(0);
        let (mut least, mut turned) = (f64::INFINITY, false);
        for i in 0..count {
            let (a, b) = (end(i), end(i + 1));
            let normal = cross(&a, &b);
            let area: f64 = norm(&normal).into();
            let seen: f64 = normal.dot(&all).into();
            let c = b - a;
            let longest: f64 = a.dot(&a).into();
            let longest = longest.max(b.dot(&b).into()).max(c.dot(&c).into()).sqrt();
            if !(seen > CONE * area && longest > 0.0) {
                return 0.0;
            }
            least = least.min(seen / longest);
            // Beyond half a turn the sine is negative; where it is positive again the fan has gone round.
            let is_last = i + 1 == spokes.len();
            let sine: f64 = cross(&first, &b).dot(&all).into();
            if !is_last {
                if sine <= 0.0 {
                    turned = true;
                } else if turned {
                    return 0.0;
                }
            }
        }
        let mut fastest = 0.0_f64;
        for &spoke in spokes {
            let by = paths.steps[spoke as usize] - step;
            fastest = fastest.max(by.dot(&by).into());
        }
        // Rounded down, with room for the rounding of altitudes.
        (0.999 * least - 2.0 * f64::from(horizon) * fastest.sqrt()) as f32
    }
}

/// Appends the spokes between sides that follow one another, if that is what the sides do; says whether they go all the way round.
fn order(sides: &mut [[u32; 2]], spokes: &mut Vec<u32>) -> bool {
    if sides.is_empty() {
        return false;
    }
    sides.sort_unstable();
    if sides.windows(2).any(|pair| pair[0][0] == pair[1][0]) {
        return false;
    }
    let begins = |from: u32| sides.binary_search_by_key(&from, |side| side[0]).ok();
    let first = sides.iter().map(|side| side[0]).find(|&from| !sides.iter().any(|side| side[1] == from));
    let is_closed = first.is_none();
    let start = spokes.len();
    let mut at = first.unwrap_or(sides[0][0]);
    for _ in 0..sides.len() {
        let Some(side) = begins(at) else { break };
        spokes.push(at);
        at = sides[side][1];
    }
    let seen = spokes.len() - start;
    if seen != sides.len() || (at == spokes[start]) != is_closed {
        spokes.truncate(start);
        return false;
    }
    if !is_closed {
        spokes.push(at);
    }
    is_closed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_are_ordered_where_they_are_a_fan() {
        let ordered = |mut sides: Vec<[u32; 2]>| {
            let mut spokes = Vec::new();
            let closed = order(&mut sides, &mut spokes);
            (spokes, closed)
        };
        assert_eq!(ordered(vec![[3, 4], [1, 2], [2, 3]]), (vec![1, 2, 3, 4], false));
        assert_eq!(ordered(vec![[3, 1], [1, 2], [2, 3]]), (vec![1, 2, 3], true));
        assert_eq!(ordered(vec![[1, 2], [3, 4]]), (vec![], false), "two fans");
        assert_eq!(ordered(vec![[1, 2], [2, 1], [3, 4]]), (vec![], false), "a fan and a loop");
        assert_eq!(
            ordered(vec![[1, 2], [1, 3]]),
            (vec![], false),
            "sides that are turned against each other"
        );
        assert_eq!(ordered(vec![]), (vec![], false));
    }

    fn grid(bend: impl Fn(f64) -> [f64; 2]) -> f32 {
        let sheet = pliant_mesh::TriMesh::grid([3, 3], [2.0, 2.0]).unwrap();
        let surface = Surface::new(9, &[sheet.triangles()]).unwrap();
        let x: Vec<_> = sheet
            .positions()
            .iter()
            .map(|x| {
                let [across, up] = bend(x.x);
                Vector3::new(across, up, x.z)
            })
            .collect();
        let still = [Vector3::zeros(); 9];
        let paths = Paths { positions: &x, steps: &still, frame: Vector3::zeros(), rest: None };
        let mut calm = Calm::default();
        calm.prepare(&surface);
        calm.look(&surface, &paths, 5);
        calm.apart[4]
    }

    #[test]
    fn what_is_flat_is_calm_and_what_is_folded_is_not() {
        let flat = grid(|x| [x, 0.0]);
        assert!((flat - 0.5_f32.sqrt()).abs() < 2e-3, "{flat}");
        assert!(grid(|x| [x, 0.3 * x.abs()]) > 0.5);
        assert_eq!(grid(|x| [0.2 * x, x.abs()]), 0.0, "folded");
    }
}
