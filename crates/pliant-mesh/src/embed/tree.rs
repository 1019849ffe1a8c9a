//! A hierarchy of boxes over a spatial grid, to find the items near a point.
//!
//! The grid divides the bounds of the items themselves into 2²¹ cells each way, so that nothing depends on
//! where the mesh stands or how large it is. Items are sorted along the grid's Z-order curve (Morton 1966),
//! which keeps neighbours together; consecutive items form leaves, and consecutive boxes are joined in pairs
//! up to a single one. Memory is proportional to the number of items, however uneven their sizes.

use nalgebra::Vector3;

use crate::Aabb;

/// Items per leaf.
pub(crate) const LEAF: usize = 4;

/// Bits of a grid index in each direction.
const BITS: u32 = 21;

#[derive(Debug, Clone)]
pub(crate) struct BoxTree {
    /// Items along the curve.
    order: Vec<u32>,
    /// Their boxes, in the same order.
    boxes: Vec<Aabb>,
    /// Boxes of the leaves, then of pairs of them, up to one box around all.
    levels: Vec<Vec<Aabb>>,
}

pub(crate) fn bounds_of(corners: &[Vector3<f64>; 4]) -> Aabb {
    let [a, b, c, d] = corners;
    Aabb { min: a.inf(b).inf(&c.inf(d)), max: a.sup(b).sup(&c.sup(d)) }
}

/// The box around some boxes, of which there is at least one.
fn around(boxes: &[Aabb]) -> Aabb {
    boxes[1..].iter().fold(boxes[0], |all, b| all.union(b))
}

impl BoxTree {
    pub(crate) fn new(boxes: &[Aabb]) -> Self {
        let Some(bounds) = boxes.iter().copied().reduce(|a, b| a.union(&b)) else {
            return Self { order: Vec::new(), boxes: Vec::new(), levels: Vec::new() };
        };
        let mut keyed: Vec<(u64, u32)> =
            boxes.iter().zip(0..).map(|(b, item)| (morton(&b.centre(), &bounds), item)).collect();
        keyed.sort_unstable();
        let order: Vec<u32> = keyed.into_iter().map(|(_, item)| item).collect();

        let boxes: Vec<Aabb> = order.iter().map(|&item| boxes[item as usize]).collect();
        let mut levels: Vec<Vec<Aabb>> = vec![boxes.chunks(LEAF).map(around).collect()];
        while let Some(below) = levels.last().filter(|level| level.len() > 1) {
            let joined = below.chunks(2).map(around).collect();
            levels.push(joined);
        }
        Self { order, boxes, levels }
    }

    /// The box around all items.
    pub(crate) fn bounds(&self) -> Option<&Aabb> {
        self.levels.last()?.first()
    }

    /// Items along the curve: leaf `i` holds places `LEAF i..LEAF (i + 1)` of it.
    pub(crate) fn order(&self) -> &[u32] {
        &self.order
    }

    /// The boxes of the leaves, then of pairs of them, up to one box around all.
    pub(crate) fn levels(&self) -> &[Vec<Aabb>] {
        &self.levels
    }

    /// Calls `look` for every item whose box is within a distance of the point, near ones first by and large.
    /// The distance is infinite at first, and from then on what `look` returns.
    pub(crate) fn visit(&self, point: &Vector3<f64>, mut look: impl FnMut(u32) -> f64) {
        if let Some(root) = self.bounds() {
            let mut within = f64::INFINITY;
            let distance = root.distance_squared(point);
            self.descend(self.levels.len() - 1, 0, distance, point, &mut within, &mut look);
        }
    }

    /// The least value that `look` returns for the items at each place of the order, if it is below `bound`;
    /// else some value that is not. `look` must not return less than the squared distance of the item's box.
    pub(crate) fn nearest_squared(
        &self,
        point: &Vector3<f64>,
        bound: f64,
        mut look: impl FnMut(usize) -> f64,
    ) -> f64 {
        let mut least = bound;
        // One place for each level, and one more for the second child: trees of 2³² items have fewer than 64 levels.
        let mut stack = [(0_usize, 0_usize, 0.0); 64];
        let mut height = 0;
        if let Some(root) = self.bounds() {
            stack[0] = (self.levels.len() - 1, 0, root.distance_squared(point));
            height = 1;
        }
        while height > 0 {
            height -= 1;
            let (level, index, distance) = stack[height];
            if distance >= least {
                continue;
            }
            if level == 0 {
                for place in index * LEAF..self.order.len().min((index + 1) * LEAF) {
                    if self.boxes[place].distance_squared(point) < least {
                        least = least.min(look(place));
                    }
                }
                continue;
            }
            let below = &self.levels[level - 1];
            let child = |i: usize| below.get(i).map(|b| (level - 1, i, b.distance_squared(point)));
            let (one, other) = (child(2 * index), child(2 * index + 1));
            let (near, far) = match (one, other) {
                (Some(a), Some(b)) if b.2 < a.2 => (other, one),
                _ => (one, other),
            };
            // The near one is visited first, so it goes on top.
            for entry in [far, near].into_iter().flatten().filter(|entry| entry.2 < least) {
                stack[height] = entry;
                height += 1;
            }
        }
        least
    }

