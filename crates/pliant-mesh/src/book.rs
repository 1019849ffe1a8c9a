//! What the *Physics-Based Simulation* book does differently, so that its figures can be reproduced. Nothing here is a
//! default.

use crate::mass::share;
use crate::{TetMesh, TriMesh};

/// Inverse masses as the *Physics-Based Simulation* book makes them for solids: w_i = Σ 1 / (V/4) over the
/// tetrahedra of positive volume at vertex i.
///
/// The **sum of the inverses** is not the inverse of the sum: a vertex in k tetrahedra gets about k² times
/// the inverse mass that unit density would give, and more on uneven meshes, so that light and heavy
/// particles change places. It is here for readers who compare with the book's figures;
/// [`lumped_mass_tets`](crate::lumped_mass_tets) is the right one. A vertex without a tetrahedron of positive
/// volume gets zero, which pins it.
#[must_use]
pub fn sum_of_inverse_tet_masses(mesh: &TetMesh) -> Vec<f64> {
    share(mesh.positions().len(), mesh.tets(), |t| inverse_of_positive(mesh.tet_volume(t) / 4.0))
}

/// Inverse masses as the *Physics-Based Simulation* book makes them for cloth: w_i = Σ 1 / (A/3) over the triangles
/// of positive area at vertex i.
///
/// As with [`sum_of_inverse_tet_masses`] this is for comparison only;
/// [`lumped_mass_triangles`](crate::lumped_mass_triangles) is the right one.
#[must_use]
pub fn sum_of_inverse_triangle_masses(mesh: &TriMesh) -> Vec<f64> {
    share(mesh.positions().len(), mesh.triangles(), |t| inverse_of_positive(mesh.triangle_area(t) / 3.0))
}

fn inverse_of_positive(share: f64) -> f64 {
    if share > 0.0 { 1.0 / share } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use nalgebra::Vector3;

    use super::*;

    #[test]
    fn the_books_inverse_masses() {
        let corners = vec![Vector3::zeros(), Vector3::x(), Vector3::y(), Vector3::z(), -Vector3::z()];
        // The second tetrahedron is inverted and does not count.
        let solid = TetMesh::new(corners.clone(), vec![[0, 1, 2, 3], [0, 1, 2, 4]]).unwrap();
        let tet = 1.0 / (1.0 / 6.0 / 4.0);
        assert_eq!(sum_of_inverse_tet_masses(&solid), [tet, tet, tet, tet, 0.0]);
        let sheet = TriMesh::new(corners, vec![[0, 1, 2], [0, 2, 3], [3, 4, 0]]).unwrap();
        let triangle = 1.0 / (0.5 / 3.0);
        let expected = [2.0 * triangle, triangle, 2.0 * triangle, triangle, 0.0];
        assert_eq!(sum_of_inverse_triangle_masses(&sheet), expected);
    }
}
