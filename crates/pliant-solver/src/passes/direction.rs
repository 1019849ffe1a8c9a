//! The direction of a sweep: [`is_backward`].

use crate::state::hash::{GOLDEN, mix};

/// Substeps that share a direction. One is too few: clusters whose sweeps reverse in every other substep gain
/// energy faster than with a fixed order.
const SUBSTEPS: u32 = 8;

/// Whether the sweeps of a substep go backward: drawn at random every few substeps, from a generator without
/// state (a hashed counter), so that a resumed run continues like an uninterrupted one. Substeps of a frame
/// are counted from zero.
pub(crate) fn is_backward(seed: u64, frame: u64, substep: u32) -> bool {
    let throw = mix(mix(seed ^ GOLDEN).wrapping_add(frame)).wrapping_add(u64::from(substep / SUBSTEPS));
    mix(throw.wrapping_mul(GOLDEN)) >> 63 == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_directions_are_as_frequent_however_they_are_counted() {
        let share = |all: &mut dyn Iterator<Item = bool>| {
            let all: Vec<bool> = all.collect();
            all.iter().filter(|&&backward| backward).count() as f64 / all.len() as f64
        };
        for seed in [0, 1, u64::MAX] {
            let by_frame = share(&mut (0..4000).map(|frame| is_backward(seed, frame, 0)));
            let by_substep = share(&mut (0..4000).map(|i| is_backward(seed, 7, 8 * i)));
            let changes =
                share(&mut (0..4000).map(|i| is_backward(seed, i, 0) != is_backward(seed, i + 1, 0)));
            let differ =
                share(&mut (0..4000).map(|i| is_backward(seed, i, 0) != is_backward(seed ^ 1, i, 0)));
            for share in [by_frame, by_substep, changes, differ] {
                assert!((share - 0.5).abs() < 0.04, "seed {seed}: {share}");
            }
        }
    }
}
