//! Solids that touch themselves in a vertex or along an edge are separated there.
//!
//! Where two parts of the inside come near to each other their tetrahedra may share a vertex or an edge and
//! no face. That is a hinge without stiffness to a simulation, and the boundary is not a manifold. Parts
//! around a vertex that are not connected by faces get copies of it; parts that copies cannot separate are
//! dropped.

use std::collections::BTreeMap;

use nalgebra::Vector3;

use super::lattice::NONE;
use crate::{TET_FACES, tet_volume};

/// The changes that were made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Separated {
    /// Copies of vertices that were made.
    pub(super) copies: usize,
    /// Tetrahedra that were dropped.
    pub(super) dropped: usize,
}

/// Separates what touches. `on_surface` is true for the vertices that the boundary can have.
pub(super) fn separate(
    positions: &mut Vec<Vector3<f64>>,
    tets: &mut Vec<[u32; 4]>,
    on_surface: &mut Vec<bool>,
) -> Separated {
    let mut done = Separated::default();
    loop {
        let touching = Touching::of(tets, on_surface);
        if touching.vertices.is_empty() {
            return done;
        }
        let before = positions.len();
        // Copies of one vertex do not change which tetrahedra have another.
        let around = members(tets, positions.len(), &touching.vertices);
        for (&v, around) in touching.vertices.iter().zip(&around) {
            copy_vertex(v, around, positions, tets, on_surface);
        }
        done.copies += positions.len() - before;
        if positions.len() > before {
            continue;
        }
        // At the remaining places copies do not help, so the smallest part is dropped: every round drops some.
        let mut dropped = vec![false; tets.len()];
        for &edge in &touching.edges {
            let place = touching.vertices.partition_point(|&v| v < edge[0]);
            let around: Vec<usize> =
                around[place].iter().copied().filter(|&t| tets[t].contains(&edge[1])).collect();
            let parts = parts(tets, &around, &edge);
            let size = |part: &[usize]| {
                part.iter().map(|&t| tet_volume(&tets[t].map(|v| positions[v as usize]))).sum::<f64>()
            };
            if let Some(part) = parts.iter().min_by(|a, b| size(a).total_cmp(&size(b))) {
                part.iter().for_each(|&t| dropped[t] = true);
            }
        }
        if touching.edges.is_empty() {
            around.iter().flatten().for_each(|&t| dropped[t] = true);
        }
        // Inner vertices come to the boundary.
        for t in (0..tets.len()).filter(|&t| dropped[t]) {
            tets[t].iter().for_each(|&v| on_surface[v as usize] = true);
        }
        let mut t = 0;
        tets.retain(|_| {
            t += 1;
            !dropped[t - 1]
        });
        done.dropped += dropped.iter().filter(|&&d| d).count();
    }
}

/// The places where the boundary is not a manifold.
struct Touching {
    /// Edges of more than two boundary faces.
    edges: Vec<[u32; 2]>,
    /// Their ends, and vertices in which boundary faces meet that are not connected by edges there; ascending.
    vertices: Vec<u32>,
}

impl Touching {
    fn of(tets: &[[u32; 4]], on_surface: &[bool]) -> Self {
        let boundary = boundary(tets, on_surface);
        // Edges of the boundary with the two other corners that faces have there.
        let mut sides: Vec<([u32; 2], u32)> =
            boundary.iter().flat_map(|&[a, b, c]| [([a, b], c), ([a, c], b), ([b, c], a)]).collect();
        sides.sort_unstable();
        let mut edges = Vec::new();
        // Around each vertex, which corners of its faces follow which.
        let mut links: Vec<(u32, [u32; 2])> = Vec::new();
        for same in sides.chunk_by(|a, b| a.0 == b.0) {
            if same.len() != 2 {
                edges.push(same[0].0);
            }
        }
        for &[a, b, c] in &boundary {
            links.extend([(a, [b, c]), (b, [a, c]), (c, [a, b])]);
        }
        links.sort_unstable();
        let mut vertices: Vec<u32> = edges.iter().flatten().copied().collect();
        for around in links.chunk_by(|a, b| a.0 == b.0) {
            if !is_one_ring(around) {
                vertices.push(around[0].0);
            }
        }
        vertices.sort_unstable();
        vertices.dedup();
        Self { edges, vertices }
    }
}

