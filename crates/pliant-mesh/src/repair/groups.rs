//! Vertices that become one: the nearest pairs first, in groups of a limited diameter, never two of one element.

use std::collections::BTreeSet;

use nalgebra::Vector3;

use super::nearest::nearest_pairs;
use crate::Aabb;

/// Groups of up to so many pairs of vertices between them are compared vertex by vertex, others by the box around both.
const MOST_COMPARED: usize = 256;

/// The largest number of passes over the remaining points.
const MOST_ROUNDS: usize = 64;

/// Some points in groups that grow.
struct Groups<'a> {
    points: &'a [Vector3<f64>],
    distance: f64,
    /// The group of each point, and the points of each group, of which those that went into another have none.
    group_of: Vec<u32>,
    members: Vec<Vec<u32>>,
    boxes: Vec<Aabb>,
    /// The groups with which each can never be joined.
    apart: Vec<BTreeSet<u32>>,
}

/// Groups of points, each as its members, ascending; groups of one are left out.
///
/// The pair of points that are nearest to each other is joined first. Two groups become one if no two points
/// of theirs are farther than `distance` from each other (of large groups: if the diagonal of the box around
/// them is at most that), and none of the pairs `apart` is in them. Each point is compared only with its
/// [`MOST_NEAR`](super::nearest::MOST_NEAR) nearest ones, and each group again as its first point, until no
/// more are joined: if fewer are within the distance, this is exactly the rule; otherwise it bounds the work.
pub(super) fn near_groups(points: &[Vector3<f64>], distance: f64, apart: &[[u32; 2]]) -> Vec<Vec<u32>> {
    let mut groups = Groups {
        points,
        distance,
        group_of: (0..points.len() as u32).collect(),
        members: (0..points.len() as u32).map(|p| vec![p]).collect(),
        boxes: points.iter().map(|&p| Aabb { min: p, max: p }).collect(),
        apart: vec![BTreeSet::new(); points.len()],
    };
    for &[p, q] in apart {
        groups.keep_apart(p, q);
    }
    for _ in 0..MOST_ROUNDS {
        if !groups.grow() {
            break;
        }
    }
    let mut grown: Vec<Vec<u32>> = groups.members.into_iter().filter(|group| group.len() > 1).collect();
    for group in &mut grown {
        group.sort_unstable();
    }
    grown.sort_unstable();
    grown
}

