//! Pairs of a stitch that are given by numbers of the mesh files, with all copies that a repair made of their vertices.

use pliant_io::Mesh;
use pliant_mesh::Adjacency;

use super::held::Held;
use crate::error::Fault;
use crate::field::FieldPath;

/// Pairs in the numbers of the bodies, each of a vertex of the first and `N` − 1 vertices of the second.
pub(super) struct Listed<'a, const N: usize> {
    pub(super) pairs: Vec<[u32; N]>,
    /// The index of each pair in the list of the scene.
    pub(super) of: Vec<usize>,
    /// The elements of the second body, if pairs are to edges or triangles.
    elements: Option<Elements<'a>>,
}

/// The elements of a body by their vertices.
struct Elements<'a> {
    mesh: &'a Mesh,
    at_vertices: Adjacency,
}

/// The pairs of the list, which the checks have validated. If the repair of a mesh has divided a vertex, each
/// of its copies is tied: a copy in the first body to the same element as the vertex, and copies in the
/// second body together if they belong to one element.
pub(super) fn listed<'a, const N: usize>(
    at: &FieldPath,
    list: &[Vec<u32>],
    first: &Held<'_>,
    second: &Held<'a>,
) -> Result<Listed<'a, N>, Fault> {
    let copies = [Copies::of(first), Copies::of(second)];
    let elements = (N > 2).then(|| Elements::of(second.mesh));
    let (pairs, of) = (Vec::with_capacity(list.len()), Vec::with_capacity(list.len()));
    let mut found = Listed { pairs, of, elements };
    for (i, pair) in list.iter().enumerate() {
        let at = at.index(i);
        let mut here: [Vec<u32>; N] = std::array::from_fn(|_| Vec::new());
        for (k, (place, &number)) in here.iter_mut().zip(pair).enumerate() {
            let (held, copies) = if k == 0 { (first, &copies[0]) } else { (second, &copies[1]) };
            *place = copies.all_of(held.vertex(&at.index(k), number, "the stitch")?);
        }
        let before = found.pairs.len();
        let is_divided = here[1..].iter().any(|vertices| vertices.len() > 1);
        for combined in combinations(&here) {
            let has_one = |elements: &Elements<'_>| elements.has_one_of(&combined[1..]);
            if !is_divided || found.elements.as_ref().is_none_or(has_one) {
                found.pairs.push(combined);
                found.of.push(i);
            }
        }
        if found.pairs.len() == before {
            let problem = format!(
                "the repair of the mesh divided a vertex of {:?}, and no element of body {:?} has one copy of each of them",
                &pair[1..],
                second.body
            );
            return Err(Fault::new(
                at,
                problem,
                "vertices of one element, a `radius`, or a repair with `split = false`",
            ));
        }
    }
    Ok(found)
}

/// Remarks on unusual pairs, which are tied all the same: pairs that are listed twice and are therefore twice
/// as stiff, and pairs whose vertices in the second body do not belong to one element. `list` has the numbers
/// of the scene, and `same_body` is true if both bodies are the same.
pub(super) fn remarks<const N: usize>(
    list: &[Vec<u32>],
    found: &Listed<'_, N>,
    second: &Held<'_>,
    same_body: bool,
) -> Vec<String> {
    let mut remarks = Vec::new();
    let mut sorted: Vec<(Vec<u32>, usize)> = list.iter().cloned().zip(0..).collect();
    for (pair, _) in &mut sorted {
        // The order of the ends of an edge does not matter, nor does the order of two vertices of the same body.
        let from = usize::from(!(N == 2 && same_body));
        pair[from..].sort_unstable();
    }
    sorted.sort_unstable();
    let twice: Vec<usize> =
        sorted.windows(2).filter(|pair| pair[0].0 == pair[1].0).map(|pair| pair[1].1).collect();
    if let Some(&first) = twice.iter().min() {
        remarks.push(format!(
            "{} of its pairs repeat an earlier one and count again (first: pair {first}, {:?})",
            twice.len(),
            list[first]
        ));
    }
    if let Some(elements) = &found.elements {
        let apart = |pair: &[u32; N]| !elements.has_one_of(&pair[1..]);
        let mut odd: Vec<usize> =
            found.pairs.iter().zip(&found.of).filter(|(pair, _)| apart(pair)).map(|(_, &of)| of).collect();
        odd.dedup();
        if let Some(&first) = odd.first() {
            let what = if N == 3 { "edge" } else { "triangle" };
            remarks.push(format!(
                "{} of its pairs are to vertices of body {:?} that form no {what} of its mesh (first: pair {first}, {:?})",
                odd.len(),
                second.body,
                list[first]
            ));
        }
    }
    remarks
}

