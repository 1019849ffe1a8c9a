//! [`Smooth`]: where the triangles around a particle cannot cross each other.
//!
//! Let the triangles around a particle w be a [fan](crate::fans), and let all of them turn the same way, seen along some
//! direction n. If the fan goes round once at most in this view, its triangles do not overlap there, and meet in w and in
//! the spokes that they share, nowhere else. So no edge crosses a triangle of the fan with which it has no particle in
//! common. Most neighbours in a sheet are decided by this.
//!
//! How often a fan goes round follows from the chords between its spokes, drawn out to length one in the view: an angle
//! θ up to π has the chord 2 sin (θ/2), between 2 θ/π and θ. Around a closed fan the angles add up to 2π or at least to
//! 4π, the chords to at most 2π or at least to 8. An open fan whose chords add up to less than 4 has less than 2π.
//!
//! *Any* n will do, so that its rounding costs nothing. Spokes are measured in the length of the longest of the fan. In
//! that unit the rounding of positions displaces an end by at most a noise η; triangles count as turned if their area in
//! the view is above 10⁻⁴ + 512 η, twice over. So spokes are at least that long in the view, and chords of up to 64
//! triangles are wrong by a quarter at most.

use nalgebra::Vector3;
use pliant_constraints::{cross, difference, norm, sum, times};
use pliant_kernel::{LaneJob, Lanes, PACK, Particle, Portable, Spots};

use crate::fans::Fans;

/// Fans with more triangles are not tested.
const MOST: usize = 64;
/// Fans with so many spokes take less room.
const USUAL: usize = 12;
/// The area below which a triangle does not count as turned, twice over, where the longest spoke is one.
const THIN: f64 = 1e-4;
/// The largest sum of the chords of fans that go round once, closed ones and open ones: between 2π and 8, and 4, with room
/// for a quarter.
const ONCE: [f64; 2] = [7.5, 3.7];

/// Up to eight fans of a kind, side by side.
pub(super) struct Eight {
    middle: Spots<f32>,
    /// The ends of the spokes: as many as triangles, and the first once more or the last.
    spokes: Vec<Spots<f32>>,
    is_closed: bool,
    /// The particles in the middle, of as many lanes as are used.
    particles: [u32; PACK],
    used: usize,
}

/// The fans of a surface, eight side by side, and the particles whose triangles are none.
#[derive(Default)]
pub(super) struct Smooth {
    pub(super) eights: Vec<Eight>,
    pub(super) others: Vec<u32>,
}

impl Smooth {
    /// Sorts the particles that have triangles.
    pub(super) fn new(vertices: &[u32], fans: &Fans) -> Self {
        let is_tested = |w: &u32| (1..=MOST).contains(&fans.kind(*w).0);
        let (mut tested, others): (Vec<u32>, Vec<u32>) = vertices.iter().partition(|w| is_tested(w));
        tested.sort_by_key(|&w| fans.kind(w));
        let mut eights = Vec::new();
        for alike in tested.chunk_by(|&a, &b| fans.kind(a) == fans.kind(b)) {
            for some in alike.chunks(PACK) {
                let (count, is_closed) = fans.kind(some[0]);
                // Padding lanes repeat the first.
                let particles: [u32; PACK] = std::array::from_fn(|lane| *some.get(lane).unwrap_or(&some[0]));
                let end = |spoke: usize| {
                    let spoke = if is_closed && spoke == count { 0 } else { spoke };
                    Spots::new(particles.map(|w| fans.spokes(w)[spoke]))
                };
                let (middle, spokes) = (Spots::new(particles), (0..=count).map(end).collect());
                eights.push(Eight { middle, spokes, is_closed, particles, used: some.len() });
            }
        }
        Self { eights, others }
    }
}

/// Finds the particles whose fans may overlap.
pub(super) struct Overlapping<'a> {
    pub(super) points: &'a [Particle<f32>],
    pub(super) eights: &'a [Eight],
    pub(super) found: &'a mut Vec<u32>,
}

impl LaneJob<f32> for Overlapping<'_> {
    type Out = ();
    type Portable = Portable<f32, PACK>;

    #[inline(always)]
    fn run<L: Lanes<f32>>(self) {
        let Self { points, eights, found } = self;
        for eight in eights {
            let mut bits = 0;
            for lane in (0..PACK).step_by(L::WIDTH) {
                let overlap = if eight.spokes.len() <= USUAL {
                    eight.overlap::<L, USUAL>(points, lane)
                } else {
                    eight.overlap::<L, { MOST + 1 }>(points, lane)
                };
                bits |= L::bits(overlap.lt(L::one())) << lane;
            }
            bits = !bits & (0xff >> (PACK - eight.used));
            while bits != 0 {
                found.push(eight.particles[bits.trailing_zeros() as usize]);
                bits &= bits - 1;
            }
        }
    }
}

