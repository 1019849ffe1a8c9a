//! [`enclosed_volume`]: the volume inside a closed surface.

use nalgebra::Vector3;

/// Volume enclosed by a closed surface whose triangles are counter-clockwise seen from outside, m³; negative
/// inside out, meaningless for an open surface.
///
/// By the divergence theorem V = Σ (a − o) × (b − o) · (c − o) / 6, whatever the origin o. It is a point of
/// the surface here: a distant origin would cost the sum its digits.
///
/// ```
/// use nalgebra::Vector3;
/// use pliant_mesh::enclosed_volume;
///
/// let corners = [Vector3::zeros(), Vector3::x(), Vector3::y(), Vector3::z()];
/// let tet = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
/// assert_eq!(enclosed_volume(&corners, &tet), 1.0 / 6.0);
/// ```
///
/// # Panics
///
/// If a triangle refers to a position that does not exist.
#[must_use]
pub fn enclosed_volume(positions: &[Vector3<f64>], triangles: &[[u32; 3]]) -> f64 {
    let origin = triangles.first().map_or(Vector3::zeros(), |t| positions[t[0] as usize]);
    triangles.iter().map(|t| six_volumes(&t.map(|v| positions[v as usize]), origin)).sum::<f64>() / 6.0
}

/// Six times the signed volume between a triangle and a point.
#[inline]
pub(crate) fn six_volumes(corners: &[Vector3<f64>; 3], origin: Vector3<f64>) -> f64 {
    let [a, b, c] = corners.map(|corner| corner - origin);
    a.cross(&b).dot(&c)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{CheckOptions, Defect, TriMesh};

    proptest! {
        #![proptest_config(pliant_testkit::config(256))]

        #[test]
        fn it_does_not_matter_where_the_surface_is(shift in prop::array::uniform3(-6.4e6..6.4e6_f64)) {
            let ball = TriMesh::icosphere(0.5, 6).unwrap();
            let shift = Vector3::from(shift);
            let far: Vec<_> = ball.positions().iter().map(|x| x + shift).collect();
            let volume = enclosed_volume(&far, ball.triangles());
            // Coordinates themselves have a resolution of a nanometre there.
            prop_assert!((volume / ball.enclosed_volume() - 1.0).abs() < 1e-7, "{}", volume);
            let found = TriMesh::new(far, ball.triangles().to_vec()).unwrap().check_up(&CheckOptions::default());
            prop_assert!(found.findings.iter().all(|found| found.defect != Defect::InsideOut), "{:?}", found.findings);
        }
    }

    #[test]
    fn nothing_encloses_nothing() {
        assert_eq!(enclosed_volume(&[], &[]), 0.0);
    }
}
