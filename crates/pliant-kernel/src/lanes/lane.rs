//! [`Lanes`]: several reals side by side that run the same formulas as one.
//!
//! Every operation of a lane is that of the scalar: no contraction, no approximate reciprocal, comparisons
//! that choose the same way. A pack of eight constraints therefore gives the same bits with one vector of
//! eight, two of four, or eight scalars.

use nalgebra::Vector3;
use pliant_constraints::{Real, opposite};

use crate::number::Number;
use crate::packs::NONE;
use crate::particles::Particle;

/// Number of constraints in a pack, whatever the width of the lanes that walk it.
pub const PACK: usize = 8;

/// Lanes of the scalar `T`. A [job](crate::LaneJob) gets them; there is no other way to make one.
pub trait Lanes<T: Number>: Real {
    /// Number of lanes; divides [`PACK`].
    const WIDTH: usize;
    /// Whether kernels load a pack before they have stored the one before it. That needs more code, and pays
    /// if lanes are registers.
    const EARLY: bool;
    /// Whether kernels add displacements to particles in memory, instead of keeping their points meanwhile: where there are too
    /// few registers for these, they would be written to memory and read again in any case.
    const ADDS_IN_MEMORY: bool = false;

    /// The first [`WIDTH`](Lanes::WIDTH) values.
    fn load(values: &[T]) -> Self;

    /// Writes the lanes to the first [`WIDTH`](Lanes::WIDTH) places.
    fn store(self, values: &mut [T]);

    /// In every lane the last of the four lanes that it belongs to: the inverse mass where the lanes hold particles.
    fn fourths(self) -> Self;

    /// Where both comparisons hold.
    fn both(one: Self::Mask, other: Self::Mask) -> Self::Mask;

    /// Whether a comparison holds in any lane.
    fn any(mask: Self::Mask) -> bool;

    /// In how many lanes a comparison holds.
    fn count(mask: Self::Mask) -> u32;

    /// A bit for each lane in which a comparison holds, the first lane's lowest.
    fn bits(mask: Self::Mask) -> u32;

    /// A bit for each of eight lanes in which one of three numbers, a row for each, is one of `wanted`.
    #[inline(always)]
    fn having(rows: &[[u32; PACK]; 3], wanted: &[u32; 3]) -> u32 {
        let mut bits = 0;
        for lane in 0..PACK {
            let mut has = false;
            for row in rows {
                for number in wanted {
                    has |= row[lane] == *number;
                }
            }
            bits |= u32::from(has) << lane;
        }
        bits
    }

    /// The lanes whose offsets in bytes are not below `bound`.
    fn are_from(at: &[u32], bound: u32) -> Self::Mask;

    /// Positions and inverse masses of the particles at the offsets in bytes `at`.
    ///
    /// # Safety
    ///
    /// Every offset is that of a particle of the array that starts at `start`, and no thread writes those particles
    /// meanwhile.
    unsafe fn gather(start: *const Particle<T>, at: &[u32]) -> (Vector3<Self>, Self);

    /// Writes positions and inverse masses to the particles at the offsets in bytes `at`.
    ///
    /// # Safety
    ///
    /// As for [`gather`](Lanes::gather); in addition, the offsets are distinct and no thread reads those particles
    /// meanwhile.
    unsafe fn scatter(start: *mut Particle<T>, at: &[u32], x: Vector3<Self>, w: Self);

    /// Prefetches the memory at an address, which may be any, for writing: other processors give it up right
    /// away, and not only when it is written.
    #[inline(always)]
    fn fetch_to_write<X>(at: *const X) {
        fetch(at);
    }

    /// Adds vectors to those at the offsets in bytes `at`.
    ///
    /// # Safety
    ///
    /// As for [`scatter`](Lanes::scatter).
    #[inline(always)]
    unsafe fn accumulate(start: *mut Particle<T>, at: &[u32], by: Vector3<Self>) {
        // SAFETY: as the caller promises.
        unsafe {
            let (sum, w) = Self::gather(start, at);
            Self::scatter(start, at, pliant_constraints::sum(&sum, &by), w);
        }
    }

    /// Adds eight blocks, given row after row side by side, to those at `places`: twice their numbers, plus
    /// one where the transpose is added, or [`NONE`].
    ///
    /// # Safety
    ///
    /// The blocks of all places exist, and no other thread accesses them meanwhile.
    #[inline(always)]
    unsafe fn add_blocks(start: *mut [f32; 9], places: &[u32; PACK], rows: &[[T; PACK]; 9]) {
        for (lane, &place) in places.iter().enumerate() {
            if place != NONE {
                // SAFETY: as the caller promises.
                let sum = unsafe { &mut *start.add(place as usize / 2) };
                add_block(sum, place % 2 == 1, lane, rows);
            }
        }
    }

