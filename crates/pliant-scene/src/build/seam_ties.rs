//! What of fine surfaces lies beside each other because the simulated ones are sewn together there.

use std::collections::BTreeSet;

use pliant_constraints::stitch::VertexVertexStitch;
use pliant_io::Mesh;
use pliant_mesh::{Adjacency, Refinement};
use pliant_solver::{Pairs, SeamPair, Stitch};

use super::{Binding, BuiltBody};

/// A seam of simulated surfaces.
pub(super) struct Sewn {
    /// The bodies of the vertices and of the edges.
    pub(super) bodies: [usize; 2],
    pub(super) pairs: Vec<SeamPair>,
}

/// Stitches that say so: a vertex that is sewn to an edge, and what lies on the borders that end in it, is beside that
/// edge and what lies on the borders that end in its ends. They are for rules of contact, not to be simulated.
pub(super) fn all(seams: &[Sewn], bodies: &[BuiltBody]) -> Vec<Stitch> {
    let borders: Vec<Option<Borders>> = bodies.iter().map(Borders::of).collect();
    let mut stitches = Vec::new();
    for Sewn { bodies: [a, b], pairs } in seams {
        let mut beside: Vec<[u32; 2]> = Vec::new();
        for &SeamPair { vertex, edge, .. } in pairs {
            let theirs: Vec<u32> = edge.iter().flat_map(|&end| at(&borders[*b], end)).collect();
            for mine in at(&borders[*a], vertex) {
                beside.extend(theirs.iter().map(|&other| [mine, other]));
            }
        }
        beside.retain(|[v, other]| a != b || v != other);
        beside.sort_unstable();
        beside.dedup();
        if !beside.is_empty() {
            let [a, b] = [a, b].map(|&body| bodies[body].name.as_str());
            stitches.push(Stitch::vertices(a, b, Pairs::listed(beside), [VertexVertexStitch::default()]));
        }
    }
    stitches
}

/// The fine vertices on the borders that end in each simulated vertex.
struct Borders(Adjacency);

impl Borders {
    fn of(body: &BuiltBody) -> Option<Self> {
        let Binding::Triangles(refinement) = &body.visual.as_ref()?.binding else { return None };
        let vertices = body.mesh.positions().len();
        let on = on_borders(body, refinement);
        Some(Self(Adjacency::from_pairs(vertices, || on.iter().copied())))
    }
}

/// The edges with one triangle.
fn borders(body: &BuiltBody) -> BTreeSet<[u32; 2]> {
    let Mesh::Tri(mesh) = &body.mesh else { return BTreeSet::new() };
    let mut sides: Vec<[u32; 2]> = mesh
        .triangles()
        .iter()
        .flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]])
        .map(|[a, b]| [a.min(b), a.max(b)])
        .collect();
    sides.sort_unstable();
    sides.chunk_by(|a, b| a == b).filter(|same| same.len() == 1).map(|same| same[0]).collect()
}

/// Pairs of a simulated vertex and a fine one on a border that ends in it.
fn on_borders(body: &BuiltBody, refinement: &Refinement) -> Vec<(u32, u32)> {
    let borders = borders(body);
    let mut pairs = Vec::new();
    for fine in 0..refinement.len() {
        if let [(a, _), (b, _)] = *refinement.place(fine)
            && borders.contains(&[a, b])
        {
            pairs.extend([a, b].map(|end| (end, fine as u32)));
        }
    }
    pairs
}

/// A vertex, and the fine vertices beside it.
fn at(borders: &Option<Borders>, vertex: u32) -> impl Iterator<Item = u32> {
    let beside = borders.iter().flat_map(move |borders| borders.0.row(vertex as usize).iter().copied());
    std::iter::once(vertex).chain(beside)
}

/// For each body the edges of its drawn surface along which its vertices are sewn to others.
pub(super) fn lines(seams: &[Sewn], bodies: &[BuiltBody]) -> Vec<Vec<[u32; 2]>> {
    let of_body = |(number, body): (usize, &BuiltBody)| {
        let sewn: BTreeSet<u32> = seams
            .iter()
            .filter(|seam| seam.bodies[0] == number)
            .flat_map(|seam| seam.pairs.iter().map(|pair| pair.vertex))
            .collect();
        if sewn.is_empty() {
            return Vec::new();
        }
        let along = borders(body).into_iter().filter(|ends| ends.iter().all(|v| sewn.contains(v)));
        let Some(Binding::Triangles(refinement)) = body.visual.as_ref().map(|visual| &visual.binding) else {
            return along.collect();
        };
        let along: BTreeSet<[u32; 2]> = along.collect();
        // The fine vertices of every edge, from its first end to its second.
        let mut places: Vec<([u32; 2], f64, u32)> = Vec::new();
        for fine in 0..refinement.len() {
            if let [(a, _), (b, share)] = *refinement.place(fine)
                && along.contains(&[a, b])
            {
                places.push(([a, b], share, fine as u32));
            }
        }
        places.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
        let mut lines = Vec::new();
        for &[a, b] in &along {
            let first = places.partition_point(|place| place.0 < [a, b]);
            let mut last = a;
            for &(_, _, fine) in places[first..].iter().take_while(|place| place.0 == [a, b]) {
                lines.push([last, fine]);
                last = fine;
            }
            lines.push([last, b]);
        }
        lines
    };
    bodies.iter().enumerate().map(of_body).collect()
}
