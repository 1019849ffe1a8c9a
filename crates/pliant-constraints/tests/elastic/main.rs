//! Elastic elements: what they share, and each kind by itself.

#![allow(clippy::unwrap_used, reason = "a panic is how a test says no")]
#![allow(clippy::needless_range_loop, reason = "points and rows are counted as in the equations")]

mod isometric_bending;
mod membrane_energy;
mod moduli;
mod neo_hookean;
mod rest_shape;
mod steady;
mod stvk_membrane;
mod stvk_tet;
mod support;
mod whitening;
