//! Subdivision of surfaces: each triangle becomes four.
//!
//! Used to make a fine visual surface from a coarse one. New vertices stand behind the old ones, one per edge
//! in the order of [`unique_edges`](crate::unique_edges); triangle t becomes the triangles 4 t to 4 t + 3,
//! its corners first and its middle last.

use nalgebra::Vector3;

use crate::TriMesh;
use crate::edges::numbered_edges;
use crate::generate::{GenerateError, check_elements};

/// Where [`TriMesh::subdivide`] puts the vertices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Subdivision {
    /// Old vertices stay, new ones stand in the middle of their edges: the same surface in more triangles.
    #[default]
    Midpoint,
    /// Loop's scheme (Loop 1987): the surface becomes smooth, and shrinks a little where it is round. Boundaries become
    /// smooth curves that depend on the boundary alone; so do edges of more than two triangles. A vertex where one or
    /// more than two such lines meet stays where it is.
    Loop,
}

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
        // Beyond 31 levels a single triangle is too much, and the product need not be computed.
        let factors: Vec<usize> =
            std::iter::once(self.triangles().len()).chain(std::iter::repeat_n(4, levels.min(31))).collect();
        check_elements("subdivided surface", &factors)?;
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
    let old = mesh.positions();
    let numbered = numbered_edges(mesh.triangles());
    let mut positions = match scheme {
        Subdivision::Midpoint => old.to_vec(),
        Subdivision::Loop => Vec::new(),
    };
    match scheme {
        Subdivision::Midpoint => positions.extend(numbered.edges.iter().map(|&e| middle(old, e))),
        Subdivision::Loop => {
            let sides = EdgeSides::new(mesh, &numbered.edges, &numbered.edge_of_slot);
            positions.extend(moved_vertices(old, &numbered.edges, &sides));
            positions.extend(numbered.edges.iter().zip(&sides.0).map(|(&edge, side)| match *side {
                // 3/8 of the ends and 1/8 of the vertices across.
                Side::Smooth(across) => 0.75 * middle(old, edge) + 0.25 * middle(old, across),
                Side::Sharp => middle(old, edge),
            }));
        }
    }
    let mut triangles = Vec::with_capacity(4 * mesh.triangles().len());
    for (&[a, b, c], edges) in mesh.triangles().iter().zip(numbered.edge_of_slot.chunks_exact(3)) {
        let [ab, bc, ca] = [0, 1, 2].map(|k| old.len() as u32 + edges[k]);
        triangles.extend([[a, ab, ca], [b, bc, ab], [c, ca, bc], [ab, bc, ca]]);
    }
    TriMesh::new(positions, triangles)
        .expect("means of finite positions are finite and every vertex is there")
}

fn middle(positions: &[Vector3<f64>], [a, b]: [u32; 2]) -> Vector3<f64> {
    // Half of each first, so that no finite positions overflow.
    0.5 * positions[a as usize] + 0.5 * positions[b as usize]
}

/// The triangles at an edge.
#[derive(Clone, Copy)]
enum Side {
    /// Two triangles, with these vertices across the edge.
    Smooth([u32; 2]),
    /// One triangle, or more than two.
    Sharp,
}

struct EdgeSides(Vec<Side>);

impl EdgeSides {
    fn new(mesh: &TriMesh, edges: &[[u32; 2]], edge_of_slot: &[u32]) -> Self {
        let mut found = vec![(0_u32, [0_u32; 2]); edges.len()];
        for (slot, &edge) in edge_of_slot.iter().enumerate() {
            let (count, across) = &mut found[edge as usize];
            if let Some(place) = across.get_mut(*count as usize) {
                *place = mesh.triangles()[slot / 3][(slot + 2) % 3];
            }
            *count += 1;
        }
        Self(
            found
                .into_iter()
                .map(|(n, across)| if n == 2 { Side::Smooth(across) } else { Side::Sharp })
                .collect(),
        )
    }
}

/// Old vertices at their new places.
fn moved_vertices(old: &[Vector3<f64>], edges: &[[u32; 2]], sides: &EdgeSides) -> Vec<Vector3<f64>> {
    #[derive(Clone, Copy)]
    struct Ring {
        count: u32,
        sum: Vector3<f64>,
    }
    let empty = Ring { count: 0, sum: Vector3::zeros() };
    let mut all = vec![empty; old.len()];
    let mut sharp = vec![empty; old.len()];
    for (&[a, b], side) in edges.iter().zip(&sides.0) {
        for (v, other) in [(a as usize, b as usize), (b as usize, a as usize)] {
            // Sums of differences, which are exact to the size of the ring and not of the coordinates.
            let step = old[other] - old[v];
            all[v].count += 1;
            all[v].sum += step;
            if matches!(side, Side::Sharp) {
                sharp[v].count += 1;
                sharp[v].sum += step;
            }
        }
    }
    old.iter()
        .zip(all.iter().zip(&sharp))
        .map(|(&p, (all, sharp))| match (sharp.count, all.count) {
            (0, 0) => p,
            (0, n) => p + loop_weight(n) * all.sum,
            (2, _) => p + 0.125 * sharp.sum,
            _ => p,
        })
        .collect()
}

/// Loop's weight of each of `n` neighbours: (5/8 − (3/8 + cos(2π/n)/4)²) / n.
fn loop_weight(n: u32) -> f64 {
    let n = f64::from(n);
    let root = 0.375 + 0.25 * libm::cos(std::f64::consts::TAU / n);
    (0.625 - root * root) / n
}

#[cfg(test)]
mod tests {
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
