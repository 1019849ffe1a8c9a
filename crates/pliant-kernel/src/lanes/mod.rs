//! SIMD lanes, their building blocks, and how a job is run in them.

#[cfg(target_arch = "x86_64")]
mod avx2;
mod dispatch;
#[cfg(target_arch = "x86_64")]
mod enter;
mod job;
mod lane;
mod portable;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;
mod unrolled;

pub use dispatch::{Simd, Wide};
pub use job::LaneJob;
pub use lane::{Lanes, PACK, most_particles};
pub(crate) use lane::{
    add_block, fetch, fetch_points_ahead, fetch_rows_ahead, offset, particle_at, read_again,
};
pub use portable::{Portable, side_by_side};
pub(crate) use unrolled::unrolled;
