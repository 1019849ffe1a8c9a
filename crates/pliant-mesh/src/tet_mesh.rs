//! [`TetMesh`]: a solid of tetrahedra.

use std::cmp::Ordering;
use std::sync::Arc;

use nalgebra::Vector3;

use crate::check::{check_elements, check_positions};
use crate::error::MeshError;
use crate::quality::{tet_volume, volume_sign};

/// A tetrahedral mesh: vertex positions in metres and tetrahedra of four vertex indices.
///
/// A tetrahedron (0, 1, 2, 3) has a positive volume when vertex 3 lies on the side of the triangle
/// (0, 1, 2) from which that triangle is counter-clockwise. As with [`TriMesh`](crate::TriMesh), indices and
/// coordinates are checked on construction and geometry is not: [`TetMesh::inverted`] lists the elements that are flat
/// or inside out. Copies share their arrays, as those of a surface do.
///
/// ```
/// use nalgebra::Vector3;
/// use pliant_mesh::TetMesh;
///
/// let tet = TetMesh::new(
///     vec![Vector3::zeros(), Vector3::x(), Vector3::y(), Vector3::z()],
///     vec![[0, 1, 2, 3]],
/// )?;
/// assert_eq!(tet.volume(), 1.0 / 6.0);
/// # Ok::<(), pliant_mesh::MeshError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TetMesh {
    positions: Arc<Vec<Vector3<f64>>>,
    tets: Arc<Vec<[u32; 4]>>,
}

impl TetMesh {
    /// Builds a mesh from its arrays.
    ///
    /// # Errors
    ///
    /// The first element with an index out of range or a repeated vertex, or the first vertex whose
    /// position is not finite.
    pub fn new(positions: Vec<Vector3<f64>>, tets: Vec<[u32; 4]>) -> Result<Self, MeshError> {
        check_elements("tetrahedron", &positions, &tets)?;
        Ok(Self { positions: Arc::new(positions), tets: Arc::new(tets) })
    }

    /// Vertex positions, metres.
    #[must_use]
    pub fn positions(&self) -> &[Vector3<f64>] {
        &self.positions
    }

    /// Tetrahedra as vertex indices.
    #[must_use]
    pub fn tets(&self) -> &[[u32; 4]] {
        &self.tets
    }

    /// Corner positions of tetrahedron `t`.
    ///
    /// # Panics
    ///
    /// If there is no tetrahedron `t`.
    #[inline]
    #[must_use]
    pub fn corners(&self, t: usize) -> [Vector3<f64>; 4] {
        // One by one: mapped, they would be stored and loaded again in pieces of another size, which waits for memory.
        let [a, b, c, d] = self.tets[t];
        let at = |v: u32| self.positions[v as usize];
        [at(a), at(b), at(c), at(d)]
    }

    /// Signed volume of tetrahedron `t`, m³; negative when it is inverted.
    ///
    /// # Panics
    ///
    /// If there is no tetrahedron `t`.
    #[must_use]
    pub fn tet_volume(&self, t: usize) -> f64 {
        tet_volume(&self.corners(t))
    }

    /// Sum of the signed volumes, m³.
    #[must_use]
    pub fn volume(&self) -> f64 {
        (0..self.tets.len()).map(|t| self.tet_volume(t)).sum()
    }

    /// Indices of the tetrahedra whose volume is not positive beyond rounding: at most `1e-12` of the cube of the
    /// element's longest edge. Such elements cannot be simulated as they are.
    #[must_use]
    pub fn inverted(&self) -> Vec<usize> {
        (0..self.tets.len()).filter(|&t| volume_sign(&self.corners(t)) != Ordering::Greater).collect()
    }

    /// The same tetrahedra at other positions.
    ///
    /// # Errors
    ///
    /// If a position is not finite, or if there are fewer positions than the tetrahedra refer to.
    pub fn with_positions(&self, positions: Vec<Vector3<f64>>) -> Result<Self, MeshError> {
        check_elements("tetrahedron", &positions, &self.tets)?;
        Ok(Self { positions: Arc::new(positions), tets: Arc::clone(&self.tets) })
    }

    /// The same mesh with `map` applied to every position, m. If no copy shares the positions, they are
    /// changed in place.
    ///
    /// # Errors
    ///
    /// If a position would not be finite.
    pub fn map_positions(
        mut self,
        mut map: impl FnMut(&Vector3<f64>) -> Vector3<f64>,
    ) -> Result<Self, MeshError> {
        Arc::make_mut(&mut self.positions).iter_mut().for_each(|x| *x = map(x));
        check_positions(&self.positions)?;
        Ok(self)
    }

    /// The same mesh, moved by a vector, m.
    ///
    /// ```
    /// use pliant_mesh::TetMesh;
    ///
    /// let above = TetMesh::ball(0.3, 2)?.translated([0.0, 1.5, 0.0])?;
    /// assert!(above.positions().iter().all(|x| x.y > 1.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If a position would not be finite.
    pub fn translated(&self, by: impl Into<Vector3<f64>>) -> Result<Self, MeshError> {
        let by = by.into();
        self.clone().map_positions(|x| x + by)
    }

    /// Takes the mesh apart into positions and tetrahedra.
    #[must_use]
    pub fn into_parts(self) -> (Vec<Vector3<f64>>, Vec<[u32; 4]>) {
        (Arc::unwrap_or_clone(self.positions), Arc::unwrap_or_clone(self.tets))
    }
}
