//! Faces that do not match: two neighbouring cells of a solid cut their common quadrilateral along different diagonals.
//!
//! So it goes when cubes are split into five tetrahedra each without turning every other one. The four faces stay in the
//! boundary, and the cells come apart although they share all their vertices.

use crate::TetMesh;

/// Pairs of crossing diagonals: each quadrilateral by the vertices [a, c, b, d] of its diagonals ac and bd, ascending.
pub(super) fn mismatched(mesh: &TetMesh) -> Vec<[u32; 4]> {
    let boundary = mesh.boundary_triangles();
    let sorted = |mut corners: [u32; 3]| {
        corners.sort_unstable();
        corners
    };
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
                // Each quadrilateral once: told by its smaller diagonal.
                let other = [b.min(d), b.max(d)];
                if edge < other && is_face(a, b, d) && is_face(b, c, d) && crosses(mesh, [a, b, c, d]) {
                    found.push([a, c, other[0], other[1]]);
                }
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Whether four vertices lie in a plane, to a millionth of their distance, and ac passes between b and d there.
fn crosses(mesh: &TetMesh, corners: [u32; 4]) -> bool {
    let [a, b, c, d] = corners.map(|v| mesh.positions()[v as usize]);
    let size = (b - a).norm().max((c - a).norm()).max((d - a).norm());
    let (one, other) = ((c - a).cross(&(b - a)), (c - a).cross(&(d - a)));
    one.dot(&(d - a)).abs() <= 1e-6 * size * size * size && one.dot(&other) < 0.0
}
