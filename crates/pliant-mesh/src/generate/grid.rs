//! A sheet of cloth.

use nalgebra::Vector3;

use super::check::{Check, GenerateError};
use super::turn::centred;
use crate::TriMesh;

/// Which diagonals divide the cells of a [`TriMesh::grid`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Diagonals {
    /// All the same way. The sheet then resists shear unevenly: less along the diagonals than across them.
    #[default]
    Parallel,
    /// Alternating, like the squares of a chessboard.
    Alternating,
}

impl TriMesh {
    /// A horizontal sheet of `vertices[0]` × `vertices[1]` vertices and `size[0]` × `size[1]` metres (x and
    /// z), with all diagonals the same way and its upper side outwards.
    ///
    /// Vertex `j * vertices[0] + i` is number `i` along +x and number `j` along −z. A cell with the vertices
    /// p0, p1 = p0 + 1, p2 = p0 + `vertices[0]` and p3 = p2 + 1 has the triangles (p0, p1, p2) and (p1, p3,
    /// p2). Turned by a quarter about +x the sheet stands upright with its rows from bottom to top.
    ///
    /// ```
    /// use pliant_mesh::TriMesh;
    ///
    /// let sheet = TriMesh::grid([11, 21], [1.0, 2.0])?;
    /// assert_eq!((sheet.positions().len(), sheet.triangles().len()), (231, 400));
    /// assert!((sheet.area() - 2.0).abs() < 1e-12);
    /// # Ok::<(), pliant_mesh::GenerateError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If there are fewer than two vertices one way, or far too many, or a size is not positive.
    pub fn grid(vertices: [usize; 2], size: [f64; 2]) -> Result<Self, GenerateError> {
        Self::grid_with(vertices, size, Diagonals::Parallel)
    }

    /// A sheet as [`grid`](Self::grid) makes it, with a choice of the diagonals.
    ///
    /// # Errors
    ///
    /// As for [`grid`](Self::grid).
    pub fn grid_with(
        vertices: [usize; 2],
        size: [f64; 2],
        diagonals: Diagonals,
    ) -> Result<Self, GenerateError> {
        let check = Check { shape: "grid" };
        check.count("vertices along x", vertices[0], 2)?;
        check.count("vertices along z", vertices[1], 2)?;
        check.length("size along x", size[0])?;
        check.length("size along z", size[1])?;
        check.elements(&[2, vertices[0], vertices[1]])?;

        let [nx, nz] = vertices;
        let mut positions = Vec::with_capacity(nx * nz);
        for j in 0..nz {
            for i in 0..nx {
                let (x, z) = (centred(i, nx - 1, size[0]), -centred(j, nz - 1, size[1]));
                positions.push(Vector3::new(x, 0.0, z));
            }
        }
        let mut triangles = Vec::with_capacity(2 * (nx - 1) * (nz - 1));
        for j in 0..nz - 1 {
            for i in 0..nx - 1 {
                let p0 = (j * nx + i) as u32;
                let (p1, p2) = (p0 + 1, p0 + nx as u32);
                let p3 = p2 + 1;
                if diagonals == Diagonals::Alternating && (i + j) % 2 == 1 {
                    triangles.extend([[p0, p1, p3], [p0, p3, p2]]);
                } else {
                    triangles.extend([[p0, p1, p2], [p1, p3, p2]]);
                }
            }
        }
        Ok(Self::new(positions, triangles).expect("a grid names its own vertices"))
    }
}
