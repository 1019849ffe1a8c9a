//! Surfaces of balls, boxes and rods, for drawing.

use nalgebra::{Matrix3, Vector3};
use pliant_mesh::{Aabb, TriMesh};

use crate::prop::corners;

/// The surface of a ball, of 20 `fine`² triangles; `None` if the numbers do not make a ball.
pub(crate) fn ball(centre: Vector3<f64>, radius: f64, fine: usize) -> Option<TriMesh> {
    TriMesh::icosphere(radius, fine).ok()?.translated(centre).ok()
}

/// The surface of a box; `None` if a coordinate is not finite.
pub(crate) fn cuboid(solid: &Aabb) -> Option<TriMesh> {
    // Each face counter-clockwise from outside.
    let faces = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    let triangles = faces.into_iter().flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    TriMesh::new(corners(solid).to_vec(), triangles).ok()
}

/// The surface of a rod with round ends, with `fine` strips of triangles at each of them; `None` if the
/// numbers do not make a rod.
pub(crate) fn capsule(ends: [Vector3<f64>; 2], radius: f64, fine: usize) -> Option<TriMesh> {
    // The number of strips is odd, so the middle one lies between the halves.
    let (segments, strips) = (4 * fine, 2 * fine + 1);
    let ball = TriMesh::uv_sphere(radius, segments, strips).ok()?;
    let axis = (ends[1] - ends[0]).try_normalize(0.0).unwrap_or_else(Vector3::y);
    // Any two directions that make a right-handed frame with it.
    let aside = Vector3::from_fn(|k, _| if k == axis.iamin() { 1.0 } else { 0.0 }).cross(&axis).normalize();
    let frame = Matrix3::from_columns(&[axis.cross(&aside), axis, aside]);
    let middle = ball.positions().len() / 2;
    let place = |(v, x): (usize, &Vector3<f64>)| {
        let end = ends[usize::from(v >= middle)];
        let is_rim = (middle - segments..middle + segments).contains(&v);
        let level = Vector3::new(x.x, 0.0, x.z);
        end + frame * if is_rim { level.normalize() * radius } else { *x }
    };
    let positions = ball.positions().iter().enumerate().map(place).collect();
    ball.with_positions(positions).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether a surface has no rim.
    fn is_closed(mesh: &TriMesh) -> bool {
        2 * mesh.edges().len() == 3 * mesh.triangles().len()
    }

    #[test]
    fn a_box_is_closed_and_turned_outwards() {
        let solid = Aabb { min: Vector3::new(-1.0, 0.0, 2.0), max: Vector3::new(1.0, 3.0, 2.5) };
        let mesh = cuboid(&solid).unwrap();
        assert!((mesh.enclosed_volume() - 3.0).abs() < 1e-12);
        assert!(is_closed(&mesh));
    }

    #[test]
    fn a_rod_is_closed_and_keeps_its_radius() {
        let volume = |length: f64| std::f64::consts::PI * 0.04 * (length + 0.8 / 3.0);
        for ends in [
            [Vector3::new(0.3, -1.0, 0.5), Vector3::new(1.0, 0.4, 0.2)],
            [Vector3::zeros(), Vector3::y() * -2.0],
            [Vector3::x(), Vector3::x()],
        ] {
            let rod = capsule(ends, 0.2, 24).unwrap();
            assert!(is_closed(&rod));
            for x in rod.positions() {
                let distance = pliant_mesh::nearest_on_segment(x, &ends).distance();
                assert!((distance - 0.2).abs() < 1e-12, "{distance}");
            }
            let expected = volume((ends[1] - ends[0]).norm());
            assert!((rod.enclosed_volume() / expected - 1.0).abs() < 0.01, "{}", rod.enclosed_volume());
        }
    }
}
