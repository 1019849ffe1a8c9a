//! The tests of this crate from outside, as one program: every further program would compile and link the
//! same code again.
#![allow(clippy::unwrap_used, reason = "a panic is how a test says no")]

mod absurd;
mod certificate;
mod commands;
mod common;
mod continued;
mod deform;
mod doctor;
mod encounters;
mod ensure;
mod fitting;
mod gallery;
mod garment;
mod mesh;
mod one_at_a_time;
mod page;
#[path = "../../../pliant-mesh/tests/it/planted.rs"]
#[allow(dead_code, reason = "the library's own test uses the rest")]
mod planted;
mod refusals;
mod remarks;
mod render;
mod run;
mod sheet;
mod sweep;
mod tetrahedralize;
mod verdict;
mod view;