/// Whether the links of a vertex make a single closed ring.
fn is_one_ring(links: &[(u32, [u32; 2])]) -> bool {
    let (mut at, mut from, mut used) = (links[0].1[1], 0, 1);
    while at != links[0].1[0] {
        let Some(next) = (0..links.len()).find(|&l| l != from && links[l].1.contains(&at)) else {
            return false;
        };
        let [a, b] = links[next].1;
        (at, from) = (if a == at { b } else { a }, next);
        used += 1;
        if used > links.len() {
            return false;
        }
    }
    used == links.len()
}

/// The faces of one tetrahedron only, as sorted vertices. Their vertices are on the surface, so that others
/// need not be counted.
fn boundary(tets: &[[u32; 4]], on_surface: &[bool]) -> Vec<[u32; 3]> {
    let mut faces: Vec<[u32; 3]> = Vec::new();
    for tet in tets {
        let on = tet.iter().filter(|&&v| on_surface[v as usize]).count();
        if on < 3 {
            continue;
        }
        faces.extend(
            TET_FACES
                .iter()
                .map(|face| sorted(face.map(|i| tet[i])))
                .filter(|face| face.iter().all(|&v| on_surface[v as usize])),
        );
    }
    faces.sort_unstable();
    faces.chunk_by(|a, b| a == b).filter(|same| same.len() == 1).map(|same| same[0]).collect()
}

fn sorted(mut vertices: [u32; 3]) -> [u32; 3] {
    vertices.sort_unstable();
    vertices
}

/// The tetrahedra with each of some vertices, ascending.
fn members(tets: &[[u32; 4]], all: usize, vertices: &[u32]) -> Vec<Vec<usize>> {
    let mut place_of = vec![NONE; all];
    for (place, &v) in (0..).zip(vertices) {
        place_of[v as usize] = place;
    }
    let mut members = vec![Vec::new(); vertices.len()];
    for (t, tet) in tets.iter().enumerate() {
        for place in tet.map(|v| place_of[v as usize]).into_iter().filter(|&place| place != NONE) {
            members[place as usize].push(t);
        }
    }
    members
}

/// The tetrahedra `around` some vertices, in parts that are connected by faces with all of these.
fn parts(tets: &[[u32; 4]], around: &[usize], vertices: &[u32]) -> Vec<Vec<usize>> {
    let mut by_face: BTreeMap<[u32; 3], Vec<usize>> = BTreeMap::new();
    for (place, &t) in around.iter().enumerate() {
        for face in TET_FACES.map(|face| sorted(face.map(|i| tets[t][i]))) {
            if vertices.iter().all(|v| face.contains(v)) {
                by_face.entry(face).or_default().push(place);
            }
        }
    }
    let mut sets = petgraph::unionfind::UnionFind::<usize>::new(around.len());
    for same in by_face.values() {
        for pair in same.windows(2) {
            sets.union(pair[0], pair[1]);
        }
    }
    let mut parts: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (place, &t) in around.iter().enumerate() {
        parts.entry(sets.find(place)).or_default().push(t);
    }
    let mut parts: Vec<_> = parts.into_values().collect();
    parts.sort_unstable();
    parts
}

/// Gives every part around a vertex but the first a copy of it.
fn copy_vertex(
    v: u32,
    around: &[usize],
    positions: &mut Vec<Vector3<f64>>,
    tets: &mut [[u32; 4]],
    on_surface: &mut Vec<bool>,
) {
    for part in parts(tets, around, &[v]).iter().skip(1) {
        let copy = positions.len() as u32;
        positions.push(positions[v as usize]);
        on_surface.push(true);
        for &t in part {
            for corner in tets[t].iter_mut().filter(|corner| **corner == v) {
                *corner = copy;
            }
        }
    }
}
