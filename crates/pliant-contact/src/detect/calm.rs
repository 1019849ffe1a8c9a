//! [`Calm`]: where a surface is smooth enough to be out of its own way.
//!
//! Most boxes that meet are those of neighbours in one sheet, and most of these are nowhere near each other. Let the triangles around a vertex w be a fan that is seen from above along a direction N: they all turn the same way, and
//! the fan goes round once at most. Then it does not overlap itself in this view, and two elements of it that share no particle are apart by at least
//!
//! ```text
//! r(w) = min over the triangles of  2 A(N) / longest side
//! ```
//!
//! with A(N) the area as seen along N. *Proof.* In the view a wedge of the fan lies on one side of the lines through its two spokes. A corner a of the fan outside of it is beyond one of these, at least as far as from the next spoke – an altitude of a triangle – or, where the
//! angle is blunt, as far as from w. The distance of two segments that do not cross is that of an end of one from the other. And no distance grows when it is projected.
//!
//! Particles move on straight lines, so 2 A(N) is a parabola of time, whose least value is known, and a side is longest at the start or at the end. A fan that goes all the way round at one time does so as long as no area vanishes.
//!
//! So pairs of triangles that share w need not be looked at as long as r(w) exceeds what counts as near. Normal cones: Volino and Magnenat-Thalmann (1994).

use nalgebra::Vector3;
use pliant_constraints::{cross, norm};
use pliant_kernel::{Team, Wide};

use super::rules::Paths;
use crate::Surface;

/// The least area, seen along N, of a triangle whose longest side is 1, twice over: thinner ones have no altitude that helps.
const THIN: f64 = 1e-2;
/// Particles that are looked at together.
const PIECE: usize = 512;

/// The fans of a surface, and how far the elements of each stay apart.
#[derive(Default)]
pub(super) struct Calm {
    /// Where the spokes of every particle begin, and where the last ones end.
    starts: Vec<u32>,
    /// The other ends of the spokes, in their order around the particle.
    spokes: Vec<u32>,
    closed: Vec<bool>,
    /// r(w), m; zero where nothing is known.
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
    pub(super) fn look<T: Wide>(
        &mut self,
        surface: &Surface,
        paths: &Paths<'_, T>,
        horizon: u32,
        team: Team<'_>,
    ) {
        let mut all = std::mem::take(&mut self.apart);
        let pieces = all.chunks_mut(PIECE).zip((0..).step_by(PIECE));
        team.for_each(pieces, |(piece, first)| {
            for (apart, w) in piece.iter_mut().zip(first..) {
                if surface.body_of(w).is_some() {
                    *apart = self.reach(w, surface, paths, horizon);
                }
            }
        });
        self.apart = all;
    }

    /// Looks at the fans of the corners of some triangles.
    pub(super) fn look_around<T: Wide>(
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
            self.apart[w as usize] = self.reach(w, surface, paths, horizon);
        }
        self.corners = corners;
    }

    /// By how much two elements of triangles around this particle, without a particle in common, are apart at least, m; zero where nothing is known.
    #[inline(always)]
    pub(super) fn apart(&self, w: u32) -> f32 {
        self.apart[w as usize]
    }

    fn reach<T: Wide>(&self, w: u32, surface: &Surface, paths: &Paths<'_, T>, horizon: u32) -> f32 {
        let of = self.starts[w as usize] as usize..self.starts[w as usize + 1] as usize;
        let spokes = &self.spokes[of];
        let is_closed = self.closed[w as usize];
        let count = if is_closed { spokes.len() } else { spokes.len().saturating_sub(1) };
        if count == 0 {
            return 0.0;
        }
        let (x, step) = (&paths.positions[w as usize], &paths.steps[w as usize]);
        // A fan that is open may open further, and one whose particles stop anywhere may fold on the way: it is looked at as it is, and what its particles may move is taken off.
        let halt = paths.halts.map(|frames| &frames[surface.body_of(w).map_or(0, |body| body as usize)]);
        let is_whole = is_closed && halt.is_none();
        let end = T::splat(if is_whole { f64::from(horizon) } else { 0.0 });
        let half = T::splat(0.5) * end;
        let spoke = |i: usize| {
            let v = spokes[if i == spokes.len() { 0 } else { i }] as usize;
            (paths.positions[v] - x, paths.steps[v] - step)
        };
        let zero = Vector3::new(T::zero(), T::zero(), T::zero());
        let mut all = zero;
        let mut last = spoke(0);
        for i in 1..=count {
            let next = spoke(i);
            all += cross(&(last.0 + last.1 * half), &(next.0 + next.1 * half));
            last = next;
        }
        let length: f64 = norm(&all).into();
        if length.is_nan() || length <= 0.0 {
            return 0.0;
        }
        let all = all * T::splat(1.0 / length);
        let seen = |a: &Vector3<T>, b: &Vector3<T>| -> f64 { cross(a, b).dot(&all).into() };
        let first = spoke(0);
        let first = first.0 + first.1 * half;
        // How fast its particles are beside the one in the middle, or beside those that stop.
        let beside = halt.map_or(zero, |halt| step - halt);
        let (mut least, mut turned, mut fastest) = (f64::INFINITY, false, beside.dot(&beside));
        let mut last = spoke(0);
        for i in 1..=count {
            let next = spoke(i);
            fastest = fastest.max(square_of(&(next.1 + beside)));
            let at = |time: T| [last.0 + last.1 * time, next.0 + next.1 * time];
            let ([a, b], [c, d], [e, f]) = (at(T::zero()), at(half), at(end));
            let area = least_of([seen(&a, &b), seen(&c, &d), seen(&e, &f)]);
            let longest: f64 = longest_of(&a, &b).max(longest_of(&e, &f)).into();
            if !(area > THIN * longest && longest > 0.0) {
                return 0.0;
            }
            least = least.min(area / longest.sqrt());
            // Beyond half a turn the sine is negative; where it is positive again the fan has gone round.
            if i != spokes.len() {
                if seen(&first, &d) <= 0.0 {
                    turned = true;
                } else if turned {
                    return 0.0;
                }
            }
            last = next;
        }
        if !is_whole {
            let fastest: f64 = fastest.max(square_of(&(spoke(0).1 + beside))).sqrt().into();
            least -= 2.0 * f64::from(horizon) * fastest;
        }
        // Rounded down, with room for the rounding of altitudes.
        (0.999 * least) as f32
    }
}

