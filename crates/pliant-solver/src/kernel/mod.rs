//! The only module tree of the workspace that may contain `unsafe`: disjoint writes to particles.
//!
//! Constraints of which no two share a particle may be projected at the same time and in any order. [`Packs`] and, for plans one by one, [`Batch`] are the proof of it: they are
//! made by constructors that check every index, every colour and every wait, and nothing outside this tree can change which particles they refer to.

#![allow(
    unsafe_code,
    reason = "disjoint writes need it; the invariants are checked in Packs::new and Batch::new"
)]

mod ahead;
mod batch;
mod disjoint;
mod findings;
mod lanes;
mod largest;
mod lists;
mod packs;
mod pipeline;
mod points;
mod run;
mod survey;
mod tally;
mod team;
mod walk;

pub(crate) use batch::{Batch, Item, Sweep};
pub(crate) use lanes::{PACK, PackFloat, Simd, most_particles};
pub(crate) use packs::{NONE, PackPlan, Packs, Woven};
pub(crate) use tally::{Explained, Sums, Tally};
pub(crate) use team::Team;
pub(crate) use walk::{Step, walk};
