//! The formulas of constraints: values and gradients of XPBD constraints as pure functions.
//!
//! Extended position based dynamics (XPBD) describes a material by *constraints*: functions C of a few positions
//! that are zero at rest. A solver visits one constraint after the other and moves its points along the gradient
//! until C + α̃λ = 0. This crate holds the functions and that single step; it has no meshes, no threads and no time.
//!
//! | kind | points | rows | C | unit of C | unit of the compliance α |
//! |---|---|---|---|---|---|
//! | [`Distance`] | 2 | 1 | length − rest | m | m/N |
//! | [`TetVolume`] | 4 | 1 | signed volume − rest | m³ | m³/Pa |
//! | [`Dihedral`] | 4 | 1 | signed angle − rest | rad | rad²/J |
//! | [`BendDistance`] | 2 | 1 | length across a hinge − rest | m | m/N |
//! | [`PointTarget`] | 1 | 3 | position − target | m | m/N |
//! | [`IsometricBending`] | 4 | 3 | Laplacian of the positions | m | m/N |
//! | [`StVkMembrane`] | 3 | 3 | Green strain of a sheet, whitened | 1 | 1/J |
//! | [`StVkTet`] | 4 | 6 | Green strain of a solid, whitened | 1 | 1/J |
//! | [`Coincidence`] | 2 | 3 | difference of the positions | m | m/N |
//! | [`PointOnEdge`] | 3 | 3 | position − place on the edge | m | m/N |
//! | [`PointInTriangle`], [`PointInTet`] | 4, 5 | 3 | position − place in the element | m | m/N |
//! | [`Tether`] | 1 | 1 | reach − distance from the anchor, ≥ 0 | m | m/N |
//! | [`FrictionalContact`] | 4 | 3 | vector between two elements of surfaces − that to keep; multipliers in the cone of friction | m | m/N |
//! | [`LengthLimit`] | 2 | 1 | length outside of its range | m | m/N |
//! | [`StretchLimit`] | 3 | 2 | principal stretches outside of their range | 1 | 1/J |
//! | [`NeoHookeanTet`], [`StabilisedNeoHookeanTet`] | 4 | 2 | volume ratio − γ, and size of F | 1 | 1/J |
//! | [`GlobalVolume`] | a surface | 1 | enclosed volume − pressure factor · rest | m³ | m³/Pa |
//! | [`ShapeGroup`] | a group | 3 each | position − place in the fitted rest shape | m | m/N |
//!
//! A compliance is the inverse of a stiffness: a spring of k newtons per metre has α = 1/k, and α = 0 is
//! rigid. It means the same for every time step and number of iterations.
//!
//! Everything is generic over [`Real`]: `f32`, `f64`, or the SIMD lanes of a solver. One projection:
//!
//! ```
//! use nalgebra::Vector3;
//! use pliant_constraints::{Constraint, Distance, Update, project};
//!
//! let spring = Distance { rest: 1.0 };
//! let x = [Vector3::zeros(), Vector3::new(1.5, 0.0, 0.0)];
//! let (c, gradient) = spring.value_and_gradient(&x);
//! assert_eq!(c, 0.5);
//! assert_eq!(gradient[1], Vector3::x());
//!
//! let (h, compliance) = (1.0 / 600.0, 1e-3);
//! let mut lambda = [0.0];
//! let dx = project(&spring, &x, &[1.0, 1.0], compliance / (h * h), Update::xpbd(), &mut lambda);
//! assert!(dx[0].x > 0.0 && dx[0] == -dx[1]);
//! ```
//!
//! To add your own kind, implement [`Constraint`] (or [`BlockConstraint`] for several rows) and, for use in a
//! solver, [`Kind`].
//!
//! The modules hold the equations, with their sources and hazards, one idea each; everything in them is named
//! at the root too.
#![forbid(unsafe_code)]

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod angle;
pub mod barycentric_attachment;
pub mod bend_distance;
mod blocks;
pub mod book;
pub mod bound;
mod built_in;
pub mod coincidence;
pub mod constraint;
pub mod contact;
pub mod damped;
pub mod dihedral;
pub mod distance;
pub mod elastic;
pub mod elastic_moduli;
pub mod frictional_contact;
pub mod global_volume;
pub mod isometric_bending;
pub mod membrane_energy;
pub mod neo_hookean;
pub mod point_target;
pub mod points;
mod potential;
mod project;
pub mod real;
pub mod rest_shape;
pub mod rotation;
pub mod shape_matching;
mod solve;
pub mod stabilised_neo_hookean;
mod stiffness;
pub mod stitch;
pub mod strain_limit;
pub mod stvk_membrane;
pub mod stvk_tet;
mod tet_deformation;
pub mod tet_volume;
pub mod tether;
mod triangle_deformation;
mod vector;

