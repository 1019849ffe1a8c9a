//! [`Calm`]: where a surface is too smooth to touch itself.
//!
//! Most boxes that meet are those of neighbours in one sheet, and most of these are nowhere near each other.
//! Let the triangles around a vertex w be a fan that is seen from above along a direction N: they all turn
//! the same way, and the fan goes round once at most. Then it does not overlap itself in this view, and two
//! elements of it that share no particle are apart by at least
//!
//! ```text
//! r(w) = min over the triangles of  2 A(N) / longest side
//! ```
//!
//! with A(N) the area as seen along N. *Proof.* In the view a wedge of the fan lies on one side of the lines
//! through its two spokes. A corner a of the fan outside of it is beyond one of these, at least as far as
//! from the next spoke – an altitude of a triangle – or, where the angle is blunt, as far as from w. The
//! distance of two segments that do not cross is that of an end of one from the other. And no distance grows
//! when it is projected.
//!
//! Particles move on straight lines, so 2 A(N) is a parabola of time, whose least value is known, and a side
//! is longest at the start or at the end. A fan that goes all the way round at one time does so as long as no
//! area vanishes.
//!
//! Where particles may stop anywhere on their way, and where a fan is open, its present shape counts, and
//! twice the longest way of its particles is subtracted.
//!
//! So pairs of triangles that share w need not be tested as long as r(w) exceeds what counts as near. Normal
//! cones: Volino and Magnenat-Thalmann (1994).

use nalgebra::Vector3;
use pliant_constraints::{Real, cross, norm};
use pliant_kernel::{LaneJob, Lanes, PACK, Portable, Simd, Team, Wide, side_by_side};

use super::lanes::lanes;
use super::rules::Paths;
use crate::Surface;
use crate::fans::Fans;

/// The least area, seen along N, of a triangle whose longest side is 1, twice over: thinner ones have no
/// useful altitude.
const THIN: f64 = 1e-2;
/// Particles that are tested together.
const PIECE: usize = 512;
/// Fans with more triangles are not tested.
const MOST: usize = 32;

/// The fans of a surface, and how far the elements of each stay apart.
#[derive(Default)]
pub(super) struct Calm {
    fans: Fans,
    /// r(w), m; zero where it is not known.
    apart: Vec<f32>,
    /// All particles with fans, those of a kind together; and the tested ones.
    all: Vec<u32>,
    tested: Vec<u32>,
    /// r(w) of the tested particles, in that order.
    reaches: Vec<f32>,
}

impl Calm {
    /// Finds the fans of a surface.
    pub(super) fn prepare(&mut self, surface: &Surface) {
        *self = Self { fans: Fans::new(surface), ..Self::default() };
        self.apart.resize(surface.particles(), 0.0);
        let mut all: Vec<u32> = (0..surface.particles() as u32).filter(|&w| self.is_tested(w)).collect();
        all.sort_by_key(|&w| self.fans.kind(w));
        self.all = all;
    }

    /// Whether the triangles around a particle are a fan, of not too many.
    fn is_tested(&self, w: u32) -> bool {
        (1..=MOST).contains(&self.fans.kind(w).0)
    }

    /// Tests the fans of the particles that are `wanted`.
    pub(super) fn look<T: Wide>(
        &mut self,
        surface: &Surface,
        wanted: &[bool],
        paths: &Paths<'_, T>,
        horizon: u32,
        simd: Simd,
        team: Team<'_>,
    ) {
        let mut particles = std::mem::take(&mut self.tested);
        particles.clear();
        particles.extend(self.all.iter().filter(|&&w| wanted[w as usize]));
        let mut reaches = std::mem::take(&mut self.reaches);
        reaches.clear();
        reaches.resize(particles.len(), 0.0);
        let calm = &*self;
        team.for_each(particles.chunks(PIECE).zip(reaches.chunks_mut(PIECE)), |(particles, reaches)| {
            T::dispatch(Test { calm, surface, paths, horizon, particles, reaches }, simd);
        });
        for (&w, &reach) in particles.iter().zip(&reaches) {
            self.apart[w as usize] = reach;
        }
        (self.tested, self.reaches) = (particles, reaches);
    }

