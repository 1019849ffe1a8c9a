//! The tests of this crate from outside, as one program: each more would compile and link the same code again.
#![allow(clippy::unwrap_used, reason = "a panic is how a test says no")]
#![allow(clippy::needless_range_loop, reason = "points and rows are counted as in the equations")]

mod attachments;
mod contact;
mod damped;
mod dihedral;
mod distance;
mod elastic;
mod frictional_contact;
mod global_volume;
mod point_target;
mod project;
mod shape_matching;
mod stiffness;
mod stitch;
mod strain_limit;
mod tet_volume;
mod tether;
mod unilateral;
mod vector;
