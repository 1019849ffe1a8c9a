//! [`spots_of`]: particles of a list, eight side by side.

use pliant_kernel::{PACK, Scalar, Spots};

/// Up to eight particles; lanes that are left repeat the first.
#[inline(always)]
pub(super) fn spots_of<T: Scalar>(eight: &[u32]) -> Spots<T> {
    let mut at = [eight[0]; PACK];
    at[..eight.len()].copy_from_slice(eight);
    Spots::new(at)
}