    /// By how much two elements of triangles around this particle, without a particle in common, are apart at
    /// least, m; zero where it is not known.
    #[inline(always)]
    pub(super) fn apart(&self, w: u32) -> f32 {
        self.apart[w as usize]
    }
}

/// Tests fans, eight of a kind at a time.
struct Test<'a, T: Wide> {
    calm: &'a Calm,
    surface: &'a Surface,
    paths: &'a Paths<'a, T>,
    horizon: u32,
    particles: &'a [u32],
    reaches: &'a mut [f32],
}

/// Of a spoke in eight fans where its end is, seen from the one in the middle, and by how much that changes
/// in a substep, m.
type Spoke<T> = [[[T; PACK]; 3]; 2];

impl<T: Wide> LaneJob<T> for Test<'_, T> {
    type Out = ();
    type Portable = Portable<T, { side_by_side(PACK) }>;

    #[inline(always)]
    fn run<L: Lanes<T>>(self) {
        let Self { calm, surface, paths, horizon, particles, reaches } = self;
        let zero = [[T::zero(); PACK]; 3];
        let mut spokes = [[zero; 2]; MOST + 1];
        let mut beside = [zero; 1];
        let mut found = [T::zero(); PACK];
        let mut done = 0;
        while done < particles.len() {
            let (count, is_closed) = calm.fans.kind(particles[done]);
            let mut alike = 1;
            while alike < PACK
                && done + alike < particles.len()
                && calm.fans.kind(particles[done + alike]) == (count, is_closed)
            {
                alike += 1;
            }
            // Padding lanes keep earlier values, which are evaluated again.
            for lane in 0..alike {
                let w = particles[done + lane];
                let ends = calm.fans.spokes(w);
                let (x, step) = (&paths.positions[w as usize], &paths.steps[w as usize]);
                for (i, spoke) in spokes[..=count].iter_mut().enumerate() {
                    let v = ends[if is_closed && i == count { 0 } else { i }] as usize;
                    for axis in 0..3 {
                        spoke[0][axis][lane] = paths.positions[v][axis] - x[axis];
                        spoke[1][axis][lane] = paths.steps[v][axis] - step[axis];
                    }
                }
                if let Some(halts) = paths.halts {
                    let halt = &halts[surface.body_of(w).map_or(0, |body| body as usize)];
                    for axis in 0..3 {
                        beside[0][axis][lane] = step[axis] - halt[axis];
                    }
                }
            }
            // A fan that is open may open further, and one whose particles stop anywhere may fold on the way:
            // its present shape counts, and the distance that its particles may move is subtracted.
            let is_whole = is_closed && paths.halts.is_none();
            for lane in (0..PACK).step_by(L::WIDTH) {
                let [beside] = lanes::<T, L, 1>(&beside, lane);
                let (least, fastest) =
                    reach::<T, L>(&spokes[..=count], lane, &beside, (is_closed, is_whole, horizon));
                let lost = if is_whole { L::zero() } else { fastest * L::splat(2.0 * f64::from(horizon)) };
                // Rounded down, with room for the rounding of altitudes.
                ((least - lost) * L::splat(0.999)).store(&mut found[lane..]);
            }
            for lane in 0..alike {
                let reach: f64 = found[lane].into();
                reaches[done + lane] = reach as f32;
            }
            done += alike;
        }
    }
}

