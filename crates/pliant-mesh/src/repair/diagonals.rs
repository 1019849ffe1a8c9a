//! Faces that do not match: two neighbouring cells of a solid cut their common quadrilateral along different diagonals.
//!
//! This happens when cubes are split into five tetrahedra each without mirroring every other one. The four
//! faces stay in the boundary, and the cells come apart although they share all their vertices.
//!
//! They are matched by a new vertex where the diagonals cross: the tetrahedra on both sides are divided
//! there, and meet in four faces.

use nalgebra::Vector3;

use super::compact::Parts;
use super::report::Action;
use crate::{Adjacency, TetMesh};

/// Pairs of crossing diagonals among the triangles of the boundary: each quadrilateral by the vertices [a, c,
/// b, d] of its diagonals ac and bd, ascending.
pub(super) fn mismatched(mesh: &TetMesh, boundary: &[[u32; 3]]) -> Vec<[u32; 4]> {
    let mut faces: Vec<[u32; 3]> = boundary.iter().map(|&corners| sorted(corners)).collect();
    faces.sort_unstable();
    let is_face = |a: u32, b: u32, c: u32| faces.binary_search(&sorted([a, b, c])).is_ok();
    // The vertices across each edge of the boundary.
    let mut across: Vec<([u32; 2], u32)> =
        faces.iter().flat_map(|&[a, b, c]| [([a, b], c), ([a, c], b), ([b, c], a)]).collect();
    across.sort_unstable();
    let mut found = Vec::new();
    for here in across.chunk_by(|one, other| one.0 == other.0) {
        let edge = here[0].0;
        let [a, c] = edge;
        for (i, &(_, b)) in here.iter().enumerate() {
            for &(_, d) in &here[i + 1..] {
                // Each quadrilateral once: identified by its smaller diagonal.
                let other = [b.min(d), b.max(d)];
                if edge < other && is_face(a, b, d) && is_face(b, c, d) && crosses(mesh, [a, b, c, d]) {
                    found.push([a, c, other[0], other[1]]);
                }
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    if !found.is_empty() {
        // The faces of a sliver on the boundary look the same, but both diagonals belong to it and there is
        // nothing to match.
        let mut tets: Vec<[u32; 4]> = mesh.tets().iter().map(|&corners| sorted(corners)).collect();
        tets.sort_unstable();
        found.retain(|&corners| tets.binary_search(&sorted(corners)).is_err());
    }
    found
}

fn sorted<const N: usize>(mut corners: [u32; N]) -> [u32; N] {
    corners.sort_unstable();
    corners
}

/// Whether four vertices lie in a plane, to a millionth of their distance, and ac passes between b and d there.
fn crosses(mesh: &TetMesh, corners: [u32; 4]) -> bool {
    let [a, b, c, d] = corners.map(|v| mesh.positions()[v as usize]);
    let size = (b - a).norm().max((c - a).norm()).max((d - a).norm());
    let (one, other) = ((c - a).cross(&(b - a)), (c - a).cross(&(d - a)));
    one.dot(&(d - a)).abs() <= 1e-6 * size * size * size && one.dot(&other) < 0.0
}

/// Divides the tetrahedra at crossing diagonals by a vertex at each crossing.
pub(super) fn match_up(parts: &mut Parts<4>) {
    // A cell of five tetrahedra has six diagonals, all in the one in its middle, which is divided once in a round.
    const MOST_ROUNDS: usize = 64;
    let mut divided = Vec::new();
    for _ in 0..MOST_ROUNDS {
        let mesh = TetMesh::new(parts.positions.clone(), parts.elements.clone())
            .expect("elements that name a vertex twice were dropped");
        let before = parts.positions.len();
        let found = mismatched(&mesh, &mesh.boundary_triangles());
        match_once(parts, &found, &mut divided);
        if parts.positions.len() == before {
            if !found.is_empty() {
                let count = found.len();
                parts.left.push(format!(
                    "{count} quadrilaterals are cut along diagonals that do not cross within them"
                ));
            }
            break;
        }
    }
    parts.note(Action::MatchDiagonals, divided);
}

fn match_once(parts: &mut Parts<4>, found: &[[u32; 4]], divided: &mut Vec<u32>) {
    let at_vertices = Adjacency::of_elements(parts.positions.len(), &parts.elements);
    let mut touched = vec![false; parts.elements.len()];
    for &[a, c, b, d] in found {
        let around = |v: u32, w: u32| -> Vec<u32> {
            let tets = at_vertices.row(v as usize).iter().copied();
            tets.filter(|&t| at_vertices.row(w as usize).binary_search(&t).is_ok()).collect()
        };
        let sides = [(a, c, around(a, c)), (b, d, around(b, d))];
        if sides.iter().flat_map(|(.., tets)| tets).any(|&t| touched[t as usize]) {
            continue;
        }
        let Some(crossing) = crossing(&[a, c, b, d].map(|v| parts.positions[v as usize])) else { continue };
        let middle = parts.positions.len() as u32;
        parts.positions.push(crossing);
        parts.vertex_of.push(None);
        for (v, w, tets) in sides {
            for t in tets {
                touched[t as usize] = true;
                let (corners, old) = (parts.elements[t as usize], parts.element_of[t as usize]);
                let with_middle_for = |gone: u32| corners.map(|k| if k == gone { middle } else { k });
                parts.elements[t as usize] = with_middle_for(w);
                parts.elements.push(with_middle_for(v));
                parts.element_of.push(old);
                divided.extend(old);
            }
        }
    }
}

/// Where the segments ac and bd cross, if they do so well within both.
fn crossing([a, c, b, d]: &[Vector3<f64>; 4]) -> Option<Vector3<f64>> {
    let (u, v, between) = (c - a, d - b, b - a);
    let normal = u.cross(&v);
    let squared = normal.norm_squared();
    let (s, t) = (between.cross(&v).dot(&normal) / squared, between.cross(&u).dot(&normal) / squared);
    // Parallel diagonals give NaN, which is in no range.
    let within = 1e-3..=1.0 - 1e-3;
    (within.contains(&s) && within.contains(&t)).then(|| a + u * s)
}
