//! [`triangles`]: edges in threes.

/// Marks the absence of an edge.
const NONE: u32 = u32::MAX;

/// Finds triangles among edges between the points below `count`, of which no two have an edge in common.
/// Returns the places in the list of the edges a–b, b–c and a–c of each.
///
/// Every edge points from its first end to its second; only triangles whose edges do not form a cycle count.
/// Those that begin at a point are searched together, point by point, and the first one found is taken: where
/// all points have the same neighbourhood, as in a grid, every point chooses the same triangle, and all edges
/// except those of the border are used. Finding the largest possible number is a hard problem.
pub(crate) fn triangles(count: usize, edges: &[[u32; 2]]) -> Vec<[u32; 3]> {
    // The edges that start at every point.
    let mut offsets = vec![0_u32; count + 1];
    for &[from, _] in edges {
        offsets[from as usize + 1] += 1;
    }
    for i in 0..count {
        offsets[i + 1] += offsets[i];
    }
    let mut next = offsets.clone();
    let mut leaving = vec![0_u32; edges.len()];
    for (edge, &[from, _]) in (0_u32..).zip(edges) {
        let place = &mut next[from as usize];
        leaving[*place as usize] = edge;
        *place += 1;
    }
    let leaving_of =
        |point: u32| &leaving[offsets[point as usize] as usize..offsets[point as usize + 1] as usize];

    let mut used = vec![false; edges.len()];
    // The unused edge from the present point to every other.
    let mut reach = vec![NONE; count];
    let mut found = Vec::with_capacity(edges.len() / 3);
    for a in 0..count as u32 {
        let ends = leaving_of(a);
        if ends.len() < 2 {
            continue;
        }
        for &edge in ends.iter().filter(|&&edge| !used[edge as usize]) {
            reach[edges[edge as usize][1] as usize] = edge;
        }
        for &ab in ends {
            let b = edges[ab as usize][1];
            if used[ab as usize] || reach[b as usize] == NONE {
                continue;
            }
            let closing = leaving_of(b).iter().copied().find(|&bc| {
                let ac = reach[edges[bc as usize][1] as usize];
                ac != NONE && ac != ab && !used[bc as usize]
            });
            if let Some(bc) = closing {
                let c = edges[bc as usize][1];
                let ac = std::mem::replace(&mut reach[c as usize], NONE);
                reach[b as usize] = NONE;
                for edge in [ab, bc, ac] {
                    used[edge as usize] = true;
                }
                found.push([ab, bc, ac]);
            }
        }
        for &edge in ends {
            reach[edges[edge as usize][1] as usize] = NONE;
        }
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
        fn triangles_are_triangles_and_share_no_edge(
            edges in prop::collection::vec([0..12_u32, 0..12_u32], 0..60),
        ) {
            let edges: Vec<[u32; 2]> = edges.into_iter().filter(|[a, b]| a != b).collect();
            let mut used = vec![false; edges.len()];
            for triangle in triangles(12, &edges) {
                let [[a, b], [b2, c], [a2, c2]] = triangle.map(|edge| edges[edge as usize]);
                prop_assert!(a == a2 && b == b2 && c == c2 && a != c);
                for edge in triangle {
                    prop_assert!(!std::mem::replace(&mut used[edge as usize], true));
                }
            }
        }

        #[test]
        fn what_is_left_holds_no_triangle(edges in prop::collection::btree_set((0..12_u32, 0..12_u32), 0..60)) {
            let edges: Vec<[u32; 2]> = edges.into_iter().filter(|(a, b)| a < b).map(|(a, b)| [a, b]).collect();
            let found = triangles(12, &edges);
            let left: Vec<[u32; 2]> = (0..edges.len() as u32)
                .filter(|edge| !found.iter().flatten().any(|used| used == edge))
                .map(|edge| edges[edge as usize])
                .collect();
            for &[a, b] in &left {
                for c in b + 1..12 {
                    prop_assert!(!(left.contains(&[b, c]) && left.contains(&[a, c])), "{a} {b} {c} is left");
                }
            }
        }
    }

    #[test]
    fn a_grid_is_used_up_but_for_its_rim() {
        let n = 10;
        let mut edges = Vec::new();
        for y in 0..n {
            for x in 0..n {
                let v = y * n + x;
                edges.extend((x + 1 < n).then_some([v, v + 1]));
                edges.extend((y + 1 < n).then_some([v, v + n]));
                edges.extend((x + 1 < n && y + 1 < n).then_some([v, v + n + 1]));
            }
        }
        let cells = (n - 1) * (n - 1);
        assert_eq!(triangles(100, &edges).len(), cells as usize);
    }
}
