//! [`TriMesh`]: a surface of triangles.

use std::sync::Arc;

use nalgebra::Vector3;

use crate::check::{check_elements, check_positions};
use crate::enclosed::enclosed_volume;
use crate::error::MeshError;

/// A triangle mesh: vertex positions in metres and counter-clockwise triangles of vertex indices.
///
/// The checks on construction hold for the lifetime of the value: every index is in range, no
/// triangle names a vertex twice, every coordinate is finite. Geometry is *not* checked: a triangle may
/// have no area, an edge may have more than two triangles, vertices may be unused.
///
/// Copies share their arrays: a clone costs nothing, and a mesh at other positions has the same list of triangles.
///
/// ```
/// use nalgebra::Vector3;
/// use pliant_mesh::TriMesh;
///
/// let mesh = TriMesh::new(
///     vec![Vector3::zeros(), Vector3::x(), Vector3::y()],
///     vec![[0, 1, 2]],
/// )?;
/// assert_eq!(mesh.area(), 0.5);
/// assert!(TriMesh::new(vec![Vector3::zeros()], vec![[0, 1, 2]]).is_err());
/// # Ok::<(), pliant_mesh::MeshError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TriMesh {
    positions: Arc<Vec<Vector3<f64>>>,
    triangles: Arc<Vec<[u32; 3]>>,
}

impl TriMesh {
    /// Builds a mesh from its arrays.
    ///
    /// # Errors
    ///
    /// The first element with an index out of range or a repeated vertex, or the first vertex whose
    /// position is not finite.
    pub fn new(positions: Vec<Vector3<f64>>, triangles: Vec<[u32; 3]>) -> Result<Self, MeshError> {
        check_elements("triangle", &positions, &triangles)?;
        Ok(Self { positions: Arc::new(positions), triangles: Arc::new(triangles) })
    }

    /// Vertex positions, metres.
    #[must_use]
    pub fn positions(&self) -> &[Vector3<f64>] {
        &self.positions
    }

    /// Triangles as vertex indices, counter-clockwise seen from outside.
    #[must_use]
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// Corner positions of triangle `t`.
    ///
    /// # Panics
    ///
    /// If there is no triangle `t`.
    #[must_use]
    pub fn corners(&self, t: usize) -> [Vector3<f64>; 3] {
        self.triangles[t].map(|v| self.positions[v as usize])
    }

    /// Area of triangle `t`, m².
    ///
    /// # Panics
    ///
    /// If there is no triangle `t`.
    #[must_use]
    pub fn triangle_area(&self, t: usize) -> f64 {
        let [a, b, c] = self.corners(t);
        0.5 * (b - a).cross(&(c - a)).norm()
    }

    /// Sum of the triangle areas, m².
    #[must_use]
    pub fn area(&self) -> f64 {
        (0..self.triangles.len()).map(|t| self.triangle_area(t)).sum()
    }

    /// Volume enclosed by a closed, outward-oriented surface, m³ (the divergence theorem; meaningless for an
    /// open surface).
    #[must_use]
    pub fn enclosed_volume(&self) -> f64 {
        enclosed_volume(&self.positions, &self.triangles)
    }

    /// The same triangles at other positions.
    ///
    /// # Errors
    ///
    /// If a position is not finite, or if there are fewer positions than the triangles refer to.
    pub fn with_positions(&self, positions: Vec<Vector3<f64>>) -> Result<Self, MeshError> {
        check_elements("triangle", &positions, &self.triangles)?;
        Ok(Self { positions: Arc::new(positions), triangles: Arc::clone(&self.triangles) })
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
    /// use pliant_mesh::TriMesh;
    ///
    /// let above = TriMesh::grid([3, 3], [1.0, 1.0])?.translated([0.0, 1.5, 0.0])?;
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

    /// Takes the mesh apart into positions and triangles.
    #[must_use]
    pub fn into_parts(self) -> (Vec<Vector3<f64>>, Vec<[u32; 3]>) {
        (Arc::unwrap_or_clone(self.positions), Arc::unwrap_or_clone(self.triangles))
    }
}
