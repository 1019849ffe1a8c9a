//! [`Pass`]: one thing that a substep does.
//!
//! A substep is a list of passes: move the pins, predict; then, once per iteration, sweep over the sets and
//! the contacts; then derive the velocities. Building the simulation decides the list from the settings, and
//! stepping only walks it; [`Simulation::substep`](crate::Simulation::substep) prints it, and
//! [`Simulation::insert`](crate::Simulation::insert) puts a pass of your own between two others.

use pliant_kernel::{Scalar, Simd, Team};

use crate::observe::moment::{Moment, Work};
use crate::world::World;

/// One thing that a substep does to the particles.
///
/// ```
/// use nalgebra::Vector3;
/// use pliant_mesh::TriMesh;
/// use pliant_solver::{Body, NonFinite, Now, Pass, Simulation, Work, World};
///
/// /// A field that pulls everything towards a point, with an acceleration of 1/s² times the distance.
/// struct Well(Vector3<f64>);
///
/// impl Pass<f32> for Well {
///     fn name(&self, _: &World<f32>) -> String {
///         "well".into()
///     }
///
///     fn run(&mut self, world: &mut World<f32>, now: &Now<'_>) -> Result<Work, NonFinite> {
///         let mut work = 0.0;
///         for (i, x) in world.positions().into_iter().enumerate() {
///             work += world.accelerate(i, (self.0 - x) * now.length());
///         }
///         Ok(Work::Forces(work))
///     }
/// }
///
/// let cloth = Body::cloth(TriMesh::grid([6, 6], [0.5, 0.5])?);
/// let mut sim = Simulation::builder().gravity(Vector3::zeros()).body(cloth).build()?;
/// sim.insert("move pins and obstacles", Box::new(Well(Vector3::new(0.0, 1.0, 0.0))))?;
/// assert_eq!(sim.substep()[..3], ["move pins and obstacles", "well", "predict"]);
/// sim.step(0.1)?;
/// assert!(sim.positions()[0].y > 0.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Pass<T: Scalar>: Send + Sync {
    /// What the pass does, in a word or two. Passes are found by their names.
    fn name(&self, world: &World<T>) -> String;

    /// Runs the pass.
    ///
    /// # Errors
    ///
    /// A particle whose position or velocity is no longer finite.
    fn run(&mut self, world: &mut World<T>, now: &Now<'_>) -> Result<Work, NonFinite>;

    /// Which part of a substep it is.
    fn moment(&self) -> Moment {
        Moment::Other
    }
}

/// A particle, in the numbering of the simulation, whose position or velocity is infinite or NaN.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NonFinite(pub usize);

/// The present substep.
#[derive(Clone, Copy)]
pub struct Now<'a> {
    /// Length, s.
    pub(crate) h: f64,
    /// Time at its end, s.
    pub(crate) end: f64,
    /// First and last iteration.
    pub(crate) first: bool,
    pub(crate) last: bool,
    /// Whether sweeps go backward.
    pub(crate) backward: bool,
    /// Whether Newton steps came before this iteration.
    pub(crate) solved: bool,
    /// Whether it is the last substep of a frame.
    pub(crate) keep: bool,
    /// Whether it is the first substep of a frame.
    pub(crate) fresh: bool,
    /// Whether the guard looks for the elements in danger again.
    pub(crate) look: bool,
    pub(crate) simd: Simd,
    pub(crate) team: Team<'a>,
}

impl Now<'_> {
    /// Length of the substep, s.
    #[must_use]
    pub fn length(&self) -> f64 {
        self.h
    }

    /// Time at the end of the substep, s.
    #[must_use]
    pub fn end(&self) -> f64 {
        self.end
    }
}
