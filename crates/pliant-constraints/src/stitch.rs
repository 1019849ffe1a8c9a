//! Stitches: ties between two meshes, one for each pair of a vertex and an element of another mesh.
//!
//! | a vertex is tied to | by | parameters | energy |
//! |---|---|---|---|
//! | a vertex | [`Coincidence`], or [`Distance`] where it has a rest length | [`VertexVertexStitch`]: κ, L₀ | ½κ(\|x0−x1\| − L₀)² |
//! | an edge | [`StVkMembrane`] | [`VertexEdgeStitch`]: μ, λ, thickness t, least distance d | 2tA₀·Ψ |
//! | a triangle | [`NeoHookeanTet`] | [`VertexTriangleStitch`]: μ, λ, least distance d | V₀·Ψ |
//!
//! The vertex and the element span a small triangle or tetrahedron whose rest shape is where they were when
//! they were tied, so that nothing is loaded at first. One that starts on the element would have no rest
//! shape; it is given one by lifting the vertex to the least distance d (`min_separate_distance`), in the
//! rest shape only.
//!
//! [`stitch_vertices`], [`stitch_edges`] and [`stitch_triangles`] make constraints of lists of pairs, with
//! parameters for each pair or one for all. A stencil lists the vertex first, then the element; all are
//! numbered in one list of positions, that of the simulation. This crate does not know which of them belong
//! to which mesh: [`check_two_meshes`] refuses pairs within one mesh, which are hardly ever intended.
//!
//! ```
//! use nalgebra::Vector3;
//! use pliant_constraints::stitch::{VertexEdgeStitch, stitch_edges};
//!
//! // An edge along x, a vertex beside it and one upon it.
//! let rest = [Vector3::zeros(), Vector3::x(), Vector3::new(0.5, 0.3, 0.0), Vector3::new(0.5, 0.0, 0.0)];
//! let stitches = stitch_edges(&[[2, 0, 1], [3, 0, 1]], &rest, &[VertexEdgeStitch::default()])?;
//! assert_eq!((stitches.stencils.len(), stitches.kinds.len(), stitches.compliances.len()), (2, 2, 2));
//! # Ok::<(), pliant_constraints::stitch::StitchError>(())
//! ```
//!
//! *Hazard.* The triangle of a vertex–edge stitch has no resistance to bending: the vertex swings about the
//! edge at no cost of energy. A vertex–triangle stitch has no such mode.
//!
//! Source: libuipc, constitutions 22, 29 and 30 (soft vertex, vertex–edge and vertex–triangle stitch). The
//! reference measures the distance of a vertex from the *segment*, and leaves one on the edge's line beyond
//! its end with a rest triangle of no area; here it is the height above the line. Its tolerances are
//! absolute; here they are relative to the size of the element.

mod pairs;
mod vertex_edge;
mod vertex_triangle;
mod vertex_vertex;

pub use pairs::{StitchError, StitchFault, Stitches, check_two_meshes};
pub use vertex_edge::{VertexEdgeStitch, stitch_edges};
pub use vertex_triangle::{VertexTriangleStitch, stitch_triangles};
pub use vertex_vertex::{VertexVertexStitch, VertexVertexStitches, stitch_vertices};

#[cfg(doc)]
use crate::{Coincidence, Distance, NeoHookeanTet, StVkMembrane};
