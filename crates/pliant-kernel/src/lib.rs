//! The projection kernels: constraints in packs, SIMD lanes, a team of threads, and disjoint writes.
//!
//! Constraints of which no two share a particle may be projected at the same time and in any order. [`Packs`]
//! are the proof of it: they are made by a constructor that checks every index, every colour and every wait,
//! and nothing outside this crate can change which particles they refer to. So its functions are safe
//! although their implementation is not: this is the only crate of the workspace that may contain `unsafe`.
//!
//! * [`Particle`], [`Particles`]: positions, velocities and inverse masses, as they lie in memory.
//!   [`Scalar`]: what they are stored in.
//! * [`Item`], [`Batch`]: constraints one after the other, the reference for everything else. [`PackPlan`],
//!   [`Packs`]: eight side by side, in clusters that wait for each other.
//! * [`Sweep`]: the parameters of a projection of all of them; [`State`], [`Summary`], [`Distribution`]: the
//!   input of an evaluation, and its results, as plain numbers.
//! * [`walk`], [`Tally`]: passes over all particles instead of all constraints.
//! * [`Team`]: the threads of a frame. [`Simd`]: the instructions that the processor has.
//!
//! A pack gives the same bits in lanes of any width, and a sweep with a team of any size.
//!
//! ```
//! use nalgebra::Vector3;
//! use pliant_constraints::{Distance, Update};
//! use pliant_kernel::{NONE, PACK, Item, PackPlan, Packs, Particle, PerCluster, Simd, Sweep, Team, TrioCount};
//!
//! // One pack with one constraint; the other lanes act on dummies of their own, behind the two particles.
//! let mut pack = [NONE; PACK];
//! pack[0] = 0;
//! let plan = PackPlan {
//!     packs: vec![pack],
//!     clusters: vec![0..1],
//!     trio_counts: vec![TrioCount::default()],
//!     numbers: vec![0],
//!     dummies: vec![2],
//!     colours: vec![0..1],
//!     waits: PerCluster::from_pairs(1, std::iter::empty),
//! };
//! let rod = |_| Item::<f64, _, 2, 1>::new([0, 1], &Distance { rest: 1.0 }, 0.0, 0);
//! let mut packs = Packs::new(1, rod, Some(0.0), plan, 2 + 2 * PACK);
//!
//! let mut particles: Vec<Particle<f64>> = [0.0, 2.0].map(|x| Particle::new(Vector3::new(x, 0.0, 0.0), 1.0)).into();
//! particles.extend((0..2 * PACK).map(|i| Particle::new(Vector3::new(i as f64, 1.0, 0.0), 0.0)));
//! let previous = particles.clone();
//! let sweep = Sweep {
//!     inverse_h2: 3600.0,
//!     update: Update::xpbd(),
//!     gamma: 0.0,
//!     first: true,
//!     last: true,
//!     keep: true,
//!     backward: false,
//!     simd: Simd::detect(),
//! };
//! packs.sweep(&mut particles, &previous, sweep, Team::alone());
//! assert!((particles[1].x.x - particles[0].x.x - 1.0).abs() < 1e-12);
//! ```
#![allow(unsafe_code, reason = "disjoint writes need it; the invariants are checked in Packs::new")]

mod ahead;
mod assembly;
mod batch;
mod compiled;
mod distribution;
mod dynamic;
mod evaluation;
mod findings;
mod item;
mod lanes;
mod largest;
mod layout;
mod linear;
mod lists;
mod number;
mod packs;
mod particles;
mod per_cluster;
mod pipeline;
mod points;
mod run;
#[cfg(feature = "serde")]
mod serial;
mod shared;
mod spots;
mod summary;
mod tally;
mod team;
mod trio_count;
mod walk;

pub use assembly::{Assembly, BlockSums, Strained};
pub use batch::Batch;
pub use compiled::Scalar;
pub use distribution::{Class, Distribution};
pub use dynamic::{DynamicPacks, PieceMut};
pub use item::{Entry, Item, Sweep, Visit};
pub use lanes::{LaneJob, Lanes, PACK, Portable, Simd, Wide, most_particles, side_by_side};
pub use layout::Layout;
pub use linear::{Linearise, Springs};
pub use number::Number;
pub use packs::{NONE, PackPlan, Packs};
pub use particles::{Particle, Particles, Velocity, widen};
pub use per_cluster::PerCluster;
#[cfg(feature = "serde")]
pub use serial::number;
pub use spots::Spots;
pub use summary::{Peak, State, Summary, add_distribution};
pub use tally::{Explained, Sums, Tally};
pub use team::Team;
pub use trio_count::TrioCount;
pub use walk::{Step, walk};
