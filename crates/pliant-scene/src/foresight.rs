//! [`Remark`]: problems of a run that can be found before it starts.
//!
//! The verdict of a run compares its results with bounds; these remarks use only the scene, built but not
//! stepped. They are advice: a scene with remarks can be run.

mod flight;
mod loose;
mod masses;
mod obstacles;
mod passing;
mod resolution;
mod solids;
mod start;
mod still;

#[cfg(test)]
mod tests;

use std::fmt;

use pliant_solver::Float;
use serde::Serialize;

use crate::build::Built;
use crate::load::Scene;

/// What a [`Remark`] is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum RemarkKind {
    /// The numbers of the precision are too coarse for where the bodies are, or for the length of the substeps.
    Resolution,
    /// Connected particles differ greatly in mass, so that convergence takes many iterations.
    MassRatio,
    /// A body has a density that no material has.
    Density,
    /// A solid needs more substeps.
    Substeps,
    /// A solid is so nearly incompressible that its elements lock.
    Locking,
    /// A solid is too soft to bear its own weight.
    Weight,
    /// Particles start inside an obstacle.
    Start,
    /// Nothing can move, or a seam does not close within the run.
    Still,
    /// A pin, a tie, a limit or a pressure is too soft to have any effect.
    Loose,
    /// An obstacle is smaller than the elements, or thin or fast for its substeps.
    Obstacle,
    /// Two bodies meet, and nothing keeps them from passing through each other.
    Passing,
}

impl RemarkKind {
    /// Its name, for reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Resolution => "resolution",
            Self::MassRatio => "mass-ratio",
            Self::Density => "density",
            Self::Substeps => "substeps",
            Self::Locking => "locking",
            Self::Weight => "weight",
            Self::Start => "start",
            Self::Still => "still",
            Self::Loose => "loose",
            Self::Obstacle => "obstacle",
            Self::Passing => "passing",
        }
    }
}

/// A number of a [`Remark`].
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Number {
    /// Its name.
    pub name: &'static str,
    /// Its value.
    pub value: f64,
    /// Its unit; `"1"` for a ratio or a count.
    pub unit: &'static str,
}

/// The part of a body that a [`Remark`] is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Feature {
    /// A vertex of the body, by its number from 0.
    Vertex(usize),
    /// A tetrahedron, by its number from 0.
    Tetrahedron(usize),
    /// Two vertices: one of each of the two bodies, or both of the same body.
    Pair([usize; 2]),
}

/// Something about a scene that is likely to spoil its run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Remark {
    /// What it is about.
    pub kind: RemarkKind,
    /// The bodies that it is about: one, or two that meet.
    pub bodies: Vec<String>,
    /// The worst element or vertex, if there is one.
    pub part: Option<Feature>,
    /// The numbers, for programs.
    pub numbers: Vec<Number>,
    /// The problem, in words.
    pub what: String,
    /// The remedy.
    pub remedy: String,
}

/// The problem, and the remedy.
impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}. {}", self.what, self.remedy)
    }
}

impl Scene {
    /// The problems of a run of this scene that can be found before it starts, the most serious kind first;
    /// none for most scenes.
    ///
    /// ```
    /// use pliant_scene::{RemarkKind, Scene};
    ///
    /// let scene = Scene::parse(
    ///     r#"
    ///     [[body]]
    ///     name = "ball"
    ///     mesh = { ball = { radius = 0.5, shells = 3 } }
    ///     edges = { compliance = 1e-6 }
    ///     [[obstacle]]
    ///     floor = { height = 0.0 }
    ///     "#,
    ///     ".",
    /// )?;
    /// let built = scene.build::<f32>()?;
    /// let remarks = scene.foresee(&built);
    /// assert_eq!(remarks.len(), 1);
    /// // The lower half of the ball is below the floor.
    /// assert_eq!(remarks[0].kind, RemarkKind::Start);
    /// # Ok::<(), pliant_scene::SceneError>(())
    /// ```
    #[must_use]
    pub fn foresee<T: Float>(&self, built: &Built<T>) -> Vec<Remark> {
        let mut remarks = Vec::new();
        remarks.extend(start::start(built));
        remarks.extend(resolution::resolution(self, built));
        remarks.extend(resolution::accuracy::<T>(self));
        remarks.extend(resolution::files(built));
        remarks.extend(masses::masses(self, built));
        remarks.extend(solids::solids(self, built));
        remarks.extend(obstacles::obstacles(self, built));
        remarks.extend(still::still(self, built));
        remarks.extend(loose::loose(self, built));
        remarks.extend(passing::passing(self, built));
        remarks
    }
}
