//! Holes: loops of boundary edges, and the triangles of least area that close them.
//!
//! Source: Barequet and Sharir (1995), *Filling gaps in the boundary of a polyhedron*: the triangulation of a
//! polygon of n corners with the least sum of areas, by dynamic programming in n³ steps.

use nalgebra::Vector3;

use super::compact::Parts;
use super::report::Action;
use crate::defects::is_flat_triangle;
use crate::words::counted;
use crate::{Components, TriMesh};

/// Holes of more edges are never closed: the time grows with the third power.
const MOST_EDGES: usize = 500;

/// Loops of boundary edges in the direction in which the triangles run along them. Each begins with its
/// smallest vertex; loops come in the order of their first vertices. Edges at which boundaries cross make no
/// loop.
pub(super) fn loops(mesh: &TriMesh) -> Vec<Vec<u32>> {
    let boundary = mesh.hinges().boundary;
    let mut next: Vec<Option<u32>> = vec![None; mesh.positions().len()];
    let mut crossed = vec![false; mesh.positions().len()];
    let mut entered = vec![false; mesh.positions().len()];
    for &[a, b] in &boundary {
        crossed[a as usize] |= next[a as usize].is_some();
        crossed[b as usize] |= entered[b as usize];
        next[a as usize] = Some(b);
        entered[b as usize] = true;
    }
    let mut seen = vec![false; mesh.positions().len()];
    let mut loops = Vec::new();
    for start in 0..mesh.positions().len() as u32 {
        let mut corners = Vec::new();
        let mut at = start;
        while !seen[at as usize] && !crossed[at as usize] {
            let Some(after) = next[at as usize] else { break };
            seen[at as usize] = true;
            corners.push(at);
            at = after;
        }
        if at == start && corners.len() >= 3 {
            loops.push(corners);
        }
    }
    loops
}

/// The smallest vertex of each open boundary, ascending: of connected boundary edges, loops or not, whichever
/// way their triangles face.
pub(super) fn boundaries(vertices: usize, boundary: &[[u32; 2]]) -> Vec<u32> {
    let of_vertex = Components::of_elements(vertices, boundary);
    let mut seen = vec![false; of_vertex.count()];
    let mut firsts = Vec::new();
    for (v, piece) in (0_u32..).zip(of_vertex.of_vertex()) {
        if let Some(piece) = piece
            && !std::mem::replace(&mut seen[*piece as usize], true)
        {
            firsts.push(v);
        }
    }
    firsts
}

/// Closes the holes of at most so many edges.
pub(super) fn fill(parts: &mut Parts<3>, most: usize) {
    let mesh = TriMesh::new(parts.positions.clone(), parts.elements.clone())
        .expect("elements that name a vertex twice were dropped");
    let mut edges: Vec<[u32; 2]> = mesh.edges().into_iter().map(|[a, b]| [a.min(b), a.max(b)]).collect();
    edges.sort_unstable();
    let (mut closed, mut occupied, mut flat) = (Vec::new(), Vec::new(), Vec::new());
    let mut larger = 0;
    for corners in loops(&mesh) {
        if corners.len() > most.min(MOST_EDGES) {
            larger += 1;
            continue;
        }
        // The new triangles run along the edges the other way round.
        let reversed: Vec<u32> = corners.iter().rev().copied().collect();
        let triangles = least_area(&parts.positions, &reversed);
        if overlaps(&edges, &parts.elements, &corners, &triangles) {
            occupied.push(corners[0]);
            continue;
        }
        if triangles.iter().any(|t| is_flat_triangle(&t.map(|v| parts.positions[v as usize]))) {
            flat.push(corners[0]);
            continue;
        }
        parts.element_of.extend(triangles.iter().map(|_| None));
        parts.elements.extend(triangles);
        closed.push(corners[0]);
    }
    parts.note_vertices(Action::FillHole, &closed);
    for (holes, why) in [(occupied, "lying on other triangles"), (flat, "triangles that have no area")] {
        if let Some(first) = holes.first().and_then(|&v| parts.vertex_of[v as usize]) {
            let count = counted(holes.len(), "hole", "holes");
            parts.left.push(format!("{count} (first: at vertex {first}) cannot be closed without {why}"));
        }
    }
    if larger > 0 {
        let holes = counted(larger, "hole", "holes");
        parts.left.push(format!("{holes} of more than {} edges left open", most.min(MOST_EDGES)));
    }
}

/// Whether new triangles would lie on others, whose edges are given in ascending order: one of them is there
/// already, or one of their edges inside the hole is.
fn overlaps(edges: &[[u32; 2]], old: &[[u32; 3]], corners: &[u32], new: &[[u32; 3]]) -> bool {
    let n = corners.len();
    let is_side = |a: u32, b: u32| {
        (0..n).any(|i| {
            let side = [corners[i], corners[(i + 1) % n]];
            side == [a, b] || side == [b, a]
        })
    };
    if n == 3 {
        return old.iter().any(|triangle| triangle.iter().all(|v| corners.contains(v)));
    }
    new.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]).any(|[a, b]| {
        let edge = [a.min(b), a.max(b)];
        !is_side(a, b) && edges.binary_search(&edge).is_ok()
    })
}

/// The triangulation of a polygon with the least sum of areas.
fn least_area(positions: &[Vector3<f64>], polygon: &[u32]) -> Vec<[u32; 3]> {
    let n = polygon.len();
    let area = |i: usize, j: usize, k: usize| {
        let [a, b, c] = [i, j, k].map(|i| positions[polygon[i] as usize]);
        (b - a).cross(&(c - a)).norm()
    };
    // Least area of the part from corner i to corner j, and the corner that makes a triangle with the two.
    let mut least = vec![0.0_f64; n * n];
    let mut choice = vec![0_usize; n * n];
    for gap in 2..n {
        for i in 0..n - gap {
            let j = i + gap;
            let mut best = (f64::INFINITY, i + 1);
            for k in i + 1..j {
                let sum = least[i * n + k] + least[k * n + j] + area(i, k, j);
                if sum < best.0 {
                    best = (sum, k);
                }
            }
            (least[i * n + j], choice[i * n + j]) = best;
        }
    }
    let mut triangles = Vec::with_capacity(n - 2);
    let mut stack = vec![(0, n - 1)];
    while let Some((i, j)) = stack.pop() {
        if j - i < 2 {
            continue;
        }
        let k = choice[i * n + j];
        triangles.push([polygon[i], polygon[k], polygon[j]]);
        stack.extend([(k, j), (i, k)]);
    }
    triangles
}
