//! Vectors as lanes.

use nalgebra::Vector3;
use pliant_kernel::{Lanes, PACK, Wide};

/// Vectors side by side.
#[inline(always)]
pub(super) fn lanes<T: Wide, L: Lanes<T>, const N: usize>(
    of: &[[[T; PACK]; 3]; N],
    lane: usize,
) -> [Vector3<L>; N] {
    let mut vectors = [Vector3::new(L::zero(), L::zero(), L::zero()); N];
    for (vector, of) in vectors.iter_mut().zip(of) {
        *vector = Vector3::new(L::load(&of[0][lane..]), L::load(&of[1][lane..]), L::load(&of[2][lane..]));
    }
    vectors
}
