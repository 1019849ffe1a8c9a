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

/// Takes a vector into the hash of those before it.
#[inline(always)]
fn take<T: Float>(h: u64, v: Vector3<T>) -> u64 {
    [v.x, v.y, v.z].iter().fold(h, |h, c| mix(h.rotate_left(5) ^ c.bits()).wrapping_add(h))
}

/// Folds two lists of `len` vectors, the first and then the second, in order and chunk by chunk, so that the number of threads does not matter. They go side by side, because every step waits for the
/// one before it.
pub(crate) fn fold<T: Float>(len: usize, values: impl Fn(usize) -> (Vector3<T>, Vector3<T>) + Sync) -> u64 {
    let parts: Vec<(u64, u64)> = (0..len.div_ceil(CHUNK))
        .into_par_iter()
        .map(|chunk| {
            let start = (chunk as u64, chunk as u64);
            (chunk * CHUNK..len.min((chunk + 1) * CHUNK)).fold(start, |(a, b), i| {
                let (u, v) = values(i);
                (take(a, u), take(b, v))
            })
        })
        .collect();
    let all = |seed: u64, parts: &mut dyn Iterator<Item = u64>| {
        parts.fold(mix(seed ^ len as u64), |h, part| mix(h.rotate_left(7) ^ part))
    };
    let first = all(0, &mut parts.iter().map(|p| p.0));
    all(first, &mut parts.iter().map(|p| p.1))
}
