//! The only module tree of the workspace that may contain `unsafe`: disjoint writes to particles.
//!
//! A colour holds constraints of which no two share a particle, so that they may be projected at the same time and in any order. [`Batch`]
//! is the proof of it: it is made by a constructor that checks every index and every colour, and nothing outside this tree can change
//! which particles its items refer to.

#![allow(unsafe_code, reason = "disjoint writes need it; the invariant is checked in Batch::new")]

mod batch;
mod disjoint;
mod lanes;
mod packs;
mod survey;
mod tally;
mod team;
mod walk;

pub(crate) use batch::{Batch, Item, Sweep};
pub(crate) use lanes::{PACK, PackFloat, Simd, most_particles};
pub(crate) use packs::{NONE, PackPlan, Packs};
pub(crate) use tally::{Explained, Sums, Tally};
pub(crate) use team::Team;
pub(crate) use walk::{Step, walk};
