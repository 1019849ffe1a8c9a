//! Vertices in clusters of a fixed size, by place.
//!
//! Recursive coordinate bisection (Berger & Bokhari 1987): a box of vertices is cut across its longest side,
//! so that both parts hold whole clusters. Neighbours then lie in the same cluster nearly always, and a
//! cluster fits the nearest cache.

use nalgebra::Vector3;
use pliant_mesh::Aabb;

/// The vertices in the order of their clusters: consecutive runs of `size`, the last one perhaps shorter.
pub(super) fn clusters(positions: &[Vector3<f64>], size: usize) -> Vec<u32> {
    let mut order: Vec<u32> = (0..positions.len() as u32).collect();
    // A list of parts instead of a recursion, so that the depth does not matter.
    let mut parts = vec![order.as_mut_slice()];
    while let Some(part) = parts.pop() {
        if part.len() <= size {
            // The caller's order is kept within, which is the mesh's own.
            part.sort_unstable();
            continue;
        }
        let axis = Aabb::around(part.iter().map(|&v| positions[v as usize])).map_or(0, |b| b.longest_axis());
        let key = |v: &u32| positions[*v as usize][axis];
        let middle = part.len().div_ceil(size) / 2 * size;
        part.select_nth_unstable_by(middle, |a, b| key(a).total_cmp(&key(b)).then(a.cmp(b)));
        let (low, high) = part.split_at_mut(middle);
        parts.push(low);
        parts.push(high);
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(pliant_testkit::config(256))]

        #[test]
        fn every_vertex_has_its_place(
            points in prop::collection::vec(prop::array::uniform3(-1.0..1.0_f64), 0..300), size in 1..20_usize,
        ) {
            let positions: Vec<_> = points.into_iter().map(Vector3::from).collect();
            let order = clusters(&positions, size);
            let mut sorted = order.clone();
            sorted.sort_unstable();
            prop_assert!(sorted.iter().enumerate().all(|(i, &v)| i == v as usize));
            prop_assert_eq!(sorted.len(), positions.len());
            prop_assert!(order.chunks(size).all(<[u32]>::is_sorted));
        }
    }
}
