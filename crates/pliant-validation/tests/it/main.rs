//! The program from outside, and the scenes of the book.
#![allow(clippy::unwrap_used, reason = "a panic is how a test says no")]

mod book;
mod corpus;
