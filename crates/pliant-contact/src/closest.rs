//! The closest points of a vertex and a triangle, and of two edges.
//!
//! The answer is four signed weights b that sum to zero, so that the vector between the closest points is k =
//! Σ b_i x_i over the four points of the pair, from the second partner to the first:
//!
//! | pair | points | weights |
//! |---|---|---|
//! | vertex–triangle | p, a, b, c | +1, −u, −v, −w |
//! | edge–edge | p, q, a, b | +(1−s), +s, −(1−t), −t |
//!
//! Source: Ericson, *Real-Time Collision Detection* (2005), sections 5.1.5 and 5.1.9, with choices in place
//! of branches, because the lanes of a vector register cannot branch apart. A triangle is treated as its
//! inside and its three edges, and the nearest of the four counts; a triangle without area has no inside and
//! is treated as the segment, or the point, to which it has degenerated.
//!
//! *Hazard.* Which points of two nearly parallel edges are the closest is not well determined: where the
//! square of the sine of their angle comes down to the rounding of the scalar, the *distance* is off by up to
//! that sine times the length (in `f32` about a thousandth of the length). Weights are finite, and sides add
//! up to ±1, for all finite positions whose sixth powers do not overflow.

use nalgebra::Vector3;
use pliant_constraints::{Real, cross, difference, sum, times};

/// The closest points of a pair.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Closest<T: Real> {
    /// Signed weights of the four points; they sum to zero, and each side to ±1.
    pub weights: [T; 4],
    /// The vector k = Σ b_i x_i from the second partner's closest point to the first's, m.
    pub delta: Vector3<T>,
    /// |k|², m².
    pub distance_squared: T,
}

impl<T: Real> Closest<T> {
    /// The distance, m.
    #[must_use]
    #[inline(always)]
    pub fn distance(&self) -> T {
        self.distance_squared.sqrt()
    }
}

/// The closest points of the vertex `p` and the triangle `corners`; all in metres.
///
/// ```
/// use nalgebra::Vector3;
/// use pliant_contact::vertex_triangle;
///
/// let corners = [Vector3::zeros(), Vector3::x(), Vector3::y()];
/// let above = vertex_triangle(&Vector3::new(0.25, 0.25, 2.0), &corners);
/// assert_eq!(above.weights, [1.0, -0.5, -0.25, -0.25]);
/// assert_eq!(above.delta, Vector3::new(0.0, 0.0, 2.0));
/// // Beyond a corner it is the corner.
/// assert_eq!(vertex_triangle(&Vector3::new(4.0, -1.0, 0.0), &corners).weights, [1.0, 0.0, -1.0, 0.0]);
/// ```
#[inline(always)]
#[must_use]
pub fn vertex_triangle<T: Real>(p: &Vector3<T>, corners: &[Vector3<T>; 3]) -> Closest<T> {
    // Functions instead of closures: what is not inlined cannot use the instructions of its lanes.
    let [a, b, c] = corners;
    let (zero, one) = (T::zero(), T::one());
    let ends = [difference(p, a), difference(p, b), difference(p, c)];
    let (ab, bc, ca) = (along(p, a, b), along(p, b, c), along(p, c, a));
    // A third weight of zero adds nothing, and costs as much as any other.
    let edge = Point::new(&sum(&times(&ends[0], one - ab), &times(&ends[1], ab)), [one - ab, ab, zero])
        .nearer(Point::new(&sum(&times(&ends[1], one - bc), &times(&ends[2], bc)), [zero, one - bc, bc]))
        .nearer(Point::new(&sum(&times(&ends[0], ca), &times(&ends[2], one - ca)), [ca, zero, one - ca]));

    let (e, f, r) = (difference(b, a), difference(c, a), difference(p, a));
    let normal = cross(&e, &f);
    let area = normal.dot(&normal);
    let (v, w) = (cross(&r, &f).dot(&normal) / area, cross(&e, &r).dot(&normal) / area);
    let u = one - v - w;
    let inside = Point::new(&weighted(&ends, [u, v, w]), [u, v, w]);
    // Without an area u, v and w are not numbers, and no comparison holds.
    let mut valid = T::select(inside.distance_squared.le(edge.distance_squared), one, zero);
    valid = T::select(zero.le(u.min(v).min(w)), valid, zero);
    valid = T::select(zero.lt(area), valid, zero);
    let Point { weights: [u, v, w], distance_squared } = inside.or(zero.lt(valid), edge);
    Closest { weights: [one, -u, -v, -w], delta: weighted(&ends, [u, v, w]), distance_squared }
}

