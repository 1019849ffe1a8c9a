//! The tests of this crate from outside, as one program: every further program would compile and link the
//! same code again.
#![allow(clippy::unwrap_used, reason = "a panic is how a test says no")]

mod attributes;
mod build;
mod collide;
mod common;
mod errors;
mod filled;
mod given;
mod materials;
mod model;
mod motion;
mod obstacles;
mod pinned;
mod rest;
mod seams;
mod stack;
mod stages;
mod templates;
mod values;