/// Which vertices of a body are copies of the same vertex of its file.
struct Copies {
    /// Each vertex of the file that has several copies, with each copy; ascending.
    several: Vec<(u32, u32)>,
    /// The vertex of the file of each vertex.
    file: Vec<Option<u32>>,
}

impl Copies {
    fn of(held: &Held<'_>) -> Self {
        let file = held.repaired.map_or(Vec::new(), |report| report.vertex_of.clone());
        let mut all: Vec<(u32, u32)> =
            file.iter().zip(0..).filter_map(|(old, new)| old.map(|old| (old, new))).collect();
        all.sort_unstable();
        let several = all.chunk_by(|a, b| a.0 == b.0).filter(|same| same.len() > 1).flatten().copied();
        Self { several: several.collect(), file }
    }

    /// The vertex with its copies, ascending.
    fn all_of(&self, vertex: u32) -> Vec<u32> {
        let Some(old) = self.file.get(vertex as usize).copied().flatten() else { return vec![vertex] };
        let start = self.several.partition_point(|&(other, _)| other < old);
        let same = self.several[start..].iter().take_while(|&&(other, _)| other == old);
        let copies: Vec<u32> = same.map(|&(_, new)| new).collect();
        if copies.is_empty() { vec![vertex] } else { copies }
    }
}

/// Every choice of one vertex from each list, in order.
fn combinations<const N: usize>(of: &[Vec<u32>; N]) -> Vec<[u32; N]> {
    let mut all = vec![[0; N]];
    for (k, choices) in of.iter().enumerate() {
        let with = |so_far: [u32; N]| {
            choices.iter().map(move |&choice| {
                let mut next = so_far;
                next[k] = choice;
                next
            })
        };
        all = all.into_iter().flat_map(with).collect();
    }
    all
}

impl<'a> Elements<'a> {
    fn of(mesh: &'a Mesh) -> Self {
        let at_vertices = match mesh {
            Mesh::Tri(mesh) => mesh.triangles_at_vertices(),
            Mesh::Tet(mesh) => mesh.tets_at_vertices(),
        };
        Self { mesh, at_vertices }
    }

    /// Whether an element has all of the vertices.
    fn has_one_of(&self, vertices: &[u32]) -> bool {
        self.at_vertices.row(vertices[0] as usize).iter().any(|&e| match self.mesh {
            Mesh::Tri(mesh) => vertices.iter().all(|v| mesh.triangles()[e as usize].contains(v)),
            Mesh::Tet(mesh) => vertices.iter().all(|v| mesh.tets()[e as usize].contains(v)),
        })
    }
}

#[cfg(test)]
mod tests {
    use nalgebra::Vector3;
    use pliant_mesh::{RepairOptions, TriMesh};

    use super::super::named::Named;
    use super::*;

