//! The boundary surface of a tetrahedral mesh.

use nalgebra::Vector3;

use crate::{TetMesh, TriMesh};

/// Corners of the faces of a tetrahedron: face `k` lies opposite corner `k` and is counter-clockwise seen from outside
/// when the tetrahedron's volume is positive.
pub const TET_FACES: [[usize; 3]; 4] = [[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]];

/// The boundary of a solid as a mesh of its own.
#[derive(Debug, Clone, PartialEq)]
pub struct Surface {
    /// The boundary triangles with the vertices that they use, oriented outwards.
    pub mesh: TriMesh,
    /// The solid's vertex behind each vertex of `mesh`, ascending.
    pub vertex_of: Vec<u32>,
}

impl Surface {
    /// Picks the surface's vertices out of an array over the vertices of the solid.
    ///
    /// # Panics
    ///
    /// If `solid` is shorter than the vertices of the solid.
    #[must_use]
    pub fn gather<T: Copy>(&self, solid: &[T]) -> Vec<T> {
        self.vertex_of.iter().map(|&v| solid[v as usize]).collect()
    }
}

impl TetMesh {
    /// The boundary triangles in the solid's own vertex numbers: the faces that belong to one tetrahedron only.
    ///
    /// They stand in the order of the tetrahedra, and of [`TET_FACES`] within each. A tetrahedron of negative volume
    /// turns its faces round, so that triangles face outwards in the given positions whichever way the elements of the
    /// file are numbered.
    #[must_use]
    pub fn boundary_triangles(&self) -> Vec<[u32; 3]> {
        self.look_at_faces().boundary
    }

    /// What there is to know of the faces, in one look at all of them.
    pub(crate) fn look_at_faces(&self) -> Faces {
        let mut alone = vec![false; 4 * self.tets().len()];
        let (mut crowded, mut repeated) = (Vec::new(), false);
        // Face k lies opposite corner k: tetrahedra that share a face and what is opposite are one and the same.
        let opposite = |slot: u32| self.tets()[slot as usize / 4][slot as usize % 4];
        for_each_face(self, |slots| {
            if let [slot] = *slots {
                alone[slot as usize] = true;
                return;
            }
            for (i, &slot) in slots.iter().enumerate() {
                repeated |= slots[..i].iter().any(|&other| opposite(other) == opposite(slot));
            }
            if slots.len() > 2 {
                let slot = slots[0] as usize;
                let mut face = TET_FACES[slot % 4].map(|k| self.tets()[slot / 4][k]);
                face.sort_unstable();
                crowded.push(face);
            }
        });
        let boundary = (0..alone.len()).filter(|&slot| alone[slot]).map(|slot| face(self, slot)).collect();
        Faces { boundary, crowded, repeated }
    }

    /// The boundary as a surface mesh.
    ///
    /// ```
    /// use pliant_mesh::TetMesh;
    /// # use nalgebra::Vector3;
    /// # let corners = vec![Vector3::zeros(), Vector3::x(), Vector3::y(), Vector3::z()];
    /// let tet = TetMesh::new(corners, vec![[0, 1, 2, 3]])?;
    /// let surface = tet.surface();
    /// assert_eq!(surface.mesh.triangles().len(), 4);
    /// assert!(surface.mesh.hinges().is_closed());
    /// assert!((surface.mesh.enclosed_volume() - tet.volume()).abs() < 1e-15);
    /// # Ok::<(), pliant_mesh::MeshError>(())
    /// ```
    #[must_use]
    pub fn surface(&self) -> Surface {
        self.surface_of(self.boundary_triangles())
    }

    /// Those triangles of the boundary as a mesh of their own.
    pub(crate) fn surface_of(&self, mut triangles: Vec<[u32; 3]>) -> Surface {
        let mut new_of: Vec<Option<u32>> = vec![None; self.positions().len()];
        for &v in triangles.iter().flatten() {
            new_of[v as usize] = Some(0);
        }
        let mut vertex_of = Vec::new();
        for (v, new) in (0_u32..).zip(&mut new_of) {
            if let Some(number) = new {
                *number = vertex_of.len() as u32;
                vertex_of.push(v);
            }
        }
        for v in triangles.iter_mut().flatten() {
            *v = new_of[*v as usize].expect("every vertex of a boundary triangle has been numbered");
        }
        let positions: Vec<Vector3<f64>> = vertex_of.iter().map(|&v| self.positions()[v as usize]).collect();
        let mesh = TriMesh::new(positions, triangles).expect("faces of a valid solid are valid triangles");
        Surface { mesh, vertex_of }
    }
}

/// What there is to know of the faces of a solid.
pub(crate) struct Faces {
    /// Those of one tetrahedron, as [`TetMesh::boundary_triangles`] has them.
    pub(crate) boundary: Vec<[u32; 3]>,
    /// Those of more than two tetrahedra; vertices ascending.
    pub(crate) crowded: Vec<[u32; 3]>,
    /// Whether a tetrahedron has the vertices of another one.
    pub(crate) repeated: bool,
}

