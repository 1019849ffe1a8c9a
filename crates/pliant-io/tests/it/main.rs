//! The tests of this crate from outside, as one program: each more would compile and link the same code again.
#![allow(clippy::unwrap_used, reason = "a panic is how a test says no")]
#![allow(clippy::needless_pass_by_value, reason = "values are made in place")]

mod attributes;
mod attributes_written;
mod character;
mod damaged;
mod golden;
mod msh;
mod mutation;
mod polygons;
mod resumed;
mod round_trip;
mod vtk_legacy;
mod vtk_xml;
