//! Lumped masses: the mass of each element shared equally among its vertices.
//!
//! m_i = Σ ρ V / 4 over the tetrahedra at vertex i, Σ ρ_A A / 3 over its triangles, Σ ρ_L L / 2 over its edges, so that
//! Σ m_i is the mass of the whole. Volumes count by magnitude: an inverted tetrahedron weighs as much as its mirror
//! image. A vertex with no element, or with flat ones only, gets mass zero, and the caller must decide what that means.

use nalgebra::Vector3;

use crate::{TetMesh, TriMesh};

/// Masses of the vertices of a solid, kg.
///
/// `density` in kg/m³.
///
/// ```
/// use pliant_mesh::{TetMesh, lumped_mass_tets};
/// # use nalgebra::Vector3;
/// # let corners = vec![Vector3::zeros(), Vector3::x(), Vector3::y(), Vector3::z()];
/// let tet = TetMesh::new(corners, vec![[0, 1, 2, 3]])?;
/// assert_eq!(lumped_mass_tets(&tet, 24.0), [1.0; 4]);
/// # Ok::<(), pliant_mesh::MeshError>(())
/// ```
#[must_use]
pub fn lumped_mass_tets(mesh: &TetMesh, density: f64) -> Vec<f64> {
    share(mesh.positions().len(), mesh.tets(), |t| density * mesh.tet_volume(t).abs() / 4.0)
}

/// Masses of the vertices of a sheet, kg.
///
/// `area_density` in kg/m² (cotton shirting is about 0.15).
#[must_use]
pub fn lumped_mass_triangles(mesh: &TriMesh, area_density: f64) -> Vec<f64> {
    share(mesh.positions().len(), mesh.triangles(), |t| area_density * mesh.triangle_area(t) / 3.0)
}

/// Masses of the vertices of ropes or wires, kg.
///
/// `positions` in metres, `line_density` in kg/m.
///
/// # Panics
///
/// If an edge names a vertex that has no position.
#[must_use]
pub fn lumped_mass_edges(positions: &[Vector3<f64>], edges: &[[u32; 2]], line_density: f64) -> Vec<f64> {
    share(positions.len(), edges, |e| {
        let [a, b] = edges[e].map(|v| positions[v as usize]);
        line_density * (b - a).norm() / 2.0
    })
}

/// Adds `amount(element)` to every vertex of each element, in the order of the elements.
pub(crate) fn share<const N: usize>(
    vertices: usize,
    elements: &[[u32; N]],
    amount: impl Fn(usize) -> f64,
) -> Vec<f64> {
    let mut totals = vec![0.0; vertices];
    for (e, corners) in elements.iter().enumerate() {
        let amount = amount(e);
        for &v in corners {
            totals[v as usize] += amount;
        }
    }
    totals
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn positions(n: usize) -> impl Strategy<Value = Vec<Vector3<f64>>> {
        prop::collection::vec([-1.0..1.0, -1.0..1.0, -1.0..1.0_f64].prop_map(Vector3::from), n)
    }

    proptest! {
        #![proptest_config(pliant_testkit::config(256))]

        #[test]
        fn mass_is_conserved(points in positions(8), density in 1e-3..1e4_f64) {
            let tets = TetMesh::new(points.clone(), vec![[0, 1, 2, 3], [4, 5, 6, 7], [0, 2, 4, 6], [7, 1, 3, 2]]).unwrap();
            let volume: f64 = (0..4).map(|t| tets.tet_volume(t).abs()).sum();
            let mass: f64 = lumped_mass_tets(&tets, density).iter().sum();
            prop_assert!((mass - density * volume).abs() <= 1e-12 * density * volume);

            let triangles = TriMesh::new(points.clone(), vec![[0, 1, 2], [4, 5, 6], [0, 2, 4], [7, 1, 3]]).unwrap();
            let mass: f64 = lumped_mass_triangles(&triangles, density).iter().sum();
            prop_assert!((mass - density * triangles.area()).abs() <= 1e-12 * mass);

            let edges = triangles.edges();
            let length: f64 = edges.iter().map(|&[a, b]| (points[a as usize] - points[b as usize]).norm()).sum();
            let mass: f64 = lumped_mass_edges(&points, &edges, density).iter().sum();
            prop_assert!((mass - density * length).abs() <= 1e-12 * mass);
        }
    }

    #[test]
    fn an_inverted_tetrahedron_has_mass() {
        let corners = vec![Vector3::zeros(), Vector3::x(), Vector3::y(), -Vector3::z()];
        let mesh = TetMesh::new(corners, vec![[0, 1, 2, 3]]).unwrap();
        assert_eq!(lumped_mass_tets(&mesh, 24.0), [1.0; 4]);
    }
}
