//! Whether an edge and a triangle have a point in common, without rounding.
//!
//! Only signs of determinants are used, and those are exact (Shewchuk, *Adaptive precision floating-point
//! arithmetic and fast robust geometric predicates*, 1997, as in the crate `robust`). Touching counts, in one
//! plane too.
//!
//! In one plane the test is made for the three projections along the axes. A plane that is not parallel to an
//! axis is mapped one to one along it, so one of the three decides, and the other two agree wherever there is
//! a common point. That also holds for points on one line, so that triangles without area need no special
//! case.

use nalgebra::Vector3;
use robust::{Coord, Coord3D, orient2d, orient3d};

type Point = Vector3<f64>;

/// Whether the segment and the closed triangle have a point in common, decided exactly; touching counts.
///
/// Coordinates between 1e-60 and 1e60 in magnitude, and zero, are safe from overflow and underflow. Every `f32` is.
///
/// ```
/// use nalgebra::Vector3;
/// use pliant_contact::edge_crosses_triangle;
///
/// let triangle = [Vector3::zeros(), Vector3::x(), Vector3::y()];
/// let down = |x: f64, y: f64, to: f64| [Vector3::new(x, y, 1.0), Vector3::new(x, y, to)];
/// assert!(edge_crosses_triangle(&down(0.2, 0.2, -1.0), &triangle));
/// assert!(edge_crosses_triangle(&down(0.5, 0.5, 0.0), &triangle)); // its end is on the rim
/// assert!(!edge_crosses_triangle(&down(0.5, 0.5 + 1e-15, -1.0), &triangle));
/// ```
#[must_use]
pub fn edge_crosses_triangle(edge: &[Vector3<f64>; 2], triangle: &[Vector3<f64>; 3]) -> bool {
    let ([p, q], [a, b, c]) = (edge, triangle);
    let (above, below) = (side(a, b, c, p), side(a, b, c, q));
    if above * below > 0.0 {
        return false;
    }
    if above == 0.0 && below == 0.0 {
        return in_plane(edge, triangle);
    }
    // The line meets the plane in one point of the segment: is it on the same side of all three rims?
    let signs = [side(p, q, a, b), side(p, q, b, c), side(p, q, c, a)];
    signs.iter().all(|&s| s >= 0.0) || signs.iter().all(|&s| s <= 0.0)
}

/// The sign of the volume of four points: −1, 0 or 1.
fn side(a: &Point, b: &Point, c: &Point, d: &Point) -> f64 {
    let coord = |x: &Point| Coord3D { x: x.x, y: x.y, z: x.z };
    sign(orient3d(coord(a), coord(b), coord(c), coord(d)))
}

fn sign(x: f64) -> f64 {
    if x > 0.0 {
        1.0
    } else if x < 0.0 {
        -1.0
    } else {
        0.0
    }
}

/// An edge and a triangle of one plane, or of one line.
fn in_plane(edge: &[Point; 2], triangle: &[Point; 3]) -> bool {
    let [a, b, c] = *triangle;
    let rims = [[a, b], [b, c], [c, a]];
    let crosses = |rim: &[Point; 2]| {
        side(&edge[0], &edge[1], &rim[0], &rim[1]) == 0.0
            && projections().all(|project| segments_meet(edge.map(|x| project(&x)), rim.map(|x| project(&x))))
    };
    rims.iter().any(crosses)
        || edge
            .iter()
            .any(|end| projections().all(|project| contains(triangle.map(|x| project(&x)), project(end))))
}

/// The three projections along the axes.
fn projections() -> impl Iterator<Item = fn(&Point) -> Coord<f64>> {
    let all: [fn(&Point) -> Coord<f64>; 3] =
        [|v| Coord { x: v.x, y: v.y }, |v| Coord { x: v.y, y: v.z }, |v| Coord { x: v.z, y: v.x }];
    all.into_iter()
}

fn turn(a: Coord<f64>, b: Coord<f64>, c: Coord<f64>) -> f64 {
    sign(orient2d(a, b, c))
}

/// Whether two closed segments of the plane have a point in common.
fn segments_meet([p, q]: [Coord<f64>; 2], [a, b]: [Coord<f64>; 2]) -> bool {
    let overlap = |p: f64, q: f64, a: f64, b: f64| p.min(q) <= a.max(b) && a.min(b) <= p.max(q);
    overlap(p.x, q.x, a.x, b.x)
        && overlap(p.y, q.y, a.y, b.y)
        && turn(p, q, a) * turn(p, q, b) <= 0.0
        && turn(a, b, p) * turn(a, b, q) <= 0.0
}

