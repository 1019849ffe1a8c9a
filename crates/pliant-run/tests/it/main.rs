//! The tests of this crate from outside, as one program: every further program would compile and link the
//! same code again.
#![allow(clippy::unwrap_used, reason = "a panic is how a test says no")]

mod from;
mod interrupted;
mod stages;
