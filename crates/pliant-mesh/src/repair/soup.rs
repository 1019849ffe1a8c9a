//! Triangles by themselves: a mesh whose neighbours do not share their vertices.
//!
//! Files give every triangle corners of its own when normals or texture coordinates differ from face to face,
//! and formats such as STL always do. For drawing such a surface is as good as any; in a simulation every
//! triangle falls alone. Seams, at which *some* vertices occur twice, are a different defect:
//! [`Defect::CoincidentVertices`](super::Defect::CoincidentVertices).

use super::orient::Orientation;
use crate::TriMesh;

/// Fewer separate triangles may be intended.
const FEWEST: usize = 4;

/// The triangles that share no edge with another one, ascending, if they are [`FEWEST`] or more and more than
/// half of all.
pub(super) fn soup(mesh: &TriMesh, orientation: &Orientation) -> Vec<u32> {
    let count = mesh.triangles().len();
    // Each of them is a piece, so that the edges of most meshes need not be checked.
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
