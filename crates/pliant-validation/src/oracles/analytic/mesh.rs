//! The tetrahedral meshes that files of `analytic/` are simulated on.

use std::path::Path;

use nalgebra::Vector3;
use serde::Deserialize;

use super::super::verdict::Problem;

#[derive(Deserialize)]
pub(super) struct Mesh {
    pub(super) verts: Vec<[f64; 3]>,
    pub(super) tets: Vec<[u32; 4]>,
    pub(super) edges: Option<Vec<[u32; 2]>>,
}

impl Mesh {
    /// The mesh of that name beside a file.
    pub(super) fn beside(path: &Path, name: &str) -> Result<Self, Problem> {
        let bytes = std::fs::read(path.with_file_name(name)).map_err(|e| Problem(format!("{name}: {e}")))?;
        serde_json::from_slice(&bytes).map_err(|e| Problem(format!("{name}: {e}")))
    }

    /// Cubes of edge `size`, m, from the origin on, six tetrahedra each about the diagonal (1, 1, 1); z runs
    /// fastest in the numbers of the vertices.
    pub(super) fn kuhn(cells: [u32; 3], size: f64) -> Self {
        const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0], [1, 0, 2]];
        let [nx, ny, nz] = cells;
        let at = |[i, j, k]: [u32; 3]| (i * (ny + 1) + j) * (nz + 1) + k;
        let lattice = |nx, ny, nz| {
            (0..nx).flat_map(move |i| (0..ny).flat_map(move |j| (0..nz).map(move |k| [i, j, k])))
        };
        let verts = lattice(nx + 1, ny + 1, nz + 1).map(|v| v.map(|c| f64::from(c) * size)).collect();
        let mut tets = Vec::new();
        for cell in lattice(nx, ny, nz) {
            for (n, order) in ORDERS.iter().enumerate() {
                // A walk along the axes from one corner to the opposite one.
                let mut walk = [cell; 4];
                for step in 0..3 {
                    walk[step + 1] = walk[step];
                    walk[step + 1][order[step]] += 1;
                }
                let [a, b, c, d] = walk.map(at);
                tets.push(if n < 3 { [a, b, c, d] } else { [a, c, b, d] });
            }
        }
        Self { verts, tets, edges: None }
    }

    /// The positions of a tetrahedron, m.
    pub(super) fn corners(&self, tet: &[u32; 4]) -> [Vector3<f64>; 4] {
        tet.map(|v| self.verts[v as usize].into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_fill_the_box() {
        let mesh = Mesh::kuhn([4, 2, 3], 0.5);
        assert_eq!((mesh.verts.len(), mesh.tets.len()), (5 * 3 * 4, 6 * 24));
        let volumes: Vec<f64> = mesh.tets.iter().map(|t| pliant_mesh::tet_volume(&mesh.corners(t))).collect();
        assert!(volumes.iter().all(|v| (v - 0.125 / 6.0).abs() < 1e-15));
    }
}
