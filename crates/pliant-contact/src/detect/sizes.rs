//! A grid for each order of size, so that a few large ones do not make all cells large.

use super::boxes::{Boxes, Hull};

/// Sides of one grid differ by up to this factor.
const FACTOR: f32 = 4.0;
/// Orders of size below that of most boxes; smaller boxes go to the lowest.
const BELOW: i32 = 10;
/// Number of boxes that are sampled to find the usual size.
const SAMPLES: usize = 256;

/// Grids in ascending order of size.
#[derive(Default)]
pub(super) struct Sizes {
    orders: Vec<i8>,
    present: Vec<i8>,
    sample: Vec<f32>,
    grids: Vec<Boxes>,
}

impl Sizes {
    /// Sorts boxes.
    pub(super) fn sort(&mut self, hulls: &[Hull]) {
        let extents = hulls.iter().map(Hull::extent);
        let usual = self.usual(extents.clone());
        self.orders.clear();
        self.orders.extend(extents.map(|extent| order(extent / usual)));
        self.present.clear();
        for &order in &self.orders {
            if !self.present.contains(&order) {
                self.present.push(order);
            }
        }
        self.present.sort_unstable();
        // A surplus grid keeps its memory and is empty.
        let needed = self.grids.len().max(self.present.len());
        self.grids.resize_with(needed, Boxes::default);
        for (grid, boxes) in self.grids.iter_mut().enumerate() {
            let wanted = self.present.get(grid).copied();
            let side = usual * FACTOR.powi(i32::from(wanted.unwrap_or(i8::MAX / 2)));
            let numbers = (0..)
                .zip(&self.orders)
                .filter(|(_, order)| Some(**order) == wanted)
                .map(|(number, _)| number);
            boxes.sort(side.clamp(1e-36, 1e36), numbers, hulls);
        }
    }

    pub(super) fn grids(&self) -> &[Boxes] {
        &self.grids[..self.present.len()]
    }

    /// The longest side, or twice the median of some if that is less.
    fn usual(&mut self, extents: impl ExactSizeIterator<Item = f32> + Clone) -> f32 {
        self.sample.clear();
        let step = extents.len().div_ceil(SAMPLES).max(1);
        self.sample.extend(extents.clone().step_by(step));
        self.sample.sort_unstable_by(f32::total_cmp);
        let median = self.sample.get(self.sample.len() / 2).copied().unwrap_or(0.0);
        let longest = extents.fold(0.0, f32::max);
        longest.min(2.0 * median).max(if median > 0.0 { 0.0 } else { longest }).clamp(1e-30, 1e30)
    }
}

/// The least k with `side` ≤ 4^k.
fn order(side: f32) -> i8 {
    let (mut order, mut bound) = (0, 1.0);
    while side > bound {
        (order, bound) = (order + 1, bound * FACTOR);
    }
    while order <= 0 && order > -BELOW && side <= bound / FACTOR {
        (order, bound) = (order - 1, bound / FACTOR);
    }
    order as i8
}
