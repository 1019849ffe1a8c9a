//! T-junctions: vertices that lie on an open edge of other triangles without being joined with it.
//!
//! They come from meshes that were refined on one side of a line only. The two sides share no edge there, so
//! that they come apart and bend as two sheets.

use nalgebra::Vector3;

use super::nearest::nearest_pairs;
use crate::defects::coincident_vertices;
use crate::{Aabb, TriMesh, nearest_on_segment};

/// How far a vertex may be from an edge and still lie on it, relative to the length of the edge: coordinates
/// in f32 and in texts of seven digits are not more accurate.
const SLACK: f64 = 1e-6;

/// A vertex on an open edge.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Junction {
    pub(super) vertex: u32,
    /// In the direction in which its triangle runs along it.
    pub(super) edge: [u32; 2],
    /// How far along the edge it is, 0 to 1.
    pub(super) share: f64,
}

/// Vertices of open boundaries within `distance` metres (or rounding, where that is more) of an open edge,
/// other than its ends and its triangle's third vertex; by edge, along it. Each vertex is compared with its
/// [`MOST_NEAR`](super::nearest::MOST_NEAR) nearest edges.
pub(super) fn junctions(mesh: &TriMesh, distance: f64) -> Vec<Junction> {
    let edges = unmatched(mesh);
    let mut ends: Vec<u32> = edges.as_flattened().to_vec();
    ends.sort_unstable();
    ends.dedup();
    let at = |v: u32| mesh.positions()[v as usize];
    let points: Vec<Vector3<f64>> = ends.iter().map(|&v| at(v)).collect();
    let boxes: Vec<Aabb> = edges
        .iter()
        .map(|edge| {
            let [a, b] = edge.map(at);
            Aabb { min: a.inf(&b), max: a.sup(&b) }
        })
        .collect();
    let reach = |[a, b]: [u32; 2]| distance.max(SLACK * (at(b) - at(a)).norm());
    let widest = edges.iter().map(|&edge| reach(edge)).fold(0.0, f64::max);
    let third = third_corners(mesh, &edges);
    let pairs = nearest_pairs(&points, &boxes, widest, |place, e| {
        let (vertex, edge) = (ends[place as usize], edges[e as usize]);
        if edge.contains(&vertex) || third[e as usize] == vertex {
            return None;
        }
        let near = nearest_on_segment(&at(vertex), &edge.map(at)).distance();
        (near <= reach(edge)).then_some(near)
    });
    let mut found: Vec<(u32, Junction)> = Vec::new();
    for pair in pairs {
        let (vertex, edge) = (ends[pair.vertex as usize], edges[pair.element as usize]);
        let reach = reach(edge);
        let (point, [a, b]) = (at(vertex), edge.map(at));
        if (point - a).norm() > reach && (point - b).norm() > reach {
            let share = nearest_on_segment(&point, &[a, b]).weights[1];
            found.push((pair.element, Junction { vertex, edge, share }));
        }
    }
    found.sort_by(|(e, one), (f, other)| {
        e.cmp(f).then(one.share.total_cmp(&other.share)).then(one.vertex.cmp(&other.vertex))
    });
    found.into_iter().map(|(_, junction)| junction).collect()
}

/// The boundary edges with no other boundary edge at the same place: those are seams, which welding joins.
fn unmatched(mesh: &TriMesh) -> Vec<[u32; 2]> {
    let mut place: Vec<u32> = (0..mesh.positions().len() as u32).collect();
    for [later, first] in coincident_vertices(mesh.positions()) {
        place[later as usize] = first;
    }
    let boundary = mesh.hinges().boundary;
    let placed = |&[a, b]: &[u32; 2]| {
        let (a, b) = (place[a as usize], place[b as usize]);
        [a.min(b), a.max(b)]
    };
    let mut places: Vec<[u32; 2]> = boundary.iter().map(placed).collect();
    places.sort_unstable();
    let count = |key: [u32; 2]| {
        places.partition_point(|other| *other <= key) - places.partition_point(|other| *other < key)
    };
    boundary.into_iter().filter(|edge| count(placed(edge)) == 1).collect()
}

/// The vertex across each of some boundary edges.
fn third_corners(mesh: &TriMesh, edges: &[[u32; 2]]) -> Vec<u32> {
    let mut order: Vec<u32> = (0..edges.len() as u32).collect();
    order.sort_unstable_by_key(|&e| edges[e as usize]);
    let mut third = vec![u32::MAX; edges.len()];
    for &[a, b, c] in mesh.triangles() {
        for (edge, corner) in [([a, b], c), ([b, c], a), ([c, a], b)] {
            if let Ok(i) = order.binary_search_by_key(&edge, |&e| edges[e as usize]) {
                third[order[i] as usize] = corner;
            }
        }
    }
    third
}

/// The junctions as [vertex, end, other end], each vertex of an edge once, by vertex.
pub(super) fn listed(mesh: &TriMesh) -> Vec<[u32; 3]> {
    let mut list: Vec<[u32; 3]> = junctions(mesh, 0.0)
        .into_iter()
        .map(|Junction { vertex, edge: [a, b], .. }| [vertex, a.min(b), a.max(b)])
        .collect();
    list.sort_unstable();
    list.dedup();
    list
}