/// Whether a closed triangle of the plane contains a point. A triangle without area is left to the tests of
/// its sides, or counts by its projections.
fn contains([a, b, c]: [Coord<f64>; 3], p: Coord<f64>) -> bool {
    let turns = [turn(a, b, p), turn(b, c, p), turn(c, a, p)];
    if turns == [0.0; 3] {
        return [[a, b], [b, c], [c, a]].into_iter().any(|rim| segments_meet([p, p], rim));
    }
    turns.iter().all(|&s| s >= 0.0) || turns.iter().all(|&s| s <= 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn crosses(edge: [[f64; 3]; 2], triangle: [[f64; 3]; 3]) -> bool {
        edge_crosses_triangle(&edge.map(Vector3::from), &triangle.map(Vector3::from))
    }

    const FLAT: [[f64; 3]; 3] = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];

    #[test]
    fn through_beside_above_and_touching() {
        assert!(crosses([[1.0, 1.0, -1.0], [1.0, 1.0, 1.0]], FLAT));
        assert!(crosses([[1.0, 1.0, 1.0], [1.0, 1.0, -1.0]], FLAT));
        assert!(!crosses([[3.0, 3.0, -1.0], [3.0, 3.0, 1.0]], FLAT));
        assert!(!crosses([[1.0, 1.0, 1.0], [1.0, 1.0, 2.0]], FLAT));
        for touching in [[1.0, 1.0, 0.0], [2.0, 2.0, 0.0], [4.0, 0.0, 0.0]] {
            assert!(crosses([touching, [1.0, 1.0, 1.0]], FLAT), "{touching:?}");
            assert!(crosses([[1.0, 1.0, -1.0], touching], FLAT), "{touching:?}");
        }
        assert!(!crosses([[2.0, 2.0 + 1e-15, 0.0], [2.0, 2.0 + 1e-15, 1.0]], FLAT));
    }

    #[test]
    fn in_one_plane() {
        assert!(crosses([[1.0, 1.0, 0.0], [1.5, 1.0, 0.0]], FLAT)); // inside
        assert!(crosses([[-1.0, 1.0, 0.0], [9.0, 1.0, 0.0]], FLAT)); // through two rims
        assert!(crosses([[-1.0, 0.0, 0.0], [0.0, 0.0, 0.0]], FLAT)); // at a corner, along a rim
        assert!(crosses([[-1.0, 1.0, 0.0], [1.0, -1.0, 0.0]], FLAT)); // over a corner
        assert!(!crosses([[4.0, 4.0, 0.0], [5.0, 0.0, 0.0]], FLAT));
        assert!(!crosses([[-2.0, 0.0, 0.0], [-1.0, 0.0, 0.0]], FLAT));
        // In a plane upright, and in one that is parallel to no axis.
        for shear in [0.0, 1.0] {
            let tilt = |[x, y, _]: [f64; 3]| [x, shear * (x + y), y];
            let triangle = FLAT.map(tilt);
            assert!(crosses([[1.0, 1.0, 0.0], [9.0, 1.0, 0.0]].map(tilt), triangle));
            assert!(!crosses([[4.0, 4.0, 0.0], [5.0, 0.0, 0.0]].map(tilt), triangle));
        }
    }

    #[test]
    fn a_triangle_without_area_is_a_segment_or_a_point() {
        let line = [[0.0, 0.0, 0.0], [2.0, 2.0, 2.0], [1.0, 1.0, 1.0]];
        assert!(crosses([[0.0, 1.0, 1.0], [2.0, 1.0, 1.0]], line));
        assert!(!crosses([[0.0, 1.0, 1.5], [2.0, 1.0, 1.0]], line));
        assert!(!crosses([[3.0, 3.0, 3.0], [4.0, 4.0, 4.0]], line));
        assert!(crosses([[1.5, 1.5, 1.5], [4.0, 4.0, 4.0]], line));
        let point = [[1.0, 1.0, 1.0]; 3];
        assert!(crosses([[0.0, 0.0, 0.0], [2.0, 2.0, 2.0]], point));
        assert!(!crosses([[0.0, 0.0, 0.0], [2.0, 2.0, 2.5]], point));
        // Skew lines of which all three projections meet.
        let skew = [[0.0, 0.0, 1.0], [4.0, 4.0, 3.0], [2.0, 2.0, 2.0]];
        assert!(!crosses([[0.0, 4.0, 2.5], [4.0, 0.0, 2.0]], skew));
        let edge_without_length = [[1.0, 1.0, 1.0]; 2];
        assert!(crosses(edge_without_length, line) && crosses(edge_without_length, point));
        assert!(!crosses(edge_without_length, FLAT));
    }
}