/// A point of a triangle.
#[derive(Clone, Copy)]
struct Point<T> {
    weights: [T; 3],
    /// Of its distance from the vertex, m².
    distance_squared: T,
}

impl<T: Real> Point<T> {
    /// The one at `delta`, m, as seen from the vertex, which has these weights of the corners.
    #[inline(always)]
    fn new(delta: &Vector3<T>, weights: [T; 3]) -> Self {
        Self { weights, distance_squared: delta.dot(delta) }
    }

    /// `self` where the mask holds, `other` elsewhere.
    #[inline(always)]
    fn or(self, mask: T::Mask, other: Self) -> Self {
        let mut weights = other.weights;
        for (weight, own) in weights.iter_mut().zip(self.weights) {
            *weight = T::select(mask, own, *weight);
        }
        Self { weights, distance_squared: T::select(mask, self.distance_squared, other.distance_squared) }
    }

    #[inline(always)]
    fn nearer(self, other: Self) -> Self {
        self.or(self.distance_squared.le(other.distance_squared), other)
    }
}

/// The point of a triangle with these weights, relative to the vertex: from differences, so that as few
/// digits as possible are lost far from the origin.
#[inline(always)]
fn weighted<T: Real>(ends: &[Vector3<T>; 3], [u, v, w]: [T; 3]) -> Vector3<T> {
    sum(&sum(&times(&ends[0], u), &times(&ends[1], v)), &times(&ends[2], w))
}

/// The share of the way from one point to another at which the foot of `p` lies.
#[inline(always)]
fn along<T: Real>(p: &Vector3<T>, from: &Vector3<T>, to: &Vector3<T>) -> T {
    let way = difference(to, from);
    share(difference(p, from).dot(&way), way.dot(&way))
}

/// The closest points of the edge `first` and the edge `second`; all in metres.
///
/// ```
/// use nalgebra::Vector3;
/// use pliant_contact::edge_edge;
///
/// let first = [Vector3::x() * -1.0, Vector3::x()];
/// let second = [Vector3::new(0.5, -1.0, 3.0), Vector3::new(0.5, 3.0, 3.0)];
/// let near = edge_edge(&first, &second);
/// assert_eq!(near.weights, [0.25, 0.75, -0.75, -0.25]);
/// assert_eq!(near.distance(), 3.0);
/// ```
#[inline(always)]
#[must_use]
pub fn edge_edge<T: Real>(first: &[Vector3<T>; 2], second: &[Vector3<T>; 2]) -> Closest<T> {
    let ([p, q], [a, b]) = (first, second);
    let (zero, one) = (T::zero(), T::one());
    let (d1, d2, r) = (difference(q, p), difference(b, a), difference(p, a));
    let (l1, l2, d12) = (d1.dot(&d1), d2.dot(&d2), d1.dot(&d2));
    let (c, f) = (d1.dot(&r), d2.dot(&r));
    // On the whole lines; parallel ones begin at p.
    let s = share(d12 * f - c * l2, (l1 * l2 - d12 * d12).max(zero));
    let t = share(d12 * s + f, l2);
    let s = share(d12 * t - c, l1);
    let delta = difference(&sum(&r, &times(&d1, s)), &times(&d2, t));
    Closest { weights: [one - s, s, -(one - t), -t], delta, distance_squared: delta.dot(&delta) }
}

/// `part / whole` between 0 and 1; 0 where the whole is not positive.
#[inline(always)]
fn share<T: Real>(part: T, whole: T) -> T {
    let (zero, one) = (T::zero(), T::one());
    T::select(zero.lt(whole), part / whole, zero).max(zero).min(one)
}
