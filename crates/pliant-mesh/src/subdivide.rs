//! Subdivision of surfaces: each triangle becomes four.
//!
//! Used to make a fine visual surface from a coarse one. New vertices stand behind the old ones, one per edge
//! in the order of [`unique_edges`](crate::unique_edges); triangle t becomes the triangles 4 t to 4 t + 3,
//! its corners first and its middle last.

mod refinement;
mod ring;

use std::ops::{Add, Mul, Sub};

use crate::TriMesh;
use crate::edges::{NumberedEdges, numbered_edges};
use crate::generate::{GenerateError, check_elements};

pub use refinement::Refinement;

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

/// Refuses more triangles than can be numbered.
fn check_levels(mesh: &TriMesh, levels: usize) -> Result<(), GenerateError> {
    // Beyond 31 levels a single triangle is too much, and the product need not be computed.
    let factors: Vec<usize> =
        std::iter::once(mesh.triangles().len()).chain(std::iter::repeat_n(4, levels.min(31))).collect();
    check_elements("subdivided surface", &factors)
}

fn once(mesh: &TriMesh, scheme: Subdivision) -> TriMesh {
    let cut = Cut::new(mesh.triangles());
    let positions = cut.values(mesh.positions(), scheme);
    TriMesh::new(positions, cut.triangles(mesh.triangles(), mesh.positions().len()))
        .expect("means of finite positions are finite and every vertex is there")
}

/// What the rules average: positions, or [weights](refinement::Row) of positions.
trait Average: Clone + Default + Add<Output = Self> + Sub<Output = Self> + Mul<f64, Output = Self> {}

impl<V: Clone + Default + Add<Output = V> + Sub<Output = V> + Mul<f64, Output = V>> Average for V {}

/// One subdivision of some triangles.
struct Cut {
    numbered: NumberedEdges,
    sides: EdgeSides,
}

impl Cut {
    fn new(triangles: &[[u32; 3]]) -> Self {
        let numbered = numbered_edges(triangles);
        let sides = EdgeSides::new(triangles, numbered.edges.len(), &numbered.edge_of_slot);
        Self { numbered, sides }
    }

    /// The values at the old vertices, then those at the new ones.
    fn values<V: Average>(&self, old: &[V], scheme: Subdivision) -> Vec<V> {
        let edges = &self.numbered.edges;
        let mut values;
        match scheme {
            Subdivision::Midpoint => {
                values = old.to_vec();
                values.extend(edges.iter().map(|&e| middle(old, e)));
            }
            Subdivision::Loop => {
                values = moved_vertices(old, edges, &self.sides);
                values.extend(edges.iter().zip(&self.sides.0).map(|(&edge, side)| match *side {
                    // 3/8 of the ends and 1/8 of the vertices across.
                    Side::Smooth(across) => middle(old, edge) * 0.75 + middle(old, across) * 0.25,
                    Side::Sharp => middle(old, edge),
                }));
            }
        }
        values
    }

    /// The four parts of each triangle, of vertices of which so many are old.
    fn triangles(&self, old: &[[u32; 3]], vertices: usize) -> Vec<[u32; 3]> {
        let mut triangles = Vec::with_capacity(4 * old.len());
        for (&[a, b, c], edges) in old.iter().zip(self.numbered.edge_of_slot.chunks_exact(3)) {
            let [ab, bc, ca] = [0, 1, 2].map(|k| vertices as u32 + edges[k]);
            triangles.extend([[a, ab, ca], [b, bc, ab], [c, ca, bc], [ab, bc, ca]]);
        }
        triangles
    }
}

fn middle<V: Average>(values: &[V], [a, b]: [u32; 2]) -> V {
    // Half of each first, so that no finite positions overflow.
    values[a as usize].clone() * 0.5 + values[b as usize].clone() * 0.5
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
    fn new(triangles: &[[u32; 3]], edges: usize, edge_of_slot: &[u32]) -> Self {
        let mut found = vec![(0_u32, [0_u32; 2]); edges];
        for (slot, &edge) in edge_of_slot.iter().enumerate() {
            let (count, across) = &mut found[edge as usize];
            if let Some(place) = across.get_mut(*count as usize) {
                *place = triangles[slot / 3][(slot + 2) % 3];
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

/// The values at old vertices in their new places.
fn moved_vertices<V: Average>(old: &[V], edges: &[[u32; 2]], sides: &EdgeSides) -> Vec<V> {
    #[derive(Clone, Default)]
    struct Ring<V> {
        count: u32,
        sum: V,
    }
    impl<V: Average> Ring<V> {
        fn add(&mut self, step: V) {
            self.count += 1;
            self.sum = std::mem::take(&mut self.sum) + step;
        }
    }
    let mut all = vec![Ring::<V>::default(); old.len()];
    let mut sharp = vec![Ring::<V>::default(); old.len()];
    for (&[a, b], side) in edges.iter().zip(&sides.0) {
        for (v, other) in [(a as usize, b as usize), (b as usize, a as usize)] {
            // Sums of differences, which are exact to the size of the ring and not of the coordinates.
            let step = old[other].clone() - old[v].clone();
            if matches!(side, Side::Sharp) {
                sharp[v].add(step.clone());
            }
            all[v].add(step);
        }
    }
    old.iter()
        .zip(all.into_iter().zip(sharp))
        .map(|(p, (all, sharp))| match (sharp.count, all.count) {
            (0, 0) => p.clone(),
            (0, n) => p.clone() + all.sum * loop_weight(n),
            (2, _) => p.clone() + sharp.sum * 0.125,
            _ => p.clone(),
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