    /// Distances are squared here.
    fn descend(
        &self,
        level: usize,
        index: usize,
        distance: f64,
        point: &Vector3<f64>,
        within: &mut f64,
        look: &mut impl FnMut(u32) -> f64,
    ) {
        if distance > *within {
            return;
        }
        if level == 0 {
            let items = index * LEAF..self.order.len().min((index + 1) * LEAF);
            for (&item, bounds) in self.order[items.clone()].iter().zip(&self.boxes[items]) {
                if bounds.distance_squared(point) <= *within {
                    *within = look(item).powi(2);
                }
            }
            return;
        }
        let below = &self.levels[level - 1];
        let child = |i: usize| below.get(i).map(|b| (i, b.distance_squared(point)));
        match (child(2 * index), child(2 * index + 1)) {
            (Some(one), Some(other)) => {
                let (near, far) = if other.1 < one.1 { (other, one) } else { (one, other) };
                self.descend(level - 1, near.0, near.1, point, within, look);
                self.descend(level - 1, far.0, far.1, point, within, look);
            }
            (Some((i, distance)), None) | (None, Some((i, distance))) => {
                self.descend(level - 1, i, distance, point, within, look);
            }
            (None, None) => {}
        }
    }
}

/// The place of a point on the Z-order curve through the grid of `bounds`.
fn morton(point: &Vector3<f64>, bounds: &Aabb) -> u64 {
    let cells = (1_u64 << BITS) as f64;
    let size = bounds.size();
    (0..3).fold(0, |code, k| {
        // Without extent in a direction there is one cell; a cast of NaN or beyond the range saturates.
        let cell = ((point[k] - bounds.min[k]) / size[k] * cells) as u64;
        code | spread(cell.min((1 << BITS) - 1)) << k
    })
}

/// Puts two zero bits between the bits of a grid index.
fn spread(index: u64) -> u64 {
    let mut x = index;
    x = (x | x << 32) & 0x001f_0000_0000_ffff;
    x = (x | x << 16) & 0x001f_0000_ff00_00ff;
    x = (x | x << 8) & 0x100f_00f0_0f00_f00f;
    x = (x | x << 4) & 0x10c3_0c30_c30c_30c3;
    (x | x << 2) & 0x1249_2492_4924_9249
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn bits_are_spread() {
        assert_eq!(spread(0b1011), 0b1_000_001_001);
        assert_eq!(spread((1 << BITS) - 1).count_ones(), BITS);
        assert_eq!(spread(1 << 20), 1 << 60);
    }

    proptest! {
        #![proptest_config(pliant_testkit::config(256))]

        #[test]
        fn everything_within_reach_is_looked_at(
            centres in prop::collection::vec([-1.0..1.0, -1.0..1.0, -1.0..1.0_f64], 0..60),
            point in [-2.0..2.0, -2.0..2.0, -2.0..2.0_f64],
            reach in 0.0..2.0_f64,
        ) {
            let boxes: Vec<Aabb> = centres.iter().map(|&c| {
                let c = Vector3::from(c);
                Aabb { min: c.add_scalar(-0.1), max: c.add_scalar(0.2) }
            }).collect();
            let point = Vector3::from(point);
            let tree = BoxTree::new(&boxes);
            let mut seen = vec![0; boxes.len()];
            tree.visit(&point, |item| {
                seen[item as usize] += 1;
                reach
            });
            for (b, &times) in boxes.iter().zip(&seen) {
                prop_assert!(times <= 1);
                prop_assert!(times == 1 || b.distance_squared(&point) > reach * reach);
            }
            // Narrowing the reach finds the nearest.
            let mut least = f64::INFINITY;
            tree.visit(&point, |item| {
                least = least.min(boxes[item as usize].distance_squared(&point).sqrt());
                least
            });
            let expected = boxes.iter().map(|b| b.distance_squared(&point).sqrt()).fold(f64::INFINITY, f64::min);
            prop_assert_eq!(least, expected);
        }
    }
}
