//! The state hash: one number that is equal only when every bit of the state is.

use nalgebra::Vector3;
use rayon::prelude::*;

use crate::float::Float;

/// Values hashed by one task; part of the definition.
const CHUNK: usize = 16384;

/// 64-bit finaliser of MurmurHash3 (Appleby, public domain): every input bit reaches every output bit.
fn mix(mut h: u64) -> u64 {
    h = (h ^ (h >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    h = (h ^ (h >> 33)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    h ^ (h >> 33)
}

/// Folds vectors in order, chunk by chunk, so that the number of threads does not matter.
pub(crate) fn fold<T: Float>(seed: u64, len: usize, value: impl Fn(usize) -> Vector3<T> + Sync) -> u64 {
    let chunks = len.div_ceil(CHUNK);
    let parts: Vec<u64> = (0..chunks)
        .into_par_iter()
        .map(|chunk| {
            (chunk * CHUNK..len.min((chunk + 1) * CHUNK)).fold(chunk as u64, |h, i| {
                let v = value(i);
                [v.x, v.y, v.z].iter().fold(h, |h, c| mix(h.rotate_left(5) ^ c.bits()).wrapping_add(h))
            })
        })
        .collect();
    parts.iter().fold(mix(seed ^ len as u64), |h, &part| mix(h.rotate_left(7) ^ part))
}
