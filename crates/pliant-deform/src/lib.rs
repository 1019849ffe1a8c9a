//! Skin deformers for animated characters: skinning, collision, relaxation, smoothing, jiggle, as a stack.
//!
//! A character's skin is carried by joints, and where they bend it creases, stretches and loses volume.
//! *Deformers* correct that afterwards, one on top of the other: each maps the positions that the one below
//! it left to new ones, and the triangles stay as they are. The usual order is skinning → collision →
//! relaxation → smoothing → jiggle, but any order will do.
//!
//! ```
//! use pliant_deform::{FrameTime, Jiggle, JiggleSettings, Layer, Relax, RelaxSettings, Stack};
//! use pliant_mesh::{Caps, TriMesh};
//!
//! // A tube, and the same tube bent like an elbow: the inside is crushed, the outside stretched.
//! let rest = TriMesh::cylinder(0.1, 1.0, 24, 48, Caps::Open)?;
//! let bent = |angle: f64| -> Vec<_> {
//!     let bend = |p: &nalgebra::Vector3<f64>| {
//!         let a = angle * (p.y / 0.3).clamp(0.0, 1.0);
//!         nalgebra::Vector3::new(p.x * a.cos() - p.y * a.sin(), p.x * a.sin() + p.y * a.cos(), p.z)
//!     };
//!     rest.positions().iter().map(bend).collect()
//! };
//!
//! let mut stack = Stack::new(&rest);
//! stack.push(Layer::new(Relax::new(&rest, RelaxSettings::default())?))?;
//! stack.push(Layer::new(Jiggle::of_mesh(&rest, JiggleSettings::default())?).envelope(0.8))?;
//!
//! for frame in 0..24 {
//!     let time = f64::from(frame) / 24.0;
//!     let (skin, report) = stack.run_measured(&FrameTime { time, dt: 1.0 / 24.0 }, &bent(1.5 * time))?;
//!     assert!(report[0].after.rms <= report[0].before.rms + 1e-6);
//!     assert_eq!(skin.len(), rest.positions().len());
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | deformer | what it does | state |
//! |---|---|---|
//! | [`Skinning`] | joints carry the vertices: linear blend or dual quaternions | – |
//! | [`Collide`] | vertices inside another mesh leave it along their normals | – |
//! | [`Relax`] | the mesh's own edges go back towards their lengths | – |
//! | [`Smooth`] | every vertex goes towards the mean of its neighbours | – |
//! | [`DeltaMush`] | smoothing that puts the detail of the rest mesh back | – |
//! | [`Jiggle`] | vertices hang on springs from where they should be | velocities |
//!
//! A [`Layer`] of the [`Stack`] has an envelope for the whole deformer and weights for its vertices
//! ([`falloff`] makes some). [`Weld`] finds the points behind the copies in files that repeat vertices; every
//! deformer that uses neighbours needs it. [`Measured`] reports the strain of the edges and the volume.
//!
//! Positions are `f64` in metres. The same calls give the same bits for any number of threads; loops over
//! vertices run on rayon's current pool. An invalid mesh, setting or frame is an error that names the vertex,
//! joint or edge ([`BindError`] when a deformer is made, [`DeformError`] in a frame).
#![forbid(unsafe_code)]
#![allow(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    reason = "vertices are numbered by u32, and rounding to single precision is meant where it happens"
)]

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod bvh;
mod collide;
mod deformer;
mod delta_mush;
mod dual_quaternion;
mod error;
mod jiggle;
mod laplacian;
mod normals;
mod relax;
mod skinning;
mod smooth;
mod spring;
mod stack;
mod statistics;
mod weights;
mod weld;

pub use bvh::{Bvh, Hit};
pub use collide::{Animation, Collide, CollideSettings, Collider, Meetings};
pub use deformer::{Deformer, FrameTime};
pub use delta_mush::{DeltaMush, DeltaMushSettings};
pub use error::{BindError, DeformError};
pub use jiggle::{Jiggle, JiggleSettings, Response};
pub use laplacian::LaplacianWeights;
pub use normals::vertex_normals;
pub use relax::{
    EdgeConstraints, Extra, Preserve, Relax, RelaxSettings, Residual, Restore, Sweep, VertexWeights,
};
pub use skinning::{Blending, Skinning, skin_positions};
pub use smooth::{Smooth, SmoothSettings};
pub use spring::Spring;
pub use stack::{Layer, LayerReport, Stack};
pub use statistics::{EdgeStrain, Measured, Statistics, edge_strain};
pub use weights::{Falloff, falloff, weights_around};
pub use weld::Weld;
