//! Splitting: sheets that only touch get vertices of their own.

use petgraph::unionfind::UnionFind;

use super::compact::Parts;
use super::report::Action;
use crate::{Adjacency, Hinges, TriMesh};

/// At each vertex, the triangles fall into fans joined by edges of exactly two triangles. The fan of the first triangle
/// keeps the vertex, every other one gets a copy.
pub(super) fn split(parts: &mut Parts<3>) {
    let mesh = TriMesh::new(parts.positions.clone(), parts.elements.clone())
        .expect("elements that name a vertex twice were dropped");
    let split = give_copies(parts, &fans(&mesh));
    parts.note_vertices(Action::SplitNonManifold, &split);
}

/// Gives every vertex a copy for each group of element corners at it but the first; `groups` holds a number
/// for each corner of each element. Returns the vertices that have copies now.
pub(super) fn give_copies<const N: usize>(parts: &mut Parts<N>, groups: &[u32]) -> Vec<u32> {
    let mut split = Vec::new();
    let at_vertices = Adjacency::of_elements(parts.positions.len(), &parts.elements);
    for v in 0..at_vertices.len() as u32 {
        let slot =
            |t: u32| N * t as usize + parts.elements[t as usize].iter().position(|&c| c == v).unwrap_or(0);
        let slots: Vec<usize> = at_vertices.row(v as usize).iter().map(|&t| slot(t)).collect();
        let Some(&first) = slots.first() else { continue };
        // The groups beside the first one, each with the number of its copy.
        let mut copies: Vec<(u32, u32)> = Vec::new();
        for &slot in slots.iter().filter(|&&slot| groups[slot] != groups[first]) {
            let copy = match copies.iter().find(|(group, _)| *group == groups[slot]) {
                Some(&(_, copy)) => copy,
                None => {
                    let copy = parts.positions.len() as u32;
                    parts.positions.push(parts.positions[v as usize]);
                    parts.vertex_of.push(parts.vertex_of[v as usize]);
                    copies.push((groups[slot], copy));
                    copy
                }
            };
            parts.elements[slot / N][slot % N] = copy;
        }
        if !copies.is_empty() {
            split.push(v);
        }
    }
    split
}

/// The corners of triangles, joined at the ends of edges.
struct Corners<'a> {
    mesh: &'a TriMesh,
    sets: UnionFind<u32>,
}

impl<'a> Corners<'a> {
    /// Joined across the edges of exactly two triangles.
    fn across_hinges(mesh: &'a TriMesh, hinges: &Hinges) -> Self {
        let mut corners = Self { mesh, sets: UnionFind::new(3 * mesh.triangles().len()) };
        for hinge in &hinges.interior {
            corners.join(hinge.edge, hinge.triangles);
        }
        corners
    }

    /// Joins the corners of two triangles at the ends of their common edge.
    fn join(&mut self, edge: [u32; 2], [a, b]: [u32; 2]) {
        for v in edge {
            let slot = |t: u32| {
                self.mesh.triangles()[t as usize].iter().zip(3 * t..).find(|(c, _)| **c == v).map(|(_, s)| s)
            };
            if let (Some(one), Some(other)) = (slot(a), slot(b)) {
                self.sets.union(one, other);
            }
        }
    }
}

/// A number for each corner of each triangle, equal for the corners of one fan.
pub(super) fn fans(mesh: &TriMesh) -> Vec<u32> {
    Corners::across_hinges(mesh, &mesh.hinges()).sets.into_labeling()
}

/// Vertices in which sheets meet that share no edge there, not even one of more than two triangles; ascending.
pub(super) fn shared_vertices(mesh: &TriMesh) -> Vec<u32> {
    let hinges = mesh.hinges();
    let mut corners = Corners::across_hinges(mesh, &hinges);
    for edge in &hinges.non_manifold {
        for pair in edge.triangles.windows(2) {
            corners.join(edge.edge, [pair[0], pair[1]]);
        }
    }
    let fans = corners.sets.into_labeling();
    let mut fan_of: Vec<Option<u32>> = vec![None; mesh.positions().len()];
    let mut shared = Vec::new();
    for (slot, &v) in mesh.triangles().as_flattened().iter().enumerate() {
        match fan_of[v as usize] {
            None => fan_of[v as usize] = Some(fans[slot]),
            Some(fan) if fan != fans[slot] => shared.push(v),
            Some(_) => {}
        }
    }
    shared.sort_unstable();
    shared.dedup();
    shared
}
