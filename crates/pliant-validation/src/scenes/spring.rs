//! A mass on a spring.

use nalgebra::Vector3;
use pliant_constraints::Distance;
use pliant_solver::book::{Multiplier, PredictionBounds};
use pliant_solver::{Assembly, Constraints, Settings, Simulation};
use serde::Deserialize;

use super::{Scheme, single_substeps};
use crate::problem::Problem;

/// A mass below an anchor, released with a stretch and a speed.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Spring {
    /// kg
    #[serde(rename = "m")]
    pub(crate) mass: f64,
    /// m/N
    pub(crate) compliance: f64,
    /// Length of a substep, s.
    pub(crate) h: f64,
    /// m
    pub(crate) rest_length: f64,
    /// m
    #[serde(default)]
    pub(crate) initial_stretch: f64,
    /// m/s
    #[serde(default)]
    pub(crate) initial_downward_speed: f64,
    /// m/s²
    pub(crate) g: f64,
    /// m
    pub(crate) anchor: [f64; 3],
    /// Whether the book's floor bounds the prediction.
    #[serde(default)]
    pub(crate) ground: bool,
}

impl Spring {
    /// The stretch after each of `n` substeps, m.
    pub(crate) fn run(&self, multiplier: Multiplier, scheme: Scheme, n: usize) -> Result<Vec<f64>, Problem> {
        let mut sim = self.simulation(multiplier, scheme)?;
        let mut stretch = Vec::with_capacity(n);
        for _ in 0..n {
            sim.advance(self.h)?;
            stretch.push(self.stretch(&sim));
        }
        Ok(stretch)
    }

    /// The stretch when the oscillation has decayed to 10⁻⁹, m: every substep takes the factor 1/√(1 + ω²h²).
    pub(crate) fn settle(&self, multiplier: Multiplier, scheme: Scheme) -> Result<f64, Problem> {
        let mut sim = self.simulation(multiplier, scheme)?;
        let decay = (self.h * self.h / (self.compliance * self.mass)).ln_1p();
        for _ in 0..(2.0 * 21.0 / decay) as u32 {
            sim.advance(self.h)?;
        }
        Ok(self.stretch(&sim))
    }

    fn stretch(&self, sim: &Simulation<f64>) -> f64 {
        let x = sim.positions();
        (x[1] - x[0]).norm() - self.rest_length
    }

    fn simulation(&self, multiplier: Multiplier, scheme: Scheme) -> Result<Simulation<f64>, Problem> {
        let anchor = Vector3::from(self.anchor);
        let down = -Vector3::y();
        let start = anchor + down * (self.rest_length + self.initial_stretch);
        let mut assembly = Assembly::new(vec![anchor, start], vec![0.0, 1.0 / self.mass])?;
        assembly.velocities(vec![Vector3::zeros(), down * self.initial_downward_speed])?;
        let spring = Distance { rest: self.rest_length };
        assembly.add(Constraints::new("spring", vec![[0, 1]], vec![spring], vec![self.compliance])?);
        let floor = if self.ground { PredictionBounds::Floor } else { PredictionBounds::None };
        assembly.settings(Settings {
            multiplier,
            prediction_bounds: floor,
            ..single_substeps(self.g, scheme)
        });
        Ok(assembly.build()?)
    }
}
