//! Triangles by themselves: a mesh whose neighbours do not share their vertices.
//!
//! Files give every triangle corners of its own when normals or texture coordinates differ from face to face, and formats such as STL
//! know nothing else. As a surface for drawing that is as good as any; simulated, every triangle falls alone. Seams, at which *some*
//! vertices are there twice, are another matter: [`Defect::CoincidentVertices`](super::Defect::CoincidentVertices).

use super::orient::Orientation;
use crate::TriMesh;

/// Fewer triangles by themselves may be meant.
const FEWEST: usize = 4;

/// The triangles that share no edge with another one, ascending, if they are [`FEWEST`] or more and more than half of all.
pub(super) fn soup(mesh: &TriMesh, orientation: &Orientation) -> Vec<u32> {
    let count = mesh.triangles().len();
    // Each of them is a piece, so that most meshes need no look at their edges.
    if 2 * orientation.pieces <= count || count < FEWEST {
        return Vec::new();
    }
    let mut edges: Vec<([u32; 2], u32)> = (0_u32..)
        .zip(mesh.triangles())
        .flat_map(|(t, &[a, b, c])| [[a, b], [b, c], [c, a]].map(|[a, b]| ([a.min(b), a.max(b)], t)))
        .collect();
    edges.sort_unstable();
    let mut is_alone = vec![true; count];
    for same in edges.chunk_by(|one, other| one.0 == other.0).filter(|same| same.len() > 1) {
        same.iter().for_each(|&(_, t)| is_alone[t as usize] = false);
    }
    let alone: Vec<u32> = (0..count as u32).filter(|&t| is_alone[t as usize]).collect();
    if alone.len() >= FEWEST && 2 * alone.len() > count { alone } else { Vec::new() }
}
