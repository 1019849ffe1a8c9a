//! [`parting`]: whether two lists of triangles form the same polygons, however each was split.
//!
//! How a polygon is split depends on where its corners are: in one frame of an animation it is concave and in
//! the next it is not. Its triangles change, but its vertices and its boundary do not.

use std::collections::{BTreeMap, BTreeSet};

/// The first triangle at which two lists differ, none if they are triangles of the same polygons in the same order.
///
/// Equal triangles are equal. From the first that is not, triangles of both lists are collected until both
/// sets have the same boundary; they form a polygon only if each of their vertices is on it.
pub(crate) fn parting(a: &[[u32; 3]], b: &[[u32; 3]]) -> Option<usize> {
    let mut start = 0;
    let (mut of_a, mut between) = (Boundary::default(), Boundary::default());
    for (i, (one, other)) in a.iter().zip(b).enumerate() {
        if between.0.is_empty() {
            if one == other {
                continue;
            }
            start = i;
            of_a.0.clear();
        }
        of_a.add(*one, 1);
        between.add(*one, 1);
        between.add(*other, -1);
        if between.0.is_empty() && !of_a.holds(&a[start..=i]) {
            return Some(start);
        }
    }
    if !between.0.is_empty() {
        return Some(start);
    }
    (a.len() != b.len()).then(|| a.len().min(b.len()))
}

/// How often each edge is left over in the one direction (from the smaller vertex) or, negative, in the other.
#[derive(Default)]
struct Boundary(BTreeMap<[u32; 2], i64>);

impl Boundary {
    fn add(&mut self, [p, q, r]: [u32; 3], times: i64) {
        for [from, to] in [[p, q], [q, r], [r, p]] {
            let (edge, sign) = if from < to { ([from, to], times) } else { ([to, from], -times) };
            let count = self.0.entry(edge).or_default();
            *count += sign;
            if *count == 0 {
                self.0.remove(&edge);
            }
        }
    }

    /// Whether all corners of triangles are ends of edges that are left over.
    fn holds(&self, triangles: &[[u32; 3]]) -> bool {
        let ends: BTreeSet<u32> = self.0.keys().flatten().copied().collect();
        triangles.as_flattened().iter().all(|corner| ends.contains(corner))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polygons_may_be_split_anyhow() {
        let plain = [[0, 1, 2], [0, 2, 3], [4, 5, 6], [4, 6, 7], [8, 9, 10]];
        let mut turned = plain;
        (turned[0], turned[1]) = ([1, 2, 3], [3, 0, 1]);
        assert_eq!(parting(&plain, &plain), None);
        assert_eq!(parting(&plain, &turned), None);
        assert_eq!(parting(&turned, &plain), None);
        assert_eq!(parting(&plain, &plain[..4]), Some(4));
        turned[3] = [4, 6, 8];
        assert_eq!(parting(&plain, &turned), Some(3));
        turned[3] = [4, 7, 6];
        assert_eq!(parting(&turned, &plain), Some(3));
    }

    #[test]
    fn other_triangles_of_a_closed_surface_are_others() {
        // An octahedron, and the same with its vertices 0 and 1 exchanged: neither has a boundary.
        let octahedron =
            [[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]];
        let swapped = |v: u32| if v < 2 { v ^ 1 } else { v };
        let other = octahedron.map(|triangle| triangle.map(swapped));
        assert_eq!(parting(&octahedron, &other), Some(0));
    }
}
