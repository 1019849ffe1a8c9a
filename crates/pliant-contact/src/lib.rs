//! The geometry of contact between triangle surfaces: what is near, how near, and what crosses.
//!
//! A [`Surface`] names triangles of particles that several bodies share out among themselves. Positions are
//! not part of it: every query takes a surface *and* the positions of the moment, in `f32` or `f64`, in
//! metres. There are no forces and no time steps here.
//!
//! | for | use |
//! |---|---|
//! | triangles, edges and owners of several bodies in one list | [`Surface::new`] |
//! | the closest points of a vertex and a triangle, or of two edges | [`vertex_triangle`], [`edge_edge`] |
//! | whether an edge crosses a triangle, exactly | [`edge_crosses_triangle`] |
//! | every edge that crosses a triangle of a surface | [`crossings`], [`CrossingCounter`] |
//! | all pairs that may come near in the next substeps | [`Detector`] |
#![forbid(unsafe_code)]

mod closest;
mod crossing;
mod detect;
mod fans;
mod octet;
mod patches;
mod surface;
mod surface_error;

pub use closest::{Closest, edge_edge, vertex_triangle};
pub use crossing::{Crossing, CrossingCounter, CrossingError, crossings, edge_crosses_triangle};
pub use detect::{DetectError, Detector, Mask, NearPair, Paths, Rules, Since, Strays, Ties};
pub use surface::{Element, Surface};
pub use surface_error::SurfaceError;

/// Compiles and runs the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