/// The least altitude of the triangles of fans, m, nothing where they overlap; and how far a particle goes in
/// a substep at most beside those that stop, or beside the one in the middle, m.
#[inline(always)]
fn reach<T: Wide, L: Lanes<T>>(
    spokes: &[Spoke<T>],
    lane: usize,
    beside: &Vector3<L>,
    (is_closed, is_whole, horizon): (bool, bool, u32),
) -> (L, L) {
    let [zero, one] = [L::zero(), L::one()];
    let end = L::splat(if is_whole { f64::from(horizon) } else { 0.0 });
    let half = end * L::splat(0.5);
    let mut all = Vector3::new(zero, zero, zero);
    let [x, s] = lanes::<T, L, 2>(&spokes[0], lane);
    let first = x + s * half;
    let mut last = first;
    for spoke in &spokes[1..] {
        let [x, s] = lanes::<T, L, 2>(spoke, lane);
        let next = x + s * half;
        all += cross(&last, &next);
        last = next;
    }
    let length = norm(&all);
    let mut valid = L::select(zero.lt(length), one, zero);
    let all = all * (one / length);
    let (mut least, mut turned, mut x, mut s) = (L::splat(f64::INFINITY), zero, x, s);
    let mut fastest = square(beside).max(square(&(s + beside)));
    for (i, spoke) in spokes.iter().enumerate().skip(1) {
        let [y, t] = lanes::<T, L, 2>(spoke, lane);
        fastest = fastest.max(square(&(t + beside)));
        let (a, b, c, d) = (x, y, x + s * half, y + t * half);
        let (e, f) = (x + s * end, y + t * end);
        let areas = [cross(&a, &b).dot(&all), cross(&c, &d).dot(&all), cross(&e, &f).dot(&all)];
        let area = least_of(areas);
        let longest = longest_of(&a, &b).max(longest_of(&e, &f));
        valid = L::select((longest * L::splat(THIN)).lt(area), valid, zero);
        valid = L::select(zero.lt(longest), valid, zero);
        least = least.min(area / longest.sqrt());
        // Beyond half a turn the sine is negative; where it is positive again the fan has gone round.
        if !(is_closed && i == spokes.len() - 1) {
            let beyond = cross(&first, &d).dot(&all).le(zero);
            valid = L::select(beyond, valid, valid - valid * turned);
            turned = L::select(beyond, one, turned);
        }
        (x, s) = (y, t);
    }
    (L::select(zero.lt(valid), least, zero), fastest.sqrt())
}

/// The least value between 0 and 1 of the parabola with these values at 0, ½ and 1, less the rounding error.
#[inline(always)]
fn least_of<R: Real>([start, middle, end]: [R; 3]) -> R {
    let (two, four, zero) = (R::splat(2.0), R::splat(4.0), R::zero());
    let slope = middle * four - start * R::splat(3.0) - end;
    let bend = (start - middle * two + end) * two;
    let place = -slope / (bend * two);
    let mut lowest = start - slope * slope / (bend * four);
    let ends = start.min(end);
    lowest = R::select(zero.lt(bend), lowest, ends);
    lowest = R::select(zero.lt(place), lowest, ends);
    lowest = R::select(place.lt(R::one()), lowest, ends);
    lowest - start.abs().max(middle.abs()).max(end.abs()) * R::splat(32.0 * R::EPSILON)
}

#[inline(always)]
fn square<R: Real>(v: &Vector3<R>) -> R {
    v.dot(v)
}

/// The square of the longest side of the triangle with these two.
#[inline(always)]
fn longest_of<R: Real>(a: &Vector3<R>, b: &Vector3<R>) -> R {
    square(a).max(square(b)).max(square(&(b - a)))
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let paths = Paths { positions: &x, steps: &steps, rest: None, halts: None, may_turn: false };
        let mut calm = Calm::default();
        calm.prepare(&surface);
        calm.look(&surface, &[true; 9], &paths, 5, Simd::detect(), Team::alone());
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
        for (least, expected) in [
            (least(|t| 2.0 + t), 2.0),
            (least(|t| 2.0 - t * t), 1.0),
            (least(|t| (t - 0.3) * (t - 0.3) - 1.0), -1.0),
            (least(|_| 3.0), 3.0),
        ] {
            assert!(least <= expected && expected - least < 1e-12, "{least} instead of {expected}");
        }
    }
}
