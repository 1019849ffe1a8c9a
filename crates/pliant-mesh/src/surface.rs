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
    /// They stand in the order of the tetrahedra, and of [`TET_FACES`] within each. Neighbours always agree:
    /// which way a face is turned follows from the tetrahedra that are connected by faces, numbered alike,
    /// and the whole of them faces outwards if their volumes sum to a positive number. So triangles face
    /// outwards whichever way the elements of the file are numbered, and a tetrahedron that is inside out
    /// among others turns no triangle against its neighbours. Only where tetrahedra cannot be numbered alike
    /// each goes by its own volume.
    #[must_use]
    pub fn boundary_triangles(&self) -> Vec<[u32; 3]> {
        self.look_at_faces().boundary
    }

    /// The data of all faces, in one pass over them.
    pub(crate) fn look_at_faces(&self) -> Faces {
        // The slot on the other side of each face of two tetrahedra.
        let mut mate = vec![ALONE; 4 * self.tets().len()];
        let (mut crowded, mut repeated) = (Vec::new(), false);
        // Face k lies opposite corner k: tetrahedra that share a face and the opposite corner are one and the same.
        let opposite = |slot: u32| self.tets()[slot as usize / 4][slot as usize % 4];
        for_each_face(self, |slots| {
            for (i, &slot) in slots.iter().enumerate() {
                repeated |= slots[..i].iter().any(|&other| opposite(other) == opposite(slot));
            }
            match *slots {
                [a, b] => (mate[a as usize], mate[b as usize]) = (b, a),
                [slot, _, ..] => {
                    slots.iter().for_each(|&slot| mate[slot as usize] = CROWDED);
                    let mut face = face(self, slot as usize);
                    face.sort_unstable();
                    crowded.push(face);
                }
                _ => {}
            }
        });
        let turned = turned(self, &mate);
        let boundary = (0..mate.len())
            .filter(|&slot| mate[slot] == ALONE)
            .map(|slot| {
                let [a, b, c] = face(self, slot);
                if turned[slot / 4] { [a, c, b] } else { [a, b, c] }
            })
            .collect();
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

/// The data of the faces of a solid.
pub(crate) struct Faces {
    /// Those of one tetrahedron, as [`TetMesh::boundary_triangles`] has them.
    pub(crate) boundary: Vec<[u32; 3]>,
    /// Those of more than two tetrahedra; vertices ascending.
    pub(crate) crowded: Vec<[u32; 3]>,
    /// Whether a tetrahedron has the vertices of another one.
    pub(crate) repeated: bool,
}

/// Marks a face of one tetrahedron, and one of more than two.
const ALONE: u32 = u32::MAX;
const CROWDED: u32 = u32::MAX - 1;

/// Face `slot % 4` of tetrahedron `slot / 4`, oriented outwards if its volume is positive.
fn face(mesh: &TetMesh, slot: usize) -> [u32; 3] {
    TET_FACES[slot % 4].map(|k| mesh.tets()[slot / 4][k])
}

/// Whether two tetrahedra on either side of a face are numbered alike: they run round it in opposite ways.
fn agree(mesh: &TetMesh, slot: usize, mate: usize) -> bool {
    let ([a, b, _], other) = (face(mesh, slot), face(mesh, mate));
    (0..3).any(|k| other[k] == b && other[(k + 1) % 3] == a)
}

/// Whether the faces of each tetrahedron have to be turned round for the boundary to face outwards, from the
/// slot across each.
fn turned(mesh: &TetMesh, mate: &[u32]) -> Vec<bool> {
    let count = mesh.tets().len();
    let mut turned = vec![false; count];
    let across = |slot: usize| Some(mate[slot] as usize).filter(|_| mate[slot] < CROWDED);
    let differs = |slot: usize| across(slot).is_some_and(|other| slot < other && !agree(mesh, slot, other));
    let is_negative = |t: usize| mesh.tet_volume(t) < 0.0;
    if !(0..count).any(is_negative) && !(0..mate.len()).any(differs) {
        return turned;
    }
    let mut seen = vec![false; count];
    // The tetrahedra that are connected by faces, in the order in which they were found.
    let mut piece: Vec<usize> = Vec::new();
    for seed in 0..count {
        if std::mem::replace(&mut seen[seed], true) {
            continue;
        }
        piece.clear();
        piece.push(seed);
        let (mut next, mut volume, mut consistent) = (0, 0.0, true);
        while let Some(&t) = piece.get(next) {
            next += 1;
            volume += if turned[t] { -mesh.tet_volume(t) } else { mesh.tet_volume(t) };
            for slot in 4 * t..4 * t + 4 {
                let Some(other) = across(slot) else { continue };
                let wanted = turned[t] == agree(mesh, slot, other);
                if !std::mem::replace(&mut seen[other / 4], true) {
                    turned[other / 4] = wanted;
                    piece.push(other / 4);
                }
                consistent &= turned[other / 4] == wanted;
            }
        }
        for &t in &piece {
            turned[t] = if consistent { turned[t] != (volume < 0.0) } else { is_negative(t) };
        }
    }
    turned
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
    // One bucket per smallest vertex, by counting; each bucket is then small enough to sort. Three faces have
    // the smallest vertex of their tetrahedron, one the next.
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

    /// A block of one metre whose elements are as they came, with some numbered the other way.
    fn block(flip: impl Fn(usize) -> bool, position: impl Fn(&Vector3<f64>) -> Vector3<f64>) -> TetMesh {
        let (positions, mut tets) =
            TetMesh::block([3, 3, 3], [1.0; 3], crate::Split::Kuhn).unwrap().into_parts();
        (0..tets.len()).filter(|&t| flip(t)).for_each(|t| tets[t].swap(2, 3));
        TetMesh::new(positions.iter().map(position).collect(), tets).unwrap()
    }

    /// Closed, neighbours agreeing, facing outwards.
    fn check(mesh: &TetMesh) {
        let surface = mesh.surface().mesh;
        let hinges = surface.hinges();
        assert!(hinges.is_closed() && hinges.inconsistent.is_empty(), "{:?}", hinges.inconsistent);
        assert!(surface.enclosed_volume() > 0.0);
    }

    #[test]
    fn a_tetrahedron_that_is_inside_out_agrees_with_its_neighbours() {
        // A corner pushed through the cube that it is of: the tetrahedra around it are inverted.
        let corner = block(|_| false, |p| *p).bounds().unwrap().max;
        let pushed = |p: &Vector3<f64>| if *p == corner { p - Vector3::repeat(0.7) } else { *p };
        for flip in [|_| false, |t| t % 3 == 0, |_| true] {
            let mesh = block(flip, pushed);
            assert!((0..mesh.tets().len()).any(|t| mesh.tet_volume(t) < 0.0));
            check(&mesh);
            let plain = block(|_| false, pushed).surface().mesh;
            let sorted = |mesh: &TriMesh| {
                let mut list: Vec<[u32; 3]> = mesh.triangles().to_vec();
                for corners in &mut list {
                    let least = (0..3).min_by_key(|&k| corners[k]).unwrap();
                    corners.rotate_left(least);
                }
                list.sort_unstable();
                list
            };
            assert_eq!(sorted(&mesh.surface().mesh), sorted(&plain));
        }
    }

    #[test]
    fn a_fold_that_was_numbered_to_be_positive_agrees_with_its_neighbours() {
        let (positions, mut tets) = block(|_| false, |p| *p).into_parts();
        let corner = positions.iter().fold(positions[0], |max, p| max.sup(p));
        let place = positions.iter().position(|p| *p == corner).unwrap();
        let moved: Vec<_> = (0..positions.len())
            .map(|v| if v == place { positions[v] - Vector3::repeat(0.7) } else { positions[v] })
            .collect();
        let folded = TetMesh::new(moved.clone(), tets.clone()).unwrap();
        let inverted: Vec<usize> = (0..tets.len()).filter(|&t| folded.tet_volume(t) < 0.0).collect();
        assert!(!inverted.is_empty());
        inverted.iter().for_each(|&t| tets[t].swap(0, 1));
        check(&TetMesh::new(moved, tets).unwrap());
    }

    #[test]
    fn pieces_face_outwards_each_for_itself() {
        // A whole block numbered the other way beside one that is not.
        let (positions, tets) = block(|_| false, |p| *p).into_parts();
        let n = positions.len() as u32;
        let both = positions.iter().copied().chain(positions.iter().map(|p| p + Vector3::x() * 3.0));
        let turned = tets.iter().map(|&[a, b, c, d]| [a, b, d, c].map(|v| v + n));
        let mesh = TetMesh::new(both.collect(), tets.iter().copied().chain(turned).collect()).unwrap();
        check(&mesh);
        assert!((mesh.surface().mesh.enclosed_volume() - 2.0).abs() < 1e-12);
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
