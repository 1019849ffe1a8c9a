//! [`Tray`]: pairs of triangles with a plane between them, found eight at a time.
//!
//! Two triangles have no point in common exactly if they are apart along one of their normals, along the cross product of
//! two of their sides, or, in one plane, along the normal of a side there. Neighbours in a sheet and sheets on
//! each other are nearly always apart along the line between their centres, a normal, or a normal of a side of the first one;
//! so these come first.
//!
//! *Any* vector will do as an axis, so that rounding of the axes costs nothing; only the projections must be bounded. With
//! coordinates up to M, differences up to L and ε = 2⁻²⁴,
//!
//! ```text
//! |fl(a·(x − c)) − a·(x − c)| ≤ |a|₁ (2 ε M + 6 ε L)
//! ```
//!
//! where positions in double precision were rounded to single first. Pairs that are not apart by twice that
//! are left to the exact test, and so are those that overflow or are not numbers: no comparison holds then.

use nalgebra::Vector3;
use pliant_constraints::{cross, difference, sum};
use pliant_kernel::{LaneJob, Lanes, PACK, Particle, Portable, Simd, Spots, Wide as _};

use super::grid::LARGEST;

/// 2⁻²⁰: sixteen ε, four times what the bound on two projections requires.
const ROUNDING: f64 = 1.0 / 1_048_576.0;

/// Pairs that are sifted together.
const TRAY: usize = 256;

/// Two triangles that may have a point in common.
#[derive(Clone, Copy)]
pub(super) struct Candidate {
    /// Their corners. Where a single side of the second one counts, these are its ends, one of them twice.
    pub(super) corners: [[u32; 3]; 2],
    pub(super) triangles: [u32; 2],
    /// The sides of each that are to be tested against the other, a bit each.
    pub(super) sides: [u8; 2],
}

/// Pairs that wait to be sifted, and those that were not certainly apart: of very many pairs only these are kept.
pub(super) struct Tray<'a> {
    points: &'a [Particle<f32>],
    waiting: Vec<Candidate>,
    left: Vec<Candidate>,
}

impl<'a> Tray<'a> {
    pub(super) fn new(points: &'a [Particle<f32>]) -> Self {
        Self { points, waiting: Vec::with_capacity(TRAY), left: Vec::new() }
    }

    /// Takes a pair.
    #[inline(always)]
    pub(super) fn put(&mut self, pair: Candidate) {
        self.waiting.push(pair);
    }

    /// Whether there are enough pairs to be sifted.
    #[inline(always)]
    pub(super) fn is_full(&self) -> bool {
        self.waiting.len() >= TRAY
    }

    /// Sifts what waits, in a job of its own.
    pub(super) fn empty(&mut self) {
        f32::dispatch(Sift(self), Simd::detect());
    }

    /// The pairs that are left.
    pub(super) fn finish(mut self) -> Vec<Candidate> {
        self.empty();
        self.left
    }

    /// Sifts what waits, within a job.
    #[inline(always)]
    pub(super) fn sift<L: Lanes<f32>>(&mut self) {
        round::<L, false>(self.points, &mut self.waiting);
        round::<L, true>(self.points, &mut self.waiting);
        self.left.append(&mut self.waiting);
    }
}

/// Sifts what waits.
struct Sift<'t, 'a>(&'t mut Tray<'a>);

impl LaneJob<f32> for Sift<'_, '_> {
    type Out = ();
    type Portable = Portable<f32, PACK>;

    #[inline(always)]
    fn run<L: Lanes<f32>>(self) {
        self.0.sift::<L>();
    }
}