#[doc(inline)]
pub use angle::angle;
#[doc(inline)]
pub use barycentric_attachment::{PointInTet, PointInTriangle, PointOnEdge};
#[doc(inline)]
pub use bend_distance::BendDistance;
#[doc(inline)]
pub use blocks::Blocks;
#[doc(inline)]
pub use bound::{Bound, residual};
#[doc(inline)]
pub use coincidence::Coincidence;
#[doc(inline)]
pub use constraint::{
    BlockConstraint, BuiltIn, Constraint, Deformation, Kind, MAX_REST, Rigidity, ScaledRows,
};
#[doc(inline)]
pub use contact::{contact_step, friction_step};
#[doc(inline)]
pub use damped::{Damping, damped_compliance, damped_values, project_damped};
#[doc(inline)]
pub use dihedral::Dihedral;
#[doc(inline)]
pub use distance::Distance;
#[doc(inline)]
pub use elastic::{Elastic, ElasticError};
#[doc(inline)]
pub use elastic_moduli::{Lame, ModuliError, Orthotropic, PlaneStiffness, flexural_rigidity};
#[doc(inline)]
pub use frictional_contact::FrictionalContact;
#[doc(inline)]
pub use global_volume::{
    ClosedSurface, GlobalVolume, GroupDamping, OpenEdge, SUM_CHUNK, VolumeState, VolumeSums, gas_compliance,
    overpressure, pressure_factor,
};
#[doc(inline)]
pub use isometric_bending::IsometricBending;
#[doc(inline)]
pub use membrane_energy::{Hessian9, MembraneEnergy};
#[doc(inline)]
pub use neo_hookean::NeoHookeanTet;
#[doc(inline)]
pub use point_target::PointTarget;
#[doc(inline)]
pub use points::{PointSlices, Points};
#[doc(inline)]
pub use potential::{Potential, over_compliance, potential, potential_energy};
pub use project::{Update, iteration_independent_stiffness, project, project_rigid};
#[doc(inline)]
pub use real::{Real, cross, difference, norm, opposite, select_vector, splat_vector, sum, times};
#[doc(inline)]
pub use rest_shape::{FLATTEST, RestShapeError, RestTet, RestTriangle};
#[doc(inline)]
pub use rotation::best_rotation;
#[doc(inline)]
pub use shape_matching::{BestFit, ShapeDamping, ShapeError, ShapeGroup};
#[doc(inline)]
pub use stabilised_neo_hookean::StabilisedNeoHookeanTet;
#[doc(inline)]
pub use stiffness::{Linear, LinearisationPoint, impulses_of, impulses_of_rows, linearise};
#[doc(inline)]
pub use strain_limit::{LengthLimit, StrainLimitError, StretchLimit};
#[doc(inline)]
pub use stvk_membrane::StVkMembrane;
#[doc(inline)]
pub use stvk_tet::StVkTet;
#[doc(inline)]
pub use tet_volume::TetVolume;
pub use tether::Tether;
