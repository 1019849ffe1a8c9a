//! Random small meshes that a solver can work on: manifold, every element with a positive area or volume,
//! every vertex used.

use nalgebra::Vector3;
use pliant_mesh::{TetMesh, TriMesh};
use proptest::prelude::*;

use crate::strategies::rigid_motion;

/// A crumpled sheet of 2 to 50 triangles with a boundary, its vertices in random order.
pub fn tri_mesh() -> impl Strategy<Value = TriMesh> {
    (1..=5_usize, 1..=5_usize)
        .prop_flat_map(|(nx, ny)| {
            let vertices = (nx + 1) * (ny + 1);
            let jitter = prop::collection::vec(prop::array::uniform::<_, 3>(-0.2..=0.2), vertices);
            let diagonals = prop::collection::vec(any::<bool>(), nx * ny);
            (Just(nx), jitter, diagonals, shuffled(vertices), rigid_motion(2.0), -1.0..=1.0)
        })
        .prop_map(|(nx, jitter, diagonals, order, motion, size)| {
            let scale = 10.0_f64.powf(size);
            let place = |v: usize| {
                let corner = Vector3::new((v % (nx + 1)) as f64, (v / (nx + 1)) as f64, 0.0);
                motion.apply(&(corner + Vector3::from(jitter[v]))) * scale
            };
            let mut triangles = Vec::new();
            for (cell, &diagonal) in diagonals.iter().enumerate() {
                let a = cell / nx * (nx + 1) + cell % nx;
                let (b, c, d) = (a + 1, a + nx + 1, a + nx + 2);
                triangles.extend(if diagonal { [[a, b, d], [a, d, c]] } else { [[a, b, c], [b, d, c]] });
            }
            let (x, triangles) = renumber(&order, place, &triangles);
            TriMesh::new(x, triangles).expect("a jittered grid has finite vertices and distinct corners")
        })
}

/// A deformed block of 6 to 162 tetrahedra of positive volume, its vertices in random order.
pub fn tet_mesh() -> impl Strategy<Value = TetMesh> {
    (1..=3_usize, 1..=3_usize, 1..=3_usize)
        .prop_flat_map(|cells| {
            let vertices = (cells.0 + 1) * (cells.1 + 1) * (cells.2 + 1);
            let jitter = prop::collection::vec(prop::array::uniform::<_, 3>(-0.1..=0.1), vertices);
            (Just(cells), jitter, shuffled(vertices), rigid_motion(2.0), -1.0..=1.0)
        })
        .prop_map(|((nx, ny, nz), jitter, order, motion, size)| {
            let scale = 10.0_f64.powf(size);
            let index = |i: usize, j: usize, k: usize| (k * (ny + 1) + j) * (nx + 1) + i;
            let place = |v: usize| {
                let (i, j, k) = (v % (nx + 1), v / (nx + 1) % (ny + 1), v / ((nx + 1) * (ny + 1)));
                motion.apply(&(Vector3::new(i as f64, j as f64, k as f64) + Vector3::from(jitter[v]))) * scale
            };
            let mut tets = Vec::new();
            for k in 0..nz {
                for j in 0..ny {
                    for i in 0..nx {
                        let corner = |c: usize| index(i + (c & 1), j + (c >> 1 & 1), k + (c >> 2));
                        tets.extend(KUHN.map(|tet| tet.map(corner)));
                    }
                }
            }
            let (x, tets) = renumber(&order, place, &tets);
            TetMesh::new(x, tets).expect("a jittered block has finite vertices and distinct corners")
        })
}

/// Kuhn's six tetrahedra of a cube, corners numbered x + 2y + 4z: the six paths from corner 0 to corner 7, oriented.
const KUHN: [[usize; 4]; 6] =
    [[0, 1, 3, 7], [0, 3, 2, 7], [0, 2, 6, 7], [0, 6, 4, 7], [0, 4, 5, 7], [0, 5, 1, 7]];

fn shuffled(n: usize) -> impl Strategy<Value = Vec<usize>> {
    Just((0..n).collect::<Vec<_>>()).prop_shuffle()
}

/// Vertex `v` becomes vertex `order[v]`.
fn renumber<const N: usize>(
    order: &[usize],
    place: impl Fn(usize) -> Vector3<f64>,
    elements: &[[usize; N]],
) -> (Vec<Vector3<f64>>, Vec<[u32; N]>) {
    let mut x = vec![Vector3::zeros(); order.len()];
    for (v, &to) in order.iter().enumerate() {
        x[to] = place(v);
    }
    let number = |v: usize| u32::try_from(order[v]).expect("a small mesh has few vertices");
    (x, elements.iter().map(|e| e.map(number)).collect())
}
