//! The quality of a tetrahedron's shape.

use std::cmp::Ordering;

use nalgebra::Vector3;

/// Signed volume of a tetrahedron, m³: V = (b − a) × (c − a) · (d − a) / 6, negative when it is inside out.
///
/// ```
/// use nalgebra::Vector3;
/// use pliant_mesh::tet_volume;
///
/// let [o, x, y, z] = [Vector3::zeros(), Vector3::x(), Vector3::y(), Vector3::z()];
/// assert_eq!(tet_volume(&[o, x, y, z]), 1.0 / 6.0);
/// assert_eq!(tet_volume(&[o, y, x, z]), -1.0 / 6.0);
/// ```
#[inline]
#[must_use]
pub fn tet_volume([a, b, c, d]: &[Vector3<f64>; 4]) -> f64 {
    (b - a).cross(&(c - a)).dot(&(d - a)) / 6.0
}

/// Whether a tetrahedron has no volume to within rounding: at most 1e-12 of the cube of its longest edge.
pub(crate) fn is_flat(corners: &[Vector3<f64>; 4]) -> bool {
    volume_sign(corners) == Ordering::Equal
}

/// Whether a tetrahedron is positive, flat or inside out.
#[inline(always)]
pub(crate) fn volume_sign(corners: &[Vector3<f64>; 4]) -> Ordering {
    let [a, b, c, d] = corners;
    let at_a = [b - a, c - a, d - a];
    let volume = at_a[0].cross(&at_a[1]).dot(&at_a[2]) / 6.0;
    // No edge is longer than two at one corner together, which settles most elements.
    let bound = 4.0 * at_a.map(|edge| edge.dot(&edge)).iter().sum::<f64>();
    if is_more_than_rounding(volume, bound) || is_more_than_rounding(volume, longest_squared(corners)) {
        if volume > 0.0 { Ordering::Greater } else { Ordering::Less }
    } else {
        Ordering::Equal
    }
}

/// Squares, because this runs for every element of every mesh and roots are slow.
fn is_more_than_rounding(volume: f64, longest_squared: f64) -> bool {
    volume * volume > 1e-24 * longest_squared * longest_squared * longest_squared
}

#[cold]
fn longest_squared([a, b, c, d]: &[Vector3<f64>; 4]) -> f64 {
    let edges = [b - a, c - a, d - a, c - b, d - b, d - c];
    edges.iter().map(Vector3::norm_squared).fold(0.0, f64::max)
}

/// The smallest of the six angles between the faces of a tetrahedron, radians.
///
/// 70.5° in the regular tetrahedron, zero in a flat one; an inverted one counts like its mirror image. Small
/// angles make stiff, badly conditioned elements.
#[must_use]
pub fn min_dihedral(corners: &[Vector3<f64>; 4]) -> f64 {
    const EDGES_AND_OPPOSITES: [[usize; 4]; 6] =
        [[0, 1, 2, 3], [1, 2, 0, 3], [2, 0, 1, 3], [0, 3, 1, 2], [1, 3, 0, 2], [2, 3, 0, 1]];
    EDGES_AND_OPPOSITES
        .map(|stencil| {
            let [a, b, c, d] = stencil.map(|k| corners[k]);
            let edge = b - a;
            let (one, other) = (edge.cross(&(c - a)), edge.cross(&(d - a)));
            libm::atan2(one.cross(&other).norm(), one.dot(&other))
        })
        .into_iter()
        .fold(f64::INFINITY, f64::min)
}

/// The smallest and the largest cosine of the six angles between the faces of a tetrahedron: quicker than the
/// angles themselves. NaN is ignored, so that a flat tetrahedron may have none.
pub(crate) fn dihedral_cosines(&[a, b, c, d]: &[Vector3<f64>; 4]) -> [f64; 2] {
    // Outward normals; the angle between two faces is π less the angle between their normals.
    let normals =
        [(c - b).cross(&(d - b)), (d - a).cross(&(c - a)), (b - a).cross(&(d - a)), (c - a).cross(&(b - a))]
            .map(|n| n / n.norm());
    let (mut least, mut greatest) = (f64::INFINITY, f64::NEG_INFINITY);
    for i in 0..4 {
        for j in 0..i {
            let cosine = -normals[i].dot(&normals[j]);
            (least, greatest) = (least.min(cosine), greatest.max(cosine));
        }
    }
    [least, greatest]
}

/// Three times the inradius of a tetrahedron over its circumradius: one in the regular tetrahedron, zero in a flat one.
///
/// An inverted tetrahedron counts like its mirror image.
#[must_use]
pub fn radius_ratio(corners: &[Vector3<f64>; 4]) -> f64 {
    let [a, b, c] = [1, 2, 3].map(|k| corners[k] - corners[0]);
    let (bc, ca, ab) = (b.cross(&c), c.cross(&a), a.cross(&b));
    let six_volume = a.dot(&bc);
    // r = 3 V / Σ A; the circumcentre is (|a|² b×c + |b|² c×a + |c|² a×b) / 12 V.
    let two_areas = bc.norm() + ca.norm() + ab.norm() + (b - a).cross(&(c - a)).norm();
    let twelve_volume_radii = (bc * a.norm_squared() + ca * b.norm_squared() + ab * c.norm_squared()).norm();
    let denominator = two_areas * twelve_volume_radii;
    if denominator > 0.0 { (6.0 * six_volume * six_volume / denominator).min(1.0) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn regular() -> [Vector3<f64>; 4] {
        [[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]].map(Vector3::from)
    }

    #[test]
    fn the_regular_tetrahedron_is_best() {
        assert!((min_dihedral(&regular()) - (1.0_f64 / 3.0).acos()).abs() < 1e-15);
        assert!((radius_ratio(&regular()) - 1.0).abs() < 1e-14);
    }

    #[test]
    fn the_corner_of_a_cube() {
        let corner = [Vector3::zeros(), Vector3::x(), Vector3::y(), Vector3::z()];
        assert!((min_dihedral(&corner) - (1.0 / 3.0_f64.sqrt()).acos()).abs() < 1e-15);
        // r = 1 / (3 + √3), R = √3 / 2.
        let expected = 3.0 / (3.0 + 3.0_f64.sqrt()) / (3.0_f64.sqrt() / 2.0);
        assert!((radius_ratio(&corner) - expected).abs() < 1e-15);
    }

    #[test]
    fn a_flat_one_is_worst() {
        let flat = [Vector3::zeros(), Vector3::x(), Vector3::y(), Vector3::x() + Vector3::y()];
        assert_eq!((min_dihedral(&flat), radius_ratio(&flat)), (0.0, 0.0));
        assert_eq!((min_dihedral(&[Vector3::x(); 4]), radius_ratio(&[Vector3::x(); 4])), (0.0, 0.0));
    }

    proptest! {
        #![proptest_config(pliant_testkit::config(256))]

        #[test]
        fn neither_depends_on_the_numbering_or_the_scale(c in prop::array::uniform12(-1.0..1.0_f64), scale in 1e-3..1e3_f64) {
            let corners = [0, 3, 6, 9].map(|i| Vector3::new(c[i], c[i + 1], c[i + 2]));
            let moved = [2, 0, 3, 1].map(|k: usize| corners[k] * scale);
            prop_assert!((min_dihedral(&corners) - min_dihedral(&moved)).abs() < 1e-9);
            prop_assert!((radius_ratio(&corners) - radius_ratio(&moved)).abs() < 1e-9);
        }
    }
}
