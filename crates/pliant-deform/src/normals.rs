//! Vertex normals: the mean of the normals of the triangles around a vertex, weighted by area.

use nalgebra::Vector3;
use pliant_mesh::Adjacency;
use rayon::prelude::*;

use crate::deformer::GRAIN;

/// The unit normal of every vertex, pointing to where the triangles are counter-clockwise; zero without one: at unused
/// vertices and where triangles without area, or opposite ones, meet.
///
/// `positions` in metres. `around` holds the triangles at each vertex, as
/// [`TriMesh::triangles_at_vertices`](pliant_mesh::TriMesh::triangles_at_vertices) gives them.
///
/// ```
/// use nalgebra::Vector3;
/// use pliant_mesh::TriMesh;
///
/// let sphere = TriMesh::icosphere(2.0, 4)?;
/// let normals =
///     pliant_deform::vertex_normals(sphere.positions(), sphere.triangles(), &sphere.triangles_at_vertices());
/// assert!(normals.iter().zip(sphere.positions()).all(|(n, p)| (n - p / 2.0).norm() < 0.03));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
///
/// If a triangle or a list names an element that does not exist.
#[must_use]
pub fn vertex_normals(
    positions: &[Vector3<f64>],
    triangles: &[[u32; 3]],
    around: &Adjacency,
) -> Vec<Vector3<f64>> {
    let doubled_area = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|v| positions[v as usize]);
        (b - a).cross(&(c - a))
    };
    let of_triangles: Vec<_> = triangles.par_iter().with_min_len(GRAIN).map(doubled_area).collect();
    let normal = |v: usize| {
        let sum: Vector3<f64> =
            around.row(v).iter().fold(Vector3::zeros(), |sum, &t| sum + of_triangles[t as usize]);
        direction(&sum)
    };
    (0..positions.len()).into_par_iter().with_min_len(GRAIN).map(normal).collect()
}

/// The vector at unit length, or zero where it has none. Scaled first, so that very small and very large
/// triangles have normals.
pub(crate) fn direction(v: &Vector3<f64>) -> Vector3<f64> {
    let largest = v.amax();
    if largest > 0.0 && largest.is_finite() {
        let scaled = v / largest;
        scaled / scaled.norm()
    } else {
        Vector3::zeros()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant_mesh::TriMesh;

    #[test]
    fn a_flat_sheet_points_up_and_nothing_points_nowhere() {
        let sheet = TriMesh::grid([4, 3], [1e-9, 1e-9]).unwrap();
        let up = |mesh: &TriMesh| {
            vertex_normals(mesh.positions(), mesh.triangles(), &mesh.triangles_at_vertices())
        };
        assert!(up(&sheet).iter().all(|n| (n - Vector3::y()).norm() < 1e-12));
        let lonely = TriMesh::new(vec![Vector3::x(); 4], vec![[0, 1, 2]]).unwrap();
        assert_eq!(up(&lonely), vec![Vector3::zeros(); 4]);
    }
}
