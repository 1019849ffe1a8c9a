//! What *phys-sim-book*'s programs do differently, so that their figures can be reproduced: multipliers that
//! are forgotten, and bounds that are applied only to predictions. Nothing here is a default.
//! [`SimulationBuilder::book`](crate::SimulationBuilder::book) uses all of it, and
//! [`Settings::book_cloth`](crate::Settings::book_cloth) and
//! [`Settings::book_solid`](crate::Settings::book_solid) only the settings.

use nalgebra::Vector3;

/// Which of the book's two programs a preset follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Book {
    /// The cloth chapter.
    Cloth,
    /// The volumetric mesh chapter.
    Solid,
}

/// What is done with the multiplier between the iterations of a substep.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
pub enum Multiplier {
    /// Accumulated, as in XPBD: stiffness does not depend on the number of iterations.
    #[default]
    Accumulated,
    /// Forgotten, as in the book's listings: a compliant constraint gets stiffer with every iteration.
    Forgotten,
}

/// What the book's programs do to predicted positions before the solve. Nothing re-applies it afterwards, so
/// particles may end a substep outside; [`Obstacle`](crate::Obstacle)s do not have this fault.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
pub enum PredictionBounds {
    /// None: obstacles are constraints.
    #[default]
    None,
    /// The book's cloth: a particle predicted below y = 0 goes back to where it was, with y = 0.
    Floor,
    /// The book's soft body: the prediction is clamped component by component.
    Box {
        /// Smallest coordinates, m.
        min: Vector3<f64>,
        /// Largest coordinates, m.
        max: Vector3<f64>,
    },
}
