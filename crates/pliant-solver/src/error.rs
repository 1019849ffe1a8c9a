//! The errors of building and stepping a simulation: an enum for every operation, and [`BuildError`] over all of them.

pub(crate) mod body;
pub(crate) mod constraint;
pub(crate) mod contact;
pub(crate) mod motion;
pub(crate) mod obstacle;
pub(crate) mod particle;
pub(crate) mod pin;
pub(crate) mod setting;
pub(crate) mod tie;
pub(crate) mod value;

use thiserror::Error;

use crate::collide::tally::Pinch;
use crate::error::body::BodyError;
use crate::error::constraint::ConstraintError;
use crate::error::contact::ContactError;
use crate::error::obstacle::ObstacleError;
use crate::error::particle::ParticleError;
use crate::error::pin::PinError;
use crate::error::setting::SettingError;
use crate::error::tie::TieError;

/// The error of a simulation that cannot be built, by the kind of its first invalid part. The number of the
/// part, counted from zero in the order in which parts were added, is in the error itself, so that a program
/// can point to the source of the part.
///
/// ```
/// use pliant_mesh::TriMesh;
/// use pliant_solver::{Body, BodyPart, BuildError, Compliance, Simulation};
///
/// let sheet = || Body::cloth(TriMesh::grid([3, 3], [1.0, 1.0]).unwrap());
/// let soft = sheet().name("soft").stretch(Compliance::new(f64::NAN));
/// let error = Simulation::builder().body(sheet()).body(soft).build().unwrap_err();
/// let BuildError::Body(error) = error else { unreachable!() };
/// assert_eq!((error.body, error.part), (1, BodyPart::Edges));
/// assert!(error.to_string().starts_with("body \"soft\": edges is NaN; expected"));
/// ```
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum BuildError {
    /// Nothing to simulate.
    #[error("there is no body to simulate; add one with `body`")]
    Empty,
    /// Lists of particles.
    #[error(transparent)]
    Particles(#[from] ParticleError),
    /// A group of constraints.
    #[error(transparent)]
    Constraints(#[from] ConstraintError),
    /// A body: its mesh, its material, or another property.
    #[error(transparent)]
    Body(#[from] Box<BodyError>),
    /// A pin.
    #[error(transparent)]
    Pin(#[from] Box<PinError>),
    /// A stitch or attachment between bodies.
    #[error(transparent)]
    Tie(#[from] Box<TieError>),
    /// Contact between surfaces.
    #[error(transparent)]
    Contact(#[from] Box<ContactError>),
    /// An obstacle.
    #[error(transparent)]
    Obstacle(#[from] Box<ObstacleError>),
    /// A setting of the solver.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// The system of an implicit step.
    #[error("the system of Newton's method cannot be built: {0}")]
    System(#[from] pliant_multigrid::PatternError),
}

macro_rules! boxed {
    ($($variant:ident: $error:ty),*) => {
        $(impl From<$error> for BuildError {
            fn from(error: $error) -> Self {
                Self::$variant(Box::new(error))
            }
        })*
    };
}
boxed!(Body: BodyError, Pin: PinError, Tie: TieError, Contact: ContactError, Obstacle: ObstacleError);

/// A step that could not be finished.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum StepError {
    /// A position or velocity became infinite or NaN.
    #[error(
        "the simulation became non-finite in frame {frame}, substep {substep}: vertex {vertex} of body \"{body}\"{}; use more \
         substeps, a larger compliance, or check the mesh at this element",
        element.as_ref().map_or_else(String::new, |(group, constraint)| format!(", constraint {constraint} of group \"{group}\""))
    )]
    NonFinite {
        /// Frame, counted from 1 for the first step.
        frame: u64,
        /// Substep of that frame, counted from 1.
        substep: u32,
        /// Name of the body.
        body: String,
        /// The first vertex of the body that is not finite.
        vertex: usize,
        /// The first group and constraint with a value that is not finite.
        element: Option<(String, usize)>,
    },
    /// Pins or obstacles left no room for what is between them, and that is to
    /// [stop](crate::PinchResponse::Stop) the simulation.
    #[error(
        "held particles leave no room between surfaces in frame {frame}, up to {time:.4} s: {first}; move the pins or obstacles apart, use \
         a smaller contact radius, or let the report count such pairs"
    )]
    Pinched {
        /// Frame, counted from 1 for the first step.
        frame: u64,
        /// Time at the end of that frame, s.
        time: f64,
        /// The first pair without room.
        first: Box<Pinch>,
    },
    /// The time step is not a positive, finite number.
    #[error("the time step is {dt} s; expected a positive number")]
    TimeStep {
        /// The time step given.
        dt: f64,
    },
}
