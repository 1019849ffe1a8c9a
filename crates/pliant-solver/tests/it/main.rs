//! The tests of this crate from outside, as one program: every further program would compile and link the
//! same code again.
#![allow(clippy::unwrap_used, reason = "a panic is how a test says no")]
#![allow(clippy::needless_pass_by_value, reason = "the scenes are made by functions of one type")]

mod adaptive;
mod anchored_block;
mod auto;
mod bodies;
mod book_scenes;
mod cantilever;
mod certificate;
mod clustered;
mod coarse;
mod collide;
mod contact;
mod convergence;
mod custom_constraints;
mod determinism;
mod dynamic_sets;
mod energy_balance;
mod exact;
mod files;
mod invariance_materials;
mod live;
mod memory;
mod momentum;
mod newton;
mod non_finite;
mod pace;
mod passes;
mod pinch;
mod pins;
mod recovery;
mod shaken_ball;
mod skin;
mod snapshots;
mod verdict;
