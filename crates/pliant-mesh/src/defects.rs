//! Lists of defective elements and vertices that reports, importers and repairs share.

use nalgebra::Vector3;

/// Elements with the same vertices as an earlier one, in whatever order: [later, first], ascending.
///
/// ```
/// let triangles = [[0, 1, 2], [0, 2, 3], [2, 0, 1]];
/// assert_eq!(pliant_mesh::duplicate_elements(4, &triangles), [[2, 0]]);
/// ```
///
/// # Panics
///
/// If an element names a vertex that is not below `vertex_count`.
#[must_use]
pub fn duplicate_elements<const N: usize>(vertex_count: usize, elements: &[[u32; N]]) -> Vec<[u32; 2]> {
    // Elements by their smallest vertex, by counting: much faster than to sort them all.
    let smallest = |corners: &[u32; N]| corners.iter().fold(u32::MAX, |least, &v| least.min(v)) as usize;
    let mut ends = vec![0_usize; vertex_count + 1];
    for corners in elements {
        ends[smallest(corners) + 1] += 1;
    }
    for v in 0..vertex_count {
        ends[v + 1] += ends[v];
    }
    let mut order = vec![0_u32; elements.len()];
    for (element, corners) in (0_u32..).zip(elements) {
        let end = &mut ends[smallest(corners)];
        order[*end] = element;
        *end += 1;
    }
    // Now `ends[v]` is where the elements of vertex `v` end and those of `v + 1` begin.
    let mut found = Vec::new();
    let mut keys: Vec<([u32; N], u32)> = Vec::new();
    let mut start = 0;
    for &end in &ends[..vertex_count] {
        keys.clear();
        keys.extend(order[start..end].iter().map(|&element| {
            let mut key = elements[element as usize];
            key.sort_unstable();
            (key, element)
        }));
        keys.sort_unstable();
        for same in keys.chunk_by(|a, b| a.0 == b.0) {
            found.extend(same[1..].iter().map(|later| [later.1, same[0].1]));
        }
        start = end;
    }
    found.sort_unstable();
    found
}

/// Vertices that no element names, ascending.
///
/// # Panics
///
/// If an element names a vertex that is not below `vertex_count`.
#[must_use]
pub fn unreferenced_vertices<const N: usize>(vertex_count: usize, elements: &[[u32; N]]) -> Vec<u32> {
    let mut used = vec![false; vertex_count];
    for &vertex in elements.as_flattened() {
        used[vertex as usize] = true;
    }
    (0_u32..).zip(used).filter(|&(_, used)| !used).map(|(v, _)| v).collect()
}

/// Vertices at exactly the same place as an earlier one: [later, first], ascending.
#[must_use]
pub fn coincident_vertices(positions: &[Vector3<f64>]) -> Vec<[u32; 2]> {
    // Adding zero makes the two zeros one.
    let place = |v: u32| positions[v as usize].map(|c| c + 0.0);
    let mut sorted: Vec<u32> = (0..positions.len() as u32).collect();
    sorted.sort_unstable_by(|&v, &w| {
        let (p, q) = (place(v), place(w));
        p.x.total_cmp(&q.x).then(p.y.total_cmp(&q.y)).then(p.z.total_cmp(&q.z)).then(v.cmp(&w))
    });
    let mut pairs: Vec<[u32; 2]> = sorted
        .chunk_by(|&v, &w| place(v) == place(w))
        .flat_map(|run| run[1..].iter().map(|&later| [later, run[0]]))
        .collect();
    pairs.sort_unstable();
    pairs
}

/// Whether a triangle has no area to within rounding: at most 1e-12 of the square of its longest edge.
#[must_use]
pub(crate) fn is_flat_triangle(&[a, b, c]: &[Vector3<f64>; 3]) -> bool {
    let edges = [b - a, c - b, a - c];
    let longest = edges.iter().map(nalgebra::Matrix::norm_squared).fold(0.0, f64::max);
    0.5 * (b - a).cross(&(c - a)).norm() <= 1e-12 * longest
}
