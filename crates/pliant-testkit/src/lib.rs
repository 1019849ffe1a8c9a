//! Property tests for constraints, which every correct constraint passes.
//!
//! A constraint C of an XPBD solver has a gradient, and a wrong gradient does not look wrong: the cloth still
//! hangs, only softer, or it turns slowly in the air. But a correct one has properties that can be tested
//! without knowing its formula:
//!
//! * its gradient agrees with finite differences ([`check_gradient`]);
//! * it does not depend on the place of the body: Σ g_j = 0, Σ x_j × g_j = 0 ([`check_translation`],
//!   [`check_rotation`], [`check_rigid_motion`]);
//! * a projection conserves linear and angular momentum ([`check_momentum`]) and solves its linearised equation
//!   ([`check_linearised`], [`check_damped`]), and repeating it converges ([`check_converges`]); inequalities too;
//! * the Hessian of an energy agrees with finite differences of its gradient ([`check_hessian`],
//!   [`EnergyOf`]), and so do energy, gradient and Gauss–Newton stiffness of any constraint with a compliance
//!   ([`check_potential`]);
//! * the rows that a projection uses are its values and gradients times a factor ([`check_scaled_rows`]);
//! * collapsed stencils give finite answers ([`check_finite`]), and single precision agrees with double
//!   ([`check_precision`]).
//!
//! [`Suite`] runs them over hundreds of random stencils, and [`constraint_suite!`] turns them into tests:
//!
//! ```
//! use nalgebra::Vector3;
//! use pliant_constraints::{Constraint, Real};
//!
//! /// Half the square of a distance: C = (|x0 − x1|² − L²)/2.
//! struct SquaredDistance {
//!     rest: f64,
//! }
//!
//! impl Constraint<f64, 2> for SquaredDistance {
//!     fn value(&self, x: &[Vector3<f64>; 2]) -> f64 {
//!         0.5 * ((x[0] - x[1]).norm_squared() - self.rest * self.rest)
//!     }
//!     fn value_and_gradient(&self, x: &[Vector3<f64>; 2]) -> (f64, [Vector3<f64>; 2]) {
//!         (self.value(x), [x[0] - x[1], x[1] - x[0]])
//!     }
//! }
//!
//! pliant_testkit::constraint_suite!(mod squared, free, 2 points, |rest| SquaredDistance {
//!     rest: (rest[0] - rest[1]).norm()
//! });
//! # fn main() { pliant_testkit::Suite::new().gradients(|_: &[_; 2]| SquaredDistance { rest: 1.0 }); }
//! ```
//!
//! The checks return a [`CheckError`] with the numbers, which `?` turns into the failure of a `proptest!`
//! test. The strategies ([`stencil`], [`near_degenerate`], [`degenerate`], [`weights`], [`rigid_motion`],
//! [`tri_mesh`], [`tet_mesh`], …) are useful for other tests too.
#![forbid(unsafe_code)]
#![allow(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    reason = "small counts become reals, and rounding to f32 is what is tested"
)]

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod config;
mod difference;
mod error;
mod hessian;
mod invariance;
mod meshes;
mod momentum;
mod potential;
mod precision;
mod projection;
mod scaled;
mod shared;
mod strategies;
mod suite;

pub use config::config;
pub use difference::{Estimate, check_gradient, derivative, jacobian};
pub use error::CheckError;
pub use hessian::{EnergyOf, check_hessian};
pub use invariance::{check_rigid_motion, check_rotation, check_translation};
pub use meshes::{tet_mesh, tri_mesh};
pub use momentum::check_momentum;
pub use potential::check_potential;
pub use precision::check_precision;
pub use projection::{check_converges, check_damped, check_damped_rows, check_finite, check_linearised};
pub use scaled::check_scaled_rows;
pub use shared::shared;
pub use strategies::{
    RigidMotion, degenerate, near_degenerate, point, points, positive_weights, rigid_motion, rotation,
    scaled_compliance, stencil, weights,
};
pub use suite::Suite;