/// Face `slot % 4` of tetrahedron `slot / 4`, oriented outwards.
fn face(mesh: &TetMesh, slot: usize) -> [u32; 3] {
    let [a, b, c] = TET_FACES[slot % 4].map(|k| mesh.tets()[slot / 4][k]);
    if mesh.tet_volume(slot / 4) < 0.0 { [a, c, b] } else { [a, b, c] }
}

/// Calls `visit` once for each face of the mesh with its slots: `4 t + k` for face `k` of tetrahedron `t`, ascending.
/// Faces come in the order of their sorted vertices.
pub(crate) fn for_each_face(mesh: &TetMesh, mut visit: impl FnMut(&[u32])) {
    let tets = mesh.tets();
    assert!(
        tets.len() < u32::MAX as usize / 4,
        "{} tetrahedra have more faces than u32 can number",
        tets.len()
    );
    // The corners from the smallest vertex to the largest, each with the number of the face opposite.
    let ascending = |corners: &[u32; 4]| {
        let mut keys = [0, 1, 2, 3].map(|k| u64::from(corners[k]) << 2 | k as u64);
        for (i, j) in [(0, 1), (2, 3), (0, 2), (1, 3), (1, 2)] {
            (keys[i], keys[j]) = (keys[i].min(keys[j]), keys[i].max(keys[j]));
        }
        keys.map(|key| ((key >> 2) as u32, key as u32 & 3))
    };
    // One bucket per smallest vertex, by counting; each bucket is then small enough to sort. Three faces have the smallest vertex of their
    // tetrahedron, one the next.
    let vertices = mesh.positions().len();
    let mut starts = vec![0_u32; vertices + 1];
    for corners in tets {
        let [(a, _), (b, _), ..] = ascending(corners);
        starts[a as usize + 1] += 3;
        starts[b as usize + 1] += 1;
    }
    for v in 0..vertices {
        starts[v + 1] += starts[v];
    }
    // The other two vertices as one number, which is faster to compare.
    let mut faces = vec![(0_u64, 0_u32); 4 * tets.len()];
    for (t, corners) in (0_u32..).zip(tets) {
        let [a, b, c, d] = ascending(corners);
        for (first, x, y, opposite) in [(a, b, c, d), (a, b, d, c), (a, c, d, b), (b, c, d, a)] {
            let next = &mut starts[first.0 as usize];
            faces[*next as usize] = (u64::from(x.0) << 32 | u64::from(y.0), 4 * t + opposite.1);
            *next += 1;
        }
    }
    // `starts[v]` has run to the end of bucket `v`.
    let mut begin = 0;
    let mut slots = Vec::new();
    for &end in &starts[..vertices] {
        let bucket = &mut faces[begin..end as usize];
        bucket.sort_unstable();
        for same in bucket.chunk_by(|f, g| f.0 == g.0) {
            slots.clear();
            slots.extend(same.iter().map(|f| f.1));
            visit(&slots);
        }
        begin = end as usize;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn octahedron(order: [usize; 4]) -> TetMesh {
        // Four tetrahedra around the vertical axis.
        let (x, y, z) = (Vector3::x(), Vector3::y(), Vector3::z());
        let around = [2, 3, 4, 5];
        let tets =
            (0..4).map(|k| [0, 1, around[k], around[(k + 1) % 4]]).map(|t: [u32; 4]| order.map(|i| t[i]));
        TetMesh::new(vec![-z, z, x, y, -x, -y], tets.collect()).unwrap()
    }

    #[test]
    fn a_positive_tetrahedron_faces_outwards() {
        let corners = vec![Vector3::zeros(), Vector3::x(), Vector3::y(), Vector3::z()];
        let mesh = TetMesh::new(corners, vec![[0, 1, 2, 3]]).unwrap();
        assert_eq!(mesh.boundary_triangles(), [[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]]);
        assert!((mesh.surface().mesh.enclosed_volume() - 1.0 / 6.0).abs() < 1e-16);
    }

    #[test]
    fn the_boundary_encloses_the_solid_however_its_elements_are_numbered() {
        for order in [[0, 1, 2, 3], [1, 0, 2, 3], [3, 1, 0, 2]] {
            let surface = octahedron(order).surface();
            let hinges = surface.mesh.hinges();
            assert!(hinges.is_closed() && hinges.inconsistent.is_empty());
            assert_eq!(surface.mesh.triangles().len(), 8);
            assert!((surface.mesh.enclosed_volume() - 4.0 / 3.0).abs() < 1e-15);
        }
    }

    #[test]
    fn inner_vertices_are_left_out() {
        let (x, y, z) = (Vector3::x(), Vector3::y(), Vector3::z());
        let centre = (x + y + z) / 4.0;
        let tets = vec![[4, 1, 2, 3], [0, 4, 2, 3], [0, 1, 4, 3], [0, 1, 2, 4]];
        let mesh = TetMesh::new(vec![Vector3::zeros(), x, y, z, centre, x + y], tets).unwrap();
        let surface = mesh.surface();
        assert_eq!(surface.vertex_of, [0, 1, 2, 3]);
        assert_eq!(surface.gather(mesh.positions()), surface.mesh.positions());
    }
}
