//! A block of tetrahedra.

use nalgebra::Vector3;

use super::check::{Check, GenerateError};
use crate::TetMesh;

/// How the cells of a [`TetMesh::block`] are divided into tetrahedra.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Split {
    /// Six tetrahedra around the diagonal from the least to the greatest corner (Kuhn 1960). All cells are divided
    /// alike, all tetrahedra are congruent in a cubic cell, with dihedral angles of 45°, 60° and 90°.
    #[default]
    Kuhn,
    /// Five tetrahedra, one in the middle and four at corners, mirrored from cell to cell. Fewer elements and no
    /// preferred diagonal.
    Five,
}

/// Corners of a cell as steps along x, y and z: corner `4 a + 2 b + c` is (a, b, c).
const KUHN: [[usize; 4]; 6] =
    [[0, 4, 6, 7], [0, 5, 4, 7], [0, 6, 2, 7], [0, 2, 3, 7], [0, 1, 5, 7], [0, 3, 1, 7]];

/// The five tetrahedra of a cell with an even sum of indices; the others are mirror images along x.
const FIVE: [[usize; 4]; 5] = [[0, 4, 2, 1], [4, 6, 2, 7], [4, 1, 5, 7], [2, 1, 7, 3], [4, 2, 1, 7]];

impl TetMesh {
    /// A block of `cells[0]` × `cells[1]` × `cells[2]` cells from the origin to `size` metres (x, y, z).
    ///
    /// Vertices are numbered with z fastest: vertex (i, j, k) is `(i * (cells[1] + 1) + j) * (cells[2] + 1) + k`, from
    /// the least corner on. Cells follow each other in the same order.
    ///
    /// ```
    /// use pliant_mesh::{Split, TetMesh};
    ///
    /// let block = TetMesh::block([2, 3, 4], [0.2, 0.3, 0.4], Split::Kuhn)?;
    /// assert_eq!((block.positions().len(), block.tets().len()), (60, 144));
    /// assert!((block.volume() - 0.024).abs() < 1e-15);
    /// # Ok::<(), pliant_mesh::GenerateError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If there is no cell one way, or there are far too many, or a size is not positive.
    pub fn block(cells: [usize; 3], size: [f64; 3], split: Split) -> Result<Self, GenerateError> {
        let check = Check { shape: "block" };
        for (what, n) in ["cells along x", "cells along y", "cells along z"].into_iter().zip(cells) {
            check.count(what, n, 1)?;
        }
        for (what, s) in ["size along x", "size along y", "size along z"].into_iter().zip(size) {
            check.length(what, s)?;
        }
        check.elements(&[6, cells[0], cells[1], cells[2]])?;

        let [nx, ny, nz] = cells;
        let at = |step: usize, steps: usize, size: f64| size * step as f64 / steps as f64;
        let vertex = |i: usize, j: usize, k: usize| ((i * (ny + 1) + j) * (nz + 1) + k) as u32;
        let mut positions = Vec::with_capacity((nx + 1) * (ny + 1) * (nz + 1));
        for i in 0..=nx {
            for j in 0..=ny {
                for k in 0..=nz {
                    positions.push(Vector3::new(at(i, nx, size[0]), at(j, ny, size[1]), at(k, nz, size[2])));
                }
            }
        }
        let mut tets = Vec::with_capacity(6 * nx * ny * nz);
        for i in 0..nx {
            for j in 0..ny {
                for k in 0..nz {
                    let corner = |c: usize| vertex(i + (c >> 2), j + ((c >> 1) & 1), k + (c & 1));
                    match split {
                        Split::Kuhn => tets.extend(KUHN.map(|tet| tet.map(corner))),
                        Split::Five if (i + j + k) % 2 == 0 => tets.extend(FIVE.map(|tet| tet.map(corner))),
                        // The mirror image turns tetrahedra inside out; exchanging two corners turns them back.
                        Split::Five => {
                            tets.extend(FIVE.map(|[a, b, c, d]| [b, a, c, d].map(|at| corner(at ^ 4))));
                        }
                    }
                }
            }
        }
        Ok(Self::new(positions, tets).expect("a block names its own vertices"))
    }
}
