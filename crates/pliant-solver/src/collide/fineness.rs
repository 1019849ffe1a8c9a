//! How much room neighbours in a mesh leave to each other beside the distance that surfaces keep.
//!
//! In cloth that is thick for its triangles, elements that are two edges apart rest hardly farther apart than they have to
//! be. Whatever lists expect beyond that puts most of them on the lists, where they are asked about in every substep.

use nalgebra::Vector3;
use pliant_contact::{Mask, Surface};
use pliant_kernel::{Scalar, widen};

/// The least of all bodies that meet themselves of the usual altitude of their triangles at rest less their thickness,
/// m: negative where thickness is more than that.
pub(super) fn room_beside_neighbours<T: Scalar>(
    surface: &Surface,
    (radii, masks): (&[f64], &[Mask]),
    rest: &[Vector3<T>],
) -> f64 {
    let mut altitudes: Vec<Vec<f64>> = vec![Vec::new(); surface.bodies()];
    for corners in surface.triangles() {
        let body = surface.body_at(corners[0]) as usize;
        if masks[body].itself {
            altitudes[body].push(least_altitude(corners.map(|v| widen(&rest[v as usize]))));
        }
    }
    let of_body = |(altitudes, radius): (&mut Vec<f64>, &f64)| {
        let middle = altitudes.len() / 2;
        (!altitudes.is_empty())
            .then(|| *altitudes.select_nth_unstable_by(middle, f64::total_cmp).1 - 2.0 * radius)
    };
    altitudes.iter_mut().zip(radii).filter_map(of_body).fold(f64::INFINITY, f64::min)
}

/// The least altitude of a triangle, m; zero where it has no area.
fn least_altitude([a, b, c]: [Vector3<f64>; 3]) -> f64 {
    let longest = (b - a).norm().max((c - b).norm()).max((a - c).norm());
    let altitude = (b - a).cross(&(c - a)).norm() / longest;
    if altitude.is_finite() { altitude } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant_mesh::TriMesh;

    #[test]
    fn the_body_that_is_thickest_for_its_triangles_counts() {
        // Squares of 10 mm, and of 20 mm, halved.
        let [fine, coarse] = [[0.1; 2], [0.2; 2]].map(|size| TriMesh::grid([11, 11], size).unwrap());
        let moved: Vec<_> = coarse.triangles().iter().map(|corners| corners.map(|v| v + 121)).collect();
        let surface = Surface::new(242, &[fine.triangles(), &moved]).unwrap();
        let rest: Vec<_> = fine.positions().iter().chain(coarse.positions()).copied().collect();
        let room = |radii, masks: [bool; 2]| {
            let masks = masks.map(|itself| Mask { itself, ..Mask::default() });
            room_beside_neighbours(&surface, (radii, &masks), &rest)
        };
        let altitude = 0.01 / f64::sqrt(2.0);
        assert!((room(&[0.001, 0.001], [true, true]) - (altitude - 0.002)).abs() < 1e-12);
        assert!((room(&[0.001, 0.009], [true, true]) - (2.0 * altitude - 0.018)).abs() < 1e-12);
        assert!((room(&[0.005, 0.001], [false, true]) - (2.0 * altitude - 0.002)).abs() < 1e-12);
        assert_eq!(room(&[0.001, 0.001], [false, false]), f64::INFINITY);
    }

    #[test]
    fn a_triangle_without_an_area_has_no_altitude() {
        assert_eq!(least_altitude([Vector3::zeros(); 3]), 0.0);
        assert_eq!(least_altitude([Vector3::zeros(), Vector3::x(), Vector3::x() * 2.0]), 0.0);
    }
}
