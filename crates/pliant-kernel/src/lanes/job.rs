//! [`LaneJob`]: work that is generic over its lanes.
//!
//! A new operation on packs or particles is a job: one type in one file. It is compiled once for the lanes of
//! each instruction set, and a single function runs it in those that the processor has.

use super::lane::Lanes;
use crate::number::Number;

/// Work that is done in lanes of the scalar `T`.
///
/// ```
/// use pliant_kernel::{LaneJob, Lanes, PACK, Portable, Simd, Wide as _};
///
/// /// The largest of some numbers, eight at a time.
/// struct Largest<'a>(&'a [[f32; PACK]]);
///
/// impl LaneJob<f32> for Largest<'_> {
///     type Out = f32;
///     type Portable = Portable<f32, PACK>;
///
///     #[inline(always)]
///     fn run<L: Lanes<f32>>(self) -> f32 {
///         let mut found = [f32::NEG_INFINITY; PACK];
///         for pack in self.0 {
///             for lane in (0..PACK).step_by(L::WIDTH) {
///                 L::load(&found[lane..]).max(L::load(&pack[lane..])).store(&mut found[lane..]);
///             }
///         }
///         found.into_iter().fold(f32::NEG_INFINITY, f32::max)
///     }
/// }
///
/// let numbers = [[1.0, 5.0, 2.0, 0.0, 3.0, 9.0, 4.0, 7.0]];
/// assert_eq!(f32::dispatch(Largest(&numbers), Simd::detect()), 9.0);
/// assert_eq!(f32::dispatch(Largest(&numbers), Simd::portable()), 9.0);
/// ```
pub trait LaneJob<T: Number> {
    /// The result.
    type Out;

    /// The lanes for processors whose vector registers the crate does not support: arrays, of a length that
    /// is worth compiling.
    type Portable: Lanes<T>;

    /// Does the work in lanes of the type `L`.
    ///
    /// Implementations and all that they call are `#[inline(always)]`, and use loops instead of closures:
    /// what is not inlined cannot use the instructions.
    fn run<L: Lanes<T>>(self) -> Self::Out;
}
