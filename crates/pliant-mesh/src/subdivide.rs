//! Subdivision of surfaces: each triangle becomes four.
//!
//! Used to make a fine visual surface from a coarse one. New vertices stand behind the old ones, one per edge
//! in the order of [`unique_edges`](crate::unique_edges); triangle t becomes the triangles 4 t to 4 t + 3,
//! its corners first and its middle last.

mod refinement;
mod ring;
mod rule;

use crate::TriMesh;
use crate::generate::GenerateError;
use rule::{Cut, check_levels};

pub use refinement::Refinement;
pub use rule::Subdivision;

impl TriMesh {
    /// Divides each triangle into four, `levels` times.
    ///
    /// ```
    /// use pliant_mesh::{Subdivision, TriMesh};
    ///
    /// let coarse = TriMesh::icosphere(1.0, 1)?;
    /// let fine = coarse.subdivide(2, Subdivision::Loop)?;
    /// assert_eq!(fine.triangles().len(), 16 * 20);
    /// # Ok::<(), pliant_mesh::GenerateError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If there would be more than 2²⁷ triangles.
    pub fn subdivide(&self, levels: usize, scheme: Subdivision) -> Result<Self, GenerateError> {
        check_levels(self, levels)?;
        let mut mesh = self.clone();
        if !self.triangles().is_empty() {
            for _ in 0..levels {
                mesh = once(&mesh, scheme);
            }
        }
        Ok(mesh)
    }
}

fn once(mesh: &TriMesh, scheme: Subdivision) -> TriMesh {
    let cut = Cut::new(mesh.triangles());
    let positions = cut.values(mesh.positions(), scheme);
    TriMesh::new(positions, cut.triangles(mesh.triangles(), mesh.positions().len()))
        .expect("means of finite positions are finite and every vertex is there")
}

#[cfg(test)]
mod tests {
    use nalgebra::Vector3;

    use super::*;
    use crate::Caps;

    #[test]
    fn midpoints_keep_the_surface() {
        let coarse = TriMesh::cylinder(0.3, 1.0, 7, 2, Caps::Capped).unwrap();
        let fine = coarse.subdivide(2, Subdivision::Midpoint).unwrap();
        assert_eq!(fine.triangles().len(), 16 * coarse.triangles().len());
        assert_eq!(fine.positions()[..coarse.positions().len()], *coarse.positions());
        assert!((fine.area() - coarse.area()).abs() < 1e-12);
        assert!((fine.enclosed_volume() - coarse.enclosed_volume()).abs() < 1e-14);
        let hinges = fine.hinges();
        assert!(hinges.is_closed() && hinges.inconsistent.is_empty());
        for (t, children) in fine.triangles().chunks_exact(16).enumerate() {
            assert_eq!(children[0][0], coarse.triangles()[t][0]);
        }
    }

    #[test]
    fn loop_is_smooth_and_keeps_symmetry() {
        // The limit of a regular icosahedron is nearly a sphere: the vertices of a fine level are equally far away
        // within a few percent, where those of the midpoint scheme differ by a fifth.
        let coarse = TriMesh::icosphere(1.0, 1).unwrap();
        let fine = coarse.subdivide(4, Subdivision::Loop).unwrap();
        let radii = || fine.positions().iter().map(nalgebra::Matrix::norm);
        let (least, most) = (radii().fold(f64::MAX, f64::min), radii().fold(0.0, f64::max));
        assert!(most / least < 1.03, "{least} {most}");
        let centre: Vector3<f64> = fine.positions().iter().sum();
        assert!(centre.norm() < 1e-10);
    }

    #[test]
    fn loop_reproduces_a_plane() {
        // In a regular lattice of triangles the rules have linear precision; the boundary follows its own rule.
        let affine = |p: &Vector3<f64>| Vector3::new(p.x, 3.0 * p.x - 2.0 * p.z + 1.0, p.z);
        let sheet = TriMesh::grid([9, 9], [1.0, 1.0]).unwrap();
        let tilted = sheet.with_positions(sheet.positions().iter().map(affine).collect()).unwrap();
        let fine = sheet.subdivide(2, Subdivision::Loop).unwrap();
        let tilted = tilted.subdivide(2, Subdivision::Loop).unwrap();
        for (p, q) in fine.positions().iter().zip(tilted.positions()) {
            assert!((affine(p) - q).norm() < 1e-14);
        }
        // Inner vertices do not move: vertex 40 is in the middle.
        assert!(fine.positions()[40].norm() < 1e-15);
        // Straight boundaries stay straight.
        assert!(fine.bounds().unwrap().size().x <= 1.0);
    }

    #[test]
    fn boundaries_follow_their_own_rule() {
        // An eighth of each neighbour along the boundary, whatever lies within.
        let fine = TriMesh::grid([3, 3], [2.0, 2.0]).unwrap().subdivide(1, Subdivision::Loop).unwrap();
        assert_eq!(fine.positions()[0], Vector3::new(-0.875, 0.0, 0.875));
        assert_eq!(fine.positions()[1], Vector3::new(0.0, 0.0, 1.0));
        assert_eq!(fine.positions()[8], Vector3::new(0.875, 0.0, -0.875));
    }

    #[test]
    fn sharp_edges_and_loose_vertices_do_no_harm() {
        let positions =
            [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0], [5.0; 3]];
        let fan = vec![[0, 1, 2], [0, 1, 3], [0, 1, 4]];
        let mesh = TriMesh::new(positions.map(Vector3::from).to_vec(), fan).unwrap();
        let fine = mesh.subdivide(1, Subdivision::Loop).unwrap();
        assert_eq!(fine.positions()[5], mesh.positions()[5]);
        assert_eq!(fine.positions()[0], mesh.positions()[0]);
        assert_eq!(fine.hinges().non_manifold.len(), 2);
    }

    #[test]
    fn too_many_levels_are_refused() {
        let mesh = TriMesh::icosphere(1.0, 1).unwrap();
        for levels in [12, 64, usize::MAX] {
            assert!(matches!(
                mesh.subdivide(levels, Subdivision::Loop),
                Err(GenerateError::TooManyElements { .. })
            ));
        }
        let empty = TriMesh::default().subdivide(usize::MAX, Subdivision::Midpoint).unwrap();
        assert_eq!(empty, TriMesh::default());
    }
}
