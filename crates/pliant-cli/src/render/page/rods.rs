//! Rods along edges, as triangles: how a page draws seams.

use nalgebra::Vector3;

/// Corners of a rod at each of its ends.
const CORNERS: usize = 3;

/// Vertices of a rod.
pub(super) const VERTICES: usize = 2 * CORNERS;

/// The triangles of so many rods, seen from outside.
pub(super) fn triangles(rods: usize) -> Vec<[u32; 3]> {
    let of_rod = |rod: usize| {
        (0..CORNERS).flat_map(move |k| {
            let at = |end: usize, corner: usize| ((2 * rod + end) * CORNERS + corner % CORNERS) as u32;
            [[at(0, k), at(0, k + 1), at(1, k)], [at(0, k + 1), at(1, k + 1), at(1, k)]]
        })
    };
    (0..rods).flat_map(of_rod).collect()
}

/// The vertices of rods of a radius, m, along edges.
pub(super) fn places(positions: &[Vector3<f64>], edges: &[[u32; 2]], radius: f64) -> Vec<Vector3<f64>> {
    let mut places = Vec::with_capacity(VERTICES * edges.len());
    for edge in edges {
        let [from, to] = edge.map(|v| positions[v as usize]);
        let along = (to - from).try_normalize(0.0).unwrap_or_else(Vector3::x);
        let least = along.abs().imin();
        let across = along.cross(&Vector3::ith(least, 1.0)).normalize();
        let other = along.cross(&across);
        for end in [from, to] {
            places.extend((0..CORNERS).map(|k| {
                let (sin, cos) = (std::f64::consts::TAU * k as f64 / CORNERS as f64).sin_cos();
                end + radius * (cos * across + sin * other)
            }));
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rods_are_closed_around_their_edges_and_seen_from_outside() {
        let x = [[0.0, 1.0, 0.0], [2.0, 1.0, 0.5], [2.0, 1.0, 0.5]].map(Vector3::from);
        let edges = [[0, 1], [1, 2]];
        let (places, triangles) = (places(&x, &edges, 0.1), triangles(edges.len()));
        assert_eq!((places.len(), triangles.len()), (12, 12));
        for t in &triangles[..6] {
            let [a, b, c] = t.map(|v| places[v as usize]);
            let normal = (b - a).cross(&(c - a));
            let middle = (a + b + c) / 3.0;
            let share = (middle - x[0]).dot(&(x[1] - x[0])) / (x[1] - x[0]).norm_squared();
            assert!(normal.dot(&(middle - x[0].lerp(&x[1], share))) > 0.0);
        }
        // An edge without length has a rod without length, but with numbers.
        assert!(places.iter().flatten().all(|c| c.is_finite()));
    }
}
