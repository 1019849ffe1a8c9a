//! The point of a segment or of a triangle that is nearest to a point, in barycentric coordinates.
//!
//! Source: Ericson, *Real-Time Collision Detection* (2005), sections 5.1.2 and 5.1.5.
//!
//! *Hazard.* The regions of a triangle are distinguished by areas, which are rounding noise if the triangle
//! has hardly any. Its nearest point is then sought on its edges, so that a triangle of zero area is treated
//! as the segment, or the point, to which it has degenerated.

use nalgebra::Vector3;

/// A nearest point: Σ weights·corners, with weights in [0, 1] that sum to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Nearest<const N: usize> {
    /// Barycentric coordinates, one per corner.
    pub weights: [f64; N],
    /// The point, m.
    pub point: Vector3<f64>,
    /// Its squared distance, m².
    pub distance_squared: f64,
}

impl<const N: usize> Nearest<N> {
    /// The distance, m.
    #[must_use]
    pub fn distance(&self) -> f64 {
        self.distance_squared.sqrt()
    }

    fn at(point: Vector3<f64>, weights: [f64; N], from: &Vector3<f64>) -> Self {
        Self { weights, point, distance_squared: (from - point).norm_squared() }
    }
}

/// Twice the area below which a triangle counts as flat, relative to the square of its longest edge.
const FLAT: f64 = 1e-12;
/// Share of the square of the longest edge below which the doubled area of a triangle leaves too few digits
/// for one solution.
const THIN: f64 = 1e-3;

/// The point of the segment from `ends[0]` to `ends[1]` that is nearest to `point`; all in metres. The ends
/// may coincide.
///
/// ```
/// use nalgebra::Vector3;
/// use pliant_mesh::nearest_on_segment;
///
/// let segment = [Vector3::zeros(), Vector3::x() * 4.0];
/// let near = nearest_on_segment(&Vector3::new(1.0, 2.0, 0.0), &segment);
/// assert_eq!((near.weights, near.distance()), ([0.75, 0.25], 2.0));
/// // Beyond an end it is the end.
/// assert_eq!(nearest_on_segment(&Vector3::new(7.0, 4.0, 0.0), &segment).distance(), 5.0);
/// ```
#[must_use]
pub fn nearest_on_segment(point: &Vector3<f64>, ends: &[Vector3<f64>; 2]) -> Nearest<2> {
    let along = ends[1] - ends[0];
    let length_squared = along.norm_squared();
    let share = (point - ends[0]).dot(&along) / length_squared;
    // Without a length the share is NaN: the first end then.
    if share >= 1.0 {
        Nearest::at(ends[1], [0.0, 1.0], point)
    } else if share > 0.0 {
        Nearest::at(ends[0] + along * share, [1.0 - share, share], point)
    } else {
        Nearest::at(ends[0], [1.0, 0.0], point)
    }
}

/// The point of a triangle that is nearest to `point`; all in metres. The triangle may have no area.
///
/// ```
/// use nalgebra::Vector3;
/// use pliant_mesh::nearest_on_triangle;
///
/// let triangle = [Vector3::zeros(), Vector3::x() * 2.0, Vector3::y() * 2.0];
/// let near = nearest_on_triangle(&Vector3::new(0.5, 0.5, 3.0), &triangle);
/// assert_eq!((near.weights, near.distance()), ([0.5, 0.25, 0.25], 3.0));
/// ```
#[must_use]
pub fn nearest_on_triangle(point: &Vector3<f64>, corners: &[Vector3<f64>; 3]) -> Nearest<3> {
    let [a, b, c] = corners;
    let (ab, ac) = (b - a, c - a);
    let longest = ab.norm_squared().max(ac.norm_squared()).max((c - b).norm_squared());
    let normal = ab.cross(&ac);
    let doubled_area = normal.norm();
    if doubled_area <= FLAT * longest {
        return nearest_on_outline(point, corners);
    }
    let from_a = point - a;
    // Areas opposite b and c over the whole one, signed; the point is above the inside where all three are positive.
    let unit = normal / doubled_area;
    let shares =
        |r: &Vector3<f64>| [r.cross(&ac).dot(&unit) / doubled_area, ab.cross(r).dot(&unit) / doubled_area];
    let [mut v, mut w] = shares(&from_a);
    let is_thin = doubled_area <= THIN * longest;
    if is_thin {
        // The rounding error is that of a long cross product over a small area; the remainder is shared out again.
        let [dv, dw] = shares(&(from_a - (ab * v + ac * w)));
        (v, w) = (v + dv, w + dw);
    }
    let u = 1.0 - v - w;
    if !(u > 0.0 && v > 0.0 && w > 0.0) {
        return nearest_on_outline(point, corners);
    }
    let inside = Nearest::at(a + (ab * v + ac * w), [u, v, w], point);
    if is_thin {
        let outline = nearest_on_outline(point, corners);
        if outline.distance_squared < inside.distance_squared {
            return outline;
        }
    }
    inside
}

