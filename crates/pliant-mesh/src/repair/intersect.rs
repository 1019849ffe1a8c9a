//! Triangles of a surface that pass through one another.

use nalgebra::Vector3;

use crate::embed::BoxTree;
use crate::{Aabb, TriMesh};

/// Pairs of triangles that cross, ascending; at most `most` of them, and the number of all pairs.
///
/// Triangles that share an edge are not compared, and those that lie in a common plane or only touch do not count.
pub(crate) fn crossing_pairs(mesh: &TriMesh, most: usize) -> (Vec<[u32; 2]>, usize) {
    let boxes: Vec<Aabb> = (0..mesh.triangles().len()).map(|t| around(&mesh.corners(t))).collect();
    let tree = BoxTree::new(&boxes);
    let (mut pairs, mut count) = (Vec::new(), 0);
    let mut crossed = Vec::new();
    for (s, bounds) in (0..).zip(&boxes) {
        crossed.clear();
        tree.meeting(bounds, |t| {
            if t > s && cross(mesh, s, t) {
                crossed.push(t);
            }
        });
        count += crossed.len();
        crossed.sort_unstable();
        pairs.extend(crossed.iter().map(|&t| [s, t]).take(most - pairs.len()));
    }
    (pairs, count)
}

fn around(points: &[Vector3<f64>]) -> Aabb {
    Aabb::of_points(points).expect("elements have corners")
}

fn cross(mesh: &TriMesh, s: u32, t: u32) -> bool {
    let [one, other] = [s, t].map(|t| mesh.triangles()[t as usize]);
    let is_common = |v: &u32| other.contains(v);
    if one.iter().filter(|v| is_common(v)).count() > 1 {
        return false;
    }
    let [p, q] = [s, t].map(|t| mesh.corners(t as usize));
    // An edge that ends in a common vertex can cross the other triangle only there.
    let pierces =
        |edges: [u32; 3], corners: &[Vector3<f64>; 3], face: [u32; 3], triangle: &[Vector3<f64>; 3]| {
            let bounds = around(triangle);
            (0..3).any(|k| {
                let (i, j) = (k, (k + 1) % 3);
                !face.contains(&edges[i])
                    && !face.contains(&edges[j])
                    && bounds.meets(&around(&[corners[i], corners[j]]))
                    && pierces(&corners[i], &corners[j], triangle)
            })
        };
    pierces(one, &p, other, &q) || pierces(other, &q, one, &p)
}

/// Whether a segment passes through the inside of a triangle.
fn pierces(p: &Vector3<f64>, q: &Vector3<f64>, [a, b, c]: &[Vector3<f64>; 3]) -> bool {
    let volume = |a: &Vector3<f64>, b: &Vector3<f64>, c: &Vector3<f64>, d: &Vector3<f64>| {
        (b - a).cross(&(c - a)).dot(&(d - a))
    };
    if volume(a, b, c, p) * volume(a, b, c, q) >= 0.0 {
        return false;
    }
    let [u, v, w] = [volume(p, q, a, b), volume(p, q, b, c), volume(p, q, c, a)];
    (u > 0.0 && v > 0.0 && w > 0.0) || (u < 0.0 && v < 0.0 && w < 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Compares all pairs, along no boxes.
    fn all_pairs(mesh: &TriMesh) -> Vec<[u32; 2]> {
        let count = mesh.triangles().len() as u32;
        let crosses = |s: u32, t: u32| {
            let [one, other] = [s, t].map(|t| mesh.triangles()[t as usize]);
            let [p, q] = [s, t].map(|t| mesh.corners(t as usize));
            let any = |edges: [u32; 3], corners: &[Vector3<f64>; 3], face: [u32; 3], triangle| {
                [[0, 1], [1, 2], [2, 0]].iter().any(|&[i, j]| {
                    [i, j].iter().all(|&k| !face.contains(&edges[k]))
                        && pierces(&corners[i], &corners[j], triangle)
                })
            };
            one.iter().filter(|v| other.contains(v)).count() < 2
                && (any(one, &p, other, &q) || any(other, &q, one, &p))
        };
        let pairs = (0..count).flat_map(|s| (s + 1..count).map(move |t| [s, t]));
        pairs.filter(|&[s, t]| crosses(s, t)).collect()
    }

    proptest! {
        #![proptest_config(pliant_testkit::config(128))]

        #[test]
        fn what_crosses_is_found_by_boxes(
            x in prop::collection::vec([-1.0..1.0, -1.0..1.0, -1.0..1.0_f64], 12),
            triangles in prop::collection::vec([0..4_u32, 4..8_u32, 8..12_u32], 1..40),
        ) {
            let mesh = TriMesh::new(x.into_iter().map(Vector3::from).collect(), triangles).unwrap();
            let all = all_pairs(&mesh);
            prop_assert_eq!(crossing_pairs(&mesh, 5), (all.iter().copied().take(5).collect(), all.len()));
        }
    }
}