/// Keeps the pairs that are not apart along the first axes, or along the others.
#[inline(always)]
fn round<L: Lanes<f32>, const LATER: bool>(points: &[Particle<f32>], pairs: &mut Vec<Candidate>) {
    let mut kept = 0;
    let mut first = 0;
    while first < pairs.len() {
        let used = (pairs.len() - first).min(PACK);
        // Padding lanes repeat the first.
        let mut corners = [[0; PACK]; 6];
        for lane in 0..PACK {
            let [a, b] = pairs[first + if lane < used { lane } else { 0 }].corners;
            for k in 0..3 {
                (corners[k][lane], corners[k + 3][lane]) = (a[k], b[k]);
            }
        }
        let spots = Spots::of_rows(&corners);
        let mut bits = 0;
        for lane in (0..PACK).step_by(L::WIDTH) {
            let nothing = Vector3::new(L::zero(), L::zero(), L::zero());
            let mut x = [nothing; 6];
            for k in 0..6 {
                (x[k], _) = spots[k].gather::<L>(points, lane);
            }
            bits |= L::bits(L::zero().lt(clear::<L, LATER>(&x))) << lane;
        }
        // Which pairs are left cannot be predicted: every one is written, and the end moves on if it is.
        for lane in 0..used {
            pairs[kept] = pairs[first + lane];
            kept += usize::from(bits >> lane & 1 == 0);
        }
        first += PACK;
    }
    pairs.truncate(kept);
}

/// Positive where two triangles are certainly apart.
#[inline(always)]
fn clear<L: Lanes<f32>, const LATER: bool>(x: &[Vector3<L>; 6]) -> L {
    let nothing = Vector3::new(L::zero(), L::zero(), L::zero());
    let (mut a, mut b) = ([nothing; 3], [nothing; 3]);
    let mut reach = L::zero();
    for k in 0..3 {
        (a[k], b[k]) = (difference(&x[k], &x[0]), difference(&x[k + 3], &x[0]));
        reach = reach.max(largest(&a[k])).max(largest(&b[k]));
    }
    let farthest = largest(&x[0]) + reach;
    let mut slack = (farthest + reach * L::splat(2.0)) * L::splat(ROUNDING);
    // What has been brought nearer is nowhere for certain.
    slack = L::select(farthest.lt(L::splat(0.5 * f64::from(LARGEST))), slack, L::splat(f64::INFINITY));
    let [of_a, of_b] = [sides(&a), sides(&b)];
    let (normal_a, normal_b) = (cross(&of_a[0], &of_a[1]), cross(&of_b[0], &of_b[1]));
    let mut clear = L::zero();
    if LATER {
        for one in &of_a {
            for other in &of_b {
                clear = beyond(&cross(one, other), &a, &b, slack, clear);
            }
        }
        for side in &of_b {
            clear = beyond(&cross(side, &normal_b), &a, &b, slack, clear);
        }
    } else {
        let line = difference(&sum(&sum(&b[0], &b[1]), &b[2]), &sum(&sum(&a[0], &a[1]), &a[2]));
        clear = beyond(&line, &a, &b, slack, clear);
        clear = beyond(&normal_a, &a, &b, slack, clear);
        clear = beyond(&normal_b, &a, &b, slack, clear);
        for side in &of_a {
            clear = beyond(&cross(side, &normal_a), &a, &b, slack, clear);
        }
    }
    clear
}

/// One where two triangles are certainly apart along an axis, else what is known.
#[inline(always)]
fn beyond<L: Lanes<f32>>(
    axis: &Vector3<L>,
    a: &[Vector3<L>; 3],
    b: &[Vector3<L>; 3],
    slack: L,
    known: L,
) -> L {
    let (p, q, r) = (axis.dot(&a[0]), axis.dot(&a[1]), axis.dot(&a[2]));
    let (s, t, u) = (axis.dot(&b[0]), axis.dot(&b[1]), axis.dot(&b[2]));
    let above = s.min(t).min(u) - p.max(q).max(r);
    let below = p.min(q).min(r) - s.max(t).max(u);
    let margin = (axis.x.abs() + axis.y.abs() + axis.z.abs()) * slack;
    // Written so that NaN separates nothing.
    let known = L::select(margin.lt(above), L::one(), known);
    L::select(margin.lt(below), L::one(), known)
}

#[inline(always)]
fn sides<L: Lanes<f32>>([a, b, c]: &[Vector3<L>; 3]) -> [Vector3<L>; 3] {
    [difference(b, a), difference(c, b), difference(a, c)]
}

#[inline(always)]
fn largest<L: Lanes<f32>>(v: &Vector3<L>) -> L {
    v.x.abs().max(v.y.abs()).max(v.z.abs())
}