/// The nearest point of the three edges.
fn nearest_on_outline(point: &Vector3<f64>, corners: &[Vector3<f64>; 3]) -> Nearest<3> {
    let mut best: Option<Nearest<3>> = None;
    for [i, j] in crate::edges::TRIANGLE_EDGES {
        let near = nearest_on_segment(point, &[corners[i], corners[j]]);
        if best.is_none_or(|b| near.distance_squared < b.distance_squared) {
            let mut weights = [0.0; 3];
            weights[i] = near.weights[0];
            weights[j] = near.weights[1];
            best = Some(Nearest { weights, point: near.point, distance_squared: near.distance_squared });
        }
    }
    best.expect("a triangle has edges")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn vector() -> impl Strategy<Value = Vector3<f64>> {
        [-1.0..1.0, -1.0..1.0, -1.0..1.0_f64].prop_map(Vector3::from)
    }

    /// Corners of a coarse lattice, which often coincide or stand in line.
    fn lattice() -> impl Strategy<Value = Vector3<f64>> {
        prop::array::uniform3(-1_i8..=1).prop_map(|c| Vector3::from(c.map(f64::from)))
    }

    fn is_convex<const N: usize>(weights: &[f64; N]) -> bool {
        weights.iter().all(|w| (0.0..=1.0).contains(w)) && (weights.iter().sum::<f64>() - 1.0).abs() < 1e-14
    }

    /// The least distance from a lattice of points of the triangle.
    fn brute(point: &Vector3<f64>, [a, b, c]: &[Vector3<f64>; 3]) -> f64 {
        const N: usize = 40;
        let mut least = f64::INFINITY;
        for i in 0..=N {
            for j in 0..=N - i {
                let (u, v) = (i as f64 / N as f64, j as f64 / N as f64);
                least = least.min((point - (a * u + b * v + c * (1.0 - u - v))).norm());
            }
        }
        least
    }

    proptest! {
        #![proptest_config(pliant_testkit::config(256))]

        #[test]
        fn no_point_of_the_triangle_is_nearer(
            corners in prop_oneof![prop::array::uniform3(vector()), prop::array::uniform3(lattice())],
            point in prop_oneof![vector(), lattice()],
        ) {
            let near = nearest_on_triangle(&point, &corners);
            prop_assert!(is_convex(&near.weights), "{near:?}");
            let sum: Vector3<f64> = (0..3).map(|k| corners[k] * near.weights[k]).sum();
            prop_assert!((sum - near.point).norm() < 1e-14);
            let least = brute(&point, &corners);
            prop_assert!(near.distance() <= least + 1e-13 && least <= near.distance() + 0.1, "{near:?} {least}");
        }

        #[test]
        fn no_point_of_the_segment_is_nearer(
            ends in prop_oneof![prop::array::uniform2(vector()), prop::array::uniform2(lattice())],
            point in prop_oneof![vector(), lattice()],
        ) {
            let near = nearest_on_segment(&point, &ends);
            prop_assert!(is_convex(&near.weights));
            let sum = ends[0] * near.weights[0] + ends[1] * near.weights[1];
            prop_assert!((sum - near.point).norm() < 1e-14);
            for i in 0..=50 {
                let t = f64::from(i) / 50.0;
                prop_assert!(near.distance() <= (point - (ends[0] * (1.0 - t) + ends[1] * t)).norm() + 1e-14);
            }
        }

        #[test]
        fn thin_triangles_keep_their_digits(
            ends in prop::array::uniform2(vector()), third in vector(), point in vector(), exponent in -18.0..-3.0_f64,
        ) {
            prop_assume!((ends[0] - ends[1]).norm() > 0.1);
            let thin = [ends[0], ends[1], (ends[0] + ends[1]) * 0.5 + third * 10.0_f64.powf(exponent)];
            let near = nearest_on_triangle(&point, &thin);
            let least = nearest_on_segment(&point, &ends).distance();
            prop_assert!(is_convex(&near.weights));
            prop_assert!((near.distance() - least).abs() <= 2.0 * 10.0_f64.powf(exponent) + 1e-13);
        }

        #[test]
        fn above_the_inside_of_a_thin_triangle_too(
            ends in prop::array::uniform2(vector()), third in vector(), share in [0.05..0.9_f64, 0.01..0.05_f64], height in -1.0..1.0_f64,
            exponent in -18.0..-3.0_f64,
        ) {
            prop_assume!((ends[0] - ends[1]).norm() > 0.1);
            let thin = [ends[0], ends[1], (ends[0] + ends[1]) * 0.5 + third * 10.0_f64.powf(exponent)];
            let inside = thin[0] * share[0] + thin[2] * share[1] + thin[1] * (1.0 - share[0] - share[1]);
            let up = (thin[1] - thin[0]).cross(&third);
            prop_assume!(up.norm() > 1e-2);
            let near = nearest_on_triangle(&(inside + up.normalize() * height), &thin);
            prop_assert!(is_convex(&near.weights));
            prop_assert!((near.distance() - height.abs()).abs() <= 1e-12, "{near:?} {height}");
        }
    }

    #[test]
    fn in_a_triangle_a_nanometre_wide() {
        let ends = [
            Vector3::new(0.6957785152638084, -0.6990227483897938, 0.9677594813514773),
            Vector3::new(-0.43662303903646715, -0.8252550219761635, -0.19507695228369995),
        ];
        let third = Vector3::new(-0.3730191890561677, 0.0, 0.14696239992509313);
        let thin = [ends[0], ends[1], (ends[0] + ends[1]) * 0.5 + third * 10.0_f64.powf(-8.687498457613493)];
        let share = [0.05, 0.026759222154394777];
        let inside = thin[0] * share[0] + thin[2] * share[1] + thin[1] * (1.0 - share[0] - share[1]);
        let near = nearest_on_triangle(&inside, &thin);
        assert!(near.distance() < 1e-13, "{near:?}");
    }
}