impl Groups<'_> {
    /// Joins the groups whose first points are near each other; whether there were any.
    fn grow(&mut self) -> bool {
        // The smallest point of each group stands for it.
        let firsts: Vec<u32> = self.members.iter().filter_map(|group| group.iter().min().copied()).collect();
        let places: Vec<Vector3<f64>> = firsts.iter().map(|&p| self.points[p as usize]).collect();
        let boxes: Vec<Aabb> = places.iter().map(|&p| Aabb { min: p, max: p }).collect();
        let mut pairs = nearest_pairs(&places, &boxes, self.distance, |p, q| {
            (p != q).then(|| (places[p as usize] - places[q as usize]).norm())
        });
        for pair in &mut pairs {
            let ends = [firsts[pair.vertex as usize], firsts[pair.element as usize]];
            [pair.vertex, pair.element] = [ends[0].min(ends[1]), ends[0].max(ends[1])];
        }
        pairs.sort_by(|p, q| {
            p.distance.total_cmp(&q.distance).then(p.vertex.cmp(&q.vertex)).then(p.element.cmp(&q.element))
        });
        pairs.dedup();
        let mut joined = false;
        for pair in pairs {
            let (one, other) = (self.group_of[pair.vertex as usize], self.group_of[pair.element as usize]);
            if one == other || self.apart[one as usize].contains(&other) {
                continue;
            }
            if self.is_narrow(one as usize, other as usize) {
                self.join(one, other);
                joined = true;
            } else {
                // Groups only grow.
                self.keep_apart(one, other);
            }
        }
        joined
    }

    /// Whether no two points of two groups are farther from each other than the distance.
    fn is_narrow(&self, one: usize, other: usize) -> bool {
        let size = self.boxes[one].union(&self.boxes[other]).size();
        if size.norm() <= self.distance {
            return true;
        }
        if size.max() > self.distance || self.members[one].len() * self.members[other].len() > MOST_COMPARED {
            return false;
        }
        let at = |p: u32| self.points[p as usize];
        self.members[one]
            .iter()
            .all(|&p| self.members[other].iter().all(|&q| (at(p) - at(q)).norm() <= self.distance))
    }

    fn keep_apart(&mut self, one: u32, other: u32) {
        self.apart[one as usize].insert(other);
        self.apart[other as usize].insert(one);
    }

    /// Joins two groups. The larger one takes the points of the other, so that a point is moved at most a
    /// logarithmic number of times.
    fn join(&mut self, one: u32, other: u32) {
        let weight = |g: u32| self.members[g as usize].len() + self.apart[g as usize].len();
        let (large, small) = if weight(one) < weight(other) { (other, one) } else { (one, other) };
        let moved = std::mem::take(&mut self.members[small as usize]);
        for &p in &moved {
            self.group_of[p as usize] = large;
        }
        self.members[large as usize].extend(moved);
        self.boxes[large as usize] = self.boxes[large as usize].union(&self.boxes[small as usize]);
        for foreign in std::mem::take(&mut self.apart[small as usize]) {
            self.apart[foreign as usize].remove(&small);
            self.keep_apart(large, foreign);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The rule itself: all pairs, all members.
    fn by_definition(points: &[Vector3<f64>], distance: f64, apart: &[[u32; 2]]) -> Vec<Vec<u32>> {
        let n = points.len() as u32;
        let between = |p: u32, q: u32| (points[p as usize] - points[q as usize]).norm();
        let mut pairs: Vec<[u32; 2]> = (0..n).flat_map(|p| (p + 1..n).map(move |q| [p, q])).collect();
        pairs.sort_by(|&[a, b], &[c, d]| between(a, b).total_cmp(&between(c, d)).then([a, b].cmp(&[c, d])));
        let mut groups: Vec<Vec<u32>> = (0..n).map(|p| vec![p]).collect();
        for [p, q] in pairs {
            let of = |p: u32| groups.iter().position(|group| group.contains(&p)).unwrap();
            let (one, other) = (of(p), of(q));
            let fits = groups[one].iter().all(|&p| {
                groups[other].iter().all(|&q| {
                    between(p, q) <= distance && !apart.contains(&[p, q]) && !apart.contains(&[q, p])
                })
            });
            if one != other && fits {
                let moved = groups.remove(one.max(other));
                groups[one.min(other)].extend(moved);
            }
        }
        groups.retain(|group| group.len() > 1);
        groups.iter_mut().for_each(|group| group.sort_unstable());
        groups.sort_unstable();
        groups
    }

    proptest! {
        #![proptest_config(pliant_testkit::config(256))]

        #[test]
        fn few_points_are_joined_by_the_rule(
            // So few that all are among the nearest, half of them on a coarse lattice, where distances tie.
            points in prop::collection::vec(prop_oneof![
                [-1.0..1.0, -1.0..1.0, -1.0..1.0_f64],
                [-2..=2_i8, -2..=2, -2..=2].prop_map(|p| p.map(|c| f64::from(c) / 2.0)),
            ], 2..16),
            apart in prop::collection::vec([0_u32..16, 0..16], 0..20),
            distance in prop_oneof![0.0..3.0_f64, (1..6_u8).prop_map(|d| f64::from(d) / 2.0)],
        ) {
            let points: Vec<Vector3<f64>> = points.into_iter().map(Vector3::from).collect();
            let n = points.len() as u32;
            let apart: Vec<[u32; 2]> = apart.into_iter().filter(|&[p, q]| p != q && p < n && q < n).collect();
            prop_assert_eq!(near_groups(&points, distance, &apart), by_definition(&points, distance, &apart));
        }
    }

    #[test]
    fn clusters_of_more_than_the_nearest_become_one() {
        // Two clusters of a hundred within a millionth, a thousandth from each other.
        let points: Vec<Vector3<f64>> =
            (0..200).map(|i| Vector3::new(1e-3 * f64::from(i % 2) + 1e-8 * f64::from(i), 0.0, 0.0)).collect();
        assert_eq!(near_groups(&points, 0.01, &[]), [(0..200).collect::<Vec<u32>>()]);
        assert_eq!(near_groups(&points, 1e-4, &[]).len(), 2);
    }
}
