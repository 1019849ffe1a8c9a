//! Uniting: pieces whose open boundaries touch become one conforming piece.
//!
//! First, vertices of boundaries that are near each other become one, the nearest first, but never two of one
//! element, which would collapse. Then every boundary edge of a surface that passes by vertices of a boundary
//! is divided at them. Vertices inside of a piece are never joined, however fine the mesh is, unlike in
//! welding within a distance.

use nalgebra::Vector3;

use super::compact::Parts;
use super::groups::near_groups;
use super::junctions::{Junction, junctions};
use super::report::Action;
use crate::defects::is_flat_triangle;
use crate::{TetMesh, TriMesh};

/// Joins open boundaries of a surface that are within `distance` metres; zero divides edges at vertices that
/// lie on them.
pub(super) fn surfaces(parts: &mut Parts<3>, distance: f64) {
    if distance > 0.0 {
        let mut boundary: Vec<u32> = mesh(parts).hinges().boundary.into_flattened();
        boundary.sort_unstable();
        boundary.dedup();
        join(parts, &boundary, distance);
    }
    divide(parts, distance);
}

/// Joins the surfaces of the pieces of a solid where their vertices are within `distance` metres.
pub(super) fn solids(parts: &mut Parts<4>, distance: f64) {
    if distance > 0.0 {
        let mesh = TetMesh::new(parts.positions.clone(), parts.elements.clone())
            .expect("elements that name a vertex twice were dropped");
        let mut boundary = mesh.surface().vertex_of;
        boundary.sort_unstable();
        join(parts, &boundary, distance);
    }
}

fn mesh(parts: &Parts<3>) -> TriMesh {
    TriMesh::new(parts.positions.clone(), parts.elements.clone())
        .expect("elements that name a vertex twice were dropped")
}

/// Makes near ones of some vertices, ascending, one: each group has a diameter of at most `distance`, and no
/// two vertices of one element.
fn join<const N: usize>(parts: &mut Parts<N>, vertices: &[u32], distance: f64) {
    let points: Vec<Vector3<f64>> = vertices.iter().map(|&v| parts.positions[v as usize]).collect();
    let mut place_of: Vec<u32> = vec![u32::MAX; parts.positions.len()];
    for (place, &v) in (0_u32..).zip(vertices) {
        place_of[v as usize] = place;
    }
    let mut apart: Vec<[u32; 2]> = Vec::new();
    for corners in &parts.elements {
        let places = corners.map(|v| place_of[v as usize]);
        for (i, &p) in places.iter().enumerate() {
            apart.extend(places[..i].iter().filter(|&&q| p != u32::MAX && q != u32::MAX).map(|&q| [q, p]));
        }
    }
    let mut pairs: Vec<[u32; 2]> = Vec::new();
    for group in near_groups(&points, distance, &apart) {
        if let [first, others @ ..] = &*group {
            pairs.extend(others.iter().map(|&i| [vertices[i as usize], vertices[*first as usize]]));
        }
    }
    pairs.sort_unstable();
    parts.join(Action::Unite, &pairs);
}

/// Divides boundary edges at the boundary vertices that they pass by, with their triangles.
fn divide(parts: &mut Parts<3>, distance: f64) {
    // A triangle is divided along one edge at a time; its new edges may pass by further vertices.
    const MOST_ROUNDS: usize = 64;
    let mut divided = Vec::new();
    for _ in 0..MOST_ROUNDS {
        let mesh = mesh(parts);
        let found = junctions(&mesh, distance);
        let before = divided.len();
        divide_once(parts, &mesh, &found, &mut divided);
        if divided.len() == before {
            break;
        }
    }
    parts.note(Action::DivideEdge, divided);
}

fn divide_once(parts: &mut Parts<3>, mesh: &TriMesh, found: &[Junction], divided: &mut Vec<u32>) {
    if found.is_empty() {
        return;
    }
    let mut sides: Vec<([u32; 2], u32)> = (0_u32..)
        .zip(mesh.triangles())
        .flat_map(|(t, &[a, b, c])| [([a, b], t), ([b, c], t), ([c, a], t)])
        .collect();
    sides.sort_unstable();
    let uses = |a: u32, b: u32| {
        let directed = |edge: [u32; 2]| {
            sides.partition_point(|side| side.0 <= edge) - sides.partition_point(|side| side.0 < edge)
        };
        directed([a, b]) + directed([b, a])
    };
    // A vertex goes into one edge in a round, so that the counts of `uses` stay true.
    let mut touched = vec![false; mesh.triangles().len()];
    let mut taken = vec![false; mesh.positions().len()];
    for on_edge in found.chunk_by(|one, other| one.edge == other.edge) {
        let [a, b] = on_edge[0].edge;
        let Ok(side) = sides.binary_search_by_key(&[a, b], |side| side.0) else { continue };
        let t = sides[side].1 as usize;
        if touched[t] {
            continue;
        }
        let corners = mesh.triangles()[t];
        let Some(&c) = corners.iter().find(|&&corner| corner != a && corner != b) else { continue };
        let position = |v: u32| mesh.positions()[v as usize];
        let normal = |[a, b, c]: [u32; 3]| (position(b) - position(a)).cross(&(position(c) - position(a)));
        let good = |new: [u32; 3]| {
            normal(new).dot(&normal([a, b, c])) > 0.0 && !is_flat_triangle(&new.map(position))
        };
        let mut path = vec![a];
        for &Junction { vertex, .. } in on_edge {
            let last = *path.last().unwrap_or(&a);
            let fits = uses(last, vertex) < 2 && uses(vertex, b) < 2 && uses(vertex, c) == 0;
            if fits && !taken[vertex as usize] && good([last, vertex, c]) && good([vertex, b, c]) {
                path.push(vertex);
            }
        }
        if path.len() == 1 {
            continue;
        }
        for &vertex in &path[1..] {
            taken[vertex as usize] = true;
        }
        path.push(b);
        touched[t] = true;
        let old = parts.element_of[t];
        divided.extend(old);
        for (i, edge) in path.windows(2).enumerate() {
            let new = [edge[0], edge[1], c];
            if i == 0 {
                parts.elements[t] = new;
            } else {
                parts.elements.push(new);
                parts.element_of.push(old);
            }
        }
    }
}
