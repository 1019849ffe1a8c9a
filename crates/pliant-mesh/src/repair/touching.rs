//! Solids that touch in an edge or a vertex only: where they do, and vertices of their own for each.

use petgraph::unionfind::UnionFind;

use super::compact::Parts;
use super::manifold::{fans, give_copies};
use super::report::Action;
use crate::TetMesh;
use crate::surface::Surface;
use crate::words::counted;

/// At each vertex, the tetrahedra fall into groups joined by common faces. The group of the first one keeps
/// the vertex, every other one gets a copy. An edge stays if its sides are connected in another way at both
/// ends.
pub(super) fn split(parts: &mut Parts<4>) {
    let mesh = TetMesh::new(parts.positions.clone(), parts.elements.clone())
        .expect("elements that name a vertex twice were dropped");
    let around = mesh.tets_at_vertices();
    // A number for each corner of each tetrahedron, equal for those of one group.
    let mut groups: Vec<u32> = vec![0; 4 * mesh.tets().len()];
    for v in suspects(&mesh.surface()) {
        let tets = around.row(v as usize);
        for (&t, group) in tets.iter().zip(grouped(&mesh, tets, 3)) {
            let corner = mesh.tets()[t as usize].iter().position(|&c| c == v).unwrap_or(0);
            groups[4 * t as usize + corner] = group;
        }
    }
    let split = give_copies(parts, &groups);
    parts.note_vertices(Action::SplitNonManifold, &split);
    let whole = TetMesh::new(parts.positions.clone(), parts.elements.clone())
        .expect("copies of vertices are as different as these");
    let left = whole.surface().mesh.hinges().non_manifold.len();
    if left > 0 {
        parts.left.push(format!(
            "{} in which parts of the solid touch that hang together at both ends",
            counted(left, "edge", "edges")
        ));
    }
}

/// Vertices in which parts of a solid meet that share no edge there; ascending.
pub(super) fn shared_vertices(mesh: &TetMesh, surface: &Surface) -> Vec<u32> {
    let suspects = suspects(surface);
    if suspects.is_empty() {
        return suspects;
    }
    let around = mesh.tets_at_vertices();
    let is_shared = |v: &u32| grouped(mesh, around.row(*v as usize), 2).iter().any(|&group| group > 0);
    suspects.into_iter().filter(is_shared).collect()
}

/// The vertices, in the numbers of the solid, at which the boundary is more than one fan of triangles: others
/// cannot be shared.
fn suspects(surface: &Surface) -> Vec<u32> {
    let fans = fans(&surface.mesh);
    let mut fan_of: Vec<Option<u32>> = vec![None; surface.vertex_of.len()];
    let mut found: Vec<u32> = Vec::new();
    for (&fan, &v) in fans.iter().zip(surface.mesh.triangles().as_flattened()) {
        if *fan_of[v as usize].get_or_insert(fan) != fan {
            found.push(surface.vertex_of[v as usize]);
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// The groups of tetrahedra at a vertex, counted from 0 in their order: two with at least so many common
/// vertices are in one.
fn grouped(mesh: &TetMesh, tets: &[u32], common: usize) -> Vec<u32> {
    let mut sets = UnionFind::<usize>::new(tets.len());
    for (i, &a) in tets.iter().enumerate() {
        for (j, &b) in tets[..i].iter().enumerate() {
            let [a, b] = [a, b].map(|t| &mesh.tets()[t as usize]);
            if a.iter().filter(|v| b.contains(v)).count() >= common {
                sets.union(i, j);
            }
        }
    }
    let labels = sets.into_labeling();
    let mut firsts: Vec<usize> = Vec::new();
    let number = |label: &usize| match firsts.iter().position(|first| first == label) {
        Some(group) => group as u32,
        None => {
            firsts.push(*label);
            firsts.len() as u32 - 1
        }
    };
    labels.iter().map(number).collect()
}