    #[test]
    fn odd_pairs_are_remarked() {
        let square = Mesh::Tri(TriMesh::grid([2, 2], [1.0, 1.0]).unwrap());
        let held = Held::plain("square", &square);
        let at = FieldPath::root();
        let Mesh::Tri(mesh) = &square else { unreachable!() };
        let [a, b, c] = mesh.triangles()[0];
        let other = (0..4).find(|v| ![a, b, c].contains(v)).unwrap();
        let remarks_on = |list: &[Vec<u32>], same_body| match list[0].len() {
            2 => remarks(list, &listed::<2>(&at, list, &held, &held).ok().unwrap(), &held, same_body),
            3 => remarks(list, &listed::<3>(&at, list, &held, &held).ok().unwrap(), &held, same_body),
            _ => remarks(list, &listed::<4>(&at, list, &held, &held).ok().unwrap(), &held, same_body),
        };
        assert!(remarks_on(&[vec![0, a, b], vec![1, a, b], vec![0, b, c]], false).is_empty());
        assert!(remarks_on(&[vec![0, a, b, c], vec![1, c, a, b]], false).is_empty());
        // The two corners that no edge joins are opposite ones.
        let [twice] = &remarks_on(&[vec![0, a, b], vec![1, a, b], vec![0, b, a]], false)[..] else {
            panic!()
        };
        assert!(twice.contains("1 of") && twice.contains("pair 2"), "{twice}");
        let diagonals: Vec<_> = [a, b, c]
            .into_iter()
            .filter(|v| mesh.edges().iter().all(|e| !(e.contains(v) && e.contains(&other))))
            .collect();
        let [opposite] = diagonals[..] else { panic!("{diagonals:?}") };
        let [apart] = &remarks_on(&[vec![0, a, b], vec![0, opposite, other]], false)[..] else { panic!() };
        assert!(
            apart.contains("no edge") && apart.contains("pair 1") && apart.contains("\"square\""),
            "{apart}"
        );
        let [apart] = &remarks_on(&[vec![0, opposite, other, b]], false)[..] else { panic!() };
        assert!(apart.contains("no triangle"), "{apart}");
        // Within one body it does not matter which is first.
        assert!(remarks_on(&[vec![0, 1], vec![1, 0]], false).is_empty());
        assert_eq!(remarks_on(&[vec![0, 1], vec![1, 0]], true).len(), 1);
    }

    #[test]
    fn copies_are_tied_where_they_belong() {
        // Three triangles on the edge from 0 to 1, which a repair gives edges of their own.
        let (o, x, y, z) = (Vector3::zeros(), Vector3::x(), Vector3::y(), Vector3::z());
        let fins = TriMesh::new(vec![o, x, y, -y, z], vec![[0, 1, 2], [1, 0, 3], [0, 1, 4]]).unwrap();
        let (apart, report) = fins.repair(&RepairOptions::default());
        let (whole, apart) = (Mesh::Tri(fins), Mesh::Tri(apart));
        assert_eq!(apart.positions().len(), 9);
        let plain = Held::plain("whole", &whole);
        let held = Held {
            body: "fins",
            mesh: &apart,
            start: None,
            renumbered: Some(&report.became),
            repaired: Some(&report),
            named: &Named::NOTHING,
        };
        let at = FieldPath::root();
        let old = |v: u32| report.vertex_of[v as usize].unwrap();

        // Every copy of the first body is tied to the same.
        let Listed { pairs, of, .. } =
            listed::<2>(&at, &[vec![2, 4], vec![0, 3]], &held, &plain).ok().unwrap();
        assert_eq!(
            pairs.iter().map(|[a, b]| [old(*a), *b]).collect::<Vec<_>>(),
            [[2, 4], [0, 3], [0, 3], [0, 3]]
        );
        assert_eq!(of, [0, 1, 1, 1]);
        // Of the second one, the ends of an edge of the file are the ends of an edge.
        let Listed { pairs, .. } = listed::<3>(&at, &[vec![2, 0, 1]], &plain, &held).ok().unwrap();
        let elements = Elements::of(&apart);
        assert_eq!(pairs.len(), 3);
        for [a, b, c] in pairs {
            assert_eq!([a, old(b), old(c)], [2, 0, 1]);
            assert!(elements.has_one_of(&[b, c]));
        }
        let Listed { pairs, .. } = listed::<4>(&at, &[vec![2, 0, 1, 4]], &plain, &held).ok().unwrap();
        assert_eq!(pairs.len(), 1);
        // No triangle has them all.
        let fault = listed::<4>(&at, &[vec![2, 0, 1, 1], vec![2, 0, 2, 4]], &plain, &held).err().unwrap();
        assert!(
            fault.problem.contains("no element of body \"fins\" has one copy of each"),
            "{}",
            fault.problem
        );
        // Where nothing was divided, vertices without a common element may be tied as before.
        assert!(listed::<4>(&at, &[vec![2, 2, 3, 4]], &held, &plain).is_ok());
    }
}
