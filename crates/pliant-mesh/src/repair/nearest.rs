//! Pairs of a point and an element that are near each other, the nearest few for each point.
//!
//! All pairs within a distance are as many as points times elements when the distance is as large as the mesh. Joining
//! boundaries needs only the nearest of them.

use nalgebra::Vector3;

use crate::embed::BoxTree;
use crate::{Aabb, Pair};

/// The most elements that are considered for each point.
pub(super) const MOST_NEAR: usize = 32;

/// For each point the [`MOST_NEAR`] nearest of the elements that `distance` gives a number of at most
/// `radius` metres; equally near ones in the order of their numbers. By point, then by element.
///
/// `distance` is called with the numbers of a point and of an element, whose box in `boxes` must not be farther away.
pub(super) fn nearest_pairs(
    points: &[Vector3<f64>],
    boxes: &[Aabb],
    radius: f64,
    distance: impl Fn(u32, u32) -> Option<f64>,
) -> Vec<Pair> {
    let tree = BoxTree::new(boxes);
    // The rounding of a box's distance must not lose a pair at exactly the radius.
    let widened = |radius: f64| radius * (1.0 + 1e-9);
    let mut found = Vec::new();
    let mut near: Vec<Pair> = Vec::with_capacity(MOST_NEAR + 1);
    for (vertex, point) in (0_u32..).zip(points) {
        near.clear();
        let mut reach = widened(radius);
        tree.visit(point, |element| {
            let Some(distance) = distance(vertex, element).filter(|&d| d <= radius) else { return reach };
            let place = near.partition_point(|pair| {
                pair.distance.total_cmp(&distance).then(pair.element.cmp(&element)).is_lt()
            });
            if place < MOST_NEAR {
                near.truncate(MOST_NEAR - 1);
                near.insert(place, Pair { vertex, element, distance });
            }
            if let Some(farthest) = near.get(MOST_NEAR - 1) {
                reach = widened(farthest.distance);
            }
            reach
        });
        near.sort_unstable_by_key(|pair| pair.element);
        found.extend_from_slice(&near);
    }
    found
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(pliant_testkit::config(256))]

        #[test]
        fn the_nearest_few_are_found(
            points in prop::collection::vec([-4..=4_i8, -4..=4, -4..=4], 1..60), radius in 0.0..6.0_f64,
        ) {
            let points: Vec<Vector3<f64>> =
                points.into_iter().map(|p| Vector3::from(p.map(|c| f64::from(c) / 4.0))).collect();
            let boxes: Vec<Aabb> = points.iter().map(|&p| Aabb { min: p, max: p }).collect();
            let between = |p: u32, q: u32| (points[p as usize] - points[q as usize]).norm();
            let found = nearest_pairs(&points, &boxes, radius, |p, q| (p != q).then(|| between(p, q)));
            let mut expected = Vec::new();
            for vertex in 0..points.len() as u32 {
                let mut all: Vec<Pair> = (0..points.len() as u32)
                    .filter(|&element| element != vertex && between(vertex, element) <= radius)
                    .map(|element| Pair { vertex, element, distance: between(vertex, element) })
                    .collect();
                all.sort_by(|p, q| p.distance.total_cmp(&q.distance).then(p.element.cmp(&q.element)));
                all.truncate(MOST_NEAR);
                all.sort_by_key(|pair| pair.element);
                expected.extend(all);
            }
            prop_assert_eq!(found, expected);
        }
    }
}
