//! Boxes sorted by size, a grid for each size, so that a few large ones do not make the cells of all others large.

use super::grid::{Bounds, Grid};

/// Sizes of one level differ by up to this factor.
const FACTOR: f32 = 4.0;
/// Levels below the typical one; smaller boxes go to the lowest.
const BELOW: i32 = 12;
/// Number of boxes that are sampled to find the typical size.
const SAMPLES: usize = 512;

/// A grid per power of four of the extents that occur, ascending.
#[derive(Default)]
pub(super) struct Levels {
    grids: Vec<Grid>,
    level: Vec<i8>,
    numbers: Vec<u32>,
}

impl Levels {
    /// Sorts all boxes into grids.
    pub(super) fn build(&mut self, bounds: &[Bounds]) {
        let typical = typical(bounds);
        self.level.clear();
        self.level.extend(bounds.iter().map(|bounds| level_of(bounds.extent() / typical)));
        let mut present: Vec<i8> = Vec::new();
        for &level in &self.level {
            if !present.contains(&level) {
                present.push(level);
            }
        }
        present.sort_unstable();
        self.grids.resize_with(present.len(), Grid::default);
        for (grid, &wanted) in self.grids.iter_mut().zip(&present) {
            self.numbers.clear();
            self.numbers
                .extend((0..).zip(&self.level).filter(|(_, level)| **level == wanted).map(|(i, _)| i));
            let largest = typical * FACTOR.powi(i32::from(wanted));
            grid.build(largest.clamp(f32::MIN_POSITIVE, f32::MAX / 8.0), &self.numbers, bounds);
        }
    }

    /// Appends the pairs of boxes that meet, each once, a box with itself too.
    pub(super) fn pairs(&self, bounds: &[Bounds], found: &mut Vec<[u32; 2]>) {
        for (level, own) in self.grids.iter().enumerate() {
            for (place, &a) in (0..).zip(own.members()) {
                for (above, grid) in self.grids.iter().enumerate().skip(level) {
                    let after = if above == level { place } else { 0 };
                    grid.query(&bounds[a as usize], after, |other| {
                        found.push([a, grid.members()[other as usize]]);
                    });
                }
            }
        }
    }
}

/// The largest extent, or twice the median of a sample if that is less.
fn typical(bounds: &[Bounds]) -> f32 {
    let largest = bounds.iter().map(Bounds::extent).fold(0.0, f32::max);
    let mut sample: Vec<f32> =
        bounds.iter().step_by(bounds.len().div_ceil(SAMPLES).max(1)).map(Bounds::extent).collect();
    sample.sort_unstable_by(f32::total_cmp);
    let median = sample.get(sample.len() / 2).copied().unwrap_or(0.0);
    let typical = if median > 0.0 { largest.min(2.0 * median) } else { largest };
    typical.clamp(1e-30, 1e30)
}

/// The least k with `extent` ≤ 4^k.
fn level_of(extent: f32) -> i8 {
    let mut level = 0;
    let mut bound = 1.0;
    while extent > bound {
        bound *= FACTOR;
        level += 1;
    }
    if level == 0 {
        bound /= FACTOR;
        while extent <= bound && level > -BELOW {
            bound /= FACTOR;
            level -= 1;
        }
    }
    level as i8
}
