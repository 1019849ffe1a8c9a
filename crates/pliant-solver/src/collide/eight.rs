//! Particles of a list, eight side by side.

use nalgebra::Vector3;
use pliant_kernel::{Lanes, Particle, Scalar, Spots};

/// Up to eight particles; lanes that are left repeat the first.
#[inline(always)]
pub(super) fn spots_of<T: Scalar>(eight: &[u32]) -> Spots<T> {
    // A copy of unknown length would be a call.
    let at = match eight.first_chunk() {
        Some(all) => *all,
        None => std::array::from_fn(|lane| eight[if lane < eight.len() { lane } else { 0 }]),
    };
    Spots::new(at)
}

/// Where the four points of pairs are, in the lanes from `lane` on.
#[inline(always)]
pub(super) fn positions<T: Scalar, L: Lanes<T>>(
    spots: &[Spots<T>; 4],
    at: &[Particle<T>],
    lane: usize,
) -> [Vector3<L>; 4] {
    let mut x = [Vector3::new(L::zero(), L::zero(), L::zero()); 4];
    for (x, spots) in x.iter_mut().zip(spots) {
        (*x, _) = spots.gather::<L>(at, lane);
    }
    x
}