impl Eight {
    /// Nothing for fans that certainly do not overlap; they have at most `N` spokes.
    #[inline(always)]
    fn overlap<L: Lanes<f32>, const N: usize>(&self, points: &[Particle<f32>], lane: usize) -> L {
        let [zero, one] = [L::zero(), L::one()];
        let nothing = Vector3::new(zero, zero, zero);
        let (middle, _) = self.middle.gather::<L>(points, lane);
        let mut farthest = middle.x.abs().max(middle.y.abs()).max(middle.z.abs());
        let mut spokes = [nothing; N];
        let (mut normal, mut longest) = (nothing, zero);
        let count = self.spokes.len();
        for (spoke, end) in spokes.iter_mut().zip(&self.spokes) {
            let (end, _) = end.gather::<L>(points, lane);
            farthest = farthest.max(end.x.abs()).max(end.y.abs()).max(end.z.abs());
            *spoke = difference(&end, &middle);
            longest = longest.max(spoke.dot(spoke));
        }
        let scale = one / longest.sqrt();
        for spoke in &mut spokes[..count] {
            *spoke = times(spoke, scale);
        }
        for i in 1..count {
            normal = sum(&normal, &cross(&spokes[i - 1], &spokes[i]));
        }
        let normal = times(&normal, one / norm(&normal));
        let noise = farthest * scale * L::splat(2.0 * f64::from(f32::EPSILON));
        let turned = noise * L::splat(512.0) + L::splat(THIN);
        let (mut overlap, mut chords) = (zero, zero);
        let mut last = in_view(&spokes[0], &normal);
        for i in 1..count {
            let area = cross(&spokes[i - 1], &spokes[i]).dot(&normal);
            overlap = L::select(turned.lt(area), overlap, one);
            let next = in_view(&spokes[i], &normal);
            chords += norm(&difference(&next, &last));
            last = next;
        }
        let once = ONCE[usize::from(!self.is_closed)];
        L::select(chords.lt(L::splat(once)), overlap, one)
    }
}

/// The direction of a spoke in the view along a normal.
#[inline(always)]
fn in_view<L: Lanes<f32>>(spoke: &Vector3<L>, normal: &Vector3<L>) -> Vector3<L> {
    let flat = difference(spoke, &times(normal, normal.dot(spoke)));
    times(&flat, L::one() / norm(&flat))
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant_kernel::{Simd, Wide as _};
    use pliant_mesh::TriMesh;

    /// Of how many particles of a sheet of 25, 9 of them inside, the fans may overlap.
    fn overlapping(place: impl Fn(&Vector3<f64>) -> [f64; 3]) -> usize {
        let sheet = TriMesh::grid([5, 5], [1.0, 1.0]).unwrap();
        let surface = crate::Surface::new(25, &[sheet.triangles()]).unwrap();
        let points: Vec<_> = sheet
            .positions()
            .iter()
            .map(|x| Particle::new(Vector3::from(place(x)).cast::<f32>(), 0.0))
            .collect();
        let smooth = Smooth::new(surface.vertices(), &Fans::new(&surface));
        assert!(smooth.others.is_empty());
        let count = |simd: Simd| {
            let mut found = Vec::new();
            f32::dispatch(Overlapping { points: &points, eights: &smooth.eights, found: &mut found }, simd);
            found.len()
        };
        assert_eq!(count(Simd::detect()), count(Simd::portable()));
        count(Simd::detect())
    }

    #[test]
    fn what_is_bent_is_smooth_and_what_is_folded_is_not() {
        assert_eq!(overlapping(|x| [x.x, x.y, x.z]), 0);
        assert_eq!(overlapping(|x| [x.x, 0.3 * (6.0 * x.x).sin(), x.z]), 0);
        // Folded along a line of five particles: sharply, and flat.
        assert!(overlapping(|x| [x.x.abs(), 0.1 * x.x, x.z]) < 5);
        assert_eq!(overlapping(|x| [x.x.abs(), 0.0, x.z]), 5);
        // Too far away to say.
        assert_eq!(overlapping(|x| [x.x + 1e6, 0.0, x.z]), 25);
        assert_eq!(overlapping(|_| [f64::NAN; 3]), 25);
    }
}
