//! Triangles of a surface that pass through one another.

use nalgebra::Vector3;

use crate::{Aabb, TriMesh};

/// Pairs of triangles that cross, ascending; at most `most` of them, and the number of all pairs.
///
/// Triangles that share an edge are not compared, and those that lie in a common plane or only touch do not count.
pub(crate) fn crossing_pairs(mesh: &TriMesh, most: usize) -> (Vec<[u32; 2]>, usize) {
    let boxes: Vec<Aabb> = (0..mesh.triangles().len())
        .map(|t| {
            let [a, b, c] = mesh.corners(t);
            Aabb { min: a.inf(&b).inf(&c), max: a.sup(&b).sup(&c) }
        })
        .collect();
    let Some(all) = boxes.iter().copied().reduce(|a, b| a.union(&b)) else { return (Vec::new(), 0) };
    // Sort and sweep along the longest side: only triangles whose intervals overlap there are compared.
    let axis = (all.max - all.min).imax();
    let mut order: Vec<u32> = (0..boxes.len() as u32).collect();
    order.sort_by(|&s, &t| {
        boxes[s as usize].min[axis].total_cmp(&boxes[t as usize].min[axis]).then(s.cmp(&t))
    });
    let mut pairs = Vec::new();
    for (i, &s) in order.iter().enumerate() {
        let one = &boxes[s as usize];
        for &t in &order[i + 1..] {
            let other = &boxes[t as usize];
            if other.min[axis] > one.max[axis] {
                break;
            }
            let apart = (0..3).any(|k| other.min[k] > one.max[k] || one.min[k] > other.max[k]);
            if !apart && cross(mesh, s, t) {
                pairs.push([s.min(t), s.max(t)]);
            }
        }
    }
    pairs.sort_unstable();
    let count = pairs.len();
    pairs.truncate(most);
    (pairs, count)
}

fn cross(mesh: &TriMesh, s: u32, t: u32) -> bool {
    let (one, other) = (mesh.triangles()[s as usize], mesh.triangles()[t as usize]);
    if one.iter().filter(|v| other.contains(v)).count() > 1 {
        return false;
    }
    let (p, q) = (mesh.corners(s as usize), mesh.corners(t as usize));
    // An edge that ends in a common vertex can cross the other triangle only there.
    let pierces =
        |edges: [u32; 3], corners: &[Vector3<f64>; 3], face: [u32; 3], triangle: &[Vector3<f64>; 3]| {
            (0..3).any(|k| {
                let (i, j) = (k, (k + 1) % 3);
                !face.contains(&edges[i])
                    && !face.contains(&edges[j])
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