    /// Adds vectors to those at the offsets `to`, and takes them from those at the offsets `from`.
    ///
    /// # Safety
    ///
    /// As for [`scatter`](Lanes::scatter), for either list.
    #[inline(always)]
    unsafe fn exchange(start: *mut Particle<T>, to: &[u32], from: &[u32], what: Vector3<Self>) {
        // SAFETY: as the caller promises.
        unsafe {
            Self::accumulate(start, to, what);
            Self::accumulate(start, from, opposite(&what));
        }
    }
}

/// How many packs ahead their rows are prefetched, and their offsets.
const AHEAD: usize = 12;
const POINTS_AHEAD: usize = 24;

/// Prefetches the offsets of packs to come into the first cache: those which lie [`POINTS_AHEAD`] of the
/// `PACKS` with these `R` rows, whether or not there are any; on the way back, where `way` is −1 instead of
/// 1, those which lie as far behind. Processors prefetch by themselves, but stop at the end of every page.
#[inline(always)]
pub(crate) fn fetch_points_ahead<const PACKS: usize, const R: usize>(points: &[[u32; PACK]; R], way: isize) {
    let next = std::ptr::from_ref(points).wrapping_offset(way * (POINTS_AHEAD / PACKS).cast_signed());
    // Two rows of offsets fill a line of the cache.
    for line in 0..R.div_ceil(2) {
        fetch(next.wrapping_byte_add(64 * line));
    }
}

/// The same for the other rows of `PACKS` packs, of which each has `stride`, [`AHEAD`] of them.
#[inline(always)]
pub(crate) fn fetch_rows_ahead<T: Number, const PACKS: usize>(rows: &[[T; PACK]], stride: usize, way: isize) {
    let first = rows.as_ptr().wrapping_offset(way * (AHEAD * stride).cast_signed());
    for pack in 0..PACKS {
        fetch(first.wrapping_add(pack * stride));
    }
}

/// Prefetches the memory at an address, which may be any, if the processor supports it.
#[inline(always)]
pub(crate) fn fetch<X>(at: *const X) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: every processor of this architecture has the instruction, which reads nothing and faults nowhere.
    unsafe {
        std::arch::x86_64::_mm_prefetch::<{ std::arch::x86_64::_MM_HINT_T0 }>(at.cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = at;
}

/// The same numbers, at an address of which the compiler knows nothing. It takes what has been loaded as a vector apart
/// where single numbers are asked for later, which is two instructions each; from here they are read from memory.
#[inline(always)]
#[allow(
    clippy::pointers_in_nomem_asm_block,
    reason = "it reads no memory: what is read there later is not its doing"
)]
pub(crate) fn read_again(numbers: &[u32]) -> &[u32] {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    // SAFETY: the empty instruction leaves the address as it is.
    unsafe {
        let mut start = numbers.as_ptr();
        std::arch::asm!("/* {} */", inout(reg) start, options(nomem, nostack, preserves_flags));
        std::slice::from_raw_parts(start, numbers.len())
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    numbers
}

/// Distance of a particle from the first, in bytes: what the kernels add to an address without a multiplication.
#[allow(clippy::cast_possible_truncation, reason = "a particle has 16 or 32 bytes")]
pub(crate) const fn offset<T: Number>(particle: u32) -> u32 {
    particle * size_of::<Particle<T>>() as u32
}

/// The particle at an [`offset`].
#[allow(clippy::cast_possible_truncation, reason = "a particle has 16 or 32 bytes")]
pub(crate) const fn particle_at<T: Number>(offset: u32) -> u32 {
    offset / size_of::<Particle<T>>() as u32
}

/// The largest number of particles whose offsets fit into 32 bits, dummies included.
pub const fn most_particles<T: Number>() -> usize {
    u32::MAX as usize / size_of::<Particle<T>>()
}

/// Adds the block in a lane of `rows`, or its transpose.
#[inline(always)]
pub(crate) fn add_block<T: Number>(sum: &mut [f32; 9], transposed: bool, lane: usize, rows: &[[T; PACK]; 9]) {
    const TRANSPOSED: [usize; 9] = [0, 3, 6, 1, 4, 7, 2, 5, 8];
    for (i, sum) in sum.iter_mut().enumerate() {
        *sum += narrow(rows[if transposed { TRANSPOSED[i] } else { i }][lane]);
    }
}

/// The nearest `f32`.
#[inline(always)]
#[allow(clippy::cast_possible_truncation, reason = "rounding is what is asked for")]
fn narrow<T: Number>(value: T) -> f32 {
    value.to_f64() as f32
}