/// The least value between 0 and 1 of the parabola with these values at 0, ½ and 1.
fn least_of([start, middle, end]: [f64; 3]) -> f64 {
    let (slope, bend) = (4.0 * middle - 3.0 * start - end, 2.0 * (start - 2.0 * middle + end));
    let least = start.min(end);
    let place = -slope / (2.0 * bend);
    if bend > 0.0 && place > 0.0 && place < 1.0 { start - slope * slope / (4.0 * bend) } else { least }
}

fn square_of<T: Wide>(v: &Vector3<T>) -> T {
    v.dot(v)
}

/// The square of the longest side of the triangle with these two.
fn longest_of<T: Wide>(a: &Vector3<T>, b: &Vector3<T>) -> T {
    let c = b - a;
    a.dot(a).max(b.dot(b)).max(c.dot(&c))
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

    fn grid(bend: impl Fn(f64) -> [f64; 2], step: impl Fn(f64) -> [f64; 2]) -> f32 {
        let sheet = pliant_mesh::TriMesh::grid([3, 3], [2.0, 2.0]).unwrap();
        let surface = Surface::new(9, &[sheet.triangles()]).unwrap();
        let placed = |to: &dyn Fn(f64) -> [f64; 2], z: f64| {
            let place = |x: &Vector3<f64>| {
                let [across, up] = to(x.x);
                Vector3::new(across, up, z * x.z)
            };
            sheet.positions().iter().map(place).collect::<Vec<_>>()
        };
        let (x, steps) = (placed(&bend, 1.0), placed(&step, 0.0));
        let paths = Paths { positions: &x, steps: &steps, frame: Vector3::zeros(), rest: None, halts: None };
        let mut calm = Calm::default();
        calm.prepare(&surface);
        calm.look(&surface, &paths, 5, Team::alone());
        calm.apart[4]
    }

    #[test]
    fn what_is_flat_is_calm_and_what_is_folded_is_not() {
        let still = |_: f64| [0.0; 2];
        let flat = grid(|x| [x, 0.0], still);
        assert!((flat - 0.5_f32.sqrt()).abs() < 2e-3, "{flat}");
        assert!(grid(|x| [x, 0.3 * x.abs()], still) > 0.5);
        let steep = grid(|x| [0.2 * x, x.abs()], still);
        assert!(steep > 0.0 && steep < 0.2, "{steep}");
        assert_eq!(grid(|x| [x.abs(), 0.3 * x.abs()], still), 0.0, "folded over");
    }

    #[test]
    fn fast_is_calm_as_long_as_it_does_not_fold() {
        let flat = |x: f64| [x, 0.0];
        // Five substeps: as wide as it is, twice as wide, turned upright, and folded in the middle.
        assert!(grid(flat, |_| [3.0, 7.0]) > 0.7);
        assert!(grid(flat, |x| [0.2 * x, 0.0]) > 0.4);
        assert!(grid(flat, |x| [-0.2 * x, 0.2 * x]) > 0.3);
        assert_eq!(grid(flat, |x| [if x > 0.5 { -0.4 } else { 0.0 }, 0.0]), 0.0);
    }

    #[test]
    fn the_least_of_a_parabola_may_lie_between() {
        let least = |of: fn(f64) -> f64| least_of([of(0.0), of(0.5), of(1.0)]);
        assert_eq!(least(|t| 2.0 + t), 2.0);
        assert_eq!(least(|t| 2.0 - t * t), 1.0);
        assert!((least(|t| (t - 0.3) * (t - 0.3) - 1.0) + 1.0).abs() < 1e-12);
        assert_eq!(least(|_| 3.0), 3.0);
    }
}
