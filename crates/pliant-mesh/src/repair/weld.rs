//! Welding: vertices at the same place become one.

use std::collections::HashMap;

use nalgebra::Vector3;

use super::compact::Parts;
use super::report::Action;
use crate::defects::coincident_vertices;

/// Joins every vertex with the first one within `distance` metres that was kept. Joined vertices are removed.
pub(super) fn weld<const N: usize>(parts: &mut Parts<N>, distance: f64) {
    let pairs = if distance > 0.0 {
        near_vertices(&parts.positions, distance)
    } else {
        coincident_vertices(&parts.positions)
    };
    parts.join(Action::Weld, &pairs);
}

/// Vertices within a distance of an earlier one that is kept: [vertex, the one kept], ascending.
fn near_vertices(positions: &[Vector3<f64>], distance: f64) -> Vec<[u32; 2]> {
    // The kept vertices by the cell of a grid that they lie in. Only looked up, never walked through.
    let mut cells: HashMap<[i64; 3], Vec<u32>> = HashMap::new();
    let cell = |p: &Vector3<f64>| [0, 1, 2].map(|axis| (p[axis] / distance).floor() as i64);
    let mut pairs = Vec::new();
    for (v, position) in (0_u32..).zip(positions) {
        let [i, j, k] = cell(position);
        let mut first: Option<u32> = None;
        for near in (-1..=1).flat_map(|x| (-1..=1).flat_map(move |y| (-1..=1).map(move |z| [x, y, z]))) {
            let key = [i.saturating_add(near[0]), j.saturating_add(near[1]), k.saturating_add(near[2])];
            for &other in cells.get(&key).map_or(&[][..], Vec::as_slice) {
                if (positions[other as usize] - position).norm() <= distance
                    && first.is_none_or(|f| other < f)
                {
                    first = Some(other);
                }
            }
        }
        match first {
            Some(other) => pairs.push([v, other]),
            None => cells.entry([i, j, k]).or_default().push(v),
        }
    }
    pairs
}
